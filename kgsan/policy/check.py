"""Whether a policy makes sense: every word of it known, with one meaning, said once, and strong enough to be kept.

Problems that stop come first in number (P2xx below 50); those from P250 on are told, and the policy holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.errors import Problem
from kgsan.ontology import names
from kgsan.policy.guess import shown
from kgsan.policy.items import BELOW_STATE, GEOGRAPHY
from kgsan.policy.meaning import meanings_of
from kgsan.text.identifiers.identifier import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.meaning import Meaning, Resolution
    from kgsan.policy.policy import Policy
    from kgsan.policy.sensitive import SensitiveTerms

#: More names than anyone meant to protect with one word.
VERY_MANY = 40_000
#: With fewer bits than this, nearly every word of a text says "too much" of the entity.
TOO_LITTLE = 2.0
_SHOWN = 4


def check(sensitive: SensitiveTerms) -> list[Problem]:
    """Everything that is odd in what a policy means, in the order of its lines."""
    policy, stack = sensitive.policy, sensitive.stack
    problems: list[Problem] = []
    for index, resolution in enumerate(sensitive.resolutions):
        problems += _known(resolution, stack)
        if resolution.is_known:
            problems += _size(index, sensitive)
            problems += _exceptions(index, sensitive)
            problems += _limit(resolution, policy, stack)
    problems += _covered(sensitive)
    problems += _places(policy, stack)
    problems += _terms(policy, sensitive)
    problems += _examples(policy)
    return sorted(problems, key=lambda p: (p.place.file, p.place.line or 0, p.place.column or 0, p.code))


def stops(problem: Problem) -> bool:
    """Whether a problem keeps a policy from being used."""
    return int(problem.code[1:]) % 100 < 50 or problem.code[:2] not in ("P2", "P3")


# --- entities --------------------------------------------------------------------------------------------------------------


def _known(resolution: Resolution, stack: OntologyStack) -> Iterator[Problem]:
    entity = resolution.entity
    for identifier in resolution.unknown_ids:
        message = f"No ontology has a concept with the id '{shown(identifier)}'."
        yield Problem("P202", entity.place, message, "`kgsan ontology find NAME` tells the ids of a name.")
    if entity.concepts:
        return
    if resolution.doubtful:
        message = f"'{shown(entity.entity)}' is a word that may mean one thing or another."
        meanings = (*resolution.doubtful, *resolution.meanings, *resolution.rivals)
        yield Problem("P203", entity.place, message, _pin(tuple(dict.fromkeys(meanings)), stack))
    elif not resolution.is_known:
        near = stack.suggest(entity.entity)
        hint = f"Did you mean {' or '.join(repr(text) for text in near[:3])}?" if near else None
        yield Problem("P201", entity.place, f"No ontology knows '{shown(entity.entity)}'.", hint)
    elif resolution.rivals:
        message = f"'{shown(entity.entity)}' has {len(resolution.rivals) + 1} meanings."
        first = tuple(m for m in resolution.meanings if m.ontology == resolution.rivals[0].ontology)
        yield Problem("P209", entity.place, message, _pin((*first, *resolution.rivals), stack))


def _pin(meanings: tuple[Meaning, ...], stack: OntologyStack) -> str:
    """How to say which meaning is meant, each with what it is a kind of."""
    told = []
    for meaning in meanings[:_SHOWN]:
        parents = [parent.name for parent in stack[meaning.ontology].parents(meaning.concept)[:2]]
        kind = f", a kind of {' and '.join(parents)}" if parents else ""
        told.append(f"`concept: {meaning.concept.id}` ({meaning.concept.name}{kind})")
    more = f", or one of {len(meanings) - _SHOWN} more" if len(meanings) > _SHOWN else ""
    return f"Pin it: {', '.join(told)}{more}."


def _size(index: int, sensitive: SensitiveTerms) -> Iterator[Problem]:
    """Whether an entity covers nothing but itself, or very much."""
    resolution = sensitive.resolutions[index]
    entity = resolution.entity
    count = sensitive.count(index)
    if count <= 1:
        message = f"'{shown(entity.entity)}' covers {'one name' if count else 'no name at all'} and nothing more special."
        yield Problem("P253", entity.place, message, "Is there a more usual word for it, or another ontology that knows more?")
    elif count > VERY_MANY and entity.hide == "that" and not entity.concepts:
        message = f"'{shown(entity.entity)}' covers {count:,} names."
        yield Problem(
            "P254",
            entity.place,
            message,
            "If you mean less, name what you mean, or use `except`; if you mean it all, pin it with `concept`.",
        )


def _exceptions(index: int, sensitive: SensitiveTerms) -> Iterator[Problem]:
    """Exceptions that except nothing."""
    resolution = sensitive.resolutions[index]
    for term in resolution.entity.exceptions:
        found = meanings_of(term, sensitive.stack)
        if not found:
            near = sensitive.stack.suggest(term)
            hint = f"Did you mean {' or '.join(repr(text) for text in near[:3])}?" if near else None
            yield Problem("P205", resolution.entity.place, f"No ontology knows the exception '{shown(term)}'.", hint)
        elif not any(sensitive.was_inside(resolution, meaning) for meaning in found):
            message = f"The exception '{shown(term)}' is nothing that '{shown(resolution.entity.entity)}' covers."
            yield Problem("P206", resolution.entity.place, message, "Leave it out, or check the spelling.")


def _limit(resolution: Resolution, policy: Policy, stack: OntologyStack) -> Iterator[Problem]:
    """Whether an entity is so common that its limit means nothing, or so alone that nothing is more general."""
    entity = resolution.entity
    if entity.hide == "which":
        return
    strictness = float(entity.strictness or policy.strictness)
    meaning = resolution.meanings[0]
    ontology = stack[meaning.ontology]
    bits = ontology.intrinsic_information(meaning.concept)
    limit = bits / strictness
    if limit < TOO_LITTLE:
        message = (
            f"'{shown(entity.entity)}' is so general that {limit:.1f} bits already reach the limit: nearly every word would."
        )
        yield Problem(
            "P255", entity.place, message, "Use `hide: which` if only the instance is secret, or name something more special."
        )
    elif not any(stack[m.ontology].parents(m.concept) for m in resolution.meanings):
        message = f"No ontology has anything more general than '{shown(entity.entity)}'."
        yield Problem("P256", entity.place, message, "It can only be blacked out, never said more generally.")
    elif policy.when_nothing_is_safe == "stop" and not any(_has_safe(m, strictness, stack) for m in resolution.meanings):
        message = f"With strictness {strictness:g} nothing more general than '{shown(entity.entity)}' says little enough."
        hint = "Every text that names it would be stopped: lower the strictness, or use `when_nothing_is_safe: redact`."
        yield Problem("P257", entity.place, message, hint)


def _has_safe(meaning: Meaning, strictness: float, stack: OntologyStack) -> bool:
    """Whether something that generalizes a concept says less than its limit, judged by the taxonomy."""
    ontology = stack[meaning.ontology]
    limit = ontology.intrinsic_information(meaning.concept) / strictness
    return any(ontology.intrinsic_information(g) < limit - 1e-9 for g in ontology.generalizations(meaning.concept))


def _covered(sensitive: SensitiveTerms) -> Iterator[Problem]:
    """Entities that another line covers already (a text safe for an entity is safe for what specializes it)."""
    for index, resolution in enumerate(sensitive.resolutions):
        if not resolution.is_known:
            continue
        for other, wider in enumerate(sensitive.resolutions):
            same = resolution.meanings == wider.meanings and other > index
            if other == index or same or not wider.is_known or wider.entity.hide != resolution.entity.hide:
                continue
            if resolution.entity.because and resolution.entity.because != wider.entity.because:
                continue  # the law names both, and the line says so
            if sensitive.covers(other, index) and _as_strict(wider, resolution, sensitive.policy):
                message = f"'{shown(resolution.entity.entity)}' is already covered by '{shown(wider.entity.entity)}'."
                hint = f"See line {wider.entity.place.line}." if wider.entity.place.line else None
                yield Problem("P252", resolution.entity.place, message, hint)
                break


def _as_strict(wider: Resolution, narrower: Resolution, policy: Policy) -> bool:
    return (wider.entity.strictness or policy.strictness) >= (narrower.entity.strictness or policy.strictness)


def _places(policy: Policy, stack: OntologyStack) -> Iterator[Problem]:
    """Whether places are to be hidden that no ontology knows."""
    rules = {rule.kind: rule for rule in policy.identifiers}
    if GEOGRAPHY not in rules or any(BELOW_STATE in ontology for ontology in stack):
        return
    hint = "Add `places` to `ontologies`."
    if {*KINDS} <= rules.keys():
        message = "Of `all` only facilities and postcodes of `geography` are hidden: no ontology knows places below a state."
        yield Problem("P258", rules[GEOGRAPHY].place, message, hint)
    else:
        yield Problem("P210", rules[GEOGRAPHY].place, "No ontology knows places below a state, as `geography` needs.", hint)


# --- lists and examples ------------------------------------------------------------------------------------------------------


def _terms(policy: Policy, sensitive: SensitiveTerms) -> Iterator[Problem]:
    wanted = policy.too_specific_above
    if isinstance(wanted, str) and not meanings_of(wanted, sensitive.stack):
        near = sensitive.stack.suggest(wanted)
        hint = f"Did you mean {' or '.join(repr(text) for text in near[:3])}?" if near else "Give a number of bits instead."
        yield Problem("P204", policy.place, f"No ontology knows the term '{shown(wanted)}' of `too_specific_above`.", hint)
    own = {names.key(text): r.entity for r in sensitive.resolutions for text in (r.entity.entity, *_own_names(r, sensitive))}
    for waiver in policy.allow:
        entity = own.get(names.key(waiver.term))
        if entity is not None:
            message = f"'{shown(waiver.term)}' is allowed, and is a name of '{shown(entity.entity)}', which is protected."
            yield Problem("P207", waiver.place, message, "Take one of the two out.")
    entities = {names.key(entity.entity) for entity in policy.protect}
    for item in policy.deny:
        if item.entity is not None and names.key(item.entity) not in entities:
            message = f"'{shown(item.entity)}' is not protected by this policy."
            yield Problem("P208", item.place, message, "Name an entity of `protect`, or leave `entity` out.")


def _own_names(resolution: Resolution, sensitive: SensitiveTerms) -> Iterator[str]:
    for meaning in resolution.meanings[:1]:
        yield from (meaning.concept.name, *meaning.concept.synonyms)


def _examples(policy: Policy) -> Iterator[Problem]:
    if not policy.examples:
        yield Problem(
            "P351", policy.place, "The policy has no examples.", "`examples:` shows that it does what you mean; see `kgsan test`."
        )
    for example in policy.examples:
        for field, words in (("must_hide", example.must_hide), ("must_keep", example.must_keep)):
            for word in words:
                if word not in example.text:
                    yield Problem("P301", example.place, f"`{field}` names '{shown(word)}', and the text does not hold it.")
