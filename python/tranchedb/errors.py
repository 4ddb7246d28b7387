# Written by `npm run docs` from the declarations. Do not edit.
"""An exception for each error code of Tranche."""

from __future__ import annotations

from ._error import TrancheError


class InvalidParameterError(TrancheError):
    """INVALID_PARAMETER, HTTP status 400.

    A parameter is unknown, of the wrong type, or outside what is allowed; or a day is later than the data.
    Correct `details.parameter`; `allowed`, `min`, `max` or `suggestion` say how.
    """


class MissingParameterError(TrancheError):
    """MISSING_PARAMETER, HTTP status 400.

    A required parameter is absent.
    Give `details.parameter`.
    """


class InvalidJsonError(TrancheError):
    """INVALID_JSON, HTTP status 400.

    The body is not a JSON object, has a member twice, or is too deep.
    Send one JSON object of at most 2,000 members.
    """


class ResultTooLargeError(TrancheError):
    """RESULT_TOO_LARGE, HTTP status 400.

    The result of a statement is above its limit of rows or bytes.
    Add a `limit`, or select less.
    """


class InvalidSqlError(TrancheError):
    """INVALID_SQL, HTTP status 400.

    The statement is not one SELECT, or DuckDB (with `--remote` Trino) refuses it.
    Correct the statement: the message quotes the reason.
    """


class InvalidRequestError(TrancheError):
    """INVALID_REQUEST, HTTP status 400.

    The request is not valid HTTP, or cannot be understood safely.
    Correct the client: the message names the part.
    """


class UnauthorizedError(TrancheError):
    """UNAUTHORIZED, HTTP status 401.

    The key is missing, malformed, unknown or revoked.
    Send an active key in `X-API-Key`.
    """


class InsufficientCreditsError(TrancheError):
    """INSUFFICIENT_CREDITS, HTTP status 402.

    The balance is below the cost of the call.
    Buy credits: `details` has `required` and `remaining`.
    """


class TierRestrictedError(TrancheError):
    """TIER_RESTRICTED, HTTP status 403.

    The tier of the key does not include the endpoint or the company.
    Use `details.alternative`, or a key of `details.required_tier`.
    """


class ForbiddenError(TrancheError):
    """FORBIDDEN, HTTP status 403.

    The caller may not do this: role, origin, token or number of keys; or a publisher refuses a download.
    See `details.reason` and the message.
    """


class InvalidTickerError(TrancheError):
    """INVALID_TICKER, HTTP status 404.

    No covered company has the ticker.
    Correct it (`details.suggestion`), or leave unknown ones out with `on_unknown=skip`.
    """


class InvalidCusipError(TrancheError):
    """INVALID_CUSIP, HTTP status 404.

    No bond has the CUSIP.
    Look it up with `resolve`.
    """


class NotFoundError(TrancheError):
    """NOT_FOUND, HTTP status 404.

    There is no such path, record or file.
    Check the path and the id.
    """


class NoSnapshotError(TrancheError):
    """NO_SNAPSHOT, HTTP status 404.

    The day is before anything in the lake was known.
    Ask for a day from `details.earliest` on.
    """


class MethodNotAllowedError(TrancheError):
    """METHOD_NOT_ALLOWED, HTTP status 405.

    The path does not take the method.
    Use a method of the header `Allow`.
    """


class NotAcceptableError(TrancheError):
    """NOT_ACCEPTABLE, HTTP status 406.

    No format of the endpoint is acceptable to the client.
    Send `Accept: application/json`, or `format`.
    """


class RequestTimeoutError(TrancheError):
    """REQUEST_TIMEOUT, HTTP status 408.

    The request did not arrive whole in time.
    Send it again, faster.
    """


class SnapshotGoneError(TrancheError):
    """SNAPSHOT_GONE, HTTP status 410.

    The snapshot named by `snapshot` is no longer kept, or another version built it.
    Begin again without `snapshot`, or with one of `details.available`.
    """


class PayloadTooLargeError(TrancheError):
    """PAYLOAD_TOO_LARGE, HTTP status 413.

    The body is above its limit.
    Send less at a time.
    """


class UnsupportedMediaTypeError(TrancheError):
    """UNSUPPORTED_MEDIA_TYPE, HTTP status 415.

    The body has another type, or an encoding.
    Send `Content-Type: application/json` without `Content-Encoding`.
    """


class MisdirectedRequestError(TrancheError):
    """MISDIRECTED_REQUEST, HTTP status 421.

    The request names another server.
    Send it to the address that it names.
    """


class RateLimitedError(TrancheError):
    """RATE_LIMITED, HTTP status 429.

    The limit of the key, of sign-in attempts or of unknown keys is reached.
    Wait the seconds of `Retry-After`.
    """


class HeadersTooLargeError(TrancheError):
    """HEADERS_TOO_LARGE, HTTP status 431.

    The headers are above 32 kB, or more than 100.
    Send fewer.
    """


class InternalError(TrancheError):
    """INTERNAL_ERROR, HTTP status 500.

    A bug of Tranche.
    Try again; report the `request_id`, which the log has too.
    """


class NotReadyError(TrancheError):
    """NOT_READY, HTTP status 503.

    There is no snapshot to answer from: none built or copied yet, built by another version, or the server starts or stops.
    Try again after `Retry-After`. Operators: `tranche build`, or `tranche push` where the lake is built.
    """


class OverloadedError(TrancheError):
    """OVERLOADED, HTTP status 503.

    The queue is full, or another process is writing the lake or the store.
    Try again after `Retry-After`; a command, when the other has ended.
    """


class MemoryLimitError(TrancheError):
    """MEMORY_LIMIT, HTTP status 503.

    A statement needs more memory than it may have.
    Ask for less. Operators: more `--memory`.
    """


class QueryTimeoutError(TrancheError):
    """QUERY_TIMEOUT, HTTP status 504.

    The time of the request, from its arrival, is over.
    Ask for less. Operators: a longer `--timeout` or `--sql-timeout`.
    """


class SourceUnavailableError(TrancheError):
    """SOURCE_UNAVAILABLE, HTTP status 503.

    A publisher that `tranche fetch` asks does not answer as it should.
    Run it again later: it continues.
    """


class RemoteUnavailableError(TrancheError):
    """REMOTE_UNAVAILABLE, HTTP status 503.

    Trino does not answer, breaks off, refuses the credentials or fails.
    Try again after `Retry-After`, or without `lane`. Operators: the log has the reason.
    """


class RemoteSnapshotMissingError(TrancheError):
    """REMOTE_SNAPSHOT_MISSING, HTTP status 503.

    Trino does not hold the snapshot of the answer, or not whole.
    Try again after `Retry-After`, or without `lane`. Operators: register the snapshot there.
    """


class EmbedderUnavailableError(TrancheError):
    """EMBEDDER_UNAVAILABLE, HTTP status 503.

    The model that the search index was built with cannot be loaded.
    Search with `mode=keyword`. Operators: install the model, or build again with `--embedder`.
    """


class StorageFailedError(TrancheError):
    """STORAGE_FAILED, HTTP status 503.

    The disk or the bucket fails, is full, or may not be read or written.
    Try again after `Retry-After`. Operators: free space, mend permissions or credentials, as the log and the message say.
    """


class StateUnavailableError(TrancheError):
    """STATE_UNAVAILABLE, HTTP status 503.

    The database of keys and limits is unreachable, locked, deleted or replaced.
    Try again after `Retry-After`. Operators: see `details.reason`.
    """


class GateFailedError(TrancheError):
    """GATE_FAILED, HTTP status 503.

    A build breaks the rules of its gate: it is kept, not published.
    Mend the source, or publish it after all with `tranche snapshots use ID`.
    """


class DataDamagedError(TrancheError):
    """DATA_DAMAGED, HTTP status 503.

    Files of the lake, of a copy or of a store are missing or changed.
    Operators: `tranche snapshots verify` names them; build, or pull, again.
    """


class StateDamagedError(TrancheError):
    """STATE_DAMAGED, HTTP status 503.

    The database of keys and limits is corrupt, or of a newer version.
    Operators: restore its backup, or upgrade.
    """


BY_CODE: dict[str, type[TrancheError]] = {
    'INVALID_PARAMETER': InvalidParameterError,
    'MISSING_PARAMETER': MissingParameterError,
    'INVALID_JSON': InvalidJsonError,
    'RESULT_TOO_LARGE': ResultTooLargeError,
    'INVALID_SQL': InvalidSqlError,
    'INVALID_REQUEST': InvalidRequestError,
    'UNAUTHORIZED': UnauthorizedError,
    'INSUFFICIENT_CREDITS': InsufficientCreditsError,
    'TIER_RESTRICTED': TierRestrictedError,
    'FORBIDDEN': ForbiddenError,
    'INVALID_TICKER': InvalidTickerError,
    'INVALID_CUSIP': InvalidCusipError,
    'NOT_FOUND': NotFoundError,
    'NO_SNAPSHOT': NoSnapshotError,
    'METHOD_NOT_ALLOWED': MethodNotAllowedError,
    'NOT_ACCEPTABLE': NotAcceptableError,
    'REQUEST_TIMEOUT': RequestTimeoutError,
    'SNAPSHOT_GONE': SnapshotGoneError,
    'PAYLOAD_TOO_LARGE': PayloadTooLargeError,
    'UNSUPPORTED_MEDIA_TYPE': UnsupportedMediaTypeError,
    'MISDIRECTED_REQUEST': MisdirectedRequestError,
    'RATE_LIMITED': RateLimitedError,
    'HEADERS_TOO_LARGE': HeadersTooLargeError,
    'INTERNAL_ERROR': InternalError,
    'NOT_READY': NotReadyError,
    'OVERLOADED': OverloadedError,
    'MEMORY_LIMIT': MemoryLimitError,
    'QUERY_TIMEOUT': QueryTimeoutError,
    'SOURCE_UNAVAILABLE': SourceUnavailableError,
    'REMOTE_UNAVAILABLE': RemoteUnavailableError,
    'REMOTE_SNAPSHOT_MISSING': RemoteSnapshotMissingError,
    'EMBEDDER_UNAVAILABLE': EmbedderUnavailableError,
    'STORAGE_FAILED': StorageFailedError,
    'STATE_UNAVAILABLE': StateUnavailableError,
    'GATE_FAILED': GateFailedError,
    'DATA_DAMAGED': DataDamagedError,
    'STATE_DAMAGED': StateDamagedError,
}
