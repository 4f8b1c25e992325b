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
    STRING_TYPES,
    Shape,
    is_anything,
    is_base_model,
    is_class,
    is_union,
    issubclass_of,
    members,
    shape_of,
    show_type,
    string_types,
    unwrap,
    with_known,
)
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    #: Whether a type, with its origin, is of a kind.
    Matches: t.TypeAlias = Callable[[t.Any, t.Any], bool]


class AnnotationError(SignatureError):
    """What is wrong with a return annotation, in words that follow its name."""

    def of(self, function: str) -> SignatureError:
        """The same of the annotation of a function: ``"show()"``."""
        return SignatureError(f"the return annotation of {function} {self}")


@dataclass(frozen=True, slots=True)
class Returns:
    """What a view returns with one status, or without one, by its annotation.

    :param annotation: of the body, ``EMPTY`` where there is none.
    :param model: the response model, ``EMPTY`` where there is none.
    :param passthrough: the types that go to Flask as they are, beside a model.
    :param beside_stream: the dicts that may be returned in place of a stream.
    :param containers: the dicts and lists of ``Any``, ``EMPTY`` where there are none,
        or a model beside them.
    :param returns_none: whether the annotation is ``None``, and nothing else.
    :param stream: the iterator, ``None`` where there is none.
    :param names_status: whether a tuple with a status is among the members.
    :param is_open: whether such a tuple may have any status: ``tuple[Book, int]``.
    :param headers: their type, ``EMPTY`` where they are Flask's.
    :param may_have_none: whether these may be left out.
    :param problem: why the annotation can't be used, and what to write; or ``""``.
    """

    annotation: t.Any = EMPTY
    model: t.Any = EMPTY
    passthrough: tuple[type, ...] = ()
    beside_stream: tuple[type, ...] = ()
    containers: t.Any = EMPTY
    returns_none: bool = False
    stream: AnnotatedBody | None = None
    names_status: bool = False
    is_open: bool = False
    headers: t.Any = EMPTY
    may_have_none: bool = False
    problem: str = ""


class AnnotatedBody:
    """One type of body in an annotation, unions and response tuples taken apart.

    :param annotation: the type. A union of models stays whole, with its discriminator.
    :param around: the response tuple that has it, ``None`` without one.
    :ivar plain: the type without ``Annotated`` and aliases around it.
    :ivar kind: of the values that Flask has, ``None`` for a model and for ``None``.
    :ivar has_status: whether it is returned with a status.
    """

    __slots__ = ("annotation", "around", "has_status", "is_model", "kind", "plain")

    def __init__(self, annotation: t.Any, around: t.Any = None) -> None:
        self.annotation: t.Any = annotation
        self.around: t.Any = around
        self.plain: t.Any = unwrap(annotation)
        self.kind: ReturnKind | None = return_kind_of(self.plain)
        self.is_model: bool = self.kind is None and annotation is not NoneType
        self.has_status: bool = around is not None and any(
            map(_is_status, _statuses_of(around))
        )

    @property
    def sent(self) -> ReturnKind:
        """What is sent of it: of a type that Flask does not know, anything."""
        return self.kind or UNKNOWN_RETURN

    @property
    def origin(self) -> t.Any:
        """The type without its arguments."""
        return t.get_origin(self.plain) or self.plain

    @property
    def is_stream(self) -> bool:
        """Whether it is an iterator."""
        return self.kind is STREAM_KIND

    @property
    def is_asynchronous(self) -> bool:
        """Whether it is an iterator of an event loop."""
        return self.origin in ASYNCHRONOUS_ITERATORS

    @property
    def items(self) -> tuple[t.Any, ...]:
        """The type of the items of a stream, if it says one."""
        return t.get_args(self.plain)[:1] if self.is_stream else ()

    @property
    def item(self) -> t.Any:
        """The type of the items of a stream, ``Any`` if it says none."""
        return (*self.items, t.Any)[0]

    @property
    def is_str(self) -> bool:
        """Whether it is a ``str``, or a stream of those."""
        kinds = string_types((*self.items, self.plain)[0])
        return bool(kinds) and all(issubclass(kind, str) for kind in kinds)

    @property
    def models(self) -> list[t.Any]:
        """Itself if it is a model, or those among the items of a stream."""
        found = [one for x in self.items or [self.plain] for one in members(x)]
        return [tp for tp in found if tp is not NoneType and not return_kind_of(tp)]


def read_bodies(annotation: t.Any, around: t.Any = None) -> list[AnnotatedBody]:
    """The types of body that a view may return."""
    if is_class(annotation):
        return [AnnotatedBody(annotation, around)]
    plain = unwrap(annotation)
    if strings := string_types(plain):
        return [AnnotatedBody(tp, around) for tp in strings]
    if is_union(plain):
        found = [x for member in t.get_args(plain) for x in read_bodies(member, around)]
        is_whole = all(body.is_model and body.around is around for body in found)
        return [AnnotatedBody(annotation, around)] if is_whole else found
    if is_response_tuple(plain):
        return read_bodies(t.get_args(plain)[0], around or plain)
    return [AnnotatedBody(NoneType if annotation is None else annotation, around)]


def check_bodies(annotation: t.Any, around: t.Any = None) -> None:
    """Refuse a response tuple that is the body of another.

    :raises AnnotationError: if there is one.
    """
    for member in filter(is_response_tuple, members(annotation)):
        if around is not None:
            raise AnnotationError(
                f"has {show_type(member)!r} as the body of {show_type(around)!r}. A"
                " body has one status: name both tuples in a union."
            )
        check_bodies(t.get_args(member)[0], member)


def read_returns(annotation: t.Any) -> dict[int | None, Returns]:
    """What a return annotation means, by status, with ``None`` for what has none.

    ``Item | Response`` has the model ``Item``, and so has ``tuple[Item, int]``;
    ``str``, ``Response``, ``dict`` and Flask's own aliases have none. Of
    ``Book | tuple[Problem, Literal[404]]``, ``Book`` is what has no status.

    :raises AnnotationError: if a status is none, or has headers of two types.
    """
    for member in members(annotation):
        _check_literal(member)
    by_status = defaultdict[int | None, list[AnnotatedBody]](list)
    for body in read_bodies(annotation):
        for status in _literal_statuses(body) or (None,):
            by_status[status].append(body)
    others = by_status.pop(None, [])
    found: dict[int | None, Returns] = {
        status: _read_status_returns(status, bodies)
        for status, bodies in by_status.items()
    }
    if others:
        if found:
            annotation = union_of(body.around or body.annotation for body in others)
        usual = _read_group(annotation, others)
        is_open = bool(found) and any(map(_may_have_any_status, others))
        problem = usual.problem
        if usual.names_status and not problem:
            problem = _find_misread_status(others)
        found[None] = replace(usual, is_open=is_open, problem=problem)
    return found


def read_model(annotation: t.Any) -> Returns:
    """What the type of a body means, whatever statuses seem to be in it."""
    return _read_group(annotation, read_bodies(annotation))


def _read_status_returns(status: t.Any, bodies: Sequence[AnnotatedBody]) -> Returns:
    returns = _read_group(union_of(body.annotation for body in bodies), bodies)
    headers, may_have_none = _read_headers(status, [body.around for body in bodies])
    return replace(returns, headers=headers, may_have_none=may_have_none)


def _read_group(annotation: t.Any, bodies: Sequence[AnnotatedBody]) -> Returns:
    """What the bodies in an annotation mean, without their statuses."""
    if annotation is EMPTY or annotation is JsonValue:
        return Returns(annotation, annotation)
    models = [body.annotation for body in bodies if body.is_model]
    others = [body for body in bodies if not body.is_model]
    if anything := [body.annotation for body in others if body.kind is ANY_KIND]:
        shown, model = show_type(anything[0]), show_type((*models, None)[0])
        problem = (
            f"says {shown!r} beside {model!r}, so that anything could be sent. Remove"
            f" {shown!r}, or give response_model={model}."
        )
        return Returns(annotation, problem=problem if models else "")
    streams = [body for body in others if body.is_stream]
    passed, dicts, containers = list[type](), list[type](), EMPTY
    if models:
        for body in others:
            if body.sent.passes:
                passed += string_types(body.plain) or (body.origin,)
            elif body.kind is None:
                models.append(None)
    else:
        if streams:
            # A list may be one.
            dicts = [x.origin for x in others if x.origin in (dict, abc.Mapping)]
        containers = union_of(x.annotation for x in others if _is_unfiltered(x.plain))
    return Returns(
        annotation,
        union_of(models),
        tuple(passed),
        tuple(dicts),
        containers,
        returns_none=not models and unwrap(annotation) in (None, NoneType),
        stream=streams[0] if streams else None,
        names_status=any(body.has_status for body in bodies),
        problem=_find_second_stream(streams) if streams else "",
    )


def sent_type(annotation: t.Any) -> t.Any:
    """What is sent of a type: what a decorator awaits; of markup, the string."""
    if t.get_origin(annotation) in (abc.Awaitable, abc.Coroutine):
        annotation = t.get_args(annotation)[-1]
    return with_known(annotation, Markup, str)


def _is_unfiltered(plain: t.Any) -> bool:
    """Whether models in a value are sent with all of their fields.

    So they are where ``dict[str, Any]`` or ``list[Any]`` is written out. The author of
    ``dict`` or ``list[object]`` has not said that models may be in it.
    """
    is_container = t.get_origin(plain) in (dict, list, abc.Mapping)
    return is_container and unwrap(t.get_args(plain)[-1]) is t.Any


def may_be_stream(annotation: t.Any) -> bool:
    """Whether a view may send what it returns item by item, whatever the status."""
    return any(body.is_stream for body in read_bodies(annotation))


def _find_second_stream(streams: Sequence[AnnotatedBody]) -> str:
    """The problem of two streams of different items, ``""`` if there is none."""
    typed = [body for body in streams if body.items]
    differ = any(not _is_same(body.item, typed[0].item) for body in typed)
    if not differ or all(string_types(body.item) for body in typed):
        return ""
    return (
        f"has two streams, {show_type(typed[0].plain)!r} and"
        f" {show_type(typed[1].plain)!r}, which can't be told apart. Keep one, or yield"
        " items of a union."
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


def _find_misread_status(bodies: Sequence[AnnotatedBody]) -> str:
    """The problem of a model of an unknown status, ``""`` if there is none.

    By ``Book | tuple[Problem, int]``, a value could be either of the two. One model may
    be returned with any status: ``Book | tuple[Book, int]``.
    """
    named = [body for body in bodies if body.has_status and body.models]
    if not named:
        return ""
    known = [one for x in bodies if not x.has_status for one in x.models]
    known = known or named[0].models
    for body in named:
        own = body.models
        if not all(any(_is_same(one, other) for other in known) for one in own):
            return (
                f"says {show_type(body.around)!r}, which does not name the status of"
                f" {show_type(own[0])!r}. Write tuple[{show_type(own[0])},"
                " Literal[404]], with the statuses that it has."
            )
    return ""


def may_be_tuple(model: t.Any) -> bool:
    """Whether a value of a model may be a tuple, as a body with a status is."""
    found = [t.get_origin(tp) or tp for tp in members(model)]
    return any(issubclass_of(tp, tuple) for tp in found)


def check_ambiguous(kind: type, model: t.Any) -> None:
    """Refuse a type that is sent as it is, if a value for a model may be one.

    Of ``Item | Iterable[str]``, the latter goes to Flask as it is; a dict, which is a
    value for the former, is an Iterable too.

    :raises AnnotationError: if it is.
    """
    for tp in members(model):
        if tp is not NoneType and _takes(tp, kind):
            raise AnnotationError(
                f"may return {show_type(tp)!r} or {kind.__name__!r}, which is sent as"
                " it is, and a value for the former can be the latter. Return a"
                f" Response instead of {kind.__name__!r}, and annotate it so."
            )


def _takes(model: t.Any, passthrough: type) -> bool:
    """Whether a value of a type that goes to Flask can be a value for a model."""
    if passthrough is abc.Iterable:
        return True
    if issubclass_of(t.get_origin(model) or model, passthrough):
        return True
    if issubclass(passthrough, STRING_TYPES):
        # Most scalars are read from strings; lists and models are not.
        values = t.get_args(model) if t.get_origin(model) is t.Literal else ("",)
        is_read = any(isinstance(value, str) for value in values)
        return shape_of(model) is Shape.SCALAR and is_read
    return issubclass(passthrough, abc.Iterator) and shape_of(model) is Shape.LIST


ASYNCHRONOUS_ITERATORS: t.Final = (
    abc.AsyncIterator,
    abc.AsyncIterable,
    abc.AsyncGenerator,
)

STREAMS: t.Final = (abc.Iterator, abc.Generator, abc.Iterable, *ASYNCHRONOUS_ITERATORS)


# Compared by identity: a row has functions.
@dataclass(frozen=True, slots=True, eq=False)
class ReturnKind:
    """One kind of value without a model.

    :param matches: whether a type is of this kind. It takes the type without
        ``Annotated`` around it, and its origin.
    :param passes: whether a value is sent as it is where the annotation has a model
        beside, ``Item | str``; a response always is.
    :param json: the schema of what is sent as JSON, ``None`` where nothing is.
    :param is_text: whether a value may be sent as it is, under the content type that
        the class of responses has for a string. Source: Flask, About Responses.
    """

    matches: Matches
    passes: bool = False
    json: Mapping[str, t.Any] | None = None
    is_text: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it says what is sent."""
        return self.json != ANY_JSON


#: The schema of JSON of any shape.
ANY_JSON: t.Final[Mapping[str, t.Any]] = {}


def _is_open(*containers: t.Any) -> Matches:
    """Matches containers of anything: ``dict`` and ``dict[str, Any]``."""

    def matches(plain: t.Any, origin: t.Any) -> bool:
        if origin not in containers:
            return False
        *keys, value = t.get_args(plain) or (t.Any,)
        return is_anything(value) and all(key in (str, t.Any) for key in keys)

    return matches


def _is_open_tuple(plain: t.Any, origin: t.Any) -> bool:
    items = t.get_args(plain)
    return origin is tuple and all(item is ... or is_anything(item) for item in items)


def _is_one_of(*types: t.Any) -> Matches:
    """Matches just these types."""
    return lambda plain, origin: origin in types


def _is_subclass_of(*types: t.Any) -> Matches:
    """Matches these classes and those that inherit from them."""
    return lambda plain, origin: issubclass_of(origin, types)


#: A response may hold whatever its author has put there: JSON and text are described,
#: and other types where they are named.
UNKNOWN_RETURN: t.Final = ReturnKind(
    _is_subclass_of(*RESPONSES), json=ANY_JSON, is_text=True
)

STREAM_KIND: t.Final = ReturnKind(_is_one_of(*STREAMS), passes=True, is_text=True)

ANY_KIND: t.Final = replace(
    UNKNOWN_RETURN, matches=lambda plain, origin: is_anything(plain)
)

RETURN_KINDS: t.Final = (
    ReturnKind(lambda plain, _: bool(string_types(plain)), passes=True, is_text=True),
    STREAM_KIND,
    UNKNOWN_RETURN,
    ReturnKind(_is_subclass_of(io.IOBase, t.IO), is_text=True),
    ReturnKind(_is_open(dict, abc.Mapping, defaultdict), json={"type": "object"}),
    ReturnKind(_is_open(list), json={"type": "array", "items": {}}),
    # Flask's own (body, status, headers).
    replace(UNKNOWN_RETURN, matches=_is_open_tuple),
    ANY_KIND,
    replace(UNKNOWN_RETURN, matches=_is_one_of(abc.Callable)),
    ReturnKind(_is_one_of(t.NoReturn, Never)),
)


def return_kind_of(plain: t.Any) -> ReturnKind | None:
    """The kind of value that a type is of, ``None`` for a response model.

    :param plain: the type without ``Annotated`` and aliases around it.
    """
    if is_base_model(plain):
        return None
    origin = t.get_origin(plain) or plain
    return next((kind for kind in RETURN_KINDS if kind.matches(plain, origin)), None)


#: The types of headers beside a mapping.
LIST_ORIGINS: t.Final = (list, tuple, abc.Sequence, abc.Iterable)


def _check_literal(annotation: t.Any) -> None:
    """Refuse ``tuple[Book, 201]``, which Python takes and no type checker does."""
    arguments, is_tuple = t.get_args(annotation), t.get_origin(annotation) is tuple
    if is_tuple and len(arguments) in (2, 3) and isinstance(arguments[1], int):
        raise AnnotationError(
            f"says {show_type(annotation)!r}, and {arguments[1]} is no type. Write"
            f" Literal[{arguments[1]}]."
        )


def _statuses_of(response_tuple: t.Any) -> list[t.Any]:
    """The types of the status in a response tuple, or of its headers without one."""
    return members(t.get_args(response_tuple)[1])


def _literal_statuses(body: AnnotatedBody) -> tuple[int, ...]:
    """The statuses that a body is returned with, ``()`` if it may have others."""
    literals = _statuses_of(body.around) if body.has_status else []
    if any(t.get_origin(tp) is not t.Literal for tp in literals):
        return ()
    statuses = [status for tp in literals for status in t.get_args(tp)]
    for status in statuses:
        if not is_status(status):
            raise AnnotationError(
                f"says {show_type(body.around)!r}, and {status!r} is no HTTP status."
                " Use 100 to 599, or give response_model= for a JSON array."
            )
    return tuple(map(status_code, statuses))


def _read_headers(status: int, tuples: Iterable[t.Any]) -> tuple[t.Any, bool]:
    """The type of the headers in response tuples, and whether they may be left out."""
    types, may_have_none = list[t.Any](), False
    for response_tuple in tuples:
        headers = [x for item in t.get_args(response_tuple)[2:] for x in members(item)]
        typed = [tp for tp in headers if shape_of(tp) is Shape.MODEL]
        if typed and len({*headers} - {NoneType}) > 1:
            raise AnnotationError(
                f"has headers of two types in {show_type(response_tuple)!r}. Use one"
                " TypedDict."
            )
        types += typed
        may_have_none |= not typed or NoneType in headers
    if any(tp != types[0] for tp in types):
        raise AnnotationError(
            f"has headers of two types for status {status}. Use one TypedDict."
        )
    return types[0] if types else EMPTY, may_have_none


def union_of(types: Iterable[t.Any]) -> t.Any:
    """The union of some types, ``EMPTY`` where there are none."""
    found = tuple(types)
    # "|" would need one of its sides to be a class.
    return t.Union[found] if found else EMPTY  # noqa: UP007


def is_response_tuple(annotation: t.Any) -> bool:
    """Whether a tuple is Flask's ``(body, status, headers)``, and no value itself."""
    arguments = t.get_args(annotation)
    if t.get_origin(annotation) is not tuple or len(arguments) not in (2, 3):
        return False
    body, *rest = arguments
    statuses, *headers = map(members, rest)
    found = [tp for types in headers for tp in types]
    if all(map(_names_statuses, statuses)):
        return all(shape_of(tp) is Shape.MODEL or _is_headers(tp) for tp in found)
    # An array, whose last item is a model, or that begins with a scalar.
    if any(map(is_typeddict, map(unwrap, rest))) or (
        issubclass_of(unwrap(body), NEVER_BLANK)
    ):
        return False
    return all(_is_status(tp) or _is_headers(tp) for tp in (*statuses, *found))


def _may_have_any_status(body: AnnotatedBody) -> bool:
    is_bare_tuple = body.plain is tuple or t.get_args(body.plain)[1:] == (...,)
    return is_bare_tuple or is_anything(body.plain) or body.has_status


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
