"""A review at work: what can be done with a document, each thing logged before it counts. Safe to use from many threads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsan.app.audit import LOG, AuditLog, key_mark
from kgsan.app.chain import Act
from kgsan.app.drafting import drafted
from kgsan.app.patch import line_of, patch
from kgsan.app.problems import refused
from kgsan.app.proposal import propose
from kgsan.app.queue import Summary, folder_key, queued
from kgsan.app.reasons import given_reason, words_at
from kgsan.app.recent import Recent
from kgsan.app.releasing import final, released_before, write
from kgsan.app.replay import Review, Ruling, Verdict
from kgsan.app.settings import Settings, is_less_strict
from kgsan.ontology import names
from kgsan.report.certificate import digest_of, own_version
from kgsan.report.output import Drafts, FileError, make_folder, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from kgsan.app.chain import Span
    from kgsan.app.drafting import Draft
    from kgsan.app.proposal import Proposal
    from kgsan.app.queue import Waiting
    from kgsan.app.replay import Release, Standing
    from kgsan.errors import Problem
    from kgsan.sanitize.sanitizer import Sanitizer

#: So many places are hidden by words that are typed, and so long are these.
_PLACES, _TYPED = 1000, 500
#: So many texts are kept as they were worked out.
_KEPT = 12


@dataclass(frozen=True, slots=True)
class View:
    """A document as a page shows it."""

    waiting: Waiting
    standing: Standing
    draft: Draft
    before: tuple[Release, ...] = ()  #: earlier releases that differ from what would be released now


class Desk:
    """Documents, a compiled policy, and the log of what is decided."""

    def __init__(self, sanitizer: Sanitizer, paths: Sequence[Path], folder: Path, key: bytes | None = None) -> None:
        self.settings = Settings(sanitizer)
        self._proposals: Recent[Proposal] = Recent(_KEPT)
        self._drafts: Recent[Draft] = Recent(_KEPT)
        self.folder = folder
        own = folder_key(folder)
        self.documents = queued(paths, folder, own)
        self.log = AuditLog(folder / LOG, key)
        self.review = Review(self.log.entries)
        self._begin(key_mark(key))

    @property
    def notices(self) -> list[Problem]:
        """What was set right when the review was opened."""
        return self.log.notices

    def close(self) -> None:
        """End the review; it can be taken up again."""
        self._do([Act("ended")])
        self.log.close()

    def _begin(self, mark: str) -> None:
        settings = self.settings.digest()
        acts = [Act("started", detail={"kgsan": own_version(), "settings": settings, "key": mark})]
        for one in self.documents:
            standing = self.review.of(one.id)
            if (standing.content, standing.settings) != (one.content, settings):
                acts.append(Act("opened", one.id, detail={"content": one.content, "settings": settings}))
        self._do(acts)

    def _do(self, acts: Iterable[Act]) -> None:
        for entry in self.log.add(acts):
            self.review.apply(entry)

    # --- looking -----------------------------------------------------------------------------------------------------------

    def document(self, number: int) -> Waiting:
        """A document by its number in the queue."""
        if not 1 <= number <= len(self.documents):
            raise refused("A112", "There is no such document in this review.")
        return self.documents[number - 1]

    def standing(self, waiting: Waiting) -> Standing:
        """What was decided about a document."""
        return self.review.of(waiting.id)

    def view(self, number: int) -> View:
        """A document as it stands."""
        waiting = self.document(number)
        with waiting.lock:
            standing = self.standing(waiting)
            draft = self._draft(waiting, standing.verdicts, self._strictness(standing.strictness))
            settings = self.settings.digest(standing.strictness)
            before = released_before(self.review, waiting.content, settings, draft.text)
            waiting.seen = Summary(len(draft.settled), draft.open_count, len(draft.waived), len(draft.remaining))
            return View(waiting, standing, draft, tuple(before))

    def preview(self, number: int, strictness: str) -> Draft:
        """A document under another strictness, with the same decisions; nothing is saved."""
        waiting, wanted = self.document(number), self._strictness(strictness)
        standing = self.standing(waiting)
        return self._draft(waiting, dict(standing.verdicts), wanted)

    def _draft(self, waiting: Waiting, verdicts: dict[Span, Verdict], strictness: str | None) -> Draft:
        marks = tuple(self.standing(waiting).marks)
        proposal = self._proposals.get(
            (waiting.id, strictness, marks), lambda: propose(self.settings.sanitizer(strictness), waiting.text, marks)
        )
        return self._drafts.get(
            (waiting.id, strictness, marks, tuple(sorted(verdicts.items(), key=lambda one: one[0]))),
            lambda: drafted(proposal, verdicts),
        )

    # --- deciding ----------------------------------------------------------------------------------------------------------

    def decide(
        self, number: int, span: Span, ruling: Ruling, *, rung: str | None = None, reason: str = "", everywhere: bool = False
    ) -> None:
        """Decide about a change, or about everything that reads the same. An unsafe replacement is refused."""
        waiting = self.document(number)
        with waiting.lock:
            draft = self.view(number).draft
            spans = self._decidable(draft, span, ruling, everywhere)
            why = given_reason(reason, draft) if ruling is Ruling.KEEP else None
            verdict = Verdict(ruling, rung if ruling is Ruling.GENERALIZE else None, why)
            if ruling is Ruling.GENERALIZE:
                self._try(waiting, draft, spans, verdict)
            detail: dict[str, str | int] = {} if verdict.rung is None else {"rung": verdict.rung}
            self._do(Act(ruling.value, waiting.id, each, why, detail) for each in spans)

    def accept_rest(self, number: int) -> None:
        """Accept every change that nobody has decided about."""
        waiting = self.document(number)
        with waiting.lock:
            settled = self.view(number).draft.settled
            self._do(Act(Ruling.ACCEPT.value, waiting.id, one.span) for one in settled if one.verdict is None)

    def undo(self, number: int, span: Span) -> None:
        """Open a decision again; what a person marked is no longer marked."""
        waiting = self.document(number)
        with waiting.lock:
            standing = self.standing(waiting)
            acts = [Act("undo", waiting.id, span)] if span in standing.verdicts else []
            marked = [one for one in standing.marks if span[0] <= one[0] and one[1] <= span[1]]  # a change may have grown by it
            acts += [Act("unhide", waiting.id, one) for one in marked if not acts]
            if not acts:
                raise refused("A112", "Nothing was decided about this part.")
            self._do(acts)

    def hide(self, number: int, span: Span) -> None:
        """Hide a part that the engine lets stay."""
        waiting = self.document(number)
        start, end = span
        while start < end and waiting.text[start : start + 1].isspace():
            start += 1
        while start < end and waiting.text[end - 1 : end].isspace():
            end -= 1
        if not 0 <= start < end <= len(waiting.text):
            raise refused("A112", "No words are marked.")
        with waiting.lock:
            self._hide(waiting, [(start, end)])

    def hide_words(self, number: int, words: str) -> int:
        """Hide words wherever the document has them, and give how often that is."""
        waiting = self.document(number)
        parts = [re.escape(part) for part in words.split()]
        if not parts or len(words) > _TYPED:
            raise refused("A112", "No words are given, or too many.")
        sought = re.compile(r"(?<!\w)" + r"\s{1,9}".join(parts) + r"(?!\w)", re.IGNORECASE)
        with waiting.lock:
            hidden = [one.span for one in self.view(number).draft.hidden]
            found = [match.span() for match in sought.finditer(waiting.text)]
            spans = [(a, b) for a, b in found if not any(start <= a and b <= end for start, end in hidden)] if found else []
            if not spans or len(spans) > _PLACES:
                said = (
                    "The document has these words nowhere."
                    if not found
                    else "They are hidden already, or stand at too many places."
                )
                raise refused("A112", said)
            self._hide(waiting, spans)
            return len(spans)

    def _hide(self, waiting: Waiting, spans: Sequence[Span]) -> None:
        kept = [span for span, verdict in self.standing(waiting).verdicts.items() if verdict.ruling is Ruling.KEEP]
        undone = [Act("undo", waiting.id, one) for one in kept if any(one[0] < b and a < one[1] for a, b in spans)]
        self._do([*undone, *(Act("hide", waiting.id, span) for span in spans)])

    def take_strictness(self, number: int, strictness: str, reason: str = "") -> None:
        """Go on with another strictness; a lower one than the policy's needs a reason."""
        waiting, wanted = self.document(number), self._strictness(strictness)
        with waiting.lock:
            draft = self.view(number).draft
            policy = self.settings.policy
            why = given_reason(reason, draft) if is_less_strict(strictness, policy) else None
            self._draft(waiting, self.standing(waiting).verdicts, wanted)  # what cannot be made safe is not taken
            self._do([Act("strictness", waiting.id, reason=why, detail={"strictness": strictness})])

    def add_to_policy(self, number: int, span: Span, kind: str, reason: str) -> Path:
        """Suggest a line for the policy, in a file of its own."""
        waiting = self.document(number)
        with waiting.lock:
            draft = self.view(number).draft
            start, end = span
            if kind not in ("allow", "deny") or not 0 <= start < end <= len(waiting.text):
                raise refused("A112", "No words are marked.")
            line_of(waiting.text[start:end])
            self._do([Act("policy", waiting.id, span, given_reason(reason, draft), {"kind": kind})])
            additions = self.standing(waiting).additions
            target = self.folder / "policy" / f"{waiting.name}.yaml"
            make_folder(target.parent, private=True)
            with Drafts() as drafts:
                told = patch(self.settings.policy.name, waiting.id, waiting.text, additions)
                drafts.begin(target, private=True).write(told)
            return target

    def release(self, number: int, *, confirmed: bool = False) -> list[Path]:
        """Write the final text and its papers. Only what verifies is released, and a second release that differs is warned of."""
        waiting = self.document(number)
        with waiting.lock:
            view = self.view(number)
            made = final(view.draft, self.settings)
            if _on_the_disk(waiting) != waiting.text:
                hint = "End the review and start it again to read it anew."
                raise refused("A113", "The document was changed on the disk since it was read.", hint)
            if view.before and not confirmed:
                said = "This document was released before under other settings or decisions: side by side the two tell more."
                raise refused("A114", said, "Confirm that both may be known to the same readers, or withdraw the first.")
            settings = self.settings.digest(view.standing.strictness)
            detail: dict[str, str | int] = {"settings": settings, "text": digest_of(made.text), "waived": len(view.draft.waived)}
            if view.before:
                detail["warned"] = len(view.before)
            self._do([Act("release", waiting.id, detail=detail)])
            written = write(self.folder, waiting, view.standing, view.draft, made, self.log.copy(), self.log.head)
            self._do([Act("released", waiting.id)])
            return written

    # --- what may be asked -------------------------------------------------------------------------------------------------

    def _decidable(self, draft: Draft, span: Span, ruling: Ruling, everywhere: bool) -> list[Span]:
        changes = [one.span for one in draft.settled]
        if span in changes:
            said = names.key(words_at(draft, span))
            return [one for one in changes if names.key(words_at(draft, one)) == said] if everywhere else [span]
        if ruling is Ruling.KEEP and any(span in spans for spans in finding_spans(draft)):
            return [span]
        raise refused("A112", "This part is no longer as it was shown.", "Look at the page again.")

    def _try(self, waiting: Waiting, draft: Draft, spans: Sequence[Span], verdict: Verdict) -> None:
        """See that another rung is safe by itself and beside what stands around it."""
        for one in draft.settled:
            if one.span in spans:
                step = next((step for step in draft.proposal.ladder(one.decision) if step.key == verdict.rung), None)
                if step is None:
                    raise refused("A112", "This replacement is none for these words.")
                if step.refused is not None:
                    raise refused("A110", f"This replacement is refused: it {step.refused}.")
        standing = self.standing(waiting)
        tried = self._draft(waiting, standing.verdicts | dict.fromkeys(spans, verdict), self._strictness(standing.strictness))
        for piece in tried.rewritten.pieces:
            if not any(tried.hidden[number].span in spans for number in piece.changes):
                continue
            for found in tried.remaining:
                places = found.members or ((found.start, found.end),)
                if any(start < piece.new_end and piece.new_start < end for start, end in places):
                    raise refused("A110", f"This replacement is refused: where it would stand it {found.because}.")

    def _strictness(self, strictness: str | None) -> str | None:
        """A strictness that can be chosen; None is the policy as it stands."""
        if strictness is None:
            return None
        if strictness not in self.settings.steps:
            raise refused("A112", "This is no strictness that can be chosen.")
        own = strictness == self.settings.own_strictness and not any(one.strictness for one in self.settings.policy.protect)
        return None if own else strictness


def finding_spans(draft: Draft) -> list[list[Span]]:
    """Where what still discloses stands in the original; of a group, where each of its members does."""
    origin = draft.rewritten.origin
    return [[(origin(a), origin(b - 1) + 1) for a, b in one.members or ((one.start, one.end),)] for one in draft.remaining]


def _on_the_disk(waiting: Waiting) -> str:
    """The document as it stands on the disk now."""
    try:
        return read_text(waiting.path)
    except FileError:
        raise refused("A113", "The document can no longer be read.", "Nothing was released.") from None
