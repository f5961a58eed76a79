"""What neighbors of hidden terms still say, in the toy world of the papers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kgsan.knowledge.knowledge import Topic
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.sanitize.correlation import _further, _known, _told, _within, correlation, replaced
from kgsan.sanitize.finishing import Hidden
from kgsan.sanitize.published import Refused, Replacement
from kgsan.sanitize.published.corr import Touched
from kgsan.sanitize.spoken import Occurrence
from tests.conftest import taxonomy
from tests.papers.toy import TOY

STACK = OntologyStack([Ontology.from_records(taxonomy({"HIV": ""}))])
BESIDE = "says too much beside what was written for another term"


@pytest.mark.parametrize(
    ("neighbor", "hidden", "limit", "told"),
    [
        # Condoms say 4 bits about HIV and 2 about drugs; about HIV beside "viral infection", whose contexts they share, 6.
        ("condom", {"HIV": "a", "drug": "z"}, 3, ("a", "says 4.0 bits about a term that was hidden as a, and 3.0 are too many")),
        ("condom", {"drug": "z", "HIV": "a"}, 4, ("a", "says 4.0 bits about a term that was hidden as a, and 4.0 are too many")),
        ("condom", {"HIV": "a", "drug": "z"}, 5, ("a", BESIDE)),
        ("condom", {"drug": "z"}, 2, ("z", "says 2.0 bits about a term that was hidden as z, and 2.0 are too many")),
        (
            "condom",
            {("HIV", "viral infection"): "a"},
            5,
            ("a", "says 6.0 bits about a term that was hidden as a, and 5.0 are too many"),
        ),
        ("zidovudine", {"fatigue": "z"}, -99, ("", BESIDE)),  # never seen together
        ("zidovudine", {"fatigue": "z", "HIV": "a"}, 7, ("a", BESIDE)),
        ("condom", {}, 0, ("", BESIDE)),
    ],
)
def test_the_hidden_term_is_told_about_which_a_neighbor_says_most(
    neighbor: str, hidden: dict[Any, str], limit: float, told: tuple[str, str]
) -> None:
    asked = [(Touched(*(term if isinstance(term, tuple) else (term,))), entity) for term, entity in hidden.items()]
    assert correlation(TOY, neighbor, asked, limit) == told
    with_limit = correlation(TOY, neighbor, asked, limit, ", as set")
    assert with_limit == (told[0], told[1] + (", as set" if told[1] != BESIDE else ""))


def test_every_occurrence_of_a_term_that_must_go_is_hidden_and_no_other() -> None:
    occurrences = [Occurrence(0, 3, "HIV"), Occurrence(5, 9, "drug"), Occurrence(11, 14, "HIV"), Occurrence(20, 29, "fatigue")]
    refused = (
        Refused("viral infection", 4.25, "HIV"),
        Refused("infection", 3.0),
        Refused("disease", 2.0, Topic("HIV", STACK, ())),
    )
    made: dict[Any, Replacement] = {"HIV": Replacement("entity", refused), "fatigue": Replacement(None)}
    found = list(replaced(occurrences, made, lambda one: (Disclosure(one.start, one.end, Rule.NAMING, "x", ""),)))
    assert [(one.start, one.end, one.by, one.is_term) for one in found] == [
        (0, 3, "entity", True),
        (11, 14, "entity", True),
        (20, 29, None, True),
    ]
    assert [one.reasons[0].start for one in found] == [0, 11, 20]
    assert found[0].refused == (
        ("viral infection", "would still say 4.2 bits about a term that was hidden"),
        ("infection", "would still say 3.0 bits"),
        ("disease", "would still say 2.0 bits about 'HIV'"),
    )
    assert found[2].refused == ()


@pytest.mark.parametrize(
    ("by", "after", "refused"),
    [(None, None, 0), ("drug", "drug", 0), ("infection", "disease", 1), ("symptom", None, 0)],
)
def test_a_replacement_of_the_first_pass_may_have_to_go_further(by: str | None, after: str | None, refused: int) -> None:
    made: dict[Any, Replacement] = {
        "infection": Replacement("disease", (Refused("infection", 3.0),)),
        "symptom": Replacement(None),
    }
    one = _further(Hidden(0, 3, (), by), made)
    assert (one.start, one.end, one.by, len(one.refused)) == (0, 3, after, refused)
    assert _told(()) == ()


def test_a_context_loses_what_was_never_counted() -> None:
    context: list[Any] = [
        "HIV",
        "unheard",
        Touched("HIV"),
        Touched("HIV", "unheard"),
        Touched("unheard"),
        Touched("unheard", "infection"),
        Touched("unheard", "unheard of"),
        "drug",
    ]
    assert _known(context, TOY) == ["HIV", Touched("HIV"), Touched("HIV", "unheard"), "infection", "drug"]


def test_a_context_holds_what_has_a_letter_in_it() -> None:
    dice = random.Random(1)
    for _ in range(150):
        spans = [(start := dice.randrange(20), start + dice.randint(1, 6)) for _ in range(dice.randrange(7))]
        items = [(start, end, f"{start}-{end}") for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))]
        cuts = sorted(dice.sample(range(26), dice.choice((2, 4))))
        contexts = [(cuts[at], cuts[at + 1]) for at in range(0, len(cuts), 2)]
        expected = [[name for start, end, name in items if start < last and first < end] for first, last in contexts]
        assert list(_within(items, contexts)) == [inside for inside in expected if inside]
