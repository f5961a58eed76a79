"""Words whose letters were exchanged so that a search misses them and a person still reads them: her0in, HlV, heroooin.

Only a word that is in no name is read so, and only as one that is. Codes are written with digits too (B12, H1N1, 5HT), so
digits are letters only between letters, and in words of less than five letters only one of them is.
"""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING

from kgsan.ontology import letters
from kgsan.text.everyday import FUNCTION_WORDS, everyday_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: What digits are written for.
_DIGITS = {"0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g"}
#: In shorter words digits make a code.
_LONG = 5
#: A longer word is nobody's name. So many readings of a word are tried at most.
_LONGEST, _MOST = 40, 16
_ENDS = re.compile(r"(\d*)(.*?)(\d*)")
_RUN = re.compile(r"([^\W\d_])\1{2,}")
_HEX = re.compile(r"[0-9a-fA-F]+")
#: A small l among capitals is an I that was written, or scanned, so.
_AMONG_CAPITALS = re.compile(r"[A-Z]+l[A-Zl]*[A-Z]")
#: Capitals, a word with or without its capital, a number.
_PART = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+")
_ACRONYM_FIRST = re.compile(r"([A-Z]{3,})([a-z]{3,})")
#: In a word without any capitals two words are told apart only if they are so long together.
_GLUED = 8
#: What stands before a name in such a word, and behind one.
_BEFORE = re.compile("took|takes|taking|uses|used|using|smoked|snorted|injected|has|had|have|with")
_BEHIND = re.compile("(?:use|users?|addicts?|addiction|abuse|positive|negative|tests?|tested|patients?|clinic|status)$")


def readings(word: str, is_word: Callable[[str], bool]) -> Iterator[str]:
    """What a word may have been meant to be that is in no name, the likeliest first.

    >>> [*readings("her0in", lambda word: False)], [*readings("B12", lambda word: False)]
    (['heroin'], [])
    """
    if not 3 <= len(word) <= _LONGEST:
        return
    if not word.isascii():
        word = letters.looks_like(word)
        if not word.isascii():
            return
        if len(word) >= _LONG or word.isupper():
            yield word
    if not word.isalpha():
        yield from _without_digits(word, is_word)
        return
    if is_mixed(word):
        yield word.replace("l", "I")
    if len(word) >= 6 and len(word) % 2 == 0 and word[::2] == word[1::2] and not _HEX.fullmatch(word):
        yield word[::2]  # printed twice, for bold letters
    if _RUN.search(word):
        for times in (r"\1", r"\1\1"):
            made = _RUN.sub(times, word)
            if len(made) >= _LONG:
                yield made
    if len(word) > _LONG and ("rn" in word or "vv" in word):
        yield word.replace("rn", "m").replace("vv", "w")
    if len(word) > _LONG and 0 < word.count("l") <= 3 and word[1:].islower():
        yield word.replace("l", "i")
        yield from (word[:at] + "i" + word[at + 1 :] for at, letter in enumerate(word) if letter == "l")


def is_mixed(word: str) -> bool:
    """Whether a small l stands among capitals, as no name is written: AlDS, though ALDS is one."""
    return "l" in word and _AMONG_CAPITALS.fullmatch(word) is not None


def _without_digits(word: str, is_word: Callable[[str], bool]) -> Iterator[str]:
    match = _ENDS.fullmatch(word)
    before, inner, behind = match.groups() if match else ("", "", "")
    if not inner:
        return
    if len(word) < _LONG:
        if before or behind or sum(map(str.isdigit, inner)) != 1:
            return
    elif (before or behind) and (len(before) > 1 or len(behind) > 2 or is_word(inner)):
        return  # room5, 5pills
    if not set(filter(str.isdigit, word)) <= _DIGITS.keys() or sum(map(str.isalpha, word)) < 2:
        return
    capitals = sum(map(str.isupper, inner)) > sum(map(str.islower, inner))
    for made in islice(product(*(_DIGITS.get(letter, letter) for letter in word)), _MOST):
        yield "".join(made).upper() if capitals else "".join(made)


def parts(word: str, is_word: Callable[[str], bool]) -> tuple[str, ...]:
    """The words that were written as one, as far as each of them is a word: HivPositive, HIVpositive, heroin2, tookheroin.

    >>> parts("HivPositive", {"Hiv", "Positive"}.__contains__), parts("McDonald", {"Donald"}.__contains__)
    (('Hiv', 'Positive'), ())
    """
    if not 5 <= len(word) <= _LONGEST or not word.isascii():
        return ()
    found = list(match.groups()) if (match := _ACRONYM_FIRST.fullmatch(word)) else _PART.findall(word)
    told = [part for part in found if not part.isdigit()]
    if len(found) < 2 or not told or not all(_is_small(part) or (len(part) > 2 and is_word(part)) for part in told):
        return ()
    return tuple(told)


def cuts(word: str, is_word: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """The two words that a word without capitals inside may be made of, one of them of a few that go with names.

    Any everyday word would not do: "nonreactive", "complains" and "christianson" are made of such.

    >>> list(cuts("tookheroin", {"heroin"}.__contains__))
    [('took', 'heroin')]
    """
    if not _GLUED <= len(word) <= _LONGEST or not (word.isascii() and word.isalpha() and (word.islower() or word.isupper())):
        return
    small = word.lower()
    if (match := _BEFORE.match(small)) and is_word(small[match.end() :]):
        yield match[0], small[match.end() :]
    if (match := _BEHIND.search(small)) and is_word(small[: match.start()]):
        yield small[: match.start()], match[0]


def _is_small(word: str) -> bool:
    """Whether a word is one of grammar: on, of, is."""
    return word.lower() in FUNCTION_WORDS


def is_everyday(word: str) -> bool:
    """Whether a word is in everybody's mouth."""
    return word in FUNCTION_WORDS or (len(word) > 2 and word in everyday_words())
