"""`python -m tests.faults COMMAND`: the long searches for faults, each in a module of its own."""

from __future__ import annotations

import sys
from importlib import import_module

#: Each module has a `main(arguments)` that gives an exit code.
COMMANDS = {
    "machine": "tests.faults.machine",
    "never-open": "tests.faults.never_open_run",
}


def main(arguments: list[str]) -> int:
    """Run one of the commands."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"Give one of: {', '.join(COMMANDS)}.", file=sys.stderr)
        return 2
    return int(import_module(COMMANDS[arguments[0]]).main(arguments[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
