"""The end of a request."""

from __future__ import annotations

import typing as t

import werkzeug
from werkzeug.wrappers import Request

from .._http.originals import find_original

CLOSE: t.Final = find_original(werkzeug, Request, "close")

#: The attributes of a request that has something to close, or its own way to.
CLOSED: t.Final = frozenset({"close", "files"})


def has_to_close(request: t.Any) -> bool:
    """Whether ``request.close()`` does anything, or is not Werkzeug's."""
    close = getattr(type(request), "close", None)
    return close is not CLOSE or not vars(request).keys().isdisjoint(CLOSED)


def close_request(request: t.Any) -> None:
    """Close a request, if there is a method for it."""
    close = getattr(request, "close", None)
    if close is not None:
        close()
