"""Middleware inside of a drawn application."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

from .cookies import timeless_headers
from .recording import Recorder


class Recording:
    """A middleware inside of an application, which records the call."""

    def __init__(self, recorder: Recorder, wrapped: Callable[..., t.Any]) -> None:
        self.recorder = recorder
        self.wrapped = wrapped

    def __call__(self, environ: t.Any, start_response: t.Any) -> t.Any:
        def started(status: str, headers: t.Any, *rest: t.Any) -> t.Any:
            sent = timeless_headers(headers)
            self.recorder.event("start_response", status, sent, rest)
            return start_response(status, headers, *rest)

        self.recorder.hit("middleware", type(self).__name__)
        self.recorder.event("middleware", environ.get("PATH_INFO"))
        return self.wrapped(environ, started)


class Shifting(Recording):
    """A middleware that changes what the application gets."""

    def __call__(self, environ: t.Any, start_response: t.Any) -> t.Any:
        environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + "/shifted"
        return super().__call__(environ, start_response)


MIDDLEWARE: dict[str, type[Recording]] = {"record": Recording, "shift": Shifting}
