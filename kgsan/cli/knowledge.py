"""`kgsan knowledge`: count what occurs together in texts, and ask."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.output import DONE, FOUND_NOTHING, format_option, progress
from kgsan.knowledge.build import KIND, VERSION, Builder
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.knowledge.information import disclosure, information
from kgsan.knowledge.merge import merge
from kgsan.knowledge.texts import contexts, files
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.load import load_ontology
from kgsan.sources.files import digest, open_source
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    import argparse

    from kgsan.cli.output import Commands
    from kgsan.knowledge.knowledge import Term

#: Fewer contexts than this may give away what one document says.
_PRIVATE = 5


def add_commands(commands: Commands) -> None:
    """`kgsan knowledge build|info|query|merge`."""
    knowledge = commands.add_parser("knowledge", help="count what occurs together in texts, and ask")
    actions = knowledge.add_subparsers(title="actions", required=True, metavar="ACTION")

    command = actions.add_parser(
        "build",
        help="count the names in texts",
        description="Count in which contexts of your texts the names of the ontologies occur. The file holds no text, but a "
        "bag of names per paragraph: build it from public or released texts, or treat it as you treat the texts.",
    )
    command.add_argument("sources", nargs="+", metavar="SRC", help="texts, JSON lines, tables, packed or not, or folders of them")
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.kgk")
    command.add_argument("--field", help="the field or column that holds the text")
    command.add_argument("--words", type=_positive, metavar="N", help="windows of N words instead of paragraphs")
    command.add_argument("--in", dest="ontologies", action="append", metavar="SRC", help="ontologies; default: what ships")
    command.add_argument("--public", action="store_true", help="the texts are public: keep rare names too")
    command.set_defaults(run=_build)

    command = actions.add_parser("info", help="say what a knowledge file holds")
    command.add_argument("file", type=Path, metavar="FILE.kgk")
    format_option(command)
    command.set_defaults(run=_info)

    command = actions.add_parser(
        "query",
        help="count terms, alone and with an entity",
        description="Count terms: contexts, bits, and with --entity the share of what the entity says that they reveal.",
    )
    command.add_argument("file", type=Path, metavar="FILE.kgk")
    command.add_argument("terms", nargs="+", metavar="TERM")
    command.add_argument("--entity", help="an entity, by name or concept id")
    command.add_argument("--together", action="store_true", help="all terms as one group")
    command.add_argument("--in", dest="ontologies", action="append", metavar="SRC", help="ontologies; default: what ships")
    format_option(command)
    command.set_defaults(run=_query)

    command = actions.add_parser("merge", help="add up several knowledge files")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE.kgk")
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.kgk")
    command.set_defaults(run=_merge)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _build(given: argparse.Namespace) -> int:
    paths = files(given.sources)
    with progress("Counting", [str(path) for path in paths]) as watch:
        builder = Builder(Finder(load_ontology(*(given.ontologies or ()))), watch)
        builder.add(contexts(paths, field=given.field, words=given.words))
        about = {
            "name": given.output.stem,
            "window": f"{given.words} words" if given.words else "paragraph",
            "sources": [{"name": path.name, "sha256": digest(open_source(path))} for path in paths],
        }
        file = builder.finish(about, least=1 if given.public else _PRIVATE)
    file.save(given.output)
    size = given.output.stat().st_size / 1e6
    print(f"{given.output}: {_counts(file)}, {size:.1f} MB")
    if not given.public:
        print(
            f"Names in fewer than {_PRIVATE} contexts were left out. If the texts are private, so is the file.", file=sys.stderr
        )
    return DONE


def _info(given: argparse.Namespace) -> int:
    file = ArrayFile.open(given.file, KIND, VERSION)
    if given.format == "json":
        print(json.dumps(file.about, indent=2, ensure_ascii=False))
        return DONE
    print(f"{given.file.name}: {_counts(file)}, window: {file.about.get('window', 'paragraph')}")
    for source in file.about.get("sources", ()):
        print(f"  {source.get('sha256', '')}  {source['name']}")
    return DONE


def _counts(file: ArrayFile) -> str:
    return f"{file.about['contexts']:,} contexts, {file.about['names']:,} names"


def _query(given: argparse.Namespace) -> int:
    stack = load_ontology(*(given.ontologies or ()))
    known = CorpusKnowledge.open(given.file, stack)
    entity = None
    if given.entity:
        found = (stack.concept(given.entity),) if ":" in given.entity else stack.find(given.entity)
        if not found:
            print(f"'{given.entity}' is unknown to the ontologies.", file=sys.stderr)
            return FOUND_NOTHING
        entity = found[0]
    groups: list[tuple[str, ...]] = [tuple(given.terms)] if given.together else [(term,) for term in given.terms]
    rows: list[dict[str, Any]] = []
    for group in groups:
        terms: tuple[Term, ...] = group
        bits = information(known, terms[0]) if len(terms) == 1 else None
        share = disclosure(known, entity, *terms) if entity is not None else None
        rows.append(
            {
                "terms": list(group),
                "contexts": known.count(*terms),
                "bits": bits,
                "together": None if share is None else share.support,
                "share": None if share is None else share.revealed,
                "share_low": None if share is None else share.low,
            }
        )
    if given.format == "json":
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return DONE
    print(f"{'terms':<40} {'contexts':>10} {'bits':>7} {'together':>9} {'share':>7} {'at least':>9}")
    for row in rows:
        print(
            f"{' + '.join(row['terms'])[:40]:<40} {_cell(row['contexts'], ','):>10} {_cell(row['bits'], '.2f'):>7} "
            f"{_cell(row['together'], ','):>9} {_cell(row['share'], '.2f'):>7} {_cell(row['share_low'], '.2f'):>9}"
        )
    return DONE


def _cell(value: object, form: str) -> str:
    return "-" if value is None else format(value, form)


def _merge(given: argparse.Namespace) -> int:
    opened = [ArrayFile.open(path, KIND, VERSION) for path in given.files]
    about = {"name": given.output.stem, "sources": [source for file in opened for source in file.about.get("sources", ())]}
    file = merge(opened, about)
    file.save(given.output)
    print(f"{given.output}: {_counts(file)}")
    return DONE
