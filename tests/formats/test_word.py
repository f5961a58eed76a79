"""Word documents, sanitized in place."""

from __future__ import annotations

import base64
import io
import struct
import time
import zipfile
import zlib

import pytest
from lxml import etree

from kgsan.formats.documents import Rules, sanitize_file, text_of
from kgsan.formats.word import read_word
from kgsan.policy.read import load_policy
from kgsan.report.output import FileError
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

docx = pytest.importorskip("docx")
KEEP, REMOVE = Rules(pictures="keep"), Rules(pictures="remove")
OFFICE = "http://schemas.openxmlformats.org"
SPACES = (
    f'xmlns:w="{OFFICE}/wordprocessingml/2006/main" xmlns:r="{OFFICE}/officeDocument/2006/relationships" '
    f'xmlns:wp="{OFFICE}/drawingml/2006/wordprocessingDrawing" xmlns:a="{OFFICE}/drawingml/2006/main" '
    f'xmlns:pic="{OFFICE}/drawingml/2006/picture" xmlns:mc="{OFFICE}/markup-compatibility/2006" '
    f'xmlns:m="{OFFICE}/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" xmlns:x="urn:example"'
)
KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml."
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("toy"))))


def packed(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return made.getvalue()


def unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def document(body: str = "<w:p/>", more: dict[str, str | bytes] | None = None, kinds: str = "", relations: str = "") -> bytes:
    """A document of as few parts as there can be, and some more."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/>'
        f'<Override PartName="/word/document.xml" ContentType="{KIND}document.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{relations}</Relationships>',
        **(more or {}),
    }
    return packed({name: content.encode() if isinstance(content, str) else content for name, content in parts.items()})


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def para(*texts: str) -> str:
    return "<w:p>" + "".join(run(text) for text in texts) + "</w:p>"


def sanitized(content: bytes, toy: Sanitizer, rules: Rules = REMOVE) -> bytes:
    return sanitize_file(content, "letter.docx", read_word, toy, rules).content


def text(content: bytes) -> str:
    return text_of(content, "letter.docx", read_word)


def body(content: bytes) -> str:
    return unpacked(content)["word/document.xml"].decode()


def everything(content: bytes) -> str:
    """All parts, raw, as UTF-16, from base64, and without tags."""
    said = []
    for name, part in unpacked(content).items():
        plain = part.decode("utf-8", "replace")
        said += [
            name,
            plain,
            part.decode("utf-16-le", "replace"),
            part.decode("utf-16-be", "replace"),
            base64.b64encode(part).decode(),
        ]
        if name.endswith((".xml", ".rels")):
            said.append("".join(etree.fromstring(part).itertext()))
    return "\n".join(said).lower() + content.decode("latin-1").lower()


def example() -> bytes:
    made = docx.Document()
    made.add_heading("Roses", 1)
    made.add_paragraph("Some roses are ").add_run("red").bold = True
    made.add_paragraph("one", style="List Bullet")
    table = made.add_table(2, 2, style="Table Grid")
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"cell {number}"
    made.sections[0].header.paragraphs[0].text = "A header"
    made.sections[0].footer.paragraphs[0].text = "A footer"
    made.add_comment(made.paragraphs[1].runs, text="A remark", author="Jo Example", initials="JE")
    made.core_properties.author = "Jo Example"
    made.core_properties.title = "Roses of Jo"
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def test_a_document_with_nothing_sensitive_keeps_its_content_and_formatting(toy: Sanitizer) -> None:
    before, after = unpacked(example()), unpacked(sanitized(example(), toy, KEEP))
    left_out = {name for name in before if name.startswith(("customXml", "docProps/thumb", "word/people"))}
    assert before.keys() - after.keys() == left_out
    for name in after.keys() - {
        "[Content_Types].xml",
        "_rels/.rels",
        "word/_rels/document.xml.rels",
        "docProps/core.xml",
        "docProps/app.xml",
        "word/settings.xml",
        "word/comments.xml",
    }:
        if name.endswith((".xml", ".rels")):
            bare = etree.fromstring(before[name])
            for element in bare.iter("*"):
                for attribute in [one for one in element.attrib if "}rsid" in one]:
                    del element.attrib[attribute]
            assert etree.tostring(bare, method="c14n") == etree.tostring(etree.fromstring(after[name]), method="c14n"), name
        else:
            assert before[name] == after[name]
    assert text(example()) == text(sanitized(example(), toy, KEEP))


def test_authors_and_properties_are_gone(toy: Sanitizer) -> None:
    made = sanitized(example(), toy, KEEP)
    assert "jo example" not in everything(made)
    assert "python-docx" not in everything(made)
    assert docx.Document(io.BytesIO(made)).paragraphs[0].text == "Roses"


def test_the_same_document_gives_the_same_bytes_and_twice_is_once(toy: Sanitizer) -> None:
    made = sanitized(example(), toy, KEEP)
    assert made == sanitized(example(), toy, KEEP)
    assert sanitized(made, toy, KEEP) == made


S = "zidovudine"
BODIES = [
    para(f"He takes {S} daily."),
    para("He takes zi", "dovu", "dine daily."),
    "<w:p><w:r><w:t>zido</w:t></w:r><w:proofErr w:type='spellStart'/><w:bookmarkStart w:id='0' w:name='b'/><w:r><w:rPr><w:b/></w:rPr><w:t>vudine</w:t></w:r></w:p>",
    "<w:p><w:r><w:t>zido</w:t><w:softHyphen/><w:t>vudine</w:t></w:r></w:p>",
    "<w:p><w:r><w:t>zi</w:t><w:sym w:font='Arial' w:char='F064'/><w:t>ovudine</w:t></w:r></w:p>",
    "<w:p><w:r><w:t>zi&#100;ovudine</w:t></w:r></w:p>",
    f"<w:p><w:del w:id='1' w:author='{S}'><w:r><w:delText>{S}</w:delText></w:r></w:del><w:ins w:id='2' w:author='{S}'>{run(S)}</w:ins></w:p>",
    f"<w:p><w:moveFrom w:id='1'>{run(S)}</w:moveFrom><w:moveTo w:id='1'>{run(S)}</w:moveTo></w:p>",
    f"<w:tbl><w:tr><w:trPr><w:del w:id='1' w:author='x'/></w:trPr><w:tc>{para(S)}</w:tc></w:tr></w:tbl><w:p/>",
    f"<w:tbl><w:tblPr><w:tblCaption w:val='{S}'/><w:tblDescription w:val='{S}'/></w:tblPr><w:tr><w:tc>{para('a')}</w:tc><w:tc>{para(S)}</w:tc></w:tr></w:tbl><w:p/>",
    f"<w:p><w:pPr><w:pPrChange w:id='1' w:author='{S}'><w:pPr/></w:pPrChange></w:pPr>{run('x')}</w:p>",
    "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> HYPERLINK \"https://example.org/zido</w:instrText></w:r><w:r><w:instrText>vudine\" </w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>",
    f"<w:p><w:fldSimple w:instr=' QUOTE {S} '>{run('x')}</w:fldSimple></w:p>",
    f"<w:p><w:r><w:fldChar w:fldCharType='begin'><w:fldData>emlkb3Z1ZGluZQ==</w:fldData><w:ffData><w:name w:val='{S}'/><w:helpText w:val='{S}'/><w:textInput><w:default w:val='{S}'/></w:textInput></w:ffData></w:fldChar></w:r></w:p>",
    f"<w:p><w:bookmarkStart w:id='0' w:name='{S}'/><w:hyperlink w:anchor='{S}' w:tooltip='{S}'>{run('x')}</w:hyperlink></w:p>",
    f"<w:sdt><w:sdtPr><w:alias w:val='{S}'/><w:tag w:val='{S}'/><w:placeholder><w:docPart w:val='{S}'/></w:placeholder><w:dataBinding w:xpath='{S}'/><w:dropDownList><w:listItem w:displayText='{S}' w:value='{S}'/></w:dropDownList></w:sdtPr><w:sdtContent>{para(S)}</w:sdtContent></w:sdt>",
    f"<w:p><w:smartTag w:uri='u' w:element='{S}'><w:smartTagPr><w:attr w:name='{S}' w:val='{S}'/></w:smartTagPr>{run('zido')}</w:smartTag>{run('vudine')}</w:p>",
    f"<w:p><w:r><w:drawing><wp:inline><wp:docPr id='1' name='{S}' descr='a box of {S}' title='{S}'/><a:graphic><a:graphicData uri='{OFFICE}/drawingml/2006/main'><a:p><a:r><a:t>{S}</a:t></a:r></a:p></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>",
    f"<w:p>{run('zido')}<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx><w:txbxContent>{para(S)}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{para(S)}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>{run('vudine')}</w:p>",
    f"<w:p><w:r><w:pict><v:shape id='a' alt='{S}' href='http://example.org/{S}' o:title='{S}' title='{S}'><v:textpath string='{S}'/></v:shape></w:pict></w:r></w:p>",
    f"<w:p><m:oMath><m:r><m:t>{S}</m:t></m:r></m:oMath></w:p>",
    f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{S}</w:t></w:r></w:p>",
    f"<w:p><w:r><w:ruby><w:rt>{run(S)}</w:rt><w:rubyBase>{run('x')}</w:rubyBase></w:ruby></w:r></w:p>",
    f"<x:note about='{S}'>{S}<x:{S}/></x:note>".replace(f"<x:{S}/>", ""),
    f"<w:p w:rsidR='00AA'>{run('x')}</w:p><!-- {S} --><?x {S}?>",
    f"<w:p><w:permStart w:id='1' w:ed='{S}'/>{run('x')}</w:p>",
]


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_a_secret_is_gone_from_every_corner_of_the_body(toy: Sanitizer, number: int) -> None:
    made = sanitized(document(BODIES[number]), toy)
    assert "vudine" not in everything(made)
    assert "emlkb3" not in everything(made)
    assert sanitized(made, toy) == made
    etree.fromstring(unpacked(made)["word/document.xml"])


def part(root: str, inside: str) -> str:
    return f"<w:{root} {SPACES}>{inside}</w:{root}>"


def override(name: str, kind: str) -> str:
    return f'<Override PartName="/{name}" ContentType="{kind}"/>'


RELATION = f'<Relationship Id="r9" Type="{OFFICE}/officeDocument/2006/relationships/%s" Target="%s"/>'
PARTS: list[tuple[str, str | bytes, str]] = [
    ("word/header1.xml", part("hdr", para(S)), KIND + "header+xml"),
    ("word/footer1.xml", part("ftr", para("zi", "dovudine")), KIND + "footer+xml"),
    ("word/footnotes.xml", part("footnotes", f"<w:footnote w:id='1'>{para(S)}</w:footnote>"), KIND + "footnotes+xml"),
    ("word/endnotes.xml", part("endnotes", f"<w:endnote w:id='1'>{para(S)}</w:endnote>"), KIND + "endnotes+xml"),
    (
        "word/comments.xml",
        part(
            "comments", f"<w:comment w:id='1' w:author='{S}' w:initials='{S}' w:date='2021-03-04T00:00:00Z'>{para(S)}</w:comment>"
        ),
        KIND + "comments+xml",
    ),
    ("word/people.xml", f"<w15:people {SPACES}><w15:person w15:author='{S}'/></w15:people>", KIND + "people+xml"),
    ("word/glossary/document.xml", part("glossaryDocument", para(S)), KIND + "document.glossary+xml"),
    (
        "word/settings.xml",
        part(
            "settings",
            f"<w:docVars><w:docVar w:name='{S}' w:val='{S}'/></w:docVars><w:mailMerge><w:query w:val='{S}'/></w:mailMerge><w:rsids><w:rsid w:val='1'/></w:rsids>",
        ),
        KIND + "settings+xml",
    ),
    (
        "word/styles.xml",
        part("styles", f"<w:style w:customStyle='1' w:styleId='{S}'><w:name w:val='{S}'/><w:aliases w:val='{S}'/></w:style>"),
        KIND + "styles+xml",
    ),
    (
        "word/numbering.xml",
        part("numbering", f"<w:abstractNum><w:name w:val='{S}'/><w:lvl><w:lvlText w:val='{S} %1'/></w:lvl></w:abstractNum>"),
        KIND + "numbering+xml",
    ),
    ("word/theme/theme1.xml", f"<a:theme {SPACES} name='{S}'/>", "application/vnd.openxmlformats-officedocument.theme+xml"),
    (
        "word/charts/chart1.xml",
        f"<c:chartSpace xmlns:c='{OFFICE}/drawingml/2006/chart' {SPACES}><c:v>{S}</c:v><c:f>{S}</c:f><a:p><a:r><a:t>zido</a:t></a:r><a:r><a:t>vudine</a:t></a:r></a:p></c:chartSpace>",
        "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    ),
    (
        "word/diagrams/data1.xml",
        f"<d:dataModel xmlns:d='{OFFICE}/drawingml/2006/diagram' {SPACES}><d:pt modelId='1'><d:t><a:p><a:r><a:t>{S}</a:t></a:r></a:p></d:t></d:pt></d:dataModel>",
        "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml",
    ),
    ("customXml/item1.xml", f"<data about='{S}'>{S}</data>", "application/xml"),
    (
        "docProps/core.xml",
        f"<p xmlns:d='urn:x'><d:title>{S}</d:title><d:creator>{S}</d:creator></p>",
        "application/vnd.openxmlformats-package.core-properties+xml",
    ),
    (
        "docProps/app.xml",
        f"<p><Company>{S}</Company></p>",
        "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    ),
    (
        "docProps/custom.xml",
        f"<p><property name='{S}'>{S}</property></p>",
        "application/vnd.openxmlformats-officedocument.custom-properties+xml",
    ),
    ("docProps/thumbnail.png", PNG + S.encode(), "image/png"),
    ("word/media/image1.png", PNG + S.encode(), "image/png"),
    ("word/embeddings/oleObject1.bin", S.encode("utf-16-le"), "application/vnd.openxmlformats-officedocument.oleObject"),
    (
        "word/printerSettings1.bin",
        S.encode("utf-16-le"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.printerSettings",
    ),
    ("word/unheard.xml", f"<q about='{S}' xmlns='urn:q'>{S}<b/>{S}</q>", "application/xml"),
    ("word/utf16.xml", f"<?xml version='1.0' encoding='UTF-16'?><q>{S}</q>".encode("utf-16"), "application/xml"),
    (
        "word/webSettings.xml",
        part("webSettings", f"<w:div w:id='1'/><w:frame><w:name w:val='{S}'/></w:frame>"),
        KIND + "webSettings+xml",
    ),
]


@pytest.mark.parametrize("number", range(len(PARTS)))
def test_a_secret_is_gone_from_every_part(toy: Sanitizer, number: int) -> None:
    name, content, kind = PARTS[number]
    given = document(para("x"), {name: content}, override(name, kind), RELATION % ("x", "/" + name))
    made = sanitized(given, toy)
    assert "vudine" not in everything(made)
    assert sanitized(made, toy) == made


@pytest.mark.parametrize(
    "target",
    [f"https://example.org/{S}", f"mailto:x@example.org?subject={S}", f"file:///C:/{S}.docx", "https://example.org/%7Aidovudine"],
)
def test_a_secret_is_gone_from_links(toy: Sanitizer, target: str) -> None:
    link = f'<Relationship Id="r9" Type="{OFFICE}/officeDocument/2006/relationships/hyperlink" Target="{target}" TargetMode="External"/>'
    made = sanitized(document(f"<w:p><w:hyperlink r:id='r9'>{run('x')}</w:hyperlink></w:p>", relations=link), toy)
    assert "vudine" not in everything(made)
    assert sanitized(made, toy) == made


def test_the_template_a_document_was_made_from_is_not_told(toy: Sanitizer) -> None:
    relations = f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument/2006/relationships/attachedTemplate" Target="file:///C:/Users/jo.example/Normal.dotm" TargetMode="External"/></Relationships>'
    settings = part("settings", "<w:attachedTemplate r:id='r1'/>")
    made = sanitized(
        document(
            para("x"),
            {"word/settings.xml": settings, "word/_rels/settings.xml.rels": relations},
            override("word/settings.xml", KIND + "settings+xml"),
        ),
        toy,
    )
    assert "jo.example" not in everything(made)


def test_the_rest_of_a_run_keeps_its_formatting(toy: Sanitizer) -> None:
    bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>vudine daily</w:t></w:r>"
    made = sanitized(document(f"<w:p>{run('He takes zido')}{bold}</w:p>"), toy)
    assert "He takes " in body(made)
    assert "zido" not in body(made)
    assert '<w:b/></w:rPr><w:t xml:space="preserve"> daily</w:t>' in body(made)


def test_a_document_is_read_as_it_is_seen() -> None:
    cells = f"<w:tbl><w:tr><w:tc>{para('a')}</w:tc><w:tc>{para('b')}{para('c')}</w:tc></w:tr></w:tbl>"
    lines = "<w:p><w:r><w:t>d</w:t><w:br/><w:t>e</w:t><w:tab/><w:t>f</w:t><w:noBreakHyphen/><w:t>g</w:t></w:r></w:p>"
    assert text(document(cells + lines)) == "a\nb\n\nc\n\nd\ne f-g"


def test_a_link_that_leads_nowhere_keeps_its_words(toy: Sanitizer) -> None:
    made = sanitized(
        document(f"<w:p><w:hyperlink r:id='r9'>{run('a rose')}</w:hyperlink></w:p>", relations=RELATION % ("hyperlink", "#top")),
        toy,
    )
    assert "a rose" in body(made)


@pytest.mark.parametrize("inside", [f"<x:{S}/>", f"<x:y {S}='1'/>", f"<q xmlns='urn:{S}'/>"])
def test_names_that_tell_a_secret_are_never_given_out(toy: Sanitizer, inside: str) -> None:
    with pytest.raises(NotSafe):
        sanitized(document(inside), toy)


PICTURE = (
    "<w:p>"
    + run("a")
    + "<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed='r9'/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
)


def test_pictures_stop_the_release_or_are_kept_or_removed(toy: Sanitizer) -> None:
    given = document(PICTURE, {"word/media/image1.png": PNG}, relations=RELATION % ("image", "media/image1.png"))
    with pytest.raises(FileError):
        sanitized(given, toy, Rules())
    assert unpacked(sanitized(given, toy, KEEP))["word/media/image1.png"] == PNG
    made = sanitized(given, toy)
    assert "word/media/image1.png" not in unpacked(made)
    assert "drawing>" not in body(made)
    assert "r9" not in everything(made)


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "text": b"no document at all",
    "old or locked": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
    "cut short": example()[:9000],
    "another packed file": packed({"a.txt": b"a"}),
    "a spreadsheet": packed(
        {
            "[Content_Types].xml": b'<Types xmlns="x"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
            "xl/workbook.xml": b"<a/>",
        }
    ),
    "not well formed": document("<w:p>"),
    "a document type": document().replace(b"x", b"x")
    and packed({**unpacked(document()), "word/document.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}),
    "many laughs": packed(
        {
            **unpacked(document()),
            "word/document.xml": b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;&c;&c;</a>',
        }
    ),
    "a path upwards": packed({**unpacked(document()), "../evil.xml": b"<a/>"}),
    "an absolute path": packed({**unpacked(document()), "/evil.xml": b"<a/>"}),
    "macros": document(
        more={"word/vbaProject.bin": b"x"}, kinds=override("word/vbaProject.bin", "application/vnd.ms-office.vbaProject")
    ),
    "an unknown part": document(more={"word/evil.xyz": b"x"}),
    "another document inside": document(more={"word/part.xml": "<a/>"}, relations=RELATION % ("aFChunk", "part.xml")),
    "an object": document(more={"word/embeddings/oleObject1.bin": b"x"}),
    "deep": document("<w:p>" * 5_000 + "</w:p>" * 5_000),
    "many parts": packed({f"a{number}": b"" for number in range(6_000)}),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_read_whole_is_refused_in_one_sentence(kind: str) -> None:
    with pytest.raises(FileError) as error:
        read_word(BROKEN[kind], "letter.docx", Rules())
    assert str(error.value).startswith("letter.docx: ")
    assert "\n" not in str(error.value)


def test_a_file_that_unfolds_to_far_more_is_refused_quickly() -> None:
    bomb = document(more={"word/a.xml": b" " * 140_000_000})
    assert len(bomb) < 1_000_000
    begun = time.process_time()
    with pytest.raises(FileError):
        read_word(bomb, "letter.docx", Rules())
    assert time.process_time() - begun < 20


def test_a_size_that_is_not_told_truly_is_found_out() -> None:
    content = bytearray(document(para("x" * 50_000)))
    at = content.rfind(struct.pack("<I", zlib.crc32(unpacked(bytes(content))["word/document.xml"])))
    content[at : at + 4] = b"abcd"
    with pytest.raises(FileError):
        read_word(bytes(content), "letter.docx", Rules())


def test_any_byte_may_be_wrong(toy: Sanitizer) -> None:
    content = document(para("roses are red"))
    for at in range(0, len(content), 7):
        wrong = bytearray(content)
        wrong[at] ^= 0x55
        try:
            read_word(bytes(wrong), "letter.docx", REMOVE)
        except FileError:
            continue


def test_a_long_document_is_read_in_linear_time() -> None:
    begun = time.process_time()
    assert len(text(document(para("roses ", "are ", "red") * 30_000))) > 300_000
    assert time.process_time() - begun < 20
