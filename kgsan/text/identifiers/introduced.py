"""Numbers that mean nothing by themselves until a word introduces them: 'MRN', 'account no.', 'serial'."""

import re

from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import introductions, last_four, named_parts, pattern

_LABEL = (
    r"(?P<_label>(?:[ _-]?(?:no|nr|num|numbers?|nos|id|ids|identifier|identification|code|card|holder"
    r"|record|#)(?![^\W_])\.?){0,3})"
)
_LINK = r"(?P<_link>[ _]{0,3}(?:[:#=|]{1,2}|-|is|was|ending(?: in| with)?|ends (?:in|with)|\((?=[A-Z0-9]))?[ _#]{0,3}\n?)"
_SPACED = r"[0-9]{2,6}(?: [0-9]{2,6}){1,5}(?![0-9A-Z]|[-/.:][0-9])"
_SOLID = r"[A-Z0-9]{1,24}(?:[-/_][A-Z0-9]{1,24}|[.:][A-Z]{0,4}[0-9][A-Z0-9]{0,20}){0,6}"
_MASKED = r"(?:[X*•#]{1,12}[ -]?){1,4}[0-9]{2,6}(?![0-9])"
#: Letters that stand before a number with a blank between: SN 4471-PX-09, A 204 118 772.
_LETTERED = r"[A-Z]{1,3} [0-9]{2,6}(?:[ -][A-Z0-9]{2,6}){1,3}"
_VALUE = rf"(?P<it>{_MASKED}|(?-i:{_LETTERED})|{_SPACED}|{_SOLID})"
_BRITISH_PLATE = r"[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z][0-9]{1,3} ?[A-Z]{3}"
_PLATE = rf"{_BRITISH_PLATE}|[A-Z]{{2,4}}[ -][0-9]{{2,4}}(?: ?[A-Z])?|[0-9]{{1,4}}[ -][A-Z]{{2,4}}(?:[ -][0-9]{{1,4}})?"
_NOT_A_NUMBER = re.compile(
    r"(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?|[0-9]{2,3}/[0-9]{2,3}|[0-9.,]{1,6}(?:mg|ml|mm|cm|kg|mcg"
    r"|units?|am|pm|st|nd|rd|th)|[A-Z][0-9]{2}\.[0-9]{1,4}|[0-9]{1,3}-[0-9]{1,3}|COVID-19",
    re.IGNORECASE,
)

_ROWS = (
    # kind, the words that may come first, the whole introduction, how a report names it
    ("ssn", "ssn ss social", r"ssn|ss(?=[#:]| ?no\b)|social security|social(?= ?[#:])", "SSN"),
    (
        "medical_record",
        "mrn mr medical med chart patient pt hospital hosp health unit emr ehr pid hospitalnumber chi nhi pas "
        "emis systmone cerner",
        r"mrn|mr(?=#| ?no\b| number)|(?:medical|hospital|health|patient)(?:'s)? records?(?= ?(?:no|num|id|#|"
        r"[:0-9]))|med\.? ?rec\.?|chart(?= ?(?:no|num|id|#))"
        r"|(?:patient|pt|hospital|hosp|emr|ehr|unit)(?:'s)?(?=\.? ?(?:id|no|num|#|identif))|(?:chi|nhi|pas)(?= ?(?:no|num|#|:))"
        r"|pid|emis|systmone|cerner",
        "MRN",
    ),
    (
        "health_plan",
        "member subscriber policy beneficiary medicare medicaid insurance insured group nhs mbi hicn plan "
        "enrollee certificate policyholder",
        r"(?:member|subscriber|beneficiary|medicare|medicaid|insurance|insured|enrollee|policyholder|nhs|mbi"
        r"|hicn|plan)(?: (?:policy|member|plan))?"
        r"|policy|group(?= ?(?:id|no|num|#))",
        "member or policy number",
    ),
    (
        "account",
        "account acct accounts card routing iban bank credit debit visa mastercard amex aba swift sort payment",
        r"(?:bank |credit |debit |payment )?(?:account|acct|card)s?|(?:routing|aba|visa|mastercard|amex|iban|sort(?= code))",
        "account",
    ),
    (
        "licence",
        "license licence lic driver drivers dl dea npi certificate passport permit licensed",
        r"(?:driver(?:'?s|s')? |medical |nursing |state |professional )?(?:licen[sc]e|lic)(?!d)(?! plate)|dl"
        r"(?=[#:]| no)|dea|npi|certificate(?= ?(?:no|num|id|#))|passport|permit(?= ?(?:no|num|id|#))",
        "licence",
    ),
    (
        "vehicle",
        "vin vrm vrn vehicle plate plates registration reg tag license licence",
        r"vin|vr[mn](?= ?(?:no|num|#|:|[A-Z]))|vehicle(?: identification)?(?= ?(?:no|num|id|#))|(?:licen[sc]e |number )?plates?|"
        r"(?:vehicle )?registration|reg(?=\.? ?(?:no|num|#))|tag(?= ?(?:no|num|#))",
        "plate",
    ),
    (
        "device",
        "serial sn s device implant udi imei pacemaker lot",
        r"serial|sn(?=[#:])|s/n|(?:device|implant|pacemaker)(?: serial)?|udi|imei|lot(?= ?(?:no|num|#))",
        "serial",
    ),
    (
        "username",
        "username user login userid screen handle",
        r"user ?name|userid|user(?= ?id)|login|screen ?name|handle(?=:)",
        "username",
    ),
    (
        "number",
        "case invoice specimen accession id order reference ref docket tracking confirmation ticket claim "
        "encounter visit study sample employee student "
        "ein itin tax tin badge file application applications no nos petition report transaction "
        "authorization prescription rx booking receipt session customer client "
        "participant subject incident matter identifier identification personal national warrant inmate prisoner loan contract "
        "staff payroll collar shoulder custody crime personnel offender detainee doc log CAD a alien",
        r"(?:tax|personal|national|staff|payroll|collar|shoulder|offender|detainee|doc|employee|student|customer|client|participant|subject|inmate|prisoner|visit"
        r"|encounter|study|personnel)(?: (?:identity|identification|account))?(?=\.? ?(?:id|no|num|#|identif))"
        r"|(?:custody|crime|log)(?: (?:record|reference|ref\.?|report))?(?= ?(?:id|no|num|#|:|[0-9]))"
        r"|(?:inmate|prisoner|booking|collar)(?= [A-Z]{0,3}[0-9]{4})|CAD(?= ?(?:no|num|ref|#|:)| [0-9]{3,5} of )"
        r"|(?:case|invoice|specimen|accession|order|reference|ref|docket|tracking|confirmation|ticket|claim"
        r"|sample|badge|file|applications?|petition|report|transaction"
        r"|authorization|prescription|rx|booking|receipt|session|incident|matter|warrant|loan|contract)"
        r"(?=\.? ?(?:id|no|num|#|:|[A-Z]{0,4}-?[0-9]{0,4}[-/]?[0-9]{3}|[0-9]{1,4}[-/][A-Z]{1,4}[-/][0-9]))"
        r"|(?:booking|confirmation|order|tracking|claim|case) (?:reference|ref)(?=\.? ?:? ?[A-Z0-9]{5})"
        r"|(?:a|alien)[ -](?:number|no|#)|id|ein|itin|tin|identifier"
        r"|identification"
        r"|nos?(?=\.)",
        "case, file or reference number",
    ),
)


def _telling(value: str, labelled: bool) -> bool:
    """Whether a value can single somebody out: enough digits, fewer where the label leaves no doubt, and no measure."""
    figures = sum("0" <= sign <= "9" for sign in value)
    signs = sum(sign.isalnum() for sign in value)
    return not _NOT_A_NUMBER.fullmatch(value) and (figures >= 3 and signs >= 4 if labelled else figures >= 4 and signs >= 6)


#: Introductions that leave no doubt even without a label: "Badge 4471". Four digits are enough behind them, three of a badge.
_STRONG = re.compile(r"(?:badge|passport|plate|inmate|prisoner|booking|mrn|collar|cad)\b", re.IGNORECASE)


class _Introduced:
    """The recogniser of one row: an introduction, a label, a link and then the value."""

    __slots__ = ("because", "kind", "pattern")

    def __init__(self, kind: str, introduction: str, named: str) -> None:
        self.kind = kind
        self.because = f"follows '{named}'"
        value = r"(?P<it>[a-z0-9][a-z0-9._-]{1,38}[a-z0-9])(?![^\W_])" if kind == "username" else _VALUE
        if kind == "vehicle":
            value = rf"(?P<it>(?-i:{_PLATE})|{_MASKED}|{_SPACED}|{_SOLID})"
        self.pattern = pattern(rf"(?:{introduction})(?![^\W\d_])\.?{_LABEL}{_LINK}{value}(?![^\W_])")

    def __call__(self, plain: str, at: int) -> Identifier | None:
        match = self.pattern.match(plain, at)
        if match is None:
            return None
        labelled = bool(match["_label"]) or not match["_link"].isspace()
        if self.kind == "username":
            if not any(mark in match["_link"] for mark in ":=#") and not any(sign.isdigit() for sign in match["it"]):
                return None
        elif not (_telling(match["it"], labelled) or self._is_plate(match["it"])):
            figures = sum("0" <= sign <= "9" for sign in match["it"])
            strong = None if _NOT_A_NUMBER.fullmatch(match["it"]) else _STRONG.match(plain, at)
            if strong is None or figures < (3 if strong[0].lower() in ("badge", "collar") else 4):
                return None
        start, end = match.span("it")
        parts = named_parts(match)
        if self.kind in ("ssn", "account"):
            parts += last_four(plain, start, end)
        return Identifier(start, end, self.kind, self.because, parts)

    def _is_plate(self, value: str) -> bool:
        return self.kind == "vehicle" and re.fullmatch(_PLATE, value) is not None


WORDS = introductions(*((words.split(), _Introduced(kind, introduction, named)) for kind, words, introduction, named in _ROWS))
