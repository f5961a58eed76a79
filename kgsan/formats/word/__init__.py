"""Word documents: body, notes, comments, boxes, fields and links, without history and properties."""

from kgsan.formats.word.documents import read_word

__all__ = ["read_word"]
