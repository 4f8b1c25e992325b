"""The end of a request."""

from __future__ import annotations

import typing as t

import werkzeug
from werkzeug.wrappers import Request

from .._http.originals import find_original

CLOSE: t.Final = find_original(werkzeug, Request, "close")


def has_to_close(request: t.Any) -> bool:
    """Whether ``request.close()`` does anything, or is not Werkzeug's."""
    attributes = vars(request)
    return (
        getattr(type(request), "close", None) is not CLOSE
        or "files" in attributes
        or "close" in attributes
    )


def close_request(request: t.Any) -> None:
    """Close a request, if there is a method for it."""
    close = getattr(request, "close", None)
    if close is not None:
        close()
