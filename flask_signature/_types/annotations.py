"""Which types an annotation names, without what is written around them.

Annotations go in as they were written; the readers of signatures and of return
annotations ask these functions. What a type takes of a request is in :mod:`.shapes`.
"""

from __future__ import annotations

import dataclasses
import typing as t
from collections import abc
from types import NoneType, UnionType

from pydantic import BaseModel, Json, RootModel
from pydantic_core import MISSING
from typing_extensions import is_typeddict
from werkzeug.datastructures import FileStorage

from ..params import ALIASES
from ..typing import UploadFile
from .references import alias_value

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


UNIONS = (t.Union, UnionType)


def unwrap(annotation: t.Any) -> t.Any:
    """The annotation without ``Annotated``, ``NewType`` and type aliases around it.

    ``Annotated[int, Field(ge=1)]`` becomes ``int``.
    """
    *_, plain = annotation_layers(annotation)
    return plain


def annotation_layers(annotation: t.Any) -> Iterator[t.Any]:
    """An annotation, and what is left of it without each thing that is around it."""
    yield annotation
    while not is_class(annotation):
        origin = t.get_origin(annotation)
        if origin is t.Annotated:
            # Json[T] is Annotated[T, Json]: a single string, whatever T is.
            is_json = any(
                Json in (item, type(item)) for item in annotation.__metadata__
            )
            annotation = Json if is_json else annotation.__origin__
        elif isinstance(annotation, t.NewType):
            annotation = annotation.__supertype__
        # Asked before the alias itself: Python 3.10 says that an alias with its
        # arguments is an instance of what it was made of.
        elif isinstance(origin, ALIASES):
            annotation = alias_value(origin)[t.get_args(annotation)]
        elif isinstance(annotation, ALIASES):
            annotation = alias_value(annotation)
        else:
            return
        yield annotation


def annotate(annotation: t.Any, metadata: Sequence[t.Any]) -> t.Any:
    """``Annotated`` of a type and its metadata, the type alone where there is none."""
    arguments = (annotation, *metadata)
    return t.Annotated[arguments] if metadata else annotation


def members(annotation: t.Any) -> list[t.Any]:
    """The types that a value may have: the members of a union, else the one type.

    A ``RootModel`` counts as the type of its value. ``MISSING`` is left out: no request
    holds it.

    ``list[int] | None`` gives ``list[int]`` and ``NoneType``.
    """
    plain = unwrap(annotation)
    inside = alternatives(plain)
    return [tp for item in inside for tp in members(item)] if inside else [plain]


def alternatives(plain: t.Any) -> list[t.Any]:
    """The annotations of a union and of a ``RootModel``; none of another type."""
    if is_union(plain):
        return [item for item in t.get_args(plain) if item is not MISSING]
    if is_root_model(plain):
        root = plain.model_fields["root"]
        return [annotate(root.annotation, root.metadata)]
    return []


def is_union(annotation: t.Any) -> bool:
    """Whether an annotation is ``X | Y`` or ``Union[X, Y]``."""
    return not is_class(annotation) and t.get_origin(annotation) in UNIONS


def is_base_model(annotation: t.Any) -> bool:
    """Whether an annotation is a subclass of ``BaseModel``.

    Asked of ``__mro__``: ``issubclass`` is slow for a class with an abstract base.
    """
    return is_class(annotation) and BaseModel in annotation.__mro__


def is_anything(annotation: t.Any) -> bool:
    """Whether a type says nothing: ``Any``, ``object``, an unbound ``TypeVar``."""
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
    """``issubclass``, which is ``False`` for an annotation that is no class."""
    return is_class(annotation) and issubclass(annotation, classes)


def is_class(annotation: t.Any) -> bool:
    """Whether an annotation is a class itself, and not one with its items given."""
    # Python 3.10 says that list[int] is an instance of type.
    return isinstance(annotation, type) and issubclass(type(annotation), type)


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


def with_upload_file(annotation: t.Any) -> t.Any:
    """The annotation with ``UploadFile``, which Pydantic knows, for ``FileStorage``."""
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


def show_type(annotation: t.Any) -> str:
    """A type for a message: ``"list[Item] | None"``."""
    if t.get_origin(annotation) is t.Annotated:
        return show_type(annotation.__origin__)
    arguments = t.get_args(annotation)
    if annotation in (NoneType, ...):
        return "None" if annotation is NoneType else "..."
    if is_class(annotation) and not arguments:
        return str(annotation.__qualname__).rpartition(".")[2]
    if isinstance(annotation, t.NewType):
        return annotation.__name__
    if is_union(annotation):
        return " | ".join(show_type(argument) for argument in arguments)
    origin = t.get_origin(annotation)
    if is_class(origin) and arguments:
        inner = ", ".join(show_type(argument) for argument in arguments)
        return f"{show_type(origin)}[{inner}]"
    return str(annotation).replace("typing.", "")
