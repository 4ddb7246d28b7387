"""Requests to a server: retries, conditional requests, and errors as exceptions."""

from __future__ import annotations

import datetime
import gzip
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

from ._error import TrancheError
from ._operations import Route
from .errors import BY_CODE

#: Answers that are kept with their ETag, in bytes.
CACHE_BYTES = 64 << 20
#: Statuses after which asking again helps.
RETRIED = frozenset({429, 503})


@dataclass(frozen=True)
class Reply:
    """An answer as it came."""

    body: bytes
    headers: Mapping[str, str]


class ConnectionFailed(TrancheError):
    """The server could not be reached."""


class EtagCache:
    """Answers by address, least recently used first; they are sent again only if they changed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._replies: OrderedDict[str, tuple[str, Reply]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, address: str) -> tuple[str, Reply] | None:
        with self._lock:
            known = self._replies.get(address)
            if known:
                self._replies.move_to_end(address)
            return known

    def put(self, address: str, etag: str, reply: Reply) -> None:
        if len(reply.body) > self._most // 4:
            return
        with self._lock:
            before = self._replies.pop(address, None)
            if before:
                self._bytes -= len(before[1].body)
            self._replies[address] = (etag, reply)
            self._bytes += len(reply.body)
            while self._bytes > self._most:
                _, (_, gone) = self._replies.popitem(last=False)
                self._bytes -= len(gone.body)


class Transport:
    """Sends requests to one server, from any thread."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float,
        retries: int,
        patience: float,
        proxies: bool = True,
    ) -> None:
        self._url = url.rstrip('/')
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._patience = patience
        self._cache = EtagCache(CACHE_BYTES)
        self._opener: OpenerDirector = build_opener() if proxies else build_opener(ProxyHandler({}))

    def send(self, name: str, route: Route, args: Mapping[str, Any]) -> Reply:
        """Asks an operation. Raises a `TrancheError` if the answer is an error."""
        path, rest = _filled(name, route.path, args)
        if route.method == 'POST':
            data: bytes | None = json.dumps(rest, default=_plain).encode()
            return self._request(f'{self._url}{path}', data)
        query = urlencode({member: _text(value) for member, value in rest.items()})
        return self._request(f'{self._url}{path}{"?" + query if query else ""}', None)

    def _request(self, address: str, data: bytes | None) -> Reply:
        known = self._cache.get(address) if data is None else None
        headers = {'X-API-Key': self._key, 'Accept-Encoding': 'gzip', 'User-Agent': 'tranchedb-python'}
        if data is not None:
            headers['Content-Type'] = 'application/json'
        if known:
            headers['If-None-Match'] = known[0]
        left = self._retries
        while True:
            try:
                with self._opener.open(
                    Request(address, data=data, headers=headers), timeout=self._timeout
                ) as response:
                    reply = Reply(_decoded(response.read(), response.headers), dict(response.headers.items()))
                etag = response.headers.get('ETag')
                if data is None and etag:
                    self._cache.put(address, etag, reply)
                return reply
            except HTTPError as error:
                body = _decoded(error.read(), error.headers)
                if error.code == 304 and known:
                    return known[1]
                wait = _wait(error.code, error.headers)
                if left <= 0 or wait is None or wait > self._patience:
                    raise _problem(error.code, error.headers, body) from None
                time.sleep(wait)
            except (URLError, ConnectionError, TimeoutError) as error:
                reason = getattr(error, 'reason', error)
                raise ConnectionFailed('CONNECTION_FAILED', f'{self._url}: {reason}') from error
            left -= 1


def _filled(name: str, template: str, args: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path with its parameters, and the other arguments."""
    rest = dict(args)
    path = ''
    for part in template.split('/')[1:]:
        if part.startswith('{'):
            member = part[1:-1]
            if member not in rest:
                raise TypeError(f'{name} needs {member}')
            part = quote(str(rest.pop(member)), safe='')
        path += f'/{part}'
    return path, rest


def _text(value: Any) -> str:
    """A value as a query string has it; a list as comma text, whose members with a comma are quoted."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, Mapping):
        return json.dumps(value, default=_plain)
    if isinstance(value, Sequence) or hasattr(value, '__iter__'):
        parts = [_text(part) for part in value]
        return ','.join('"' + p.replace('"', '""') + '"' if ',' in p or '"' in p else p for p in parts)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, (datetime.date, datetime.datetime)):
        return _text(value)
    if hasattr(value, '__iter__'):
        return list(value)
    return str(value)


def _decoded(body: bytes, headers: Message) -> bytes:
    return gzip.decompress(body) if headers.get('Content-Encoding') == 'gzip' and body else body


def _wait(status: int, headers: Message) -> float | None:
    """Seconds after which asking again helps; None if it does not."""
    if status not in RETRIED:
        return None
    after = headers.get('Retry-After')
    if after is None:
        return 1.0
    try:
        return max(0.0, float(after))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(after)
        return max(0.0, (until - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return 1.0


def _problem(status: int, headers: Message, body: bytes) -> TrancheError:
    try:
        error = json.loads(body)['error']
        code, message = str(error['code']), str(error['message'])
    except (ValueError, KeyError, TypeError):
        text = body[:200].decode('utf-8', 'replace') or f'the server answered {status}'
        return TrancheError(f'HTTP_{status}', text, status=status, request_id=headers.get('X-Request-Id'))
    kind = BY_CODE.get(code, TrancheError)
    return kind(code, message, status=status, details=error.get('details'), request_id=error.get('request_id'))
