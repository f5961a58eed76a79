"""A secret word in every place of a PDF that can hold one: it is gone from the file that is made."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image

from kgsan.formats.documents import STRICT
from kgsan.formats.pdf import read_pdf
from tests.formats.test_pdf_samples import KEEP, NEW, SECRET, form, new_pdf, picture, places_of, sanitized, saved, text

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN = b"BT /F 12 Tf 72 600 Td (Takes zidovudine daily.) Tj ET"
HIDDEN: dict[str, Callable[[pikepdf.Pdf, Any], Any]] = {}  # places whose words are left out
READ: dict[str, Callable[[pikepdf.Pdf, Any], Any]] = {}  # places whose words are judged and replaced


def hidden(hide: Callable[[pikepdf.Pdf, Any], Any]) -> Callable[[pikepdf.Pdf, Any], Any]:
    HIDDEN[hide.__name__] = hide
    return hide


def read(hide: Callable[[pikepdf.Pdf, Any], Any]) -> Callable[[pikepdf.Pdf, Any], Any]:
    READ[hide.__name__] = hide
    return hide


def draw(pdf: pikepdf.Pdf, page: Any, content: bytes) -> None:
    page.Contents = Array([page.Contents, pdf.make_stream(content)])


def note(pdf: pikepdf.Pdf, page: Any, **more: Any) -> Dictionary:
    made = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=[100, 100, 300, 130], **more))
    page.Annots = Array([*page.get("/Annots", []), made])
    return made


def field(pdf: pikepdf.Pdf, page: Any, **more: Any) -> Dictionary:
    made = note(pdf, page, **{"Subtype": Name.Widget, "FT": Name.Tx, "T": String("drug"), "DA": String("/F 12 Tf 0 g"), **more})
    resources = Dictionary(Font=Dictionary(F=page.Resources.Font.F))
    pdf.Root.AcroForm = Dictionary(Fields=[made], DR=resources, DA=String("/F 12 Tf 0 g"))
    return made


@read
def text_of_the_page(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, SHOWN)


@read
def text_that_is_not_painted(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, b"BT /F 12 Tf 3 Tr 72 600 Td (Takes zidovudine daily.) Tj ET")


@read
def white_text(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, b"1 g BT /F 12 Tf 72 600 Td (Takes zidovudine daily.) Tj ET")


@read
def text_beside_the_page(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, b"BT /F 12 Tf 2000 -600 Td (Takes zidovudine daily.) Tj ET")


@read
def text_under_a_black_bar(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, SHOWN + b" 0 g 70 595 300 20 re f")


@read
def a_drawing(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.XObject = Dictionary(Secret=form(pdf, SHOWN))
    draw(pdf, page, b"/Secret Do")


@read
def a_drawing_within_a_drawing(pdf: pikepdf.Pdf, page: Any) -> None:
    outer = form(pdf, b"q 1 0 0 1 10 10 cm /In Do Q")
    outer.Resources.XObject = Dictionary(In=form(pdf, SHOWN))
    page.Resources.XObject = Dictionary(Out=outer)
    draw(pdf, page, b"/Out Do")


@read
def a_pattern(pdf: pikepdf.Pdf, page: Any) -> None:
    tile = form(pdf, SHOWN, Type=Name.Pattern, PatternType=1, PaintType=1, TilingType=1, XStep=595, YStep=842)
    del tile["/Subtype"]
    page.Resources.Pattern = Dictionary(P=tile)
    draw(pdf, page, b"/Pattern cs /P scn 0 0 595 842 re f")


@read
def a_soft_mask(pdf: pikepdf.Pdf, page: Any) -> None:
    mask = Dictionary(
        Type=Name.Mask, S=Name.Luminosity, G=form(pdf, SHOWN, Group=Dictionary(S=Name.Transparency, CS=Name.DeviceGray))
    )
    page.Resources.ExtGState = Dictionary(G=Dictionary(Type=Name.ExtGState, SMask=mask))
    draw(pdf, page, b"/G gs 0 0 100 100 re f")


@read
def a_layer_that_is_switched_off(pdf: pikepdf.Pdf, page: Any) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer of zidovudine")))
    pdf.Root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer], Order=[String(SECRET), layer]))
    page.Resources.Properties = Dictionary(Zidovudine=layer)
    draw(pdf, page, b"/OC /Zidovudine BDC " + SHOWN + b" EMC")


@read
def a_note(pdf: pikepdf.Pdf, page: Any) -> None:
    parts = {"T": SECRET, "Subj": SECRET, "RC": f"<p>{SECRET}</p>", "NM": SECRET, "Contents": "Takes zidovudine daily."}
    made = note(pdf, page, Subtype=Name.Text, **{key: String(value) for key, value in parts.items()})
    note(pdf, page, Subtype=Name.Popup, Parent=made, Contents=String(SECRET))


@read
def the_picture_of_a_note(pdf: pikepdf.Pdf, page: Any) -> None:
    note(pdf, page, Subtype=Name.Stamp, AP=Dictionary(N=form(pdf, SHOWN), D=form(pdf, SHOWN)))


@read
def a_link(pdf: pikepdf.Pdf, page: Any) -> None:
    note(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String("https://example.org/AIDS")))


@read
def a_link_in_which_letters_are_escaped(pdf: pikepdf.Pdf, page: Any) -> None:
    note(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String("https://example.org/%41I%44S")))


@read
def a_field_with_its_picture(pdf: pikepdf.Pdf, page: Any) -> None:
    parts = {key: String(SECRET) for key in ("V", "DV", "TU", "TM", "T", "RV")}
    field(
        pdf,
        page,
        AP=Dictionary(N=form(pdf, b"BT /F 12 Tf 2 5 Td (Takes zidovudine daily.) Tj ET", BBox=[0, 0, 200, 30])),
        **parts,
    )
    pdf.Root.AcroForm.XFA = pdf.make_stream(SECRET.encode())


@read
def a_field_without_a_picture(pdf: pikepdf.Pdf, page: Any) -> None:
    field(pdf, page, V=String("Takes zidovudine daily."))


@read
def a_bookmark(pdf: pikepdf.Pdf, page: Any) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Takes zidovudine daily.", 0))


@hidden
def a_word_said_instead_of_what_is_shown(pdf: pikepdf.Pdf, page: Any) -> None:
    said = b"<</ActualText (zidovudine) /Alt (zidovudine) /E (zidovudine) /MCID 0>>"
    draw(pdf, page, b"/Span " + said + b" BDC BT /F 12 Tf 72 600 Td (word) Tj ET EMC /Zidovudine BMC EMC /Z " + said + b" DP")


@hidden
def a_list_of_properties(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Properties = Dictionary(MC0=pdf.make_indirect(Dictionary(ActualText=String(SECRET))))
    draw(pdf, page, b"/Span /MC0 BDC BT /F 12 Tf 72 600 Td (word) Tj ET EMC")


@hidden
def the_structure(pdf: pikepdf.Pdf, page: Any) -> None:
    parts = {key: String(SECRET) for key in ("Alt", "ActualText", "E", "T", "ID")}
    pdf.Root.StructTreeRoot = Dictionary(
        Type=Name.StructTreeRoot, K=[Dictionary(Type=Name.StructElem, S=Name.P, Pg=page, **parts)]
    )


@hidden
def a_hidden_note(pdf: pikepdf.Pdf, page: Any) -> None:
    note(pdf, page, Subtype=Name.Text, F=2, Contents=String(SECRET))


@hidden
def a_list_to_choose_from(pdf: pikepdf.Pdf, page: Any) -> None:
    field(pdf, page, FT=Name.Ch, Opt=[String(SECRET), String("other")], V=String("other"))


@hidden
def the_label_of_a_page(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.PageLabels = Dictionary(Nums=[0, Dictionary(S=Name.D, P=String(SECRET))])


@hidden
def the_name_of_a_place(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=[String(SECRET), Array([page, Name.Fit])]))
    note(pdf, page, Subtype=Name.Link, Dest=String(SECRET))


@hidden
def an_attachment(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.attachments[SECRET] = pikepdf.AttachedFileSpec(pdf, SECRET.encode(), filename=SECRET, description=SECRET)
    note(pdf, page, Subtype=Name.FileAttachment, Contents=String(SECRET))


@hidden
def scripts(pdf: pikepdf.Pdf, page: Any) -> None:
    script = Dictionary(S=Name.JavaScript, JS=String(SECRET))
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=[String(SECRET), script]))
    pdf.Root.OpenAction = script
    page.AA = Dictionary(O=script)
    note(pdf, page, Subtype=Name.Link, A=script)


@hidden
def properties_of_the_file(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.docinfo["/Title"] = SECRET
    pdf.docinfo["/Drug"] = SECRET
    with pdf.open_metadata() as metadata:
        metadata["dc:title"] = SECRET
    pdf.Root.PieceInfo = page.PieceInfo = Dictionary(App=Dictionary(Private=String(SECRET)))
    page.Metadata = pdf.make_stream(SECRET.encode())
    pdf.trailer.ID = Array([String(SECRET), String(SECRET)])
    pdf.Root.Lang = String(SECRET)


@hidden
def the_small_picture_of_a_page(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Thumb = pdf.make_stream(SECRET.encode())


@hidden
def whatever_no_page_needs(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root["/Zidovudine"] = page["/Zidovudine"] = String(SECRET)
    page.Resources.XObject = Dictionary(Unused=form(pdf, SHOWN))
    page.Resources.Font.F["/Zidovudine"] = pdf.make_stream(SECRET.encode())
    pdf.Root.Threads = Array([pdf.make_indirect(Dictionary(I=Dictionary(Title=String(SECRET))))])
    pdf.make_indirect(String(SECRET))


@hidden
def remarks_between_operators(pdf: pikepdf.Pdf, page: Any) -> None:
    draw(pdf, page, b"% zidovudine\n(zidovudine) 1 0 0 rg (zidovudine) Zidovudine /zidovudine ri /DeviceRGB cs (zidovudine)")


@hidden
def names_of_resources(pdf: pikepdf.Pdf, page: Any) -> None:
    page.Resources.Font["/zidovudine"] = page.Resources.Font.F
    page.Resources.ExtGState = Dictionary({"/zidovudine": Dictionary(CA=0.5)})
    draw(pdf, page, b"/zidovudine gs BT /zidovudine 12 Tf 72 600 Td (word) Tj ET")


@hidden
def a_signature(pdf: pikepdf.Pdf, page: Any) -> None:
    signature = Dictionary(
        Type=Name.Sig, Name=String(SECRET), Reason=String(SECRET), Contents=String(SECRET), ByteRange=[0, 1, 2, 3]
    )
    field(pdf, page, FT=Name.Sig, V=signature)
    pdf.Root.AcroForm.SigFlags = 3


@hidden
def remarks_in_a_picture(pdf: pikepdf.Pdf, page: Any) -> None:
    photograph = BytesIO()
    tags = Image.Exif()
    tags[270] = SECRET
    Image.new("RGB", (8, 8), "red").save(photograph, "jpeg", exif=tags, comment=SECRET)
    made = picture(pdf)
    made.write(photograph.getvalue() + SECRET.encode(), filter=Name.DCTDecode)
    made.Metadata = pdf.make_stream(SECRET.encode())
    page.Resources.XObject = Dictionary(P=made)
    draw(pdf, page, b"q 50 0 0 50 100 100 cm /P Do Q")


def made_with(hide: Callable[[pikepdf.Pdf, Any], Any]) -> bytes:
    pdf = new_pdf()
    hide(pdf, pdf.pages[0].obj)
    return (
        saved(pdf, static_id=False, compress_streams=False)
        if hide is not properties_of_the_file
        else saved(pdf, compress_streams=False)
    )


@pytest.mark.parametrize("place", [*HIDDEN, *READ])
def test_a_secret_is_gone_from(place: str) -> None:
    content = made_with({**HIDDEN, **READ}[place])
    secret = "/AIDS" if "link" in place else SECRET
    if "escaped" not in place:
        assert places_of(content, secret), "the word was not there to begin with"
    made = sanitized(content, KEEP).content
    assert places_of(made, secret) == []
    assert "A plain page." in text(made)


@pytest.mark.parametrize("place", READ)
def test_what_takes_the_place_of_a_secret_stands_in(place: str) -> None:
    made = sanitized(made_with(READ[place])).content
    assert ("https://example.org/[REDACTED]" if "link" in place else f"Takes an {NEW} daily.") in text(made)


def test_earlier_versions_of_a_file_are_gone() -> None:
    before = saved(new_pdf(SHOWN), compress_streams=False)
    with pikepdf.open(BytesIO(saved(new_pdf(), compress_streams=False))) as other:
        after = other.pages[0].Contents.read_bytes()
    number = before.index(b"stream")
    number = int(before[:number].rsplit(b" 0 obj", 1)[0].rsplit(b"\n", 1)[-1])
    start = int(before.rsplit(b"startxref", 1)[1].split()[0])
    at = len(before)
    update = b"%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n" % (number, len(after), after)
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<</Size 99 /Root 1 0 R /Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (
        number,
        at,
        start,
        at + len(update),
    )
    content = before + update + table
    assert text(content) == "A plain page."
    assert places_of(content, SECRET) == ["the bytes of the file"]
    assert places_of(sanitized(content).content, SECRET) == []


def test_a_code_that_stands_for_a_whole_word_leaves_the_map_of_its_font() -> None:
    pdf = new_pdf(b"BT /F 12 Tf 72 700 Td (Takes a daily.) Tj ET")
    one = b"1 beginbfchar <61> <" + SECRET.encode("utf-16-be").hex().encode() + b"> endbfchar"
    pdf.pages[0].Resources.Font.F.ToUnicode = pdf.make_stream(one + b" % zidovudine")
    pdf.pages[0].Contents = pdf.make_stream(b"BT /F 12 Tf 72 700 Td (Tkes a d) Tj ET")
    content = saved(pdf)
    assert text(content) == "Tkes zidovudine d"
    assert places_of(sanitized(content).content, SECRET) == []


def test_layers_that_are_switched_off_stay_so() -> None:
    with pikepdf.open(BytesIO(sanitized(made_with(a_layer_that_is_switched_off)).content)) as pdf:
        assert [str(one.Name) for one in pdf.Root.OCProperties.D.OFF] == ["Layer 1"]


def test_links_and_bookmarks_lead_where_they_led() -> None:
    pdf = new_pdf(b"BT /F 12 Tf 72 700 Td (One.) Tj ET", b"BT /F 12 Tf 72 700 Td (Two.) Tj ET")
    first, second = (page.obj for page in pdf.pages)
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=[String("two"), Array([second, Name.XYZ, 0, 700, 0])]))
    note(pdf, first, Subtype=Name.Link, A=Dictionary(S=Name.GoTo, D=String("two")))
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Part", 0))
        outline.root[0].children.append(pikepdf.OutlineItem("Chapter", 1))
    with pikepdf.open(BytesIO(sanitized(saved(pdf)).content)) as made:
        leads = made.pages[0].Annots[0].Dest
        assert leads[0].objgen == made.pages[1].obj.objgen
        assert [int(one) for one in list(leads)[2:]] == [0, 700, 0]
        with made.open_outline() as outline:
            assert [(one.title, [inner.title for inner in one.children]) for one in outline.root] == [("Part", ["Chapter"])]


def test_what_is_left_out_is_told() -> None:
    assert read_pdf(made_with(a_signature), "x.pdf", STRICT).removed == (
        "its signature",
        "its form fields (what they show stays)",
    )


def test_objects_within_the_new_file_are_those_that_pages_need() -> None:
    with pikepdf.open(BytesIO(sanitized(made_with(properties_of_the_file)).content)) as pdf:
        assert sorted(pdf.Root.keys()) == ["/Pages", "/Type"]
        assert not any(isinstance(one, Stream) and one.get("/Type") == "/Metadata" for one in pdf.objects)
