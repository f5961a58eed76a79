"""A policy among Presidio's recognizers, and kgsan's words written by Presidio's anonymizer."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kgsan.plug import PlugError, ready
from kgsan.sanitize.result import NotSafe
from tests.report.toy import write_policy

spacy = pytest.importorskip("spacy", reason="Presidio reads with spaCy")
pytest.importorskip("presidio_analyzer", reason="Presidio is the user's own")
pytest.importorskip("presidio_anonymizer", reason="Presidio is the user's own")
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry, RecognizerResult  # noqa: E402
from presidio_analyzer.nlp_engine import SpacyNlpEngine  # noqa: E402
from presidio_anonymizer import AnonymizerEngine  # noqa: E402
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig  # noqa: E402

from kgsan.presidio import KgsanOperator, KgsanRecognizer, Replacements, operators, replacements, spans_of  # noqa: E402

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

TEXTS = yaml.safe_load((Path(__file__).parent / "texts.yaml").read_text())
NOTE = TEXTS[0]
#: What only Presidio is told to find.
NAMES = PatternRecognizer("PERSON", deny_list=["Lindqvist", "Okafor"], supported_language="en")


class BlankEngine(SpacyNlpEngine):  # type: ignore[misc]
    """English without a model."""

    def __init__(self) -> None:
        super().__init__()
        self.nlp = {"en": spacy.blank("en")}


def analyzer(*recognizers: Any) -> Any:
    registry = RecognizerRegistry(supported_languages=["en"])
    for one in recognizers:
        registry.add_recognizer(one)
    return AnalyzerEngine(registry=registry, nlp_engine=BlankEngine(), supported_languages=["en"])


@pytest.fixture(scope="session")
def engine(sanitizer: Sanitizer) -> Any:
    return analyzer(KgsanRecognizer(sanitizer))


@pytest.fixture(scope="session")
def with_names(sanitizer: Sanitizer) -> Any:
    return analyzer(NAMES, KgsanRecognizer(sanitizer))


@pytest.fixture(scope="session")
def together(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    """The toy policy in a world in which fatigue and ibuprofen stand together only where HIV stands too."""
    path = write_policy(tmp_path_factory.mktemp("together"), policy="together")
    counts = path.parent / "toy-counts.tsv"
    alone = counts.read_text().replace("HIV\tibuprofen\t1\n", "HIV\tibuprofen\t4\n")
    counts.write_text(f"{alone}fatigue\tibuprofen\t4\nHIV\tfatigue\tibuprofen\t4\n")
    return ready(path)


def anonymized(sanitizer: Sanitizer, text: str, results: Any) -> str:
    engine = AnonymizerEngine()
    engine.add_anonymizer(KgsanOperator)
    return str(engine.anonymize(text, results, operators(sanitizer, text, results)).text)


# --- finding ----------------------------------------------------------------------------------------------------------------


def test_findings_are_called_by_the_entities_of_the_policy(engine: Any) -> None:
    found = sorted(engine.analyze(NOTE, "en"), key=lambda one: one.start)
    assert [(one.entity_type, NOTE[one.start : one.end]) for one in found] == [
        ("HIV", "zidovudine"),
        ("HIV", "AIDS"),
        ("DATE", "3/4/2021"),
    ]
    assert {one.score for one in found} == {1.0}
    assert sorted(engine.get_supported_entities("en")) == ["DATE", "HIV"]


def test_a_finding_says_why_and_no_word_of_the_text(engine: Any) -> None:
    found = engine.analyze(NOTE, "en", return_decision_process=True)
    told = [one.analysis_explanation.textual_explanation for one in found]
    assert any("names what is protected as 'HIV'" in one for one in told)
    assert any("gives 'HIV' away" in one for one in told)
    assert not any(word in f"{told}{found}".casefold() for word in ("zidovudine", "aids", "3/4/2021", "bits", "%"))


def test_no_threshold_takes_back_what_the_policy_decided(engine: Any) -> None:
    assert len(engine.analyze(NOTE, "en", score_threshold=1.0)) == 3


def test_only_the_entities_that_are_asked_for_are_told(engine: Any) -> None:
    assert [one.entity_type for one in engine.analyze(NOTE, "en", entities=["DATE"])] == ["DATE"]


def test_it_works_for_one_request_too(sanitizer: Sanitizer) -> None:
    found = analyzer(NAMES).analyze(NOTE, "en", ad_hoc_recognizers=[KgsanRecognizer(sanitizer)])
    assert len(found) == 3


def test_terms_that_tell_too_much_together_are_found(together: Sanitizer) -> None:
    text = "She reports fatigue. She takes ibuprofen."
    found = analyzer(KgsanRecognizer(together)).analyze(text, "en", return_decision_process=True)
    assert [one.entity_type for one in found] == ["HIV"]
    assert "together with others" in found[0].analysis_explanation.textual_explanation
    assert anonymized(together, text, found) == together.sanitize(text).text != text


def test_a_text_that_cannot_be_made_safe_is_told_and_not_passed(stopping: Path) -> None:
    with pytest.raises(NotSafe):
        analyzer(KgsanRecognizer(stopping)).analyze("He has AIDS.", "en")


def test_nothing_is_logged_of_a_text(engine: Any, sanitizer: Sanitizer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        anonymized(sanitizer, NOTE, engine.analyze(NOTE, "en"))
    assert not any(word in caplog.text.casefold() for word in ("zidovudine", "aids", "3/4/2021"))


# --- writing ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [text for text in TEXTS if text.strip()])
def test_presidio_writes_what_kgsan_writes(engine: Any, sanitizer: Sanitizer, text: str) -> None:
    assert anonymized(sanitizer, text, engine.analyze(text, "en")) == sanitizer.sanitize(text).text


def test_an_identifier_is_written_as_the_policy_says(tmp_path: Path) -> None:
    own = ready(write_policy(tmp_path, identifiers="[{kind: date, keep: year}]"))
    text = "Seen on 3/4/2021 with AIDS."
    written = anonymized(own, text, analyzer(KgsanRecognizer(own)).analyze(text, "en"))
    assert written == own.sanitize(text).text
    assert "2021" in written


def test_what_others_find_is_hidden_as_kgsan_hides_it(with_names: Any, sanitizer: Sanitizer) -> None:
    text = "Mr. Lindqvist takes zidovudine."
    results = with_names.analyze(text, "en")
    assert {one.entity_type for one in results} == {"HIV", "PERSON"}
    written = anonymized(sanitizer, text, results)
    assert written == sanitizer.sanitize(text, spans=spans_of(results, sanitizer)).text
    assert "Lindqvist" not in written
    assert "zidovudine" not in written


def test_neighbours_that_presidio_takes_for_one_are_written_each(engine: Any, sanitizer: Sanitizer) -> None:
    text = "Seen 3/4/2021  5/6/2021 7/8/2021 again."
    written = anonymized(sanitizer, text, engine.analyze(text, "en"))
    assert written == sanitizer.sanitize(text).text


def test_one_way_is_written_where_the_same_words_would_be_written_in_two(engine: Any, sanitizer: Sanitizer) -> None:
    text = "AIDS was found. She has AIDS. He has AIDS."
    written = anonymized(sanitizer, text, engine.analyze(text, "en"))
    assert written != sanitizer.sanitize(text).text
    assert written.casefold() == sanitizer.sanitize(text).text.casefold()
    assert sanitizer.verify(written) == []


def test_words_that_were_not_told_of_are_blacked_out() -> None:
    told = Replacements({"AIDS": "an infection"}, "[HIDDEN]")
    assert KgsanOperator().operate("AIDS", {"replacements": told}) == "an infection"
    assert KgsanOperator().operate("HIV", {"replacements": told}) == "[HIDDEN]"
    assert "AIDS" not in repr(told)
    assert "infection" not in repr(told)


def test_two_names_for_the_same_words_are_none(sanitizer: Sanitizer, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    text = "She has AIDS. He has AIDS."
    result = sanitizer.sanitize(text)
    first, second = result.decisions
    monkeypatch.setattr(
        "kgsan.presidio.sanitized", lambda *given: replace(result, decisions=(first, replace(second, replacement="x")))
    )
    results = [RecognizerResult("HIV", one.start, one.end, 1.0) for one in result.rewritten.pieces]
    assert replacements(sanitizer, text, results).of("AIDS") == "[REDACTED]"


def test_the_operator_does_not_work_without_its_settings(engine: Any) -> None:
    anonymizer = AnonymizerEngine()
    anonymizer.add_anonymizer(KgsanOperator)
    for settings in ({}, {"replacements": {}}):
        with pytest.raises(InvalidParamError, match=r"kgsan\.presidio\.operators"):
            anonymizer.anonymize(NOTE, engine.analyze(NOTE, "en"), {"DEFAULT": OperatorConfig("kgsan", settings)})


@pytest.mark.parametrize("kept", [[], [0], [0, 1], [1, 2]])
def test_findings_that_leave_out_what_the_policy_hides_are_refused(engine: Any, sanitizer: Sanitizer, kept: list[int]) -> None:
    found = sorted(engine.analyze(NOTE, "en"), key=lambda one: one.start)
    with pytest.raises(PlugError, match="V205") as caught:
        operators(sanitizer, NOTE, [found[number] for number in kept])
    assert "zidovudine" not in str(caught.value)


@pytest.mark.parametrize(
    ("spans", "is_covered"),
    [
        ([(9, 19)], True),
        ([(9, 14), (14, 19)], True),
        ([(14, 25), (0, 15)], True),
        ([(9, 18)], False),
        ([(9, 13), (14, 19)], False),
    ],
)
def test_findings_may_cover_a_change_together(sanitizer: Sanitizer, spans: list[tuple[int, int]], is_covered: bool) -> None:
    text = "He takes zidovudine often enough."
    own = {"kgsan_policy": sanitizer.policy.digest}
    results = [RecognizerResult("HIV", start, end, 1.0, recognition_metadata=own) for start, end in spans]
    if is_covered:
        operators(sanitizer, text, results)
    else:
        with pytest.raises(PlugError, match="V205"):
            operators(sanitizer, text, results)


# --- the wise way -----------------------------------------------------------------------------------------------------------


def test_the_sanitizer_hides_what_presidio_found(with_names: Any, sanitizer: Sanitizer) -> None:
    text = "Dr. Okafor saw Mr. Lindqvist, who has AIDS."
    sanitized = sanitizer.sanitize(text, spans=spans_of(with_names.analyze(text, "en"), sanitizer))
    assert "Okafor" not in sanitized.text
    assert "Lindqvist" not in sanitized.text
    assert sanitizer.verify(sanitized.text) == []


def test_findings_become_spans_and_only_those_of_the_same_policy_are_left_out(
    with_names: Any, sanitizer: Sanitizer, together: Sanitizer
) -> None:
    text = "Mr. Lindqvist has AIDS."
    results = with_names.analyze(text, "en")
    assert [one.label for one in spans_of(results, sanitizer)] == ["PERSON"]
    assert sorted(one.label for one in spans_of(results)) == ["HIV", "PERSON"]
    assert sorted(one.label for one in spans_of(results, together)) == ["HIV", "PERSON"]
    assert {one.source for one in spans_of(results)} == {"Presidio"}
    assert [one.label for one in spans_of([RecognizerResult("X", 0, 2, 0.3)], sanitizer)] == ["X"]
