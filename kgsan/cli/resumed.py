"""A run over many files that was interrupted, taken up again: what is done is left, the rest is done."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kgsan.cli.jobs import PAGE, WrongUsage
from kgsan.cli.ledger import OtherSettings, open_ledger
from kgsan.cli.many import sanitize_many
from kgsan.report.certificate import own_version

if TYPE_CHECKING:
    import argparse

    from kgsan.cli.batch import Setup
    from kgsan.cli.jobs import Jobs
    from kgsan.sanitize.sanitizer import Sanitizer


def refuse_ledger(given: argparse.Namespace, setup: Setup, jobs: Jobs) -> None:
    """Raises `WrongUsage` where a ledger makes no sense, or would lie where others find it."""
    if setup.form == PAGE or any(job.output is None or job.source is None for job in jobs.jobs):
        raise WrongUsage("--resume is for files that are written to files: give inputs and -o, and no page.")
    if setup.spans is not None:
        raise WrongUsage("--spans is about one text and --resume about many: give one of them.")
    ledger = given.resume.resolve()
    folders = [Path(given.output)] if jobs.is_batch else []
    folders += [Path(name) for name in given.inputs if Path(name).is_dir()]
    if any(ledger.is_relative_to(folder.resolve()) for folder in folders):
        raise WrongUsage("The private ledger may lie neither among the texts that are released nor among those that are read.")
    taken = (path for job in jobs.jobs for path in (job.source, job.output, job.certificate, job.record) if path is not None)
    if any(path.resolve() == ledger for path in taken):
        raise WrongUsage("The ledger cannot be one of the files that are read or written.")


def resumed(sanitizer: Sanitizer, setup: Setup, jobs: Jobs, given: argparse.Namespace) -> int:
    """Do what the ledger does not know as done, and note what is."""
    try:
        ledger = open_ledger(given.resume, _settings(sanitizer, setup))
    except OtherSettings:
        raise WrongUsage(
            "The ledger was begun with another policy, other sources, other settings or another kgsan: what is there and what "
            "would be added do not go together. Begin anew with another ledger and another folder."
        ) from None
    try:
        left = [job for job in jobs.jobs if ledger.is_done(job)]
        done = set(left)
        open_jobs = tuple(job for job in jobs.jobs if job not in done)
        return sanitize_many(sanitizer, setup, replace(jobs, jobs=open_jobs), given, left=left, ledger=ledger)
    finally:
        ledger.close()


def _settings(sanitizer: Sanitizer, setup: Setup) -> list[object]:
    """Everything on which a result depends, besides its input."""
    learned = getattr(setup, "learned", None)
    return [
        own_version(),
        setup.policy.digest,
        [ontology.fingerprint for ontology in sanitizer.knowledge.stack],
        [getattr(source, "digest", None) for source in sanitizer.knowledge.given],
        [setup.form, setup.redact, setup.reveal, setup.fields, setup.keep, setup.pictures],
        None if learned is None else hashlib.sha256(Path(learned).read_bytes()).hexdigest(),
    ]
