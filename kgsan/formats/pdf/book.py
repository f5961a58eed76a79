"""What the pages of one file share while they are read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgsan.formats.pdf.fonts import Font, read_font
from kgsan.formats.pdf.limits import Budget

if TYPE_CHECKING:
    from kgsan.formats.documents import Rules
    from kgsan.formats.pdf.copying import Copier
    from kgsan.formats.pdf.stamps import Stamps


class Book:
    """What the pages of one file share: their fonts, and drawings that show no text."""

    def __init__(self, rules: Rules, copier: Copier | None = None, stamps: Stamps | None = None) -> None:
        self.rules = rules
        self.copier = copier
        self.stamps = stamps
        self.budget = Budget()
        self.wordless: dict[tuple[int, int], Any] = {}
        self.drawn_letters: dict[int, tuple[Any, Any] | None] = {}
        self._fonts: dict[tuple[int, int], Font] = {}
        self._direct: list[tuple[Any, Font]] = []

    def font(self, source: Any) -> Font:
        """A font, read once."""
        if not source.is_indirect:
            found = next((font for known, font in self._direct if known == source), None)
            if found is None:
                found = read_font(source)
                self._direct.append((source, found))
            return found
        if source.objgen not in self._fonts:
            self._fonts[source.objgen] = read_font(source)
        return self._fonts[source.objgen]
