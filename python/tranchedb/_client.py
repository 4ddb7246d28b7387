"""The operations of a server, or of a lake through one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._http import Transport
from ._operations import ROUTES, Operations, Route
from ._rows import Answer, Money, Rows, in_dollars
from .errors import InvalidParameterError

#: Operations whose answers may be long. The database writes more than so many rows as Parquet, which takes half the time of
#: Arrow and a fraction of the bytes.
LONG = frozenset({'panel', 'export'})
FEW_ROWS = 10_000
FIELD_ID = b'PARQUET:field_id'

#: Called with the rows that have come, and all there are.
Progress = Callable[[int, int], None]


class Client(Operations):
    """Every operation of a server as a method. Made by `connect`.

    A list answers with `Rows`: all that match, page by page of one snapshot, unless `limit` says how many. `.pl()`,
    `.df()` and `.arrow()` give them as frames, and iterating as dicts. Other operations answer with an `Answer`, a
    mapping. Nothing is asked before it is needed; `await` asks in a thread.
    """

    def __init__(
        self, transport: Transport, *, money: Money = 'cents', progress: bool | Progress = False
    ) -> None:
        if money not in ('cents', 'dollars'):
            raise ValueError(f"money is 'cents' or 'dollars', not {money!r}")
        self._transport = transport
        self._is_paged = True
        self._money = money
        self._progress: Progress | None = (
            _to_stderr if progress is True else progress if callable(progress) else None
        )

    def close(self) -> None:
        """Releases what the client holds."""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, name: str, args: Mapping[str, Any]) -> Rows:
        return Rows(lambda: self._table(name, args))

    def _answer(self, name: str, args: Mapping[str, Any]) -> Answer:
        return Answer(lambda: self._object(name, args))

    def _object(self, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        route = ROUTES[name]
        body = json.loads(self._sender().send(name, route, self._given(route, args)).body)
        answer = body[route.envelope] if route.envelope and route.envelope in body else body
        return answer if isinstance(answer, dict) else body

    def _table(self, name: str, args: Mapping[str, Any]) -> pa.Table:
        route = ROUTES[name]
        given = self._given(route, args)
        wanted = given.get('limit')
        is_long = name in LONG and (wanted is None or int(wanted) > FEW_ROWS)
        given['format'] = 'parquet' if is_long else 'arrow'
        if not self._is_paged or not route.has_offset or route.page is None:
            table, _ = self._page(name, route, given)
        else:
            table = self._pages(name, route, given, None if wanted is None else int(wanted))
        return in_dollars(table) if self._money == 'dollars' else table

    def _pages(self, name: str, route: Route, given: dict[str, Any], wanted: int | None) -> pa.Table:
        assert route.page is not None
        first = int(given.get('offset', 0))
        at, tables = first, []
        while True:
            left = route.page if wanted is None else min(wanted - (at - first), route.page)
            table, total = self._page(name, route, {**given, 'limit': left, 'offset': at})
            tables.append(table)
            at += table.num_rows
            least = total if wanted is None else min(total, first + wanted)
            if self._progress and (len(tables) > 1 or at < least):
                self._progress(at - first, max(least - first, 0))
            if table.num_rows == 0 or at >= least:
                return pa.concat_tables(tables)
            # The pages that follow are of the snapshot that answered the first.
            snapshot = (table.schema.metadata or {}).get(b'snapshot')
            if snapshot:
                given['snapshot'] = snapshot.decode()

    def _page(self, name: str, route: Route, args: Mapping[str, Any]) -> tuple[pa.Table, int]:
        reply = self._sender().send(name, route, args)
        table = _parquet(reply.body) if args['format'] == 'parquet' else _arrow(reply.body)
        headers = {header.lower(): value for header, value in reply.headers.items()}
        total = headers.get('x-total-count')
        return table, table.num_rows if total is None else int(total)

    def _given(self, route: Route, args: Mapping[str, Any]) -> dict[str, Any]:
        """What was given, money in cents."""
        given = {name: value for name, value in args.items() if value is not None}
        if self._money == 'dollars':
            for name in route.money & given.keys():
                given[name] = _cents(name, given[name])
        return given

    def _sender(self) -> Transport:
        return self._transport


def _arrow(body: bytes) -> pa.Table:
    with pa.ipc.open_stream(body) as reader:
        return reader.read_all()


def _parquet(body: bytes) -> pa.Table:
    """As `_arrow`: without the numbers of columns, and with the name of the items of lists, that only the file has."""
    table = pq.read_table(pa.BufferReader(body))
    return table.cast(pa.schema([_as_in_arrow(field) for field in table.schema], table.schema.metadata))


def _as_in_arrow(field: pa.Field) -> pa.Field:
    metadata = {key: value for key, value in (field.metadata or {}).items() if key != FIELD_ID}
    if pa.types.is_list(field.type):
        field = field.with_type(pa.list_(field.type.value_field.with_name('item')))
    return field.with_metadata(metadata or None)


def _cents(name: str, dollars: Any) -> Any:
    if not isinstance(dollars, (int, float)) or isinstance(dollars, bool):
        return dollars
    cents = round(dollars * 100)
    if abs(cents - dollars * 100) > 1e-6 * max(1.0, abs(dollars)):
        raise InvalidParameterError(
            'INVALID_PARAMETER', f'{name} must be whole cents, not {dollars}', details={'parameter': name}
        )
    return cents


def _to_stderr(have: int, all_: int) -> None:
    sys.stderr.write(f'\r{have:,} of {all_:,} rows')
    if have >= all_:
        sys.stderr.write('\n')
    sys.stderr.flush()
