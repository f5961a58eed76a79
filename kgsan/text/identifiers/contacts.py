"""Telephone and fax numbers, American and international."""

import re

from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import Numeric, Recogniser, Rule, introductions, last_four, pattern, words

_EXTENSION = r"(?: {0,2},? ?(?:x|ext|extension)\.? ?[0-9]{1,6})?"
_END = r"(?![0-9])(?!-[0-9])"
_AREA = r"[2-9][0-9]{2}"
_LINK = (
    r"\.?(?:[ _](?:no|nr|number|numbers|phone|telephone|line|contact|tel|fax|cell|#)\b\.?){0,2}"
    r"[ _]{0,2}(?:\((?:home|cell|mobile|work|office|h|m|w|c|o)\) ?)?(?:[:#.=-]|is|was|at|on|to)?[ _\n]{0,3}"
    r"(?:(?:him|her|me|us|them|is|at|on) ){0,2}"
)
# Possessive: without it the marks between two digits could be shared out in several ways, 16 times over.
_RUN = re.compile(r"\(?\+? ?\(?[0-9](?:[ ./-]{0,2}+[()]?+[ ./-]?+[0-9]){0,40}")
_GROUP = re.compile(r"[0-9]{1,41}")
_EXTENDED = pattern(_EXTENSION)
_DATE = re.compile(
    r"\(?(?:(?:0?[1-9]|1[0-2])/(?:19|20)[0-9]{2}(?![0-9])|[0-9]{1,2}([-./])[0-9]{1,2}\1(?:19|20)?[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}([-./])[01][0-9]\2[0-3][0-9](?![0-9]))"
)


def _end_of_number(plain: str, start: int, end: int, least: int, most: int) -> int | None:
    """Where a dialled number ends: whole groups of digits, no more than a telephone takes."""
    digits, reached = 0, None
    enough = 12 if plain.startswith("00", start) else 10
    first = plain[start : start + 5].lstrip("(+ ")[:1]
    american = 11 if first == "1" else 10 if first > "1" and "+" not in plain[start : start + 2] else 0
    for group in _GROUP.finditer(plain, start, end):
        if digits >= enough and plain[group.start()] == "0":
            break  # a second number begins
        digits += group.end() - group.start()
        if digits > most:
            break
        if digits >= least:
            reached = group.end()
        if digits == american:
            break
    return reached


def _dialled(kind: str, lead: str, least: int, most: int, because: str) -> Recogniser:
    """A recogniser for whatever can be dialled after a lead (a word, a plus sign, a zero)."""
    before = pattern(lead)

    def recognise(plain: str, at: int) -> Identifier | None:
        led = before.match(plain, at)
        run = _RUN.match(plain, led.end()) if led else None
        if run is None or _DATE.match(plain, run.start()):
            return None
        end = _end_of_number(plain, run.start(), run.end(), least, most)
        if end is None:
            return None
        extended = _EXTENDED.match(plain, end)
        return Identifier(run.start(), extended.end() if extended else end, kind, because, last_four(plain, run.start(), end))

    return recognise


_AMERICAN = Rule(
    "phone",
    pattern(
        rf"(?P<it>(?:\+?1[ .-]?)?(?:\({_AREA}\) ?|{_AREA}(?:[.-]|(?<=1.[0-9]{{3}}) ))[ .-]?[0-9]{{3}}(?: ?- ?|[ .])"
        rf"(?P<last_4>[0-9]{{4}}){_EXTENSION})(?![0-9])"
    ),
    "three digits, three, four",
)
_AMERICAN_SPACED = Rule(
    "phone",
    pattern(rf"(?P<it>{_AREA} [0-9]{{3}}[ -](?P<last_4>[0-9]{{4}}){_EXTENSION}){_END}"),
    "three digits, three, four",
    certain=False,
)
_AMERICAN_SOLID = Rule(
    "phone", pattern(rf"(?P<it>1?{_AREA}[2-9][0-9]{{2}}(?P<last_4>[0-9]{{4}}){_EXTENSION}){_END}"), "ten digits", certain=False
)
_LOCAL = Rule(
    "phone",
    pattern(
        rf"(?P<it>[2-9][0-9]{{2}}-(?P<last_4>[0-9]{{4}}){_EXTENSION}){_END}"
        r"(?! ?(?:(?:mg|ml|mcg|ng|pg|units|kcal|calories|g|steps)\b|°))"
    ),
    "three digits and four",
    certain=False,
    holds=lambda match: match["last_4"] < "1" or not match.string.startswith(")", match.end()),  # no range: (200-4000)
)
_TRUNK_SOLID = Rule(
    "phone",
    pattern(r"(?P<it>0[1-9][0-9]{5}(?P<last_4>[0-9]{4}))(?![0-9]|[-/.][0-9])"),
    "a leading zero and ten digits",
    certain=False,
)
_BRANCH = Rule(
    "phone",
    pattern(
        r"(?:ext|extension|pager|beeper)\b\.?(?: (?:no|number)\b\.?)?[ :#]{1,3}(?P<it>[0-9]{3,6})"
        r"(?![0-9]|[-/.][0-9]| ?(?:mg|ml|cm|mm|degrees)\b)"
    ),
    "follows a word for an extension",
)
_PLUS = _dialled("phone", r"(?=\(?\+)", 8, 15, "a plus sign and a country's code")
#: Three digits, two and four are a social security number, also when they begin with a zero.
_TRUNK = _dialled(
    "phone",
    r"(?=\(?0[1-9][0-9]{0,4}(?:\)|[ .-]| ?/))(?![0-9]{3} ?- ?[0-9]{2} ?- ?[0-9]{4}(?![0-9-]))",
    9,
    12,
    "a leading zero and groups of digits",
)
_ABROAD = _dialled("phone", r"(?=00[1-9][0-9]{0,3}[ ./-])", 10, 16, "two leading zeros and a country's code")
_PHONE_WORDS = words(
    "telephone telephones phone phones tel cell cellular cellphone mobile mob ph pager beeper call called calling dial "
    "dialed dialled text texted whatsapp contact landline hotline voicemail"
)
_FAX_WORDS = ("fax", "faxed", "telefax", "facsimile")
_AFTER_PHONE = _dialled("phone", rf"(?:{'|'.join(_PHONE_WORDS)})(?![^\W\d_]){_LINK}", 7, 15, "follows a word for the telephone")
_AFTER_FAX = _dialled("fax", rf"(?:{'|'.join(_FAX_WORDS)})(?![^\W\d_]){_LINK}", 7, 15, "follows 'fax'")

NUMBERS = (
    Numeric((1, 3), " .-(", _AMERICAN),
    Numeric((3,), " ", _AMERICAN_SPACED),
    Numeric((10, 11), "", _AMERICAN_SOLID),
    Numeric((3,), "-", _LOCAL),
    Numeric(range(2, 7), " -/.", _TRUNK, inside=False),
    Numeric(range(3, 7), " -/.", _ABROAD, inside=False),
    Numeric((11,), "", _TRUNK_SOLID),
)
OPENED: tuple[Recogniser, ...] = (_AMERICAN, _PLUS, _TRUNK)
STRONG = (_AMERICAN,)
WORDS = introductions((_PHONE_WORDS, _AFTER_PHONE), (_FAX_WORDS, _AFTER_FAX), (("ext", "extension", "pager", "beeper"), _BRANCH))
