"""Why a part of a text was changed, told in sentences.

They hold none of the words that were hidden unless the text is given. Their figures are exact, and an exact figure tells
the word to whoever has the same knowledge: such sentences belong beside the original, never beside the released text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.risk.disclosures import Rule
from kgsan.risk.inference import MORE_GENERAL
from kgsan.sanitize.result import Action
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.knowledge.information import Share
    from kgsan.policy.policy import Policy
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.ladder import Refused
    from kgsan.sanitize.result import Decision

_DONE = {
    Action.GENERALIZED: "generalized",
    Action.SHORTENED: "shortened from the left",
    Action.REDACTED: "blacked out",
    Action.WRITTEN: "written as the policy says",
}
#: So many refused rungs are named for each reason; the others are counted.
_NAMED = 3


@wordless
def explain(decision: Decision, policy: Policy | None = None, text: str | None = None) -> str:
    """What was done to a part of a text and why. With the policy, the law's reason; with the original text, its words."""
    return " ".join(_sentences(decision, policy, text))


def reason(disclosure: Disclosure, *, words: bool = False) -> str:
    """One reason, as sentences about "it"; `words` lets them name what stands there."""
    match disclosure.rule:
        case Rule.NAMING if words and disclosure.sense is not None:
            return f"It names {disclosure.sense.concept.name}, which is protected as '{disclosure.entity}'."
        case Rule.NAMING:
            return f"It names what is protected as '{disclosure.entity}'."
        case Rule.IDENTIFIER:
            return f"It helps to tell who somebody is: {_ended(disclosure.because)}"
        case Rule.DENY:
            entity = f", since it gives '{disclosure.entity}' away" if disclosure.entity else ""
            return f"The policy always hides it{entity}: {_ended(disclosure.because)}"
        case Rule.SPANS:
            return f"Another tool or a person marked it{f' as {disclosure.entity}' if disclosure.entity else ''}."
    if disclosure.share is None or disclosure.limit is None:
        return f"It {_ended(disclosure.because)}"
    others = len(disclosure.members) - 1
    together = "" if others < 1 else f"together with {others} other term{'s' * (others > 1)} "
    return " ".join(_revealed(disclosure.share, disclosure.limit, disclosure.entity, together))


def law(entity: str, policy: Policy | None) -> str | None:
    """Why the policy protects an entity."""
    if policy is None:
        return None
    return next((one.because for one in policy.protect if one.entity == entity and one.because), None)


def percent(chance: float) -> str:
    """A chance or share as people write it.

    >>> percent(0.1), percent(0.000521), percent(0.994), percent(1.0)
    ('10 %', '0.052 %', '99 %', '100 %')
    """
    return f"{100 * chance:.2g} %" if chance < 0.995 else f"{100 * chance:.0f} %"


def printable(sentence: str) -> str:
    """A sentence for a terminal: on one line, and without signs that would move the cursor or turn the reading direction.

    >>> printable("a\\tb\x1b[2Jc")
    'a b?[2Jc'
    """
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in sentence)


def _sentences(decision: Decision, policy: Policy | None, text: str | None) -> Iterator[str]:
    what = "This part" if text is None else f"'{text[decision.start : decision.end]}'"
    is_said = decision.replacement is not None and (text is not None or decision.action is not Action.SHORTENED)
    to = f" to '{decision.replacement}'" if is_said else ""
    yield f"{what} was {_DONE[decision.action]}{to} (rule: {_rules(decision)})."
    told: list[str] = []
    for disclosure in decision.disclosures:
        because = reason(disclosure, words=text is not None)
        if because not in told:
            told.append(because)
            yield because
    for entity in dict.fromkeys(disclosure.entity for disclosure in decision.disclosures):
        if (because_of_law := law(entity, policy)) is not None:
            yield f"The policy protects '{entity}' because of this: {_ended(because_of_law)}"
    if decision.refused:
        yield _refused(decision.refused, text is not None)


def _rules(decision: Decision) -> str:
    return ", ".join(dict.fromkeys(disclosure.rule.value for disclosure in decision.disclosures)) or "none"


def _revealed(share: Share, limit: float, entity: str, together: str) -> Iterator[str]:
    yield (
        f"It reveals {together}{share.bits:.1f} of the {share.entity_information:.1f} bits that '{entity}' says, "
        f"a share of {percent(share.revealed)} where the limit is {percent(limit)}: the chance of a right guess rises from "
        f"{percent(share.chance_before)} to {percent(share.chance)}."
    )
    if share.stated and share.source.endswith(MORE_GENERAL):
        yield "It is more general than the entity, and what it says itself is said of the entity too."
        return
    if share.stated:
        things = "the one thing" if share.contexts_of_terms == 1 else f"{share.support:,} of {share.contexts_of_terms:,} things"
        belong = "belongs" if share.support == 1 else "belong"
        yield f"This is stated by {share.source}; {things} that it is so related to {belong} to the entity."
        return
    part = "" if share.counted_as is None else ", counted by its last words"
    yield (
        f"This was counted in {share.source}: {share.support:,} of the {share.contexts_of_terms:,} contexts that hold it{part} "
        f"hold the entity too, so that at least {percent(share.low)} is revealed with 95 % confidence."
    )


def _refused(refused: Sequence[Refused], words: bool) -> str:
    """The rungs that were not taken, by reason, in one clause."""
    by_reason: dict[str, list[str]] = {}
    for one in refused:
        # A rung without a concept is a part of the phrase itself: words of the text.
        name = f"'{one.rung.name}'" if words or one.rung.concept is not None else "a shorter form"
        by_reason.setdefault(one.because, []).append(name)
    told = []
    for because, names in by_reason.items():
        more = len(names) - _NAMED
        others = f" and {more} more" if more > 0 else ""
        told.append(f"{', '.join(names[:_NAMED])}{others}, since {'it' if len(names) == 1 else 'each'} {because}")
    return f"Refused before that: {'; '.join(told)}."


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
