"""What is fuzzed: a reader, valid files to begin with, and how such a file is taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.fuzz.containers import Container


@dataclass(frozen=True, slots=True)
class Target:
    """A reader under the rule of `tests.fuzz.rule`."""

    name: str
    run: Callable[[bytes], object]  #: gives a result, raises `KgsanError`, or breaks the rule
    seeds: Callable[[], Sequence[bytes]]
    pieces: Sequence[bytes] = ()  #: what the format gives a meaning
    container: Container | None = None  #: what lets a change reach what lies within checksums
    hides: Callable[[bytes], bytes] | None = None  #: what no message may show of an input; ontologies and policies may be shown
    is_text: bool = False  #: any text is valid
