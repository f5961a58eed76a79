"""The sanitizers that read what is fuzzed, each made once."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from kgsan.ontology.ontology import Ontology
from kgsan.ontology.stack import OntologyStack
from kgsan.policy.read import load_policy
from kgsan.sanitize.sanitizer import Sanitizer
from tests.conftest import GOLDEN, taxonomy
from tests.formats.toy import IDENTIFIERS
from tests.report.toy import write_policy


@cache
def folder() -> Path:
    """A place for the files of this process."""
    made = Path(tempfile.mkdtemp(prefix="kgsan-fuzz-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def stored(name: str, content: bytes) -> Path:
    """A file of this content."""
    path = folder() / name
    path.write_bytes(content)
    return path


@cache
def toy() -> Sanitizer:
    """A dozen concepts."""
    return Sanitizer(load_policy(write_policy(folder() / "toy", identifiers=IDENTIFIERS)))


@cache
def shipped() -> Sanitizer:
    """Everything that ships, under the policy `us-hiv`."""
    return Sanitizer(load_policy("us-hiv"))


@cache
def golden() -> OntologyStack:
    """The ontology that the knowledge of the seeds is about."""
    return OntologyStack([Ontology.from_records(taxonomy(GOLDEN))])
