"""Parquet files: every row is a document; types, nulls and row groups stay, statistics and metadata are made anew."""

from __future__ import annotations

import io
import json
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kgsan.formats.known import known_kind
from kgsan.formats.problems import FormatError
from kgsan.formats.records import Record
from kgsan.formats.tables import chosen
from kgsan.formats.woven import Strand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgsan.formats.records import Asked

#: So many rows are held at a time; a larger row group becomes several.
_ROWS = 20_000
_FIELD_ID = b"PARQUET:field_id"
_PANDAS = b"pandas"
_USUAL = "snappy"


def read_parquet(stream: IO[bytes], name: str, asked: Asked) -> Iterator[Record]:
    """Every row. What is no text is judged as it is printed, and becomes null where it may not stand."""
    source = stream if stream.seekable() else io.BytesIO(stream.read())
    try:
        file = pq.ParquetFile(source)
        schema = file.schema_arrow
        names = schema.names
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        hint = "It is damaged, cut short or encrypted."
        raise FormatError("F104", name, "The file cannot be read as Parquet.", hint) from None
    read, kept = chosen(names, name, asked)
    for at in read:
        _refuse_type(schema.field(at), at, name, named=names[at] in asked.fields)
    writer = _Writer(file, sorted({*read, *kept}))
    known = tuple((place, kind) for place, at in enumerate(read) if (kind := known_kind(names[at])))
    row = 0
    for group in range(file.num_row_groups):
        batches = file.iter_batches(batch_size=_ROWS, row_groups=[group], columns=[names[at] for at in writer.places])
        while (batch := _next(batches, name)) is not None:
            block = _Block(batch, [_values(batch, names[at], at, name) for at in read], writer, group)
            taken = [_values(batch, names[at], at, name) for at in kept]
            for number in range(batch.num_rows):
                row += 1
                yield block.record(number, row, known, {one: _plain(values[number]) for one, values in taken})
    yield Record((), lambda _: writer.end(), is_document=False)


def _next(batches: Iterator[Any], name: str) -> Any:
    try:
        batch = next(batches, None)
        if batch is not None:
            batch.validate(full=True)  # also that texts are UTF-8
        return batch
    except (pa.ArrowException, OSError):
        raise FormatError("F104", name, "A part of the file cannot be read.", "It is damaged.") from None


def _values(batch: Any, column: str, at: int, name: str) -> tuple[str, list[Any]]:
    """A column and what it holds."""
    try:
        return column, batch.column(column).to_pylist()
    except (ValueError, OverflowError, KeyError):
        raise FormatError(
            "F106", name, f"Column {at + 1} holds days or times that cannot be read.", "Store them as text."
        ) from None


def _refuse_type(column: Any, at: int, name: str, *, named: bool) -> None:
    if is_text(column.type):
        return
    if named:
        raise FormatError("F106", name, f"Column {at + 1} holds no text but values of the type {_told(column.type)}.")
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type) or not _is_plain(column.type):
        hint = "Name the columns that are to be read with --field, or take this one over with --keep."
        raise FormatError("F106", name, f"Column {at + 1} holds what cannot be read as text: {_told(column.type)}.", hint)
    if not column.nullable:
        hint = "Take it over with --keep, or leave it out by naming others with --field."
        raise FormatError(
            "F106", name, f"Column {at + 1} holds no text and may not be empty, so nothing in it can be hidden.", hint
        )


def is_text(kind: Any) -> bool:
    """Whether a column of this type holds text."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_plain(kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
        or types.is_temporal(kind) or types.is_null(kind)
    )  # fmt: skip


def _told(kind: Any) -> str:
    """The type without the names of fields inside it."""
    return str(kind).partition("<")[0]


class _Block:
    """Some rows in memory, which are written when the last of them is done."""

    def __init__(self, batch: Any, values: Sequence[tuple[str, list[Any]]], writer: _Writer, group: int) -> None:
        self.batch, self.writer, self.group = batch, writer, group
        self.names = [name for name, _ in values]
        self.values = dict(values)
        self.changed: set[str] = set()

    def record(self, number: int, row: int, known: tuple[tuple[int, str], ...], taken: dict[str, Any]) -> Record:
        """One row."""
        values = [self.values[name][number] for name in self.names]
        texts = ["" if value is None else str(value) for value in values]

        def put(new: Sequence[str]) -> bytes:
            for name, value, old, text in zip(self.names, values, texts, new, strict=True):
                if text != old:
                    self.values[name][number] = text if isinstance(value, str) else None
                    self.changed.add(name)
            return self.writer.write(self) if number == self.batch.num_rows - 1 else b""

        def settle(new: Sequence[str]) -> Sequence[str]:
            """A number or a day cannot become words."""
            rows = zip(values, texts, new, strict=True)
            return [text if isinstance(value, str) or text == old else "" for value, old, text in rows]

        return Record(tuple(map(Strand, texts)), put, row, taken, known, settle)

    def made(self, schema: Any) -> Any:
        """The rows as they are now. A column that is read is built anew: nothing that was in it stays in a dictionary."""
        columns = []
        for field in schema:
            if field.name not in self.values:
                columns.append(self.batch.column(field.name))
            elif pa.types.is_dictionary(field.type):
                plain = pa.array(self.values[field.name], field.type.value_type)
                columns.append(plain.dictionary_encode().cast(field.type))
            elif field.name in self.changed:
                columns.append(pa.array(self.values[field.name], field.type))
            else:
                columns.append(self.batch.column(field.name))
        return pa.RecordBatch.from_arrays(columns, schema=schema)


class _Writer:
    """The new file, given piece by piece."""

    def __init__(self, file: Any, places: Sequence[int]) -> None:
        self.places = places
        schema = file.schema_arrow
        fields = [_bare(schema.field(at)) for at in places]
        self.schema = pa.schema(fields, _harmless(schema.metadata, [field.name for field in fields]))
        self._made = _Pieces()
        self._file = file
        self._writer: Any = None

    def write(self, block: _Block) -> bytes:
        """A row group."""
        if self._writer is None:
            self._begin(_compression(self._file, block.group, self.schema.names[0]))
        self._writer.write_batch(block.made(self.schema))
        return self._made.taken()

    def end(self) -> bytes:
        """What stands at the end of a file."""
        if self._writer is None:
            self._begin(_USUAL)
        self._writer.close()
        return self._made.taken()

    def _begin(self, compression: str) -> None:
        self._writer = pq.ParquetWriter(self._made, self.schema, compression=compression)


class _Pieces(io.RawIOBase):
    """Takes what is written, until somebody takes it over."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._place = 0

    def writable(self) -> bool:
        """Nothing else it is for."""
        return True

    def write(self, content: Any) -> int:
        """One more piece."""
        piece = bytes(content)
        self._pieces.append(piece)
        self._place += len(piece)
        return len(piece)

    def tell(self) -> int:
        """How much was written in all."""
        return self._place

    def taken(self) -> bytes:
        """What was written since the last time."""
        made = b"".join(self._pieces)
        self._pieces.clear()
        return made


def _bare(field: Any) -> Any:
    """A column without remarks, which nobody has read."""
    identifier = (field.metadata or {}).get(_FIELD_ID)
    return field.remove_metadata() if identifier is None else field.with_metadata({_FIELD_ID: identifier})


def _harmless(metadata: dict[bytes, bytes] | None, names: Sequence[str]) -> dict[bytes, bytes] | None:
    """What pandas needs to know, if it speaks of nothing but these columns; everything else is dropped."""
    try:
        told = json.loads((metadata or {})[_PANDAS])
        columns = [
            {key: column[key] for key in ("name", "field_name", "pandas_type", "numpy_type")} | {"metadata": None}
            for column in told["columns"]
        ]
        indexes = told["index_columns"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    if any(column["name"] not in (*names, None) or column["field_name"] not in names for column in columns):
        return None
    if not isinstance(indexes, list) or not all(
        index in names or (isinstance(index, dict) and index.get("kind") == "range" and index.get("name") is None)
        for index in indexes
    ):
        return None
    kept = {
        "index_columns": indexes,
        "column_indexes": [],
        "columns": columns,
        "pandas_version": str(told.get("pandas_version"))[:20],
    }
    return {_PANDAS: json.dumps(kept).encode()}


def _compression(file: Any, group: int, column: str) -> str:
    """How a column is packed that was read: to ask this of one that cannot be read ends the whole process."""
    paths = (file.schema.column(at).path for at in range(file.metadata.num_columns))
    at = next((at for at, path in enumerate(paths) if path == column or path.startswith(f"{column}.")), None)
    if at is None:
        return _USUAL
    names = {"UNCOMPRESSED": "none", "SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd", "LZ4": "lz4"}
    return names.get(file.metadata.row_group(group).column(at).compression, _USUAL)


def _plain(value: Any) -> Any:
    """A value as JSON can tell it."""
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
