"""A policy on a dozen concepts whose figures a reader can check with a pencil: HIV says 6 bits, of which 4 may not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TAXONOMY = """
disease
  infection
    viral infection
      HIV
        AIDS
drug
  antiviral drug
    zidovudine
  painkiller
    ibuprofen
symptom
  fatigue
"""

COUNTS = """
contexts 1024
HIV 16
AIDS 8
viral infection 64
infection 128
disease 256
zidovudine 4
antiviral drug 40
drug 128
painkiller 100
ibuprofen 64
fatigue 64
symptom 256
HIV + zidovudine 4
HIV + antiviral drug 8
HIV + drug 8
HIV + viral infection 16
HIV + infection 16
HIV + disease 16
HIV + ibuprofen 1
HIV + fatigue 4
"""

#: Told to nobody but those who may know.
SECRETS = ("AIDS", "zidovudine", "3/4/2021")
NOTE = "Mr. Alder has AIDS since 3/4/2021 and takes zidovudine and ibuprofen.\n"


def write_policy(folder: Path, **more: str) -> Path:
    """The policy with its ontology and counts as files; what else it says is given by field."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy-ontology.txt").write_text(TAXONOMY.lstrip())
    rows = [line.rsplit(" ", 1) for line in COUNTS.strip().splitlines()]
    (folder / "toy-counts.tsv").write_text("".join(f"{terms.replace(' + ', chr(9))}\t{count}\n" for terms, count in rows))
    path = folder / "toy.yaml"
    fields = {
        "policy": "toy",
        "law": "Toy Act",
        "protect": '[{entity: HIV, because: "Toy Act § 1."}]',
        "ontologies": f"['{folder / 'toy-ontology.txt'}']",
        "knowledge": f"['{folder / 'toy-counts.tsv'}']",
        "identifiers": "[date]",
        "strictness": "1.5",
        **more,
    }
    path.write_text("".join(f"{name}: {value}\n" for name, value in fields.items()))
    return path
