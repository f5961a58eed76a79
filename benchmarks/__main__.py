"""How fast kgsan is, as ratios to other libraries measured in the same run: `make bench`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks import graphs, knowledge, mentions, readers, sanitizing, tagging


def main() -> None:
    """Run the chosen sections, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    sections = {
        "readers": readers.run,
        "graphs": graphs.run,
        "mentions": mentions.run,
        "tagging": tagging.run,
        "knowledge": knowledge.run,
        "sanitizing": sanitizing.run,
    }
    parser.add_argument("sections", nargs="*", choices=[*sections, []], help="default: all")
    chosen = parser.parse_args().sections or list(sections)
    met = True
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            met &= sections[name](Path(folder))
    print("\nEvery target met." if met else "\nSome targets were missed.")


if __name__ == "__main__":
    main()
