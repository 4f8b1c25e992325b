"""Flask's ``(body, status, headers)`` in a return annotation, taken apart.

A return annotation goes in, the members with statuses of their own come out, and what
is left of it; the compilation of an outbound plan reads both.
"""

from __future__ import annotations

import typing as t
from collections import abc
from dataclasses import dataclass
from types import NoneType

from typing_extensions import is_typeddict
from werkzeug.datastructures import Headers

from .._signature.argument import EMPTY
from .._types.annotations import (
    is_anything,
    is_union,
    issubclass_of,
    members,
    show_type,
    unwrap,
)
from .._types.shapes import NEVER_BLANK, Shape, shape_of
from ..exceptions import SignatureError
from .status import is_status, status_code

if t.TYPE_CHECKING:
    from collections.abc import Iterator

#: The types of headers beside a mapping.
HEADER_LISTS: t.Final = (list, tuple, abc.Sequence, abc.Iterable)


@dataclass(frozen=True, slots=True)
class AnnotatedStatus:
    """What an annotation says of one status: ``tuple[Problem, Literal[404], Headers]``.

    :param bodies: the types of the body.
    :param headers: their type, ``EMPTY`` where they are Flask's.
    :param may_have_none: whether the headers may be ``None``.
    """

    bodies: tuple[t.Any, ...]
    headers: t.Any = EMPTY
    may_have_none: bool = False


@dataclass(frozen=True, slots=True)
class AnnotatedStatuses:
    """A return annotation, by status.

    :param bare: the annotation without these, ``EMPTY`` where nothing is left.
    :param by_status: the members that name their status.
    :param is_open: whether another member may have any status: ``tuple[Book, int]``.
    """

    bare: t.Any
    by_status: dict[int, AnnotatedStatus]
    is_open: bool


def split_statuses(annotation: t.Any) -> AnnotatedStatuses:
    """A return annotation, with the members apart that name their status.

    ``Book | tuple[Problem, Literal[404]]`` has ``Book`` for its bare annotation.

    :raises SignatureError: if a status is none, or has headers of two types.
    """
    for member in members(annotation):
        _check_literal(member)
    bare, by_status = [], dict[int, AnnotatedStatus]()
    for member in _members(annotation):
        statuses = _literal_statuses(member)
        for status in statuses:
            found = _read_tuple(member)
            known = by_status.get(status)
            by_status[status] = found if known is None else _join(status, known, found)
        if not statuses:
            bare.append(member)
    if not by_status:
        return AnnotatedStatuses(annotation, {}, is_open=False)
    return AnnotatedStatuses(
        union_of(bare), by_status, is_open=any(map(_may_have_any_status, bare))
    )


def _members(annotation: t.Any) -> Iterator[t.Any]:
    """The members of a union that has response tuples; others stay whole.

    A union of models keeps its discriminator.
    """
    plain = unwrap(annotation)
    if is_union(plain) and any(map(is_response_tuple, members(plain))):
        for member in t.get_args(plain):
            yield from _members(member)
    else:
        yield annotation


def _check_literal(annotation: t.Any) -> None:
    """Refuse ``tuple[Book, 201]``, which Python takes and no type checker does."""
    arguments = t.get_args(annotation)
    if t.get_origin(annotation) is not tuple or len(arguments) not in (2, 3):
        return
    status = arguments[1]
    if isinstance(status, int):
        raise SignatureError(
            f"says {show_type(annotation)!r}, and {status} is no type. Write"
            f" Literal[{status}]."
        )


def _literal_statuses(annotation: t.Any) -> tuple[int, ...]:
    """The statuses that a response tuple names, ``()`` if it may have others."""
    plain = unwrap(annotation)
    if not is_response_tuple(plain):
        return ()
    literals = members(t.get_args(plain)[1])
    if any(t.get_origin(tp) is not t.Literal for tp in literals):
        return ()
    return tuple(
        _read_status(status, plain) for tp in literals for status in t.get_args(tp)
    )


def _read_status(status: t.Any, response_tuple: t.Any) -> int:
    if is_status(status):
        return status_code(status)
    raise SignatureError(
        f"says {show_type(response_tuple)!r}, and {status!r} is no HTTP"
        " status. Use 100 to 599, or give response_model= for a JSON array."
    )


def _read_tuple(annotation: t.Any) -> AnnotatedStatus:
    body, _, *rest = t.get_args(unwrap(annotation))
    headers = [tp for item in rest for tp in members(item)]
    typed = [tp for tp in headers if shape_of(tp) is Shape.MODEL]
    if not typed:
        return AnnotatedStatus((body,))
    if len({*headers} - {NoneType}) > 1:
        raise SignatureError(
            f"has headers of two types in {show_type(annotation)!r}. Use one TypedDict."
        )
    return AnnotatedStatus((body,), typed[0], may_have_none=NoneType in headers)


def _join(status: int, one: AnnotatedStatus, other: AnnotatedStatus) -> AnnotatedStatus:
    typed = [item for item in (one, other) if item.headers is not EMPTY]
    if any(item.headers != typed[0].headers for item in typed):
        raise SignatureError(
            f"has headers of two types for status {status}. Use one TypedDict."
        )
    return AnnotatedStatus(
        one.bodies + other.bodies,
        typed[0].headers if typed else EMPTY,
        len(typed) == 1 or one.may_have_none or other.may_have_none,
    )


def union_of(types: t.Iterable[t.Any]) -> t.Any:
    """The union of some types, ``EMPTY`` where there are none."""
    found = tuple(types)
    # "|" would need one of its sides to be a class.
    return t.Union[found] if found else EMPTY  # noqa: UP007


def is_response_tuple(annotation: t.Any) -> bool:
    """Whether a tuple is Flask's ``(body, status, headers)``, and no value itself."""
    arguments = t.get_args(annotation)
    if t.get_origin(annotation) is not tuple or len(arguments) not in (2, 3):
        return False
    body, status, *headers = arguments
    found = [tp for item in headers for tp in members(item)]
    if all(map(_names_statuses, members(status))):
        return all(shape_of(tp) is Shape.MODEL or _is_headers(tp) for tp in found)
    if issubclass_of(unwrap(body), NEVER_BLANK):
        return False
    rest = (status, *headers)
    if any(map(is_typeddict, map(unwrap, rest))):
        # An array, whose last item is a model.
        return False
    return all(
        _is_status(tp) or _is_headers(tp) for item in rest for tp in members(item)
    )


def has_status(annotation: t.Any) -> bool:
    """Whether a type is a response tuple with a status."""
    if not is_response_tuple(annotation):
        return False
    return any(_is_status(tp) for tp in members(t.get_args(annotation)[1]))


def _may_have_any_status(annotation: t.Any) -> bool:
    plain = unwrap(annotation)
    is_bare_tuple = plain is tuple or t.get_args(plain)[1:] == (...,)
    return is_bare_tuple or is_anything(plain) or has_status(plain)


def _names_statuses(annotation: t.Any) -> bool:
    """Whether a type is a ``Literal`` of statuses: 200, ``"404 NOT FOUND"``."""
    if t.get_origin(annotation) is not t.Literal or not _is_status(annotation):
        return False
    return all(is_status(status) for status in t.get_args(annotation))


def _is_status(annotation: t.Any) -> bool:
    if t.get_origin(annotation) is t.Literal:
        items = t.get_args(annotation)
        return all(isinstance(item, (int, str)) for item in items) and not any(
            isinstance(item, bool) for item in items
        )
    # A value of Any may be a status.
    if annotation in (t.Any, object):
        return True
    return issubclass_of(annotation, (int, str)) and annotation is not bool


def _is_headers(annotation: t.Any) -> bool:
    origin = t.get_origin(annotation) or annotation
    if origin is NoneType or issubclass_of(origin, (Headers, abc.Mapping)):
        return True
    # A list of tuples, or a list of Any.
    items = [*map(unwrap, t.get_args(annotation)), tuple][0]
    return origin in HEADER_LISTS and (t.get_origin(items) or items) in (tuple, t.Any)
