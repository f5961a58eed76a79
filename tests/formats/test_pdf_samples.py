"""PDF files for tests, made by hand or by other programs, and ways to look through them for words."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zlib
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdf
import pypdfium2
import pytest
from pdfminer.high_level import extract_text
from pikepdf import Array, Dictionary, Name, Stream
from PIL import ImageChops, ImageDraw

from kgsan.formats.documents import STRICT, Rules, SanitizedFile, sanitize_file, text_of
from kgsan.formats.pdf import read_pdf
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PIL.Image import Image

SECRET = "zidovudine"
NEW = "antiviral drug"
KEEP = Rules(pictures="keep")


@cache
def toy() -> Sanitizer:
    return Sanitizer(load_policy(write_policy(Path(tempfile.mkdtemp()))))


def sanitized(content: bytes, rules: Rules = STRICT) -> SanitizedFile:
    return sanitize_file(content, "letter.pdf", read_pdf, toy(), rules)


def text(content: bytes) -> str:
    return text_of(content, "letter.pdf", read_pdf)


# --- making -----------------------------------------------------------------------------------------------------------


def helvetica() -> Dictionary:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)


def new_pdf(*contents: bytes) -> pikepdf.Pdf:
    """A page for each content; /F is Helvetica."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(helvetica())
    for content in contents or (b"BT /F 12 Tf 72 700 Td (A plain page.) Tj ET",):
        page = Dictionary(Type=Name.Page, MediaBox=[0, 0, 595, 842], Resources=Dictionary(Font=Dictionary(F=font)))
        page.Contents = pdf.make_stream(content)
        pdf.pages.append(pikepdf.Page(page))
    return pdf


def saved(pdf: pikepdf.Pdf, **how: Any) -> bytes:
    made = BytesIO()
    pdf.save(made, **how)
    return made.getvalue()


def shown(content: bytes) -> bytes:
    """A file of one page with this content."""
    return saved(new_pdf(content))


def form(pdf: pikepdf.Pdf, content: bytes, **more: Any) -> Stream:
    font = Dictionary(Font=Dictionary(F=pdf.make_indirect(helvetica())))
    made = Stream(pdf, content)
    for key, value in {"Type": Name.XObject, "Subtype": Name.Form, "BBox": [0, 0, 595, 842], "Resources": font, **more}.items():
        made[f"/{key}"] = value
    return made


def picture(pdf: pikepdf.Pdf) -> Stream:
    made = Stream(pdf, zlib.compress(bytes(range(0, 192, 1))))
    for key, value in {
        "Type": Name.XObject,
        "Subtype": Name.Image,
        "Width": 8,
        "Height": 8,
        "ColorSpace": Name.DeviceRGB,
    }.items():
        made[f"/{key}"] = value
    made.BitsPerComponent, made.Filter = 8, Name.FlateDecode
    return made


def printed(html: str) -> bytes:
    """What Chromium prints."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("there is no Chromium here to print with")
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html)
        how = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/profile"]
        subprocess.run([browser, *how, f"--print-to-pdf={made}", str(page)], check=True, capture_output=True, timeout=120)
        return made.read_bytes()


# --- looking ----------------------------------------------------------------------------------------------------------


def places_of(content: bytes, word: str) -> list[str]:
    """Where a word still stands: as bytes of the file, in any unpacked stream, in any string or name, or where a program finds it."""
    found = []
    codes = {word.encode("latin-1"), word.encode("utf-16-be"), word.encode("utf-16-le")}
    codes |= {code.hex().encode("ascii") for code in codes}
    if _holds(content, codes):
        found.append("the bytes of the file")
    with pikepdf.open(BytesIO(content)) as pdf:
        for one in [*pdf.objects, pdf.trailer]:
            found += _in_object(one, codes, 0)
        for page in pdf.pages:
            letters = b"".join(bytes(part) for part in _strings(pikepdf.parse_content_stream(page)))
            if _holds(letters, codes):
                found.append("letters of a page")
    programs = {
        "pdfminer": extract_text(BytesIO(content)),
        "pypdf": "".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages),
        "pdfium": "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)),
    }
    return found + [name for name, told in programs.items() if word.casefold() in told.casefold()]


def _holds(content: bytes, codes: Iterable[bytes]) -> bool:
    return any(code.lower() in content.lower() for code in codes)


def _in_object(one: Any, codes: set[bytes], depth: int) -> list[str]:
    found = []
    if isinstance(one, Stream):
        try:
            unpacked = one.read_bytes()
        except pikepdf.PdfError:
            unpacked = b""
        if _holds(unpacked, codes) or _holds(one.read_raw_bytes(), codes):
            found.append("a stream")
    if isinstance(one, (Stream, Dictionary)):
        for key in one.keys():  # noqa: SIM118 - a PDF dictionary is no mapping
            if _holds(key.encode(), codes):
                found.append("a key")
            if not (isinstance(one[key], pikepdf.Object) and one[key].is_indirect):
                found += _in_object(one[key], codes, depth + 1)
    elif isinstance(one, Array):
        for entry in one:
            if not (isinstance(entry, pikepdf.Object) and entry.is_indirect):
                found += _in_object(entry, codes, depth + 1)
    elif isinstance(one, pikepdf.String):
        if _holds(bytes(one), codes) or _holds(str(one).encode("utf-8"), codes):
            found.append("a string")
    elif isinstance(one, Name) and _holds(str(one).encode(), codes):
        found.append("a name")
    return found


def _strings(instructions: Sequence[Any]) -> Iterable[Any]:
    for instruction in instructions:
        for operand in getattr(instruction, "operands", ()):
            for one in operand if isinstance(operand, Array) else [operand]:
                if isinstance(one, pikepdf.String):
                    yield one


def pages(content: bytes, scale: float = 1.5) -> list[Image]:
    return [page.render(scale=scale).to_pil().convert("RGB") for page in pypdfium2.PdfDocument(content)]


def differing(one: bytes, other: bytes, *besides: tuple[float, float, float, float]) -> list[tuple[int, int, int, int] | None]:
    """Where the pages of two files look different, apart from boxes given in points from the lower left."""
    found = []
    for left, right in zip(pages(one), pages(other), strict=True):
        changed = ImageChops.difference(left, right)
        for x0, y0, x1, y1 in besides:
            ImageDraw.Draw(changed).rectangle((x0 * 1.5, left.height - y1 * 1.5, x1 * 1.5, left.height - y0 * 1.5), fill=0)
        found.append(changed.getbbox())
    return found


def test_a_word_is_found_wherever_it_stands() -> None:
    pdf = new_pdf(b"BT /F 12 Tf 72 700 Td [(zido) 20 (vudine)] TJ ET")
    assert places_of(saved(pdf), SECRET) == ["letters of a page", "pdfminer", "pypdf", "pdfium"]
    pdf.Root["/Hidden"] = pikepdf.String(SECRET)
    assert "a string" in places_of(saved(pdf), SECRET)
