"""Which packages kgsan asks for, which of them are locked and installed, and under which licences they come."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as _canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REPO = Path(__file__).parents[1]
_LOCKED = re.compile(r"^(?P<asked>[\w.-]+==[^\\\n]+?) *(?:\\\n *--hash=sha256:[0-9a-f]{64} *)+$", re.MULTILINE)
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
#: What older metadata calls a licence, and the name that SPDX gives it.
_SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License (GPL)": "GPL-2.0-or-later",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
#: Whose metadata say nothing that can be read; what the licence file inside the package says.
_READ_IN_ITS_FILE = {
    "atheris": "Apache-2.0",
    "axe-playwright-python": "MIT",
    "docutils": "CC0-1.0 AND BSD-2-Clause AND BSD-3-Clause AND PSF-2.0",  # its GPL is for an editor's mode that no wheel holds
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
}


@dataclass(frozen=True, slots=True)
class Locked:
    """One line of a lock: what is to be installed, and the digests that its files may have."""

    asked: Requirement
    digests: tuple[str, ...]

    @property
    def name(self) -> str:
        return name_of(self.asked.name)

    @property
    def version(self) -> str:
        return str(self.asked.specifier).removeprefix("==")

    @property
    def is_for_here(self) -> bool:
        """Whether this Python on this system is meant."""
        return self.asked.marker is None or self.asked.marker.evaluate()


def name_of(package: str) -> str:
    """The one way to write the name of a package.

    >>> name_of("PyYAML"), name_of("pdfminer.six")
    ('pyyaml', 'pdfminer-six')
    """
    return str(_canonical(package))


def locked(lock: Path) -> list[Locked]:
    """What a lock holds, for every system."""
    text = "".join(line for line in lock.read_text("utf-8").splitlines(keepends=True) if not line.lstrip().startswith("#"))
    return [Locked(Requirement(found["asked"]), tuple(_DIGEST.findall(found[0]))) for found in _LOCKED.finditer(text)]


def direct() -> dict[str, list[str]]:
    """What `pyproject.toml` asks for by name: of the package itself (`core`), of its extras and of the groups.

    >>> "numpy" in direct()["core"], "all" in direct(), direct()["pandas"]
    (True, False, ['pandas'])
    """
    told = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))
    project = told["project"]
    asked = {"core": project["dependencies"], **project["optional-dependencies"], **told["dependency-groups"]}
    named = {group: _names(line for line in lines if isinstance(line, str)) for group, lines in asked.items()}
    return {group: names for group, names in named.items() if names != ["kgsan"]}


def _names(lines: Iterable[str]) -> list[str]:
    return sorted({name_of(Requirement(line).name) for line in lines})


def licence(package: Distribution) -> str | None:
    """Under what a package comes, as an SPDX expression; nothing where its metadata do not say it."""
    told = package.metadata
    if expressions := told.get_all("License-Expression"):
        return str(expressions[0])
    if read := _READ_IN_ITS_FILE.get(name_of(package.name)):
        return read
    line = "".join(told.get_all("License") or ()).strip()
    if line and "\n" not in line and (known := _spdx(line)):
        return known
    classes = [each.rsplit(" :: ", 1)[-1] for each in told.get_all("Classifier") or () if each.startswith("License :: ")]
    known_classes = [_SPDX[each] for each in classes if each in _SPDX]
    return " AND ".join(known_classes) if classes and len(known_classes) == len(classes) else None


def _spdx(line: str) -> str | None:
    """The line of older metadata where it names licences, not where it begins to quote one."""
    parts = [_SPDX.get(part, part) for part in re.split(r" (?:AND|OR) ", line)]
    names_licences = all(part == "MIT" or ("-" in part and re.fullmatch(r"[A-Za-z0-9.+-]+", part)) for part in parts)
    return _SPDX.get(line, line) if names_licences else None


def closure(name: str, extras: frozenset[str] = frozenset()) -> Iterator[tuple[Distribution, list[str]]]:
    """A package and all that it needs here, by name, each with the names of what it asks for itself."""
    wanted = [(name_of(name), extras)]
    seen: dict[str, frozenset[str]] = {}
    asked_by: dict[str, set[str]] = {}
    while wanted:
        each, chosen = wanted.pop()
        if each in seen and chosen <= seen[each]:
            continue
        seen[each] = seen.get(each, frozenset()) | chosen
        asked = [Requirement(line) for line in distribution(each).requires or ()]
        here = [one for one in asked if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in ("", *chosen))]
        asked_by.setdefault(each, set()).update(name_of(one.name) for one in here)
        wanted += [(name_of(one.name), frozenset(one.extras)) for one in here]
    for each in sorted(seen):
        yield distribution(each), sorted(asked_by[each])


def installed(name: str) -> Distribution | None:
    """The package as it is installed here, if it is."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None
