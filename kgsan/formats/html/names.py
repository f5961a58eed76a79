"""The names of HTML that matter to its text: what ends a word, a line or a paragraph, and which attributes hold no words."""

from __future__ import annotations

import re

#: Elements that stand by themselves. All others, also unknown ones, run on within a line.
BLOCKS = frozenset(
    """address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search
    section select summary table tbody tfoot thead tr caption colgroup ul title textarea template noscript iframe
    noframes noembed object video audio map canvas svg math text desc foreignobject g defs script style link meta base
    marquee xmp plaintext button datalist""".split()
)
LINES = frozenset("br td th rp tspan".split())
BLANKS = frozenset("input img area embed progress meter".split())
KEEPS_SPACES = frozenset("pre textarea xmp listing".split())

#: Attributes that lead somewhere.
LINKS = frozenset(
    """href src action formaction cite data poster longdesc background ping xlink:href manifest usemap profile codebase
    archive classid lowsrc dynsrc imagesrcset srcset""".split()
)
ELEMENTS = (
    BLOCKS
    | LINES
    | BLANKS
    | frozenset(
        """a abbr acronym applet b basefont bdi bdo big blink circle cite clippath code col data del dfn ellipse em feblend
    font frame i image ins kbd keygen label line lineargradient listing mark marker mask metadata mi mn mo mrow msub
    msup nobr output param path pattern picture polygon polyline q radialgradient rect rt ruby s samp slot small source
    spacer span stop strike strong sub sup symbol textpath time track tt u use var view wbr o:p""".split()
    )
)
_ATTRIBUTES = frozenset(
    """abbr accept accept-charset accesskey align alink allow allowfullscreen alt as async autocapitalize autocomplete
    autofocus autoplay axis bgcolor border bordercolor cellpadding cellspacing char charset checked class clear color
    cols colspan compact content contenteditable controls coords crossorigin cx cy d datetime decoding default defer dir
    dirname disabled download draggable dx dy enctype enterkeyhint face fetchpriority fill fill-opacity fill-rule
    font-family font-size font-weight for form formmethod formnovalidate formtarget frame frameborder headers height
    hidden high hreflang hspace http-equiv id inert inputmode integrity is ismap itemid itemprop itemref itemscope
    itemtype kind label lang language leftmargin link list loading loop low marginheight marginwidth max maxlength media
    method min minlength multiple muted name nohref nonce noresize noshade novalidate nowrap offset open opacity optimum
    part pattern placeholder playsinline points popover prefix preload preserveaspectratio prompt property r readonly
    referrerpolicy rel required rev reversed role rows rowspan rules rx ry sandbox scheme scope scrolling selected shape
    size sizes slot span spellcheck srcdoc srclang standby start step stroke stroke-linecap stroke-linejoin stroke-width
    style summary tabindex target text text-anchor title topmargin transform translate type typeof unselectable valign
    value valuetype version viewbox vlink vspace width wrap x x1 x2 xml:lang xml:space xmlns xmlns:xlink xmlns:svg y y1
    y2""".split()
)
_ARIA = re.compile(r"aria-(?:[a-z]{2,20})")
_VALUES = frozenset(
    """_blank _self _parent _top ltr rtl auto left right center top bottom middle justify baseline text submit button
    checkbox radio hidden reset file image email tel password number search date get post none both all screen print row
    col true false yes no on off 1 stylesheet icon noopener noreferrer nofollow text/html text/css text/javascript utf-8
    en en-us en-gb presentation main navigation lazy eager anonymous utf8 iso-8859-1 windows-1252 shortcut viewport
    content-type x-ua-compatible ie=edge width=device-width initial-scale=1 initial-scale=1.0 description keywords
    author robots module""".split()
)
_NUMBERS = re.compile(r"[-+0-9., \t\r\n%#*]*(?:px|em|rem|pt|cm|mm|in|vh|vw)?|#[0-9a-fA-F]{3,8}")
_DRAWN = re.compile(r"[-+0-9., \t\r\nMmLlHhVvCcSsQqTtAaZz]*")
_STANDARD = re.compile(r"(?:https?:)?//(?:www\.w3\.org|schema\.org|purl\.org)/[\w./#:-]*|urn:schemas-microsoft-com:[\w:]*")


def is_known_attribute(name: str) -> bool:
    """Whether the name of an attribute is one of HTML itself."""
    return name in _ATTRIBUTES or name in LINKS or _ARIA.fullmatch(name) is not None


def says_nothing(name: str, value: str) -> bool:
    """Whether the value of an attribute is a number, a keyword or a drawing and no words."""
    if _NUMBERS.fullmatch(value):
        return name not in ("value", "content", "alt", "title", "label", "placeholder", "summary") and not name.startswith(
            "data-"
        )
    if name in ("d", "points"):
        return _DRAWN.fullmatch(value) is not None
    if name.startswith("xmlns") or name in ("itemtype", "prefix"):
        return _STANDARD.fullmatch(value) is not None
    return all(word in _VALUES for word in value.lower().replace(",", " ").replace(";", " ").replace("charset=", "").split())
