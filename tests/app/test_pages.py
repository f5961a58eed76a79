"""What the pages show, and what their forms do."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.app.test_gate import Page
from tests.app.world import AIDS, RELEASED, TEXT, ZIDOVUDINE, desk_on, place

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.app.desk import Desk
    from kgsan.sanitize.sanitizer import Sanitizer

AT = f"{AIDS[0]}-{AIDS[1]}"
VOID = {"meta", "link", "input"}


class Reader(HTMLParser):
    """A page as a browser reads it: its elements, and whether they are closed in order."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.faults: list[str] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


@pytest.fixture
def page(desk: Desk) -> Page:
    return Page(desk)


def test_the_queue_tells_how_far_each_document_is(page: Page) -> None:
    assert "waiting" in page.client.get("/").text
    page.client.get("/document/1")
    assert "0 of 4 decided" in page.client.get("/").text
    page.post("/document/1/decide", {"do": "rest"})
    page.client.get("/document/1")
    assert "ready" in page.client.get("/").text


def test_a_page_is_well_formed_and_every_field_has_a_label(page: Page) -> None:
    for path in ("/", "/document/1", "/document/1/preview?strictness=2"):
        read = Reader(page.client.get(path).text)
        assert (read.faults, read.open) == ([], [])
        labelled = {given["for"] for tag, given in read.elements if tag == "label" and "for" in given}
        for tag, given in read.elements:
            if tag == "input" and given.get("type") == "text":
                assert given["id"] in labelled
        ids = [given["id"] for _, given in read.elements if "id" in given]
        assert len(ids) == len(set(ids))


def test_no_page_holds_a_script_or_a_style_of_its_own(page: Page) -> None:
    read = Reader(page.client.get("/document/1").text)
    assert not [
        tag for tag, given in read.elements if tag == "style" or "style" in given or any(key.startswith("on") for key in given)
    ]
    assert [given for tag, given in read.elements if tag == "script"] == [{"src": "/static/review.js", "defer": ""}]


def test_a_change_tells_why_and_what_else_may_stand_there(page: Page) -> None:
    told = page.client.get(f"/document/1?at={AT}").text
    assert "It names AIDS, which is protected as &#39;HIV&#39;" in told
    assert "Toy Act § 1" in told
    for rung in ("infection", "disease", "viral infection"):
        assert rung in told
    assert 'value="generalize:toy-ontology:disease"' in told
    assert 'value="generalize:toy-ontology:viral-infection"' not in told


def test_markup_in_a_document_stays_text(sanitizer: Sanitizer, tmp_path: Path) -> None:
    desk = desk_on(sanitizer, tmp_path, "<script>alert(1)</script> \"'&amp; He takes zidovudine\x00\r\n\u202e🙂.")
    content = Page(desk).client.get("/document/1").text
    assert "<script>alert" not in content
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in content
    read = Reader(content)
    assert read.faults == []
    desk.close()


@pytest.mark.parametrize("text", [TEXT, "One\r\ntwo zidovudine 🙂\x00 three\n\r\nfour\ttabs \u202eturned.\n"])
def test_every_letter_knows_its_place(sanitizer: Sanitizer, tmp_path: Path, text: str) -> None:
    desk = desk_on(sanitizer, tmp_path, text)
    content = Page(desk).client.get("/document/1").text
    body = content[content.index('id="text"') : content.index('id="selection"')]
    for at, length, shown in re.findall(r'<span data-at="(\d+)"(?: data-length="(\d+)")?>([^<]*)</span>', body):
        if not length:
            plain = (
                shown.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&quot;", '"').replace("&amp;", "&")
            )
            assert text[int(at) : int(at) + len(plain)] == plain
    desk.close()


# --- forms ------------------------------------------------------------------------------------------------------------------


def test_a_form_ends_on_the_page_of_the_document(page: Page, desk: Desk) -> None:
    answer = page.post("/document/1/decide", {"do": "redact", "at": AT})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/document/1?done=redact&at={AT}")
    assert "[REDACTED] and fatigue" in desk.view(1).draft.text
    assert "Blacked out." in page.client.get(answer.headers["location"]).text


def test_what_is_refused_is_told_on_the_page(page: Page) -> None:
    answer = page.post("/document/1/decide", {"do": "generalize:toy-ontology:viral-infection", "at": AT})
    assert answer.status_code == 409
    assert "This replacement is refused: it reveals too much of HIV." in answer.text
    assert page.post("/document/1/decide", {"do": "keep", "at": AT, "reason": ""}).status_code == 422
    assert page.post("/document/1/decide", {"do": "dance", "at": AT}).status_code == 404
    assert page.post("/document/1/decide", {"do": "accept", "at": "9-3"}).status_code == 404
    assert page.post("/document/9/decide", {"do": "accept", "at": AT}).status_code == 404


def test_a_whole_review_from_the_first_page_to_the_release(page: Page, tmp_path: Path) -> None:
    zidovudine = f"{ZIDOVUDINE[0]}-{ZIDOVUDINE[1]}"
    page.post("/document/1/decide", {"do": "generalize:toy-ontology:drug", "at": zidovudine, "everywhere": "yes"})
    page.post("/document/1/decide", {"do": "keep", "at": AT, "reason": "Agreed in writing."})
    page.post("/document/1/hide", {"do": "words", "words": "ibuprofen"})
    page.post("/document/1/policy", {"do": "policy", "at": zidovudine, "kind": "deny", "reason": "It gives a topic away."})
    page.post("/document/1/decide", {"do": "rest"})
    answer = page.post("/document/1/release", {"do": "release"})
    assert answer.headers["location"] == "/document/1?done=release"
    released = (tmp_path / "review/released/note-1.txt").read_text()
    assert released == "He takes a drug. A drug helps against AIDS and fatigue. She takes a painkiller since [REDACTED].\n"
    assert (tmp_path / "review/policy/note-1.txt.yaml").is_file()
    assert "released" in page.client.get("/").text


def test_a_second_release_asks_before_it_is_done(page: Page) -> None:
    page.post("/document/1/decide", {"do": "rest"})
    page.post("/document/1/release", {})
    page.post("/document/1/decide", {"do": "redact", "at": AT})
    assert "was released before" in page.client.get("/document/1").text
    assert page.post("/document/1/release", {}).status_code == 409
    assert page.post("/document/1/release", {"confirm": "yes"}).status_code == 303


def test_what_still_discloses_is_shown_with_a_way_out(
    sanitizer: Sanitizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsan.app.drafting._parted", lambda found, hidden, waived, of: (tuple(of.verify(TEXT)[:1]), ()))
    desk = desk_on(sanitizer, tmp_path)
    told = Page(desk).client.get("/document/1").text
    assert "Still discloses" in told
    assert "It cannot be released like this" in told
    desk.close()


def test_a_preview_shows_another_text_and_takes_nothing(page: Page, desk: Desk) -> None:
    told = page.client.get("/document/1/preview?strictness=2").text
    assert "With strictness 2: 4 changes" in told
    assert desk.view(1).draft.text == RELEASED
    assert page.client.get("/document/1/preview?strictness=banana").status_code == 404


def test_selected_words_are_hidden_by_their_place(page: Page, desk: Desk) -> None:
    start, end = place("fatigue")
    assert page.post("/document/1/hide", {"do": "hide", "at": f"{start}-{end}"}).status_code == 303
    assert "fatigue" not in desk.view(1).draft.text


def test_many_changes_are_listed_a_part_at_a_time(sanitizer: Sanitizer, tmp_path: Path) -> None:
    desk = desk_on(sanitizer, tmp_path, "He takes zidovudine today.\n" * 300)
    told = Page(desk).client.get("/document/1").text
    assert "Changes 1 to 200 of 300" in told
    assert told.count('class="item ') == 200
    desk.close()
