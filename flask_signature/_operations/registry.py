"""What the package keeps for one application."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property

from werkzeug.exceptions import HTTPException

from .store import FunctionStore
from .store import OperationStore

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from flask import Flask

    from .._errors.format import ErrorDetails
    from .._routing.declaration import Declaration
    from .._routing.path_template import KnownConverters
    from .._settings import Settings
    from ..exceptions import RequestValidationError
    from ..exceptions import SignatureError

#: The key in ``app.extensions``.
EXTENSION: t.Final = "flask_signature"


@dataclass(slots=True)
class BlueprintScopes:
    """What blueprints and their registrations declare.

    :param declared: by the full name of the blueprint: ``"shop.items"``.
    """

    declared: dict[str, Declaration] = field(default_factory=dict)

    def enclosing(self, endpoint: str) -> dict[str, Declaration]:
        """The declarations of the blueprints of an endpoint, from the inside out."""
        names = _enclosing(endpoint.rpartition(".")[0])
        return {name: self.declared[name] for name in names if name in self.declared}

    def have_decorators(self) -> bool:
        """Whether a blueprint has decorators, which plain views in it need too."""
        return any(scope.decorators for scope in [*self.declared.values()])


@dataclass(slots=True)
class ErrorHandlers:
    """The error handlers that decide whether the generic one is used.

    :param catch_all: the author's handler for ``Exception``.
    :param has_http: whether the author has a handler for ``HTTPException``.
    """

    catch_all: t.Any = None
    has_http: bool = False

    def add(self, code_or_exception: t.Any, handler: t.Any) -> None:
        """Keep an error handler of the author's."""
        if code_or_exception is Exception:
            self.catch_all = handler
        if code_or_exception is HTTPException:
            self.has_http = True


@dataclass(slots=True)
class DeferredErrors:
    """Errors of views that lack an argument for a variable of their URL.

    A function that is registered later may remove the variable before the view is
    called, so that the errors are raised by ``init_app()``.
    """

    _by_endpoint: list[tuple[str, SignatureError]] = field(default_factory=list)

    def defer_error(self, endpoint: str, error: SignatureError) -> None:
        """Keep an error of an endpoint."""
        self._by_endpoint.append((endpoint, error))

    def raise_remaining(self, app: Flask) -> None:
        """Raise the first error of an endpoint for which there is no such function.

        :raises SignatureError: if there is one.
        """
        for endpoint, error in self._by_endpoint:
            if not may_take_variables(app, endpoint):
                raise error


@dataclass
class Registry:
    """What the package keeps for one application, in ``app.extensions``."""

    initialized: bool = False
    operations: OperationStore = field(default_factory=OperationStore)
    functions: FunctionStore = field(default_factory=FunctionStore)
    blueprints: BlueprintScopes = field(default_factory=BlueprintScopes)
    handlers: ErrorHandlers = field(default_factory=ErrorHandlers)
    deferred_errors: DeferredErrors = field(default_factory=DeferredErrors)
    converters: KnownConverters = field(default_factory=dict)

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
        from .._settings import Settings

        return Settings()

    def refuse(self, errors: Sequence[ErrorDetails]) -> RequestValidationError:
        """The exception of a request with some errors, in the configured format."""
        return self.settings.failure_format.refuse(errors)

    def validates_responses(self) -> bool:
        """Whether a response is validated, unless its route says otherwise."""
        return self.settings.validate_responses


def may_take_variables(app: Flask, endpoint: str) -> bool:
    """Whether a function may remove variables of the URL before the view is called."""
    return has_preprocessor(app, endpoint) or any(
        app.before_request_funcs.get(scope) for scope in _scopes_of(endpoint)
    )


def has_preprocessor(app: Flask, endpoint: str) -> bool:
    """Whether a function may give variables of the URL another value."""
    functions = app.url_value_preprocessors
    return any(functions.get(scope) for scope in _scopes_of(endpoint))


def _scopes_of(endpoint: str) -> list[str | None]:
    """The blueprints of an endpoint, and ``None``: to Flask, the application."""
    return [None, *_enclosing(endpoint.rpartition(".")[0])]


def _enclosing(name: str) -> Iterator[str]:
    """The name of a blueprint and those around it: ``"a.b"`` is in ``"a"``."""
    while name:
        yield name
        name = name.rpartition(".")[0]
