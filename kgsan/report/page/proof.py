"""The certificate as a page tells it: how near a text comes to each limit, against what it was checked, and what was not."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kgsan.report.page.bars import step_bar
from kgsan.report.page.markup import Markup, element, joined
from kgsan.report.sentences import law, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.policy import Policy
    from kgsan.report.certificate import Certificate

_BARS = "The green part is where the largest share lies; how far exactly is not told. The dark line is the limit."
_HIDES = {"that": "that it is there", "which": "which one it is"}


def entities(content: Certificate, policy: Policy, *, quote: bool) -> Markup:
    """Every protected entity, with `quote` in the law's words, and how near the released text comes to its limit."""
    rows = []
    for one in content["entities"]:
        because = law(one["entity"], policy) if quote else None
        name = [element("bdi", one["entity"], class_="entity")]
        name += [] if because is None else [element("span", because, class_="law")]
        limit = percent(float(1 / Fraction(one["strictness"])))
        hides = element("span", f"Hidden is {_HIDES.get(one['hide'], one['hide'])}; the limit is {limit}.", class_="because")
        bars = (
            element(
                "div", element("span", label, class_="label"), " ", step_bar(one[field], of_groups=field == "groups_of_terms")
            )
            for label, field in (("Single words", "single_terms"), ("Words together", "groups_of_terms"))
        )
        rows.append(element("li", element("div", *name, hides), *bars))
    return joined([element("p", _BARS, class_="quiet"), element("ul", *rows, class_="entities")])


def certificate(content: Certificate) -> Markup:
    """What all texts of a page share: policy, sources, limits, waivers, and what is not covered."""
    parts = [
        element("h2", "Certificate", id="certificate"),
        element("p", "Nothing in the released text discloses more than the policy allows, as far as it was checked."),
        element("h3", "What is not covered"),
        element("ul", *(element("li", one) for one in content["not_checked"])),
        element("h3", "What it was checked against"),
        element("dl", *(part for name, value in _facts(content) for part in (element("dt", name), element("dd", value)))),
    ]
    return element("section", *parts, class_="certificate", aria_labelledby="certificate")


def _facts(content: Certificate) -> Iterator[tuple[str, Markup]]:
    policy, limits, waivers = content["policy"], content["limits"], content["waivers"]
    version = "" if policy["version"] is None else f", version {policy['version']}"
    yield "Policy", joined([f"{policy['name']}{version} ", _digest(policy["digest"])])
    yield "Law", joined([policy["law"]])
    yield "Ontologies", _sources(content["ontologies"], "fingerprint")
    yield "Knowledge", _sources(content["knowledge"], "digest")
    yield "Contexts", joined([f"{limits['contexts']}; groups of up to {limits['groups_up_to']} terms; {limits['window']}"])
    if limits["identifiers"]:
        yield "Identifiers", joined([", ".join(map(_identifier, limits["identifiers"]))])
    if limits["too_specific_above"] is not None:
        yield "Too specific above", joined([limits["too_specific_above"]])
    waived = [f"{one['term']} ({one['because']})" for one in waivers["allow"]]
    waived += [f"{', '.join(one['terms'])} (exceptions of {one['entity']})" for one in waivers["exceptions"]]
    waived += [] if waivers["negated"] == "hide" else [f"what is negated: {waivers['negated']}"]
    yield "Waived", joined(["; ".join(waived) or "nothing"])
    yield "Made by", joined([f"kgsan {content['kgsan']}"])


def _identifier(one: dict[str, Any]) -> str:
    kept = "" if one["keep"] is None else f" (keeps {one['keep']})"
    return f"{one['kind']}{kept}" + ("" if one["above"] is None else f" (above {one['above']})")


def _sources(rows: list[dict[str, Any]], mark: str) -> Markup:
    told = (joined([f"{one['name']} ", "(no fingerprint)" if one[mark] is None else _digest(one[mark])]) for one in rows)
    return element("ul", *(element("li", one) for one in told)) if rows else joined(["none"])


def _digest(digest: str) -> Markup:
    return element("code", digest)
