"""A data file of Princeton's WordNet: the synsets of one word class.

    00003553 03 n 02 whole 0 unit 0 002 @ 00002684 n 0000 ~ 04353803 n 0000 | an assemblage of parts; "a nice unit"

Offset, file number, word class and number of words stand at fixed places. A word is two fields, a pointer four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kgsan.errors import ontology_error
from kgsan.sources.wnlines import Lines, each, values

if TYPE_CHECKING:
    from kgsan.sources.files import SourceFile
    from kgsan.sources.wnlines import Bools, Ints

CLASSES = "nvar"
PARTS = "pms"
OFFSETS = 10**8  #: so many offsets there may be in a word class
_FIRST_WORD = 17

_HEX, _CLASSES, _PARTS = values("0123456789abcdef"), values(CLASSES), values(PARTS)
_CLASSES[ord("s")] = CLASSES.index("a")  # a satellite of an adjective is an adjective


@dataclass(frozen=True, slots=True)
class Synsets:
    """The synsets of a data file, numbered from 0 in its order.

    A synset is known by the offset that its line names, not by where the line stands, so a file whose line ends were changed
    on the way is read like any other. Pointers lead to a key: word class and offset as one number.
    """

    letter: str
    offsets: list[str]
    keys: Ints
    lemmas: list[str]
    owners: Ints  #: of the lemmas
    definitions: dict[int, str]  #: the glosses without their examples
    children: Ints
    parents: Ints  #: by key
    pointing: Ints  #: the part, or the whole
    kinds: Ints  #: of the part: which of PARTS
    is_whole: Bools  #: '%' points from a whole to its part, '#' from a part to its whole
    others: Ints  #: by key


def read_data(file: SourceFile, letter: str) -> Synsets:
    """The synsets of a file; a line that is not built like the others is an error."""
    lines = Lines(file, "offset, file number, word class, words, pointers, '|', gloss")
    bars = lines.places("|")
    bars = lines.following(bars[lines.code(bars + 1) == ord(" ")], lines.starts)
    words, pointers = _counted(lines, letter, bars)

    owners, blank = each(words, lines.first + 3, 2)
    lemmas, lemma_ends = lines.field(blank), lines.field(blank + 1) - 1
    if (lemmas == lemma_ends).any():
        raise ontology_error("O103", file.name, "A synset has a lemma without a letter.")

    pointing, blank = each(pointers, lines.first + 4 + 2 * words, 4)
    symbols = lines.field(blank)
    symbol, kinds = lines.code(symbols), lines.value(_PARTS, symbols + 1)
    is_up = symbol == ord("@")
    is_part = ((symbol == ord("#")) | (symbol == ord("%"))) & (kinds >= 0)
    return Synsets(
        letter,
        lines.texts(lines.starts, lines.starts + 8),
        CLASSES.index(letter) * OFFSETS + lines.digits(lines.starts, 8),
        lines.texts(lemmas, lemma_ends),
        owners,
        _definitions(lines, np.minimum(bars + 2, lines.ends)),
        pointing[is_up],
        _targets(lines, pointing[is_up], blank[is_up] + 1),
        pointing[is_part],
        kinds[is_part],
        symbol[is_part] == ord("%"),
        _targets(lines, pointing[is_part], blank[is_part] + 1),
    )


def _counted(lines: Lines, letter: str, bars: Ints) -> tuple[Ints, Ints]:
    """How many words and how many pointers each line has, with all that can be wrong with a line."""
    starts, first = lines.starts, lines.first
    words = 16 * lines.value(_HEX, starts + 14) + lines.value(_HEX, starts + 15)
    counted = lines.field(first + 3 + 2 * words)
    pointers = lines.digits(counted, 3)
    rest = np.searchsorted(lines.blanks, bars) - first - 5 - 2 * words - 4 * pointers
    wrong = (words < 1) | (pointers < 0) | (rest < 0) | (lines.field(first + 4 + 2 * words) != counted + 4)
    if letter != "v":  # only verbs have something after their pointers
        wrong |= rest > 0
    wrong |= lines.field(first + 3) != starts + _FIRST_WORD
    wrong |= lines.value(_CLASSES, starts + 12) != CLASSES.index(letter)
    wrong |= lines.digits(starts, 8) < 0
    lines.refuse(wrong)
    return words, pointers


def _targets(lines: Lines, pointing: Ints, blank: Ints) -> Ints:
    """The keys of what pointers lead to."""
    offsets = lines.field(blank)
    offset, word_class = lines.digits(offsets, 8), lines.value(_CLASSES, offsets + 9)
    lines.refuse(pointing[(offset < 0) | (word_class < 0) | (lines.field(blank + 1) != offsets + 9)])
    found: Ints = word_class * OFFSETS + offset
    return found


def _definitions(lines: Lines, starts: Ints) -> dict[int, str]:
    quotes = lines.places('"')
    examples = quotes[(lines.code(quotes - 1) == ord(" ")) & (lines.code(quotes - 2) == ord(";"))] - 2
    glosses = zip(starts.tolist(), lines.following(examples, starts).tolist(), strict=True)
    text = lines.text
    return {
        number: definition
        for number, (start, end) in enumerate(glosses)
        if (definition := text[start:end].strip(" ;\r")) and definition[0] != '"'
    }
