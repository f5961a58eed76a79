"""Clinical notes and mails that nobody wrote about nobody, with every name of a person marked; by seed always the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from kgsan.evaluate import generated_templates as templates
from kgsan.evaluate import generated_words as words

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTES, MAILS = "notes", "mails"
KINDS = (NOTES, MAILS)
_SLOT = re.compile(r"\{(?:([a-z])\.)?([a-z]+)\}")
_WORD = re.compile(r"[A-Za-z]{5,}")
#: How often things are written carelessly.
_IN_SMALL_LETTERS, _NAME_IN_SMALL_LETTERS, _MISSPELT_NAME, _MISSPELT_WORD = 0.1, 0.06, 0.06, 0.008


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and where persons are named in it, [start, end]; shows no words when printed."""

    text: str = field(repr=False)
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Person:
    first: str
    last: str
    nick: str


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    is_name: bool = False


def generated(kind: str, count: int, seed: int = 0) -> list[MarkedText]:
    """So many notes or mails.

    >>> [len(generated("notes", 3)), generated("mails", 2) == generated("mails", 2)]
    [3, True]
    """
    assert kind in KINDS
    return [_document(kind, Random(f"{kind} {seed} {number}")) for number in range(count)]


def _document(kind: str, dice: Random) -> MarkedText:
    people = {letter: _person(dice) for letter in "pdnrstab"}
    pieces: list[_Piece] = []
    for line in _notes(dice) if kind == NOTES else _mails(dice):
        pieces += [*_filled(line, people, dice)]
    careless = dice.random() < _IN_SMALL_LETTERS
    made, spans, at = [], [], 0
    for piece in pieces:
        text = _careless(piece, dice)
        text = text.lower() if careless else text
        if piece.is_name:
            spans.append((at, at + len(text)))
        made.append(text)
        at += len(text)
    return MarkedText("".join(made), tuple(spans))


def _notes(dice: Random) -> Iterator[str]:
    if dice.random() < 0.7:
        yield dice.choice(templates.NOTE_HEADERS) + "\n\n"
    yield from _paragraphs(templates.NOTE_SENTENCES, templates.NOTE_EITHER, templates.NOTE_PROSE, dice)
    if dice.random() < 0.8:
        yield "\n\n" + dice.choice(templates.NOTE_SIGNATURES)


def _mails(dice: Random) -> Iterator[str]:
    if dice.random() < 0.85:
        yield dice.choice(templates.MAIL_HEADERS) + "\n\n"
    if dice.random() < 0.7:
        yield dice.choice(templates.MAIL_GREETINGS) + "\n"
    yield from _paragraphs(templates.MAIL_SENTENCES, templates.MAIL_EITHER, templates.MAIL_PROSE, dice)
    if dice.random() < 0.85:
        yield "\n\n" + dice.choice(templates.MAIL_SIGNATURES)


def _paragraphs(sentences: tuple[str, ...], either: tuple[str, ...], prose: tuple[str, ...], dice: Random) -> Iterator[str]:
    chosen = [*dice.sample(sentences, dice.randint(2, 6)), *dice.sample(either, dice.randint(0, 3))]
    chosen += dice.sample(prose, dice.randint(3, 8))
    dice.shuffle(chosen)
    for number, sentence in enumerate(chosen):
        yield sentence if not number else dice.choice((" ", " ", " ", "\n")) + sentence


# --- filling ---------------------------------------------------------------------------------------------------------------


def _person(dice: Random) -> _Person:
    chance = dice.random()
    first = dice.choice(words.WORD_FIRST_NAMES if chance < 0.15 else words.FIRST_NAMES)
    if chance > 0.8:  # names that nobody has heard of
        first = "".join(dice.sample(words.SYLLABLES, dice.randint(2, 3))).capitalize()
    return _Person(first, _last_name(dice), dice.choice([first, *dice.sample(words.NICKNAMES, 2)]))


def _last_name(dice: Random) -> str:
    chance = dice.random()
    if chance < 0.12:
        return dice.choice(words.WORD_LAST_NAMES)
    if chance < 0.4:
        return dice.choice(words.BEGINNINGS) + dice.choice(words.ENDINGS)
    return dice.choice(words.LAST_NAMES)


def _filled(template: str, people: dict[str, _Person], dice: Random) -> Iterator[_Piece]:
    at = 0
    for slot in _SLOT.finditer(template):
        yield _Piece(template[at : slot.start()])
        letter, what = slot.groups()
        if what == "anyone":
            yield from _anyone(people, dice)
        else:
            yield from _named(people[letter], what) if letter else [_Piece(_thing(what, dice))]
        at = slot.end()
    yield _Piece(template[at:])


def _anyone(people: dict[str, _Person], dice: Random) -> Iterator[_Piece]:
    if dice.random() < 0.5:
        return _named(people[dice.choice("dnratb")], dice.choice(("first", "last", "last", "full", "nick", "initial")))
    return iter([_Piece(_thing(dice.choice(("place", "place", "firm", "product", "drug", "ward")), dice))])


def _named(person: _Person, way: str) -> Iterator[_Piece]:
    match way:
        case "first" | "last" | "nick":
            yield _Piece(getattr(person, way), True)
        case "full":
            yield _Piece(f"{person.first} {person.last}", True)
        case "capitals":
            yield _Piece(f"{person.first} {person.last}".upper(), True)
        case "initial":
            yield _Piece(f"{person.first[0]}. {person.last}", True)
        case "initials":
            yield _Piece(f"{person.first[0]}{person.last[0]}", True)
        case _:
            assert way == "reversed", way
            yield from (_Piece(person.last, True), _Piece(", "), _Piece(person.first, True))


def _thing(what: str, dice: Random) -> str:
    """Something that is no person, though it may be called like one."""
    match what:
        case "place":
            return dice.choice(words.PLACES) if dice.random() < 0.7 else _composed(dice)
        case "hospital":
            return dice.choice(
                (
                    f"{_last_name(dice)} Memorial Hospital",
                    f"St. {dice.choice(words.FIRST_NAMES)} Hospital",
                    f"{_composed(dice)} General",
                    f"the {dice.choice(words.WORD_LAST_NAMES)} Clinic",
                    f"{dice.choice(words.PLACES)} Medical Center",
                )
            )
        case "firm":
            name = _last_name(dice)
            return dice.choice(
                (f"{name} & Sons", f"{name} Energy", f"{_composed(dice)} Partners", f"Bank of {name}", f"{name} Inc.")
            )
        case "ward":
            return dice.choice(
                (f"{dice.choice(words.FIRST_NAMES)} Ward", f"Ward {dice.randint(1, 9)}", f"{_composed(dice)} Wing")
            )
        case "restaurant":
            return dice.choice((f"Chez {dice.choice(words.FIRST_NAMES)}", f"the {dice.choice(words.WORD_LAST_NAMES)} Grill"))
        case "date":
            return dice.choice(
                (
                    f"{dice.choice(words.MONTHS)} {dice.randint(1, 28)}, {dice.randint(2015, 2024)}",
                    f"{dice.randint(1, 12)}/{dice.randint(1, 28)}/{dice.randint(15, 24)}",
                )
            )
        case "pressure":
            return str(dice.randint(95, 185))
        case "number":
            return str(dice.randint(10_000, 999_999))
        case "age":
            return str(dice.randint(19, 94))
        case "small":
            return str(dice.randint(2, 9))
        case "dose":
            return str(dice.choice((5, 10, 20, 25, 40, 75, 100, 250, 500)))
        case "domain":
            return f"{_composed(dice).lower()}.example"
    return dice.choice(_LISTS[what])


_LISTS = {
    "drug": words.DRUGS,
    "disease": words.DISEASES,
    "device": words.DEVICES,
    "symptom": words.SYMPTOMS,
    "topic": words.TOPICS,
    "product": words.PRODUCTS,
    "month": words.MONTHS,
    "day": words.DAYS,
    "title": words.TITLES,
}


def _composed(dice: Random) -> str:
    return dice.choice(words.BEGINNINGS) + dice.choice(words.ENDINGS)


# --- carelessness ------------------------------------------------------------------------------------------------------------


def _careless(piece: _Piece, dice: Random) -> str:
    if piece.is_name:
        text = _misspelt(piece.text, dice) if dice.random() < _MISSPELT_NAME else piece.text
        return text.lower() if dice.random() < _NAME_IN_SMALL_LETTERS else text
    return _WORD.sub(lambda found: _misspelt(found[0], dice) if dice.random() < _MISSPELT_WORD else found[0], piece.text)


def _misspelt(word: str, dice: Random) -> str:
    """The word with two letters in each other's place, one twice, or one left out; it never gets empty."""
    at = dice.randrange(1, len(word)) if len(word) > 3 else 0
    if not at or not word[at].isalpha() or not word[at - 1].isalpha():
        return word
    match dice.randrange(3):
        case 0:
            return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        case 1:
            return word[:at] + word[at] + word[at:]
        case _:
            return word[:at] + word[at + 1 :]
