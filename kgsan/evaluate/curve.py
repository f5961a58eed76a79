"""The curve of risk against utility over several values of strictness, as a picture."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from kgsan.evaluate.problems import error

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS = ("png", "svg")
_LINE, _KNEE, _TEXT = "#2b6cb0", "#c53030", "#2d3748"


def kind_of(name: str) -> str:
    """What kind of picture a file of this name holds."""
    kind = name.rpartition(".")[2].lower()
    if kind not in _KINDS:
        raise error("E114", name, "A curve is drawn as .png or .svg.")
    return kind


def drawn(title: str, points: Sequence[tuple[str, float, float]], knee: int | None, kind: str) -> bytes:
    """The picture of points, each with its strictness, risk and utility; the knee is marked. The same input, the same bytes."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        hint = "Install it with: pip install 'kgsan[evaluate]'."
        raise error("E113", "matplotlib", "The package that draws the curve is not installed.", hint) from None
    with matplotlib.rc_context({"svg.hashsalt": "kgsan", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(6.4, 4.4), layout="constrained")
        axes = figure.add_subplot()
        risks, utilities = [100 * risk for _, risk, _ in points], [100 * utility for _, _, utility in points]
        axes.plot(risks, utilities, color=_LINE, marker="o", markersize=6, linewidth=1.6, zorder=2)
        if knee is not None:
            axes.scatter(risks[knee], utilities[knee], s=170, facecolors="none", edgecolors=_KNEE, linewidths=1.8, zorder=3)
        for at, (strictness, _, _) in enumerate(points):
            told = f"{strictness}  knee" if at == knee else strictness
            color = _KNEE if at == knee else _TEXT
            axes.annotate(told, (risks[at], utilities[at]), xytext=(9, -12), textcoords="offset points", color=color)
        axes.set_xlabel("risk: what should be hidden and still shows, %")
        axes.set_ylabel("utility kept, %")
        axes.set_title(title, loc="left", fontsize=11, color=_TEXT)
        axes.margins(0.12)
        axes.grid(alpha=0.25)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        picture = io.BytesIO()
        figure.savefig(picture, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return picture.getvalue()
