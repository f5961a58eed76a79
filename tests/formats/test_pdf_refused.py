"""PDF files that cannot be read whole: each is refused in one sentence, soon, and without a word of it."""

from __future__ import annotations

import contextlib
import time
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from kgsan.formats.pdf.cmap import letters_of_codes, written
from kgsan.report.output import FileError
from tests.formats.test_pdf_samples import form, new_pdf, sanitized, saved, shown, text

if TYPE_CHECKING:
    from collections.abc import Callable

DAMAGED = "The PDF is damaged and cannot be read whole."
NO_PDF = "This is no PDF, or a damaged one."
UNTOLD = "Page 1 shows letters of a font that does not tell which letters they are."
LIMIT = "Parts of the file are too large, too deep or too damaged to be read."
LINE = b"BT /F 12 Tf 72 700 Td (Takes zidovudine daily.) Tj ET"


def refusal(content: bytes) -> str:
    begun = time.process_time()
    with pytest.raises(FileError) as refused:
        sanitized(content)
    assert time.process_time() - begun < 30
    told = str(refused.value)
    assert told.startswith("letter.pdf: ")
    assert "zidovudine" not in told
    return told.removeprefix("letter.pdf: ")


def changed(change: Callable[[pikepdf.Pdf, Any], None], content: bytes = LINE, **how: Any) -> bytes:
    pdf = new_pdf(content)
    change(pdf, pdf.pages[0].obj)
    return saved(pdf, **how)


def with_font(**font: Any) -> bytes:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.Font.F = pdf.make_indirect(Dictionary(Type=Name.Font, **font))

    return changed(change)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"Takes zidovudine.", b"%PDF-1.7\n" + b"\0" * 100_000, shown(LINE)[:100]])
def test_what_is_no_pdf_is_refused(content: bytes) -> None:
    assert refusal(content) in (NO_PDF, DAMAGED, "The PDF has no pages, or more than 20,000.")


def test_a_file_cut_off_at_any_place_is_refused_or_read_whole() -> None:
    whole = shown(LINE)
    for end in range(0, len(whole), 23):
        try:
            assert text(whole[:end]) in ("", "Takes zidovudine daily.")
        except FileError as refused:
            assert "zidovudine" not in str(refused)


def test_protected_files_are_refused() -> None:
    opens = pikepdf.Encryption(owner="owner", user="")
    locked = pikepdf.Encryption(owner="owner", user="user")
    assert refusal(saved(new_pdf(LINE), encryption=opens)) == "The PDF is encrypted. Save it without protection first."
    assert refusal(saved(new_pdf(LINE), encryption=locked)) == "The PDF is protected by a password. Save it without one first."


def test_letters_that_cannot_be_told_stop_a_file() -> None:
    inner = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.X, CIDSystemInfo=Dictionary(Supplement=0))
    drawn = Dictionary(
        Subtype=Name.Type3, FontBBox=[0, 0, 1, 1], FontMatrix=[1, 0, 0, 1, 0, 0], CharProcs=Dictionary(), FirstChar=0, Widths=[1]
    )
    assert refusal(with_font(Subtype=Name.Type0, Encoding=Name("/Identity-H"), DescendantFonts=[inner])) == UNTOLD
    assert refusal(with_font(**{str(key)[1:]: value for key, value in drawn.items()})) == UNTOLD
    names = Dictionary(Differences=Array([32, *(Name(f"/g{code}") for code in range(95))]))
    assert refusal(with_font(Subtype=Name.Type1, BaseFont=Name.X, Encoding=names)) == UNTOLD
    assert refusal(with_font(Subtype=Name.Type0, Encoding=Name("/Identity-V"), DescendantFonts=[inner])) == (
        "Page 1 shows text that runs from top to bottom."
    )
    assert refusal(with_font(Subtype=Name.Type0, Encoding=Name("/90ms-RKSJ-H"), DescendantFonts=[inner])) == (
        "Page 1 shows letters in a coding of its own."
    )
    assert (
        refusal(shown(b"BT /Nowhere 12 Tf (Takes zidovudine daily.) Tj ET")) == "Page 1 shows text without saying in which font."
    )


def test_letters_of_private_codes_stop_a_file_but_a_bullet_does_not() -> None:
    def private(letters: dict[int, str]) -> bytes:
        def change(pdf: pikepdf.Pdf, page: Any) -> None:
            page.Resources.Font.F.ToUnicode = pdf.make_stream(written(letters, 1))

        return changed(change)

    assert refusal(private({code: chr(0xF000 + code) for code in range(33, 127)})) == UNTOLD
    assert text(private({ord("T"): "\uf0b7"})) == "\uf0b7akes zidovudine daily."


def test_forms_made_by_a_viewer_and_folders_of_files_are_refused() -> None:
    assert "(XFA)" in refusal(changed(lambda pdf, page: pdf.Root.__setitem__("/NeedsRendering", True)))
    assert "folder of other files" in refusal(changed(lambda pdf, page: pdf.Root.__setitem__("/Collection", Dictionary())))


def test_drawings_without_end_are_refused() -> None:
    def itself(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.XObject = Dictionary(D=form(pdf, b"/D Do"))
        page.Resources.XObject.D.Resources.XObject = page.Resources.XObject

    assert refusal(changed(itself, b"/D Do")) == "Page 1 holds drawings within drawings without end."


def test_drawings_that_multiply_are_refused() -> None:
    def laughs(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = form(pdf, LINE)
        for _ in range(12):
            outer = form(pdf, b"/D Do " * 10)
            outer.Resources.XObject = Dictionary(D=inner)
            inner = outer
        page.Resources.XObject = Dictionary(D=inner)

    assert refusal(changed(laughs, b"/D Do")) == "The pages draw more than a file may draw."


def test_drawings_without_text_that_multiply_are_read_once() -> None:
    def laughs(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = form(pdf, b"0 0 1 1 re f")
        for _ in range(12):
            outer = form(pdf, b"/D Do " * 10)
            outer.Resources.XObject = Dictionary(D=inner)
            inner = outer
        page.Resources.XObject = Dictionary(D=inner)

    begun = time.process_time()
    assert text(changed(laughs, b"/D Do")) == ""
    assert time.process_time() - begun < 5


def test_a_stream_that_swells_without_end_is_refused() -> None:
    def bomb(pdf: pikepdf.Pdf, page: Any) -> None:
        packer = zlib.compressobj(9)
        packed = b"".join(packer.compress(b" " * (1 << 24)) for _ in range(24)) + packer.flush()
        page.Contents = pikepdf.Stream(pdf, b"")
        page.Contents.write(packed, filter=Name.FlateDecode)

    assert refusal(changed(bomb, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)) in (
        DAMAGED,
        LIMIT,
        "A part of the file unpacks to more than 128 MB.",
    )


def test_an_old_packing_without_limits_is_refused_when_large() -> None:
    def old(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Contents = pikepdf.Stream(pdf, b"")
        page.Contents.write(b"\x80" * 300_000, filter=Name.LZWDecode)

    assert (
        refusal(changed(old, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False))
        == "A part of the file is packed in a way that may swell beyond every limit."
    )


@pytest.mark.parametrize("content", [b"[" * 2_000_000, b"<<" * 1_000_000, b"(" * 2_000_000, b"q " * 200_000, b"1 " * 1_000_000])
def test_nests_and_heaps_end_soon(content: bytes) -> None:
    begun = time.process_time()
    with contextlib.suppress(FileError):
        assert text(shown(content)) == ""
    assert time.process_time() - begun < 20


def test_pages_and_bookmarks_in_a_circle_are_refused() -> None:
    def circle(pdf: pikepdf.Pdf, page: Any) -> None:
        entry = pdf.make_indirect(Dictionary(Title=String("zidovudine")))
        entry.Next = entry
        pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=entry, Last=entry))

    assert refusal(changed(circle)) == "The bookmarks of the PDF go round in a circle or have no end."
    tree = saved(new_pdf(LINE), compress_streams=False).replace(b"/Kids [ 3 0 R ]", b"/Kids [ 2 0 R ]")
    assert refusal(tree) in (NO_PDF, DAMAGED, "The PDF has no pages, or more than 20,000.")


def test_places_out_of_all_bounds_are_refused() -> None:
    assert refusal(shown(b"99999999999 0 0 1 0 0 cm " + LINE)) == "Page 1 draws at a place out of all bounds."


def test_much_text_on_one_page_takes_time_in_proportion() -> None:
    def seconds(times: int) -> float:
        content = shown(b"BT /F 12 Tf 72 700 Td " + b"(zzzz iiii) Tj " * times + b" ET")
        begun = time.process_time()
        text(content)
        return time.process_time() - begun

    seconds(100)
    assert seconds(16_000) < 30 * max(seconds(2_000), 0.05)


def test_a_page_of_ten_million_letters_is_refused_at_once() -> None:
    begun = time.process_time()
    assert refusal(shown(b"BT /F 12 Tf (" + b"a" * 10_000_000 + b") Tj ET")) == "Page 1 shows more letters than a page can hold."
    assert time.process_time() - begun < 10


def test_one_long_string_takes_time_in_proportion() -> None:
    begun = time.process_time()
    assert len(text(shown(b"BT /F 12 Tf 72 700 Td (" + b"a" * 200_000 + b") Tj ET"))) == 200_000
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    "content",
    [b"<" * 500_000, b"<61" * 200_000, b"[" * 500_000, b"%" * 500_000, b"beginbfrange <0000> <FFFF> <0000> endbfrange " * 20],
)
def test_maps_of_letters_are_read_in_proportion(content: bytes) -> None:
    begun = time.process_time()
    assert len(letters_of_codes(content)) <= 0x10000
    assert time.process_time() - begun < 5


def test_a_refused_file_leaves_no_trace_in_the_limits_of_the_library() -> None:
    before = pikepdf.settings.get_qpdf_limits()
    with pytest.raises(FileError):
        text(b"nothing")
    text(shown(LINE))
    assert pikepdf.settings.get_qpdf_limits() == before


def test_a_page_without_content_is_empty() -> None:
    def bare(pdf: pikepdf.Pdf, page: Any) -> None:
        del page["/Contents"]
        del page["/Resources"]

    content = changed(bare)
    assert sanitized(content).result.text == ""
    with pikepdf.open(BytesIO(sanitized(content).content)) as pdf:
        assert len(pdf.pages) == 1
