"""What a status says of its response, and which one a tuple has."""

from __future__ import annotations

import typing as t
from functools import lru_cache

from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.utils import get_content_type
from werkzeug.wrappers import Response

#: What is a response already, with a status of its own.
RESPONSES: t.Final = (Response, HTTPException)

#: Cached: every response needs it, and it depends on its arguments alone.
content_type_of: t.Final = lru_cache(maxsize=64)(get_content_type)


def has_content(status: int) -> bool:
    """Whether a response of this status may have content.

    Source: RFC 9110, 6.4.1, 15.3.5, 15.3.6 and 15.4.5.
    """
    return status >= 200 and status not in (204, 205, 304)


def is_success(status: int) -> bool:
    """Whether a status says that the request was understood, accepted and acted on."""
    return 200 <= status < 300


def is_success_key(status: int | str) -> bool:
    """Whether a key of ``responses=`` is of successes: 201, or ``"2XX"``."""
    return status == "2XX" if isinstance(status, str) else is_success(status)


def status_code(status: t.Any) -> int:
    """The number of a status as Flask lets one write it: ``201``, ``"201 CREATED"``."""
    if isinstance(status, int):
        return int(status)
    number = str(status).strip().partition(" ")[0]
    # Werkzeug sends a status without a number as 0.
    return int(number) if number.isascii() and number.isdigit() else 200


def is_status(status: int | str) -> bool:
    """Whether a status has a number that HTTP has: 100 to 599. Source: RFC 9110, 15."""
    is_number = isinstance(status, int) or status[:3].isdecimal()
    return is_number and 100 <= status_code(status) <= 599


def split_response_tuple(value: tuple[t.Any, ...]) -> tuple[t.Any, t.Any, t.Any] | None:
    """The body, status and headers of a tuple, ``None`` where Flask will refuse it.

    ``(body, headers)`` has no status, ``(body, status)`` no headers.
    """
    if len(value) == 3:
        return value
    if len(value) != 2:
        return None
    body, second = value
    if isinstance(second, (Headers, dict, tuple, list)):
        return body, None, second
    return body, second, None
