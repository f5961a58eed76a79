"""The toy policy for files of records, and a file sanitized as the command does it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from kgsan.formats.records import Asked, sanitized
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.formats.records import RecordReader

#: What no file may hold when it was sanitized.
SECRETS = (b"AIDS", b"HIV", b"zidovudine", b"Alder", b"3/4/2021", b"20210304", b"2021-03-04")
IDENTIFIERS = "[date, name, medical_record, phone, street]"


def toy_sanitizer(folder: Path, **more: str) -> Sanitizer:
    """The toy policy with some kinds of identifiers."""
    return Sanitizer(load_policy(write_policy(folder, **{"identifiers": IDENTIFIERS, **more})))


def made(read: RecordReader, content: bytes, name: str, sanitizer: Sanitizer, processes: int = 1, **asked: Any) -> bytes:
    """What a file becomes."""
    asked.setdefault("discloses", lambda words: bool(sanitizer.verify(words)))
    records = read(io.BytesIO(content), name, Asked(**asked))
    return b"".join(one.content for one in sanitized(records, name, sanitizer, processes))


def leaks(content: bytes) -> list[bytes]:
    """The secrets that a file still holds, also in UTF-16."""
    return [secret for secret in SECRETS if secret in content or secret.decode().encode("utf-16-le") in content]
