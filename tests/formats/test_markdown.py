"""Texts in Markdown, sanitized in place."""

from __future__ import annotations

import time
from contextlib import suppress
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.formats.documents import Rules, sanitize_file, text_of
from kgsan.formats.markdown import read_markdown
from kgsan.policy.read import load_policy
from kgsan.report.output import FileError
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

REMOVE = Rules(pictures="remove")
PLAIN = """\
---
title: "Roses"
tags: [garden, yard]
---
# Roses & *thorns* #

Some **bold** and __strong__ text with `code <b>`, a [link](https://example.org/a_(b) "Title") and
![alt](rose.png), snake_case, 2 * 3, 4*5, \\*stars\\*, &eacute;, <https://example.org>  
new line <span title="x">here</span>[^1] and [ref][one] or [just brackets].

> quoted
> further

- [ ] item
  1. one

| a | b |
|---|:-:|
| 1 | 2 |

```python
x = "<script>" * 2 ** 3

y = 1
```

Setext
======

<div>

*html*

</div>
<!-- a note -->

[one]: <https://example.org/one> 'One'
[^1]: A footnote.
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("toy"))))


def sanitized(page: str, toy: Sanitizer, rules: Rules = REMOVE) -> str:
    return sanitize_file(page.encode(), "page.md", read_markdown, toy, rules).content.decode()


def text(page: str) -> str:
    return text_of(page.encode(), "page.md", read_markdown)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_text_with_nothing_sensitive_comes_back_byte_for_byte(toy: Sanitizer, end: str) -> None:
    page = PLAIN.replace("\n", end).encode()
    assert sanitize_file(page, "page.md", read_markdown, toy).content == page


def test_only_what_is_replaced_is_written_anew(toy: Sanitizer) -> None:
    assert sanitized(PLAIN.replace("A footnote.", "Of zidovudine."), toy) == PLAIN.replace("A footnote.", "Of antiviral drug.")


HIDING_PLACES = [
    "He takes {} daily.",
    "# {}",
    "{}\n===",
    "**zi**dovudine",
    "z*i*dovudine and zido~~vu~~dine",
    "z`i`dovudine",
    "`{}` and ``a ` {}``",
    "zi&#100;ovudine",
    "zi<b>do</b>vudine",
    "zi<!-- x -->dovudine",
    "zi[dovudine](a)",
    "[zidovu][a]dine",
    "[x](https://example.org/{})",
    "[x](<https://example.org/{} b>)",
    "[x](a '{}')",
    '[x](a "{}")',
    "[x](a ({}))",
    "[x](#{})",
    "![{}]({}.png)",
    "![x](data:image/png;base64,emlkb3Z1ZGluZQ==)",
    "[a]: /{} '{}'\n\n[a]",
    "[{}]: /x\n\n[{}]",
    "<https://example.org/{}>",
    "x[^{}]\n\n[^{}]: {}",
    "- {}\n  1. {}\n* {}",
    "> {}\n>> {}",
    "| {} | b |\n|---|---|\n| c | {} |",
    "```{}\n{}\n```",
    "~~~\n{}",
    "    {}",
    "---\ntitle: {}\ntags:\n  - {}\n{}: x\n---\nx",
    "<!-- {} -->",
    "<div title='{}'>\n\n{}\n\n</div>",
    "<script>x = '{}'</script>",
    "<style>.{} {{}}</style>",
    "zido\u00advudine",
    "|a|{}|\n|-|-|\n|a|{}|",
    "a  \n{}",
    "a\n{}",
    "<a {}",
]


@pytest.mark.parametrize("line", HIDING_PLACES)
def test_a_secret_is_gone_from_wherever_it_stood(toy: Sanitizer, line: str) -> None:
    page = line.replace("{}", "zidovudine")
    made = sanitized(page, toy)
    assert "vudine" not in made.lower()
    assert "zidovu" not in unquote(made).lower()
    assert "emlkb3" not in made
    assert sanitized(made, toy) == made


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("**H**IV", "HIV"),
        ("a\nb  \nc\n\nd", "a b\nc\n\nd"),
        ("# a\nb", "a\n\nb"),
        ("- a\n- b", "a\n\nb"),
        ("> viral\n> infection", "viral infection"),
        ("2 * 3 * 4 and snake_case", "2 * 3 * 4 and snake_case"),
        ("[REDACTED] (x) [y]", "[REDACTED] (x) [y]"),
        ("see [this](/x) now", "see this now\n\n/x"),
        ("|a|b|\n|-|-|\n|c|d|", "a\nb\n\nc\nd"),
        ("```\na\n```\nb", "a\n\n\nb"),
        ("a < b & c", "a < b & c"),
    ],
)
def test_a_text_is_read_as_it_is_seen(page: str, said: str) -> None:
    assert text(page) == said


def test_what_is_blacked_out_becomes_no_link(toy: Sanitizer) -> None:
    made = sanitized("He has AIDS(x) since 3/4/2021(x) and 3/4/2021: AIDS", toy)
    assert text(made).count("[REDACTED]") == made.count("REDACTED")


def test_a_script_stops_the_text(toy: Sanitizer) -> None:
    with pytest.raises(FileError):
        sanitize_file(b"<script>x()</script>", "page.md", read_markdown, toy)


@pytest.mark.parametrize("content", [b"\xe9", b"a\x00b", b"PK\x03\x04\x00"])
def test_what_is_no_text_is_refused_in_one_sentence(content: bytes) -> None:
    with pytest.raises(FileError):
        read_markdown(content, "page.md", REMOVE)


@pytest.mark.parametrize(
    "page",
    [
        "<a " * 100_000 + ">",
        "<a '" * 50_000,
        "[" * 300_000,
        "](" * 150_000,
        "[a](b 'c" * 50_000,
        "[a](" + " " * 300_000,
        "`" * 200_000,
        "".join("`" * n + " " for n in range(1, 600)),
        "*" * 300_000,
        "*a " * 100_000,
        "> " * 100_000,
        "```\n" * 60_001,
        "\n" * 300_000,
        "&#" * 100_000,
        "<!--" * 60_000,
        "|" * 100_000 + "\n" + "|-" * 50_000,
        "---\n" * 60_000,
        "-" * 200_000 + "x",
        "- " * 100_000 + "x",
        "[a]: b\n" * 30_000,
        "[a]: <" * 30_000,
        "\n ".join(["a"] * 60_000),
    ],
)
def test_hostile_texts_are_read_in_linear_time(page: str) -> None:
    begun = time.process_time()
    with suppress(FileError):
        text(page)
    assert time.process_time() - begun < 4


_BITS = """** * _ ` `` ~~ [ ] ( ) ](x) ][r] ![ | \\ \\* &amp; <b> </b> <!-- --> a word <https://x.org/a> " ' < 1 é""".split()
_LINES = [
    "\n",
    "\n\n",
    "  \n",
    "\n# ",
    "\n- ",
    "\n> ",
    "\n1. ",
    "\n|-|-|\n",
    "\n```\n",
    "---\n",
    "\n===\n",
    "[r]: /u 't'\n",
    "    ",
    "k: v\n",
    " ",
]


@given(st.lists(st.sampled_from([*_BITS, *_LINES]), max_size=25))
def test_whatever_is_written_comes_back_byte_for_byte(bits: list[str]) -> None:
    page = "".join(bits).encode()
    with suppress(FileError):
        taken = read_markdown(page, "page.md", Rules(pictures="keep"))
        assert taken.put([strand.text for strand in taken.strands]) == page
