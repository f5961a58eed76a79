"""Ontologies by path or by name: read, compiled, and kept compiled for the next time."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.errors import OntologyError, ontology_error
from kgsan.ontology.arrays import MAGIC
from kgsan.ontology.compile import VERSION, merge, subset
from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.sources import read
from kgsan.sources.files import digest, open_source
from kgsan.sources.records import Options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.sources.files import Watch
    from kgsan.sources.records import Records

_DEFAULT_ORDER = ("protected", "mesh", "icd10cm", "places", "wordnet")
#: A lexicon of the `wn` package is named with this before it: "wn:oewn:2024".
LEXICON = "wn:"


def load_ontology(*sources: str | Path, options: Options | None = None, watch: Watch | None = None) -> OntologyStack:
    """One or several ontologies, asked in the order given; without a source, those that ship with kgsan.

    A source is the path of a file, folder or archive in any format kgsan reads, the path of a compiled `.kgo` file,
    the name of an ontology that ships with kgsan ("wordnet"), or "wn:" and a lexicon installed in the `wn` package.
    What was read once is kept compiled in the cache folder (see `cache_folder`) and opens at once the next time.
    """
    return OntologyStack([_load(source, options or Options(), watch) for source in sources or default_stack()])


def compile_ontology(
    *sources: str | Path, options: Options | None = None, under: str | None = None, watch: Watch | None = None
) -> Ontology:
    """Several sources as one ontology: concepts with the same id are one.

    `under` keeps one concept and what specializes it. `watch` is told how many bytes were read, whenever some were.
    """
    options = options or Options()
    parts: list[Records] = []
    about: list[dict[str, Any]] = []
    for source in sources:
        records, told = _read(source, options, watch)
        parts.append(records)
        about.append(told)
    merged = merge(parts)
    if under is not None:
        merged = subset(merged, under, about[0]["name"])
    return Ontology.from_records(merged, about)


def default_stack() -> list[str]:
    """The names of the ontologies that ship, in the order in which they are asked: the most special first."""
    found = shipped()
    known = [name for name in _DEFAULT_ORDER if name in found]
    if not known:
        raise ontology_error("O101", "kgsan", "No ontology ships with this installation.", "Name one.")
    return known


def shipped() -> dict[str, Path]:
    """The ontologies that come with kgsan, by name."""
    found: dict[str, Path] = {}
    for folder in shipped_folders("ontologies"):
        for path in sorted(folder.iterdir()):
            if path.is_file() and not path.name.startswith((".", "README")):
                found.setdefault(path.name.partition(".")[0], path)
    return found


def shipped_folders(kind: str) -> Iterable[Path]:
    """Where shipped data lies: inside the installed package, or beside it in a checkout."""
    package = Path(str(files("kgsan")))
    return [folder for folder in (package / "_bundled" / kind, package.parent / kind) if folder.is_dir()]


def locate(source: str | Path) -> Path:
    """The path that a source means. A bare word is the name of a shipped ontology."""
    text = str(source)
    if isinstance(source, str) and not any(mark in text for mark in "/\\."):
        known = shipped()
        if text in known:
            return known[text]
        if not Path(text).exists():
            names = ", ".join(known) or "none"
            raise ontology_error(
                "O101", text, f"No ontology of this name ships with kgsan (there are: {names}), and no such file exists."
            )
    return Path(source)


def _read(source: str | Path, options: Options, watch: Watch | None) -> tuple[Records, dict[str, Any]]:
    if _is_lexicon(source):
        from kgsan.sources.wninstalled import read_lexicon

        source = str(source)
        records = read_lexicon(source.removeprefix(LEXICON), options)
        return records, {"name": source, "format": records.format}
    opened = open_source(locate(source), watch)
    records = read(opened, options)
    told: dict[str, Any] = {"name": opened.name, "format": records.format, "sha256": digest(opened)}
    if records.imported:
        told["imports"] = [{"name": name, "sha256": sha} for name, sha in records.imported]
    return records, told


def _load(source: str | Path, options: Options, watch: Watch | None) -> Ontology:
    if not _is_lexicon(source):
        source = locate(source)
        if source.is_file() and _starts_with(source, MAGIC):
            return Ontology.open(source)
    kept = _kept(source, options)
    if kept is not None and (found := _still_true(kept, source)) is not None:
        return found
    ontology = compile_ontology(source, options=options, watch=watch)
    if kept is not None and not any(problem.code == "O201" for problem in ontology.problems):
        try:
            kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            ontology.save(kept)
            return Ontology.open(kept)
        except (OSError, OntologyError):
            pass  # a cache that cannot be written is no reason to fail
    return ontology


def _is_lexicon(source: str | Path) -> bool:
    return isinstance(source, str) and source.startswith(LEXICON)


def _still_true(kept: Path, source: str | Path) -> Ontology | None:
    """The kept ontology, when the files it imported are what they were."""
    try:
        ontology = Ontology.open(kept)
        for imported in ontology.about["sources"][0].get("imports", ()):
            if digest(open_source(Path(source).parent / imported["name"])) != imported["sha256"]:
                return None
    except OntologyError:
        return None  # not there yet, or damaged, or an import is gone: made anew
    return ontology


def _starts_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(magic)) == magic


def cache_folder() -> Path | None:
    """Where compiled ontologies are kept: `KGSAN_CACHE`, else the user's cache folder; None when `KGSAN_CACHE` is "off"."""
    wanted = os.environ.get("KGSAN_CACHE")
    if wanted:
        return None if wanted == "off" else Path(wanted)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "kgsan"


def _kept(source: str | Path, options: Options) -> Path | None:
    """The compiled file that belongs to this content, these options and this version of kgsan."""
    try:
        folder = cache_folder()
    except RuntimeError:  # no home folder
        return None
    if folder is None:
        return None
    if _is_lexicon(source):
        from kgsan.sources.wninstalled import state

        content, name = state(), str(source)
    else:
        opened = open_source(source)
        content, name = digest(opened), opened.name
    told = {"content": content, "name": name, "options": asdict(options), "code": _code()}
    return folder / f"{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]}.kgo"


@cache
def _code() -> str:
    """A hash of the code that reads and compiles: what other code made is not taken for its own."""
    total = hashlib.sha256(str(VERSION).encode())
    package = Path(str(files("kgsan")))
    for part in sorted([*package.glob("sources/*.py"), *package.glob("ontology/*.py")]):
        total.update(part.read_bytes())
    return total.hexdigest()
