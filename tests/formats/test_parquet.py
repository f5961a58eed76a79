"""Parquet: every row is a document; types, nulls and other columns stay, and no old value stays anywhere."""

from __future__ import annotations

import datetime
import io
from typing import TYPE_CHECKING, Any

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from kgsan.formats.parquet import read_parquet  # noqa: E402
from kgsan.formats.problems import FormatError  # noqa: E402
from tests.formats.toy import leaks, made, toy_sanitizer  # noqa: E402

if TYPE_CHECKING:
    from kgsan.sanitize.sanitizer import Sanitizer


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return toy_sanitizer(tmp_path_factory.mktemp("toy"))


def stored(table: Any, **more: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **more)
    return stream.getvalue()


def opened(content: bytes) -> Any:
    return pq.ParquetFile(io.BytesIO(content))


SAFE = {
    "id": pa.array([1, 2, None], pa.int32()),
    "note": ["Fine.", None, ""],
    "ward": pa.array(["a", "b", "a"]).dictionary_encode(),
    "large": pa.array(["x", "y", None], pa.large_string()),
    "share": [0.5, None, 2.25],
    "open": [True, False, None],
}


def test_a_file_with_nothing_to_hide_holds_the_same(sanitizer: Sanitizer) -> None:
    table = pa.table(SAFE)
    out = opened(made(read_parquet, stored(table, row_group_size=2, compression="zstd"), "a.parquet", sanitizer))
    assert out.read().to_pylist() == table.to_pylist()
    assert out.schema_arrow.equals(table.schema)
    assert out.num_row_groups == 2
    assert out.metadata.row_group(0).column(0).compression == "ZSTD"


def test_no_old_value_stays_in_pages_dictionaries_statistics_or_metadata(sanitizer: Sanitizer) -> None:
    table = pa.table(
        {
            "note": ["He has AIDS.", "Fine.", "Takes zidovudine."],
            "kind": pa.array(["HIV", "x", "HIV"]).dictionary_encode(),
            "day": [datetime.date(2021, 3, 4), None, datetime.date(2021, 3, 4)],
        }
    ).replace_schema_metadata({"about": "AIDS of Alder"})
    table = table.cast(
        pa.schema([table.schema.field(0).with_metadata({"comment": "AIDS"}), *list(table.schema)[1:]], table.schema.metadata)
    )
    content = stored(table, compression="none", use_dictionary=True)
    assert leaks(content)
    out = made(read_parquet, content, "a.parquet", sanitizer)
    assert leaks(out) == []
    file = opened(out)
    assert file.schema_arrow.metadata is None
    assert file.read().to_pylist()[0] == {"note": "He has an infection.", "kind": "Infection", "day": None}
    assert file.metadata.row_group(0).column(0).statistics.max == "Takes an antiviral drug."
    assert file.metadata.row_group(0).column(2).statistics.null_count == 3


def test_what_pandas_needs_stays_unless_it_tells_more(sanitizer: Sanitizer) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"note": ["Fine.", "He has AIDS."], "n": [1, 2]})
    out = made(read_parquet, stored(pa.Table.from_pandas(frame)), "a.parquet", sanitizer)
    assert pq.read_table(io.BytesIO(out)).to_pandas().to_dict("list") == {"note": ["Fine.", "He has an infection."], "n": [1, 2]}
    dropped = made(read_parquet, stored(pa.Table.from_pandas(frame)), "a.parquet", sanitizer, fields=("note",))
    assert opened(dropped).schema_arrow.names == ["note"]
    assert b"pandas" not in (opened(dropped).schema_arrow.metadata or {})


def test_columns_are_chosen_as_in_any_table(sanitizer: Sanitizer) -> None:
    table = pa.table({"mrn": ["7"], "note": ["AIDS"], "lists": [["AIDS"]], "kept": [b"\xff"]})
    out = opened(made(read_parquet, stored(table), "a.parquet", sanitizer, fields=("note",), keep=("kept",))).read()
    assert out.to_pylist() == [{"note": "Infection", "kept": b"\xff"}]


@pytest.mark.parametrize(
    ("column", "asked"),
    [
        (pa.array([1]), {"fields": ("note",)}),
        (pa.array([["AIDS"]]), {}),
        (pa.array([{"AIDS": "x"}]), {}),
        (pa.array([b"AIDS"]), {}),
        (pa.array(["x"]), {"fields": ("other",)}),
    ],
)
def test_a_column_of_the_wrong_type_is_one_problem(sanitizer: Sanitizer, column: Any, asked: dict[str, Any]) -> None:
    with pytest.raises(FormatError) as caught:
        made(read_parquet, stored(pa.table({"note": column})), "a.parquet", sanitizer, **asked)
    assert caught.value.problems[0].code == "F106"
    assert "AIDS" not in str(caught.value)


@pytest.mark.parametrize("cut", [0, 4, 60, -1, -20])
def test_a_damaged_file_is_one_problem(sanitizer: Sanitizer, cut: int) -> None:
    content = stored(pa.table({"note": ["He has AIDS."] * 50}))
    with pytest.raises(FormatError, match="F104"):
        made(read_parquet, content[:cut], "a.parquet", sanitizer)


def test_an_empty_table_stays_one(sanitizer: Sanitizer) -> None:
    table = pa.table({"note": pa.array([], pa.string())})
    assert opened(made(read_parquet, stored(table), "a.parquet", sanitizer)).read().equals(table)
