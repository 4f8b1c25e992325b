"""Typed dicts that validate and write the same as a response model, in half the time.

A response model goes in, a type comes out that Pydantic turns into the same JSON
without making instances. Models that run code of their own, or whose values could
differ, have no such type.
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

from .._types.annotations import annotate
from .._types.annotations import is_base_model
from .._types.annotations import is_class
from .._types.annotations import is_root_model
from .._types.annotations import is_union
from .._types.annotations import issubclass_of

if t.TYPE_CHECKING:
    from collections.abc import Iterable

#: Types whose values are written the same in a model and in a typed dict.
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

#: The keys of a configuration that make no difference for a dict.
CONFIG: t.Final = frozenset(
    {"title", "json_schema_extra", "from_attributes", "frozen", "populate_by_name"}
)

#: The factories of defaults that don't depend on other fields.
FACTORIES: t.Final = (None, list, dict)

#: The options of a field that mean something else in a typed dict.
UNSUPPORTED: t.Final = ("discriminator", "exclude", "exclude_if", "validate_default")

#: The methods that a model inherits unless it runs code of its own.
INHERITED: t.Final = ("__init__", "__new__", "model_post_init", "__getattribute__")


class FirstFailure(FailFast):
    """Ends a list at the first item that fails, also where the list is in a union."""

    # Python compares the members of a union by their hashes.
    __hash__ = object.__hash__


class NotEquivalent(Exception):
    """There is no typed dict that is equivalent to a type."""


def typed_dict_type(model: t.Any) -> t.Any:
    """The type that dicts are validated with in place of a response model, if there is.

    It accepts the same dicts, and what it makes contains no instance, whose fields
    Pydantic would not validate again.
    """
    try:
        if _holds_no_instance(model):
            return model
        return _equivalent(model, ()) if _lists_models(model, ()) else None
    except NotEquivalent:
        return None


def _lists_models(annotation: t.Any, enclosing: tuple[t.Any, ...]) -> bool:
    """Whether there is a list of models: only that is worth a typed dict.

    :param enclosing: the models that the type is a part of.
    """
    arguments = t.get_args(annotation)
    if is_base_model(annotation):
        if annotation in enclosing:
            # No typed dict is made of a model that contains itself.
            raise NotEquivalent
        enclosing = (*enclosing, annotation)
        arguments = tuple(
            field.annotation for field in annotation.model_fields.values()
        )
    elif t.get_origin(annotation) is list and is_base_model(arguments[0]):
        return True
    return any(_lists_models(item, enclosing) for item in arguments)


def _holds_no_instance(model: t.Any) -> bool:
    """Whether no field of a model can hold an instance, which Pydantic would trust."""
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


def _equivalent(annotation: t.Any, enclosing: tuple[t.Any, ...]) -> t.Any:
    if _is_plain(annotation):
        return annotation
    if is_base_model(annotation):
        return _model_equivalent(annotation, enclosing)
    arguments = t.get_args(annotation)
    if is_union(annotation):
        return _union_equivalent(arguments, enclosing)
    if t.get_origin(annotation) is t.Annotated:
        if not _is_known(annotation.__metadata__):
            raise NotEquivalent
        return annotate(_equivalent(arguments[0], enclosing), annotation.__metadata__)
    equivalents = tuple(_equivalent(item, enclosing) for item in arguments)
    if t.get_origin(annotation) is list:
        # The first item that is an instance is enough to use the model instead.
        return t.Annotated[list[equivalents[0]], FirstFailure()]  # type: ignore[valid-type]
    if t.get_origin(annotation) is dict:
        return dict[equivalents]  # type: ignore[misc, valid-type]
    raise NotEquivalent


def _is_known(metadata: Iterable[object]) -> bool:
    """Whether all metadata are constraints, and no functions."""
    return all(
        isinstance(item, annotated_types.BaseMetadata)
        or (isinstance(item, FieldInfo) and _is_known_field(item))
        for item in metadata
    )


def _is_known_field(field: FieldInfo) -> bool:
    for name in UNSUPPORTED:
        if getattr(field, name, None) is not None:
            return False
    return field.default_factory in FACTORIES and _is_known(field.metadata)


def _is_plain(annotation: t.Any) -> bool:
    if annotation is t.Any or (is_class(annotation) and annotation in PLAIN):
        return True
    return t.get_origin(annotation) is t.Literal or issubclass_of(annotation, Enum)


def _union_equivalent(
    arguments: tuple[t.Any, ...], enclosing: tuple[t.Any, ...]
) -> t.Any:
    """The equivalent of ``X | None``, or of a union of plain types.

    A union of models has none: Pydantic chooses among models and among typed dicts in
    different ways.
    """
    optional = len(arguments) == 2 and NoneType in arguments
    if not optional and not all(_is_plain(item) for item in arguments):
        raise NotEquivalent
    return reduce(or_, (_equivalent(item, enclosing) for item in arguments))


def _model_equivalent(model: type[BaseModel], enclosing: tuple[t.Any, ...]) -> t.Any:
    if model in enclosing or not _is_plain_model(model):
        raise NotEquivalent
    equivalents = {
        name: _field_equivalent(field, (*enclosing, model))
        for name, field in model.model_fields.items()
    }
    # The names are known at run time only, which is not what type checkers expect.
    make: t.Any = TypedDict
    typed_dict = make(model.__name__, equivalents)
    by_name = model.model_config.get("populate_by_name", False)
    typed_dict.__pydantic_config__ = ConfigDict(populate_by_name=by_name)
    return typed_dict


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


def _field_equivalent(field: FieldInfo, enclosing: tuple[t.Any, ...]) -> t.Any:
    if not _is_known_field(field):
        raise NotEquivalent
    tp = annotate(_equivalent(field.annotation, enclosing), [field])
    return tp if field.is_required() else NotRequired[tp]
