"""`kgsan ontology`: look into ontologies and compile them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.draw import draw
from kgsan.cli.output import DONE, FOUND_NOTHING, complain, format_option, progress
from kgsan.ontology.information import Measure
from kgsan.ontology.load import compile_ontology, default_stack, load_ontology
from kgsan.sources.records import Options

if TYPE_CHECKING:
    import argparse

    from kgsan.cli.output import Commands
    from kgsan.ontology.ontology import Concept, Ontology
    from kgsan.ontology.stack import OntologyStack


def add_commands(commands: Commands) -> None:
    """`kgsan ontology compile|info|find|draw`."""
    ontology = commands.add_parser("ontology", help="look into ontologies and compile them")
    actions = ontology.add_subparsers(title="actions", required=True, metavar="ACTION")

    command = actions.add_parser(
        "compile",
        help="turn sources into one compiled file",
        description="Read one or several sources in any format and write them as one compiled ontology. "
        "Concepts with the same id in several sources are one.",
    )
    command.add_argument("sources", nargs="+", metavar="SRC", help="a file, folder or archive, a shipped name, or wn:LEXICON")
    command.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.kgo", help="the file to write")
    command.add_argument("--under", metavar="ID", help="keep this concept and its specializations only")
    _reading_options(command)
    command.set_defaults(run=_compile)

    command = actions.add_parser(
        "info", help="say what ontologies hold", description="Say what ontologies hold and what is odd in them."
    )
    command.add_argument("sources", nargs="*", metavar="SRC", help="default: the ontologies that ship with kgsan")
    _reading_options(command)
    format_option(command)
    command.set_defaults(run=_info)

    command = actions.add_parser(
        "find",
        help="say what a name means",
        description="Say what a name means, what generalizes it and what specializes it. A concept id works as well.",
    )
    command.add_argument("names", nargs="+", metavar="NAME")
    command.add_argument(
        "--in",
        dest="sources",
        action="append",
        metavar="SRC",
        help="where to look, in this order; default: what ships with kgsan",
    )
    command.add_argument("--all", action="store_true", help="every ontology that knows the name, not only the first")
    command.add_argument("--expand", action="store_true", help="list every name of every specialization")
    _reading_options(command)
    format_option(command)
    command.set_defaults(run=_find)

    command = actions.add_parser(
        "draw",
        help="draw what surrounds an entity",
        description="Draw an entity as SVG: what is more general above, what is more special below, relations at the sides.",
    )
    command.add_argument("name", metavar="ENTITY", help="a name, or the id of a concept")
    command.add_argument(
        "--ontology", "--in", dest="sources", action="append", metavar="SRC", help="where to look; default: what ships with kgsan"
    )
    command.add_argument("-o", "--output", type=Path, metavar="OUT.svg", help="default: standard output")
    _reading_options(command)
    command.set_defaults(run=_draw)


def _reading_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("reading")
    group.add_argument("--language", default="en", metavar="TAG", help="language of the names wanted, or 'all' (default: en)")
    group.add_argument("--pos", default="n", metavar="NVAR", help="word classes to take from a WordNet (default: n, nouns)")
    group.add_argument("--prefix", help="put before the ids of sources that have none of their own")
    group.add_argument(
        "--reason", action="store_true", help="let a reasoner work out an OWL hierarchy (needs Java and owlready2)"
    )


def _options(given: argparse.Namespace) -> Options:
    language = None if given.language == "all" else given.language
    return Options(language=language, reason=given.reason, parts_of_speech=given.pos, prefix=given.prefix)


# --- commands --------------------------------------------------------------------------------------------------------


def _compile(given: argparse.Namespace) -> int:
    with progress("Reading", given.sources) as watch:
        ontology = compile_ontology(*given.sources, options=_options(given), under=given.under, watch=watch)
    ontology.save(given.output)
    complain(ontology.problems)
    size = given.output.stat().st_size
    print(f"{given.output}: {_counts(ontology)}, {size / 1e6:.1f} MB")
    return DONE


def _info(given: argparse.Namespace) -> int:
    stack = _stack(given)
    if given.format == "json":
        print(json.dumps([_info_json(ontology) for ontology in stack], indent=2, ensure_ascii=False))
        return DONE
    for ontology in stack:
        about = ontology.about
        print(f"{ontology.name}")
        print(f"  {_counts(ontology)}")
        print(f"  format      {about['format']}")
        print(f"  roots       {_some([str(root) for root in ontology.roots[:6]], about['roots'])}")
        print(f"  deepest     {about['deepest']} concepts from root to leaf")
        if about["relation_names"]:
            print(f"  relations   {_some(about['relation_names'][:12], len(about['relation_names']))}")
        for source in about["sources"]:
            if "sha256" in source:
                print(f"  sha256      {source['sha256']}  {source['name']}")
        print(f"  fingerprint {ontology.fingerprint}")
    complain(stack.problems)
    return DONE


def _find(given: argparse.Namespace) -> int:
    stack = _stack(given)
    missing = False
    answers = []
    for name in given.names:
        found = _meanings(stack, name, every=given.all)
        if given.format == "json":
            answers.append({"name": name, "meanings": [_concept_json(*pair, expand=given.expand) for pair in found]})
        elif found:
            for ontology, concept in found:
                _show(ontology, concept, expand=given.expand)
        if not found:
            missing = True
            _tell_unknown(stack, name)
    if given.format == "json":
        print(json.dumps(answers, indent=2, ensure_ascii=False))
    complain(problem for problem in stack.problems if problem.code == "O201")
    return FOUND_NOTHING if missing else DONE


def _draw(given: argparse.Namespace) -> int:
    stack = _stack(given)
    found = _meanings(stack, given.name, every=False)
    if not found:
        _tell_unknown(stack, given.name)
        return FOUND_NOTHING
    return draw(found, given.output)


def _tell_unknown(stack: OntologyStack, name: str) -> None:
    near = stack.suggest(name)
    hint = f" Did you mean {', '.join(repr(text) for text in near)}?" if near else ""
    print(f"'{name}' is unknown to {', '.join(ontology.name for ontology in stack)}.{hint}", file=sys.stderr)


def _stack(given: argparse.Namespace) -> OntologyStack:
    sources = given.sources or default_stack()
    with progress("Reading", sources) as watch:
        return load_ontology(*sources, options=_options(given), watch=watch)


def _meanings(stack: OntologyStack, name: str, *, every: bool) -> list[tuple[Ontology, Concept]]:
    found = [(ontology, concept) for ontology, concepts in stack.find_all(name) for concept in concepts]
    if not found:
        found = [(ontology, ontology[name]) for ontology in stack if name in ontology]
    if found and not every:
        found = [pair for pair in found if pair[0] is found[0][0]]
    return found


# --- showing -----------------------------------------------------------------------------------------------------------


def _show(ontology: Ontology, concept: Concept, *, expand: bool) -> None:
    below = ontology.specializations(concept)
    print(f"{concept.name}  [{concept.id} in {ontology.name}]  {ontology.intrinsic_information(concept):.2f} bits")
    rows: dict[str, list[str]] = {}
    for name in ontology.names(concept)[1:]:
        rows.setdefault(name.scope.name.lower(), []).append(name.text)
    for label, texts in rows.items():
        _row(label, "; ".join(texts[:12]) + _more(texts[12:]))
    _row("means", ontology.definition(concept))
    chain = [f"{g.name} {ontology.intrinsic_information(g):.2f}" for g in ontology.generalizations(concept)]
    _row("is a", " > ".join(chain) or "(nothing more general)")
    related: dict[str, list[str]] = {}
    for relation in ontology.relations(concept):
        related.setdefault(relation.name, []).append(relation.object.name)
    for relation in ontology.relations(concept, incoming=True):
        related.setdefault(f"{relation.name} it", []).append(relation.subject.name)
    for label, texts in related.items():
        _row(label, "; ".join(texts[:8]) + _more(texts[8:]))
    _row("covers", f"{len(below)} specializations, {len(ontology.names(concept)) + len(below.names())} names")
    if expand:
        for special in below:
            print(f"    {special.name}  [{special.id}]  {'; '.join(name.text for name in ontology.names(special)[1:])}".rstrip())


def _row(label: str, text: str | None) -> None:
    if text:
        print(f"  {label:<20} {text}")


def _more(rest: list[str]) -> str:
    return f" ... ({len(rest)} more)" if rest else ""


def _concept_json(ontology: Ontology, concept: Concept, *, expand: bool) -> dict[str, Any]:
    below = ontology.specializations(concept)
    answer: dict[str, Any] = {
        "id": concept.id,
        "name": concept.name,
        "ontology": ontology.name,
        "names": [{"text": name.text, "scope": name.scope.name.lower()} for name in ontology.names(concept)],
        "definition": ontology.definition(concept),
        "bits": {measure.value: ontology.intrinsic_information(concept, measure) for measure in Measure},
        "generalizations": [
            {"id": g.id, "name": g.name, "bits": ontology.intrinsic_information(g)} for g in ontology.generalizations(concept)
        ],
        "relations": [{"relation": r.name, "id": r.object.id, "name": r.object.name} for r in ontology.relations(concept)],
        "references": list(ontology.references(concept)),
        "specializations": len(below),
    }
    if expand:
        answer["expansion"] = [{"id": c.id, "names": [name.text for name in ontology.names(c)]} for c in below]
    return answer


def _info_json(ontology: Ontology) -> dict[str, Any]:
    about = {key: value for key, value in ontology.about.items() if key != "prefixes"}
    return {"name": ontology.name, "fingerprint": ontology.fingerprint, **about}


def _counts(ontology: Ontology) -> str:
    return ", ".join(f"{ontology.about[what]:,} {what}" for what in ("concepts", "names", "parents", "relations"))


def _some(shown: list[str], total: int) -> str:
    return ", ".join(shown) + (f" ... ({total} in all)" if total > len(shown) else "")
