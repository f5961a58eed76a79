"""The public certificate: what it says, what it keeps to itself, and whether it still holds."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kgsan.knowledge.build import KIND, VERSION
from kgsan.knowledge.corpus import CorpusKnowledge
from kgsan.ontology.arrays import ArrayFile
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.policy import Allowed
from kgsan.policy.read import load_policy
from kgsan.report import certificate as certificates
from kgsan.report.certificate import as_bytes, certificate, check_certificate
from kgsan.report.output import FileError
from kgsan.report.shape import read_certificate
from kgsan.sanitize.result import NotSafe
from kgsan.sanitize.sanitizer import Sanitizer
from tests.conftest import within
from tests.report.toy import NOTE, SECRETS, write_policy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.ontology.ontology import Ontology


@pytest.fixture(scope="module")
def released(sanitizer: Sanitizer) -> str:
    return sanitizer.sanitize(NOTE).text


@pytest.fixture(scope="module")
def issued(sanitizer: Sanitizer, released: str) -> dict[str, Any]:
    return certificate(sanitizer, released)


# --- what it says -----------------------------------------------------------------------------------------------------------


def test_it_holds_for_the_text_it_was_made_for(issued: dict[str, Any], sanitizer: Sanitizer, released: str) -> None:
    assert check_certificate(issued, sanitizer, released) == []


def test_it_depends_on_the_released_text_alone(sanitizer: Sanitizer, released: str, issued: dict[str, Any]) -> None:
    other = NOTE.replace("3/4/2021", "11/12/1999")
    assert other != NOTE
    assert sanitizer.sanitize(other).text == released
    assert as_bytes(certificate(sanitizer, sanitizer.sanitize(other).text)) == as_bytes(issued)


def test_nothing_of_the_original_is_in_it(issued: dict[str, Any]) -> None:
    told = as_bytes(issued).decode()
    assert not any(secret in told for secret in SECRETS)
    assert hashlib.sha256(NOTE.encode()).hexdigest() not in told
    assert not {"start", "end", "decisions", "utility_kept", "count"} & set(re.findall(r'"([a-z_]+)":', told))
    assert not re.search(r"\d\.\d{2}", told.replace('"strictness": "1.5"', ""))  # no exact share


def test_its_bytes_are_stable_and_sorted(issued: dict[str, Any]) -> None:
    shuffled = dict(reversed(issued.items()))
    assert as_bytes(shuffled) == as_bytes(issued)
    assert json.loads(as_bytes(issued)) == issued


def test_it_hashes_the_text_as_everybody_does(issued: dict[str, Any], released: str) -> None:
    assert issued["text"]["sha256"] == hashlib.sha256(released.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("He is tired.", "no evidence"),
        ("He takes ibuprofen.", "no evidence"),  # seen once with HIV, which is no evidence yet
        ("He feels fatigue.", "below half of the limit"),
        ("He has a disease.", "below half of the limit"),
        ("He has an infection.", "below the limit"),
    ],
)
def test_the_worst_share_is_told_in_coarse_steps(sanitizer: Sanitizer, text: str, step: str) -> None:
    assert certificate(sanitizer, text)["entities"][0]["single_terms"] == step


def test_a_text_that_discloses_gets_none(sanitizer: Sanitizer) -> None:
    with pytest.raises(NotSafe) as caught:
        certificate(sanitizer, NOTE)
    assert not any(secret in str(caught.value) for secret in SECRETS)


def test_waivers_are_listed(sanitizer: Sanitizer, released: str) -> None:
    policy = replace(
        sanitizer.policy,
        negated="keep",
        allow=(Allowed("zidovudine", "Public knowledge."),),
        protect=(replace(sanitizer.policy.protect[0], exceptions=("AIDS",)),),
    )
    told = certificate(Sanitizer(policy), released)["waivers"]
    assert told == {
        "allow": [{"term": "zidovudine", "because": "Public knowledge."}],
        "negated": "keep",
        "exceptions": [{"entity": "HIV", "terms": ["AIDS"]}],
    }


def test_what_was_not_checked_follows_the_policy(sanitizer: Sanitizer, released: str) -> None:
    def told(**changes: Any) -> str:
        made = certificate(Sanitizer(replace(sanitizer.policy, **changes)), released)
        return " ".join(made["not_checked"])

    assert "Groups of more than 3 terms" in told()
    assert "Groups of terms are not weighed together." in told(groups_up_to=1)
    assert "No texts were counted" in told(knowledge=("taxonomy",))
    assert "Which 'HIV' was meant" in told(protect=(replace(sanitizer.policy.protect[0], hide="which"),))
    assert "What gives 'HIV' away" in told(strictness=Fraction(100))


def test_an_entity_of_which_nothing_is_known_is_said_to_be_unchecked(sanitizer: Sanitizer, released: str) -> None:
    [entity] = certificate(Sanitizer(replace(sanitizer.policy, strictness=Fraction(100))), released)["entities"]
    assert entity["single_terms"] == entity["groups_of_terms"] == "not checked"


def test_an_empty_text_has_a_certificate(sanitizer: Sanitizer) -> None:
    assert check_certificate(certificate(sanitizer, ""), sanitizer, "") == []


# --- whether it holds -------------------------------------------------------------------------------------------------------


def test_another_text_is_told(issued: dict[str, Any], sanitizer: Sanitizer) -> None:
    told = check_certificate(issued, sanitizer, "He has a disease.")
    assert told[0] == "It was made for another text, or the text has been changed since."


def test_a_text_that_discloses_is_told_whatever_the_certificate_says(issued: dict[str, Any], sanitizer: Sanitizer) -> None:
    forged = copy.deepcopy(issued)
    forged["text"]["sha256"] = hashlib.sha256(NOTE.encode()).hexdigest()
    assert check_certificate(forged, sanitizer, NOTE) == [
        "The text discloses more than the policy allows, so no certificate holds for it."
    ]


def test_another_policy_and_a_changed_policy_are_told_apart(issued: dict[str, Any], sanitizer: Sanitizer, released: str) -> None:
    other = Sanitizer(replace(sanitizer.policy, name="other"))
    assert check_certificate(issued, other, released) == ["It was made under the policy 'toy'; this is 'other'."]
    stricter = Sanitizer(replace(sanitizer.policy, strictness=Fraction(5, 4)))
    assert check_certificate(issued, stricter, released) == [
        "The policy 'toy' is not the one under which it was made.",
        "It was made with strictness 1.5 for 'HIV'; here it is 1.25.",
    ]


def test_a_changed_ontology_and_changed_counts_make_it_stale(tmp_path: Path) -> None:
    path = write_policy(tmp_path)
    before = Sanitizer(load_policy(path))
    text = before.sanitize(NOTE).text
    issued = certificate(before, text)
    taxonomy, counts = tmp_path / "toy-ontology.txt", tmp_path / "toy-counts.tsv"
    taxonomy.write_text(taxonomy.read_text() + "plant\n")
    counts.write_text(counts.read_text() + "plant\t9\n")
    assert check_certificate(issued, Sanitizer(load_policy(path)), text) == [
        "The ontology 'toy-ontology.txt' has changed since: the certificate is stale.",
        "The knowledge 'toy-counts.tsv' has changed since: the certificate is stale.",
    ]


def test_other_sources_are_told_by_name(issued: dict[str, Any], sanitizer: Sanitizer, released: str) -> None:
    forged = copy.deepcopy(issued)
    forged["ontologies"] = [{"name": "a.owl", "fingerprint": ""}, {"name": "b.owl", "fingerprint": ""}]
    assert check_certificate(forged, sanitizer, released) == [
        "It was made with the ontologies a.owl, b.owl; here they are toy-ontology.txt."
    ]


def test_another_version_is_told(
    issued: dict[str, Any], sanitizer: Sanitizer, released: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "own_version", lambda: "99.0")
    [told] = check_certificate(issued, sanitizer, released)
    assert told.endswith("this is kgsan 99.0.")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("not_checked", []),
        ("entities", []),
        ("waivers", {"allow": [], "negated": "keep", "exceptions": []}),
    ],
)
def test_a_claim_that_does_not_follow_is_told(
    issued: dict[str, Any], sanitizer: Sanitizer, released: str, part: str, value: object
) -> None:
    [told] = check_certificate({**issued, part: value}, sanitizer, released)
    assert "does not follow" in told


# --- what comes from outside ------------------------------------------------------------------------------------------------


def _with(path: tuple[str | int, ...], value: object) -> Any:
    def change(issued: dict[str, Any]) -> dict[str, Any]:
        made = copy.deepcopy(issued)
        target: Any = made
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value
        return made

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda issued: [issued], "This is not a certificate: it is not made of fields."),
        (lambda issued: None, "This is not a certificate: it is not made of fields."),
        (_with(("more",), 1), "This is not a certificate: it has a field that no certificate has."),
        (_with(("text", "input"), "x"), "This is not a certificate: text has a field that no certificate has."),
        (_with(("entities", 0, "hide"), 3), "This is not a certificate: entities[1].hide is not a text."),
        (_with(("limits", "groups_up_to"), True), "This is not a certificate: limits.groups_up_to is not a whole number."),
        (_with(("limits", "groups_up_to"), 3.0), "This is not a certificate: limits.groups_up_to is not a whole number."),
        (_with(("not_checked",), "nothing"), "This is not a certificate: not_checked is not a list."),
        (_with(("knowledge", 0), "english"), "This is not a certificate: knowledge[1] is not made of fields."),
        (_with(("format",), "x\x1b[2J"), "The certificate is of the format 'x?[2J'; this kgsan reads 'kgsan-certificate-1'."),
    ],
)
def test_what_is_no_certificate_is_one_sentence(
    issued: dict[str, Any], sanitizer: Sanitizer, tmp_path: Path, change: Any, told: str
) -> None:
    assert check_certificate(change(issued), sanitizer, "") == [told]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(change(issued)))
    with pytest.raises(FileError) as caught:
        read_certificate(path)
    assert str(caught.value) == f"c.json: {told}"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe{", "not JSON"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 1_000_000, "nested too deeply"),
        (b'{"format": "x", "format": "y"}', "not JSON"),
        (b'{"format": NaN}', "not JSON"),
        (b"1" * 100_000, "not JSON"),
        (b" " * (17 << 20), "larger than the 16 MB"),
        (b'"\xed\xa0\x80"', "not JSON"),
    ],
)
def test_a_hostile_file_is_one_sentence_at_once(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "hostile.json"
    path.write_bytes(content)

    def read() -> None:
        with pytest.raises(FileError) as caught:
            read_certificate(path)
        assert told in str(caught.value)
        assert "\n" not in str(caught.value)

    assert within(1, read)


def test_a_certificate_reads_back(issued: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(as_bytes(issued))
    assert read_certificate(path) == issued


def test_knowledge_is_known_by_its_counts_and_not_by_its_name(golden: Ontology) -> None:
    def knowledge(name: str, count: int) -> CorpusKnowledge:
        arrays = {
            "keys": np.array([7], dtype=np.uint64),
            "counts": np.array([count], dtype=np.int64),
            "postings": np.array([1, 2], dtype=np.uint8),
        }
        about = {"name": name, "contexts": 9, "names": 1}
        return CorpusKnowledge(ArrayFile(KIND, VERSION, about, arrays), OntologyStack([golden]))

    assert knowledge("a", 2).digest == knowledge("b", 2).digest
    assert knowledge("a", 2).digest != knowledge("a", 1).digest
