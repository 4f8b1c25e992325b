"""Objects of other frameworks, which nothing here would read.

The default, the metadata or the class of an argument goes in; what comes from another
framework is refused. Pydantic leaves out metadata that it does not know: a login that
is declared with FastAPI's ``Depends()`` would be no login.
"""

from __future__ import annotations

import typing as t

from .._types.annotations import is_class
from ..exceptions import SignatureError

#: Packages whose objects declare arguments, with the package that has ours.
FRAMEWORKS: t.Final = frozenset(
    {"blacksheep", "fastapi", "litestar", "ninja", "starlette"}
)

#: What there is instead, by the name there, where it has another name or place.
INSTEAD: t.Final = {
    "BackgroundTasks": "Use a task queue",
    "HTTPConnection": "Use 'from flask import request'",
    "Request": "Use 'from flask import request'",
    "Response": "Annotate headers in the return annotation",
    "Security": "Write Annotated[User, scheme] or security=scheme",
    "SecurityScopes": "Use 'from flask_signature import Scopes'",
    "WebSocket": "There are no WebSockets in WSGI",
}

#: What has the same name here.
SAME: t.Final = frozenset(
    {"Body", "Cookie", "Depends", "File", "Form", "Header", "Path", "Query"}
    | {"UploadFile"}
)


def check_framework(name: str, value: t.Any) -> None:
    """Refuse an object of another framework, or a class of one.

    :param name: of the argument, for messages.
    :raises SignatureError: if the value is one.
    """
    cls = value if is_class(value) else type(value)
    package = cls.__module__.partition(".")[0]
    if package in FRAMEWORKS:
        raise SignatureError(
            f"{name} is declared with {cls.__name__} of {package}, which is not read"
            f" here. {_advice_on_framework(cls.__name__)}."
        )


def _advice_on_framework(name: str) -> str:
    if name in SAME:
        return f"Use 'from flask_signature import {name}'"
    return INSTEAD.get(name, "Remove it")
