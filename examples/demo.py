"""A shipped note before and after two shipped policies, and why each part was changed: `make demo`."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import kgsan
from kgsan.report.certificate import certificate, check_certificate

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTE = Path(__file__).with_name("note.txt")
POLICIES = ("us-hiv", "hipaa-safe-harbor")
RED, GREEN, BOLD, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


def main() -> None:
    color = sys.stdout.isatty()
    text = NOTE.read_text("utf-8")
    ontology = kgsan.load_ontology()
    for name in POLICIES:
        sanitizer = kgsan.Sanitizer(kgsan.load_policy(name), ontology)
        result = sanitizer.sanitize(text)
        head(f"The note, and what {name} does not let stay ({sanitizer.policy.law})", color)
        print(marked(text, {(one.start, one.end) for one in result.decisions}, RED if color else ""))
        head("What is released", color)
        print(marked(result.text, {(one.new_start, one.new_end) for one in result.decisions}, GREEN if color else ""))
        head("Why", color)
        listed(kgsan.explain(decision, text=text) for decision in result.decisions)
        head("What the law says", color)
        listed(f"{one.entity}: {one.because}" for one in sanitizer.policy.protect)
        issued = certificate(sanitizer, result.text)
        holds = not check_certificate(issued, sanitizer, result.text)
        head(f"The certificate {'holds' if holds else 'DOES NOT HOLD'}. What it does not cover", color)
        listed(issued["not_checked"])
        print()
    print("The same from the command line: kgsan sanitize examples/note.txt --policy us-hiv --reveal")


def head(title: str, color: bool) -> None:
    print(f"\n{BOLD}{title}{PLAIN}\n" if color else f"\n--- {title}\n")


def listed(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        print(textwrap.fill(sentence, 110, initial_indent="- ", subsequent_indent="  "))


def marked(text: str, spans: Iterable[tuple[int, int]], color: str) -> str:
    """The text with some parts in colour."""
    if not color:
        return text.rstrip("\n")
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], color, text[start:end], PLAIN]
            at = end
    return "".join([*parts, text[at:]]).rstrip("\n")


if __name__ == "__main__":
    main()
