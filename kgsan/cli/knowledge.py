"""`kgsan knowledge`: count what occurs together in texts, and ask."""

from __future__ import annotations

import json
import sys
import textwrap
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli import knowledge_query
from kgsan.cli.output import DONE, FINDINGS, WRONG_USAGE, complain, format_option, progress
from kgsan.knowledge.build import PHRASES, Builder, fingerprint
from kgsan.knowledge.journal import Journal, unwritable
from kgsan.knowledge.load import ENGLISH, open_file
from kgsan.knowledge.merge import merge
from kgsan.knowledge.opened import open_counts
from kgsan.knowledge.texts import contexts, files
from kgsan.ontology.load import default_stack, load_ontology
from kgsan.plug import PlugError
from kgsan.sources.files import digest, open_source
from kgsan.text.mentions import Finder

if TYPE_CHECKING:
    import argparse

    from kgsan.cli.output import Commands
    from kgsan.ontology.arrays import ArrayFile

#: Fewer contexts than this may give away what one document says.
_PRIVATE = 5
_LOCAL, _SPARK = "local", "spark"


def add_commands(commands: Commands) -> None:
    """`kgsan knowledge build|info|query|merge`."""
    knowledge = commands.add_parser("knowledge", help="count what occurs together in texts, and ask")
    actions = knowledge.add_subparsers(title="actions", required=True, metavar="ACTION")

    command = actions.add_parser(
        "build",
        help="count the names in texts",
        description="Count in which contexts of your texts the names of the ontologies occur. The file holds no text, but a "
        "bag of names per paragraph: build it from public or released texts, or treat it as you treat the texts. "
        "A build that was interrupted goes on where it stopped when it is started again.",
    )
    command.add_argument("sources", nargs="+", metavar="SRC", help="texts, JSON lines, tables, packed or not, or folders of them")
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.kgk")
    command.add_argument("--field", help="the field or column that holds the text")
    command.add_argument("--words", type=_positive, metavar="N", help="windows of N words instead of paragraphs")
    command.add_argument("--in", dest="ontologies", action="append", metavar="SRC", help="ontologies; default: what ships")
    command.add_argument("--public", action="store_true", help="the texts are public: keep rare names too")
    command.add_argument("--date", type=_date, metavar="YYYY-MM-DD", help="how new the newest text is; told in the file")
    command.add_argument("--attribution", metavar="TEXT", help="whom the texts are from; told in the file")
    command.add_argument("--licence", metavar="TEXT", help="under which licence the texts are; told in the file")
    command.add_argument("--engine", choices=(_LOCAL, _SPARK), default=_LOCAL, help="where it is counted; default: local")
    command.add_argument("--master", metavar="URL", help="the Spark cluster; default: what Spark is set to, or this machine")
    command.set_defaults(run=_build)

    command = actions.add_parser("info", help="say what a knowledge file holds")
    command.add_argument("file", nargs="?", metavar="FILE.kgk", default=ENGLISH, help="default: what ships")
    format_option(command)
    command.set_defaults(run=_info)

    knowledge_query.add_command(actions)

    command = actions.add_parser("merge", help="add up several knowledge files")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE.kgk")
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.kgk")
    command.set_defaults(run=_merge)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _date(text: str) -> str:
    if date.fromisoformat(text).isoformat() != text:  # other ways to write a date are known there
        raise ValueError
    return text


def _build(given: argparse.Namespace) -> int:
    if given.master is not None and given.engine != _SPARK:
        print("--master names a Spark cluster: give --engine spark too.", file=sys.stderr)
        return WRONG_USAGE
    paths = files(given.sources)
    about = {
        "name": given.output.stem,
        "window": f"{given.words} words" if given.words else "paragraph",
        **{
            name: told
            for name, told in (("newest", given.date), ("attribution", given.attribution), ("licence", given.licence))
            if told is not None
        },
    }
    least = 1 if given.public else _PRIVATE
    try:
        file = (_counted_by_spark if given.engine == _SPARK else _counted)(given, paths, about, least)
    except PlugError as error:
        complain(error.problems)
        return WRONG_USAGE
    if file is None:
        return FINDINGS
    size = given.output.stat().st_size / 1e6
    print(f"{given.output}: {_counts(file)}, {size:.1f} MB")
    if not given.public:
        print(
            f"Names in fewer than {_PRIVATE} contexts were left out. If the texts are private, so is the file.", file=sys.stderr
        )
    return DONE


def _counted(given: argparse.Namespace, paths: list[Path], about: dict[str, Any], least: int) -> ArrayFile | None:
    """The file, counted in this process and delivered."""
    stack = load_ontology(*(given.ontologies or ()))
    sources = [{"name": path.name, "sha256": digest(open_source(path))} for path in paths]
    what = {"name": about["name"], "window": about["window"], "sources": sources}
    counted = fingerprint(stack, **what, field=given.field, words=given.words, least=least, phrases=PHRASES)
    with Journal.open(given.output, counted) as journal:
        if journal.other:
            print(
                "An earlier build was of other texts, names or options, or by another kgsan; counting starts anew.",
                file=sys.stderr,
            )
        elif journal.contexts:
            print(f"Going on after {journal.contexts:,} contexts that an earlier build has counted.", file=sys.stderr)
        with progress("Counting", [str(path) for path in paths]) as watch:
            builder = Builder(Finder(stack), watch, journal)
            builder.add(contexts(paths, field=given.field, words=given.words))
            file = builder.finish({**about, "sources": sources}, least=least)
        journal.deliver(file)
    return file


def _counted_by_spark(given: argparse.Namespace, paths: list[Path], about: dict[str, Any], least: int) -> ArrayFile | None:
    """The same file, counted on a cluster; None when it gave up, which was told."""
    from kgsan.spark.counting import Task, build, ranges_for
    from kgsan.spark.executor import WorkStopped
    from kgsan.spark.places import ontology_names
    from kgsan.spark.session import running

    names = ontology_names(given.ontologies or default_stack())
    same = fingerprint(load_ontology(*names))
    task = Task(names, same, given.field, given.words, least, ranges_for(paths))
    try:
        with Journal.open(given.output, f"{_SPARK} {same}") as journal, running(given.master) as context:
            if journal.other:
                print("What an earlier build has counted is not used; counting starts anew.", file=sys.stderr)
            file = build(context, paths, task, about)
            journal.deliver(file)
    except WorkStopped as stopped:
        print(f"{given.output.name}: {stopped} Nothing was written.", file=sys.stderr)
        return None
    return file


def _info(given: argparse.Namespace) -> int:
    file = open_file(given.file)
    about = file.about
    if given.format == "json":
        print(json.dumps(about, indent=2, ensure_ascii=False))
        return DONE
    print(f"{about.get('name', file.name)}: {_counts(file)}, window: {about.get('window', 'paragraph')}")
    for what, told in (("newest text", "newest"), ("licence", "licence"), ("attribution", "attribution")):
        if told in about:
            print(textwrap.fill(f"{what}: {about[told]}", 120, initial_indent="  ", subsequent_indent="    "))
    for source in about.get("sources", ()):
        print(f"  {source.get('sha256', '')}  {source['name']}")
    return DONE


def _counts(file: ArrayFile) -> str:
    return f"{file.about['contexts']:,} contexts, {file.about['names']:,} names"


def _merge(given: argparse.Namespace) -> int:
    opened = [open_counts(path) for path in given.files]
    about = {"name": given.output.stem, "sources": [source for file in opened for source in file.about.get("sources", ())]}
    for name in ("window", "attribution", "licence"):
        told = dict.fromkeys(str(file.about[name]) for file in opened if name in file.about)
        about |= {name: "; ".join(told)} if told else {}
    if dates := [str(file.about["newest"]) for file in opened if "newest" in file.about]:
        about["newest"] = max(dates)
    file = merge(opened, about)
    try:
        file.save(given.output)
    except OSError as error:
        raise unwritable(given.output.name, error) from None
    print(f"{given.output}: {_counts(file)}")
    return DONE
