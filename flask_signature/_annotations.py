"""What kind of value an annotation stands for."""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import typing as t
from collections import abc
from collections import deque
from decimal import Decimal
from enum import Enum
from functools import reduce
from operator import or_
from types import GenericAlias
from types import NoneType
from types import UnionType
from uuid import UUID

from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Json
from pydantic import RootModel
from pydantic import create_model
from typing_extensions import is_typeddict
from werkzeug.datastructures import FileStorage

from .params import ALIASES
from .typing import UploadFile

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from pydantic.fields import FieldInfo


class Shape(Enum):
    """How many values of a request an annotation takes, and of what kind."""

    SCALAR = "a single value"
    LIST = "a list"
    MAPPING = "a dict"
    MODEL = "a model"
    FILE = "a file"


LISTS = (
    list,
    tuple,
    set,
    frozenset,
    deque,
    abc.Collection,
    abc.Iterable,
    abc.MutableSequence,
    abc.MutableSet,
    abc.Sequence,
    abc.Set,
)

#: Scalars that no blank text can be: a blank field of a form is an absent one.
NEVER_BLANK = (
    bool,
    int,
    float,
    complex,
    Decimal,
    UUID,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
)

UNIONS = (t.Union, UnionType)

#: Types that are told to be scalars without a look at what else they could be. They are
#: few, and compared one by one: an annotation may have no hash.
KNOWN = (str, int, float, bool, NoneType, bytes)


def unwrap(annotation: t.Any) -> t.Any:
    """The annotation without ``Annotated``, ``NewType`` and type aliases around it.

    ``Annotated[int, Field(ge=1)]`` becomes ``int``.
    """
    while not is_class(annotation):
        origin = t.get_origin(annotation)
        if origin is t.Annotated:
            # Json[T] is Annotated[T, Json]: a single text, whatever T is.
            if any(Json in (item, type(item)) for item in annotation.__metadata__):
                return Json
            annotation = annotation.__origin__
        elif isinstance(annotation, t.NewType):
            annotation = annotation.__supertype__
        elif isinstance(annotation, ALIASES):
            annotation = annotation.__value__
        elif isinstance(origin, ALIASES):
            annotation = origin.__value__[t.get_args(annotation)]
        else:
            break
    return annotation


def annotate(annotation: t.Any, metadata: Sequence[t.Any]) -> t.Any:
    """``Annotated`` of a type and its metadata, the type alone where there is none."""
    arguments = (annotation, *metadata)
    return t.Annotated[arguments] if metadata else annotation


def members(annotation: t.Any) -> Iterator[t.Any]:
    """The types that a value may have: the members of a union, else the one type.

    ``list[int] | None`` gives ``list[int]`` and ``NoneType``.
    """
    plain = unwrap(annotation)
    if is_union(plain):
        for member in t.get_args(plain):
            yield from members(member)
    elif is_root_model(plain):
        yield from members(plain.model_fields["root"].annotation)
    else:
        yield plain


def is_union(annotation: t.Any) -> bool:
    """Whether an annotation is ``X | Y`` or ``Union[X, Y]``."""
    return not is_class(annotation) and t.get_origin(annotation) in UNIONS


def is_base_model(annotation: t.Any) -> bool:
    """Whether an annotation is a class of models, which is always inherited.

    ``issubclass`` would look through the subclasses of all its abstract bases.
    """
    return is_class(annotation) and BaseModel in annotation.__mro__


def is_anything(annotation: t.Any) -> bool:
    """Whether every value is of a type: ``Any``, ``object``, an unbound ``TypeVar``."""
    plain = unwrap(annotation)
    if not isinstance(plain, t.TypeVar):
        return plain in (t.Any, object, abc.Hashable)
    # Those of typing_extensions have a default before Python 3.13, too.
    has_default = getattr(plain, "has_default", bool)()
    bound = plain.__bound__
    is_bound = bound is not None and not is_anything(bound)
    return not (is_bound or plain.__constraints__ or has_default)


def is_root_model(annotation: t.Any) -> bool:
    """Whether an annotation is a class of models with a single value."""
    return is_class(annotation) and RootModel in annotation.__mro__


def issubclass_of(annotation: t.Any, classes: t.Any) -> bool:
    """``issubclass`` that answers for annotations which are no classes, too."""
    return is_class(annotation) and issubclass(annotation, classes)


def is_class(annotation: t.Any) -> bool:
    """Whether an annotation is a class itself, and not one with its items given."""
    # Python 3.10 says that list[int] is an instance of type.
    return type(annotation) is not GenericAlias and isinstance(annotation, type)


def shape_of(annotation: t.Any) -> Shape:
    """The shape of a type that is no union."""
    if annotation in KNOWN:
        return Shape.SCALAR
    if is_base_model(annotation):
        return Shape.MODEL
    origin = t.get_origin(annotation) or annotation
    if issubclass_of(origin, FileStorage):
        return Shape.FILE
    if is_model(origin):
        return Shape.MODEL
    if issubclass_of(origin, (str, bytes, bytearray, Enum)):
        return Shape.SCALAR
    if issubclass_of(origin, abc.Mapping):
        return Shape.MAPPING
    if origin in LISTS or issubclass_of(origin, (list, tuple, set, frozenset, deque)):
        return Shape.LIST
    return Shape.SCALAR


def shapes_of(annotation: t.Any) -> set[Shape]:
    """The shapes of an annotation, ``None`` aside: one, unless it is a union."""
    return {shape_of(tp) for tp in members(annotation) if tp not in (None, NoneType)}


def is_model(annotation: t.Any) -> bool:
    """Whether a type has named fields: a Pydantic model or one of Python's kinds."""
    if not is_class(annotation):
        return is_typeddict(annotation)
    return (
        BaseModel in annotation.__mro__
        or dataclasses.is_dataclass(annotation)
        or is_typeddict(annotation)
        or (issubclass(annotation, tuple) and hasattr(annotation, "_fields"))
    )


def items_of(annotation: t.Any) -> t.Any:
    """The union of the types of a list's items: ``int`` for ``list[int] | None``."""
    found = [
        argument
        for tp in members(annotation)
        if shape_of(tp) is Shape.LIST
        for argument in t.get_args(tp)
        if argument is not ...
    ]
    return reduce(or_, found) if found else t.Any


def accepts_text(annotation: t.Any) -> bool:
    """Whether a blank text can be a value of this type."""
    return any(_may_be_blank(tp) for tp in members(annotation))


def _may_be_blank(tp: t.Any) -> bool:
    if tp in (None, NoneType):
        return False
    if t.get_origin(tp) is t.Literal:
        return "" in t.get_args(tp)
    if issubclass_of(tp, Enum):
        return any(member.value == "" for member in tp)
    return shape_of(tp) is Shape.SCALAR and not issubclass_of(tp, NEVER_BLANK)


def text_values(annotation: t.Any) -> dict[str, t.Any]:
    """The values of literals and enumerations that are not text, by their text.

    ``Literal[1, 2] | None`` gives ``{"1": 1, "2": 2}``. Pydantic compares literals as
    they are, but a query string, a header, a cookie and a form carry nothing but text.
    """
    values: list[t.Any] = []
    for tp in members(annotation):
        if t.get_origin(tp) is t.Literal:
            values += t.get_args(tp)
        elif issubclass_of(tp, Enum):
            values += [member.value for member in tp]
    texts = {value for value in values if isinstance(value, str)}
    found = {_text(value): value for value in values if value is not None}
    return {text: value for text, value in found.items() if text not in texts}


def _text(value: t.Any) -> str:
    plain = value.value if isinstance(value, Enum) else value
    return str(plain).lower() if isinstance(plain, bool) else str(plain)


def model_fields(model: t.Any) -> dict[str, FieldInfo]:
    """The fields of a model by name, with their aliases, whatever kind it is."""
    if is_base_model(t.get_origin(model) or model):
        return dict(model.model_fields)
    return dict(_twin(model).model_fields)


def model_config(model: t.Any) -> ConfigDict:
    """The Pydantic configuration of a model, whatever kind it is."""
    if is_base_model(model):
        return t.cast("ConfigDict", model.model_config)
    return t.cast("ConfigDict", getattr(model, "__pydantic_config__", ConfigDict()))


def _twin(model: t.Any) -> type[BaseModel]:
    """A ``BaseModel`` with the fields of a dataclass, TypedDict or NamedTuple."""
    origin = t.get_origin(model) or model
    hints = t.get_type_hints(origin, include_extras=True)
    defaults = _defaults(origin)
    fields = {
        name: (_plain(hint), defaults.get(name, ...)) for name, hint in hints.items()
    }
    config = model_config(model) | ConfigDict(arbitrary_types_allowed=True)
    return create_model(origin.__name__, __config__=config, **fields)  # type: ignore[call-overload, no-any-return]


def _defaults(model: type) -> dict[str, t.Any]:
    if dataclasses.is_dataclass(model):
        return {
            field.name: field.default
            for field in dataclasses.fields(model)
            if field.default is not dataclasses.MISSING
        }
    return dict(getattr(model, "_field_defaults", {}))


def _plain(hint: t.Any) -> t.Any:
    from typing_extensions import NotRequired
    from typing_extensions import ReadOnly
    from typing_extensions import Required

    while t.get_origin(hint) in (Required, NotRequired, ReadOnly):
        hint = t.get_args(hint)[0]
    return hint


def with_upload_file(annotation: t.Any) -> t.Any:
    """The annotation with ``UploadFile``, which Pydantic can take, for ``FileStorage``.

    ``list[FileStorage] | None`` becomes ``list[UploadFile] | None``.
    """
    if is_class(annotation):
        return UploadFile if issubclass(annotation, FileStorage) else annotation
    if not _mentions_file(annotation):
        return annotation
    return map_arguments(annotation, with_upload_file)


def _mentions_file(annotation: t.Any) -> bool:
    if is_class(annotation):
        return issubclass(annotation, FileStorage)
    return any(_mentions_file(argument) for argument in t.get_args(annotation))


def map_arguments(annotation: t.Any, change: Callable[[t.Any], t.Any]) -> t.Any:
    """The annotation with each of its arguments changed: ``int`` in ``list[int]``."""
    origin = t.get_origin(annotation)
    if origin is t.Annotated:
        return annotate(change(annotation.__origin__), annotation.__metadata__)
    changed = tuple(change(argument) for argument in t.get_args(annotation))
    if is_union(annotation):
        # References, such as the one in Optional["Item"], have no "|" in Python 3.10.
        return t.Union[changed]  # noqa: UP007
    # Final and its like take one argument, and no tuple of one in Python 3.10.
    return origin[changed[0] if len(changed) == 1 else changed]
