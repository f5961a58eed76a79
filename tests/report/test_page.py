"""The report page: what it shows, and to whom; that nothing of a text becomes markup; that it stands alone."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from kgsan.policy.read import load_policy
from kgsan.report.certificate import certificate
from kgsan.report.page.marks import blocks, marks
from kgsan.report.page.page import Reported, page
from kgsan.report.page.signs import ACTIONS, RULES
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.result import Action, SanitizedDocument
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wording import Rewritten
from tests.conftest import seconds, within
from tests.report.html import Page
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = (
    "<script>alert(1)</script> Mr. \"Alder\" & 'son' </div></section><!-- has AIDS --> \x00\x07\x1b[2J\x7f\x85\u202eevil\u202c\r\n"
    "<img src=x onerror=alert(1)> takes zidovudine]]>\r\nשלום עולם, AIDS\n&lt;b&gt; \ud800 \ufffe end"
)


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    """The toy policy, so strict that zidovudine may not even become an antiviral drug."""
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("strict"), strictness="2")))


@pytest.fixture(scope="module")
def style() -> str:
    return "".join(files("kgsan.report.page").joinpath(name).read_text("utf-8") for name in ("palette.css", "style.css"))


def reported(sanitizer: Sanitizer, text: str, name: str = "note.txt") -> Reported:
    result = sanitizer.sanitize(text)
    return Reported(name, text, result, certificate(sanitizer, result.text))


def made(sanitizer: Sanitizer, *texts: str, reveal: bool) -> bytes:
    documents = [reported(sanitizer, text, f"note{number}.txt") for number, text in enumerate(texts, 1)]
    return page(sanitizer.policy, documents, reveal=reveal)


# --- what it tells --------------------------------------------------------------------------------------------------------


def test_without_reveal_no_hidden_word_no_rule_and_no_rung_is_in_the_bytes(sanitizer: Sanitizer) -> None:
    content = made(sanitizer, NOTE, NOTE, reveal=False).decode()
    assert not [secret for secret in SECRETS if secret.lower() in content.lower()]
    body = content[content.index("<body") :]
    for told in ("antiviral", "viral infection", 'class="r-', "change r-", "gives away", "reveals", "bits", "kept"):
        assert told not in body
    assert "Private" not in body


def test_without_reveal_the_released_text_stands_there_with_its_changes_marked(sanitizer: Sanitizer) -> None:
    found = Page(made(sanitizer, NOTE, reveal=False))
    assert len(found.all("a", "change")) == len(marks(sanitizer.sanitize(NOTE)))
    assert "ibuprofen" in found.text
    assert all("a-" in str(one["class"]) for one in found.all("a", "change"))


def test_without_reveal_the_page_follows_from_the_released_text_alone(sanitizer: Sanitizer) -> None:
    line = "He has AIDS since {} and walks a little every day.\n"
    texts = [line.format(date) * 60 for date in ("3/4/2021", "December 13, 1999")]
    pages = [made(sanitizer, text, NOTE, reveal=False) for text in texts]
    assert pages[0].count(b'class="row"') > 5
    assert pages[0] == pages[1]


def test_without_reveal_a_single_text_is_not_called_by_its_file_name(sanitizer: Sanitizer) -> None:
    content = page(sanitizer.policy, [reported(sanitizer, NOTE, "alder-hiv.txt")], reveal=False)
    assert b"alder-hiv" not in content


def test_with_reveal_the_original_stands_beside_it_with_rule_ladder_share_and_law(sanitizer: Sanitizer) -> None:
    content = made(sanitizer, NOTE, reveal=True)
    found = Page(content)
    for told in (
        *SECRETS,
        "Toy Act § 1.",
        "antiviral drug",
        "reveals too much of HIV",
        "Private:",
        "limit 50 %",
        " % kept",
    ):
        assert told in found.text, told
    assert {"r-naming", "r-identifier", "r-inference"} <= {
        kind for one in found.all("a", "change") for kind in str(one["class"]).split()
    }
    assert found.all("li", "no")
    assert len(found.all("li", "yes")) == len(found.all("ol", "ladder"))


def test_the_sentence_why_is_tied_to_each_change(sanitizer: Sanitizer) -> None:
    content = made(sanitizer, NOTE, reveal=True).decode()
    for change in Page(content.encode()).all("a", "change"):
        said = re.search(rf'id="{change["aria-describedby"]}"[^>]*>(.*?)</span>', content)
        assert said is not None
        assert "(rule: " in said[1]


def test_changes_that_are_alike_share_a_card(sanitizer: Sanitizer) -> None:
    found = Page(made(sanitizer, "He has AIDS.\n\n" * 40, reveal=True))
    assert len(found.all("a", "change")) == 40
    assert len(found.all("li", "card")) == 1
    assert "40 places" in found.text


def test_a_group_names_its_other_words(tmp_path: Path) -> None:
    rows = "contexts\t1024\nHIV\t16\nfatigue\t64\nibuprofen\t64\ndrug\t256\nsymptom\t256\n"
    rows += "HIV\tfatigue\t8\nHIV\tibuprofen\t8\nfatigue\tibuprofen\t9\nHIV\tfatigue\tibuprofen\t8\n"
    path = write_policy(tmp_path)
    (tmp_path / "toy-counts.tsv").write_text(rows)
    sanitizer = Sanitizer(load_policy(path))
    text = "There was fatigue. Ibuprofen was given.\n"
    rules = [one.rule for decision in sanitizer.sanitize(text).decisions for one in decision.disclosures]
    assert Rule.GROUP in rules
    assert "The other words: fatigue." in Page(made(sanitizer, text, reveal=True)).text


def test_the_certificate_says_what_is_not_covered(sanitizer: Sanitizer) -> None:
    document = reported(sanitizer, NOTE)
    for reveal in (True, False):
        found = Page(page(sanitizer.policy, [document], reveal=reveal))
        assert all(sentence in found.text for sentence in document.certificate["not_checked"])
        assert document.certificate["text"]["sha256"] in found.text


def test_a_text_without_changes_and_an_empty_one_have_pages_too(sanitizer: Sanitizer) -> None:
    for text in ("He wears hearing aids.\n", "", "\n\n\n"):
        for reveal in (True, False):
            found = Page(made(sanitizer, text, reveal=reveal))
            assert not found.faults
            assert not found.all("a", "change")


# --- many texts -----------------------------------------------------------------------------------------------------------


def test_several_texts_have_an_index_that_leads_to_each(sanitizer: Sanitizer) -> None:
    found = Page(made(sanitizer, NOTE, "Nothing here.\n", NOTE, reveal=True))
    assert not found.faults
    assert {"#d1", "#d2", "#d3"} <= {str(one.get("href")) for one in found.all("a")}
    assert len(found.all("section", "document")) == 3
    assert len(found.all("table", "index")) == 1


# --- safe and valid -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reveal", [True, False])
def test_nothing_of_a_text_or_policy_becomes_markup(tmp_path: Path, reveal: bool) -> None:
    law = '"</title><script>alert(2)</script><b onclick=x>"'
    sanitizer = Sanitizer(load_policy(write_policy(tmp_path, law=law, protect=f"[{{entity: HIV, because: {law}}}]")))
    plain = Page(made(sanitizer, NOTE, reveal=reveal))
    document = reported(sanitizer, HOSTILE, "<b>'\"&.txt")
    found = Page(page(sanitizer.policy, [document, document], reveal=reveal))
    assert not found.faults
    assert {tag for tag, _ in found.tags} <= {tag for tag, _ in plain.tags} | {*"nav table caption thead tbody tr th td".split()}
    assert not [name for _, one in found.tags for name in one if name.startswith("on") or name == "src"]
    assert "<script>alert(1)</script>" in found.text
    assert "</title><script>alert(2)</script><b onclick=x>" in found.text


def test_signs_that_a_browser_would_swallow_or_obey_are_shown(sanitizer: Sanitizer) -> None:
    content = made(sanitizer, HOSTILE, reveal=True)
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", content)
    told = content.decode()
    assert "\u202e" not in told
    assert "⟨U+202E⟩" in told
    assert "⟨U+D800⟩" in told
    assert "␀" in told
    assert "שלום עולם" in told


@pytest.mark.parametrize("reveal", [True, False])
def test_the_page_is_valid_and_says_everything_in_words(sanitizer: Sanitizer, reveal: bool) -> None:
    found = Page(made(sanitizer, NOTE, NOTE, reveal=reveal))
    assert not found.faults
    tags = [tag for tag, _ in found.tags]
    assert [tags.count(one) for one in ("html", "main", "header", "footer", "h1", "title")] == [1] * 6
    assert next(one for tag, one in found.tags if tag == "html")["lang"] == "en"
    assert all(one.get("aria-label") and one.get("role") == "img" for one in found.all("svg"))
    assert found.headings[0] == 1
    assert all(later - before <= 1 for before, later in zip(found.headings, found.headings[1:], strict=False))
    assert all(one.get("scope") in ("col", "row") for one in found.all("th"))


@pytest.mark.parametrize("reveal", [True, False])
def test_nothing_is_loaded_and_nothing_runs(sanitizer: Sanitizer, style: str, reveal: bool) -> None:
    content = made(sanitizer, NOTE, reveal=reveal).decode()
    found = Page(content.encode())
    rule = next(str(one["content"]) for one in found.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert rule == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in found.tags}
    assert not [name for _, one in found.tags for name in one if name in ("src", "style", "srcset", "action")]
    assert all(str(one.get("href", "#")).startswith("#") for _, one in found.tags)
    assert not re.search(r"url\(|@import|http", style)
    assert "http:" not in content
    assert "https:" not in content


def test_the_same_texts_give_the_same_bytes(sanitizer: Sanitizer) -> None:
    assert made(sanitizer, NOTE, HOSTILE, reveal=True) == made(sanitizer, NOTE, HOSTILE, reveal=True)


# --- large ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [NOTE, HOSTILE, NOTE * 60, ("He has AIDS\n" * 7 + "\n") * 30, "\n" * 500 + NOTE + "\r\n" * 300])
def test_blocks_hold_the_whole_text_before_and_after(sanitizer: Sanitizer, text: str) -> None:
    result = sanitizer.sanitize(text)
    stretches = [one for block in blocks(result, marks(result)) for one in block]
    assert "".join(text[one.start : one.end] for one in stretches) == text
    assert "".join(result.text[one.new_start : one.new_end] for one in stretches) == result.text
    assert all(text[one.start : one.end] == result.text[one.new_start : one.new_end] for one in stretches if one.mark is None)


def test_five_thousand_decisions_take_linear_time(sanitizer: Sanitizer) -> None:
    def documents(count: int) -> list[Reported]:
        return [reported(sanitizer, "".join(f"Line {number}: he has AIDS.\n" for number in range(count)))]

    few, many = documents(500), documents(5000)
    assert len(many[0].result.decisions) == 5000
    for reveal in (True, False):
        short = seconds(lambda reveal=reveal: page(sanitizer.policy, few, reveal=reveal))
        assert within(25 * short + 0.05, lambda reveal=reveal: page(sanitizer.policy, many, reveal=reveal))


@pytest.mark.parametrize(
    ("unit", "size"), [("a", 10_000_000), ("\n", 2_000_000), ("<", 2_000_000), ("a\n\n", 2_000_000), ("\u202e", 500_000)]
)
def test_megabytes_of_anything_take_linear_time_and_space(sanitizer: Sanitizer, unit: str, size: int) -> None:
    proof = reported(sanitizer, NOTE).certificate

    def taken(length: int) -> tuple[float, int]:
        text = unit * (length // len(unit))
        document = Reported("big.txt", text, SanitizedDocument(text, (), 1.0, 1, Rewritten(text, ())), proof)
        content: list[bytes] = []
        time = seconds(lambda: content.append(page(sanitizer.policy, [document], reveal=True)))
        return time, len(content[0])

    (short, small), (long, large) = taken(size // 4), taken(size)
    assert long < 12 * short + 0.2
    assert large < 4.2 * small


# --- signs ----------------------------------------------------------------------------------------------------------------


def test_every_rule_and_action_has_a_color_a_letter_and_a_line_of_its_own(style: str) -> None:
    kinds = {f"r-{rule.value}": letter for rule, (letter, _) in RULES.items()} | {f"a-{action.value}": None for action in ACTIONS}
    assert set(RULES) == set(Rule)
    assert set(ACTIONS) == set(Action)
    rows = dict(re.findall(r"^\.((?:r|a)-\w+) \{ --rule: (.+?); \}$", style, re.MULTILINE))
    assert set(rows) == set(kinds)
    assert len(set(rows.values())) == len(rows)
    for kind, letter in kinds.items():
        assert letter is None or rows[kind].endswith(f'--letter: "{letter}"')
    letters = [letter for letter in kinds.values() if letter]
    assert len(set(letters)) == len(letters)


def _luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_letters_keep_their_contrast_in_light_and_dark(style: str) -> None:
    light, dark = style.split("@media screen and (prefers-color-scheme: dark)", 1)
    for sheet in (light, dark.split("* { box-sizing", 1)[0]):
        colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", sheet))
        pairs = [(ink, paper) for ink in ("ink", "quiet", "link") for paper in ("paper", "sheet", "glow")]
        pairs += [("alarm", "alarm-paper"), ("under", "paper"), ("alarm", "paper")]
        pairs += [(ink, f"{rule.value}-tint") for rule in Rule for ink in (rule.value, "ink")]
        for ink, paper in pairs:
            assert contrast(colors[ink], colors[paper]) >= 4.5, (ink, paper)
