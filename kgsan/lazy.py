"""What is worked out when it is first asked for, and then kept with its object."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:
        """`functools.cached_property` as it is from Python 3.12 on. Before, it takes a lock each time: a twentieth of all work.

        Two threads that ask at the same moment both work it out, and come to the same.
        """

        def __init__(self, work: Any) -> None:
            self.func, self.__doc__ = work, work.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.attrname = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            found = instance.__dict__[self.attrname] = self.func(instance)
            return found


__all__ = ["cached_property"]
