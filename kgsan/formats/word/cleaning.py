"""What a Word document remembers beside what it says: changes, authors, sessions, properties, bound data, spare copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.formats.word.trees import MC, W, local, parent_tag, remove, unwrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.formats.word.trees import Element


def _w(names: str) -> frozenset[str]:
    return frozenset(W + name for name in names.split())


#: All changes are accepted: what was deleted is gone, what was inserted stays.
_GONE = _w(
    """del moveFrom rPrChange pPrChange sectPrChange tblPrChange tcPrChange trPrChange tblGridChange tblPrExChange
    numberingChange moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd customXmlInsRangeStart
    customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd customXmlMoveFromRangeStart
    customXmlMoveFromRangeEnd customXmlMoveToRangeStart customXmlMoveToRangeEnd cellIns cellDel cellMerge delText
    delInstrText dataBinding placeholder permStart permEnd smartTagPr customXmlPr fldData docVars rsids attachedTemplate
    mailMerge smartTagType schemaLibrary saveThroughXslt proofErr attachedSchema activeWritingStyle"""
) | {MC + "Fallback"}
_UNWRAPPED = _w("ins moveTo smartTag customXml")
_ALSO_GONE = frozenset({"dataBinding", "docId", "persistentDocumentId", "conflictDel"})
_AUTHORS = {W + "author": "Author", W + "initials": "A"}
_SESSIONS = ("rsid",)

#: Parts, by the last words of their kind or by folder, that hold no page of the document.
_SPARE_FOLDERS = ("customXml/", "word/glossary/", "_xmlsignatures/", "docProps/thumbnail", "userCustomization/", "customUI/")
_SPARE_KINDS = (
    "custom-properties+xml",
    "people+xml",
    "commentsIds+xml",
    "commentsExtensible+xml",
    "printerSettings",
    "customXmlProperties+xml",
    "keyMapCustomizations+xml",
    "attachedToolbars",
    "webextension+xml",
    "webextensiontaskpanes+xml",
    "documenttasks+xml",
)
SPARE_RELATIONS = (
    "attachedTemplate",
    "mailMergeSource",
    "mailMergeHeaderSource",
    "thumbnail",
    "customXml",
    "transform",
    "recipientData",
    "digital-signature/origin",
)


def is_spare(part: str, kind: str) -> bool:
    """Whether a part is left out."""
    return part.startswith(_SPARE_FOLDERS) or kind.endswith(_SPARE_KINDS)


def clean(root: Element) -> None:
    """Leave in a part only what it says now."""
    _deleted_rows(root)
    for element in _all(root):
        if element.tag in _GONE or (local(element) in _ALSO_GONE and not str(element.tag).startswith(W)):
            remove(element)
    for element in _all(root):
        if element.tag in _UNWRAPPED:
            if parent_tag(element) in (W + "rPr", W + "trPr"):
                remove(element)
            else:
                unwrap(element)
    for element in root.iter("*"):
        for name in list(element.attrib):
            word = str(name).rpartition("}")[2]
            if word.startswith(_SESSIONS) and str(name).startswith(W):
                del element.attrib[name]
            elif name in _AUTHORS:
                element.set(name, _AUTHORS[name])
            elif word in ("date", "dateUtc") and (W + "author" in element.attrib or word == "dateUtc"):
                del element.attrib[name]


def _deleted_rows(root: Element) -> None:
    for mark in list(root.iter(W + "del")):
        parent = mark.getparent()
        if parent is not None and parent.tag == W + "trPr" and (row := parent.getparent()) is not None:
            remove(row)


def _all(root: Element) -> Iterable[Element]:
    return list(root.iterdescendants("*"))


def emptied(root: Element) -> None:
    """Properties of the document: nothing of them stays."""
    for child in list(root):
        root.remove(child)
    root.text = None
