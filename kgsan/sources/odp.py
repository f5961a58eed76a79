"""The topics of the Open Directory (dmoz.org), as its dumps `structure.rdf.u8` tell them."""

from __future__ import annotations

import re
from array import array
from typing import IO, TYPE_CHECKING, cast

from kgsan.errors import ontology_error
from kgsan.sources import xml
from kgsan.sources.files import SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from kgsan.errors import OntologyError
    from kgsan.sources.files import Source

#: Where the topics in other languages than English stand.
_OTHER_LANGUAGES = re.compile(r"Top/(World|Kids_and_Teens/International)(/|$)")
#: Bytes that XML forbids, and a blank for each.
_FORBIDDEN = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_BLANKED = bytes.maketrans(_FORBIDDEN, b" " * len(_FORBIDDEN))
_NONCHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_REPLACEMENT = "\ufffd"
#: No topic of the directory comes near; longer paths would only serve to make the reading slow.
_LONGEST_PATH = 4096
_UNKNOWN, _LEFT_OUT = -1, -2
_KINDS = ("narrow", "symbolic", "related")
_LINKS = {f"{kind}{priority}": number for number, kind in enumerate(_KINDS) for priority in ("", "1", "2")}


def recognises(source: Source) -> bool:
    """Whether the file is XML whose root is an RDF element in the namespace of the Open Directory."""
    if not isinstance(source, SourceFile):
        return False
    head = source.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    root = re.search(rb"<(?:\w+:)?RDF\b[^>]*>", head)
    return (
        head.startswith(b"<")
        and root is not None
        and re.search(rb"(?:dmoz\.org|directory\.mozilla\.org)/rdf", root[0]) is not None
    )


def read(source: Source, options: Options) -> Records:
    """The topics with their narrower topics; what lies in other languages is left out when a language is asked for."""
    assert isinstance(source, SourceFile)
    reading = _Reading(source.name, options)
    with source.open() as stream:
        clean = _CleanStream(stream)
        xml.feed(reading.parser, cast("IO[bytes]", clean), source.name)
    records = reading.finish()
    if clean.replaced:
        records.notice("O206", source.name, f"Bytes that are no UTF-8 or no XML were replaced ({clean.replaced}).")
    return records


class _CleanStream:
    """The bytes of a stream without what XML forbids; a sign cut in two by the end of a chunk is put together again."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._cut = b""
        self.replaced = 0

    def read(self, size: int) -> bytes:
        while chunk := self._stream.read(size):
            data = self._cut + chunk
            whole = len(data) - _cut_length(data)
            self._cut = data[whole:]
            if whole:
                return self._cleaned(data[:whole])
        data, self._cut = self._cut, b""
        return self._cleaned(data)

    def _cleaned(self, data: bytes) -> bytes:
        legal = len(data.translate(None, _FORBIDDEN))
        if legal != len(data):
            self.replaced += len(data) - legal
            data = data.translate(_BLANKED)
        for noncharacter in _NONCHARACTERS:
            if noncharacter in data:
                self.replaced += data.count(noncharacter)
                data = data.replace(noncharacter, _REPLACEMENT.encode())
        try:
            data.decode()
        except UnicodeDecodeError:
            text = data.decode(errors="replace")
            self.replaced += text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode())
            data = text.encode()
        return data


def _cut_length(data: bytes) -> int:
    """How many bytes at the end begin a UTF-8 sign without ending it."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            return back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
        if byte < 0x80:
            return 0
    return 0


class _Reading:
    """The state between two tags."""

    def __init__(self, name: str, options: Options) -> None:
        self.name = name
        self.records = Records("Open Directory")
        self.parser = xml.parser(name)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self._prefix = "odp" if options.prefix is None else options.prefix
        self._english_only = options.language is not None
        if options.language is not None and re.split("[-_]", options.language.lower())[0] != "en":
            self.records.notice(
                "O205", name, f"The topics have no names in the language '{options.language}', only English ones."
            )
        self._topics: dict[str, int] = {}
        self._written: dict[str, int] = {}  # targets of links as they are written
        self._link_topic, self._link_kind, self._link_target = array("q"), array("b"), array("q")
        self._targets: dict[str, str] = {}  # of aliases whose label does not end in their target
        self._topic: int | None = None
        self._segment = ""
        self._alias: str | None = None
        self._text: list[str] | None = None
        self.root_seen = False
        self._left_out = 0

    def _broken(self, message: str) -> OntologyError:
        return ontology_error("O103", self.name, message, line=self.parser.CurrentLineNumber)

    def _attribute(self, element: str, attributes: list[str], wanted: str) -> str:
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            if name.rpartition(":")[2] == wanted:
                return value
        raise self._broken(f"A {element} element has no '{wanted}'.")

    def _start(self, element: str, attributes: list[str]) -> None:
        local = element.rpartition(":")[2]
        if not self.root_seen:
            self.root_seen = True
            if local != "RDF":
                raise self._broken(f"The file starts with '{element[:40]}', where the Open Directory has 'RDF'.")
        elif local == "Topic":
            self._start_topic(self._attribute("Topic", attributes, "id"))
        elif local == "Alias":
            self._topic, self._alias = None, self._attribute("Alias", attributes, "id")
        elif self._topic is not None:
            if local in _LINKS:
                self._link(self._topic, _LINKS[local], self._attribute(local, attributes, "resource"))
            elif local == "Title":
                self._text = []
                self.parser.CharacterDataHandler = self._text.append
        elif self._alias is not None and local == "Target":
            target = self._attribute("Target", attributes, "resource")
            if _after_label(self._alias) != target:
                self._targets[self._alias] = target

    def _end(self, element: str) -> None:
        local = element.rpartition(":")[2]
        if local == "Title":
            self._end_title()
        elif local == "Topic" or local == "Alias":
            self._topic = self._alias = None

    def _link(self, topic: int, kind: int, target: str) -> None:
        self._link_topic.append(topic)
        self._link_kind.append(kind)
        self._link_target.append(self._written.setdefault(target, len(self._written)))

    def _start_topic(self, path: str) -> None:
        self._topic = self._alias = None
        if len(path) > _LONGEST_PATH:
            raise self._broken(f"The path of a Topic is longer than {_LONGEST_PATH} characters.")
        if not path:  # the dumps of some years put a nameless topic above Top
            return
        if self._english_only and _OTHER_LANGUAGES.match(path):
            self._left_out += 1
            return
        known = path in self._topics
        self._topic = self._topics[path] = self.records.concept(f"{self._prefix}:{path}")
        self._segment = _spoken(path.rpartition("/")[2])
        if len(self._segment) > 1 and not known:  # a single letter is a drawer of a long list, not a topic
            self.records.name(self._topic, self._segment, Scope.PREFERRED)

    def _end_title(self) -> None:
        if self._text is not None and self._topic is not None:
            title = _spoken("".join(self._text))
            if len(title) > 1 and len(self._segment) > 1 and title != self._segment:
                self.records.name(self._topic, title, Scope.EXACT)
        self._text = None
        self.parser.CharacterDataHandler = None

    def finish(self) -> Records:
        """The records, once the last topic is known."""
        records = self.records
        if not records.ids:
            raise ontology_error("O109", self.name, "The file holds no Topic element in the language that was asked for.")
        has_parent = bytearray(len(records.ids))
        unknown = self._resolve_links(has_parent)
        self._imply_parents(has_parent)
        if unknown:
            records.notice("O203", self.name, f"Links to topics that are not in the file were left out ({unknown}).")
        if self._left_out:
            records.notice("O206", self.name, f"Topics in other languages were left out ({self._left_out}).")
        return records

    def _resolve_links(self, has_parent: bytearray) -> int:
        """Turn links into parents and relations; the number of those that lead nowhere."""
        plain, labelled = [], []  # the topic of each written target, as a path and as a label with a path
        for written in self._written:
            plain.append(self._target(written))
            labelled.append(self._target(self._targets.get(written) or _after_label(written)))
        seen: set[int] = set()
        unknown = 0
        for topic, kind, written_number in zip(self._link_topic, self._link_kind, self._link_target, strict=True):
            target = (labelled if _KINDS[kind] == "symbolic" else plain)[written_number]
            if target < 0:
                unknown += target == _UNKNOWN
                continue
            key = (topic * len(_KINDS) + kind) * len(self._topics) + target
            if target == topic or key in seen:
                continue
            seen.add(key)
            if _KINDS[kind] == "narrow":
                self.records.parent(target, topic)
                has_parent[target] = 1
            else:
                self.records.relation(topic, _KINDS[kind], target)
        return unknown

    def _target(self, path: str) -> int:
        topic = self._topics.get(path)
        if topic is not None:
            return topic
        return _LEFT_OUT if self._english_only and _OTHER_LANGUAGES.match(path) else _UNKNOWN

    def _imply_parents(self, has_parent: bytearray) -> None:
        for path, topic in self._topics.items():
            if has_parent[topic]:
                continue
            above = path.rpartition("/")[0]
            while above and above not in self._topics:
                above = above.rpartition("/")[0]
            if above:
                self.records.parent(topic, self._topics[above])


def _spoken(segment: str) -> str:
    return " ".join(segment.replace("_", " ").split())


def _after_label(resource: str) -> str:
    """'Top/Arts' of 'Painters:Top/Arts'; a label may hold colons itself."""
    start = resource.find(":Top/")
    return resource if start < 0 else resource[start + 1 :]
