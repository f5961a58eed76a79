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
#: What somebody is to another, written the same way: "his wife Lorene".
_RELATIVES = words(
    "wife husband spouse fiance fiancee fiancé fiancée partner son daughter brother sister mother father mum mom dad uncle aunt "
    "cousin nephew niece grandson granddaughter grandmother grandfather stepson stepdaughter stepfather stepmother boyfriend "
    "girlfriend friend neighbour neighbor roommate flatmate housemate colleague classmate"
)
#: What is done to people: the capitalised word behind it is one of them.
_DONE_TO_PEOPLE = words(
    "told advised arrested observed asked informed interviewed detained handcuffed searched booked mirandized questioned "
    "cautioned escorted transported restrained"
)
_LEAD = re.compile(r"(?:(?i:according to|statements? (?:of|from|by))|[A-Za-z]{2,14}\.?) {0,2}(?: |\n {0,4})(?=[^\W\d_])")
_WHOSE = re.compile(r"(?:(?<![^\W_])(?:my|his|her|their|our|your|My|His|Her|Their|Our|Your)|['’]s) (?:[a-z]{2,10} )?\Z")
#: Somebody to be asked: "Call Rhett at", "ask for Rhett".
_ASKED = re.compile(r"(?:[Cc]all|[Pp]hone|[Rr]ing|[Tt]ext|[Ee]mail|[Cc]ontact|[Aa]sk for|[Ss]peak to|[Ss]peak with) (?=[^\W\d_])")
_BEHIND_THE_ASKED = re.compile(r" (?:at|on|or|if|when|before|after|about|and|to)\b|[.,!?;)\n]|\Z")
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


def _related(plain: str, at: int) -> Identifier | None:
    """A relative's name, which may be an everyday word where it says whose relative it is: "my sister Grace"."""
    if plain[at].islower() and _WHOSE.search(plain, max(0, at - 24), at):
        lead = _LEAD.match(plain, at)
        found = person(plain, lead.end(), "follows a word for a relative", certain=False) if lead else None
        first = plain[found.start : found.end].split()[0] if found else ""
        return found if first.istitle() and first not in _TIMES else None
    return _told(plain, at)


def _asked(plain: str, at: int) -> Identifier | None:
    lead = _ASKED.match(plain, at)
    found = person(plain, lead.end(), "is to be asked", certain=False) if lead else None
    if found is None or not _BEHIND_THE_ASKED.match(plain, found.end):
        return None
    said = plain[found.start : found.end]
    return None if said.isupper() or any(word.lower() in everyday_words() for word in said.split()) else found


def _said(plain: str, at: int) -> Identifier | None:
    found = _told(plain, at) if _SAID.match(plain, at) else None
    # "According to French law": somebody's name ends what it says.
    goes_on = found is not None and plain[at] in "aA" and plain[found.end : found.end + 2].strip().isalnum()
    return None if goes_on else found


WORDS = introductions(
    (_RANKS, _told),
    ((*_ROLES, *_DONE_TO_PEOPLE), _told),
    (_RELATIVES, _related),
    (("call", "phone", "ring", "text", "email", "contact", "ask", "speak"), _asked),
    (("according", "statement", "statements"), _said),
)
