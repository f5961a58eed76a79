"""Every name of every loaded ontology in one table that is asked word by word.

Names are filed under the classes of their words: a word without inflection, in small letters. The table maps the hash of
each beginning of a name to whether a name ends there and whether one goes on, so one look per word decides, however
many names there are. Which names really need capitals ("AIDS", not "aids") is kept beside it.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgsan.errors import OntologyError
from kgsan.lazy import cached_property
from kgsan.ontology import names
from kgsan.ontology.arrays import ArrayFile, Strings, narrow, pack
from kgsan.ontology.inflection import fold
from kgsan.ontology.load import cache_folder
from kgsan.sources import no_collection
from kgsan.text import table
from kgsan.text.everyday import FUNCTION_WORDS, everyday_words
from kgsan.text.spelling import Speller, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kgsan.ontology.stack import OntologyStack

    Hashes = NDArray[np.uint64]

KIND = "names"
VERSION = 3
#: Longer names are not looked for in text: nobody writes them out.
LONGEST = 48
#: What decides how names are filed: an index that other code made is not taken for its own.
_CODE = (
    "ontology/letters.py",
    "ontology/inflection.py",
    "ontology/names.py",
    "text/everyday.py",
    "text/everyday.txt",
    "text/index.py",
    "text/spelling.py",
)
#: Marks that part two statements: a name runs across one only if it holds one itself.
HARD = "!?;:|=<>*#@{}\\\t•·▪◦‣"
_HARD_MARKS = re.compile(rf"[{re.escape(HARD)}]|\.[^\w\s]*\s")
_FIRST = np.uint64(0x9E3779B97F4A7C15)
_STEP = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)
_FIRST_NUMBER, _STEP_NUMBER = int(_FIRST), int(_STEP)
_ALL_BITS = (1 << 64) - 1


@lru_cache(maxsize=1 << 13)
def word_class(word: str) -> str:
    """What a word of a name, or of a text, is compared by.

    >>> [word_class(word) for word in ("Infections", "AIDS", "aids", "STDs", "tumours")]
    ['infection', 'aids', 'aid', 'std', 'tumor']
    """
    if names.is_acronym(word):
        return names.acronym(word).casefold()
    return fold(word.casefold())


@lru_cache(maxsize=1 << 13)
def class_hash(word: str) -> int:
    """64 bits for a class of words, the same on every machine, never 0."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") or 1


def first(classes: Hashes) -> Hashes:
    """The hash of a name's beginning of one word."""
    return further(np.full(len(classes), _FIRST, dtype=np.uint64), classes)


def further(beginnings: Hashes, classes: Hashes) -> Hashes:
    """The hash of a beginning with one word more."""
    made = (beginnings ^ classes) * _STEP
    made ^= made >> _SHIFT
    made *= _STEP
    return made | np.uint64(1)


def name_hash(classes: Sequence[str]) -> int:
    """The hash of a whole name, from the classes of its words."""
    state = _FIRST_NUMBER
    for word in classes:
        state = ((state ^ class_hash(word)) * _STEP_NUMBER) & _ALL_BITS
        state ^= state >> 32
        state = (state * _STEP_NUMBER) & _ALL_BITS | 1
    return state


def capitals_needed(written: list[str]) -> int:
    """Which words of a name must be written in capitals in a text, as bits: those that else are everyday words.

    >>> capitals_needed(["AIDS"]), capitals_needed(["HIV"]), capitals_needed(["full", "blown", "AIDS"])
    (1, 0, 4)
    """
    needed = 0
    for i, word in enumerate(written):
        if names.is_acronym(word) and (len(word) < 3 or _is_everyday(names.acronym(word).casefold())):
            needed |= 1 << i
    return needed


def gaps_crossed(name: str) -> int:
    """Between which words of a name a mark stands that in a text would part two statements, as bits.

    >>> gaps_crossed("breast cancer"), gaps_crossed("Type 2: late onset")
    (0, 2)
    """
    parts = [len(names.words(part)) for part in _HARD_MARKS.split(name)]
    crossed = words = 0
    for count in parts[:-1]:
        words += count
        crossed |= 1 << max(words - 1, 0)
    return crossed & ((1 << max(words + parts[-1] - 1, 0)) - 1)


def _is_everyday(word: str) -> bool:
    return word in everyday_words() or word in FUNCTION_WORDS or fold(word) in everyday_words()


class NameIndex:
    """The compiled names of a stack of ontologies. Immutable, memory-mapped when it could be kept."""

    def __init__(self, file: ArrayFile) -> None:
        self._file = file

    @cached_property
    def keys(self) -> Hashes:
        """The hashes of all beginnings, each at its place; 0 where the table is empty."""
        return self._file["keys"]

    @cached_property
    def values(self) -> NDArray[np.int32]:
        """For each place: 2 * (group + 1) when names end here, plus 1 when a name goes on."""
        return self._file["values"]

    @cached_property
    def needed(self) -> Hashes:
        """For each group the words that must be in capitals whichever of its names is meant."""
        return self._file["needed"]

    @cached_property
    def crossed(self) -> Hashes:
        """For each group the gaps between words that one of its names crosses a hard mark in."""
        return self._file["crossed"]

    @cached_property
    def hashes(self) -> Hashes:
        """For each group the hash of the classes of its words."""
        ends = np.flatnonzero(self.values > 1)
        found = np.zeros(len(self.needed), dtype=np.uint64)
        found[(self.values[ends] >> 1) - 1] = self.keys[ends]
        return found

    @cached_property
    def needing(self) -> tuple[NDArray[np.int32], Hashes]:
        """The names, by row, some of whose words must be in capitals, and which."""
        return self._file["needing_rows"], self._file["needing"]

    @cached_property
    def group_of(self) -> NDArray[np.int32]:
        """For each name its group; -1 for one that is not looked for."""
        found = np.full(int(self._file.about["names"]), -1, dtype=np.int32)
        groups = self._file["groups"].astype(np.int64)
        found[self._file["rows"]] = np.repeat(np.arange(len(groups) - 1, dtype=np.int32), np.diff(groups))
        return found

    @cached_property
    def vocabulary(self) -> Hashes:
        """The hashes of all classes of words that occur in names, sorted."""
        return self._file["vocabulary"]

    @cached_property
    def words(self) -> Strings:
        """The classes of words that occur in names."""
        return Strings(self._file["words"], self._file["words_at"])

    @property
    def speller(self) -> Speller:
        """What reads misspelt words as those."""
        return Speller(self.words, self._file["spellings"], self._file["spelt"])

    def rows(self, group: int) -> list[int]:
        """The names of a group, numbered through all ontologies of the stack."""
        start, stop = self._file["groups"][group : group + 2].tolist()
        found: list[int] = self._file["rows"][start:stop].tolist()
        return found


def load_index(stack: OntologyStack) -> NameIndex:
    """The index of a stack, from the cache when it was made before."""
    kept = _kept(stack)
    if kept is not None:
        try:
            return NameIndex(ArrayFile.open(kept, KIND, VERSION))
        except OntologyError:
            pass  # not there yet, or damaged: made anew
    file = compile_index([ontology.name_texts() for ontology in stack])
    if kept is not None:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.save(kept)
            return NameIndex(ArrayFile.open(kept, KIND, VERSION))
        except (OSError, OntologyError):
            pass  # a cache that cannot be written is no reason to fail
    return NameIndex(file)


def _kept(stack: OntologyStack) -> Path | None:
    try:
        folder = cache_folder()
    except RuntimeError:  # no home folder
        return None
    if folder is None:
        return None
    total = hashlib.sha256()
    for ontology in stack:
        total.update(ontology.names_digest)
    for code in _CODE:
        total.update(Path(str(files("kgsan") / code)).read_bytes())
    return folder / f"{total.hexdigest()[:32]}.kgn"


def compile_index(texts: Iterable[list[str]]) -> ArrayFile:
    """The index of names, given ontology by ontology."""
    with no_collection():
        return _compile([text for part in texts for text in part])


def _compile(texts: list[str]) -> ArrayFile:
    numbers: dict[str, int] = {}
    classes: dict[str, int] = {}  # of a word as it is written
    acronyms: set[str] = set()
    needing: dict[int, int] = {}
    crossing: dict[int, int] = {}
    flat: list[int] = []
    lengths = np.zeros(len(texts), dtype=np.int64)
    for row, text in enumerate(texts):
        written = names.words(text)
        if not 0 < len(written) <= LONGEST:
            continue
        for word in written:
            number = classes.get(word)
            if number is None:
                made = word_class(word)
                number = classes[word] = numbers.setdefault(made, len(numbers))
                if names.is_acronym(word):
                    acronyms.add(word)
            flat.append(number)
        lengths[row] = len(written)
        if not acronyms.isdisjoint(written) and (needed := capitals_needed(written)):
            needing[row] = needed
        if _HARD_MARKS.search(text) and (crossed := gaps_crossed(text)):
            crossing[row] = crossed
        if len(written) == 1 and _is_nobodys(written[0]):
            del flat[-1]
            lengths[row] = 0
    words = list(numbers)
    hashes = np.fromiter(map(class_hash, words), dtype=np.uint64, count=len(words))
    keys, terminal, goes_on, group_of = _beginnings(hashes[np.asarray(flat, dtype=np.int64)], lengths)
    arrays: dict[str, NDArray[np.generic]] = {"vocabulary": np.sort(hashes)}
    in_order = sorted(words)
    arrays["words"], arrays["words_at"] = pack(in_order)
    arrays["spellings"], arrays["spelt"] = spellings(in_order)
    found = np.flatnonzero(group_of >= 0)
    order = np.argsort(group_of[found], kind="stable")
    count = int(terminal.sum())
    arrays["rows"] = narrow(found[order])
    arrays["groups"] = narrow(np.searchsorted(group_of[found][order], np.arange(count + 1)))
    ends = arrays["groups"].astype(np.int64)[:-1]
    arrays["needed"] = np.bitwise_and.reduceat(_bits(needing, len(texts))[found[order]], ends) if count else _bits({}, 0)
    arrays["crossed"] = np.bitwise_or.reduceat(_bits(crossing, len(texts))[found[order]], ends) if count else _bits({}, 0)
    arrays["needing_rows"] = np.array(sorted(needing), dtype=np.int32)
    arrays["needing"] = np.array([needing[row] for row in sorted(needing)], dtype=np.uint64)
    arrays["keys"], numbers_at = table.fill(keys)
    value = 2 * np.where(terminal, np.cumsum(terminal), 0) + goes_on
    arrays["values"] = np.append(value, 0).astype(np.int32)[numbers_at]  # -1, an empty place, takes the 0
    return ArrayFile(KIND, VERSION, {"names": len(texts), "groups": count}, arrays)


def _bits(by_row: dict[int, int], count: int) -> Hashes:
    bits = np.zeros(count, dtype=np.uint64)
    for row, value in by_row.items():
        bits[row] = value
    return bits


def _is_nobodys(word: str) -> bool:
    """Single letters and words of grammar are not looked for: what an ontology files under them, no text means by them."""
    return len(word) < 2 or (word.casefold() in FUNCTION_WORDS and not names.is_acronym(word))


def _beginnings(
    classes: Hashes, lengths: NDArray[np.int64]
) -> tuple[Hashes, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
    """All beginnings once, sorted; which are whole names, which go on; and for each name the number of its group."""
    starts = np.cumsum(lengths) - lengths
    rows = np.flatnonzero(lengths)
    state = first(classes[starts[rows]])
    whole = np.zeros(len(lengths), dtype=np.uint64)
    every, going = [state], []
    depth = 1
    while len(rows):
        done = lengths[rows] == depth
        whole[rows[done]] = state[done]
        rows, state = rows[~done], state[~done]
        going.append(state)
        state = further(state, classes[starts[rows] + depth])
        every.append(state)
        depth += 1
    keys = np.unique(np.concatenate(every))
    terminal, goes_on = np.zeros(len(keys), dtype=bool), np.zeros(len(keys), dtype=bool)
    named = np.flatnonzero(lengths)
    at = np.searchsorted(keys, whole[named])
    terminal[at] = True
    goes_on[np.searchsorted(keys, np.concatenate(going))] = True
    group_of = np.full(len(lengths), -1, dtype=np.int64)
    group_of[named] = (np.cumsum(terminal) - 1)[at]
    return keys, terminal, goes_on, group_of
