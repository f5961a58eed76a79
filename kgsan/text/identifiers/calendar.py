"""Dates in words: months, weekdays, feasts and seasons."""

import re

from kgsan.text.identifiers.dates import YEAR
from kgsan.text.identifiers.rule import SPACE, Numeric, Rule, after, introductions, pattern, words

MONTHS = words("January February March April May June July August September October November December")
_SHORT_MONTHS = words("Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec")
_FOREIGN_MONTHS = words(
    "Januar Februar Marz Mai Juni Juli Oktober Dezember janvier fevrier mars avril juin juillet aout "
    "septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre "
    "octubre noviembre diciembre"
)
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_VERBS = {"may", "march", "mar"}
_NAMES_OF_PEOPLE_TOO = ("March", "April", "May", "June")
_ORDINALS = words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
)


def _month(*families: tuple[str, ...]) -> str:
    longest_first = sorted((word for family in families for word in family), key=len, reverse=True)
    return rf"(?P<month>{'|'.join(longest_first)})(?![^\W\d_])(?:\.(?=[ \n]{{0,3}}[0-9'/-]))?"


_MONTH = _month(MONTHS, _SHORT_MONTHS)
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th|er)?(?![0-9])"
_DAYS = rf"{_DAY}(?:(?:, ?{_DAY}){{0,3}},? ?(?:and|&|or) ?{_DAY}| ?(?:-|to|through|thru|until) ?{_DAY})?"
_ORDINAL = rf"(?:(?:twenty|thirty)[- ])?(?:{'|'.join(_ORDINALS)})\b"
_TWO_DIGIT_YEAR = r"(?:'|(?<=[-/.])|(?<=[0-9][a-z]{3})|(?<=[a-z] )(?=[0-9]{2}(?! ?[^\W_]|[.,:]?[0-9])))[0-9]{2}(?![0-9])"
_THEN_YEAR = rf"(?:(?:,?{SPACE}(?:of |de )?|[-/])?(?P<year>{YEAR}|{_TWO_DIGIT_YEAR}))"
_NOT_A_DOSE = (
    r"(?![:/][0-9]|\.[0-9]| ?(?:mg|mcg|ml|g|kg|cm|mm|l|cc|units?|tab(?:let)?s?|pills?|caps(?:ules?)?"
    r"|times?|x|%|puffs?|drops?|days?|weeks?|hours?|hrs?|miles?)\b)"
)
_WORDS_OF_TIME = words("in since until of last this next by from early late during through before after every and mid to between")
_BEFORE_A_DAY = words("on by until till since from before after around between due")
#: What stands before a month, and not before a person: "the March scan", but not "Fredric March".
_SMALL_BEFORE = re.compile(r"(?:(?<![^\W_])[a-z]{1,20}|(?<![^\W_])The) \Z")
_IN_TIME = "(?i:" + after(*(word + gap for word in _WORDS_OF_TIME for gap in " -\n")) + ")"
_FEAST = (
    r"Christmas(?: Eve| Day)?|New Year's(?: Eve| Day)?|Easter(?: Sunday| Monday)?|Thanksgiving(?: Day)?"
    r"|Halloween|Boxing Day|Good Friday"
    r"|Valentine's Day|Independence Day|Labou?r Day|Memorial Day|Veterans Day|Mother's Day|Father's Day"
    r"|Hanukkah|Passover|Yom Kippur|Diwali|Eid(?: al-[A-Z][a-z]{2,5})?"
)
_FEAST_WORDS = words(
    "christmas new easter thanksgiving halloween boxing good valentine independence labor labour memorial veterans mother father "
    "hanukkah passover yom diwali eid"
)
_AT_A_FEAST = (
    "(?i:"
    + after(*(word + gap for word in words("on at since until before after around last next by over") for gap in " \n"))
    + ")"
)


def _no_verb(match: re.Match[str]) -> bool:
    return match["year"] is not None or match["month"] not in _VERBS


def _month_before_which_a_day_stands(match: re.Match[str]) -> bool:
    """'2 may' in small letters and months of other languages ('3 Mars bars') need a year beside them."""
    english = match["month"].capitalize() in MONTHS + _SHORT_MONTHS
    return match["year"] is not None or (english and match["month"] not in _VERBS)


_DAY_FIRST = Rule(
    "date",
    pattern(
        rf"(?P<it>(?P<day>{_DAYS})(?:\.?{SPACE}|[-/.])?(?:(?:day )?(?:of|de) )?"
        rf"{_month(MONTHS, _SHORT_MONTHS, _FOREIGN_MONTHS)}{_THEN_YEAR}?)"
    ),
    "a day before its month",
    holds=_month_before_which_a_day_stands,
)
_MONTH_FIRST = Rule(
    "date",
    pattern(rf"(?P<it>{_MONTH}(?:{SPACE}|[-/])(?:the )?(?P<day>{_DAYS}|{_ORDINAL}){_NOT_A_DOSE}(?:{_THEN_YEAR})?)"),
    "a month before its day",
    holds=_no_verb,
)
_MONTH_AND_YEAR = Rule(
    "date",
    pattern(rf"(?P<it>{_MONTH}(?:,?{SPACE}(?:of )?|[-/])?(?P<year>{YEAR}|(?:'|(?<=[-/]))[0-9]{{2}}(?![0-9])))"),
    "a month with its year",
)
_MONTH_ALONE = Rule(
    "date",
    re.compile(rf"(?P<it>(?P<month>{'|'.join(month for month in MONTHS if month not in _NAMES_OF_PEOPLE_TOO)}))(?![^\W_])"),
    "a month by its name",
)
_MONTH_IN_TIME = Rule(
    "date",
    re.compile(rf"{_IN_TIME}(?P<it>(?P<month>{'|'.join(_NAMES_OF_PEOPLE_TOO)}))(?![^\W_])"),
    "a month by its name after a word of time",
)
_SHORT_MONTH_IN_TIME = Rule(
    "date",
    re.compile(rf"{_IN_TIME}(?P<it>(?P<month>{'|'.join(_SHORT_MONTHS)})(?![^\W_])(?:\.(?= ?[a-z,;)]))?)(?!-[A-Za-z])"),
    "a month by its short name after a word of time",
)
_MONTH_AMID = Rule(
    "date",
    re.compile(
        rf"(?P<it>(?P<month>{'|'.join(_NAMES_OF_PEOPLE_TOO)}))(?![^\W_])(?! (?:of|on|for|against|past|in|to)\b)(?! [A-Z][a-z])"
    ),
    "a month by its name amid small letters",
    certain=False,
    holds=lambda match: _SMALL_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None,
)
_DAY_ALONE = Rule(
    "date",
    pattern(
        rf"(?P<it>(?:{after(*(f'{word} the ' for word in _BEFORE_A_DAY))}(?P<day>{_DAYS})"
        rf"|{after('is the ', 'be the ', 'was the ')}(?![1-5](?:st|nd|rd|th))(?P<_day>{_DAYS})))(?<=[a-z])"
        r"(?= ?(?:[.,;:)!?\n]|\Z)| (?:and|or|at|to|if|when|because|so|but|with|i|we|he|she|they|you)\b)"
    ),
    "a day of the month by itself",
    certain=False,
)
_IN_WORDS = Rule(
    "date",
    pattern(rf"(?P<it>(?P<day>{_ORDINAL}){SPACE}(?:day{SPACE})?of{SPACE}{_MONTH}(?:,?{SPACE}(?P<year>{YEAR}))?)"),
    "a day in words before its month",
)
_WEEKDAY = Rule(
    "date",
    pattern(
        rf"(?P<it>(?:{'|'.join(WEEKDAYS)})(?![^\W_])"
        rf"(?:,?{SPACE}(?:the )?(?:{_MONTH}{SPACE}?{_DAY}|{_DAY}{SPACE}?(?:of )?"
        rf"{_MONTH.replace('<month>', '<_month>')}){_NOT_A_DOSE}(?:,?{SPACE}(?P<year>{YEAR}))?)?)"
    ),
    "a day of the week",
)
_SHORT_WEEKDAY = Rule(
    "date",
    re.compile(
        rf"(?P<it>(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?)(?=,? ?(?:[0-9]{{1,2}}[/.-][0-9]|[0-9]{{1,2}}"
        rf"(?:st|nd|rd|th)?,? (?i:{_MONTH})|(?i:{_MONTH.replace('<month>', '<_month>')}) ?[0-9]))"
    ),
    "a day of the week before a date",
)
_FEAST_IN_TIME = Rule(
    "date",
    re.compile(rf"{_AT_A_FEAST}(?P<it>{_FEAST})(?![^\W_])"),
    "a feast after a word of time",
)
_FEAST_AND_YEAR = Rule("date", re.compile(rf"(?P<it>(?:{_FEAST}),?{SPACE}(?:of )?(?P<year>{YEAR}))"), "a feast with its year")
_SEASON = Rule(
    "date",
    pattern(rf"(?P<it>(?:spring|summer|autumn|fall|winter)(?:{SPACE}of)?{SPACE}(?P<year>{YEAR}|'[0-9]{{2}}(?![0-9])))"),
    "a season with its year",
)
_QUARTER = Rule("date", re.compile(rf"(?P<it>Q[1-4](?:{SPACE}|/|-)(?:of |FY)?(?P<year>{YEAR}))"), "a quarter with its year")

NUMBERS = (Numeric((1, 2), " -./,&\n", _DAY_FIRST),)
MIXED = (_DAY_FIRST, _DAY_ALONE)
MIXED_FROM_LETTER = (_QUARTER,)
WORDS = introductions(
    ([month.lower() for month in MONTHS + _SHORT_MONTHS], _MONTH_FIRST),
    ([month.lower() for month in MONTHS + _SHORT_MONTHS], _MONTH_AND_YEAR),
    ([month.lower() for month in MONTHS if month not in _NAMES_OF_PEOPLE_TOO], _MONTH_ALONE),
    ([month.lower() for month in _NAMES_OF_PEOPLE_TOO], _MONTH_IN_TIME),
    (_NAMES_OF_PEOPLE_TOO, _MONTH_AMID),
    (_SHORT_MONTHS, _SHORT_MONTH_IN_TIME),
    ((*_ORDINALS, "twenty", "thirty"), _IN_WORDS),
    ([day.lower() for day in WEEKDAYS], _WEEKDAY),
    (words("mon tue tues wed thu thur thurs fri sat sun"), _SHORT_WEEKDAY),
    (("spring", "summer", "autumn", "fall", "winter"), _SEASON),
    (_FEAST_WORDS, _FEAST_IN_TIME),
    (_FEAST_WORDS, _FEAST_AND_YEAR),
)
