"""Which files a command sanitizes, and where each goes: beside or above none of them, and no two to one place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.formats.kinds import FHIR, HEAD, SUFFIXES, by_name, kind_of
from kgsan.formats.problems import FormatError
from kgsan.report.output import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINES = (".jsonl", ".ndjson")
_STANDARD = "-"
#: The form in which all texts come to stand in one file.
PAGE = "html"


class WrongUsage(Exception):
    """What was asked for makes no sense; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file, with one text or with many, and where to put what becomes of it; None is standard input or output."""

    source: Path | None
    name: str
    is_lines: bool = False  #: it holds many texts, of which each is told in a line
    output: Path | None = None
    certificate: Path | None = None
    record: Path | None = None
    is_mirrored: bool = False  #: the folders it goes to are made


@dataclass(frozen=True, slots=True)
class Jobs:
    """All that is to be done, and which files in the folders were passed over."""

    jobs: tuple[Job, ...]
    passed_over: tuple[str, ...] = ()
    is_batch: bool = False
    page: Path | None = None  #: the one file for all of them, where they are shown on a page

    @property
    def folders(self) -> set[Path]:
        """Where something is written."""
        written = (place for job in self.jobs for place in (job.output, job.certificate, job.record))
        return {place.resolve().parent for place in (*written, self.page) if place is not None}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where things are to go, as the user said it."""

    output: str | None = None
    certificate: Path | None = None
    record: Path | None = None
    form: str = "text"


def planned(inputs: Sequence[str], wanted: Wanted) -> Jobs:
    """What is to be done. Raises `WrongUsage` before anything is read or written."""
    if not inputs or list(inputs) == [_STANDARD]:
        job = _single(None, wanted)
        return Jobs((job,), page=job.output)
    if _STANDARD in inputs:
        raise WrongUsage("Standard input ('-') is given alone, not among other inputs.")
    paths = [Path(name) for name in inputs]
    for path in paths:
        if not path.exists():
            raise FileError(path.name, "There is no such file or folder.", "Check the spelling of its name and folder.")
    if len(paths) == 1 and not paths[0].is_dir():
        job = _single(paths[0], wanted)
        _refuse_overwriting([job], paths)
        return Jobs((job,), page=job.output)
    return _batch(paths, wanted)


def _single(source: Path | None, wanted: Wanted) -> Job:
    is_lines = wanted.form == "jsonl" if source is None else _holds_many(source)
    output = None if wanted.output in (None, _STANDARD) else Path(str(wanted.output))
    if output is not None and output.is_dir():
        if source is None:
            raise WrongUsage("The output is a folder; for standard input name a file.")
        output = output / _named(source.name, wanted.form)
    if wanted.record is not None and output is not None and wanted.record.resolve() == output.resolve():
        raise WrongUsage("The record and the text cannot be one file.")
    name = "standard input" if source is None else source.name
    return Job(source, name, is_lines, output, wanted.certificate, wanted.record)


def _batch(paths: Sequence[Path], wanted: Wanted) -> Jobs:
    page = _page(wanted) if wanted.form == PAGE else None
    if wanted.output in (None, _STANDARD) and wanted.form != PAGE:
        raise WrongUsage("Several texts need a folder to go to: give one with -o.")
    folder = None if wanted.form == PAGE else Path(str(wanted.output))
    for asked, option in ((folder, "-o"), (wanted.certificate, "--certificate"), (wanted.record, "--record")):
        if asked is not None and asked.exists() and not asked.is_dir():
            raise WrongUsage(f"With several texts, {option} names a folder, and there is a file of this name.")
    if wanted.record is not None and folder is not None and _is_inside(wanted.record, folder):
        raise WrongUsage("The private record may not lie in the folder of the texts that are released.")
    for path in paths:
        if path.is_dir() and any(
            asked and _is_inside(asked, path) for asked in (folder, page, wanted.certificate, wanted.record)
        ):
            raise WrongUsage("Nothing is written into a folder that is read: choose an output outside of it.")
    jobs, passed_over = [], []
    for path, below, is_known in _listed(paths):
        if not is_known:
            passed_over.append(str(below))
            continue
        relative = below.with_name(_named(below.name, wanted.form))
        jobs.append(
            Job(
                path,
                str(below),
                _holds_many(path),
                folder and folder / relative,
                wanted.certificate and wanted.certificate / below.with_name(f"{below.name}.certificate.json"),
                wanted.record and wanted.record / below.with_name(f"{below.name}.record.json"),
                is_mirrored=True,
            )
        )
    if not jobs:
        raise FileError(paths[0].name, "The folder holds no text that kgsan reads.", f"It reads {', '.join(SUFFIXES)}.")
    _refuse_overwriting(jobs if page is None else [*jobs, Job(None, page.name, output=page)], paths)
    return Jobs(tuple(jobs), tuple(passed_over), is_batch=True, page=page)


def _page(wanted: Wanted) -> Path | None:
    """Where the page of several texts goes."""
    page = None if wanted.output in (None, _STANDARD) else Path(str(wanted.output))
    if page is not None and page.is_dir():
        raise WrongUsage(
            "With --format html all texts come to stand on one page: -o names a file, and there is a folder of this name."
        )
    return page


def _listed(paths: Sequence[Path]) -> Iterator[tuple[Path, Path, bool]]:
    """The files meant, where below the output each belongs, and whether it is read; one that was named always is."""
    for path in paths:
        if not path.is_dir():
            yield path, Path(path.name), True
            continue
        for one in sorted(path.rglob("*")):
            below = one.relative_to(path)
            if one.is_file():
                is_hidden = any(part.startswith(".") for part in below.parts)
                yield one, below, not is_hidden and not _leads_out(one, path) and _is_known(one)


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether a link in a folder is to a file elsewhere, which nobody named."""
    return path.is_symlink() and not path.resolve().is_relative_to(folder.resolve())


def _is_known(path: Path) -> bool:
    """Whether a file in a folder is of a kind that is read. JSON may be anything, so its content is asked."""
    kind = by_name(path.name)
    if kind is not FHIR:
        return kind is not None
    try:
        with path.open("rb") as stream:
            return kind_of(stream.read(HEAD), path.name) is FHIR
    except FormatError:
        return False
    except OSError:
        return True  # that it cannot be read is told when it is its turn


def _holds_many(source: Path) -> bool:
    kind = by_name(source.name)
    if kind is None and source.is_file():
        try:
            with source.open("rb") as stream:
                kind = kind_of(stream.read(HEAD), source.name)
        except (FormatError, OSError):
            return False  # which is told when it is its turn
    return kind is not None and kind.is_records


def _named(name: str, form: str) -> str:
    """How a text is called when it is written in a form."""
    suffix = f".{form}"
    return name if form == "text" or name.lower().endswith((suffix, *_LINES)) else f"{name}{suffix}"


def _refuse_overwriting(jobs: Sequence[Job], paths: Sequence[Path]) -> None:
    read = {_same(job.source) for job in jobs if job.source is not None}
    folders = [path for path in paths if path.is_dir()]
    seen: set[Path] = set()
    for job in jobs:
        for target in (job.output, job.certificate, job.record):
            if target is None:
                continue
            if target.resolve() in seen:
                raise WrongUsage(f"Two results would be written to one file, {target.name}: give them different folders.")
            seen.add(target.resolve())
            if _same(target) in read or any(_is_inside(target, folder) for folder in folders):
                raise WrongUsage(f"{target.name} would be written over a text that is read: choose another output.")


def _same(path: Path) -> object:
    """What is equal for two paths of one file, whatever links lead to it."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return found.st_dev, found.st_ino


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
