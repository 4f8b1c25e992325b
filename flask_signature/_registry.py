"""The operations of one application, and the view functions that run them."""

from __future__ import annotations

import typing as t
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from inspect import iscoroutinefunction

from werkzeug.exceptions import HTTPException

from ._views import enclosing
from ._views import key_of
from ._views import scopes_of
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request
    from werkzeug.routing import Rule

    from ._errors.format import ErrorDetails
    from ._operation import Operation
    from ._routing.declaration import Declaration
    from ._routing.route import Route
    from ._settings import Settings
    from ._signature.unwrap import ViewCallable
    from ._views import ViewFunction
    from .exceptions import RequestValidationError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param function: the one for all of them that was made for Flask, ``None`` where
        it is one that Flask had before.
    """

    view: ViewFunction
    function: ViewFunction | None
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """A function that Flask was given in place of a view.

    :param inside: the one that it calls, where it is a wrapper around it.
    """

    function: ViewFunction
    view: ViewFunction
    operations: tuple[Operation, ...]
    inside: Given | None = None

    @property
    def scopes(self) -> frozenset[str]:
        """The blueprints whose declarations all of its operations have."""
        return shared_scopes(self.operations)

    def find(self, method: str) -> Sequence[Operation]:
        """The operations that say what holds for a method: its own, else all."""
        methods = ("HEAD", "GET") if method == "HEAD" else (method,)
        for name in methods:
            own = [item for item in self.operations if item.method == name]
            if own:
                return own
        return self.operations if self.inside is None else self.inside.find(method)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A view inside of blueprints, and the function with their decorators.

    :param view: a plain view, or the function itself where the view is compiled.
    :param scopes: the names of the blueprints whose decorators these are.
    """

    view: ViewFunction
    function: ViewFunction
    scopes: frozenset[str]


class Registry:
    """The operations of one application, in the order in which they were registered.

    It is kept in ``app.extensions["flask_signature"]``.
    """

    def __init__(self) -> None:
        self.initialized: bool = False
        self.endpoints: dict[str, Endpoint] = {}
        #: The functions that Flask was given, which may be registered again, by
        #: identity: not all that can be called can be hashed.
        self.given: dict[int, Given] = {}
        #: By endpoint, what has the decorators of its blueprints.
        self.guarded: dict[str, Guarded] = {}
        #: The endpoints whose rules are passed on to Flask by a blueprint of ours.
        self.passed: set[str] = set()
        #: What is said by a blueprint and where it is registered, by its name and those
        #: around it: ``"shop.items"``.
        self.scopes: dict[str, Declaration] = {}
        #: Those that are no coroutine functions, likewise.
        self.synchronous: dict[int, ViewFunction] = {}
        #: The operations with the rules that lead to them, in the order in which they
        #: were registered, and by the identity of the rule and the method.
        self._registered: list[tuple[Operation, tuple[Rule, ...]]] = []
        self._by_rule: dict[tuple[int, str], Operation] = {}
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
        """Every operation that a request may lead to; HEAD may be that of GET."""
        # A copy: another thread may register routes meanwhile.
        return [
            operation
            for operation, rules in [*self._registered]
            if not rules or any(map(_is_routable, rules))
        ]

    def guards(self) -> bool:
        """Whether a blueprint has decorators, which plain views inside need too."""
        return any(scope.decorators for scope in [*self.scopes.values()])

    def scopes_around(self, endpoint: str) -> dict[str, Declaration]:
        """What the blueprints around an endpoint say by their names, inside out."""
        names = enclosing(endpoint.rpartition(".")[0])
        return {name: self.scopes[name] for name in names if name in self.scopes}

    @contextmanager
    def passing(self, endpoint: str) -> Iterator[None]:
        """While Flask is given a rule of a blueprint of ours, which is compiled."""
        self.passed.add(endpoint)
        try:
            yield
        finally:
            self.passed.discard(endpoint)

    def note_handler(self, code_or_exception: t.Any, handler: t.Any) -> None:
        """Take note of an error handler of the author's, which wins over ours."""
        if code_or_exception is Exception:
            self.catch_all = handler
        if code_or_exception is HTTPException:
            self.handles_http_exception = True

    def refuse(self, errors: Sequence[ErrorDetails]) -> RequestValidationError:
        """The exception of a request with some errors, in the configured format."""
        return self.settings.failure_format.refuse(errors)

    def validates_responses(self) -> bool:
        """Whether a response is validated by its model, unless its route says so."""
        return self.settings.validate_responses

    def note(self, given: Given) -> None:
        """Take note of a function that Flask is given for a view."""
        function = given.function
        is_ours = function is not given.view
        if is_ours:
            self.given.setdefault(id(function), given)
        is_plan = any(function is operation.plan for operation in given.operations)
        if (is_plan and is_ours) or not iscoroutinefunction(function):
            self.synchronous[id(function)] = function

    def add(
        self,
        name: str,
        endpoint: Endpoint,
        function: ViewFunction,
        compiled: Mapping[str, Operation],
        rules: Sequence[Rule],
    ) -> None:
        """Keep the operations of a route that Flask knows.

        :param name: the endpoint.
        :param function: that Flask holds for it.
        :param compiled: the operations by their methods.
        :param rules: those that were added, which may be more than one or none where
            the class of rules is the author's.
        """
        self.endpoints[name] = endpoint
        if scopes := shared_scopes(endpoint.operations):
            self.guarded[name] = Guarded(function, function, scopes)
        for method, operation in compiled.items():
            self._registered.append((operation, tuple(rules)))
            for key in keys_of(rules, method, compiled):
                self._by_rule[key] = operation

    def doubt(
        self, app: Flask, route: Route, view_callable: ViewCallable, problem: str
    ) -> None:
        """Refuse a route whose view lacks an argument, as far as can be told now.

        A preprocessor may take the variable away. Those of a blueprint are known when
        it is registered; an application may get one after its routes. A view without
        any argument can only mean that, and so is asked about again in ``init_app()``.

        :raises SignatureError: if there is no preprocessor, and can't be one.
        """
        if is_consumed_before(app, route.endpoint):
            return
        error = SignatureError(problem)
        if (
            "." in route.endpoint
            or self.initialized
            or view_callable.signature.parameters
        ):
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
        found = self._by_rule.get(key_of(request))
        endpoint = self.endpoints.get(request.endpoint or "")
        if found is not None or endpoint is None:
            return found
        names = request.view_args or ()
        return choose_operation(endpoint.operations, request.method, names)

    def choose(
        self, request: Request, operations: Collection[Operation]
    ) -> Operation | None:
        """That of some operations which a request is for, ``None`` if it is another's.

        A view may be called while a request for another one is served.
        """
        found = self.operation_of(request)
        return next((item for item in operations if item is found), None)


def choose_operation(
    operations: Sequence[Operation], method: str, names: Collection[str] = ()
) -> Operation | None:
    """The operation to run under a rule that was not added with ``add_url_rule()``.

    It is one of the method, if there is any. ``None`` is for what can't be told:
    operations that are declared differently.

    :param names: what the URL provides, which tells the others apart.
    """
    own = "GET" if method == "HEAD" else method
    fitting = [item for item in operations if item.method == own] or operations
    if any(item.declaration != fitting[0].declaration for item in fitting):
        return None
    same = [item for item in fitting if item.template.variables == {*names}]
    return next(iter(same or fitting), None)


def shared_scopes(operations: Sequence[Operation]) -> frozenset[str]:
    """The blueprints whose declarations each of some operations has."""
    first, *rest = [operation.scopes for operation in operations]
    return first.intersection(*rest)


def keys_of(
    rules: Iterable[Rule], method: str, methods: Collection[str]
) -> list[tuple[int, str]]:
    """Where an operation is found: by its rules and its method.

    :param methods: those that are compiled. Where HEAD is not, it is answered by GET.
    """
    found = [method]
    if method == "GET" and "HEAD" not in methods:
        found.append("HEAD")
    return [(id(rule), name) for rule in rules for name in found]


def _is_routable(rule: Rule) -> bool:
    """Whether a request can get to a view by a rule."""
    return not (rule.build_only or rule.redirect_to or rule.websocket)


EXTENSION: t.Final = "flask_signature"


def is_consumed_before(app: Flask, endpoint: str) -> bool:
    """Whether a function may take variables away before the view is called."""
    functions = app.url_value_preprocessors
    return any(functions.get(scope) for scope in scopes_of(endpoint))
