"""GreedySanitize on made-up notes and mails, and on names of persons in Wikigold and GUM: `python -m benchmarks.greedy FOLDER`.

FOLDER holds wikigold.conll.xz and gum.conllu.xz; without it only the made-up texts are measured. What follows chooses some of
the collections by name ("notes,gum") and says where figures go; with figures all four publishers are measured.
"""

from __future__ import annotations

import lzma
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.evaluate.generated import MAILS, NOTES, MarkedText, generated
from kgsan.evaluate.greedy import HEADLINE, experiment
from kgsan.evaluate.marked_files import read_marked
from kgsan.sanitize.greedy.learners import CRF, ENSEMBLE, SELECTION, SVM
from kgsan.sanitize.greedy.marked import instances_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.evaluate.greedy import Experiment

DOCUMENTS = 60
#: Every so many documents of GUM are as large as Wikigold, and take as long.
_EVERY = 3
_ENTITY = re.compile(r"\((\d+)-([a-z]+)[^()]*|(\d+)\)|(\))")


def main() -> None:
    """Every collection in turn."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    wanted = sys.argv[2].split(",") if len(sys.argv) > 2 else None
    figures = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    for name, documents in _collections(folder):
        if wanted is not None and name not in wanted:
            continue
        started = time.perf_counter()
        instances = instances_of([one.text for one in documents], [one.spans for one in documents], name)
        learners = (CRF, SVM, ENSEMBLE, SELECTION) if figures is not None else (SELECTION,)
        measured = experiment(instances, name, learners=learners)
        _tell(measured, time.perf_counter() - started)
        if figures is not None:
            from kgsan.evaluate.greedy_figures import draw

            draw(measured, figures / name)


def _collections(folder: Path | None) -> Iterator[tuple[str, list[MarkedText]]]:
    yield NOTES, generated(NOTES, DOCUMENTS)
    yield MAILS, generated(MAILS, DOCUMENTS)
    if folder is not None:
        yield "wikigold", _wikigold(folder / "wikigold.conll.xz")
        yield "gum", list(_gum(folder / "gum.conllu.xz"))[::_EVERY]


def _wikigold(path: Path) -> list[MarkedText]:
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "wikigold.conll"
        plain.write_bytes(lzma.decompress(path.read_bytes()))
        return read_marked(plain, "PER")


def _gum(path: Path) -> Iterator[MarkedText]:
    """Proper names of persons: tokens tagged NNP or NNPS whose innermost mention is that of a person."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    size = 0
    opened: list[tuple[str, bool]] = []
    for line in lzma.decompress(path.read_bytes()).decode().split("\n"):
        if line.startswith("# newdoc") and parts:
            yield MarkedText("".join(parts), tuple(spans))
            parts, spans, size, opened = [], [], 0, []
        columns = line.split("\t")
        if not line and parts:
            parts.append("\n")
            size += 1
        if len(columns) != 10 or not columns[0].isdigit():
            continue
        told = dict(pair.split("=", 1) for pair in columns[9].split("|") if "=" in pair)
        closing = []
        for begun, kind, ended, at_once in _ENTITY.findall(told.get("Entity", "")):
            if begun:
                opened.append((begun, kind == "person"))
            elif ended:
                closing.append(ended)
            elif at_once:
                closing.append(opened[-1 - len(closing)][0])
        if columns[4] in ("NNP", "NNPS") and opened and opened[-1][1]:
            spans.append((size, size + len(columns[1])))
        for ended in closing:
            last = max((place for place, (number, _) in enumerate(opened) if number == ended), default=None)
            if last is not None:
                del opened[last]
        written = columns[1] + ("" if told.get("SpaceAfter") == "No" else " ")
        parts.append(written)
        size += len(written)
    if parts:
        yield MarkedText("".join(parts), tuple(spans))


def _tell(measured: Experiment, seconds: float) -> None:
    share = measured.sensitive / measured.tokens
    print(f"{measured.name}: {measured.documents} documents, {measured.tokens:,} tokens, {share:.1%} sensitive, {seconds:.0f} s")
    print(f"  {'publisher':<22} {'L/C':>5} {'rounds':>6} {'published':>9} {'leaked':>7} {'found':>7} {'informed':>8}")
    for one in (*measured.one_shot, *measured.outcomes):
        name = f"{one.learner}{'' if one.ratio else ', one shot'}"
        shares = f"{one.published:9.2%} {one.leaked:7.2%} {one.found:7.2%} {one.found_informed:8.2%}"
        print(f"  {name:<22} {one.ratio:5g} {one.classifiers:6.2f} {shares}")
    for base in measured.baselines:
        print(f"  {'cost-sensitive ' + base.learner:<22} {base.ratio:5g} {'':6} {base.published:9.2%} {base.leaked:7.2%}")
    if SELECTION in measured.learners:
        reached = measured.outcome(SELECTION, HEADLINE)
        bought = reached.bought(0.01)
        shares = (
            f"{bought.surest_first:.2%} surest first, {bought.marked_first:.2%} marked first, {bought.at_random:.2%} at random"
        )
        print(f"  1 % of the published words looked at: {shares}")
        met = reached.found <= 0.02 and reached.published >= 0.93 and reached.classifiers <= 5
        print(f"  wanted at L/C = 10: found <= 2 %, published >= 93 %, at most 5 rounds: {'met' if met else 'MISSED'}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
