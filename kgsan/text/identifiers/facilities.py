"""Named places of work, care, learning, faith and custody: "Lakemont Medical Center", but not "the Medical Center"."""

import re

from kgsan.text.everyday import everyday_words
from kgsan.text.identifiers.identifier import Identifier
from kgsan.text.identifiers.rule import introductions, words

_BECAUSE = "the name of a facility"
#: Words that say of what kind a facility is, and not which one it is.
_GENERIC = frozenset(
    words(
        "the a an this that our your my his her their its and of for at in on to from by with all any no new old other each "
        "medical health healthcare care cancer heart stroke trauma burn burns birth pain sleep memory fracture eye ear nose "
        "dental diabetes diabetic asthma allergy renal dialysis kidney liver cardiac chest breast bone joint skin foot falls "
        "hand back spine wound travel vaccine vaccination flu hiv std sti sexual tb methadone suboxone addiction drug alcohol "
        "substance abuse recovery rehab rehabilitation treatment wellness counseling counselling outpatient inpatient acute "
        "urgent emergency intensive critical coronary surgery surgical day night walk-in drop-in family women women's men's "
        "children children's child paediatric pediatric maternity antenatal prenatal fertility infertility mental psychiatric "
        "psychology memory geriatric elderly nursing residential retirement assisted convalescent rest group foster care "
        "imaging blood endocrine hepatitis hypertension lipid migraine epilepsy seizure headache hearing speech gender "
        "weight obesity bariatric menopause prostate colorectal thyroid transplant infusion chemotherapy wart warts "
        "primary secondary elementary middle junior senior high grammar prep preparatory boarding public private independent "
        "charter magnet special sunday summer evening graduate business law training technical vocational community sixth form "
        "further higher nursery infant state national local regional general central main district county city town village "
        "university teaching royal veterans military army naval police field base hospital clinic school college prison court "
        "crown magistrates magistrates' magistrate's superior supreme circuit federal municipal juvenile probate appeals appeal "
        "appellate civil criminal bankruptcy sheriff justice tribunal trial united states european international world "
        "english scottish welsh irish british american canadian french german chief constitutional administrative "
        "correctional detention maximum minimum medium security open closed young offender offenders immigration remand "
        "catholic roman orthodox protestant anglican methodist baptist lutheran presbyterian episcopal evangelical pentecostal "
        "mormon coptic greek russian eastern western early christian jewish muslim islamic buddhist hindu parish first "
        "electoral admitting referring receiving nearest current previous patient patients staff resident fire online virtual "
        "mr mrs ms miss dr prof sir dear re see department ward unit "
        "one-stop rapid access hot cold red green blue yellow admissions assessment discharge step-down neonatal isolation male "
        "female mixed labour labor delivery postnatal medicine internal orthopaedic orthopedic polling power railway train bus "
        "petrol gas space radio weather research"
    )
)
#: And words that end so, for branches of medicine have no end.
_OF_MEDICINE = ("ology", "ological", "ologic", "iatric", "iatrics", "iatry", "therapy", "ation", "graphy", "oscopy", "otics")
_STATES = frozenset(
    words(
        "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana "
        "iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska "
        "nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming england "
        "scotland wales ireland ontario quebec alberta australia canada india delhi kenya"
    )
)
_NAME = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][^\W_]{0,24}|[0-9]{1,3}(?:st|nd|rd|th))(?:['’.-][^\W_]{1,24}){0,3}['’]?")
_SHORT = re.compile(r"(?:St|Ste|Mt|Ft|SS)\.")
_INSIDE = frozenset({"of", "the", "and", "&", "for", "de", "la", "upon", "on", "in"})
_DATES = frozenset(
    words("monday tuesday wednesday thursday friday saturday sunday january february march april june july august september")
    + words("october november december today yesterday then later when while after before visited attended")
)
_MOST = 6
_WRAPPED = 45
#: What is also written of an operation, or of a heading: "Bypass Surgery".
_WEAK = ("surgery", "ward", "pharmacy", "practice")
#: What follows the word in headings: "Brief Hospital Course".
_GOES_ON = re.compile(r" [A-ZÀ-ÖØ-Þ]")
_AT = re.compile(r"(?:at|to|from|on|of|in|by|via|near|with) (?:the )?\Z")


def _back(plain: str, at: int) -> tuple[int, int]:
    """Where the word before an offset begins and ends, over one blank or the end of a long line; equal when there is none."""
    end = at - 1
    if end < 1:
        return at, at
    if plain[end] == "\n":
        line = plain.rfind("\n", max(0, end - _WRAPPED), end)
        if line >= 0 or end < _WRAPPED:  # a short line is a line of its own, as in a letterhead
            return at, at
    elif plain[end] != " ":
        return at, at
    floor = max(0, end - 40)
    start = max(plain.rfind(" ", floor, end), plain.rfind("\n", floor, end), floor - 1) + 1
    return start, end


def _run(plain: str, at: int) -> list[tuple[int, str]]:
    """The capitalised words before an offset, the nearest first, with the small words between them."""
    found: list[tuple[int, str]] = []
    pending: list[tuple[int, str]] = []
    shouted = plain[at : at + 3].isupper()
    while len(found) < _MOST:
        start, end = _back(plain, at)
        word = plain[start:end]
        if not word:
            break
        opens = word[0] in "(\"'“‘["
        bare = word[1:] if opens else word
        if _NAME.fullmatch(bare) or _SHORT.fullmatch(bare):
            if shouted and (bare.lower() in _INSIDE or bare.lower() in _GENERIC & _SMALL):
                break
            found += [*pending, (start + opens, bare)]
            pending = []
            if opens:
                break
        elif word in _INSIDE and found and len(pending) < 2 and not shouted:
            pending.append((start, word))
        else:
            break
        at = start
    return found


_SMALL = frozenset(words("the a an this that our your my his her their its and of for at in on to from by with all any no"))


def _is_generic(word: str) -> bool:
    low = word.lower().replace("’", "'")
    return low[0].isdigit() or low in _GENERIC or low.removesuffix("'s") in _GENERIC or low.endswith(_OF_MEDICINE)


def _named(plain: str, at: int, end: int, more: frozenset[str] = frozenset()) -> Identifier | None:
    """The facility whose word for what it is stands between the offsets, if the words before it say which one."""
    run = _run(plain, at)
    while run and (run[-1][1].lower() in _SMALL | _DATES or (run[-1][1].lower() in _INSIDE)):
        run.pop()
    opens = len(run) > 2 and (run[-1][0] == 0 or plain[run[-1][0] - 2 : run[-1][0]].strip() in ("", ".", ":"))
    if opens and run[-2][1] in _INSIDE and run[-1][1].lower() in everyday_words() and run[-1][1] != "Our":
        run = run[:-2]  # "Resident of", at the beginning of a sentence
    telling = [word for _, word in run if not _is_generic(word) and word.lower() not in more and word.lower() not in _INSIDE]
    if not telling:
        return None
    start = run[-1][0]
    what = plain[at:end].lower()
    common = all(word.lower().removesuffix("'s") in everyday_words() for word in telling)
    doubtful = what in _WEAK or _GOES_ON.match(plain, end) is not None
    if common and (plain[at:end].isupper() or (doubtful and _AT.search(plain[max(0, start - 10) : start]) is None)):
        return None
    return Identifier(start, end, "geography", _BECAUSE, certain=False)


def _headed(plain: str, at: int) -> Identifier | None:
    head = _HEAD.match(plain, at)
    if head is None or (plain[at - 1 : at] not in ("", " ", "\n") and at):
        return None
    return _named(plain, at, head.end(), _STATES if "court" in head[0].lower() else frozenset())


def _of(plain: str, at: int) -> Identifier | None:
    match = _OF.match(plain, at)
    return Identifier(match.start(), match.end(), "geography", _BECAUSE, certain=False) if match else None


def _custody(plain: str, at: int) -> Identifier | None:
    match = _PRISON.match(plain, at) or _TEMPLE.match(plain, at)
    return Identifier(match.start(), match.end(), "geography", _BECAUSE) if match else None


_HEADS = (
    "Hospitals?|Clinics?|Infirmary|Hospice|Sanatorium|Polyclinic|School|College|Academy|University|Seminary|Kindergarten|Preschool"
    "|Prison|Jail|Gaol|Penitentiary|Church|Chapel|Cathedral|Abbey|Mosque|Synagogue|Monastery|Convent|Barracks|Courthouse|Ward"
    "|Surgery|Practice|Pharmacy|Orphanage|County|Township"
)
_OF_TWO = (
    "(?:Care|Nursing|Rest|Residential|Retirement|Funeral|Group|Children's|Children’s) Home"
    "|(?:Medical|Health|Healthcare|Cancer|Rehabilitation|Rehab|Dialysis|Surgery|Surgical|Community|Detention|Correctional|Care"
    "|Treatment|Nursing|Wellness|Counseling|Counselling|Recovery|Birth|Heart|Trauma|Justice|Learning|Leisure|Day|Resource"
    "|Outpatient|Imaging|Custody|Job) (?:Center|Centre)"
    "|(?:Medical|Dental|Health|Family) (?:Practice|Group|Associates)"
    "|Correctional (?:Facility|Institution|Institute|Complex|Centre)"
    "|(?:Police|Fire) (?:Station|Department|Precinct)|Sheriff['’]s (?:Office|Department)"
    "|(?:County|Crown|Magistrates['’]?|District|Superior|Circuit|High|Family|Municipal|Probate|Juvenile|Sheriff|Combined) Court"
    "|(?:Young Offender|Secure) (?:Institution|Unit)|Nursing and Rehabilitation|Veterans Affairs"
)
_HEAD = re.compile(rf"(?:{_OF_TWO}|{_HEADS}|{_OF_TWO.upper()}|{_HEADS.upper()})(?![^\W_])(?!['’]?[^\W_])(?!:)")
_CAPITALS = r"[A-Z][^\W_]{1,24}(?:['’-][^\W_]{1,24}){0,2}"
_OF = re.compile(
    rf"(?:University|Church|Cathedral|Hospital|Convent|County|City|Town|Borough|Village|Parish|Township) of (?:the )?"
    rf"(?:St\.? |Our )?(?!England|Scotland|Ireland|Christ\b|God\b|Appeals|Justice)"
    rf"{_CAPITALS}(?: (?:at |of )?{_CAPITALS}){{0,3}}"
)
_PRISON = re.compile(rf"(?:HMP(?:/YOI)?|HMYOI|HM Prison|FCI|USP|FMC|FDC|MCC) {_CAPITALS}(?: {_CAPITALS}){{0,2}}(?![^\W_])")
_TEMPLE = re.compile(rf"Temple (?:Beth|B'nai|B’nai|Emanu-El|Emanuel|Israel|Sinai|Shalom)(?: {_CAPITALS}){{0,2}}(?![^\W_])")

_HEAD_WORDS = sorted(
    {word for each in _HEADS.replace("s?", "").split("|") for word in (each, each.upper())}
    | {"Hospitals", "Clinics"}
    | {
        word
        for each in words(
            "Care Nursing Rest Residential Retirement Funeral Group Children Medical Health Healthcare Cancer Rehabilitation "
            "Rehab Dialysis Surgical Community Detention Correctional Treatment Wellness Counseling Counselling Recovery Birth "
            "Heart Trauma Justice Learning Leisure Day Resource Outpatient Imaging Custody Job Dental Family Police Fire Sheriff "
            "Crown Magistrates District Superior Circuit High Municipal Probate Juvenile Combined Young Secure Veterans"
        )
        for word in (each, each.upper())
    }
)
WORDS = introductions(
    *(([word], _headed) for word in _HEAD_WORDS if not word.islower()),
    (words("University Church Cathedral Hospital Convent County City Town Borough Village Parish Township"), _of),
    (words("HMP HMYOI HM FCI USP FMC FDC MCC Temple"), _custody),
)
