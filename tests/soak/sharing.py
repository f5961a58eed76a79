"""One compiled policy, shared by threads and processes: all of them come to the same texts."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import kgsan
from tests.soak.flow import POLICY, PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

THREADS, PROCESSES = 8, 2


@dataclass(frozen=True, slots=True)
class Shared:
    """How many documents were given to each, and the hash of all that came out, by who did it."""

    count: int
    hashes: dict[str, str]

    @property
    def is_same(self) -> bool:
        """Whether all came to the same."""
        return len(set(self.hashes.values())) == 1


def shared(texts: Sequence[str], method: str = "engine", name: str | Path = POLICY, *, processes: bool = True) -> Shared:
    """The documents by one thread, by many on a policy that none has used before, and by processes."""
    policy = replace(kgsan.load_policy(name), method=method, other_languages="keep")  # none of them stops a whole block
    alone, together = kgsan.Sanitizer(policy), kgsan.Sanitizer(policy)
    hashes = {"one thread": _hash(_given(alone, text) for text in texts)}
    with ThreadPoolExecutor(THREADS) as threads:
        hashes[f"{THREADS} threads"] = _hash(threads.map(lambda text: _given(together, text), texts))
    if processes and method != PUBLISHED:  # whose results are not read again, so that one may be refused
        hashes[f"{PROCESSES} processes"] = _hash(one.text for one in together.sanitize_many(texts, processes=PROCESSES))
    return Shared(len(texts), hashes)


def _given(sanitizer: kgsan.Sanitizer, text: str) -> str:
    try:
        return sanitizer.sanitize(text).text
    except kgsan.NotSafe:
        return "\0"


def _hash(texts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return total.hexdigest()
