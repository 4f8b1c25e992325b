"""A dependency as its author gave it: what is called, its signature and its kind."""

from __future__ import annotations

import contextlib
import inspect
import typing as t
from enum import Enum
from functools import partial

from pydantic.dataclasses import is_pydantic_dataclass
from typing_extensions import is_typeddict

from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._signature.frameworks import check_framework
from .._signature.markers import FUNCTIONS
from .._signature.markers import MARKERS
from .._signature.markers import call_of
from .._signature.markers import is_scheme_class
from .._signature.unwrap import ViewCallable
from .._signature.unwrap import bound_by
from .._signature.unwrap import layers_of
from .._signature.unwrap import signature_of
from .._signature.unwrap import unwrap_view
from .._types.annotations import is_anything
from .._types.annotations import is_base_model
from .._types.annotations import unwrap
from ..exceptions import SignatureError
from ..security import Requirement
from ..security import SecurityScheme

if t.TYPE_CHECKING:
    from ..dependencies import DependencyMarker


class Kind(Enum):
    """What a dependency returns when it is called."""

    VALUE = "a value"
    GENERATOR = "a generator"
    COROUTINE = "a coroutine"
    ASYNC_GENERATOR = "an asynchronous generator"
    #: A decorated generator function: what it returns is looked at.
    UNKNOWN = "a value or a generator"


#: The kinds that run until their first value, and go on when they are closed.
GENERATORS: t.Final = frozenset({Kind.GENERATOR, Kind.ASYNC_GENERATOR, Kind.UNKNOWN})

#: The kinds that an event loop runs.
ASYNCHRONOUS: t.Final = frozenset({Kind.COROUTINE, Kind.ASYNC_GENERATOR})


def find_function(
    marker: DependencyMarker, annotation: t.Any, *, shown: str
) -> t.Callable[..., t.Any]:
    """What a marker means to be called: its function, or the annotated class.

    :param shown: the argument, for messages: ``"'db' of show()"``.
    :raises SignatureError: if it is none.
    """
    function = marker.dependency
    if function is UNSET:
        function = unwrap(annotation)
        if not _makes_objects(function):
            raise SignatureError(
                f"{shown} is declared with Depends(), which names no function, and its"
                " annotation is no class to make an object of. Write"
                " Depends(function)."
            )
    check_function(function, shown=shown)
    return t.cast("t.Callable[..., t.Any]", function)


def _makes_objects(annotation: t.Any) -> bool:
    """Whether an annotation is a class of somebody's, and may be called."""
    cls = class_of(annotation)
    if cls is None or cls is EMPTY or is_anything(annotation):
        return False
    return cls.__module__ != "builtins" and not inspect.isabstract(cls)


def check_function(function: t.Any, *, shown: str) -> None:
    """Refuse what is no dependency.

    :param shown: who asks for it, for messages.
    :raises SignatureError: if it is a model, a security scheme, or can't be called.
    """
    check_framework(shown, function)
    is_scheme = isinstance(function, (SecurityScheme, Requirement))
    if is_scheme or is_scheme_class(function):
        raise SignatureError(
            f"{shown} depends on a security scheme. Write Annotated[User, scheme] in a"
            " signature, or security=scheme on a route or a blueprint."
        )
    if any(function is one for one in FUNCTIONS):
        name = function.__name__
        raise SignatureError(
            f"{shown} depends on {name}, which was not called. Write Depends(function)."
        )
    if isinstance(function, MARKERS) or not callable(function):
        raise SignatureError(
            f"{shown} depends on {_show(function)}, which can't be called. Give the"
            " function itself, without the parentheses of a call: Depends(function)."
        )
    if _is_model(class_of(function)):
        name = function.__name__
        raise SignatureError(
            f"{shown} depends on the model {name}, so that a value of the request that"
            f" does not fit would be an error of the server. Write Annotated[{name},"
            " Query()]."
        )
    if _is_unbound(function):
        cls, method = function.__qualname__.split(".")[-2:]
        raise SignatureError(
            f"{shown} depends on {cls}.{method}(), a method of no object. Name that of"
            f" one: Depends({cls}().{method})."
        )
    if decorator := _context_manager_of(function):
        raise SignatureError(
            f"{shown} depends on {name_of(function)}, which is decorated with"
            f" {decorator}. Remove the decorator: a generator function is a dependency"
            " as it stands."
        )


def _is_model(cls: t.Any) -> bool:
    """Whether a class validates what it is made of, or is a ``TypedDict``."""
    return is_base_model(cls) or is_pydantic_dataclass(cls) or is_typeddict(cls)


def _show(value: object) -> str:
    """A value for a message, which may be long or secret: its type alone."""
    if isinstance(value, MARKERS):
        return call_of(value)
    return "None" if value is None else f"a value of type {type(value).__name__!r}"


def _is_unbound(function: t.Any) -> bool:
    """Whether a function is a method that was taken from its class."""
    if not inspect.isfunction(function):
        return False
    owner = function.__qualname__.rpartition(".")[0]
    if not owner or owner.endswith("<locals>"):
        return False
    return next(iter(inspect.signature(function).parameters), "") == "self"


def _context_manager_of(function: t.Any) -> str:
    """The decorator that makes context managers of a generator, ``""`` without one."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_filename != contextlib.__file__:
        return ""
    is_asynchronous = inspect.isasyncgenfunction(layers_of(function)[-1])
    return "asynccontextmanager" if is_asynchronous else "contextmanager"


def unwrap_dependency(function: t.Callable[..., t.Any]) -> ViewCallable:
    """The function behind a dependency, whose signature counts.

    That of a class is the function that makes its instances.
    """
    cls = class_of(function)
    if cls is None:
        return unwrap_view(function, "GET")
    maker = _maker_of(cls)
    # A class without such a function has nothing to be read.
    is_written = inspect.isfunction(maker)
    called = function if isinstance(function, partial) else cls
    return ViewCallable(
        maker if is_written else cls,
        signature_of(called) if is_written else inspect.Signature(),
        f"{cls.__name__}()",
        hasattr(maker, "__wrapped__"),
        bound_by(layers_of(function)),
    )


def class_of(function: t.Any) -> type | None:
    """The class that is called, ``None`` where it is no class: ``list[int]`` is one."""
    while isinstance(function, partial):
        function = function.func
    cls = t.get_origin(function) or function
    return cls if isinstance(cls, type) and callable(function) else None


def _maker_of(cls: type) -> t.Callable[..., t.Any]:
    """The function that makes the instances of a class: ``__init__`` or ``__new__``."""
    init, new = cls.__init__, cls.__new__  # type: ignore[misc]
    has_new = new is not t.cast("t.Any", object).__new__
    if init is object.__init__ and has_new:
        return t.cast("t.Callable[..., t.Any]", new)
    return t.cast("t.Callable[..., t.Any]", init)


def name_of(function: t.Callable[..., t.Any]) -> str:
    """A dependency as messages show it: ``"get_db()"``."""
    return unwrap_dependency(function).name


def kind_of(function: t.Callable[..., t.Any]) -> Kind:
    """What a dependency returns when it is called."""
    if class_of(function) is not None:
        return Kind.VALUE
    outer = _called(function)
    if (kind := _own_kind(outer)) is not None:
        return kind
    inner = _own_kind(layers_of(outer)[-1])
    # What a decorated generator function returns, its decorator decides.
    return Kind.UNKNOWN if inner is Kind.GENERATOR else inner or Kind.VALUE


def _called(function: t.Any) -> t.Any:
    """The function that runs where a partial or an object is called."""
    while isinstance(function, partial):
        function = function.func
    is_object = not inspect.isroutine(function) and not isinstance(function, type)
    return type(function).__call__ if is_object else function


def _own_kind(function: t.Any) -> Kind | None:
    if inspect.iscoroutinefunction(function):
        return Kind.COROUTINE
    if inspect.isasyncgenfunction(function):
        return Kind.ASYNC_GENERATOR
    return Kind.GENERATOR if inspect.isgeneratorfunction(function) else None
