"""The public certificate of a released text: what was checked, against what, how far, and what was not.

It holds nothing that does not follow from the released text, the policy, the ontologies and the knowledge, so that anybody who
has these can make it again and compare. Of the original it says nothing: a hash of it could be guessed, and counts, offsets and
exact shares would tell the hidden words.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, Problem
from kgsan.knowledge.combined import LEAST
from kgsan.report.shape import fault, shown
from kgsan.risk.groups import STEP, WINDOW
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.wordless import wordless
from kgsan.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import ProtectedEntity
    from kgsan.sanitize.sanitizer import Sanitizer

Certificate = dict[str, Any]

FORMAT = "kgsan-certificate-1"
NOTHING, FAR, BELOW, UNCHECKED = "no evidence", "below half of the limit", "below the limit", "not checked"
_DISCLOSES = "The text discloses more than the policy allows, so no certificate holds for it."


@wordless
def certificate(sanitizer: Sanitizer, text: str) -> Certificate:
    """The certificate of a text that keeps the promise of a policy. Raises `NotSafe` for one that does not."""
    if sanitizer.verify(text):
        raise NotSafe(Problem("S101", Place(sanitizer.policy.name), "The text discloses more than the policy allows."))
    return _made(sanitizer, text, _surviving(sanitizer, text))


@wordless
def check_certificate(given: object, sanitizer: Sanitizer, text: str) -> list[str]:
    """In sentences, everything that keeps a certificate from holding for a text under a policy; nothing when it holds."""
    wrong = fault(given)
    if wrong is not None:
        return [wrong]
    assert isinstance(given, dict)
    discloses = bool(sanitizer.verify(text))
    expected = _made(sanitizer, text, {} if discloses else _surviving(sanitizer, text))
    told = list(_differences(given, expected, compare_shares=not discloses))
    return [*told, _DISCLOSES] if discloses else told


def as_bytes(content: Certificate) -> bytes:
    """The certificate, or a record, as the bytes of a file: the same for the same content."""
    return (json.dumps(content, sort_keys=True, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def digest_of(text: str) -> str:
    """The SHA-256 of a text in UTF-8, as `sha256sum` gives it for the file."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def own_version() -> str:
    """The version of kgsan that is at work."""
    try:
        return version("kgsan")
    except PackageNotFoundError:
        return "(not installed)"


# --- what it says ---------------------------------------------------------------------------------------------------------


def _made(sanitizer: Sanitizer, text: str, surviving: dict[str, str]) -> Certificate:
    policy, knowledge = sanitizer.policy, sanitizer.knowledge
    search = sanitizer.detector.search
    guarded = {one.entity.entity for one in sanitizer.detector.inference.guarded}
    return {
        "format": FORMAT,
        "kgsan": own_version(),
        "text": {"sha256": digest_of(text)},
        "policy": {"name": policy.name, "law": policy.law, "version": policy.version, "digest": policy.digest},
        "ontologies": [{"name": one.name, "fingerprint": one.fingerprint} for one in knowledge.stack],
        "knowledge": [{"name": one.name, "digest": getattr(one, "digest", None)} for one in knowledge.given],
        "entities": [
            {
                "entity": one.entity,
                "hide": one.hide,
                "strictness": _plain(one.strictness or policy.strictness),
                "single_terms": surviving.get(one.entity, UNCHECKED),
                "groups_of_terms": BELOW if one.entity in guarded and _are_groups_checked(sanitizer) else UNCHECKED,
            }
            for one in policy.protect
        ],
        "limits": {
            "contexts": policy.context,
            "groups_up_to": search.up_to,
            "least_contexts_of_a_term": LEAST,
            "least_contexts_of_a_group": search.least_support,
            "window": f"{WINDOW} terms, a new window at every {STEP}",
            "too_specific_above": _plain(policy.too_specific_above),
            "identifiers": [{"kind": one.kind, "keep": one.keep, "above": one.above} for one in policy.identifiers],
        },
        "waivers": {
            "allow": [{"term": one.term, "because": one.because} for one in policy.allow],
            "negated": policy.negated,
            "exceptions": [{"entity": one.entity, "terms": list(one.exceptions)} for one in policy.protect if one.exceptions],
        },
        "not_checked": list(_not_checked(sanitizer)),
    }


def _surviving(sanitizer: Sanitizer, text: str) -> dict[str, str]:
    """For each entity that may be given away, how near the nearest term comes to its limit, in coarse steps."""
    detector = sanitizer.detector
    found = detector.find(Document(text))
    told = {}
    for number, guarded in enumerate(detector.inference.guarded):
        shares = [detector.inference.share(found.reading, term, number) for term in found.terms]
        most = max((share.low for share in shares if share is not None), default=None)
        step = NOTHING if most is None or most <= 0 else FAR if most < guarded.limit / 2 else BELOW
        told[guarded.entity.entity] = step
    return told


def _not_checked(sanitizer: Sanitizer) -> Iterator[str]:
    policy, search = sanitizer.policy, sanitizer.detector.search
    guarded = {one.entity.entity for one in sanitizer.detector.inference.guarded}
    yield (
        "A reader who can tell what was replaced learns more from a replacement than it says. The promise is about what the "
        "words say, not about the fact that something was hidden."
    )
    if _are_groups_checked(sanitizer):
        yield (
            f"Groups of more than {search.up_to} terms, and groups that were seen with an entity in fewer than "
            f"{search.least_support} contexts, are not weighed."
        )
        yield (
            f"Terms are not weighed together when they do not stand in one context ({policy.context}), or not within {WINDOW} "
            "terms of each other."
        )
    else:
        yield "Groups of terms are not weighed together."
    yield "Two releases of one document under different settings can be compared; each was checked alone."
    yield "Style, layout, file names and metadata were not looked at, nor were words of a language other than English understood."
    yield "A reader may know something that this knowledge does not."
    for entity in policy.protect:
        yield from _less_than_all(entity, guarded)
    if not sanitizer.knowledge.given:
        yield "No texts were counted: what goes together is known only as far as the ontologies state it."
    if any(getattr(one, "digest", None) is None for one in sanitizer.knowledge.given):
        yield "A source of knowledge has no fingerprint: its answers may change without notice."


def _are_groups_checked(sanitizer: Sanitizer) -> bool:
    return sanitizer.detector.search.up_to > 1 and bool(sanitizer.knowledge.given)


def _less_than_all(entity: ProtectedEntity, guarded: set[str]) -> Iterator[str]:
    if entity.hide == "which":
        yield f"Which '{entity.entity}' was meant: its names were checked, what hints at one of them needs the original."
    elif entity.entity not in guarded:
        yield f"What gives '{entity.entity}' away without naming it: too little is known about it, or it says too little."


def _plain(number: Fraction | str | None) -> str | None:
    """A number as a person writes it, exactly.

    >>> _plain(Fraction(3, 2)), _plain(Fraction(4, 3)), _plain("actor"), _plain(None)
    ('1.5', '4/3', 'actor', None)
    """
    if not isinstance(number, Fraction):
        return number
    told = f"{float(number):g}"
    return told if Fraction(told) == number else str(number)


# --- what differs ---------------------------------------------------------------------------------------------------------


def _differences(given: Certificate, expected: Certificate, *, compare_shares: bool) -> Iterator[str]:
    if given["kgsan"] != expected["kgsan"]:
        yield f"It was made by kgsan {shown(given['kgsan'])}; this is kgsan {expected['kgsan']}."
    if given["text"] != expected["text"]:
        yield "It was made for another text, or the text has been changed since."
    same_policy = given["policy"]["digest"] == expected["policy"]["digest"]
    if given["policy"]["name"] != expected["policy"]["name"]:
        yield f"It was made under the policy '{shown(given['policy']['name'])}'; this is '{expected['policy']['name']}'."
    elif not same_policy:
        yield f"The policy '{expected['policy']['name']}' is not the one under which it was made."
        yield from _strictness(given, expected)
    yield from _sources("ontology", "ontologies", "fingerprint", given, expected)
    yield from _sources("knowledge", "knowledge", "digest", given, expected)
    if not same_policy:
        return
    for part, what in (
        ("policy", "the policy"),
        ("limits", "the limits"),
        ("waivers", "the waivers"),
        ("not_checked", "what was not checked"),
    ):
        if given[part] != expected[part]:
            yield f"What it says about {what} does not follow from the policy and the sources: it has been altered, or is stale."
    if compare_shares and given["entities"] != expected["entities"]:
        yield "What it says about the entities does not follow from the text: it has been altered, or is stale."


def _strictness(given: Certificate, expected: Certificate) -> Iterator[str]:
    now = {one["entity"]: one["strictness"] for one in expected["entities"]}
    for one in given["entities"]:
        if now.get(one["entity"], one["strictness"]) != one["strictness"]:
            was = shown(one["strictness"])
            yield f"It was made with strictness {was} for '{shown(one['entity'])}'; here it is {now[one['entity']]}."


def _sources(one: str, many: str, mark: str, given: Certificate, expected: Certificate) -> Iterator[str]:
    before, now = given[many], expected[many]
    if [source["name"] for source in before] != [source["name"] for source in now]:
        names = [", ".join(shown(source["name"]) for source in sources) or "none" for sources in (before, now)]
        yield f"It was made with the {many} {names[0]}; here they are {names[1]}."
        return
    for old, new in zip(before, now, strict=True):
        if old[mark] != new[mark]:
            yield f"The {one} '{new['name']}' has changed since: the certificate is stale."
