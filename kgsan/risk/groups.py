"""Which terms of a context give a protected entity away together, though no fewer of them do.

Contexts that hold a group and the entity never become more when the group grows, so a group with too few of them is not
worth growing; within the least support and the largest size nothing is missed. What a group reveals may fall as well as rise
when a term joins it (C-sanitized, definitions 5 and 6, are about every group), so it never decides which groups are grown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, combinations, groupby
from typing import TYPE_CHECKING, Protocol

from kgsan.knowledge.information import information, reaches, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Knowledge, Term
    from kgsan.ontology.information import Bits

#: Terms by their place in a context, ascending.
Group = tuple[int, ...]

#: A group of a larger context lies within one window of so many terms; a window starts at every so many terms.
WINDOW, STEP = 64, 32
#: Chances are compared loosely first, since nearly all groups are far from any limit.
_LOOSELY = 1 - 1e-6


class Joint(Protocol):
    """Counts of the terms of one context, which are numbered, beside one protected entity."""

    @property
    def entity_information(self) -> Bits | None:
        """What the entity says; None when it was never seen."""

    def total(self, group: Group) -> int | None:
        """Contexts that hold all of the terms; None when that cannot be said."""

    def with_entity(self, group: Group) -> int | None:
        """Contexts that hold all of the terms and the entity; None when that cannot be said."""


class KnowledgeJoint:
    """The counts of a context, asked of any knowledge."""

    __slots__ = ("_entity", "_knowledge", "_terms", "entity_information")

    def __init__(self, knowledge: Knowledge, entity: Term, terms: Sequence[Term]) -> None:
        self._knowledge = knowledge
        self._entity = entity
        self._terms = terms
        self.entity_information = information(knowledge, entity)

    def total(self, group: Group) -> int | None:
        return self._knowledge.count(*(self._terms[member] for member in group))

    def with_entity(self, group: Group) -> int | None:
        return self._knowledge.count(self._entity, *(self._terms[member] for member in group))


@dataclass(frozen=True, slots=True)
class GroupSearch:
    """How far groups are looked for, which a certificate has to say."""

    least_support: int = 3  #: contexts that must hold the group and the entity
    up_to: int = 3  #: terms in a group
    by_bound: bool = True  #: what is revealed at least decides; else the plain estimate, as published

    def supports(self, contexts: int | None) -> bool:
        """Whether so many contexts with the entity are enough."""
        return contexts is not None and contexts >= self.enough

    def risky(self, entity_information: Bits | None, support: int, total: int | None, limit: float, source: str) -> Share | None:
        """What terms reveal of an entity with which they stand in so many of so many contexts, if that reaches a limit."""
        if not total:
            return None
        # Counts of search engines may contradict each other; contexts with the entity are contexts all the same.
        found = share(entity_information, support, max(total, support), source)
        return found if found and reaches(found.low if self.by_bound else found.revealed, limit) else None

    @property
    def enough(self) -> int:
        """So many contexts with the entity are."""
        return max(1, self.least_support)


#: What is searched for unless a policy says otherwise.
USUAL_SEARCH = GroupSearch()


@dataclass(frozen=True, slots=True)
class RiskyGroup:
    """Terms that reach the limit of an entity together, while no fewer of them do."""

    members: Group
    share: Share


def risky_groups(
    joint: Joint,
    terms: int,
    limit: float,
    search: GroupSearch = USUAL_SEARCH,
    source: str = "",
    *,
    among: Sequence[int] | None = None,
    least: int = 1,
) -> list[RiskyGroup]:
    """The smallest groups among so many terms whose share of the entity reaches the limit; single terms first.

    Of more than 64 terms, only those within a window of 64 meet (windows start at every 32nd term). `among` are those that
    have the least support, where they are known already; with `least` 2 none of them is risky by itself.
    """
    return list(_Grower(joint, limit, search, source).grown(range(terms) if among is None else among, least=least))


def risky_groups_with(
    joint: Joint,
    terms: int,
    member: int,
    known: Iterable[Group],
    limit: float,
    search: GroupSearch = USUAL_SEARCH,
    source: str = "",
) -> list[RiskyGroup]:
    """Only those of the smallest risky groups that one term belongs to: after it was replaced, the others are as before.

    `known` are the risky groups that it does not belong to, which none of its own may contain.
    """
    grower = _Grower(joint, limit, search, source, frozenset(known))
    near = (other for other in range(max(0, member - WINDOW), min(terms, member + WINDOW)) if other != member)
    return list(grower.grown([other for other in near if _meet(min(other, member), max(other, member))], (member,)))


@dataclass(frozen=True, slots=True)
class _Grower:
    """A level-wise search: each level is joined from what the level before left to grow."""

    joint: Joint
    limit: float
    search: GroupSearch
    source: str
    known: frozenset[Group] = frozenset()

    def grown(self, others: Sequence[int], fixed: Group = (), least: int = 1) -> Iterator[RiskyGroup]:
        """The smallest risky groups that hold what is fixed, and any of the others beside it."""
        entity_information = self.joint.entity_information
        if not entity_information:
            return
        least_chance = 2 ** ((self.limit - 1) * entity_information) * _LOOSELY
        least_support, with_entity = self.search.enough, self.joint.with_entity
        parts: Iterable[Group] = [()] if fixed else [(other,) for other in others]
        if least > 1:
            parts = _joined(list(parts))
        for size in range(least, self.search.up_to + 1):
            level: list[Group] = []
            for part in parts:
                group = tuple(sorted((*fixed, *part))) if fixed else part
                support = with_entity(group)
                if support is None or support < least_support:
                    continue
                found = self._risky(group, support, entity_information, least_chance)
                if found:
                    yield found
                else:
                    level.append(part)
            if fixed and size == 1:
                parts = [(other,) for other in others if (other,) not in self.known] if level else []
            else:
                parts = self._new(_joined(level))

    def _risky(self, group: Group, support: int, entity_information: Bits, least_chance: float) -> RiskyGroup | None:
        total = self.joint.total(group)
        if not total or support < least_chance * total:
            return None
        found = self.search.risky(entity_information, support, total, self.limit, self.source)
        return None if found is None else RiskyGroup(group, found)

    def _new(self, parts: Iterable[Group]) -> Iterable[Group]:
        """Without those that contain a risky group which is known already."""
        if not self.known:
            return parts
        return (part for part in parts if self.known.isdisjoint(_subsets(part)))


def _subsets(group: Group) -> Iterator[Group]:
    return chain.from_iterable(combinations(group, size) for size in range(1, len(group) + 1))


def _meet(first: int, last: int) -> bool:
    """Whether two terms, and all between them, lie in one window."""
    return last < _reach(first)


def _reach(first: int) -> int:
    """The first term behind the last window that holds a term."""
    return first // STEP * STEP + WINDOW


def _joined(level: Sequence[Group]) -> Iterator[Group]:
    """Groups one larger, in order, all of whose parts stand in the level, which is in order too."""
    if level and len(level[0]) == 1 and level[-1][0] < WINDOW:  # as nearly always; they all meet
        yield from combinations(chain.from_iterable(level), 2)
        return
    standing = set(level)
    for prefix, alike in groupby(level, key=lambda group: group[:-1]):
        lasts = [group[-1] for group in alike]
        for at, one in enumerate(lasts):
            reach = _reach(prefix[0] if prefix else one)
            for other in lasts[at + 1 : at + WINDOW]:
                if other >= reach:
                    break
                group = (*prefix, one, other)
                if not prefix or all(group[:left] + group[left + 1 :] in standing for left in range(len(prefix))):
                    yield group


@dataclass(frozen=True, slots=True)
class Concession:
    """One way out of a risky group: a member gives way to something more general, or to nothing."""

    member: int  #: its place among the terms, in the order of the text
    replacement: Term | None = field(repr=False)
    loss: Bits  #: what all its occurrences say less


def loss(occurrences: int, before: Bits, after: Bits) -> Bits:
    """What is lost when a term gives way everywhere in a document."""
    return occurrences * (before - after)


def gives_way(concessions: Iterable[Concession]) -> Concession | None:
    """The one that loses least; of equal ones that of the term which stands later, then the first by name.

    >>> gives_way([Concession(3, "symptom", loss(1, 5.0, 2.0)), Concession(4, "symptom", loss(1, 4.0, 2.0))]).member
    4
    """
    return min(concessions, key=_preference, default=None)


def _preference(concession: Concession) -> tuple[float, int, str]:
    replacement = concession.replacement
    name = "" if replacement is None else replacement if isinstance(replacement, str) else replacement.name
    # Sums of logarithms that mean the same differ in the last digits.
    return (round(concession.loss, 9), -concession.member, name)
