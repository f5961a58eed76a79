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
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from training.judged import ORDINARY, Judge, Row

from kgsan.risk.remembered import FILE, LEAST, VIEWS, memory, remember
from kgsan.risk.signs import ALWAYS
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Above this chance a name in ordinary text is left out.
_SURE = 0.7
_OUT = Path(__file__).parents[1] / "kgsan" / "risk" / "signs.txt"
_HEAD = """# What the signs of a sense weigh (kgsan/risk/signs.py), learned by tools/train_senses.py: above 0 for the sense.
"""
#: How little the weights of numbers are drawn to 0, and how much less the parts of vectors may weigh, which are many.
_STRENGTH, _OF_VECTORS = 0.03, 0.3


def main() -> None:
    """Learn, measure and, if asked, write."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("rows", nargs="+", type=Path)
    arguments.add_argument("--ordinary", nargs="*", type=Path, default=[])
    arguments.add_argument("--test", nargs="*", type=Path, default=[])
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    warnings.filterwarnings("ignore")
    judge = Judge()
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
    for source in sorted({row.source for row in rows if row.source != ORDINARY}):
        _print(source, [row for row in rows if row.source == source], chance[[row.source == source for row in rows]])
    judged = np.array([row.source != ORDINARY for row in rows])
    _print("all, names not learned from", [row for row in rows if row.source != ORDINARY], chance[judged])
    by_rows = np.zeros(len(rows))
    for learned, left in KFold(10, shuffle=True, random_state=0).split(seen):
        _fit(model, seen[learned], meant[learned], [rows[i] for i in learned])
        by_rows[left] = model.predict_proba(seen[left])[:, 1]
    _print("all, places not learned from", [row for row in rows if row.source != ORDINARY], by_rows[judged])
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


if __name__ == "__main__":
    main()
