"""Tranche in Python: corporate debt from a server or from a lake on disk, as typed frames.

    import tranchedb

    t = tranchedb.connect('https://debt.example.com', key)   # or tranchedb.open('./lake')
    t.bonds(min_ytm=8, as_of='2024-06-30').pl()
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from . import errors
from ._client import Client, Progress
from ._error import TrancheError
from ._http import ConnectionFailed, Transport
from ._lake import Lake
from ._rows import Answer, Money, Rows

__version__ = '0.1.0'

__all__ = [
    'Answer',
    'Client',
    'ConnectionFailed',
    'Lake',
    'Rows',
    'TrancheError',
    'connect',
    'errors',
    'open',
]


def connect(
    url: str | None = None,
    key: str | None = None,
    *,
    money: Money = 'cents',
    progress: bool | Progress = False,
    timeout: float = 120,
    retries: int = 2,
    patience: float = 60,
) -> Client:
    """A client of a server.

    Args:
        url: Scheme and host, `https://debt.example.com`; default TRANCHE_URL.
        key: An API key; default TRANCHE_KEY.
        money: Amounts in `cents`, as Tranche stores them, or in `dollars`: in answers and in arguments.
        progress: Show on standard error how many rows of a long list have come, or call this with both numbers.
        timeout: Seconds that a request may take.
        retries: How often a request is sent again after 429 and 503.
        patience: Seconds to wait before sending it again, at most; if the server asks for more, the call fails.
    """
    url = url or os.environ.get('TRANCHE_URL')
    key = key or os.environ.get('TRANCHE_KEY')
    if not url or not key:
        raise ValueError('connect needs the url of a server and a key, or TRANCHE_URL and TRANCHE_KEY')
    if not url.startswith(('http://', 'https://')):
        raise ValueError(f'the url of a server begins with http:// or https://, unlike {url}')
    transport = Transport(url, key, timeout=timeout, retries=retries, patience=patience)
    return Client(transport, money=money, progress=progress)


def open(
    path: str | os.PathLike[str] | None = None,
    *,
    program: str | Sequence[str] | None = None,
    money: Money = 'cents',
    progress: bool | Progress = False,
    timeout: float = 600,
) -> Lake:
    """A lake on disk.

    Args:
        path: The folder of the lake; default TRANCHE_LAKE, else `./lake`.
        program: The command that runs Tranche; default TRANCHE_PROGRAM, else `tranche`.
        money: Amounts in `cents`, as Tranche stores them, or in `dollars`: in answers and in arguments.
        progress: Show on standard error how many rows of a long list have come, or call this with both numbers.
        timeout: Seconds that an operation may take, 600 at most.
    """
    lake = path or os.environ.get('TRANCHE_LAKE') or 'lake'
    return Lake(lake, program=program, money=money, progress=progress, timeout=timeout)
