"""What holds for the blocks of all pages together."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from tests.docs.pages import DOCS, OUTSIDE, Block, blocks, sections
from tests.docs.running import run_page
from tests.docs.shell import agrees, commands, shown

PAGES = [*OUTSIDE, *sorted(DOCS.glob("*.md"))]
#: So many blocks of all pages may be left out, each with its reason.
NOT_RUN_AT_MOST = 8


def every_block() -> list[Block]:
    return [block for page in PAGES for block in blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_piece_of_code_stands_between_fences_that_name_its_language(page) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8"))
    assert [f"line {token.map[0] + 1}" for token in tokens if token.type == "code_block"] == []
    assert [f"line {token.map[0] + 1}" for token in tokens if token.type == "fence" and not token.info.strip()] == []
    assert sum(token.type == "fence" for token in tokens) == len(blocks(page))


def test_every_page_belongs_to_one_section_of_the_site() -> None:
    listed = [page for pages in sections().values() for page in pages]
    assert sorted(listed) == sorted(set(DOCS.glob("*.md")) - {DOCS / "index.md"})


def test_few_blocks_are_left_out_and_each_says_why() -> None:
    left_out = {block.place: block.not_run for block in every_block() if block.not_run is not None}
    assert all(reason for reason in left_out.values()), left_out
    assert len(left_out) <= NOT_RUN_AT_MOST, left_out


# --- the tests of the pages, tested ------------------------------------------------------------------------------------


def test_a_page_that_tells_a_wrong_answer_fails(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tests.docs.pages.REPO", tmp_path)
    page = tmp_path / "page.md"
    for wrong in (
        "```console\n$ echo yes\nno\n```\n",
        "```sh\nfalse\n```\n",
        "```python\n1 + 1  # 3\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```yaml\npolicy: toy\nlaw: Toy Act\nprotct: [HIV]\n```\n",
        "<!-- wrong on purpose -->\n```yaml\npolicy: toy\nlaw: Toy Act\nprotect: [HIV]\n```\n",
        "```json\n{\n```\n",
        "```cobol\n```\n",
    ):
        page.write_text(wrong)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        with pytest.raises(AssertionError):
            run_page(page, folder)


def test_a_line_of_dots_stands_for_any_lines() -> None:
    assert agrees("a\n...\nd", "a\nb\nc\nd\n")
    assert agrees("a\n  ...\nd", "a\nd")
    assert agrees("at http://127.0.0.1:1/?token=...", "at http://127.0.0.1:4711/?token=x1\n")
    assert not agrees("a\n...\nd", "a\nb\n")
    assert not agrees("a...", "abc")
    assert not agrees("", "something")


def test_a_command_may_go_on_over_several_lines() -> None:
    assert commands("# a remark\nkgsan a \\\n  b\n\ncat <<'END'\n$ x\nEND\n") == ["kgsan a \\\n  b", "cat <<'END'\n$ x\nEND"]
    assert shown("$ diff a b\n< a\n> b\n$ echo 'x\n> y'\nx\ny\n") == [("diff a b", "< a\n> b"), ("echo 'x\ny'", "x\ny")]
