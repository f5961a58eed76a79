"""SPEC's worked example: the counts of its Table 1, replayed, give the printed bits and the printed sensitive terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgsan.knowledge.information import information, reaches
from kgsan.knowledge.table import CountTable
from kgsan.sanitize.published import rewritten
from kgsan.sanitize.published.spec import sanitize, too_specific

if TYPE_CHECKING:
    from kgsan.knowledge.knowledge import Term

#: phrase: count, bits to four places, bits as printed, whether it is sensitive when "cancer" is the limit
PUBLISHED = {
    "Peter Greenow": (21, 27.3124, 27.3, True),
    "Syracuse": (68_000_000, 5.6857, 5.7, True),
    "United States": (1_300_000_000, 1.4288, 1.4, False),
    "pancreatic cancer": (6_550_000, 9.0616, 9.1, True),
    "treatment": (616_000_000, 2.5064, 2.5, False),
    "Community General Hospital": (146_000, 14.5491, 14.5, True),
    "condition": (702_000_000, 2.3178, 2.3, False),
    "oncologist": (7_200_000, 8.9251, 8.9, True),
    "cancer": (536_000_000, 2.7071, 2.7, True),
}


@pytest.fixture(scope="module")
def table() -> CountTable:
    rows = [f"{phrase}\t{count}\n" for phrase, (count, *_) in PUBLISHED.items()]
    return CountTable.read("contexts\t3500000000\n" + "".join(rows))


@pytest.mark.parametrize("phrase", PUBLISHED)
def test_the_published_bits_are_reproduced(table: CountTable, phrase: str) -> None:
    _, exact, printed, _ = PUBLISHED[phrase]
    bits = information(table, phrase)
    assert bits is not None
    assert bits == pytest.approx(exact, abs=5e-5)
    assert round(bits, 1) == printed


def test_the_published_set_of_sensitive_terms_is_reproduced(table: CountTable) -> None:
    limit = information(table, "cancer")
    assert limit is not None
    assert [phrase for phrase in PUBLISHED if reaches(information(table, phrase) or 0.0, limit)] == [
        phrase for phrase, (*_, sensitive) in PUBLISHED.items() if sensitive
    ]


def test_a_phrase_that_was_never_counted_has_no_bits(table: CountTable) -> None:
    assert information(table, "an oncologist from Ystad") is None


#: What the phrases of the example are, in a taxonomy of two levels.
ABOVE = {"pancreatic cancer": ["cancer", "condition"], "oncologist": ["treatment"], "cancer": ["condition"]}


def chain(term: Term) -> list[Term]:
    return list(ABOVE.get(str(term), []))


def shorter(term: Term) -> list[Term]:
    words = str(term).split()
    return [" ".join(words[at:]) for at in range(1, len(words))]


def test_exactly_the_published_phrases_are_too_specific(table: CountTable) -> None:
    limit = information(table, "cancer")
    assert limit is not None
    for phrase, (*_, sensitive) in PUBLISHED.items():
        assert too_specific(table, phrase, limit) is sensitive


def test_a_phrase_never_seen_is_too_specific(table: CountTable) -> None:
    assert too_specific(table, "an oncologist from Ystad", 100.0)


def test_a_phrase_that_is_too_specific_gives_way_to_what_says_most_below_the_limit(table: CountTable) -> None:
    limit = information(table, "cancer")
    assert limit is not None
    made = sanitize(table, PUBLISHED, limit, chain, shorter)
    assert {phrase: replacement.by for phrase, replacement in made.items()} == {
        "Peter Greenow": None,
        "Syracuse": None,
        "pancreatic cancer": "condition",
        "Community General Hospital": None,
        "oncologist": "treatment",
        "cancer": "condition",
    }
    assert [refused.candidate for refused in made["pancreatic cancer"].refused] == ["cancer"]


def test_a_phrase_that_no_base_knows_is_shortened_then_looked_up(table: CountTable) -> None:
    made = sanitize(table, ["urgent treatment", "rare pancreatic cancer", "Ystad"], 3.0, chain, shorter)
    assert [replacement.by for replacement in made.values()] == ["treatment", "cancer", None]
    assert [refused.candidate for refused in made["rare pancreatic cancer"].refused] == ["pancreatic cancer"]


def test_what_is_left_is_never_too_specific(table: CountTable) -> None:
    made = sanitize(table, PUBLISHED, 3.0, chain, shorter)
    left = [term for term in rewritten(PUBLISHED, made) if term is not None]
    assert left
    assert not sanitize(table, left, 3.0, chain, shorter)
