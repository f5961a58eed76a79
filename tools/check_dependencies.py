"""Check that every package kgsan asks for is explained, locked and under a licence that its users may accept.

    python tools/check_dependencies.py

One line per finding, exit code 1 when there is any. `docs/dependencies.md` must have one row for each package that
`pyproject.toml` names and no other, under the licence that the installed package states. Every package of `locks/test.txt`,
also those that others ask for, must state a licence of the list below.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from packages import REPO, direct, installed, licence, locked

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = REPO / "docs" / "dependencies.md"
LOCKS = (REPO / "locks" / "run.txt", REPO / "locks" / "test.txt")
#: Licences that ask a user of kgsan for nothing but notices, or (MPL-2.0) for changes of the package's own files.
ALLOWED = frozenset(
    """
    0BSD Apache-2.0 BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause CC0-1.0 CNRI-Python ISC MIT MIT-0 MIT-CMU MPL-2.0 PSF-2.0 Zlib
""".split()
)
#: Licences that ask for more, each for one package that nobody needs to install and of which kgsan ships nothing.
TOLERATED = {
    "owlready2": "LGPL-3.0-or-later",  # extra `reason`: imported as it is, unchanged, only when a reasoner is asked for
    "igraph": "GPL-2.0-or-later",  # group `bench`: measured against
    "py-horned-owl": "LGPL-3.0-or-later",  # group `bench`: measured against
}
#: Groups that are installed on demand by those who measure or attack; nothing else depends on them.
NOT_LOCKED = frozenset({"bench", "fuzz"})
LOCKED = [each for each in locked(LOCKS[1]) if each.is_for_here]
_ROW = re.compile(
    r"^\| `(?P<name>[\w.-]+)` \| (?P<licence>[^|]+?) \| (?P<groups>[^|]+?) \| [^|]{12,} \| [^|]{2,} \|$", re.MULTILINE
)


def is_allowed(expression: str) -> bool:
    """Whether a user may take it under licences of the list: one of several to choose from, or all that hold together.

    >>> is_allowed("GPL-2.0-or-later OR MIT"), is_allowed("MIT AND GPL-2.0-or-later"), is_allowed("MIT AND 0BSD OR LGPL-2.1")
    (True, False, True)
    """
    return any(ALLOWED.issuperset(choice.split(" AND ")) for choice in expression.split(" OR "))


def unexplained(page: str) -> Iterator[str]:
    """What the page says otherwise than `pyproject.toml` and the installed packages do, or not at all."""
    rows = {row["name"]: row for row in _ROW.finditer(page)}
    asked: dict[str, list[str]] = {}
    for group, names in direct().items():
        for name in names:
            asked.setdefault(name, []).append(group)
    for name in sorted(asked.keys() - rows.keys()):
        yield f"{name}: pyproject.toml asks for it, and {PAGE.name} has no row for it."
    for name in sorted(rows.keys() - asked.keys()):
        yield f"{name}: {PAGE.name} has a row for it, and nothing asks for it."
    for name in sorted(rows.keys() & asked.keys()):
        if (told := rows[name]["groups"]) != ", ".join(sorted(asked[name])):
            yield f"{name}: {PAGE.name} says that {told} asks for it; it is {', '.join(sorted(asked[name]))}."
        package = installed(name)
        if package is not None and rows[name]["licence"] != (stated := licence(package)):
            yield f"{name}: {PAGE.name} says {rows[name]['licence']}, the package {stated}."


def unlicensed() -> Iterator[str]:
    """Packages of the locks, or named by the project, whose licence is not known or asks for too much."""
    named = {name for names in direct().values() for name in names}
    for name in sorted(named | {each.name for each in LOCKED}):
        if (package := installed(name)) is None:
            if any(each.name == name for each in LOCKED):
                yield f"{name}: it is locked, and not installed: make .venv/ready."
            continue
        stated = licence(package)
        if stated is None:
            yield f"{name}: its metadata do not say under which licence it comes."
        elif not is_allowed(stated) and TOLERATED.get(name) != stated:
            yield f"{name}: {stated} is not on the list."


def unlocked() -> Iterator[str]:
    """Lines of a lock without a digest or with an address, and packages that differ from the lock."""
    for lock in LOCKS:
        text = lock.read_text("utf-8")
        if "://" in text or "--index" in text or "--find-links" in text:
            yield f"{lock.name}: an address of a registry stands in it."
        if len(locked(lock)) != len(re.findall(r"^[^\s#]", text, re.MULTILINE)):
            yield f"{lock.name}: a line has no digest."
    every = {each.name for each in LOCKED}
    for group, names in direct().items():
        if group not in NOT_LOCKED:
            yield from (
                f"{name}: group {group} asks for it, and no lock holds it: make lock." for name in names if name not in every
            )


def main() -> int:
    """Tell what is wrong, or how many packages stand under which licence."""
    findings = [*unexplained(PAGE.read_text("utf-8")), *unlicensed(), *unlocked()]
    if findings:
        print(*findings, sep="\n")
        return 1
    stated = Counter(licence(package) for each in LOCKED if (package := installed(each.name)))
    print(f"{stated.total()} packages: " + ", ".join(f"{count} {name}" for name, count in stated.most_common()) + ".")
    return 0


if __name__ == "__main__":
    sys.exit(main())
