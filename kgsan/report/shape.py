"""What a certificate must look like: every field that belongs there, and no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgsan.report.output import FileError, read_bytes
from kgsan.report.sentences import printable

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST = 16 << 20
_FORMAT = "kgsan-certificate-1"
_TEXT, _NUMBER = "a text", "a whole number"
_MAYBE_TEXT, _MAYBE_NUMBER = "a text or null", "a whole number or null"
_KINDS: dict[str, tuple[type, ...]] = {
    _TEXT: (str,),
    _NUMBER: (int,),
    _MAYBE_TEXT: (str, type(None)),
    _MAYBE_NUMBER: (int, type(None)),
}
#: A mapping has exactly these fields, a list any number of such items.
_SHAPE: Any = {
    "format": _TEXT,
    "kgsan": _TEXT,
    "text": {"sha256": _TEXT},
    "policy": {"name": _TEXT, "law": _TEXT, "version": _MAYBE_TEXT, "digest": _TEXT},
    "ontologies": [{"name": _TEXT, "fingerprint": _TEXT}],
    "knowledge": [{"name": _TEXT, "digest": _MAYBE_TEXT}],
    "entities": [{"entity": _TEXT, "hide": _TEXT, "strictness": _TEXT, "single_terms": _TEXT, "groups_of_terms": _TEXT}],
    "limits": {
        "contexts": _TEXT,
        "groups_up_to": _NUMBER,
        "least_contexts_of_a_term": _NUMBER,
        "least_contexts_of_a_group": _NUMBER,
        "window": _TEXT,
        "too_specific_above": _MAYBE_TEXT,
        "identifiers": [{"kind": _TEXT, "keep": _MAYBE_TEXT, "above": _MAYBE_NUMBER}],
    },
    "waivers": {
        "allow": [{"term": _TEXT, "because": _TEXT}],
        "negated": _TEXT,
        "exceptions": [{"entity": _TEXT, "terms": [_TEXT]}],
    },
    "not_checked": [_TEXT],
}


def read_certificate(path: Path) -> dict[str, Any]:
    """The certificate in a file. Raises `FileError` with one sentence for anything else."""
    content = read_bytes(path, _LARGEST)
    try:
        found: object = json.loads(content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise FileError(path.name, "The file is nested too deeply to be a certificate.") from None
    except ValueError:
        raise FileError(path.name, "The file is not a certificate: it is not JSON in UTF-8.") from None
    wrong = fault(found)
    if wrong is not None:
        raise FileError(path.name, wrong)
    assert isinstance(found, dict)
    return found


def fault(found: object) -> str | None:
    """The first thing that makes something no certificate, in a sentence."""
    if isinstance(found, dict) and isinstance(found.get("format"), str) and found["format"] != _FORMAT:
        return f"The certificate is of the format '{shown(found['format'])}'; this kgsan reads '{_FORMAT}'."
    wrong = _misfit(found, _SHAPE, "")
    return None if wrong is None else f"This is not a certificate: {wrong}."


def shown(text: str) -> str:
    """A text from outside as a message may show it: short, and nothing that moves a cursor.

    >>> shown("us-hiv"), shown("a\\x1b[2J" + "b" * 100)
    ('us-hiv', 'a?[2Jbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...')
    """
    return printable(text if len(text) <= 40 else f"{text[:40]}...")


def _misfit(found: object, shape: Any, path: str) -> str | None:
    where = path or "it"
    if isinstance(shape, dict):
        if not isinstance(found, dict):
            return f"{where} is not made of fields"
        for name in shape:
            if name not in found:
                return f"{where} lacks '{name}'"
        for name in found:
            if name not in shape:
                return f"{where} has a field that no certificate has"
        parts = ((found[name], shape[name], f"{path}.{name}" if path else name) for name in shape)
    elif isinstance(shape, list):
        if not isinstance(found, list):
            return f"{where} is not a list"
        parts = ((item, shape[0], f"{path}[{number}]") for number, item in enumerate(found, 1))
    else:
        fits = isinstance(found, _KINDS[shape]) and not isinstance(found, bool)
        return None if fits else f"{where} is not {shape}"
    return next((wrong for part in parts if (wrong := _misfit(*part)) is not None), None)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def _no_number(_: str) -> object:
    raise ValueError("no number")
