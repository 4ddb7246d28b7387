"""Answers: rows as an Arrow table, a pandas or polars frame, or dicts; and single objects."""

from __future__ import annotations

import asyncio
import html
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    import pandas
    import polars

Money = Literal['cents', 'dollars']

#: Rows that a notebook shows.
SHOWN = 20


class Rows:
    """The rows of a list. They are asked for when they are first needed, all pages of one snapshot, and kept."""

    def __init__(self, fetch: Callable[[], pa.Table]) -> None:
        self._fetch = fetch
        self._table: pa.Table | None = None
        self._lock = threading.Lock()

    def arrow(self) -> pa.Table:
        """The rows as an Arrow table. The metadata of a column has its `unit` and `description`."""
        with self._lock:
            if self._table is None:
                self._table = self._fetch()
            return self._table

    def pl(self) -> polars.DataFrame:
        """The rows as a polars frame; dates are dates, amounts of cents whole numbers."""
        import polars

        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def df(self, *, arrow_types: bool = False) -> pandas.DataFrame:
        """The rows as a pandas frame, with `attrs['units']`, `attrs['snapshot']` and `attrs['as_of']`.

        Args:
            arrow_types: Keep exact types; else whole numbers with gaps become floats, as pandas does.
        """
        table = self.arrow()
        frame: pandas.DataFrame
        if arrow_types:
            import pandas

            frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
        else:
            frame = table.to_pandas()
        frame.attrs['units'] = self.units
        for name, value in self.meta.items():
            frame.attrs[name] = value
        return frame

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one."""
        return {
            field.name: field.metadata[b'unit'].decode()
            for field in self.arrow().schema
            if field.metadata and b'unit' in field.metadata
        }

    @property
    def meta(self) -> dict[str, str]:
        """The `snapshot` that answered and the `as_of` day."""
        return {name.decode(): value.decode() for name, value in (self.arrow().schema.metadata or {}).items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.arrow().to_batches():
            yield from batch.to_pylist()

    def __len__(self) -> int:
        rows: int = self.arrow().num_rows
        return rows

    def __await__(self) -> Generator[Any, None, Rows]:
        yield from asyncio.to_thread(self.arrow).__await__()
        return self

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """What other libraries read: `polars.DataFrame(rows)`, `duckdb.from_arrow(rows.arrow())`."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        if self._table is None:
            return '<rows, not asked for yet>'
        return f'<{self._table.num_rows:,} rows of {self._table.num_columns} columns>'

    def _repr_html_(self) -> str:
        table = self.arrow()
        units = self.units
        head = ''.join(
            f'<th>{html.escape(name)}<br><small>{html.escape(units.get(name, ""))}</small></th>'
            for name in table.column_names
        )
        body = ''.join(
            '<tr>' + ''.join(f'<td>{_shown(value)}</td>' for value in row.values()) + '</tr>'
            for row in table.slice(0, SHOWN).to_pylist()
        )
        more = f'<p>{SHOWN} of {table.num_rows:,} rows</p>' if table.num_rows > SHOWN else ''
        return f'<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}'


def _shown(value: Any) -> str:
    if value is None:
        return ''
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return html.escape(str(value))
    return f'{value:,}' if isinstance(value, int) else f'{value:,.6g}'


class Answer(Mapping[str, Any]):
    """One object, asked for when it is first needed."""

    def __init__(self, fetch: Callable[[], dict[str, Any]]) -> None:
        self._fetch = fetch
        self._value: dict[str, Any] | None = None
        self._lock = threading.Lock()

    def dict(self) -> dict[str, Any]:
        """The object as it came."""
        with self._lock:
            if self._value is None:
                self._value = self._fetch()
            return self._value

    def __getitem__(self, name: str) -> Any:
        return self.dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.dict())

    def __len__(self) -> int:
        return len(self.dict())

    def __await__(self) -> Generator[Any, None, Answer]:
        yield from asyncio.to_thread(self.dict).__await__()
        return self

    def __repr__(self) -> str:
        return '<an answer, not asked for yet>' if self._value is None else repr(self._value)


def in_dollars(table: pa.Table) -> pa.Table:
    """Amounts in cents as major units of their currency, whose unit is then `dollars`."""
    schema = table.schema
    for place, field in enumerate(schema):
        if not field.metadata or field.metadata.get(b'unit') != b'cents':
            continue
        amounts = pc.call_function('divide', [table.column(place).cast(pa.float64(), safe=False), pa.scalar(100.0)])
        metadata = {**field.metadata, b'unit': b'dollars'}
        table = table.set_column(place, pa.field(field.name, pa.float64(), True, metadata), amounts)
    return table.replace_schema_metadata(schema.metadata)
