"""How the pages become a site: `make docs`."""

from __future__ import annotations

from importlib.metadata import version as installed

project = "kgsan"
author = "The kgsan authors"
copyright = author
release = version = installed("kgsan")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
default_role = "code"  # docstrings write `names` as Markdown does
smartquotes = False  # options begin with two hyphens
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"kgsan {release}"
html_copy_source = False
_CODE = {"code-font-size": "75%"}  # so that a session of a terminal fits
html_theme_options = {"footer_icons": [], "light_css_variables": _CODE, "dark_css_variables": _CODE}
