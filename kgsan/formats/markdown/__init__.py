"""Markdown: its words without the marks that dress them, also where a mark stands inside a word."""

from kgsan.formats.markdown.reading import read_markdown

__all__ = ["read_markdown"]
