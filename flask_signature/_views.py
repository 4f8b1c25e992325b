"""The functions that Flask calls, and the routes that lead to them."""

from __future__ import annotations

import functools
import inspect
import typing as t

from flask import request

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from flask import Flask
    from flask import Request
    from werkzeug.routing import Rule

ViewFunction: t.TypeAlias = "Callable[..., t.Any]"


def stand_for(view: ViewFunction, run: ViewFunction) -> ViewFunction:
    """The function that runs in place of a view, with its name and its attributes.

    The attributes are shared, not copied: a decorator above that of the route may set
    one on the view, and a ``before_request`` look for it in ``app.view_functions``.
    """
    functools.update_wrapper(run, view, updated=())
    attributes = getattr(view, "__dict__", None)
    # A class has a view of its attributes only, a built-in function has none.
    if isinstance(attributes, dict):
        run.__dict__ = attributes
    return run


def current_request() -> Request:
    """The request itself: each look through ``flask.request`` would cost as much."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


def key_of(request: Request) -> tuple[int, str]:
    """What tells the operations of an application apart: the rule and the method.

    Rules have no hash, and two that are equal may stand for different operations.
    """
    return id(request.url_rule), request.method


def rules_of(app: Flask, endpoint: str) -> list[Rule]:
    """The rules of an endpoint, in the order in which they were added."""
    # iter_rules() sorts all the rules of the application first, each time that one has
    # been added: quadratic time, if it is asked for each route. Nothing else has them.
    by_endpoint = getattr(app.url_map, "_rules_by_endpoint", None)
    if by_endpoint is None:
        return [rule for rule in app.url_map.iter_rules() if rule.endpoint == endpoint]
    return [*by_endpoint.get(endpoint, ())]


def synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    """The view, or what runs it to its end if it is a coroutine function."""
    if not inspect.iscoroutinefunction(view):
        return view

    def call(**view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(**view_args)

    return call


def scopes_of(endpoint: str) -> list[str | None]:
    """Where Flask keeps what concerns a view: ``"a.b.show"`` is in ``a.b`` and ``a``.

    The first is the application, whose name is ``None``.
    """
    return [None, *enclosing(endpoint.rpartition(".")[0])]


def enclosing(name: str) -> Iterator[str]:
    """The name of a blueprint and those around it: ``"a.b"`` is in ``"a"``."""
    while name:
        yield name
        name = name.rpartition(".")[0]
