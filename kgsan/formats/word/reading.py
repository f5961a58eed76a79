"""The texts of a Word document in reading order: words over several runs are one word, boxes and fields follow the paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgsan.formats.html import links
from kgsan.formats.word.attributes import is_known, is_own, is_usual_style, says_nothing
from kgsan.formats.word.trees import MATH, XML_SPACE, A, W, local, parent_tag
from kgsan.formats.woven import BLANK, BLOCK, JOINTS, LINE, NOTHING
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.formats.word.trees import Element

_TEXT = frozenset({W + "t", A + "t", MATH + "t"})
_LINES = frozenset({W + "br", W + "cr", A + "br"})
_BLANKS = frozenset({W + "tab", W + "ptab"})
_BLOCKS = frozenset({W + "p", A + "p"})
_LETTERS = {W + "noBreakHyphen": "-", W + "softHyphen": "\u00ad"}
_APART = frozenset({W + "txbxContent", W + "drawing", W + "pict", W + "object", W + "rt"})
_REFUSED = frozenset({W + "altChunk", W + "subDoc", W + "contentPart"})
_FIELD = frozenset({W + "instrText"})
_NAMES = frozenset({W + "bookmarkStart", W + "hyperlink"})
_LAYOUT = re.compile(
    r"\{http://schemas\.(?:openxmlformats\.org/drawingml/2006|microsoft\.com/office/word/2010)/wordprocessingDrawing\}"
)
_NUMBER = re.compile(r"\s*[-+]?\d+\s*|left|right|center|inside|outside|top|bottom")
_SPACES = re.compile(r"[\t\r]|\n(?=[ \t\r]*+\n)|(?<=\n)\n")


@dataclass(frozen=True, slots=True)
class Place:
    """A text of a part and how another one is put there."""

    text: str = field(repr=False)
    joint: str
    write: Callable[[str], None]


class Reading:
    """Gathers the places of all parts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.places: list[Place] = []
        self._aside: list[Place] = []
        self._joint = BLOCK
        self._in_field = False
        self._styles: list[tuple[Element, str]] = []

    def part(self, root: Element) -> None:
        """Read a part from its beginning to its end."""
        self._join(BLOCK)
        if local(root) == "fonts":
            return
        self._walk(root)
        self._join(BLOCK)

    def close(self) -> None:
        """Nothing follows."""
        self._join(BLOCK)

    def link(self, relation: Element) -> None:
        """Where a relation leads outside of the file."""
        target = relation.get("Target", "")
        if links.is_unread(target) or links.is_picture(target):
            raise FileError(self.name, "It holds a link with a program or data in it.", "Take it out first.")
        self.aside(links.spoken(target), lambda text: relation.set("Target", links.replaced(text)))

    def aside(self, text: str, write: Callable[[str], None]) -> None:
        """A text that is read by itself."""
        if text:
            self._aside.append(Place(text, BLOCK, write))

    def renamed_styles(self) -> dict[str, str]:
        """New ids for styles whose name is not what it was."""
        renamed = {}
        for number, (style, name) in enumerate(self._styles, 1):
            parent = style.getparent()
            if parent is not None and style.get(W + "val") != name:
                renamed[parent.get(W + "styleId", "")] = f"Style{number}"
        return renamed

    # --- walking ---------------------------------------------------------------------------------------------------------

    def _join(self, joint: str) -> None:
        self._joint = max(self._joint, joint, key=JOINTS.index)
        if joint == BLOCK:
            self.places += self._aside
            self._aside = []

    def _say(self, text: str, write: Callable[[str], None]) -> None:
        self.places.append(Place(text, self._joint, write))
        self._joint = NOTHING

    def _walk(self, element: Element) -> None:
        tag = element.tag
        if tag in _REFUSED:
            raise FileError(self.name, "It holds another document, which is not read.", "Take it out first.")
        self._attributes(element)
        if tag in _BLOCKS:
            self._join(LINE if _opens_cell(element) else BLOCK)
        elif tag in _LINES:
            self._join(LINE)
        elif tag in _BLANKS and parent_tag(element) != W + "tabs":
            self._join(BLANK)
        elif tag == W + "fldChar":
            self._in_field = False
        elif tag in _LETTERS or tag == W + "sym":
            self._letter(element)
        if tag in _TEXT:
            if element.text:
                self._say(_SPACES.sub(" ", element.text), lambda text: _set_text(element, text))
        elif tag in _FIELD:
            self._instruction(element)
        elif element.text and not element.text.isspace() and not (_LAYOUT.match(str(tag)) and _NUMBER.fullmatch(element.text)):
            self.aside(_SPACES.sub(" ", element.text), lambda text: _set_text(element, text))
        if tag in _APART:
            self._apart(element)
        else:
            for child in element:
                self._walk_child(child)

    def _walk_child(self, child: Element) -> None:
        if not isinstance(child.tag, str):
            raise FileError(self.name, "A part of it holds an entity, as no Word document does.")
        self._walk(child)
        if child.tail and not child.tail.isspace():
            self.aside(_SPACES.sub(" ", child.tail), lambda text: setattr(child, "tail", text))

    def _apart(self, element: Element) -> None:
        """What stands in a box is read after the paragraph that holds it."""
        inner = Reading(self.name)
        for child in element:
            inner._walk_child(child)
        inner.close()
        self._aside += inner.places

    def _letter(self, element: Element) -> None:
        text = _LETTERS.get(str(element.tag), "")
        if not text:
            number = element.get(W + "char", "")
            if not re.fullmatch(r"[0-9A-Fa-f]{1,6}", number):
                return
            code = int(number, 16)
            code -= 0xF000 if 0xF020 <= code <= 0xF0FF else 0
            text = chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else ""
        if text:
            self._say(text, lambda new: _set_letter(element, new))

    def _instruction(self, element: Element) -> None:
        """What a field does, as far as it says something; an address in it is read as in a link."""
        if element.text:
            joint = NOTHING if self._in_field else BLOCK
            self._aside.append(Place(_spoken(element.text), joint, lambda text: _set_text(element, text)))
            self._in_field = True

    def _attributes(self, element: Element) -> None:
        tag = str(element.tag)
        if is_own(tag):
            return
        known = is_known(tag)
        if not known:
            self._foreign_names(element)
        if tag == W + "name" and parent_tag(element) == W + "style":
            if is_usual_style(element.get(W + "val", "")):
                return
            self._styles.append((element, element.get(W + "val", "")))
        for attribute, raw in element.attrib.items():
            name, value = str(attribute), str(raw)
            ours = known and (not name.startswith("{") or is_known(name))
            if value and not (ours and says_nothing(tag, name.rpartition("}")[2], value)):
                self._attribute(element, name, value)

    def _foreign_names(self, element: Element) -> None:
        """Names that are none of Word's. They are judged and cannot be rewritten: what is made is then not given out."""
        spaces = {f"{prefix or ''} {space}" for prefix, space in element.nsmap.items() if not is_known(f"{{{space}")}
        for name in sorted({local(element), *spaces, *(str(one).rpartition("}")[2] for one in element.attrib)}):
            self.aside(_spoken(name), lambda text: None)

    def _attribute(self, element: Element, name: str, value: str) -> None:
        if element.tag in _NAMES and name in (W + "name", W + "anchor"):
            self.aside(value.replace("_", " "), lambda text: element.set(name, text.replace(" ", "_")))
        elif name.rpartition("}")[2] in ("href", "src", "url", "Target"):
            self.aside(links.spoken(value), lambda text: element.set(name, links.replaced(text)))
        else:
            self.aside(_spoken(value), lambda text: element.set(name, text))


def _opens_cell(paragraph: Element) -> bool:
    """Whether a paragraph is the first of a cell that is not the first of its row."""
    cell = paragraph.getparent()
    if cell is None or cell.tag != W + "tc" or cell.find(W + "p") is not paragraph:
        return False
    before = cell.getprevious()
    return before is not None and before.tag == W + "tc"


def _spoken(text: str) -> str:
    """Addresses with their schemes in capitals, so that their words are seen (see `links.spoken`)."""
    return links.in_capitals(_SPACES.sub(" ", text))


def _set_text(element: Element, text: str) -> None:
    element.text = text or None
    if element.tag in (W + "t", W + "instrText"):
        element.set(XML_SPACE, "preserve")


def _set_letter(element: Element, text: str) -> None:
    """A hyphen or symbol becomes ordinary text."""
    element.tag = W + "t"
    for name in list(element.attrib):
        del element.attrib[name]
    _set_text(element, text)
