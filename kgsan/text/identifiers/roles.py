"""Names of people by what is said of them directly before: "Defendant Brennan", "PC Hargreave", "arrested Tomlin"."""

import re

from kgsan.text.everyday import everyday_words
from kgsan.text.identifiers.calendar import MONTHS, WEEKDAYS
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.names import person
from kgsan.text.identifiers.rule import introductions, words

_TIMES = frozenset(word.capitalize() for word in (*MONTHS, *WEEKDAYS))
#: Ranks of the police that are also other things ("Bactrim DS", "Washington, DC"): no everyday word is a name behind them.
_RANKS = words(
    "PC WPC PCSO DC DS DI DCI TDC SGT OFC Constable Inspector Deputy Trooper Det Ofc Agent Warden Matron Superintendent Paramedic"
)
#: What somebody is in a case or a report, written directly before the name.
_ROLES = words(
    "defendant plaintiff appellant appellee petitioner respondent claimant complainant witness victim suspect inmate detainee "
    "prisoner tenant arrestee decedent driver passenger subject officers"
)
#: What is done to people: the capitalised word behind it is one of them.
_DONE_TO_PEOPLE = words(
    "told advised arrested observed asked informed interviewed detained handcuffed searched booked mirandized questioned "
    "cautioned escorted transported restrained"
)
_LEAD = re.compile(r"(?:(?i:according to|statements? (?:of|from|by))|[A-Za-z]{2,14}\.?) {0,2}(?: |\n {0,4})(?=[^\W\d_])")
_SAID = re.compile(r"(?i:according to|statements? (?:of|from|by))[ \n]")


def _told(plain: str, at: int) -> Identifier | None:
    """A name by what is said of it directly before; an everyday word with a capital is none, nor is an abbreviation."""
    lead = _LEAD.match(plain, at)
    found = person(plain, lead.end(), "follows a word for a person", certain=False) if lead else None
    if found is None:
        return None
    first = plain[found.start : found.end].split()[0]
    shouted = first.isupper() and len(first) < 5 and first[-1] != "."
    everyday = first in _TIMES or all(
        word.lower() in everyday_words() for word in plain[found.start : found.end].replace(".", " ").split()
    )
    return None if shouted or everyday or plain[max(0, at - 2) : at] == ", " else found


def _said(plain: str, at: int) -> Identifier | None:
    found = _told(plain, at) if _SAID.match(plain, at) else None
    # "According to French law": somebody's name ends what it says.
    goes_on = found is not None and plain[at] in "aA" and plain[found.end : found.end + 2].strip().isalnum()
    return None if goes_on else found


WORDS = introductions(
    (_RANKS, _told),
    ((*_ROLES, *_DONE_TO_PEOPLE), _told),
    (("according", "statement", "statements"), _said),
)
