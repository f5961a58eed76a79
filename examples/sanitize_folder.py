"""A folder of texts through the Python API, in several processes: `python examples/sanitize_folder.py [IN OUT]`.

If one text cannot be made safe, nothing is written. `kgsan sanitize IN -o OUT --policy us-hiv --processes 2` writes the others.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import kgsan
from kgsan.report.certificate import as_bytes, certificate

NOTES = Path(__file__).with_name("notes")


def main(source: Path, target: Path) -> None:
    paths = sorted(source.glob("*.txt"))
    sanitizer = kgsan.Sanitizer(kgsan.load_policy("us-hiv"))
    results = list(sanitizer.sanitize_many((path.read_text("utf-8") for path in paths), processes=2))
    target.mkdir(parents=True, exist_ok=True)
    for path, result in zip(paths, results, strict=True):
        (target / path.name).write_text(result.text, encoding="utf-8")
        (target / f"{path.stem}.certificate.json").write_bytes(as_bytes(certificate(sanitizer, result.text)))
        print(f"{path.name}: {len(result.decisions)} changes, {result.utility_kept:.0%} of what its words say is kept")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(NOTES, Path(folder))
