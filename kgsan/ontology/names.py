"""When two names are the same name: the one normalization that the whole of kgsan shares.

Case, hyphens, accents, plural, possessive and British or American spelling do not matter. An acronym is told by
its capitals, so that AIDS is not "aids":

>>> key("Sjögren's syndromes") == key("sjogren syndrome"), key("tumours") == key("tumor"), key("AIDS") == key("aids")
(True, True, False)
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache, lru_cache
from itertools import islice, product

from kgsan.ontology import letters
from kgsan.ontology.inflection import fold

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?")
_POSITIVE = re.compile(r"(?<=\w)\+(?!\w)")  # HIV+ is HIV positive
#: An acronym has at most this many letters; a longer word in capitals is a word in capitals.
_LONGEST_ACRONYM = 7
#: How many readings of a name are tried when its case tells nothing.
_MOST_READINGS = 16


def words(name: str) -> list[str]:
    """The words of a name in their own case, without accents, marks that cannot be seen, and possessives.

    >>> words("Alzheimer’s disease (early-onset)")
    ['Alzheimer', 'disease', 'early', 'onset']
    """
    name = letters.read(name)
    if "+" in name:
        name = _POSITIVE.sub(" positive", name)
    found = (_WORD if name.isascii() else _wide_word()).findall(name)
    return [_bare(word) for word in found] if "'" in name else found


def is_word_character(character: str) -> bool:
    """Whether a character is part of a word: letters and digits, and the marks that many scripts write around them."""
    return character.isalnum() or (0x370 <= ord(character) < 0x20000 and unicodedata.category(character) in ("Mn", "Mc"))


@cache
def _wide_word() -> re.Pattern[str]:
    """A word in any script."""
    marks = [chr(code) for code in range(0x370, 0x20000) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    letter = rf"(?:[^\W_]|[{''.join(marks)}])"
    return re.compile(rf"{letter}+(?:'{letter}+)*'?")


def _bare(word: str) -> str:
    """A word without its possessive ending and without apostrophes inside."""
    if word.endswith(("'s", "'S")):
        word = word[:-2]
    return word.replace("'", "")


@lru_cache(maxsize=1 << 14)
def _word_key(word: str) -> str:
    if is_acronym(word):
        return acronym(word)
    return fold(word.casefold())


def is_acronym(word: str) -> bool:
    """Whether the capitals of a word make it an acronym: HIV, STDs, mRNA, CD4, but not McDonald or ZIDOVUDINE.

    >>> [word for word in ("HIV", "STDs", "mRNA", "CD4", "McDonald", "ZIDOVUDINE", "Flu", "C") if is_acronym(word)]
    ['HIV', 'STDs', 'mRNA', 'CD4']
    """
    if word[1:].islower():  # as nearly all are
        return False
    capitals = sum(map(str.isupper, word))
    if capitals < 2:
        return False
    letters = sum(map(str.isalpha, word))
    return letters <= _LONGEST_ACRONYM and 2 * capitals >= letters and not word[0].isdigit()


def acronym(word: str) -> str:
    """An acronym in capitals, without its plural: STDs is STD."""
    return (word[:-1] if word.endswith("s") else word).upper()


def key(name: str) -> str:
    """What a name of an ontology is filed under. Two names are the same when their keys are."""
    return " ".join(map(_word_key, words(name)))


def keys(name: str) -> tuple[str, str]:
    """The key of a name, and its key when someone writes its acronyms in small letters.

    >>> keys("HIV infections"), keys("flu")
    (('HIV infection', 'hiv infection'), ('flu', 'flu'))
    """
    exact = key(name)
    return exact, exact if exact.islower() else " ".join([part.lower() for part in exact.split(" ")])


def readings(name: str) -> list[str]:
    """The keys that a name someone typed may be filed under, the most faithful first.

    Small letters may stand for an acronym ("hiv infections"), capitals for a common word ("HEARING AIDS").

    >>> readings("hiv"), readings("AIDS"), readings("Aids")
    (['hiv'], ['AIDS', 'aid', 'aids'], ['aid', 'aids'])
    """
    spelled = words(name)
    exact = " ".join(map(_word_key, spelled))
    choices = [dict.fromkeys((fold(word.casefold()), word.casefold())) for word in spelled]
    others = (" ".join(reading) for reading in islice(product(*choices), _MOST_READINGS))
    return list(dict.fromkeys((exact, *others)))


def hash_key(text: str) -> int:
    """64 bits that stand for a key in a compiled ontology, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
