"""The kinds of value that Flask sends by itself: how each is recognised and described.

A return annotation that is none of them is a response model.
"""

from __future__ import annotations

import io
import typing as t
from collections import abc
from dataclasses import dataclass, replace

from typing_extensions import Never

from .._types.annotations import is_anything, is_base_model, issubclass_of, unwrap
from .._types.strings import string_types
from .status import RESPONSES

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Flask

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
    ReturnKind(find=_find_open(dict, abc.Mapping), json={"type": "object"}),
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
