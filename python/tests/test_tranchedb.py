"""Against a server (TRANCHE_URL, TRANCHE_KEY), its lake (TRANCHE_LAKE) and the program (TRANCHE_PROGRAM)."""

import asyncio
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import duckdb
import pyarrow as pa
import pytest

import tranchedb
from tranchedb import errors

ROOT = pathlib.Path(__file__).parent.parent.parent


@pytest.fixture(scope='module')
def t():
    with tranchedb.connect() as client:
        yield client


@pytest.fixture(scope='module')
def lake():
    with tranchedb.open() as opened:
        yield opened


def test_the_page_of_the_docs_runs():
    names: dict = {}
    page = (ROOT / 'docs' / 'python.md').read_text()
    for code in re.findall(r'^```python\n(.*?)^```', page, re.DOTALL | re.MULTILINE):
        exec(compile(code, 'docs/python.md', 'exec'), names)
    assert names['rows'] == names['frame'].height == names['table'].num_rows == len(names['pandas_frame'])
    assert names['frame'].equals(names['screen_of_lake'])
    assert names['units']['outstanding'] == 'cents' and names['units']['pricing.ytm'] == 'percent'
    assert names['pandas_frame'].attrs['units'] == names['units']
    assert names['pandas_frame'].attrs['as_of'] == names['day']
    assert names['large']['total_debt'].min() >= 1e6
    assert 'senior_secured' in names['allowed']
    assert len(names['companies']) > 0 and len(names['ratings']) > 0


def test_a_list_is_whole_in_pages_of_one_snapshot(t):
    ids = [row['id'] for row in t.bonds(sort='id')]
    page = len(ids) // 3 + 1
    seen = []
    with tranchedb.connect(progress=lambda have, of: seen.append((have, of))) as client:
        table = client._pages(
            'search.bonds',
            tranchedb._client.ROUTES['search.bonds']._replace(page=page),
            {'format': 'arrow', 'sort': 'id'},
            None,
        )
    assert table.column('id').to_pylist() == ids
    assert seen[-1] == (len(ids), len(ids)) and len(seen) == -(-len(ids) // page) > 1


def test_limit_and_offset_are_kept(t):
    everything = t.bonds(sort='id').arrow().column('id').to_pylist()
    assert t.bonds(sort='id', limit=1, offset=1).arrow().column('id').to_pylist() == everything[1:2]
    assert len(t.bonds(limit=10_000)) == len(everything)


def test_types_and_units_are_those_of_the_declarations(t):
    schema = t.bonds(limit=1).arrow().schema
    assert schema.field('maturity_date').type == pa.date32()
    assert schema.field('outstanding').type == pa.int64()
    assert schema.field('outstanding').metadata[b'unit'] == b'cents'
    exact = t.bonds().df(arrow_types=True)
    assert str(exact['outstanding'].dtype).startswith('int64')


def test_money_in_dollars_is_cents_by_a_hundred(t):
    with tranchedb.connect(money='dollars') as in_dollars:
        cents = t.companies(fields=['ticker', 'total_debt'], sort='ticker').arrow()
        dollars = in_dollars.companies(fields=['ticker', 'total_debt'], sort='ticker').arrow()
        assert dollars.schema.field('total_debt').metadata[b'unit'] == b'dollars'
        for c, d in zip(cents.column('total_debt').to_pylist(), dollars.column('total_debt').to_pylist()):
            assert d == (None if c is None else c / 100)
        most = max(c for c in cents.column('total_debt').to_pylist() if c is not None)
        assert len(in_dollars.companies(min_debt=most / 100)) == len(t.companies(min_debt=most)) >= 1
        with pytest.raises(errors.InvalidParameterError, match='whole cents'):
            in_dollars.companies(min_debt=1.001).arrow()


def test_days_may_be_dates_and_lists_may_be_any_sequence(t):
    ticker = next(iter(t.companies(limit=1)))['ticker']
    day = datetime.date.fromisoformat(t.companies(limit=1).meta['as_of'])
    assert len(t.companies(ticker=(ticker,), as_of=day)) == 1
    assert t.companies(ticker=[ticker], as_of=day.isoformat()).pl().equals(t.companies(ticker=ticker, as_of=day).pl())


def test_errors_are_exceptions_with_their_code(t):
    with pytest.raises(errors.InvalidTickerError) as caught:
        t.bonds(ticker='NOSUCHTICKER').arrow()
    assert caught.value.code == 'INVALID_TICKER' and caught.value.status == 404 and caught.value.request_id
    with tranchedb.connect(key='tr_' + '0' * 32) as stranger, pytest.raises(errors.UnauthorizedError):
        stranger.bonds().arrow()
    with tranchedb.connect('http://127.0.0.1:9', 'k') as nobody, pytest.raises(tranchedb.ConnectionFailed):
        nobody.bonds().arrow()
    with pytest.raises(ValueError, match='http'):
        tranchedb.connect('debt.example.com', 'k')


def test_await_gives_the_rows(t):
    async def ask():
        return await asyncio.gather(*(wait(t.companies(limit=n)) for n in (1, 2)))

    async def wait(rows):
        return await rows

    assert [len(rows) for rows in asyncio.run(ask())] == [1, 2]


def test_a_notebook_shows_units_and_escapes_text(t):
    shown = t.bonds(limit=2)._repr_html_()
    assert '<small>cents</small>' in shown and '<script' not in shown
    rows = tranchedb.Rows(lambda: pa.table({'<b>': ['<script>', None]}))
    assert '&lt;script&gt;' in rows._repr_html_() and '<script>' not in rows._repr_html_()


class Scripted(BaseHTTPRequestHandler):
    """Answers with what the test put in a list, then 304 to whoever has the tag."""

    replies: list = []
    asked: list = []

    def do_GET(self):
        Scripted.asked.append((self.path, self.headers.get('If-None-Match')))
        status, headers, body = Scripted.replies.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def scripted():
    server = ThreadingHTTPServer(('127.0.0.1', 0), Scripted)
    Scripted.replies, Scripted.asked = [], []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f'http://127.0.0.1:{server.server_port}'
    server.shutdown()
    server.server_close()


def arrow_bytes(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def test_throttled_requests_are_sent_again_and_unchanged_answers_are_not(scripted):
    body = arrow_bytes(pa.table({'id': ['a']}))
    Scripted.replies = [
        (429, {'Retry-After': '0'}, b'{}'),
        (200, {'ETag': 'W/"1"', 'X-Total-Count': '1'}, body),
        (304, {}, b''),
    ]
    client = tranchedb.connect(scripted, 'k')
    assert client.bonds().arrow() == client.bonds().arrow()
    assert [tag for _, tag in Scripted.asked] == [None, None, 'W/"1"']
    Scripted.replies = [(503, {'Retry-After': '3600'}, json.dumps({'error': {'code': 'OVERLOADED', 'message': 'later'}}).encode())]
    with pytest.raises(errors.OverloadedError, match='later'):
        client.companies().arrow()
    Scripted.replies = [(502, {}, b'<html>proxy</html>')]
    with pytest.raises(tranchedb.TrancheError) as caught:
        client.companies().arrow()
    assert caught.value.code == 'HTTP_502'


def test_the_pages_that_follow_name_the_snapshot(scripted):
    first = pa.table({'id': ['a']}).replace_schema_metadata({'snapshot': 's1', 'as_of': '2025-01-01'})
    Scripted.replies = [(200, {'X-Total-Count': '2'}, arrow_bytes(first)), (200, {'X-Total-Count': '2'}, arrow_bytes(first))]
    assert len(tranchedb.connect(scripted, 'k').bonds()) == 2
    assert 'snapshot' not in Scripted.asked[0][0] and 'snapshot=s1' in Scripted.asked[1][0]


def test_a_lake_answers_as_its_server_does(t, lake):
    assert lake.bonds(sort='id').pl().equals(t.bonds(sort='id').pl())
    views = lake.duckdb()
    assert views.sql('SELECT count(*) FROM companies').fetchall() == [(len(t.companies()),)]
    with pytest.raises(duckdb.Error):
        views.sql('INSERT INTO companies (ticker) VALUES (1)')


def test_a_long_panel_comes_as_a_short_one_does(lake, monkeypatch):
    day = lake.companies(limit=1).meta['as_of']
    short = lake.panel('bonds', dates=[day], limit=10_000).arrow()
    monkeypatch.setattr('tranchedb._client.FEW_ROWS', 0)
    long = lake.panel('bonds', dates=[day], limit=10_000).arrow()
    assert long.num_rows > 0
    assert long.schema.equals(short.schema, check_metadata=True)
    assert long.equals(short)


def test_a_damaged_file_is_named(lake, tmp_path):
    copy = tmp_path / 'lake'
    shutil.copytree(lake.path, copy, ignore=shutil.ignore_patterns('days', 'batches'))
    opened = tranchedb.open(copy)
    file = opened.folder / 'bonds.parquet'
    file.write_bytes(file.read_bytes()[:-9] + b'x' * 9)
    with pytest.raises(errors.DataDamagedError, match='bonds.parquet'):
        opened.duckdb()


def test_what_is_no_lake_and_no_program_is_said(tmp_path, lake):
    with pytest.raises(errors.NotFoundError, match='tranche build'):
        tranchedb.open(tmp_path)
    with pytest.raises(errors.NotReadyError, match='TRANCHE_PROGRAM'):
        tranchedb.open(lake.path, program='no-such-program').bonds().arrow()
    with pytest.raises(tranchedb.TrancheError, match='could not open the lake'):
        tranchedb.open(lake.path, program=[sys.executable, '-c', 'import sys; sys.exit("no")']).bonds().arrow()


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='the system has no SIGKILL')
def test_the_program_stops_with_python_however_it_ends(lake):
    code = (
        'import tranchedb, sys\n'
        'lake = tranchedb.open()\n'
        'len(lake.companies(limit=1))\n'
        'print(lake._child._process.pid, flush=True)\n'
        'sys.stdin.read()\n'
    )
    child = subprocess.Popen([sys.executable, '-c', code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    program = int(child.stdout.readline())
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    until = time.monotonic() + 60
    while time.monotonic() < until and is_alive(program):
        time.sleep(0.1)
    assert not is_alive(program)


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_version_is_that_of_the_engine():
    assert tranchedb.__version__ == json.loads((ROOT / 'package.json').read_text())['version']
    assert f'version = "{tranchedb.__version__}"' in (ROOT / 'python' / 'pyproject.toml').read_text()
