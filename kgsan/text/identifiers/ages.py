"""Ages: in figures, in words, by decade."""

import re

from kgsan.text.identifiers.identifier import Identifier, Part
from kgsan.text.identifiers.rule import Numeric, Rule, introductions, pattern, words

_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_ONES = words("one two three four five six seven eight nine")
_TEENS = words("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
_UNDER_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES)}))?|{'|'.join(_TEENS + _ONES)})"
_IN_WORDS = rf"(?:(?:one[- ])?hundred(?:[- ](?:and[- ])?{_UNDER_HUNDRED})?|{_UNDER_HUNDRED})"
_FIGURE = r"(?:1[0-2][0-9]|[0-9]{1,2})(?:\.[05])?(?:[ -]1/2)?"
_OLD = (
    r"(?:[ -]?(?:years?|yrs?)[ -]?old|[ -]year[ -]olds|[ -]?(?:years?|yrs?\.?) of age|[ -]?y\.?/?o\b\.?|"
    r"[ -]?yr?s?/o(?:ld)?\b|[ -]y\.? ?o\.|(?<=[0-9]) ?yof\b|(?<=[0-9]) ?yom\b)"
)
_YOUNG = r"[ -]?(?P<_unit>month|mo|week|wk|day)s?[ -]?(?:old\b|of age\b)"
_BOUND = r"(?![0-9])(?![.,][0-9])(?!%| ?(?:mg|kg|percent|pounds|lbs|dollars)\b)"
_DECADES = words("twenties thirties forties fifties sixties seventies eighties nineties")
_OF_A_PERSON = re.compile(
    r"(?:\b(?:his|her|their|my|your)(?: {1,2}(?:early|mid|late|very early))?[ -]{1,2}(?:to[ -]late[ -])?)\Z", re.IGNORECASE
)


#: Two words with capitals, or one behind a title, before a comma; what stands in brackets may lie between.
_IS_A_NAME = re.compile(
    r"(?:\b[A-Z][\w'-]{0,20} (?:[A-Z]\.? )?|\b(?:Mr|Mrs|Ms|Miss|Dr)\.? )[A-Z][\w'-]{1,20}(?: \([^()]{1,30}\))?, \Z"
)


def _young(plain: str, at: int) -> Identifier | None:
    match = _YOUNG_PATTERN.match(plain, at)
    if match is None:
        return None
    unit = {"mo": "months", "wk": "weeks"}.get(match["_unit"].lower(), match["_unit"].lower() + "s")
    parts: tuple[Part, ...] = ((unit, *match.span("_count")),)
    return Identifier(*match.span("it"), "age", "a number with 'old'", parts)


def _after_age(plain: str, at: int) -> Identifier | None:
    match = _LABELLED.match(plain, at)
    if match is None:
        return None
    unit = (match["_unit"] or "year").lower() + "s"
    parts: tuple[Part, ...] = ((unit, *match.span("_count")),)
    return Identifier(*match.span("it"), "age", "follows 'age'", parts)


def _decade(plain: str, at: int) -> Identifier | None:
    """'Nineties' and '90s' are an age only when they are somebody's; otherwise they are a time."""
    match = _DECADE.match(plain, at)
    if match is None or _OF_A_PERSON.search(plain[max(0, at - 24) : at]) is None:
        return None
    return Identifier(match.start(), match.end(), "age", "somebody's decade of life", (("decade", match.start(), match.end()),))


_YOUNG_PATTERN = pattern(rf"(?P<it>(?P<_count>[0-9]{{1,3}}|{_IN_WORDS}){_YOUNG})")
_LABELLED = pattern(
    r"age[sd]?(?:/(?:sex|gender))?(?: ?\((?:years|yrs|y)\))?(?: {0,2}[:=] {0,3}|[ \n]{1,2}(?:(?:is|was|of"
    r"|about|around|at|now|approximately) ){0,2}|-)?"
    rf"(?P<it>(?P<_count>{_FIGURE}|{_IN_WORDS}\b)(?: ?(?:-|to|and|or) ?(?:1[0-2][0-9]|[1-9][0-9]?)(?!"
    rf"[0-9]))?(?: (?P<_unit>month|week|day|year)s?\b)?){_BOUND}(?![/-][0-9])"
)
_DECADE = pattern(rf"(?:{'|'.join(_DECADES)}|teens|[1-9]0'?s)(?![^\W_])")
_WITH_OLD = Rule("age", pattern(rf"(?P<it>(?P<years>{_FIGURE}|{_IN_WORDS}){_OLD})(?![^\W_])"), "a number with 'years old'")
_RANGE_WITH_OLD = Rule(
    "age",
    pattern(rf"(?P<it>(?P<years>[0-9]{{1,3}}) ?(?:-|to|and|or) ?[0-9]{{1,3}}{_OLD})(?![^\W_])"),
    "two numbers with 'years old'",
)
_SEX_AFTER = Rule(
    "age",
    re.compile(
        r"(?P<it>(?P<years>1[01][0-9]|[1-9][0-9]?) ?[MF])(?= (?:with|who|presents?|presenting|c/o|s/p|h/o|w/"
        r"|p/w|admitted|pt|status|here|found|brought|on\b))"
    ),
    "a number and a letter for the sex",
    certain=False,
)
_BEHIND_A_NAME = Rule(
    "age",
    re.compile(
        r"(?:(?<=[a-z], )|(?<=\), ))(?P<it>(?P<years>1[01][0-9]|[1-9][0-9]))"
        r"(?=, (?:of|from|a|an|who|whose|was|is|has|had|lives?|lived|died|presented|presents|told|said|formerly|retired)\b)"
    ),
    "a number by itself behind a name",
    certain=False,
    holds=lambda match: _IS_A_NAME.search(match.string[max(0, match.start() - 60) : match.start()]) is not None,
)
_TURNED = Rule(
    "age",
    pattern(
        r"turn(?:ed|ing|s)[ \n](?P<it>(?P<years>[1-9][0-9]{0,2}))(?![0-9%]|[-./:,][0-9]| ?(?:mg|degrees"
        r"|percent|times)\b)(?= (?:in|on|last|this|years|today|when|before|after|and)\b|[.,;)])"
    ),
    "follows 'turned'",
    certain=False,
)
_BIRTHDAY = Rule(
    "age", pattern(r"(?P<it>(?P<years>[0-9]{1,3})(?:st|nd|rd|th))[ \n](?:birthday|year of life)\b"), "stands before 'birthday'"
)
_LIVED_LONG = Rule(
    "age", pattern(r"(?P<it>(?:septua|octo|nona|cente)(?:genarian|narian)s?)\b"), "a word for a person of great age"
)

NUMBERS = (
    Numeric((1, 2, 3), " -.\n", _WITH_OLD),
    Numeric((1, 2, 3), " -\n", _young),
    Numeric((1, 2, 3), " -", _RANGE_WITH_OLD),
    Numeric((1, 2, 3), " ", _SEX_AFTER),
    Numeric((2, 3), ",", _BEHIND_A_NAME),
)
MIXED = (_WITH_OLD, _young, _SEX_AFTER, _BIRTHDAY, _decade)
WORDS = introductions(
    (("age", "aged", "ages"), _after_age),
    ((*_TENS, *_ONES, *_TEENS, "hundred"), _WITH_OLD),
    ((*_TENS, *_ONES, *_TEENS), _young),
    ((*_DECADES, "teens"), _decade),
    (("turned", "turning", "turns"), _TURNED),
    (
        [word + ending for word in ("septuagenarian", "octogenarian", "nonagenarian", "centenarian") for ending in ("", "s")],
        _LIVED_LONG,
    ),
)
