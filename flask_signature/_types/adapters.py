"""Adapters of types, and what their core schemas hold.

A type goes in, a ``TypeAdapter`` that is complete comes out.
"""

from __future__ import annotations

import typing as t

from pydantic import ImportString, PydanticUserError, TypeAdapter
from pydantic_core import SchemaError, SchemaSerializer, SchemaValidator

from ..exceptions import SignatureError
from .annotations import is_base_model, show_type
from .causes import author_error
from .core_schemas import SCALARS, fields_of, inner_of, kinds_in
from .decimals import output_validator
from .problems import type_problem, unknown_class_reason

if t.TYPE_CHECKING:
    from collections.abc import Collection

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
    if own := _own_adapter(tp):
        return own
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


#: What Pydantic calls to import what a string names; nothing public has it.
IMPORT: t.Final = t.cast("t.Any", TypeAdapter(ImportString).core_schema)["function"]


def find_kind(
    schema: t.Any, kinds: Collection[str]
) -> tuple[str, tuple[str, ...]] | None:
    """The kind of the first part that is one of some kinds, and where it is.

    ``Iterable[int]`` gives ``("generator", ())``, a model with such a field
    ``("generator", ("numbers",))``; an ``ImportString`` is of the kind ``"import"``.

    Source: ``pydantic_core.core_schema``.
    """
    if kinds_in(schema).isdisjoint({*kinds, "function-plain", "function-before"}):
        return None
    waiting: list[tuple[t.Any, tuple[str, ...]]] = [(schema, ())]
    seen: set[int] = set()
    while waiting:
        part, path = waiting.pop()
        # Models may share a schema, which is read once.
        if id(part) in seen:
            continue
        seen.add(id(part))
        kind = "import" if part.get("function") == IMPORT else part["type"]
        if kind in kinds:
            return kind, path
        if kind not in SCALARS:
            named = {id(item["schema"]): name for name, item in fields_of(part)}
            for inner in (*inner_of(part), *part.get("definitions", ())):
                name = named.get(id(inner))
                waiting.append((inner, path if name is None else (*path, name)))
    return None
