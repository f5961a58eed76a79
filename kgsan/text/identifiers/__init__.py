"""Identifiers with a structure of their own: the eighteen of the HIPAA Safe Harbor rule, as far as text shows them.

Names without an introduction, towns without a state, biometric data and photographs are out of reach here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.text.document import Document
from kgsan.text.identifiers.choose import choose
from kgsan.text.identifiers.finding import found_in
from kgsan.text.identifiers.identifier import KINDS, Identifier

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["KINDS", "Identifier", "identifiers"]

#: Tabs and line ends as the patterns know them, each as long as it was.
_BLANKS = (("\t", " "), ("\r\n", " \n"), ("\r", "\n"))


def identifiers(document: Document | str, kinds: Collection[str] | None = None) -> list[Identifier]:
    """Sorted by start, and no two overlap: the longer, then the more certain wins; ties by the order in KINDS.

    >>> [(found.kind, found.start, found.end) for found in identifiers("Seen 3/4/21, MRN#00123456.")]
    [('date', 5, 11), ('medical_record', 17, 25)]
    """
    if kinds is not None and (unknown := sorted(set(kinds) - set(KINDS))):
        raise ValueError(f"no such kind of identifier: {', '.join(unknown)}; there are {', '.join(KINDS)}")
    if isinstance(document, str):
        document = Document(document)
    plain = document.plain
    for mark, seen in _BLANKS:
        if mark in plain:
            plain = plain.replace(mark, seen)
    claims = (claim for claim in found_in(plain) if kinds is None or claim.kind in kinds)
    return [_in_original(document, identifier) for identifier in choose(claims, plain)]


def _in_original(document: Document, found: Identifier) -> Identifier:
    start, end = document.span(found.start, found.end)
    parts = tuple((name, *document.span(first, last)) for name, first, last in found.parts)
    return Identifier(start, end, found.kind, found.because, parts, found.certain)
