"""Write what an installation of kgsan consists of as a CycloneDX bill of materials.

    python tools/write_sbom.py [--extra review] > kgsan.cdx.json

It lists kgsan and every package that its core needs on this system, with licence, digests and who needs whom. Versions and
digests are those of `locks/test.txt`; the same lock and the same Python give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from typing import TYPE_CHECKING, Any

from packages import REPO, closure, licence, locked, name_of

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from packages import Locked

#: Turns the content into its number, so that equal bills are one bill.
_NAMESPACE = uuid.UUID("8d1f4a52-6f0e-5b6b-9a53-0c5f2f3e7d11")


def bill(extras: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The bill of materials of kgsan with the extras."""
    held = {each.name: each for each in locked(REPO / "locks" / "test.txt") if each.is_for_here}
    packages = list(closure("kgsan", extras))
    references = {name_of(package.name): _reference(package) for package, _ in packages}
    components = {name_of(package.name): _component(package, held) for package, _ in packages}
    itself = components.pop("kgsan")
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**itself, "type": "application"}},
        "components": list(components.values()),
        "dependencies": [
            {"ref": _reference(package), "dependsOn": [references[name] for name in needs]} for package, needs in packages
        ],
    }
    number = uuid.uuid5(_NAMESPACE, json.dumps(content, sort_keys=True))
    return {**content, "serialNumber": f"urn:uuid:{number}"}


def _reference(package: Distribution) -> str:
    return f"pkg:pypi/{name_of(package.name)}@{package.version}"


def _component(package: Distribution, held: dict[str, Locked]) -> dict[str, Any]:
    """One package. A release has several files, of which an installation takes one; each has its digest here."""
    name = name_of(package.name)
    told: dict[str, Any] = {"type": "library", "bom-ref": _reference(package), "name": name, "version": package.version}
    told["purl"] = _reference(package)
    told["licenses"] = [{"expression": licence(package)}]
    if name != "kgsan":
        if name not in held or held[name].version != package.version:
            raise SystemExit(f"{name} {package.version} is installed and not the one that is locked: make .venv/ready.")
        told["hashes"] = [{"alg": "SHA-256", "content": digest} for digest in sorted(held[name].digests)]
    return told


def text(extras: frozenset[str] = frozenset()) -> str:
    """The bill as it is written into a file."""
    return json.dumps(bill(extras), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    """Write the bill to the standard output."""
    parser = argparse.ArgumentParser(description="Write what an installation of kgsan consists of (CycloneDX 1.6, JSON).")
    parser.add_argument("--extra", action="append", default=[], help="with this extra as well; may be repeated")
    sys.stdout.write(text(frozenset(parser.parse_args().extra)))


if __name__ == "__main__":
    main()
