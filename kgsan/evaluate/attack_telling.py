"""What attackers made of released texts: the same facts as JSON and in sentences.

Without `reveal` nothing is told that could not be worked out from the released text and the policy: of what needs the original
only how large it is, in coarse steps, and no guess and no word of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgsan.evaluate.fill_in import TRIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kgsan.evaluate.aware import Tells
    from kgsan.evaluate.fill_in import FilledIn
    from kgsan.evaluate.inference_attack import Guess
    from kgsan.evaluate.linkage import Linked

_RELEASED = "released"
_SOURCES = {"original": "the original", "redacted": "the original with everything blacked out"}
#: So many words are told of those that would tell too much.
_TOLD = 10


# --- facts ----------------------------------------------------------------------------------------------------------------


def text(
    name: str, guesses: Mapping[str, Sequence[Guess]], filled: Sequence[FilledIn] | None, tells: Sequence[Tells], *, reveal: bool
) -> dict[str, Any]:
    """What three of the attackers made of one text."""
    return {
        "name": name,
        "inference": [
            {"entity": guess.entity, **{version: _guess(found[at], version, reveal) for version, found in guesses.items()}}
            for at, guess in enumerate(guesses[_RELEASED])
        ],
        "fill_in": None if filled is None else _filled(filled, reveal),
        "aware": [
            {
                "word": one.word,
                "entity": one.entity,
                "places": one.places,
                "terms": one.terms,
                "share": one.share,
                "alone": one.alone,
                "limit": one.limit,
                "reaches": one.reaches,
            }
            for one in tells
        ],
    }


def _guess(guess: Guess, version: str, reveal: bool) -> dict[str, Any]:
    if guess.rank is None or guess.chance is None:
        return {"rank": None, "among": guess.among, "chance": None, "before": None}
    if version != _RELEASED and not reveal:
        return {"rank": coarse_rank(guess.rank), "among": guess.among, "chance": coarse_share(guess.chance)}
    return {"rank": guess.rank, "among": guess.among, "chance": guess.chance, "before": guess.before}


def _filled(found: Sequence[FilledIn], reveal: bool) -> dict[str, Any]:
    first = sum(one.rank == 1 for one in found)
    good = sum(one.rank is not None and one.rank <= TRIES for one in found)
    if not reveal:
        rates = [coarse_share(hits / len(found)) if found else None for hits in (first, good)]
        return {"first": rates[0], "among_ten": rates[1]}
    return {
        "first": first / len(found) if found else None,
        "among_ten": good / len(found) if found else None,
        "places": [
            {"start": one.start, "end": one.end, "stood": one.stood, "guesses": one.guesses, "rank": one.rank} for one in found
        ],
    }


def linkage(found: Sequence[Linked], texts: int) -> dict[str, Any]:
    """What the fourth attacker made of all texts."""
    rows = [
        {"version": one.version, "background": one.background, "found": one.found, "texts": one.texts, "share": one.share}
        for one in found
    ]
    return {"texts": texts, "with_source": max((one.texts for one in found), default=0), "runs": rows}


def coarse_rank(rank: int) -> str:
    """A rank in steps.

    >>> [coarse_rank(rank) for rank in (1, 7, 70, 700)]
    ['first', 'among the first 10', 'among the first 100', 'beyond the first 100']
    """
    if rank == 1:
        return "first"
    limit = next((limit for limit in (10, 100) if rank <= limit), None)
    return "beyond the first 100" if limit is None else f"among the first {limit}"


def coarse_share(share: float) -> str:
    """A share or chance in steps.

    >>> [coarse_share(share) for share in (0, 0.004, 0.05, 0.3, 0.9)]
    ['none', 'under 1 %', '1 to 10 %', '10 to 50 %', 'over 50 %']
    """
    steps = ((0.0, "none"), (0.01, "under 1 %"), (0.1, "1 to 10 %"), (0.5, "10 to 50 %"))
    return next((told for limit, told in steps if share <= limit), "over 50 %")


# --- sentences ------------------------------------------------------------------------------------------------------------


def sentences(told: dict[str, Any]) -> Iterator[str]:
    """All of it, for people."""
    for one in told["texts"]:
        yield f"{one['name']}:"
        for guess in one["inference"]:
            yield from _inferred(guess, told["ontology"])
        if one["fill_in"] is not None:
            yield from _filled_in(one["fill_in"])
        yield from _known(one["aware"])
    if "linkage" in told:
        yield from _linked(told["linkage"])


def _inferred(guess: dict[str, Any], ontology: str) -> Iterator[str]:
    entity, released = guess["entity"], guess[_RELEASED]
    if released["rank"] is None:
        yield f"  Guessing: no source of knowledge has ever counted '{entity}', so nothing is known of how it would be guessed."
        return
    yield (
        f"  Guessing: whoever reads the released text and ranks {released['among']:,} concepts of {ontology} finds '{entity}' at "
        f"place {released['rank']:,}, with a chance of {_percent(released['chance'])} ({_percent(released['before'])} without "
        "reading anything)."
    )
    for version, called in _SOURCES.items():
        if version in guess:
            rank, chance = guess[version]["rank"], guess[version]["chance"]
            place = f"place {rank:,}" if isinstance(rank, int) else rank
            with_chance = f"a chance of {_percent(chance)}" if isinstance(chance, float) else f"a chance of {chance}"
            yield f"    From {called}: {place}, with {with_chance}."


def _filled_in(found: dict[str, Any]) -> Iterator[str]:
    if found["first"] is None:
        yield "  Filling in: the text is its original; nothing was replaced."
        return
    first, good = (one if isinstance(one, str) else _percent(one) for one in (found["first"], found["among_ten"]))
    yield f"  Filling in: of what was replaced, the first guess is right for {first}, one of the first {TRIES} for {good}."
    for place in found.get("places", ()):
        stood = ", ".join(f"'{name}'" for name in place["stood"])
        guesses = ", ".join(f"'{name}'" for name in place["guesses"][:3]) or "nothing"
        rank = "is not among the guesses" if place["rank"] is None else f"is guess {place['rank']:,}"
        yield f"    at {place['start']}: {stood} {rank}; guessed first: {guesses}."


def _known(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    telling = [one for one in rows if one["reaches"]]
    for one in telling[:_TOLD]:
        alone = "" if one["alone"] is None else f" ({_percent(max(one['alone'], 0))} by itself)"
        yield (
            f"  Knowing the policy: to a reader who takes '{one['word']}' for a replacement it tells {_percent(one['share'])} of "
            f"what '{one['entity']}' says{alone}; the limit of {_percent(one['limit'])} is met."
        )
    if len(telling) > _TOLD:
        yield f"  Knowing the policy: {len(telling) - _TOLD} more words tell as much."
    others = len(rows) - len(telling)
    if others:
        worst = max(one["share"] for one in rows if not one["reaches"])
        yield (
            f"  Knowing the policy: {others} other word{'s' * (others > 1)} may be a replacement and stay below the limit, the "
            f"most telling with {_percent(worst)}."
        )
    if not rows:
        yield "  Knowing the policy: no word of the text is one that the policy would write for what discloses."


def _linked(found: dict[str, Any]) -> Iterator[str]:
    if not found["runs"]:
        yield "Linking: no text has a document of the same name in the background, so there is nothing to find."
        return
    if found["with_source"] < found["texts"]:
        yield f"Linking: {found['texts'] - found['with_source']} of the texts have no source in the background and are left out."
    for one in found["runs"]:
        called = _SOURCES.get(one["version"], "the released text")
        yield (
            f"Linking: from {called}, {one['found']:,} of {one['texts']:,} sources are found among {one['background']:,} "
            f"documents ({_percent(one['share'])}; by chance {_percent(1 / one['background'])})."
        )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"
