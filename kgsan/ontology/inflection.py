"""One form for every inflection and spelling of an English word.

Only inflection is undone: plural, and the British or American spelling. Derivation is left alone, since stemming
maps AIDS to "aid" and alcoholism to "alcohol". The result is a key to compare by, not a word to show: what matters
is that the forms of one word share it and that different words do not.

>>> [fold(word) for word in ("diseases", "disease", "viruses", "tumours", "diagnoses", "overdoses", "lenses", "lens")]
['diseas', 'diseas', 'virus', 'tumor', 'diagnosis', 'overdos', 'lens', 'lens']
"""

from __future__ import annotations

import re
from functools import lru_cache


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


#: Plurals no rule makes, and words that only look like plurals.
_IRREGULAR = _pairs("""
    children:child feet:foot teeth:tooth mice:mouse lice:louse geese:goose oxen:ox dice:die pence:penny
    knives:knife lives:life wives:wife wolves:wolf halves:half calves:calf leaves:leaf loaves:loaf selves:self
    shelves:shelf thieves:thief elves:elf hooves:hoof scarves:scarf housewives:housewife midwives:midwife
    analyses:analysis dialyses:dialysis paralyses:paralysis crises:crisis hypotheses:hypothesis syntheses:synthesis
    prostheses:prosthesis parentheses:parenthesis theses:thesis oases:oasis emphases:emphasis synopses:synopsis
    metastases:metastasis testes:testis pelves:pelvis sepses:sepsis ellipses:ellipsis exegeses:exegesis
    geneses:genesis nemeses:nemesis catharses:catharsis biopsies:biopsy autopsies:autopsy
    appendices:appendix cervices:cervix cortices:cortex vertices:vertex matrices:matrix indices:index varices:varix
    vortices:vortex codices:codex phalanges:phalanx larynges:larynx pharynges:pharynx
    fungi:fungus bacilli:bacillus emboli:embolus thrombi:thrombus nuclei:nucleus alveoli:alveolus stimuli:stimulus
    nevi:nevus bronchi:bronchus radii:radius syllabi:syllabus alumni:alumnus cacti:cactus foci:focus loci:locus
    uteri:uterus rami:ramus sulci:sulcus gyri:gyrus humeri:humerus villi:villus
    bacteria:bacterium ova:ovum spermatozoa:spermatozoon sera:serum atria:atrium strata:stratum septa:septum
    diverticula:diverticulum criteria:criterion phenomena:phenomenon mitochondria:mitochondrion ganglia:ganglion
    hematomata:hematoma stigmata:stigma stomata:stoma crania:cranium symposia:symposium curricula:curriculum
    vertebrae:vertebra larvae:larva antennae:antenna scapulae:scapula fistulae:fistula petechiae:petechia
    bursae:bursa maxillae:maxilla axillae:axilla amoebae:ameba amebae:ameba algae:alga
    series:series species:species rabies:rabies scabies:scabies caries:caries facies:facies superficies:superficies
    use:use uses:use axe:ax axes:ax bus:bus buses:bus busses:bus this:this thus:thus plus:plus yes:yes always:always
    lens:lens bias:bias alias:alias atlas:atlas canvas:canvas pancreas:pancreas christmas:christmas cosmos:cosmos
    rhinoceros:rhinoceros thermos:thermos chaos:chaos asbestos:asbestos ethos:ethos pathos:pathos kudos:kudos
    news:news biceps:biceps triceps:triceps forceps:forceps psoas:psoas overseas:overseas perhaps:perhaps
    menus:menu gurus:guru haikus:haiku emus:emu hindus:hindu zulus:zulu hutus:hutu bantus:bantu urdus:urdu
    telugus:telugu caribous:caribou bayous:bayou rabbis:rabbi taxis:taxi skis:ski alibis:alibi bikinis:bikini
    israelis:israeli iraqis:iraqi pakistanis:pakistani somalis:somali bengalis:bengali nazis:nazi sunnis:sunni
    sufis:sufi swamis:swami yazidis:yazidi yezidis:yezidi maoris:maori parsis:parsi punjabis:punjabi
    gujaratis:gujarati nepalis:nepali omanis:omani saudis:saudi yemenis:yemeni kuwaitis:kuwaiti qataris:qatari
    emiratis:emirati bahrainis:bahraini azerbaijanis:azerbaijani bangladeshis:bangladeshi kashmiris:kashmiri
    sindhis:sindhi balochis:balochi ashkenazis:ashkenazi houthis:houthi alawis:alawi muftis:mufti tutsis:tutsi
    safaris:safari kiwis:kiwi khakis:khaki
""")

_OSIS = re.compile(
    r"(?:gn|ych|eur|ecr|ibr|cler|rrh|ten|thromb|yc|it|zoon|kyph|lord|arthr|acid|alkal|tubercul|scoli|apopt|ket|cyan|hypn|symbi)oses$"
)
_MEN = re.compile(
    r"(?:^|wo|police|fire|clergy|congress|chair|business|sports?|crafts|fisher|gentle|country|service|sales|states|"
    r"spokes|council|noble|church|work|fresh|alder|airport|air|sea|mail|post|crew|trades|lay|frontiers?|hang|stunt|camera|"
    r"assembly|committee|english|irish|french|scots|dutch|welsh)men$"
)

#: British spellings that no rule below covers, to American ones. Both sides of a comparison are mapped.
_SPELLING = _pairs("""
    programme:program programmes:programs grey:gray ageing:aging plough:plow mould:mold mouldy:moldy
    moustache:mustache pyjamas:pajamas sceptic:skeptic sceptical:skeptical aluminium:aluminum practise:practice
    practised:practiced practising:practicing jewellery:jewelry woollen:woolen doughnut:donut draught:draft gaol:jail
    artefact:artifact cosy:cozy judgement:judgment acknowledgement:acknowledgment fulfil:fulfill enrol:enroll
    enrolment:enrollment instalment:installment skilful:skillful wilful:willful licence:license defence:defense
    offence:offense pretence:pretense centre:center centred:centered fibre:fiber theatre:theater sabre:saber
    spectre:specter calibre:caliber meagre:meager sombre:somber lustre:luster goitre:goiter titre:titer litre:liter
    saltpetre:saltpeter manoeuvre:maneuver manoeuvres:maneuvers mum:mom mummy:mommy tranquilliser:tranquilizer
    tranquillisers:tranquilizers tranquillizer:tranquilizer pedlar:peddler marihuana:marijuana yoghurt:yogurt
    orientated:oriented disorientated:disoriented speciality:specialty haem:heme caeliac:celiac
""")
_SPELLING_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"haem", "hem"),
        (r"aemi(?=[ac])", "emi"),
        (r"oedem", "edem"),
        (r"oesoph", "esoph"),
        (r"oestr", "estr"),
        (r"foet", "fet"),
        (r"paed", "ped"),
        (r"gynaec", "gynec"),
        (r"(rrh|pn)oe", r"\1e"),
        (r"(c|f)aec", r"\1ec"),
        (r"caes(?=[ai])", "ces"),
        (r"aetiol", "etiol"),
        (r"anaesth", "anesth"),
        (r"coeli", "celi"),
        (r"(pal|arch)aeo", r"\1eo"),
        (r"amoeb", "ameb"),
        (r"homoeo", "homeo"),
        (r"naev", "nev"),
        (r"leuc(?=[oe])", "leuk"),
        (r"sulph", "sulf"),
        (
            r"(col|lab|vap|hon|hum|rum|arm|sav|fav|vig|rig|val|tum|rod|ard|clam|glam|parl|succ|harb|ranc|"
            r"behavi|neighb|flav|endeav|fer?v|cand|splend|demean|savi|^od|mal?od|enam)our",
            r"\1or",
        ),
        (r"([a-z]{3})is(?=(?:e|ed|es|er|ers|ing|able|ation|ations|ational)$)", r"\1iz"),
        (r"lys(?=(?:e|ed|er|ers|ing)$)", "lyz"),
        (r"(met|lit)re(?=s?$)", r"\1er"),
        (r"logue(?=s?$)", "log"),
        (
            r"(counse|trave|labe|mode|signa|fue|cance|channe|marve|leve|dia|tota|tunne|quarre|riva|equa)ll"
            r"(?=(?:ed|ing|er|ers|or|ors)$)",
            r"\1l",
        ),
    )
)
#: Most words match no rule, and one look tells.
_MAY_BE_BRITISH = re.compile(r"ae|oe|our|leuc|sulph|is[eai]|lys|tre|logue|ll[eio]")


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """The form a lower-case word is compared by."""
    if len(word) < 4 or not word.isalpha():
        return word
    word = american(word)
    if (known := _IRREGULAR.get(word)) is not None:
        return known
    return _singular(word)


def american(word: str) -> str:
    """The American spelling of a British one; other words are given back."""
    if (known := _SPELLING.get(word)) is not None:
        return known
    if _MAY_BE_BRITISH.search(word):
        for pattern, new in _SPELLING_RULES:
            word = pattern.sub(new, word)
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ie") and len(word) > 4:
        return word[:-2] + "y"  # junkie and junkies meet in junky
    if word.endswith("oses") and _OSIS.search(word):
        return word[:-2] + "is"
    if word.endswith("itides"):
        return word[:-4] + "is"
    if word.endswith("omata"):
        return word[:-2]
    if word.endswith("cocci"):
        return word[:-1] + "us"
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) and len(word) > 4:
        return word[:-2]
    if word.endswith(("se", "xe", "ze", "che", "she", "oe")):
        return word[:-1]  # disease and diseases meet where virus and viruses do
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if word.endswith("men") and _MEN.search(word):
        return word[:-2] + "an"
    return word
