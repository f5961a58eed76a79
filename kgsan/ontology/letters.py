"""How a character is read: the same letters whatever their accents, width, typography and hidden marks.

What cannot be seen is as if it were not there, accents and ligatures fall to plain letters, typographic quotes, hyphens
and spaces to those of a typewriter. Names and documents are read through this one table, so what looks the same is
the same.

>>> read("Sj\u00f6gren\u2019s H\u200bI\u00adV \u2013 \ufb01ne")
"Sjogren's HIV - fine"
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0489\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TYPED = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u2035\u00b4\uff07`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02", '"'),
    **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\u2015\u2043\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2028\u2029\u0085\x0b\x0c", "\n"),
    **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ß": "ss"},
    **dict.fromkeys("\u2044\u2215", "/"),
    **{"\u3002": ".", "\u2236": ":"},
    # Letters of other scripts that look like ours.
    **dict(zip("АВЕЅІЈКМНОРСТУХЬԌԚԜаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTYXbGQWaesijopcyxhdqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
    # Small capitals, and letters drawn in brackets, filled circles and filled squares.
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ", strict=True)),
    **{chr(0x249C + place): letter for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{chr(first + place): letter for first in (0x1F110, 0x1F150, 0x1F170) for place, letter in enumerate(_CAPITALS)},
}
#: Letters that look like ours but are those of a script of their own: read as ours only in a word that else is no name.
_ALIKE = {
    **dict(zip("αβγεζηικνρτυχωϲϳ", "abyeznikvptuxwcj", strict=True)),
    **dict(zip("кмнтьӏԍ", "kmhtblg", strict=True)),
    **dict(zip("աԁեհոսօքցյզԼՏՕՍՈ", "wdthnuopgjqLSOUn", strict=True)),
    **dict(zip("ᎪᏴᏟᎠᎬᎨᎻᏆᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᎩᏃᏀᎥ", "ABCDEFHIJKLMPRSTVWYZGi", strict=True)),
    **dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ", strict=True)),
    **dict(zip("ⲞⲢⲤⲎⲒⲀⲈⲔⲘⲚⲦⲬ", "OPCHIAEKMNTX", strict=True)),
    **dict(zip("ɑɡıɩƖǀʋɯɾʂʐɗƅɛɔ", "agiilluwrszdbec", strict=True)),
}


class _Table(dict[int, str]):
    """What each character is read as, worked out when it is first met; ASCII but the backtick stands for itself."""

    def __missing__(self, code: int) -> str:
        made = self[code] = _reading(chr(code))
        return made


def _reading(character: str) -> str:
    if _UNSEEN.match(character):
        return ""
    if (typed := _TYPED.get(character)) is not None:
        return typed
    if character.isascii():
        return character
    if character.isspace():
        return " "
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKD", character))
    plain = "".join(_TYPED.get(part, part) for part in plain)
    # A character whose small letters are several (as in Greek with iota) would change its length later: do it now.
    return plain if len(plain.casefold()) == len(plain) else plain.casefold()


_TABLE = _Table()
_LOOKS = str.maketrans(_ALIKE)
_OTHER = re.compile(r"[^\x00-\x0a\x0d-\x5f\x61-\x7f]")


def read(text: str) -> str:
    """The text as it is read."""
    return text.translate(_TABLE) if _OTHER.search(text) else text


def looks_like(word: str) -> str:
    """A word, as it is read, with our letters for all of other scripts that look like them.

    >>> looks_like("\u13bb\u13c6\u13d9"), looks_like("hero\u03b9n")
    ('HIV', 'heroin')
    """
    return word.translate(_LOOKS)


def read_with_origins(text: str) -> tuple[str, NDArray[np.int32] | None]:
    """The text as it is read, and for each of its characters the place it comes from; None when no place moved.

    The array has one place more, the end of the text, so that a reading's end is where the next character comes from.
    """
    if not _OTHER.search(text):
        return text, None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    special = np.flatnonzero((codes > 127) | (codes == ord("`")) | (codes == 0x0B) | (codes == 0x0C))
    distinct, which = np.unique(codes[special], return_inverse=True)
    readings = [_TABLE[code] for code in distinct.tolist()]
    sizes = np.array([len(reading) for reading in readings])
    firsts = np.array([ord(reading[0]) if reading else 0 for reading in readings], dtype="<u4")
    read_codes = codes.copy()
    read_codes[special] = firsts[which]
    places = None
    if bool((sizes != 1).any()):
        lengths = np.ones(len(codes), dtype=np.int32)
        lengths[special] = sizes[which]
        places = np.repeat(np.arange(len(codes), dtype=np.int32), lengths)
        read_codes = read_codes[places]
        begins = np.cumsum(lengths) - lengths
        longer = np.flatnonzero(sizes[which] > 1)
        longer = longer[np.argsort(which[longer], kind="stable")]
        for same in np.split(longer, np.flatnonzero(np.diff(which[longer])) + 1) if len(longer) else []:
            for step, letter in enumerate(readings[which[same[0]]][1:], 1):
                read_codes[begins[special[same]] + step] = ord(letter)
        places = np.append(places, np.int32(len(text)))
    return read_codes.tobytes().decode("utf-32-le", "surrogatepass"), places
