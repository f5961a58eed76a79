"""A document of another program, sanitized as one text and put together again.

A format is a module with one function that takes a file apart (`Reader`). What it gives (`Taken`) lists every place of the file
that holds text, also those that no page shows, and puts the file together with other texts in those places. A file is read as a
whole: what it says in a heading and in a footnote is one disclosure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from kgsan.errors import Place, Problem
from kgsan.formats.woven import Woven, unweave
from kgsan.sanitize.release import released
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.formats.woven import Strand
    from kgsan.sanitize.result import SanitizedDocument


@dataclass(frozen=True, slots=True)
class Rules:
    """What is to become of parts of a file that hold no text kgsan can read."""

    pictures: str = "stop"  #: "stop", "keep" or "remove": what a picture shows is not read


STRICT = Rules()


class Taken(Protocol):
    """A file taken apart."""

    @property
    def strands(self) -> Sequence[Strand]:
        """Every place that holds text, in reading order."""

    def put(self, texts: Sequence[str]) -> bytes:
        """The file with these texts in the places of its strands, without its metadata, history and hidden copies."""


class Reader(Protocol):
    """Takes files of one kind apart. A file that cannot be read whole is refused with a `FileError`."""

    def __call__(self, content: bytes, name: str, rules: Rules) -> Taken: ...


class Sanitizes(Protocol):
    """What makes texts safe and tells what is not."""

    def sanitize(self, text: str) -> SanitizedDocument: ...

    def verify(self, text: str) -> Sequence[object]: ...


@dataclass(frozen=True, slots=True)
class SanitizedFile:
    """A file that keeps the promise of a policy, the text it held before, and how the text it holds now came to be."""

    content: bytes = field(repr=False)
    original: str = field(repr=False)
    result: SanitizedDocument


@wordless
def sanitize_file(content: bytes, name: str, read: Reader, sanitizer: Sanitizes, rules: Rules = STRICT) -> SanitizedFile:
    """Sanitize a file. What was written is read once more: it holds the sanitized text and nothing else, or nothing is given."""
    taken = read(content, name, rules)
    woven = Woven(taken.strands)
    sanitized = sanitizer.sanitize(woven.text)
    unwoven = unweave(woven, sanitized)
    # Where words of several paragraphs were replaced at once, the paragraphs are still there and make another text.
    if unwoven.result.text != sanitized.text:
        released(sanitizer, unwoven.result, Place(name), "What discloses too much goes over several paragraphs.")
    made = taken.put(unwoven.texts)
    if text_of(made, name, read) != unwoven.result.text:
        raise NotSafe(Problem("S103", Place(name), "The file that was made does not hold the sanitized text alone."))
    return SanitizedFile(made, woven.text, unwoven.result)


def text_of(content: bytes, name: str, read: Reader) -> str:
    """All that a file says, as it is judged: to verify a file without changing it."""
    return Woven(read(content, name, Rules(pictures="keep")).strands).text
