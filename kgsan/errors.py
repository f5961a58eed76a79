"""What can go wrong, where it stands and what to do about it.

    KgsanError
    ├── KnowledgeError     what is known about terms cannot be read
    ├── OntologyError      an ontology cannot be read, compiled or opened
    ├── PolicyError        a policy cannot be read or does not make sense
    └── SpansError         a list of spans cannot be read, or does not fit the text

Every error carries at least one `Problem`: a stable code, a place, a sentence, and a hint where one is known.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

#: Every code with the sentence that says what it stands for; `docs/problems.md` lists the same.
CODES = {
    "A101": "The packages that the review page needs are not installed.",
    "A102": "The folder of a review cannot be used, or another review is at work in it.",
    "A103": "A line of the audit log was edited, added, removed or moved.",
    "A104": "Lines are missing at the end of the audit log.",
    "A105": "The state file of an audit log is missing or does not agree with itself.",
    "A106": "The last line of the audit log was cut off when the program ended; it was set aside.",
    "A107": "A document cannot be reviewed on a page.",
    "A108": "A document lies where the review would write.",
    "A109": "The key of an audit log is missing, cannot be read, or is another.",
    "A110": "A replacement is refused, since it is not safe.",
    "A111": "A reason is missing, or tells words of the document.",
    "A112": "What is to be decided is not there, or not in this way.",
    "A113": "A document is not ready to be released.",
    "A114": "The same document was released before under other settings.",
    "A115": "Words cannot become a line of a policy.",
    "A116": "The page cannot be served at the port that was asked for.",
    "E101": "The gold cannot be opened.",
    "E102": "The gold is in no format that kgsan reads.",
    "E103": "The gold breaks the rules of its format.",
    "E104": "The start or end of a marked span is no whole number, or does not fit the text.",
    "E105": "A marked span does not hold the words it was made for: the offsets have drifted.",
    "E106": "A label is unknown, or is not a text.",
    "E107": "The gold holds no document.",
    "E108": "Nothing in the gold is marked, so nothing can be found or missed.",
    "E109": "A document does not say what it protects, and no policy was given.",
    "E110": "There are more problems in the gold than are told.",
    "E111": "A list of terms needs the text that it was made for.",
    "E112": "A table of hits is none, or does not list the term that is the limit.",
    "E113": "A package that this needs is not installed.",
    "E114": "A curve needs several values of strictness, or another kind of file.",
    "E151": "A text that is to be attacked is empty.",
    "E152": "The originals do not go with the texts.",
    "E153": "The background holds no text.",
    "E201": "Marked documents cannot be opened, or are neither JSON lines nor columns.",
    "E202": "A marked span does not fit its text.",
    "E203": "There are too few marked documents to learn from.",
    "E204": "Of sensitive and other words the documents hold only one kind.",
    "E205": "A cost is no number above zero.",
    "E206": "A setting of the learner is unknown or out of range.",
    "E207": "A learned model cannot be read or written, is damaged, or of another version.",
    "E208": "The packages that learning needs are not installed.",
    "F101": "The content of a file is of another kind than its name says.",
    "F102": "A file is of no kind that kgsan reads.",
    "F103": "A package that a kind of file needs is not installed.",
    "F104": "A line, a row or a message breaks the rules of its kind.",
    "F105": "A row of a table has more or fewer cells than the heading.",
    "F106": "A column or field that was named is not there, or holds no text.",
    "F107": "The heading of a column discloses by itself.",
    "F108": "A line, a row or a message is larger than one can be.",
    "F109": "A record holds a picture or an attachment, which cannot be read.",
    "F110": "The ledger of a batch cannot be used.",
    "K101": "A table of counts or a file of texts cannot be opened.",
    "K102": "The bytes of the table are not UTF-8.",
    "K103": "The table does not say how many contexts there are.",
    "K104": "A row is not one or more terms and a count.",
    "K105": "A count is no whole number, or larger than the number of contexts.",
    "K106": "The same terms have two counts.",
    "K107": "A term of a group has no count of its own.",
    "K108": "There are more problems in the table than are told.",
    "K110": "A file of texts does not hold them where they are looked for.",
    "K111": "A knowledge file does not agree with itself.",
    "K112": "Another build of the same knowledge file is running.",
    "K113": "A knowledge file cannot be written.",
    "K201": "The search engine is set up wrongly.",
    "K202": "The search engine cannot be reached, or refuses to answer.",
    "K203": "The search engine answers with something that cannot be used.",
    "K204": "The budget of requests is spent.",
    "K205": "The cache of hit counts cannot be used.",
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
    "P001": "The policy cannot be opened.",
    "P002": "The bytes of the policy are not UTF-8.",
    "P003": "The policy holds signs that cannot be seen.",
    "P004": "The policy is larger than a policy may be.",
    "P005": "The policy is nested deeper than a policy may be.",
    "P006": "The policy is empty.",
    "P007": "The file holds more than one YAML document.",
    "P008": "The YAML breaks its own rules.",
    "P009": "A line is indented with something else than spaces.",
    "P010": "The YAML holds an anchor, an alias or a merge key.",
    "P011": "The YAML holds a tag.",
    "P012": "A field stands twice.",
    "P013": "The name of a field is missing or not a text.",
    "P014": "The policy is a list or a text and not fields.",
    "P015": "Text after a `#` would be lost as a comment.",
    "P016": "There are more problems in the policy than are told.",
    "P101": "A field is unknown.",
    "P102": "A field that is required is missing.",
    "P103": "A field has no value.",
    "P104": "A list, a text or fields stand where something else is wanted.",
    "P105": "A word is not one of those that the field knows.",
    "P106": "A number is none, or out of range.",
    "P107": "A date is none.",
    "P108": "A text does not have the form that the field wants.",
    "P109": "A kind of identifier cannot do what is asked of it.",
    "P110": "The policy protects nothing.",
    "P111": "The policy that is extended is not there, or lies where it may not.",
    "P112": "Policies extend each other in a circle, or in too long a row.",
    "P113": "The same thing is said twice.",
    "P114": "A field stands where it does not belong.",
    "P115": "An example says nothing, or contradicts itself.",
    "P116": "A term is both allowed and denied.",
    "P201": "No ontology knows an entity.",
    "P202": "No ontology has a concept with the id that was pinned.",
    "P203": "An entity is a word that may mean one thing or another.",
    "P204": "No ontology knows the term that is the limit of what is too specific.",
    "P205": "No ontology knows an exception.",
    "P206": "An exception is nothing that its entity covers.",
    "P207": "A term is allowed and is itself the name of what is protected.",
    "P208": "A denied term belongs to an entity that the policy does not protect.",
    "P209": "An entity has several meanings.",
    "P210": "Places are to be hidden, and no ontology knows any below a state.",
    "P252": "An entity is already covered by another line.",
    "P253": "An entity covers nothing but itself.",
    "P254": "An entity covers very much.",
    "P255": "An entity is so general that nearly every word would reach its limit.",
    "P256": "Nothing is more general than an entity.",
    "P257": "The policy stops where nothing is safe, and nothing more general than an entity is.",
    "P258": "Of all identifiers only those places are hidden that the text alone tells.",
    "P301": "An example names words that its text does not hold.",
    "P302": "An example fails.",
    "P351": "The policy has no examples.",
    "P352": "An example is no longer a gap.",
    "S101": "A text could not be made safe; nothing of it is given out.",
    "S102": "The method of the policy cannot be applied to a text by itself.",
    "S103": "A file that was made does not hold the sanitized text alone; nothing of it is given out.",
    "S104": "A paragraph is in a language that the reader does not know; nothing of the text is given out.",
    "S105": "Something went wrong that nobody foresaw; nothing of the text is given out.",
    "S106": "A process that worked on texts was ended; nothing of its texts is given out.",
    "V101": "The packages that the service needs are not installed.",
    "V102": "The token of the service is missing, cannot be read, or is too short.",
    "V103": "The service cannot be served at the address that was asked for, or two of its policies have one name.",
    "V104": "A request names another host than that of the service.",
    "V105": "A request carries no token, or a wrong one.",
    "V106": "A request asks for an address that the service does not have.",
    "V107": "A request uses a method that its address does not have.",
    "V108": "A request is not in JSON by its own account.",
    "V109": "A request is too large, or does not say its size in a way that can be read.",
    "V110": "The body of a request breaks the rules of JSON.",
    "V111": "A field of a request is missing, unknown or wrong.",
    "V112": "The service has as much to do as it takes on.",
    "V113": "A request took longer than it may.",
    "V114": "The body of a request did not arrive in time.",
    "V115": "Something went wrong in the service that nobody foresaw.",
    "V201": "A column holds something else than text.",
    "V202": "There is no such column.",
    "V203": "An argument is not one of those that are understood.",
    "V204": "The method of the policy cannot be used in a plug.",
    "V205": "Presidio's findings leave out something that a policy hides.",
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


class KnowledgeError(KgsanError):
    """What is known about terms cannot be read."""


class OntologyError(KgsanError):
    """An ontology cannot be read, compiled or opened."""


class PolicyError(KgsanError):
    """A policy cannot be read or does not make sense."""


class SpansError(KgsanError):
    """A list of spans that another tool or a person made cannot be read, or does not fit the text."""


def system_says(error: BaseException) -> str | None:
    """The system's own words for an error, if it has any. What the error says itself may be a library's, and quote a text.

    >>> system_says(FileNotFoundError(2, "Mr. Alder")), system_says(OSError("Mr. Alder"))
    ('No such file or directory', None)
    """
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) and number > 0 else None


def ontology_error(
    code: str, file: object, message: str, hint: str | None = None, *, line: int | None = None, column: int | None = None
) -> OntologyError:
    """The error for one problem at one place of an ontology source."""
    return OntologyError(Problem(code, Place(str(file), line, column), message, hint))
