"""A shipped policy cleans files of every kind of document."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from kgsan.formats.documents import sanitize_file, text_of
from kgsan.formats.html import read_html
from kgsan.formats.mail import read_mail
from kgsan.formats.markdown import read_markdown
from kgsan.formats.word import read_word
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer

docx = pytest.importorskip("docx")
KEPT = "She has a dog and two cats."


@pytest.fixture(scope="module")
def shipped() -> Sanitizer:
    return Sanitizer(load_policy(Path(__file__).parents[2] / "policies" / "us-hiv.yaml"))


def letter() -> bytes:
    made = docx.Document()
    paragraph = made.add_paragraph("The patient is H")
    paragraph.add_run("IV").bold = True
    paragraph.add_run(" positive. " + KEPT)
    made.add_table(1, 2).rows[0].cells[1].text = "AIDS clinic"
    made.core_properties.title = "HIV"
    held = io.BytesIO()
    made.save(held)
    with zipfile.ZipFile(held) as packed:  # without its thumbnail, a picture
        parts = {name: packed.read(name) for name in packed.namelist() if "thumbnail" not in name}
    bare = io.BytesIO()
    with zipfile.ZipFile(bare, "w") as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return bare.getvalue()


def mail() -> bytes:
    made = EmailMessage()
    made["From"], made["Subject"] = "Jo Example <jo@example.org>", "AIDS clinic"
    made.set_content(f"The patient is HIV positive. {KEPT}\n")
    made.add_alternative(f"<p>The patient is H<b>IV</b> positive. {KEPT}</p>", subtype="html")
    made.add_attachment(letter(), maintype="application", subtype="x-word", filename="HIV.docx")
    return made.as_bytes()


FILES = {
    "page.html": (
        read_html,
        f"<title>HIV</title><p>The patient is <em>H</em>IV positive. {KEPT}<p title='AIDS clinic'>Roses.".encode(),
    ),
    "page.md": (read_markdown, f"---\ntitle: HIV\n---\n# AIDS clinic\n\nThe patient is **H**IV positive. {KEPT}\n".encode()),
    "letter.docx": (read_word, letter()),
    "a.eml": (read_mail, mail()),
}


@pytest.mark.parametrize("name", FILES)
def test_a_shipped_policy_cleans_it_and_leaves_the_rest(shipped: Sanitizer, name: str) -> None:
    read, content = FILES[name]
    made = sanitize_file(content, name, read, shipped)
    said = text_of(made.content, name, read)
    assert "HIV" not in said
    assert "AIDS" not in said
    assert KEPT in said
    assert "HIV" not in made.content.decode("latin-1")
    assert not shipped.verify(said)
