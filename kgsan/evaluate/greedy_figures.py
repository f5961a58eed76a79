"""The three figures of the experiment: what an attacker finds, how much is published, and what a budget buys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.evaluate.greedy import HEADLINE
from kgsan.sanitize.greedy.learners import SELECTION

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.evaluate.greedy import Experiment

#: Colours that people with colour blindness tell apart, and a mark for those who print in grey.
_LOOKS = {
    "selection": ("#0072b2", "o", "best of three"),
    "crf": ("#d55e00", "s", "CRF"),
    "svm": ("#009e73", "^", "SVM"),
    "ensemble": ("#cc79a7", "D", "ensemble"),
}
_RATIO = "cost of a leak / cost of a needlessly hidden word (L/C)"


def draw(measured: Experiment, folder: Path, form: str = "png") -> list[Path]:
    """Figures 3, 4 and 5 of the experiment, each in a file."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, drawn in (("found", _found), ("published", _published), ("budget", _budget)):
        figure = Figure(figsize=(8.5, 4.2), dpi=150, layout="constrained")
        axes = figure.add_subplot()
        drawn(measured, axes)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        path = folder / f"greedy-{name}.{form}"
        figure.savefig(path, metadata={"Software": None} if form == "png" else {"Date": None})
        made.append(path)
    return made


def _found(measured: Experiment, axes: Any) -> None:
    """What the attacker finds by ratio of costs; dashed, what it finds behind the usual single classifier."""
    for learner in measured.learners:
        color, mark, name = _LOOKS[learner]
        row = [measured.outcome(learner, ratio) for ratio in measured.ratios]
        axes.plot(measured.ratios, [100 * one.found_informed for one in row], color=color, marker=mark, label=name)
        single = next(one for one in measured.one_shot if one.learner == learner)
        axes.axhline(100 * single.found_informed, color=color, linestyle="--", linewidth=1)
    axes.plot([], [], color="grey", linestyle="--", label="one classifier, no second round")
    _ratios(measured, axes)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("sensitive words that the informed\nattacker marks (%)")
    axes.set_title(f"What is found ({measured.name})", fontsize=10)


def _published(measured: Experiment, axes: Any) -> None:
    """How much of the text is published by ratio of costs; dashed, when one classifier marks by cost."""
    learner = SELECTION if SELECTION in measured.learners else measured.learners[0]
    color, mark, name = _LOOKS[learner]
    row = [measured.outcome(learner, ratio) for ratio in measured.ratios]
    axes.plot(measured.ratios, [100 * one.published for one in row], color=color, marker=mark, label=f"GreedySanitize, {name}")
    for kind in dict.fromkeys(base.learner for base in measured.baselines):
        shares = [100 * base.published for base in measured.baselines if base.learner == kind]
        color, mark, name = _LOOKS[kind]
        axes.plot(measured.ratios, shares, color=color, marker=mark, linestyle="--", linewidth=1, label=f"cost-sensitive {name}")
    axes.axhline(100 - 100 * measured.sensitive / measured.tokens, color="grey", linestyle=":", label="all that is not sensitive")
    _ratios(measured, axes)
    axes.set_ylabel("published words (%)")
    axes.set_title(f"What is published ({measured.name})", fontsize=10)


def _budget(measured: Experiment, axes: Any) -> None:
    """What an informed attacker finds who looks at a share of the published words, at one ratio of costs."""
    shares = np.concatenate([np.linspace(0, 0.02, 41), np.linspace(0.02, 0.2, 37)[1:]])
    ratio = HEADLINE if HEADLINE in measured.ratios else measured.ratios[-1]
    for learner in measured.learners:
        color, _, name = _LOOKS[learner]
        one = measured.outcome(learner, ratio)
        bought = [one.bought(share) for share in shares.tolist()]
        axes.plot(100 * shares, [100 * each.surest_first for each in bought], color=color, label=f"{name}, surest first")
        axes.plot(100 * shares, [100 * each.marked_first for each in bought], color=color, linestyle="--", linewidth=1)
        axes.plot(100 * shares, [100 * each.at_random for each in bought], color=color, linestyle=":", linewidth=1)
    axes.plot([], [], color="grey", linestyle="--", label="marked first, any order")
    axes.plot([], [], color="grey", linestyle=":", label="at random")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("published words that the attacker looks at (%)")
    axes.set_ylabel("sensitive words found (%)")
    axes.set_title(f"What a budget buys at L/C = {ratio:g} ({measured.name})", fontsize=10)


def _ratios(measured: Experiment, axes: Any) -> None:
    axes.set_xscale("log")
    axes.set_xticks(measured.ratios, [f"{ratio:g}" for ratio in measured.ratios])
    axes.minorticks_off()
    axes.set_xlabel(_RATIO)
