"""Which attributes of a Word document hold words of its author, and which only numbers and keywords of Word itself."""

from __future__ import annotations

import re

from kgsan.formats.word.trees import W

#: Elements whose value is free text.
_SAID = frozenset(
    (W + name)
    for name in """alias tag lvlText name helpText statusText default listEntry docPart docPartGallery docPartCategory entryMacro
    exitMacro aliases category caption tblCaption tblDescription calculatedProperty""".split()
)
#: Attributes that hold free text wherever they stand.
_SAYING = frozenset(
    """descr title name alt tooltip instr displayText value lastValue lastvalue href src string url anchor element uri tag
    alias key text label caption category help fullDate formatCode sheet author initials userId providerId modelName""".split()
)
#: Elements that name what Word itself has: styles it may use, settings of how it works.
_OWN = frozenset({W + "lsdException", W + "latentStyles", W + "compatSetting"})
_KNOWN = re.compile(
    r"\{(?:http://schemas\.(?:openxmlformats\.org|microsoft\.com)/|urn:schemas-microsoft-com:|http://www\.w3\.org/XML/1998/namespace)"
)
_KEYWORD = re.compile(r"[\w#%.,:;+*/{}()@=|-]{0,40}|[\d\s.,%+-]*")
_SHAPED = re.compile(r"[\w:;.,#%+()\s@\[\]~-]*")
_UNSAID = frozenset(
    """style path coordsize coordorigin adj points formulas eqn Ignorable Requires ProcessContent typeface panose script
    schemeName spidmax ascii hAnsi cs eastAsia""".split()
)
#: Words of which the names of Word's own styles are made.
_USUAL_STYLES = frozenset(
    """1 2 3 4 5 6 7 8 9 accent annotation balloon bibliography block body book bullet caption char closing colorful comment
    continue dark date default document e-mail emphasis endnote envelope first followedhyperlink font footer footnote grid
    hashtag header heading html hyperlink indent index intense latent light line link list macro medium mention message no normal
    note number outline page paragraph placeholder plain quote reference revision return salutation shading signature
    smart spacing strong subject subtitle subtle table text title toc toa unresolved variable (web) address
    authorities of and typewriter""".split()
)
_NUMBERING = re.compile(r"(?:%[1-9]|[^\w\s]|\s){0,40}|o")
_URI = re.compile(r"\{[0-9A-Fa-f-]{36}\}|https?://schemas\.[\w./-]*|http://www\.w3\.org/[\w./-]*")


def is_known(name: str) -> bool:
    """Whether the name of an element or attribute is one of Word's or of its drawings, charts and diagrams."""
    return _KNOWN.match(name) is not None


def is_own(tag: str) -> bool:
    """Whether an element only names what Word itself has."""
    return tag in _OWN


def is_usual_style(name: str) -> bool:
    """Whether a style is one of Word's own."""
    return all(word in _USUAL_STYLES for word in name.lower().split())


def says_nothing(tag: str, word: str, value: str) -> bool:
    """Whether the value of an attribute that Word itself writes is a number, a keyword or the name of a typeface."""
    if word in _UNSAID:
        return _SHAPED.fullmatch(value) is not None
    if tag.startswith(W) and word in ("author", "initials"):  # nobody any more, see `cleaning`
        return True
    if word in _SAYING or (tag in _SAID and word == "val"):
        return _URI.fullmatch(value) is not None or (tag == W + "lvlText" and _NUMBERING.fullmatch(value) is not None)
    return _KEYWORD.fullmatch(value) is not None or _URI.fullmatch(value) is not None
