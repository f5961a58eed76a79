"""One small Spark for all tests here: two workers on this machine, no page, nothing beyond the loopback."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


#: Code that runs for a minute is not worth much compiling.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: What Spark logs goes to a file, so that a test can look for words of a text in it.
LOG = """rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c: %m%n%ex
"""


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file to which Spark logs."""
    return tmp_path_factory.mktemp("log") / "spark.log"


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory, log: Path, _own_cache: object) -> Iterator[SparkSession]:
    """Started after the tests have a cache of their own, which its workers inherit."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed")
    from pyspark.sql import SparkSession

    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2]").appName("kgsan tests")
    told = log.with_name("log4j2.properties")
    told.write_text(LOG.format(file=log))
    folders = {
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={told} {QUICK}",
    }
    for name, value in (SETTINGS | folders).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
    patch.undo()


TTL = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://e/> .
e:Illness a owl:Class ; rdfs:label "illness" .
e:Flu a owl:Class ; rdfs:subClassOf e:Illness ; rdfs:label "influenza" .
e:Gout a owl:Class ; rdfs:subClassOf e:Illness ; rdfs:label "gout" .
e:Curse a owl:Class ; rdfs:label "curse" .
"""
#: Influenza becomes an illness. Nothing is more general than a curse, so a text that names one cannot be made safe.
POLICY = """policy: toy
law: Toy Act
protect: [influenza, curse]
identifiers: none
ontologies: [{ontology}]
knowledge: [taxonomy]
when_nothing_is_safe: stop
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The policy; its ontology lies beside it."""
    (tmp_path / "toy.ttl").write_text(TTL)
    path = tmp_path / "toy.yaml"
    path.write_text(POLICY.format(ontology=tmp_path / "toy.ttl"))
    return path
