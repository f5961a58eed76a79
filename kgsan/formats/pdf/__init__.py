"""PDF files, read letter by letter and written anew with the words taken out of the pages, not only covered."""

from kgsan.formats.pdf.reader import read_pdf

__all__ = ["read_pdf"]
