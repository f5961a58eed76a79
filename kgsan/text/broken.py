"""Words with something between their letters that a person reads past: her*oin, H[I]V, c@tholic, her&#111;in.

Each may be one of several words; which of them is a name is not known here. All is found in time linear in the text.
"""

from __future__ import annotations

import html
import re
from itertools import islice, product
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kgsan.ontology import letters
from kgsan.text.everyday import FUNCTION_WORDS, everyday_words
from kgsan.text.spelled import is_a_list, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Where something stands, and the words it may be.
    Broken = tuple[int, int, tuple[str, ...]]

#: A part of a word is no longer than this.
_LONGEST = 40
#: A word in parts has so many letters at least.
_LONG = 5
_MARKS = r"\"*_\[\](){}\\|^~<>$@!?.,/+=:;#&%·•¬\x00-\x08\x0e-\x1b\x7f-\x9f"
#: The mark is looked for first, since few characters are marks.
_MARK = re.compile(rf"[{_MARKS}](?<=[^\W_].)(?=[^\W_]|[{_MARKS}]{{1,3}}[^\W_]|/?[a-zA-Z]{{1,8}}>)", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_TAG = re.compile(r"</?[a-zA-Z]{1,8}>")
_GAP = rf"(?:</?[a-zA-Z]{{1,8}}>|[{_MARKS}]){{1,4}}"
_FURTHER = re.compile(rf"(?:{_GAP}[^\W_]{{1,{_LONGEST}}}+)+")
_BETWEEN = re.compile(_GAP)
#: Marks that also part one word from another: each side is looked at by itself too.
_PARTING = re.compile(r"[/,;:.?!=+&]")
_SIGN = re.compile(r"[@$!|](?=[^\W\d_])|[@$](?<=[^\W\d_].)")
_SIGNED = re.compile(rf"[^\W\d_]{{0,{_LONGEST}}}+(?:[@$!|][^\W\d_]{{0,{_LONGEST}}}+){{1,8}}+(?!\w)")
#: What signs are written for.
_SIGNS = {"@": "a", "$": "s", "!": "il", "|": "il"}
#: So many readings of a word are tried at most.
_MOST = 16
_CODE = r"&(?:#[0-9]{2,7}|#[xX][0-9a-fA-F]{2,6}|[A-Za-z]{2,8});|%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}"
_ESCAPE = re.compile(_CODE)
_ESCAPED = re.compile(rf"(?:{_CODE}|[^\W_]){{1,400}}+")
_BACKSLASH = re.compile(r"\\[ux]([0-9a-fA-F]{2,4})")
#: Letters drawn as flags: two of them are the flag of a country.
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]{3,40}")
_STAR = re.compile(r"[^\W\d_]+\*[^\W\d_]+")


def broken(text: str) -> Iterator[Broken]:
    """All such words, as the text is read."""
    for start, end, word in spelled(text):
        yield start, end, (word,)
    yield from _marked(text)
    if "$" in text or "@" in text or "!" in text or "|" in text:
        yield from _signed(text)
    if "&" in text or "%" in text or "\\" in text:
        yield from _escaped(text)
    if not text.isascii():
        for match in _FLAGS.finditer(text):
            yield match.start(), match.end(), ("".join(chr(ord(flag) - 0x1F1E6 + ord("A")) for flag in match[0]),)


def censored(word: str) -> bool:
    """Whether one letter of a word was replaced by a star."""
    return _STAR.fullmatch(word) is not None


def _marked(text: str) -> Iterator[Broken]:
    done = 0
    for match in _MARK.finditer(text):
        if match.start() < done:
            continue
        start = _begin(text, match.start(), done)
        further = _FURTHER.match(text, match.start())
        if further is None:
            continue
        done = further.end()
        yield from _joined(text, start, done)


def _joined(text: str, start: int, end: int) -> Iterator[Broken]:
    """A run of parts as one word; where it holds marks that part words, what stands between those too."""
    run = text[start:end]
    if end - start > 400 or not _LETTER.search(run):
        return
    if (made := _one(run)) is not None:
        yield start, end, made
    if _PARTING.search(run):
        place = start
        for piece in _PARTING.split(run):
            if len(piece) < len(run) and (made := _one(piece)) is not None:
                yield place, place + len(piece), made
            place += len(piece) + 1


def _one(run: str) -> tuple[str, ...] | None:
    pieces = [piece for piece in _BETWEEN.split(run) if piece]
    word = "".join(pieces)
    if len(pieces) < 2 or len(word) < 3 or not word.isalpha():
        return None
    if all(len(piece) == 1 for piece in pieces):
        if is_a_list(word) or not (word.isupper() or len(word) > 3):
            return None  # n(c,t) is a formula
    elif all(map(_is_a_word, pieces)) or _SIGN.search(run):
        return None  # and/or; signs are letters
    elif len(word) < _LONG and (not word.isupper() or _PARTING.search(_TAG.sub("", run))):
        return None
    return (word, run) if censored(run) else (word,)


def _is_a_word(piece: str) -> bool:
    small = piece.lower()
    return small in FUNCTION_WORDS or (len(small) > 1 and small in everyday_words())


def _signed(text: str) -> Iterator[Broken]:
    done = 0
    for match in _SIGN.finditer(text):
        if match.start() < done:
            continue
        start = _begin(text, match.start(), done, _is_signed)
        signed = _SIGNED.match(text, start)
        if signed is None or (start and text[start - 1] in "_."):
            continue
        done = signed.end()
        run = signed[0].lstrip("|!")  # fields of a message begin so
        start = done - len(run)
        if len(run) > 2 and not run.isalpha():
            made = ["".join(word) for word in islice(product(*(_SIGNS.get(letter, letter) for letter in run)), _MOST)]
            capitals = sum(map(str.isupper, run)) > sum(map(str.islower, run))
            yield start, done, tuple(word.upper() if capitals else word for word in made)


def _is_signed(character: str) -> bool:
    return character.isalpha() or character in _SIGNS


def _escaped(text: str) -> Iterator[Broken]:
    done = 0
    for match in _ESCAPE.finditer(text):
        if match.start() < done:
            continue
        start = _begin(text, match.start(), done)
        run = _ESCAPED.match(text, start)
        if run is None or run.end() < match.end():
            continue
        done = run.end()
        said = _BACKSLASH.sub(lambda code: chr(int(code[1], 16)), run[0])
        word = letters.read(html.unescape(unquote(said, errors="ignore")))
        if word.isalpha():
            yield start, done, (word,)


def _begin(text: str, at: int, floor: int, belongs: Callable[[str], bool] = str.isalnum) -> int:
    """Where the letters begin that stand before a place."""
    floor = max(floor, at - _LONGEST)
    while at > floor and belongs(text[at - 1]):
        at -= 1
    return at
