"""Texts on one page: written when every one of them could be sanitized, with their certificates and records, or not at all."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

from kgsan.cli.batch import Outcome, begun, packed
from kgsan.cli.output import DONE, INTERRUPTED, WRONG_FILE
from kgsan.report.output import Drafts, FileError, write_out
from kgsan.report.page.page import page
from kgsan.report.record import KEY_SIZE, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsan.cli.batch import Ended, Setup
    from kgsan.cli.jobs import Jobs
    from kgsan.sanitize.sanitizer import Sanitizer


def one_page(sanitizer: Sanitizer, setup: Setup, jobs: Jobs, done: list[Ended], stopped: str) -> int:
    """The page, if every text could be sanitized; a page that lacks some would be taken for the whole."""
    failed = [ended for ended in done if ended.outcome is not Outcome.WRITTEN]
    if not failed and not stopped:
        write_page(sanitizer, setup, jobs, done)
        return DONE
    for ended in failed:
        if ended.told:
            print(ended.told, file=sys.stderr)
    interrupted = any(ended.outcome is Outcome.INTERRUPTED for ended in failed)
    told = stopped or ("Interrupted." if interrupted else f"{len(failed):,} of {len(jobs.jobs):,} files failed.")
    print(f"{told} No page was written.", file=sys.stderr)
    if stopped or interrupted:
        return WRONG_FILE if stopped.startswith("A process") else INTERRUPTED
    return next(int(outcome) for outcome in Outcome if any(ended.outcome is outcome for ended in failed))


def write_page(sanitizer: Sanitizer, setup: Setup, jobs: Jobs, done: Sequence[Ended]) -> None:
    """All texts on one page, with the certificates and records that were asked for: everything or nothing."""
    documents = [one for ended in done for one in ended.reported]
    if not documents:
        raise FileError(jobs.jobs[0].name, "There is no text in it to show on a page.")
    content = page(setup.policy, documents, reveal=setup.reveal)
    with Drafts() as drafts:
        for job, ended in zip(jobs.jobs, done, strict=True):
            kept = None if job.record is None else begun(drafts, job.record, job, private=True)
            proof = None if job.certificate is None else begun(drafts, job.certificate, job)
            for one in ended.reported:
                if proof is not None:
                    proof.write(packed(one.certificate, job))
                if kept is not None:
                    kept.write(packed(record(sanitizer, one.original, one.result, secrets.token_bytes(KEY_SIZE)), job))
        if jobs.page is not None:
            drafts.begin(jobs.page, private=setup.reveal).write(content)
    if jobs.page is None:
        write_out(content)
