"""How PDF places what it draws: six numbers that turn, stretch and move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from kgsan.formats.pdf.limits import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def product(one: Matrix, other: Matrix) -> Matrix:
    """First one, then the other."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def moved(matrix: Matrix, across: float, up: float = 0.0) -> Matrix:
    """The matrix with its origin moved in its own direction."""
    a, b, c, d, e, f = matrix
    return (a, b, c, d, across * a + up * c + e, across * b + up * d + f)


def matrix(numbers: Iterable[Any]) -> Matrix:
    """Six numbers of a file, none of which is out of all bounds."""
    a, b, c, d, e, f = (float(number) for number in numbers)
    if not all(math.isfinite(number) and abs(number) < 1e9 for number in (a, b, c, d, e, f)):
        raise Unreadable("draws at a place out of all bounds")
    return (a, b, c, d, e, f)
