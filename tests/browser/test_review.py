"""The review page in a real browser: every decision by mouse and by key, at phone and desk width, light and dark."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from kgsan.app.audit import LOG, check_log
from tests.app.world import TEXT
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LETTER = f"🙂 Zoé <b>writes</b>:\r\n{TEXT}"


class Served:
    """A review that is served by the command itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "review"
        (folder / "letter.txt").write_text(LETTER, newline="")
        (folder / "other.txt").write_text("The clinic opens at nine.\n")
        command = [sys.executable, "-m", "kgsan.cli", "review", str(folder / "letter.txt"), str(folder / "other.txt")]
        command += ["--policy", str(write_policy(folder / "toy")), "--folder", str(self.folder), "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=30)
        finally:
            self.process.kill()

    def actions(self) -> list[str]:
        return [json.loads(line)["action"] for line in (self.folder / LOG).read_text().splitlines()]


@pytest.fixture
def served(browser: Any, tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.end()
    assert check_log(made.folder / LOG, None)[1:] == ([], True)


@contextmanager
def opened(browser: Any, served: Served, width: int = 1280, scheme: str = "light", *, script: bool = True) -> Iterator[Any]:
    """The first document in a window that asks nobody else for anything and complains of nothing."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script)
    try:
        page = context.new_page()
        page.set_default_timeout(30_000)  # other tests may be at work
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(served.address)
        page.click("text=letter.txt")
        page.wait_for_selector("#strictness:enabled" if script else ".item")  # the script is at work
        yield page
        assert [url for url in asked if not url.startswith(served.address.partition("?")[0])] == []
        # That the server refused something is what some tests are about.
        assert [one for one in said if "Failed to load resource" not in one] == []
    finally:
        context.close()


def result(page: Any) -> str:
    """The text as it would be released."""
    page.check('[name="shown"][value="after"]')
    assert not page.is_visible("#text del")
    return str(
        page.evaluate(
            """() => {
                const text = document.querySelector("#text").cloneNode(true);
                text.querySelectorAll("del, .unseen, .tag").forEach(part => part.remove());
                return text.textContent;
            }"""
        )
    )


def state(page: Any, number: int) -> str:
    return str(page.get_attribute(f"#change-{number}", "data-state"))


def test_a_document_is_reviewed_by_clicks_and_released(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.click("#change-1 button:has-text('Accept')")
        page.wait_for_selector("#change-1[data-state=accepted]")
        assert state(page, 2) == "accepted"  # it reads the same
        assert page.get_attribute("#change-3", "open") is not None
        page.click("#change-3 summary:has-text('Keep, with a reason')")
        page.fill("#keep-3", "Agreed in writing.")
        page.click("#change-3 button:has-text('Keep')")
        page.wait_for_selector("#change-3[data-state=kept]")
        page.click("#change-4 button:has-text('Black out')")
        page.wait_for_selector("#change-4[data-state='blacked out']")
        assert "Waived" in page.inner_text("#main")
        page.click("button:has-text('Verify and release')")
        page.wait_for_selector("text=Released: the text was verified and written.")
    released = (served.folder / "released" / "letter.txt").read_bytes().decode()
    assert released.startswith("🙂 Zoé <b>writes</b>:\r\nHe takes an antiviral drug. An antiviral drug helps against AIDS")
    proof = json.loads((served.folder / "released" / "letter.txt.certificate.json").read_text())
    assert proof["waivers"]["allow"] == [{"term": "AIDS", "because": "Agreed in writing."}]
    assert served.actions() == [
        "started", "opened", "opened", "accept", "accept", "keep", "redact", "release", "released",
    ]  # fmt: skip


def test_the_whole_review_goes_by_keys(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.keyboard.press("g")
        page.wait_for_selector("#change-2[data-state=changed]")
        page.keyboard.press("r")
        page.wait_for_selector("#change-3[data-state='blacked out']")
        page.keyboard.press("k")
        page.keyboard.press("u")
        page.wait_for_selector("#change-3[data-state=open]")
        page.keyboard.press("w")
        page.keyboard.type("Agreed in writing.")  # its letters are no keys now
        page.keyboard.press("Enter")
        page.wait_for_selector("#change-3[data-state=kept]")
        page.keyboard.press("a")
        page.wait_for_selector("#change-4[data-state=accepted]")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.closest('.item').id") == "change-1"
        assert "He takes a drug. A drug helps against AIDS" in result(page)


def test_keys_can_be_switched_off(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.uncheck("#keys")
        page.click("h1")
        page.keyboard.press("a")
        page.wait_for_timeout(300)
    assert "accept" not in served.actions()


def test_an_unsafe_reason_is_refused_on_the_page(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.click("#change-3 > summary")
        page.click("#change-3 summary:has-text('Keep, with a reason')")
        page.fill("#keep-3", "He has AIDS.")
        page.click("#change-3 button:has-text('Keep')")
        page.wait_for_selector("[role=alert]:has-text('tells words that the document hides')")
    assert "keep" not in served.actions()


@pytest.mark.parametrize("words", ["fatigue", "writes", "Zoé"])
def test_selected_words_are_hidden(browser: Any, served: Served, words: str) -> None:
    with opened(browser, served) as page:
        page.evaluate(
            """words => {
                const walk = document.createTreeWalker(document.querySelector("#text"), NodeFilter.SHOW_TEXT);
                while (walk.nextNode()) {
                    const at = walk.currentNode.textContent.indexOf(words);
                    if (at < 0) continue;
                    document.getSelection().setBaseAndExtent(walk.currentNode, at, walk.currentNode, at + words.length);
                    return;
                }
            }""",
            words,
        )
        page.wait_for_selector("#selection:not([hidden])")
        assert page.input_value("#selection [name=at]") == f"{LETTER.index(words)}-{LETTER.index(words) + len(words)}"
        page.keyboard.press("h")
        page.wait_for_selector("text=Hidden as well.")
        assert words not in result(page)


def test_typed_words_are_hidden(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.fill("#words", "ibuprofen")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Hidden as well.")
        assert "She takes a painkiller since" in result(page)


def test_the_slider_shows_another_text_that_is_taken_only_when_asked(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.focus("#strictness")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#preview:has-text('With strictness 2:')")
        assert "a drug" in page.inner_text("#preview")
        assert "antiviral drug" in result(page)
        assert not page.is_visible("#strictness-reason")
        page.click("text=Take this strictness")
        page.wait_for_selector("text=The other strictness was taken.")
        assert "antiviral drug" not in result(page)


def test_less_strict_asks_for_a_reason(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.focus("#strictness")
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector("#preview:has-text('With strictness 1.25:')")
        assert page.is_visible("#strictness-reason")


def test_a_line_for_the_policy_is_written(browser: Any, served: Served) -> None:
    with opened(browser, served) as page:
        page.click("#change-1 summary:has-text('Add to policy')")
        page.fill("#policy-1", "It gives a topic away.")
        page.click("#change-1 button:has-text('Write the line')")
        page.wait_for_selector("text=A line for the policy was written")
    assert 'term: "zidovudine"' in (served.folder / "policy" / "letter.txt.yaml").read_text()


def test_a_review_goes_on_after_the_server_was_killed(browser: Any, served: Served, tmp_path: Path) -> None:
    with opened(browser, served) as page:
        page.click("#change-4 > summary")
        page.click("#change-4 button:has-text('Accept')")
        page.wait_for_selector("#change-4[data-state=accepted]")
        served.process.kill()
        served.process.communicate()
        page.click("#change-1 button:has-text('Accept')")
        page.wait_for_selector("[role=alert]:has-text('Start it again')")
    again = Served(tmp_path)
    with opened(browser, again) as page:
        assert state(page, 4) == "accepted"
    again.end()
    served.process = again.process


def test_everything_works_without_a_script(browser: Any, served: Served) -> None:
    with opened(browser, served, script=False) as page:
        page.click("#change-1 button:has-text('Accept')")
        page.wait_for_selector("#change-1[data-state=accepted]")
        page.click("button:has-text('Accept the 2')")
        page.wait_for_selector("text=Everything else was accepted.")
        page.click("button:has-text('Verify and release')")
        page.wait_for_selector("text=Released: the text was verified and written.")
    assert (served.folder / "released" / "letter.txt").is_file()


def test_another_page_cannot_reach_the_review(browser: Any, served: Served) -> None:
    """A page of another origin, in the same browser, with the cookie in its jar."""
    with opened(browser, served) as page:
        address = page.url
        other = page.context.new_page()
        other.set_content(
            f'<form method="post" action="{address}/decide"><input name="do" value="rest"><button>x</button></form>'
        )
        assert other.evaluate(f"fetch('{address}').then(() => 'read', () => 'refused')") == "refused"
        other.click("button")
        other.wait_for_load_state()
        assert "another" in other.content()
        other.close()
    assert "accept" not in served.actions()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_is_accessible(browser: Any, served: Served, width: int, scheme: str, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with opened(browser, served, width, scheme) as page:
        page.click("#change-3 > summary")
        page.click("#change-3 summary:has-text('Keep, with a reason')")
        page.fill("#keep-3", "Agreed in writing.")
        page.click("#change-3 button:has-text('Keep')")
        page.wait_for_selector("#change-3[data-state=kept]")
        page.click("#change-1 > summary")
        page.click("#change-3 > summary")
        page.click("#change-3 .decide details > summary")
        page.focus("#strictness")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#preview:has-text('With strictness')")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=tmp_path / f"review-{width}-{scheme}.png", full_page=True)
        found = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in _violations(axe, page)]
        page.goto(served.address.partition("?")[0])
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=tmp_path / f"queue-{width}-{scheme}.png", full_page=True)
        found += [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in _violations(axe, page)]
    assert found == []


def _violations(axe: Any, page: Any) -> list[Any]:
    """What an automated check finds."""
    return list(axe.run(page).response["violations"])
