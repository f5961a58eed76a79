"""Whether a replacement is true of what it replaced, on a taxonomy that fits on a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgsan.evaluate.truth import Truth, TruthCheck
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import IdentifierRule, Policy
from kgsan.text.mentions import Finder
from tests.conftest import GOLDEN, taxonomy

STACK = OntologyStack([Ontology.from_records(taxonomy(GOLDEN))])
POLICY = Policy("toy", "none", identifiers=(IdentifierRule("date", write="[date]"),))
CHECK = TruthCheck(STACK, Finder(STACK), POLICY)


@pytest.mark.parametrize(
    ("before", "after", "truth"),
    [
        ("AIDS", "a viral infection", Truth.GENERALIZES),
        ("AIDS", "an infection", Truth.GENERALIZES),
        ("recurrent influenzas", "viral infections", Truth.GENERALIZES),
        ("severe syphilis", "Disease", Truth.GENERALIZES),
        ("AIDS", "bacterial infection", Truth.UNSHOWN),
        ("influenza", "HIV infection", Truth.UNSHOWN),  # a sister
        ("infection", "AIDS", Truth.UNSHOWN),  # more special
        ("AIDS", "something", Truth.UNSHOWN),
        ("lung disease", "heart disease", Truth.UNSHOWN),  # the last word alone says nothing
        ("severe viral infection", "the infection", Truth.SHORTENS),
        ("3 May 2021", "2021", Truth.SHORTENS),
        ("3 May 2021", "2020", Truth.UNSHOWN),
        ("AIDS", "[REDACTED]", Truth.REMOVES),
        ("3 May 2021", "[date]", Truth.REMOVES),
        ("AIDS", "", Truth.REMOVES),
    ],
)
def test_a_replacement_is_judged_by_ontology_and_texts(before: str, after: str, truth: Truth) -> None:
    assert CHECK.of(before, after) is truth


def test_a_mark_that_names_the_kind_is_a_removal() -> None:
    check = TruthCheck(STACK, Finder(STACK), replace(POLICY, replacement_style="<{kind}>"))
    assert check.of("AIDS", "<DISEASE>") is Truth.REMOVES
    assert check.of("AIDS", "[REDACTED]") is Truth.UNSHOWN


def test_the_share_is_that_of_all_replacements() -> None:
    found = CHECK.among([("AIDS", "infection"), ("AIDS", "[REDACTED]"), ("AIDS", "syphilis"), ("severe AIDS", "AIDS")])
    assert (found.total, found.share) == (4, 0.75)
    assert CHECK.among([]).share is None
