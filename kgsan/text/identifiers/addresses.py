"""Addresses: streets, boxes and postcodes, and the town before its state."""

import re

from kgsan.text.everyday import FUNCTION_WORDS
from kgsan.text.identifiers.calendar import MONTHS, WEEKDAYS
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import SPACE, Numeric, Rule, introductions, pattern, words
from kgsan.text.tokens import TITLES

_STATES = words(
    "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii "
    "Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan "
    "Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York "
    "North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina "
    "South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming "
    "Puerto_Rico District_of_Columbia"
)
_CODES = words(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC "
    "ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR DC"
)
_CODES_THAT_ARE_WORDS = "IN|OR|ME|HI|OK|PA|MA|ID|LA|DE|CO|AL|OH"
_SURE_CODES = set(_CODES) - set(
    words("AL AR CO CT DC DE HI ID IN LA MA MD ME MI MO MS MT ND OH OK OR PA PR RI SC SD VA AK CA NE")
)
_UK_AREAS = words(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH "
    "EN EX FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M "
    "ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST "
    "SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE"
)
_SUFFIX = (
    r"Street|St|Avenue|Ave|Av|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Ter|Way"
    r"|Circle|Cir|Square|Sq|Highway|Hwy|Parkway|Pkwy|Trail|Trl"
    r"|Close|Crescent|Cres|Grove|Gardens|Mews|Row|Alley|Plaza|Turnpike|Pike|Expressway|Broadway"
)
#: Words that make a street only behind a number and a name: 3 Quarry View.
_SELDOM = "View|Hill|Rise|Walk|Mount|Vale|Croft|Meadow|Meadows|Wharf|Quay|Heights|Parade|Ridge|Villas|Cottages|Green"
_UNIT = (
    rf"(?:,?{SPACE}(?:(?:Apt|Apartment|Unit|Suite|Ste|Rm|Room|Floor|Fl|Bldg|Building|Lot)\b\.? ?#?|#) ?"
    rf"[A-Z0-9][A-Z0-9-]{{0,5}}\b)"
)
_COMPASS = r"(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?"
_NAME = r"(?:[A-Z][A-Za-z'-]{0,24}\.?|[0-9]{1,3}(?:st|nd|rd|th|ST|ND|RD|TH))"
_SHOUTED = _SUFFIX.upper()
_NO_ADDRESS = words(
    "Supreme District High Circuit County Federal Crown Superior Appeals Municipal Trial Hard Milky "
    "Hour Minute Day Week Month Year Mile Step Point Stage Lateral Frontal Oblique PA AP"
)
#: What is said of money, television and the whole country.
_FIGURATIVE = frozenset(words("wall sesame coronation high main silk fleet downing madison"))
_STREET_WORDS = words("Street Avenue Road Boulevard Crescent Lane Terrace Drive Close")
#: These are surnames and common words as well: only behind "in" or "on".
_WITH_PREPOSITION = frozenset(words("Lane Terrace Drive Close"))
_PREPOSITION = re.compile(r"(?:^|[^\w])(?:in|on|at|to|from|near|along|down|off|of) $", re.IGNORECASE)
_NAME_WORD = re.compile(r"(?:[A-Z][a-z][A-Za-z'-]{0,23}|St\.|[0-9]{1,3}(?:st|nd|rd|th)) $")
_TOWN_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]{0,24}(?:['-][^\W\d_]{1,24}){0,2}")
_NOT_A_TOWN = frozenset(
    words(
        "in from at near to of the he she his her they we i and or patient lives resides born moved street "
        "st ave avenue road rd apt box"
    )
)


def _address(match: re.Match[str]) -> bool:
    return match["_last"].strip(" .\n") not in _NO_ADDRESS


def _town(plain: str, at: int) -> Identifier | None:
    """The capitalised words before ', Illinois' or ', IL'; a code that is also a degree needs its ZIP code beside it."""
    state = _STATE.match(plain, at)
    if state is None or not (state["_zip"] or state["_state"] in _SURE_CODES or len(state["_state"]) > 2):
        return None
    end = len(plain[max(0, at - 60) : at].rstrip(" \n")) + max(0, at - 60)
    if plain[end - 1 : end] == ",":
        end -= 1
    elif not state["_zip"]:
        return None
    start = word_end = end
    for _ in range(3):
        blank = max(
            plain.rfind(" ", max(0, word_end - 30), word_end),
            plain.rfind("\n", max(0, word_end - 30), word_end),
            max(0, word_end - 30) - 1,
        )
        word = plain[blank + 1 : word_end]
        bare = word.strip("(.")
        if (
            (bare.lower() in _NOT_A_TOWN and start < end)
            or not _TOWN_WORD.fullmatch(bare)
            or (word.endswith(".") and bare not in ("St", "Ft", "Mt"))
        ):
            break
        start = blank + 1 + (len(word) - len(word.lstrip("(")))
        word_end = blank
        if blank < 0 or word[0] == "(" or plain[blank] == "\n" or plain[blank - 1 : blank] in (",", ".", ";", ":"):
            break
    if start == end or plain[start:end].lower() in _NOT_A_TOWN | _STATES_ALONE:
        return None
    return Identifier(start, end, "city", "stands before a state")


def _town_behind(plain: str, at: int) -> Identifier | None:
    """The town of an address: capitalised words between a street and the next mark, "22 Tanner Lane, Northwold." """
    street = _STREET(plain, at) or _bare_street(plain, at)
    found = _BEHIND_STREET.match(plain, street.end) if street is not None else None
    if found is None:
        return None
    low = found["it"].lower()
    if low in _STATES_ALONE | _COUNTRIES or low.split()[0].rstrip(".") in _NOT_BEHIND_A_STREET:
        return None
    return Identifier(*found.span("it"), "city", "follows a street")


def _bare_street(plain: str, at: int) -> Identifier | None:
    """The capitalised words before "Street", without a number: a street is smaller than a state all the same."""
    suffix = next((word for word in _STREET_WORDS if plain.startswith(word, at)), None)
    if suffix is None:
        return None
    start, name = at, ""
    for _ in range(3):
        found = _NAME_WORD.search(plain, max(0, start - 26), start)
        word = found.group().strip() if found is not None else ""
        if found is None or word.lower().rstrip(".") in _NOT_IN_A_STREET:
            break
        start, name = found.start(), word.lower()
        if start and not plain[start - 1].isspace():
            return None
    if start == at or name in _FIGURATIVE:
        return None
    in_address = plain[max(0, start - 2) : start] == ", " and plain[at + len(suffix) : at + len(suffix) + 1] == ","
    if suffix in _WITH_PREPOSITION and not (in_address or _PREPOSITION.search(plain, max(0, start - 7), start)):
        return None
    return Identifier(start, at + len(suffix), "street", "a name and a word for a street", certain=False)


def _house(plain: str, at: int) -> Identifier | None:
    """A house that has a name in the place of a number: "The Old Forge, Mill Lane"."""
    end = at
    while plain[end : end + 1].isalpha():
        end += 1
    lead = _HOUSE_NAME.search(plain, max(0, at - 40), at)
    if lead is None or not _STREET_BEHIND.match(plain, end):
        return None
    return Identifier(lead.start("it"), end, "street", "the name of a house before its street")


_HOUSE_NAME = re.compile(r"(?:^|[\s:(])(?P<it>(?:[A-Z][a-z'-]{1,20} ){1,3})$")
_STREET_BEHIND = re.compile(rf",{SPACE}(?:[0-9]{{1,4}} )?(?:[A-Z][A-Za-z'-]{{1,20}} ){{1,3}}(?:{_SUFFIX}|{_SELDOM})(?![^\W_])")
_NOT_IN_A_STREET = (FUNCTION_WORDS | TITLES | frozenset(words("patient street hard google one each every cross off"))) - {"st"}
_STATES_ALONE = frozenset(state.replace("_", " ").lower() for state in _STATES) - {"new york", "washington"}
_COUNTRIES = frozenset(words("england scotland wales ireland canada australia france germany india uk usa america britain"))
_NOT_BEHIND_A_STREET = (
    frozenset(word.lower() for word in (*MONTHS, *WEEKDAYS))
    | FUNCTION_WORDS
    | (TITLES - {"st"})
    | frozenset(words("apt apartment unit suite floor flat room dob tel phone fax email ssn mrn nhs"))
)
_BEHIND_STREET = re.compile(
    rf",{SPACE}(?P<it>[A-Z][^\W\d_]{{2,24}}(?:-[^\W\d_]{{1,24}}){{0,3}}"
    rf"(?: (?:(?:upon|on|under|by|le|in|the|of) )?[A-Z][^\W\d_]{{2,24}}){{0,2}})"
    rf"(?=[.,;)\n]|\Z|{SPACE}[A-Z]{{1,2}}[0-9]|{SPACE}[0-9]{{5}})"
)
_STATE_NAMES = "|".join(state.replace("_", " ") for state in _STATES)
_ZIP = r"(?P<first_3>[0-9]{3})[0-9]{2}(?:-[0-9]{4})?(?![0-9]|-[0-9]|[.,][0-9])"
_STATE = re.compile(rf"(?P<_state>{'|'.join(_CODES)}|{_STATE_NAMES})(?![^\W_])(?P<_zip>[.,]?{SPACE}[0-9]{{5}}(?![0-9]))?")
_ZIP_AFTER_STATE = Rule(
    "zip",
    re.compile(
        rf"(?:(?!(?:{_CODES_THAT_ARE_WORDS})\b)|(?<=, )|(?<=,\n)|(?<=,))(?:{'|'.join(_CODES)}|(?i:"
        rf"{_STATE_NAMES}))(?![^\W_])[.,]?{SPACE}(?P<it>{_ZIP})"
    ),
    "five digits after a state",
)
_ZIP_INTRODUCED = Rule(
    "zip", pattern(rf"(?:zip|postal)(?:[ -]?code)?(?: (?:is|of))?[ :#=]{{1,3}}(?P<it>{_ZIP})"), "follows 'ZIP'"
)
_CANADIAN = Rule(
    "zip",
    re.compile(r"(?P<it>(?P<area>[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z])[ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9])(?![^\W_])"),
    "the shape of a Canadian postcode",
)
_BRITISH = Rule(
    "zip",
    re.compile(
        rf"(?P<it>(?P<area>(?:{'|'.join(sorted(_UK_AREAS, key=len, reverse=True))})[0-9][0-9A-Z]?) {{1,2}}[0-9]"
        rf"[ABD-HJLNP-UW-Z]{{2}})(?![^\W_])"
    ),
    "the shape of a British postcode",
)
_DUTCH = Rule(
    "zip",
    re.compile(
        r"(?P<it>(?!19|20)(?P<area>[1-9][0-9]{3}) ?(?!SA|SD|SS|AM|PM|MG|ML|MM|CM|KG|AD|BC|CE)[A-Z]{2})"
        r"(?= {1,2}[A-Z][^\W\d_]|, [A-Z]|\n)"
    ),
    "the shape of a Dutch postcode",
    certain=False,
)
_IRISH = Rule(
    "zip",
    re.compile(
        r"(?P<it>(?P<area>[AC-FHKNPRTV-Y][0-9][0-9W]) (?=[0-9]{0,3}[A-Z])(?=[A-Z]{0,3}[0-9])[0-9ACDEFHKNPRTV-Y]{4})(?![^\W_])"
    ),
    "the shape of an Irish postcode",
)
_POSTCODE_INTRODUCED = Rule(
    "zip",
    pattern(
        r"(?:postal ?code|post ?code|eircode|cep|plz|codigo postal|code postal)(?: (?:is|of))?[ :#=]{1,3}"
        r"(?-i:(?P<it>[A-Z]{0,2}-?[0-9][0-9A-Z]{1,5}(?:[ -][0-9A-Z]{2,4})?))(?![^\W_])"
    ),
    "follows 'postcode'",
)
_STREET = Rule(
    "street",
    re.compile(
        rf"(?P<it>[0-9]{{1,6}}[A-Za-z]?(?:-[0-9]{{1,5}}[A-Za-z]?)?,?{SPACE}(?:{_COMPASS}{SPACE})?(?P<_last>"
        rf"{_NAME}{SPACE}){{1,4}}?"
        rf"(?!St\.? [A-Z][a-z]{{1,20}}'s|D[Rr]\.? [A-Z]|CT\b(?! [A-Z]))(?:{_SUFFIX}|{_SELDOM}|{_SHOUTED})(?![^\W_])\.?"
        rf"(?: {_COMPASS})?{_UNIT}{{0,2}})"
    ),
    "a number, a name and a word for a street",
    holds=_address,
)
_SMALL_STREET = Rule(
    "street",
    re.compile(r"(?P<it>[0-9]{1,5} (?!way|one|busy|dark|city|long|quiet)[a-z]{3,20} (?:street|avenue|boulevard)\b)"),
    "a number, a name and a word for a street",
    certain=False,
)
_RUE = Rule(
    "street",
    re.compile(
        r"(?P<it>[0-9]{1,4}(?: (?:bis|ter))?,? (?:rue|avenue|boulevard|place|quai|chemin|allee|calle) (?:(?:de"
        r"|du|des|la|le|les|d'|l'|del|los|las) ?){0,3}[A-ZÀ-Þ][^\W\d_]{1,30}(?:[ -][A-ZÀ-Þ][^\W\d_]{1,30}){0,2}(?![^\W_]))"
    ),
    "a number and a word for a street",
)
_HIGHWAY = Rule(
    "street",
    re.compile(
        rf"(?P<it>[0-9]{{1,6}} (?:{_COMPASS} )?(?:(?:County|State|US|U\.S\.) )?(?:Highway|Hwy|Route|Rte|Road) "
        rf"[0-9]{{1,4}}[A-Z]?\b(?: {_COMPASS})?(?:,? (?:[Rr]oom|[Uu]nit|[Ll]ot|[Aa]pt\.?) #?[0-9A-Z]{{1,5}}\b)?)"
    ),
    "a number on a numbered road",
)
_BOX = Rule(
    "street",
    pattern(r"(?P<it>(?:p\.? ?o\.? ?box|post office box|p\.? ?o\.? ?drawer)(?: no\.?)?[ #:]{0,2}[0-9]{1,7})(?![0-9])"),
    "a post office box",
)
_APARTMENT = Rule(
    "street",
    re.compile(
        r"(?P<it>(?:Apt|APT|Apartment|Flat)\b\.? ?(?:[Nn]o\. ?)?#?(?:[0-9]{1,5}[A-Z]?|[A-Z][0-9]{0,4})(?:-"
        r"[0-9A-Z]{1,4})?)(?![^\W_])"
    ),
    "an apartment",
)

NUMBERS = (
    Numeric(range(1, 7), " -,\n", _STREET),
    Numeric(range(1, 7), " -,\n", _town_behind),
    Numeric((4,), " ", _DUTCH),
    Numeric(range(1, 6), " ", _SMALL_STREET),
    Numeric(range(1, 5), " ,", _RUE),
    Numeric(range(1, 7), " ", _HIGHWAY),
)
MIXED = (_STREET,)
MIXED_FROM_LETTER = (_CANADIAN, _BRITISH, _IRISH)
_STATE_WORDS = [*_CODES, *sorted({state.split("_")[0].lower() for state in _STATES})]
WORDS = introductions(
    (_STATE_WORDS, _ZIP_AFTER_STATE),
    (_STATE_WORDS, _town),
    (("zip", "zipcode", "postal"), _ZIP_INTRODUCED),
    (("postcode", "postal", "post", "eircode", "cep", "plz", "codigo", "code"), _POSTCODE_INTRODUCED),
    (_STREET_WORDS, _bare_street),
    (_STREET_WORDS, _town_behind),
    (words("Cottage Farm Farmhouse Barn Forge Lodge Rectory Vicarage Bungalow House"), _house),
    (("po", "p", "post"), _BOX),
    (("apt", "apartment", "flat"), _APARTMENT),
)
