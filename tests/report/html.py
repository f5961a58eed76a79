"""Reads a page as strictly as a test needs: every tag closed, every id once, every reference leading somewhere."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "img", "input", "link"}
_REFERENCES = ("aria-describedby", "aria-labelledby", "for")


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.texts: list[str] = []
        self.headings: list[int] = []
        self.faults: list[str] = []
        self.feed(content.decode("utf-8"))
        self.close()
        self.faults += [f"{tag} is never closed" for tag in self.open]
        self.faults += [f"the id {one} stands twice" for one in {one for one in self.ids if self.ids.count(one) > 1}]
        self.faults += [f"nothing has the id {one}" for one in set(self.references) - set(self.ids)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._met(tag, attrs)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._met(tag, attrs)
        if tag not in ("rect", "path", "line"):
            self.faults.append(f"{tag} closes itself")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} is closed where it is not open")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    def _met(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if len(found) < len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        self.tags.append((tag, found))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        for name in _REFERENCES:
            self.references += str(found.get(name) or "").split()
        if (href := found.get("href")) is not None and str(href).startswith("#"):
            self.references.append(str(href)[1:])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))

    @property
    def text(self) -> str:
        """All that a reader may see."""
        return "".join(self.texts)

    def all(self, tag: str, kind: str | None = None) -> list[dict[str, str | None]]:
        """The attributes of every such element, with a class where one is asked for."""
        return [
            found for name, found in self.tags if name == tag and (kind is None or kind in str(found.get("class") or "").split())
        ]
