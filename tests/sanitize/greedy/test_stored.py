"""A model in a file: what is in it, byte for byte the same each time, and every part checked before it is used."""

from __future__ import annotations

import io
import json
import os
import zipfile
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kgsan.sanitize.greedy import stored
from kgsan.sanitize.greedy.crf import Field
from kgsan.sanitize.greedy.learners import Ensemble
from kgsan.sanitize.greedy.problems import LearningError
from kgsan.sanitize.greedy.stored import StoredModel, load_model, save_model
from kgsan.sanitize.greedy.svm import Machine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIELD = Field(b"the bytes of a field")
MACHINE = Machine(("w=ann", "w=bo"), np.arange(10.0).reshape(5, 2), np.asarray([0.5, -1.0, 2.0]), -0.25)
MODEL = StoredModel({"seed": 4, "learner": "svm"}, (MACHINE, FIELD, Ensemble(FIELD, MACHINE)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "names.model"
    save_model(made, MODEL)
    return made


def same(one: Machine, other: Machine) -> bool:
    return (
        one.atoms == other.atoms
        and one.intercept == other.intercept
        and one.weights.tolist() == other.weights.tolist()
        and one.history.tolist() == other.history.tolist()
    )


def refused(path: Path) -> str:
    """Why a model is refused."""
    with pytest.raises(LearningError) as caught:
        load_model(path)
    [problem] = caught.value.problems
    assert (problem.code, problem.place.file) == ("E207", path.name)
    return problem.message


def changed(path: Path, change: Callable[[dict[str, bytes], dict[str, Any]], object], *, sign: bool = True) -> None:
    """Write the model again with other members or another head; checksums follow where they are signed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(members.pop("model.json"))
    change(members, head)
    if sign:
        head["members"] = {name: [len(content), sha256(content).hexdigest()] for name, content in members.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {"model.json": json.dumps(head).encode(), **members}.items():
            archive.writestr(name, content)


# --- what is written -----------------------------------------------------------------------------------------------------------


def test_what_was_saved_is_read_again(path: Path) -> None:
    found = load_model(path)
    machine, field, both = found.classifiers
    assert found.settings == MODEL.settings
    assert isinstance(machine, Machine)
    assert same(machine, MACHINE)
    assert field == FIELD
    assert isinstance(both, Ensemble)
    assert both.field == FIELD
    assert same(both.machine, MACHINE)


def test_the_same_model_is_the_same_bytes_and_tells_no_time(path: Path, tmp_path: Path) -> None:
    save_model(tmp_path / "again", MODEL)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {one.compress_type for one in archive.infolist()} == {zipfile.ZIP_DEFLATED}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["again", "names.model"]


def test_the_order_of_settings_does_not_tell_models_apart(path: Path) -> None:
    before = path.read_bytes()
    save_model(path, StoredModel(dict(reversed(MODEL.settings.items())), MODEL.classifiers))
    assert path.read_bytes() == before


def test_an_empty_part_is_a_part(path: Path) -> None:
    save_model(path, StoredModel({}, (Field(b""),)))
    assert load_model(path).classifiers == (Field(b""),)


def test_the_members_are_those_that_the_head_tells_with_size_and_checksum(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        head = json.loads(archive.read("model.json"))
        names = ["0.atoms.json", "0.weights.npy", "0.history.npy", "1.field", "2.field"]
        names += ["2.atoms.json", "2.weights.npy", "2.history.npy"]
        assert archive.namelist() == ["model.json", *names]
        assert head["members"] == {name: [len(archive.read(name)), sha256(archive.read(name)).hexdigest()] for name in names}
        weights = np.load(io.BytesIO(archive.read("0.weights.npy")), allow_pickle=False)
    assert (head["kind"], head["version"]) == ("kgsan-greedy", 1)
    assert head["classifiers"] == [
        {"machine": "0", "intercept": -0.25},
        {"field": "1.field"},
        {"field": "2.field", "machine": "2", "intercept": -0.25},
    ]
    assert (weights.dtype.str, weights.tolist()) == ("<f8", MACHINE.weights.tolist())


def test_a_model_replaces_another_whole_or_not_at_all(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_model(path, StoredModel({}, ()))
    assert load_model(path) == StoredModel({}, ())
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(LearningError, match="cannot be written") as caught:
        save_model(path, MODEL)
    assert caught.value.problems[0].code == "E207"
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["names.model"]


# --- what is refused -----------------------------------------------------------------------------------------------------------


def test_a_file_that_is_missing_or_no_model_says_so(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing") == "There is no such file."
    assert refused(tmp_path).startswith("The model cannot be read: ")
    (tmp_path / "text").write_text("no model")
    assert "it is no model, or only a part of one" in refused(tmp_path / "text")


HEADS: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "another kind": ("it holds something else", lambda head: head.update(kind="kgsan-other")),
    "a newer version": ("has format version 2; this kgsan reads version 1", lambda head: head.update(version=2)),
    "an older version": ("has format version 0", lambda head: head.update(version=0)),
    "no members": ("do not fit together", lambda head: head.pop("members")),
    "no settings": ("do not fit together", lambda head: head.pop("settings")),
    "a size below zero": ("grows beyond reason", lambda head: head["members"].update({"1.field": [-1, ""]})),
    "a size that is no number": ("grows beyond reason", lambda head: head["members"].update({"1.field": [20.0, ""]})),
    "a size that is true": ("grows beyond reason", lambda head: head["members"].update({"1.field": [True, ""]})),
    "a size beyond reason": ("grows beyond reason", lambda head: head["members"].update({"1.field": [1 << 31, ""]})),
    "a size too small": ("larger than it says", lambda head: head["members"]["1.field"].__setitem__(0, 19)),
    "a size too large": ("does not match its checksum", lambda head: head["members"]["1.field"].__setitem__(0, 21)),
    "a wrong checksum": ("does not match its checksum", lambda head: head["members"]["1.field"].__setitem__(1, "0")),
    "a member that is not there": ("do not fit together", lambda head: head["members"].update({"9.field": [3, ""]})),
}


@pytest.mark.parametrize("what", HEADS)
def test_a_head_that_does_not_fit_is_refused(path: Path, what: str) -> None:
    said, change = HEADS[what]
    changed(path, lambda _, head: change(head), sign=False)
    assert said in refused(path)


def array(numbers: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(numbers), allow_pickle=True)
    return stream.getvalue()


PARTS: dict[str, Callable[[dict[str, bytes], dict[str, Any]], object]] = {
    "neither field nor machine": lambda _, head: head["classifiers"].append({}),
    "a field that is not there": lambda _, head: head["classifiers"][1].update(field="9.field"),
    "a machine that is not there": lambda _, head: head["classifiers"][0].update(machine="9"),
    "a machine without an intercept": lambda _, head: head["classifiers"][0].pop("intercept"),
    "an intercept that is no number": lambda _, head: head["classifiers"][0].update(intercept=float("inf")),
    "atoms that are no words": lambda members, _: members.update({"0.atoms.json": b'["w=ann", 5]'}),
    "too few atoms": lambda members, _: members.update({"0.atoms.json": b'["w=ann"]'}),
    "weights of whole numbers": lambda members, _: members.update({"0.weights.npy": array(np.ones((5, 2), dtype=int))}),
    "weights of another shape": lambda members, _: members.update({"0.weights.npy": array(np.ones((2, 5)))}),
    "weights without an end": lambda members, _: members.update({"0.weights.npy": array(np.full((5, 2), np.inf))}),
    "one weight without an end": lambda members, _: members.update(
        {"0.weights.npy": array([[1.0, 1], [1, 1], [1, 1], [1, 1], [1, np.nan]])}
    ),
    "a history of another length": lambda members, _: members.update({"0.history.npy": array(np.ones(4))}),
    "a pickle": lambda members, _: members.update({"0.history.npy": array([None, "a", {}])}),
}


@pytest.mark.parametrize("what", PARTS)
def test_parts_that_do_not_fit_together_are_refused(path: Path, what: str) -> None:
    changed(path, PARTS[what])
    assert "its parts do not fit together" in refused(path)


class Trap:
    """What makes a folder when it is unpickled."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return os.mkdir, (self.folder,)


def test_nothing_in_a_file_is_run(path: Path, tmp_path: Path) -> None:
    changed(path, lambda members, _: members.update({"0.history.npy": array([Trap(str(tmp_path / "run"))] * 3)}))
    assert "its parts do not fit together" in refused(path)
    assert not (tmp_path / "run").exists()


def test_a_file_changed_in_harmless_ways_is_still_read(path: Path) -> None:
    changed(path, lambda _, head: head["settings"].update(seed=5))
    assert load_model(path).settings["seed"] == 5


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (-1, False)])
def test_a_file_may_be_as_large_as_the_largest_and_no_larger(
    path: Path, monkeypatch: pytest.MonkeyPatch, more: int, is_read: bool
) -> None:
    size = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(one.file_size for one in archive.infolist() if one.filename != "model.json")
    assert unpacked < size
    monkeypatch.setattr(stored, "_LARGEST", size + more)
    if is_read:
        assert load_model(path).settings == MODEL.settings
    else:
        assert "larger than a model may be" in refused(path)


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (-1, False)])
def test_all_members_together_may_be_as_large_as_the_largest(
    path: Path, monkeypatch: pytest.MonkeyPatch, more: int, is_read: bool
) -> None:
    save_model(path, StoredModel({}, (Field(b"a" * 5000), Field(b"b" * 5000))))
    monkeypatch.setattr(stored, "_LARGEST", 10_000 + more)
    if is_read:
        assert len(load_model(path).classifiers) == 2
    else:
        assert "grows beyond reason" in refused(path)


def test_a_head_may_be_only_so_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(path) as archive:
        size = len(archive.read("model.json"))
    monkeypatch.setattr(stored, "_LONGEST_HEAD", size)
    assert load_model(path).settings == MODEL.settings
    monkeypatch.setattr(stored, "_LONGEST_HEAD", size - 1)
    assert "larger than it says" in refused(path)


def test_a_model_may_be_a_gigabyte_and_its_head_four_megabytes(path: Path) -> None:
    """Where these are smaller, models that were saved before can no longer be read."""
    assert load_model(path).settings == MODEL.settings
    assert (stored._LARGEST, stored._LONGEST_HEAD) == (2**30, 2**22)


def test_damaged_bytes_are_refused(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert "it is no model, or only a part of one" in refused(path)
