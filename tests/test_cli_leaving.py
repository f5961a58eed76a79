"""A command ends by itself: no thread that still works can make it abort."""

import subprocess
import sys

import pytest

_PROGRAM = """
import atexit, sys, threading, time
from kgsan.cli.machine import leave
atexit.register(print, "taken down")
print("written", end=" ")
print("told", end=" ", file=sys.stderr)
if {working}:
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
leave({code})
"""


@pytest.mark.parametrize("code", [0, 1, 130])
@pytest.mark.parametrize("working", [False, True])
def test_python_is_not_taken_down_around_a_thread_that_works(working: bool, code: int) -> None:
    run = subprocess.run([sys.executable, "-c", _PROGRAM.format(working=working, code=code)], capture_output=True, text=True)
    assert run.returncode == code
    assert run.stdout == ("written " if working else "written taken down\n")
    assert run.stderr == "told "
