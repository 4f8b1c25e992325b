"""Types of plain fields, which dictionaries become in half the time.

A row that a view returns as a dictionary is validated and written, and nobody sees the
instance in between. Where nothing could tell the difference, a list of models is a list
of typed dictionaries.
"""

from __future__ import annotations

import datetime
import typing as t
from dataclasses import fields
from decimal import Decimal
from enum import Enum
from functools import cache
from functools import reduce
from operator import or_
from types import NoneType
from uuid import UUID

import annotated_types
from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import FailFast
from pydantic.fields import FieldInfo
from typing_extensions import NotRequired
from typing_extensions import TypedDict

from ._types.annotations import annotate
from ._types.annotations import is_base_model
from ._types.annotations import is_class
from ._types.annotations import is_root_model
from ._types.annotations import is_union
from ._types.annotations import issubclass_of

if t.TYPE_CHECKING:
    from collections.abc import Iterable

#: Types that are validated and written the same wherever they stand.
PLAIN: t.Final = frozenset(
    {
        t.Any,
        NoneType,
        bool,
        int,
        float,
        str,
        bytes,
        Decimal,
        UUID,
        datetime.date,
        datetime.datetime,
        datetime.time,
        datetime.timedelta,
    }
)

#: What a configuration may say without a difference, or with none for a dictionary.
CONFIG: t.Final = frozenset(
    {"title", "json_schema_extra", "from_attributes", "frozen", "populate_by_name"}
)

#: The defaults that can be made without looking at the other fields.
FACTORIES: t.Final = (None, list, dict)

#: The options of a field that a typed dictionary may understand otherwise.
UNLIKE: t.Final = ("discriminator", "exclude", "exclude_if", "validate_default")

#: What a model inherits unless it does something of its own.
INHERITED: t.Final = ("__init__", "__new__", "model_post_init", "__getattribute__")


class FirstFailure(FailFast):
    """Ends a list at the first item that fails, also where the list is in a union."""

    # Python compares the members of a union by their hashes.
    __hash__ = object.__hash__


class _Unlike(Exception):
    """A type whose dictionary would not do."""


def twin_of(model: t.Any) -> t.Any:
    """The type that a dictionary may be validated by in the place of a response model.

    It says the same as the model, and whatever it makes holds nothing that Pydantic has
    not looked at, as an instance might. ``None`` where there is no such type.
    """
    try:
        if _is_flat(model):
            return model
        return _twin(model, ()) if _lists_models(model, ()) else None
    except _Unlike:
        return None


def _lists_models(annotation: t.Any, around: tuple[t.Any, ...]) -> bool:
    """Whether there is a list of models: a few instances would not be worth a twin.

    :param around: the models that the type is a part of.
    """
    arguments = t.get_args(annotation)
    if is_base_model(annotation):
        if annotation in around:
            # The twin of a model that is a part of itself could not be told.
            raise _Unlike
        around = (*around, annotation)
        arguments = tuple(
            field.annotation for field in annotation.model_fields.values()
        )
    elif t.get_origin(annotation) is list and is_base_model(arguments[0]):
        return True
    return any(_lists_models(item, around) for item in arguments)


def _is_flat(model: t.Any) -> bool:
    """Whether a model has no place for an instance, which Pydantic would trust."""
    if not is_base_model(model) or not _is_plain_model(model):
        return False
    fields = model.model_fields.values()
    return all(_is_known_field(item) and _is_bare(item.annotation) for item in fields)


def _is_bare(annotation: t.Any) -> bool:
    arguments = t.get_args(annotation)
    if _is_plain(annotation):
        return True
    if is_union(annotation) or t.get_origin(annotation) in (list, dict):
        return all(_is_bare(item) for item in arguments)
    return False


def _twin(annotation: t.Any, around: tuple[t.Any, ...]) -> t.Any:
    if _is_plain(annotation):
        return annotation
    if is_base_model(annotation):
        return _model_twin(annotation, around)
    arguments = t.get_args(annotation)
    if is_union(annotation):
        return _optional_twin(arguments, around)
    if t.get_origin(annotation) is t.Annotated:
        if not _is_known(annotation.__metadata__):
            raise _Unlike
        return annotate(_twin(arguments[0], around), annotation.__metadata__)
    twins = tuple(_twin(item, around) for item in arguments)
    if t.get_origin(annotation) is list:
        # Where an instance is among the items, the first one is enough to know it.
        return t.Annotated[list[twins[0]], FirstFailure()]  # type: ignore[valid-type]
    if t.get_origin(annotation) is dict:
        return dict[twins]  # type: ignore[misc, valid-type]
    raise _Unlike


def _is_known(metadata: Iterable[object]) -> bool:
    """Whether all that is said beside a type are constraints, and no functions."""
    return all(
        isinstance(item, annotated_types.BaseMetadata)
        or (isinstance(item, FieldInfo) and _is_known_field(item))
        for item in metadata
    )


def _is_known_field(field: FieldInfo) -> bool:
    for name in UNLIKE:
        if getattr(field, name, None) is not None:
            return False
    return field.default_factory in FACTORIES and _is_known(field.metadata)


def _is_plain(annotation: t.Any) -> bool:
    if annotation is t.Any or (is_class(annotation) and annotation in PLAIN):
        return True
    return t.get_origin(annotation) is t.Literal or issubclass_of(annotation, Enum)


def _optional_twin(arguments: tuple[t.Any, ...], around: tuple[t.Any, ...]) -> t.Any:
    """``X | None`` or scalars; where models compete for a value, they count for it."""
    optional = len(arguments) == 2 and NoneType in arguments
    if not optional and not all(_is_plain(item) for item in arguments):
        raise _Unlike
    return reduce(or_, (_twin(item, around) for item in arguments))


def _model_twin(model: type[BaseModel], around: tuple[t.Any, ...]) -> t.Any:
    if model in around or not _is_plain_model(model):
        raise _Unlike
    twins = {
        name: _field_twin(field, (*around, model))
        for name, field in model.model_fields.items()
    }
    # The names are known at run time only, which is not what type checkers expect.
    make: t.Any = TypedDict
    twin = make(model.__name__, twins)
    by_name = model.model_config.get("populate_by_name", False)
    twin.__pydantic_config__ = ConfigDict(populate_by_name=by_name)
    return twin


def _is_plain_model(model: type[BaseModel]) -> bool:
    """Whether a model has fields and nothing else: no functions that run meanwhile."""
    # Documented by Pydantic as attributes of a model, in spite of their names.
    decorators = model.__pydantic_decorators__
    return (
        model is not BaseModel
        and CONFIG.issuperset(model.model_config)
        and not is_root_model(model)
        and not any(getattr(decorators, name) for name in _kinds_of_decorators())
        and not model.__private_attributes__
        and all(getattr(model, name) is getattr(BaseModel, name) for name in INHERITED)
        and _schema_function(model) is _schema_function(BaseModel)
    )


@cache
def _kinds_of_decorators() -> tuple[str, ...]:
    return tuple(item.name for item in fields(BaseModel.__pydantic_decorators__))


def _schema_function(model: type[BaseModel]) -> object:
    return t.cast("t.Any", model.__get_pydantic_core_schema__).__func__


def _field_twin(field: FieldInfo, around: tuple[t.Any, ...]) -> t.Any:
    if not _is_known_field(field):
        raise _Unlike
    twin = annotate(_twin(field.annotation, around), [field])
    return twin if field.is_required() else NotRequired[twin]
