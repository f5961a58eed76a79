"""The text of a policy from a file or from bytes, or the one thing that stands in the way."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from kgsan.errors import Place, Problem
from kgsan.policy.syntax import lines_of

LARGEST = 5_000_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: Control characters, line separators that editors do not show, and marks that are invisible or turn the reading direction.
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


def text_of(source: bytes | Path, name: str) -> str | Problem:
    """The text of a file or of bytes in UTF-8, or what stands in the way."""
    if isinstance(source, Path):
        data = _bytes_of(source, name)
        if isinstance(data, Problem):
            return data
        source = data
    if len(source) > LARGEST:
        return too_large(name)
    if source.startswith(_UTF16) or source[:64].count(b"\0") * 3 > max(3, len(source[:64])):
        return Problem("P002", Place(name), "The policy is not in UTF-8 but looks like UTF-16.", "Save it as UTF-8.")
    try:
        return source.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = source[: error.start].decode("utf-8")
        line, column = _position(before, len(before))
        return Problem("P002", Place(name, line, column), "From here on the policy is not in UTF-8.", "Save it as UTF-8.")


def _bytes_of(path: Path, name: str) -> bytes | Problem:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Problem("P001", Place(name), "This is a folder, not a policy.", "Name one of the files in it.")
        if not stat.S_ISREG(mode):
            return Problem("P001", Place(name), "This is not an ordinary file.")
        with path.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except FileNotFoundError:
        return Problem("P001", Place(name), "There is no such file.", "Check the spelling of its name and folder.")
    except PermissionError:
        return Problem("P001", Place(name), "The file may not be read by this user.", "Ask for permission to read it.")
    except (OSError, ValueError):
        return Problem("P001", Place(name), "The file cannot be opened.", "Check its name and the disk it lies on.")


def too_large(name: str) -> Problem:
    """What is said of a policy that no person can have written."""
    hint = "Put long lists of terms into an ontology and name their heading here."
    return Problem("P004", Place(name), "The policy is larger than the 5 MB or the 250,000 values that a policy may have.", hint)


def unseen(text: str, name: str) -> Problem | None:
    """The first sign of a text that cannot be seen, if there is one."""
    found = UNSEEN.search(text)
    if found is None:
        return None
    line, column = _position(text, found.start())
    more = sum(1 for _ in UNSEEN.finditer(text)) - 1
    others = "" if not more else " There is one more like it." if more == 1 else f" There are {more:,} more like it."
    message = f"An invisible sign (U+{ord(found.group()):04X}) stands here.{others}"
    return Problem("P003", Place(name, line, column), message, "Delete it; it often comes along when text is pasted.")


def _position(text: str, offset: int) -> tuple[int, int]:
    before = lines_of(text[:offset])
    return len(before), len(before[-1]) + 1
