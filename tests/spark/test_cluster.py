"""Frames and knowledge on a real Spark with two workers. All in one file, so that parallel tests start one Spark."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import kgsan
from kgsan import cli
from kgsan.plug import PlugError, compiled, policy_named
from kgsan.policy.read import shipped_policies
from kgsan.spark import counting, frames, sanitize
from kgsan.spark.frames import PROBLEM
from tests.conftest import GOLDEN
from tests.docs.pages import REPO
from tests.docs.running import run_page

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

#: Spark 4.1 leaves closing its connections to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket.socket:ResourceWarning")

#: A shipped policy with some of the shipped ontologies: to compile all of them for the first time takes long.
POLICY = replace(kgsan.load_policy("us-hiv"), ontologies=("protected", "places"))
SAFE, FLU, CURSED = "Quillfeather walks.", "Quillfeather has influenza.", "Quillfeather met a curse."
ILL = "Quillfeather has an illness."


def notes() -> list[str]:
    """Two hundred short notes: the examples of all shipped policies, and some of them in one text."""
    texts = [example.text for name in sorted(shipped_policies()) for example in kgsan.load_policy(name).examples]
    return (texts + [f"{first}\n\n{second}" for first, second in zip(texts, reversed(texts), strict=True)])[:200]


def frame(spark: SparkSession, texts: list[str | None]) -> DataFrame:
    return spark.createDataFrame([(number, text) for number, text in enumerate(texts)], "id int, note string").coalesce(2)


def column(df: DataFrame, name: str = "note") -> list[Any]:
    return [row[name] for row in df.collect()]


def whole_message(error: BaseException) -> str:
    """Everything that an error and what it came from would print."""
    told, seen = [], error
    while seen is not None:
        told += [str(seen), repr(seen)]
        seen = seen.__cause__ or seen.__context__  # type: ignore[assignment]
    return "\n".join(told)


# --- frames ---------------------------------------------------------------------------------------------------------------


def test_texts_are_those_of_a_local_run_and_all_else_stays(spark: SparkSession) -> None:
    texts: list[str | None] = [*notes()]
    texts[7] = texts[150] = None
    texts[9] = ""
    rows = [(number if number % 3 else None, [str(number)], text, {"k": 1.5}) for number, text in enumerate(texts)]
    df = spark.createDataFrame(
        rows, "id int, tags array<string>, `the.note` string, more map<string, double>"
    ).repartitionByRange(2, "tags")
    before = df.collect()
    after = sanitize(df, "the.note", POLICY)
    assert after.schema == df.schema
    local = iter(kgsan.Sanitizer(POLICY).sanitize_many([row[2] for row in before if row[2] is not None]))
    expected = [(row[0], row[1], None if row[2] is None else next(local).text, row[3]) for row in before]
    found = after.collect()
    assert [tuple(row) for row in found] == expected
    assert sum(row[2] != old[2] for row, old in zip(found, before, strict=True)) > 20


def test_a_policy_is_compiled_once_in_each_process(spark: SparkSession) -> None:
    from pyspark.sql.functions import arrow_udf, col

    texts = frames._texts(spark.sparkContext.broadcast(frames.packed(POLICY)))

    def watched(batches: Any) -> Any:
        import os

        import pyarrow

        from kgsan.spark.executor import sanitizer_of

        for batch in texts(batches):
            made = sanitizer_of.cache_info()
            yield pyarrow.array([json.dumps([os.getpid(), made.misses, made.hits])] * len(batch), pyarrow.string())

    watched.__annotations__ = texts.__annotations__
    df = frame(spark, [SAFE] * 400).repartition(4)
    answers = column(df.select(arrow_udf(watched, "string")(col("note").cast("binary")).alias("note")))
    told = {tuple(json.loads(one)) for one in answers}
    assert len({process for process, _, _ in told}) <= 2
    assert len(told) >= 8  # so many batches were read
    assert {misses for _, misses, _ in told} == {1}


def test_a_new_column_leaves_the_old_one(spark: SparkSession, toy: Path) -> None:
    after = sanitize(frame(spark, [FLU, None]), "NOTE", str(toy), output="released")
    assert after.columns == ["id", "note", "released"]
    assert column(after) == [FLU, None]
    assert column(after, "released") == [ILL, None]


def test_redacting_is_done_on_the_executors_too(spark: SparkSession, toy: Path) -> None:
    policy = kgsan.load_policy(toy)
    local = compiled(policy, redact=True).sanitize(CURSED).text
    assert column(sanitize(frame(spark, [CURSED]), "note", policy, redact=True)) == [local]
    assert "curse" not in local


def test_a_text_that_cannot_be_made_safe_stops_the_job_and_is_not_shown(spark: SparkSession, toy: Path, log: Path) -> None:
    after = sanitize(frame(spark, [SAFE, CURSED]), "note", toy)
    with pytest.raises(Exception) as caught:
        after.collect()
    told = whole_message(caught.value)
    assert "WorkStopped: S101 A text could not be made safe." in told
    logged = log.read_text()
    assert "WorkStopped: S101 A text could not be made safe." in logged
    for shown in (told, logged):
        assert "Quillfeather" not in shown
        assert "curse" not in shown


def test_a_text_that_cannot_be_made_safe_becomes_null_where_that_is_wanted(spark: SparkSession, toy: Path) -> None:
    from pyspark.sql.functions import col, expr, when

    broken = when(col("id") == 4, expr("cast(x'51FF' as string)")).otherwise(col("note"))  # no UTF-8
    df = frame(spark, [SAFE, CURSED, None, FLU, SAFE]).withColumn("note", broken)
    after = sanitize(df, "note", toy, on_error="null")
    assert after.columns == ["id", "note", PROBLEM]
    assert [tuple(row) for row in after.collect()] == [
        (0, SAFE, None),
        (1, None, "S101"),
        (2, None, None),
        (3, ILL, None),
        (4, None, "V201"),
    ]
    plan = after._jdf.queryExecution().executedPlan().toString()
    assert plan.count("sanitized(") == 1  # both columns come from one reading
    named = sanitize(df, "note", toy, output="new", on_error="null", problem="why")
    assert named.columns == ["id", "note", "new", "why"]


def test_bytes_that_are_no_text_stop_the_job(spark: SparkSession, toy: Path) -> None:
    df = spark.sql("select cast(x'5175696C6CFF' as string) as note")
    with pytest.raises(Exception) as caught:
        sanitize(df, "note", toy).collect()
    assert "V201 A value is not in UTF-8." in whole_message(caught.value)
    assert "Quill" not in whole_message(caught.value)


def test_an_ontology_that_an_executor_lacks_is_told_and_may_be_shipped(spark: SparkSession, toy: Path) -> None:
    ontology = toy.with_name("toy.ttl")
    after = sanitize(frame(spark, [FLU]), "note", toy, on_error="null")
    content = ontology.read_text()
    ontology.unlink()
    with pytest.raises(Exception) as caught:
        after.collect()
    assert f"{ontology}: O101 The executor has no such file or folder. Put it at this path" in whole_message(caught.value)
    ontology.write_text(content.replace("illness", "trouble"))
    with pytest.raises(Exception) as caught:
        after.collect()
    assert "This executor has other content than the driver: 'toy.ttl'." in whole_message(caught.value)
    shipped = toy.parent / "elsewhere" / "toy.ttl"
    shipped.parent.mkdir()
    shipped.write_text(content)
    ontology.unlink()
    spark.sparkContext.addFile(str(shipped))
    assert column(after) == [ILL]


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ({"column": "id"}, "V201", "The column 'id' holds int and not string."),
        ({"column": "nota"}, "V202", "There is no column 'nota'. There are: id, note, other."),
        ({"output": "Other"}, "V203", "There is a column 'Other' already."),
        ({"problem": "id", "on_error": "null"}, "V203", "There is a column 'id' already."),
        ({"output": "new", "problem": "new", "on_error": "null"}, "V203", "There is a column 'new' already."),
        ({"on_error": "ignore"}, "V203", "on_error is neither 'raise' nor 'null'."),
        ({"policy": "us-hvi"}, "P001", "There is no policy 'us-hvi'"),
        ({"df": [SAFE]}, "V201", "This is no frame of Spark."),
    ],
)
def test_what_cannot_be_used_is_refused_at_once(
    spark: SparkSession, toy: Path, given: dict[str, Any], code: str, told: str
) -> None:
    df = frame(spark, [SAFE]).selectExpr("*", "'x' as other")
    with pytest.raises(kgsan.KgsanError) as caught:
        sanitize(**{"df": df, "column": "note", "policy": toy} | given)
    assert [problem.code for problem in caught.value.problems] == [code]
    assert told in str(caught.value)


def test_a_column_that_stands_twice_and_a_sanitizer_are_refused(spark: SparkSession, toy: Path) -> None:
    df = frame(spark, [SAFE])
    with pytest.raises(PlugError, match="There are 2 columns 'note'"):
        sanitize(df.selectExpr("note", "note"), "note", toy)
    with pytest.raises(PlugError, match="A sanitizer cannot be sent"):
        sanitize(df, "note", compiled(policy_named(toy)))  # type: ignore[arg-type]


# --- knowledge ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Five files of three kinds; one holds a paragraph longer than is read in one piece."""
    dice = random.Random(11)
    words = [*GOLDEN, "house", "garden", "river", "green", "old", "the", "and", "of", "walks", "AIDS."]
    folder = tmp_path / "texts"
    folder.mkdir()

    def some(count: int) -> list[str]:
        return [" ".join(dice.choices(words, k=12)) for _ in range(count)]

    (folder / "a.txt").write_text("\n\n".join(some(200)))
    (folder / "b.txt").write_text("\n\n".join([*some(3), " ".join(some(13_000)), *some(3)]))
    with gzip.open(folder / "c.jsonl.gz", "wt") as stream:
        stream.writelines(json.dumps({"text": text}) + "\n" for text in some(200))
    (folder / "d.csv").write_text("text\n" + "\n".join(some(200)))
    (folder / "e.txt").write_text("")
    return folder


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "golden.csv"
    ids = {name: f"T:{number:07}" for number, name in enumerate(GOLDEN)}
    rows = [f"{ids[name]},{name},{'|'.join(ids[one] for one in above.split(', ') if one)}" for name, above in GOLDEN.items()]
    path.write_text("\n".join(["id,name,parents", *rows]))
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.main(["knowledge", "build", *map(str, arguments)])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize(
    ("options", "largest"),
    [
        (["--public", "--words", 7, "--date", "2024-05-01", "--licence", "CC0"], 1),  # each file a task, many ranges of keys
        ([], 10**9),  # all in one task and one range
    ],
)
def test_a_file_counted_by_spark_is_the_same_to_the_byte(
    spark: SparkSession,
    texts: Path,
    ontology: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[Any],
    largest: int,
) -> None:
    monkeypatch.setattr(counting, "_LEAST", largest)
    monkeypatch.setattr(counting, "_MOST", largest)
    monkeypatch.setattr(counting, "_RANGE", 100_000 if largest == 1 else largest)
    built = {}
    for engine in ("local", "spark"):
        output = tmp_path / engine / "my.kgk"
        output.parent.mkdir()
        code, out, _ = run(capsys, texts, "--in", ontology, "-o", output, "--engine", engine, *options)
        assert code == 0
        assert out.startswith(f"{output}: ")
        built[engine] = output.read_bytes()
        assert [*output.parent.iterdir()] == [output]
    assert built["spark"] == built["local"]
    assert len(built["local"]) > 2_000


def test_what_is_wrong_with_a_text_is_told_as_on_one_machine(
    spark: SparkSession, texts: Path, ontology: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (texts / "b2.jsonl").write_text('{"text": "a"}\n{"quillfeather"\n')
    told = {}
    for engine in ("local", "spark"):
        output = tmp_path / "my.kgk"
        told[engine] = run(capsys, texts, "--in", ontology, "-o", output, "--engine", engine)
        assert not output.exists()
    assert told["spark"] == told["local"]
    assert told["spark"] == (3, "", "b2.jsonl:2: K110 The line is no JSON.\n")


def test_executors_with_other_names_than_the_driver_do_not_count(
    spark: SparkSession,
    texts: Path,
    ontology: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kgsan.cli.knowledge.fingerprint", lambda *_, **__: "another")
    code, out, err = run(capsys, texts, "--in", ontology, "-o", tmp_path / "my.kgk", "--engine", "spark")
    assert (code, out) == (1, "")
    assert err == (
        "my.kgk: An executor has other ontologies than the driver, or another kgsan: the counts would differ. Nothing was written.\n"
    )
    assert not [*tmp_path.glob("*my.kgk*")]


# --- the page -------------------------------------------------------------------------------------------------------------


def test_every_block_of_the_page_does_what_it_says(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(REPO / "docs" / "scale.md", tmp_path)
