"""A review on the toy policy: one document of which every change and every rung is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.app.desk import Desk

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.app.chain import Span
    from kgsan.sanitize.sanitizer import Sanitizer

TEXT = "He takes zidovudine. Zidovudine helps against AIDS and fatigue. She takes ibuprofen since 3/4/2021.\n"
RELEASED = "He takes an antiviral drug. An antiviral drug helps against an infection and fatigue. She takes ibuprofen since [REDACTED].\n"
#: What the log, the terminal and the released papers may not tell.
SECRETS = ("zidovudine", "aids", "3/4/2021", "ibuprofen", "fatigue")


def place(words: str, text: str = TEXT) -> Span:
    """Where words stand."""
    start = text.index(words)
    return start, start + len(words)


ZIDOVUDINE, AGAIN, AIDS, DATE = place("zidovudine"), place("Zidovudine"), place("AIDS"), place("3/4/2021")


def desk_on(sanitizer: Sanitizer, folder: Path, *texts: str, key: bytes | None = None) -> Desk:
    """A review of texts, in a folder that may hold one already."""
    paths = []
    for number, text in enumerate(texts or (TEXT,), 1):
        path = folder / f"note-{number}.txt"
        if not path.exists():
            path.write_text(text, newline="")
        paths.append(path)
    return Desk(sanitizer, paths, folder / "review", key)


def everything_in(folder: Path) -> str:
    """All that a review wrote into a folder, as text."""
    return "".join(path.read_text() for path in folder.rglob("*") if path.is_file() and path.name != "key")
