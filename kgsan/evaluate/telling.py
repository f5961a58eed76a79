"""What was measured on a gold standard: the same facts as JSON and in sentences and tables, without a word of the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgsan.evaluate.specificity import PUBLISHED
from kgsan.evaluate.sweep import knee
from kgsan.evaluate.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.evaluate.agreement import Agreement
    from kgsan.evaluate.gold import Gold
    from kgsan.evaluate.scores import Counts, Scores
    from kgsan.evaluate.specificity import Specific
    from kgsan.evaluate.strategies import Tried
    from kgsan.evaluate.sweep import Measured

_LEVELS = ("span", "token", "term")
_HOW = "It is the point farthest from the line between the two ends of the curve, on its better side."


# --- facts ----------------------------------------------------------------------------------------------------------------


def about(gold: Gold) -> dict[str, Any]:
    """What was measured."""
    return {
        "gold": gold.name,
        "documents": len(gold.documents),
        "to_hide": sum(len(document.to_hide) for document in gold.documents),
        "to_keep": sum(len(document.to_keep) for document in gold.documents),
        "disputed": sum(len(document.disputed) for document in gold.documents),
    }


def counts(one: Counts) -> dict[str, Any]:
    """Precision, recall and F, and what they were made from."""
    return {
        "precision": one.precision,
        "recall": one.recall,
        "f": one.f,
        "found": one.found,
        "marked": one.marked,
        "right": one.right,
        "wrong": one.wrong,
    }


def scores(one: Scores) -> dict[str, Any]:
    """The same at each level."""
    return {level: counts(getattr(one, level)) for level in _LEVELS}


def agreement(pair: Agreement) -> dict[str, Any]:
    """How far two annotators agree."""
    return {"annotators": [pair.first, pair.second], "kappa": pair.kappa, "f": pair.f, "words": pair.words}


def run(one: Measured) -> dict[str, Any]:
    """What one strictness does."""
    return {
        "strictness": None if one.strictness is None else float(one.strictness),
        "all": scores(one.scores),
        "classes": {kind: scores(found) for kind, found in one.by_class.items()},
        "entities": {entity: scores(found) for entity, found in one.by_entity.items()},
        "kept": {kind: {"kept": stayed, "of": total} for kind, (stayed, total) in one.kept.items()},
        "utility_kept": one.mean_utility,
        "risk": one.risk,
        "truthful": {"share": one.truth.share, **{kind.name.lower(): one.truth.counts[kind] for kind in Truth}},
        "not_safe": list(one.not_safe),
    }


def suggested(runs: Sequence[Measured]) -> dict[str, Any]:
    """The strictness that gives most for what it costs, and how it was found; among the points of the curve."""
    known = [
        (one.strictness, one.risk, one.mean_utility) for one in runs if one.risk is not None and one.mean_utility is not None
    ]
    at = knee([(risk, utility) for _, risk, utility in known])
    strictness = None if at is None else known[at][0]
    return {"at": at, "strictness": None if strictness is None else float(strictness), "how": _HOW}


def strategy(tried: Tried) -> dict[str, Any]:
    """What one strategy makes of the gold."""
    return {
        "strategy": tried.strategy.name,
        "does": tried.strategy.value,
        "second_pass": scores(tried.scores),
        "both": scores(tried.hidden),
        "utility_kept": tried.mean_utility,
        "not_safe": tried.not_safe,
    }


def spec(word: str, found: Sequence[Specific]) -> dict[str, Any]:
    """SPEC on each document, on average, and as published."""
    documents = [
        {
            "document": one.name,
            "as_published": counts(one.published),
            "listed_only": counts(one.known),
            "phrases": one.phrases,
            "unknown": one.unknown,
        }
        for one in found
    ]
    printed = {name: dict(zip(("precision", "recall", "f"), figures, strict=True)) for name, figures in PUBLISHED.items()}
    means = {kind: _means([one[kind] for one in documents]) for kind in ("as_published", "listed_only")}
    return {
        "limit": word,
        "documents": documents,
        "mean": means,
        "published": printed,
        "published_mean": _means(printed.values()),
    }


def _means(rows: Any) -> dict[str, float | None]:
    listed = list(rows)
    found: dict[str, float | None] = {}
    for name in ("precision", "recall", "f"):
        known = [one[name] for one in listed if one[name] is not None]
        found[name] = sum(known) / len(known) if known else None
    return found


# --- sentences ------------------------------------------------------------------------------------------------------------


def sentences(told: dict[str, Any]) -> Iterator[str]:
    """Everything but SPEC, for people."""
    disputed = f", {told['disputed']:,} disputed and set aside" if told["disputed"] else ""
    texts = f"{told['documents']:,} document{'s' * (told['documents'] != 1)}"
    yield f"{told['gold']}: {texts}, {told['to_hide']:,} spans to hide, {told['to_keep']:,} to keep{disputed}."
    for pair in told["agreement"]:
        first, second = pair["annotators"]
        yield (
            f"{first} and {second} agree on words with a kappa of {_figure(pair['kappa'])} and an F of {_figure(pair['f'])} "
            f"({pair['words']:,} words)."
        )
    for one in told["runs"]:
        yield ""
        yield from _run(one)
    if len(told["runs"]) > 1:
        yield ""
        yield from _curve(told)
    if "strategies" in told:
        yield ""
        yield from _strategies(told["strategies"])


def _run(one: dict[str, Any]) -> Iterator[str]:
    strictness = one["strictness"]
    yield "At the policy's own strictness:" if strictness is None else f"At strictness {strictness:g}:"
    hidden = [(kind, found["span"]["found"], found["span"]["marked"]) for kind, found in one["classes"].items()]
    kept = [(kind, found["kept"], found["of"]) for kind, found in one["kept"].items()]
    if hidden:
        yield f"  hidden: {_shares(hidden)}"
    if kept:
        yield f"  kept: {_shares(kept)}"
    yield f"  utility kept, on average: {_figure(one['utility_kept'])}"
    yield f"  {_truth(one['truthful'])}"
    if one["not_safe"]:
        yield f"  {len(one['not_safe'])} of the documents could not be made safe and are left out."
    rows = [("all", one["all"]), *one["classes"].items()] if len(one["classes"]) > 1 else [("all", one["all"])]
    yield from _table("class", rows)
    if one["entities"]:
        yield from _table("entity", list(one["entities"].items()))


def _shares(rows: list[tuple[str, int, int]]) -> str:
    return ", ".join(f"{kind} {part}/{whole} = {part / whole:.2f}" for kind, part, whole in rows if whole)


def _truth(found: dict[str, Any]) -> str:
    if found["share"] is None:
        return "Nothing was replaced."
    ways = ", ".join(f"{found[kind.name.lower()]:,} {kind.value}" for kind in Truth)
    return f"true of what they replaced: {found['share']:.2f} of the replacements ({ways})"


def _table(what: str, rows: list[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    width = max(len(what), *(len(name) for name, _ in rows))
    levels = "".join(f"   {level + 's: P    R    F':>19}" for level in _LEVELS)
    yield f"  {what:<{width}}{levels}"
    for name, found in rows:
        cells = "".join(f"   {'':<2}{_prf(found[level])}" for level in _LEVELS)
        yield f"  {name:<{width}}{cells}"


def _prf(found: dict[str, Any]) -> str:
    return "".join(f"{_figure(found[name]):>6}"[-5:] for name in ("precision", "recall", "f")).rjust(17)


def _curve(told: dict[str, Any]) -> Iterator[str]:
    yield f"{'strictness':>10} {'risk':>6} {'utility':>8}   (risk: the part of what should be hidden that still shows)"
    for one in told["runs"]:
        yield f"{one['strictness']:>10g} {_figure(one['risk']):>6} {_figure(one['utility_kept']):>8}"
    strictness = told["knee"]["strictness"]
    if strictness is None:
        yield "No strictness stands out: the curve has no knee, or too few points to have one."
    else:
        yield f"Strictness {strictness:g} gives most for what it costs: the knee of the curve. {told['knee']['how']}"


def _strategies(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "The strategies of CORR; precision, recall and F of the second pass, over distinct terms that are not direct:"
    yield f"  {'':<3}{'first pass; neighbors':<37}{'P':>6}{'R':>6}{'F':>6}{'utility':>9}"
    for one in rows:
        found = one["second_pass"]["term"]
        figures = "".join(f"{_figure(found[name]):>6}" for name in ("precision", "recall", "f"))
        yield f"  {one['strategy']:<3}{one['does']:<37}{figures}{_figure(one['utility_kept']):>9}"


def spec_sentences(told: dict[str, Any]) -> Iterator[str]:
    """SPEC, for people."""
    yield f"Noun phrases that say as much as '{told['limit']}', over distinct terms, in percent."
    yield "As published, a phrase that was never counted is too specific; beside it, such phrases left out."
    width = max(len("document"), *map(len, told["published"]), *(len(one["document"]) for one in told["documents"]))
    yield f"  {'document':<{width}}{'P':>7}{'R':>7}{'F':>7}  listed only:{'P':>6}{'R':>7}{'F':>7}{'phrases':>9}{'unknown':>9}"
    for one in told["documents"]:
        figures = f"{_percents(one['as_published'])}{'':>12}{_percents(one['listed_only'])}"
        yield f"  {one['document']:<{width}}{figures}{one['phrases']:>9,}{one['unknown']:>9,}"
    yield f"  {'mean':<{width}}{_percents(told['mean']['as_published'])}{'':>12}{_percents(told['mean']['listed_only'])}"
    yield "The authors' own figures, for other texts, with hits of their time:"
    for name, found in told["published"].items():
        yield f"  {name:<{width}}{_percents(found, '.2f', 1)}"
    yield f"  {'mean':<{width}}{_percents(told['published_mean'], '.2f', 1)}"


def _percents(found: dict[str, Any], form: str = ".1f", whole: float = 100) -> str:
    return "".join(
        f"{'-' if found[name] is None else format(whole * found[name], form):>7}" for name in ("precision", "recall", "f")
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
