"""A column of a Spark frame as a policy lets it stand; rows, their order and all other columns stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from kgsan.ontology.load import default_stack
from kgsan.plug import compiled, policy_named, wrong
from kgsan.spark.parcel import Parcel, pack, setting
from kgsan.spark.places import knowledge_names, ontology_names
from kgsan.spark.session import absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyarrow import Array
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

    from kgsan.policy.policy import Policy

    Batches = Callable[[Iterator[Array]], Iterator[Array]]

STOP, NULL = "raise", "null"
#: The column that tells what was wrong with a text that became null.
PROBLEM = "kgsan_problem"
_SHAPE = "text string, code string"


def sanitize(
    df: DataFrame,
    column: str,
    policy: Policy | Path | str,
    *,
    output: str | None = None,
    on_error: Literal["raise", "null"] = "raise",
    problem: str = PROBLEM,
    redact: bool = False,
) -> DataFrame:
    """The frame with a column of texts sanitized, in its place or as the new column `output`. A null stays null.

    The first text that cannot be made safe stops the job; with `on_error="null"` it becomes null, and one more column,
    `problem`, holds the code of what was wrong, or null.
    """
    context = _context(df)
    target = column if output is None else output
    added = [target] * (output is not None) + [problem] * (on_error == NULL)
    _check(df, column, added, on_error)
    try:
        from pyspark.sql.functions import arrow_udf, col
    except ImportError:
        raise absent() from None
    sent = context.broadcast(packed(policy, redact=redact))
    # As bytes: what is not UTF-8 is then met here, by the row, and not by a library that would quote it.
    given = col(f"`{column.replace('`', '``')}`").cast("binary")
    if on_error == STOP:
        return df.withColumn(target, arrow_udf(_texts(sent), "string")(given))
    both = arrow_udf(_texts_and_codes(sent), _SHAPE)(given)
    return df.withColumns({target: both["text"], problem: both["code"]})


def packed(policy: Policy | Path | str, *, redact: bool = False) -> bytes:
    """The policy as it is sent to the executors, compiled and checked here first."""
    sanitizer = compiled(policy_named(_no_sanitizer(policy)), redact=redact)
    meant = sanitizer.policy
    ontologies = ontology_names(meant.ontologies or default_stack())
    return pack(Parcel(meant, ontologies, knowledge_names(meant.knowledge), redact, setting(sanitizer)))


def _no_sanitizer(policy: Any) -> Any:
    if hasattr(policy, "sanitize_block"):
        raise wrong("V203", "policy", "A sanitizer cannot be sent to other machines.", "Give its policy.")
    return policy


# --- what is refused at once ----------------------------------------------------------------------------------------------


def _context(df: Any) -> Any:
    try:
        from pyspark.sql import DataFrame
    except ImportError:
        raise absent() from None
    if not isinstance(df, DataFrame):
        raise wrong("V201", "df", "This is no frame of Spark.")
    try:
        return df.sparkSession.sparkContext
    except (AttributeError, NotImplementedError):
        raise wrong(
            "V201", "df", "A frame of Spark Connect has no executors to send a policy to.", "Use a classic session."
        ) from None


def _check(df: DataFrame, column: str, added: list[str], on_error: str) -> None:
    if on_error not in (STOP, NULL):
        raise wrong("V203", "on_error", f"on_error is neither '{STOP}' nor '{NULL}'.")
    found = [field for field in df.schema.fields if _same(df, field.name, column)]
    if not found:
        raise wrong("V202", "column", f"There is no column '{column}'.", f"There are: {', '.join(df.columns)}.")
    if len(found) > 1:
        raise wrong("V202", "column", f"There are {len(found)} columns '{column}'.", "Rename all but one.")
    kind = found[0].dataType.simpleString()
    if found[0].dataType.typeName() != "string":
        raise wrong("V201", "column", f"The column '{column}' holds {kind} and not string.", "Turn it into text first.")
    for number, name in enumerate(added):
        if any(_same(df, name, other) for other in (*df.columns, *added[:number])):
            raise wrong("V203", "output", f"There is a column '{name}' already.", "Name another, or drop it first.")


def _same(df: DataFrame, one: str, other: str) -> bool:
    """Whether Spark takes two names for one."""
    is_exact = df.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    return one == other if is_exact else one.lower() == other.lower()


# --- what is sent to the executors ----------------------------------------------------------------------------------------


def _texts(sent: Broadcast[bytes]) -> Batches:
    def sanitized(batches: Iterator[Array]) -> Iterator[Array]:
        import pyarrow

        from kgsan.spark.executor import work

        for batch in batches:
            yield pyarrow.array([one.text for one in work(sent.value, batch.to_pylist(), stop=True)], pyarrow.string())

    return _hinted(sanitized)


def _texts_and_codes(sent: Broadcast[bytes]) -> Batches:
    def sanitized(batches: Iterator[Array]) -> Iterator[Array]:
        import pyarrow

        from kgsan.spark.executor import work

        for batch in batches:
            done = work(sent.value, batch.to_pylist(), stop=False)
            columns = [pyarrow.array([one[at] for one in done], pyarrow.string()) for at in (0, 1)]
            yield pyarrow.StructArray.from_arrays(columns, ["text", "code"])

    return _hinted(sanitized)


def _hinted(function: Batches) -> Batches:
    """Spark tells by its annotations how a function wants its batches, and asks for them as they are, not as text."""
    from collections.abc import Iterator

    from pyarrow import Array

    function.__annotations__ = {"batches": Iterator[Array], "return": Iterator[Array]}
    return function
