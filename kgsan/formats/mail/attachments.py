"""Attachments that kgsan reads, known by how their names end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.formats.html import read_html
from kgsan.formats.markdown import read_markdown
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from kgsan.formats.documents import Reader

_ENDINGS: dict[str, Reader] = {"html": read_html, "htm": read_html, "md": read_markdown}


def by_ending(name: str, content: bytes) -> Reader | None:
    """What reads an attachment of this name, if anything does."""
    ending = name.lower().rpartition(".")[2]
    if ending != "docx":
        return _ENDINGS.get(ending)
    try:
        from kgsan.formats.word import read_word  # what it needs may not be installed
    except ImportError:
        raise FileError(
            name, "To read a Word document, kgsan needs lxml.", "Install it with: pip install 'kgsan[formats]'."
        ) from None
    return read_word
