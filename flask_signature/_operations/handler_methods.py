"""The methods that register error handlers, which look for what these say they send.

The application and the blueprint have them. This is imported with the package, and so
imports nothing that compiles views.
"""

from __future__ import annotations

import functools
import typing as t

import flask

from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Blueprint
    from flask import Flask
    from flask.blueprints import BlueprintSetupState

    from ..typing import ErrorHandler
    from .annotated_handlers import AnnotatedHandler

    #: What a handler is registered for.
    Caught: t.TypeAlias = type[Exception] | int

else:
    # At run time Flask's own classes come after these.
    Flask = Blueprint = object


M = t.TypeVar("M", bound="Callable[..., t.Any]")
F = t.TypeVar("F", bound="Callable[..., t.Any]")


def _as_in(cls: type) -> Callable[[M], M]:
    """A decorator that gives a method the help and the signature of Flask's."""

    def decorator(method: M) -> M:
        original = getattr(cls, method.__name__)
        return t.cast("M", functools.wraps(original)(method))

    return decorator


class ApplicationHandlers(Flask):
    """What an application does with error handlers.

    What one says that it sends, ``-> tuple[Problem, Literal[409]]``, is validated and
    filtered as what a view returns.

    :raises SignatureError: if one is annotated with a model and no status.
    """

    if t.TYPE_CHECKING:
        # What a handler returns may be of a model, which Flask's types do not have.
        def errorhandler(
            self, code_or_exception: Caught
        ) -> Callable[[ErrorHandler], ErrorHandler]: ...

    @_as_in(flask.Flask)
    def register_error_handler(
        self, code_or_exception: Caught, f: Callable[..., t.Any]
    ) -> None:
        handlers = Registry.of(self).handlers
        if id(f) not in handlers.known:
            f = _compiled(self, _find_annotated(f, code_or_exception), f)
        handlers.add(code_or_exception, f)
        super().register_error_handler(code_or_exception, f)

    @_as_in(flask.Flask)
    def before_request(self, f: F) -> F:
        super().before_request(_compiled(self, _find_annotated(f), f))
        return f


class BlueprintHandlers(Blueprint):
    """What a blueprint does with error handlers.

    Those that say what they send are compiled for each application that the blueprint
    is registered on.
    """

    _annotated_handlers: list[AnnotatedHandler]

    if t.TYPE_CHECKING:

        def errorhandler(
            self, code_or_exception: Caught
        ) -> Callable[[ErrorHandler], ErrorHandler]: ...

    @_as_in(flask.Blueprint)
    def register_error_handler(
        self, code_or_exception: Caught, f: Callable[..., t.Any]
    ) -> None:
        annotated = _find_annotated(f, code_or_exception)
        super().register_error_handler(code_or_exception, f)
        if annotated is not None:
            self._annotated_handlers.append(annotated)

    @_as_in(flask.Blueprint)
    def app_errorhandler(self, code: Caught) -> Callable[[ErrorHandler], ErrorHandler]:
        def decorator(function: ErrorHandler) -> ErrorHandler:
            annotated = _find_annotated(function, code)

            def register(state: BlueprintSetupState) -> None:
                compiled = _compiled(state.app, annotated, function)
                state.app.register_error_handler(code, compiled)

            self.record_once(register)
            return function

        return decorator

    @_as_in(flask.Blueprint)
    def before_request(self, f: F) -> F:
        annotated = _find_annotated(f)
        super().before_request(t.cast("t.Any", f))
        if annotated is not None:
            self._annotated_handlers.append(annotated)
        return f

    @_as_in(flask.Blueprint)
    def before_app_request(self, f: F) -> F:
        annotated = _find_annotated(f)

        def register(state: BlueprintSetupState) -> None:
            hooks = state.app.before_request_funcs.setdefault(None, [])
            hooks.append(_compiled(state.app, annotated, f))

        self.record_once(register)
        return f

    def compile_handlers(self, app: Flask, name: str) -> None:
        """Put what validates in the places of handlers that say what they send.

        :param name: that the blueprint is registered with.
        :raises SignatureError: if a model can't be serialized.
        """
        if not self._annotated_handlers:
            return
        from .annotated_handlers import compile_handlers

        compile_handlers(app, name, self._annotated_handlers)


def _find_annotated(function: t.Any, caught: t.Any = None) -> AnnotatedHandler | None:
    """A handler that says what it sends, ``None`` for another.

    :param caught: what it handles, ``None`` for a ``before_request`` function.
    :raises SignatureError: if it is an error handler with a model and no status.
    """
    from .._signature.hints import is_return_annotated

    # Flask says what is wrong with what is no function.
    if not callable(function) or not is_return_annotated(function):
        return None
    from .annotated_handlers import read_handler

    return read_handler(function, caught)


def _compiled(app: t.Any, annotated: AnnotatedHandler | None, function: t.Any) -> t.Any:
    """What is registered: the function, or one that filters its value."""
    if annotated is None:
        return function
    from .annotated_handlers import compile_handler

    return compile_handler(app, annotated)
