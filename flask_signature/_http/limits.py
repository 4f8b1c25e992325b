"""The limits of a request, as its properties say, but without Flask's proxies.

A request goes in, its limit comes out; what reads a body calls it.
"""

from __future__ import annotations

import typing as t

import flask
from flask import Request
from flask import current_app

from .originals import find_original

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: The application that answers.
# Documented by Werkzeug for LocalProxy, in spite of its name.
find_app: Callable[[], flask.Flask] = current_app._get_current_object  # type: ignore[attr-defined]


class Limit:
    """A limit that is configured, unless a request has one of its own.

    :param name: of the property: ``"max_content_length"``. Some versions of Flask have
        none that is configured.
    """

    __slots__ = ("_key", "_name", "_own", "_property")

    def __init__(self, name: str) -> None:
        self._name = name
        self._key = name.upper()
        # Where the property keeps what it was set to.
        self._own = f"_{name}"
        self._property = find_original(flask, Request, name)

    def of(self, request: Request) -> int | None:
        """What the property returns."""
        is_configured = getattr(type(request), self._name, None) is self._property
        if is_configured and getattr(request, self._own, None) is None:
            try:
                configured: int | None = find_app().config[self._key]
                return configured
            except RuntimeError:
                # There is no application.
                pass
        return t.cast("int | None", getattr(request, self._name))


MAX_CONTENT_LENGTH: t.Final = Limit("max_content_length")
MAX_FORM_MEMORY_SIZE: t.Final = Limit("max_form_memory_size")
