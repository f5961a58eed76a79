"""PDF files in, PDF files out: what is not changed stays where and as it was; what is changed is gone."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Dictionary, Name
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from kgsan.formats.documents import STRICT, Rules, sanitize_file
from kgsan.formats.pdf import read_pdf
from kgsan.formats.woven import Woven
from kgsan.policy.read import load_policy
from kgsan.report.output import FileError
from kgsan.sanitize.sanitizer import Sanitizer
from tests.formats.test_pdf_samples import (
    KEEP,
    SECRET,
    differing,
    form,
    new_pdf,
    picture,
    places_of,
    printed,
    sanitized,
    saved,
    shown,
    text,
)
from tests.report.toy import NOTE, SECRETS

POLICIES = Path(__file__).parents[2] / "policies"
HARMLESS = "The office of Mrs. Birch is open on weekdays. Efficient fluff, coffee and “quotes” — all fine."
LETTER = f"""<html lang="en"><body style="font-family:serif;width:420px;text-align:justify"><h1>A letter</h1><p>{{}}</p><p>{HARMLESS}</p>
<table border="1"><tr><td>Office</td><td>open</td></tr></table><div style="background:#222;color:white">White on <i>dark</i></div>
<div style="transform:rotate(20deg);width:200px;margin:40px">Slanted text</div></body></html>"""


def reportlab(words: str) -> bytes:
    made = BytesIO()
    styles = getSampleStyleSheet()
    document = SimpleDocTemplate(made, pagesize=A4, title="A title", author="Birch")
    document.build(
        [Paragraph("A report", styles["Title"]), Paragraph(words, styles["Normal"]), Spacer(1, 20), Table([["Office", "open"]])]
    )
    return made.getvalue()


# --- what holds nothing to hide ----------------------------------------------------------------------------------------


def test_a_printed_page_with_nothing_to_hide_looks_and_reads_the_same() -> None:
    content = printed(LETTER.format("Nothing to hide."))
    made = sanitized(content)
    assert made.result.text == made.original == text(made.content)
    assert differing(content, made.content) == [None]
    assert (
        pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()
        == pypdfium2.PdfDocument(made.content)[0].get_textpage().get_text_range()
    )


def test_a_report_with_nothing_to_hide_looks_and_reads_the_same() -> None:
    content = reportlab(f"{HARMLESS} " * 5)
    made = sanitized(content)
    assert " ".join(made.original.split()).startswith(f"A report {HARMLESS} {HARMLESS}")
    assert made.result.text == text(made.content)
    assert differing(content, made.content) == [None]


def test_colours_patterns_shadings_and_transparency_stay() -> None:
    made = BytesIO()
    canvas = Canvas(made, pagesize=A4)
    canvas.linearGradient(50, 500, 300, 700, ["red", "yellow"])
    canvas.setFillAlpha(0.4)
    canvas.setFillColorCMYK(0.5, 0.1, 0.3, 0)
    canvas.circle(200, 300, 80, fill=1)
    canvas.setDash(3, 2)
    canvas.drawString(100, 100, "A drawing")
    canvas.save()
    assert differing(made.getvalue(), sanitized(made.getvalue()).content) == [None]


# --- what does ---------------------------------------------------------------------------------------------------------


def test_a_printed_letter_is_sanitized_like_its_text() -> None:
    content = printed(LETTER.format(NOTE))
    made = sanitized(content)
    assert "Mr. Alder has [REDACTED] since [REDACTED] and takes" in made.result.text
    assert text(made.content) == made.result.text
    for secret in SECRETS:
        assert places_of(made.content, secret) == []
    told = pypdfium2.PdfDocument(made.content)[0].get_textpage().get_text_range()
    assert " ".join(told.split()).count("[REDACTED]") == 2


def test_a_report_is_sanitized_like_its_text() -> None:
    made = sanitized(reportlab(NOTE * 6))
    for secret in SECRETS:
        assert places_of(made.content, secret) == []


#: Where the letters of the word stand at ten points.
WIDTHS = (0, 5.1, 7.3, 12.9, 18.4, 23.5, 29, 34.6, 36.8, 42.4)
SPLIT = {
    "in pieces": b"BT /F 12 Tf 72 700 Td [(Takes zi) -20 (dovu) 30 (dine daily.)] TJ ET",
    "letter by letter": b"BT /F 12 Tf 72 700 Td (Takes ) Tj "
    + b" ".join(b"(%c) Tj" % letter for letter in b"zidovudine")
    + b" ( daily.) Tj ET",
    "placed letter by letter": b"BT /F 10 Tf 72 700 Td (Takes ) Tj ET "
    + b" ".join(
        b"BT /F 10 Tf 1 0 0 1 %.2f 700 Tm (%c) Tj ET" % (101.9 + at, letter)
        for at, letter in zip(WIDTHS, b"zidovudine", strict=True)
    )
    + b" BT /F 10 Tf 1 0 0 1 153 700 Tm (daily.) Tj ET",
    "out of order": b"BT /F 10 Tf 1 0 0 1 72 700 Tm (Takes zi) Tj 1 0 0 1 136.5 700 Tm (ine daily.) Tj 1 0 0 1 109.3 700 Tm (dovud) Tj ET",
    "in two fonts": b"BT /F 12 Tf 72 700 Td (Takes zido) Tj /B 12 Tf (vudine) Tj /F 12 Tf ( daily.) Tj ET",
    "in two sizes": b"BT /F 12 Tf 72 700 Td (Takes z) Tj /F 9 Tf (idovudine) Tj /F 12 Tf ( daily.) Tj ET",
    "with wide letters": b"BT /F 12 Tf 4 Tc 72 700 Td (Takes zidovudine daily.) Tj ET",
    "with narrow letters": b"BT /F 12 Tf 45 Tz 72 700 Td (Takes zidovudine daily.) Tj ET",
    "with word spacing": b"BT /F 12 Tf 20 Tw 72 700 Td (Takes zidovudine daily.) Tj ET",
    "rotated": b"BT /F 12 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (Takes zidovudine daily.) Tj ET",
    "upside down": b"q -1 0 0 -1 500 700 cm BT /F 12 Tf 72 200 Td (Takes zidovudine daily.) Tj ET Q",
    "from below": b"q 1 0 0 -1 0 842 cm BT /F 12 Tf 1 0 0 -1 72 200 Tm (Takes zidovudine daily.) Tj ET Q",
    "of negative size": b"BT /F -12 Tf -1 0 0 -1 72 700 Tm (Takes zidovudine daily.) Tj ET",
    "with operators of old": b"BT /F 12 Tf 14 TL 72 700 Td (First) ' 1 0 (Takes zidovudine daily.) \" (Last) ' ET",
    "on the next line": b"BT /F 12 Tf 14 TL 72 700 Td (Takes) Tj T* (zidovudine) Tj T* (daily.) Tj ET",
    "printed twice": b"BT /F 12 Tf 72 700 Td (Takes zidovudine daily.) Tj 0.3 0 Td (Takes zidovudine daily.) Tj ET",
    "every letter twice": b"BT /F 12 Tf 72 700 Td [(Takes ) "
    + b" ".join(b"(%c) 500 (%c)" % (letter, letter) for letter in b"zzoozz")
    + b"] TJ ET BT /F 12 Tf 72 600 Td (Takes zidovudine daily.) Tj ET",
    "in code of two digits": b"BT /F 12 Tf 72 700 Td <54616b6573207a69646f767564696e65206461696c792e> Tj ET",
    "with a raised mark": b"BT /F 12 Tf 72 700 Td (Takes zidovudine) Tj /F 7 Tf 5 Ts (1) Tj 0 Ts /F 12 Tf ( daily.) Tj ET",
    "with a soft hyphen": b"BT /F 12 Tf 72 700 Td (Takes zido-) Tj 0 -14 Td (vudine daily.) Tj ET",
    "without fonts set anew": b"q BT /F 12 Tf 72 700 Td (Takes zidovudine daily.) Tj ET Q",
}


@pytest.mark.parametrize("how", SPLIT)
def test_a_word_is_found_and_removed(how: str) -> None:
    pdf = new_pdf(SPLIT[how])
    pdf.pages[0].Resources.Font.B = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Times-Bold"))
    content = saved(pdf)
    made = sanitized(content)
    assert "Takes an antiviral drug daily." in " ".join(made.result.text.split())
    assert places_of(made.content, SECRET) == []
    assert places_of(made.content, "vudine") == []
    assert text(made.content) == made.result.text
    again = sanitized(made.content)
    assert again.result.text == made.result.text
    assert differing(made.content, again.content) == [None]


def test_a_hyphen_at_the_end_of_a_line_goes_with_its_word_and_comes_back_with_another() -> None:
    content = shown(
        b"BT /F 12 Tf 14 TL 72 700 Td (A cof-) Tj T* (fee with HIV-) Tj T* (positive men and self-) Tj T* (care on Wednes-) Tj T* (day) Tj ET"
    )
    assert text(content) == "A coffee with HIV-positive men and self-care on Wednesday"


def test_what_stands_around_stays_where_it_stood() -> None:
    content = shown(
        b"BT /F 12 Tf 72 700 Td (Takes zidovudine) Tj ( daily, and more.) Tj 14 TL T* (Next line.) Tj ET 0 0 1 rg 72 650 50 5 re f"
    )
    made = sanitized(content)
    start = 72 + 12 * (611 + 556 + 500 + 556 + 500 + 278) / 1000
    wide = 12 * (500 + 222 + 556 + 556 + 500 + 556 + 556 + 222 + 556 + 556) / 1000
    assert differing(content, made.content) != [None]
    assert differing(content, made.content, (start - 1, 696, start + wide + 1, 711)) == [None]


def test_words_too_long_for_their_place_are_there_but_not_seen() -> None:
    content = shown(b"BT /F 4 Tf 72 700 Td (Takes zidovudine daily.) Tj ET")
    made = sanitized(content)
    assert text(made.content) == "Takes an antiviral drug daily."
    with pikepdf.open(BytesIO(made.content)) as pdf:
        assert b"3 Tr" in pdf.pages[0].Contents.read_bytes()


def test_a_drawing_that_is_used_often_is_rewritten_wherever_it_stands() -> None:
    pdf = new_pdf(b"/D Do 1 0 0 1 0 -50 cm /D Do", b"/D Do")
    drawn = form(pdf, b"BT /F 12 Tf 72 600 Td (Takes zidovudine daily.) Tj ET")
    for page in pdf.pages:
        page.Resources.XObject = Dictionary(D=drawn)
    made = sanitized(saved(pdf))
    assert made.result.text.count("an antiviral drug") == 3
    assert places_of(made.content, SECRET) == []


@settings(max_examples=60)
@given(st.data())
def test_any_words_can_take_the_place_of_any_others(data: st.DataObject) -> None:
    lines = data.draw(
        st.lists(st.lists(st.text("abcWi.,-", min_size=1, max_size=6), min_size=1, max_size=5), min_size=1, max_size=4)
    )
    content = shown(
        b"BT /F 11 Tf 13 TL 72 700 Td " + b" ".join(b"(%s) Tj T*" % " ".join(line).encode() for line in lines) + b" ET"
    )
    taken = read_pdf(content, "x.pdf", STRICT)
    letters = st.text("abcé€я漢XY", min_size=1, max_size=8)
    texts = [
        data.draw(st.one_of(st.just(one.text), st.just(""), letters, st.builds("{} {}".format, letters, letters)))
        for one in taken.strands
    ]
    new = Woven([type(one)(words, one.joint) for one, words in zip(taken.strands, texts, strict=True)]).text
    assert text(taken.put(texts)) == new


@pytest.mark.parametrize("kind", [3, 42])
def test_fonts_that_draw_their_letters_and_embedded_ones_are_read(kind: int) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="there is nothing here to plot with")
    figures = pytest.importorskip("matplotlib.figure")
    made = BytesIO()
    with matplotlib.rc_context({"pdf.fonttype": kind}):
        figure = figures.Figure(figsize=(4, 3))
        figure.subplots().set_title("Takes zidovudine daily, fiancé")
        figure.savefig(made, format="pdf")
    result = sanitized(made.getvalue())
    assert "Takes an antiviral drug daily, fiancé" in text(result.content)
    assert places_of(result.content, SECRET) == []
    assert differing(made.getvalue(), result.content, (50, 185, 260, 216)) == [None]


# --- pictures ----------------------------------------------------------------------------------------------------------


def with_picture() -> bytes:
    pdf = new_pdf(b"BT /F 12 Tf 72 700 Td (Takes zidovudine daily.) Tj ET q 90 0 0 90 100 100 cm /P Do Q")
    pdf.pages[0].Resources.XObject = Dictionary(P=picture(pdf))
    return saved(pdf)


def test_a_picture_stops_a_file_stays_or_goes_as_the_rules_say() -> None:
    with pytest.raises(FileError) as stopped:
        sanitized(with_picture())
    assert str(stopped.value) == "letter.pdf: Page 1 holds a picture, and what a picture shows is not read."
    kept = sanitized(with_picture(), KEEP).content
    assert differing(with_picture(), kept, (72, 690, 300, 715)) == [None]
    removed = sanitized(with_picture(), Rules(pictures="remove")).content
    assert differing(with_picture(), removed, (72, 690, 300, 715), (99, 99, 191, 191)) == [None]
    with pikepdf.open(BytesIO(removed)) as pdf:
        assert not any(isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Image" for one in pdf.objects)


def test_a_picture_within_a_page_counts_too() -> None:
    with pytest.raises(FileError) as stopped:
        sanitized(shown(b"q 9 0 0 9 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x00 EI Q"))
    assert "Page 1 holds a picture" in str(stopped.value)


# --- with a policy as shipped --------------------------------------------------------------------------------------------


def test_a_shipped_policy_sanitizes_a_printed_letter() -> None:
    sanitizer = Sanitizer(load_policy(POLICIES / "us-hiv.yaml"))
    content = printed(LETTER.format("Mr. Alder tested positive for HIV and takes zidovudine."))
    made = sanitize_file(content, "letter.pdf", read_pdf, sanitizer, STRICT)
    for secret in ("HIV", SECRET):
        assert places_of(made.content, secret) == []
    assert "A letter" in made.result.text
