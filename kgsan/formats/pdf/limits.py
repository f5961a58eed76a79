"""How much of a PDF is read before it is refused, so that no file costs more time or memory than a large honest one."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PAGES = 20_000
MOST_OPERATORS = 10_000_000  #: of all pages, counted as often as they are carried out
MOST_LETTERS = 1_000_000  #: on one page: a close-printed one has ten thousand
MOST_CONTENT = 128 << 20  #: bytes of one unpacked content stream
MOST_UNPACKED = 256 << 20  #: bytes of any one unpacked stream
MOST_PACKED_LZW = 256 << 10  #: this old packing has no limit of its own and swells up to 1400 times
DEEPEST = 24  #: drawings within drawings
MOST_ENTRIES = 200_000  #: bookmarks, notes, entries of a font's map of letters
_ONE_AT_A_TIME = Lock()


class Unreadable(Exception):
    """A PDF cannot be read whole. Its sentence tells no words of it."""


@contextmanager
def bounded() -> Iterator[None]:
    """Unpack and parse within limits. What the parser gave up halfway counts as unreadable.

    The limits are those of the whole process while this lasts, so it lasts for one file at a time.
    """
    with _ONE_AT_A_TIME:
        yield from _limited()


def _limited() -> Iterator[None]:
    before = settings.qpdf_limit_errors()
    previous = settings.set_qpdf_limits(
        flate_max_memory=MOST_UNPACKED, png_max_memory=MOST_UNPACKED, tiff_max_memory=MOST_UNPACKED,
        run_length_max_memory=MOST_UNPACKED, dct_max_memory=MOST_UNPACKED, max_stream_filters=6, parser_max_nesting=100,
    )  # fmt: skip
    try:
        yield
        if settings.qpdf_limit_errors() != before:
            raise Unreadable("Parts of the file are too large, too deep or too damaged to be read.")
    finally:
        settings.set_qpdf_limits(**previous)  # type: ignore[arg-type]


def unpacked(stream: pikepdf.Stream, at_most: int = MOST_CONTENT) -> bytes:
    """The content of a stream, if it is not too large."""
    filters: Any = stream.get("/Filter", ())
    names = [str(filters)] if isinstance(filters, pikepdf.Name) else [str(one) for one in filters]
    if any("LZW" in name for name in names) and len(stream.read_raw_bytes()) > MOST_PACKED_LZW:
        raise Unreadable("A part of the file is packed in a way that may swell beyond every limit.")
    content = stream.read_bytes()
    if len(content) > at_most:
        raise Unreadable(f"A part of the file unpacks to more than {at_most >> 20} MB.")
    return content


class Budget:
    """What may still be carried out before a file counts as hostile."""

    def __init__(self, operators: int = MOST_OPERATORS) -> None:
        self._left = operators

    def spend(self, operators: int) -> None:
        """Take so many operators from what is left."""
        self._left -= operators
        if self._left < 0:
            raise Unreadable("The pages draw more than a file may draw.")
