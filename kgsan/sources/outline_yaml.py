"""Hierarchies typed as lists in YAML, read from parser events: no recursion, no aliases, no tags."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from kgsan.errors import ontology_error
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgsan.sources.files import SourceFile
    from kgsan.sources.outline import Outline

#: What an entry may say of itself besides its name.
KEYS = ("name", "synonyms", "narrower")
_DEEPEST_YAML = 1000
#: A larger YAML file was not typed by a person; lists of that size belong in a table.
_LARGEST_YAML = 64 << 20
_YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """A place in a YAML document: a scalar, a list or a mapping."""

    line: int
    column: int
    text: str | None = None  #: of a scalar
    is_null: bool = False
    children: list[Node] | None = None  #: of a list; of a mapping, keys and values in turn
    is_mapping: bool = False


def text_of(source: SourceFile) -> str:
    with source.open() as stream:
        if len(stream.read(_LARGEST_YAML + 1)) > _LARGEST_YAML:
            raise ontology_error("O110", source.name, "A YAML outline may have 64 MB.", "Write it as a table (CSV).")
    return source.text()


def read_yaml(text: str, outline: Outline) -> None:
    root = tree(text, outline)
    unfinished = [] if root is None else [_entries(root, None, outline)]
    while unfinished:
        below = next(unfinished[-1], None)
        if below is None:
            unfinished.pop()
        else:
            unfinished.append(_entries(*below, outline))


def _entries(node: Node, parent: int | None, outline: Outline) -> Iterator[tuple[Node, int | None]]:
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


def _below(value: Node, concept: int, outline: Outline) -> Iterator[tuple[Node, int | None]]:
    if value.is_null:
        return
    if value.children is None:
        raise outline.broken("A name is followed by text.", "Write a list below the name.", value.line, value.column)
    if value.is_mapping and (fields := _fields(value, outline)):
        yield from _detail(fields, concept, outline)
    else:
        yield value, concept


def _detail(fields: dict[str, Node], concept: int, outline: Outline) -> Iterator[tuple[Node, int | None]]:
    synonyms = fields.get("synonyms")
    if synonyms is not None and not synonyms.is_null:
        if synonyms.children is None:
            outline.synonyms(concept, _scalar(synonyms, outline), synonyms.line, synonyms.column)
        for synonym in synonyms.children or ():
            outline.name(concept, _scalar(synonym, outline), Scope.EXACT, synonym.line, synonym.column)
    narrower = fields.get("narrower")
    if narrower is not None:
        yield from _below(narrower, concept, outline)


def _fields(mapping: Node, outline: Outline) -> dict[str, Node]:
    """The synonyms and the narrower concepts of a mapping that describes one concept; {} when it lists several."""
    assert mapping.children is not None
    pairs = list(zip(mapping.children[::2], mapping.children[1::2], strict=True))
    fields = {key.text: value for key, value in pairs if key.text in KEYS[1:]}
    if not fields and not any(key.text == "name" and value.text and not value.is_null for key, value in pairs):
        return {}
    for key, value in pairs:
        if key.text not in KEYS:
            close = difflib.get_close_matches((key.text or "")[:40], KEYS, 1)
            hint = f"Did you mean '{close[0]}'?" if close else "List narrower concepts below 'narrower:'."
            raise outline.broken("Beside 'synonyms' and 'narrower' stands something else.", hint, key.line, key.column)
        if key.text == "name":
            fields["name"] = value
    return {key: value for key, value in fields.items() if key is not None}


def _scalar(node: Node, outline: Outline) -> str:
    if node.text is None:
        raise outline.broken("A list or mapping stands where a name is expected.", None, node.line, node.column)
    return node.text


def tree(text: str, outline: Outline) -> Node | None:
    """The one document of the text. The events are put together here because PyYAML's own composer is recursive."""
    root: Node | None = None
    open_nodes: list[Node] = []
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
            node = Node(line, column)
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


def _events(text: str, outline: Outline) -> Iterator[Any]:
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
