"""Methods that a drawn application overrides, or that somebody patches."""

from __future__ import annotations

import functools
import inspect
import typing as t
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import flask
from flask.sessions import SecureCookieSessionInterface

from .recording import Recorder, shown_error

#: Those that few requests come to: one is often drawn beside others.
SELDOM_CALLED = (
    "make_default_options_response",
    "inject_url_defaults",
    "handle_url_build_error",
)

#: Methods of an application that a request may go through.
METHODS = (
    *("wsgi_app", "full_dispatch_request", "preprocess_request", "dispatch_request"),
    *("process_response", "finalize_request", "make_response"),
    *("handle_user_exception", "handle_http_exception", "handle_exception"),
    *("do_teardown_request", "do_teardown_appcontext", "create_url_adapter"),
    *("ensure_sync", "request_context", "app_context", "should_ignore_error"),
    *("raise_routing_exception", "log_exception", "trap_http_exception"),
    "_find_error_handler",
    *SELDOM_CALLED,
)

#: Flask 3.2 passes the application context to the methods that a request goes through.
TAKES_CONTEXT = "ctx" in inspect.signature(flask.Flask.full_dispatch_request).parameters

#: Classes of Flask's contexts, those of the Flask that is installed.
CONTEXTS: tuple[type, ...] = tuple(
    cls
    for cls in (flask.ctx.AppContext, vars(flask.ctx).get("RequestContext"))
    if cls is not None
)

#: What is patched for the time of the requests, by name: its classes and the method.
PLACES: dict[str, tuple[tuple[type, ...], str]] = {
    "context push": (CONTEXTS, "push"),
    "context pop": (CONTEXTS, "pop"),
    "context init": (CONTEXTS, "__init__"),
    "context enter": (CONTEXTS, "__enter__"),
    "context match": (CONTEXTS[-1:], "match_request"),
    "open_session": ((SecureCookieSessionInterface,), "open_session"),
    "save_session": ((SecureCookieSessionInterface,), "save_session"),
    "signer": ((SecureCookieSessionInterface,), "get_signing_serializer"),
    "request init": ((flask.Request,), "__init__"),
    "request routing": ((flask.Request,), "_load_form_data"),
}


def essentials(arguments: tuple[t.Any, ...]) -> list[t.Any]:
    """What a method got, told by type, or as an exception."""
    return [
        shown_error(item) if isinstance(item, BaseException) else type(item).__name__
        for item in arguments
        if not isinstance(item, flask.Flask)
    ]


def essential(value: t.Any) -> str:
    """What a method returned, told by type."""
    # The classes of what we make are ours, and a body of one string is a list.
    kinds = (flask.Response, flask.Request, *CONTEXTS, str, bytes, dict)
    found = next((cls.__name__ for cls in kinds if isinstance(value, cls)), None)
    if found is None and isinstance(value, Iterable):
        return "Iterable"
    return found or type(value).__name__


def watched(
    recorder: Recorder, name: str, method: Callable[..., t.Any]
) -> Callable[..., t.Any]:
    @functools.wraps(method)
    def wrapper(*args: t.Any, **kwargs: t.Any) -> t.Any:
        if recorder.is_busy:
            return method(*args, **kwargs)
        recorder.hit("method", name.partition(" of ")[0])
        recorder.plain_event(f"call {name}", len(args), sorted(kwargs))
        try:
            value = method(*args, **kwargs)
        except BaseException as error:
            recorder.plain_event(f"raised {name}", shown_error(error))
            raise
        recorder.plain_event(f"returned {name}", essential(value))
        return value

    return wrapper


def as_override(method: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """A method for a subclass of Flask that takes whatever this version passes.

    Flask 3.2 reads in the signature whether a method takes the context. If it does not,
    Flask changes its own class for good.
    """
    names = ("self", "ctx") if TAKES_CONTEXT else ("self",)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind) for name in names]
    rest = inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)
    method.__signature__ = inspect.Signature([*parameters, rest])  # type: ignore[attr-defined]
    return method


def override(recorder: Recorder, base: type, name: str) -> Callable[..., t.Any]:
    """A method of a subclass that records its calls, and calls that of its base."""

    def method(self: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        return getattr(base, name)(self, *args, **kwargs)

    # Flask 3.2 reads it.
    method.__name__ = name
    return as_override(watched(recorder, f"{name} of subclass", method))


def patch_instance(recorder: Recorder, app: flask.Flask, name: str) -> None:
    """Patch a method of an application, as monitoring tools do."""
    method = watched(recorder, f"{name} of instance", getattr(app, name))
    setattr(app, name, method)


@contextmanager
def patched(recorder: Recorder, classes: tuple[type, ...], name: str) -> Iterator[None]:
    before = [(cls, vars(cls)[name]) for cls in classes if name in vars(cls)]
    for cls, method in before:
        setattr(cls, name, watched(recorder, f"{name} of {cls.__name__}", method))
    try:
        yield
    finally:
        for cls, method in before:
            setattr(cls, name, method)
