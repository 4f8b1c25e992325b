"""What a return annotation says: Flask's own kinds of answer, or a response model."""

from __future__ import annotations

import typing as t
from collections import abc
from dataclasses import dataclass
from functools import reduce
from operator import or_
from types import NoneType

from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from ._annotations import NEVER_BLANK
from ._annotations import is_union
from ._annotations import issubclass_of
from ._annotations import members
from ._annotations import unwrap
from ._signature import EMPTY

#: What Flask sends as it is. A view may return it beside a model: ``Item | str``.
TEXTS: t.Final = (str, bytes, bytearray)

STREAMS: t.Final = (
    abc.Iterator,
    abc.Generator,
    abc.Iterable,
    abc.AsyncIterator,
    abc.AsyncIterable,
    abc.AsyncGenerator,
)

#: What the second and third item of a tuple may be: a status or headers.
STATUS_OR_HEADERS: t.Final = (int, str, Headers, abc.Mapping, list, tuple, abc.Sequence)


@dataclass(frozen=True, slots=True)
class Returns:
    """What a view returns, by its annotation.

    :param model: the response model, ``EMPTY`` where there is none.
    :param passed: the types that go to Flask as they are, although there is a model.
    :param nothing: whether the annotation is ``None``, and nothing else.
    :param item: the type of what a stream yields, ``EMPTY`` where it is no stream.
    :param says_status: whether a tuple with a status is among what is returned.
    """

    model: t.Any = EMPTY
    passed: tuple[type, ...] = ()
    nothing: bool = False
    item: t.Any = EMPTY
    says_status: bool = False


def read_returns(annotation: t.Any) -> Returns:
    """What a return annotation means.

    ``Item | Response`` has the model ``Item``, and so has ``tuple[Item, int]``;
    ``str``, ``Response``, ``dict`` and Flask's own aliases have none.
    """
    plain = unwrap(annotation)
    if plain is None or plain is NoneType:
        return Returns(nothing=True)
    if (origin := t.get_origin(plain)) in STREAMS:
        return Returns(item=(*t.get_args(plain), EMPTY)[0] if origin else EMPTY)
    found = list(_bodies(annotation))
    models = [tp for tp in found if not is_flasks_own(tp) and tp is not NoneType]
    if not models or any(tp is t.Any or _is_wsgi(tp) for tp in found):
        return Returns()
    if NoneType in found:
        models.append(None)
    whole = not is_union(plain) and plain is unwrap(found[0])
    model = annotation if whole else reduce(or_, models)
    tuples = any(is_response_tuple(tp) for tp in members(annotation))
    return Returns(model, passed=tuple(_passed(found)), says_status=tuples)


def _bodies(annotation: t.Any) -> t.Iterator[t.Any]:
    """The types of body that a view may return, tuples and unions taken apart."""
    plain = unwrap(annotation)
    if annotation is EMPTY:
        return
    if is_union(plain):
        for member in t.get_args(plain):
            yield from _bodies(member)
    elif is_response_tuple(plain):
        yield from _bodies(t.get_args(plain)[0])
    else:
        yield NoneType if annotation is None else annotation


def is_response_tuple(annotation: t.Any) -> bool:
    """Whether a tuple is Flask's ``(body, status, headers)``, and no value of its own."""
    arguments = t.get_args(annotation)
    if t.get_origin(annotation) is not tuple or len(arguments) not in (2, 3):
        return False
    body, *rest = arguments
    if issubclass_of(unwrap(body), NEVER_BLANK):
        return False
    return all(_may_be_status_or_headers(item) for item in rest)


def _may_be_status_or_headers(annotation: t.Any) -> bool:
    plain = unwrap(annotation)
    if is_union(plain):
        return all(_may_be_status_or_headers(item) for item in t.get_args(plain))
    origin = t.get_origin(plain) or plain
    if origin is t.Literal:
        return all(isinstance(item, (int, str)) for item in t.get_args(plain))
    return issubclass_of(origin, STATUS_OR_HEADERS) and origin is not bool


def is_flasks_own(annotation: t.Any) -> bool:
    """Whether Flask sends such a value without our help, and without a model.

    A dictionary or list of anything is Flask's own; one of something is a model.
    """
    plain = unwrap(annotation)
    origin = t.get_origin(plain) or plain
    if issubclass_of(origin, (Response, *TEXTS)) or origin in STREAMS or _is_wsgi(origin):
        return True
    if origin in (dict, list, abc.Mapping):
        return all(argument in (str, t.Any) for argument in t.get_args(plain)[:-1]) and (
            t.get_args(plain)[-1:] in ((), (t.Any,))
        )
    return origin is t.Any


def _is_wsgi(annotation: t.Any) -> bool:
    return annotation is abc.Callable or t.get_origin(annotation) is abc.Callable


def _passed(found: t.Iterable[t.Any]) -> t.Iterator[type]:
    for annotation in found:
        plain = unwrap(annotation)
        origin = t.get_origin(plain) or plain
        if issubclass_of(origin, TEXTS) or origin in STREAMS:
            yield origin
