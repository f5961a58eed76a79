"""Describe what reveals what: for each protected entity the most telling names of the shipped ontologies, and innocent ones.

python tools/describe_disclosure.py > docs/disclosure.md
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import kgsan
from kgsan.knowledge.combined import LEAST
from kgsan.knowledge.information import lower_bound, share
from kgsan.knowledge.keys import row_keys
from kgsan.knowledge.load import ENGLISH, open_file
from kgsan.knowledge.opened import begins_of, contexts_of, in_portions
from kgsan.knowledge.relations import stated_disclosure
from kgsan.lazy import cached_property
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.text.index import load_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Topic
    from kgsan.ontology.ontology import Ontology
    from kgsan.ontology.stack import OntologyStack

    Ints = NDArray[np.int64]

POLICIES = Path(__file__).parents[1] / "policies"
#: Entities that laws name, beside those of the shipped policies.
FURTHER = (
    *("HIV", "sexually transmitted disease", "mental disorder", "substance abuse", "alcohol abuse", "cancer", "genetic disease"),
    *("abortion", "homosexuality", "religion", "trade union", "political opinion", "ethnic group"),
)
#: Words of every day, chosen before anything was counted and the same for all entities.
INNOCENT = (
    *("hospital", "table", "car", "Monday", "ankle", "ibuprofen", "kitchen", "train", "weather", "shoe", "coffee", "telephone"),
    *("garden", "window", "bicycle", "umbrella", "football", "holiday", "rent", "river", "elbow", "paracetamol", "X-ray"),
    *("blood pressure", "dentist", "bus", "chair", "letter", "neighbour", "lunch"),
)
#: A name that stands in fewer contexts is not listed.
SEEN = 5
SHOWN, COUNTED_SHOWN = 30, 10
#: No innocent word may reach this, even with a strictness of 2.
HALF = 0.5
HEAD = """# What reveals what

What the shipped knowledge and the relations of the shipped ontologies say about the entities that laws name. Left: the {shown}
most revealing names of the shipped ontologies that stand in at least {seen} contexts and are no names of the entity itself.
Right: {innocent} words of every day, the same for every entity, chosen before anything was counted.

*Share* is how much of what the entity says is revealed: 1 is all of it, - is no evidence. *At least* is its lower 95 % bound,
which decides; a policy of strictness 1.5 hides from 0.67 on, one of strictness 2 from 0.5. What an ontology states needs no
bound, unless it lists a mere sample. *Support* is in how many of the contexts of the name the entity stands too, or how many
of its relations lead to it. Relations speak here for names that always mean the thing; whether an ambiguous name means it is
decided by its context, and this page has none.

This page is written by `tools/describe_disclosure.py`.

## Innocent words that reveal much

"""
#: Said of the innocent words that are listed.
WHY = """
An elbow, a painkiller or a hospital does tell of somebody's health, and a general word gives away all that it says itself
("hospital" of a psychiatric hospital). The rest is what the texts are: an encyclopedia and answers to medical questions speak of
blood pressure where they speak of illness. Notes of a clinic do not; knowledge counted in texts like your own knows better.
"""


@dataclass(frozen=True, slots=True)
class Entity:
    """A topic, and every name under which laws and policies have it."""

    titles: tuple[str, ...]
    topic: Topic


def entities(stack: OntologyStack) -> list[Entity]:
    """Every entity of the shipped policies that must not show, and the further ones; each topic once."""
    policies = [kgsan.load_policy(path) for path in sorted(POLICIES.glob("*.yaml"))]
    policies.append(Policy("further", "further", protect=tuple(map(ProtectedEntity, FURTHER))))
    found: dict[bytes, Entity] = {}
    for policy in policies:
        sensitive = SensitiveTerms(policy, stack)
        for index, entity in enumerate(policy.protect):
            if entity.hide != "that":
                continue
            topic = sensitive.topic(index)
            key = b"|".join(members.tobytes() for members in topic.members)
            before = found.get(key)
            taken = any(entity.entity in other.titles for other in found.values() if other is not before)
            title = f"{entity.entity} in {policy.name}" if taken else entity.entity
            titles = (*(before.titles if before else ()), title)
            found[key] = Entity(tuple(dict.fromkeys(titles)), before.topic if before else topic)
    return sorted(found.values(), key=lambda entity: entity.titles[0].casefold())


class Table:
    """Which names stand in which contexts, all at once: asking name by name would take an hour."""

    def __init__(self, known: CombinedKnowledge) -> None:
        self.known = known
        self.stack = known.stack
        self._file = open_file(ENGLISH)
        self.counts: Ints = self._file["counts"].astype(np.int64)

    @cached_property
    def _postings(self) -> tuple[Ints, NDArray[np.int32]]:
        begins = begins_of(self._file)
        parts = in_portions(begins, np.arange(len(self.counts)))
        told = [contexts_of(self._file, begins, rows).astype(np.int32) for rows in parts]
        return np.append(0, np.cumsum(self.counts))[:-1], np.concatenate(told)

    @cached_property
    def rows(self) -> list[Ints]:
        """For each ontology and each of its names its row among the counts; -1 for names that stand nowhere."""
        keys, known = row_keys(load_index(self.stack)), self._file["keys"]
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.split(np.where(known[at] == keys, at, -1), np.cumsum([ontology.name_count for ontology in self.stack])[:-1])

    @cached_property
    def spelling(self) -> dict[int, str]:
        """A name of each row, from the first ontology that has it."""
        found: dict[int, str] = {}
        for ontology, rows in zip(self.stack, self.rows, strict=True):
            texts = ontology.name_texts()
            for at in np.flatnonzero(rows >= 0).tolist():
                found.setdefault(int(rows[at]), texts[at])
        return found

    def together(self, topic: Topic) -> Ints:
        """For each row in how many of its contexts the topic stands."""
        contexts = self.known.given[0].bitmap(topic)  # type: ignore[attr-defined]
        inside = np.zeros(int(self._file.about["contexts"]), dtype=np.int64)
        inside[np.array(contexts, dtype=np.int64)] = 1
        begins, told = self._postings
        return np.add.reduceat(inside[told], begins)

    def revealing(self, topic: Topic) -> tuple[list[tuple[str, Share]], list[tuple[str, Share]]]:
        """The most revealing names, whatever says so, and those by counting alone."""
        whole = self.known.information(topic)
        if whole is None:
            return [], []
        own = {int(row) for at, members in enumerate(topic.members) for row in self._rows_of(at, members)}
        support = self.together(topic)
        lows = np.zeros(len(self.counts))
        for row in np.flatnonzero((support >= LEAST) & (self.counts >= SEEN)).tolist():
            lows[row] = lower_bound(int(support[row]), int(self.counts[row]))
        order = np.lexsort((np.arange(len(lows)), -self.counts, -lows))
        listed = (int(row) for row in order[: 50 * SHOWN] if row in self.spelling and int(row) not in own and lows[row])
        counted: dict[int, Share] = {}
        for row in listed:
            told = share(whole[0], int(support[row]), int(self.counts[row]), self.known.given[0].name)
            if told is not None:
                counted[row] = told
        best = dict(counted)
        for row, told in self._stated(topic, whole[0]):
            if row not in own and (row not in best or told.low > best[row].low):
                best[row] = told
        # Found fast by all their contexts; told by those in which no name of the entity holds them, as policies decide.
        corpus = self.known.given[0]
        decided = [(name, asked(self.known, topic, name)) for name, _ in self._first(best, 6 * SHOWN)]
        by_count = [(name, corpus.disclosure(topic, name)) for name, _ in self._first(counted, 6 * SHOWN)]  # type: ignore[attr-defined]
        return _best(decided)[:SHOWN], _best(by_count)[:COUNTED_SHOWN]

    def _rows_of(self, place: int, members: Ints, *, exact: bool = False) -> Iterator[int]:
        begins, scopes = (self.stack[place].columns(name) for name in ("names_start", "name_scope"))
        for number in members.tolist():
            names = np.arange(int(begins[number]), int(begins[number + 1]))
            yield from self.rows[place][names[scopes[names] <= kgsan.Scope.EXACT] if exact else names].tolist()

    def _stated(self, topic: Topic, bits: float) -> Iterator[tuple[int, Share]]:
        for place, ontology in enumerate(self.stack):
            members = topic.numbers_in(ontology)
            for number in _near(ontology, members):
                told = stated_disclosure(ontology, members, number, bits)
                if told is not None:
                    names = self._rows_of(place, np.array([number]), exact=True)
                    yield from ((row, told) for row in names if row >= 0 and self.counts[row] >= SEEN)

    def _first(self, found: dict[int, Share], most: int) -> list[tuple[str, Share]]:
        def order(row: int) -> tuple[float, float, int, str]:
            return -round(found[row].low, 9), -round(found[row].revealed, 9), -int(self.counts[row]), self.spelling[row]

        return [(self.spelling[row], found[row]) for row in sorted(found, key=order)[:most]]


def _best(found: list[tuple[str, Share | None]]) -> list[tuple[str, Share]]:
    """Those with evidence, the most revealing first."""
    told = [(name, share) for name, share in found if share is not None and (share.stated or share.support >= LEAST)]
    return sorted(told, key=lambda pair: (-round(pair[1].low, 9), -round(pair[1].revealed, 9), pair[0]))


def _near(ontology: Ontology, members: Ints) -> list[int]:
    """The concepts that a relation joins to a topic, and what specializes them."""
    subjects, objects = ontology.columns("relation_subject"), ontology.columns("relation_object")
    joined = {*subjects[np.isin(objects, members)].tolist(), *objects[np.isin(subjects, members)].tolist()}
    found = {n for number in joined for start, stop in ontology.ranges(number) for n in range(start, stop)}
    return sorted(found - set(members.tolist()))


def asked(known: CombinedKnowledge, topic: Topic, name: str, scope: kgsan.Scope = kgsan.Scope.EXACT) -> Share | None:
    """What decides about a name, in all the meanings that it has up to a scope."""
    senses = (sense for ontology in known.stack for sense in ontology.senses(name))
    return known.disclosure(topic, name, [concept for concept, named in senses if named.scope <= scope])


def cells(name: str, found: Share | None) -> tuple[str, str, str]:
    """A name, its share, and what it reveals at least."""
    return (name, "-", "-") if found is None else (name, f"{found.revealed:.2f}", f"{found.low:.2f}")


def row(name: str, found: Share) -> tuple[str, ...]:
    """The same with its support and its source."""
    return *cells(name, found), f"{found.support:,} of {found.contexts_of_terms:,}", found.source


def too_much(known: CombinedKnowledge, described: list[Entity]) -> Iterator[str]:
    """The innocent words that reach a half, a line each."""
    for entity in described:
        for name in INNOCENT:
            sure, doubtful = (asked(known, entity.topic, name, scope) for scope in (kgsan.Scope.EXACT, max(kgsan.Scope)))
            told = f"- {name}, for {entity.titles[0]}"
            if sure is not None and sure.low >= HALF:
                yield f"{told}: at least {sure.low:.2f} ({sure.support:,} of {sure.contexts_of_terms:,}, {sure.source})"
            elif doubtful is not None and doubtful.low >= HALF:
                yield f"{told}, in an ambiguous meaning only: at least {doubtful.low:.2f} ({doubtful.source})"


def section(table: Table, entity: Entity) -> Iterator[str]:
    """The part of the page about one entity."""
    yield f"\n## {entity.titles[0]}\n"
    told = table.known.information(entity.topic)
    if told is None:
        yield "No source knows it."
        return
    also = f" Also: {', '.join(entity.titles[1:])}." if len(entity.titles) > 1 else ""
    count = told[1].count(entity.topic)
    yield f"{told[0]:.2f} bits: {count:,} of {told[1].contexts:,} contexts in {told[1].name}.{also}\n"
    best, counted = table.revealing(entity.topic)
    if counted:
        names = "; ".join(f"{name} {found.low:.2f}" for name, found in counted)
        yield f"By counting alone, at least: {names}.\n"
    yield "| revealing | share | at least | support | source | innocent | share | at least |"
    yield "|---" * 8 + "|"
    left = [row(name, found) for name, found in best]
    right = [cells(name, asked(table.known, entity.topic, name)) for name in INNOCENT]
    for one, other in zip_longest(left, right):
        yield f"| {' | '.join((*(one or ('',) * 5), *(other or ('',) * 3)))} |"


def main() -> None:
    """Print the page."""
    known = kgsan.load_knowledge()
    described = entities(known.stack)
    print(HEAD.format(shown=SHOWN, seen=SEEN, innocent=len(INNOCENT)), end="")
    reached = list(too_much(known, described))
    print(f"{len(reached)} of {len(INNOCENT) * len(described):,} pairs of a word and an entity reach a half, so that a policy of")
    print("strictness 2 would hide the word", end=":\n\n" if reached else ".\n")
    print("\n".join(reached))
    print(WHY, end="")
    table = Table(known)
    for entity in described:
        print("\n".join(section(table, entity)))


if __name__ == "__main__":
    main()
