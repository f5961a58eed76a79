"""The experiment: publishers, attackers and baselines on documents that nobody learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgsan.evaluate.attacker import attacked, best_attacker
from kgsan.evaluate.generated import generated
from kgsan.evaluate.greedy import experiment, steps
from kgsan.evaluate.marked_files import read_marked
from kgsan.sanitize.greedy.learners import folds_of
from kgsan.sanitize.greedy.marked import instances_of
from kgsan.sanitize.greedy.prediction import Nothing
from kgsan.sanitize.greedy.problems import LearningError

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.evaluate.greedy import Experiment
    from kgsan.sanitize.greedy.features import Instances

WATCHED: list[int] = []


@pytest.fixture(scope="module")
def mails() -> Instances:
    found = generated("mails", 12)
    return instances_of([one.text for one in found], [one.spans for one in found])


@pytest.fixture(scope="module")
def measured(mails: Instances) -> Experiment:
    WATCHED.clear()
    return experiment(mails, "mails", ratios=(0.5, 10, 100), learners=("svm",), folds=2, watch=lambda: WATCHED.append(1))


def test_every_document_is_attacked_once(measured: Experiment, mails: Instances) -> None:
    for one in measured.outcomes:
        assert sum(trial.instances for trial in one.trials) == len(mails.tokens) == measured.tokens
        assert one.sensitive == mails.sensitive.sum() == measured.sensitive
        assert all(trial.attack.published == trial.informed.published for trial in one.trials)


def test_shares_are_shares_and_nobody_finds_more_than_is_left(measured: Experiment) -> None:
    for one in (*measured.outcomes, *measured.one_shot):
        assert 0 <= one.found <= one.leaked <= 1
        assert 0 <= one.found_informed <= one.leaked
        assert 0 < one.published < 1


def test_a_dearer_leak_publishes_no_more_and_leaves_no_more(measured: Experiment) -> None:
    row = [measured.outcome("svm", ratio) for ratio in (0.5, 10, 100)]
    assert [one.published for one in row] == sorted((one.published for one in row), reverse=True)
    assert [one.leaked for one in row] == sorted((one.leaked for one in row), reverse=True)
    assert [one.classifiers for one in row] == sorted(one.classifiers for one in row)


def test_the_attacker_finds_little_and_nearly_all_is_published(measured: Experiment) -> None:
    reached = measured.outcome("svm", 10)
    assert reached.found <= 0.05
    assert reached.published >= 0.9


def test_looking_at_everything_finds_all_that_is_left_in_any_order(measured: Experiment) -> None:
    for one in measured.outcomes:
        bought = one.bought(1.0)
        assert bought.marked_first == pytest.approx(one.leaked)
        assert bought.surest_first == pytest.approx(one.leaked)
        assert bought.at_random == pytest.approx(one.leaked)
        assert one.bought(0.0).surest_first == 0


def test_there_are_three_cost_sensitive_baselines_at_every_ratio(measured: Experiment) -> None:
    assert {(base.learner, base.ratio) for base in measured.baselines} == {
        (kind, ratio) for kind in ("crf", "svm", "ensemble") for ratio in (0.5, 10, 100)
    }
    field = [base for base in measured.baselines if base.learner == "crf"]
    assert [base.published for base in field] == sorted((base.published for base in field), reverse=True)


def test_whoever_watches_hears_of_every_step(measured: Experiment) -> None:
    assert measured
    assert len(WATCHED) == steps(2, ("svm",))


def test_the_same_is_measured_again() -> None:
    few = generated("notes", 5)
    instances = instances_of([one.text for one in few], [one.spans for one in few])
    first, second = (experiment(instances, ratios=(10,), learners=("svm",), folds=2, seed=4) for _ in range(2))
    assert first == second


def test_an_attacker_finds_nothing_where_nothing_is_left(mails: Instances) -> None:
    everything = np.ones(len(mails.tokens), dtype=bool)
    safe = mails.hiding(mails.sensitive)
    assert isinstance(best_attacker(safe, everything, 0), Nothing)
    assert attacked(Nothing(), safe, everything).leaked == 0


def test_an_attacker_finds_much_where_nothing_is_hidden(mails: Instances) -> None:
    train = folds_of(mails.tokens, np.ones(len(mails.tokens), dtype=bool), 2, 0) == 0
    attack = attacked(best_attacker(mails, train, 0), mails, ~train)
    assert attack.true_positives > attack.leaked / 2
    assert attack.by_score(attack.leaked) > attack.at_random(attack.leaked) * 5
    assert attack.by_score(attack.published) == attack.leaked


def test_documents_are_never_split_between_folds(mails: Instances) -> None:
    parts = folds_of(mails.tokens, np.ones(len(mails.tokens), dtype=bool), 4, 0)
    assert set(parts.tolist()) == {0, 1, 2, 3}
    assert all(len(set(parts[mails.tokens.document_of == number].tolist())) == 1 for number in range(12))


def test_fewer_documents_than_folds_are_refused(mails: Instances) -> None:
    with pytest.raises(LearningError) as caught:
        experiment(mails, folds=13)
    assert caught.value.problems[0].code == "E203"


def test_names_in_one_document_only_are_refused() -> None:
    with pytest.raises(LearningError) as caught:
        experiment(instances_of(["Ann slept. She ate.", "It rained. It snowed."], [[[0, 3]], []]), folds=2, learners=("svm",))
    assert caught.value.problems[0].code == "E204"


def test_the_figures_are_drawn(measured: Experiment, tmp_path: Path) -> None:
    from kgsan.evaluate.greedy_figures import draw

    made = draw(measured, tmp_path / "figures")
    assert [path.name for path in made] == ["greedy-found.png", "greedy-published.png", "greedy-budget.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000 for path in made)


# --- files -----------------------------------------------------------------------------------------------------------------------

COLUMNS = "Seen O\nby O\nEllen B-PER\nMarsh I-PER\nin O\nPorto B-LOC\n\nStable O\n"


@pytest.mark.parametrize(
    ("content", "label", "names"),
    [
        ('{"text": "Ask Ann now", "spans": [[4, 7]]}\n\n{"text": "No", "spans": []}\n', None, [["Ann"], []]),
        ('{"text": "Ann in Porto", "spans": [[0, 3, "PER"], [7, 12, "LOC"]]}', "per", [["Ann"]]),
        ('{"text": "Ann in Porto", "spans": [{"start": 7, "end": 12, "label": "LOC"}]}', "LOC", [["Porto"]]),
        (COLUMNS, "PER", [["Ellen", "Marsh"]]),
        (COLUMNS, None, [["Ellen", "Marsh", "Porto"]]),
        (f"-DOCSTART- O\n\n{COLUMNS}\n-DOCSTART- O\n\n{COLUMNS}", "LOC", [["Porto"], ["Porto"]]),
        ("-DOCSTART- -X- O\n\nAnn NNP I-PER\n", "PER", [["Ann"]]),
        ("\ufeffAnn\tPER\r\nslept\tO\r\n", "PER", [["Ann"]]),
    ],
)
def test_marked_documents_are_read_by_their_content(
    content: str, label: str | None, names: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "gold").write_text(content)
    found = read_marked(tmp_path / "gold", label)
    assert [[one.text[start:end] for start, end in one.spans] for one in found] == names


def test_columns_without_documents_are_dealt_by_sentences(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("a O\n\n" * 25)
    assert len(read_marked(tmp_path / "gold", sentences=10)) == 3


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b'{"text": "Ann"}', "E201", 1),
        (b'{"text": "Ann", "spans": []}\n{"text": 3, "spans": []}', "E201", 2),
        (b'{"text": "Ann", "spans": []}\nnonsense', "E201", 2),
        (b'{"text": "Ann", "spans": [[0, 9]]}', "E202", 1),
        (b'{"text": "Ann", "spans": [[1.5, 2]]}', "E202", 1),
        (b'{"text": "Ann", "spans": [null]}', "E202", 1),
        (b'{"text": "Ann", "spans": 5}', "E201", 1),
        (b"Seen O\nAnn\n", "E201", 2),
        (b"Seen O\n\xff\xfe O\n", "E201", 2),
        (b"[" * 100_000, "E201", 1),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_line(content: bytes, code: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(content)
    with pytest.raises(LearningError) as caught:
        read_marked(tmp_path / "gold")
    (problem,) = caught.value.problems
    assert (problem.code, problem.place.line) == (code, line)
    assert "Ann" not in str(problem)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(LearningError) as caught:
            read_marked(path)
        assert caught.value.problems[0].code == "E201"
