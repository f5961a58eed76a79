"""A toy world in which crabs are lice or are caught in the sea, for tests of the word-sense guard."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kgsan.ontology.stack import OntologyStack
from kgsan.risk.senses import (
    Evidence,
    SenseGuard,
    SenseReader,
    Verdict,
)
from kgsan.text.document import Document
from kgsan.text.mentions import Finder
from tests.risk.toy import document, mention, number, ontology, sense

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgsan.risk.kin import Speaks
    from kgsan.text.mentions import Mention

#: The ids begin with "protected", so that the words of `cues.txt` are those of infection and of sexual orientation.
FIELD = ontology(
    """
topic
  health
    ailment
      infection
        lice: ~crab, rash bug, ~AIDS
        scabies
        herpes
        ringworm
        red tide: ~bloom
      injury
        burn
  identity
    sexual orientation
      rainbow: ~bow
permethrin
comb
""",
    ("permethrin", "treats", "lice"),
    ("permethrin", "bought with", "comb"),
    prefix="protected",
)
SECOND = ontology("issue\n mites: crab\n", prefix="second")
DICTIONARY = ontology(
    """
entity
  animal
    water animal
      crustacean
        decapod
          sea crab: crab
          lobster
          shrimp
  person
    nurse
  fault
    grumble: crab#1
  title: Queen, Zzyzx
""",
    prefix="w",
)
STACK = OntologyStack([FIELD, SECOND, DICTIONARY])
LICE, MITES, CRAB, GRUMBLE = (0, "lice", "crab"), (1, "mites", "crab"), (2, "sea crab", "crab"), (2, "grumble", "crab")


@cache
def finder() -> Finder:
    return Finder(STACK)


@cache
def plain() -> SenseGuard:
    return SenseGuard(STACK)


def knowing(**told: float) -> SenseGuard:
    """A guard that was told what words say, for whatever concept; of every concept of the first ontology there is a field."""
    guard: Any = SenseGuard(STACK)
    guard.leaning = lambda place, number, name, word: told.get(word)
    guard.field = lambda place, number: object() if place == 0 else None
    guard.prior = lambda place, number, name: None
    return guard  # type: ignore[no-any-return]


class Text:
    """A text in which [a name] is asked about. Words are of no kind but those whose tags are given."""

    def __init__(
        self, marked: str, tags: Mapping[str, str] | None = None, guard: SenseGuard | None = None, *own: tuple[int, str, str]
    ) -> None:
        self.text = marked.replace("[", "").replace("]", "")
        start, end = marked.index("["), marked.index("]") - 1
        listed = " ".join((tags or {}).get(word, "SYM") for word in Document(self.text).words)
        self.document = document(self.text, listed)
        found = list(finder().find(self.document))
        self.mention: Mention = next((one for one in found if (one.start, one.end) == (start, end)), mention(start, end))
        if own:
            self.mention = mention(start, end, *(sense(STACK, *one) for one in own))
        self.reader: SenseReader = (guard or plain()).read(self.document, found)

    def told(self, evidence: Sequence[Evidence]) -> list[tuple[str, Speaks, float]]:
        return [(self.text[one.start : one.end], one.speaks, round(one.weight, 6)) for one in evidence]

    def near(self) -> list[tuple[str, float]]:
        return [(self.text[one.start : one.end], weight) for one, weight, _ in self.reader._near(self.mention).others]

    def cues(self, concept: str = "lice") -> list[tuple[str, Speaks, float]]:
        near = self.reader._near(self.mention)
        name = FIELD.concept(number(FIELD, concept)).name
        return self.told([one for one, _ in self.reader._by_cues(self.mention, sense(STACK, 0, name), near)])

    def verdict(self, *one: Any) -> Verdict:
        return self.reader.verdict(self.mention, sense(STACK, *one))
