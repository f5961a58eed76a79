"""HL7 v2 messages: every message is a document, read field by field; segments, separators and control fields stay."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from kgsan.formats.hl7_fields import CODED, CONTROL, KNOWN, LINES
from kgsan.formats.problems import FormatError
from kgsan.formats.records import Record, glue
from kgsan.formats.woven import BLANK, BLOCK, JOINTS, LINE, Strand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgsan.formats.records import Asked

_CHUNK = 1 << 16
_LARGEST = 1 << 27
_HEADS = ("MSH", "FHS", "BHS")
_BATCH = ("FHS", "BHS", "BTS", "FTS")
_ENDS = re.compile(rb"(\r\n|\r|\n)")
_DATE = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?\d{0,2}(?:\.\d{1,4})?(?:[+-]\d{4})?")
_YEAR = re.compile(r"(?:19|20)\d\d(?![\w-])")
_ESCAPE = re.compile(r"\\([^\\\r\n]{0,400})\\")
_CODED_TYPES = ("CE", "CWE", "CNE", "CF")
_DATA_TYPES = ("ED", "RP")


def read_hl7(stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]:
    """Every message, and what a batch file puts around them."""
    lines: list[tuple[bytes, bytes]] = []
    first, number, size = 1, 0, 0
    separators = _Separators()
    for content, end in _segments(stream, name):
        number += 1
        begins = content.lstrip(b"\x0b\x1c \t\xef\xbb\xbf")[:3].decode("latin-1")
        if lines and (begins in (*_HEADS, *_BATCH)):
            separators = _separators(lines, separators, name, first)
            yield _message(lines, separators, name, first, asked)
            lines, first, size = [], number, 0
        if not lines and not content.strip(b"\x0b\x1c \t"):
            yield glue(content + end)
            first = number + 1
            continue
        lines.append((content, end))
        size += len(content)
        if size > _LARGEST:
            raise FormatError("F108", name, "The message is larger than a message can be.", line=first)
    if lines:
        yield _message(lines, _separators(lines, separators, name, first), name, first, asked)


def _segments(stream: IO[bytes], name: str) -> Iterator[tuple[bytes, bytes]]:
    """Segments with what ends each of them."""
    rest, chunk = b"", _CHUNK
    while content := stream.read(chunk):
        *parts, rest = _ENDS.split(rest + content)
        if parts and parts[-1] == b"\r" and not rest:  # the other half of this end may come
            rest = parts.pop(-2) + parts.pop()
        yield from zip(parts[::2], parts[1::2], strict=True)
        chunk = _CHUNK if parts else min(2 * chunk, _LARGEST)
        if len(rest) > _LARGEST:
            raise FormatError("F108", name, "A segment is larger than a segment can be.")
    if rest:
        content, _, end = rest.partition(b"\r")
        yield content, b"\r" if rest.endswith(b"\r") else end


@dataclass(frozen=True, slots=True)
class _Separators:
    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    part: str = "&"
    encoding: str = "utf-8"


def _separators(lines: Sequence[tuple[bytes, bytes]], before: _Separators, name: str, line: int) -> _Separators:
    """What a message separates its parts by: it says so itself, in its first segment."""
    head = lines[0][0].lstrip(b"\x0b\x1c \t\xef\xbb\xbf")
    if head[:3].decode("latin-1") not in _HEADS:
        if head[:3] in (b"BTS", b"FTS"):
            return before
        raise FormatError("F104", name, "A message begins with the segment MSH, and here it does not.", line=line)
    sign = head[3:4].decode("latin-1")
    fields = head.decode("latin-1").split(sign) if sign else []
    signs = fields[1] if len(fields) > 1 else ""
    if not sign or sign.isalnum() or len(signs) < 3 or len({sign, *signs}) != len(signs) + 1 or any(map(str.isalnum, signs)):
        raise FormatError("F104", name, "The segment MSH does not say what separates the parts of the message.", line=line)
    component, repetition, escape, part = tuple((signs if len(signs) > 3 else signs + "&")[:4])
    said = fields[17].strip().upper() if len(fields) > 17 else ""
    encoding = "iso-8859-1" if said.startswith("8859/1") and not said.startswith("8859/15") else "utf-8"
    return _Separators(sign, component, repetition, escape, part, encoding)


@dataclass(slots=True)
class _Leaf:
    """The smallest part of a message: what stands there, how it is read, and what becomes of it."""

    raw: str = field(repr=False)
    view: str = field(repr=False)
    joint: str
    settle: Callable[[str], str] | None = None
    group: int = -1  #: a code and the name of its code system go with the words beside them
    is_dropped: bool = False
    kind: str | None = None
    is_judged: bool = True


def _message(lines: Sequence[tuple[bytes, bytes]], signs: _Separators, name: str, line: int, asked: Asked) -> Record:
    parts: list[str | _Leaf] = []
    before = ""
    groups = 0
    for offset, (content, end) in enumerate(lines):
        try:
            segment = content.decode(signs.encoding)
        except UnicodeDecodeError:
            said = f"The segment is not in {signs.encoding.upper()}."
            raise FormatError("F104", name, said, "Let MSH-18 say what it is in.", line + offset) from None
        fields = segment.split(signs.field)
        kind = fields[0].strip("\x0b\x1c \t\ufeff")
        shift = 1 if kind in _HEADS else 0
        values = fields[2] if kind == "OBX" and len(fields) > 2 else ""
        parts.append(fields[0])
        for at, content_of in enumerate(fields[1:], 1):
            parts.append(signs.field)
            place = f"{kind}-{at + shift}"
            if not content_of or place in asked.keep or (place in CONTROL or (shift and at == 1)):
                parts.append(content_of)
            elif place == "OBX-5" and values in _DATA_TYPES:
                parts.append(_attachment(content_of, name, line + offset, asked))
            else:
                is_coded = place in CODED or (place == "OBX-5" and values in _CODED_TYPES)
                joint = LINE if place in LINES and before == kind else BLOCK
                leaves = list(_leaves(content_of, place, joint, signs))
                if is_coded:
                    groups = _code(leaves, groups, signs, asked)
                parts += leaves
        parts.append(end.decode("latin-1"))
        before = kind
    return _record(parts, signs, line)


def _attachment(content: str, name: str, line: int, asked: Asked) -> str:
    if asked.pictures == "stop":
        hint = "Say with --pictures whether such things are kept or removed."
        raise FormatError("F109", name, "The message holds an attachment, which cannot be read.", hint, line)
    return content if asked.pictures == "keep" else ""


def _leaves(content: str, place: str, joint: str, signs: _Separators) -> Iterator[str | _Leaf]:
    split = re.split(f"([{re.escape(signs.component + signs.repetition + signs.part)}])", content)
    component = 0
    for number, part in enumerate(split):
        if number % 2:
            component = 0 if part == signs.repetition else component + (part == signs.component)
            joint = max(joint, LINE if part == signs.repetition else BLANK, key=JOINTS.index)
            yield part
            continue
        view, settle = _viewed(part, signs)
        is_judged = len(view.strip()) > 1 and not (view.isdigit() and len(view) < 4)
        yield _Leaf(part, view, joint, settle, kind=_known(place, component, view), is_judged=is_judged)
        joint = BLANK if is_judged else joint


def _known(place: str, component: int, view: str) -> str | None:
    by_component = KNOWN.get(place)
    if by_component is None or len(view) < 2:
        return None
    return by_component.get(component)


def _viewed(raw: str, signs: _Separators) -> tuple[str, Callable[[str], str] | None]:
    """A part as a person reads it, and what can stand there when that is replaced."""
    if found := _DATE.fullmatch(raw):
        time = f" {found[4]}:{found[5] or '00'}" if found[4] else ""
        return f"{found[1]}-{found[2]}-{found[3]}{time}", lambda new: year[0] if (year := _YEAR.match(new)) else ""
    if signs.escape not in raw:
        return raw, None
    meant = {"F": signs.field, "S": signs.component, "T": signs.part, "R": signs.repetition, "E": signs.escape, "H": "", "N": ""}

    def plain(found: re.Match[str]) -> str:
        code = found[1]
        if code in meant:
            return meant[code]
        if code.startswith("X") and len(code) % 2:
            try:
                return bytes.fromhex(code[1:]).decode(signs.encoding, "replace")
            except ValueError:
                return found[0]
        return "\n" if code.startswith((".br", ".sp")) else " " if code.startswith(".") else found[0]

    pattern = _ESCAPE if signs.escape == "\\" else re.compile(_ESCAPE.pattern.replace("\\\\", re.escape(signs.escape)))
    return pattern.sub(plain, raw), None


def _escaped(text: str, signs: _Separators) -> str:
    meant = {signs.escape: "E", signs.field: "F", signs.component: "S", signs.part: "T", signs.repetition: "R"}
    made = {ord(sign): f"{signs.escape}{code}{signs.escape}" for sign, code in meant.items()}
    made |= {ord("\n"): f"{signs.escape}.br{signs.escape}", ord("\r"): ""}
    return text.translate(made)


def _code(leaves: Sequence[str | _Leaf], groups: int, signs: _Separators, asked: Asked) -> int:
    """Codes are judged by the name of what they stand for; what stands for nobody knows what is dropped."""
    component = 0
    row: dict[int, _Leaf] = {}
    for one in (*leaves, signs.repetition):
        if isinstance(one, _Leaf):
            row.setdefault(component, one)
            continue
        if one == signs.component:
            component += 1
        if one != signs.repetition:
            continue
        for start in (0, 3):
            code, words, system = (row.get(start + at) for at in range(3))
            groups += 1
            if code is None or not code.raw:
                continue
            of = "" if system is None else system.raw
            called = asked.name_of(of, code.view)
            if called is not None:
                code.view, code.is_judged = called, True
            elif (words is None or not words.raw.strip()) and of not in asked.keep:
                code.is_dropped = True
            code.group = groups
            if words is not None:
                words.group = -groups - 1
            if system is not None and code.is_dropped:
                system.is_dropped = True
            if system is not None:
                system.group, system.is_judged = groups, False
        component, row = 0, {}
    return groups


def _record(parts: Sequence[str | _Leaf], signs: _Separators, line: int) -> Record:
    leaves = [part for part in parts if isinstance(part, _Leaf) and (part.is_judged or part.group >= 0 or part.is_dropped)]
    judged = [leaf for leaf in leaves if leaf.is_judged]
    numbers = {id(leaf): number for number, leaf in enumerate(judged)}

    def broken(texts: Sequence[str]) -> set[int]:
        """The coded values of which a part was changed."""
        changed = (leaf for leaf, text in zip(judged, texts, strict=True) if text != leaf.view)
        return {leaf.group if leaf.group >= 0 else -leaf.group - 1 for leaf in changed if leaf.group != -1}

    def settle(texts: Sequence[str]) -> Sequence[str]:
        gone = broken(texts)
        made = []
        for leaf, text in zip(judged, texts, strict=True):
            if leaf.is_dropped or leaf.group in gone:
                made.append("")
            else:
                made.append(leaf.settle(text) if leaf.settle is not None and text != leaf.view else text)
        return made

    def put(texts: Sequence[str]) -> bytes:
        gone = broken(texts)
        made = []
        for part in parts:
            if isinstance(part, str):
                made.append(part)
                continue
            text = texts[numbers[id(part)]] if part.is_judged else part.view
            if part.is_dropped or part.group in gone:
                made.append("")
            elif text == part.view:
                made.append(part.raw)
            else:
                made.append(_escaped(text, signs))
        return "".join(made).encode(signs.encoding)

    known = tuple((number, leaf.kind) for number, leaf in enumerate(judged) if leaf.kind is not None)
    return Record(tuple(Strand(leaf.view, leaf.joint) for leaf in judged), put, line, known=known, settle=settle)
