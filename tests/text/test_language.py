"""Which paragraphs are in a language that the reader does not know."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from kgsan.errors import KgsanError
from kgsan.policy.read import load_policy
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.text.language import ENGLISH, foreign_paragraphs, language_of
from tests.conftest import within
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

REPO = Path(__file__).parents[2]
TABLE = yaml.safe_load((REPO / "tests" / "data" / "languages.yaml").read_text("utf-8"))
GERMAN = "Der Patient ist seit zwei Jahren bei uns und hat keine Schmerzen mehr, aber er schläft nicht."


@pytest.mark.parametrize("language", TABLE["foreign"])
def test_a_paragraph_in_another_language_is_foreign(language: str) -> None:
    told = [language_of(one) for one in TABLE["foreign"][language]]
    assert ENGLISH not in told
    assert told.count(None) <= 1  # a short sentence may hold too few small words to tell


def test_hardly_any_is_missed() -> None:
    missed = [language_of(one) for rows in TABLE["foreign"].values() for one in rows].count(None)
    assert missed <= 1


@pytest.mark.parametrize("sort", TABLE["not_foreign"])
def test_what_is_no_prose_of_another_language_is_not(sort: str) -> None:
    assert [one for one in TABLE["not_foreign"][sort] if language_of(one) not in (None, ENGLISH)] == []


@pytest.mark.parametrize("text", ["", "Gut.", "Der Patient schläft nicht.", "Да", "日本", "1 2 3 4 5 6 7 8 9 10 11 12 13 14"])
def test_what_is_too_short_is_not_judged(text: str) -> None:
    assert language_of(text) is None


def test_the_common_languages_are_called_by_their_name() -> None:
    named = (
        "Spanish",
        "Portuguese",
        "French",
        "German",
        "Dutch",
        "Italian",
        "Swedish",
        "Polish",
        "Turkish",
        "Hungarian",
        "Japanese",
        "Korean",
    )
    assert {name: {language_of(one) for one in TABLE["foreign"][name]} - {None} for name in named} == {
        name: {name} for name in named
    }


def test_only_the_foreign_paragraph_is_meant() -> None:
    text = f"{NOTE}\n\n{GERMAN}\n\n{NOTE}"
    assert [text[one.start : one.end] for one in foreign_paragraphs(text)] == [GERMAN]


def _examples() -> Iterator[str]:
    for path in (REPO / "policies").glob("*.yaml"):
        yield from (example.text for example in load_policy(path).examples)
    for path in (*(REPO / "examples").rglob("*.txt"), *(REPO / "docs").glob("*.md"), *REPO.glob("*.md")):
        yield path.read_text("utf-8")


def test_nothing_that_ships_is_taken_for_another_language() -> None:
    assert [one.language for text in _examples() for one in foreign_paragraphs(text)] == []


@pytest.fixture(scope="module")
def sanitizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sanitizer]:
    made = {}
    for choice in ("stop", "redact", "keep"):
        made[choice] = Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp(choice), other_languages=choice)))
    return made


def test_by_default_such_a_paragraph_stops_the_release(sanitizers: dict[str, Sanitizer]) -> None:
    for work in (sanitizers["stop"].sanitize, lambda text: list(sanitizers["stop"].sanitize_many([NOTE, text]))):
        with pytest.raises(NotSafe) as caught:
            work(f"{NOTE}\n{GERMAN}\n")
        assert caught.value.problems[0].code == "S104"
        assert "in line 3 seems to be in German" in str(caught.value)
        assert "Schmerzen" not in str(caught.value)
    assert [one.entity for one in sanitizers["stop"].verify(GERMAN)] == ["other language"]


def test_a_policy_may_have_it_blacked_out(sanitizers: dict[str, Sanitizer]) -> None:
    made = sanitizers["redact"].sanitize(f"He rests.\n\n{GERMAN}\n\nHe rests.\n").text
    assert made == "He rests.\n\n[REDACTED]\n\nHe rests.\n"
    assert sanitizers["redact"].verify(made) == []
    assert [one.entity for one in sanitizers["redact"].verify(GERMAN)] == ["other language"]


def test_a_policy_may_have_it_kept(sanitizers: dict[str, Sanitizer]) -> None:
    assert sanitizers["keep"].sanitize(GERMAN).text == GERMAN
    assert sanitizers["keep"].verify(GERMAN) == []


def test_a_published_method_stops_too(tmp_path: Path) -> None:
    published = Sanitizer(load_policy(write_policy(tmp_path, method="csan", other_languages="redact")))
    with pytest.raises(NotSafe, match="S104"):
        published.sanitize(GERMAN)


def test_a_wrong_word_is_told_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(KgsanError, match="P105"):
        load_policy(write_policy(tmp_path, other_languages="translate"))


@pytest.mark.parametrize(
    "text", ["a" * 2_000_000, "der " * 500_000, "я" * 2_000_000, "a-" * 1_000_000, "\n\n" * 1_000_000, "'" * 2_000_000]
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    assert within(5, lambda: list(foreign_paragraphs(text)))
