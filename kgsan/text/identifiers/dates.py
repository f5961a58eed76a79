"""Dates in figures: everything more exact than the year, in the orders and marks that countries use."""

import re

from kgsan.ontology.letters import read
from kgsan.text.identifiers.identifier import Identifier, Part
from kgsan.text.identifiers.rule import Numeric, Rule, after, introductions, pattern, words

YEAR = r"(?:1[6-9]|2[01])[0-9]{2}(?![0-9])"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_TIME = r"T[0-9]{2}:?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_WORDS_OF_TIME = words(
    "on since dated date dos dob dod seen until till from by through admitted discharged starting "
    "started visit appt appointment due born died between returned effective before after birth service "
    "admission discharge thru"
)
_INTRODUCED = after(*(word + gap for word in _WORDS_OF_TIME for gap in (" ", ":", ": ")))
_SCORES = words("pain strength murmur grade score scored pulses reflexes power vision rated dtrs motor is of at scale")
_NOT_SCORED = "(?!" + after(*(word + gap for word in _SCORES for gap in (" ", ": "))) + ")"
_NOT_COUNTED = (
    r"(?![ -]?(?:tab(?:let)?s?|cups?|strength|of|tsp|tbsp|teaspoons?|inch|inches|in|mm|cm|mg|ml|l|packs?"
    r"|ppd|ns|normal|systolic|diastolic|murmurs?"
    r"|pain|power|pulses|bilateral(?:ly)?|full|throughout|hours?|miles?|motor|reflexes|strengths|way|dose"
    r"|pills?|points?|positive|patients|cases"
    r"|years?|lb|oz|pints?|intensity|severity|throughout|scale|liters?|litres?|the)\b|%|\"|')"
)
_PAIR = r"(?P<it>(?P<_first>[0-9]{1,2})/(?P<_second>[0-9]{1,2}))(?![0-9]|[/.][0-9]|-[0-9]{1,2}(?![0-9/]))"
_PRECEDED = pattern(_INTRODUCED)
_FIGURES = pattern(
    r"(?<![^\W\d_]\.)(?P<first>[0-9]{1,2})(?P<mark>[/.-]| / )(?P<second>[0-9]{1,2})(?P=mark)"
    r"(?P<year>(?:1[6-9]|2[01])[0-9]{2}|[0-9]{2})(?![0-9])(?!(?P=mark)[0-9])"
)


def _day_and_month(first: int, second: int) -> bool:
    return 0 < first <= 31 and 0 < second <= 31 and min(first, second) <= 12


def _pair(match: re.Match[str]) -> bool:
    return _day_and_month(int(match["_first"]), int(match["_second"]))


def _pair_that_is_no_score(match: re.Match[str]) -> bool:
    return _pair(match) and match["_first"] != match["_second"] and match["it"] != "24/7"


def _three_figures(plain: str, at: int) -> Identifier | None:
    match = _FIGURES.match(plain, at)
    if match is None or not _day_and_month(int(match["first"]), int(match["second"])):
        return None
    mark = match["mark"].strip()
    parts: tuple[Part, ...] = (("year", *match.span("year")),)
    # Which of two small numbers is the month depends on the country: only a sure reading is offered for keeping.
    if int(match["second"]) > 12:
        parts += (("month", *match.span("first")), ("day", *match.span("second")))
    elif int(match["first"]) > 12 or mark == ".":
        parts += (("day", *match.span("first")), ("month", *match.span("second")))
    certain = len(match["year"]) == 4 or mark == "/" or _PRECEDED.match(plain, at) is not None
    return Identifier(match.start(), match.end(), "date", "day, month and year in figures", parts, certain)


_YEAR_FIRST = Rule(
    "date",
    pattern(
        r"(?P<it>(?P<year>(?:1[6-9]|2[01])[0-9]{2})(?P<_mark>[-/.])"
        rf"(?P<month>{_MONTH})(?P=_mark)(?P<day>3[01]|[12][0-9]|0?[1-9])(?:{_TIME})?)(?![0-9])"
    ),
    "year, month and day in figures",
)
_YEAR_AND_MONTH = Rule(
    "date",
    pattern(r"(?P<it>(?P<year>(?:19|20)[0-9]{2})-(?P<month>0[1-9]|1[0-2]))(?![0-9]|-[0-9])"),
    "year and month in figures",
    certain=False,
)
_RUN_TOGETHER = r"(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
_COMPACT = Rule(
    "date",
    pattern(rf"(?P<it>{_RUN_TOGETHER}(?:(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?)?)(?![0-9])"),
    "year, month and day without separators",
    certain=False,
)
_STAMP = Rule("date", pattern(rf"(?P<it>{_RUN_TOGETHER}{_TIME})(?![0-9])"), "year, month, day and time without separators")
_MONTH_SLASH_YEAR = Rule("date", pattern(rf"(?P<it>(?P<month>{_MONTH}) ?/ ?(?P<year>{YEAR}))"), "month and year in figures")
_MONTH_MARK_YEAR = Rule(
    "date", pattern(rf"(?P<it>(?P<month>{_MONTH})[.-](?P<year>{YEAR}))"), "month and year in figures", certain=False
)
_PAIR_INTRODUCED = Rule("date", pattern(_INTRODUCED + _PAIR), "day and month in figures after a word of time", holds=_pair)
_PAIR_GUESSED = Rule(
    "date",
    pattern(_NOT_SCORED + _PAIR + _NOT_COUNTED),
    "two figures that may be day and month",
    certain=False,
    holds=_pair_that_is_no_score,
)
_AFTER_LABEL = Rule(
    "date",
    pattern(
        r"(?:dob|dos|dod|doa|birth ?date|date of (?:birth|death|service))[ :#=]{0,3}(?P<it>[0-9]{8}|[0-9]{6})(?![0-9]|[-/.][0-9])"
    ),
    "follows the label of a date",
)

NUMBERS = (
    Numeric((4,), "-/.", _YEAR_FIRST),
    Numeric((4,), "-", _YEAR_AND_MONTH),
    Numeric((1, 2), "/.- ", _three_figures),
    Numeric((1, 2), "/ ", _MONTH_SLASH_YEAR),
    Numeric((1, 2), ".-", _MONTH_MARK_YEAR),
    Numeric((1, 2), "/", _PAIR_INTRODUCED),
    Numeric((1, 2), "/", _PAIR_GUESSED),
    Numeric((8, 12, 14), "", _COMPACT),
)
_Y, _M, _D = (f"(?:{chinese}|{read(korean)})" for chinese, korean in ("年년", "月월", "日일"))
_CHINESE = Rule(
    "date",
    pattern(rf"(?P<it>(?P<year>(?:1[6-9]|2[01])[0-9]{{2}}){_Y}(?P<month>{_MONTH}){_M}(?:(?P<day>[0-9]{{1,2}}){_D})?)"),
    "year, month and day with their signs",
)
MIXED = (_STAMP, _CHINESE)
WORDS = introductions((("dob", "dos", "dod", "doa", "birthdate", "birth", "date"), _AFTER_LABEL))
