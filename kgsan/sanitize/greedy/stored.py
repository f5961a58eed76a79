"""Learned classifiers in one file: a zip of JSON, arrays and the bytes of fields, checked before anything of it is used.

model.json      {"kind", "version", "settings", "classifiers": [...], "members": {name: [size, sha256]}}
N.field         the model of the field of classifier N
N.atoms.json    what the machine of classifier N has weights for
N.weights.npy   its weights; N.history.npy those of what it said before
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.errors import system_says
from kgsan.sanitize.greedy.crf import Field
from kgsan.sanitize.greedy.features import OFFSETS
from kgsan.sanitize.greedy.learners import Ensemble
from kgsan.sanitize.greedy.problems import error
from kgsan.sanitize.greedy.svm import HISTORY, Machine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kgsan.sanitize.greedy.prediction import Classifier

KIND, VERSION = "kgsan-greedy", 1
_HEAD = "model.json"
#: Larger than any model of a collection that fits into memory.
_LARGEST = 1 << 30
_LONGEST_HEAD = 1 << 22
#: The same bytes for the same model.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What a file holds: the settings it was learned with, and the classifiers in their order."""

    settings: dict[str, Any]
    classifiers: tuple[Classifier, ...]


def save_model(path: Path, model: StoredModel) -> None:
    """Write the file whole or not at all."""
    members: dict[str, bytes] = {}
    told = [_packed(number, classifier, members) for number, classifier in enumerate(model.classifiers)]
    sums = {name: [len(content), hashlib.sha256(content).hexdigest()] for name, content in members.items()}
    head = {"kind": KIND, "version": VERSION, "settings": model.settings, "classifiers": told, "members": sums}
    draft = path.with_name(f".kgsan-{secrets.token_hex(8)}")
    try:
        with zipfile.ZipFile(draft, "x", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {_HEAD: json.dumps(head, sort_keys=True, indent=1).encode(), **members}.items():
                archive.writestr(zipfile.ZipInfo(name, _NO_TIME), content, zipfile.ZIP_DEFLATED)
        draft.replace(path)
    except OSError as problem:
        raise error(
            "E207", path.name, f"The model cannot be written: {system_says(problem) or 'the disk does not take it'}."
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def load_model(path: Path) -> StoredModel:
    """What a file holds. Nothing in it is run, but open only models from people you trust: they decide what is hidden."""
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > _LARGEST:
                raise _damaged(path, "it is larger than a model may be")
            with zipfile.ZipFile(stream) as archive:
                return _read(path, archive)
    except FileNotFoundError:
        raise error("E207", path.name, "There is no such file.", "Check the spelling of its name and folder.") from None
    except OSError as problem:
        raise error(
            "E207", path.name, f"The model cannot be read: {system_says(problem) or 'the disk does not give it'}."
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise _damaged(path, "it is no model, or only a part of one") from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise _damaged(path, "its parts do not fit together") from None


def _read(path: Path, archive: zipfile.ZipFile) -> StoredModel:
    head = json.loads(_content(path, archive, _HEAD, _LONGEST_HEAD))
    if head["kind"] != KIND:
        raise _damaged(path, "it holds something else")
    if head["version"] != VERSION:
        said = f"The model has format version {head['version']}; this kgsan reads version {VERSION}."
        raise error("E207", path.name, said, "Learn it again.")
    sizes = [size for size, _ in head["members"].values()]
    if any(type(size) is not int or size < 0 for size in sizes) or sum(sizes) > _LARGEST:
        raise _damaged(path, "it grows beyond reason")
    members = {name: _content(path, archive, name, size) for name, (size, _) in head["members"].items()}
    for name, (size, digest) in head["members"].items():
        if len(members[name]) != size or hashlib.sha256(members[name]).hexdigest() != digest:
            raise _damaged(path, "its content does not match its checksum")
    return StoredModel(dict(head["settings"]), tuple(_unpacked(told, members) for told in head["classifiers"]))


def _content(path: Path, archive: zipfile.ZipFile, name: str, at_most: int) -> bytes:
    with archive.open(name) as stream:
        content = stream.read(at_most + 1)
    if len(content) > at_most:
        raise _damaged(path, "a part of it is larger than it says")
    return content


def _packed(number: int, classifier: Classifier, members: dict[str, bytes]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    machine = classifier.machine if isinstance(classifier, Ensemble) else classifier if isinstance(classifier, Machine) else None
    found = classifier.field if isinstance(classifier, Ensemble) else classifier if isinstance(classifier, Field) else None
    assert machine is not None or found is not None
    if found is not None:
        told["field"] = f"{number}.field"
        members[told["field"]] = found.content
    if machine is not None:
        told |= {"machine": str(number), "intercept": machine.intercept}
        members[f"{number}.atoms.json"] = json.dumps(machine.atoms).encode()
        members[f"{number}.weights.npy"] = _array(machine.weights)
        members[f"{number}.history.npy"] = _array(machine.history)
    return told


def _unpacked(told: dict[str, Any], members: dict[str, bytes]) -> Classifier:
    found = Field(members[told["field"]]) if "field" in told else None
    if "machine" not in told:
        if found is None:
            raise ValueError
        return found
    number, intercept = told["machine"], float(told["intercept"])
    atoms = json.loads(members[f"{number}.atoms.json"])
    if not all(isinstance(atom, str) for atom in atoms) or not np.isfinite(intercept):
        raise ValueError
    weights = _numbers(members[f"{number}.weights.npy"], (len(OFFSETS), len(atoms)))
    machine = Machine(tuple(atoms), weights, _numbers(members[f"{number}.history.npy"], (HISTORY,)), intercept)
    return machine if found is None else Ensemble(found, machine)


def _array(numbers: NDArray[np.float64]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, numbers.astype("<f8"), allow_pickle=False)
    return stream.getvalue()


def _numbers(content: bytes, shape: Sequence[int]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.load(io.BytesIO(content), allow_pickle=False)
    if found.dtype != np.float64 or found.shape != tuple(shape) or not np.isfinite(found).all():
        raise ValueError
    return found


def _damaged(path: Path, what: str) -> Exception:
    return error("E207", path.name, f"The model cannot be used: {what}.", "Learn it again, or copy the file again.")
