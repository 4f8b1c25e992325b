"""The methods that register hooks and error handlers.

They refuse a hook that has a marker, and look for what error handlers and
``before_request`` functions say they send. The application and the blueprint have them.
This is imported with the package, and so imports nothing that compiles views.
"""

from __future__ import annotations

import functools
import typing as t

import flask

from .._signature.source import source_location
from .._signature.unwrap import unwrap_view
from ..exceptions import SignatureError
from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Blueprint, Flask
    from flask.blueprints import BlueprintSetupState

    from ..typing import ErrorHandler
    from .error_handlers import AnnotatedHandler

    #: What a handler is registered for.
    Caught: t.TypeAlias = type[Exception] | int

else:
    # At run time Flask's own classes come after these.
    Flask = Blueprint = object


C = t.TypeVar("C")
M = t.TypeVar("M", bound="Callable[..., t.Any]")
F = t.TypeVar("F", bound="Callable[..., t.Any]")


#: The other methods of Flask that take a hook as their one argument.
HOOKS: t.Final = (
    *("after_request", "teardown_request", "after_app_request"),
    *("teardown_app_request", "context_processor", "app_context_processor"),
    *("url_value_preprocessor", "app_url_value_preprocessor", "url_defaults"),
    *("app_url_defaults", "teardown_appcontext"),
)


def checks_hooks(cls: type[C]) -> type[C]:
    """The class, whose methods that register hooks refuse those with markers."""
    for name in HOOKS:
        if hasattr(cls, name):
            setattr(cls, name, _checked(cls, name))
    return cls


def _checked(cls: type, name: str) -> t.Any:
    """A method that checks a hook before it calls that of the base class."""

    @functools.wraps(getattr(cls, name))
    def register(self: t.Any, f: t.Any) -> t.Any:
        _check_hook(f)
        return getattr(super(cls, self), name)(f)

    return register


def _check_hook(hook: t.Any) -> None:
    """Refuse a hook that has a marker, with which Flask would call it.

    :raises SignatureError: if it has one.
    """
    from .._signature.hints import known_hints
    from .._signature.markers import MARKERS, call_of, find_special

    if not callable(hook) or isinstance(hook, type):
        return
    view_callable = unwrap_view(hook, "")
    parameters = view_callable.signature.parameters
    hints = known_hints(view_callable.function) if parameters else {}
    for name, parameter in parameters.items():
        marker = find_special(hints.get(name, t.Any), parameter.default)
        if marker is None or name in view_callable.bound:
            continue
        shown = call_of(marker) if isinstance(marker, MARKERS) else marker.__name__
        raise SignatureError(
            f"{view_callable.name} declares {name!r} with {shown}, but Flask calls it"
            " as it is: only views are parsed. Read flask.request there, or give the"
            " function to dependencies= of the application or the blueprint."
            f" ({source_location(view_callable.function)})"
        )


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
        from .error_handlers import compile_handlers

        compile_handlers(app, name, self._annotated_handlers)


def _find_annotated(function: t.Any, caught: t.Any = None) -> AnnotatedHandler | None:
    """A handler that says what it sends, ``None`` for another.

    :param caught: what it handles, ``None`` for a ``before_request`` function.
    :raises SignatureError: if it is an error handler with a model and no status.
    """
    from .._signature.hints import is_return_annotated

    _check_hook(function)
    # Flask says what is wrong with what is no function.
    if not callable(function) or not is_return_annotated(function):
        return None
    from .error_handlers import read_handler

    return read_handler(function, caught)


def _compiled(app: t.Any, annotated: AnnotatedHandler | None, function: t.Any) -> t.Any:
    """What is registered: the function, or one that filters its value."""
    if annotated is None:
        return function
    from .error_handlers import compile_handler

    return compile_handler(app, annotated)
