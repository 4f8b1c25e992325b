"""The options of one method of a ``MethodView``, which stand above it.

The decorator :func:`operation` keeps them; the registration of the class asks for them.
This is imported with the package, and so imports nothing that compiles views.
"""

from __future__ import annotations

import inspect
import typing as t
from weakref import WeakKeyDictionary

from flask.views import MethodView, http_method_funcs

from .._options import unknown_option
from .._routing.declaration import NOTHING_DECLARED, OPTIONS, read_declaration
from .._signature.source import source_location
from .._signature.unwrap import find_hidden_view, layers_of
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from typing_extensions import Unpack

    from .._signature.unwrap import ViewCallable
    from ..typing import OperationOptions, View

#: Options as a declaration has them, by name.
MethodOptions: t.TypeAlias = "Mapping[str, t.Any]"

#: The names of the methods that ``MethodView`` calls for a request.
METHOD_NAMES: t.Final = http_method_funcs | {"connect"}

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
    say something, the method's win; ``dependencies`` and ``decorators`` of both run,
    and ``responses`` are those of both. A method that overrides another has its own
    alone.

    :param options: those of :class:`~flask_signature.typing.OperationOptions`.
    :raises SignatureError: if an option is not known or of the wrong type, or if what
        is decorated is no method. Where it is a method that no request leads to, the
        registration of the class raises it.

    .. versionadded:: 0.2
    """
    given: dict[str, t.Any] = {**options}

    def decorator(method: View) -> View:
        function = _function_of(method)
        if function is None or not _is_method(function):
            raise _error(getattr(method, "view_class", method), FOR_METHODS)
        if _find(layers_of(method)) is not None:
            raise _error(method, " twice. Give it all of its options at once.")
        try:
            DECLARED_OPTIONS[function] = _read_options(given)
        except SignatureError as error:
            problem = f"{_show(method)}: {error} {_place(method)}"
            raise SignatureError(problem) from None
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
    """The refusal of what is decorated with :func:`operation`."""
    shown = f"{_show(method)} is decorated with operation"
    return SignatureError(f"{shown}{problem} {_place(method)}")


def _is_method(function: t.Any) -> bool:
    """Whether a function stands in a class, or is written as if it did."""
    first = function.__code__.co_varnames[: function.__code__.co_argcount][:1]
    return "." in _name(function) or first in (("self",), ("cls",))


def _function_of(method: t.Any) -> t.Any:
    """The outermost function of a method, ``None`` where there is none."""
    return next(filter(inspect.isfunction, layers_of(method)), None)


def options_of(view_callable: ViewCallable) -> MethodOptions:
    """The options that stand above a method, or above what it wraps.

    :raises SignatureError: if it is a function, or if a decorator hides the method that
        has them.
    """
    found = _find((*view_callable.wrappers, view_callable.function))
    if found is not None and view_callable.view_class is None:
        name = view_callable.name
        raise SignatureError(f"{name} is decorated with operation{FOR_METHODS}")
    if found is not None or not DECLARED_OPTIONS:
        return found or {}
    hidden = find_hidden_view(view_callable.function)
    if hidden is not None and hidden.function in DECLARED_OPTIONS:
        raise SignatureError(
            f"{view_callable.name} hides the options that {_show(hidden.function)} is"
            f" given by operation. {hidden.advice}"
        )
    return {}


def _find(layers: Iterable[t.Any]) -> MethodOptions | None:
    found = (DECLARED_OPTIONS.get(item) for item in layers if inspect.isfunction(item))
    return next((options for options in found if options is not None), None)


def declared_methods(view: t.Any) -> Iterator[tuple[str, t.Any]]:
    """The methods of the class of a view that have options, by their names."""
    view_class = getattr(view, "view_class", None)
    if not isinstance(view_class, type) or not DECLARED_OPTIONS:
        return
    for name in dir(view_class):
        function = _function_of(inspect.getattr_static(view_class, name, None))
        if function is not None and function in DECLARED_OPTIONS:
            yield name, function


def check_method_names(view: t.Any) -> None:
    """Refuse options of a method that no request leads to.

    :raises SignatureError: if the class of a view has one.
    """
    for name, function in declared_methods(view):
        if not issubclass(view.view_class, MethodView) or name not in METHOD_NAMES:
            raise _error(function, FOR_METHODS)


def refuse_unread(view: t.Any) -> None:
    """Refuse options of the methods of a plain view, which nobody reads.

    :raises SignatureError: if its class has one.
    """
    for _, function in declared_methods(view):
        raise _error(
            function,
            ", but its class is registered on a plain flask.Blueprint, which does not"
            " read the options. Use flask_signature.Blueprint.",
        )


def _name(function: t.Any) -> str:
    """A function as it is called where it is defined: ``"Items.get"``."""
    name = getattr(function, "__qualname__", type(function).__name__)
    return str(name).rpartition("<locals>.")[2]


def _show(method: t.Any) -> str:
    return _name(method) if isinstance(method, type) else f"{_name(method)}()"


def _place(method: t.Any) -> str:
    return f"({source_location(_function_of(method) or method)})"
