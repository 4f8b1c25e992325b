"""What a return annotation says: Flask's own kinds of answer, or a response model."""

from __future__ import annotations

import io
import typing as t
from collections import abc
from dataclasses import dataclass
from types import NoneType

from typing_extensions import LiteralString
from typing_extensions import Never
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from ._annotations import NEVER_BLANK
from ._annotations import is_base_model
from ._annotations import is_union
from ._annotations import issubclass_of
from ._annotations import members
from ._annotations import unwrap
from ._signature import EMPTY

#: What Flask sends as it is. A view may return it beside a model: ``Item | str``.
TEXTS: t.Final = (str, bytes, bytearray)

ASYNCHRONOUS: t.Final = (abc.AsyncIterator, abc.AsyncIterable, abc.AsyncGenerator)

STREAMS: t.Final = (abc.Iterator, abc.Generator, abc.Iterable, *ASYNCHRONOUS)

#: How the headers of a response may be written, beside a dictionary.
PAIRS: t.Final = (list, tuple, abc.Sequence, abc.Iterable)

#: What a view may say that it returns, and Flask sends without a model.
FLASKS_OWN: t.Final = (Response, HTTPException, io.IOBase, t.IO, *TEXTS)


@dataclass(frozen=True, slots=True)
class Returns:
    """What a view returns, by its annotation.

    :param model: the response model, ``EMPTY`` where there is none.
    :param passed: the types that go to Flask as they are, although there is a model.
    :param nothing: whether the annotation is ``None``, and nothing else.
    :param item: the type of what a stream yields, ``EMPTY`` where it is no stream.
    :param asynchronous: whether it yields them in an event loop.
    :param says_status: whether a tuple with a status is among what is returned.
    """

    model: t.Any = EMPTY
    passed: tuple[type, ...] = ()
    nothing: bool = False
    item: t.Any = EMPTY
    asynchronous: bool = False
    says_status: bool = False


def read_returns(annotation: t.Any) -> Returns:
    """What a return annotation means.

    ``Item | Response`` has the model ``Item``, and so has ``tuple[Item, int]``;
    ``str``, ``Response``, ``dict`` and Flask's own aliases have none.
    """
    if annotation is EMPTY:
        return Returns()
    if is_base_model(annotation):
        return Returns(model=annotation)
    if unwrap(annotation) in (None, NoneType):
        return Returns(nothing=True)
    found = list(_bodies(annotation))
    stream = next(
        (tp for tp in map(unwrap, found) if t.get_origin(tp) in STREAMS), None
    )
    models = [tp for tp in found if not is_flasks_own(tp) and tp is not NoneType]
    if t.Any in found:
        return Returns()
    if models and NoneType in found:
        models.append(None)
    return Returns(
        # "|" would need one of its sides to be a class.
        model=t.Union[tuple(models)] if models else EMPTY,  # noqa: UP007
        passed=tuple(_passed(found)) if models else (),
        item=(*t.get_args(stream), EMPTY)[0],
        asynchronous=t.get_origin(stream) in ASYNCHRONOUS,
        says_status=any(_says_status(tp) for tp in members(annotation)),
    )


def _bodies(annotation: t.Any) -> t.Iterator[t.Any]:
    """The types of body that a view may return, tuples and unions taken apart.

    A union of models stays whole, with what it says of how to choose among them.
    """
    plain = unwrap(annotation)
    if is_union(plain):
        bodies = [tp for member in t.get_args(plain) for tp in _bodies(member)]
        split = any(is_response_tuple(member) for member in members(plain))
        if split or any(tp is NoneType or is_flasks_own(tp) for tp in bodies):
            yield from bodies
        else:
            yield annotation
    elif is_response_tuple(plain):
        yield from _bodies(t.get_args(plain)[0])
    else:
        yield NoneType if annotation is None else annotation


def is_response_tuple(annotation: t.Any) -> bool:
    """Whether a tuple is Flask's ``(body, status, headers)``, and no value itself."""
    arguments = t.get_args(annotation)
    if t.get_origin(annotation) is not tuple or len(arguments) not in (2, 3):
        return False
    body, *rest = arguments
    if issubclass_of(unwrap(body), NEVER_BLANK):
        return False
    return all(
        _is_status(tp) or _is_headers(tp) for item in rest for tp in members(item)
    )


def _says_status(annotation: t.Any) -> bool:
    if not is_response_tuple(annotation):
        return False
    return any(_is_status(tp) for tp in members(t.get_args(annotation)[1]))


def _is_status(annotation: t.Any) -> bool:
    if t.get_origin(annotation) is t.Literal:
        return all(isinstance(item, (int, str)) for item in t.get_args(annotation))
    return issubclass_of(annotation, (int, str)) and annotation is not bool


def _is_headers(annotation: t.Any) -> bool:
    origin = t.get_origin(annotation) or annotation
    if origin is NoneType or issubclass_of(origin, (Headers, abc.Mapping)):
        return True
    # A list of names and values, or a list of anything.
    items = [*map(unwrap, t.get_args(annotation)), tuple][0]
    return origin in PAIRS and (t.get_origin(items) or items) in (tuple, t.Any)


def is_flasks_own(annotation: t.Any) -> bool:
    """Whether Flask sends such a value without our help, and without a model.

    A dictionary or list of anything is Flask's own; one of something is a model.
    """
    plain = unwrap(annotation)
    origin = t.get_origin(plain) or plain
    if is_base_model(origin):
        return False
    if issubclass_of(origin, FLASKS_OWN) or origin in STREAMS:
        return True
    if origin in (dict, list, abc.Mapping):
        *keys, value = t.get_args(plain) or (t.Any,)
        return value is t.Any and all(key in (str, t.Any) for key in keys)
    return origin in (t.Any, object, t.NoReturn, Never, LiteralString, abc.Callable)


def _passed(found: t.Iterable[t.Any]) -> t.Iterator[type]:
    for annotation in found:
        plain = unwrap(annotation)
        origin = t.get_origin(plain) or plain
        if issubclass_of(origin, TEXTS) or origin in STREAMS:
            yield origin
