"""One program, on Flask's class and on ours, whose methods are wrapped by a test.

The wrappers only count, or change what the method does. :func:`run` sends the requests.
"""

from __future__ import annotations

import functools
import inspect
import io
import re
import typing as t
from contextlib import ExitStack, contextmanager
from contextvars import Context
from operator import attrgetter
from types import FunctionType

import flask
from blinker import Signal
from flask.ctx import AppContext
from flask.json.provider import DefaultJSONProvider
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from werkzeug.routing import Map, MapAdapter, Rule
from werkzeug.test import create_environ, run_wsgi_app

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: What a class or an instance holds of its own, if not a method of that name.
ABSENT: t.Final = object()

#: What Python code makes methods of. Those of dictionaries are no concern of ours.
METHODS: t.Final = (FunctionType, classmethod, staticmethod)

#: The methods that are called by no name.
SPECIAL: t.Final = {"__call__", "__enter__", "__exit__", "__init__"}


class Fast(flask_signature.Flask):
    """Our class with the request cycle on."""

    fast_dispatch = True


def make_app(cls: type[flask.Flask]) -> flask.Flask:
    """The program: pages without hooks, so that nothing but a patch is in the way."""
    app = cls("patched", static_folder=None)
    app.secret_key = "a key long enough for every signature"
    # The logger is that of every application of the name.
    app.logger.disabled = True

    @app.get("/")
    def index() -> str:
        flask.session["visits"] = flask.session.get("visits", 0) + 1
        return flask.url_for("item", number=flask.session["visits"])

    @app.get("/items/<int:number>/")
    def item(number: int) -> flask.Response:
        flask.g.number = number
        return flask.jsonify(number=flask.g.number)

    @app.post("/items")
    def add() -> tuple[dict[str, t.Any], int]:
        return {"sent": flask.request.get_json()}, 201

    @app.get("/away")
    def away() -> t.Any:
        return flask.redirect(flask.url_for("index", _external=True))

    @app.get("/broken")
    def broken() -> str:
        raise LookupError

    return app


def environ(path: str, method: str = "GET", **options: t.Any) -> dict[str, t.Any]:
    """The WSGI environment of a request, whose errors are kept from the terminal."""
    return create_environ(path, method=method, errors_stream=io.StringIO(), **options)


#: The requests that are sent, in this order.
REQUESTS: t.Final[list[Callable[[], dict[str, t.Any]]]] = [
    functools.partial(environ, "/"),
    functools.partial(environ, "/items/3/?a=1"),
    functools.partial(environ, "/items/3"),
    functools.partial(environ, "/items", "POST", json={"a": [1, 2]}),
    functools.partial(environ, "/items", "POST", data="{", content_type="text/json"),
    functools.partial(environ, "/away"),
    functools.partial(environ, "/missing"),
    functools.partial(environ, "/broken"),
    functools.partial(environ, "/", "HEAD"),
    functools.partial(environ, "/", "OPTIONS"),
    functools.partial(environ, "/", "DELETE"),
]


def without_value(line: str) -> str:
    """A ``Set-Cookie`` without its value, which has the time that it was signed at."""
    name, _, rest = line.partition("=")
    return f"{name}; {rest.partition('; ')[2]}"


def send(app: flask.Flask, request: dict[str, t.Any]) -> tuple[t.Any, ...]:
    """The status, the headers and the body that are sent, or what is raised.

    And the variables of Flask that are left with a value in the context.
    """
    context = Context()
    try:
        body, status, headers = context.run(run_wsgi_app, app, request)
        text = b"".join(body)
        if (close := getattr(body, "close", None)) is not None:
            context.run(close)
    except Exception as error:
        # Some messages have the address of a context.
        return type(error), re.sub(r"\d{6,}", "...", str(error)), held_in(context)
    lines = [(k, without_value(v) if k == "Set-Cookie" else v) for k, v in headers]
    return status, lines, text, held_in(context)


def held_in(context: Context) -> list[str]:
    """The variables of Flask that have a value in a context."""
    return sorted(
        variable.name
        for variable in context
        if variable.name.startswith("flask.") and context[variable] is not None
    )


def session_cookie(app: flask.Flask) -> str:
    """The cookie that a first request is answered with, for the next ones."""
    try:
        headers = Context().run(run_wsgi_app, app, environ("/"), buffered=True)[2]
    except Exception:
        return ""
    return headers.get("Set-Cookie", "").partition(";")[0]


def run(app: flask.Flask) -> list[tuple[t.Any, ...]]:
    """What an application sends for each of the requests, the session carried on."""
    requests = [make() for make in REQUESTS]
    cookie = session_cookie(app)
    for request in requests:
        request["HTTP_COOKIE"] = cookie
    return [send(app, request) for request in requests]


def methods_of(cls: type) -> list[str]:
    """The public methods of a class, those of its bases included."""
    return [
        name
        for name in dir(cls)
        if (name in SPECIAL or not name.startswith("_"))
        and isinstance(inspect.getattr_static(cls, name), METHODS)
    ]


class Wrapper:
    """An object in the place of a function, in all it tells equal to the function.

    So are those of wrapt, with which OpenTelemetry, New Relic and ddtrace patch: name,
    code, hash and equality are those of what is wrapped.
    """

    def __init__(self, function: t.Any, count: Callable[[], None]) -> None:
        self._function = function
        self._count = count

    def __call__(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        self._count()
        return self._function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Wrapper:
        return Wrapper(self._function.__get__(instance, owner), self._count)

    def __getattr__(self, name: str) -> t.Any:
        return getattr(self._function, name)

    def __eq__(self, other: object) -> bool:
        return bool(self._function == other)

    def __hash__(self) -> int:
        return hash(self._function)

    @property
    def __class__(self) -> type:
        return type(self._function)


def function_around(function: t.Any, count: Callable[[], None]) -> t.Any:
    """A function around another one, or around a method of a class."""
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(function_around(function.__func__, count))

    @functools.wraps(function)
    def wrapper(*args: t.Any, **kwargs: t.Any) -> t.Any:
        count()
        return function(*args, **kwargs)

    return wrapper


@contextmanager
def replaced(owner: t.Any, name: str, value: object) -> Iterator[None]:
    """An attribute of a class or an instance is another one for a time."""
    held = vars(owner).get(name, ABSENT)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if held is ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, held)


class Calls(t.NamedTuple):
    """How often a method is called by the requests, and what these are answered."""

    #: With the wrapper there before the first request.
    before: int
    #: With the wrapper taken away after that.
    removed: int
    #: With the wrapper put there again.
    after: int
    sent: list[tuple[t.Any, ...]]


class Place(t.NamedTuple):
    """Where a method is wrapped: on a class, or on what an application holds."""

    app_class: type[flask.Flask]
    owner: type | None = None
    find: Callable[[flask.Flask], t.Any] | None = None

    def of(self, app: flask.Flask) -> t.Any:
        """The class or the instance."""
        return self.owner if self.find is None else self.find(app)


def count_calls(place: Place, name: str, wrap: Callable[..., t.Any]) -> Calls:
    """The calls of a method that the requests make.

    :param wrap: makes the wrapper, of the method and of what counts the calls.
    """
    counts = [0]

    def count() -> None:
        counts[-1] += 1

    def wrapped(owner: t.Any) -> t.Any:
        find = inspect.getattr_static if isinstance(owner, type) else getattr
        return replaced(owner, name, wrap(find(owner, name), count))

    with ExitStack() as stack:
        if place.owner is not None:
            stack.enter_context(wrapped(place.owner))
        app = make_app(place.app_class)
        if place.owner is None:
            stack.enter_context(wrapped(place.of(app)))
        counts.append(0)
        sent = run(app)
    counts.append(0)
    sent += run(app)
    with wrapped(place.of(app)):
        counts.append(0)
        sent += run(app)
    return Calls(*counts[1:], sent)


#: Flask's and Werkzeug's classes, as a program names them.
CLASSES: t.Final[dict[str, type]] = {
    cls.__name__: cls
    for cls in (
        flask.Flask,
        AppContext,
        # Merged with the other one in Flask 3.2.
        vars(flask.ctx).get("RequestContext", AppContext),
        SecureCookieSessionInterface,
        SecureCookieSession,
        Map,
        MapAdapter,
        Rule,
        flask.Request,
        flask.Response,
        DefaultJSONProvider,
        Signal,
    )
}

#: The methods that our classes call more or less often than Flask's, and why.
DIFFERENT: t.Final = {
    ("Response", name): "JSON is searched for NaN and infinities, which it cannot hold"
    for name in ("get_data", "iter_encoded")
} | {
    ("DefaultJSONProvider", "dumps"): "a signer asks once whether it signs text",
    ("Signal", "receivers_for"): "a signal without receivers is not sent",
    ("Signal", "send"): "a signal without receivers is not sent",
}

#: The attributes of an application's class that hold one of them, and of the instance.
ATTRIBUTES: t.Final = {
    "DefaultJSONProvider": ("json_provider_class", "json"),
    "Map": ("url_map_class", "url_map"),
    "Request": ("request_class", None),
    "Response": ("response_class", None),
    "Rule": ("url_rule_class", None),
    "SecureCookieSessionInterface": ("session_interface", "session_interface"),
}


def defining_class(cls: type, name: str) -> type:
    """The class that a method is inherited from."""
    return next(base for base in cls.__mro__ if name in vars(base))


def class_place(cls: type[flask.Flask], named: str, name: str) -> Place:
    """The class of Flask or Werkzeug."""
    return Place(cls, CLASSES[named])


def base_place(cls: type[flask.Flask], named: str, name: str) -> Place:
    """The class that the method is defined in."""
    return Place(cls, defining_class(CLASSES[named], name))


def used_place(cls: type[flask.Flask], named: str, name: str) -> Place:
    """The class that the application itself uses, which may be a subclass of ours."""
    if named == "Flask":
        return Place(cls, flask_signature.Flask if cls is Fast else flask.Flask)
    if named == "MapAdapter":
        return Place(cls, type(cls("patched").url_map.bind("localhost")))
    held = getattr(cls, ATTRIBUTES[named][0])
    return Place(cls, held if isinstance(held, type) else type(held))


def subclass_place(cls: type[flask.Flask], named: str, name: str) -> Place:
    """A subclass that a program has written."""
    if named == "Flask":
        made = type("Sub", (cls,), {})
        return Place(made, made)
    attribute = ATTRIBUTES[named][0]
    held = getattr(cls, attribute)
    sub = type("Sub", (held if isinstance(held, type) else type(held),), {})
    value = sub if isinstance(held, type) else sub()
    return Place(type("App", (cls,), {attribute: value}), sub)


def instance_place(cls: type[flask.Flask], named: str, name: str) -> Place:
    """The application, or an object that it holds."""
    if named == "Flask":
        return Place(cls, find=lambda app: app)
    return Place(cls, find=attrgetter(ATTRIBUTES[named][1] or ""))


@functools.cache
def methods_called() -> frozenset[tuple[str, str]]:
    """The methods, by class and name, that the requests call on plain Flask."""
    called = set()
    with ExitStack() as stack:
        for cls in CLASSES.values():
            for name in methods_of(cls):
                count = functools.partial(called.add, (cls.__name__, name))
                value = function_around(inspect.getattr_static(cls, name), count)
                stack.enter_context(replaced(cls, name, value))
        app = make_app(flask.Flask)
        called.clear()
        run(app)
    return frozenset(called)
