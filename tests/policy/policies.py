"""Generated policies that hold, as mappings and as YAML."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

from kgsan.policy.items import KEEPS
from kgsan.text.identifiers.identifier import KINDS

LETTERS = st.characters(whitelist_categories=("L", "N", "P", "S", "Zs", "Mn"), blacklist_characters="\u00ad")
WORDS = st.text(LETTERS, min_size=1, max_size=20).map(str.strip).filter(bool)
TEXTS = st.one_of(
    WORDS, st.sampled_from(["HIV", "NO", "on", "0012", "1.50", "2021-03-04", "null and void", "a: b", "#1", "[x]", "- y", "true"])
)


def _some(fields: dict[str, st.SearchStrategy[Any]], required: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    must = {name: fields[name] for name in required}
    may = {name: shape for name, shape in fields.items() if name not in required}
    return st.fixed_dictionaries(must, optional=may)


def _terms(least: int = 1) -> st.SearchStrategy[list[str]]:
    return st.lists(TEXTS, min_size=least, max_size=3, unique_by=lambda text: " ".join(text.split()))


NUMBERS = st.one_of(st.integers(1, 9), st.sampled_from([1.5, 2.25, "3/2", "1.50", "7"]))
CONCEPTS = st.from_regex(r"\A[a-z]{1,5}:[A-Za-z0-9-]{1,8}\Z")
ENTITIES = st.one_of(
    TEXTS,
    _some(
        {
            "entity": TEXTS,
            "hide": st.sampled_from(["that", "which"]),
            "concept": st.one_of(CONCEPTS, st.lists(CONCEPTS, min_size=1, max_size=3, unique=True)),
            "because": TEXTS,
            "include": st.one_of(
                st.just("names"), st.lists(st.sampled_from(["names", "specializations", "parts"]), min_size=1, unique=True)
            ),
            "except": _terms(),
            "strictness": NUMBERS,
        },
        ("entity",),
    ),
)
KEPT = [{"kind": kind, "keep": keep} for kind, keeps in KEEPS.items() for keep in keeps]
IDENTIFIERS = st.one_of(
    st.sampled_from([*KINDS, "minor", "all"]),
    st.sampled_from(KEPT),
    st.just({"kind": "age", "above": 89, "write": "90 or older"}),
    st.builds(lambda kind, text: {"kind": kind, "write": text}, st.sampled_from(list(KINDS)), TEXTS),
)
EXAMPLES = st.one_of(
    st.fixed_dictionaries({"text": TEXTS, "must_hide": _terms()}, optional={"because": TEXTS, "known_gap": st.booleans()}),
    st.fixed_dictionaries({"text": TEXTS, "unchanged": st.just(True)}, optional={"must_keep": _terms()}),
)


def _about(item: Any) -> str:
    """What an item says something about."""
    words = item if isinstance(item, str) else next(item[name] for name in ("text", "kind", "term", "entity") if name in item)
    return " ".join(words.split())


def _unique(items: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(items, min_size=1, max_size=3, unique_by=_about)


REASONED = {"term": TEXTS, "because": TEXTS}
POLICIES = _some(
    {
        "policy": st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,10}\Z"),
        "law": TEXTS,
        "jurisdiction": TEXTS,
        "version": st.one_of(TEXTS, st.integers(0, 99)),
        "owner": TEXTS,
        "approved_by": TEXTS,
        "effective": st.dates().map(str),
        "protect": _unique(ENTITIES),
        "strictness": NUMBERS,
        "too_specific_above": st.one_of(st.integers(0, 99), st.sampled_from(["actor", "12.5", "1/3"])),
        "identifiers": st.one_of(st.sampled_from(["all", "none"]), _unique(IDENTIFIERS)),
        "context": st.sampled_from(["sentence", "paragraph", "document", "20 words", "1 word"]),
        "groups_up_to": st.integers(1, 6),
        "method": st.sampled_from(["csan", "corr", "health", "spec", "greedy", "engine"]),
        "ontologies": _terms(),
        "knowledge": _terms(),
        "negated": st.sampled_from(["hide", "keep"]),
        "when_nothing_is_safe": st.sampled_from(["redact", "stop"]),
        "unknown_names": st.sampled_from(["keep", "redact"]),
        "replacement_style": st.sampled_from(["[REDACTED]", "[{kind}]", "███", "* *", "0"]),
        "misspellings": st.sampled_from(["find", "ignore"]),
        "allow": _unique(st.fixed_dictionaries(REASONED)),
        "deny": _unique(st.fixed_dictionaries(REASONED, optional={"entity": TEXTS})),
        "examples": _unique(EXAMPLES),
    },
    ("policy", "law", "protect"),
).filter(
    lambda policy: not {_about(item) for item in policy.get("allow", ())} & {_about(item) for item in policy.get("deny", ())}
)


def as_yaml(policy: dict[str, Any]) -> str:
    return str(yaml.safe_dump(policy, allow_unicode=True, sort_keys=False))
