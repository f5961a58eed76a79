"""What an ambiguous name means where it stands: "crack" the drug, or in the wall.

A name that its ontology marks as ambiguous counts as a concept only when the words around it speak for that concept more than
against it. A name that is not so marked counts unless they speak against it. Its own sentence decides; the paragraph
and the text are asked when the sentence says little. What spoke, where and how much is kept for the explanation.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from kgsan.knowledge.kept import Kept
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.ontology.inflection import fold
from kgsan.ontology.ontology import Name
from kgsan.risk.kin import A_PERSON, CUE, Kinship, Speaks
from kgsan.risk.kin import Counts as Counts
from kgsan.risk.likeness import Likeness, place
from kgsan.risk.meant import described, meanings
from kgsan.risk.reading import BySenses
from kgsan.risk.remembered import memory
from kgsan.risk.signs import of_evidence, of_knowledge, of_name, of_place, weigh
from kgsan.risk.usual import usually
from kgsan.sources.records import Scope
from kgsan.text.everyday import FUNCTION_WORDS, everyday_words
from kgsan.text.expected import expectations
from kgsan.text.index import capitals_needed
from kgsan.text.mentions import Sense
from kgsan.text.proper import PERSON
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.ontology.ontology import Concept
    from kgsan.risk.signs import Sign
    from kgsan.text.document import Document
    from kgsan.text.mentions import Mention

#: By so much more evidence another meaning of the same vocabulary is the one that is meant.
_FAR_MORE = 4.0
#: Letters each with a point, as in A.A.
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}")
#: Without knowledge an ambiguous name needs so much support: one clear word in its sentence or paragraph, two elsewhere.
ENOUGH = 0.5
#: So much may be said against a name that is marked as ambiguous, against one that is not, and against a word that was
#: counted with a concept: a leak is worse than a word too much. Half as much against a name written as another is: Cancer.
_OF_MARKED, _OF_UNMARKED, _OF_COUNTED = 0.3, 1.6, 0.5
#: Signs that come to something between these are not sure: what is read in the words around counts too. And what each counts.
_UNSURE, _OF_SIGNS, _AS_READ = (-1.5, 0.3), 0.42, 0.67
#: What a concept counts by where it stands.
_SENTENCE, _PARAGRAPH, _DOCUMENT = 1.0, 0.6, 0.25
#: How many mentions and cues before and behind are looked at, and how many words that knowledge is asked about.
_NEAR, _REACH = 40, 20
_LONGEST_WORD = 48
#: So many words are kept with what they are compared by.
_KEPT, _KEPT_CONCEPTS = 1 << 14, 1 << 12
#: What a unit of log-odds counts beside the name; at this distance in words it counts half.
_PER_LOG_ODDS, _HALF = 0.36, 5
#: A cue so many words before the name governs it: "treated for crabs".
_GOVERNS = 3
#: A cue beyond one of these marks speaks of something else more often than not.
_PARTING = frozenset(";:()")
_BEYOND = 0.5
#: What it counts against a name that it is not written so, or is no noun here.
_OTHERWISE, _NOT_SO_USED = 0.5, 0.6
#: And that it is said of something else ("termination of the lease"), is done to it ("using a frame"), or that an adjective
#: goes on ("positive about"); unless the other thing belongs to the concept, as it does from the first of these log-odds on.
_BELONGS = 0.7
_OF_ANOTHER, _DONE_TO, _GOES_ON = 1.1, 0.9, 0.9
_GOING_ON = frozenset({"about", "that", "to", "than"})
#: "She is", before what a person may be.
#: Words for whole fields. They speak for half a dictionary, and are what stands where something was hidden: what a text means
#: must not change because of them.
_PLAIN = frozenset(
    """disease disorder condition illness sickness infection medication medicine drug procedure treatment therapy organization
    institution person test symptom sign activity behavior facility place region religion belief practice group equipment
    substance characteristic document""".split()
)
#: Behind these a word in capitals is what somebody has, whatever else is in capitals: HISTORY OF AIDS, not SCHOOL AIDS FAMILIES.
_SAID_OF_PEOPLE = frozenset({"OF", "WITH", "FROM", "HAS", "HAD", "HAVE", "HAVING", "BLOWN"})
_ARTICLES = frozenset({"a", "an", "the", "this", "that"})
_COPULA, _SUBJECT = frozenset({"is", "was", "am", "are", "were", "'s", "'m", "'re"}), frozenset({"PRP", "WP"})
#: Tags under which a noun of an ontology does not stand, and those of the words in a noun phrase behind "of".
_NOT_A_NOUN = frozenset(
    i for i, tag in enumerate(TAGS) if tag.startswith(("VB", "MD", "IN", "RB", "DT", "PRP", "WDT", "CC", "TO"))
)
_FIRST = itemgetter(0)
_IN_A_PHRASE = ("NN", "JJ", "DT", "PRP", "CD", "VBN", "VBG", "POS")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One word that speaks for a sense: where it stands, how, through which concept or relation, and how much it counts."""

    start: int
    end: int
    speaks: Speaks
    through: str = field(repr=False)
    weight: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention counts as a concept, and why."""

    counts: bool
    ambiguous: bool  #: whether it had to be asked at all
    support: float
    rival_support: float
    evidence: tuple[Evidence, ...] = ()
    rival: str = field(default="", repr=False)  #: the id of the concept that else is meant
    rival_evidence: tuple[Evidence, ...] = ()  #: what speaks against it, or for the rival
    signs: dict[str, Sign] = field(default_factory=dict, repr=False, compare=False)  #: what was weighed, if it was
    concept: str = field(default="", repr=False, compare=False)  #: the id of the concept that it was weighed for

    @property
    def leans_to_it(self) -> bool:
        """Whether at least as much speaks for the sense as against it: the benefit of the doubt is not counted."""
        return self.support >= self.rival_support


@dataclass(frozen=True, eq=False, repr=False)
class Around:
    """The other mentions of a paragraph, as they stand to one of them. Shows no words when printed."""

    others: Sequence[tuple[Mention, float, str]] = ()  #: each with what its place counts, and what it is compared by
    labels: Sequence[tuple[Mention, str]] = ()  #: those that announce it: they stand directly before it, with a colon

    @cached_property
    def meant(self) -> dict[int, list[tuple[int, float, Sense, Mention, str]]]:
        """What they may mean, for each ontology: the concept, what it counts, and who means it."""
        found: dict[int, list[tuple[int, float, Sense, Mention, str]]] = defaultdict(list)
        for other, nearness, written in self.others:
            for sense in other.senses:
                if counts := nearness * _quality(sense):
                    found[sense.ontology].append((sense.concept.number, counts, sense, other, written))
        return found


class _Near(NamedTuple):
    """A name or word near a mention: itself, where it stands, and how many words away."""

    word: str
    start: int
    end: int
    distance: int
    inside: bool  #: of the same sentence

    def __repr__(self) -> str:
        return f"<word at {self.start}-{self.end}>"


class SenseGuard(Kinship):
    """Judges senses by the ontologies of a stack and, when given, by knowledge. Safe to share between threads."""

    @cached_property
    def likeness(self) -> Likeness:
        """The concepts by the company that their names keep."""
        return Likeness(self.stack)

    @cached_property
    def described(self) -> Callable[[int, int], str]:
        """What a concept is, in words."""
        return lru_cache(maxsize=_KEPT_CONCEPTS)(lambda place, number: described(self.stack[place], number))

    @cached_property
    def keys(self) -> Kept[str, str]:
        """What words of texts are compared by."""
        return Kept(_KEPT, lambda _: 1)

    @cached_property
    def surely(self) -> BySenses[tuple[tuple[int, int], ...]]:
        """The concepts that a name means without being asked."""
        return BySenses(lambda senses: tuple(_where(sense) for sense in senses if _quality(sense) == 1.0))

    def read(self, document: Document, mentions: Sequence[Mention]) -> SenseReader:
        """The guard at work on one text, whose mentions are given in order."""
        return SenseReader(self, document, mentions)


class SenseReader:
    """The guard at work on one text."""

    def __init__(self, guard: SenseGuard, document: Document, mentions: Sequence[Mention]) -> None:
        self._guard = guard
        self._document = document
        self._mentions = mentions
        self._starts = [mention.start for mention in mentions]
        self._keys = guard.keys
        # Single numbers are had faster of these than of the arrays.
        self._tags, self._begins, self._ends = document.tags.data, document.token_starts.data, document.token_ends.data

    def verdict(self, mention: Mention, sense: Sense) -> Verdict:
        """Whether a mention counts in one of its senses."""
        guard = self._guard
        if self._is_otherwise(mention, sense):
            return Verdict(False, True, 0.0, 1.0)
        kin, rivals = self.meanings(sense, mention)
        if (guard.is_dictionary(sense.ontology) and self._is_common(mention, sense)) or self._is_one_of_many(
            mention, sense, rivals
        ):
            return Verdict(False, True, 0.0, 1.0)  # two queens, a Manhattan
        # A dictionary's second meaning is no first guess. Else the first ontology that knows the name decides.
        decisive = min(kin, key=lambda one: (one.ontology, one.name.scope))
        marked = (
            decisive.name.scope > Scope.EXACT
            or sense.name.rank > 0
            or self._is_shouted(mention, sense)
            or self._is_used_otherwise(mention, sense)
        )
        # Another meaning of the same field is none: the bacterium of the infection. But adjectives are used figuratively.
        one_meaning = all(
            guard.likeness.are_alike(_where(sense), _where(rival))
            or self._is_that_person(mention, sense, rival)
            or self._is_written_small(mention, sense, rival)
            for rival in rivals
        )
        if not marked and one_meaning and not self._describes_another(mention):
            return Verdict(True, False, 0.0, 0.0)
        near = self._near(mention)
        evidence = max((self._evidence(mention, other, near) for other in kin), key=_total)
        for other in sorted(kin, key=lambda one: (one.ontology, one.name.scope, one is not sense)):
            # Of dictionaries and lists of places nothing was learned.
            if not guard.is_dictionary(other.ontology) and guard.field(other.ontology, other.concept.number) is not None:
                verdict = self._weighed(mention, other, (kin, rivals), marked, evidence, near)
                return self._against_its_rivals(verdict, mention, other, (kin, rivals), near) if verdict.counts else verdict
        rival = ""
        against: tuple[Evidence, ...] = ()
        for other in rivals:
            found = self._evidence(mention, other, near)
            if _total(found) > _total(against):
                rival, against = other.concept.id, found
        if marked:
            against += tuple(self._usage(mention, sense, marked, evidence))
        support, rival_support = _total(evidence), _total(against)
        counts = support >= max(ENOUGH, rival_support) if marked else support >= rival_support or rival_support < ENOUGH
        return Verdict(counts, True, support, rival_support, evidence, rival, against)

    def _against_its_rivals(
        self,
        verdict: Verdict,
        mention: Mention,
        sense: Sense,
        meanings: tuple[list[Sense], list[Sense]],
        near: Around,
    ) -> Verdict:
        """The verdict, unless far more speaks for another meaning in the same vocabulary: of lymphoma one relapses otherwise."""
        kin, rivals = meanings
        for rival in rivals:
            where = rival.ontology, rival.concept.number
            if rival.ontology == sense.ontology and self._guard.field(*where) is not None:
                others = [rival], [one for one in (*kin, *rivals) if one is not rival]
                weighed = self._weighed(mention, rival, others, True, self._evidence(mention, rival, near), near)
                if weighed.support - verdict.support >= _FAR_MORE:
                    return replace(verdict, counts=False, rival=rival.concept.id, rival_support=weighed.support)
        return verdict

    def _is_otherwise(self, mention: Mention, sense: Sense) -> bool:
        """Whether what stands here only looks like the name: in a person's name, in the singular, or words for initials."""
        if mention.misspelt and self._is_of_a_person(mention):
            return True  # Marisol Quade, who is no Marinol
        if sense.name.scope > Scope.EXACT and self._is_one_only(mention, sense):
            return True  # a crab
        if self._goes_on_innocently(mention):
            return True
        written = self._document.text[mention.start : mention.end]
        is_scattered = " " in written and not written.isupper()
        return is_scattered and _INITIALS.fullmatch(sense.name.text) is not None  # "a -- a" is not A.A.

    def _goes_on_innocently(self, mention: Mention) -> bool:
        """Whether an expression begins within a name and goes on behind it: rolled a *joint* venture."""
        first, last = bisect_left(self._starts, mention.start + 1), bisect_left(self._starts, mention.end)
        return any(one.end > mention.end and self._guard.are_expression(one.senses) for one in self._mentions[first:last])

    def _is_of_a_person(self, mention: Mention) -> bool:
        """Whether a word stands in the name of a person, beside another word that is a name and nothing else.

        A single word may be taken for a person for want of better: "Chlamidia was found".
        """
        for name in self._document.proper_names:
            if name.kind == PERSON and name.start <= mention.start and mention.end <= name.end:
                text = self._document.text
                others = f"{text[name.start : mention.start]} {text[mention.end : name.end]}".split()
                return any(word[:1].isupper() and word.isalpha() and word.lower() not in everyday_words() for word in others)
        return False

    def _is_one_only(self, mention: Mention, sense: Sense) -> bool:
        """Whether a name that has its other meaning in the plural only stands here in the singular: "the shakes", "a shake"."""
        *_, written = self._document.text[mention.start : mention.end].lower().split() or [""]
        *_, plural = sense.name.text.lower().split()
        return plural in (f"{written}s", f"{written}es") and not written.endswith("s")

    def _is_that_person(self, mention: Mention, sense: Sense, rival: Sense) -> bool:
        """Whether a word for a person has no other meaning here, whatever a dictionary lists: rabbi, and Rabbi as a title.

        The first meaning of the dictionary must be a person as well; a proper name is none that is written as a common noun.
        """
        guard = self._guard
        if not (guard.is_dictionary(rival.ontology) and guard.means_person(sense) and guard.is_person(mention)):
            return False
        if not rival.name.text[:1].isupper():
            return rival.name.rank == 0
        at, document = self._document.token_at(mention.end - 1) + 1, self._document
        begins = _span_at(document.sentences, mention.start)[0] >= mention.start - 1
        before_a_name = at < len(document.words) and document.words[at].istitle() and self._tag(at).startswith("NNP")
        return document.text[mention.start : mention.end].islower() or begins or before_a_name

    def _is_written_small(self, mention: Mention, sense: Sense, rival: Sense) -> bool:
        """Whether a dictionary writes the other meaning in small letters, and the capital here is none of a heading: Quakers."""
        if not self._guard.is_dictionary(rival.ontology) or not rival.name.text[:1].islower():
            return False
        written = self._document.text[mention.start : mention.end]
        if not (written.istitle() and sense.name.text.istitle()):
            return False
        return not self._begins_a_sentence(mention) and not self._is_in_a_heading(mention)

    def _is_common(self, mention: Mention, sense: Sense) -> bool:
        """Whether an everyday word stands here in small letters which the ontology has as a name, with a capital."""
        written = self._document.text[mention.start : mention.end]
        return (
            written.islower()
            and sense.name.text[:1].isupper()
            and (written in everyday_words() or fold(written) in everyday_words())
        )

    def _is_one_of_many(self, mention: Mention, sense: Sense, rivals: Sequence[Sense]) -> bool:
        """Whether the name of a place stands behind "a" or "an" by itself, and is a common noun of the dictionary besides."""
        if not sense.concept.id.startswith("places:") and not self._guard.is_dictionary(sense.ontology):
            return False
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        if not first or self._document.words[first - 1].lower() not in ("a", "an") or not sense.name.text[:1].isupper():
            return False
        goes_on = self._document.text[mention.end : mention.end + 1] == "-" or self._tag(last + 1).startswith(("NN", "JJ"))
        return not goes_on and any(self._guard.is_dictionary(one.ontology) and one.name.text.islower() for one in rivals)

    def speaks_of(self, mention: Mention, place: int, concept: Concept) -> bool:
        """Whether a word that was counted with a concept may speak of it here; not if a dictionary's other meaning is meant."""
        rivals = [one for one in mention.senses if self._guard.is_dictionary(one.ontology)]
        written = self._document.text[mention.start : mention.end]
        if not rivals or not written.islower() or self._guard.field(place, concept.number) is None:
            return True
        sense, near = Sense(concept, Name(written, Scope.AMBIGUOUS), place), self._near(mention)
        stated = self._evidence(mention, sense, near)
        # A reader of the words around knows what a word means, not what it speaks of.
        verdict = self._weighed(mention, sense, ([sense], rivals), True, stated, near, is_read=False)
        return verdict.rival_support < _OF_COUNTED

    def _weighed(
        self,
        mention: Mention,
        sense: Sense,
        meanings: tuple[list[Sense], list[Sense]],
        marked: bool,
        stated: tuple[Evidence, ...],
        near: Around,
        *,
        is_read: bool = True,
    ) -> Verdict:
        """The verdict where knowledge tells of every word how well it goes with the concept: by weights that were learned."""
        words = self._words_near(mention, near)
        usage = [*self._usage(mention, sense, True, stated), *self._continuation(mention, sense)]
        inside, outside = (
            self._by_knowledge(mention, sense, [one for one in words if one.inside is side]) for side in (True, False)
        )
        found = self._signs(mention, sense, meanings, stated, usage, near)
        found |= of_knowledge(inside, "in the sentence") | of_knowledge(outside, "outside")
        total = weigh(found)
        counted = [*inside, *outside]
        if is_read and _UNSURE[0] < total < _UNSURE[1]:
            read = self._as_read(mention, sense)
            counted.append(read)
            total = round(_OF_SIGNS * total + read.weight, 6)
        evidence = tuple(sorted((*stated, *(one for one in counted if one.weight > 0)), key=_weightiest))
        against = sorted((*usage, *(_times(one, -1.0) for one in counted if one.weight < 0)), key=_weightiest)
        # A rare word without another meaning is as sure as an unmarked one: eruv, benzos.
        rare = not meanings[1] and not mention.misspelt and _is_rare(self._document.text[mention.start : mention.end])
        doubted = marked and not rare
        allowed = _OF_MARKED if doubted else _OF_UNMARKED / 2 if found.get("rival written so") else _OF_UNMARKED
        counts = total >= -allowed
        return Verdict(counts, True, max(total, 0.0), max(-total, 0.0), evidence, "", tuple(against), found, sense.concept.id)

    def _as_read(self, mention: Mention, sense: Sense) -> Evidence:
        """What a reader of the words around takes the mention for."""
        concept = self._guard.described(sense.ontology, sense.concept.number)
        told = _AS_READ * meanings().leaning(self._document.text, mention.start, mention.end, concept)
        speaks = Speaks.READ if told > 0 else Speaks.READ_OTHERWISE
        return Evidence(mention.start, mention.end, speaks, sense.concept.id, told)

    def _signs(
        self,
        mention: Mention,
        sense: Sense,
        meanings: tuple[list[Sense], list[Sense]],
        stated: tuple[Evidence, ...],
        usage: list[Evidence],
        near: Around,
    ) -> dict[str, Sign]:
        """What the name, its place and the concepts and cues around it tell."""
        kin, rivals = meanings
        document, guard, key = self._document, self._guard, self._written(mention)
        written = document.text[mention.start : mention.end]
        scope = min(kin, key=lambda one: (one.ontology, one.name.scope)).name.scope
        governing = frozenset(one.start for one in stated if one.speaks is Speaks.CUE and self._governs(one, mention))
        sentence, paragraph = (_span_at(spans, mention.start) for spans in (document.sentences, document.paragraphs))
        found: dict[str, Sign] = {}
        found |= of_name(sense, int(scope), written, key, len(rivals)) | of_evidence(stated, usage, governing, sentence)
        prior = guard.prior(sense.ontology, sense.concept.number, key)
        usual = usually(key, [one.concept.id for one in (sense, *kin)])
        first, last = document.token_at(mention.start), document.token_at(mention.end - 1)
        before = document.words[first - 1].lower() if first else ""
        found |= {
            "usual": usual or 0.0,
            "never judged": float(usual is None),
            "prior": prior or 0.0,
            "no prior": float(prior is None),
            "shouted": float(self._is_shouted(mention, sense)),
            "noun": float(self._tag(last).startswith("NN")),
            "verb": float(self._tag(last).startswith("VB")),
            "adjective": float(self._tag(last).startswith("JJ")),
            "noun behind": float(self._tag(last + 1).startswith("NN")),
            "noun before": float(self._tag(first - 1).startswith("NN")),
            "adjective before": float(self._tag(first - 1).startswith("JJ")),
            "of": float(last + 1 < len(document.words) and document.words[last + 1].lower() == "of"),
            "article": float(before in _ARTICLES),
            "whose": float(self._tag(first - 1) == "PRP$"),
        }
        if rivals:
            so = "against, capital" in found and any(one.name.text == written for one in rivals)
            found["rival written so"] = float(so)  # Cancer, of the zodiac
            found["rival evidence"] = max(_total(self._evidence(mention, one, near)) for one in rivals)
        bounds = [(document.token_at(start), document.token_at(end - 1) + 1) for start, end in (paragraph, sentence)]
        here = place(self._numbers, first, last, *bounds)
        own, *others = map(_where, (sense, *kin, *rivals))
        found |= memory().leaning(key, sense.concept.id, here.views)
        return found | of_place(guard.likeness, here, own, others[: len(kin)], others[len(kin) :], written)

    @cached_property
    def _numbers(self) -> list[int]:
        """The words of the text, as the vectors number them."""
        return expectations().numbers(self._document.words)

    def _governs(self, evidence: Evidence, mention: Mention) -> bool:
        """Whether a cue stands right before the name: what it says is then said of a thing, whatever the tagger takes it for."""
        return 0 < self._document.token_at(mention.start) - self._document.token_at(evidence.start) <= _GOVERNS

    def meanings(self, own: Sense, mention: Mention) -> tuple[list[Sense], list[Sense]]:
        """The senses that mean the same thing as one of them, and those that mean another.

        Another meaning is a sense of the same ontology or of a dictionary that is not near of kin. Vocabularies of a
        field do not speak of other fields: what they call by this name is taken for the same. But what a list of places
        or a dictionary calls so need not be theirs: Sisters, Oregon.
        """
        guard = self._guard
        called = guard.called(own.ontology, own.concept.number)
        same: list[Sense] = [own]
        others: list[Sense] = []
        for sense in mention.senses:
            if sense == own:
                continue
            if sense.ontology == own.ontology:
                known = guard.family(own.ontology, own.concept.number).get(sense.concept.number)
                (others if known is None else same).append(sense)
            elif not guard.is_dictionary(sense.ontology) and not guard.is_dictionary(own.ontology):
                same.append(sense)
            else:
                shared = called & guard.called(sense.ontology, sense.concept.number)
                (same if len(shared) > 1 else others).append(sense)
        return same, [sense for sense in others if not any(self._are_kin(sense, friend) for friend in same)]

    def _are_kin(self, one: Sense, other: Sense) -> bool:
        return one.ontology == other.ontology and other.concept.number in self._guard.family(one.ontology, one.concept.number)

    # --- how the name is used ----------------------------------------------------------------------------------------

    def _usage(self, mention: Mention, sense: Sense, marked: bool, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
        """What speaks against a sense in how its name is written and used."""
        written = self._document.text[mention.start : mention.end]
        # A name that is not marked may be written without its capitals: catholic church.
        if (marked or (written.isalpha() and written.istitle())) and self._is_written_otherwise(mention, sense):
            yield Evidence(mention.start, mention.end, Speaks.CAPITAL, sense.concept.id, _OTHERWISE)
        governed = any(one.speaks is Speaks.CUE and self._governs(one, mention) for one in evidence)
        if marked and not governed and self._is_no_noun(mention):
            yield Evidence(mention.start, mention.end, Speaks.GRAMMAR, sense.concept.id, _NOT_SO_USED)

    def _continuation(self, mention: Mention, sense: Sense) -> Iterator[Evidence]:
        """What makes another thing of the name: "termination of the lease", "using a frame", "positive about"."""
        last = self._document.token_at(mention.end - 1)
        words, starts, ends = self._document.words, self._begins, self._ends
        end = _span_at(self._document.sentences, mention.start)[1]
        following = words[last + 1].lower() if last + 1 < len(words) else ""
        wants = following == "to" and self._tag(last).startswith("NN") and self._tag(last + 2) == "VB"
        if wants or (following in _GOING_ON and self._tag(last).startswith("JJ")):
            yield Evidence(starts[last + 1], ends[last + 1], Speaks.GRAMMAR, sense.concept.id, _GOES_ON)
        of, done_to = following == "of", self._tag(last).startswith("VB")
        head = self._head_behind(last + 2 if of else last + 1, end) if of or done_to else None
        if head is not None and (self._leaning(mention, sense, words[head]) or 0.0) < _BELONGS:
            weight = _OF_ANOTHER if of else _DONE_TO
            yield Evidence(starts[head], ends[head], Speaks.OF_ANOTHER, sense.concept.id, weight)

    def _leaning(self, mention: Mention, sense: Sense, word: str) -> float | None:
        return self._guard.leaning(sense.ontology, sense.concept.number, self._written(mention), self._key(word))

    def _head_behind(self, at: int, end: int) -> int | None:
        """The last noun of the first run of nouns in the phrase that begins at a token."""
        found = None
        for i in range(at, min(at + 6, len(self._document.words))):
            tag = self._tag(i)
            if self._begins[i] >= end or not tag.startswith(_IN_A_PHRASE):
                break
            if tag.startswith("NN"):
                found = i
            elif found is not None:
                break
        return found

    def _tag(self, token: int) -> str:
        return TAGS[self._tags[token]] if 0 <= token < len(self._tags) else ""

    def _is_no_noun(self, mention: Mention) -> bool:
        """Whether a noun of a dictionary is used as a verb or particle here: "to crack", "they clap"."""
        first = self._document.token_at(mention.start)
        whole = first < len(self._ends) and self._ends[first] >= mention.end
        known = any(self._guard.is_dictionary(sense.ontology) for sense in mention.senses)
        shouted = self._document.text[mention.start : mention.end].isupper()  # taggers know little of capitals
        return whole and known and not shouted and self._tags[first] in _NOT_A_NOUN

    def _describes_another(self, mention: Mention) -> bool:
        """Whether a name of one word stands as an adjective before a noun: "a schizophrenic policy"."""
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        return first == last and self._tag(first).startswith(("JJ", "VB")) and self._tag(first + 1).startswith("NN")

    def _is_used_otherwise(self, mention: Mention, sense: Sense) -> bool:
        """Whether an adjective has lost its capital ("her tastes are catholic"), or is no illness: "her anxiety to finish"."""
        last = self._document.token_at(mention.end - 1)
        written = self._document.text[mention.start : mention.end]
        if written.isalpha() and written.islower() and sense.name.text.istitle() and self._tag(last).startswith("JJ"):
            return not self._tag(last + 1).startswith("NN") and self._is_written_otherwise(mention, sense)
        return self._tag(last).startswith("NN") and self._tag(last + 1) == "TO" and self._tag(last + 2) == "VB"

    def _is_shouted(self, mention: Mention, sense: Sense) -> bool:
        """Whether everything around is in capitals too, so that they do not tell an acronym from a word: VISUAL AIDS."""
        if not capitals_needed(names.words(sense.name.text)):
            return False
        before = self._document.token_at(mention.start) - 1
        if before >= 0 and self._document.words[before] in _SAID_OF_PEOPLE:
            return False
        words = [word for word in self._words_of_sentence(mention) if word.isalpha() and len(word) > 1]
        return len(words) > 2 and sum(map(str.isupper, words)) > 0.8 * len(words)

    def _is_written_otherwise(self, mention: Mention, sense: Sense) -> bool:
        """Whether a word of a name has a capital here and none in the ontology, or the other way round: Coke, polish."""
        written, named = (names.words(text) for text in (self._document.text[mention.start : mention.end], sense.name.text))
        if len(written) != len(named) or all(word.isupper() for word in written):
            return False
        pairs = list(zip(written, named, strict=True))[1 if self._begins_a_sentence(mention) else 0 :]
        if all(mine[0].isupper() == theirs[0].isupper() or (theirs.isupper() and len(theirs) > 1) for mine, theirs in pairs):
            return False  # also an acronym in small letters: an std
        return not self._is_in_a_heading(mention)

    def _begins_a_sentence(self, mention: Mention) -> bool:
        return _span_at(self._document.sentences, mention.start)[0] >= mention.start - 1

    def _is_in_a_heading(self, mention: Mention) -> bool:
        """Whether most words around have a capital, so that it tells nothing."""
        words = [word for word in self._words_of_sentence(mention) if word.isalpha()]
        return sum(word[0].isupper() for word in words) > 0.5 * len(words)

    def _words_of_sentence(self, mention: Mention) -> list[str]:
        at = self._document.token_at(mention.start)
        sentence = _span_at(self._document.sentences, mention.start)
        return [self._document.words[i] for i in self._tokens(sentence, at - _NEAR, at + _NEAR)]

    def _tokens(self, span: tuple[int, int], first: int, last: int) -> range:
        """The tokens that begin in a part of the text, from one up to another."""
        begin, end = bisect_left(self._begins, span[0]), bisect_left(self._begins, span[1])
        return range(max(begin, first), min(end, last))

    # --- what speaks for a sense -------------------------------------------------------------------------------------

    def _evidence(self, mention: Mention, sense: Sense, near: Around) -> tuple[Evidence, ...]:
        """The words that speak for a sense, each distinct word once, the weightiest first."""
        best: dict[str, Evidence] = {}
        found = (
            *(
                self._by_concepts(place, number, near)
                for place, number in self._guard.counterparts(sense.ontology, sense.concept.number)
            ),
            self._by_label(sense, near),
            self._by_cues(mention, sense, near),
        )
        for evidence, word in chain.from_iterable(found):
            if word not in best or best[word].weight < evidence.weight:
                best[word] = evidence
        if _total(tuple(best.values())) < ENOUGH:
            best.update((str(evidence.start), evidence) for evidence in self._elsewhere(mention, sense))
        return tuple(sorted(best.values(), key=_weightiest))

    def _near(self, mention: Mention) -> Around:
        """The other mentions of the paragraph, each with what its place counts."""
        sentence = _span_at(self._document.sentences, mention.start)
        paragraph = _span_at(self._document.paragraphs, mention.start)
        own = self._written(mention)
        at = bisect_left(self._starts, mention.start)
        found = []
        for i in range(max(0, at - _NEAR), min(len(self._mentions), at + _NEAR + 1)):
            other = self._mentions[i]
            if not paragraph[0] <= other.start < paragraph[1] or (other.start < mention.end and mention.start < other.end):
                continue
            written = self._written(other)
            if written != own and written.lower() not in _PLAIN:
                found.append((other, _SENTENCE if sentence[0] <= other.start < sentence[1] else _PARAGRAPH, written))
        text = self._document.text
        before = [(one, written) for one, _, written in found if one.end <= mention.start]
        return Around(found, [one for one in before if text[one[0].end : mention.start].strip() == ":"])

    def _by_concepts(self, place: int, number: int, near: Around) -> Iterator[tuple[Evidence, str]]:
        family = self._guard.family(place, number)
        for meant, counts, sense, other, written in near.meant.get(place, ()):
            known = family.get(meant)
            if known is not None and known[0]:
                weight, speaks, through = known
                yield Evidence(other.start, other.end, speaks, through or sense.concept.id, weight * counts), written

    def _by_label(self, sense: Sense, near: Around) -> Iterator[tuple[Evidence, str]]:
        """A label directly before: "Religion: Friend", where anything more general announces it."""
        ontology = self._guard.stack[sense.ontology]
        for other, written in near.labels:
            for meant in other.senses:
                if meant.ontology == sense.ontology and ontology.generalizes(meant.concept, sense.concept):
                    yield Evidence(other.start, other.end, Speaks.LABEL, meant.concept.id, 1.0), written

    def _by_cues(self, mention: Mention, sense: Sense, near: Around) -> Iterator[tuple[Evidence, str]]:
        cues = self._guard.cues(sense.ontology, sense.concept.number)
        if not cues:
            return
        sentence = _span_at(self._document.sentences, mention.start)
        starts, ends, words = self._begins, self._ends, self._document.words
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        own = self._written(mention).split()
        for i in self._tokens(sentence, first - _NEAR, last + _NEAR):
            if i < first or i > last:
                word = self._key(words[i])
                if word not in own and (weight := cues.get(word)) is not None:
                    weight = CUE if 0 < first - i <= _GOVERNS else weight
                    if any(words[between] in _PARTING for between in range(min(i, last), max(i, first))):
                        weight *= _BEYOND
                    yield Evidence(starts[i], ends[i], Speaks.CUE, sense.concept.id, weight), word
        if A_PERSON in cues:
            if first > 1 and words[first - 1].lower() in _COPULA and self._tag(first - 2) in _SUBJECT:
                yield Evidence(starts[first - 2], ends[first - 2], Speaks.PERSON, sense.concept.id, CUE), words[first - 2]
            for other, _, written in near.others:
                if 0 <= other.start - mention.end <= 1 and self._guard.is_person(other):
                    yield Evidence(other.start, other.end, Speaks.PERSON, sense.concept.id, CUE), written

    def _words_near(self, mention: Mention, near: Around) -> list[_Near]:
        """The names and other words of the paragraph that may say something, each distinct one where it stands nearest."""
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        sentence = _span_at(self._document.sentences, mention.start)
        words, ends = self._document.words, self._ends
        own = set(self._written(mention).split())
        best: dict[str, _Near] = {}

        def add(word: str, start: int, end: int, at: int) -> None:
            if word.lower() in FUNCTION_WORDS or word.lower() in _PLAIN or not own.isdisjoint(word.split()):
                return
            distance = at - last if at > last else first - at
            if word not in best or distance < best[word].distance:
                best[word] = _Near(word, start, end, distance, sentence[0] <= start < sentence[1])

        covered = -1
        named = {other.start: (other.end, written) for other, _, written in near.others}
        paragraph = _span_at(self._document.paragraphs, mention.start)
        reach = self._tokens(paragraph, first - _REACH, last + _REACH + 1)
        for i, start in zip(reach, self._begins[reach.start : reach.stop].tolist(), strict=True):
            if (other := named.get(start)) is not None:
                end, written = other
                add(written, start, end, i)
                covered = max(covered, end)
            elif start >= covered and 2 < len(words[i]) < _LONGEST_WORD and words[i].isalpha() and not first <= i <= last:
                add(self._key(words[i]), start, ends[i], i)
        return list(best.values())

    def _by_knowledge(self, mention: Mention, sense: Sense, near: Sequence[_Near]) -> list[Evidence]:
        """What the words near by say of the concept, by how they go with it; below 0 what they say against it."""
        found = []
        power = 1.0  # a crowd of words says less than the sum of them, for they repeat each other
        for one in near:
            told = self._leaning(mention, sense, one.word)
            if told is not None:
                nearness = 1 / (1 + one.distance / _HALF)
                power += nearness**2
                if told:
                    speaks = Speaks.KNOWLEDGE if told > 0 else Speaks.STRANGE
                    found.append((one, speaks, told * nearness * _PER_LOG_ODDS))
        factor = power**-0.5
        return [Evidence(one.start, one.end, speaks, sense.concept.id, weight * factor) for one, speaks, weight in found]

    def _elsewhere(self, mention: Mention, sense: Sense) -> list[Evidence]:
        """Unambiguous names of the family anywhere in the text: little each, but a text has its subject."""
        family = self._guard.family(sense.ontology, sense.concept.number)
        named = self._unambiguous[sense.ontology]
        found = []
        for number in named.keys() & family.keys():
            weight, speaks, through = family[number]
            start, end = named[number]
            if weight >= 0.5 and (end <= mention.start or mention.end <= start):
                found.append(Evidence(start, end, speaks, through or sense.concept.id, _DOCUMENT))
        return sorted(found, key=lambda e: e.start)[:4]

    @cached_property
    def _unambiguous(self) -> dict[int, dict[int, tuple[int, int]]]:
        """For each ontology the concepts that the text names without doubt, and where first."""
        found: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
        surely = self._guard.surely
        for mention in self._mentions:
            for where, number in surely(mention.senses):
                found[where].setdefault(number, (mention.start, mention.end))
        return found

    def _written(self, mention: Mention) -> str:
        return self._key(self._document.text[mention.start : mention.end])

    def _key(self, words: str) -> str:
        found = self._keys.get(words)
        if found is None:
            found = self._keys.put(words, names.key(words))
        return found


def _quality(sense: Sense) -> float:
    """How surely a name means its concept without being asked; one ambiguous name does not speak for another."""
    if sense.name.scope is Scope.AMBIGUOUS:
        return 0.0
    return 1.0 if sense.name.scope <= Scope.EXACT and sense.name.rank == 0 else 0.5


def _is_rare(word: str) -> bool:
    """Whether a word is no everyday word and no form of one, nobody's name and no short form, which may stand for many things.

    >>> [_is_rare(word) for word in ("eruv", "benzos", "sectioned", "BCC", "Lynch", "poz")]
    [True, True, False, False, False, False]
    """
    small, everyday = word.lower(), everyday_words()
    stems = [small, *(small.removesuffix(end) for end in ("s", "d", "ed", "ing", "ly", "er")), f"{small.removesuffix('ing')}e"]
    return len(word) > 3 and word.isalpha() and word.islower() and not any(stem in everyday for stem in stems)


def _where(sense: Sense) -> tuple[int, int]:
    return sense.ontology, sense.concept.number


def _times(evidence: Evidence, factor: float) -> Evidence:
    return evidence if factor == 1.0 else replace(evidence, weight=evidence.weight * factor)


def _weightiest(evidence: Evidence) -> tuple[float, int]:
    return -evidence.weight, evidence.start


def _total(evidence: Sequence[Evidence]) -> float:
    return round(sum(one.weight for one in evidence), 9)


def _span_at(spans: Sequence[tuple[int, int]], place: int) -> tuple[int, int]:
    """The span that holds a place, or the nearest before it."""
    at = bisect_right(spans, place, key=_FIRST) - 1
    return spans[max(at, 0)] if spans else (0, 0)
