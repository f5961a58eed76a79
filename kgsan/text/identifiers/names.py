"""Names of people that the text itself introduces: by a title, a label, a greeting, a signature, initials or a degree."""

import re
from collections.abc import Iterator

from kgsan.text.everyday import everyday_words
from kgsan.text.identifiers.calendar import MONTHS, WEEKDAYS
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import introductions, words

_CAPITALS = "".join(chr(code) for code in (*range(0xC0, 0x590), *range(0x1E00, 0x2000)) if chr(code).isupper())
_INITIAL = f"[A-Z{_CAPITALS}\u05d0-\u0fff\u3040-\u9fff\uac00-\ud7a3]"
_PARTICLES = r"(?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|bin|ibn|al|el|ter|ten|zu|y)[ -]){0,3}(?:d'|al-|el-)?"
_STEP = re.compile(
    rf"(?P<space> {{0,2}})(?P<word>{_PARTICLES}(?P<first>{_INITIAL})(?:\.(?=[ ,A-Z]|$)|[^\W\d_]{{0,30}}(?:"
    rf"['-](?!s\b)[^\W\d_]{{1,30}}){{0,3}}))"
)
_JUNIOR = re.compile(r",? (?:Jr|Sr|JR|SR)\b\.?| (?:II|III|IV)\b")

_TITLES = words(
    "Dr Mr Mrs Ms Mx Miss Prof Professor Doctor Rev Reverend Nurse Judge Justice Officer Detective Sgt "
    "Sergeant Lt Capt Captain Col Cpl Maj Hon Sen Rabbi Imam Sir Dame Frau Herr Mme Senor Senora Drs "
    "Aunt Auntie Aunty Uncle Grandma Grandpa Granny "
    "Messrs DR MR MRS MS PROF DRS"
)
_SMALL_TITLES = ("dr", "mr", "mrs", "ms", "prof")
_LABELS = words(
    "patient name pt physician attending provider doctor surgeon resident nurse mother father spouse "
    "husband wife son daughter guardian contact kin plaintiff defendant client claimant applicant "
    "respondent witness attn attention author recipient sender employee manager caregiver clinician "
    "therapist pcp insured subscriber guarantor signature fullname firstname surname keyworker caseworker "
    "interpreter advocate midwife psychologist psychiatrist solicitor carer counsellor counselor supervisor tutor "
    "sister brother deceased complainant victim suspect landlord tenant nok"
)
_DEEDS = words(
    "signed dictated reviewed prepared witnessed transcribed authored written verified cosigned referred "
    "seen examined performed completed entered ordered notarized interviewed"
)
_DEGREES = words(
    "MD DO RN NP PhD DDS DMD Esq LPN CRNP FNP DPM OD PharmD MBBS FACS MPH LCSW DPT PA DVM JD APRN CNM FACP FRCS BSN MSN PsyD"
)
_CLOSINGS = words("sincerely regards best thanks cheers yours cordially respectfully")

_NO_NAMES = frozenset(word.lower() for word in (*_TITLES, *_CLOSINGS)) | frozenset(
    words(
        "the a an he she it they we you i his her their our my this that these those there here and or but "
        "if in on at to of for with from by as is was were are be has had have will would may can could "
        "should did does do not no yes please thank thanks dear hello hi sir madam team all everyone "
        "colleague colleagues customer patient patients doctor physician nurse name date dob mrn history "
        "plan assessment medications allergies diagnosis chief complaint exam examination note notes report "
        "summary subject from sent re cc practitioner practitioners manager director staff hospital clinic "
        "center centre department university school medical medicine health healthcare surgery radiology "
        "pathology cardiology neurology oncology emergency laboratory lab pharmacy services service "
        "committee court county state office company corp inc llc ltd bank group age sex gender address "
        "phone tel fax email unknown none male female above below see per via when while then after before "
        "since until during because however also today tomorrow yesterday now id number ssn account "
        "insurance admission discharge follow continue start stop return called call seen denies reports "
        "states presents who whom which whose what where why how both either editor reader friend member "
        "members homes rights council board government ministry corporation foundation "
        "association institute coli pylori aureus food"
    )
)
_NOT_AFTER_NAMES = _NO_NAMES | frozenset(word.lower() for word in ("Jr", "Sr", *MONTHS, *WEEKDAYS))
_LETTERED = frozenset(
    words(
        "hepatitis vitamin type grade plan group figure table exhibit section part schedule appendix stage "
        "class influenza category phase building unit factor protein ward block level option row annex form "
        "series article chapter strain haemophilus"
    )
)


def _steps(plain: str, at: int, most: int = 4) -> Iterator[re.Match[str]]:
    """The words of a name that begins at an offset, one after the other."""
    shouted: bool | None = None
    for index in range(most):
        step = _STEP.match(plain, at)
        if step is None or (index > 0 and not step["space"] and plain[at - 1] != "."):
            return
        word = step["word"]
        if word.lower() in (_NOT_AFTER_NAMES if index else _NO_NAMES):
            return
        capitals = len(word) > 1 and word.isupper() and word[-1] != "."
        # After a name in mixed case, capitals are an abbreviation ("Mr. Roe BP 120"), not more of the name.
        if shouted is False and capitals:
            return
        if plain[step.end() : step.end() + 1] == ":" and index > 1:
            return  # the next label of a form
        shouted = capitals if shouted is None else shouted
        at = step.end()
        yield step


def person(
    plain: str, at: int, because: str, least: int = 1, certain: bool = True, surname_first: bool = False
) -> Identifier | None:
    steps = list(_steps(plain, at))
    if surname_first and steps and plain[steps[-1].end() : steps[-1].end() + 2] == ", ":
        steps += _steps(plain, steps[-1].end() + 2, 3)
    if len(steps) < least or all(len(step["word"].rstrip(".")) < 2 and step["word"].endswith(".") for step in steps):
        return None
    end = steps[-1].end()
    junior = _JUNIOR.match(plain, end)
    parts = tuple(("initial", *step.span("first")) for step in steps)
    start = steps[0].start("word")
    return Identifier(start, junior.end() if junior else end, "name", because, parts, certain)


_TITLE = re.compile(
    r"(?:dr|mrs?|ms|prof)\.[ \n]{1,2}"
    r"|(?P<shouted>(?:DRS?|MRS?|MS|PROF)\.)[ \n]{1,2}|(?:Rev|Col|Lt|Hon|Sen|Maj|Cpl|Capt|Sgt)\.[ \n]{1,2}"
    r"|(?!DR|MR|MS|PROF|(?:Rev|Col|Lt|Hon|Sen|Maj|Cpl|Capt|Sgt)\b)[A-Z][^\W\d_]{1,9}(?:\.[ \n]{0,2}|[ \n]{1,2})(?:(?:Dr"
    r"|Prof|med|h\.c)\. ?){0,2}"
)
_LABEL = re.compile(
    r"(?:[^\W\d_]{2,10})(?:'s)?(?:[ _](?i:name|physician|provider|of kin|contact|signature)){0,2} ?(?:\("
    r"[^()\n]{1,20}\) ?)?[:=]{1,2} {0,4}\n?(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
)
_RE = re.compile(r"(?i:re|regarding|concerning):? {1,4}(?:(?:Dr|Mr|Mrs|Ms|Miss|Mx)\.? )?")
_BORN = re.compile(
    r"[ ,;(\n-]{1,4}(?i:d\.?o\.?b|date of birth|born|aged?|nhs|mrn|hosp|ref|case|file|claim|policy|account|your patient|[0-9])"
)
_OFFICER = re.compile(r"(?:W?PC|PS|DC|DS|DI|PCSO|Ofc\.?|Officer|Constable|Sgt\.?) (?P<_number>[0-9]{2,6}) ")
_NAME_IS = re.compile(r"(?i:name(?:d| is| was)) ")
_BY = re.compile(r"(?i:[a-z]{4,12}(?: electronically)? by):? {1,2}(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?")
_CARE_OF = re.compile(r"[cC]/[oO] {1,2}")
_DEAR = re.compile(r"(?i:dear|hi|hello) {1,2}")
_CLOSING = re.compile(
    r"(?i:[a-z]{4,12}(?: (?:regards|wishes|you|again|truly|sincerely|faithfully|yours)){0,2}),? {0,3}\n {0,8}\n? {0,8}"
)
#: A message of one line: "See you on Friday. Best, Priya".
_CLOSING_IN_LINE = re.compile(
    r"(?:Sincerely|Regards|Best|Thanks|Cheers|Yours)(?: (?:regards|wishes|again|truly|sincerely|faithfully)){0,2}, "
)
_ENDS_PARAGRAPH = re.compile(r"\.? {0,4}(?:\n|\Z)")
_INITIALS = re.compile(rf"(?:{_INITIAL}\. ?){{1,3}}(?={_INITIAL}[^\W\d_.]{{2,30}})")
_DEGREE = re.compile(r"(?:M\.D|D\.O|Ph\.D|R\.N|D\.D\.S)\.|[A-Za-z]{2,6}(?![^\W_])")
_ENDS_GREETING = re.compile(r" ?[,:!\n-]|\Z")
_ENDS_CLOSING = re.compile(r" {0,4}(?:,|\n|\Z)")


def _titled(plain: str, at: int) -> Identifier | None:
    title = _TITLE.match(plain, at)
    if title is None:
        return None
    found = person(plain, title.end(), "follows a title")
    # "MS." ends many a sentence on multiple sclerosis: a title in capitals wants its name in capitals.
    if found and title["shouted"] and not plain[found.start : found.end].isupper():
        return None
    if found and plain.startswith(("Drs", "Messrs"), at):
        other = person(plain, found.end + 5, found.because) if plain.startswith(" and ", found.end) else None
        found = Identifier(found.start, other.end, "name", found.because, found.parts + other.parts) if other else found
    return found


def _labelled(plain: str, at: int) -> Identifier | None:
    label = _LABEL.match(plain, at)
    if label is None:
        return None
    opens = plain[at].isupper() or (
        not plain[max(0, at - 8) : at].rpartition("\n")[2].strip() and (at < 8 or "\n" in plain[at - 8 : at])
    )
    return person(plain, label.end(), "follows a label for a person", least=1 if opens else 2, surname_first=True)


def _about(plain: str, at: int) -> Identifier | None:
    """Whom a letter is about: "Re: Marion Vane, DOB"; what else stands there is a subject."""
    lead = _RE.match(plain, at)
    found = person(plain, lead.end(), "stands behind 're'", least=2, surname_first=True) if lead else None
    if found is None:
        return None
    rare = all(word.lower().strip(".,") not in everyday_words() for word in plain[found.start : found.end].split())
    return found if rare or _BORN.match(plain, found.end) else None


def _numbered(plain: str, at: int) -> Identifier | None:
    """An officer by number and name: "PC 4471 Hughes"."""
    lead = _OFFICER.match(plain, at)
    name = person(plain, lead.end(), "follows a rank and a number") if lead else None
    return Identifier(lead.start("_number"), name.end, "name", name.because, name.parts) if lead and name else None


def _named(plain: str, at: int) -> Identifier | None:
    lead = _NAME_IS.match(plain, at)
    # Ships and towns are named too; only "my name is" is always a person's.
    return person(plain, lead.end(), "follows 'name'", certain=lead[0].lower() != "named ") if lead else None


def _by(plain: str, at: int) -> Identifier | None:
    lead = _BY.match(plain, at)
    # Departments review and refer, but only people sign.
    least = 1 if lead and lead[0][:4].lower() in ("sign", "cosi", "dict") else 2
    return person(plain, lead.end(), "follows 'by'", least) if lead else None


def _care_of(plain: str, at: int) -> Identifier | None:
    lead = _CARE_OF.match(plain, at)
    found = person(plain, lead.end(), "follows 'c/o'", least=2) if lead else None
    return None if found and plain[found.start : found.end].isupper() else found


def _greeted(plain: str, at: int) -> Identifier | None:
    lead = _DEAR.match(plain, at)
    found = person(plain, lead.end(), "follows a greeting") if lead else None
    return found if found and _ENDS_GREETING.match(plain, found.end) else None


def _closing(plain: str, at: int) -> Identifier | None:
    lead = _CLOSING.match(plain, at)
    if lead is not None:
        found = person(plain, lead.end(), "stands under a letter")
        return found if found and _ENDS_CLOSING.match(plain, found.end) else None
    lead = _CLOSING_IN_LINE.match(plain, at)
    found = person(plain, lead.end(), "stands under a letter", certain=False) if lead else None
    return found if found and _ENDS_PARAGRAPH.match(plain, found.end) else None


def _word_before(plain: str, end: int) -> tuple[int, str]:
    """The word that ends at an offset, as far back as a name may reach."""
    floor = max(0, end - 32)
    blank = max(plain.rfind(" ", floor, end), plain.rfind("\n", floor, end))
    start = blank + 1 if blank >= 0 else floor
    return start, plain[start:end]


def _initials(plain: str, at: int) -> Identifier | None:
    initials = _INITIALS.match(plain, at)
    if initials is None or initials[0].strip() in _NOBODYS_INITIALS or (plain[at - 1 : at] == "." and at > 1):
        return None
    before, word = _word_before(plain, at - 1) if plain[at - 1 : at] == " " else (at, "")
    if word.lower() in _LETTERED:
        return None
    given = bool(_STEP.fullmatch(word)) and len(word) > 1 and word.lower() not in _NOT_AFTER_NAMES and not word.isupper()
    several = len(initials[0].replace(" ", "")) > 2
    if not (given or several or word in _BEFORE_INITIALS or not word or word[-1] in ",.;:("):
        return None
    found = person(plain, before if given else at, "initials before a name", least=2, certain=given or several)
    return found if found and found.end > initials.end() else None


_NOBODYS_INITIALS = frozenset(words("U.S. U.K. E.U. U.N. D.C. P.O. P.S. B.C. A.D. A.M. P.M. I.V. U.S.A."))
_BEFORE_INITIALS = frozenset(words("by with from to for per told saw met"))


def _with_degree(plain: str, at: int) -> Identifier | None:
    if plain[at - 1 : at] != " " or not _DEGREE.match(plain, at):
        return None
    end = at - 1
    comma = plain[end - 1 : end] == ","
    end -= comma
    start, count = end, 0
    while count < 4:
        before, word = _word_before(plain, start - (count > 0))
        bare = word.lower().rstrip(".")
        step = _STEP.fullmatch(word)
        if not step or bare in _NOT_AFTER_NAMES or (word.isupper() and len(word.rstrip(".")) > 1 and not comma):
            break
        start, count = before, count + 1
        if start == 0 or plain[start - 1] == "\n":
            break
    # One word before a degree may be a department; a comma and a second word make it a person.
    return person(plain, start, "stands before a degree", least=2, certain=comma) if count >= 2 else None


WORDS = introductions(
    ((*_TITLES, *_SMALL_TITLES), _titled),
    ((*_LABELS, "From", "To", "Cc", "CC", "FROM", "TO"), _labelled),
    (("re", "regarding", "concerning"), _about),
    (("PC", "WPC", "PS", "DC", "DS", "DI", "PCSO", "Ofc", "Officer", "Constable", "Sgt"), _numbered),
    (("name", "named"), _named),
    (_DEEDS, _by),
    (("c", "C"), _care_of),
    (("dear", "hi", "hello"), _greeted),
    (_CLOSINGS, _closing),
    ([chr(code) for code in range(ord("A"), ord("Z") + 1)], _initials),
    ([*_DEGREES, "M", "D", "Ph", "R"], _with_degree),
)
