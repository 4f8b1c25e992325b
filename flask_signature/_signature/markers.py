"""Markers, which the special functions return: found in an annotation, and checked."""

from __future__ import annotations

import typing as t
from inspect import isfunction
from types import EllipsisType

from typing_extensions import NotRequired, ReadOnly, Required

from .._types.annotations import annotate, is_class, show_type
from ..dependencies import DependencyMarker, Depends, Injected, InjectedArgument
from ..exceptions import SignatureError
from ..params import ALIASES, SPECIAL_FUNCTIONS, Param
from ..security import SecurityScheme
from ..security.requirement import Operand
from .argument import EMPTY
from .frameworks import check_framework

if t.TYPE_CHECKING:
    Supplier: t.TypeAlias = DependencyMarker | Operand[t.Any]
    Marker: t.TypeAlias = Param | InjectedArgument | Supplier

#: What qualifies a variable or a key of a TypedDict, and is no part of a type.
UNREAD_QUALIFIERS: t.Final = (t.Final, t.ClassVar, NotRequired, ReadOnly, Required)

#: What may be written as an annotation, and can't be one of an argument.
NOT_TYPES: t.Final = (str, bytes, int, float, list, tuple, dict, set, EllipsisType)


#: What stands for an argument that is supplied when the view is called.
SUPPLIERS: t.Final = (DependencyMarker, Operand)

#: What stands for an argument: where it is read from, or that it is not read.
MARKERS: t.Final = (Param, InjectedArgument, *SUPPLIERS)

#: Those functions that return a marker.
MARKER_FUNCTIONS: t.Final = (*SPECIAL_FUNCTIONS, Injected, Depends)


def call_of(marker: t.Any) -> str:
    """A marker as its author wrote it, without the options: ``"Query()"``."""
    if isinstance(marker, InjectedArgument):
        return "Injected()"
    if isinstance(marker, DependencyMarker):
        return "Depends()"
    if isinstance(marker, SecurityScheme):
        return f"{type(marker).__name__}({marker.name!r})"
    if not isinstance(marker, Param):
        return "a security requirement" if marker is not None else "Scopes"
    return f"{marker.location.value.capitalize()}()"


def read_markers(
    name: str, annotation: t.Any, default: t.Any
) -> tuple[list[Marker], t.Any]:
    """The markers in the annotation of an argument, and the annotation without them.

    :param name: of the argument, for messages.
    :raises SignatureError: if a marker can have no effect where it stands, or the
        annotation is no type.
    """
    _check_called(name, default)
    if annotation is not EMPTY:
        _check_named(name, default)
    check_framework(name, default)
    if is_class(annotation):
        check_framework(name, annotation)
        return [], annotation
    markers, plain = split_markers(annotation)
    for value in _metadata(plain):
        check_framework(name, value)
        _check_called(name, value)
        if not markers:
            _check_named(name, value)
    if not is_class(plain):
        _check_type(name, plain)
    return markers, plain


def _check_called(name: str, value: t.Any) -> None:
    """Refuse a special function itself, in place of what it returns."""
    # A default may be anything, also something that can't be compared.
    if any(value is function for function in MARKER_FUNCTIONS):
        call = "Depends(function)" if value is Depends else f"{value.__name__}()"
        raise SignatureError(
            f"{name} is declared with {value.__name__}, which was not called."
            f" Write {call}."
        )
    if is_scheme_class(value):
        raise SignatureError(
            f"{name} is declared with the class {value.__name__}, which is no scheme."
            f" Write {value.__name__}('token', verify=...), or another name."
        )


def is_scheme_class(value: t.Any) -> bool:
    """Whether a value is the class of a security scheme, in place of a scheme."""
    return isinstance(value, type) and issubclass(value, SecurityScheme)


def _check_named(name: str, value: t.Any) -> None:
    """Refuse a function where Pydantic looks for none: it is meant to be depended on.

    :raises SignatureError: if there is one.
    """
    if isfunction(value):
        shown = value.__name__
        shown = shown if shown.isidentifier() else "function"
        raise SignatureError(
            f"{name} is declared with a function that nobody calls, {value.__name__}()."
            f" Write Depends({shown})."
        )


def _check_type(name: str, annotation: t.Any) -> None:
    """Refuse what is no type, and a marker inside of one."""
    if isinstance(annotation, Operand):
        raise SignatureError(
            f"{name} is annotated with {call_of(annotation)}, which is no type. Write"
            " Annotated[User, scheme], with the type of what it gives."
        )
    if t.get_origin(annotation) in UNREAD_QUALIFIERS:
        (inside,) = t.get_args(annotation)
        raise SignatureError(
            f"{name} is annotated {show_type(annotation)!r}, which says something of a"
            f" name and not of its value. Write {show_type(inside)!r}."
        )
    if annotation in UNREAD_QUALIFIERS or isinstance(annotation, NOT_TYPES):
        raise SignatureError(
            f"{name} is annotated {show_type(annotation)!r}, which is no type. Write"
            " that of the argument."
        )
    inner = _find_inner(annotation)
    if inner is not None:
        raise SignatureError(
            f"{name} has its {call_of(inner)} inside of its type. Put it around the"
            f" whole type: Annotated[..., {call_of(inner)}]."
        )


def split_markers(annotation: t.Any) -> tuple[list[Marker], t.Any]:
    """``Annotated[int, Query(ge=1)]`` gives ``[Query(ge=1)]`` and ``int``."""
    if is_class(annotation):
        return [], annotation
    while isinstance(annotation, ALIASES) and split_markers(annotation.__value__)[0]:
        annotation = annotation.__value__
    if t.get_origin(annotation) is not t.Annotated:
        return [], annotation
    markers = [item for item in annotation.__metadata__ if isinstance(item, MARKERS)]
    rest = [item for item in annotation.__metadata__ if not isinstance(item, MARKERS)]
    inner, plain = split_markers(annotation.__origin__)
    return inner + markers, annotate(plain, rest)


def find_special(annotation: t.Any, default: t.Any) -> t.Any:
    """A marker of an argument, or a special function itself; ``None`` if it has none.

    :param annotation: with the markers around it and in it.
    """
    markers, plain = split_markers(annotation)
    for value in (default, *markers, *_metadata(plain)):
        is_marker = isinstance(value, (Param, *SUPPLIERS))
        if is_marker or any(value is one for one in (*SPECIAL_FUNCTIONS, Depends)):
            return value
    return _find_inner(plain)


def _find_inner(annotation: t.Any) -> Marker | None:
    """A marker inside of a type, as in ``Annotated[int, Query()] | None``."""
    for item in t.get_args(annotation):
        found = item if isinstance(item, MARKERS) else _find_inner(item)
        if found is not None:
            return found
    return None


def _metadata(annotation: t.Any) -> tuple[t.Any, ...]:
    # Pydantic's metaclass is slow to find that a model lacks an attribute.
    return () if is_class(annotation) else getattr(annotation, "__metadata__", ())
