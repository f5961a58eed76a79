"""Everything that anybody could see of a run: what it printed, logged, wrote and raised."""

from __future__ import annotations

import io
import logging
import sys
import tempfile
import traceback
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.faults.never_open_world import CANARIES, MARK, PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@dataclass(slots=True)
class Seen:
    """What was seen, each with where."""

    told: list[tuple[str, bytes]] = field(default_factory=list)
    raised: BaseException | None = None

    def add(self, where: str, content: object) -> None:
        """Something else that is seen."""
        told = content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")
        self.told.append((where, told))

    def of(self, where: str) -> bytes:
        """What was seen in one place."""
        return b"".join(content for name, content in self.told if name == where)

    def leaks(self) -> list[str]:
        """Where words of the document stand. What shows the original by its purpose is looked through for quotes only."""
        found = []
        for where, content in self.told:
            words: Sequence[str] = CANARIES
            if where.startswith("cache"):  # which holds the ontology, and so the words that it knows
                words = PRIVATE
            elif where.startswith("page"):
                words = ()
            found += [f"{where}: {word}" for word in (MARK, *words) if holds(content, word)]
        return found


def holds(content: bytes, word: str) -> bool:
    """Whether bytes hold a word, in any case, in UTF-8 or UTF-16, also inside a packed file."""
    plain = content.lower()
    if word.lower().encode() in plain or word.lower().encode("utf-16-le") in plain:
        return True
    if content.startswith(b"PK") and zipfile.is_zipfile(io.BytesIO(content)):  # a random key may begin so
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            return any(holds(file.read(name), word) for name in file.namelist())
    if content.startswith(b"%PDF"):
        return word.lower() in _pdf_text(content)
    return False


def _pdf_text(content: bytes) -> str:
    import pikepdf
    import pypdf

    with pikepdf.open(io.BytesIO(content)) as pdf:
        told = " ".join(repr(one) for one in pdf.objects)
    return (told + "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)).lower()


class _Everything(logging.Handler):
    def __init__(self, seen: Seen) -> None:
        super().__init__(logging.DEBUG)
        self._seen = seen
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._seen.add("log", self.format(record))


@contextmanager
def watched(folder: Path, given: bytes = b"") -> Iterator[Seen]:
    """Watch what is printed, logged and written into the folders of a run, `given` being its standard input.

    Originals lie in `in`, and in `private` what only their owner may read.
    """
    seen = Seen()
    (folder / "tmp").mkdir(parents=True)
    before = sys.stdin, sys.stdout, sys.stderr, tempfile.tempdir
    streams = [io.TextIOWrapper(io.BytesIO(one), encoding="utf-8", write_through=True) for one in (given, b"", b"")]
    handler, root = _Everything(seen), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    sys.stdin, sys.stdout, sys.stderr = streams
    tempfile.tempdir = str(folder / "tmp")
    try:
        yield seen
    finally:
        sys.stdin, sys.stdout, sys.stderr, tempfile.tempdir = before
        root.removeHandler(handler)
        root.setLevel(level)
        for where, stream in zip(("stdout", "stderr"), streams[1:], strict=True):
            stream.flush()
            seen.add(where, stream.buffer.getvalue())  # type: ignore[attr-defined]
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not {"in", "private"} & {*path.relative_to(folder).parts}:
                seen.add(f"file {path.relative_to(folder)}", path.read_bytes())


def told_of(error: BaseException) -> Iterator[tuple[str, str]]:
    """What whoever catches an error can read: as Python prints it, and every error behind it, told or not."""
    yield "traceback", "".join(traceback.format_exception(error))
    waiting: list[Any] = [error]
    known: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in known:
            continue
        known.add(id(one))
        yield "exception", f"{one!s} {one!r} {one.args!r} {getattr(one, '__notes__', '')} {getattr(one, 'object', '')!r}"
        waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
