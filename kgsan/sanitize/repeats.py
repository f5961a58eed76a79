"""What stands around the changes of a text: which of them are said once, and what each is to its sentence."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.lazy import cached_property
from kgsan.text.everyday import everyday_words
from kgsan.text.tagger import TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.text.document import Document

#: Blanks within a line, seen or not.
BLANK = "[ \t\u00a0\u00ad\u2000-\u200f\u202f\u2060\u3000\ufeff]"
LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_OWN = "his|her|its|my|our|your|their"
_ARTICLE = re.compile(rf"(?:an?|the){BLANK}+", re.IGNORECASE)
_FURTHER = re.compile(
    rf"(?P<same>{BLANK}*[/-]?{BLANK}*|{BLANK}*/{BLANK}*)"
    rf"|(?:{BLANK}*,{BLANK}*|{BLANK}+)(?:(?P<either>or|nor|and/or){BLANK}+|(?:and|as well as|plus){BLANK}+|[&+]{BLANK}*)?"
    rf"(?:(?P<determiner>an?|the|{_OWN}){BLANK}+)?",
    re.IGNORECASE,
)
_BLACK = re.compile(rf"(?:{BLANK}|[,/&‐‑–-])*(?:(?:and|or)(?:{BLANK}|,)+)?", re.IGNORECASE)
_OPENS = re.compile(rf"{BLANK}*([(\[]){BLANK}*")
_CLOSES = re.compile(rf"{BLANK}*([)\]])")
#: What joins two names is no longer than this.
_REACH = 40
#: So many words before a noun, and so much of a word, are looked at.
_BEFORE = 8
_LONG = 64

_COUNTING = frozenset(
    """many several few such own other another more most less enough much same certain various different numerous multiple some
    both either neither no any every each all what which whose this that these those half last next first second third only
    """.split()
)
_LONE = frozenset("this that each every another either neither one a an".split())
_BE = frozenset(
    "be am is are was were been being 's 're 'm become becomes became feel feels felt seem seems seemed get got".split()
)
_HAVE = _BE | frozenset("have has had having 've 'd".split())
_ADVERBS = frozenset(
    """very extremely highly newly recently severely poorly well most quite rather fairly moderately mildly previously partially
    fully truly particularly increasingly more less""".split()
)
_STATES = frozenset(
    "positive negative seropositive seronegative free dependent resistant related infected exposed induced".split()
)
_KINDS = frozenset(
    "kind kinds type types sort sorts form forms class lack history risk sign signs symptom symptoms evidence".split()
)
_APART = frozenset("tomorrow tonight now patient pt client mr mrs ms dr mother father week month year morning".split())
_LASTING = frozenset(
    "worsening ongoing existing underlying recurring remaining resolving improving continuing persisting relapsing".split()
)
_PARTING = frozenset(";|—")
#: Tags that tell a sentence, and tags that a heading has too.
_SAYS = dict.fromkeys("VB VBZ VBP VBD MD PRP".split(), 2) | {"DT": 1, "VBG": 1}
#: End in s, and are one.
_ONE = frozenset(
    """diabetes rabies scabies herpes measles mumps shingles caries series species pancreas lens aids rickets hives news bias gas
    atlas canvas chaos asbestos biceps triceps forceps texas kansas arkansas angeles vegas states netherlands philippines bahamas
    maldives seychelles emirates islands alps falls hills heights springs rapids plains oaks wales athens brussels naples
    physics politics ethics genetics mathematics pediatrics obstetrics orthopedics yes plus parkinson's alzheimer's""".split()
)
_MANY = frozenset(
    """people children men women feet teeth mice lice bacteria criteria phenomena ova sera fungi bacilli emboli thrombi nuclei
    foci loci alumni stimuli diverticula cacti policemen firemen clergymen grandchildren stepchildren police cattle""".split()
)


@dataclass(frozen=True, slots=True)
class Change:
    """A part of the text, and the name of the concept that is said instead; without a name it is blacked out."""

    start: int
    end: int
    name: str | None
    named: bool = False  # a proper name: its capitals stay, and no article goes before it
    exactly: str | None = None  # without a name: what is written here, instead of the usual black bar

    def __repr__(self) -> str:
        return f"<Change of {self.start} to {self.end}>"


@dataclass(frozen=True, slots=True)
class Repeat:
    """Changes that say the same and are said once: "HIV, syphilis and gonorrhea"."""

    start: int
    end: int
    first: int
    last: int  # behind the last change
    joined: str  # "and", "or"; "same" where all mean one thing
    determiner: str  # before the first, in small letters, or ""


class Surroundings:
    """A document with its changes, asked for what stands before, behind and within them."""

    def __init__(self, document: Document, changes: Sequence[Change]) -> None:
        self.document, self.changes, self.text = document, changes, document.text
        # An empty token closes the text, so that there is one behind every place, and one before the first.
        self.starts: list[int] = [*document.token_starts.tolist(), len(self.text)]
        self.ends: list[int] = [*document.token_ends.tolist(), len(self.text) + 1]
        self.words = [*(word[:_LONG] for word in document.words), ""]
        self.tags = [*(TAGS[number] for number in document.tags.tolist()), ""]
        self.sentences: list[int] = [*document.sentence_starts.tolist(), len(self.words) - 1]

    def token(self, place: int) -> int:
        """The first token that ends behind a place."""
        return bisect_right(self.ends, place)

    def sentence(self, token: int) -> int:
        """The first token of the sentence that a token is in."""
        return self.sentences[max(bisect_right(self.sentences, token) - 1, 0)]

    @cached_property
    def _phrases(self) -> tuple[list[int], list[int]]:
        phrases = self.document.noun_phrases
        return [phrase.first for phrase in phrases], [phrase.last for phrase in phrases]

    def phrase(self, token: int) -> tuple[int, int]:
        """The first token and that behind the last of the noun phrase around a token; the token alone where there is none."""
        firsts, lasts = self._phrases
        at = bisect_right(firsts, token) - 1
        return (firsts[at], lasts[at]) if at >= 0 and token < lasts[at] else (token, token + 1)

    def core(self, change: Change) -> int:
        """Where a change begins without the article it may begin with."""
        found = _ARTICLE.match(self.text, change.start, change.end) if change.name is not None else None
        return found.end() if found and found.end() < change.end else change.start

    def following(self, number: int) -> int:
        """Where the change with a number begins; behind the last one, the end of the text."""
        return self.changes[number].start if number < len(self.changes) else len(self.text)

    # --- before and behind -----------------------------------------------------------------------------------------------

    def before(self, start: int, low: int) -> tuple[int, int | None]:
        """The token at which the phrase that ends with a noun begins, and its determiner; none of them before `low`.

        "has an untreated chronic |hepatitis" is led by "untreated", and "an" determines it.
        """
        token = self.token(start)
        bottom = max(self.sentence(token), bisect_left(self.starts, low), token - _BEFORE)
        while token > bottom:
            word, tag = self.words[token - 1].lower(), self.tags[token - 1]
            if word in _COUNTING or tag in ("DT", "PDT", "PRP$", "WP$", "WDT", "POS", "CD"):
                return token, token - 1
            if token - 3 >= bottom and self.tags[token - 2] == "HYPH" and self.starts[token - 1] == self.ends[token - 2]:
                token -= 3
            elif self._leads(token - 1, bottom):
                token -= 1
            else:
                break
        return token, None

    def _leads(self, token: int, bottom: int) -> bool:
        """Whether a word belongs to the noun behind it."""
        word, tag = self.words[token].lower(), self.tags[token]
        if tag.startswith("NN"):
            return self.phrase(token)[1] > token + 1 and word not in _APART and not word.endswith("day")
        if word in _LASTING:
            return True
        if tag == "VBN":
            at = token - 1
            while at > bottom and (self.tags[at] == "RB" or self.words[at].lower() in ("not", "n't", "never")):
                at -= 1  # "has not used"
            return at >= bottom and self.words[at].lower() not in _HAVE
        return tag in ("JJ", "JJR", "JJS", "AFX") or (word in _ADVERBS and self.tags[token + 1] in ("JJ", "VBN"))

    def modifies(self, end: int) -> bool:
        """Whether what ends here stands before the noun it belongs to: "HIV |test", "HIV|-positive"."""
        token = self.token(end)
        if self.sentence(token) == token:
            return False
        between = self.text[end : min(self.starts[token], end + _REACH)]
        if not between:
            tied = self.words[token] in ("-", "‐", "‑", "–") and self.starts[token + 1] == self.ends[token]
            return tied and self.words[token + 1][:1].isalnum()
        if LINE_END.search(between):
            return False
        if self.words[token].lower() in _STATES and self.tags[token] != "NN":
            return True
        tag, behind = self.tags[token], self.phrase(token - 1)[1]
        return behind > token and (tag.startswith("NN") or (tag == "JJ" and self.tags[behind - 1].startswith("NN")))

    def describes(self, start: int, end: int) -> bool:
        """Whether what is said is an adjective that tells how someone is: "She is |depressed|"."""
        first, last = self.token(start), self.token(end) - 1
        at = first - 1
        while at > max(first - _BEFORE, 0) and self.tags[at].startswith("RB"):
            at -= 1
        return self.tags[last] in ("JJ", "JJR", "JJS", "VBN", "VBG") and at >= 0 and self.words[at].lower() in _BE

    def of_a_kind(self, token: int) -> bool:
        """Whether no article is wanted: "history of |", "a kind of |"."""
        return self.words[token - 1].lower() == "of" and self.words[token - 2].lower() in _KINDS

    def plural(self, change: Change) -> bool:
        """Whether the noun that is replaced is a plural. Its form is trusted more than its tag."""
        first, behind = self.token(self.core(change)), self.token(change.end - 1) + 1
        last = (
            next((at for at in range(first + 1, min(behind, first + 2 * _BEFORE)) if self.tags[at] in ("IN", "TO")), behind) - 1
        )
        if last > first and self.tags[last] == "POS":
            last -= 1
        if self.ends[last] > change.end:
            return False  # the ending of the word stays
        word, tag = self.words[last], self.tags[last]
        lower = word.lower()
        if lower in _MANY or lower.endswith("ae"):
            return True
        if not lower.endswith("s") or lower.endswith(("ss", "us", "is")) or lower in _ONE or len(lower) < 3:
            return False
        if word.isupper():
            return tag in ("NNS", "NNPS") and lower in everyday_words()
        if word[:-1].isupper() or tag in ("NNS", "NNPS"):
            return True
        return tag != "NNP" and lower[:-1] in everyday_words()

    # --- repeats ---------------------------------------------------------------------------------------------------------

    def repeats(self) -> list[Repeat]:
        """All changes in order, those together that are said once."""
        found: list[Repeat] = []
        for number, change in enumerate(self.changes):
            if found and (longer := self._longer(found[-1], change, number)):
                found[-1] = longer
            else:
                start = self.core(change)
                found.append(Repeat(start, change.end, number, number + 1, "", self._determiner(start)))
        return found

    def _determiner(self, start: int) -> str:
        token = self.token(start)
        _, at = self.before(start, 0)
        return "" if at is None else self.words[at].lower() if at == token - 1 else self.words[at].lower() + " ..."

    def _longer(self, said: Repeat, change: Change, number: int) -> Repeat | None:
        """A repeat with one more change, if that says no more and only a joint stands between."""
        before = self.changes[said.first]
        start = self.core(change)
        if (before.name, before.named) != (change.name, change.named) or start - said.end > _REACH:
            return None
        between = self.text[said.end : start]
        if change.name is None:
            alike = change.exactly is None and before.exactly is None
            return self._with(said, change.end, number, "same") if alike and _BLACK.fullmatch(between) else None
        high = min(self.following(number + 1), change.end + _REACH)
        if (opens := _OPENS.fullmatch(between)) and (closes := _CLOSES.match(self.text, change.end, high)):
            return self._with(said, closes.end(), number, "same") if opens[1] + closes[1] in ("()", "[]") else None
        joint = _FURTHER.fullmatch(between)
        if not joint:
            return None
        determiner = (joint["determiner"] or "").lower().replace("an", "a")
        if determiner == "a" and said.determiner not in ("", "a", "an"):
            return None
        if determiner not in ("", "a", said.determiner):
            return None
        before_it = self.token(said.start) - 1
        if between.strip() == "," and self.tags[before_it] == "IN" and self.begins(before_it):
            return None  # "Like HIV, HTLV is a retrovirus"
        joined = "same" if joint["same"] is not None else "or" if joint["either"] else "and"
        if joined == "and" and (said.determiner.endswith("...") or (said.determiner in _LONE - {"a", "an"})):
            return None
        if joint["either"] and "," in between and said.joined == "" and self.text[change.end : min(change.end + 1, high)] == ",":
            return self._with(said, change.end + 1, number, "same")  # "HIV, or AIDS, since": another name for it
        return self._with(said, change.end, number, joined)

    @staticmethod
    def _with(said: Repeat, end: int, number: int, joined: str) -> Repeat:
        strongest = next(kind for kind in ("or", "and", "same") if kind in (said.joined, joined))
        return Repeat(said.start, end, said.first, number + 1, strongest, said.determiner)

    # --- sentences, fields, lists ----------------------------------------------------------------------------------------

    @cached_property
    def prose(self) -> list[bool]:
        """Which tokens stand in a sentence and not in a heading, a field, a cell or the item of a list."""
        told = [False] * len(self.words)
        firsts, begin, says = frozenset(self.sentences), 0, 0
        for at, (word, tag) in enumerate(zip(self.words, self.tags, strict=True)):
            parts = word in _PARTING or (word == ":" and says < 2)
            if parts or at in firsts or self._far(at):
                told[begin:at] = [says > 0] * (at - begin)
                begin, says = at + parts, 0
            if not self.changed[at]:
                says = max(says, _SAYS.get(tag, 0), int(at == begin and tag == "VBN"))
        return told

    def _far(self, token: int) -> bool:
        end, start = self.ends[token - 1] if token else 0, self.starts[token]
        return (
            token > 0
            and start > end
            and (self.text[end] == "\t" or start - end > 2)
            and not LINE_END.search(self.text[end : end + _REACH])
        )

    def ends_list(self, start: int, low: int, end: int) -> int | None:
        """Where the comma stands that puts a repeat at the end of a list of other things: "asthma|, HIV and syphilis"."""
        comma = self.token(start) - 1
        if comma < 1 or self.words[comma] != "," or self.starts[comma] < low:
            return None
        first, top = self.phrase(comma - 1)[0], self.sentence(comma)
        if not self.tags[comma - 1].startswith("NN") or self.words[comma - 1].lower().endswith("day"):
            return None
        if first == top:
            return self.starts[comma]
        led = self.tags[first - 1]
        listed = led.startswith("VB") or led in (",", ":") or (led == "IN" and first - 1 > top)
        return self.starts[comma] if listed and not self.agreement(end) else None

    def agreement(self, end: int) -> str:
        """What the verb behind a place asks for: "one", "many", "any", or "" where no verb follows."""
        token = self.token(end)
        if self.sentence(token) == token:
            return ""
        word, tag = self.words[token].lower(), self.tags[token]
        if tag == "VBZ" or word == "was":
            return "one"
        return "many" if tag == "VBP" or word == "were" else "any" if tag in ("VBD", "MD") else ""

    def begins(self, token: int) -> bool:
        """Whether a sentence begins with a token, or with marks and a number before it."""
        top = self.sentence(token)
        return token - top < _BEFORE and not any(word.isalpha() for word in self.words[top:token])

    @cached_property
    def changed(self) -> list[bool]:
        """Which tokens are changed."""
        told = [False] * len(self.words)
        done = 0
        for change in self.changes:
            for token in range(max(self.token(change.start), done), done := self.token(change.end - 1) + 1):
                told[token] = True
        return told
