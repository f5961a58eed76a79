"""The marks of Markdown, and how words are written without becoming marks."""

from __future__ import annotations

import html
import re

SPECIAL = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|~{2,}|!?\[|\]|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|\||\r?\n")
ENTITY = re.compile(r"&(?:#[0-9]{1,1000}|#[xX][0-9a-fA-F]{1,1000}|[A-Za-z][A-Za-z0-9]{1,31});")
PREFIX = re.compile(r"[ \t]*+(?:(?:>|[-+*](?=[ \t])|\d{1,3}[.)](?=[ \t])|#{1,6}(?=[ \t]))[ \t]*+)*+")
RULE = re.compile(r"[ \t>]*+(?:[-=*_][ \t]*+)++(?=\r?\n|\Z)")
FENCE = re.compile(r"[ \t>]*+(?:[-+*][ \t]++)?(`{3,}|~{3,})([^`\n]*+)(?=\n|\Z)")
DEFINITION = re.compile(
    r" {0,3}\[(?!\^)([^\[\]\n]++)\]:[ \t]*+(<[^<>\n]*+>|[^\s<]\S*+)"
    r"(?:[ \t]++(?:\"([^\"\n]*+)\"|'([^'\n]*+)'|\(([^()\n]*+)\)))?[ \t]*+(?=\r?\n|\Z)"
)
DESTINATION = re.compile(
    r"\]\([ \t\r\n]*+(?:<([^<>\n]*+)>|((?:[^\s()\\]|\\[^\n]|\([^\s()]*+\))*+))"
    r"(?:[ \t\r\n]++(?:\"([^\"]*+)\"|'([^']*+)'|\(([^()]*+)\)))?[ \t\r\n]*+\)"
)
LABEL = re.compile(r"\]\[([^\[\]]*+)\]")
AUTOLINK = re.compile(r"<((?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[\w.+-]{1,64}@)[^\s<>]*)>")
EMPTY_LINE = re.compile(r"\n[ \t\r]*(?=\n)")
TABLE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+\r?$", re.MULTILINE)
BRACKET = re.compile(r"\\[\[\]\\]|\[|\](?:[(\[])?|\n[ \t\r]*(?=\n)")
WORDS = re.compile(r"[^ \t\f\r]++(?: [^ \t\f\r]++)*+")
TO_ESCAPE = re.compile(r"[\\`*~|]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#|[A-Za-z])")
OPENING = re.compile(r"\](?=[(\[:])")
IRREGULAR = re.compile(r"\A | (?= )| \Z|(?<=\n) | (?=\n)|[\t\r\f]")


def link_brackets(text: str) -> set[int]:
    """Where brackets stand that belong to links: those that are opened and are followed by where they lead."""
    found: set[int] = set()
    open_at: list[int] = []
    for bracket in BRACKET.finditer(text):
        if bracket[0].startswith("\n"):
            open_at.clear()
        elif bracket[0] == "[":
            open_at.append(bracket.start())
        elif bracket[0].startswith("]") and open_at:
            start = open_at.pop()
            if len(bracket[0]) == 2:
                found |= {start, bracket.start()}
        if bracket[0] == "][":
            open_at.append(bracket.end() - 1)
    return found


def is_emphasis(before: str, mark: str, after: str) -> bool:
    """Whether stars, tildes or underscores between two letters dress a word, and are none of its letters."""
    before, after = before or " ", after or " "
    inside = before.isalnum() and after.isalnum() if mark == "_" else before.isdigit() and after.isdigit()
    return not inside and not (before.isspace() and after.isspace())


def escaped(text: str, before: str = "", following: str = "") -> str:
    """Words as they are written in Markdown, without becoming marks."""
    made = TO_ESCAPE.sub(lambda mark: "\\" + mark[0], text)
    if OPENING.search(text + following) and not OPENING.search(before + following):
        made = made.replace("[", "\\[").replace("]", "\\]")
    return IRREGULAR.sub("&#32;", made).replace("\n", "<br>")


def in_title(text: str) -> str:
    return html.escape(text, quote=True).replace("(", "&#40;").replace(")", "&#41;")
