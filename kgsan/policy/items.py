"""The fields of the items in a policy's lists: entities, identifiers, waivers, examples."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from kgsan.policy.shapes import Field, FreeText, Many, Number, Section, Truth, Word
from kgsan.text.identifiers.identifier import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

_SOURCE_AND_CODE = r"[A-Za-z][A-Za-z0-9_.-]*:\S+"

_TERM = FreeText("a term")
_LAST_FOUR = ("last-1", "last-2", "last-3", "last-4")
#: The minor whose name is hidden has the same parts as any other person's name.
MINOR = "minor"
#: The one kind that the text alone does not tell: an ontology has to know the places, all below this concept.
GEOGRAPHY = "geography"
BELOW_STATE = "places:below-state"
ALL = "all"
NONE = "none"

#: What may stay of an identifier, by its kind. A kind that is not here is hidden whole.
KEEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "name": ("initials",),
        MINOR: ("initials",),
        "zip": ("first-1", "first-2", "first-3"),
        "date": ("year",),
        "email": ("domain",),
        "url": ("domain",),
        "ip": ("network",),
        **dict.fromkeys(("fax", "phone", "ssn", "medical_record", "health_plan", "account"), _LAST_FOUR),
    }
)
#: The one kind that is a number of years and can be hidden from a limit on.
COUNTED_KIND = "age"

_KINDS = (
    (ALL, "every kind of this table except `minor`; an item about one kind says more than this"),
    *KINDS.items(),
    (MINOR, "the name of a child, whatever is done with other names"),
)
_BECAUSE = Field(
    "because",
    FreeText(),
    "The reason, as you would give it to an auditor.",
    '"Status may not be disclosed without written consent."',
    also_called=("reason", "why", "rationale", "justification", "comment", "note"),
)
_REASON = Field(_BECAUSE.name, _BECAUSE.shape, _BECAUSE.description, _BECAUSE.example, None, True, _BECAUSE.also_called)
#: Below 1 not even the entity itself would say too much.
STRICTNESS = Number(1)

PROTECTED = Section(
    "an item of `protect`",
    (
        Field(
            "entity",
            _TERM,
            "What the law protects, in the law's own words.",
            "HIV",
            required=True,
            also_called=("name", "term", "topic", "subject", "category", "label"),
        ),
        Field(
            "hide",
            Word(
                (
                    ("that", "the text must not show that the topic is touched at all"),
                    ("which", "the kind may show, but not which one it is: a city, but not which city"),
                )
            ),
            "Whether the topic itself is a secret, or only which one of its kind is meant.",
            "that",
            "that",
            also_called=("mode", "type", "what"),
        ),
        Field(
            "concept",
            Many(
                FreeText("the id of a concept, such as `protected:HIV-infection`", _SOURCE_AND_CODE), "concept ids", or_one=True
            ),
            "The id that pins the meaning when a word has several.",
            "protected:HIV-infection",
            also_called=("concepts", "id", "ids", "code", "iri", "uri", "meaning"),
        ),
        _BECAUSE,
        Field(
            "include",
            Many(
                Word(
                    (
                        ("names", "the entity by all its names"),
                        ("specializations", "everything that is a kind of it"),
                        ("parts", "everything that is a part of it"),
                    )
                ),
                "words",
                or_one=True,
            ),
            "What counts as the entity.",
            "[names, specializations]",
            "[names, specializations]",
            also_called=("includes", "expand", "scope", "cover", "covers"),
        ),
        Field(
            "except",
            Many(_TERM, "terms or concept ids"),
            "What belongs to the entity but need not be hidden.",
            "[blood donation]",
            also_called=("exceptions", "excluding", "exclude", "excludes", "unless", "but_not"),
        ),
        Field(
            "strictness",
            STRICTNESS,
            "How strictly this one entity is protected, instead of the strictness of the policy.",
            "2",
            also_called=("threshold", "alpha", "sensitivity"),
        ),
    ),
    bare="entity",
)

IDENTIFIER = Section(
    "an item of `identifiers`",
    (
        Field(
            "kind",
            Word(_KINDS),
            "The kind of identifier to hide.",
            "zip",
            required=True,
            also_called=("type", "name", "identifier", "entity"),
        ),
        Field(
            "keep",
            FreeText("the part that may stay, such as `first-3`, `last-4`, `year` or `initials`"),
            "The part that may stay; which one depends on the kind.",
            "first-3",
            also_called=("keeps", "retain", "preserve", "show", "leave"),
        ),
        Field(
            "above",
            Number(0, 150, whole=True),
            "Hide only ages above this number of years; without it, every age.",
            "89",
            also_called=("over", "older_than", "greater_than", "min", "minimum", "from"),
        ),
        Field(
            "write",
            FreeText("a text", as_it_stands=True),
            "What to write instead of what is hidden.",
            '"90 or older"',
            also_called=("replace_with", "replacement", "replace", "as", "with", "mask"),
        ),
    ),
    bare="kind",
)

ALLOWED = Section(
    "an item of `allow`",
    (
        Field(
            "term", _TERM, "The term that may stay.", "blood test", required=True, also_called=("entity", "word", "name", "text")
        ),
        _REASON,
    ),
)

DENIED = Section(
    "an item of `deny`",
    (
        Field(
            "term",
            _TERM,
            "The term that is always hidden.",
            "Ward 7",
            required=True,
            also_called=("word", "name", "text", "phrase"),
        ),
        _REASON,
        Field("entity", _TERM, "The protected entity that the term gives away.", "HIV", also_called=("reveals", "concept")),
    ),
)

EXAMPLE = Section(
    "an example",
    (
        Field(
            "text",
            FreeText("a text", as_it_stands=True),
            "A sentence or a paragraph with invented people, to try the policy on.",
            '"He takes zidovudine since the HIV test."',
            required=True,
            also_called=("sentence", "input", "document", "example", "paragraph"),
        ),
        Field(
            "must_hide",
            Many(FreeText("words of the text"), "words of the text"),
            "Words that may not be readable afterwards.",
            "[zidovudine, HIV]",
            also_called=("hide", "hides", "hidden", "redact", "must_redact", "mustHide"),
        ),
        Field(
            "must_keep",
            Many(FreeText("words of the text"), "words of the text"),
            "Words that must still be readable afterwards.",
            "[takes]",
            also_called=("keep", "keeps", "kept", "must_not_hide", "mustKeep"),
        ),
        Field(
            "unchanged",
            Truth(),
            "Whether the text must stay exactly as it is.",
            "true",
            "false",
            also_called=("same", "untouched", "unmodified", "no_change"),
        ),
        Field(
            "known_gap",
            Truth(),
            "Whether this is known not to work yet: the example is told, but does not fail.",
            "true",
            "false",
            also_called=("xfail", "expected_failure", "known_issue", "todo"),
        ),
        _BECAUSE,
    ),
    private=True,
)
