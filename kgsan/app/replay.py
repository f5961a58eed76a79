"""Where a review stands: what follows from the log, entry by entry. There is no other memory of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgsan.app.chain import Act, Entry, Span


class Ruling(StrEnum):
    """What a person says about a part of a text."""

    ACCEPT = "accept"
    GENERALIZE = "generalize"
    REDACT = "redact"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided about a part: for another rung which one, for what stays why."""

    ruling: Ruling
    rung: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Addition:
    """Words that are to be allowed or denied by the policy in future."""

    kind: str
    place: Span
    reason: str
    day: str


@dataclass(frozen=True, slots=True)
class Release:
    """A release that was begun: of which content, under which settings, and with which text."""

    document: str
    content: str
    settings: str
    text: str
    is_done: bool = False


@dataclass(slots=True)
class Standing:
    """What was decided about one document."""

    content: str = ""
    settings: str = ""
    verdicts: dict[Span, Verdict] = field(default_factory=dict)
    marks: list[Span] = field(default_factory=list)
    strictness: str | None = None
    strictness_reason: str | None = None
    additions: list[Addition] = field(default_factory=list)
    is_released: bool = False
    was_interrupted: bool = False  #: a release was begun and not ended


class Review:
    """All documents of a review, as far as the log tells."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.documents: dict[str, Standing] = {}
        self.releases: list[Release] = []
        for entry in entries:
            self.apply(entry)

    def of(self, document: str) -> Standing:
        """What was decided about a document."""
        return self.documents.setdefault(document, Standing())

    def apply(self, entry: Entry) -> None:
        """One entry more. What is not known here is of another kind and changes nothing."""
        act = entry.act
        if act.document is None:
            return
        standing = self.of(act.document)
        if act.action == "opened":
            self._opened(act, act.document, standing)
        elif act.action == "release":
            released = Release(act.document, standing.content, str(act.detail["settings"]), str(act.detail["text"]))
            self.releases.append(released)
            standing.was_interrupted = True
        elif act.action == "released":
            standing.is_released, standing.was_interrupted = True, False
        else:
            _decided(act, standing, entry.time[:10])

    def _opened(self, act: Act, document: str, standing: Standing) -> None:
        content, settings = str(act.detail["content"]), str(act.detail["settings"])
        if standing.content != content:
            self.documents[document] = Standing(content, settings)  # other words stand at the old places
        elif standing.settings != settings:
            standing.settings, standing.is_released = settings, False
            standing.strictness = standing.strictness_reason = None
            # A reason to keep words was given under what was forbidden then.
            standing.verdicts = {span: one for span, one in standing.verdicts.items() if one.ruling is not Ruling.KEEP}


def _decided(act: Act, standing: Standing, day: str) -> None:
    if act.action == "strictness":
        standing.strictness, standing.strictness_reason = str(act.detail["strictness"]), act.reason
    elif act.place is not None:
        if act.action in list(Ruling):
            rung = act.detail.get("rung")
            standing.verdicts[act.place] = Verdict(Ruling(act.action), None if rung is None else str(rung), act.reason)
        elif act.action == "undo":
            standing.verdicts.pop(act.place, None)
        elif act.action == "hide" and act.place not in standing.marks:
            standing.marks.append(act.place)
        elif act.action == "unhide" and act.place in standing.marks:
            standing.marks.remove(act.place)
        elif act.action == "policy":
            standing.additions.append(Addition(str(act.detail["kind"]), act.place, act.reason or "", day))
            return
    else:
        return
    standing.is_released = False
