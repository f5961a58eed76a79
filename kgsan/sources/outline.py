"""Hierarchies that a person types: indented text, or lists in YAML.

Text                                  YAML

    disease                               - disease:
      infection = infectious disease          - infection = infectious disease:
        flu = influenza, grippe                   - flu = influenza, grippe
      cancer                                  - cancer
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgsan.errors import OntologyError, ontology_error
from kgsan.sources.files import HEAD_BYTES, SourceFile
from kgsan.sources.outline_yaml import KEYS, read_yaml, text_of, tree
from kgsan.sources.records import Options, Records, Scope
from kgsan.sources.slugs import Slugs, id_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.sources.files import Source

#: No line that a person types is longer, indentation included.
_LONGEST_LINE = 1 << 20
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFUSED = ("The outline holds", "The lists are nested")
_NO_NAME = re.compile(
    r"""[][{}<>;@$\\"`\t]|\(\)|://|\w\(|:\s+\S|\d\.\d|\.\s|\b\d{4}\b
    |^(?:def|class|import|from|return|if|elif|else|for|while|try|except|with|end|set|echo)\b""",
    re.VERBOSE,
)


def recognises(source: Source) -> bool:
    """Whether the file is text with short indented or bulleted lines, or YAML with lists under names."""
    if not isinstance(source, SourceFile):
        return False
    head = source.head()
    text = _head_text(head)
    if text is None or _CONTROL.search(text) or text.lstrip()[:1] in ("<", "{", "[", "@", "%"):
        return text is not None and text.startswith("%YAML")
    lines = _content_lines(text)
    if not lines or _is_table_header(lines[0]):
        return False
    if _is_yaml(lines):
        return _is_outline_in_yaml(text)
    return _is_outline(lines)


def read(source: Source, options: Options) -> Records:
    """The concepts in the order of their lines; the same name twice is the same concept with two parents."""
    assert isinstance(source, SourceFile)
    outline = Outline(source.name, options)
    head = _head_text(source.head()) or ""
    if _is_yaml(_content_lines(head)):
        read_yaml(text_of(source), outline)
    else:
        _read_lines(_lines(source), outline)
    if not outline.records.ids:
        raise ontology_error("O109", source.name, "The outline has no line with a name.")
    return outline.records


class Outline:
    """The records of an outline while its lines come in."""

    def __init__(self, file: str, options: Options) -> None:
        self.file = file
        self.records = Records("outline")
        self._prefix = id_prefix(file, options)
        self._slugs = Slugs()
        self._names: set[tuple[int, str]] = set()
        self._parents: set[tuple[int, int]] = set()

    def broken(self, message: str, hint: str | None, line: int, column: int | None = None) -> OntologyError:
        return ontology_error("O103", self.file, message, hint, line=line, column=column)

    def add(self, entry: str, parent: int | None, line: int, column: int | None = None) -> int:
        """The concept of one entry, 'name' or 'name = synonym, synonym'."""
        name, _, synonyms = entry.partition("=")
        name = " ".join(name.split())
        if not name:
            raise self.broken("The line has no name.", "Write 'name' or 'name = synonym, synonym'.", line, column)
        concept = self.records.concept(f"{self._prefix}:{self._slugs.id(name)}")
        self.name(concept, name, Scope.PREFERRED, line, column)
        self.synonyms(concept, synonyms, line, column)
        if parent == concept:
            self.records.notice("O202", self.file, "A concept stands below itself; the line was not taken as its own.", line=line)
        elif parent is not None and (concept, parent) not in self._parents:
            self._parents.add((concept, parent))
            self.records.parent(concept, parent)
        return concept

    def synonyms(self, concept: int, text: str, line: int, column: int | None) -> None:
        for synonym in re.split("[,|]", text):
            self.name(concept, synonym, Scope.EXACT, line, column)

    def name(self, concept: int, name: str, scope: Scope, line: int, column: int | None) -> None:
        if _CONTROL.search(name):
            raise self.broken("The line holds signs that are no text.", None, line, column)
        name = " ".join(name.split())
        if name and (concept, name) not in self._names:
            self._names.add((concept, name))
            self.records.name(concept, name, scope)


def _lines(source: SourceFile) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without holding the file in memory."""
    with source.open() as stream:
        if stream.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            yield from enumerate(source.text().splitlines(), 1)
            return
    with source.open() as stream:
        number = 0
        while data := stream.readline(_LONGEST_LINE):
            number += 1
            if len(data) == _LONGEST_LINE:
                raise ontology_error("O103", source.name, "The line is too long for a name.", line=number)
            try:
                line = data.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise ontology_error("O104", source.name, "The text is not UTF-8.", "Save it as UTF-8.", line=number) from None
            if "\r" in line:
                raise ontology_error(
                    "O103", source.name, "A line ends as on old Macs.", "Save it with other line ends.", line=number
                )
            yield number, line


def _read_lines(lines: Iterable[tuple[int, str]], outline: Outline) -> None:
    indentation: str | None = None
    open_columns: list[tuple[int, int]] = []  # the columns that lead to the line before, each with its concept
    for number, line in lines:
        entry = line.lstrip(" \t")
        column = len(line) - len(entry)
        entry = _without_comment(entry)
        if not entry.strip():
            continue
        if column:
            indentation = indentation or line[0]
            if line.count(indentation, 0, column) != column:
                raise outline.broken(
                    "The indentation mixes tabs and spaces.", "Use one of them in the whole file.", number, column
                )
        deepest = open_columns[-1][0] if open_columns else column
        while open_columns and open_columns[-1][0] > column:
            open_columns.pop()
        if column < deepest and not (open_columns and open_columns[-1][0] == column):
            raise outline.broken(
                "The line is indented less than the one before, but like no line above it.",
                "Start it in the column of its siblings.",
                number,
                column + 1,
            )
        if open_columns and open_columns[-1][0] == column:
            open_columns.pop()
        parent = open_columns[-1][1] if open_columns else None
        entry = re.sub(r"^[-*](\s+|$)", "", entry).rstrip().removesuffix(":")
        open_columns.append((column, outline.add(entry, parent, number, column + 1)))


def _without_comment(entry: str) -> str:
    start = entry.find("#")
    while start > 0 and not entry[start - 1].isspace():
        start = entry.find("#", start + 1)
    return entry if start < 0 else entry[:start]


def _head_text(head: bytes) -> str | None:
    """The whole lines at the start of a file; None when it is no text."""
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    if len(head) == HEAD_BYTES:
        head = head[: head.rfind(b"\n") + 1] if encoding != "utf-16" else head
    try:
        return head.decode(encoding, "ignore" if encoding == "utf-16" else "strict")
    except UnicodeDecodeError:
        return None


def _content_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _is_table_header(line: str) -> bool:
    cells = {cell.strip(' "').casefold() for cell in re.split("[,;\t]", line)}
    return "\t" in line.strip() or ("name" in cells and bool(cells & {"id", "parent"}))


def _is_yaml(lines: list[str]) -> bool:
    """Whether lists stand below names that end in a colon; an indented text may have colons, but no lists below them."""
    if lines and re.match(r"---(\s|$)|%YAML", lines[0]):
        return True
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if re.match(r"\s*-\s.*:(\s+#.*)?$", line):
            return True
        if re.search(r":(\s+#.*)?$", line) and re.match(r"\s*-\s", following):
            return True
        if re.match(r"\s*(-\s+)?(synonyms|narrower)\s*:(\s|$)|[^#]*:\s*\[.*\]$", line):
            return True
    return False


def _is_outline_in_yaml(text: str) -> bool:
    outline = Outline("", Options())
    try:
        root = tree(text, outline)
    except OntologyError as error:
        # What is refused on purpose is for `read` to explain; what is no YAML is for another reader.
        return error.problems[0].message.startswith(_REFUSED)
    if root is None:
        return False
    todo = [root]
    while todo:
        node = todo.pop()
        pairs = list(zip(node.children or [], (node.children or [])[1:], strict=False))[:: 2 if node.is_mapping else 1]
        if node.is_mapping and any(value.text and not value.is_null and key.text not in KEYS for key, value in pairs):
            return False  # 'key: text' is a settings file or a header
        todo.extend(child for child in node.children or () if child.children is not None)
    return True


def _is_outline(lines: list[str]) -> bool:
    entries = [line.lstrip() for line in lines]
    columns = [len(line) - len(entry) for line, entry in zip(lines, entries, strict=True)]
    structured = max(columns) > columns[0] or any(re.match(r"[-*]\s", entry) for entry in entries)
    if not structured or min(columns) < columns[0]:
        return False
    odd = sum(len(entry) >= 300 or _is_no_name(re.sub(r"^[-*]\s+", "", entry).partition("=")[0]) for entry in entries)
    return odd * 10 <= len(entries)


def _is_no_name(text: str) -> bool:
    """Whether it looks like a sentence, a setting, a line of a program or of a change log, rather than like a name."""
    return len(text.split()) > 8 or text.endswith((".", "(", ",")) or _NO_NAME.search(text) is not None
