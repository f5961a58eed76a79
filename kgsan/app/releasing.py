"""The last step: a text that verifies, its certificate and its private papers, written together or not at all."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgsan.app.audit import STATE
from kgsan.app.problems import refused
from kgsan.errors import Place
from kgsan.ontology import names
from kgsan.report.certificate import as_bytes, certificate, digest_of
from kgsan.report.output import Drafts, make_folder, sweep
from kgsan.report.record import KEY_SIZE, record
from kgsan.sanitize.release import release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgsan.app.chain import Head, Span
    from kgsan.app.drafting import Draft
    from kgsan.app.queue import Waiting
    from kgsan.app.replay import Release, Review, Standing
    from kgsan.app.settings import Settings
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.result import SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer

#: Letting a term stay may bring another to light around it; so often it is looked again.
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Final:
    """A text that may be released, with its certificate."""

    result: SanitizedDocument = field(repr=False)
    sanitizer: Sanitizer = field(repr=False)  #: under whose policy it verifies, waivers included
    certificate: dict[str, Any] = field(repr=False)
    waived: tuple[tuple[str, str], ...] = field(repr=False)

    @property
    def text(self) -> str:
        """What is written."""
        return self.result.text


def final(draft: Draft, settings: Settings) -> Final:
    """The text, verified by the engine under the policy with the terms that stay. Raises when it is not ready."""
    if draft.open_count:
        raise refused("A113", f"{draft.open_count} of the changes are not decided yet.", "Decide about each, or accept the rest.")
    if draft.remaining:
        raise refused("A113", "The text still discloses more than the policy allows.", "Hide it, or keep it with a reason.")
    waived = dict(_terms(draft, draft.let_stay)) | dict(_kept(draft))
    for _ in range(_ROUNDS):
        sanitizer = settings.waiving(draft.proposal.sanitizer, list(waived.values()))
        rest = sanitizer.verify(draft.text)
        if not rest:
            made = release(draft.result(), draft.text, rest, Place(sanitizer.policy.name))
            return Final(made, sanitizer, certificate(sanitizer, made.text), tuple(waived.values()))
        more = dict(_terms(draft, rest))
        if not more.keys() - waived.keys():
            break
        waived |= more
    raise refused("A113", "Beside the words that stay, the text discloses more than the policy allows.", "Hide more of it.")


def released_before(review: Review, content: str, settings: str, text: str) -> list[Release]:
    """Earlier releases of the same content that differ: put side by side they tell more than each."""
    found = [one for one in review.releases if one.content == content]
    return [one for one in found if (one.settings, one.text) != (settings, digest_of(text))]


def write(
    folder: Path, waiting: Waiting, standing: Standing, draft: Draft, made: Final, log: tuple[bytes, bytes], head: Head
) -> list[Path]:
    """Write everything; the text comes last: where it stands, the others do."""
    public, private = folder / "released", folder / "private"
    make_folder(public)
    make_folder(private, private=True)
    sweep([public, private])
    told = record(made.sanitizer, waiting.text, made.result, secrets.token_bytes(KEY_SIZE))
    told["review"] = _reviewed(waiting, standing, draft, head)
    content = {
        private / f"{waiting.name}.audit.jsonl": log[0],
        private / f"{waiting.name}.audit.jsonl{STATE}": log[1],
        private / f"{waiting.name}.record.json": as_bytes(told),
        public / f"{waiting.name}.certificate.json": as_bytes(made.certificate),
        public / waiting.name: made.text.encode("utf-8", "surrogatepass"),
    }
    for target in content:
        if target.exists() and target.samefile(waiting.path):
            raise refused(
                "A108", "The document itself would be written over.", "Choose another --folder.", file=waiting.path.name
            )
    with Drafts() as drafts:
        for target, each in content.items():
            drafts.begin(target, private=target.parent == private).write(each)
    return list(content)


def _reviewed(waiting: Waiting, standing: Standing, draft: Draft, head: Head) -> dict[str, Any]:
    """What a person decided, by place: no words."""
    return {
        "document": waiting.id,
        "strictness": standing.strictness,
        "strictness_reason": standing.strictness_reason,
        "decided": [
            {"start": one.span[0], "end": one.span[1], "ruling": one.verdict.ruling.value, "reason": one.verdict.reason}
            for one in draft.settled
            if one.verdict is not None
        ],
        "marked": [list(span) for span in standing.marks],
        "waived": [{"start": one.span[0], "end": one.span[1], "reason": one.reason} for one in draft.waived],
        "audit": {"count": head.count, "last": head.last},
    }


def _kept(draft: Draft) -> Iterator[tuple[str, tuple[str, str]]]:
    for one in draft.waived:
        words = draft.proposal.text[one.span[0] : one.span[1]]
        yield names.key(words), (words, one.reason)


def _terms(draft: Draft, found: tuple[Disclosure, ...] | list[Disclosure]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The words of what was found where a person lets words stay, with the reason."""
    for one in found:
        reason = next((each.reason for each in draft.waived if _holds(each.new, (one.start, one.end))), None)
        if reason is not None:
            words = draft.text[one.start : one.end]
            yield names.key(words), (words, reason)


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
