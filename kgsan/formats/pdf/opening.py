"""A PDF opened to be read whole, its form filled in for good; what cannot be read whole is refused."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pikepdf

from kgsan.formats.pdf.limits import MOST_ENTRIES, MOST_PAGES, Unreadable


def opened(content: bytes) -> pikepdf.Pdf:
    """A PDF that may be read."""
    try:
        pdf = pikepdf.open(BytesIO(content))
    except pikepdf.PasswordError:
        raise Unreadable("The PDF is protected by a password. Save it without one first.") from None
    except pikepdf.PdfError:
        raise Unreadable("This is no PDF, or a damaged one.") from None
    if pdf.is_encrypted:
        raise Unreadable("The PDF is encrypted. Save it without protection first.")
    if not 0 < len(pdf.pages) <= MOST_PAGES:
        raise Unreadable(f"The PDF has no pages, or more than {MOST_PAGES:,}.")
    if pdf.Root.get("/NeedsRendering"):
        raise Unreadable("The PDF is a form whose pages are made by the program that shows it (XFA). Print it to a PDF first.")
    if "/Collection" in pdf.Root:
        raise Unreadable("The PDF is a folder of other files. Take them out first.")
    return pdf


def notes_on(page: Any) -> list[Any]:
    """The links, notes and fields of a page, those that are hidden left out."""
    notes = page.get("/Annots", [])
    if not isinstance(notes, pikepdf.Array) or len(notes) > MOST_ENTRIES:
        return []
    return [one for one in notes if isinstance(one, pikepdf.Dictionary) and not int(one.get("/F", 0)) & 2]


def left_out(pdf: pikepdf.Pdf) -> tuple[str, ...]:
    """What is in a file and will not be in the new one, in words for its owner."""
    root = pdf.Root
    form: Any = root.get("/AcroForm", pikepdf.Dictionary())
    names: Any = root.get("/Names", pikepdf.Dictionary())
    found = {
        "its signature": int(form.get("/SigFlags", 0)) & 1,
        "its form fields (what they show stays)": len(form.get("/Fields", [])),
        "its attachments": "/EmbeddedFiles" in names or "/AF" in root,
        "its scripts": "/JavaScript" in names or "/OpenAction" in root or "/AA" in root,
        "its marks for screen readers": "/StructTreeRoot" in root,
        "its properties": "/Metadata" in root or "/Info" in pdf.trailer,
    }
    return tuple(what for what, there in found.items() if there)


def fill_in(pdf: pikepdf.Pdf) -> None:
    """Make what form fields show part of the pages."""
    aside: list[tuple[Any, list[Any]]] = []
    bare = False
    for page in pdf.pages:
        notes = notes_on(page.obj)
        fields = [one for one in notes if one.get("/Subtype") == "/Widget"]
        if fields:
            bare = bare or any("/AP" not in one for one in fields)
            aside.append((page.obj, [one for one in notes if one.get("/Subtype") != "/Widget"]))
            page.obj["/Annots"] = pikepdf.Array(fields)
    if not aside:
        return
    if bare and isinstance(pdf.Root.get("/AcroForm"), pikepdf.Dictionary):
        pdf.Root.AcroForm["/NeedAppearances"] = True
    pdf.generate_appearance_streams()
    pdf.flatten_annotations("all")
    for page_dictionary, others in aside:
        page_dictionary["/Annots"] = pikepdf.Array(others)
