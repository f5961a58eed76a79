"""A Spark session for one command: the one that is there already, or one that is started for it and stopped afterwards."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kgsan.errors import Place, Problem
from kgsan.plug import PlugError
from kgsan.spark.executor import WorkStopped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark import SparkContext

#: All cores of this machine, when neither the command nor Spark's own settings name a master.
_HERE = "local[*]"
_PYTHON = "PYSPARK_PYTHON"


def absent() -> PlugError:
    """The error for an installation without what Spark needs."""
    said = "This needs pyspark 4.1 or newer, and pyarrow, which are not installed."
    return PlugError(Problem("E113", Place("spark"), said, "Install them with: pip install 'kgsan[spark]'."))


@contextmanager
def running(master: str | None = None) -> Iterator[SparkContext]:
    """The context of a session at a master."""
    try:
        from pyspark import SparkConf
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError:
        raise absent() from None
    before = SparkSession.getActiveSession()
    if before is not None and master is None:
        yield before.sparkContext
        return
    conf = SparkConf()
    conf.setMaster(master or conf.get("spark.master", _HERE)).setIfMissing("spark.app.name", "kgsan")
    conf.setIfMissing("spark.ui.enabled", "false")  # a page that would show what is counted to whoever finds it
    if conf.get("spark.master").startswith("local"):
        os.environ.setdefault(_PYTHON, sys.executable)  # else Spark takes whichever python3 comes first
    try:
        session = SparkSession.builder.config(conf=conf).getOrCreate()
    except PySparkRuntimeError:
        said = "Spark cannot be started: it needs Java 17 or newer, and a master that it understands."
        raise PlugError(Problem("E113", Place("spark"), said, "Its own message says which is missing.")) from None
    except Exception as error:  # of Java, in pages of its own, which stand in Spark's log
        raise WorkStopped(f"Spark cannot be started ({type(error).__name__}); its log says why.") from None
    try:
        yield session.sparkContext
    finally:
        if before is None:
            session.stop()
