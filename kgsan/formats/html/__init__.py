"""HTML pages: every text that a reader or a machine may see, in its place."""

from kgsan.formats.html.pages import read_html

__all__ = ["read_html"]
