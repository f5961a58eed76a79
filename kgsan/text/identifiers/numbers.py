"""Numbers known by their own shape or check digit: social security, cards, accounts, health plans, licences, vehicles."""

import re

from kgsan.text.identifiers import checks
from kgsan.text.identifiers.checks import IBAN_LENGTHS
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import NOTHING, Numeric, Rule, digits_of, introductions, last_four, pattern

_END = r"(?![0-9])(?!-[0-9])"
_MBI_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI_EITHER = "[0-9AC-HJKMNP-RT-Y]"


def _issued(match: re.Match[str]) -> bool:
    return checks.social_security(digits_of(match["_nine"]))


def _card(match: re.Match[str]) -> bool:
    return checks.payment_card(digits_of(match["it"]))


def _nhs(match: re.Match[str]) -> bool:
    return checks.nhs(digits_of(match["it"]))


def _provider(match: re.Match[str]) -> bool:
    return checks.provider(match["it"])


def _iban(plain: str, at: int) -> Identifier | None:
    """As many letters and digits as the country writes, in groups or not, if modulo 97 holds."""
    length = IBAN_LENGTHS.get(plain[at : at + 2].upper())
    match = _IBAN_SHAPE.match(plain, at) if length else None
    if match is None or length is None:
        return None
    signs = [place for place in range(match.start(), match.end()) if plain[place].isalnum()][:length]
    end = signs[-1] + 1
    if not checks.iban("".join(plain[place] for place in signs).upper()) or plain[end : end + 1].isalnum():
        return None
    return Identifier(at, end, "account", "an IBAN whose check digits hold", last_four(plain, at, end))


_IBAN_SHAPE = re.compile(r"[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]{1,4}){2,9}")
_SSN_DASHED = Rule(
    "ssn",
    pattern(r"(?P<it>(?P<_nine>[0-9]{3} ?- ?[0-9]{2} ?- ?(?P<last_4>[0-9]{4}))(?-i:[A-DTM][0-9]?\b)?)(?![0-9])"),
    "three digits, two, four",
    holds=_issued,
)
_SSN_SPACED = Rule(
    "ssn",
    pattern(rf"(?P<it>(?P<_nine>[0-9]{{3}}(?P<_mark>[ .])[0-9]{{2}}(?P=_mark)(?P<last_4>[0-9]{{4}}))){_END}"),
    "three digits, two, four",
    certain=False,
    holds=_issued,
)
_SSN_SOLID = Rule(
    "ssn", pattern(rf"(?P<it>(?P<_nine>[0-9]{{5}}(?P<last_4>[0-9]{{4}}))){_END}"), "nine digits", certain=False, holds=_issued
)
_INSURED = r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-TW-Z][A-CEGHJ-NP-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]"
_NATIONAL_INSURANCE = Rule(
    "ssn",
    re.compile(rf"(?P<it>{_INSURED})(?![^\W_])"),
    "the shape of a British national insurance number",
    pieces=last_four,
)
_NATIONAL_INSURANCE_INTRODUCED = Rule(
    "ssn",
    pattern(rf"(?:national insurance|nino|ni)(?: (?:no|num|number)\.?)?[ :#]{{1,3}}(?-i:(?P<it>{_INSURED}))(?![^\W_])"),
    "follows 'national insurance'",
    pieces=last_four,
)
_CARD_GROUPED = Rule(
    "account",
    pattern(
        r"(?P<it>[2-6][0-9]{3}(?P<_mark>[ -])(?:[0-9]{4}(?P=_mark)[0-9]{4}(?P=_mark)[0-9]{1,4}"
        r"|[0-9]{6}(?P=_mark)[0-9]{4,5}))(?![0-9])"
    ),
    "Luhn's check holds",
    holds=_card,
    pieces=last_four,
)
_CARD_LONG = Rule(
    "account",
    pattern(r"(?P<it>[2-6][0-9]{3}(?P<_mark>[ -])(?:[0-9]{4}(?P=_mark)){3}[0-9]{1,3})(?![0-9])"),
    "Luhn's check holds",
    holds=_card,
    pieces=last_four,
)
_CARD_SOLID = Rule("account", pattern(rf"(?P<it>[2-6][0-9]{{12,18}}){_END}"), "Luhn's check holds", holds=_card, pieces=last_four)
_NHS_GROUPED = Rule(
    "health_plan", pattern(rf"(?P<it>[0-9]{{3}} [0-9]{{3}} [0-9]{{4}}){_END}"), "an NHS number's check digit holds", holds=_nhs
)
_NHS_SOLID = Rule(
    "health_plan", pattern(rf"(?P<it>[0-9]{{10}}){_END}"), "an NHS number's check digit holds", certain=False, holds=_nhs
)
_PROVIDER = Rule(
    "licence",
    pattern(rf"(?P<it>[12][0-9]{{9}}){_END}"),
    "a provider identifier's check digit holds",
    certain=False,
    holds=_provider,
)
_MEDICARE = Rule(
    "health_plan",
    pattern(
        rf"(?P<it>[1-9]{_MBI_LETTER}{_MBI_EITHER}[0-9]-?{_MBI_LETTER}{_MBI_EITHER}[0-9]-?{_MBI_LETTER}{{2}}[0-9]{{2}})(?![^\W_])"
    ),
    "the shape of a Medicare beneficiary identifier",
)
_PRESCRIBER = Rule(
    "licence",
    pattern(r"(?P<it>[A-HJ-MPRSTUX][A-Z9][0-9]{7})(?![^\W_])"),
    "a DEA number's check digit holds",
    holds=lambda match: checks.prescriber(match["it"]),
)
_VEHICLE = Rule(
    "vehicle",
    pattern(r"(?P<it>[A-HJ-NPR-Z0-9]{17})(?![^\W_])"),
    "a vehicle number's check digit holds",
    holds=lambda match: checks.vehicle(match["it"].upper()),
)
_UDI = Rule(
    "device",
    re.compile(r"(?P<it>\(01\) ?[0-9]{14}(?: ?\([0-9]{2,3}\) ?[A-Za-z0-9./-]{1,20}){0,6})"),
    "the shape of a unique device identifier",
)
_MAC_DOTTED = Rule(
    "device", pattern(r"(?P<it>[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![^\W_]|\.[0-9a-f])"), "the shape of a MAC address"
)
_NOBODYS = Rule(
    NOTHING,
    pattern(
        r"(?P<it>isbn(?:-1[03])?[: ]{0,3}(?:97[89][ -]?)?[0-9](?:[ -]?[0-9]){8}[ -]?[0-9X](?![0-9])"
        r"|issn[: ]{0,3}[0-9]{4}-[0-9]{3}[0-9X](?![0-9])|(?:pmc?id|oclc|lccn|jstor)[: ]{0,3}(?:PMC)?[0-9]{4,10}(?![0-9-])"
        r"|doi[: ]{0,3}10\.[0-9]{4,9}/[^\s]{1,120}|(?:version|section|release|clause|paragraph|article)s? "
        r"[0-9]{1,4}(?:\.[0-9]{1,4}){1,6}(?![0-9]))"
    ),
    "a number of a book, a paper or a version",
)

NUMBERS = (
    Numeric((3,), "- ", _SSN_DASHED),
    Numeric((3,), " .", _SSN_SPACED),
    Numeric((9,), "", _SSN_SOLID),
    Numeric((4,), " -", _CARD_GROUPED),
    Numeric((4,), " -", _CARD_LONG),
    Numeric(range(13, 20), "", _CARD_SOLID),
    Numeric((3,), " ", _NHS_GROUPED),
    Numeric((10,), "", _NHS_SOLID),
    Numeric((10,), "", _PROVIDER),
    Numeric((4,), ".", _MAC_DOTTED),
)
MIXED = (_MEDICARE, _VEHICLE, _MAC_DOTTED)
MIXED_FROM_LETTER = (_NATIONAL_INSURANCE, _iban, _PRESCRIBER, _VEHICLE, _MAC_DOTTED)
OPENED = (_UDI,)
STRONG = (_SSN_DASHED,)
WORDS = introductions(
    (
        (
            "isbn",
            "oclc",
            "lccn",
            "jstor",
            "issn",
            "pmid",
            "pmcid",
            "doi",
            "version",
            "section",
            "release",
            "clause",
            "paragraph",
            "article",
            "sections",
            "articles",
        ),
        _NOBODYS,
    ),
    (("national", "nino", "ni"), _NATIONAL_INSURANCE_INTRODUCED),
)
