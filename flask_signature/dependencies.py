"""What a view takes besides the request."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ._common import UNSET

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from .typing import DependencyScope, ResponsesOption

#: The operations that an argument is used with, besides its attributes.
OPERATIONS: t.Final = (
    *("aenter", "aexit", "aiter", "anext", "await", "bool", "bytes", "call"),
    *("complex", "contains", "delitem", "enter", "eq", "exit", "float", "format"),
    *("fspath", "ge", "getitem", "gt", "index", "int", "iter", "le", "len", "lt"),
    *("ne", "next", "reversed", "round", "setitem", "str"),
    *("add", "and", "divmod", "floordiv", "invert", "lshift", "matmul", "mod"),
    *("mul", "neg", "or", "pos", "pow", "rshift", "sub", "truediv", "xor"),
    *("radd", "rand", "rfloordiv", "rlshift", "rmatmul", "rmod", "rmul", "ror"),
    *("rpow", "rrshift", "rsub", "rtruediv", "rxor"),
)


def Depends(
    dependency: t.Callable[..., t.Any] = t.cast("t.Any", UNSET),
    *,
    use_cache: bool = True,
    scope: DependencyScope = "function",
    responses: ResponsesOption | None = None,
    raises: Iterable[type[Exception]] = (),
) -> t.Any:
    """An argument that a function supplies: ``db: Session = Depends(get_db)``.

    The function's own arguments are read as a view's are, and may have dependencies of
    their own. A generator function supplies what it yields; the rest of it runs when
    the response is written.

    :param dependency: what is called: a function, a class, a method, an object with
        ``__call__``, a generator function, or an asynchronous one of these. Without it,
        the class that the argument is annotated with.
    :param use_cache: whether all that depend on it share one value per request.
    :param scope: when a generator is closed: ``"function"`` when the response of the
        view is written, ``"request"`` when its body has been sent.
    :param responses: models by status, as the option of a route, for each operation
        that uses it.
    :param raises: the exceptions whose error handlers describe what is sent instead, as
        the option of a route.

    What is wrong with it is a :exc:`.SignatureError` when the view is registered.

    .. versionadded:: 0.2
    """
    responses = {} if responses is None else responses
    return DependencyMarker(dependency, use_cache, scope, responses, raises)


# Compared by identity: Python hashes the markers in the members of a union.
@dataclass(frozen=True, slots=True, eq=False)
class DependencyMarker:
    """The marker of an argument that a function supplies.

    The parameters are those of :func:`Depends`.

    :param dependency: ``UNSET`` for the annotated class.
    """

    dependency: t.Any
    use_cache: bool = True
    scope: DependencyScope = "function"
    responses: ResponsesOption = field(default_factory=dict)
    raises: Iterable[type[Exception]] = ()


def Injected() -> t.Any:
    """An argument that a decorator or a caller supplies: ``user: User = Injected()``.

    It is never read from a request and never described, whatever its annotation. Who
    supplies it may be a decorator above or below the route, a
    ``url_value_preprocessor``, or a framework for dependency injection. With a default,
    ``Annotated[User | None, Injected()] = None``, it is optional.

    .. versionadded:: 0.2
    """
    return InjectedArgument()


class InjectedArgument:
    """The marker of an argument that a decorator or a caller supplies.

    As a default that was not replaced it reaches the view, and any use of it is an
    error.
    """

    __slots__ = ("_arguments",)
    _arguments: list[str]

    def __init__(self) -> None:
        object.__setattr__(self, "_arguments", [])

    def __repr__(self) -> str:
        return "Injected()"

    def __hash__(self) -> int:
        return id(self)

    def __getattr__(self, name: str) -> t.NoReturn:
        if name.startswith("__"):
            # Python and its libraries look for these in any object.
            raise AttributeError(name)
        raise missing_error(*self._arguments)

    def __setattr__(self, name: str, value: object) -> None:
        raise missing_error(*self._arguments)


def declare_injected(marker: InjectedArgument, argument: str) -> None:
    """Say which argument a marker is of: ``"'user' of show()"``."""
    arguments = marker._arguments
    if argument not in arguments:
        arguments.append(argument)


def missing_error(*arguments: str) -> TypeError:
    """The error of an argument that was not supplied."""
    shown = " or ".join(arguments) or "an argument"
    return TypeError(
        f"No value was passed for {shown}, which is declared with Injected(). Pass it"
        " in a decorator of the view, or give it a default."
    )


def _refuse_use(self: InjectedArgument, *args: object, **options: object) -> t.NoReturn:
    raise missing_error(*self._arguments)


for _name in OPERATIONS:
    setattr(InjectedArgument, f"__{_name}__", _refuse_use)
