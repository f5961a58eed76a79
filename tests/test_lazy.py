"""What an object keeps once it was asked for."""

from __future__ import annotations

from kgsan.lazy import cached_property


class Counts:
    """Counts how often it works."""

    def __init__(self) -> None:
        self.worked = 0

    @cached_property
    def answer(self) -> int:
        """What is asked for."""
        self.worked += 1
        return 42

    @cached_property
    def other(self) -> int:
        return self.answer + 1


def test_it_is_worked_out_once_for_each_object_and_may_be_given() -> None:
    one, another = Counts(), Counts()
    assert [one.answer, one.answer, one.other, one.worked, another.worked] == [42, 42, 43, 1, 0]
    another.answer = 7
    assert [another.answer, another.other, another.worked] == [7, 8, 0]
    del one.answer
    assert [one.answer, one.worked] == [42, 2]


def test_the_class_tells_what_it_is() -> None:
    assert isinstance(Counts.answer, cached_property)
    assert Counts.answer.__doc__ == "What is asked for."
