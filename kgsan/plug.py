"""What every plug for another library needs: a policy made ready, and texts that keep its promise whatever its method is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.errors import KgsanError, Place, PolicyError, Problem
from kgsan.policy.check import check, stops
from kgsan.policy.policy import Policy
from kgsan.policy.read import load_policy
from kgsan.sanitize.release import promised
from kgsan.sanitize.sanitizer import LEARNED, Sanitizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.ontology.stack import OntologyStack
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.text.foreign import ForeignSpan

    #: A sanitizer, a policy, or where one is found: a file, or the name of a shipped one.
    Given = Sanitizer | Policy | Path | str


class PlugError(KgsanError):
    """Something that another library handed over cannot be used. Shows no words of a document."""


def wrong(code: str, where: str, message: str, hint: str | None = None) -> PlugError:
    """The error for one thing that cannot be used."""
    return PlugError(Problem(code, Place(where), message, hint))


def policy_named(given: Policy | Path | str) -> Policy:
    """The policy that is meant: itself, a file, or a shipped one by name."""
    if isinstance(given, Policy):
        return given
    return load_policy(Path(given) if Path(given).is_file() else given)


def ready(given: Given, *, redact: bool = False) -> Sanitizer:
    """The policy, compiled. One that means nothing to its ontologies would protect nothing: it is refused."""
    return given if isinstance(given, Sanitizer) else compiled(policy_named(given), redact=redact)


def compiled(policy: Policy, ontology: OntologyStack | None = None, *, redact: bool = False) -> Sanitizer:
    """A policy that was checked against its ontologies. The method that needs a learned model is refused."""
    if policy.method == LEARNED:
        said = "The method 'greedy' needs a learned model, and there is no place for one here."
        raise wrong("V204", policy.name, said, "Use 'kgsan sanitize --learned', or another method.")
    sanitizer = Sanitizer(policy, ontology, redact=redact)
    problems = [problem for problem in check(sanitizer.detector.sensitive) if stops(problem)]
    if problems:
        raise PolicyError(*problems)
    return sanitizer


def sanitized(sanitizer: Sanitizer, text: str, spans: Sequence[ForeignSpan] = ()) -> SanitizedDocument:
    """A text that keeps the promise, whatever the method."""
    return promised(sanitizer, sanitizer.sanitize(text, spans))


def sanitized_block(sanitizer: Sanitizer, texts: Sequence[str]) -> list[SanitizedDocument]:
    """The same for some texts, read in one go."""
    return [promised(sanitizer, result) for result in sanitizer.sanitize_block(texts)]
