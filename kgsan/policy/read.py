"""A policy from a file, a text, a mapping or by its name, with everything it extends, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.errors import Place, PolicyError, Problem
from kgsan.ontology.load import shipped_folders
from kgsan.policy.build import build
from kgsan.policy.fields import JOINED, POLICY, REASONS_TO_HIDE
from kgsan.policy.given import read_mapping
from kgsan.policy.guess import nearest, shown
from kgsan.policy.items import NONE
from kgsan.policy.located import MOST_PROBLEMS, read_yaml
from kgsan.policy.policy import Policy
from kgsan.policy.values import read_section

if TYPE_CHECKING:
    from kgsan.policy.located import Reading
    from kgsan.policy.values import Entry

DEEPEST_CHAIN = 8
SUFFIXES = (".yaml", ".yml")
#: After these problems a field is not there that was written; it is not called missing.
LOSE_A_FIELD = ("P009", "P010", "P013")
#: How a policy that was given as text or as a mapping is called in messages.
GIVEN = "policy"

PolicySource = str | bytes | Path | Mapping[Any, Any]


def load_policy(source: PolicySource, *, folder: str | Path | None = None) -> Policy:
    """The policy at a path, in a YAML text or mapping, or shipped under a name. `PolicyError.problems` lists every problem.

    A text is taken for YAML when it holds a line break or a colon and a blank. `folder` is where a policy that was given
    as text or mapping looks for what it extends; a file looks in its own folder.

    >>> policy = load_policy({"policy": "toy", "law": "Toy Act", "protect": ["HIV"]})
    >>> policy.protect[0].entity, policy.context
    ('HIV', 'paragraph')
    """
    problems: list[Problem] = []
    values: dict[str, Any] | None = None
    beside = None if folder is None else Path(folder)
    if isinstance(source, Mapping):
        values = _chain(read_mapping(source, GIVEN), beside, (), problems)
    elif isinstance(source, bytes) or (isinstance(source, str) and ("\n" in source or ": " in source)):
        values = _chain(read_yaml(source, GIVEN), beside, (), problems)
    else:
        path = _path(source, problems)
        if path is not None:
            values = _file(path, (), problems)
    if problems:
        raise PolicyError(*told(problems))
    assert values is not None
    return Policy(**values)


def told(problems: list[Problem]) -> list[Problem]:
    """The problems in the order of their places, each once, and not more than anyone reads."""
    ordered = sorted(dict.fromkeys(problems), key=lambda each: (each.place.file, each.place.line or 0, each.place.column or 0))
    if len(ordered) <= MOST_PROBLEMS:
        return ordered
    left = len(ordered) - MOST_PROBLEMS
    last = ordered[MOST_PROBLEMS - 1].place
    return [*ordered[:MOST_PROBLEMS], Problem("P016", last, f"{left:,} more problems are not told.", "Begin with those above.")]


def shipped_policies() -> dict[str, Path]:
    """The policies that come with kgsan, by name."""
    found: dict[str, Path] = {}
    for shipped in shipped_folders("policies"):
        for path in sorted(shipped.iterdir()):
            if path.suffix in SUFFIXES:
                found.setdefault(path.stem, path)
    return found


def _path(source: str | Path, problems: list[Problem]) -> Path | None:
    """The path that is meant; a bare word is the name of a shipped policy."""
    if isinstance(source, Path) or source.endswith(SUFFIXES) or "/" in source or "\\" in source:
        return Path(source)
    known = shipped_policies()
    if source in known:
        return known[source]
    if source and _exists(Path(source)):
        return Path(source)
    message = f"There is no policy '{shown(source)}', neither shipped with kgsan nor as a file."
    problems.append(Problem("P001", Place(shown(source) or GIVEN), message, _which(source, known)))
    return None


def _which(name: str, known: Mapping[str, Path]) -> str | None:
    close = nearest(name, list(known))
    if close is not None:
        return f"Did you mean '{close}'?"
    return f"Shipped are: {', '.join(sorted(known))}." if known else None


# --- policies that build on others


def _file(path: Path, chain: tuple[Path, ...], problems: list[Problem]) -> dict[str, Any] | None:
    return _chain(read_yaml(path, str(path)), path.parent, (*chain, _real(path)), problems)


def _chain(reading: Reading, folder: Path | None, chain: tuple[Path, ...], problems: list[Problem]) -> dict[str, Any] | None:
    """The values of a policy over those it extends; None when they cannot be known."""
    before = len(problems)
    problems.extend(reading.problems)
    if reading.root is None:
        return None
    written = any(key.text == "extends" for key, _ in reading.root.pairs)
    complete = not any(problem.code in LOSE_A_FIELD for problem in reading.problems)
    own = read_section(reading.root, POLICY, problems, inherits=written, complete=complete)
    values = build(own, problems)
    inherited: dict[str, Any] | None = {}
    if "extends" in own.values:
        inherited = _extended(own, folder, chain, problems)
    elif written:
        inherited = None
    if inherited is not None:
        values = _over(inherited, values)
        if complete:
            _protects_something(own, values, problems)
    return values if len(problems) == before and inherited is not None else None


def _extended(own: Entry, folder: Path | None, chain: tuple[Path, ...], problems: list[Problem]) -> dict[str, Any] | None:
    place = own.places["extends"]
    path = _extended_path(own.values["extends"], place, folder)
    if isinstance(path, Path):
        path = _in_a_row(path, place, chain)
    if isinstance(path, Problem):
        problems.append(path)
        return None
    return _file(path, chain, problems)


def _extended_path(name: str, place: Place, folder: Path | None) -> Path | Problem:
    """The file that is extended: one that ships, or one beside the policy and nowhere else."""
    if not name.endswith(SUFFIXES):
        known = shipped_policies()
        hint = _which(name, known) or "A file is named with its ending: `base.yaml`."
        return known.get(name) or Problem("P111", place, f"No policy '{shown(name)}' ships with kgsan.", hint)
    if any(sign in name for sign in "/\\:") or name.startswith("~"):
        return Problem("P111", place, "`extends` names a file in the same folder, without a path.", "Copy the file here.")
    if folder is None:
        hint = "Give `folder`, or extend a shipped policy."
        return Problem("P111", place, "A policy that is no file has no folder to look in.", hint)
    path = folder / name
    if not _exists(path):
        close = nearest(name, sorted(each.name for each in folder.glob("*.y*ml")))
        hint = f"Did you mean '{close}'?" if close else "Check the spelling."
        return Problem("P111", place, f"There is no file '{shown(name)}' in the folder of this policy.", hint)
    if _real(path).parent != _real(folder):
        return Problem("P111", place, f"'{shown(name)}' leads out of the folder of this policy.", "Copy the file here.")
    return path


def _in_a_row(path: Path, place: Place, chain: tuple[Path, ...]) -> Path | Problem:
    real = _real(path)
    if real in chain:
        circle = " -> ".join(shown(each.name) for each in (*chain[chain.index(real) :], real))
        return Problem("P112", place, f"The policies extend each other in a circle: {circle}.", "Remove one `extends`.")
    if len(chain) >= DEEPEST_CHAIN:
        return Problem("P112", place, f"More than {DEEPEST_CHAIN} policies extend one another here.", "Join some of them.")
    return path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False  # no name that a file could have


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path  # a circle of links; opening it tells


def _over(inherited: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """What a policy says over what it inherits: lists are joined, its own items first, and its word on a thing counts."""
    values = inherited | own
    for name in JOINED:
        if name in inherited and name in own and own[name]:
            said = {_subject(item) for item in own[name]}
            values[name] = (*own[name], *(item for item in inherited[name] if _subject(item) not in said))
    for name, other in (("allow", "deny"), ("deny", "allow")):
        said = {_subject(item) for item in own.get(other, ())}
        values[name] = tuple(item for item in values.get(name, ()) if item in own.get(name, ()) or _subject(item) not in said)
    return values


def _subject(item: Any) -> str:
    """What an item of a list is about."""
    for name in ("entity", "kind", "term", "text"):
        if name == "entity" and hasattr(item, "term"):
            continue
        if hasattr(item, name):
            return " ".join(str(getattr(item, name)).split())
    raise AssertionError(type(item).__name__)


def _protects_something(own: Entry, values: dict[str, Any], problems: list[Problem]) -> None:
    """A field that was written wrongly counts: what is wrong with it has been told."""
    meant = own.doubtful.intersection(REASONS_TO_HIDE)
    written = any(own.values.get(name) not in (None, NONE) for name in REASONS_TO_HIDE)
    if meant or written or any(values.get(name) not in (None, ()) for name in REASONS_TO_HIDE):
        return
    hint = "Name what the law protects under `protect:`, or write `identifiers: all`."
    problems.append(Problem("P110", own.place, "The policy protects nothing: every text would pass unchanged.", hint))
