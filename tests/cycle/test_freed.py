"""What a request has used is freed at its end, without the cyclic collector.

A traceback holds the frames that an exception has passed. One that refers to the
exception keeps what the others hold, such as a database session in ``flask.g``.
"""

from __future__ import annotations

import gc
import typing as t
from collections.abc import Iterator
from contextlib import suppress
from functools import wraps
from weakref import ref

import flask
import pytest
from flask import abort
from flask.views import MethodView
from patches import Fast, environ, send
from pydantic import BaseModel

from flask_signature import Depends
from flask_signature.security import APIKey, HTTPBearer

if t.TYPE_CHECKING:
    from collections.abc import Callable


class Resource:
    """What a program opens for a request."""


class Number(BaseModel):
    number: int


class Used:
    """The resources of an application, as far as they are alive."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, ref[Resource]]] = []

    def open(self, name: str) -> Resource:
        resource = Resource()
        self._kept.append((name, ref(resource)))
        return resource

    def depend(self) -> Iterator[Resource]:
        yield self.open("dependency")

    @property
    def alive(self) -> set[str]:
        return {name for name, known in self._kept if known() is not None}


@pytest.fixture(autouse=True, scope="module")
def only_new_objects_are_collected() -> Iterator[None]:
    """What the other tests have left is not looked at each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def alive_after(
    cls: type[flask.Flask],
    add: Callable[[t.Any, Used], object],
    *,
    options: dict[str, bool],
    key: str = "",
) -> set[str]:
    """The names of the resources that are alive when a request for ``/`` has ended.

    :param add: adds views and hooks to the application.
    """
    app, used = cls("freed", static_folder=None), Used()
    app.config.update(options)
    app.logger.disabled = True

    @app.before_request
    def before() -> None:
        flask.g.session = used.open("g")

    add(app, used)
    # The first request is Flask's.
    send(app, environ("/first"))
    gc.collect()
    gc.disable()
    try:
        headers = {"X-Key": key, "Authorization": "Bearer ann"}
        with suppress(KeyboardInterrupt):
            send(app, environ("/", headers=headers))
        return used.alive
    finally:
        gc.enable()


def fail(*args):
    raise LookupError


def refuse(*args):
    abort(409)


def interrupt(*args):
    raise KeyboardInterrupt


def fail_with_local(*args):
    # A cycle of the program's own, which holds what was called before it.
    error = LookupError()
    raise error


def fail_from_another(*args):
    try:
        fail()
    except LookupError as error:
        raise ValueError from error


RAISING: t.Final = [fail, refuse, fail_with_local, fail_from_another]


# Each of these returns what adds to an application, and may use resources.


def add_view(function):
    return lambda app, used: app.add_url_rule("/", "view", function)


def add_class(app, used):
    class View(MethodView):
        def get(self) -> str:
            return fail()

    app.add_url_rule("/", view_func=View.as_view("view"))


def add_handler(function):
    def add(app, used):
        app.add_url_rule("/", "view", fail)
        app.register_error_handler(LookupError, function)

    return add


def add_hook(name, function):
    def add(app, used):
        app.add_url_rule("/", "view", lambda: "")
        getattr(app, name)(function)

    return add


PROGRAMS: t.Final = {
    **{f"view {raising.__name__}": add_view(raising) for raising in RAISING},
    "view interrupt": add_view(interrupt),
    "view of a class": add_class,
    "no view": lambda app, used: None,
    "handler": add_handler(lambda error: ("", 409)),
    "handler fail": add_handler(fail_from_another),
    **{
        f"{hook} {raising.__name__}": add_hook(hook, raising)
        for hook in ("before_request", "after_request")
        for raising in RAISING
    },
    "teardown_request": add_hook("teardown_request", fail),
    "teardown_appcontext": add_hook("teardown_appcontext", fail),
}

#: Programs whose exceptions refer to themselves: by a local variable of the program's,
#: or where the request keeps them, or the context of Flask 3.2.
KEPT: t.Final = {
    name for name in PROGRAMS if "with_local" in name or name.startswith("teardown")
} | {"no view"}

with_options = pytest.mark.parametrize(
    "options", [{}, {"TESTING": True}, {"PROPAGATE_EXCEPTIONS": True}], ids=str
)


@with_options
@pytest.mark.parametrize("program", PROGRAMS)
def test_g_is_freed_where_flask_frees_it(program, options):
    add = PROGRAMS[program]

    alive = [alive_after(cls, add, options=options) for cls in (flask.Flask, Fast)]

    assert alive[1] <= alive[0]
    # Flask keeps more of it since version 3.2, whose request has one context.
    assert alive[1] == set() or program in KEPT


def view_of(function, **given):
    """Adds a view that depends on a generator, and calls a function."""

    def add(app, used):
        def view(resource: Resource = Depends(used.depend, **given)) -> Number:
            return function()

        app.get("/")(view)

    return add


def generator_of(before, after):
    """Adds a view that fails, and depends on a generator that handles it.

    :param before: is called before it yields, and the other one where that raises.
    """

    def add(app, used):
        def handle(resource: Resource = Depends(used.depend)):
            before()
            try:
                yield resource
            except LookupError:
                after()

        @app.get("/")
        def view(resource: Resource = Depends(handle)) -> Number:
            return fail()

    return add


def add_decorated(app, used):
    def decorate(view):
        @wraps(view)
        def wrapper(**view_args):
            used.open("local")
            flask.jsonify(number="none")
            return view(**view_args)

        return wrapper

    @app.get("/")
    @decorate
    def view() -> Number:
        return fail()


def commit_of(**given):
    """Adds a view that depends on a generator which fails when it is closed."""

    def add(app, used):
        def commit():
            yield used.open("dependency")
            fail()

        @app.get("/")
        def view(resource: Resource = Depends(commit, **given)) -> Number:
            return Number(number=1)

    return add


def add_guard(app, used):
    def guard(resource: Resource = Depends(used.depend)) -> None:
        refuse()

    app.get("/", dependencies=[guard])(lambda: "")


def add_refused_argument(app, used):
    @app.get("/")
    def view(page: int, resource: Resource = Depends(used.depend)) -> str:
        return ""


DEPENDENCIES: t.Final = {
    "view fail": view_of(fail),
    "view refuse": view_of(refuse),
    "view interrupt": view_of(interrupt),
    "view returns what does not fit": view_of(dict),
    "request scope fail": view_of(fail, scope="request"),
    "request scope refuse": view_of(refuse, scope="request"),
    "generator opens fail": generator_of(fail, fail),
    "generator replaces": generator_of(lambda: None, refuse),
    "generator chains": generator_of(lambda: None, fail_from_another),
    "generator swallows": generator_of(lambda: None, lambda: None),
    "generator closes": commit_of(),
    "request scope closes": commit_of(scope="request"),
    "decorator": add_decorated,
    "guard": add_guard,
    "argument": add_refused_argument,
}


@with_options
@pytest.mark.parametrize("program", DEPENDENCIES)
def test_dependencies_are_freed(program, options):
    assert alive_after(Fast, DEPENDENCIES[program], options=options) == set()


@pytest.mark.parametrize("key", ["known", "wrong"])
def test_what_a_scheme_raises_is_freed(key):
    def add(app, used):
        def log_in(resource: Resource = Depends(used.depend)) -> str:
            return refuse()

        token = HTTPBearer("token", authenticate=log_in)
        by_key = APIKey("key", "X-Key", verify=lambda key: key == "known" or None)
        app.get("/", security=token | by_key)(lambda: "")

    assert alive_after(Fast, add, options={}, key=key) == set()
