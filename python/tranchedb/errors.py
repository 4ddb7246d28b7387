# Written by `npm run docs` from the declarations. Do not edit.
"""An exception for each error code of Tranche."""

from __future__ import annotations

from ._error import TrancheError


class InvalidParameterError(TrancheError):
    """INVALID_PARAMETER, HTTP status 400."""


class MissingParameterError(TrancheError):
    """MISSING_PARAMETER, HTTP status 400."""


class InvalidJsonError(TrancheError):
    """INVALID_JSON, HTTP status 400."""


class ResultTooLargeError(TrancheError):
    """RESULT_TOO_LARGE, HTTP status 400."""


class InvalidSqlError(TrancheError):
    """INVALID_SQL, HTTP status 400."""


class InvalidRequestError(TrancheError):
    """INVALID_REQUEST, HTTP status 400."""


class UnauthorizedError(TrancheError):
    """UNAUTHORIZED, HTTP status 401."""


class InsufficientCreditsError(TrancheError):
    """INSUFFICIENT_CREDITS, HTTP status 402."""


class TierRestrictedError(TrancheError):
    """TIER_RESTRICTED, HTTP status 403."""


class ForbiddenError(TrancheError):
    """FORBIDDEN, HTTP status 403."""


class InvalidTickerError(TrancheError):
    """INVALID_TICKER, HTTP status 404."""


class InvalidCusipError(TrancheError):
    """INVALID_CUSIP, HTTP status 404."""


class NotFoundError(TrancheError):
    """NOT_FOUND, HTTP status 404."""


class NoSnapshotError(TrancheError):
    """NO_SNAPSHOT, HTTP status 404."""


class MethodNotAllowedError(TrancheError):
    """METHOD_NOT_ALLOWED, HTTP status 405."""


class NotAcceptableError(TrancheError):
    """NOT_ACCEPTABLE, HTTP status 406."""


class RequestTimeoutError(TrancheError):
    """REQUEST_TIMEOUT, HTTP status 408."""


class SnapshotGoneError(TrancheError):
    """SNAPSHOT_GONE, HTTP status 410."""


class PayloadTooLargeError(TrancheError):
    """PAYLOAD_TOO_LARGE, HTTP status 413."""


class UnsupportedMediaTypeError(TrancheError):
    """UNSUPPORTED_MEDIA_TYPE, HTTP status 415."""


class MisdirectedRequestError(TrancheError):
    """MISDIRECTED_REQUEST, HTTP status 421."""


class RateLimitedError(TrancheError):
    """RATE_LIMITED, HTTP status 429."""


class HeadersTooLargeError(TrancheError):
    """HEADERS_TOO_LARGE, HTTP status 431."""


class InternalError(TrancheError):
    """INTERNAL_ERROR, HTTP status 500."""


class NotReadyError(TrancheError):
    """NOT_READY, HTTP status 503."""


class OverloadedError(TrancheError):
    """OVERLOADED, HTTP status 503."""


class MemoryLimitError(TrancheError):
    """MEMORY_LIMIT, HTTP status 503."""


class QueryTimeoutError(TrancheError):
    """QUERY_TIMEOUT, HTTP status 504."""


class SourceUnavailableError(TrancheError):
    """SOURCE_UNAVAILABLE, HTTP status 503."""


class RemoteUnavailableError(TrancheError):
    """REMOTE_UNAVAILABLE, HTTP status 503."""


class RemoteSnapshotMissingError(TrancheError):
    """REMOTE_SNAPSHOT_MISSING, HTTP status 503."""


class EmbedderUnavailableError(TrancheError):
    """EMBEDDER_UNAVAILABLE, HTTP status 503."""


class StorageFailedError(TrancheError):
    """STORAGE_FAILED, HTTP status 503."""


class StateUnavailableError(TrancheError):
    """STATE_UNAVAILABLE, HTTP status 503."""


class GateFailedError(TrancheError):
    """GATE_FAILED, HTTP status 503."""


class DataDamagedError(TrancheError):
    """DATA_DAMAGED, HTTP status 503."""


class StateDamagedError(TrancheError):
    """STATE_DAMAGED, HTTP status 503."""


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
