"""Flask views whose signature is the contract: parsed, validated, described."""

import typing as t

from ._operations.decorators import operation
from .app import Flask
from .blueprint import Blueprint
from .cookies import SetCookie
from .dependencies import Depends, Injected
from .exceptions import (
    RequestValidationError,
    ResponseValidationError,
    SignatureError,
    SignatureWarning,
)
from .params import Body, Cookie, File, Form, Header, Path, Query
from .security import Scopes
from .streams import Event, stream_with_context
from .typing import UploadFile

__all__ = [
    "Blueprint",
    "Body",
    "Cookie",
    "Depends",
    "Event",
    "File",
    "Flask",
    "Form",
    "Header",
    "Injected",
    "Path",
    "Query",
    "RequestValidationError",
    "ResponseValidationError",
    "Scopes",
    "SetCookie",
    "SignatureError",
    "SignatureWarning",
    "UploadFile",
    "operation",
    "stream_with_context",
]

if t.TYPE_CHECKING:
    __version__: str

else:

    def __getattr__(name):
        """The version, which is read when it is asked for."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version

        return version("flask-signature")
