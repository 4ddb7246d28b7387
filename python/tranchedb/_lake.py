"""A lake on disk: its files by DuckDB, its operations by the `tranche` program, which runs as a child."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._client import Client, Progress
from ._error import TrancheError
from ._http import Transport
from ._rows import Money
from .errors import DataDamagedError, NotFoundError, NotReadyError

if TYPE_CHECKING:
    import duckdb

#: How long the program may take to open the lake, in seconds.
START_SECONDS = 120
#: Rows of one answer, at most.
FILE_ROWS = '100000000'


class Lake(Client):
    """A lake on disk. Made by `open`.

    Operations run in the installed `tranche` program, which is started when the first is asked and stopped with this
    process. `duckdb()` reads the files themselves, without it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        program: str | Sequence[str] | None = None,
        money: Money = 'cents',
        progress: bool | Progress = False,
        timeout: float = 600,
    ) -> None:
        self.path = pathlib.Path(path)
        if not (self.path / 'CURRENT').is_file():
            raise NotFoundError(
                'NOT_FOUND', f'{self.path} is no lake with a snapshot: make one with "tranche build --lake {self.path}"'
            )
        self._program = _program(program)
        self._timeout = timeout
        self._child: _Child | None = None
        self._starting = threading.Lock()
        self._checked: set[str] = set()
        super().__init__(Transport('', '', timeout=0, retries=0, patience=0), money=money, progress=progress)
        # The program sends a list whole.
        self._is_paged = False

    @property
    def snapshot(self) -> str:
        """The id of the current snapshot."""
        return (self.path / 'CURRENT').read_text().strip()

    @property
    def folder(self) -> pathlib.Path:
        """The folder of the current snapshot: a Parquet file for each table. A snapshot never changes."""
        return self.path / 'snapshots' / self.snapshot

    def duckdb(self, *, verify: bool = True) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection with a view over each table of the current snapshot.

        Args:
            verify: Compare each file with its checksum first, once a process.
        """
        import duckdb

        folder = self.folder
        manifest = _manifest(folder)
        connection = duckdb.connect(':memory:')
        for table in manifest['tables']:
            path = folder / table['file']
            if verify:
                self._check(path, table)
            name, source = table['name'].replace('"', '""'), str(path).replace("'", "''")
            connection.execute(f"CREATE VIEW \"{name}\" AS SELECT * FROM read_parquet('{source}')")
        return connection

    def close(self) -> None:
        """Stops the program, if it runs."""
        with self._starting:
            if self._child:
                self._child.stop()
                self._child = None

    def _check(self, path: pathlib.Path, table: dict[str, Any]) -> None:
        if str(path) in self._checked:
            return
        digest = hashlib.sha256()
        try:
            with path.open('rb') as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
        except OSError as error:
            raise DataDamagedError('DATA_DAMAGED', f'{path}: {error.strerror}') from error
        if digest.hexdigest() != table['sha256']:
            raise DataDamagedError('DATA_DAMAGED', f'{path} is not as it was written: run "tranche build"')
        self._checked.add(str(path))

    def _sender(self) -> Transport:
        with self._starting:
            if self._child is None or not self._child.is_running:
                self._child = _Child(self._program, self.path, self._timeout)
            return self._child.transport


class _Child:
    """The program, serving one lake to this process."""

    def __init__(self, program: Sequence[str], lake: pathlib.Path, timeout: float) -> None:
        self._folder = tempfile.mkdtemp(prefix='tranchedb-')
        milliseconds = str(int(min(timeout, 600) * 1000))
        # Of keys and usage nothing is left in the lake.
        state = os.path.join(self._folder, 'state.db')
        try:
            self._process = subprocess.Popen(
                [*program, 'serve', '--demo', '--lake', str(lake), '--state', state, '--port', '0', '--enable-sql']
                + ['--timeout', milliseconds, '--sql-timeout', milliseconds, '--sql-rows', FILE_ROWS]
                + ['--file-rows', FILE_ROWS, '--log-level', 'error', '--stop-with-stdin'],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            raise NotReadyError(
                'NOT_READY',
                f'{program[0]} cannot be started ({error.strerror}): install the tranchedb npm package, or name it in TRANCHE_PROGRAM',
            ) from error
        atexit.register(self.stop)
        url, key = self._started()
        self.transport = Transport(url, key, timeout=timeout, retries=5, patience=65, proxies=False)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def _started(self) -> tuple[str, str]:
        """The address and key that the program prints."""
        said: list[str] = []
        watch = threading.Timer(START_SECONDS, self._process.kill)
        watch.start()
        try:
            assert self._process.stdout and self._process.stderr
            line = self._process.stdout.readline()
            at = re.fullmatch(r'listening on (\S+)\s*', line)
            while at:
                line = self._process.stderr.readline()
                said.append(line)
                key = re.match(r'demo key: (\S+)', line)
                if key:
                    threading.Thread(target=self._drain, daemon=True).start()
                    return at[1], key[1]
                if not line:
                    break
            said.append(self._process.stderr.read())
        finally:
            watch.cancel()
        self.stop()
        text = ''.join(said).strip() or f'it did not answer within {START_SECONDS} seconds'
        raise TrancheError('NOT_READY', f'tranche could not open the lake: {text}')

    def _drain(self) -> None:
        assert self._process.stderr
        for _ in self._process.stderr:
            pass

    def stop(self) -> None:
        atexit.unregister(self.stop)
        if self._process.stdin:
            try:
                self._process.stdin.close()
            except OSError:
                pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _program(given: str | Sequence[str] | None) -> list[str]:
    """The command that runs Tranche: as given, TRANCHE_PROGRAM as a shell would split it, or `tranche` of the PATH."""
    if given is None:
        return shlex.split(os.environ.get('TRANCHE_PROGRAM') or 'tranche')
    return [given] if isinstance(given, str) else list(given)


def _manifest(folder: pathlib.Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / 'manifest.json').read_text())
        return manifest
    except (OSError, ValueError) as error:
        raise DataDamagedError('DATA_DAMAGED', f'{folder}/manifest.json: {error}') from error
