"""Builds that are killed, disturbed or started twice."""

from __future__ import annotations

import errno
import importlib.util
import itertools
import json
import lzma
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgsan import cli
from kgsan.knowledge import build
from kgsan.knowledge.build import Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.journal import Journal
from kgsan.knowledge.nouns import PhraseReader
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

WORDS = [*GOLDEN, "house", "garden", "river", "green", "old", "the", "and", "of", "walks", "AIDS."]
STACK = OntologyStack([Ontology.from_records(taxonomy(GOLDEN))])
FINDER = Finder(STACK)
READER = PhraseReader()

#: Runs builds in forked processes: each is killed before the n-th time that it touches a file, then another goes on.
HARNESS = """
import json, os, pathlib, shutil, signal, sys
from kgsan import cli
from kgsan.knowledge import build

arguments, output, whole = json.loads(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).read_bytes()
build._BLOCK, build._PAIRS = 3000, 1500
sys.stdout = sys.stderr = open(os.devnull, "w")
reader = build.PhraseReader()
build.PhraseReader = lambda: reader
cli.main(arguments)  # what is made once is made


def child(fatal):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    left = [fatal]
    def before(function):
        def counted(*given, **options):
            left[0] -= output.name in str(given[0]) or function is sync
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*given, **options)
        return counted
    sync = os.fsync
    os.fsync = before(sync)
    for name in ("replace", "unlink", "rmdir", "mkdir", "open"):
        setattr(pathlib.Path, name, before(getattr(pathlib.Path, name)))
    os._exit(cli.main(arguments))


told = []
fatal, status = 0, None
while status != 0:
    fatal += 1
    output.write_bytes(b"old") if fatal % 2 else output.unlink(missing_ok=True)
    before = output.read_bytes() if output.exists() else None
    status = child(fatal)
    after = output.read_bytes() if output.exists() else None
    sound = after in (before, whole)
    resumed = child(-1) == 0 and output.read_bytes() == whole
    folder = output.with_name(f".{output.name}.building")
    told.append([os.WTERMSIG(status), sound, resumed, folder.exists()])
    shutil.rmtree(folder, ignore_errors=True)
print(json.dumps(told), file=sys.__stdout__, flush=True)
"""
#: A build that is slow enough to be killed from outside, at any moment.
SLOW = """
import sys, time
from kgsan import cli
from kgsan.knowledge import build, journal
build._BLOCK, build._PAIRS = 600, 300
add = journal.Journal.add
def slow(self, *given):
    add(self, *given)
    time.sleep(0.05)
journal.Journal.add = slow
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def _one_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made once for all builds here: it takes longer than such a small one does."""
    monkeypatch.setattr(build, "PhraseReader", lambda: READER)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    dice = random.Random(7)
    path = tmp_path / "texts.txt"
    path.write_text("\n\n".join(" ".join(dice.choices(WORDS, k=12)) for _ in range(150)))
    return path


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "golden.obo"
    ids = {name: f"T:{number:07}" for number, name in enumerate(GOLDEN)}
    terms = [
        "\n".join(["[Term]", f"id: {ids[name]}", f"name: {name}", *(f"is_a: {ids[p]}" for p in above.split(", ") if p), ""])
        for name, above in GOLDEN.items()
    ]
    path.write_text("format-version: 1.2\n\n" + "\n".join(terms))
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_BLOCK", 600)
    monkeypatch.setattr(build, "_PAIRS", 300)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The contexts that are counted, each time one is."""
    found: list[str] = []
    pairs = Builder._pairs

    def listening(self: Builder, texts: list[str]) -> object:
        found.extend(texts)
        return pairs(self, texts)

    monkeypatch.setattr(Builder, "_pairs", listening)
    return found


def arguments(texts: Path, ontology: Path, output: Path, *more: str) -> list[str]:
    return ["knowledge", "build", str(texts), "-o", str(output), "--in", str(ontology), "--public", *more]


def whole(texts: Path, ontology: Path, tmp_path: Path) -> Path:
    """The result of a build that nothing disturbs and that holds everything in memory."""
    output = tmp_path / "undisturbed" / "x.kgk"
    output.parent.mkdir()
    assert cli.main(arguments(texts, ontology, output)) == 0
    assert sorted(path.name for path in output.parent.iterdir()) == ["x.kgk"]
    return output


def folder_of(output: Path) -> Path:
    return output.with_name(f".{output.name}.building")


class Stopped(Exception):
    """What ends a build in these tests as a kill would, but in this process."""


def cut_short(texts: Path, ontology: Path, output: Path, monkeypatch: pytest.MonkeyPatch, runs: int = 3) -> None:
    """A build that ends when so many runs are kept."""
    add = Journal.add

    def stop(self: Journal, *given: object) -> None:
        add(self, *given)  # type: ignore[arg-type]
        if len(self._runs) == runs:
            raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", stop)
        assert cli.main(arguments(texts, ontology, output)) != 0


# --- killed ----------------------------------------------------------------------------------------------------------------


def test_a_build_killed_at_any_moment_leaves_the_old_file_and_goes_on_to_the_same_bytes(
    texts: Path, ontology: Path, tmp_path: Path
) -> None:
    expected = whole(texts, ontology, tmp_path)
    output = tmp_path / "x.kgk"
    given = [json.dumps(arguments(texts, ontology, output)), str(output), str(expected)]
    done = subprocess.run([sys.executable, "-c", HARNESS, *given], capture_output=True, check=True, timeout=300)
    told = json.loads(done.stdout)
    assert len(told) > 25  # so many moments there were
    assert {kill for kill, *_ in told[:-1]} == {signal.SIGKILL}
    assert told[-1][0] == 0
    assert [rest for _, *rest in told] == [[True, True, False]] * len(told)


def test_a_build_killed_from_outside_goes_on(
    texts: Path, ontology: Path, tmp_path: Path, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = whole(texts, ontology, tmp_path).read_bytes()
    output = tmp_path / "x.kgk"
    for runs in (1, 3, 4):
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, *arguments(texts, ontology, output)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        limit = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < limit and not (folder_of(output) / f"{runs}.run").exists():
            time.sleep(0.005)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert not output.exists()
    capsys.readouterr()
    assert cli.main(arguments(texts, ontology, output)) == 0
    assert "Going on after" in capsys.readouterr().err
    assert output.read_bytes() == expected
    assert not folder_of(output).exists()


def test_what_was_counted_is_not_counted_again(
    texts: Path, ontology: Path, tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    output = tmp_path / "x.kgk"
    cut_short(texts, ontology, output, monkeypatch)
    counted = json.loads((folder_of(output) / "journal.json").read_bytes())["contexts"]
    assert len(read) == counted
    assert cli.main(arguments(texts, ontology, output)) == 0
    assert 0 < counted < 150
    assert len(read) == 150


# --- disturbed -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone", "journal cut", "journal nonsense", "run half told"])
def test_a_damaged_run_is_dropped_with_what_follows(
    texts: Path,
    ontology: Path,
    tmp_path: Path,
    small: None,
    monkeypatch: pytest.MonkeyPatch,
    read: list[str],
    damage: str,
) -> None:
    expected = whole(texts, ontology, tmp_path).read_bytes()
    output = tmp_path / "x.kgk"
    cut_short(texts, ontology, output, monkeypatch)
    run, told = folder_of(output) / "1.run", folder_of(output) / "journal.json"
    sound = json.loads(told.read_bytes())["runs"][0]["contexts"]
    data = bytearray(run.read_bytes())
    if damage == "cut":
        run.write_bytes(data[:-1])
    elif damage == "flipped":
        data[-100] ^= 1
        run.write_bytes(data)
    elif damage == "gone":
        run.unlink()
    else:
        sound = 0
        half = told.read_bytes().replace(b'"pairs"', b'"pears"', 1)
        made = {"journal cut": half[:-9], "journal nonsense": b'{"runs": [{"contexts": 3}]}', "run half told": half}
        told.write_bytes(made[damage])
    read.clear()
    assert cli.main(arguments(texts, ontology, output)) == 0
    assert len(read) == 150 - sound
    assert output.read_bytes() == expected


@pytest.mark.parametrize("other", ["texts", "names", "options", "code"])
def test_other_inputs_start_anew_and_say_so(
    texts: Path,
    ontology: Path,
    tmp_path: Path,
    small: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    other: str,
) -> None:
    output = tmp_path / "x.kgk"
    cut_short(texts, ontology, output, monkeypatch)
    more: list[str] = []
    if other == "texts":
        texts.write_text(texts.read_text().replace("river", "brook"))
    elif other == "names":
        ontology.write_text(ontology.read_text().replace("name: influenza", "name: flu"))
    elif other == "options":
        more = ["--words", "5"]
    else:
        monkeypatch.setattr(build, "VERSION", build.VERSION + 1)
    expected = tmp_path / "fresh" / "x.kgk"
    expected.parent.mkdir()
    assert cli.main(arguments(texts, ontology, expected, *more)) == 0
    capsys.readouterr()
    assert cli.main(arguments(texts, ontology, output, *more)) == 0
    assert capsys.readouterr().err.count("starts anew") == 1
    assert output.read_bytes() == expected.read_bytes()


def test_a_second_build_of_the_same_file_is_refused(
    texts: Path, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "x.kgk"
    with Journal.open(output, "first"):
        assert cli.main(arguments(texts, ontology, output)) == 3
        assert capsys.readouterr().err.startswith("x.kgk: K112 Another build of this file is running.")
        assert cli.main(arguments(texts, ontology, tmp_path / "y.kgk")) == 0
    assert cli.main(arguments(texts, ontology, output)) == 0


def test_a_full_disk_is_one_sentence_and_what_was_counted_stays(
    texts: Path,
    ontology: Path,
    tmp_path: Path,
    small: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    expected = whole(texts, ontology, tmp_path).read_bytes()
    output = tmp_path / "x.kgk"
    output.write_bytes(b"old")
    sync = os.fsync
    calls: list[int] = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert cli.main(arguments(texts, ontology, output)) == 3
    assert capsys.readouterr().err == "x.kgk: K113 It cannot be written: No space left on device.\n"
    assert output.read_bytes() == b"old"
    assert not [path for path in folder_of(output).iterdir() if "draft" in path.name]
    assert cli.main(arguments(texts, ontology, output)) == 0
    assert output.read_bytes() == expected


@pytest.mark.parametrize("where", ["nowhere/x.kgk", "texts.txt/x.kgk", "folder", "."])
def test_a_place_that_cannot_be_written_is_one_sentence(
    texts: Path, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    assert cli.main(arguments(texts, ontology, Path(where))) == 3
    err = capsys.readouterr().err
    assert "K113 It cannot be written" in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_cannot_be_merged_into_is_one_sentence(
    texts: Path, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = whole(texts, ontology, tmp_path)
    assert cli.main(["knowledge", "merge", str(made), "-o", str(tmp_path / "nowhere" / "x.kgk")]) == 3
    assert "K113" in capsys.readouterr().err


def test_a_text_that_cannot_be_read_leaves_no_folder_behind(texts: Path, ontology: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{")
    assert cli.main(arguments(bad, ontology, tmp_path / "x.kgk")) == 3
    assert not folder_of(tmp_path / "x.kgk").exists()


def test_files_of_others_in_the_folder_are_left_alone(texts: Path, ontology: Path, tmp_path: Path) -> None:
    kept = folder_of(tmp_path / "x.kgk") / "mine.doc"
    kept.parent.mkdir()
    kept.write_text("mine")
    assert cli.main(arguments(texts, ontology, tmp_path / "x.kgk")) == 0
    assert kept.read_text() == "mine"


# --- counted ---------------------------------------------------------------------------------------------------------------


def counted(contexts: list[str], shuffle: bool = False) -> dict[int, list[int]]:
    """Every key with its contexts, sorted; shuffled ones are only as many."""
    builder = Builder(FINDER)
    builder.add(contexts)
    known = CorpusKnowledge(builder.finish({}, phrases=1, shuffle=shuffle), STACK)
    return {int(key): list(known._listed(row)) for row, key in enumerate(known._file["keys"])}


def test_a_context_read_in_pieces_counts_once_and_loses_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(3)
    contexts = [
        "influenza",
        " ".join(dice.choices(WORDS, k=900)),
        "HIV infection",
        "x" * 3000,
        " ".join(dice.choices(WORDS, k=700)),
    ]
    expected = counted(contexts)
    monkeypatch.setattr(build, "_LONGEST", 700)
    monkeypatch.setattr(build, "_OVERLAP", 300)
    monkeypatch.setattr(build, "_PAIRS", 100)
    monkeypatch.setattr(build, "_BLOCK", 500)
    found = counted(contexts)
    assert {key: found.get(key) for key in expected if key in found or expected[key] != [3]} == {
        key: at for key, at in expected.items() if key in found or at != [3]
    }


def test_parts_hold_every_pair_once_in_the_order_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(5)
    with Journal.temporary() as kept:
        every = []
        for start in range(0, 300, 100):
            keys = np.sort(numbers.integers(0, 1 << 64, 5000, dtype=np.uint64))
            keys[:2] = 0, 0
            keys[-2:] = (1 << 64) - 1
            contexts = numbers.integers(start, start + 100, 5000).astype(np.int32)
            kept.add(keys, contexts, start + 100)
            every += list(zip(keys.tolist(), contexts.tolist(), strict=True))
        parts = list(kept.parts(700))
        assert kept.contexts == 300
    assert max(len(keys) for keys, _ in parts) <= 700
    assert len(parts) > 20
    for (before, _), (after, _) in itertools.pairwise(parts):
        assert before.max() < after.min()
    assert sorted(pair for keys, contexts in parts for pair in zip(keys.tolist(), contexts.tolist(), strict=True)) == sorted(
        every
    )


def test_phrases_that_are_no_names_are_kept_from_eight_contexts() -> None:
    def known(times: int) -> tuple[int | None, int | None]:
        builder = Builder(FINDER)
        builder.add(["The influenza of the quiet gardener."] * times)
        made = CorpusKnowledge(builder.finish({}), STACK)
        return made.count("influenza"), made.count("quiet gardener")

    assert (known(7), known(8)) == ((7, None), (8, 8))


def test_the_file_tells_where_the_texts_are_from(
    texts: Path, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.kgk", tmp_path / "two.kgk"
    told = ["--date", "2023-05-01", "--attribution", "The town library", "--licence", "CC0"]
    assert cli.main(arguments(texts, ontology, one, *told)) == 0
    assert cli.main(arguments(texts, ontology, two, "--date", "2021-01-01", "--licence", "CC0", "--words", "9")) == 0
    assert cli.main(["knowledge", "merge", str(one), str(two), "-o", str(tmp_path / "both.kgk")]) == 0
    capsys.readouterr()
    about = {}
    for name in ("one", "both"):
        assert cli.main(["knowledge", "info", str(tmp_path / f"{name}.kgk"), "--format", "json"]) == 0
        about[name] = json.loads(capsys.readouterr().out)
    assert [about["one"][field] for field in ("newest", "attribution", "licence", "window")] == [
        "2023-05-01",
        "The town library",
        "CC0",
        "paragraph",
    ]
    assert [about["both"][field] for field in ("newest", "attribution", "licence", "window")] == [
        "2023-05-01",
        "The town library",
        "CC0",
        "paragraph; 9 words",
    ]
    assert about["one"]["sources"][0]["name"] == "texts.txt"


@pytest.mark.parametrize("written", ["2023", "20230501", "2023-5-1", "2023-02-30", "yesterday"])
def test_a_date_that_is_none_is_refused(texts: Path, ontology: Path, tmp_path: Path, written: str) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments(texts, ontology, tmp_path / "x.kgk", "--date", written))
    assert caught.value.code == 2


# --- what ships ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    """tools/build_knowledge.py, with a small ontology."""
    spec = importlib.util.spec_from_file_location("build_knowledge", Path(__file__).parents[2] / "tools" / "build_knowledge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "load_ontology", lambda: STACK)
    return module


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    paragraphs = {
        "encyclopedia-0": [
            "Influenza is in the Human Phenotype Ontology.",
            "AIDS and influenza.",
            f"syphilis {'word ' * 119}AIDS",
        ],
        "health-qa": ["The Human Phenotype Ontology lists depression and AIDS.", "Depression and ibuprofen."],
    }
    for name, own in paragraphs.items():
        articles = [{"title": title, "paragraphs": own} for title in (["AIDS", "syphilis"] if name == "health-qa" else ["x"])]
        lines = "\n".join(map(json.dumps, articles))
        (folder / f"{name}.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    return folder


def test_lists_and_topics_that_nobody_heard_of_are_left_out_of_what_ships(
    tool: Any, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "_KNOWN", 2)
    general, medical = sorted(corpus.iterdir())
    windows = list(tool.prose([general]))
    assert [window.split()[0] for window in windows] == ["Influenza", "AIDS", "syphilis", "AIDS"]
    builder = Builder(Finder(STACK))
    builder.add(windows)
    known = CorpusKnowledge(builder.finish({}), STACK)
    assert (known.count("AIDS"), known.count("syphilis")) == (2, 1)
    assert list(tool.answers(medical, known)) == ["Depression and ibuprofen."]


def test_what_ships_has_the_same_bytes_each_time_and_tells_its_sources(
    tool: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "_KNOWN", 2)
    for name in ("one", "two"):
        tool.main([str(corpus), str(tmp_path / f"{name}.kgk")])
    assert (tmp_path / "one.kgk").read_bytes() == (tmp_path / "two.kgk").read_bytes()
    known = CorpusKnowledge.open(tmp_path / "one.kgk", STACK)
    assert (known.name, known.contexts, known.count("influenza"), known.count("syphilis")) == ("english", 5, 2, None)
    about = known._file.about
    assert [source["name"] for source in about["sources"]] == ["encyclopedia-0.jsonl.xz", "health-qa.jsonl.xz"]
    assert (about["licence"], about["newest"]) == ("CC BY-SA 4.0", "2023")
    assert all(word in about["attribution"] for word in ("Wikipedia", "MedQuAD", "National Institutes of Health"))


def test_what_is_too_large_does_not_ship(tool: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "_LARGEST", 100)
    (tmp_path / "x.kgk").write_bytes(b"old")
    with pytest.raises(SystemExit, match="nothing was written"):
        tool.main([str(corpus), str(tmp_path / "x.kgk")])
    assert (tmp_path / "x.kgk").read_bytes() == b"old"
    with pytest.raises(SystemExit, match=r"no encyclopedia"):
        tool.main([str(tmp_path), str(tmp_path / "x.kgk")])
