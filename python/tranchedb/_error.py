"""The error that every other is a kind of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TrancheError(Exception):
    """An error answer of Tranche.

    Attributes:
        code: One cause each, such as `INVALID_PARAMETER`; `HTTP_<status>` if something else answered.
        status: HTTP status.
        details: What the error names: the parameter, its allowed values, a suggestion.
        request_id: The id of the request in the server's log; None if there is none.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details: dict[str, Any] = dict(details or {})
        self.request_id = request_id

    def __str__(self) -> str:
        return f'{self.code}: {self.message}'
