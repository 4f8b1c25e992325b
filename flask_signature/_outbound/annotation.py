"""What a return annotation says: a response model, or a value of Flask's own kinds.

A return annotation goes in, a :class:`Returns` comes out; the compilation of an
outbound plan reads it, with the options of the route.
"""

from __future__ import annotations

import typing as t
from collections import abc
from dataclasses import dataclass
from types import NoneType

from pydantic import JsonValue

from .._signature.argument import EMPTY
from .._types.annotations import (
    is_anything,
    is_base_model,
    is_union,
    issubclass_of,
    members,
    show_type,
    unwrap,
)
from .._types.shapes import Shape, shape_of
from .._types.strings import STRING_TYPES, string_types
from .kinds import ASYNCHRONOUS_ITERATORS, STREAMS, passed_types, return_kind_of
from .response_tuples import has_status, is_response_tuple, union_of


@dataclass(frozen=True, slots=True)
class Returns:
    """What a view returns, by its annotation.

    :param model: the response model, ``EMPTY`` where there is none.
    :param passthrough: the types that go to Flask as they are, although there is a
        model or a stream.
    :param containers: the dicts and lists of ``Any``, ``EMPTY`` where there are none,
        or a model beside them.
    :param returns_none: whether the annotation is ``None``, and nothing else.
    :param item: the type of the items of a stream, ``EMPTY`` where it is no stream.
    :param asynchronous: whether the stream is an asynchronous generator.
    :param names_status: whether a tuple with a status is among the members.
    :param problem: why the annotation can't be used, and what to write; or ``""``.
    """

    model: t.Any = EMPTY
    passthrough: tuple[type, ...] = ()
    containers: t.Any = EMPTY
    returns_none: bool = False
    item: t.Any = EMPTY
    asynchronous: bool = False
    names_status: bool = False
    problem: str = ""


def read_returns(annotation: t.Any) -> Returns:
    """What a return annotation means.

    ``Item | Response`` has the model ``Item``, and so has ``tuple[Item, int]``;
    ``str``, ``Response``, ``dict`` and Flask's own aliases have none.
    """
    if annotation is EMPTY:
        return Returns()
    if is_base_model(annotation) or annotation is JsonValue:
        return Returns(model=annotation)
    if unwrap(annotation) in (None, NoneType):
        return Returns(returns_none=True)
    found = list(_bodies(annotation))
    stream = next(
        (tp for tp in map(unwrap, found) if t.get_origin(tp) in STREAMS), None
    )
    models = [tp for tp in found if return_kind_of(tp) is None and tp is not NoneType]
    if anything := [tp for tp in found if is_anything(tp)]:
        return Returns(problem=_any_problem(anything[0], models) if models else "")
    if models and NoneType in found:
        models.append(None)
    return Returns(
        model=union_of(models),
        passthrough=_passed(found) if models else _beside_stream(found),
        containers=EMPTY if models else union_of(filter(_holds_any, found)),
        item=(*t.get_args(stream), EMPTY)[0],
        asynchronous=t.get_origin(stream) in ASYNCHRONOUS_ITERATORS,
        names_status=any(has_status(tp) for tp in members(annotation)),
        problem=find_misread_status(annotation) or _find_second_stream(found),
    )


def _holds_any(annotation: t.Any) -> bool:
    """Whether a type is ``dict[str, Any]`` or ``list[Any]``, written out.

    The author of ``dict`` or ``list[object]`` has not said that models may be in it.
    """
    plain = unwrap(annotation)
    is_container = t.get_origin(plain) in (dict, list, abc.Mapping)
    return is_container and unwrap(t.get_args(plain)[-1]) is t.Any


def may_be_stream(annotation: t.Any) -> bool:
    """Whether a view may send what it returns item by item, whatever the status."""
    return any(kind in STREAMS for kind in _passed(_bodies(annotation)))


def _passed(bodies: t.Iterable[t.Any]) -> tuple[type, ...]:
    return tuple(kind for tp in bodies for kind in passed_types(tp))


def _beside_stream(bodies: t.Sequence[t.Any]) -> tuple[type, ...]:
    """The classes of dicts that a view may return in place of a stream.

    A list is one, whose items are sent.
    """
    if not any(t.get_origin(unwrap(tp)) in STREAMS for tp in bodies):
        return ()
    plain = [t.get_origin(unwrap(tp)) or unwrap(tp) for tp in bodies]
    return tuple(tp for tp in plain if tp in (dict, abc.Mapping))


def _bodies(annotation: t.Any) -> t.Iterator[t.Any]:
    """The types of body that a view may return, tuples and unions taken apart.

    A union of models stays whole, with its discriminator.
    """
    plain = unwrap(annotation)
    if strings := string_types(plain):
        yield from strings
    elif is_union(plain):
        bodies = [tp for member in t.get_args(plain) for tp in _bodies(member)]
        split = any(is_response_tuple(member) for member in members(plain))
        if split or any(tp is NoneType or return_kind_of(tp) for tp in bodies):
            yield from bodies
        else:
            yield annotation
    elif is_response_tuple(plain):
        yield from _bodies(t.get_args(plain)[0])
    else:
        yield NoneType if annotation is None else annotation


def _find_second_stream(bodies: t.Iterable[t.Any]) -> str:
    """The problem of two streams of different items, ``""`` if there is none."""
    plain = [tp for tp in map(unwrap, bodies) if t.get_origin(tp) in STREAMS]
    items = [item for tp in plain for item in t.get_args(tp)[:1]]
    differ = any(not _is_same(item, items[0]) for item in items)
    if not differ or all(map(string_types, items)):
        return ""
    return (
        f"has two streams, {show_type(plain[0])!r} and {show_type(plain[1])!r}, which"
        " can't be told apart. Keep one, or yield items of a union."
    )


def _is_same(one: t.Any, other: t.Any) -> bool:
    """Whether two annotations are one type: ``List[Item]`` is ``list[Item]``."""
    one, other = unwrap(one), unwrap(other)
    arguments = t.get_args(one), t.get_args(other)
    if not any(arguments):
        return bool(one == other)
    return t.get_origin(one) == t.get_origin(other) and (
        len(arguments[0]) == len(arguments[1]) and all(map(_is_same, *arguments))
    )


def find_misread_status(annotation: t.Any) -> str:
    """The problem of a model of an unknown status, ``""`` if there is none.

    By ``Book | tuple[Problem, int]``, a value could be either of the two. One model may
    be returned with any status: ``Book | tuple[Book, int]``.
    """
    found = list(members(annotation))
    models = [one for tp in found if not has_status(tp) for one in _models_in(tp)]
    for tp in filter(has_status, found):
        own = _models_in(t.get_args(tp)[0])
        models = models or own
        is_known = all(any(_is_same(one, other) for other in models) for one in own)
        if own and not is_known:
            return (
                f"says {show_type(tp)!r}, which does not name the status of"
                f" {show_type(own[0])!r}. Write tuple[{show_type(own[0])},"
                " Literal[404]], with the statuses that it has."
            )
    return ""


def _models_in(annotation: t.Any) -> list[t.Any]:
    """The models among the bodies of an annotation, or of the items of its stream."""
    found = []
    for tp in map(unwrap, _bodies(annotation)):
        inner = t.get_args(tp)[:1] if t.get_origin(tp) in STREAMS else [tp]
        found += [one for item in inner for one in members(item)]
    return [tp for tp in found if tp is not NoneType and return_kind_of(tp) is None]


def _any_problem(annotation: t.Any, models: t.Sequence[t.Any]) -> str:
    """The problem of ``Any`` beside a model."""
    shown, model = show_type(annotation), show_type(models[0])
    return (
        f"says {shown!r} beside {model!r}, so that anything could be sent. Remove"
        f" {shown!r}, or give response_model={model}."
    )


def find_ambiguous_type(passthrough: t.Iterable[type], model: t.Any) -> str:
    """The problem of a type that is sent as it is, ``""`` if there is none.

    :param passthrough: the types that go to Flask as they are.

    Of ``Item | Iterable[str]``, the latter goes to Flask as it is; a dict, which is a
    value for the former, is an Iterable too.
    """
    for kind in passthrough:
        for tp in members(model):
            if tp is not NoneType and _takes(tp, kind):
                return (
                    f"may return {show_type(tp)!r} or {kind.__name__!r}, which is sent"
                    " as it is, and a value for the former can be the latter. Return a"
                    f" Response instead of {kind.__name__!r}, and annotate it so."
                )
    return ""


def _takes(model: t.Any, passthrough: type) -> bool:
    """Whether a value of a type that goes to Flask can be a value for a model."""
    origin = t.get_origin(model) or model
    if passthrough is abc.Iterable or issubclass_of(origin, passthrough):
        return True
    if issubclass(passthrough, STRING_TYPES):
        # Most scalars are read from strings; lists and models are not.
        return shape_of(model) is Shape.SCALAR and _is_read_from_string(model)
    return issubclass(passthrough, abc.Iterator) and shape_of(model) is Shape.LIST


def _is_read_from_string(scalar: t.Any) -> bool:
    if t.get_origin(scalar) is not t.Literal:
        return True
    return any(isinstance(item, str) for item in t.get_args(scalar))
