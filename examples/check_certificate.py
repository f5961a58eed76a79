"""What whoever gets a text can check by the certificate that comes with it: `python examples/check_certificate.py`."""

from __future__ import annotations

import json
from pathlib import Path

import kgsan
from kgsan.report.certificate import as_bytes, certificate, check_certificate

NOTE = Path(__file__).with_name("note.txt")


def main() -> None:
    sanitizer = kgsan.Sanitizer(kgsan.load_policy("us-hiv"))
    released = sanitizer.sanitize(NOTE.read_text("utf-8")).text
    sent = as_bytes(certificate(sanitizer, released))  # goes out with the text; nothing of the original is in it

    received = json.loads(sent)
    print("It speaks of", received["policy"]["name"], "and was not checked for:")
    for sentence in received["not_checked"]:
        print("-", sentence)
    told("The text as it was sent", check_certificate(received, sanitizer, released))
    told("The text with a word put back", check_certificate(received, sanitizer, released.replace("medication", "zidovudine")))
    stricter = kgsan.Sanitizer(kgsan.load_policy({"policy": "own", "law": "House rule 4", "extends": "us-hiv", "strictness": 3}))
    told("The text under a stricter policy", check_certificate(received, stricter, released))


def told(what: str, differences: list[str]) -> None:
    print(f"{what}: {'the certificate holds' if not differences else 'it does not hold'}.")
    for sentence in differences:
        print("-", sentence)


if __name__ == "__main__":
    main()
