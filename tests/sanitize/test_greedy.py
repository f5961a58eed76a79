"""A sanitizer that learns, as a data engineer meets it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn.base import clone

import kgsan
from kgsan.evaluate.generated import generated
from kgsan.sanitize.greedy.features import tokens_of
from kgsan.sanitize.greedy.learners import LEARNERS
from kgsan.sanitize.greedy.problems import LearningError
from kgsan.sanitize.greedy.sanitizer import GreedySanitizer
from tests.conftest import mutated
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

NOTES = generated("notes", 16, seed=1)
TEXTS, SPANS = [one.text for one in NOTES], [one.spans for one in NOTES]
FRESH = "Ellen Marsh was admitted from Dublin. Discussed with Dr. Okafor. Vitals stable."


@pytest.fixture(scope="module")
def learned() -> GreedySanitizer:
    return GreedySanitizer(learner="ensemble").fit(TEXTS, SPANS)


def code(work: Any) -> str:
    with pytest.raises(LearningError) as caught:
        work()
    assert len(caught.value.problems) == 1
    return caught.value.problems[0].code


# --- what it does --------------------------------------------------------------------------------------------------------------


def test_names_it_never_saw_are_hidden_and_the_rest_stays(learned: GreedySanitizer) -> None:
    made = learned.sanitize(FRESH)
    assert "Okafor" not in made
    assert "Marsh" not in made
    assert "[NAME]" in made
    assert "Vitals stable." in made


def test_predictions_are_tokens_of_the_original_text(learned: GreedySanitizer) -> None:
    words = [FRESH[start:end] for start, end in learned.predict(FRESH)]
    assert "Okafor" in words
    assert all(" " not in word for word in words)


def test_neighbours_share_one_placeholder(learned: GreedySanitizer) -> None:
    assert "[NAME] [NAME]" not in learned.sanitize(FRESH)
    assert learned.sanitize(FRESH).count("[NAME]") <= len(learned.predict(FRESH))


def test_a_text_without_words_stays_as_it_is(learned: GreedySanitizer) -> None:
    assert [learned.sanitize(text) for text in ("", " \n\t")] == ["", " \n\t"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_learns(learner: str) -> None:
    made = GreedySanitizer(learner=learner).fit(TEXTS[:6], SPANS[:6])
    assert made.classifiers_
    assert made.rounds_[0].true_positives > made.rounds_[0].false_positives


def test_a_dearer_leak_never_means_fewer_rounds() -> None:
    counts = [len(GreedySanitizer(cost, learner="svm").fit(TEXTS, SPANS).classifiers_) for cost in (0.1, 10, 1000)]
    assert counts == sorted(counts)


# --- conventions ---------------------------------------------------------------------------------------------------------------


def test_it_follows_the_conventions_of_scikit_learn(learned: GreedySanitizer) -> None:
    made = clone(learned)
    assert made.get_params() == learned.get_params()
    assert not hasattr(made, "classifiers_")
    assert made.set_params(seed=7) is made
    assert made.get_params()["seed"] == 7
    assert made.set_params(learner="svm", seed=0).fit(TEXTS[:9], SPANS[:9]) is made


def test_nothing_that_is_printed_shows_a_word(learned: GreedySanitizer) -> None:
    shown = f"{learned!r} {learned.rounds_!r} {learned.classifiers_!r} {tokens_of(TEXTS)!r}"
    assert not any(TEXTS[0][start:end] in shown for start, end in SPANS[0] if end - start > 2)


def test_the_same_is_learned_whatever_the_hash_seed() -> None:
    script = (
        "import hashlib, sys, tempfile, pathlib; from kgsan.evaluate.generated import generated; "
        "from kgsan.sanitize.greedy.sanitizer import GreedySanitizer; d = generated('mails', 4); "
        "p = pathlib.Path(tempfile.mkdtemp()) / 'm'; "
        "GreedySanitizer().fit([x.text for x in d], [x.spans for x in d]).save(p); "
        "print(hashlib.sha256(p.read_bytes()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# --- saved and read again --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(learned: GreedySanitizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "names.model"
    learned.save(path)
    return path


def test_a_saved_model_says_the_same(learned: GreedySanitizer, model: Path) -> None:
    again = GreedySanitizer.load(model)
    assert again.get_params() == learned.get_params()
    assert [again.predict(text) for text in (*TEXTS, FRESH)] == [learned.predict(text) for text in (*TEXTS, FRESH)]


def test_nothing_in_a_model_is_a_pickle(model: Path) -> None:
    with zipfile.ZipFile(model) as archive:
        assert all(name.endswith((".json", ".npy", ".field")) for name in archive.namelist())
        assert not any(archive.read(name).startswith(b"\x80") for name in archive.namelist())


def test_a_damaged_model_is_refused_and_never_half_used(model: Path, tmp_path: Path) -> None:
    content, dice = model.read_bytes(), random.Random(0)
    path = tmp_path / "broken.model"
    for _ in range(60):
        broken = mutated(content, dice, [b"PK\x03\x04", b"\0" * 8])
        if broken == content:
            continue
        path.write_bytes(broken)
        try:
            again = GreedySanitizer.load(path)
        except LearningError as error:
            assert error.problems[0].code == "E207"
        else:  # only what zip itself does not look at was changed
            assert again.predict(FRESH) == GreedySanitizer.load(model).predict(FRESH)


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(version=99),
        lambda head: head.update(kind="something"),
        lambda head: head["settings"].update(depth=3),
        lambda head: head["settings"].update(cost_of_leak=-1),
        lambda head: head["members"].update({"0.field": [10**12, "0"]}),
        lambda head: head["members"].update({"0.field": [-2, "0"]}),
        lambda head: head["classifiers"].append({}),
        lambda head: head["classifiers"][0].update(field="../../secret"),
        lambda head: head.pop("members"),
    ],
)
def test_a_model_whose_parts_do_not_fit_is_refused(change: Any, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.model"
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "model.json":
                head = json.loads(content)
                change(head)
                content = json.dumps(head).encode()
            new.writestr(name, content)
    assert code(lambda: GreedySanitizer.load(path)) == "E207"


def test_a_model_that_is_not_there_or_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no model")
    assert code(lambda: GreedySanitizer.load(tmp_path / "missing")) == "E207"
    assert code(lambda: GreedySanitizer.load(tmp_path / "text")) == "E207"
    assert code(lambda: GreedySanitizer.load(tmp_path)) == "E207"


def test_a_model_cannot_be_saved_before_it_is_learned_or_where_no_folder_is(learned: GreedySanitizer, tmp_path: Path) -> None:
    assert code(lambda: GreedySanitizer().save(tmp_path / "m")) == "E206"
    assert code(lambda: learned.save(tmp_path / "no" / "m")) == "E207"
    assert list(tmp_path.iterdir()) == []


# --- bad input -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", [0, -1, float("nan"), float("inf"), "ten", None, True])
def test_a_cost_that_is_no_cost_is_refused(cost: Any) -> None:
    assert code(lambda: GreedySanitizer(cost_of_leak=cost).fit(TEXTS, SPANS)) == "E205"
    assert code(lambda: GreedySanitizer(cost_of_overhiding=cost).fit(TEXTS, SPANS)) == "E205"


@pytest.mark.parametrize(
    "setting", [{"learner": "oracle"}, {"count_on": "luck"}, {"seed": -1}, {"seed": 1.5}, {"placeholder": ""}]
)
def test_an_unknown_setting_is_refused(setting: dict[str, Any]) -> None:
    assert code(lambda: GreedySanitizer(**setting).fit(TEXTS, SPANS)) == "E206"


def test_a_setting_that_does_not_exist_cannot_be_set() -> None:
    assert code(lambda: GreedySanitizer().set_params(depth=3)) == "E206"


@pytest.mark.parametrize("span", [[-1, 3], [3, 3], [5, 2], [0, 10_000], [0], ["a", "b"], [True, 4], [0.0, 4.0], 7])
def test_a_span_that_does_not_fit_its_text_is_told_by_document(span: Any) -> None:
    with pytest.raises(LearningError) as caught:
        GreedySanitizer().fit([TEXTS[0], FRESH], [SPANS[0], [span]])
    (problem,) = caught.value.problems
    assert (problem.code, problem.place.line) == ("E202", 2)
    assert "Marsh" not in str(problem)


def test_spans_for_another_number_of_documents_are_refused() -> None:
    assert code(lambda: GreedySanitizer().fit(TEXTS, SPANS[:-1])) == "E202"


@pytest.mark.parametrize("texts", [[], [""], ["One sentence."]])
def test_too_little_to_learn_from_is_told(texts: list[str]) -> None:
    assert code(lambda: GreedySanitizer().fit(texts, [[] for _ in texts])) == "E203"


def test_one_class_only_is_told() -> None:
    assert code(lambda: GreedySanitizer().fit(TEXTS, [[] for _ in TEXTS])) == "E204"
    assert code(lambda: GreedySanitizer().fit(TEXTS, [[[0, len(text)]] for text in TEXTS])) == "E204"


def test_nothing_is_predicted_before_something_is_learned() -> None:
    assert code(lambda: GreedySanitizer().predict(FRESH)) == "E206"


def test_missing_packages_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LearningError) as caught:
        GreedySanitizer().fit(TEXTS, SPANS)
    assert "pip install 'kgsan[evaluate]'" in str(caught.value)


# --- hostile texts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "A. " * 10_000, "([{" * 5_000, "Ann " * 10_000, "\u200b" * 50_000, "x\u0301" * 10_000, "\ud800 Ann"]
)
def test_a_hostile_text_is_read(text: str, learned: GreedySanitizer) -> None:
    assert isinstance(learned.sanitize(text), str)


def test_a_sentence_without_an_end_is_cut_into_sequences() -> None:
    tokens = tokens_of(["word " * 5000, "", "two words"])
    assert np.diff(tokens.sequences).max() <= 256
    assert tokens.sequences[-1] == len(tokens) == tokens.documents[-1]
    assert sum(len(block) for block in tokens.blocks(300)) == len(tokens)


# --- as the method of a policy ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> kgsan.Policy:
    return replace(kgsan.load_policy(write_policy(tmp_path_factory.mktemp("policy"))), method="greedy")


TEXT = "Ellen Marsh has AIDS. Discussed with Dr. Okafor. She takes zidovudine since 3/4/2021."


def test_what_was_learned_is_hidden_and_the_policy_still_holds(policy: kgsan.Policy, learned: GreedySanitizer) -> None:
    sanitizer = kgsan.Sanitizer(policy, learned=learned)
    made = sanitizer.sanitize(TEXT)
    assert not any(word in made.text for word in ("Okafor", "AIDS", "zidovudine", "3/4/2021"))
    assert sanitizer.verify(made.text) == []
    plain = kgsan.Sanitizer(replace(policy, method="engine")).sanitize(TEXT)
    assert "Okafor" in plain.text
    marked = {(start, end) for start, end in learned.predict(TEXT)}
    changed = [(one.start, one.end) for one in made.decisions]
    assert all(any(first <= start and end <= last for first, last in changed) for start, end in marked)


def test_many_texts_are_each_looked_at_by_themselves(policy: kgsan.Policy, learned: GreedySanitizer) -> None:
    sanitizer = kgsan.Sanitizer(policy, learned=learned)
    texts = [TEXT, FRESH, "Vitals stable."]
    assert [one.text for one in sanitizer.sanitize_many(texts)] == [sanitizer.sanitize(text).text for text in texts]


def test_without_a_model_the_method_gives_nothing_but_verifies(policy: kgsan.Policy) -> None:
    sanitizer = kgsan.Sanitizer(policy)
    with pytest.raises(kgsan.NotSafe) as caught:
        sanitizer.sanitize(TEXT)
    assert caught.value.problems[0].code == "S102"
    assert sanitizer.verify(TEXT)
