"""Rules and hooks of applications and blueprints, as Flask is given them.

What a decorator or ``add_url_rule()`` was given goes in; Flask's own is called with it,
and what is compiled is imported only then.
"""

from __future__ import annotations

import functools
import typing as t
import warnings
from contextlib import contextmanager
from functools import partial, wraps

import flask
from flask.views import View
from werkzeug.exceptions import HTTPException

from .._common import classes_with
from .._routing.declaration import OPTIONS
from .._routing.route import methods_of, read_route, show_rule
from .._signature.views import locate, source_location, unwrap_view
from ..exceptions import SignatureError, SignatureWarning
from .decorators import (
    DECLARED,
    DecoratedOptions,
    Routes,
    check_declared,
    declared_for,
    declaring,
    located,
)
from .registry import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from flask.blueprints import BlueprintSetupState

    from ..typing import ErrorHandler


#: The first arguments of ``add_url_rule()``, which may be given by name as well.
ARGUMENTS: t.Final = ("rule", "endpoint", "view_func")


class GivenRule:
    """What ``add_url_rule()`` is given, as whatever wraps Flask's own method sees it.

    :param args: by position: the rule, the endpoint and the view function.
    :param named: by name: these, the options of Flask and of this package.
    :ivar rule: the full rule.
    :ivar endpoint: the full endpoint, ``None`` for the name of the view.
    :ivar options: of Flask and of this package.
    :ivar name: the endpoint, or what Flask will take for it.
    """

    def __init__(self, args: Sequence[t.Any], named: Mapping[str, t.Any]) -> None:
        self._args, self._named = args, named
        found = {**dict(zip(ARGUMENTS, args, strict=False)), **named}
        self.rule: str = found.get("rule", "")
        self.endpoint: str | None = found.get("endpoint")
        self.view: Callable[..., t.Any] | None = found.get("view_func")
        self.options = {key: named[key] for key in named if key not in ARGUMENTS}
        self.name = self.endpoint or str(getattr(self.view, "__name__", ""))

    def add(self, add: Callable[..., None]) -> None:
        """Add the rule as it is."""
        add(*self._args, **self._named)

    def add_with(
        self,
        add: Callable[..., None],
        function: Callable[..., t.Any],
        options: Mapping[str, t.Any],
    ) -> None:
        """Add the rule with what is called in place of its view.

        :param options: those that are left for Flask.
        """
        changed: dict[str, t.Any] = {}
        if self.view is not None:
            changed["view_func"] = function
        # A decorator may have changed the name that Flask would take.
        if not self.endpoint and getattr(function, "__name__", "") != self.name:
            changed["endpoint"] = self.name
        args, rest = self._args[: len(ARGUMENTS)], self._args[len(ARGUMENTS) :]
        args = [changed.pop(*item) for item in zip(ARGUMENTS, args, strict=False)]
        named = {key: self._named[key] for key in self._named if key in ARGUMENTS}
        add(*args, *rest, **{**named, **changed, **options})


def add_rule(
    app: flask.Flask,
    given: GivenRule,
    *,
    add: Callable[..., None],
    takers: Iterable[Callable[..., t.Any]] = (),
) -> None:
    """Add a rule, whose view is compiled unless it is plain.

    :param add: Flask's own way to add a rule.
    :param takers: what may take further options, beside the class of rules.
    :raises SignatureError: if an option is not known, or the view can't be compiled.
    """
    declared = DECLARED.get()
    if declared is not None and declared.compiled == given.name != "":
        given.add(add)
        return
    view = _find_view(app, given)
    if view is None:
        check_declared(given.view, is_read=False)
        _refuse_unheeded(given)
        given.add(add)
    else:
        # The compilation imports most of Pydantic, which an import alone need not.
        from .compile import install

        declared = declared_for(view)
        # Nothing is declared for the rules that a function adds which decorates it.
        with declaring(None):
            with located(partial(show_rule_of, given, view)):
                route = read_route(
                    app,
                    given.rule,
                    given.endpoint or view.__name__,
                    view=view,
                    options=given.options,
                    takers=[app.url_rule_class, *takers],
                    declared=declared.declaration,
                )
            add_with = partial(given.add_with, add)
            install(app, route, given.view, namespace=declared.namespace, add=add_with)
    if given.name:
        guard_plain_views(app, Registry.of(app), [given.name])


def show_rule_of(
    given: GivenRule, view: Callable[..., t.Any] | None, problem: str
) -> str:
    """A problem with the rule and the place of a view, as far as they are known."""
    if view is None:
        return problem
    names = sorted(methods_of(view, given.options.get("methods"))) or ["GET"]
    view_callable = unwrap_view(view, names[0])
    shown = f"{', '.join(names)} {show_rule(given.rule)}"
    return locate(shown, f"{view_callable.name}: {problem}", view_callable)


def _find_view(app: flask.Flask, given: GivenRule) -> Callable[..., t.Any] | None:
    """The view to compile for a rule, ``None`` where there is none.

    A rule without one is another of an endpoint. If something else was put in the place
    of the function there, the rule is Flask's, and so is that of the static folder of a
    blueprint.
    """
    view, endpoint = given.view, given.name
    if any(cls.__module__ == "unittest.mock" for cls in type(view).__mro__):
        # It has whatever it is asked for, and declares nothing.
        return None
    if isinstance(view, type) and issubclass(view, View):
        _warn_of_class(given, view)
        return None
    known = Registry.of(app).operations.endpoints.get(endpoint)
    held = app.view_functions.get(endpoint)
    if known is not None and held is not None and not known.has(held):
        return None
    if view is None:
        return held if known is not None else None
    owner = app.blueprints.get(endpoint.rpartition(".")[0])
    if owner is None:
        return view
    is_declared = DECLARED.get() is not None
    is_static = not is_declared and view == getattr(owner, "send_static_file", None)
    return view if isinstance(owner, Routes) and not is_static else None


def _warn_of_class(given: GivenRule, view: type) -> None:
    """Warn of a class in place of its view function: an instance is no response."""
    problem = (
        "a class is registered in place of its view function, and each request is"
        f" answered with 500. Write {view.__name__}.as_view({view.__name__.lower()!r})."
    )
    warnings.warn(SignatureWarning(show_rule_of(given, view, problem)), stacklevel=2)


def _refuse_unheeded(given: GivenRule) -> None:
    """Refuse options of this package for a rule whose view is not compiled.

    :raises SignatureError: if there is one, which would have no effect.
    """
    declared = DECLARED.get()
    names = [name for name in given.options if name in OPTIONS]
    if declared is not None:
        names += declared.declaration.given_options()
    if names:
        raise SignatureError(
            f"{given.rule}: Option {names[0]!r} is for a view that is read, but"
            " whatever the endpoint has is called as it is. Give the rule its view."
        )


def with_declared(
    deferred: Callable[[BlueprintSetupState], None], declared: DecoratedOptions
) -> Callable[[BlueprintSetupState], None]:
    """What Flask calls to register a route of a blueprint, with what it declares."""

    @wraps(deferred)
    def register(state: BlueprintSetupState) -> None:
        with declaring(declared), compiling(state):
            deferred(state)

    return register


@contextmanager
def compiling(state: BlueprintSetupState) -> Iterator[None]:
    """Compile the rules that a blueprint adds meanwhile, before it adds them.

    A typed application does that itself, unless a subclass comes between.
    """
    # Flask types it as what it shares with Quart.
    app: t.Any = state.app
    is_own = "add_url_rule" in vars(app)
    if isinstance(app, CompilingApplication) or (
        Routes in _defining_rules(app).__bases__ and not is_own
    ):
        yield
        return
    state.app = t.cast("t.Any", CompilingApplication(app))
    try:
        yield
    finally:
        state.app = app


def _defining_rules(app: t.Any) -> type:
    """The class of an application that has its ``add_url_rule()``."""
    return next(classes_with(type(app), "add_url_rule"))


class CompilingApplication:
    """An application whose ``add_url_rule()`` compiles, for a typed blueprint.

    That of a subclass is given the function that was made, and Flask's options.
    """

    def __init__(self, app: flask.Flask) -> None:
        self._app = app

    def __getattr__(self, name: str) -> t.Any:
        return getattr(self._app, name)

    def add_url_rule(self, *args: t.Any, **options: t.Any) -> None:
        """Compile a view, and add its rule to the application.

        :raises SignatureError: if the view can't be compiled.
        """
        app, given = self._app, GivenRule(args, options)
        # A subclass may take more.
        owner = _defining_rules(app)
        is_usual = owner in flask.Flask.__mro__ or Routes in owner.__bases__
        takers = [] if is_usual else [type(app).add_url_rule]

        def add(*args: t.Any, **options: t.Any) -> None:
            with declaring(DecoratedOptions(compiled=given.name)):
                app.add_url_rule(*args, **options)

        add_rule(app, given, add=add, takers=takers)


def guard_plain_views(
    app: flask.Flask, registry: Registry, endpoints: Iterable[str] | None = None
) -> None:
    """Compile what guards plain views, which a plain ``flask.Flask`` is given.

    :param endpoints: of the views, ``None`` for all.
    :raises SignatureError: if it can't be compiled.
    """
    is_declared = registry.have_guards or registry.of_app.guards_views
    if not is_declared and not registry.has_default(app):
        return
    from .guards import guard_endpoint

    for endpoint in [*app.view_functions] if endpoints is None else endpoints:
        guard_endpoint(app, endpoint)


if t.TYPE_CHECKING:
    from flask.debughelpers import Scaffold as Base  # type: ignore[attr-defined]

    #: What a handler is registered for.
    Caught: t.TypeAlias = type[Exception] | int
else:
    # At run time Flask's own classes come after these.
    Base = object

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
    from .._signature.reader import MARKERS, call_of, find_special

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


def as_in(cls: type) -> Callable[[M], M]:
    """A decorator that gives a method the signature of Flask's, and the help too.

    What it says of itself stays.
    """

    def decorator(method: M) -> M:
        original, own = getattr(cls, method.__name__), method.__doc__
        functools.update_wrapper(method, original)
        method.__doc__ = own or original.__doc__
        return method

    return decorator


class Handlers(Base):
    """Error handlers and ``before_request`` functions that say what they send.

    What one returns, ``-> tuple[Problem, Literal[409]]``, is validated and filtered as
    what a view returns.

    :raises SignatureError: if one is annotated with a model and no status.
    """

    if t.TYPE_CHECKING:
        # What a handler returns may be of a model, which Flask's types do not have.
        def errorhandler(
            self, code_or_exception: Caught
        ) -> Callable[[ErrorHandler], ErrorHandler]: ...

    @as_in(flask.Flask)
    def register_error_handler(
        self, code_or_exception: Caught, f: Callable[..., t.Any]
    ) -> None:
        sending = self._annotated_sending(f, code_or_exception)
        super().register_error_handler(code_or_exception, sending)

    @as_in(flask.Flask)
    def before_request(self, f: F) -> F:
        super().before_request(self._annotated_sending(f))
        return f

    def _annotated_sending(self, function: t.Any, caught: t.Any = None) -> t.Any:
        """What Flask is given: the function, or one that filters its value.

        :param caught: what it handles, ``None`` for a ``before_request`` function.
        :raises SignatureError: if it is an error handler with a model and no status.
        """
        from .._signature.hints import is_return_annotated

        _check_hook(function)
        # Flask says what is wrong with what is no function.
        if not callable(function) or not is_return_annotated(function):
            return function
        from .errors import read_handler

        sending, compile_sent = read_handler(function, caught)
        if compile_sent is not None:
            self._keep_annotated(compile_sent)
        return sending

    def _keep_annotated(self, compile_sent: Callable[[t.Any], None]) -> None:
        raise NotImplementedError


class ApplicationHandlers(Handlers):
    """The handlers of an application, which are compiled when they are registered."""

    @as_in(flask.Flask)
    def register_error_handler(
        self, code_or_exception: Caught, f: Callable[..., t.Any]
    ) -> None:
        super().register_error_handler(code_or_exception, f)
        if code_or_exception in (Exception, HTTPException):
            handlers = Registry.of(t.cast("t.Any", self)).handlers
            handlers.has_own = True
            # The generic one, which is for a subclass, hides that for Exception.
            by_class: dict[t.Any, t.Any] = self.error_handler_spec[None][None]
            if by_class.get(HTTPException) is handlers.generic:
                by_class.pop(HTTPException, None)

    def _annotated_sending(self, function: t.Any, caught: t.Any = None) -> t.Any:
        handlers = Registry.of(t.cast("t.Any", self)).handlers
        # That of a blueprint is compiled already.
        if id(function) not in handlers.known:
            function = super()._annotated_sending(function, caught)
        return function

    def _keep_annotated(self, compile_sent: Callable[[t.Any], None]) -> None:
        compile_sent(self)


class BlueprintHandlers(Handlers):
    """The handlers of a blueprint, which are compiled for each of its applications."""

    _annotated_handlers: list[Callable[[t.Any], None]]

    @as_in(flask.Blueprint)
    def app_errorhandler(self, code: Caught) -> Callable[[ErrorHandler], ErrorHandler]:
        register: t.Any = t.cast("t.Any", super()).app_errorhandler(code)

        def decorator(function: ErrorHandler) -> ErrorHandler:
            register(self._annotated_sending(function, code))
            return function

        return decorator

    @as_in(flask.Blueprint)
    def before_app_request(self, f: F) -> F:
        t.cast("t.Any", super()).before_app_request(self._annotated_sending(f))
        return f

    def _keep_annotated(self, compile_sent: Callable[[t.Any], None]) -> None:
        self._annotated_handlers.append(compile_sent)
