"""Whatever is kept of texts has a bound, is kept within it, and changes no answer."""

from __future__ import annotations

import functools
import gc
import inspect
from itertools import islice, pairwise
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import kgsan
from kgsan.knowledge import corpus, keys
from kgsan.knowledge.kept import Kept
from kgsan.ontology import inflection, names
from kgsan.risk import detecting, inference, kin, reading, senses
from kgsan.text import mentions, model, scan, tokens
from tests.soak.documents import documents
from tests.soak.flow import sanitizers

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Every bound that a module gives by name, and a small one in its place.
SMALL = {
    (mentions, "_KEPT"): 60,
    (model, "_KEPT"): 80,
    (reading, "_KEPT"): 50,
    (tokens, "_MOST_STRETCHES"): 70,
    (detecting, "_KEPT"): 25,
    (inference, "_KEPT"): 90,
    (senses, "_KEPT"): 40,
    (kin, "_KEPT"): 10,
    (kin, "_KEPT_FIELDS"): 2,
    (kin, "_KEPT_LEANINGS"): 12,
    (kin, "_KEPT_FAMILIES"): 500,
    (corpus, "_KEPT_ROWS"): 75,
    (corpus, "_KEPT_NAMES"): 3 << 20,
    (corpus, "_KEPT_CONCEPTS"): 1 << 17,
    (corpus, "_KEPT_FAMILIES"): 1 << 20,
    (corpus, "_KEPT_BESIDE"): 1 << 18,
}
#: Caches without a bound that are asked about what ships with the project, of which there is little.
FEW = {"network", "_order", "_classes", "_spellings"}
#: Nothing of a text hangs on these.
_NOT_ENTERED = (type, ModuleType, FunctionType, str, bytes, int, float)
Remembered = functools._lru_cache_wrapper


def reachable(*first: object) -> Iterator[object]:
    """All objects that hang on some, each once."""
    waiting, seen = list(first), {id(one) for one in first}
    while waiting:
        one = waiting.pop()
        yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, _NOT_ENTERED):
                seen.add(id(other))
                waiting.append(other)


def released(sanitizer: kgsan.Sanitizer, text: str) -> str | None:
    try:
        return sanitizer.sanitize(text).text
    except kgsan.NotSafe:
        return None


def overfull(kept: Kept[Any, Any]) -> bool:
    """Whether answers weigh more than they may, but for the last of each half, which may be of any weight."""
    held = [[kept._weigh(answer) for answer in half.values()] for half in (kept._younger, kept._older)]
    return any(sum(half[:-1]) > kept._half for half in held)


def test_caches_stay_within_their_bounds_and_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list(islice(documents(seed=2, tail=0.5), 40))
    usual = [released(one, text) for one in sanitizers() for text in texts]
    for (module, name), bound in SMALL.items():
        assert getattr(module, name) > bound
        monkeypatch.setattr(module, name, bound)
    tokens._remembered.clear()
    model.network.cache_clear()
    small = sanitizers()
    assert [released(one, text) for one in small for text in texts] == usual
    full = set()
    for one in reachable(small):
        if isinstance(one, Remembered) and one.__wrapped__.__module__.startswith("kgsan."):
            info = one.cache_info()
            assert info.maxsize is not None
            assert info.currsize <= info.maxsize
            if info.misses > info.maxsize:
                full.add(one.__wrapped__.__name__)
        elif isinstance(one, Kept):
            assert not overfull(one)
            full |= {"Kept"} if one._older else set()
        elif isinstance(one, reading.BySenses):
            assert len(one._known) <= SMALL[reading, "_KEPT"]
    assert len(tokens._remembered) <= SMALL[tokens, "_MOST_STRETCHES"]
    assert 0 < len(model.network("tagger").weighed) <= SMALL[model, "_KEPT"]
    # More was asked than fits into them, or this would show nothing.
    assert {"Kept", "_senses", "_told", "_find_row", "_ask", "_tell", "_said", "_stands_with", "_cues"} <= full


def test_the_table_of_words_stays_within_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "_MOST_WORDS", 6000)
    scanner = scan.Scanner(lambda written: [scan.Reading(capitals=word.isupper()) for word in written])
    sizes = []
    for part in range(60):
        words = scanner.words(" ".join(f"{'A' if i % 3 else 'a'}{part}b{i}" for i in range(300)).replace("b", "B"))
        assert words.capitals.tolist() == [i % 3 > 0 for i in range(300)]
        sizes.append(scanner._types.size)
        assert scanner._types.room <= 6000 + 300
    assert max(sizes) > 6000 - 300
    assert sum(after < before for before, after in pairwise(sizes)) == 2


@pytest.mark.parametrize("asked", [names._word_key, inflection.fold, keys.key_of, model.described])
def test_what_is_kept_of_words_has_a_bound(asked: Any) -> None:
    assert 1 << 12 <= asked.cache_info().maxsize <= 1 << 14


def test_caches_without_a_bound_are_asked_little() -> None:
    every = [one for one in gc.get_objects() if isinstance(one, Remembered) and one.__wrapped__.__module__.startswith("kgsan.")]
    endless = {one.__wrapped__ for one in every if one.cache_info().maxsize is None}
    assert {function.__name__ for function in endless if inspect.signature(function).parameters} <= FEW
    assert len(every) > len(endless) > 0
