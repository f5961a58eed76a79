"""Python's search for circles rests while texts are read, so reading must leave none."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from kgsan.policy.read import load_policy
from kgsan.risk.reading import Reading
from kgsan.sanitize.choices import Choices
from kgsan.sanitize.sanitizer import Sanitizer
from kgsan.text.document import Document
from kgsan.text.mentions import Mention
from tests.report.toy import NOTE, write_policy

if TYPE_CHECKING:
    from pathlib import Path


def test_sanitizing_leaves_no_circles_and_the_search_for_them_goes_on_afterwards(tmp_path: Path) -> None:
    sanitizer = Sanitizer(load_policy(write_policy(tmp_path)))
    texts = [NOTE, "The library opens at nine.", NOTE.upper()]
    list(sanitizer.sanitize_many(texts))  # what is worked out once is known
    gc.collect()
    others = {id(one) for one in _of_texts()}  # those of other tests
    gc.disable()
    try:
        made = [*sanitizer.sanitize_many(texts), sanitizer.sanitize(NOTE)]
        assert made[0].text != NOTE
        # What a waiting generator holds is not among what a search says it has found.
        assert [one for one in _of_texts() if id(one) not in others] == []
        assert gc.collect() == 0
    finally:
        gc.enable()
    sanitizer.sanitize(NOTE)
    assert gc.isenabled()


def _of_texts() -> list[object]:
    return [one for one in gc.get_objects() if isinstance(one, (Choices, Document, Mention, Reading))]
