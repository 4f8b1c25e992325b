"""A type that also accepts what a custom converter of a rule makes."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import core_schema

from .annotations import is_class, is_union, map_arguments, unwrap
from .inputs import unwrap_input
from .shapes import Shape, shape_of

if t.TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """Makes Pydantic accept an instance of any class."""

    cls: type

    def __get_pydantic_core_schema__(
        self, source: t.Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.is_instance_schema(self.cls)


def accept_instances(annotation: t.Any) -> t.Any:
    """The annotation with ``InstanceOf`` for what no string of a path can be.

    That is a class that Pydantic can't read, and any type with fields or items.
    """
    plain = unwrap(annotation)
    if plain != unwrap_input(annotation):
        # A validator says that it takes what the converter makes.
        return annotation
    if is_union(plain):
        return map_arguments(plain, accept_instances)
    origin = t.get_origin(plain) or plain
    if not is_class(origin) or (shape_of(plain) is Shape.SCALAR and _has_schema(plain)):
        return annotation
    try:
        isinstance(None, origin)
    except TypeError:
        # A TypedDict, or a protocol that can't be checked when the program runs.
        return t.Any
    return t.Annotated[t.Any, InstanceOf(origin)]


def _has_schema(tp: t.Any) -> bool:
    try:
        TypeAdapter(tp)
    except PydanticSchemaGenerationError:
        return False
    except Exception:
        # Another mistake, which is reported when the adapter is built.
        return True
    return True
