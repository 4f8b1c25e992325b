"""The operations of one application, and the view functions that run them."""

from __future__ import annotations

import inspect
import typing as t
from dataclasses import dataclass
from dataclasses import field
from functools import cache
from functools import cached_property

from flask import request
from werkzeug.exceptions import HTTPException

from ._views import scopes_of
from ._views import stand_for
from ._views import synchronous
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask
    from flask import Request

    from ._declaration import Declaration
    from ._operation import Operation
    from ._settings import Settings
    from ._signature import Subject
    from ._views import Route
    from ._views import ViewFunction


@dataclass(slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param operations: by the text of the rule, its domain, and the method.
    """

    view: ViewFunction
    operations: dict[tuple[str, str, str], Operation] = field(default_factory=dict)

    def view_function(self, app: Flask) -> ViewFunction:
        """The function that Flask calls: that of the operation, if there is but one."""
        runs = {id(item.run): item.run for item in self.operations.values()}
        if len(runs) == 1:
            return next(iter(runs.values()))
        by_key = {
            key: synchronous(app, item.run) for key, item in self.operations.items()
        }

        def dispatch(**view_args: t.Any) -> t.Any:
            return by_key[key_of(request)](**view_args)

        return stand_for(self.view, dispatch)


def key_of(request: Request) -> tuple[str, str, str]:
    """What tells the operations of an endpoint apart, for a request with a rule."""
    rule = request.url_rule
    assert rule is not None
    return rule.rule, rule.host or rule.subdomain or "", request.method


class Registry:
    """The operations of one application, in the order in which they were registered.

    It is kept in ``app.extensions["flask_signature"]``.
    """

    def __init__(self) -> None:
        self.initialized: bool = False
        self.endpoints: dict[str, Endpoint] = {}
        #: Our functions and the views behind them, which may be registered again, by
        #: identity: not all that can be called can be hashed.
        self.views: dict[int, tuple[ViewFunction, ViewFunction]] = {}
        #: The identities of those that are no coroutine functions.
        self.synchronous: set[int] = set()
        #: Endpoints that are wrong, unless a preprocessor is registered yet.
        self.doubts: list[tuple[str, SignatureError]] = []
        #: The author's handler for ``Exception``.
        self.catch_all: t.Any = None
        #: Whether the author has a handler for ``HTTPException``.
        self.handles_http_exception: bool = False
        #: The generic handler, once it is registered.
        self.handler: t.Any = None

    @classmethod
    def of(cls, app: Flask) -> Registry:
        """The registry of an application, which may be a plain ``flask.Flask``."""
        registry = app.extensions.get(EXTENSION)
        if registry is None:
            registry = app.extensions[EXTENSION] = cls()
        return t.cast("Registry", registry)

    @cached_property
    def settings(self) -> Settings:
        """What the configuration says; until ``init_app()``, the defaults."""
        from ._settings import Settings

        return Settings()

    @property
    def operations(self) -> list[Operation]:
        """Every operation once; HEAD, where it is the GET, is not counted."""
        found = [
            operation
            for endpoint in self.endpoints.values()
            for operation in endpoint.operations.values()
        ]
        return list({id(operation): operation for operation in found}.values())

    def note_handler(self, code_or_exception: t.Any, handler: t.Any) -> None:
        """Take note of an error handler of the author's, which wins over ours."""
        if code_or_exception is Exception:
            self.catch_all = handler
        if code_or_exception is HTTPException:
            self.handles_http_exception = True

    def validates_responses(self) -> bool:
        """Whether a response is validated by its model, unless its route says so."""
        return self.settings.validate_responses

    def add(
        self,
        app: Flask,
        route: Route,
        view: ViewFunction,
        declaration: Declaration,
        namespace: Mapping[str, t.Any] | None,
    ) -> ViewFunction:
        """Compile a route, and give the view function of its endpoint.

        :param namespace: the local names that the view's annotations may use.
        :raises SignatureError: if the route can't be compiled.
        """
        compile_operation = _compiler()
        endpoint = self.endpoints.get(route.endpoint)
        if endpoint is None or endpoint.view is not view:
            endpoint = Endpoint(view)
        compiled = {}
        for method in sorted(route.methods):
            if not _is_get_again(method, route, view):
                compiled[method] = compile_operation(
                    app,
                    self,
                    method=method,
                    route=route,
                    view=view,
                    declaration=declaration,
                    namespace=namespace,
                )
        if "GET" in compiled:
            compiled.setdefault("HEAD", compiled["GET"])
        for method, operation in compiled.items():
            endpoint.operations[route.rule, route.domain, method] = operation
        self.endpoints[route.endpoint] = endpoint
        function = endpoint.view_function(app)
        self.views[id(function)] = function, view
        found = endpoint.operations.values()
        is_ours = function is not view and not any(
            operation.declaration.decorators for operation in found
        )
        if is_ours or not inspect.iscoroutinefunction(function):
            self.synchronous.add(id(function))
        return function

    def doubt(self, app: Flask, route: Route, subject: Subject, problem: str) -> None:
        """Refuse a route whose view lacks an argument, as far as can be told now.

        A preprocessor may take the variable away. Those of a blueprint are known when
        it is registered; an application may get one after its routes. A view without
        any argument can only mean that, and so is asked about again in ``init_app()``.

        :raises SignatureError: if there is no preprocessor, and can't be one.
        """
        if is_consumed_before(app, route.endpoint):
            return
        error = SignatureError(problem)
        if "." in route.endpoint or self.initialized or subject.signature.parameters:
            raise error
        self.doubts.append((route.endpoint, error))

    def refuse_doubts(self, app: Flask) -> None:
        """Refuse what was left open while preprocessors could be registered.

        :raises SignatureError: if a view lacks an argument for a variable of its URL.
        """
        for endpoint, error in self.doubts:
            if not is_consumed_before(app, endpoint):
                raise error

    def operation_of(self, request: Request) -> Operation | None:
        """The operation that a request is for, ``None`` where it is none of ours."""
        endpoint = self.endpoints.get(request.endpoint or "")
        return None if endpoint is None else endpoint.operations.get(key_of(request))

    def view_behind(self, function: ViewFunction) -> ViewFunction:
        """The view that a function of ours stands for; any other is one itself."""
        return self.views.get(id(function), (function, function))[1]

    def knows(self, endpoint: str, view: ViewFunction) -> bool:
        """Whether an endpoint stands for this view already."""
        known = self.endpoints.get(endpoint)
        return known is not None and known.view is view


@cache
def _compiler() -> t.Any:
    # What compiles loads most of Pydantic, which an import alone need not.
    from ._operation import compile_operation

    return compile_operation


EXTENSION: t.Final = "flask_signature"


def _is_get_again(method: str, route: Route, view: ViewFunction) -> bool:
    """Whether HEAD is answered by the operation of GET, without the content."""
    if method != "HEAD" or "GET" not in route.methods:
        return False
    return not hasattr(getattr(view, "view_class", None), "head")


def is_consumed_before(app: Flask, endpoint: str) -> bool:
    """Whether a function may take variables away before the view is called."""
    functions = app.url_value_preprocessors
    return any(functions.get(scope) for scope in scopes_of(endpoint))
