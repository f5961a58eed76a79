"""What stands around the name of a place and tells whether the place is meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from kgsan.ontology import names
from kgsan.text.everyday import everyday_words
from kgsan.text.proper import ORGANISATION, PERSON, PLACE
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.risk.reading import Reading
    from kgsan.text.identifiers import Identifier
    from kgsan.text.mentions import Mention

_WHERE = frozenset({"in", "near", "outside", "around", "throughout", "within", "inside"})
_WHITHER = frozenset(
    """from at to toward towards via leaving between through into across visit visits visited visiting toured touring reached
    reaching""".split()
)
#: Of names that no ontology knows only these are believed, or the others where somebody lives or goes.
_STRICTLY_WHERE, _LED = frozenset({"in", "near", "outside"}), frozenset({"from", "to", "at", "in", "near"})
_DWELLING = frozenset("live lives lived living reside resides resided residing born raised Lives Resides Born Raised".split())
_LIVING = frozenset(
    """live lives lived living reside resides resided residing moved moves moving relocated relocating travelled traveled travels
    travelling traveling born returned returning raised resident came comes drove commutes transferred native originally working
    works worked settled emigrated immigrated fled flew""".split()
)
_ONE_OF_A_KIND = frozenset({"a", "an", "another", "two", "three", "four", "some", "several"})
#: What stands in a place, so that the name before it is the place's.
_STANDING_THERE = frozenset(
    """clinic hospital court police office branch site team plant factory depot warehouse store shop airport station campus
    school college university council area district suburb suburbs resident residents residence home house flat apartment
    address property practice surgery pharmacy prison jail church mosque solicitor lawyer attorney detective detectives officer
    officers deputies sheriff mayor judge jury firm company hotel restaurant bar bridge region county city town borough
    neighborhood neighbourhood native man woman couple family teenager based infirmary centre center""".split()
)
_CAPITAL_BEHIND = frozenset("police crown magistrates county city council hospital clinic infirmary court airport".split())
#: Names of places that are words for places and times, and so tell nothing when they stand alone.
_OF_MANY = frozenset(
    """street river hill hills mountain center centre college university island north south east west union church mainland
    campus beach lake park square bridge road avenue station village city town county old new english french german saxon
    august may june march april home house trail wall post congress empire orion
    metro peninsula isle port bay forest valley""".split()
)
_IN_A_PHRASE = ("NN", "JJ", "CD", "VBG", "VBN")
_JOINTS = ("-", "–", "/")
#: What a hyphen joins to a place: Norwich-based.
_JOINED = re.compile(r"[-‐‑–]([a-z]+)")
#: Kirkby-in-Ashfield, Aix-en-Provence, Frankfurt-am-Main.
_COMPOUND = re.compile(
    r"\b[A-Z][a-z]{2,20}(?:-(?:on|upon|in|under|by|le|la|les|de|du|des|en|sur|sous|super|next|cum|the|am|an|der|ob|bei|aan|y)){1,2}"
    r"-[A-Z][a-z]{2,20}(?![\w-])"
)
_SHORTEST = 4
_MOST_BEHIND = 5


class Place(NamedTuple):
    """Where a place is named, and by what it was told."""

    start: int
    end: int
    because: str


class Surroundings:
    """What stands around the names of one text."""

    def __init__(self, reading: Reading, beside: Sequence[Identifier]) -> None:
        self._document = reading.document
        self._text = reading.document.text
        self._longest = reading.longest
        self._starts = [mention.start for mention in self._longest]
        self._proper = reading.document.proper_names
        self._proper_starts = [name.start for name in self._proper]
        self._before = frozenset(one.end for one in beside if one.kind in ("street", "geography"))
        self._behind = frozenset(one.start for one in beside if one.kind == "zip")

    def longer(self, mention: Mention) -> Iterator[Mention]:
        """The longest mentions that hold this one and more."""
        at = bisect_right(self._starts, mention.start) - 1
        while at >= 0 and self._longest[at].end >= mention.end:
            if self._longest[at].end - self._longest[at].start > mention.end - mention.start:
                yield self._longest[at]
            at -= 1

    def place(self, mention: Mention, sure: bool, regions: frozenset[int]) -> Place | None:
        """The place that a mention names, without the state behind it and with what else belongs to an organisation's name."""
        because = self._why(mention, sure, regions)
        if not because:
            return None
        comma = self._text.find(",", mention.start, mention.end)
        end = mention.end if comma < 0 else comma
        at = bisect_right(self._proper_starts, mention.start) - 1
        if at >= 0 and self._proper[at].start == mention.start and self._proper[at].kind == ORGANISATION and comma < 0:
            end = max(end, self._proper[at].end)
        return Place(mention.start, end, because)

    def _why(self, mention: Mention, sure: bool, regions: frozenset[int]) -> str:
        """What tells that a name is meant for the place; nothing when it may be something else."""
        text, words = self._text, self._document.words
        written = text[mention.start : mention.end]
        first, last = self._document.token_at(mention.start), self._document.token_at(mention.end - 1)
        before = words[first - 1].lower() if first else ""
        if not written[0].isupper():
            lonely = sure and len(written) > _SHORTEST and written.isalpha() and not _is_everyday(written)
            return "a place after 'in' or 'from'" if lonely and before in ("in", "near", "from") and mention.start else ""
        if written.isupper() and len(written) < _SHORTEST + 1:
            return ""
        behind = self._behind_it(mention, last)
        stands = not _STANDING_THERE.isdisjoint(behind)
        if not stands and not called_after_places().isdisjoint(behind):
            return ""
        if before in _ONE_OF_A_KIND and not behind:
            return ""  # a Manhattan
        kind, opens = self._kind(mention), self._opens(mention)
        if self._is_joined(mention) and not (
            sure and kind == PLACE and (before in _WHERE or stands or self._stands_behind(last))
        ):
            return ""  # McGraw-Hill, but the Dallas-Fort Worth area
        sure = sure and len(written) >= _SHORTEST and not mention.misspelt and not _is_everyday(written)
        doubtful = not sure and (kind == PERSON or written.lower() in _OF_MANY or self._is_part(first, last, stands))
        if not doubtful and self._is_addressed(mention, regions):
            return "stands in an address"
        if sure:
            led = before in _WHERE or before in _WHITHER
            another = kind == PERSON or (kind == ORGANISATION and self._is_inside(mention, first))
            return "" if another and not led and not stands else "a place smaller than a state"
        if opens or doubtful or written.isupper() or not (kind == PLACE or stands):
            return ""
        return "a place by how it is used"

    def unheard_of(self) -> Iterator[Place]:
        """Names that no ontology knows, used as those of places: of a village, a quarter."""
        document, words = self._document, self._document.words
        for name in self._proper:
            if name.kind == PERSON:
                continue
            first = document.token_at(name.start)
            before = words[first - 1].lower() if first else ""
            lived = before in _LED and not _LIVING.isdisjoint(words[max(0, first - 4) : first - 1])
            if not lived and (name.kind != PLACE or before not in _STRICTLY_WHERE):
                continue
            last = document.token_at(name.end - 1)
            if last - first < _MOST_BEHIND and self._is_unheard_of(first, last):
                yield Place(name.start, name.end, "a place by how it is used")
        for i, word in enumerate(words):
            if word in _DWELLING and i + 2 < len(words) and words[i + 1] in _STRICTLY_WHERE and self._is_unheard_of(i + 2, i + 2):
                yield Place(int(document.token_starts[i + 2]), int(document.token_ends[i + 2]), "a place where somebody lives")

    def compounds(self) -> Iterator[Place]:
        """Names of several parts that a small word joins, as those of places are: Stoke-on-Trent, but no Writer-in-Residence."""
        for match in _COMPOUND.finditer(self._text):
            last = match[0].rpartition("-")[2]
            first = self._document.token_at(match.start())
            before = self._document.words[first - 1].lower() if first else ""
            if before in _WHERE or before in _WHITHER or not _is_everyday(last):
                yield Place(match.start(), match.end(), "a place by how it is written")

    def _is_unheard_of(self, first: int, last: int) -> bool:
        document, written = self._document, self._document.words[first : last + 1]
        if not all(word.rstrip(".").replace("-", "").isalpha() and not word.isupper() for word in written):
            return False
        for i, word in enumerate(written, first):
            at = bisect_right(self._starts, int(document.token_starts[i])) - 1
            known = at >= 0 and self._longest[at].end > int(document.token_starts[i])
            if not known and word[0].isupper() and len(word) >= _SHORTEST and not _is_everyday(word):
                return True
        return False

    def _is_addressed(self, mention: Mention, regions: frozenset[int]) -> bool:
        """Whether a street stands before the name, or a region or a postcode behind it."""
        text = self._text
        behind = mention.end + (text[mention.end : mention.end + 1] == ",")
        behind += text[behind : behind + 1] in (" ", "\n")
        comma = text[mention.end : mention.end + 1] == ","
        if behind > mention.end and (behind in self._behind or (comma and behind in regions)):
            return True
        start = mention.start
        return start > 1 and text[start - 1] in " \n" and (start - 2 in self._before and text[start - 2] == ",")

    def _is_joined(self, mention: Mention) -> bool:
        """Whether a hyphen or stroke joins the name to another one."""
        text, start, end = self._text, mention.start, mention.end
        before = text[start - 2 : start] if start > 1 else ""
        behind = text[end : end + 2]
        return (before[1:] in _JOINTS and before[:1].isalpha()) or (behind[:1] in _JOINTS and behind[1:].isupper())

    def _is_part(self, first: int, last: int, stands: bool) -> bool:
        """Whether a name that is also a word stands among other capitals, or behind an article: Lord Howe Island, the River."""
        words, document, text = self._document.words, self._document, self._text
        beside = [(first - 1, first), (last, last + 1)]
        for left, right in beside:
            if left < 0 or right >= len(words) or text[int(document.token_ends[left]) : int(document.token_starts[right])] != " ":
                continue
            other = words[left] if right == first else words[right]
            if other[:1].isupper() and not (left == last and other.lower() in _CAPITAL_BEHIND):
                return True
            if right == first and other.lower() == "the" and not stands:
                return True
        return False

    def _behind_it(self, mention: Mention, last: int) -> list[str]:
        """The words of the phrase that goes on after a name, without their plural."""
        document, text = self._document, self._text
        words, starts, tags = document.words, document.token_starts, document.tags
        token_end = int(document.token_ends[last])
        if token_end > mention.end:
            return [text[mention.end : token_end].lstrip("-'’ ").lower()]
        if (joined := _JOINED.match(text, mention.end)) is not None:
            return [joined[1]]
        found: list[str] = []
        end = mention.end
        for i in range(last + 1, min(last + 1 + _MOST_BEHIND, len(words))):
            named = words[i][0].isupper()
            if text[end : int(starts[i])] != " " or not (named or TAGS[int(tags[i])].startswith(_IN_A_PHRASE)):
                break
            found.append(words[i].lower())
            end = int(document.token_ends[i])
        return found

    def _stands_behind(self, last: int) -> bool:
        """Whether what stands in a place follows the names that are joined to this one."""
        at = bisect_right(self._proper_starts, int(self._document.token_starts[last])) - 1
        behind = self._document.token_at(self._proper[at].end - 1) + 1 if at >= 0 else last + 1
        return behind < len(self._document.words) and self._document.words[behind] in _STANDING_THERE

    def _kind(self, mention: Mention) -> str:
        at = bisect_right(self._proper_starts, mention.start) - 1
        return self._proper[at].kind if at >= 0 and self._proper[at].end > mention.start else ""

    def _is_inside(self, mention: Mention, first: int) -> bool:
        """Whether a longer name begins before this one, with a capital directly before it: Houghton Mifflin."""
        at = bisect_right(self._proper_starts, mention.start) - 1
        return self._proper[at].start < mention.start and first > 0 and self._document.words[first - 1][:1].isupper()

    def _opens(self, mention: Mention) -> bool:
        """Whether a name stands where any word has its capital: at the beginning of a sentence or of a line."""
        spans = self._document.sentences
        at = bisect_right(spans, mention.start, key=lambda span: span[0]) - 1
        start = spans[at][0] if at >= 0 else 0
        line = self._text.rfind("\n", start, mention.start) + 1
        return not any(sign.isalnum() for sign in self._text[max(start, line, mention.start - 4) : mention.start])


def _is_everyday(name: str) -> bool:
    """Whether a name is made of everyday words: Reading, Red Cross."""
    return all(word.lower() in everyday_words() or word.lower() in _OF_MANY for word in names.words(name))


@cache
def called_after_places() -> frozenset[str]:
    """Words for what is called after a place and does not stand there."""
    listed = (files("kgsan.text") / "identifiers" / "called_after_places.txt").read_text("utf-8")
    return frozenset(word for line in listed.splitlines() if not line.startswith("#") for word in line.split())
