"""Every field of a policy: what it is called, what it wants, what it means to the person who writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.policy.items import ALL, ALLOWED, DENIED, EXAMPLE, IDENTIFIER, NONE, PROTECTED, STRICTNESS
from kgsan.policy.shapes import Day, Either, Field, FreeText, Many, Number, Section, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.policy.shapes import Shape

NAME_OF_A_POLICY = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_WORDS_AROUND = r"[1-9][0-9]{0,3} words?"
_REPLACEMENT = r"(?:[^{}\r\n]|\{kind\}){1,100}"
#: Figures that look like a number but are none are not taken for a term.
_BEGINS_LIKE_A_TERM = r"[^\s\d+.,/-].*"

POLICY = Section(
    "a policy",
    (
        Field(
            "policy",
            FreeText("a name of letters, digits, `-`, `_` and `.`", NAME_OF_A_POLICY),
            "The name of the policy, as reports will call it.",
            "us-hiv-records",
            required=True,
            also_called=("name", "id", "title", "policy_name"),
        ),
        Field(
            "law",
            FreeText(),
            "The law or rule it carries out, as you would cite it.",
            '"State law on HIV-related information, hospital release form 12"',
            required=True,
            also_called=("legislation", "regulation", "statute", "rule", "legal_basis", "laws", "act", "directive"),
        ),
        Field(
            "jurisdiction",
            FreeText(),
            "Where the law holds.",
            "US-NY",
            also_called=("country", "region", "state", "territory", "court"),
        ),
        Field("version", FreeText(), "Your own version of this policy.", "1.0", also_called=("revision", "release")),
        Field(
            "owner",
            FreeText(),
            "Who answers for this policy.",
            "Privacy office",
            also_called=("author", "maintainer", "contact", "responsible", "department"),
        ),
        Field(
            "approved_by",
            FreeText(),
            "Who approved it.",
            "Compliance board",
            also_called=("approver", "approved", "approval", "signed_by", "authorised_by", "authorized_by"),
        ),
        Field(
            "effective",
            Day(),
            "The day from which it holds.",
            "2024-05-31",
            also_called=("date", "valid_from", "effective_date", "effective_from", "since", "starts"),
        ),
        Field(
            "extends",
            FreeText("the name of a policy that ships with kgsan, or a file in the same folder"),
            "Another policy that this one builds on: what is not said here is taken from there.",
            "base.yaml",
            also_called=("extend", "inherits", "inherit", "base", "parent", "based_on", "import", "imports"),
        ),
        Field(
            "protect",
            Many(PROTECTED, "entities", told_apart_by="entity"),
            "The entities that the law protects.",
            "[HIV, substance abuse]",
            also_called=("entities", "protects", "protected", "sensitive", "topics", "secrets", "protected_entities"),
        ),
        Field(
            "strictness",
            STRICTNESS,
            "How little a word may say about an entity: 1 hides only what gives it away fully, 2 what gives away half of it.",
            "1.5",
            "2",
            also_called=("threshold", "alpha", "sensitivity", "strict", "level", "severity"),
        ),
        Field(
            "too_specific_above",
            Either((Number(0, unit="bits"), FreeText("a term that is just too specific", _BEGINS_LIKE_A_TERM))),
            "Hide every phrase that says more than this, whatever it is about.",
            "18",
            also_called=("beta", "too_specific", "specificity", "max_bits", "specific_above"),
        ),
        Field(
            "identifiers",
            Either(
                (
                    Word(((ALL, "every kind, each hidden whole"), (NONE, "no kind, whatever an extended policy says"))),
                    Many(IDENTIFIER, "kinds of identifiers", told_apart_by="kind"),
                )
            ),
            "Which numbers, names, dates and addresses are hidden because they tell who somebody is.",
            "all",
            "none",
            also_called=("identifier", "phi", "pii", "hipaa", "personal_data", "patterns", "recognizers"),
        ),
        Field(
            "context",
            Either(
                (
                    Word(
                        (
                            ("sentence", "words of the same sentence"),
                            ("paragraph", "words of the same paragraph"),
                            ("document", "all words of the document"),
                        )
                    ),
                    FreeText("a number of words such as `20 words`", _WORDS_AROUND),
                )
            ),
            "Which words a reader would put together.",
            "sentence",
            "paragraph",
            also_called=("window", "contexts", "span", "scope", "unit"),
        ),
        Field(
            "groups_up_to",
            Number(1, 6, whole=True),
            "How many words are looked at together, when each of them alone says little.",
            "3",
            "3",
            also_called=("groups", "group_size", "max_group", "max_groups", "combinations"),
        ),
        Field(
            "method",
            Word(
                (
                    ("engine", "kgsan's own: all reasons to hide together"),
                    ("csan", "C-sanitized: a word or a group of words that says too much about an entity"),
                    ("corr", "a second pass over what another tool or a person has marked"),
                    ("health", "healthcare documents: sensitive terms and what goes with them"),
                    ("spec", "every phrase that is too specific, without a list of entities"),
                    ("greedy", "classifiers learned from marked documents"),
                )
            ),
            "How the decision is made: one of the published methods, or all of them together.",
            "engine",
            "engine",
            also_called=("algorithm", "mode", "strategy", "model"),
        ),
        Field(
            "ontologies",
            Many(FreeText("the name or the path of an ontology"), "ontologies"),
            "Where the meaning of words is looked up, in this order; without it, what ships with kgsan.",
            "[protected, wordnet]",
            also_called=("ontology", "vocabularies", "terminologies", "taxonomies", "dictionaries"),
        ),
        Field(
            "knowledge",
            Many(FreeText("the name or the path of a knowledge file"), "knowledge files"),
            "Where it is counted how often words go together; without it, what ships with kgsan.",
            "[my-corpus.kgk]",
            also_called=("corpus", "corpora", "counts", "statistics"),
        ),
        Field(
            "negated",
            Word((("hide", "a status that is denied is still a status"), ("keep", "what the text denies may stay"))),
            "What happens where the text says that something is not the case.",
            "hide",
            "hide",
            also_called=("negation", "negations", "negative", "negatives"),
        ),
        Field(
            "when_nothing_is_safe",
            Word((("redact", "the words are blacked out"), ("stop", "nothing is written, and you are told"))),
            "What happens to words for which no more general one is safe.",
            "redact",
            "redact",
            also_called=("fallback", "otherwise", "on_failure", "when_unsafe", "nothing_is_safe", "generalise", "generalize"),
        ),
        Field(
            "unknown_names",
            Word((("keep", "they stay"), ("redact", "they are blacked out"))),
            "What happens to names of which no ontology and no knowledge says anything.",
            "redact",
            "keep",
            also_called=("unknown", "unknown_words", "unknown_terms", "unrecognised", "unrecognized"),
        ),
        Field(
            "other_languages",
            Word(
                (
                    ("stop", "nothing is written, and you are told where they stand"),
                    ("redact", "they are blacked out"),
                    ("keep", "they stay, unread"),
                )
            ),
            "What happens to paragraphs in a language other than English, which nobody here reads.",
            "redact",
            "stop",
            also_called=("languages", "language", "foreign", "foreign_languages", "other_language", "non_english"),
        ),
        Field(
            "replacement_style",
            FreeText("a text of at most 100 signs in which only `{kind}` stands in braces", _REPLACEMENT, as_it_stands=True),
            "What is written where words are blacked out; {kind} in it becomes the kind of what was there.",
            '"[{kind}]"',
            '"[REDACTED]"',
            also_called=("replacement", "replace_with", "mask", "redaction", "placeholder", "redacted_text", "style"),
        ),
        Field(
            "misspellings",
            Word(
                (("find", "a protected name with a typing error is hidden as well"), ("ignore", "only names written correctly"))
            ),
            "Whether protected names are also found when they are spelled wrong.",
            "ignore",
            "find",
            also_called=("typos", "spelling", "misspelling", "fuzzy", "misspelled", "misspelt"),
        ),
        Field(
            "allow",
            Many(ALLOWED, "terms, each with its reason", told_apart_by="term"),
            "Terms that may stay although they would be hidden; every report lists them.",
            '[{term: blood test, because: "Every patient has one."}]',
            also_called=(
                "whitelist",
                "allowlist",
                "allowed",
                "allow_list",
                "exceptions",
                "waivers",
                "permit",
                "ignore",
            ),
        ),
        Field(
            "deny",
            Many(DENIED, "terms, each with its reason", told_apart_by="term"),
            "Terms that are always hidden.",
            '[{term: Ward 7, because: "Only infectious diseases are treated there."}]',
            also_called=("blacklist", "denylist", "blocklist", "denied", "deny_list", "always_hide", "forbid", "block"),
        ),
        Field(
            "examples",
            Many(EXAMPLE, "examples", told_apart_by="text"),
            "Texts that show what the policy must do; `kgsan test` tries them.",
            '[{text: "The clinic opens at nine.", unchanged: true}]',
            also_called=("example", "tests", "test", "samples", "cases", "test_cases"),
        ),
    ),
)

#: Of these a policy needs at least one; otherwise it would let everything through.
REASONS_TO_HIDE = ("protect", "too_specific_above", "identifiers")
#: Lists to which a policy adds, when it extends another; everything else it replaces.
JOINED = ("protect", "identifiers", "allow", "deny", "examples")


def sections(of: Section = POLICY, within: str = "") -> Iterator[tuple[str, Section]]:
    """Every section with the field it stands in: the policy itself, then the items of its lists."""
    yield within, of
    for field in of.fields:
        for section in _inside(field.shape):
            yield from sections(section, field.name)


def _inside(shape: Shape) -> Iterator[Section]:
    match shape:
        case Section():
            yield shape
        case Many(of):
            yield from _inside(of)
        case Either(shapes):
            for each in shapes:
                yield from _inside(each)
        case _:
            return
