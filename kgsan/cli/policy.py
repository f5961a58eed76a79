"""`kgsan validate`, `expand`, `explain`, `test`, `diff`, `new` and `schema`: policies."""

from __future__ import annotations

import csv
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsan.cli.output import DONE, FINDINGS, WRONG_FILE, WRONG_POLICY, colors, format_option, progress
from kgsan.errors import CODES, Place, PolicyError, Problem, system_says
from kgsan.ontology.load import default_stack, load_ontology
from kgsan.policy.check import check, stops
from kgsan.policy.differences import differences
from kgsan.policy.read import load_policy, shipped_policies
from kgsan.policy.schema import schema_text
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.policy.sentences import sentences
from kgsan.policy.show import as_json, as_sarif, render
from kgsan.policy.template import template
from kgsan.sanitize.examples import Outcome, Tried, try_example
from kgsan.sanitize.reasons import reasons
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sources import no_collection
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from kgsan.cli.output import Commands
    from kgsan.ontology.stack import OntologyStack
    from kgsan.policy.policy import Policy

_SCOPES = [scope.name.lower() for scope in Scope]
_CODE = re.compile(r"[A-Z]\d{3}")
_FAMILIES = {
    "A1": "About the review page and its log. What was decided before stays; nothing is released.",
    "E1": "About marked documents that something is measured on, and texts that are attacked. Nothing was measured.",
    "E2": "About documents to learn from and learned models. Nothing was learned, saved or hidden.",
    "F1": "About a file and its format: what is in it cannot be read whole, so nothing of it was written. Exit code 4.",
    "O1": "An ontology cannot be used; nothing was written. Exit code 3.",
    "O2": "Something is odd in an ontology; it was noted and the reading went on.",
    "P0": "About the file of a policy. The policy is not used. Exit code 2.",
    "P1": "About the words of a policy: its fields and their values. The policy is not used. Exit code 2.",
    "P2": "About what a policy means. Below P250 the policy is not used (exit code 2); from P250 on it is told and holds.",
    "P3": "About the examples of a policy. Below P350 something is wrong with them; from P350 on it is told.",
    "K1": "About knowledge: its files, tables and texts. Nothing was written. Exit code 3.",
    "K2": "About a search engine that is asked for counts. Exit code 3.",
    "S1": "A text could not be made safe; nothing of it was written. Exit code 1.",
    "V1": "About the service: how it is begun, and requests that it refuses. Nothing of a text is given out.",
    "V2": "About what another library handed over. Nothing was sanitized.",
    "X1": "About a list of spans from another tool. None of its spans is used.",
}


def add_commands(commands: Commands) -> None:
    """The commands about policies."""
    command = commands.add_parser(
        "validate",
        help="tell everything that is wrong with policies",
        description="Read policies, check their words against the ontologies, and tell every problem with its place and a hint.",
    )
    command.add_argument(
        "policies", nargs="+", metavar="POLICY", help="a file, a folder of files, or the name of a shipped policy"
    )
    format_option(command, "text", "json", "sarif")
    command.set_defaults(run=_validate)

    command = commands.add_parser(
        "expand",
        help="list every name that a policy protects",
        description="List every sensitive term of a policy: for which entity, how it comes in and by which path.",
    )
    command.add_argument("policy", metavar="POLICY")
    format_option(command, "table", "csv", "json")
    command.set_defaults(run=_expand)

    command = commands.add_parser(
        "explain",
        help="read a policy back as sentences, say why a term is hidden, or what a problem code means",
        description="Read a policy back as sentences; with TERM, say why it is hidden or not; with a code, what it means.",
    )
    command.add_argument("subject", metavar="POLICY|CODE")
    command.add_argument("term", nargs="?", metavar="TERM")
    command.set_defaults(run=_explain)

    command = commands.add_parser("test", help="try the examples of policies", description="Try the examples of policies.")
    command.add_argument("policies", nargs="+", metavar="POLICY")
    command.set_defaults(run=_test)

    command = commands.add_parser(
        "diff",
        help="tell what two policies protect differently",
        description="Tell what NEW no longer protects, what it protects besides, and which settings changed.",
    )
    command.add_argument("old", metavar="OLD")
    command.add_argument("new", metavar="NEW")
    for when in ("old", "new"):
        command.add_argument(
            f"--{when}-ontology", action="append", metavar="SRC", help=f"ontologies for the {when} policy instead of its own"
        )
    command.set_defaults(run=_diff)

    command = commands.add_parser(
        "new", help="write a policy to begin with", description="Write a commented policy to begin with."
    )
    command.add_argument("name", metavar="NAME", help="letters, digits, -, _ and .")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: NAME.yaml; - for standard output")
    command.set_defaults(run=_new)

    command = commands.add_parser(
        "schema", help="print the JSON Schema of policies", description="Print the JSON Schema of policies, for editors."
    )
    command.set_defaults(run=_schema)


# --- commands --------------------------------------------------------------------------------------------------------


def _validate(given: argparse.Namespace) -> int:
    problems: list[Problem] = []
    stacks = _Stacks()
    paths = _paths(given.policies)
    for path in paths:
        try:
            policy = load_policy(path)
        except PolicyError as error:
            problems += error.problems
        else:
            problems += check(SensitiveTerms(policy, stacks.of(policy)))
    if given.format == "json":
        print(as_json(problems))
    elif given.format == "sarif":
        print(as_sarif(problems))
    elif problems:
        print(render(problems, color=colors(sys.stdout)), end="")
    else:
        print("1 policy is in order." if len(paths) == 1 else f"{len(paths)} policies are in order.")
    return WRONG_POLICY if any(map(stops, problems)) else DONE


def _expand(given: argparse.Namespace) -> int:
    sensitive = _sensitive(given.policy)
    columns = ("entity", "term", "how", "scope", "concept", "path", "ontology")
    rows = []
    with no_collection():
        for entity, ontology, how, path, texts, scopes in sensitive.concept_terms():
            way, identifier = " > ".join([concept.name for concept in path]), path[0].id
            for i, (text, stands) in enumerate(zip(texts, scopes, strict=True)):
                told = "synonym" if how == "name" and i else how
                rows.append((entity, text, told, _SCOPES[stands], identifier, way, ontology))
    least = sensitive.threshold
    if given.format == "json":
        threshold = None if least is None else {"bits": least[0], "concept": least[1].id, "name": least[1].name}
        encode = json.JSONEncoder(ensure_ascii=False).encode
        head = encode({"policy": sensitive.policy.name, "threshold": threshold})[:-1]
        lines = ",\n".join([encode(dict(zip(columns, row, strict=True))) for row in rows])
        sys.stdout.write(f'{head}, "terms": [\n{lines}\n]}}\n')
        return DONE
    if given.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return DONE
    for entity, text, how, scope, identifier, way, _ in rows:
        doubt = "" if scope in ("preferred", "exact") else f", {scope}"
        sys.stdout.write(f"{entity}  |  {text}  |  {how}{doubt}  |  {way}  [{identifier}]\n")
    print(f"\n{len(rows):,} terms of {len(sensitive.policy.protect)} entities.", end="")
    print(f" The least that one of the entities says is {least[0]:.2f} bits: {least[1].name}." if least else "")
    return DONE


def _explain(given: argparse.Namespace) -> int:
    if _CODE.fullmatch(given.subject) and given.term is None:
        return _explain_code(given.subject)
    if given.term is None:
        for paragraph in sentences(_sensitive(given.subject)):
            print(textwrap.fill(paragraph, 100), end="\n\n")
        return DONE
    policy = load_policy(_source(given.subject))
    for line in reasons(given.term, Sanitizer(policy, _Stacks().of(policy))):
        print(textwrap.fill(line, 100, subsequent_indent="    "))
    return DONE


def _explain_code(code: str) -> int:
    if code not in CODES:
        print(f"There is no problem {code}. `docs/problems.md` lists them all.", file=sys.stderr)
        return FINDINGS
    print(f"{code}: {CODES[code]}\n\n{_FAMILIES[code[:2]]}")
    return DONE


def _test(given: argparse.Namespace) -> int:
    stacks = _Stacks()
    failed = ran = 0
    for path in _paths(given.policies):
        policy = load_policy(path)
        sanitizer = Sanitizer(policy, stacks.of(policy))
        tried = [try_example(example, sanitizer) for example in policy.examples]
        ran += len(tried)
        failed += sum(result.outcome is Outcome.FAILED for result in tried)
        counts = {outcome: sum(result.outcome is outcome for result in tried) for outcome in Outcome}
        print(
            f"{policy.name}: "
            + (", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count) or "no examples")
        )
        wrong = [_told(result) for result in tried if result.outcome in (Outcome.FAILED, Outcome.CLOSED)]
        if wrong:
            print(textwrap.indent(render(wrong, color=colors(sys.stdout)), "  "), end="")
    if not ran:
        print("No example was run: a policy without examples proves nothing.")
    return FINDINGS if failed or not ran else DONE


def _told(result: Tried) -> Problem:
    if result.outcome is Outcome.CLOSED:
        return Problem("P352", result.example.place, "The example works now.", "Take `known_gap` out.")
    return Problem("P302", result.example.place, f"The example fails: {'; '.join(result.wrong)}.")


def _diff(given: argparse.Namespace) -> int:
    old, new = _sensitive(given.old, given.old_ontology), _sensitive(given.new, given.new_ontology)
    found = differences(old, new)
    for line in found.lines():
        print(line)
    return FINDINGS if found else DONE


def _new(given: argparse.Namespace) -> int:
    text = template(given.name)
    if given.output is not None and str(given.output) == "-":
        print(text, end="")
        return DONE
    path = given.output or Path(f"{given.name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        print(f"{path} is there already, and was left as it is.", file=sys.stderr)
        return WRONG_FILE
    except OSError as error:
        print(f"{path} cannot be written: {system_says(error)}.", file=sys.stderr)
        return WRONG_FILE
    print(f"{path} is written. `kgsan validate {path}` checks it, `kgsan test {path}` tries its examples.")
    return DONE


def _schema(_given: argparse.Namespace) -> int:
    print(schema_text(), end="")
    return DONE


# --- sources -----------------------------------------------------------------------------------------------------------


class _Stacks:
    """The ontologies that policies name, each set of them loaded once."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, ...], OntologyStack] = {}

    def of(self, policy: Policy, instead: Sequence[str] | None = None) -> OntologyStack:
        sources = tuple(instead or policy.ontologies or default_stack())
        if sources not in self._loaded:
            with progress("Reading", sources) as watch:
                self._loaded[sources] = load_ontology(*sources, watch=watch)
        return self._loaded[sources]


def _sensitive(source: str, instead: Sequence[str] | None = None) -> SensitiveTerms:
    policy = load_policy(_source(source))
    return SensitiveTerms(policy, _Stacks().of(policy, instead))


def _source(name: str) -> Any:
    """A path, or the name of a shipped policy."""
    return name if name in shipped_policies() and not Path(name).exists() else Path(name)


def _paths(given: Sequence[str]) -> list[Any]:
    """The policies meant: files, all files of folders, and shipped names."""
    found: list[Any] = []
    for name in given:
        path = Path(name)
        if path.is_dir():
            inside = sorted([*path.glob("*.yaml"), *path.glob("*.yml")])
            if not inside:
                raise PolicyError(Problem("P001", Place(name), "The folder holds no policy.", "Policies end in .yaml or .yml."))
            found += inside
        else:
            found.append(_source(name))
    return found
