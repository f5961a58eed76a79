"""What a policy hides, for Presidio: a recognizer that finds it, and an operator that writes kgsan's words in its place.

Presidio shows an operator the words of one finding and nothing around them. So the operator is given beforehand what kgsan writes
in this very text, and blacks out whatever it was not told of. Where Presidio can be left out of the writing, hand its findings to
the sanitizer instead: `sanitizer.sanitize(text, spans=spans_of(results))`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig
from presidio_anonymizer.operators import Operator, OperatorType

from kgsan.plug import ready, sanitized, wrong
from kgsan.report.sentences import reason
from kgsan.risk.disclosures import Rule
from kgsan.sanitize.wordless import wordless
from kgsan.text.foreign import ForeignSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kgsan.plug import Given
    from kgsan.risk.disclosures import Disclosure
    from kgsan.sanitize.result import Decision, SanitizedDocument
    from kgsan.sanitize.sanitizer import Sanitizer
    from kgsan.sanitize.wording import Piece

NAME = "kgsan"
#: Every finding has it: the policy has decided, and a threshold of Presidio's must not take that back.
CERTAIN = 1.0
_POLICY = "kgsan_policy"
_TYPES = {Rule.DENY: "DENIED", Rule.SPECIFICITY: "TOO_SPECIFIC"}
_OTHER = re.compile(r"[^0-9A-Za-z]+")


class KgsanRecognizer(EntityRecognizer):  # type: ignore[misc]
    """Finds whatever a policy would change in a text, terms that tell too much together included."""

    def __init__(self, policy: Given, supported_language: str = "en", name: str = "KgsanRecognizer") -> None:
        self.sanitizer = ready(policy)
        super().__init__(list(_supported(self.sanitizer)), name=name, supported_language=supported_language)

    def load(self) -> None:
        """Nothing is left to load."""

    @wordless
    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: object = None) -> list[Any]:
        """The findings, each with its reason. A text that cannot be made safe raises `NotSafe`."""
        asked = set(entities or ()).intersection(self.supported_entities)
        # As an ad-hoc recognizer it is not told that everything is asked for; types that nobody foresaw are told with all others.
        everything = len(asked) in (0, len(self.supported_entities))
        result = sanitized(self.sanitizer, text)
        return [
            self._finding(piece, decisions)
            for piece, decisions in _pieces(result)
            if everything or entity_type(decisions[0].disclosures[0]) in asked
        ]

    def _finding(self, piece: Piece, decisions: Sequence[Decision]) -> Any:
        told = dict.fromkeys(_because(why) for one in decisions for why in one.disclosures)
        return RecognizerResult(
            entity_type(decisions[0].disclosures[0]),
            piece.start,
            piece.end,
            CERTAIN,
            AnalysisExplanation(self.name, CERTAIN, textual_explanation=" ".join(told)),
            {
                RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                _POLICY: self.sanitizer.policy.digest,
            },
        )


def _supported(sanitizer: Sanitizer) -> Iterator[str]:
    policy = sanitizer.policy
    names = [one.entity for one in policy.protect] + [one.kind for one in policy.identifiers]
    names += [one.entity or _TYPES[Rule.DENY] for one in policy.deny]
    names += [_TYPES[Rule.SPECIFICITY]] if policy.too_specific_above is not None else []
    yield from dict.fromkeys(map(_typed, names))


def entity_type(disclosure: Disclosure) -> str:
    """What Presidio calls a finding: the entity of the policy, or the kind of identifier."""
    return _typed(disclosure.entity or _TYPES.get(disclosure.rule, disclosure.rule.value))


def _because(disclosure: Disclosure) -> str:
    """Why it was found. Without figures: an exact one tells the word to whoever has the same knowledge."""
    if disclosure.share is None:
        return reason(disclosure)
    together = " together with others" if disclosure.members else ""
    return f"It gives '{disclosure.entity}' away{together}: what it reveals reaches the limit."


def _typed(name: str) -> str:
    """A name as Presidio writes types.

    >>> _typed("HIV infection"), _typed("date")
    ('HIV_INFECTION', 'DATE')
    """
    return _OTHER.sub("_", name).strip("_").upper() or NAME.upper()


@wordless
def spans_of(results: Iterable[Any], sanitizer: Sanitizer | None = None) -> list[ForeignSpan]:
    """Presidio's findings as spans for `Sanitizer.sanitize`; without those of this sanitizer's own policy, if it is given."""
    own = None if sanitizer is None else sanitizer.policy.digest
    return [
        ForeignSpan(one.start, one.end, one.entity_type, one.score, "Presidio")
        for one in results
        if own is None or (getattr(one, "recognition_metadata", None) or {}).get(_POLICY) != own
    ]


# --- writing --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replacements:
    """What is written in one text, by the words that stood there. Shows none of them when printed."""

    written: Mapping[str, str] = field(repr=False)
    otherwise: str = "[REDACTED]"

    def of(self, words: str) -> str:
        """What stands for some words; those that nothing is known of are blacked out."""
        return self.written.get(words, self.otherwise)


class KgsanOperator(Operator):  # type: ignore[misc]
    """Writes what kgsan writes; `operators` makes its settings."""

    @wordless
    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """What stands for the words of one finding."""
        replacements: Replacements = (params or {})["replacements"]
        return replacements.of(text)

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Refuse to work without being told what to write."""
        if not _are_told(params):
            raise InvalidParamError("The operator 'kgsan' needs replacements: make its settings with kgsan.presidio.operators.")

    def operator_name(self) -> str:
        """The name in an `OperatorConfig`."""
        return NAME

    def operator_type(self) -> Any:
        """It anonymizes; there is no way back."""
        return OperatorType.Anonymize


@wordless
def _are_told(params: dict[str, Any] | None) -> bool:
    """Whether settings say what to write. They hold the words that are replaced."""
    return isinstance((params or {}).get("replacements"), Replacements)


@wordless
def operators(sanitizer: Sanitizer, text: str, results: Sequence[Any]) -> dict[str, Any]:
    """The settings of `AnonymizerEngine.anonymize` for one text and the findings in it, whoever made them."""
    return {"DEFAULT": OperatorConfig(NAME, {"replacements": replacements(sanitizer, text, results)})}


@wordless
def replacements(sanitizer: Sanitizer, text: str, results: Sequence[Any]) -> Replacements:
    """What kgsan writes when these findings are hidden too. Refused when they leave out something that the policy hides."""
    result = sanitized(sanitizer, text, spans_of(results, sanitizer))
    pieces = list(_pieces(result))
    _check_all_are_found([piece for piece, _ in pieces], results)
    ways: dict[str, Counter[str]] = {}
    names: dict[str, set[object]] = {}
    for first, last, decisions in _stretches(pieces, text):
        words = text[first.start : last.end]
        ways.setdefault(words, Counter())[result.text[first.new_start : last.new_end]] += 1
        names.setdefault(words, set()).add(tuple((one.action, one.replacement) for one in decisions))
    style = sanitizer.policy.replacement_style.replace("{kind}", "REDACTED")
    # Two ways of writing one name differ in grammar only; two names for the same words depend on places that are not told.
    written = {words: max(ways[words], key=_fitting(ways[words])) for words, named in names.items() if len(named) == 1}
    return Replacements(written, style)


def _fitting(ways: Counter[str]) -> Callable[[str], tuple[int, bool, int]]:
    """The way that fits most places; of equals one without capital and article, which fits within any sentence."""
    return lambda way: (ways[way], way[:1].islower(), -len(way))


def _pieces(result: SanitizedDocument) -> Iterator[tuple[Piece, list[Decision]]]:
    """Every rewritten stretch with the decisions in it, which come in the same order."""
    decisions = iter(result.decisions)
    for piece in result.rewritten.pieces:
        yield piece, [next(decisions) for _ in piece.changes]


def _stretches(pieces: Sequence[tuple[Piece, list[Decision]]], text: str) -> Iterator[tuple[Piece, Piece, list[Decision]]]:
    """Each piece, and each row of pieces that Presidio makes one finding of: of one type, with blanks between."""
    row: list[tuple[Piece, list[Decision]]] = []
    for piece, decisions in pieces:
        yield piece, piece, decisions
        if row and not _is_one_finding(row[-1], (piece, decisions), text):
            yield from _joined(row)
            row = []
        row.append((piece, decisions))
    yield from _joined(row)


def _is_one_finding(before: tuple[Piece, list[Decision]], behind: tuple[Piece, list[Decision]], text: str) -> bool:
    between = text[before[0].end : behind[0].start]
    same = entity_type(before[1][0].disclosures[0]) == entity_type(behind[1][0].disclosures[0])
    return same and between != "" and not between.strip(" ")


def _joined(row: Sequence[tuple[Piece, list[Decision]]]) -> Iterator[tuple[Piece, Piece, list[Decision]]]:
    if len(row) > 1:
        yield row[0][0], row[-1][0], [one for _, decisions in row for one in decisions]


def _check_all_are_found(pieces: Sequence[Piece], results: Sequence[Any]) -> None:
    """Whatever is not among the findings Presidio would leave as it stands."""
    spans = iter(sorted((one.start, one.end) for one in results))
    upcoming = next(spans, None)
    reach, begin = -1, -1  # the stretch that findings cover without a gap
    for piece in pieces:
        while upcoming is not None and upcoming[0] <= piece.start:
            begin, reach = (upcoming[0], upcoming[1]) if upcoming[0] > reach else (begin, max(reach, upcoming[1]))
            upcoming = next(spans, None)
        while upcoming is not None and upcoming[0] <= reach < piece.end:
            reach = max(reach, upcoming[1])
            upcoming = next(spans, None)
        if not begin <= piece.start < piece.end <= reach:
            said = "Presidio's findings leave out something that the policy hides."
            hint = "Analyze with KgsanRecognizer and without entities, allow_list or thresholds; or use Sanitizer with spans_of."
            raise wrong("V205", "results", said, hint)
