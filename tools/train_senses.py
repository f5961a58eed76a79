"""What the signs of a sense weigh, learned from sentences that say of an ambiguous word whether it is meant so.

    python tools/train_senses.py ROWS.yaml... [--ordinary TREEBANK.conllu.xz...] [--test ROWS.yaml...] [--write]

Rows: `{entity, name, sense: yes|no, text}`, or those of `tests/data/decoys.yaml`. Prints how well names that were not learned
from are judged (ten parts, no name in two of them), and the rows of --test; with --write, puts the weights of all rows into
`kgsan/risk/signs.txt`. Rows are made of words that can be judged; in ordinary text most say nothing either way, so that names in
the texts of a treebank are taken for examples of other senses, unless what was learned first is sure of the opposite. Needs
scikit-learn.
"""

from __future__ import annotations

import argparse
import lzma
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import kgsan
from kgsan.ontology import names as spelling
from kgsan.risk.reading import Reading
from kgsan.risk.remembered import FILE, LEAST, VIEWS, memory, remember
from kgsan.risk.senses import SenseGuard
from kgsan.risk.signs import ALWAYS
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.risk.signs import Sign
    from kgsan.text.mentions import Mention, Sense

_ORDINARY = "ordinary"
#: Above this chance a name in ordinary text is left out; so many of those that are asked about are kept.
_SURE, _EVERY = 0.7, 3
_SENTENCES = 6
_OUT = Path(__file__).parents[1] / "kgsan" / "risk" / "signs.txt"
_HEAD = """# What the signs of a sense weigh (kgsan/risk/signs.py), learned by tools/train_senses.py: above 0 for the sense.
"""
#: What the rest of a text says can only be learned from whole documents: their rows count so many times.
_IN_DOCUMENTS, _IN_ORDINARY = 10.0, 4.0
#: How little the weights of numbers are drawn to 0, and how much less the parts of vectors may weigh, which are many.
_STRENGTH, _OF_VECTORS = 0.03, 0.3


@dataclass(frozen=True, slots=True)
class Row:
    """A judged word: its source, itself, whether it stands in the sense, and what was seen."""

    source: str
    name: str
    meant: bool
    scope: int
    signs: dict[str, Sign]
    key: tuple[str, str]  #: the name as it is compared, and the concept
    counts: float = 1.0  #: so many times


def main() -> None:
    """Learn, measure and, if asked, write."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("rows", nargs="+", type=Path)
    arguments.add_argument("--ordinary", nargs="*", type=Path, default=[])
    arguments.add_argument("--test", nargs="*", type=Path, default=[])
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    warnings.filterwarnings("ignore")
    judge = _Judge()
    rows = [row for path in given.rows for row in judge.rows(path)]
    _recall(rows)
    sizes = {sign: np.size(value) for row in rows for sign, value in row.signs.items()}
    signs = {sign: sizes[sign] for sign in sorted(sizes)}
    seen, meant = _table(rows, signs), np.array([row.meant for row in rows])
    part = np.hstack([np.full(size, _OF_VECTORS if size > 1 else 1.0) for size in signs.values()])
    model = make_pipeline(
        StandardScaler(), FunctionTransformer(lambda seen: seen * part), LogisticRegression(C=_STRENGTH, max_iter=5000)
    )
    ordinary = [row for path in given.ordinary for row in judge.ordinary(path)]
    if ordinary:
        _fit(model, seen, meant, rows)
        sure = model.predict_proba(_table(ordinary, signs))[:, 1] > _SURE
        print(f"{len(ordinary)} names in ordinary text, {sure.mean():.2f} of them surely in the sense and left out")
        rows += [row for row, meant_so in zip(ordinary, sure, strict=True) if not meant_so]
        seen, meant = _table(rows, signs), np.array([row.meant for row in rows])
    names = sorted({row.name.lower() for row in rows})
    groups = [names.index(row.name.lower()) for row in rows]
    # What was seen of a name itself is not known of a name that was not learned from.
    of_others = seen.copy()
    of_others[:, _columns(signs, "remembered")] = 0.0
    chance = np.zeros(len(rows))
    for learned, left in GroupKFold(10).split(seen, meant, groups):
        _fit(model, seen[learned], meant[learned], [rows[i] for i in learned])
        chance[left] = model.predict_proba(of_others[left])[:, 1]
    for source in sorted({row.source for row in rows if row.source != _ORDINARY}):
        _print(source, [row for row in rows if row.source == source], chance[[row.source == source for row in rows]])
    judged = np.array([row.source != _ORDINARY for row in rows])
    _print("all, names not learned from", [row for row in rows if row.source != _ORDINARY], chance[judged])
    by_rows = np.zeros(len(rows))
    for learned, left in KFold(10, shuffle=True, random_state=0).split(seen):
        _fit(model, seen[learned], meant[learned], [rows[i] for i in learned])
        by_rows[left] = model.predict_proba(seen[left])[:, 1]
    _print("all, places not learned from", [row for row in rows if row.source != _ORDINARY], by_rows[judged])
    if not judged.all():
        print(f"names in ordinary text taken for the sense: {(chance[~judged] >= 0.5).mean():.2f}")
    _fit(model, seen, meant, rows)
    for path in given.test:
        tested = list(judge.rows(path))
        _print(f"test: {path.stem}", tested, model.predict_proba(_table(tested, signs))[:, 1])
    if given.write:
        scaler, regression = model[0], model[-1]
        weights = regression.coef_[0] * part / scaler.scale_
        assumed = float(regression.intercept_[0] - (weights * scaler.mean_).sum())
        lines, at = [], 0
        for sign, size in signs.items():
            told = weights[at : at + size] + (assumed if sign == ALWAYS else 0.0)
            lines.append(f"{sign}: {' '.join(f'{weight:.3f}' for weight in told)}\n")
            at += size
        _OUT.write_text(_HEAD + "".join(lines), encoding="utf-8")


def _fit(model: Pipeline, seen: NDArray[np.float64], meant: NDArray[np.bool_], rows: list[Row]) -> None:
    model.fit(seen, meant, logisticregression__sample_weight=np.array([row.counts for row in rows]))


def _recall(rows: list[Row]) -> None:
    """Give each row what is remembered of its name without it, as if it were new; what is kept of all is written first."""
    places: dict[tuple[str, str], tuple[list[Row], list[Row]]] = {}
    for row in rows:
        places.setdefault(row.key, ([], []))[not row.meant].append(row)
    views = {id(row): np.array([row.signs[f"the {view}"] for view in VIEWS]) for row in rows}
    kept = remember({key: tuple([views[id(row)] for row in side] for side in sides) for key, sides in places.items()})  # type: ignore[misc]
    kept.save(FILE)
    memory.cache_clear()
    print(f"{len(kept['halfway']) // len(VIEWS)} names are remembered")
    for row in rows:
        for view in VIEWS:
            row.signs.pop(f"remembered, {view}", None)
        meant, other = ([views[id(one)] for one in side if one is not row] for side in places[row.key])
        if min(len(meant) + row.meant, len(other) + (not row.meant)) >= LEAST:
            middle, opposite = np.mean(meant, axis=0), np.mean(other, axis=0)
            sides = ((views[id(row)] - (middle + opposite) / 2) * (middle - opposite)).sum(axis=1)
            row.signs.update({f"remembered, {view}": float(side) for view, side in zip(VIEWS, sides, strict=True)})


def _columns(signs: dict[str, int], begins: str) -> NDArray[np.bool_]:
    return np.hstack([np.full(size, sign.startswith(begins)) for sign, size in signs.items()])


def _table(rows: list[Row], signs: dict[str, int]) -> NDArray[np.float64]:
    return np.array([np.hstack([row.signs.get(sign, np.zeros(size)) for sign, size in signs.items()]) for row in rows])


def _print(source: str, rows: list[Row], chance: NDArray[np.float64]) -> None:
    meant = np.array([row.meant for row in rows])
    taken = chance >= 0.5
    sure = np.array([row.scope <= Scope.EXACT for row in rows])
    told = [f"{what} {taken[chosen].mean():.2f} of {chosen.sum()}" for what, chosen in (("found", meant), ("wrong", ~meant))]
    told += [f"sure names {what} {taken[chosen & sure].mean():.2f}" for what, chosen in (("found", meant), ("wrong", ~meant))]
    print(f"{source}: {', '.join(told)}; area {roc_auc_score(meant, chance):.3f}")


class _Judge:
    """The guard, asked for its signs."""

    def __init__(self) -> None:
        self._stack = kgsan.load_ontology()
        [knowledge] = kgsan.load_knowledge(ontology=self._stack).given
        self._finder, self._guard = Finder(self._stack), SenseGuard(self._stack, knowledge)

    def rows(self, path: Path) -> Iterator[Row]:
        """The judged words of a file that the guard has to ask about."""
        for row in [row for part in yaml.safe_load_all(path.read_text("utf-8")) for row in part]:
            for entities, name, meant in _judgements(row):
                reading = Reading(Document(row["text"]), self._finder, self._guard)
                found = self._mention(reading, row["text"], entities, name)
                if found is not None:
                    verdict = reading.verdict(*found)
                    if verdict.signs:
                        key = spelling.key(row["text"][found[0].start : found[0].end]), verdict.concept
                        counts = 1.0 if "name" in row else _IN_DOCUMENTS
                        yield Row(
                            path.stem, name.partition("#")[0], meant, int(verdict.signs["scope"]), verdict.signs, key, counts
                        )

    def ordinary(self, path: Path) -> Iterator[Row]:
        """Every so many names in the texts of a treebank that the guard would have to ask about."""
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            sentences = [line.removeprefix("# text = ").strip() for line in lines if line.startswith("# text = ")]
        asked = 0
        for at in range(0, len(sentences), _SENTENCES):
            reading = Reading(Document(" ".join(sentences[at : at + _SENTENCES])), self._finder, self._guard)
            for mention in reading.longest:
                for sense in [one for one in mention.senses if one.ontology == 0 and one.name.scope > Scope.EXACT][:1]:
                    asked += 1
                    if asked % _EVERY == 0 and (signs := reading.verdict(mention, sense).signs):
                        yield Row(
                            _ORDINARY, mention.senses[0].name.text, False, int(signs["scope"]), signs, ("", ""), _IN_ORDINARY
                        )

    def _mention(self, reading: Reading, text: str, entities: list[str], name: str) -> tuple[Mention, Sense] | None:
        """The mention at a name, and its sense that the row is about."""
        words, _, number = name.partition("#")
        start = -1
        for _ in range(int(number or 1)):
            start = text.index(words, start + 1)
        end = start + len(words)
        about = frozenset[tuple[int, int]]().union(*map(self._members, entities))
        near = [
            one for one in reading.every if (one.start <= start and end <= one.end) or (start <= one.start and one.end <= end)
        ]
        for mention in sorted(near, key=lambda one: one.start - one.end):
            senses = [one for one in mention.senses if (one.ontology, one.concept.number) in about]
            for sense in senses or [one for one in mention.senses if one.ontology == 0 and not about]:
                if reading.verdict(mention, sense).ambiguous:
                    return mention, sense
        return None

    def _members(self, entity: str) -> frozenset[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for place, ontology in enumerate(self._stack):
            for concept, name in ontology.senses(entity):
                if name.scope <= Scope.EXACT and name.rank == 0:
                    found.update(
                        (place, number) for start, stop in ontology.ranges(concept.number) for number in range(start, stop)
                    )
        return frozenset(found)


def _judgements(row: dict[str, Any]) -> Iterator[tuple[list[str], str, bool]]:
    if "name" in row:
        yield row["entity"].split("; "), row["name"], bool(row["sense"])
    for key, meant in (("must_find", True), ("must_not_find", False)):
        for name in row.get(key) or []:
            yield row["protect"], str(name), meant


if __name__ == "__main__":
    main()
