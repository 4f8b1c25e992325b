"""A return annotation, read: what a view returns, and for which status.

An annotation goes in, :class:`Returns` comes out; the compilation of an outbound plan
calls it.
"""

from __future__ import annotations

import io
import typing as t
from collections import abc, defaultdict
from dataclasses import dataclass, replace
from types import NoneType

from markupsafe import Markup
from pydantic import JsonValue
from typing_extensions import Never, is_typeddict
from werkzeug.datastructures import Headers

from .._common import RESPONSES, is_status, status_code
from .._signature.argument import EMPTY
from .._types.annotations import (
    NEVER_BLANK,
    Shape,
    is_anything,
    is_base_model,
    is_union,
    issubclass_of,
    members,
    shape_of,
    show_type,
    unwrap,
    with_known,
)
from .._types.argument_type import STRING_TYPES, string_types
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flask import Flask


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
    streams = [*filter(_is_iterator, map(unwrap, found))]
    stream = (*streams, None)[0]
    models = [tp for tp in found if return_kind_of(tp) is None and tp is not NoneType]
    if anything := [tp for tp in found if is_anything(tp)]:
        return Returns(problem=_any_problem(anything[0], models) if models else "")
    if models and NoneType in found:
        models.append(None)
    return Returns(
        model=union_of(models),
        passthrough=_passed(found) if models else _beside_stream(found),
        containers=EMPTY if models else union_of(filter(_holds_any, found)),
        item=(*t.get_args(stream), t.Any)[0] if streams else EMPTY,
        asynchronous=(t.get_origin(stream) or stream) in ASYNCHRONOUS_ITERATORS,
        names_status=any(has_status(tp) for tp in members(annotation)),
        problem=find_misread_status(annotation) or _find_second_stream(found),
    )


def sent_type(annotation: t.Any) -> t.Any:
    """What is sent of a type: what a decorator awaits; of markup, the string."""
    if t.get_origin(annotation) in (abc.Awaitable, abc.Coroutine):
        annotation = t.get_args(annotation)[-1]
    return with_known(annotation, Markup, str)


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


def _is_iterator(plain: t.Any) -> bool:
    return (t.get_origin(plain) or plain) in STREAMS


def _beside_stream(bodies: t.Sequence[t.Any]) -> tuple[type, ...]:
    """The classes of dicts that a view may return in place of a stream.

    A list is one, whose items are sent.
    """
    if not any(map(_is_iterator, map(unwrap, bodies))):
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


#: The packages whose functions make responses of what Flask takes.
RESPONSE_PACKAGES: t.Final = frozenset({"flask", "flask_signature", "werkzeug"})

ASYNCHRONOUS_ITERATORS: t.Final = (
    abc.AsyncIterator,
    abc.AsyncIterable,
    abc.AsyncGenerator,
)

STREAMS: t.Final = (abc.Iterator, abc.Generator, abc.Iterable, *ASYNCHRONOUS_ITERATORS)


# Compared by identity: a row has functions.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReturnKind:
    """One kind of value without a model.

    :param find: the classes that an annotation has of this kind, ``()`` where it is of
        another. It takes the type without ``Annotated`` around it, and its origin.
    :param passes: whether a value is sent as it is where the annotation has a model
        beside, ``Item | str``; a response always is.
    :param json: the schema of what is sent as JSON, ``None`` where nothing is.
    :param is_text: whether a value may be sent as it is, under the content type that
        the class of responses has for a string. Source: Flask, About Responses.
    """

    find: Callable[[t.Any, t.Any], tuple[t.Any, ...]]
    passes: bool = False
    json: Mapping[str, t.Any] | None = None
    is_text: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it says what is sent."""
        return self.json != ANY_JSON


#: The schema of JSON of any shape.
ANY_JSON: t.Final[Mapping[str, t.Any]] = {}


def _find_open(
    *containers: t.Any,
) -> Callable[[t.Any, t.Any], tuple[t.Any, ...]]:
    """Finds containers of anything: ``dict`` and ``dict[str, Any]``."""

    def find(plain: t.Any, origin: t.Any) -> tuple[t.Any, ...]:
        if origin not in containers:
            return ()
        *keys, value = t.get_args(plain) or (t.Any,)
        is_open = is_anything(value) and all(key in (str, t.Any) for key in keys)
        return (origin,) if is_open else ()

    return find


def _find_tuple(plain: t.Any, origin: t.Any) -> tuple[t.Any, ...]:
    items = t.get_args(plain)
    is_open = all(item is ... or is_anything(item) for item in items)
    return (origin,) if origin is tuple and is_open else ()


def _one_of(*types: t.Any) -> Callable[[t.Any, t.Any], tuple[t.Any, ...]]:
    """Finds just these types."""
    return lambda plain, origin: (origin,) if origin in types else ()


def _subclass_of(*types: t.Any) -> Callable[[t.Any, t.Any], tuple[t.Any, ...]]:
    """Finds these classes and those that inherit from them."""
    return lambda plain, origin: (origin,) if issubclass_of(origin, types) else ()


#: A response may hold whatever its author has put there: JSON and text are described,
#: and other types where they are named.
UNKNOWN_RETURN: t.Final = ReturnKind(
    find=_subclass_of(*RESPONSES), json=ANY_JSON, is_text=True
)

RETURN_KINDS: t.Final = (
    ReturnKind(
        find=lambda plain, origin: string_types(plain), passes=True, is_text=True
    ),
    ReturnKind(find=_one_of(*STREAMS), passes=True, is_text=True),
    UNKNOWN_RETURN,
    ReturnKind(find=_subclass_of(io.IOBase, t.IO), is_text=True),
    ReturnKind(
        find=_find_open(dict, abc.Mapping, defaultdict), json={"type": "object"}
    ),
    ReturnKind(find=_find_open(list), json={"type": "array", "items": {}}),
    # Flask's own (body, status, headers).
    replace(UNKNOWN_RETURN, find=_find_tuple),
    replace(
        UNKNOWN_RETURN,
        find=lambda plain, origin: (origin,) if is_anything(plain) else (),
    ),
    replace(UNKNOWN_RETURN, find=_one_of(abc.Callable)),
    ReturnKind(find=_one_of(t.NoReturn, Never)),
)


def return_kind_of(annotation: t.Any) -> ReturnKind | None:
    """The kind of value that a type is of, ``None`` for a response model."""
    plain = unwrap(annotation)
    origin = t.get_origin(plain) or plain
    if is_base_model(origin):
        return None
    return next((kind for kind in RETURN_KINDS if kind.find(plain, origin)), None)


def passed_types(annotation: t.Any) -> tuple[type, ...]:
    """The classes of a type whose values are sent as they are beside a model."""
    kind, plain = return_kind_of(annotation), unwrap(annotation)
    if kind is None or not kind.passes:
        return ()
    return kind.find(plain, t.get_origin(plain) or plain)


def takes_other_values(app: Flask) -> bool:
    """Whether an application makes responses of values that Flask does not take.

    Source: Flask, ``make_response()`` and ``Response.force_type()``.
    """
    methods = (app.make_response, app.response_class.force_type)
    return any(
        str(method.__module__).partition(".")[0] not in RESPONSE_PACKAGES
        for method in methods
    )


#: The types of headers beside a mapping.
LIST_ORIGINS: t.Final = (list, tuple, abc.Sequence, abc.Iterable)


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
    return origin in LIST_ORIGINS and (t.get_origin(items) or items) in (tuple, t.Any)
