"""The fonts, colours and drawings that one content stream calls by name; in the new file it has those that it uses, no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pikepdf

if TYPE_CHECKING:
    from kgsan.formats.pdf.copying import Copier
    from kgsan.formats.pdf.fonts import Font


class Resources:
    """What a stream names, and what it will name: names are given anew, since a name may tell something."""

    def __init__(self, given: Any, copier: Copier | None) -> None:
        self.given = given
        self.made = pikepdf.Dictionary()
        self._copier = copier
        self._names: dict[tuple[str, tuple[int, int]], str] = {}

    def find(self, kind: str, name: Any) -> Any | None:
        """What a name stands for."""
        group = self.given.get(kind) if isinstance(self.given, pikepdf.Dictionary) else None
        return group.get(str(name)) if isinstance(group, pikepdf.Dictionary) else None

    def keep(self, kind: str, found: Any, copy: Any | None) -> str:
        """Take over what was found; of a copy that was made of it, the copy."""
        if self._copier is None:
            return "/X"
        return self._named(kind, copy if copy is not None else self._copier.inert(found))

    def font(self, source: Any, font: Font, letters: tuple[Any, Any] | None) -> str:
        """Take over a font."""
        return "/X" if self._copier is None else self._named("/Font", self._copier.font(source, font, letters)[0])

    def stamp(self, font: Any) -> str:
        """Take a font of the new file."""
        return self._named("/Font", font)

    def layer(self, operands: list[Any]) -> str | None:
        """The layer on which something is drawn; whatever else is told about it is left out."""
        if self._copier is None or len(operands) != 2 or operands[0] != "/OC" or not isinstance(operands[1], pikepdf.Name):
            return None
        found = self.find("/Properties", operands[1])
        layer = self._copier.layer(found) if isinstance(found, pikepdf.Dictionary) else None
        return None if layer is None else self._named("/Properties", layer)

    def _named(self, kind: str, made: Any) -> str:
        assert self._copier is not None
        if isinstance(made, pikepdf.Object) and not made.is_indirect and isinstance(made, (pikepdf.Dictionary, pikepdf.Array)):
            made = self._copier.target.make_indirect(made)
        key = (kind, made.objgen) if isinstance(made, pikepdf.Object) and made.is_indirect else (kind, (-len(self._names) - 1, 0))
        if key not in self._names:
            self._names[key] = f"/{kind[1]}{len(self._names)}"
            if kind not in self.made:
                self.made[kind] = pikepdf.Dictionary()
            self.made[kind][self._names[key]] = made
        return self._names[key]
