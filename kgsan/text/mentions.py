"""Where a text names concepts: every name of every loaded ontology, in one pass over the words.

Longest names win: one that lies inside another is not told, two that overlap are both told. Case, plural, possessive,
hyphen and spelling do not matter; an acronym that is an everyday word in small letters is found in capitals only. Names
that are disguised are found too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.ontology.inflection import fold
from kgsan.text import table
from kgsan.text.disguised import is_everyday, is_mixed
from kgsan.text.document import BETWEEN, Document, together
from kgsan.text.index import capitals_needed, class_hash, first, further, gaps_crossed, load_index, word_class
from kgsan.text.scan import Reading, Scanner
from kgsan.text.status import statuses
from kgsan.text.uncovering import COMPOUND, Uncovering, is_postal, is_strange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from kgsan.ontology.ontology import Concept, Name
    from kgsan.ontology.stack import OntologyStack
    from kgsan.text.cues import Status
    from kgsan.text.index import NameIndex
    from kgsan.text.scan import Words

    Test = Callable[[tuple["Sense", ...]], object]
    Ints = NDArray[np.int64]
    Hashes = NDArray[np.uint64]
    #: A group of names, words in capitals, gaps crossed.
    _Way = tuple[int, int, int]
    _Key = int | tuple[tuple[_Way, ...], int]

#: The longest run of words that is kept in one array operation.
_BLOCK = 1 << 17
#: So many names are kept with their meanings: some 1 kB each.
_KEPT = 1 << 14
#: A name that is only a part of a word has so many letters at least.
_NAME_WITHIN = 6


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing a name may mean: a concept of one ontology of the stack, and the name as that ontology has it.

    What is shown of it tells no words: they may be those of a document.
    """

    concept: Concept = field(repr=False)
    name: Name = field(repr=False)
    ontology: int  #: place in the stack


class Occurrences(NamedTuple):
    """Names in a text by their group, which of their words are in capitals, and where each begins."""

    groups: Ints
    capitals: Hashes
    places: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What is known of a mention but its place. The same name gives the same one, so they are told apart by identity."""

    senses: tuple[Sense, ...]
    misspelt: bool
    bent: bool
    is_longest: bool  #: it lies in no other


class Mention:
    """A name of one or several concepts, where it stands in the original text."""

    __slots__ = ("_among", "_number", "bent", "end", "misspelt", "senses", "start")  # thousands are made in a long text

    def __init__(self, start: int, end: int, told: _Told, among: _Places, number: int) -> None:
        self.start = start
        self.end = end
        #: What it may mean, the first ontology first, in it the likeliest first; whether it is misspelt; and whether words
        #: in capitals are read as common words here: HEARING AIDS.
        self.senses, self.misspelt, self.bent = told.senses, told.misspelt, told.bent
        self._among, self._number = among, number  # where the mentions of its text stand, and its number among them

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mention) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def _told(self) -> tuple[int, int, tuple[Sense, ...], bool, bool]:
        return self.start, self.end, self.senses, self.misspelt, self.bent

    @property
    def status(self) -> Status:
        """Whether the text says that it is so, or that it is not, or was, or may be; worked out when first asked."""
        return self._among.statuses[self._number]

    def __repr__(self) -> str:
        return f"<Mention at {self.start}-{self.end}>"  # concepts would tell the words


class _Places:
    """Where the mentions of a text stand. They know their places, not each other: circles would be left to be collected."""

    def __init__(self, document: Document, starts: Ints, ends: Ints) -> None:
        self._document = document
        self.starts, self.ends = document.spans(starts, ends)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return list(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    @cached_property
    def statuses(self) -> list[Status]:
        return statuses(self._document, self.starts, self.ends)


class _Block:
    """What is told of the mentions of texts that were read in one go, each text's behind those of the one before."""

    def __init__(self, told: list[_Told]) -> None:
        self.told = told
        self._meaning: dict[Test, list[int]] = {}

    @cached_property
    def _distinct(self) -> set[_Told]:
        return set(self.told)

    def meaning(self, test: Test) -> list[int]:
        """The numbers of those whose senses pass a test, each name tested once for all texts."""
        found = self._meaning.get(test)
        if found is None:
            passed = {told for told in self._distinct if test(told.senses)}
            found = self._meaning[test] = [number for number, told in enumerate(self.told) if told in passed] if passed else []
        return found


class Mentions(Sequence[Mention]):
    """The mentions of a text in their order; each is made when it is looked at."""

    def __init__(self, document: Document, starts: Ints, ends: Ints, block: _Block, first: int) -> None:
        self._told = block.told[first : first + len(starts)]
        self._block, self._first = block, first
        self._places = _Places(document, starts, ends)
        self._made: dict[int, Mention] = {}

    def __len__(self) -> int:
        return len(self._told)

    @property
    def starts(self) -> Ints:
        """Where each begins."""
        return self._places.starts

    @property
    def ends(self) -> Ints:
        """Where each ends."""
        return self._places.ends

    @overload
    def __getitem__(self, index: int) -> Mention: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mention]: ...
    def __getitem__(self, index: int | slice) -> Mention | Sequence[Mention]:
        if isinstance(index, slice):
            return [self._one(number) for number in range(*index.indices(len(self)))]
        return self._one(range(len(self))[index])

    def __iter__(self) -> Iterator[Mention]:
        return map(self._one, range(len(self)))

    def meaning(self, test: Test, *, longest: bool = False) -> list[Mention]:
        """Those whose senses pass a test, or those of them that lie in no longer one; the others are not even made."""
        passed, first = self._block.meaning(test), self._first
        if not passed:
            return []
        numbers = passed[bisect_left(passed, first) : bisect_left(passed, first + len(self))]
        return [self._one(number - first) for number in numbers if not longest or self._told[number - first].is_longest]

    def longest(self) -> list[Mention]:
        """Those that lie in no longer one."""
        places, made, found = self._places, self._made, []
        for number, (told, (start, end)) in enumerate(zip(self._told, places.spans, strict=True)):
            if told.is_longest:
                mention = made.get(number)
                if mention is None:
                    mention = made[number] = Mention(start, end, told, places, number)
                found.append(mention)
        return found

    def _one(self, number: int) -> Mention:
        made = self._made.get(number)
        if made is None:
            start, end = self._places.spans[number]
            made = self._made[number] = Mention(start, end, self._told[number], self._places, number)
        return made

    def __repr__(self) -> str:
        return f"<{len(self)} mentions>"


class Finder:
    """Finds the names of a stack of ontologies in texts. Made once; safe to share between threads.

    With `misspelt`, a long word that no ontology knows is read as the name word that one edit makes of it.
    """

    def __init__(self, stack: OntologyStack, *, misspelt: bool = False) -> None:
        self.stack = stack
        self._index = load_index(stack)
        self._speller = self._index.speller if misspelt else None
        self._uncovering = Uncovering(self._is_word, self._index.speller)
        self._scanner = Scanner(self._read)
        self._offsets = list(accumulate((ontology.name_count for ontology in stack), initial=0))
        self.senses = lru_cache(maxsize=_KEPT)(self._senses)
        self._tell = lru_cache(maxsize=_KEPT)(self._told)
        self._meant = lru_cache(maxsize=1 << 12)(self._meant_by)

    def __repr__(self) -> str:
        return f"<Finder for {len(self.stack)} ontologies>"

    def find(self, document: Document | str, *, nested: bool = False) -> Mentions:
        """The mentions of a text. With `nested` also those that lie inside longer ones."""
        return self._find([Document(document) if isinstance(document, str) else document], nested)[0]

    def find_many(self, documents: Iterable[Document], *, nested: bool = False) -> list[Mentions]:
        """What `find` tells of each of many short texts, found in one pass over all of them."""
        return [mentions for block in together(documents) for mentions in self._find(block, nested)]

    def _find(self, documents: list[Document], nested: bool) -> list[Mentions]:
        whole = BETWEEN.join([document.plain for document in documents])
        words = self._scanner.words(whole)
        found = self._walk(words)
        spans = found.spans(words.misspelt, nested)
        places = [0, *accumulate(len(document.plain) + len(BETWEEN) for document in documents)]
        starts, ends = words.starts[found.firsts[spans.rows]], words.ends[found.lasts[spans.rows]]
        keys = spans.keys()
        told_of = {key: self._tell(key) for key in dict.fromkeys(keys)}
        told = list(map(told_of.__getitem__, keys))
        starts, ends, told = self._with_uncovered(documents, whole, words, places, _Spread(starts, ends, told), nested)
        bounds = np.searchsorted(starts, places)
        before = np.repeat(places[:-1], np.diff(bounds))
        starts, ends, block = starts - before, ends - before, _Block(told)
        return [
            Mentions(document, starts[first:last], ends[first:last], block, first)
            for document, (first, last) in zip(documents, pairwise(bounds.tolist()), strict=True)
        ]

    def _told(self, key: _Key) -> _Told:
        readings, flags = (((key >> 3, 0, 0),), key & 7) if isinstance(key, int) else key
        return _Told(self.senses(readings), flags & 4 != 0, flags & 2 != 0, flags & 1 != 0)

    def _with_uncovered(
        self, documents: list[Document], text: str, words: Words, places: list[int], found: _Spread, nested: bool
    ) -> _Spread:
        """What was found, with what is disguised in the text."""
        if words.misspelt.any():
            short = [i for i in np.flatnonzero(found.ends - found.starts == 3).tolist() if found.told[i].misspelt]
            if codes := [i for i in short if is_postal(text, int(found.starts[i]))]:
                found = found.without(np.array(codes))
        more = []
        for start, end, said in self._uncovering.find(documents, text, words, places):
            if meant := self._meant((said,), within=False):
                more.append((start, end, _all_of(meant)))
        for number in np.flatnonzero(words.classes == COMPOUND).tolist():
            start, end = int(words.starts[number]), int(words.ends[number])
            more += self._in_compound(text[start:end], start)
        return found.with_more(more, nested) if more else found

    def _in_compound(self, word: str, start: int) -> list[tuple[int, int, tuple[Sense, ...]]]:
        """The names in a word that several were written as. Each reaches to the next, since all of the word is to be read."""
        for way in self._uncovering.compound(word):
            if meant := self._meant(way, within=True):
                begins, at = [0], 0
                for part in way:
                    at = word.lower().index(part.lower(), at)
                    begins.append(at)
                    at += len(part)
                cuts = [start, *(start + begins[first + 1] for first, _ in meant[1:]), start + len(word)]
                return [(*cut, senses) for cut, (_, senses) in zip(pairwise(cuts), meant, strict=True)]
        return []

    def _meant_by(self, said: tuple[str, ...], within: bool) -> tuple[tuple[int, tuple[Sense, ...]], ...]:
        """The first words and meanings of names that are not written so. Within a word only a long one counts, or all of it."""
        words = self._scanner.words(" ".join(said))
        found = self._walk(words)
        spans = found.spans(words.misspelt, nested=False)
        firsts, lasts = found.firsts[spans.rows], found.lasts[spans.rows]
        counts = ~spans.misspelt
        if within:
            shouted = [len(said) > 1 and len(part) > 2 and part.isupper() and not is_everyday(part.lower()) for part in said]
            counts &= (lasts > firsts) | (words.ends[lasts] - words.starts[firsts] >= _NAME_WITHIN) | np.array(shouted)[firsts]
        every = zip(firsts.tolist(), spans.readings(), counts.tolist(), strict=True)
        return tuple((first, self.senses(reading)) for first, reading, is_counted in every if is_counted)

    @property
    def index(self) -> NameIndex:
        """The compiled names that are looked for."""
        return self._index

    def occurrences(self, document: Document) -> Occurrences:
        """Every name, nested or not, read as it is written."""
        words = self._scanner.words(document.plain)
        found = self._walk(words)
        wrong = np.append(0, np.cumsum(words.misspelt))
        straight = np.flatnonzero((found.bent == 0) & (wrong[found.lasts + 1] == wrong[found.firsts]))
        return Occurrences(
            found.groups[straight],
            found.capitals[straight],
            document.spans(words.starts[found.firsts[straight]], words.ends[found.lasts[straight]])[0],
        )

    # --- words -----------------------------------------------------------------------------------------------------------

    def _read(self, written: Sequence[str]) -> list[Reading]:
        """What words are compared by; only what occurs in names."""
        bare = [found[0] if len(found := names.words(word)) == 1 else "" for word in written]
        own = [word_class(word) for word in bare]
        other = [fold(word.casefold()) if names.is_acronym(word) else "" for word in bare]
        known_own, known_other = self._known(own), self._known(other)
        misspelt = [False] * len(bare)
        for i, word in enumerate(bare):
            is_known = (known_own[i] or known_other[i]) and not is_mixed(word)
            if not is_known and (right := self._uncovering.meant(word)) is not None:
                bare[i], misspelt[i] = right, True
                common = fold(right.casefold()) if names.is_acronym(right) else ""
                known_own[i], known_other[i] = self._known([word_class(right), common])
        if self._speller is not None:
            for i, word in enumerate(own):
                if known_own[i] or known_other[i]:
                    continue
                is_name = not bare[i].islower()
                # "hepatits" is no plural, though it looks like one.
                for tried in dict.fromkeys((bare[i].casefold(), word)):
                    if (right := self._speller.correct(tried, is_name=is_name)) is not None:
                        known_own[i], misspelt[i] = class_hash(right), True
                        break
        for i, word in enumerate(bare):
            if not (known_own[i] or known_other[i]) and self._uncovering.is_compound(word):
                known_own[i] = COMPOUND
        return [
            Reading(a, b if b != a else 0, names.is_acronym(word), wrong, (wrong or not (a or b)) and is_strange(seen))
            for a, b, word, wrong, seen in zip(known_own, known_other, bare, misspelt, written, strict=True)
        ]

    def _is_word(self, word: str) -> bool:
        """Whether a word occurs in names."""
        if not (said := word_class(word)):
            return False
        wanted, vocabulary = class_hash(said), self._index.vocabulary.data
        at = bisect_left(vocabulary, wanted)
        return at < len(vocabulary) and vocabulary[at] == wanted

    def _known(self, classes: list[str]) -> list[int]:
        hashes = np.fromiter((class_hash(word) if word else 0 for word in classes), dtype=np.uint64, count=len(classes))
        vocabulary = self._index.vocabulary
        at = np.minimum(np.searchsorted(vocabulary, hashes), len(vocabulary) - 1)
        found: list[int] = np.where(vocabulary[at] == hashes, hashes, np.uint64(0)).tolist()
        return found

    # --- names -----------------------------------------------------------------------------------------------------------

    def _walk(self, words: Words) -> _Found:
        """All names in the text, longest or not."""
        parts = [part for start in range(0, len(words.starts), _BLOCK) for part in self._walk_block(words, start)]
        if not parts:
            none, no_bits = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
            return _Found(none, none, none, none, no_bits, no_bits)
        return _Found(*(np.concatenate(column) for column in zip(*parts, strict=True))).sorted()

    def _walk_block(self, words: Words, start: int) -> list[tuple[Ints, Ints, Ints, Ints, Hashes, Hashes]]:
        """The names that begin at some of the words. All of them are followed at once, one word further each time."""
        index = self._index
        count = len(words.starts)
        origin = np.arange(start, min(start + _BLOCK, count))
        at = origin  # the word to read next
        state, bent = np.zeros(0, dtype=np.uint64), np.zeros(len(origin), dtype=np.int64)
        capitals, crossed = np.zeros(len(origin), dtype=np.uint64), np.zeros(len(origin), dtype=np.uint64)
        found = []
        depth = 0
        while len(origin):
            ways = []
            for column, step, bend in ((words.classes, 1, 0), (words.joined, 2, 0), (words.others, 1, 1)):
                here = column[at]
                live = here.nonzero()[0]
                if not len(live):
                    continue
                hashes = further(state[live], here[live]) if depth else first(here[live])
                places = table.look(index.keys, hashes)
                hit = (places >= 0).nonzero()[0]
                if not len(hit):
                    continue
                live = live[hit]
                own = words.capitals[at[live]].astype(np.uint64) << np.uint64(depth) if step == 1 else np.uint64(0)
                values = index.values[places[hit]]
                ways.append(
                    (origin[live], at[live] + step, hashes[hit], values, bent[live] + bend, capitals[live] | own, crossed[live])
                )
            if not ways:
                break
            origin, at, state, values, bent, capitals, crossed = (np.concatenate(column) for column in zip(*ways, strict=True))
            named = (values > 1).nonzero()[0]
            groups = (values[named] >> 1).astype(np.int64) - 1
            fits = ((index.needed[groups] & ~capitals[named]) == 0) & ((crossed[named] & ~index.crossed[groups]) == 0)
            named, groups = named[fits], groups[fits]
            found.append((origin[named], at[named] - 1, bent[named], groups, capitals[named], crossed[named]))
            on = (((values & 1) != 0) & (at < count)).nonzero()[0]
            on = on[~words.parted[at[on]]]
            origin, at, state, bent, capitals, crossed = origin[on], at[on], state[on], bent[on], capitals[on], crossed[on]
            crossed = crossed | (words.crossed[at].astype(np.uint64) << np.uint64(depth))
            depth += 1
        return found

    def _senses(self, readings: tuple[_Way, ...]) -> tuple[Sense, ...]:
        """What the names of some groups mean, as far as they may be written so."""
        found = []
        for group, capitals, crossed in readings:
            for row in self._index.rows(group):
                place = bisect_right(self._offsets, row) - 1
                concept, name = self.stack[place].sense(row - self._offsets[place])
                if _may_be_written(name.text, capitals, crossed):
                    found.append((place, name.scope > 1, name.rank, name.scope, concept.id, Sense(concept, name, place)))
        once: dict[tuple[int, str], Sense] = {}
        for *_, sense in sorted(found, key=lambda row: row[:-1]):
            once.setdefault((sense.ontology, sense.concept.id), sense)
        return tuple(once.values())


def _may_be_written(name: str, capitals: int, crossed: int) -> bool:
    """Whether a name can be meant where so many words are in capitals and such gaps have hard marks in them."""
    # Where at most the first letter is a capital there is no acronym.
    small = name.isascii() and name[1:].islower()
    return (small or not capitals_needed(names.words(name)) & ~capitals) and not (crossed and crossed & ~gaps_crossed(name))


class _Spread(NamedTuple):
    """Mentions before they are made: where they stand in the text as it is read, and what is told of them."""

    starts: Ints
    ends: Ints
    told: list[_Told]

    def without(self, rows: Ints) -> _Spread:
        keep = np.ones(len(self.told), dtype=bool)
        keep[rows] = False
        return _Spread(self.starts[keep], self.ends[keep], [self.told[i] for i in np.flatnonzero(keep).tolist()])

    def with_more(self, more: list[tuple[int, int, tuple[Sense, ...]]], nested: bool) -> _Spread:
        """Others too, but for those inside what was found; what was found inside them is no longer the longest."""
        more = sorted(more, key=lambda one: (one[0], -one[1]))
        starts, ends = (np.array([one[i] for one in more], dtype=np.int64) for i in (0, 1))
        fresh = ~_inside(starts, ends, self.starts, self.ends)
        fresh[1:] &= ends[1:] > np.maximum.accumulate(ends)[:-1]
        starts, ends = starts[fresh], ends[fresh]
        told = [_Told(more[i][2], misspelt=True, bent=False, is_longest=True) for i in np.flatnonzero(fresh).tolist()]
        shorter = np.flatnonzero(_inside(self.starts, self.ends, starts, ends))
        old = list(self.told)
        for i in shorter.tolist():
            old[i] = replace(old[i], is_longest=False)
        kept = self._replace(told=old) if nested else self._replace(told=old).without(shorter)
        starts, ends, told = np.append(kept.starts, starts), np.append(kept.ends, ends), kept.told + told
        order = np.lexsort((-ends, starts))
        return _Spread(starts[order], ends[order], [told[i] for i in order.tolist()])


def _all_of(meant: tuple[tuple[int, tuple[Sense, ...]], ...]) -> tuple[Sense, ...]:
    """The meanings of several names that stand in one place."""
    return tuple({(sense.ontology, sense.concept.id): sense for _, senses in reversed(meant) for sense in senses}.values())


def _inside(starts: Ints, ends: Ints, other_starts: Ints, other_ends: Ints) -> NDArray[np.bool_]:
    """Which spans lie in one of others, which are sorted."""
    reached = np.append(-1, np.maximum.accumulate(other_ends))
    return np.asarray(reached[np.searchsorted(other_starts, starts, side="right")] >= ends)


@dataclass(frozen=True, slots=True)
class _Found:
    """Names in a text, by their first and last word.

    One span may be read in several ways: "non-Hodgkin" as two words or one. A way is the more `bent` the more of its words
    in capitals are taken for common ones ("HEARING AIDS"); only the least bent ones count.
    """

    firsts: Ints
    lasts: Ints
    bent: Ints
    groups: Ints
    capitals: Hashes
    crossed: Hashes

    def sorted(self) -> _Found:
        """By first word, the longest first, the least bent first."""
        # No name is longer than 64 words; one number to sort by is faster than three.
        order = np.argsort((self.firsts << 12) + ((self.firsts - self.lasts + 64) << 6) + self.bent, kind="stable")
        return _Found(*(getattr(self, name)[order] for name in self.__slots__))

    def spans(self, misspelt: NDArray[np.bool_], nested: bool) -> _Spans:
        """The spans, each by the row of its best reading; without `nested` those that lie in no longer one."""
        others = np.append(True, (np.diff(self.firsts) != 0) | (np.diff(self.lasts) != 0))[: len(self.firsts)]
        longest = np.append(True, self.lasts[1:] > np.maximum.accumulate(self.lasts)[:-1])[: len(self.lasts)]
        worse = np.append(np.flatnonzero(others[1:] | (np.diff(self.bent) != 0)) + 1, len(self.firsts))
        rows = np.flatnonzero(others if nested else longest)
        wrong = np.append(0, np.cumsum(misspelt))
        return _Spans(
            self,
            rows,
            worse[np.searchsorted(worse, rows, side="right")] if len(rows) else rows,
            longest[rows],
            wrong[self.lasts[rows] + 1] > wrong[self.firsts[rows]],
            self.bent[rows] > 0,
        )


@dataclass(frozen=True, slots=True)
class _Spans:
    """Where names are found, without the ways to read them that are worse than others."""

    found: _Found
    rows: Ints  #: of the best reading
    behind: Ints  #: the row after the last reading that is as good
    longest: NDArray[np.bool_]
    misspelt: NDArray[np.bool_]
    bent: NDArray[np.bool_]

    def readings(self) -> list[tuple[_Way, ...]]:
        """The best readings of each span."""
        return list(map(self._ways, range(len(self.rows))))

    def keys(self) -> list[_Key]:
        """What each span is told by: its best readings, and whether it is misspelt, bent and the longest.

        That is one number where it is read in one way, without capitals and hard marks, as nearly all are.
        """
        found, rows = self.found, self.rows
        flags = self.misspelt * 4 + self.bent * 2 + self.longest
        made: list[_Key] = (found.groups[rows] << 3 | flags).tolist()
        others = (found.capitals[rows] | found.crossed[rows] != 0) | (self.behind - rows > 1)
        for span in np.flatnonzero(others).tolist():
            made[span] = self._ways(span), int(flags[span])
        return made

    def _ways(self, span: int) -> tuple[_Way, ...]:
        some, found = slice(self.rows[span], self.behind[span]), self.found
        return tuple(zip(*(column[some].tolist() for column in (found.groups, found.capitals, found.crossed)), strict=True))
