"""The work behind a request: from the bytes of its body to the bytes of its answer."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kgsan.plug import compiled, sanitized
from kgsan.report.answers import remaining, row
from kgsan.report.certificate import certificate, check_certificate
from kgsan.report.record import decision_told
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.sanitize.wordless import Unforeseen
from kgsan.service.fields import faults, tables
from kgsan.service.problems import Answer, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgsan.ontology.stack import OntologyStack
    from kgsan.service.settings import Settings

#: What is told of a change beside a released text.
PUBLIC = ("new_start", "new_end", "action", "replacement")
#: So many policies with a strictness of the asker's own are kept ready.
_KEPT = 8


class Answers:
    """The policies of a service, compiled; asked from any number of threads."""

    def __init__(self, settings: Settings) -> None:
        self._tables = tables(settings)
        self._sanitizers = _compiled(settings)
        self._work: dict[str, Callable[[dict[str, Any], Sanitizer], dict[str, Any]]] = {
            "sanitize": _sanitize,
            "verify": _verify,
        }
        self._stricter: OrderedDict[tuple[str, Fraction], Sanitizer] = OrderedDict()
        self._compiling = threading.Lock()

    def __repr__(self) -> str:
        return f"<Answers under {', '.join(self._sanitizers)}>"

    def answer(self, what: str, body: bytes) -> Answer:
        """The answer to a request for one of the things that can be asked for."""
        try:
            given = json.loads(body.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return problem("V110", "The body is not JSON in UTF-8, or says one thing twice.")
        wrong = list(faults(self._tables[what], given))
        if wrong:
            return problem("V111", " ".join(wrong))
        sanitizer = self._sanitizer(given)
        try:
            told = self._work[what](given, sanitizer)
        except Unforeseen:
            raise  # a mistake of ours is not the text's
        except NotSafe as error:
            if error.problems[0].code == "S104":  # which says where, and can be helped
                return problem("S104", error.problems[0].message)
            return problem("S101", "The text cannot be made safe under this policy; nothing of it is given out.")
        return Answer(200, row({"policy": sanitizer.policy.name, **told}))

    def _sanitizer(self, given: dict[str, Any]) -> Sanitizer:
        own = self._sanitizers[given.get("policy", next(iter(self._sanitizers)))]
        if "strictness" not in given:
            return own
        key = own.policy.name, Fraction(str(given["strictness"]))
        with self._compiling:
            made = self._stricter.pop(key, None) or _with_strictness(own, key[1])
            self._stricter[key] = made
            if len(self._stricter) > _KEPT:
                self._stricter.popitem(last=False)
        return made


def _compiled(settings: Settings) -> dict[str, Sanitizer]:
    """Every policy; those that name the same ontologies share them."""
    stacks: dict[tuple[str, ...], OntologyStack] = {}
    made = {}
    for policy in settings.policies:
        made[policy.name] = sanitizer = compiled(policy, stacks.get(policy.ontologies))
        stacks.setdefault(policy.ontologies, sanitizer.knowledge.stack)
    return made


def _with_strictness(sanitizer: Sanitizer, strictness: Fraction) -> Sanitizer:
    protect = tuple(replace(entity, strictness=None) for entity in sanitizer.policy.protect)
    policy = replace(sanitizer.policy, strictness=strictness, protect=protect)
    return Sanitizer(policy, sanitizer.knowledge.stack, sanitizer.knowledge)


def _sanitize(given: dict[str, Any], sanitizer: Sanitizer) -> dict[str, Any]:
    result = sanitized(sanitizer, given["text"])
    told = [decision_told(decision, sanitizer.policy) for decision in result.decisions]
    answer: dict[str, Any] = {"text": result.text, "decisions": [{name: one[name] for name in PUBLIC} for one in told]}
    if given.get("certificate"):
        answer["certificate"] = certificate(sanitizer, result.text)
    return answer


def _verify(given: dict[str, Any], sanitizer: Sanitizer) -> dict[str, Any]:
    text = given["text"]
    found = remaining(text, sanitizer.verify(text), reveal=False)
    differences = None if "certificate" not in given else check_certificate(given["certificate"], sanitizer, text)
    holds = None if differences is None else not differences
    return {"discloses": found, "certificate_holds": holds, "certificate_differences": differences or []}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says each thing once: of two that differ, nobody knows which one is meant."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError
    return made


def _refuse(constant: str) -> None:
    raise ValueError  # NaN and Infinity are no JSON
