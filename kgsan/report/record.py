"""The private record of a sanitized text: every decision with its exact figures, and a keyed hash of the original.

It tells what was hidden. It belongs where the original is, and never to those who get the released text.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Any

from kgsan.report.certificate import digest_of, own_version
from kgsan.report.sentences import law, reason
from kgsan.sanitize.wordless import wordless

if TYPE_CHECKING:
    from kgsan.knowledge.information import Share
    from kgsan.policy.policy import Policy
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.ladder import Refused
    from kgsan.sanitize.result import Decision, SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

FORMAT = "kgsan-record-1"
#: Bytes of a key that nobody guesses.
KEY_SIZE = 32
_HEX = re.compile(rf"[0-9a-f]{{{2 * KEY_SIZE}}}")


@wordless
def record(sanitizer: Sanitizer, text: str, result: SanitizedDocument, key: bytes) -> dict[str, Any]:
    """Everything that was decided about a text. The key is told in it: without the key nobody can try texts against the hash."""
    return {
        "format": FORMAT,
        "kgsan": own_version(),
        "policy": {"name": sanitizer.policy.name, "digest": sanitizer.policy.digest},
        "input": {"hmac_sha256": _keyed(text, key), "key": key.hex()},
        "output": {"sha256": digest_of(result.text)},
        "utility_kept": result.utility_kept,
        "rounds": result.rounds,
        "decisions": [
            decision_told(decision, sanitizer.policy) | {"refused": [_refused(one) for one in decision.refused]}
            for decision in result.decisions
        ],
    }


def is_record_of(told: object, text: str) -> bool:
    """Whether a record was made for this very text. What is no record was made for none."""
    given = told.get("input") if isinstance(told, dict) else None
    key, hashed = (given.get("key"), given.get("hmac_sha256")) if isinstance(given, dict) else (None, None)
    if not isinstance(key, str) or not isinstance(hashed, str) or not _HEX.fullmatch(key) or not _HEX.fullmatch(hashed):
        return False
    return hmac.compare_digest(_keyed(text, bytes.fromhex(key)), hashed)


def decision_told(decision: Decision, policy: Policy | None = None) -> dict[str, Any]:
    """A decision with its exact figures: those of its first reason, and all of them under `evidence`."""
    evidence = [_disclosure(one, policy) for one in decision.disclosures]
    first = evidence[0] if evidence else dict.fromkeys(("rule", "entity", "revealed", "limit", "because"))
    return {
        "start": decision.start,
        "end": decision.end,
        "new_start": decision.new_start,
        "new_end": decision.new_end,
        "action": decision.action.value,
        "replacement": decision.replacement,
        **{name: first[name] for name in ("rule", "entity", "revealed", "limit", "because")},
        "evidence": evidence,
    }


def _disclosure(disclosure: Disclosure, policy: Policy | None) -> dict[str, Any]:
    share = disclosure.share
    return {
        "rule": disclosure.rule.value,
        "entity": disclosure.entity or None,
        "revealed": None if share is None else share.revealed,
        "limit": disclosure.limit,
        "because": reason(disclosure),
        "law": law(disclosure.entity, policy),
        "names": None if disclosure.sense is None else disclosure.sense.concept.id,
        "counts": None if share is None else _counts(share),
    }


def _counts(share: Share) -> dict[str, Any]:
    return {
        "source": share.source,
        "stated": share.stated,
        "together": share.support,
        "contexts": share.contexts_of_terms,
        "bits": share.bits,
        "entity_bits": share.entity_information,
        "revealed_at_least": share.low,
        "chance_before": share.chance_before,
        "chance": share.chance,
    }


def _refused(refused: Refused) -> dict[str, Any]:
    """A rung without a concept is a part of the text, whose words a record does not hold."""
    concept = refused.rung.concept
    return {
        "concept": None if concept is None else concept.id,
        "name": None if concept is None else concept.name,
        "because": refused.because,
        "counts": None if refused.share is None else _counts(refused.share),
    }


def _keyed(text: str, key: bytes) -> str:
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
