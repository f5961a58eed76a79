"""Small changes to valid files: noise, pieces that the format gives a meaning, parts that stand twice or elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conftest import mutated

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from tests.fuzz.target import Target

#: What many readers count in, or stumble over.
COMMON = (
    *(b"\0", b"\xff", b"\r", b"\r\n", b"\t", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xf0\x9f\xa6\x8a", b"\xc2\x85"),
    *(
        b"9" * 25,
        b"-1",
        b"0",
        b"1e999",
        b"NaN",
        b"../",
        b"%s",
        b"\\",
        b"&#0;",
        b"\xcc\x81" * 9,
        b"\xff\xff\xff\xff",
        b"\x80\0\0\0",
    ),
)
_LONGEST = 1 << 16


def changed(target: Target, content: bytes, dice: random.Random, most: int = _LONGEST) -> bytes:
    """An input like this one: most often one part of it is changed and the rest is put around it as if nothing had happened."""
    pieces = [*COMMON, *target.pieces]
    return within(target, content, dice, lambda part: _noise(part, dice, pieces, target.seeds()))[:most]


def within(target: Target, content: bytes, dice: random.Random, change: Callable[[bytes], bytes]) -> bytes:
    """The input with a change to one of its parts or, now and then and where it has none, to the whole of it."""
    parts = target.container.take(content) if target.container is not None and dice.random() < 0.85 else None
    if not parts:
        return change(content)
    assert target.container is not None
    name = dice.choice(list(parts))
    what = dice.random()
    if what < 0.03:
        del parts[name]
    elif what < 0.06:
        parts[dice.choice(list(parts))] = parts[name]
    elif what < 0.08:
        parts[name + "x"] = parts.pop(name)
    else:
        parts[name] = change(parts[name])
    return target.container.put(parts)


def _noise(content: bytes, dice: random.Random, pieces: list[bytes], others: Sequence[bytes]) -> bytes:
    what = dice.random()
    if what < 0.15 and content:  # one bit
        made = bytearray(content)
        made[dice.randrange(len(made))] ^= 1 << dice.randrange(8)
        return bytes(made)
    if what < 0.25 and len(content) >= 8:  # one number of a column
        made = bytearray(content)
        at = dice.randrange(len(made) // 4) * 4
        made[at : at + 4] = dice.choice((0, 1, -1, 2**31 - 1, -(2**31), dice.randrange(64))).to_bytes(4, "little", signed=True)
        return bytes(made)
    if what < 0.35:  # something of itself once more
        at, size = dice.randrange(len(content) + 1), dice.randint(1, 60)
        times = dice.choice((1, 1, 2, 2, 3, 3, 50, 800))
        return content[:at] + content[at : at + size] * times + content[dice.randrange(len(content) + 1) :]
    if what < 0.42:  # something of another file
        other = dice.choice(others)
        at = dice.randrange(len(other) + 1)
        return content[: dice.randrange(len(content) + 1)] + other[at : at + dice.randint(1, 400)]
    return mutated(content, dice, pieces)
