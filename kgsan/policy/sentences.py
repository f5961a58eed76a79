"""A policy read back as sentences, with what its numbers mean in chances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.text.identifiers import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from kgsan.ontology.information import Bits
    from kgsan.policy.policy import IdentifierRule, Policy
    from kgsan.policy.sensitive import SensitiveTerms

_SHARES = {1: "all", 2: "half", 3: "a third", 4: "a quarter"}
_TWO_THIRDS = "two thirds"


def chances(bits: Bits, strictness: Fraction) -> tuple[float, float]:
    """The chance that an entity is meant before a word is read, and the one from which the word is hidden.

    A share of 1/α of what an entity says is the same as the chance p(c) growing to p(c)^(1 - 1/α).

    >>> from fractions import Fraction
    >>> before, after = chances(9.97, Fraction(3, 2))
    >>> f"{before:.4f} {after:.2f}"
    '0.0010 0.10'
    """
    before = 2.0**-bits
    return before, before ** (1 - 1 / float(strictness))


def sentences(sensitive: SensitiveTerms) -> Iterator[str]:
    """What a policy says and does, one paragraph after the other."""
    policy = sensitive.policy
    where = f" ({policy.jurisdiction})" if policy.jurisdiction else ""
    yield f"{policy.name} carries out: {policy.law}{where}."
    for index in range(len(policy.protect)):
        yield " ".join(_entity(index, sensitive))
    if policy.too_specific_above is not None:
        wanted = policy.too_specific_above
        limit = f"'{wanted}' does" if isinstance(wanted, str) else f"{float(wanted):g} bits"
        yield f"Every phrase that says more than {limit} is hidden, whatever it is about."
    if policy.identifiers:
        yield " ".join(_identifiers(policy))
    yield " ".join(_settings(policy))
    for waiver in policy.allow:
        yield f"'{waiver.term}' may stay: {waiver.because}"
    for item in policy.deny:
        entity = f" because it gives away {item.entity}" if item.entity else ""
        yield f"'{item.term}' is always hidden{entity}: {item.because}"
    gaps = sum(example.known_gap for example in policy.examples)
    more = f", {gaps} of them known gaps" if gaps else ""
    yield f"{len(policy.examples)} examples show what it must do{more}."


def _entity(index: int, sensitive: SensitiveTerms) -> Iterator[str]:
    policy, resolution = sensitive.policy, sensitive.resolutions[index]
    entity = resolution.entity
    reason = f": {entity.because}" if entity.because else "."
    yield f"{entity.entity} is protected{reason}"
    if not resolution.is_known:
        yield "No ontology knows it, so nothing is covered."
        return
    own = sum(len(sensitive.stack[m.ontology].names(m.concept)) for m in resolution.meanings)
    total = sensitive.count(index)
    concepts = "1 concept" if len(resolution.meanings) == 1 else f"{len(resolution.meanings)} concepts"
    rest = max(total - own, 0)
    yield f"This covers {total:,} names: {own:,} of {concepts} for the entity itself, {rest:,} of what specializes it."
    if entity.exceptions:
        yield f"Not covered: {', '.join(entity.exceptions)}."
    strictness = entity.strictness or policy.strictness
    meaning = resolution.meanings[0]
    bits = sensitive.stack[meaning.ontology].intrinsic_information(meaning.concept)
    if entity.hide == "which":
        yield "That such a thing is spoken of may show; which one it is may not."
        return
    before, after = chances(bits, strictness)
    yield (
        f"With strictness {_plain(strictness)} a word is hidden when it reveals {_share(strictness)} of what '{entity.entity}' "
        f"says ({bits:.1f} bits by its place in the taxonomy): when it raises the chance that it is meant from "
        f"{_percent(before)} to {_percent(after)} or more."
    )


def _share(strictness: Fraction) -> str:
    if strictness.denominator == 1 and strictness.numerator in _SHARES:
        return f"{_SHARES[strictness.numerator]}{' or more' if strictness > 1 else ''}"
    share = 1 / strictness
    return f"{_TWO_THIRDS} or more" if share.numerator == 2 and share.denominator == 3 else f"{float(share):.0%} or more"


def _plain(number: Fraction) -> str:
    return f"{float(number):g}"


def _percent(chance: float) -> str:
    """A chance as people write it.

    >>> _percent(0.1), _percent(0.000521), _percent(1.0)
    ('10 %', '0.052 %', '100 %')
    """
    return f"{100 * chance:.2g} %" if chance < 0.995 else "100 %"


def _identifiers(policy: Policy) -> Iterator[str]:
    whole = [rule.kind for rule in policy.identifiers if not (rule.keep or rule.above is not None)]
    every = {*KINDS} <= {rule.kind for rule in policy.identifiers}
    if every:
        yield f"Identifiers of every kind are hidden ({len(KINDS)} kinds)."
    elif whole:
        yield f"Identifiers are hidden: {', '.join(whole)}."
    for rule in policy.identifiers:
        if rule.keep or rule.above is not None or rule.write:
            yield _rule(rule)


def _rule(rule: IdentifierRule) -> str:
    told = f"Of {rule.kind}, {rule.keep} stays." if rule.keep else f"{rule.kind.capitalize()} is hidden."
    if rule.above is not None:
        told = f"{rule.kind.capitalize()} is hidden above {rule.above}."
    return f'{told[:-1]}, written as "{rule.write}".' if rule.write else told


def _settings(policy: Policy) -> Iterator[str]:
    groups = f"up to {policy.groups_up_to} words together" if policy.groups_up_to > 1 else "each word alone"
    yield f"Words are weighed by {policy.context}, {groups}."
    yield "What the text denies is hidden as well." if policy.negated == "hide" else "What the text denies may stay."
    if policy.when_nothing_is_safe == "redact":
        yield f"Where nothing more general is safe, {policy.replacement_style} is written."
    else:
        yield "Where nothing more general is safe, nothing is written at all."
