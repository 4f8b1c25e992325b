"""The decorators of a route, and the options of the methods of a class."""

from __future__ import annotations

import inspect
import typing as t
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from weakref import WeakKeyDictionary

from flask.views import MethodView, http_method_funcs

from .._common import unknown_option
from .._routing.declaration import NOTHING_DECLARED, OPTIONS, read_declaration
from .._routing.route import show_rule
from .._signature.views import (
    author_frame,
    find_hidden_view,
    layers_of,
    source_location,
)
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from typing_extensions import Unpack

    from .._routing.declaration import Declaration
    from .._signature.views import ViewCallable
    from ..typing import OperationOptions, RouteOptions, VerbOptions, View


if t.TYPE_CHECKING:
    # From here and not from "flask.sansio", a folder without __init__.py, which
    # "basedpyright --verifytypes" cannot follow.
    from flask.debughelpers import Scaffold as Base  # type: ignore[attr-defined]
else:
    # At run time both subclasses inherit from Scaffold by way of Flask's own classes.
    Base = object


class DecoratedOptions(t.NamedTuple):
    """What a decorator knows of the rules that it adds.

    :param namespace: the local names around the view, which its annotations may use.
    :param declaration: of a route of a blueprint.
    :param compiled: the endpoint of a view that is compiled already, whose rule is to
        be added; ``""`` where there is none.
    """

    namespace: Mapping[str, t.Any] | None = None
    declaration: Declaration = NOTHING_DECLARED
    compiled: str = ""


#: What is declared for the rule that is being added, ``None`` where that is nothing.
DECLARED: t.Final[ContextVar[DecoratedOptions | None]] = ContextVar(
    "declared", default=None
)


@contextmanager
def declaring(declared: DecoratedOptions | None) -> Iterator[None]:
    """Say what is declared for the rules that are added meanwhile."""
    token = DECLARED.set(declared)
    try:
        yield
    finally:
        DECLARED.reset(token)


def declared_for(view: t.Any) -> DecoratedOptions:
    """What is declared for a rule that is being added."""
    declared = DECLARED.get()
    # An application may add other rules beside one that is compiled.
    if declared is None or declared.compiled:
        return DecoratedOptions(names_around(view))
    return declared


def names_around(view: t.Any) -> Mapping[str, t.Any] | None:
    """The local names where a view is defined, which its annotations may use."""
    if "<locals>" not in getattr(view, "__qualname__", ""):
        return None
    return dict(author_frame().f_locals)


@contextmanager
def located(show: Callable[[str], str]) -> Iterator[None]:
    """Say in the message of a :exc:`.SignatureError` what it is about, and where.

    :param show: adds that to a problem.
    """
    try:
        yield
    except SignatureError as error:
        raise SignatureError(show(str(error))) from error.__cause__


class VerbDecorator(t.Protocol):
    """``get()``, ``post()`` and the decorators of the other methods."""

    def __call__(
        self, rule: str, **options: Unpack[VerbOptions]
    ) -> Callable[[View], View]:
        """A decorator that registers a view for one method."""


def _verb(name: str, since: str = "0.1") -> VerbDecorator:
    """The method of :class:`Routes` that registers a view for one method of HTTP.

    :param name: of both: ``"get"``.
    :param since: the version that has it first.
    """

    def verb(self: t.Any, rule: str, **options: t.Any) -> Callable[[View], View]:
        _check_decorator_called(name, rule)
        if "methods" in options:
            raise SignatureError(
                f"{name.upper()} {show_rule(rule)}: Use the 'route' decorator to give"
                " 'methods'."
            )
        # Whatever wraps Flask's own is called; what has no own calls route().
        usual = partial(self.route, methods=[name.upper()])
        register = getattr(super(Routes, self), name, usual)(rule, **options)
        return t.cast("Callable[[View], View]", register)

    verb.__name__, verb.__qualname__ = name, f"Routes.{name}"
    verb.__doc__ = (
        f"Register a view for {name.upper()} requests; see :meth:`route`.\n\n"
        ":raises SignatureError: if an option is not known.\n\n"
        f".. versionadded:: {since}\n"
    )
    # A function in a class takes the instance that it is called on.
    return t.cast("VerbDecorator", verb)


def _check_decorator_called(name: str, rule: t.Any) -> None:
    """Refuse a view in place of a rule: the decorator is there without a call.

    :param name: of the decorator.
    :raises SignatureError: if it is one.
    """
    if not callable(rule):
        return
    view = getattr(rule, "__qualname__", repr(rule)).rpartition(".")[2]
    shown = view if isinstance(rule, type) else f"{view}()"
    raise SignatureError(
        f"{shown} is decorated with {name}, which was not called. Write"
        f" {name}('/{view.replace('_', '-')}'), or another rule."
        f" ({source_location(rule)})"
    )


class Routes(Base):
    """Decorators that register views, whose signature is their contract."""

    # Flask's own take any option; these name theirs.
    get: VerbDecorator = _verb("get")  # type: ignore[assignment]
    head: VerbDecorator = _verb("head")
    post: VerbDecorator = _verb("post")  # type: ignore[assignment]
    put: VerbDecorator = _verb("put")  # type: ignore[assignment]
    patch: VerbDecorator = _verb("patch")  # type: ignore[assignment]
    delete: VerbDecorator = _verb("delete")  # type: ignore[assignment]
    options: VerbDecorator = _verb("options")
    connect: VerbDecorator = _verb("connect")
    trace: VerbDecorator = _verb("trace")
    query: VerbDecorator = _verb("query", since="0.2")

    # Flask's own takes any option; this one names them.
    def route(  # type: ignore[override]
        self, rule: str, **options: Unpack[RouteOptions]
    ) -> Callable[[View], View]:
        """Register a view for a rule; the view is returned unchanged.

        :param rule: as Werkzeug writes it: ``"/users/<int:user_id>"``.
        :param options: those of :meth:`flask.Flask.route`, and those of
            :class:`~flask_signature.typing.OperationOptions`.
        :raises SignatureError: if an option is not known; for an application, also if
            the view can't be compiled. A blueprint's is compiled when it is registered.
        """
        _check_decorator_called("route", rule)
        given: dict[str, t.Any] = {**options}
        register = super().route(rule, **given)

        def decorator(view: View) -> View:
            with declaring(DecoratedOptions(names_around(view))):
                return register(view)

        return decorator


#: Options as a declaration has them, by name.
MethodOptions: t.TypeAlias = "Mapping[str, t.Any]"

#: The names of the methods that ``MethodView`` calls for a request.
METHOD_NAMES: t.Final = http_method_funcs | {"connect", "query"}

#: What is wrong with anything else that is decorated.
FOR_METHODS: t.Final = (
    ", which is for the methods of a MethodView that are named after those of HTTP:"
    " 'get', 'post'. Give the options to the rule."
)

#: The options of each function. They are not kept on it: ``functools.wraps`` would copy
#: them to a method that overrides it.
DECLARED_OPTIONS: t.Final[WeakKeyDictionary[t.Any, MethodOptions]] = WeakKeyDictionary()


def operation(**options: Unpack[OperationOptions]) -> Callable[[View], View]:
    """Give options to one method of a ``MethodView``, which is returned unchanged.

    They are added to those of the rules that the class is registered with. Where both
    say something, the method's take precedence; ``dependencies`` and ``decorators`` of
    both run, and ``responses`` are those of both. A method that overrides another has
    its own alone.

    :param options: those of :class:`~flask_signature.typing.OperationOptions`.
    :raises SignatureError: if an option is not known or of the wrong type, or if what
        is decorated is no method. Where it is a method that no request leads to, the
        registration of the class raises it.

    .. versionadded:: 0.2
    """
    given: dict[str, t.Any] = {**options}

    def decorator(method: View) -> View:
        function = _function_of(method)
        code = getattr(function, "__code__", None)
        # It is defined in a class, or written as if it were.
        is_method = code is not None and (
            "." in _name(function)
            or code.co_varnames[: code.co_argcount][:1] in (("self",), ("cls",))
        )
        if not is_method:
            raise _error(getattr(method, "view_class", method), FOR_METHODS)
        if _find(layers_of(method)) is not None:
            raise _error(method, " twice. Give it all of its options at once.")
        with located(lambda problem: f"{_show(method)}: {problem} {_place(method)}"):
            DECLARED_OPTIONS[function] = _read_options(given)
        return method

    return decorator


def _read_options(given: Mapping[str, t.Any]) -> MethodOptions:
    for name in given:
        if name not in OPTIONS:
            raise SignatureError(unknown_option(name, OPTIONS))
    declaration = read_declaration(given)
    values = {name: getattr(declaration, name) for name in given}
    return {
        name: value
        for name, value in values.items()
        # Where None says nothing, the rule may say something.
        if value is not None or getattr(NOTHING_DECLARED, name) is not None
    }


def _error(method: t.Any, problem: str) -> SignatureError:
    """The error of what is decorated with :func:`operation`."""
    shown = f"{_show(method)} is decorated with operation"
    return SignatureError(f"{shown}{problem} {_place(method)}")


def _function_of(method: t.Any) -> t.Any:
    """The outermost function of a method, ``None`` where there is none."""
    return next(filter(inspect.isfunction, layers_of(method)), None)


def options_of(view_callable: ViewCallable) -> MethodOptions:
    """The options above a method, or above what it wraps.

    :raises SignatureError: if it is a function, or if a decorator hides the method that
        has them.
    """
    found = _find((*view_callable.wrappers, view_callable.function))
    if found is not None and view_callable.view_class is None:
        name = view_callable.name
        raise SignatureError(f"{name} is decorated with operation{FOR_METHODS}")
    if found is not None or not DECLARED_OPTIONS:
        return found or {}
    function, advice = find_hidden_view(view_callable.function) or (None, "")
    if function is not None and function in DECLARED_OPTIONS:
        raise SignatureError(
            f"{view_callable.name} hides the options that {_show(function)} is given by"
            f" operation. {advice}"
        )
    return {}


def _find(layers: Iterable[t.Any]) -> MethodOptions | None:
    found = (DECLARED_OPTIONS.get(item) for item in layers if inspect.isfunction(item))
    return next((options for options in found if options is not None), None)


def methods_with_options(view: t.Any) -> dict[str, t.Any]:
    """The functions of the class of a view that have options, by their names."""
    view_class = getattr(view, "view_class", None)
    if not isinstance(view_class, type) or not DECLARED_OPTIONS:
        return {}
    found = {
        name: _function_of(inspect.getattr_static(view_class, name, None))
        for name in dir(view_class)
    }
    return {name: x for name, x in found.items() if x and x in DECLARED_OPTIONS}


def check_declared(view: t.Any, *, is_read: bool) -> None:
    """Refuse options of the methods of a class that have no effect.

    :param is_read: whether the view is compiled.
    :raises SignatureError: if the class of a view has one.
    """
    for name, function in methods_with_options(view).items():
        if not is_read:
            raise _error(
                function,
                ", but its class is registered on a plain flask.Blueprint, which does"
                " not read the options. Use flask_signature.Blueprint.",
            )
        if not issubclass(view.view_class, MethodView) or name not in METHOD_NAMES:
            raise _error(function, FOR_METHODS)


def _name(function: t.Any) -> str:
    """A function as it is called where it is defined: ``"Items.get"``."""
    name = getattr(function, "__qualname__", type(function).__name__)
    return str(name).rpartition("<locals>.")[2]


def _show(method: t.Any) -> str:
    return _name(method) if isinstance(method, type) else f"{_name(method)}()"


def _place(method: t.Any) -> str:
    return f"({source_location(_function_of(method) or method)})"
