"""Adapters of types, and what their core schemas hold.

A type goes in, a ``TypeAdapter`` that is complete comes out.
"""

from __future__ import annotations

import sys
import typing as t

from pydantic import ImportString
from pydantic import PydanticUserError
from pydantic import TypeAdapter
from pydantic_core import SchemaError
from pydantic_core import SchemaSerializer
from pydantic_core import SchemaValidator

from ..exceptions import SignatureError
from .annotations import is_base_model
from .annotations import issubclass_of
from .annotations import show_type
from .causes import author_error
from .core_schemas import SCHEMA_TYPES
from .core_schemas import VALUE_KEYS
from .core_schemas import kind_of
from .decimals import output_validator
from .problems import type_problem
from .problems import unknown_class_reason

if t.TYPE_CHECKING:
    from collections.abc import Container
    from collections.abc import Iterator
    from collections.abc import Mapping

    from pydantic import BaseModel


def type_adapter(tp: t.Any) -> Adapter:
    """The adapter of a response model, or of a type in the author's own OpenAPI.

    :raises SignatureError: if Pydantic can't read the type.
    """
    try:
        adapter = complete_adapter(tp)
    except PYDANTIC_ERRORS as error:
        is_unknown = unknown_class_reason(tp, error) != ""
        refusal = UnknownClassError if is_unknown else SignatureError
        raise refusal(
            f"Pydantic can't serialize {show_type(tp)!r}{type_problem(tp, error)}"
        ) from author_error(error)
    schema = adapter.core_schema
    validator = output_validator(schema) or adapter.validator
    return SchemaAdapter(schema, validator, adapter.serializer)


class UnknownClassError(SignatureError):
    """A type with a class in it of which Pydantic knows nothing."""


#: What Pydantic raises for a type that it can't read.
PYDANTIC_ERRORS: t.Final = (
    PydanticUserError,
    AttributeError,
    TypeError,
    ValueError,
    NameError,
    SchemaError,
)


def complete_adapter(tp: t.Any) -> Adapter:
    """The adapter of a type, built now, or that which a model has already.

    :raises Exception: one of :data:`PYDANTIC_ERRORS`, if Pydantic can't read the type.
    """
    adapter = _own_adapter(tp) or _new_adapter(tp)
    # A program with such a model has imported it. Another thread may be about to.
    old = getattr(sys.modules.get("pydantic.v1.main"), "BaseModel", None)
    if old is not None:
        _check_old_models(adapter.core_schema, old)
    return adapter


def _new_adapter(tp: t.Any) -> Adapter:
    adapter: TypeAdapter[t.Any] = TypeAdapter(tp)
    # A reference to a class that does not exist yet is no error to Pydantic, which
    # would fail on the first request instead.
    if not adapter.pydantic_complete:
        adapter.rebuild(raise_errors=True)
    return adapter


def _own_adapter(tp: t.Any) -> SchemaAdapter | None:
    """What a model reads and writes with, ``None`` where it is not complete."""
    if not is_base_model(tp) or "__pydantic_core_schema__" not in vars(tp):
        return None
    # Documented by Pydantic as attributes of a model, in spite of their names.
    model: type[BaseModel] = tp
    if model.__pydantic_complete__ is not True:
        return None
    return SchemaAdapter(
        model.__pydantic_core_schema__,
        model.__pydantic_validator__,
        model.__pydantic_serializer__,
    )


class Adapter(t.Protocol):
    """What reads and writes values: a ``TypeAdapter`` or a :class:`SchemaAdapter`."""

    @property
    def core_schema(self) -> t.Any:
        """What Pydantic knows of the values."""

    @property
    def validator(self) -> t.Any:
        """Reads values."""

    @property
    def serializer(self) -> SchemaSerializer:
        """Writes values."""


class SchemaAdapter:
    """A core schema and what Pydantic makes of it, in place of a ``TypeAdapter``.

    It is built in a hundredth of the time.
    """

    __slots__ = ("core_schema", "serializer", "validator")

    def __init__(
        self, core_schema: t.Any, validator: t.Any = None, serializer: t.Any = None
    ) -> None:
        self.core_schema = core_schema
        self.validator = validator or SchemaValidator(core_schema)
        self.serializer = serializer or SchemaSerializer(core_schema)


#: The most frequent schemas that contain no other.
LEAVES: t.Final = frozenset({"any", "bool", "float", "int", "str"})

#: The most frequent schemas that contain one other, which they do not name.
WRAPPERS: t.Final = frozenset({"default", "model", "model-field", "nullable"})

#: What Pydantic calls to import what a string names; nothing public has it.
IMPORT: t.Final = t.cast("t.Any", TypeAdapter(ImportString).core_schema)["function"]


def find_kind(
    schema: t.Any, kinds: Container[str]
) -> tuple[str, tuple[str, ...]] | None:
    """The kind of the first part that is one of some kinds, and where it is.

    ``Iterable[int]`` gives ``("generator", ())``, a model with such a field
    ``("generator", ("numbers",))``; an ``ImportString`` is of the kind ``"import"``.

    Source: ``pydantic_core.core_schema``.
    """
    for part, path in _walk(schema):
        kind = "import" if part.get("function") == IMPORT else kind_of(part)
        if kind is not None and kind in kinds:
            return kind, path
    return None


def _check_old_models(schema: t.Any, old: type) -> None:
    """Refuse a model of ``pydantic.v1``, for which Pydantic does no more than warn.

    :param old: the base of such models.
    :raises TypeError: if there is one.
    """
    for part, _ in _walk(schema):
        # What Pydantic makes of __get_validators__(): a validator of the author's is no
        # chain, even where it is a method of such a model.
        if kind_of(part) != "chain":
            continue
        function = part["steps"][0].get("function", {}).get("function")
        model: t.Any = getattr(function, "__self__", None)
        if issubclass_of(model, old):
            raise TypeError(
                f"{model.__name__!r} is a model of pydantic.v1. Write it with"
                " pydantic.BaseModel."
            )


def _walk(schema: t.Any) -> Iterator[tuple[t.Any, tuple[str, ...]]]:
    """The parts of a core schema, with the names of the fields that lead to them."""
    waiting: list[tuple[t.Any, tuple[str, ...]]] = [(schema, ())]
    seen: set[int] = set()
    while waiting:
        part, path = waiting.pop()
        if not isinstance(part, dict):
            waiting += [(item, path) for item in part if isinstance(item, SCHEMA_TYPES)]
            continue
        # Models may share a schema, which is read once.
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part, path
        kind = kind_of(part)
        if kind in WRAPPERS:
            waiting.append((part["schema"], path))
        elif kind not in LEAVES:
            waiting += _schemas_inside(part, path)


def _schemas_inside(
    part: Mapping[str, t.Any], path: tuple[str, ...]
) -> Iterator[tuple[t.Any, tuple[str, ...]]]:
    """The values of a core schema that may contain a schema, with their paths."""
    kind = kind_of(part)
    if kind == "dataclass-field":
        path = (*path, part["name"])
    for key, inner in part.items():
        if not isinstance(inner, SCHEMA_TYPES) or (
            kind is not None and key in VALUE_KEYS
        ):
            continue
        if key == "fields" and isinstance(inner, dict):
            yield from ((field, (*path, name)) for name, field in inner.items())
        else:
            yield inner, path
