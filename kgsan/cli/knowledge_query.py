"""`kgsan knowledge query`: how often terms occur, and how much of an entity each source says they give away."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kgsan.cli.output import DONE, FOUND_NOTHING, WRONG_USAGE, format_option
from kgsan.knowledge.combined import LEAST_OF_GROUP, known_part
from kgsan.knowledge.information import disclosure, information
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import load_ontology
from kgsan.policy.policy import Policy, ProtectedEntity
from kgsan.policy.sensitive import SensitiveTerms
from kgsan.sources.records import Scope

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from kgsan.cli.output import Commands
    from kgsan.knowledge.combined import CombinedKnowledge
    from kgsan.knowledge.information import Share
    from kgsan.knowledge.knowledge import Knowledge, Topic
    from kgsan.ontology.stack import OntologyStack

    Group = tuple[str, ...]

_FILE = ".kgk"
_WIDEST = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """What one source says about one term or group."""

    terms: Group
    source: str
    contexts: int | None = None
    bits: float | None = None
    together: int | None = None
    share: float | None = None
    at_least: float | None = None
    counted_as: str | None = None
    decides: bool = False


def add_command(actions: Commands) -> None:
    """`kgsan knowledge query`."""
    command = actions.add_parser(
        "query",
        help="count terms, alone and with an entity",
        description="Count terms: contexts, bits, and with --entity the share of what the entity says that they reveal. Each "
        "source answers by itself; the answer marked with * is the one that would decide.",
    )
    command.add_argument("terms", nargs="+", metavar="TERM", help=f"a name or a phrase; what ends in {_FILE} is a knowledge file")
    command.add_argument("--entity", help="an entity, by name or concept id")
    command.add_argument("--together", action="store_true", help="all terms as one group")
    command.add_argument(
        "--knowledge",
        action="append",
        default=[],
        metavar="FILE",
        help="a knowledge file or a table of counts; default: what ships",
    )
    command.add_argument("--in", dest="ontologies", action="append", metavar="SRC", help="ontologies; default: what ships")
    format_option(command)
    command.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    files = [term for term in given.terms if term.endswith(_FILE)]
    terms = tuple(term for term in given.terms if term not in files)
    if not terms:
        print("No term was given, only knowledge files.", file=sys.stderr)
        return WRONG_USAGE
    stack = load_ontology(*(given.ontologies or ()))
    known = load_knowledge(*files, *given.knowledge, ontology=stack)
    topic = None
    if given.entity is not None:
        topic = _topic(stack, given.entity)
        if topic is None:
            print(_unknown(stack, given.entity), file=sys.stderr)
            return FOUND_NOTHING
    groups: list[Group] = [terms] if given.together else [(term,) for term in terms]
    answers = [answer for group in groups for answer in _answers(known, topic, group)]
    if given.format == "json":
        print(json.dumps([asdict(answer) for answer in answers], indent=2, ensure_ascii=False))
    else:
        _show(known, topic, answers)
    return DONE if any(answer.contexts or answer.share for answer in answers) else FOUND_NOTHING


def _topic(stack: OntologyStack, entity: str) -> Topic | None:
    """What a policy would mean by the entity; None when no ontology knows it."""
    concepts = (entity,) if any(entity in ontology for ontology in stack) else ()
    protected = ProtectedEntity(stack.concept(entity).name if concepts else entity, concepts=concepts)
    topic = SensitiveTerms(Policy("query", "query", protect=(protected,)), stack).topic(0)
    return topic if any(map(len, topic.members)) else None


def _unknown(stack: OntologyStack, entity: str) -> str:
    near = " or ".join(f"'{name}'" for name in stack.suggest(entity, 3))
    return f"No ontology knows '{entity}'." + (f" Did you mean {near}?" if near else "")


# --- asking ----------------------------------------------------------------------------------------------------------------


def _answers(known: CombinedKnowledge, topic: Topic | None, group: Group) -> Iterator[Answer]:
    named = list(_naming(topic, group[0])) if topic is not None and len(group) == 1 else []
    yield from named
    if topic is not None and len(group) == 1:
        senses = [concept for _, found in known.stack.find_all(group[0]) for concept in found]
        shares = list(known.shares(topic, group[0], senses))
        deciding = known.disclosure(topic, group[0], senses)
    else:
        shares = [] if topic is None else list(_of_group(known, topic, group))
        enough = [share for share in shares if share.support >= LEAST_OF_GROUP]
        deciding = max(enough, key=lambda share: (share.low, share.revealed, share.source), default=None)
    if any(answer.decides for answer in named):
        deciding = None
    counted = {share.source: share for share in shares}
    for source in known.sources:
        yield _counted(source, group, counted.get(source.name), deciding)
    names = {source.name for source in known.sources}
    for share in shares:
        if share.source not in names:
            told = f"{share.source}, {share.support} of {share.contexts_of_terms} stated"
            yield Answer(group, told, None, None, None, share.revealed, share.low, decides=share == deciding)


def _naming(topic: Topic, term: str) -> Iterator[Answer]:
    """Whether a term is a name of the entity, or of what specializes it."""
    for ontology, members in zip(topic.stack, topic.members, strict=True):
        scopes = [name.scope for concept, name in ontology.senses(term) if concept.number in members]
        if scopes and min(scopes) <= Scope.EXACT:
            yield Answer((term,), f"{ontology.name}: names it", None, None, None, 1.0, 1.0, decides=True)
        elif scopes:
            yield Answer((term,), f"{ontology.name}: may mean it")


def _of_group(known: CombinedKnowledge, topic: Topic, group: Group) -> Iterator[Share]:
    for source in known.sources:
        parts = [known_part(source, term) for term in group]
        share = disclosure(source, topic, *(part for part in parts if part is not None)) if None not in parts else None
        if share is not None:
            yield share


def _counted(source: Knowledge, group: Group, share: Share | None, deciding: Share | None) -> Answer:
    parts = [known_part(source, term) for term in group]
    known = [part for part in parts if part is not None]
    whole = len(known) == len(group)
    return Answer(
        group,
        source.name,
        source.count(*known) if whole else None,
        information(source, known[0]) if whole and len(known) == 1 else None,
        None if share is None else share.support,
        None if share is None else share.revealed,
        None if share is None else share.low,
        " + ".join(known) if whole and tuple(known) != group else None,
        share is not None and share == deciding,
    )


# --- showing ---------------------------------------------------------------------------------------------------------------


def _show(known: CombinedKnowledge, topic: Topic | None, answers: list[Answer]) -> None:
    if topic is not None:
        told = known.information(topic)
        said = "no source knows how much it says" if told is None else f"{told[0]:.2f} bits in {told[1].name}"
        print(f"{topic.name}: {sum(map(len, topic.members)):,} concepts, {said}")
    width = min(_WIDEST, max(len(" + ".join(answer.terms)) for answer in answers))
    print(f"{'term':<{width}} {'contexts':>10} {'bits':>6} {'together':>9} {'share':>6} {'at least':>9}   source")
    before: Group = ()
    for answer in answers:
        term = "" if answer.terms == before else " + ".join(answer.terms)
        before = answer.terms
        print(
            f"{_short(term):<{width}} {_cell(answer.contexts, ','):>10} {_cell(answer.bits, '.2f'):>6} "
            f"{_cell(answer.together, ','):>9} {_cell(answer.share, '.2f'):>6} {_cell(answer.at_least, '.2f'):>9} "
            f"{'*' if answer.decides else ' '} {answer.source}"
            + (f', counted as "{answer.counted_as}"' if answer.counted_as is not None else "")
        )
    if any(answer.decides for answer in answers):
        print("* decides")


def _short(term: str) -> str:
    return term if len(term) <= _WIDEST else f"{term[: _WIDEST - 3]}..."


def _cell(value: object, form: str) -> str:
    return "-" if value is None else format(value, form)
