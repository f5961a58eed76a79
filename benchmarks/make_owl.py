"""An OBO file written as RDF/XML the way OBO's release tools do, notes on statements included."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

OBO = "http://purl.obolibrary.org/obo/"
HEAD = f"""<?xml version="1.0"?>
<rdf:RDF xmlns="{OBO}bench.owl#"
     xml:base="{OBO}bench.owl"
     xmlns:obo="{OBO}"
     xmlns:owl="http://www.w3.org/2002/07/owl#"
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
     xmlns:xsd="http://www.w3.org/2001/XMLSchema#"
     xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
     xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#">
    <owl:Ontology rdf:about="{OBO}bench.owl"/>
"""
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?: (EXACT|NARROW|BROAD|RELATED))?.*?\[(.*)\]')


def iri(identifier: str) -> str:
    """DOID:4 -> .../obo/DOID_4"""
    return OBO + identifier.replace(":", "_", 1)


def write_owl(obo: Path, owl: Path) -> None:
    """Write the terms of an OBO file as OWL classes."""
    with owl.open("w") as out:
        out.write(HEAD)
        for stanza in obo.read_text().split("\n\n"):
            lines = stanza.strip().split("\n")
            if lines[0] == "[Term]":
                out.write(_class(lines[1:]))
        out.write("</rdf:RDF>\n")


def _class(lines: list[str]) -> str:
    tags = [line.partition(": ")[::2] for line in lines]
    subject = iri(tags[0][1])
    body, notes = [], []

    def say(element: str, text: str, source: str) -> None:
        body.append(f"        <{element}>{escape(text)}</{element}>")
        if source:
            refs = "".join(f"        <oboInOwl:hasDbXref>{escape(ref)}</oboInOwl:hasDbXref>\n" for ref in source.split(", "))
            name = element.replace("oboInOwl:", "http://www.geneontology.org/formats/oboInOwl#").replace("obo:", OBO)
            notes.append(
                f"    <owl:Axiom>\n        <owl:annotatedSource rdf:resource={quoteattr(subject)}/>\n"
                f"        <owl:annotatedProperty rdf:resource={quoteattr(name)}/>\n"
                f"        <owl:annotatedTarget>{escape(text)}</owl:annotatedTarget>\n{refs}    </owl:Axiom>\n"
            )

    for tag, value in tags:
        quoted = QUOTED.match(value)
        if tag == "is_a":
            body.append(f"        <rdfs:subClassOf rdf:resource={quoteattr(iri(value.split(' ')[0]))}/>")
        elif tag == "def" and quoted:
            say("obo:IAO_0000115", quoted[1].replace("\\", ""), quoted[3])
        elif tag == "synonym" and quoted:
            say(f"oboInOwl:has{(quoted[2] or 'RELATED').title()}Synonym", quoted[1].replace("\\", ""), quoted[3])
        elif tag == "name":
            say("rdfs:label", value, "")
        elif tag in ("xref", "comment", "id", "alt_id"):
            kind = {"xref": "hasDbXref", "comment": "comment", "id": "id", "alt_id": "hasAlternativeId"}[tag]
            say("rdfs:comment" if kind == "comment" else f"oboInOwl:{kind}", value.split(" {")[0], "")
        elif tag == "is_obsolete":
            body.append('        <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>')
    inside = "\n".join(body)
    return f"    <!-- {subject} -->\n\n    <owl:Class rdf:about={quoteattr(subject)}>\n{inside}\n    </owl:Class>\n{''.join(notes)}\n"


if __name__ == "__main__":
    write_owl(Path(sys.argv[1]), Path(sys.argv[2]))
