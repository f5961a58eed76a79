"""SPEC's worked example: the counts of its Table 1, replayed, give the printed bits and the printed sensitive terms."""

from __future__ import annotations

import pytest

from kgsan.knowledge.information import information, reaches
from kgsan.knowledge.table import CountTable

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
