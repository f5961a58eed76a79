"""Whether a paragraph is in English, the language that the reader knows, or in another.

A language shows in its small words: a text of any length is full of them, and a list of names, drugs, codes or addresses has
hardly any, in any language. So a paragraph is said to be foreign only when the small words of one language are frequent, of
several sorts, and those of English are missing; or when its letters are those of another script. All else is not judged.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

from kgsan.text.sentences import paragraph_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ENGLISH = "English"
#: Fewer words than these say too little about their language.
LEAST_WORDS = 12
#: Of the words of a paragraph, so many are English alone in any English prose, and so many are small words in any prose.
_ENGLISH_SHARE = 0.08
_FOREIGN_SHARE = 0.2
#: So many different small words of a language, and so many times as many as of English.
_LEAST_SORTS = 3
#: Words inside the names of people, streets and places, which say nothing about the language around them.
_IN_NAMES = frozenset("de la el del las los le les du des von van der den zu di da do dos das y e i al bin san af av".split())
_TIMES = 3
#: Letters of another script: so many at least, and so much of all letters.
_LEAST_LETTERS, _SCRIPT_SHARE = 8, 0.5
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*+")
_BEYOND_LATIN = re.compile(
    r"[\u0400-\u1dff\u2c00-\ufaff\ufb13-\ufdff\ufe70-\ufeff\uff66-\uffdc\U00010000-\U0001d3ff\U0001e000-\U0001f000\U00020000-\U0003ffff\u0370-\u03ff]"
)
#: What is written in a script, where that is nearly always one language.
_SCRIPTS = {
    "CYRILLIC": "a language in Cyrillic letters",
    "GREEK": "Greek",
    "ARABIC": "a language in Arabic letters",
    "HEBREW": "Hebrew",
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "DEVANAGARI": "a language in Devanagari",
    "THAI": "Thai",
}


@dataclass(frozen=True, slots=True)
class Foreign:
    """A paragraph that is not in English, and the language that it seems to be in."""

    start: int
    end: int
    language: str


def foreign_paragraphs(text: str) -> Iterator[Foreign]:
    """The paragraphs of a text that are surely not in English; what is too short to tell is none.

    >>> [one.language for one in foreign_paragraphs("Der Patient ist seit zwei Jahren hier und hat keine Schmerzen mehr.")]
    ['German']
    """
    for start, end in paragraph_spans(text):
        found = language_of(text[start:end])
        if found not in (None, ENGLISH):
            yield Foreign(start, end, str(found))


def language_of(paragraph: str) -> str | None:
    """The language of a paragraph, or None when that cannot be told.

    >>> language_of("Pt c/o SOB, HA x3d. Denies N/V/D."), language_of("She was seen in the clinic and went home with her mother.")
    (None, 'English')
    """
    if not paragraph.isascii():
        script = _script(paragraph)
        if script is not None:
            return script
    only_english, languages = _small_words()
    lower = paragraph.lower()
    # No text has more words than every second character, so most prose is told without counting them.
    if sum(map(only_english.__contains__, lower.split())) >= max(LEAST_WORDS, _ENGLISH_SHARE * (len(lower) + 1) / 2):
        return ENGLISH
    words = _WORD.findall(lower)
    if len(words) < LEAST_WORDS:
        return None
    english = sum(map(only_english.__contains__, words))
    if english >= _ENGLISH_SHARE * len(words):
        return ENGLISH
    counts = Counter(words)
    best, most = None, 0
    small = [(word, count) for word, count in counts.items() if word in languages]
    for language in set(chain.from_iterable(languages[word] for word, _ in small)):
        own = [(word, count) for word, count in small if language in languages[word]]
        total = sum(count for _, count in own)
        if sum(word not in _IN_NAMES for word, _ in own) >= _LEAST_SORTS and (total, language) > (most, best or ""):
            best, most = language, total
    if best is None or most < _FOREIGN_SHARE * len(words) or most < _TIMES * english:
        return None
    return best


@cache
def _small_words() -> tuple[frozenset[str], Mapping[str, frozenset[str]]]:
    """The words that are English and nothing else, and for every word that is not English the languages that it belongs to."""
    lines = files("kgsan.text").joinpath("function_words.txt").read_text("utf-8").splitlines()
    lists = {name: words.split() for name, _, words in (line.partition(":") for line in lines if line and line[0] != "#")}
    english = frozenset(lists.pop(ENGLISH))
    languages: dict[str, set[str]] = {}
    for name, words in lists.items():
        for word in words:
            if word not in english:
                languages.setdefault(word, set()).add(name)
    shared = frozenset(chain.from_iterable(lists.values()))
    return english - shared, {word: frozenset(names) for word, names in languages.items()}


def _script(paragraph: str) -> str | None:
    """The language that a script tells, where most letters of a paragraph are not Latin ones."""
    foreign = _BEYOND_LATIN.findall(paragraph)
    if len(foreign) < _LEAST_LETTERS:
        return None
    letters = sum(map(str.isalpha, paragraph))
    if len(foreign) < _SCRIPT_SHARE * letters:
        return None
    scripts = Counter(_script_of(sign) for sign in foreign if sign.isalpha())
    if not scripts or sum(scripts.values()) < max(_LEAST_LETTERS, _SCRIPT_SHARE * letters):
        return None
    if scripts["HIRAGANA"] + scripts["KATAKANA"] > 0.1 * sum(scripts.values()):
        return "Japanese"
    return _SCRIPTS.get(scripts.most_common(1)[0][0], "a language in letters of another script")


@lru_cache(maxsize=1 << 12)
def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "?").partition(" ")[0]
