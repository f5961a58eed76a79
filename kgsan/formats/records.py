"""Files of many records, each judged as one document, read and written one after the other in constant memory.

A row, a message or a resource is one record: what it says in two columns is one disclosure. A kind of file is a function that
gives its records in order (`RecordReader`); what they become, put one behind the other, is the new file.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Any, Protocol

from kgsan.errors import Place
from kgsan.formats.woven import Strand, Unwoven, Woven, _between, unweave
from kgsan.sanitize.release import promised, released
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.wording import Rewritten
from kgsan.text.foreign import ITS_PLACE, ForeignSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer


def _nothing_known(_system: str, _code: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Asked:
    """Which parts of every record are sanitized and which are taken over unchanged; what else a reader has to ask."""

    fields: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    pictures: str = "stop"
    name_of: Callable[[str, str], str | None] = _nothing_known  #: what a code of a code system stands for, where that is known
    discloses: Callable[[str], bool] = lambda _: False  #: whether words that cannot be changed may not stand


@dataclass(frozen=True, slots=True)
class Record:
    """One row, resource or message, or what stands between two of them and is no document."""

    strands: tuple[Strand, ...]
    put: Callable[[Sequence[str]], bytes] = field(repr=False)  #: the record with other texts in its places
    line: int | None = None
    kept: Mapping[str, Any] = field(default_factory=dict, repr=False)  #: what is taken over beside an answer in JSON
    known: tuple[tuple[int, str], ...] = ()  #: strands that are identifiers by where they stand, and of which kind
    settle: Callable[[Sequence[str]], Sequence[str]] | None = None  #: what stands where a text does not fit; "" for nothing
    is_document: bool = True


class RecordReader(Protocol):
    """Gives the records of a file in order. What a record becomes is asked in the same order, and for every one."""

    def __call__(self, stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]: ...


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one record; without a result it is no document."""

    content: bytes = field(repr=False)
    original: str = field(default="", repr=False)
    result: SanitizedDocument | None = None
    record: Record | None = None


def glue(content: bytes) -> Record:
    """Bytes between documents, which stay."""
    return Record((), lambda _: content, is_document=False)


#: So many records are read ahead of one that can be read in one go with others.
_MOST_WAITING = 256
_PAUSE = Record((), lambda _: b"", is_document=False)


def sanitized(records: Iterator[Record], name: str, sanitizer: Sanitizer, processes: int = 1) -> Iterator[Made]:
    """Every record as the policy lets it stand, in order. Raises `NotSafe` with the line of the one that cannot be made safe."""
    hidden = frozenset(rule.kind for rule in sanitizer.policy.identifiers if rule.keep is None and rule.above is None)
    waiting: deque[tuple[Record, Woven, list[ForeignSpan]]] = deque()

    def texts() -> Iterator[str]:
        for record in records:
            woven = Woven(record.strands)
            spans = _known(record, woven, hidden)
            waiting.append((record, woven, spans))
            if record.is_document and not spans:
                yield woven.text
            elif len(waiting) >= _MOST_WAITING:  # else a file in which every record is read alone would wait as a whole
                waiting.append((_PAUSE, Woven(()), []))
                yield ""

    results = sanitizer.sanitize_many(texts(), processes)
    while True:
        try:
            result = next(results, None)
        except NotSafe as error:
            raise _located(error, [(record, woven) for record, woven, spans in waiting if not spans], name, sanitizer) from None
        while waiting:
            record, woven, spans = waiting.popleft()
            if record is _PAUSE:
                break
            if not record.is_document:
                yield Made(record.put(()))
            elif spans:
                yield _made(record, woven, _alone(record, woven, spans, name, sanitizer), name, sanitizer)
            else:
                assert result is not None
                yield _made(record, woven, result, name, sanitizer)
                break
        if result is None:
            return


def texts_of(records: Iterator[Record]) -> Iterator[tuple[int | None, str]]:
    """What each record says, as it is judged, and where it begins."""
    for record in records:
        if record.is_document:
            yield record.line, Woven(record.strands).text


def _made(record: Record, woven: Woven, result: SanitizedDocument, name: str, sanitizer: Sanitizer) -> Made:
    unwoven = unweave(woven, result)
    if record.settle is not None:
        unwoven = settled(woven, unwoven, record.settle(unwoven.texts))
    if unwoven.result.text == result.text:
        promised(sanitizer, unwoven.result)
    else:  # what stands in several places, or stands there no more, makes another text than was judged
        where, said = Place(name, record.line), "The record discloses too much over several of its parts."
        released(sanitizer, unwoven.result, where, said)
    return Made(record.put(unwoven.texts), woven.text, unwoven.result, record)


def _alone(record: Record, woven: Woven, spans: list[ForeignSpan], name: str, sanitizer: Sanitizer) -> SanitizedDocument:
    try:
        return sanitizer.sanitize(woven.text, spans)
    except NotSafe as error:
        raise _at(error, name, record.line) from None


def _known(record: Record, woven: Woven, hidden: frozenset[str]) -> list[ForeignSpan]:
    """What the policy hides because of the place in which it stands."""
    found = []
    for number, kind in record.known:
        start, length = woven.starts[number], len(woven.strands[number].text)
        if length and kind in hidden:
            found.append(ForeignSpan(start, start + length, kind, source=ITS_PLACE))
    return found


def _located(error: NotSafe, waiting: Sequence[tuple[Record, Woven]], name: str, sanitizer: Sanitizer) -> NotSafe:
    """The same with the line of the record that was meant: several were read in one go."""
    for record, woven in waiting:
        if record.is_document:
            try:
                sanitizer.sanitize_block([woven.text])
            except NotSafe as found:
                return _at(found, name, record.line)
    return error


def _at(error: NotSafe, name: str, line: int | None) -> NotSafe:
    return type(error)(*(replace(problem, place=Place(name, line)) for problem in error.problems))


# --- what does not fit its place ------------------------------------------------------------------------------------------


def settled(woven: Woven, unwoven: Unwoven, texts: Sequence[str]) -> Unwoven:
    """The same with other texts in some strands, such as none where a date was replaced by words."""
    before = Woven([Strand(text, strand.joint) for text, strand in zip(unwoven.texts, woven.strands, strict=True)])
    after = Woven([Strand(text, strand.joint) for text, strand in zip(texts, woven.strands, strict=True)])
    if after.text == before.text:
        return unwoven
    stays = [old == new for old, new in zip(unwoven.texts, texts, strict=True)]
    pieces = unwoven.result.rewritten.pieces
    kept = [(0, 0, 0)]
    ends = [(0, 0), *((piece.end, piece.new_end) for piece in pieces)]
    starts = [*((piece.start, piece.new_start) for piece in pieces), (len(woven.text), len(before.text))]
    for (old, new), (old_end, _) in zip(ends, starts, strict=True):
        number = before.strand_at(new)
        while number < len(texts) and before.starts[number] < new + old_end - old:
            first = max(before.starts[number], new)
            last = min(before.starts[number] + len(unwoven.texts[number]), new + old_end - old)
            if stays[number] and first < last:
                kept.append((old + first - new, first - before.starts[number] + after.starts[number], last - first))
            number += 1
    kept.append((len(woven.text), len(after.text), 0))
    moved = Rewritten(after.text, tuple(_between(woven.text, after.text, kept, pieces)))
    decisions = []
    for one in unwoven.result.decisions:
        number = before.strand_at(one.new_start)
        start, shift = after.starts[number], after.starts[number] - before.starts[number]
        new_start, new_end = one.new_start + shift, one.new_end + shift
        if not stays[number]:
            # Where nothing is left, the joint beside it may have gone with it.
            new_start = start if texts[number] else moved.place(one.start)
            new_end = new_start + len(texts[number])
        decisions.append(replace(one, new_start=new_start, new_end=new_end))
    assert all(a[0] + a[2] <= b[0] for a, b in pairwise(kept))
    return Unwoven(tuple(texts), replace(unwoven.result, text=after.text, decisions=tuple(decisions), rewritten=moved))
