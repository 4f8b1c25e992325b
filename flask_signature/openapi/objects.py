"""The types of the parts of a document, and of the schemas in it."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.json_schema import JsonSchemaMode

    from .._types.adapters import Adapter

#: A part of a document.
JsonObject: t.TypeAlias = "dict[str, t.Any]"

#: An adapter, and whether its schema is for validation or for serialization.
SchemaRequest: t.TypeAlias = "tuple[Adapter, JsonSchemaMode]"

#: Adapters by their identity and the mode of their schema.
Inputs: t.TypeAlias = "dict[tuple[int, JsonSchemaMode], Adapter]"

#: Schemas, and the components that they refer to.
Generated: t.TypeAlias = (
    "tuple[Mapping[tuple[int, JsonSchemaMode], JsonObject], JsonObject]"
)
