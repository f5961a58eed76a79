"""Hierarchies that a person types: indented text, or lists in YAML.

Text                                  YAML

    disease                               - disease:
      infection = infectious disease          - infection = infectious disease:
        flu = influenza, grippe                   - flu = influenza, grippe
      cancer                                  - cancer
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml

from kgsan.errors import OntologyError, ontology_error
from kgsan.sources.files import HEAD_BYTES, SourceFile
from kgsan.sources.records import Options, Records, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgsan.sources.files import Source

#: No line that a person types is longer, indentation included.
_LONGEST_LINE = 1 << 20
_DEEPEST_YAML = 1000
#: A larger YAML file was not typed by a person; lists of that size belong in a table.
_LARGEST_YAML = 64 << 20
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFUSED = ("The outline holds", "The lists are nested")
_KEYS = ("name", "synonyms", "narrower")
_NO_NAME = re.compile(
    r"""[][{}<>;@$\\"`\t]|\(\)|://|\w\(|:\s+\S|\d\.\d|\.\s|\b\d{4}\b
    |^(?:def|class|import|from|return|if|elif|else|for|while|try|except|with|end|set|echo)\b""",
    re.VERBOSE,
)
_YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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
    outline = _Outline(source.name, options)
    head = _head_text(source.head()) or ""
    if _is_yaml(_content_lines(head)):
        _read_yaml(_yaml_text(source), outline)
    else:
        _read_lines(_lines(source), outline)
    if not outline.records.ids:
        raise ontology_error("O109", source.name, "The outline has no line with a name.")
    return outline.records


def slug(name: str) -> str:
    """A name as an id: lower case, without accents, '-' for whatever is no letter or digit.

    >>> slug("Crohn's disease (ileum)"), slug("Ménière")
    ('crohn-s-disease-ileum', 'meniere')
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(sign))
    return "-".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def id_prefix(file: str, options: Options) -> str:
    """What stands before the ids of a file that has none of its own: what was asked for, or the name of the file."""
    if options.prefix is not None:
        return options.prefix
    stem = PurePosixPath(file).name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", stem).strip("-") or "outline"


@dataclass(slots=True)
class Slugs:
    """An id for each name; two names whose slugs are the same get different ids."""

    ids: dict[str, str] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

    def id(self, name: str) -> str:
        """The id of this name, always the same."""
        if (known := self.ids.get(name)) is not None:
            return known
        base = slug(name) or "concept"
        chosen = base
        while chosen in self._used:
            self._used[base] += 1
            chosen = f"{base}-{self._used[base]}"
        self._used[chosen] = 1
        self.ids[name] = chosen
        return chosen


class _Outline:
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


def _read_lines(lines: Iterable[tuple[int, str]], outline: _Outline) -> None:
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


@dataclass(slots=True)
class _Node:
    """A place in a YAML document: a scalar, a list or a mapping."""

    line: int
    column: int
    text: str | None = None  #: of a scalar
    is_null: bool = False
    children: list[_Node] | None = None  #: of a list; of a mapping, keys and values in turn
    is_mapping: bool = False


def _yaml_text(source: SourceFile) -> str:
    with source.open() as stream:
        if len(stream.read(_LARGEST_YAML + 1)) > _LARGEST_YAML:
            raise ontology_error("O110", source.name, "A YAML outline may have 64 MB.", "Write it as a table (CSV).")
    return source.text()


def _read_yaml(text: str, outline: _Outline) -> None:
    root = _yaml_tree(text, outline)
    unfinished = [] if root is None else [_entries(root, None, outline)]
    while unfinished:
        below = next(unfinished[-1], None)
        if below is None:
            unfinished.pop()
        else:
            unfinished.append(_entries(*below, outline))


def _entries(node: _Node, parent: int | None, outline: _Outline) -> Iterator[tuple[_Node, int | None]]:
    """Add what stands directly in a list or mapping; what remains to be read below each concept."""
    assert node.children is not None
    if node.is_mapping:
        for key, value in zip(node.children[::2], node.children[1::2], strict=True):
            yield from _below(value, outline.add(_scalar(key, outline), parent, key.line, key.column), outline)
        return
    for item in node.children:
        if item.text is not None:
            outline.add(_scalar(item, outline), parent, item.line, item.column)
        elif not item.is_mapping:
            raise outline.broken("A list stands directly in a list.", "Write '- name:' before it.", item.line, item.column)
        elif fields := _fields(item, outline):
            if "name" not in fields:
                raise outline.broken("The entry has no name.", "Write 'name: ...' in it.", item.line, item.column)
            name = fields["name"]
            yield from _detail(fields, outline.add(_scalar(name, outline), parent, name.line, name.column), outline)
        else:
            yield item, parent


def _below(value: _Node, concept: int, outline: _Outline) -> Iterator[tuple[_Node, int | None]]:
    if value.is_null:
        return
    if value.children is None:
        raise outline.broken("A name is followed by text.", "Write a list below the name.", value.line, value.column)
    if value.is_mapping and (fields := _fields(value, outline)):
        yield from _detail(fields, concept, outline)
    else:
        yield value, concept


def _detail(fields: dict[str, _Node], concept: int, outline: _Outline) -> Iterator[tuple[_Node, int | None]]:
    synonyms = fields.get("synonyms")
    if synonyms is not None and not synonyms.is_null:
        if synonyms.children is None:
            outline.synonyms(concept, _scalar(synonyms, outline), synonyms.line, synonyms.column)
        for synonym in synonyms.children or ():
            outline.name(concept, _scalar(synonym, outline), Scope.EXACT, synonym.line, synonym.column)
    narrower = fields.get("narrower")
    if narrower is not None:
        yield from _below(narrower, concept, outline)


def _fields(mapping: _Node, outline: _Outline) -> dict[str, _Node]:
    """The synonyms and the narrower concepts of a mapping that describes one concept; {} when it lists several."""
    assert mapping.children is not None
    pairs = list(zip(mapping.children[::2], mapping.children[1::2], strict=True))
    fields = {key.text: value for key, value in pairs if key.text in _KEYS[1:]}
    if not fields and not any(key.text == "name" and value.text and not value.is_null for key, value in pairs):
        return {}
    for key, value in pairs:
        if key.text not in _KEYS:
            close = difflib.get_close_matches((key.text or "")[:40], _KEYS, 1)
            hint = f"Did you mean '{close[0]}'?" if close else "List narrower concepts below 'narrower:'."
            raise outline.broken("Beside 'synonyms' and 'narrower' stands something else.", hint, key.line, key.column)
        if key.text == "name":
            fields["name"] = value
    return {key: value for key, value in fields.items() if key is not None}


def _scalar(node: _Node, outline: _Outline) -> str:
    if node.text is None:
        raise outline.broken("A list or mapping stands where a name is expected.", None, node.line, node.column)
    return node.text


def _yaml_tree(text: str, outline: _Outline) -> _Node | None:
    """The one document of the text. The events are put together here because PyYAML's own composer is recursive."""
    root: _Node | None = None
    open_nodes: list[_Node] = []
    documents = 0
    for event in _events(text, outline):
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if getattr(event, "anchor", None) is not None or getattr(event, "tag", None) is not None:
            what = "an anchor or alias (& or *)" if getattr(event, "anchor", None) is not None else "a tag (!)"
            raise outline.broken(
                f"The outline holds {what}.", "Put the text in quotes if it is meant as it stands.", line, column
            )
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise outline.broken("A second document starts.", "Write everything in one.", line, column)
        elif isinstance(event, yaml.CollectionEndEvent):
            open_nodes.pop()
        elif isinstance(event, yaml.NodeEvent):
            node = _Node(line, column)
            if isinstance(event, yaml.ScalarEvent):
                node.text = event.value
                node.is_null = not event.style and event.value in ("", "~")
            else:
                node.children, node.is_mapping = [], isinstance(event, yaml.MappingStartEvent)
            if open_nodes:
                siblings = open_nodes[-1].children
                assert siblings is not None
                siblings.append(node)
            elif node.children is None and not node.is_null:
                raise outline.broken("The outline is neither a list nor a mapping.", "Write '- name' lines.", line, column)
            elif node.children is not None:
                root = node
            if node.children is not None:
                open_nodes.append(node)
                if len(open_nodes) > _DEEPEST_YAML:
                    raise outline.broken(f"The lists are nested deeper than {_DEEPEST_YAML}.", "Use indented text.", line, column)
    return root


def _events(text: str, outline: _Outline) -> Iterator[Any]:
    try:
        yield from yaml.parse(text, Loader=_YAML_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise outline.broken(f"The YAML cannot be read: {error.problem or error.context}.", None, line, column) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        position = getattr(error, "position", None)
        line = text.count("\n", 0, position) + 1 if isinstance(position, int) else 1
        raise outline.broken("The YAML holds signs that are no text.", None, line) from None


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
    outline = _Outline("", Options())
    try:
        root = _yaml_tree(text, outline)
    except OntologyError as error:
        # What is refused on purpose is for `read` to explain; what is no YAML is for another reader.
        return error.problems[0].message.startswith(_REFUSED)
    if root is None:
        return False
    todo = [root]
    while todo:
        node = todo.pop()
        pairs = list(zip(node.children or [], (node.children or [])[1:], strict=False))[:: 2 if node.is_mapping else 1]
        if node.is_mapping and any(value.text and not value.is_null and key.text not in _KEYS for key, value in pairs):
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
