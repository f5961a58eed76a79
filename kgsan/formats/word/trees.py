"""XML read without its traps: no entities, no document types, nothing fetched, nothing deeper or larger than documents are."""

from __future__ import annotations

from typing import TypeAlias

from lxml import etree

from kgsan.report.output import FileError

Element: TypeAlias = etree._Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def parse(content: bytes, name: str) -> Element:
    """The root of a part. Remarks and instructions in it are left out."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise FileError(name, "It is damaged: a part of it is not well formed.") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise FileError(name, "A part of it declares a document type, as no Word document does.")
    return root


def serialize(root: Element) -> bytes:
    """The bytes of a part."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def remove(element: Element) -> None:
    """Take an element out with all that it holds, but not the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def unwrap(element: Element) -> None:
    """Leave what an element holds in its place."""
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    parent[at : at + 1] = list(element)


def parent_tag(element: Element) -> str:
    """The name of the element that holds this one."""
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)
