"""The map from the codes of a font to letters, as PDF files carry it, read and written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.formats.pdf.limits import MOST_ENTRIES, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TOKEN = re.compile(rb"<([0-9A-Fa-f\s]*)>|%[^\r\n]*|[\[\]<>()]|/?[^\s<>\[\]()/%]+")


def letters_of_codes(content: bytes) -> dict[int, str]:
    """The letters of each code that a map tells.

    >>> letters_of_codes(b"1 beginbfrange <41> <43> <0061> endbfrange 1 beginbfchar <50> <00660069> endbfchar")
    {65: 'a', 66: 'b', 67: 'c', 80: 'fi'}
    """
    letters: dict[int, str] = {}
    for section, operands in _sections(content):
        if section == b"endbfchar":
            for code, target in zip(operands[::2], operands[1::2], strict=False):
                if isinstance(code, bytes) and isinstance(target, bytes):
                    letters[int.from_bytes(code)] = _decoded(target)
        elif section == b"endbfrange":
            for first, last, target in zip(operands[::3], operands[1::3], operands[2::3], strict=False):
                if isinstance(first, bytes) and isinstance(last, bytes):
                    letters.update(_range(int.from_bytes(first), int.from_bytes(last), target))
        if len(letters) > MOST_ENTRIES:
            raise Unreadable("A font maps more letters than there are.")
    return letters


def written(letters: Mapping[int, str], width: int) -> bytes:
    """A map of letters, for codes of one or two bytes."""
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        f"1 begincodespacerange <{'00' * width}> <{'FF' * width}> endcodespacerange",
    ]
    codes = sorted(letters)
    for start in range(0, len(codes), 100):
        some = codes[start : start + 100]
        lines.append(f"{len(some)} beginbfchar")
        lines += [f"<{code:0{2 * width}X}> <{letters[code].encode('utf-16-be').hex().upper()}>" for code in some]
        lines.append("endbfchar")
    return "\n".join([*lines, "endcmap CMapName currentdict /CMap defineresource pop end end", ""]).encode("ascii")


def _sections(content: bytes) -> Iterator[tuple[bytes, list[bytes | list[bytes]]]]:
    operands: list[bytes | list[bytes]] = []
    array: list[bytes] | None = None
    for token in _TOKEN.finditer(content):
        text = token.group()
        if token.group(1) is not None:
            digits = bytes(token.group(1)).translate(None, b" \t\r\n\f\v")
            value = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))[:512]
            (operands if array is None else array).append(value)
        elif text == b"[":
            array = []
        elif text == b"]" and array is not None:
            operands.append(array)
            array = None
        elif text.startswith(b"begin"):
            operands, array = [], None
        elif text.startswith(b"end"):
            yield text, operands
            operands, array = [], None


def _range(first: int, last: int, target: bytes | list[bytes]) -> Iterator[tuple[int, str]]:
    last = min(last, first + 0xFFFF)
    if isinstance(target, list):
        yield from zip(range(first, last + 1), map(_decoded, target), strict=False)
        return
    head, tail = target[:-2], int.from_bytes(target[-2:])
    for code in range(first, last + 1):
        yield code, _decoded(head + (tail + code - first & 0xFFFF).to_bytes(2))


def _decoded(target: bytes) -> str:
    if len(target) == 1:
        return chr(target[0])
    return target[: len(target) // 2 * 2].decode("utf-16-be", "replace")
