"""The report page in a real browser: at every width, in light and dark, by keyboard, on paper, and for those who listen."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.policy.read import load_policy
from kgsan.report.certificate import certificate
from kgsan.report.drawing.neighborhood import neighborhood
from kgsan.report.drawing.picture import picture
from kgsan.report.page.page import Reported, page
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgsan.ontology.ontology import Ontology

LETTER = (
    "Mr. Alder has AIDS since 3/4/2021 and takes zidovudine.\n\nHe was well until the spring, walked every day and read. " * 4
    + "<script>document.title = 'broken'</script>\n\n"
    + f"{'x' * 300}\n\nשלום, he has AIDS.\n"
)
WIDTHS = (360, 390, 800, 1280, 1600)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind: released or private, for one text or many."""
    folder = tmp_path_factory.mktemp("pages")
    sanitizer = Sanitizer(load_policy(write_policy(folder, strictness="2")))
    documents = []
    for number, text in enumerate((LETTER, NOTE, "He wears hearing aids.\n"), 1):
        result = sanitizer.sanitize(text)
        documents.append(Reported(f"note{number}.txt", text, result, certificate(sanitizer, result.text)))
    made = {}
    for name, count, reveal in (("released", 1, False), ("private", 1, True), ("many", 3, False), ("many-private", 3, True)):
        made[name] = folder / f"{name}.html"
        made[name].write_bytes(page(sanitizer.policy, documents[:count], reveal=reveal))
    return made


@contextmanager
def opened(browser: Any, path: Path, width: int = 1280, scheme: str = "light") -> Iterator[Any]:
    """The page in a window, and that it asked for nothing, complained of nothing and ran nothing."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    try:
        shown = context.new_page()
        asked: list[str] = []
        said: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        shown.on("console", lambda message: said.append(message.text))
        shown.goto(path.as_uri())
        yield shown
        assert [url for url in asked if url.partition("#")[0] != path.as_uri()] == []
        assert said == []
    finally:
        context.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", ["released", "private", "many-private"])
def test_nothing_sticks_out_at_any_width(browser: Any, pages: dict[str, Path], kind: str, width: int) -> None:
    with opened(browser, pages[kind], width) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.title().startswith("Sanitized under toy")


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (800, 2), (1280, 2)])
def test_before_and_after_stand_side_by_side_where_there_is_space(
    browser: Any, pages: dict[str, Path], width: int, columns: int
) -> None:
    with opened(browser, pages["private"], width) as shown:
        before = shown.locator(".row > .before:not(.head)").first.bounding_box()
        after = shown.locator(".row > .after:not(.head)").first.bounding_box()
        assert (before["y"] == after["y"]) == (columns == 2)
        assert (before["x"] < after["x"]) == (columns == 2)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_change_tells_why_under_the_pointer_and_under_the_keyboard(browser: Any, pages: dict[str, Path], width: int) -> None:
    with opened(browser, pages["private"], width) as shown:
        change, tip = shown.locator("a.change").first, shown.locator(".tip").first
        assert not tip.is_visible()
        change.hover()
        assert tip.is_visible()
        shown.mouse.move(0, 0)
        assert not tip.is_visible()
        for _ in range(30):
            shown.keyboard.press("Tab")
            if change.evaluate("one => one === document.activeElement"):
                break
        assert tip.is_visible()
        assert "was blacked out (rule: naming)" in tip.inner_text()
        where = tip.bounding_box()
        assert where["x"] >= 0
        assert where["x"] + where["width"] <= width
        assert change.evaluate("one => getComputedStyle(one).outlineStyle") != "none"


def test_a_click_leads_to_the_card_and_its_place_leads_back(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["private"]) as shown:
        shown.locator("a.change").first.click()
        assert shown.locator(".card:target").count() == 1
        shown.locator(".card:target .places a").first.click()
        assert shown.locator("a.change:target").count() == 1


def test_the_first_stop_of_the_keyboard_skips_to_the_text(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["many-private"]) as shown:
        shown.keyboard.press("Tab")
        assert shown.evaluate("document.activeElement.getAttribute('href')") == "#d1"


def test_the_reader_chooses_light_or_dark(browser: Any, pages: dict[str, Path]) -> None:
    colors = []
    for scheme in ("light", "dark"):
        with opened(browser, pages["private"], scheme=scheme) as shown:
            colors.append(shown.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colors == ["rgb(255, 255, 255)", "rgb(21, 23, 27)"]


def test_no_other_style_is_let_in(browser: Any, pages: dict[str, Path]) -> None:
    add = """() => { const one = document.createElement('style'); one.textContent = 'body { color: red !important }';
      document.head.append(one); return getComputedStyle(document.body).color }"""
    context = browser.new_context()
    try:
        shown = context.new_page()
        shown.goto(pages["private"].as_uri())
        assert shown.evaluate(add) == "rgb(27, 30, 36)"
    finally:
        context.close()


def test_on_paper_everything_is_unfolded_and_no_tip_covers_it(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["many-private"], scheme="dark") as shown:
        shown.emulate_media(media="print")
        assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(27, 30, 36)"
        assert shown.locator(".tip:visible").count() == 0
        assert shown.locator("details:not([open])").count() == 0
        assert shown.locator(".card:visible").count() == shown.locator(".card").count()
        clipped = "() => [...document.querySelectorAll('main *')].filter(one => one.offsetHeight && getComputedStyle(one).overflowY === 'auto').length"
        assert shown.evaluate(clipped) == 0
        assert shown.pdf().startswith(b"%PDF-")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("kind", ["released", "private", "many", "many-private"])
def test_an_automated_check_of_accessibility_finds_nothing(
    browser: Any, pages: dict[str, Path], kind: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-core is not installed (pip install axe-playwright-python)"
    )
    with opened(browser, pages[kind], width, scheme) as shown:
        found = axe.Axe().run(shown).response["violations"]
        assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found] == []


def test_the_texts_of_a_drawing_fit_their_frames(browser: Any, golden: Ontology, tmp_path: Path) -> None:
    path = tmp_path / "drawing.html"
    drawn = picture(neighborhood(golden, golden.find("HIV infection")[0])).decode()
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>x</title><body>{drawn}")
    script = """() => { const boxes = [...document.querySelectorAll('text')].map(one => one.getBBox());
      const over = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => over(a, b))).length }"""
    with opened(browser, path) as shown:
        assert shown.locator("text").count() > 8
        assert shown.evaluate(script) == 0
