"""What a code of a classification stands for, as far as the loaded ontologies know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsan.errors import OntologyError

if TYPE_CHECKING:
    from kgsan.ontology.stack import OntologyStack

#: How the ids of an ontology begin, by the names that FHIR, HL7 v2 and object identifiers have for the code system.
_PREFIXES = {
    **dict.fromkeys(
        ("http://hl7.org/fhir/sid/icd-10-cm", "urn:oid:2.16.840.1.113883.6.90", "i10", "i10c", "icd10", "icd-10", "icd10cm"),
        ("icd10cm:",),
    ),
    **dict.fromkeys(
        ("http://snomed.info/sct", "urn:oid:2.16.840.1.113883.6.96", "sct", "snm", "sn", "snomed", "snomedct"),
        ("", "sct:", "SCTID:", "snomed:"),
    ),
    **dict.fromkeys(("http://id.nlm.nih.gov/mesh", "mesh", "msh"), ("mesh:", "MESH:", "")),
}


def name_of(stack: OntologyStack, system: str, code: str) -> str | None:
    """The name of a coded concept, or None when its code system or the code is not known here."""
    code = code.strip()
    for prefix in _PREFIXES.get(system.strip().lower(), ()):
        for written in (code, f"{code[:3]}.{code[3:]}"):  # HL7 messages often leave the point of ICD-10 out
            try:
                return stack.concept(f"{prefix}{written}").name
            except OntologyError:
                continue
    return None
