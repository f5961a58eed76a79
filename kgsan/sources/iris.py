"""Long IRIs as the short ids people quote: `HP:0000118`, `sct:86406008`, `mesh:D015658`."""

from __future__ import annotations

import re

_OBO = "http://purl.obolibrary.org/obo/"
_AFTER_OBO = len(_OBO)

#: Vocabularies whose ids have a customary prefix, whatever a file calls them.
CUSTOMARY = {
    "http://snomed.info/id/": "sct",
    "http://snomed.info/sct/": "sct",
    "http://id.nlm.nih.gov/mesh/": "mesh",
    "http://purl.bioontology.org/ontology/ICD10CM/": "icd10cm",
    "http://purl.bioontology.org/ontology/SNOMEDCT/": "sct",
    "http://purl.bioontology.org/ontology/MESH/": "mesh",
    "http://wordnet-rdf.princeton.edu/wn30/": "wn",
    "https://go.drugbank.com/drugs/": "drugbank",
    "http://www.wikidata.org/entity/": "wikidata",
    "http://id.loc.gov/authorities/subjects/": "lcsh",
    "http://www.orpha.net/ORDO/": "ordo",
    "http://www.ebi.ac.uk/efo/": "efo",
    "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#": "ncit",
}


class Shortener:
    """Turns IRIs into ids: OBO's way for OBO's ids, customary prefixes, then those a file declares.

    >>> short = Shortener({"my": "http://example.org/my#"})
    >>> short("http://purl.obolibrary.org/obo/DOID_4"), short("http://example.org/my#flu"), short("urn:x:y")
    ('DOID:4', 'my:flu', 'urn:x:y')
    """

    def __init__(self, declared: dict[str, str]) -> None:
        self._starts = dict(CUSTOMARY)
        for short, iri in declared.items():
            if short and iri:
                self._starts.setdefault(iri, short)

    def __call__(self, iri: str) -> str:
        if "/" not in iri and "#" not in iri:
            return iri  # short already
        if iri.startswith(_OBO):
            space, line, local = iri[_AFTER_OBO:].partition("_")
            if line and space.isalnum() and local.isalnum():
                return f"{space}:{local}"
        cut = max(iri.rfind("#"), iri.rfind("/"), iri.rfind(":")) + 1
        start = iri[:cut]
        short = self._starts.get(start)
        if short is not None and cut < len(iri):
            return f"{short}:{iri[cut:]}"
        return iri


def words(iri: str) -> str:
    """The last part of an IRI as words: what to call a property that has no label.

    >>> words("http://example.org/my#hasCausativeAgent"), words("http://example.org/part_of")
    ('has causative agent', 'part of')
    """
    local = iri[max(iri.rfind("#"), iri.rfind("/"), iri.rfind(":")) + 1 :]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", local).replace("_", " ").replace("-", " ")
    return spaced.lower() if spaced != local.replace("_", " ") else spaced
