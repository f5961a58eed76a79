"""What a policy covers, and what it finds in a note: `make demo`."""

from __future__ import annotations

import textwrap
from pathlib import Path

import kgsan
from kgsan.policy.sentences import sentences
from kgsan.risk.marking import Marker
from kgsan.text.document import Document

NOTE = Path(__file__).with_name("note.txt")
POLICIES = ("us-hiv", "us-42cfr-part2", "hipaa-safe-harbor")


def main() -> None:
    stack = kgsan.load_ontology()
    document = Document(NOTE.read_text("utf-8"))
    print(document.text)
    for name in POLICIES:
        marker = Marker(kgsan.load_policy(name), stack)
        paragraphs = list(sentences(marker.sensitive))
        print(f"--- {name}\n")
        for paragraph in paragraphs[:2]:
            print(textwrap.fill(paragraph, 110))
        print("\nWhat it hides in the note, and why:")
        for mark in marker.mark(document):
            print(f"  {document.text[mark.start : mark.end]!r:<32} {mark.because}")
        print()
    print("Inference (zidovudine gives HIV away) and the rewriting of the text come with the sanitizer.")


if __name__ == "__main__":
    main()
