"""Many short texts read at once come out as each of them does alone."""

from __future__ import annotations

import itertools
import json
import lzma
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kgsan
from kgsan.text import document as reading
from kgsan.text import model, phrases, scan
from kgsan.text.document import Document, together
from kgsan.text.mentions import Finder
from tests.conftest import seconds, within
from tests.text.test_document import HOSTILE, NOTE
from tests.text.test_mentions import NAMES, stack_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.text.mentions import Mention, Mentions

ROOT = Path(__file__).parents[2]
#: What would be read otherwise if it were read together with what stands before or behind it.
PIECES = """breast; cancer; breast cancer; HIV; infection; HIV+; +; non; non-; -; Hodgkin lymphoma; hearing; AIDS; St; . John's wort; 's; '; Dr;
    Dr.; .; ...; . the; 1; 1.; ); Mrs. Ellen Hope; Hope left early; hepatitus; C; no; denies; mother had; Family history:; but; a dry; cough"""
SHORT = st.sampled_from(
    [*map(str.strip, PIECES.split(";")), "", " ", "\n", "\r", "\r\n", "\n\n", " " * 210, "\x00", "\u0085", "\u200b"]
)
SIGNS = st.one_of(st.characters(codec=None, categories=None), st.sampled_from(" .\n\r\t\x0b\x0c\x1c'-+()aAI1"))
TEXT = st.one_of(SHORT, st.lists(SHORT, max_size=4).map(" ".join), st.text(SIGNS, max_size=40))


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(stack_of(*map(str.strip, NAMES.split(";"))), misspelt=True)


@pytest.fixture(scope="module")
def shipped() -> Finder:
    return Finder(kgsan.load_ontology())


def of_text(document: Document) -> list[object]:
    """All that a document tells of its text."""
    arrays = (document.token_places, document.token_starts, document.token_ends, document.sentence_starts, document.tags)
    lists = (document.words, document.sentences, document.paragraphs, document.noun_phrases, document.proper_names)
    return [document.text, *((str(array.dtype), array.tolist()) for array in arrays), *lists]


def of_mentions(mentions: Mentions) -> tuple[list[Mention], list[Mention], list[int], list[int]]:
    return list(mentions), mentions.longest(), mentions.starts.tolist(), mentions.ends.tolist()


def check(texts: Sequence[str], finder: Finder) -> None:
    """Everything is the same, found together or alone; a text that stands there often is read alone once."""
    documents, distinct = Document.many(texts), set(texts)
    read = {text: of_text(Document(text)) for text in distinct}
    assert [of_text(one) for one in documents] == [read[text] for text in texts]
    for nested in (False, True):
        found = {text: of_mentions(finder.find(text, nested=nested)) for text in distinct}
        assert [of_mentions(one) for one in finder.find_many(documents, nested=nested)] == [found[text] for text in texts]


@given(st.lists(TEXT, max_size=8))
def test_texts_that_are_read_together_are_read_as_each_alone(finder: Finder, texts: list[str]) -> None:
    check(texts, finder)


@given(texts=st.lists(TEXT, max_size=8), size=st.integers(1, 60))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_does_not_matter_how_many_are_read_together(finder: Finder, texts: list[str], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_TOGETHER", size)
        check(texts, finder)


@pytest.mark.parametrize("size", [3, 10, 40, 200])
def test_it_does_not_matter_how_many_words_the_models_take(finder: Finder, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "BLOCK", size)
    check([*NOTE.split("\n"), NOTE, *NOTE.split(". ")], finder)


def test_every_pair_of_short_texts_is_read_as_two(finder: Finder) -> None:
    pieces = list(map(str.strip, PIECES.split(";")))
    check([text for pair in itertools.product(pieces, pieces) for text in pair], finder)


def test_shipped_texts_are_read_as_alone(shipped: Finder) -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "examples/note.txt", *sorted((ROOT / "docs").glob("[m-s]*.md")))]
    paragraphs = [paragraph for text in texts for paragraph in text.split("\n\n")]
    assert len(paragraphs) > 50
    check([*paragraphs, *texts], shipped)


def test_real_texts_are_read_as_alone(shipped: Finder, shared: Path) -> None:
    path = shared / "corpus" / "health-qa.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        paragraphs = [part for line in itertools.islice(lines, 0, 60, 4) for part in json.loads(line)["paragraphs"]]
    assert sum(map(len, paragraphs)) > 1 << 17
    check(paragraphs, shipped)


def test_no_name_goes_on_in_the_next_text(finder: Finder) -> None:
    texts = ["a breast", "cancer", "HIV", "", "infection", "non-", "Hodgkin lymphoma"]
    found = finder.find_many(Document.many(texts))
    assert [[texts[i][one.start : one.end] for one in mentions] for i, mentions in enumerate(found)] == [
        [],
        ["cancer"],
        ["HIV"],
        [],
        [],
        [],
        [],
    ]


def test_a_name_in_one_text_tells_nothing_of_another() -> None:
    texts = ["Mrs. Ellen Hope moved.", "Hope left early"]
    assert len(Document("\n\n".join(texts)).proper_names) == 2
    assert [len(document.proper_names) for document in Document.many(texts)] == [1, 0]


def test_a_status_does_not_reach_the_next_text(finder: Finder) -> None:
    found = finder.find_many(Document.many(["Family history:", "breast cancer", "He denies", "HIV infection"]))
    assert [mention.status.value for mentions in found for mention in mentions] == ["present", "present"]


def test_large_texts_stand_among_small_ones(finder: Finder) -> None:
    check(["HIV", "breast " * 12_000, "cancer", "x" * 150_000, "", "a,.;" * 20_000, "HIV test. " * 14_000, "infection"], finder)


def test_many_small_marks_make_no_block_too_large(finder: Finder) -> None:
    check(["a,.;b" * 100] * 260, finder)


def test_texts_are_taken_in_order_and_no_block_is_looked_through_in_parts() -> None:
    documents = [Document("x" * size) for size in (5, 0, 70_000, 60_000, 300_000, 0, 0, 131_070, 3)] + [Document("")] * 200_000
    blocks = list(together(documents))
    assert [one for block in blocks for one in block] == documents
    for block in blocks:
        assert len(block) == 1 or len("\n\n".join(document.plain for document in block)) <= scan._CHUNK
    assert len(blocks) < 16


def test_nothing_at_all_is_read() -> None:
    assert Document.many([]) == []
    assert Document.many(iter(["one"]))[0].words == ["one"]


def test_a_finder_of_nothing_new_takes_documents_that_were_read_alone(finder: Finder) -> None:
    found = finder.find_many([Document("HIV"), Document("no AIDS")])
    assert [[mention.status.value for mention in mentions] for mentions in found] == [["present"], ["negated"]]


def test_mentions_are_a_sequence_however_they_are_asked_for(finder: Finder) -> None:
    text = "HIV infection, breast cancer screening test. " * 700
    mentions, again = (finder.find(text, nested=True) for _ in range(2))
    assert [mentions[i] for i in range(len(mentions))] == list(again)
    assert list(mentions[-3:]) == [mentions[-3], mentions[-2], mentions[-1]]
    assert mentions[5] is mentions[5]
    assert mentions.longest() == list(finder.find(text))
    with pytest.raises(IndexError):
        mentions[len(mentions)]
    with pytest.raises(IndexError):
        mentions[-len(mentions) - 1]


def test_threads_that_share_documents_are_told_the_same(finder: Finder) -> None:
    texts = [part for part in NOTE.split("\n") for _ in range(20)]
    expected = [of_text(Document(text)) for text in texts]
    documents = Document.many(texts)
    found = finder.find_many(documents, nested=True)
    alone = [of_mentions(finder.find(text, nested=True)) for text in texts]
    wrong: list[int] = []

    def work(shift: int) -> None:
        for i in range(len(texts)):
            at = (i + shift) % len(texts)
            if of_text(documents[at]) != expected[at] or of_mentions(found[at]) != alone[at]:
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(shift * 30,)) for shift in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_of_equally_good_paths_the_same_is_taken_whether_or_not_it_had_to_be_sought() -> None:
    """The one whose last label comes first, then whose last but one does: whole scores are often equal."""
    dice = np.random.default_rng(7)
    follows, first, last = phrases._order(1)
    allowed = [
        path
        for path in itertools.product(range(5), repeat=4)
        if first[path[0]] and last[path[-1]] and all(follows[a, b] for a, b in itertools.pairwise(path))
    ]
    scores = dice.integers(-1, 2, (400, 4, 5)).astype(np.float32)
    together = phrases.best_path(scores.reshape(-1, 5), np.arange(0, 1600, 4)).reshape(-1, 4)
    for own, path in zip(scores, together.tolist(), strict=True):
        best = max(allowed, key=lambda path: (sum(own[range(4), path]), [-label for label in reversed(path)]))
        assert tuple(path) == best
        assert phrases.best_path(own, np.array([0])).tolist() == path


def test_a_long_sentence_is_cut_into_pieces_wherever_it_stands() -> None:
    assert phrases._pieces(np.array([0, 3, 300]), 301).tolist() == [0, 3, 131, 259, 300]
    assert phrases._pieces(np.array([0, 128]), 256).tolist() == [0, 128]


def test_texts_are_read_faster_together_than_alone(finder: Finder) -> None:
    texts = [line for line in NOTE.split("\n") for _ in range(40)]

    def alone() -> None:
        for document in map(Document, texts):
            _ = document.noun_phrases, document.proper_names, finder.find(document).longest()

    def at_once() -> None:
        documents = Document.many(texts)
        for document, mentions in zip(documents, finder.find_many(documents), strict=True):
            _ = document.noun_phrases, document.proper_names, mentions.longest()

    at_once()
    assert within(seconds(alone) / 2, at_once)


@pytest.mark.parametrize("unit", ["", "HIV test", *HOSTILE], ids=ascii)
def test_reading_many_takes_time_that_grows_with_their_number_and_no_faster(finder: Finder, unit: str) -> None:
    def read(times: int) -> None:
        documents = Document.many([unit] * times)
        _ = [document.noun_phrases for document in documents], finder.find_many(documents)

    read(100)
    assert within(0.1 + 8 * 3 * seconds(read, 1_000), read, 8_000)
