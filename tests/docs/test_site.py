"""The documentation as a site: it builds without a warning, and a page of it asks for nothing but its own files."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

import kgsan
from tests.docs.pages import DOCS, REPO

if TYPE_CHECKING:
    from pathlib import Path

#: What a browser fetches by itself, as opposed to where a reader may go.
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data", "form": "action"}
ELSEWHERE = re.compile(r"\s*(?:[a-z]+:)?//", re.IGNORECASE)
IN_A_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//", re.IGNORECASE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    told = ["--quiet", "--fail-on-warning", "--keep-going", "-d", str(folder / "doctrees"), str(DOCS), str(folder / "site")]
    built = subprocess.run([sys.executable, "-m", "sphinx", *told], cwd=REPO, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder / "site"


class Fetches(HTMLParser):
    """What a page has fetched as soon as it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if (address := told.get(FETCHED.get(tag, ""))) is not None:
            self.found.append(address)
        self.found += [part.split()[0] for part in (told.get("srcset") or "").split(",") if part.strip()]


def test_every_page_becomes_a_page_of_the_site(site: Path) -> None:
    assert {page.stem for page in DOCS.glob("*.md")} <= {page.stem for page in site.glob("*.html")}


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = list(site.glob("*.html"))
    assert pages
    for page in pages:
        fetches = Fetches()
        fetches.feed(page.read_text("utf-8"))
        assert len(fetches.found) > 3, page.name
        assert [one for one in fetches.found if ELSEWHERE.match(one)] == [], page.name
        assert IN_A_STYLE.search(page.read_text("utf-8")) is None, page.name
    for style in site.rglob("*.css"):
        assert IN_A_STYLE.search(style.read_text("utf-8")) is None, style.name


def test_every_public_name_and_method_has_its_place_in_the_reference(site: Path) -> None:
    page = (site / "api.html").read_text("utf-8")
    for name in kgsan.__all__:
        assert f'id="kgsan.{name}"' in page, name
    for method in ("Sanitizer.sanitize", "Sanitizer.sanitize_many", "Sanitizer.verify", "Ontology.find", "Policy.digest"):
        assert f'id="kgsan.{method}"' in page, method


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_shows_the_pages_without_the_network(site: Path, browser: Any, scheme: str, width: int) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for name in ("index", "cli", "api", "sanitizing"):
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_load_state("networkidle")
        is_wider = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")
        assert not is_wider, f"{name} must be scrolled sideways at {width}"
    context.close()
    assert asked
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
    assert wrong == []
