"""What an executor does with texts: a policy compiled once in each process, and nothing told of a text that fails.

Whatever is raised here ends up in the logs of Spark and on the screen of whoever started the job, with its causes. So nothing
is let through that could quote a text: errors are put into a sentence, and raised when their cause is forgotten.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kgsan.errors import KgsanError
from kgsan.knowledge.load import load_knowledge
from kgsan.ontology.load import load_ontology
from kgsan.plug import sanitized, sanitized_block
from kgsan.report.certificate import own_version
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer, blocks
from kgsan.sanitize.wordless import Unforeseen, unforeseen, without_words
from kgsan.spark.parcel import setting, unpack
from kgsan.spark.places import knowledge_here, ontology_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Policies that a process keeps compiled.
_POLICIES = 2
NOT_SAFE, NO_TEXT = "S101", "V201"
_UNTOLD = "An unexpected error stopped the work."
_STOPS = "Nothing of it is given out. With on_error='null' it becomes null, and the others go on."


class WorkStopped(Exception):
    """Why an executor gave up, in a sentence without a word of any text."""


class Outcome(NamedTuple):
    """What became of a text: itself, or the code of a problem and a sentence."""

    text: str | None
    code: str | None = None
    told: str | None = None


def work(packed: bytes, values: Sequence[bytes | None], *, stop: bool) -> list[Outcome]:
    """What becomes of texts in UTF-8, in their order; with `stop`, the first that fails ends the work."""
    try:
        done = []
        for outcome in _outcomes(sanitizer_of(packed), values):
            if stop and outcome.code is not None:
                raise WorkStopped(f"{outcome.code} {outcome.told} {_STOPS}")
            done.append(outcome)
        return done
    except BaseException as error:
        caught = error
    try:
        told = _stopped(caught)
    except BaseException as error:  # in the telling of another
        told = KeyboardInterrupt() if isinstance(error, KeyboardInterrupt) else WorkStopped(_UNTOLD)
    try:
        raise told  # outside of the handlers, so that nothing stands behind it
    finally:
        del caught, told


def _stopped(error: BaseException) -> BaseException:
    """What is raised in place of an error."""
    if isinstance(error, WorkStopped):
        return WorkStopped(*error.args)
    if isinstance(error, KgsanError) and not isinstance(error, Unforeseen):
        return WorkStopped(str(error))
    return WorkStopped(unforeseen(error)) if isinstance(error, Exception) else without_words(error)


@lru_cache(maxsize=_POLICIES)
def sanitizer_of(packed: bytes) -> Sanitizer:
    """The policy of a parcel at work, exactly as the driver has it."""
    parcel = unpack(packed)
    if parcel.setting["kgsan"] != own_version():
        raise WorkStopped(f"The driver has kgsan {parcel.setting['kgsan']}, this executor {own_version()}: install the same.")
    stack = load_ontology(*map(ontology_here, parcel.ontologies))
    knowledge = load_knowledge(*map(knowledge_here, parcel.knowledge), ontology=stack)
    sanitizer = Sanitizer(parcel.policy, stack, knowledge, redact=parcel.redact)
    here = setting(sanitizer)
    for what in ("policy", "ontologies", "knowledge"):
        if here[what] != parcel.setting[what]:
            raise WorkStopped(f"This executor has other content than the driver: {_differing(here[what], parcel.setting[what])}.")
    return sanitizer


def _differing(here: object, there: object) -> str:
    """The first source that is another one here."""
    if isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        return next(f"'{ours[0]}'" for ours, theirs in zip(here, there, strict=True) if ours != theirs)
    return "the policy" if isinstance(here, str) else "it has more or fewer sources"


# --- texts ----------------------------------------------------------------------------------------------------------------


def _outcomes(sanitizer: Sanitizer, values: Sequence[bytes | None]) -> Iterator[Outcome]:
    """Whatever fails in a block is looked for one by one. What is wrong with a source is not a text's fault, and is raised."""
    for block in blocks(values):
        decoded = [*map(_decoded, block)]
        texts = [one for one in decoded if isinstance(one, str)]
        try:
            results = iter([Outcome(done.text) for done in sanitized_block(sanitizer, texts)])
        except Exception:
            results = iter([_one(sanitizer, text) for text in texts])
        for one in decoded:
            yield next(results) if isinstance(one, str) else one


def _one(sanitizer: Sanitizer, text: str) -> Outcome:
    try:
        return Outcome(sanitized(sanitizer, text).text)
    except Unforeseen as error:
        return Outcome(None, NOT_SAFE, unforeseen(error))
    except NotSafe:
        return Outcome(None, NOT_SAFE, "A text could not be made safe.")
    except KgsanError:
        raise
    except Exception as error:
        return Outcome(None, NOT_SAFE, unforeseen(error))


def _decoded(value: bytes | None) -> str | Outcome:
    if value is None:
        return Outcome(None)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return Outcome(None, NO_TEXT, "A value is not in UTF-8.")
