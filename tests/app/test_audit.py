"""What is logged is on the disk, and a review goes on after a crash where it was."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.app.audit import LOG, STATE, AuditLog, check_log, key_mark
from kgsan.app.chain import Act
from kgsan.app.problems import ReviewError
from kgsan.app.replay import Review

if TYPE_CHECKING:
    from pathlib import Path

KEY = b"a key of sixteen bytes or more"


def written(folder: Path, count: int, key: bytes | None = None) -> Path:
    log = AuditLog(folder / LOG, key)
    log.add([Act("opened", "d", detail={"content": "c", "settings": "s", "key": key_mark(key)})])
    log.add(Act("accept", "d", (number, number + 1)) for number in range(count))
    log.close()
    return folder / LOG


def code_of(path: Path, key: bytes | None = None) -> str:
    with pytest.raises(ReviewError) as caught:
        AuditLog(path, key)
    return caught.value.code


def test_the_log_and_its_state_are_for_the_owner_only(tmp_path: Path) -> None:
    path = written(tmp_path / "review", 2)
    for each in (path, path.with_name(LOG + STATE)):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600


def test_a_log_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = written(tmp_path, 2)
    again = AuditLog(path, None)
    again.add([Act("undo", "d", (0, 1))])
    again.close()
    count, problems, is_ended = check_log(path, None)
    assert (count, problems, is_ended) == (4, [], True)


def test_no_two_reviews_write_one_log(tmp_path: Path) -> None:
    path = written(tmp_path, 1)
    first = AuditLog(path, None)
    assert code_of(path) == "A102"
    first.close()


def test_lines_that_were_cut_off_stop_the_review(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert code_of(path) == "A104"


def test_half_a_line_that_was_remembered_is_no_crash(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    path.write_bytes(path.read_bytes()[:-5])
    assert code_of(path) in ("A103", "A104")


def test_a_line_that_is_ahead_of_the_state_file_counts(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    state = path.with_name(LOG + STATE)
    before = state.read_bytes()
    log = AuditLog(path, None)
    log.add([Act("redact", "d", (7, 9))])
    log.close()
    state.write_bytes(before)
    again = AuditLog(path, None)
    assert (7, 9) in Review(again.entries).of("d").verdicts
    again.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_wherever_the_last_line_was_torn_it_is_set_aside(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = written(tmp_path_factory.mktemp("torn"), 2)
    state, whole = path.with_name(LOG + STATE).read_bytes(), path.read_bytes()
    log = AuditLog(path, None)
    log.add([Act("keep", "d", (7, 9), "a reason")])
    log.close()
    cut = data.draw(st.integers(len(whole) + 1, len(path.read_bytes()) - 1))
    torn = path.read_bytes()[len(whole) : cut]
    path.write_bytes(path.read_bytes()[:cut])
    path.with_name(LOG + STATE).write_bytes(state)
    again = AuditLog(path, None)
    assert [one.code for one in again.notices] == ["A106"]
    assert len(again.entries) == 3
    assert path.with_name(f"{LOG}.torn-4").read_bytes() == torn
    again.add([Act("accept", "d", (7, 9))])
    again.close()
    assert check_log(path, None) == (4, [], True)


def test_a_lost_state_file_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, 2)
    path.with_name(LOG + STATE).unlink()
    assert code_of(path) == "A105"
    assert check_log(path, None) == (3, [], False)


def test_a_lost_log_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, 2)
    path.unlink()
    assert code_of(path) == "A104"


def test_a_log_with_a_key_needs_it(tmp_path: Path) -> None:
    path = written(tmp_path, 2, KEY)
    assert check_log(path, KEY)[1] == []
    for wrong in (None, b"another key of that length"):
        assert [one.code for one in check_log(path, wrong)[1]] == ["A109"]
    assert code_of(path, None) == "A105"


def test_a_disk_that_is_full_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AuditLog(tmp_path / LOG, None)
    real = os.write

    def full(stream: int, content: bytes) -> int:
        real(stream, bytes(content)[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(Exception, match="nothing was done"):
            log.add([Act("started")])
    log.add([Act("started")])
    log.close()
    assert check_log(tmp_path / LOG, None) == (1, [], True)


_WRITES = """
import sys
from pathlib import Path
from kgsan.app.audit import AuditLog
from kgsan.app.chain import Act
log = AuditLog(Path(sys.argv[1]), None)
number = 0
while True:
    number += 1
    log.add([Act("accept", "d", (number, number + 1))])
    print(number, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill so")
def test_what_was_logged_before_a_kill_is_there(tmp_path: Path) -> None:
    for wait in (0.01, 0.03):
        path = tmp_path / f"{wait}" / LOG
        with subprocess.Popen([sys.executable, "-c", _WRITES, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(wait)
            process.kill()
            told = 1 + len(process.stdout.read().splitlines())
        again = AuditLog(path, None)
        assert len(again.entries) >= told - 1
        assert [one.number for one in again.entries] == list(range(1, len(again.entries) + 1))
        again.close()
        assert check_log(path, None)[1] == []
