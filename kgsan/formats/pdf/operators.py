"""The operators with which a page is drawn, by what they take."""

from __future__ import annotations

from decimal import Decimal

#: Operators that only draw, with how many numbers they take; any other operand is not theirs and goes.
DRAWING = {
    **dict.fromkeys("q Q h S s f F f* B B* b b* n W W* BT ET T*".split(), 0),
    **dict.fromkeys("w J j M i g G Tc Tw Tz TL Tr Ts".split(), 1),
    **dict.fromkeys("m l Td TD d0".split(), 2),
    **dict.fromkeys("rg RG".split(), 3),
    **dict.fromkeys("re v y k K".split(), 4),
    **dict.fromkeys("c cm Tm d1".split(), 6),
}
NAMING = {"gs": "/ExtGState", "cs": "/ColorSpace", "CS": "/ColorSpace", "sh": "/Shading", "Do": "/XObject", "Tf": "/Font"}
SHOWING = ("Tj", "TJ", "'", '"')
OWN_COLOURS = frozenset("/DeviceGray /DeviceRGB /DeviceCMYK /Pattern /G /RGB /CMYK".split())


def is_number(operand: object) -> bool:
    """Whether an operand is a number."""
    return isinstance(operand, (int, float, Decimal))
