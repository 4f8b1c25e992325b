"""Exceptions of a drawn application, and what its error handlers are for."""

from __future__ import annotations

from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect


class Custom(Exception):
    """An exception of the application."""


class Derived(Custom):
    """One that is handled as its base class is."""


class Teapot(HTTPException):
    code = 418
    description = "short and stout"


class Halted(BaseException):
    """What no error handler gets."""


#: What error handlers may be registered for.
ERRORS: dict[str, type[Exception]] = {
    "HTTPException": HTTPException,
    "Exception": Exception,
    "Custom": Custom,
    "Derived": Derived,
    "ValueError": ValueError,
    "LookupError": LookupError,
    "Teapot": Teapot,
    "RequestRedirect": RequestRedirect,
}
