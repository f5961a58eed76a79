"""One file sanitized: a text, a document of another program or many records, with what is told of it."""

from __future__ import annotations

import io
import secrets
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, cast

from kgsan.cli.codes import name_of
from kgsan.formats.documents import Rules, sanitize_file, text_of
from kgsan.formats.kinds import HEAD, LINES, TEXT, document_reader, kind_of, record_reader
from kgsan.formats.records import Asked, sanitized, texts_of
from kgsan.report.answers import answer, reasons, row
from kgsan.report.certificate import as_bytes, certificate
from kgsan.report.output import Drafts, FileError, _decoded, _unreadable, make_folder, write_out
from kgsan.report.page.page import Reported
from kgsan.report.record import KEY_SIZE, record
from kgsan.report.sentences import printable
from kgsan.sanitize.release import promised
from kgsan.text.foreign import read_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kgsan.cli.batch import Setup
    from kgsan.cli.jobs import Job
    from kgsan.formats.kinds import Kind
    from kgsan.report.output import Draft
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

#: What goes to standard output waits until all of it is there; beyond this it waits on the disk.
_IN_MEMORY = 1 << 26
_COPIED = 1 << 20


@dataclass(frozen=True, slots=True)
class _Piece:
    """What a document becomes, or bytes between two of them."""

    content: bytes = field(repr=False)
    original: str = field(default="", repr=False)
    result: SanitizedDocument | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    line: int | None = None


def write_job(sanitizer: Sanitizer, setup: Setup, job: Job, processes: int = 1) -> None:
    """Sanitize a file and write it, with all that was asked for: everything or nothing."""
    told: list[str] = []
    with opened(job.source, setup.form) as (stream, kind), SpooledTemporaryFile(_IN_MEMORY) as printed:
        job = replace(job, is_lines=kind.is_records)
        _refuse_output(setup, job, kind)
        with Drafts() as drafts:
            # The text comes last: where it stands, the others do.
            kept = None if job.record is None else begun(drafts, job.record, job, private=True)
            proof = None if job.certificate is None else begun(drafts, job.certificate, job)
            text = cast("Draft | IO[bytes]", printed if job.output is None else begun(drafts, job.output, job))
            for piece in _pieces(sanitizer, setup, job, stream, kind, processes):
                text.write(_told(sanitizer, setup, job, piece))
                if piece.result is None:
                    continue
                if proof is not None:
                    proof.write(packed(certificate(sanitizer, piece.result.text), job))
                if kept is not None:
                    kept.write(packed(record(sanitizer, piece.original, piece.result, secrets.token_bytes(KEY_SIZE)), job))
                if setup.reveal and setup.form == "text":
                    where = "" if piece.line is None else f"{piece.line}: "
                    told += (where + reason for reason in reasons(sanitizer, piece.original, piece.result))
        if job.output is None:
            printed.seek(0)
            while block := printed.read(_COPIED):
                write_out(block)
    for line in told:
        print(printable(f"{job.name}:{line}"), file=sys.stderr)


def reported(sanitizer: Sanitizer, setup: Setup, job: Job) -> Iterator[Reported]:
    """Every document of a file with what a page tells of it."""
    with opened(job.source, setup.form) as (stream, kind):
        number = 0
        for piece in _pieces(sanitizer, setup, job, stream, kind):
            if piece.result is not None:
                number += 1
                name = f"{job.name}, text {number}" if kind.is_records else job.name
                yield Reported(name, piece.original, piece.result, certificate(sanitizer, piece.result.text))


def texts_in(sanitizer: Sanitizer, setup: Setup, source: Path | None) -> Iterator[tuple[bool, int | None, str]]:
    """What a file says, as it is judged; for one of many documents, what each says and where it begins."""
    name = "standard input" if source is None else source.name
    with opened(source, setup.form) as (stream, kind):
        if kind.is_records:
            asked = replace(_asked(sanitizer, setup), pictures="keep")
            yield from ((True, *one) for one in texts_of(record_reader(kind, name)(stream, name, asked)))
        elif kind is TEXT:
            yield False, None, _decoded(stream.read(), name)
        else:
            yield False, None, text_of(stream.read(), name, document_reader(kind, name))


@contextmanager
def opened(source: Path | None, form: str = "text") -> Iterator[tuple[IO[bytes], Kind]]:
    """A file, or standard input, and of what kind it is; nothing of it is lost by looking, also if it can be read only once."""
    name = "standard input" if source is None else source.name
    given: Any = sys.stdin.buffer if source is None else _file(source)
    stream = given if hasattr(given, "peek") else io.BufferedReader(given, HEAD)
    try:
        yield stream, LINES if source is None and form == "jsonl" else kind_of(_head(stream, name), name)
    finally:
        if source is not None:
            stream.close()
        elif stream is not given:
            stream.detach()


def _file(source: Path) -> IO[bytes]:
    if source.is_dir():
        raise FileError(source.name, "This is a folder, not a file.")
    try:
        return source.open("rb", buffering=HEAD)
    except OSError as error:
        raise _unreadable(source.name, error) from None


def _head(stream: io.BufferedReader, name: str) -> bytes:
    try:
        return stream.peek(HEAD)[:HEAD]
    except OSError as error:
        raise _unreadable(name, error) from None


def begun(drafts: Drafts, target: Path, job: Job, *, private: bool = False) -> Draft:
    """A file of the job, in a folder that is made when it belongs to a tree that is mirrored."""
    if job.is_mirrored:
        make_folder(target.parent, private=private)
    return drafts.begin(target, private=private)


def packed(content: dict[str, Any], job: Job) -> bytes:
    """A certificate or record: on one line where the job has many."""
    return row(content) if job.is_lines else as_bytes(content)


# --- what a file becomes --------------------------------------------------------------------------------------------------


def _pieces(sanitizer: Sanitizer, setup: Setup, job: Job, stream: IO[bytes], kind: Kind, processes: int = 1) -> Iterator[_Piece]:
    if kind.is_records:
        records = record_reader(kind, job.name)(stream, job.name, _asked(sanitizer, setup))
        for made in sanitized(records, job.name, sanitizer, processes):
            of = made.record
            yield _Piece(
                made.content, made.original, made.result, {} if of is None else dict(of.kept), None if of is None else of.line
            )
    elif kind is TEXT:
        original = _decoded(stream.read(), job.name)
        result = _sanitized(sanitizer, setup, original)
        yield _Piece(result.text.encode("utf-8"), original, result)
    else:
        rules = Rules(pictures=setup.pictures)
        made_file = sanitize_file(stream.read(), job.name, document_reader(kind, job.name), _Checked(sanitizer, setup), rules)
        yield _Piece(made_file.content, made_file.original, made_file.result)


def _told(sanitizer: Sanitizer, setup: Setup, job: Job, piece: _Piece) -> bytes:
    if setup.form == "text":
        return piece.content
    if piece.result is None:
        return b""
    told = answer(sanitizer, piece.original, piece.result, reveal=setup.reveal)
    return row({**piece.kept, **told}, indent=None if job.is_lines or setup.form == "jsonl" else 2)


def _refuse_output(setup: Setup, job: Job, kind: Kind) -> None:
    """What is nothing for a terminal does not go there, and a file is not called what it is not."""
    if setup.form != "text" or not kind.is_binary:
        return
    if job.output is None and sys.stdout.isatty():
        raise FileError(job.name, f"What becomes of it is {kind} and nothing for a terminal.", "Name a file with -o.")
    if job.output is not None and job.output.suffix.lower() not in kind.suffixes:
        raise FileError(job.output.name, f"What is written there is {kind}.", f"Let its name end in {kind.suffixes[0]}.")


def _asked(sanitizer: Sanitizer, setup: Setup) -> Asked:
    stack = sanitizer.knowledge.stack
    return Asked(
        setup.fields,
        setup.keep,
        setup.pictures,
        lambda system, code: name_of(stack, system, code),
        lambda words: bool(sanitizer.verify(words)),
    )


def _sanitized(sanitizer: Sanitizer, setup: Setup, text: str) -> SanitizedDocument:
    """What becomes of a text, whatever the method promises."""
    given: dict[str, Any] = {} if setup.spans is None else {"spans": read_spans(setup.spans, text)}
    return promised(sanitizer, sanitizer.sanitize(text, **given))


@dataclass(frozen=True, slots=True)
class _Checked:
    """A sanitizer that keeps what is promised here, whatever its method."""

    sanitizer: Sanitizer
    setup: Setup

    def sanitize(self, text: str) -> SanitizedDocument:
        """The text as the policy lets it stand."""
        return _sanitized(self.sanitizer, self.setup, text)

    def verify(self, text: str) -> Sequence[object]:
        """What still discloses."""
        return self.sanitizer.verify(text)
