"""What can go wrong, where it stands and what to do about it.

    KgsanError
    ├── OntologyError      an ontology cannot be read, compiled or opened
    └── SpansError         a list of spans cannot be read, or does not fit the text

Every error carries at least one `Problem`: a stable code, a place, a sentence, and a hint where one is known.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Every code with the sentence that says what it stands for; `docs/problems.md` lists the same.
CODES = {
    "O101": "The file or folder cannot be opened.",
    "O102": "The content is in no format that kgsan reads.",
    "O103": "The content breaks the rules of its format.",
    "O104": "The bytes are not in the encoding the format asks for.",
    "O105": "The archive is unsafe or damaged: it grows beyond reason, or names files outside itself.",
    "O106": "The XML declares entities that kgsan refuses to expand or to fetch.",
    "O107": "A file or a column that the format requires is missing.",
    "O108": "Two different concepts have the same id.",
    "O109": "No concept was found.",
    "O110": "The ontology is larger or more entangled than kgsan can hold.",
    "O111": "A program or package that this source needs is not installed.",
    "O112": "The compiled file is damaged, cut short or of another format version.",
    "O113": "The concept that was asked for does not exist.",
    "O201": "An import was not found on this machine.",
    "O202": "Concepts were each other's generalizations; the circle was cut.",
    "O203": "A parent or related concept is not in the source.",
    "O204": "A concept has no name and can only be reached by its id.",
    "O205": "No name was found in the language that was asked for.",
    "O206": "Part of the source was passed over.",
    "X101": "The file of spans cannot be opened.",
    "X102": "The spans are neither JSON nor JSON lines.",
    "X103": "The spans are not in UTF-8.",
    "X104": "The spans are larger or deeper nested than kgsan reads.",
    "X105": "Something in the list is no span.",
    "X106": "The start or end of a span is missing or not a whole number.",
    "X107": "A span is empty, or begins before the text.",
    "X108": "A span ends beyond the text.",
    "X109": "A span does not hold the words it was made for: the offsets have drifted.",
    "X110": "A score is not a number.",
    "X111": "A label is not a text.",
    "X112": "There are more problems than are told.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, and a line and column in it when they are known."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join([self.file, *numbers])


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, in words for a person and a code for a machine.

    >>> print(Problem("O103", Place("my.obo", 7), "The tag has no value.", "Write 'name: ...'."))
    my.obo:7: O103 The tag has no value. Write 'name: ...'.
    """

    code: str
    place: Place
    message: str
    hint: str | None = None

    def __post_init__(self) -> None:
        assert self.code in CODES, self.code

    def __str__(self) -> str:
        hint = f" {self.hint}" if self.hint else ""
        return f"{self.place}: {self.code} {self.message}{hint}"


class KgsanError(Exception):
    """Base of every error kgsan raises on purpose."""

    def __init__(self, *problems: Problem) -> None:
        assert problems
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class OntologyError(KgsanError):
    """An ontology cannot be read, compiled or opened."""


class SpansError(KgsanError):
    """A list of spans that another tool or a person made cannot be read, or does not fit the text."""


def ontology_error(
    code: str, file: object, message: str, hint: str | None = None, *, line: int | None = None, column: int | None = None
) -> OntologyError:
    """The error for one problem at one place of an ontology source."""
    return OntologyError(Problem(code, Place(str(file), line, column), message, hint))
