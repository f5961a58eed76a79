"""What a word looks like, the company it keeps and its neighbours, weighed into one score per label.

A network with one hidden layer over a window of words, in whole numbers throughout: sums are exact, so every machine gives
the same labels. What depends on a form alone is worked out once per form, not once per token; the rest is gathering rows.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgsan.ontology.arrays import ArrayFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

VERSION = 1
WEIGHTS = Path(__file__).parent / "weights"

#: What is looked at in a form; the number salts the feature's key.
_FEATURES = "form lower end1 end2 end3 end4 start2 start3 shape pattern known capitals named"
FEATURES = tuple(_FEATURES.split())
#: The position of a neighbour, and which of the features above count there.
WINDOW: dict[int, tuple[int, ...]] = {
    -2: (1, 8),
    -1: (0, 1, 3, 4, 8, 12),
    0: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    1: (0, 1, 3, 4, 8, 12),
    2: (1, 8),
}
REACH = max(WINDOW)
#: Tokens worked on at once: bounds the memory a long document needs.
BLOCK = 1 << 16
#: Tokens whose hidden values are worked out at once: these stay in the processor's cache.
_AT_ONCE = 1 << 10
#: So many multiplications OpenBLAS does on one core.
_ON_ONE_CORE = 1 << 18
#: Hidden values and sums below these stay exact in 32-bit floating point.
CEILING = 1023
#: A vector times a weight is in units so much finer than the sums.
SHIFT = 9
#: The key of a form that mostly names nothing; it has no weights.
NAMELESS = 64
#: So many forms are kept with what they add to the hidden values: some 1 kB each.
_KEPT = 1 << 12
_LONGEST = 40
_DESCRIBED = 12
_PACK = struct.Struct(f"<{_DESCRIBED}I").pack
_DIGITS = str.maketrans("123456789", "000000000")
_PATTERN = str.maketrans(
    {code: "x" if chr(code).islower() else "X" for code in range(0x250) if chr(code).isalpha()}
    | dict.fromkeys(range(48, 58), "0")
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What running text says of forms: the company they keep, how often they have a capital (in eighths), what they name."""

    keys: NDArray[np.uint32]  # sorted
    vectors: NDArray[np.int8]  # (keys + 1, dimensions); row 0 is zero: unknown
    capitals: NDArray[np.uint8]  # (keys + 1)
    named_keys: NDArray[np.uint32]  # sorted: capitalised forms
    named: NDArray[np.uint8]  # what running text mostly names with each, from 1

    def find(self, keys: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """The row of the first key of each line that is known, and which one it was (from 1; 0: none)."""
        found = np.searchsorted(self.keys, keys)
        found[found == len(self.keys)] = 0
        known = self.keys[found] == keys
        how = np.where(known.any(axis=1), known.argmax(axis=1) + 1, 0)
        rows = np.where(how > 0, found[np.arange(len(keys)), how - 1] + 1, 0)
        return rows, how.astype(np.uint32)

    def names(self, form: NDArray[np.uint32], capitalised: NDArray[np.uint32], how: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """What each form mostly names, 0 if nothing; a form in an unknown case is looked up with a capital."""
        made = np.zeros(len(form), dtype=np.uint32)
        if len(self.named_keys):
            for keys in (np.where(how == 1, form, capitalised), form):
                found = np.searchsorted(self.named_keys, keys)
                found[found == len(self.named_keys)] = 0
                known = self.named_keys[found] == keys
                made[known] = self.named[found[known]]
        return made


@dataclass(frozen=True, slots=True)
class Forms:
    """The different forms of a stretch of text: keys of their features and their rows among the vectors. Form 0 is no word."""

    keys: NDArray[np.uint32]  # (forms, features)
    rows: NDArray[np.int64]  # into the vectors; 0: unknown


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of text: its forms, and for each token the forms around it, 0 outside its sentence."""

    forms: Forms
    around: dict[int, NDArray[np.int64]]


#: A window with its first token and the token after its last.
Stretch = tuple[int, int, Window]


@dataclass(frozen=True, slots=True)
class Network:
    """The weights: rows of the hidden layer by feature and position, and from there to the labels."""

    keys: NDArray[np.uint32]  # sorted
    places: NDArray[np.uint16]  # (positions, keys): row of a feature at a position; 0: none
    rows: NDArray[np.int8]  # (rows, hidden); row 0 is zero
    company: NDArray[np.float32]  # (positions, dimensions, hidden), whole numbers
    extras: NDArray[np.int16]  # (extra features, hidden)
    bias: NDArray[np.int16]
    output: NDArray[np.float32]  # (hidden, labels), whole numbers
    output_bias: NDArray[np.float32]
    weighed: dict[bytes, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)  # forms that were met


def _shape(form: str) -> str:
    """The case of a form and what else it is made of.

    >>> [_shape(form) for form in ("Rome", "NATO", "x-ray", "B12", "...", "iPod", "A", "")]
    ['title', 'upper', 'lower-', 'upper0', 'mark', 'mixed', 'letter', '']
    """
    if form.isalpha():
        if form.islower():
            return "lower"
        if len(form) == 1:
            return "letter"
        return "upper" if form.isupper() else "title" if form[1:].islower() else "mixed"
    if not form:
        return ""
    if form.isdecimal():
        return f"digits{min(len(form), 5)}"
    ground = form.translate(_PATTERN)
    lower, upper, digit = "x" in ground, "X" in ground, "0" in ground
    if not (lower or upper):
        return "number" if digit else "mark"
    both = "title" if form[1:].islower() else "mixed"
    case = both if lower and upper else "lower" if lower else "upper"
    return case + "0" * digit + "".join(mark for mark in "-.@" if mark in form)


def _pattern(form: str) -> str:
    """The letters of a form by case, runs cut short.

    >>> _pattern("McArthur"), _pattern("T4-ab"), _pattern("hopelessly")
    ('XxXx', 'X0-x', 'x')
    """
    made = ""
    for mark in form[:16].translate(_PATTERN):
        if made[-1:] != mark:
            made += mark
    return made[:8]


def key(text: str, feature: int) -> int:
    """The number under which a feature of a form is known."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), feature)


@lru_cache(maxsize=1 << 14)
def described(form: str) -> bytes:
    """The keys of a form's features, then those under which its lower-case and its capitalised form have their vectors."""
    form = form.translate(_DIGITS)
    lower = form.lower()
    parts = (lower[-1:], lower[-2:], lower[-3:], lower[-4:], lower[:2], lower[:3], _shape(form), _pattern(form))
    texts = (form, lower, *parts, lower, lower.capitalize())
    return _PACK(*map(key, texts, (*range(10), 0, 0)))


def forms(words: Sequence[str], lexicon: Lexicon) -> Forms:
    """The keys and vectors of forms."""
    clipped = [word if len(word) <= _LONGEST else word[: _LONGEST // 2] + word[-_LONGEST // 2 :] for word in words]
    found = np.frombuffer(b"".join(map(described, clipped)), dtype="<u4").reshape(len(words), _DESCRIBED)
    rows, how = lexicon.find(found[:, (0, 10, 11)])
    keys = np.empty((len(words), len(FEATURES)), dtype=np.uint32)
    keys[:, :10] = found[:, :10]
    keys[:, 10] = 32 + how
    keys[:, 11] = 16 + lexicon.capitals[rows]
    keys[:, 12] = NAMELESS + lexicon.names(found[:, 0], found[:, 11], how)
    return Forms(keys, rows)


def windows(words: Sequence[str], sentences: NDArray[np.int64], lexicon: Lexicon) -> Iterator[Stretch]:
    """The text in stretches: first token, token after the last, and what surrounds each token between."""
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    starts[sentences] = 1
    for first in range(0, len(words), BLOCK):
        last = min(first + BLOCK, len(words))
        low, high = max(first - REACH, 0), min(last + REACH, len(words))
        some = words[low:high]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(("", *some)))}
        text = np.fromiter(map(numbers.__getitem__, some), dtype=np.int64, count=len(some))
        sentence = np.cumsum(starts[low:high])
        yield first, last, Window(forms(list(numbers), lexicon), neighbours(text, sentence, first - low, last - low))


def neighbours(
    values: NDArray[np.int64], sentence: NDArray[np.int64], first: int, last: int, reach: int = REACH
) -> dict[int, NDArray[np.int64]]:
    """For each position around a token, the value there; 0 beyond the sentence."""
    made = {}
    # np.pad takes longer than all the rest of a short text.
    padded, inside = np.zeros(len(values) + 2 * reach, dtype=np.int64), np.full(len(values) + 2 * reach, -1, dtype=np.int64)
    padded[reach : reach + len(values)], inside[reach : reach + len(values)] = values, sentence
    here = inside[reach + first : reach + last]
    for offset in range(-reach, reach + 1):
        begin, end = reach + first + offset, reach + last + offset
        made[offset] = np.where(inside[begin:end] == here, padded[begin:end], 0)
    return made


def scores(weights: Network, lexicon: Lexicon, window: Window, extras: Sequence[NDArray[np.int64]] = ()) -> NDArray[np.float32]:
    """One score per token and label: whole numbers, kept as floating point because that multiplies faster."""
    by_form = _by_form(weights, window.forms.keys, lexicon.vectors[window.forms.rows])
    made = np.empty((len(window.around[0]), len(weights.output_bias)), dtype=np.float32)
    for first in range(0, len(made), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        hidden = by_form[0].take(window.around[-REACH][some], axis=0)
        for position, offset in enumerate(WINDOW):
            if position:
                hidden += by_form[position].take(window.around[offset][some], axis=0)
        for extra in extras:
            hidden += weights.extras.take(extra[some], axis=0)
        np.clip(hidden, 0, CEILING, out=hidden)
        np.add(_product(hidden.astype(np.float32), weights.output), weights.output_bias, out=made[some])
    return made


def _by_form(weights: Network, keys: NDArray[np.uint32], vectors: NDArray[np.int8]) -> NDArray[np.int16]:
    """What forms add to the hidden values, by position and form, the bias at the first. Most were met before."""
    forms = np.concatenate([keys.view(np.uint8), vectors.view(np.uint8)], axis=1)
    size, whole = forms.shape[1], forms.tobytes()
    called = [whole[at : at + size] for at in range(0, len(whole), size)]
    told = list(map(weights.weighed.get, called, repeat(b"")))
    if fresh := [number for number, one in enumerate(told) if not one]:
        if len(weights.weighed) + len(fresh) > _KEPT:
            weights.weighed.clear()
        for number, one in zip(fresh, _weighed(weights, keys[fresh], vectors[fresh]), strict=True):
            told[number] = one.tobytes()
        weights.weighed.update((called[number], told[number]) for number in fresh[:_KEPT])
    found = np.frombuffer(b"".join(told), dtype=np.int16).reshape(len(told), len(WINDOW), -1)
    return np.ascontiguousarray(found.swapaxes(0, 1))


def _weighed(weights: Network, keys: NDArray[np.uint32], vectors: NDArray[np.int8]) -> NDArray[np.int16]:
    """The same by form and position, worked out."""
    found = np.searchsorted(weights.keys, keys)
    found[found == len(weights.keys)] = 0
    found[weights.keys[found] != keys] = len(weights.keys)
    places = weights.places.take(found.T, axis=1)
    floating = vectors.astype(np.float32)
    made = np.empty((len(keys), len(WINDOW), len(weights.bias)), dtype=np.int16)
    # `take` is twice as fast as an index where the rows are few.
    for position, features in enumerate(WINDOW.values()):
        own = np.floor(_product(floating, weights.company[position]) / (1 << SHIFT)).astype(np.int16)
        for feature in features:
            own += weights.rows.take(places[position, feature], axis=0)
        made[:, position] = own
    made[:, 0] += weights.bias
    return made


def _product(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of matrices of whole numbers, in pieces so small that each is multiplied by one core.

    A larger one is shared between all cores, and where these are busy, waiting for them takes many times longer than the work.
    """
    piece = max(1, _ON_ONE_CORE // matrix.size)
    whole = len(rows) // piece * piece
    made = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    np.matmul(rows[:whole].reshape(-1, piece, len(matrix)), matrix, out=made[:whole].reshape(-1, piece, matrix.shape[1]))
    np.matmul(rows[whole:], matrix, out=made[whole:])
    return made


@cache
def lexicon() -> Lexicon:
    """The shipped vectors: four bits a number, two numbers a byte, each dimension with its own step."""
    file = ArrayFile.open(WEIGHTS / "words.arrays", "words", VERSION)
    packed, steps = file["vectors"], file["steps"]
    halves = np.stack([packed & 15, packed >> 4], axis=1).astype(np.int16).reshape(-1, len(steps)) - 8
    vectors = np.zeros((len(halves) + 1, len(steps)), dtype=np.int8)
    vectors[1:] = halves * steps >> 3
    return Lexicon(file["keys"], vectors, file["capitals"], file["named_keys"], file["named"])


@cache
def network(name: str) -> Network:
    """The shipped weights of one model."""
    file = ArrayFile.open(WEIGHTS / f"{name}.arrays", name, VERSION)
    hidden = len(file["bias"])
    return Network(
        keys=file["keys"],
        places=file["places"].reshape(len(WINDOW), -1),
        rows=file["rows"].reshape(-1, hidden),
        company=file["company"].astype(np.float32).reshape(len(WINDOW), -1, hidden),
        extras=file["extras"].reshape(-1, hidden),
        bias=file["bias"],
        output=file["output"].astype(np.float32).reshape(hidden, -1),
        output_bias=file["output_bias"].astype(np.float32),
    )
