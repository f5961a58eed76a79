"""A text of a few words whose ladders are written out, and the choices for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from kgsan.lazy import cached_property
from kgsan.ontology.ontology import Concept, Name
from kgsan.policy.policy import Policy
from kgsan.risk.disclosures import Disclosure, Rule
from kgsan.risk.terms import Term
from kgsan.sanitize.choices import Choices
from kgsan.sanitize.ladder import Refused, Rung
from kgsan.sanitize.wording import Rewritten, rewrite
from kgsan.sources.records import Scope
from kgsan.text.document import Document
from kgsan.text.mentions import Sense

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: What generalizes each word, the most specific first.
ABOVE = {
    "HIV": ("viral infection", "infection", "disease"),
    "zidovudine": ("antiviral drug", "drug"),
    "fatigue": ("symptom",),
    "breast cancer": ("tumor",),
    "actor": ("worker",),
    "had HIV": ("condition",),
}
NUMBERS = {word: number for number, word in enumerate(ABOVE)}


def sense(word: str, scope: Scope = Scope.EXACT, rank: int = 0, ontology: int = 0, prefix: str = "t") -> Sense:
    return Sense(Concept(f"{prefix}:{word}", word, number=NUMBERS[word]), Name(word, scope, rank), ontology)


@dataclass
class Ladders:
    """The ladders of the words above."""

    refused: frozenset[str] = frozenset()
    people: frozenset[Sense] = frozenset()
    dictionary: frozenset[Sense] = frozenset()
    institutions: frozenset[Sense] = frozenset()
    untrue: frozenset[str] = frozenset()

    def above(self, senses: Iterable[tuple[int, int]]) -> Iterator[Rung]:
        words = list(ABOVE)
        for place, number in senses:
            yield from (Rung(name, Concept(f"t:{name}", name), place) for name in ABOVE[words[number]])

    def is_true(self, rung: Rung, words: str) -> bool:
        return rung.name not in self.untrue

    def means_person(self, one: Sense) -> bool:
        return one in self.people

    def person(self) -> Iterator[Rung]:
        yield Rung("person", Concept("t:person", "person"), 0)

    def refusal(self, rung: Rung) -> Refused | None:
        return Refused(rung, "is refused") if rung.name in self.refused else None

    def is_person(self, one: Sense) -> bool:
        return one in self.people

    def is_dictionary(self, one: Sense) -> bool:
        return one in self.dictionary and one.name.rank == 0

    def is_of_a_dictionary(self, one: Sense) -> bool:
        return one in self.dictionary

    def is_institution(self, one: Sense) -> bool:
        return one in self.institutions


class Every(list[Any]):
    """Mentions in their order."""

    @property
    def starts(self) -> Any:
        return np.asarray([one.start for one in self], dtype=np.int64)

    @property
    def ends(self) -> Any:
        return np.asarray([one.end for one in self], dtype=np.int64)


@dataclass
class Toy:
    """A text with the choices for it."""

    text: str
    refused: frozenset[str] = frozenset()
    redact: bool = False
    policy: Policy = field(default_factory=lambda: Policy("toy", "Toy Act"))
    said: dict[str, float] = field(default_factory=dict)
    telling: dict[str, float] = field(default_factory=dict)

    @cached_property
    def document(self) -> Document:
        return Document(self.text)

    @cached_property
    def choices(self) -> Choices:
        every = Every(
            SimpleNamespace(start=at, end=at + len(word), senses=(sense(word),))
            for at in range(len(self.text))
            for word in ABOVE
            if self.text.startswith(word, at)
        )
        reading = SimpleNamespace(
            document=self.document,
            every=every,
            verdict=lambda *_: SimpleNamespace(counts=True),
            senses=SimpleNamespace(meanings=lambda own, _: ([own], [])),
        )
        phrases = [Term(one.start, one.end, "", None, one) for one in self.document.noun_phrases]
        of_name = lambda name, number: SimpleNamespace(revealed=self.telling[name] - number) if name in self.telling else None  # noqa: E731
        detector: Any = SimpleNamespace(
            policy=self.policy,
            said=self.said.__getitem__,
            inference=SimpleNamespace(of_name=of_name, guarded=("HIV", "other")),
        )
        ladders: Any = Ladders(self.refused)
        return Choices(detector, ladders, SimpleNamespace(reading=reading, terms=phrases), redact=self.redact)  # type: ignore[arg-type]

    def found(self, words: str, rule: Rule = Rule.NAMING, entity: str = "HIV", nth: int = 0, **more: Any) -> Disclosure:
        """A disclosure of words of the text as it was."""
        return found_in(self.text, words, rule, entity, nth, **more)

    def add(self, *words: str, rule: Rule = Rule.NAMING) -> Toy:
        self.choices.add([self.found(each, rule) for each in words])
        return self

    @property
    def rewritten(self) -> Rewritten:
        return rewrite(self.document, self.choices.changes(), style=self.policy.replacement_style)

    @property
    def shown(self) -> str:
        return self.rewritten.text

    def answer(self, *words: str, redact: bool = False, rule: Rule = Rule.INFERENCE) -> str:
        """Words of the text as it is now are found to disclose; how it reads then."""
        now = self.rewritten
        seen: dict[str, int] = {}
        found = []
        for each in words:
            found.append(found_in(now.text, each, rule, "HIV", seen.get(each, 0)))
            seen[each] = seen.get(each, 0) + 1
        self.choices.answer(found, now, SimpleNamespace(terms=[]), redact=redact)  # type: ignore[arg-type]
        return self.shown

    def names(self) -> list[tuple[str, str | None]]:
        return [(self.text[start:end], name) for (start, end), name in self.choices.changed()]


def found_in(text: str, words: str, rule: Rule, entity: str, nth: int, **more: Any) -> Disclosure:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Disclosure(start, start + len(words), rule, entity, "says too much", **more)


#: A text with three of the words.
PAIR = "They saw HIV and zidovudine and fatigue."
