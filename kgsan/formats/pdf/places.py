"""Where bookmarks and links lead within a file, told by the number of the page instead of by a name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pikepdf

from kgsan.formats.pdf.limits import MOST_ENTRIES, Unreadable


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline beside the pages."""

    title: str = field(repr=False)
    level: int
    target: Any


class Places:
    """The pages of a file, and those that take their place in a new one."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        self._names: dict[bytes, Any] | None = None
        self.made: list[Any] = []  #: the pages of the new file

    def explicit(self, target: Any) -> Any | None:
        """The page, and where on it, that a target means; nothing if it leads elsewhere."""
        if isinstance(target, (pikepdf.String, pikepdf.Name)):
            target = self._named().get(_key(target))
        if isinstance(target, pikepdf.Dictionary):
            target = target.get("/D")
        if not isinstance(target, pikepdf.Array) or not len(target) or not isinstance(target[0], pikepdf.Dictionary):
            return None
        number = self._numbers.get(target[0].objgen)
        if number is None or number >= len(self.made):
            return None
        numbers = [None if isinstance(one, pikepdf.Object) else one for one in list(target)[2:6]]
        manner = (
            target[1]
            if len(target) > 1 and target[1] in ("/XYZ", "/Fit", "/FitH", "/FitV", "/FitR", "/FitB")
            else pikepdf.Name.Fit
        )
        return pikepdf.Array([self.made[number], manner, *numbers])

    def bookmarks(self) -> list[Bookmark]:
        """The outline, entry by entry."""
        found: list[Bookmark] = []
        root = self._pdf.Root.get("/Outlines")
        waiting = (
            [(root.First, 0)]
            if isinstance(root, pikepdf.Dictionary) and isinstance(root.get("/First"), pikepdf.Dictionary)
            else []
        )
        seen: set[tuple[int, int]] = set()
        while waiting:
            entry, level = waiting.pop()
            if (entry.objgen in seen and entry.is_indirect) or len(found) > MOST_ENTRIES:
                raise Unreadable("The bookmarks of the PDF go round in a circle or have no end.")
            seen.add(entry.objgen)
            title = entry.get("/Title")
            action = entry.get("/A")
            inner = action.get("/D") if isinstance(action, pikepdf.Dictionary) and action.get("/S") == "/GoTo" else None
            found.append(Bookmark(str(title) if isinstance(title, pikepdf.String) else "", level, entry.get("/Dest", inner)))
            for key, depth in (("/Next", level), ("/First", level + 1)):
                if isinstance(entry.get(key), pikepdf.Dictionary):
                    waiting.append((entry[key], depth))
        return found

    def write(self, target: pikepdf.Pdf, bookmarks: list[Bookmark]) -> None:
        """Give the new file an outline."""
        if not bookmarks:
            return
        root = target.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines))
        path: list[Any] = [root]
        latest: dict[tuple[int, int], Any] = {}
        for one in bookmarks:
            entry = target.make_indirect(pikepdf.Dictionary(Title=pikepdf.String(one.title)))
            leads = self.explicit(one.target)
            if leads is not None:
                entry["/Dest"] = leads
            del path[min(one.level, len(path) - 1) + 1 :]
            parent = path[-1]
            before = latest.get(parent.objgen)
            entry["/Parent"] = parent
            if before is None:
                parent["/First"] = entry
            else:
                before["/Next"], entry["/Prev"] = entry, before
            parent["/Last"] = latest[parent.objgen] = entry
            path.append(entry)
        target.Root["/Outlines"] = root

    def _named(self) -> dict[bytes, Any]:
        if self._names is None:
            self._names = {}
            older = self._pdf.Root.get("/Dests")
            if isinstance(older, pikepdf.Dictionary):
                self._names |= {key.encode(): older[key] for key in older.keys()}  # noqa: SIM118 - a PDF dictionary is no mapping
            names: Any = self._pdf.Root.get("/Names", pikepdf.Dictionary())
            tree = names.get("/Dests")
            waiting, seen = ([tree] if isinstance(tree, pikepdf.Dictionary) else []), 0
            while waiting and seen < MOST_ENTRIES:
                node = waiting.pop()
                seen += 1
                waiting += [one for one in node.get("/Kids", []) if isinstance(one, pikepdf.Dictionary)]
                leaves = list(node.get("/Names", []))
                self._names |= {_key(name): value for name, value in zip(leaves[::2], leaves[1::2], strict=False)}
        return self._names


def _key(name: Any) -> bytes:
    return bytes(name) if isinstance(name, pikepdf.String) else str(name).encode()
