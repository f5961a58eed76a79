"""Changes said in readable English: the number, article and capitals that the sentence asks for, each thing once."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kgsan.ontology.inflection import fold
from kgsan.sanitize.repeats import BLANK, LINE_END, Change, Repeat, Surroundings
from kgsan.text.everyday import everyday_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.text.document import Document

__all__ = ["Change", "Piece", "Rewritten", "rewrite"]

_IRREGULAR = dict(
    pair.split(":")
    for pair in """person:people child:children man:men woman:women foot:feet tooth:teeth mouse:mice louse:lice goose:geese
    knife:knives life:lives wife:wives wolf:wolves half:halves leaf:leaves loaf:loaves shelf:shelves thief:thieves calf:calves
    scarf:scarves bacterium:bacteria criterion:criteria phenomenon:phenomena ovum:ova atrium:atria septum:septa fungus:fungi
    bacillus:bacilli embolus:emboli thrombus:thrombi nucleus:nuclei alveolus:alveoli stimulus:stimuli nevus:nevi bronchus:bronchi
    alumnus:alumni focus:foci vertebra:vertebrae larva:larvae alga:algae diverticulum:diverticula appendix:appendices
    cortex:cortices matrix:matrices index:indices bus:buses gas:gases lens:lenses atlas:atlases bias:biases series:series
    species:species aircraft:aircraft offspring:offspring sheep:sheep fish:fish deer:deer means:means quiz:quizzes""".split()
)
_ONE_OF = {many: one for one, many in _IRREGULAR.items()}
_UNCOUNTED = ("itis", "osis", "iasis", "emia", "uria", "ism", "ness", "algia", "penia", "plegia", "graphy", "ology", "therapy")
_COUNTED = tuple(
    """gnosis organism mechanism prism schism business illness witness harness governess wilderness likeness biography
    bibliography ideology apology anthology methodology oma virus ectomy otomy ostomy or er ist ian ule ant""".split()
)
#: Endings of learned words that are nobody's name.
_LEARNED = tuple("al ous oid ular ary itis osis asis oma emia uria pathy ectomy ase ate ide sion virus ory ive".split())
_AILMENTS = frozenset(
    "disease disorder condition infection illness syndrome symptom injury problem ailment complaint virus".split()
)
_BELONGINGS = frozenset(
    "religion orientation origin faith denomination ethnicity nationality race background descent ancestry gender".split()
)
_TIE = re.compile(
    r" (?:of|in|with|without|for|by|from|due|to|at|on|associated|caused|"
    r"affecting|involving|complicating|following|during|under) | [(\[]"
)
_ALSO = re.compile(r" (?:and|or) |/")
_LABEL = re.compile(
    r" \((?:disorder|finding|procedure|substance|product|organism|person|situation|event)\)$|, (?:unspecified|NOS)$"
)
#: By sound: "an hour", but "a union", "a urine test", "a European", "a one-off".
_AN = re.compile(
    r"(?!eu|ew|one\b|once|u(?:ni(?![nm]|den)|s[aeu]|t[aeiou]|r[aeio]|biq|gan|kr))[aeiou]|hour|honest|hono|heir", re.I
)
_SPELLED = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9]|-|$)")
_SPOKEN = frozenset("SARS NATO NASA MERS LASIK HIPAA FEMA RICO NICE NAFTA REM".split())
_EIGHT = re.compile(r"8|1[18](?:,\d{3})?(?!\d|,\d)")
#: Names that English says with "the".
_WITH_THE = re.compile(
    r"(?:United (?:States|Kingdom)|Netherlands|Philippines|Bahamas|Gambia|Maldives|Seychelles|Bronx|Vatican|"
    r".* (?:Republic|Islands|Emirates|Union))(?: of .*)?$"
)
_BLANKS = re.compile(f"{BLANK}*")
_SMALL_IN_TITLES = frozenset("a an the of in on at for to and or nor but with by from as vs via".split())
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A rewritten stretch: where it stood, where it stands, and the numbers of the changes in it."""

    start: int
    end: int
    new_start: int
    new_end: int
    changes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new text and its pieces; between them it is the original, letter for letter."""

    text: str = field(repr=False)
    pieces: tuple[Piece, ...]

    def origin(self, place: int) -> int:
        """Where a place of the new text stood in the original; within a piece, where that begins."""
        at = bisect_right(self.pieces, place, key=lambda piece: piece.new_start) - 1
        if at < 0:
            return place
        piece = self.pieces[at]
        return piece.start if place < piece.new_end else piece.end + place - piece.new_end

    def place(self, origin: int) -> int:
        """Where a place of the original stands in the new text; within a piece, where that begins."""
        at = bisect_right(self.pieces, origin, key=lambda piece: piece.start) - 1
        if at < 0:
            return origin
        piece = self.pieces[at]
        return piece.new_start if origin < piece.end else piece.new_end + origin - piece.end


def rewrite(document: Document, changes: Sequence[Change], *, style: str = "[REDACTED]") -> Rewritten:
    """The text with its changes said in English. Changes are in order and do not overlap.

    >>> from kgsan.text.document import Document
    >>> rewrite(Document("He takes zidovudine."), [Change(9, 19, "Drugs")]).text
    'He takes a drug.'
    """
    if not changes:
        return Rewritten(document.text, ())
    around = Surroundings(document, changes)
    writer = _Writer(around)
    parts: list[str] = []
    pieces: list[Piece] = []
    old = new = 0
    for said in around.repeats():
        if changes[said.first].name is None:
            exactly = changes[said.first].exactly
            start, end, words = changes[said.first].start, said.end, style if exactly is None else exactly
        else:
            start, end, words = writer.write(said, old)
        parts += [document.text[old:start], words]
        new += start - old
        pieces.append(Piece(start, end, new, new + len(words), tuple(range(said.first, said.last))))
        old, new = end, new + len(words)
    parts.append(document.text[old:])
    return Rewritten("".join(parts), tuple(pieces))


class _Writer:
    """Says one repeat after the other."""

    def __init__(self, around: Surroundings) -> None:
        self.around, self.text = around, around.text
        self.breaks = [match.end() for match in LINE_END.finditer(self.text)]
        self.shapes: dict[int, str] = {}
        self.places = [change.start for change in around.changes]

    def write(self, said: Repeat, low: int) -> tuple[int, int, str]:
        """From where to where words are written, and the words; nothing before `low` is touched."""
        around, text = self.around, self.text
        change = around.changes[said.first]
        assert change.name is not None
        noun = _noun(change.name, change.named)
        last = around.changes[said.last - 1]
        owns = self._owns(last)
        modifier = not owns and around.modifies(said.end) and not (text[said.end].isspace() and around.plural(last))
        many = not modifier and self._many(said)
        follows = around.token(said.end)
        if modifier and around.words[follows].lower() in noun.heads and not around.changed[follows]:
            # "HIV infection", of which only HIV is replaced: the noun is there already
            many = around.words[follows].lower() == noun.heads[1]
            said = replace(said, end=around.ends[follows])
            modifier = around.modifies(said.end)
        words = noun.many if many else noun.one
        shape = self.shape(change)
        start, lead = self._lead(said, noun, words, modifier, many, shape, low)
        opens = text[max(start - 3, 0) : start] in (': "', ', "', ": “", ", “") and around.prose[around.token(start)]
        capital = text[start : start + 1].isupper() and (opens or around.begins(around.token(start)))
        if said.joined in ("and", "or") and (comma := around.ends_list(start, low, said.end)) is not None:
            further = "," in text[said.start : said.end].rsplit(said.joined, 1)[0][-2:]
            start, lead = comma, f"{',' * further} {said.joined} {lead}"
        end = said.end
        if owns or end + 1 < around.following(said.last):
            words, end = self._possessive(words, end, owns, many, text[change.start - 1 : change.start] in ("'", "‘"))
        if shape == "capitals" and text[change.start : change.end].upper() == text[change.start : change.end]:
            lead, words = lead.upper(), words.upper()
        elif shape == "title":
            words = _WORD.sub(lambda match: _capital(match[0]) if len(match[0]) > 3 else match[0], words)
        elif not lead and self._field_capital(change):
            words = _capital(words)
        if start > change.start:
            start, lead = change.start, text[change.start : start] + lead
        words = (lead + words).replace("an other ", "another ", 1)
        return start, end, _capital(words) if capital else words

    def _owns(self, change: Change) -> bool:
        """Whether a change ends with a possessive before what is owned: "|the clinic's| nurse", not "has |Parkinson's|"."""
        behind = self.around.token(change.end)
        owned = self.text[change.end : change.end + 1].isspace() and self.around.tags[behind].startswith(("NN", "JJ"))
        return owned and self.around.tags[behind - 1] == "POS" and self.around.starts[behind - 1] >= change.start

    def _many(self, said: Repeat) -> bool:
        around = self.around
        if said.joined in ("and", "or"):
            token = around.token(said.start)
            if said.determiner in ("a", "an") and around.words[token - 2].lower() in ("is", "was", "'s", "am"):
                return False  # "is an alcoholic and a smoker" speaks of one person
            if around.begins(token) or around.words[token - 1] in (",", "that", "and", "but"):
                agreement = around.agreement(said.end)
                if agreement in ("one", "many"):
                    return agreement == "many"
        if said.joined == "and":
            return True
        first, last = around.changes[said.first], around.changes[said.last - 1]
        return around.plural(last) or (said.joined != "or" and around.plural(first))

    def _lead(self, said: Repeat, noun: _Noun, words: str, modifier: bool, many: bool, shape: str, low: int) -> tuple[int, str]:
        """Where to begin, and what goes between there and the noun: an article that is put right, put in or left out."""
        around, text, start = self.around, self.text, said.start
        token, determiner = around.before(start, low)
        own = around.token(start)
        word = "" if determiner is None else around.words[determiner].lower()
        if word == "that" and around.agreement(said.end):
            determiner = None  # "said that HIV is"
        if determiner is not None:
            close = determiner == own - 1
            begin, behind = around.starts[determiner], start if close else around.starts[determiner + 1]
            if word in ("a", "an"):
                if not modifier and (many or noun.never or noun.proper):
                    return begin, self._broken(determiner, behind) + (noun.the if close else text[behind:start])
                if close and _article(words) != word:
                    return begin, _article(words) + text[around.ends[determiner] : start]
            if word == "the" and close and not modifier:
                if noun.proper and not noun.the:
                    return begin, self._broken(determiner, behind)
                # "the Netherlands" is one country among many; "the" belonged to its name
                if noun.counted and not many and around.tags[own].startswith("NNP") and around.words[own].istitle():
                    return begin, _article(words) + text[around.ends[determiner] : start]
            return start, ""
        begin = around.starts[token] if token < own else start
        fits = not shape and not modifier and not many and around.prose[own] and not around.of_a_kind(token)
        if not fits or (low > 0 and self._follows(low, begin, token)):
            return start, ""
        if noun.the and begin == start:
            return start, noun.the
        if around.describes(start, said.end):
            return start, noun.tells + (f"{_article(words)} " if noun.tells and noun.counted else "")
        if not noun.counted:
            return start, ""
        between = text[begin:start]
        if between and around.begins(token) and (first := _WORD.match(between)):
            between = _small(first[0]) + between[first.end() :]
        return begin, f"{_article(between or words)} {between}"

    def _follows(self, low: int, begin: int, token: int) -> bool:
        """Whether a noun belongs to what was changed just before it."""
        one_phrase = self.around.phrase(token)[0] < token or self.around.tags[token - 1] == "POS"
        return one_phrase and _BLANKS.fullmatch(self.text, low, begin) is not None

    def _broken(self, token: int, behind: int) -> str:
        """The end of the line behind an article that is left out."""
        found = LINE_END.search(self.text, self.around.ends[token], behind)
        return found[0] if found else ""

    def _possessive(self, words: str, end: int, owns: bool, many: bool, quoted: bool) -> tuple[str, int]:
        """The noun with its possessive, if the mark behind it no longer fits or was replaced with the noun."""
        mark, text = self.text[end : end + 1], self.text
        if owns:
            return words + ("'" if many and words.endswith("s") else "'s"), end
        if mark not in ("'", "’"):
            return words, end
        if text[end + 1 : end + 2] == "s":
            fits = not (many and words.endswith("s")) or self.around.tags[self.around.token(end)] != "POS"
            return (words, end) if fits else (words + mark, end + 2)
        if text[end - 1] == "s" and not words.endswith("s") and text[end + 1 : end + 2] == " " and not quoted:
            return words + mark + "s", end + 1
        return words, end

    def shape(self, change: Change) -> str:
        """How the line of a change is written: in "capitals", as a "title", or ""."""
        line = bisect_right(self.breaks, change.start)
        if line not in self.shapes:
            start = self.breaks[line - 1] if line else 0
            end = self.breaks[line] if line < len(self.breaks) else len(self.text)
            parts, inner, at, number = [], [], start, bisect_right(self.places, start - 1)
            while number < len(self.places) and self.places[number] < end:
                parts.append(self.text[at : self.places[number]])
                at = self.around.changes[number].end
                inner.append(self.text[self.places[number] : at])
                number += 1
            self.shapes[line] = _shape(" ".join([*parts, self.text[at:end]]), inner)
        return self.shapes[line]

    def _field_capital(self, change: Change) -> bool:
        """Whether a value is written with a capital as a value: "Diagnosis: Syphilis"."""
        token = self.around.token(change.start)
        word = self.around.words[token]
        starts_field = self.around.words[token - 1] in (":", "|") and not self.around.prose[token]
        return starts_field and word.istitle() and word.lower() in everyday_words()


def _shape(line: str, changed: list[str]) -> str:
    letters = _WORD.findall(line)
    if not letters:  # an acronym alone tells nothing
        return "capitals" if any(len(part) > 5 and part.isupper() for part in changed) else ""
    if line.isupper() and sum(map(len, letters)) > 2:
        return "capitals"
    titled = all(word[0].isupper() or word in _SMALL_IN_TITLES for word in letters) and sum(len(word) > 3 for word in letters) > 1
    return "title" if titled and len(line) < 200 and ":" not in line and not line.rstrip().endswith(".") else ""


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# --- names of concepts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Noun:
    one: str
    many: str
    counted: bool = False  # takes an article where the text has none
    never: bool = False  # takes none in any case, and no plural
    heads: tuple[str, str] = ("", "")
    tells: str = ""  # what someone is who has it: "affected by a disorder", "of a religion"
    proper: bool = False
    the: str = ""  # "the " before names that English says with it: the United States


@cache
def _mass() -> tuple[frozenset[str], frozenset[str]]:
    """Nouns that are never counted, and nouns that sometimes are not."""
    blocks = (files("kgsan.sanitize") / "mass_nouns.txt").read_text("ascii").split("\n\n")
    never, sometimes = (
        frozenset(word for line in block.splitlines() if not line.startswith("#") for word in line.split())
        for block in blocks[1:]
    )
    return never, sometimes


@lru_cache(maxsize=1 << 12)
def _noun(name: str, named: bool) -> _Noun:
    if named:
        return _Noun(name, name, proper=True, the="the " if _WITH_THE.match(name) else "")
    name = _straight(name)
    tie = _TIE.search(name)
    phrase, rest = (name[: tie.start()], name[tie.start() :]) if tie and tie.start() else (name, "")
    if _ALSO.search(phrase):
        return _Noun(name, name)
    before, blank, head = phrase.rpartition(" ")
    one = _singular(head)
    never, sometimes = _mass()
    counted = one.endswith(_COUNTED) and one[:1].islower()
    if one.lower() in never or (one.endswith(_UNCOUNTED) and not counted and one not in sometimes):
        return _Noun(before + blank + one + rest, before + blank + one + rest, never=True)
    known = counted or one in everyday_words() or head != one or (one.isupper() and before != "")
    tells = "affected by " if one in _AILMENTS else "of " if one in _BELONGINGS else ""
    many = _plural(one)
    return _Noun(
        before + blank + one + rest,
        before + blank + many + rest,
        known and one not in sometimes,
        heads=("", "") if rest else (one, many),
        tells=tells,
    )


def _straight(name: str) -> str:
    """A label as it is said: without capitals that mean nothing, and the right way round.

    >>> _straight("Infections, Viral"), _straight("Parkinson's disease"), _straight("United States city")
    ('viral infections', "Parkinson's disease", 'United States city')
    """
    words = _LABEL.sub("", " ".join(name.split())).split(" ")
    titled = all(word[:1].isupper() for word in words if len(word) > 3 and word[0].isalpha())
    if titled or not any(word[:1].isupper() and not word.isupper() for word in words[1:]):
        words = ["-".join(map(_small, word.split("-"))) for word in words]
    name = " ".join(words)
    parts = name.split(", ")
    return " ".join(reversed(parts)) if 1 < len(parts) < 6 and not _TIE.search(name) and not _ALSO.search(name) else name


def _small(word: str) -> str:
    """A word without its capital, if everyone writes it so."""
    lower = word.lower()
    bare = lower.rstrip(",")
    everyday = bare in everyday_words() or _singular(bare) in everyday_words()
    return lower if word[1:].islower() and (everyday or _singular(bare).endswith(_LEARNED)) else word


def _singular(word: str) -> str:
    if word in _ONE_OF or word in _IRREGULAR:
        return _ONE_OF.get(word, word)
    if (
        not word.endswith("s")
        or word.endswith(("ss", "us", "is"))
        or word.lower() in _mass()[0]
        or word.isupper()
        or len(word) < 4
    ):
        return word
    if word.endswith("es") and (known := fold(word)).endswith("is"):
        return known
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) and word[:-1] not in everyday_words():
        return word[:-2]
    return word[:-1]


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("is") and len(word) > 4:
        return word[:-2] + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith("man") and not word.endswith(("human", "german", "roman", "ottoman", "shaman", "talisman")):
        return word[:-2] + "en"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _article(words: str) -> str:
    """ "a" or "an", by the sound of what follows.

    >>> [_article(word) for word in ("hour", "union", "HIV test", "uninsured man", "8-bed ward", "SARS test", "X-ray")]
    ['an', 'a', 'an', 'an', 'an', 'a', 'an']
    """
    word = words.lstrip("([\"'“‘").split(" ", 1)[0]
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    if _SPELLED.match(word) and len(word) < 6 and word not in _SPOKEN:
        return "an"
    return "an" if _AN.match(word) and not re.match("U[A-Z]", word) else "a"
