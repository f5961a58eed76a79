"""Spans that another tool or a person marked: a first pass.

Read from JSON, JSON lines or Python objects, in the shapes that Presidio, spaCy, Hugging Face pipelines and annotation tools
write. Offsets count the characters of the text, and the end is the first character behind the span.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kgsan.errors import Place, Problem, SpansError
from kgsan.ontology import letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The label of a span that came without one.
MARKED = "marked"
#: More problems than a person reads; more bytes than a list of spans has.
_TOLD = 100
_LARGEST = 1 << 28
# spaCy's own spans count tokens in `start` and characters in `start_char`; its `label` is a number, its `label_` a text.
_STARTS = ("start_char", "start", "begin")
_ENDS = ("end_char", "end", "stop")
_LABELS = ("label_", "label", "entity_type", "entity_group", "type", "tag", "entity")
_LISTS = ("spans", "entities", "results", "items")
_MISSING = object()
_DRIFT = "Count characters of this very text, not bytes or UTF-16 units."


#: The source of what is an identifier because of the field in which it stands: whatever it says, nothing of it stays.
ITS_PLACE = "its place in the file"


@dataclass(frozen=True, slots=True)
class ForeignSpan:
    """A part of the text that somebody else found worth marking, `text[start:end]`.

    >>> ForeignSpan(0, 4, "PERSON", 0.85)
    ForeignSpan(start=0, end=4, label='PERSON', score=0.85, source='')
    """

    start: int
    end: int
    label: str
    score: float | None = None
    source: str = ""


class _Fault(NamedTuple):
    """What is wrong with one item."""

    code: str
    said: str
    hint: str | None = None


def read_spans(data: str | bytes | Path | Sequence[object], text: str) -> list[ForeignSpan]:
    """The spans by their start, the longer first; equal ones once. Raises one `SpansError` with everything that is wrong.

    >>> for span in read_spans('[{"start": 0, "end": 4, "entity_type": "PERSON", "score": 0.85}, [9, 13, ""]]', "Edda, in Lund"):
    ...     print(span)
    ForeignSpan(start=0, end=4, label='PERSON', score=0.85, source='')
    ForeignSpan(start=9, end=13, label='marked', score=None, source='')
    """
    file = str(data) if isinstance(data, Path) else "spans"
    spans: list[ForeignSpan] = []
    problems: list[Problem] = []
    left_out = 0
    for number, (line, item) in enumerate(_items(data, file, text), 1):
        made, faults = (None, [item]) if isinstance(item, _Fault) else _span(item, text)
        if made is not None:
            spans.append(made)
        told = faults[: _TOLD - len(problems)]
        problems += [Problem(code, Place(file, line), f"Item {number} {said}.", hint) for code, said, hint in told]
        left_out += len(faults) - len(told)
    if left_out:
        problems.append(Problem("X112", Place(file), f"There are {left_out} more problems like these."))
    if problems:
        raise SpansError(*problems)
    return sorted(dict.fromkeys(spans), key=lambda span: (span.start, -span.end))


# --- where the items stand ------------------------------------------------------------------------------------------------


def _items(data: str | bytes | Path | Sequence[object], file: str, text: str) -> Iterator[tuple[int | None, object]]:
    """Each item with its line, where lines are known."""
    if isinstance(data, (str, bytes, Path)):
        for line, parsed in _parsed(_content(data, file), file):
            yield from ((line, item) for item in _listed(parsed, text))
    else:
        yield from ((None, item) for item in _listed(data, text))


def _parsed(content: str, file: str) -> list[tuple[int | None, object]]:
    """The content as one value, or one value for each line."""
    try:
        return [(None, json.loads(content))]
    except RecursionError:
        raise _error("X104", file, "The spans are nested too deeply to be a list of spans.") from None
    except ValueError as failure:
        lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line and not line.isspace()]
        if not lines:
            raise _error("X102", file, "There is nothing to read.", "Write [] if nothing was marked.") from None
        if len(lines) == 1 or isinstance(_line(lines[0][1]), _Fault):
            place = Place(file, failure.lineno, failure.colno) if isinstance(failure, json.JSONDecodeError) else Place(file)
            raise SpansError(Problem("X102", place, "The spans break the rules of JSON here.")) from None
    return [(number, _line(line)) for number, line in lines]


def _line(line: str) -> object:
    try:
        return json.loads(line)
    except RecursionError:
        return _Fault("X104", "is nested too deeply to be a span")
    except ValueError:
        return _Fault("X102", "breaks the rules of JSON", "Each line is one object.")


def _content(data: str | bytes | Path, file: str) -> str:
    try:
        if isinstance(data, Path):
            if not data.is_file():
                raise _error("X101", file, "There is no such file.")
            if data.stat().st_size > _LARGEST:
                raise _error("X104", file, "The spans are larger than kgsan reads.")
            data = data.read_bytes()
        if len(data) > _LARGEST:
            raise _error("X104", file, "The spans are larger than kgsan reads.")
        return (data.decode("utf-8") if isinstance(data, bytes) else data).removeprefix("\ufeff")
    except OSError:
        raise _error("X101", file, "The file cannot be opened.") from None
    except UnicodeDecodeError as failure:
        raise _error("X103", file, f"The byte at place {failure.start} is not UTF-8.") from None


def _error(code: str, file: str, message: str, hint: str | None = None) -> SpansError:
    return SpansError(Problem(code, Place(file), message, hint))


def _listed(data: object, text: str) -> Iterator[object]:
    """The items of a list, of an object that holds one, or the one item that stands alone."""
    if isinstance(data, Mapping):
        held = next((data[key] for key in _LISTS if isinstance(data.get(key), (list, tuple))), None)
        if held is None:
            yield data
            return
        if isinstance(data.get("text"), str) and data["text"] != text:
            yield _Fault("X109", "and its list were made for another text", "Mark the text as it is given here.")
            return
        data = held
    if isinstance(data, (list, tuple)) and not isinstance(data, _Fault) and not (data and _whole(data[0]) is not None):
        yield from data
    else:
        yield data


# --- one item -------------------------------------------------------------------------------------------------------------


def _span(item: object, text: str) -> tuple[ForeignSpan | None, list[_Fault]]:
    """The span that an item describes, or everything that is wrong with it."""
    if isinstance(item, (list, tuple)) and 2 <= len(item) <= 4:
        item = dict(zip(("start", "end", "label", "score"), item, strict=False))
    elif item is None or isinstance(item, (str, bytes, int, float, list, tuple)):
        return None, [_Fault("X105", "is no span", 'Write {"start": 0, "end": 4, "label": "PERSON"} or [0, 4, "PERSON"].')]
    faults: list[_Fault] = []
    start, end = _whole(first := _value(item, _STARTS)), _whole(last := _value(item, _ENDS))
    if start is None:
        faults.append(_not_whole(first, "start"))
    if end is None:
        faults.append(_not_whole(last, "end"))
    if start is not None and end is not None:
        faults += _misplaced(item, start, end, text)
    label, score, source = _value(item, _LABELS), _value(item, ("score",)), _value(item, ("source",))
    if label not in (None, _MISSING) and not isinstance(label, str):
        faults.append(_Fault("X111", "has a label that is not a text"))
    number = _number(score)
    if number is None and score not in (None, _MISSING):
        faults.append(_Fault("X110", "has a score that is not a finite number"))
    if faults or start is None or end is None:
        return None, faults
    name = label if isinstance(label, str) and label else MARKED
    return ForeignSpan(start, end, name, number, source if isinstance(source, str) else ""), []


def _misplaced(item: object, start: int, end: int, text: str) -> list[_Fault]:
    if start < 0:
        return [_Fault("X107", "begins before the text")]
    if start >= end:
        return [_Fault("X107", "does not end behind its start", "The end is the first character behind the span.")]
    if end > len(text):
        return [_Fault("X108", f"ends beyond the text, which has {len(text)} characters", _DRIFT)]
    told, word = _value(item, ("text",)), _value(item, ("word",))
    drifted = isinstance(told, str) and not (len(told) == end - start and text.startswith(told, start))
    if drifted or (isinstance(word, str) and not _reads_as(text, start, end, word)):
        return [_Fault("X109", "does not hold the words it was made for", _DRIFT)]
    return []


def _value(item: object, keys: Sequence[str]) -> object:
    """What an object has under the first of several names."""
    for key in keys:
        value = item.get(key, _MISSING) if isinstance(item, Mapping) else getattr(item, key, _MISSING)
        if value is not _MISSING:
            return value
    return _MISSING


def _whole(value: object) -> int | None:
    """A whole number of any kind (numpy has its own); true and false are none."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _not_whole(value: object, name: str) -> _Fault:
    return _Fault("X106", f"has no {name}" if value is _MISSING else f"gives its {name} not as a whole number")


def _number(value: object) -> float | None:
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _reads_as(text: str, start: int, end: int, word: str) -> bool:
    """Whether a tokenizer may have made the word from this part: case, accents, spaces and the marks of pieces do not count."""
    # A short word for a long part is wrong before it is looked at, so that many of them cost no more than their own length.
    return end - start <= 8 * len(word) + 64 and _bare(text[start:end]) == _bare(word)


def _bare(text: str) -> str:
    for mark in ("##", "▁", "Ġ"):
        text = text.replace(mark, "")
    return "".join(letters.read(text).casefold().split())
