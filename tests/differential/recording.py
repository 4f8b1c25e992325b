"""What can be seen of an application: its events, its log, its responses."""

from __future__ import annotations

import logging
import re
import typing as t
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import flask
from flask import g, request

ADDRESS = re.compile(r"0x[0-9a-fA-F]+|(?<=Context )\d{6,}(?= of)")
LOGGER = "differential"

#: A step may send a request, whose functions have steps: so many are enough for one.
MOST_STEPS = 25


def shown(value: t.Any) -> str:
    """The ``repr`` of a value, without addresses."""
    return ADDRESS.sub("0x", repr(value))


def shown_error(error: BaseException | None) -> t.Any:
    """An exception with what it came from: ``"ValueError('x') from None"``."""
    if error is None:
        return None
    cause, context = type(error.__cause__).__name__, type(error.__context__).__name__
    original = getattr(error, "original_exception", None)
    text = ADDRESS.sub("0x", f"{type(error).__name__}({str(error)[:300]!r})")
    inner = [shown_error(item) for item in getattr(error, "exceptions", ())]
    return f"{text} from {cause} in {context} of {shown_error(original)} {inner}"


def attempt(function: Callable[[], t.Any]) -> t.Any:
    """What a function returns, or the exception that it raises, as text."""
    try:
        return shown(function())
    except Exception as error:
        return shown_error(error)


def raw_session() -> t.Any:
    """The session, without marking it as accessed."""
    context: t.Any = flask.globals.app_ctx._get_current_object()
    if hasattr(context, "_get_session"):
        session = context._get_session()
    else:
        session = flask.globals.request_ctx._get_current_object().session
    marks = [getattr(session, mark, None) for mark in ("new", "modified", "accessed")]
    return None if session is None else (sorted(dict.items(session)), marks)


def look_at_request() -> t.Any:
    names = ("method", "path", "endpoint", "view_args", "blueprints", "script_root")
    rule, error = request.url_rule, request.routing_exception
    return (
        *(getattr(request, name) for name in names),
        rule and rule.rule,
        error and shown_error(error),
        attempt(lambda: request.max_content_length),
        request.environ.get("werkzeug.request") is request._get_current_object(),
    )


def look_at_host() -> t.Any:
    return attempt(lambda: request.host), attempt(lambda: request.url)


def look_at_urls() -> t.Any:
    values = (request.view_args or {}) if flask.has_request_context() else {}
    endpoint = (request.endpoint if flask.has_request_context() else None) or "static"
    return (
        attempt(lambda: flask.url_for(endpoint, **values)),
        attempt(lambda: flask.url_for(endpoint, _external=True, **values)),
        attempt(lambda: flask.url_for("static", filename="x", _scheme="https")),
    )


def look_at_adapter() -> t.Any:
    """The URL adapter of the context, as far as it is public."""
    adapters: list[t.Any] = [flask.globals.app_ctx.url_adapter]
    if flask.has_request_context():
        adapters.append(flask.globals.request_ctx.url_adapter)
    names = ("server_name", "script_name", "subdomain", "url_scheme", "path_info")
    names = (*names, "default_method", "query_args", "websocket")
    return [[getattr(item, name, None) for name in names] for item in adapters]


#: What is looked at, each with the context that it needs.
LOOKS: dict[str, tuple[Callable[[], bool], Callable[[], t.Any]]] = {
    "request": (flask.has_request_context, look_at_request),
    "host": (flask.has_request_context, look_at_host),
    "session": (flask.has_request_context, raw_session),
    "g": (flask.has_app_context, lambda: sorted((key, g.get(key)) for key in g)),
    "urls": (flask.has_app_context, look_at_urls),
    "adapter": (flask.has_app_context, look_at_adapter),
}


def look(name: str) -> t.Any:
    """What is seen, ``None`` outside of the context."""
    has_context, see = LOOKS[name]
    return see() if has_context() else None


class Recorder(logging.Handler):
    """The events of one application, in order: its own and those of its log."""

    def __init__(self, looks: tuple[str, ...]) -> None:
        super().__init__()
        self.looks = looks
        self.events: list[tuple[t.Any, ...]] = []
        #: Whether the application is being looked at, which may call its functions.
        self.is_busy = False
        self.depth = 0
        self.steps = 0
        self.streams: list[Iterator[str]] = []
        #: How often each thing of a description was come by: ``("step", "flash")``.
        self.hits: Counter[tuple[str, str]] = Counter()

    def event(self, what: str, *details: t.Any) -> None:
        """Keep an event, with what the application looks at."""
        contexts = (flask.has_app_context(), flask.has_request_context())
        self.events.append((what, *map(shown, details), contexts))
        if self.is_busy:
            return
        self.is_busy = True
        try:
            seen = [attempt(partial(look, name)) for name in self.looks]
        finally:
            self.is_busy = False
        if seen:
            self.plain_event("seen", *seen)

    def plain_event(self, what: str, *details: t.Any) -> None:
        """Keep an event, without a look at the application."""
        self.events.append((what, *map(shown, details)))

    def hit(self, kind: str, name: t.Any) -> None:
        """Count a thing of a description, which is not compared."""
        self.hits[kind, str(name)] += 1

    @contextmanager
    def deeper(self) -> Iterator[bool]:
        """Enter a step, which may be one inside of another; whether it may run."""
        self.depth += 1
        self.steps += 1
        try:
            yield self.depth <= 2 and self.steps <= MOST_STEPS
        finally:
            self.depth -= 1

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        text = ADDRESS.sub("0x", record.getMessage())
        self.event("log", record.name, record.levelname, text, shown_error(error))

    def keep(self, stream: Iterator[str]) -> Iterator[str]:
        """A stream, which is closed in the end of its request, not by the collector."""
        self.streams.append(stream)
        return stream

    def close_streams(self) -> None:
        streams, self.streams = self.streams, []
        for stream in streams:
            try:
                stream.close()  # type: ignore[attr-defined]
            except BaseException as error:
                self.plain_event("not closed", shown_error(error))

    def take(self) -> list[tuple[t.Any, ...]]:
        """The events since the last call."""
        events, self.events, self.steps = self.events, [], 0
        return events

    @contextmanager
    def logging(self) -> Iterator[None]:
        """Have what the application logs among the events, and nowhere else."""
        logger = logging.getLogger(LOGGER)
        logger.setLevel(logging.NOTSET)
        logger.propagate = False
        logger.addHandler(self)
        try:
            yield
        finally:
            logger.removeHandler(self)
            logger.propagate = True
            logger.setLevel(logging.NOTSET)
