"""Made-up notes and mails: always the same, of nobody, and hard enough to learn from."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from kgsan.evaluate import generated_templates as templates
from kgsan.evaluate.generated import KINDS, generated
from kgsan.sanitize.greedy.marked import instances_of

SETS = {kind: generated(kind, 150) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_documents_and_another_seed_others(kind: str) -> None:
    assert generated(kind, 20, 5) == generated(kind, 20, 5)
    assert generated(kind, 20, 5) != generated(kind, 20, 6)
    assert generated(kind, 20, 5)[:10] == generated(kind, 10, 5)


def test_they_do_not_depend_on_the_hash_seed() -> None:
    script = "import hashlib; from kgsan.evaluate.generated import generated; print(hashlib.sha256(''.join(one.text for one in generated('notes', 20)).encode()).hexdigest())"
    found = {
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_span_is_a_name_in_its_text(kind: str) -> None:
    for one in SETS[kind]:
        for start, end in one.spans:
            name = one.text[start:end]
            assert name
            assert name == name.strip()
            assert "\n" not in name
        assert list(one.spans) == sorted(one.spans)


@pytest.mark.parametrize("kind", KINDS)
def test_no_slot_of_a_template_is_left_open(kind: str) -> None:
    assert not any("{" in one.text or "}" in one.text for one in SETS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_persons_are_so_few_that_nearly_everything_could_be_published(kind: str) -> None:
    found = instances_of([one.text for one in SETS[kind]], [one.spans for one in SETS[kind]])
    assert 0.02 < found.sensitive.mean() < 0.06


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_word_is_a_name_here_and_none_there(kind: str) -> None:
    found = instances_of([one.text for one in SETS[kind]], [one.spans for one in SETS[kind]])
    words = {True: set(), False: set()}  # type: dict[bool, set[str]]
    for word, sensitive in zip(found.tokens.words, found.sensitive.tolist(), strict=True):
        words[sensitive].add(word)
    assert len({word for word in words[True] & words[False] if word[:1].isupper()}) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_written_in_many_ways(kind: str) -> None:
    names = [one.text[start:end] for one in SETS[kind] for start, end in one.spans]
    assert any(name.islower() for name in names)
    assert any(name.isupper() and len(name) == 2 for name in names)
    assert any(name[1:3] == ". " for name in names)
    assert any(" " in name for name in names)
    assert len(set(names)) > len(names) / 3


def test_there_are_many_templates() -> None:
    assert min(len(templates.NOTE_SENTENCES), len(templates.MAIL_SENTENCES)) >= 30


def test_printing_shows_no_words() -> None:
    assert SETS["notes"][0].text.split()[0] not in repr(SETS["notes"][0])
