"""What a security requirement gives, compared with the annotation that takes it.

Type checkers do not read the metadata of ``Annotated``.
"""

from __future__ import annotations

import typing as t
from collections import abc

from werkzeug.wrappers import Response

from .._signature.argument import EMPTY
from .._signature.hints import known_hints
from .._types.annotations import is_anything
from .._types.annotations import is_class
from .._types.annotations import members
from .._types.annotations import show_type
from ..exceptions import SignatureError
from .callables import GENERATORS
from .callables import kind_of
from .callables import unwrap_dependency

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ..security import Requirement
    from .nodes import Demand

#: What is not given: it refuses, or says that there is nobody.
REFUSALS: t.Final = (None, type(None), t.Literal[False])

#: What the annotation of a generator function may be, whose first argument it yields.
ITERATORS: t.Final = (
    abc.AsyncGenerator,
    abc.AsyncIterator,
    abc.Generator,
    abc.Iterator,
    abc.Iterable,
)


def check_given(demand: Demand) -> None:
    """Refuse an annotation that what a requirement gives does not fit.

    :raises SignatureError: if it does not.
    """
    requirement, annotation = demand.requirement, demand.annotation
    if annotation is EMPTY or is_anything(annotation):
        return
    shown = show_type(annotation)
    if _may_be_none(requirement) and type(None) not in _members(annotation):
        raise SignatureError(
            f"{demand.shown} is annotated {shown!r}, but its requirement is optional,"
            f" so that it may be None. Write Annotated[{shown} | None, ...]."
        )
    wrong = _find_wrong(requirement, annotation)
    if wrong:
        raise SignatureError(f"{demand.shown} is annotated {shown!r}, but {wrong}")


def _members(annotation: t.Any) -> list[t.Any]:
    found = members(annotation)
    return [type(None) if item is None else item for item in found]


def _may_be_none(requirement: Requirement[t.Any]) -> bool:
    """Whether a requirement gives ``None`` where nothing was sent."""
    return requirement.kind == "any" and (
        requirement.is_optional or any(map(_may_be_none, requirement.parts))
    )


def _find_wrong(requirement: Requirement[t.Any], annotation: t.Any) -> str:
    """Why what is given does not fit an annotation, ``""`` where it does."""
    if is_anything(annotation):
        return ""
    if requirement.kind == "all":
        return _find_wrong_tuple(requirement, annotation)
    for part in requirement.parts:
        if wrong := _find_wrong(part, annotation):
            return wrong
    scheme = requirement.scheme
    function = scheme and (scheme.verify or scheme.authenticate)
    if not function:
        return ""
    for given in _given_by(function):
        if not any(_fits(given, item) for item in _members(annotation)):
            name = unwrap_dependency(function).name
            return (
                f"{name} gives {show_type(given)!r}. Annotate the argument with that."
            )
    return ""


def _find_wrong_tuple(requirement: Requirement[t.Any], annotation: t.Any) -> str:
    parts = requirement.parts
    tuples = [item for item in _members(annotation) if _is_tuple(item)]
    if any(not t.get_args(item) for item in tuples):
        return ""
    fitting = [item for item in tuples if len(t.get_args(item)) == len(parts)]
    if not fitting:
        return f"'&' gives a tuple of {len(parts)}. Annotate the argument with that."
    (first, *_) = fitting
    pairs = zip(parts, t.get_args(first), strict=True)
    return next((wrong for pair in pairs if (wrong := _find_wrong(*pair))), "")


def _is_tuple(annotation: t.Any) -> bool:
    return (t.get_origin(annotation) or annotation) is tuple


def _given_by(function: Callable[..., t.Any]) -> list[t.Any]:
    """The types of what a function gives if it does not refuse, as far as known."""
    found = [item for item in _returned_by(function) if item not in REFUSALS]
    return [] if any(map(is_anything, found)) else found


def _returned_by(function: Callable[..., t.Any]) -> list[t.Any]:
    """The types of what a function returns or yields, as far as they are known."""
    if isinstance(function, type):
        return [function]
    returns = known_hints(unwrap_dependency(function).function).get("return", t.Any)
    if kind_of(function) in GENERATORS:
        arguments = t.get_args(returns)
        is_iterator = t.get_origin(returns) in ITERATORS and arguments
        returns = arguments[0] if is_iterator else t.Any
    return _members(returns)


def check_refusals(guard: Callable[..., t.Any]) -> None:
    """Refuse a guard that can return nothing but a refusal, which nobody reads.

    :raises SignatureError: if its annotation says so.
    """
    returned = _returned_by(guard)
    if all(map(_is_refusal, returned)):
        shown = " | ".join(map(show_type, returned))
        raise SignatureError(
            f"{unwrap_dependency(guard).name} is in dependencies=, but can return"
            f" nothing but {shown!r}, which refuses no request. Raise an exception, or"
            " call abort()."
        )


def _is_refusal(annotation: t.Any) -> bool:
    """Whether a type is that of a response, of an exception, or of ``False``."""
    arguments = t.get_args(annotation)
    if _is_tuple(annotation):
        return len(arguments) in (2, 3) and arguments[1] is int
    if t.get_origin(annotation) is t.Literal:
        return all(item is False for item in arguments)
    return is_class(annotation) and issubclass(annotation, (Response, BaseException))


def _fits(given: t.Any, wanted: t.Any) -> bool:
    """Whether a value of one type may be one of another, as far as that can be told."""
    if is_anything(wanted) or not (is_class(given) and is_class(wanted)):
        return True
    if getattr(wanted, "_is_protocol", False):
        return True
    return issubclass(given, wanted) or issubclass(wanted, given)
