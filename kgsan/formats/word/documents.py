"""A Word document taken apart: every part read, by its own rule or by all its texts, and put together again."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from kgsan.formats.word import cleaning
from kgsan.formats.word.package import pack, unpack
from kgsan.formats.word.reading import Reading
from kgsan.formats.word.trees import RELATIONSHIP, R, W, local, parse, remove, serialize
from kgsan.formats.woven import Strand
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.formats.documents import Rules
    from kgsan.formats.word.trees import Element

_TYPES = "[Content_Types].xml"
_MAIN = re.compile(r"application/vnd\.openxmlformats-officedocument\.wordprocessingml\.(?:document|template)\.main\+xml")
_MACROS = re.compile(r"macroEnabled|vbaProject|vbaData", re.IGNORECASE)
_PROPERTIES = ("core-properties+xml", "extended-properties+xml")
_USUAL_WORDS = re.compile(r"[/._0-9]+")
_WORDS = frozenset(
    """word rels xml docprops core app document header footer footnotes endnotes comments commentsextended styles
    styleswitheffects settings websettings fonttable numbering theme media image charts chart colors style diagrams data
    drawing layout quickstyle png jpeg jpg gif emf wmf tiff tif bmp svg fonts font odttf embeddings bin oleobject
    activex drawings vmldrawing""".split()
)
_PICTURE = "It holds a picture, and what a picture shows is not read."
_OBJECT = "It holds an embedded object, which is not read."
_CHOOSE = "Take it out, or choose to remove or to keep pictures."


def read_word(content: bytes, name: str, rules: Rules) -> Word:
    """Take a Word document apart."""
    return Word(unpack(content, name), name, rules)


class Word:
    """A Word document taken apart. It is put together once."""

    def __init__(self, parts: dict[str, bytes], name: str, rules: Rules) -> None:
        self._parts = parts
        self._name = name
        self._kinds = self._content_types()
        self._trees = {part: parse(held, name) for part, held in parts.items() if self._is_xml(part)}
        self._main = self._check_kinds()
        self._reading = Reading(name)
        self._leave_out(rules)
        for part in [self._main, *(one for one in self._trees if one != self._main)]:
            self._read(part)
        for part in self._parts:
            if not all(word.lower() in _WORDS for word in _USUAL_WORDS.split(part) if word) and part != _TYPES:
                self._reading.aside(part, lambda text: None)
        self._reading.close()

    @property
    def strands(self) -> Sequence[Strand]:
        return [Strand(place.text, place.joint) for place in self._reading.places]

    def put(self, texts: Sequence[str]) -> bytes:
        for place, text in zip(self._reading.places, texts, strict=True):
            if text != place.text:
                place.write(text)
        self._rename_styles()
        made = {part: serialize(self._trees[part]) if part in self._trees else held for part, held in self._parts.items()}
        return pack(made)

    # --- what the parts are ----------------------------------------------------------------------------------------------

    def _content_types(self) -> dict[str, str]:
        if _TYPES not in self._parts:
            raise FileError(self._name, "It is packed, but no Word document.")
        root = parse(self._parts[_TYPES], self._name)
        defaults = {one.get("Extension", "").lower(): one.get("ContentType", "") for one in root if local(one) == "Default"}
        kinds = {part: defaults.get(part.rpartition(".")[2].lower(), "") for part in self._parts}
        for one in root:
            if local(one) == "Override":
                part = one.get("PartName", "").lstrip("/")
                if part in kinds:
                    kinds[part] = one.get("ContentType", "")
        kinds[_TYPES] = "application/xml"
        return kinds

    def _is_xml(self, part: str) -> bool:
        return self._kinds[part].endswith(("+xml", "/xml", "vmlDrawing"))

    def _check_kinds(self) -> str:
        if any(_MACROS.search(kind) for kind in self._kinds.values()):
            raise FileError(self._name, "It holds macros, which are not read.", "Save it as .docx first.")
        mains = [part for part, kind in self._kinds.items() if _MAIN.fullmatch(kind)]
        if len(mains) != 1 or mains[0] not in self._trees:
            raise FileError(self._name, "It is packed, but no Word document.")
        if self._trees[mains[0]].tag != W + "document":
            raise FileError(
                self._name, "It is a Word document of a kind that is not read.", "Save it as an ordinary .docx first."
            )
        return mains[0]

    def _read(self, part: str) -> None:
        root = self._trees[part]
        if part == _TYPES:
            return
        if part.endswith(".rels"):
            for relation in root.iter(RELATIONSHIP):
                if relation.get("TargetMode") == "External":
                    self._reading.link(relation)
        elif self._kinds[part].endswith(_PROPERTIES):
            cleaning.emptied(root)
        else:
            cleaning.clean(root)
            self._reading.part(root)

    # --- what is left out ------------------------------------------------------------------------------------------------

    def _leave_out(self, rules: Rules) -> None:
        spare = {part for part, kind in self._kinds.items() if cleaning.is_spare(part, kind)}
        for part, kind in self._kinds.items():
            if part in spare or part in self._trees:
                continue
            if kind.startswith("image/"):
                if rules.pictures == "stop":
                    raise FileError(self._name, _PICTURE, _CHOOSE)
                if rules.pictures == "remove":
                    spare.add(part)
            elif "obfuscatedFont" in kind or "font" in kind:
                continue
            elif rules.pictures == "remove":
                spare.add(part)
            else:
                raise FileError(self._name, _OBJECT, "Take it out, or choose to remove such parts.")
        spare |= {part for part in self._trees if "activeX" in self._kinds[part] or "/activeX/" in part}
        if any("activeX" in part for part in spare) and rules.pictures != "remove":
            raise FileError(self._name, _OBJECT, "Take it out, or choose to remove such parts.")
        spare |= {part for part in self._trees if part.endswith(".rels") and _owner(part) in spare}
        for part, root in self._trees.items():
            if part.endswith(".rels") and part not in spare:
                self._leave_out_relations(part, root, spare)
        types = self._trees[_TYPES]
        endings = {part.rpartition(".")[2].lower() for part in self._parts.keys() - spare}
        for one in list(types):
            if local(one) == "Default" and one.get("Extension", "").lower() not in endings:
                types.remove(one)
            if local(one) == "Override" and one.get("PartName", "").lstrip("/") not in self._parts.keys() - spare:
                types.remove(one)
        for part in spare:
            del self._parts[part]
            self._trees.pop(part, None)

    def _leave_out_relations(self, part: str, root: Element, spare: set[str]) -> None:
        """Relations to what is left out, and what stands in the text for them."""
        owner = _owner(part)
        gone = set()
        for relation in list(root.iter(RELATIONSHIP)):
            kind, target = relation.get("Type", ""), relation.get("Target", "")
            if kind.endswith(("/aFChunk", "/subDocument")):
                raise FileError(self._name, "It holds another document, which is not read.", "Take it out first.")
            outside = relation.get("TargetMode") == "External"
            inner = "" if outside else posixpath.normpath(posixpath.join("/", posixpath.dirname(owner), target)).lstrip("/")
            if kind.endswith(cleaning.SPARE_RELATIONS) or (not outside and (inner in spare or inner not in self._parts)):
                gone.add(relation.get("Id", ""))
                remove(relation)
        if gone and owner in self._trees:
            _remove_users(self._trees[owner], gone)

    def _rename_styles(self) -> None:
        """A style whose name was replaced is no longer known by its old name anywhere."""
        renamed = self._reading.renamed_styles()
        if not renamed:
            return
        for root in self._trees.values():
            for element in root.iter(
                *(W + word for word in "pStyle rStyle tblStyle basedOn next link styleLink numStyleLink".split())
            ):
                if element.get(W + "val") in renamed:
                    element.set(W + "val", renamed[element.get(W + "val", "")])
            for style in root.iter(W + "style"):
                if style.get(W + "styleId") in renamed:
                    style.set(W + "styleId", renamed[style.get(W + "styleId", "")])


def _owner(relations: str) -> str:
    folder, _, name = relations.rpartition("/")
    return posixpath.join(posixpath.dirname(folder), name.removesuffix(".rels"))


def _remove_users(root: Element, gone: set[str]) -> None:
    """Take out pictures and objects that are not there any more."""
    whole = {W + "drawing", W + "pict", W + "object", W + "control"}
    users = [
        element
        for element in root.iter("*")
        if any(str(name).startswith(R) and value in gone for name, value in element.attrib.items())
    ]
    for user in users:
        holder = next((one for one in user.iterancestors() if one.tag in whole), None)
        if user.tag == W + "hyperlink":  # its words stay
            del user.attrib[R + "id"]
        else:
            remove(holder if holder is not None else user)
