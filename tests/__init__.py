"""Tests of kgsan."""

import os
import sys

# The tests run several at once: a library that multiplies matrices on all cores waits for the others, and burns their time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# They also start many processes, each of which would else compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
