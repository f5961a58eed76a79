"""A spaCy pipeline whose documents carry the text that may be handed on."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kgsan.errors import PolicyError
from kgsan.plug import policy_named
from kgsan.sanitize.result import NotSafe, SanitizedDocument

spacy = pytest.importorskip("spacy", reason="spaCy is the user's own")
from spacy.tokens import Doc, DocBin  # noqa: E402

import kgsan.spacy  # noqa: E402

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer

TEXTS = yaml.safe_load((Path(__file__).parent / "texts.yaml").read_text())
NOTE = TEXTS[0]


@pytest.fixture
def nlp(toy: Path) -> Any:
    made = spacy.blank("en")
    made.add_pipe("kgsan", config={"policy": str(toy)})
    return made


@pytest.mark.parametrize("text", TEXTS)
def test_a_document_carries_what_kgsan_makes_of_it(nlp: Any, sanitizer: Sanitizer, text: str) -> None:
    doc, expected = nlp(text), sanitizer.sanitize(text)
    assert doc.text == text
    assert doc._.sanitized == expected.text
    assert doc._.kgsan == expected
    assert len(doc.spans["kgsan"]) == len(expected.decisions)


def test_what_was_changed_is_marked_by_entity(nlp: Any) -> None:
    doc = nlp(NOTE)
    assert [(span.text, span.label_) for span in doc.spans["kgsan"]] == [
        ("zidovudine", "HIV"),
        ("AIDS", "HIV"),
        ("3/4/2021", "date"),
    ]


def test_a_change_within_a_token_marks_the_whole_token(nlp: Any) -> None:
    doc = Doc(nlp.vocab, words=["Seen", "3/4/2021xx-AIDS-related", "."])
    doc = nlp.get_pipe("kgsan")(doc)
    assert {span.text for span in doc.spans["kgsan"]} == {"3/4/2021xx-AIDS-related"}


def test_many_documents_are_the_same_as_one_by_one(nlp: Any) -> None:
    texts = TEXTS * 5
    assert [doc._.sanitized for doc in nlp.pipe(texts, batch_size=7)] == [nlp(text)._.sanitized for text in texts]


def test_several_processes_give_the_same(nlp: Any) -> None:
    assert [doc._.sanitized for doc in nlp.pipe(TEXTS, n_process=2)] == [nlp(text)._.sanitized for text in TEXTS]


def test_a_document_can_be_stored_with_what_became_of_it(nlp: Any) -> None:
    doc = nlp(NOTE)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    bins = DocBin(store_user_data=True, docs=[doc])
    [third] = DocBin(store_user_data=True).from_bytes(bins.to_bytes()).get_docs(nlp.vocab)
    for read in (again, third):
        assert isinstance(read._.kgsan, SanitizedDocument)
        assert read._.sanitized == doc._.sanitized
        assert [(d.start, d.end, d.action, d.replacement) for d in read._.kgsan.decisions] == [
            (d.start, d.end, d.action, d.replacement) for d in doc._.kgsan.decisions
        ]
        assert [d.disclosures[0].rule for d in read._.kgsan.decisions] == [d.disclosures[0].rule for d in doc._.kgsan.decisions]
        assert read._.kgsan.rewritten == doc._.kgsan.rewritten
        assert [span.label_ for span in read.spans["kgsan"]] == [span.label_ for span in doc.spans["kgsan"]]


def test_a_pipeline_can_be_saved_and_loaded(nlp: Any, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.config["components"]["kgsan"] == nlp.config["components"]["kgsan"]
    assert loaded(NOTE)._.sanitized == nlp(NOTE)._.sanitized


def test_blacking_out_can_be_asked_for_and_the_marks_named(toy: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("kgsan", config={"policy": str(toy), "redact": True, "spans_key": "hidden"})
    doc = nlp("He takes zidovudine.")
    assert doc._.sanitized == "He takes [REDACTED]."
    assert len(doc.spans["hidden"]) == 1
    assert "kgsan" not in doc.spans


def test_a_document_that_was_not_sanitized_has_no_text_to_hand_on() -> None:
    doc = spacy.blank("en")(NOTE)
    assert doc._.kgsan is None
    assert doc._.sanitized is None


def test_a_policy_that_is_nowhere_is_told_when_the_pipeline_is_made() -> None:
    with pytest.raises(PolicyError):
        spacy.blank("en").add_pipe("kgsan", config={"policy": "no-such-policy"})


def test_a_document_that_cannot_be_made_safe_stops_the_pipeline_or_is_left_out(
    stopping: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("kgsan", config={"policy": str(stopping)})
    with pytest.raises(NotSafe):
        nlp("He has AIDS.")
    texts = ["Fatigue.", "He has AIDS.", "Ibuprofen."]
    with pytest.raises(NotSafe):
        list(nlp.pipe(texts))
    left_out: list[str] = []
    nlp.set_error_handler(lambda name, component, docs, error: left_out.extend(doc.text for doc in docs))
    with caplog.at_level(logging.DEBUG):
        assert [doc.text for doc in nlp.pipe(texts)] == ["Fatigue.", "Ibuprofen."]
    assert left_out == ["He has AIDS."]
    assert "AIDS" not in caplog.text


def test_what_is_stored_by_others_is_left_alone() -> None:
    assert kgsan.spacy.encoded("text") == "text"
    assert kgsan.spacy.encoded("text", len) == 4
    assert kgsan.spacy.decoded({"a": 1}) == {"a": 1}
    assert kgsan.spacy.decoded({"a": 1}, len) == 1


def test_spacy_finds_the_component_by_itself(toy: Path) -> None:
    program = "import sys, spacy; spacy.blank('en').add_pipe('kgsan', config={'policy': sys.argv[1]}); print('found')"
    done = subprocess.run([sys.executable, "-c", program, str(toy)], capture_output=True, text=True)
    assert done.stdout == "found\n", done.stderr


def test_without_a_policy_a_shipped_one_is_meant() -> None:
    default = spacy.blank("en").get_factory_meta("kgsan").default_config["policy"]
    assert policy_named(default).name == default == "hipaa-safe-harbor"
