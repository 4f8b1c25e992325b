"""The request body of an operation: JSON, bytes or a string, or a form."""

from __future__ import annotations

import typing as t

from .._inbound.locations import FORM_LOCATIONS
from .components import without_null
from .parameters import argument_schemas, model_parameters, not_empty

if t.TYPE_CHECKING:
    from .._inbound.body import BodyPlan
    from .._inbound.plan import InboundPlan
    from .._signature.argument import Argument
    from .objects import JsonObject
    from .schemas import Schemas

#: One field of a form: its name, its schema, and whether it is required.
Field: t.TypeAlias = "tuple[str, JsonObject, bool]"

#: The types of schema whose values are written as JSON in a form.
STRUCTURED: t.Final = frozenset({"object"})


def describe_body(plan: InboundPlan, schemas: Schemas) -> JsonObject | None:
    """The Request Body Object of an operation, ``None`` where it reads no body.

    Source: OpenAPI 3.1, Request Body Object and Encoding Object.
    """
    if plan.body is not None:
        return _describe_value(plan.body, schemas)
    if plan.form_types:
        return _describe_form(plan, schemas)
    return None


def _describe_value(plan: BodyPlan, schemas: Schemas) -> JsonObject | None:
    arguments = [item for item in plan.arguments if item.marker.include_in_schema]
    if not arguments:
        return None
    content = {}
    for media_type in plan.media_types:
        if plan.json is not None and media_type == plan.media_types[0]:
            schema = schemas.validated(plan.json.adapter)
            if plan.whole is None:
                schema = _keys_schema(plan, schemas.resolve(schema))
        elif plan.raw is not None:
            schema = schemas.validated(plan.raw)
            # HTTP has one way to send an empty string and to send nothing.
            if plan.absent is None and schema.get("type") == "string":
                schema = {**schema, "minLength": max(1, schema.get("minLength", 1))}
        content[media_type] = _media_type_object(schema, arguments)
    body: JsonObject = {"content": content, "required": plan.absent is None}
    return _with_description(body, arguments)


def _keys_schema(plan: BodyPlan, schema: JsonObject) -> JsonObject:
    """The schema of an object that has a key for each argument."""
    shown = dict(schema.get("properties", {}))
    for name, argument in zip(list(shown), plan.arguments, strict=True):
        if not argument.marker.include_in_schema:
            del shown[name]
    required = [name for name in schema.get("required", ()) if name in shown]
    return _object_schema(shown, required)


def _object_schema(properties: JsonObject, required: list[str]) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def _media_type_object(schema: JsonObject, arguments: list[Argument]) -> JsonObject:
    """A Media Type Object, with the examples of its one argument."""
    examples = arguments[0].marker.openapi_examples
    if len(arguments) == 1 and examples:
        return {"schema": schema, "examples": dict(examples)}
    return {"schema": schema}


def _with_description(body: JsonObject, arguments: list[Argument]) -> JsonObject:
    description = arguments[0].field.description
    if len(arguments) == 1 and description:
        return {"description": description, **body}
    return body


def _describe_form(plan: InboundPlan, schemas: Schemas) -> JsonObject | None:
    arguments = [
        argument
        for argument in plan.arguments
        if argument.location in FORM_LOCATIONS and argument.marker.include_in_schema
    ]
    if not arguments:
        return None
    schema = _form_schema(plan, arguments, schemas)
    media_type = _media_type_object(schema, arguments)
    encoding = _encoding(schemas.resolve(schema), schemas)
    encoding |= _file_encoding(plan, arguments)
    if encoding:
        media_type["encoding"] = encoding
    # A form without files may be sent as multipart too. One way to send it is enough
    # for a client, and some that are generated don't work where there are two.
    body: JsonObject = {
        "content": {plan.form_types[0]: media_type},
        "required": bool(schemas.resolve(schema).get("required")),
    }
    return _with_description(body, arguments)


def _form_schema(
    plan: InboundPlan, arguments: list[Argument], schemas: Schemas
) -> JsonObject:
    fields = [
        field
        for argument in arguments
        for field in _form_fields(argument, plan, schemas)
    ]
    properties: JsonObject = {}
    for name, schema, is_required in fields:
        properties.setdefault(name, not_empty(schema) if is_required else schema)
    required = [name for name, _, required in fields if required]
    schema = _object_schema(properties, [*dict.fromkeys(required)])
    schema |= _of_unknown_fields(plan, arguments, schemas)
    return _shared_schema(schema, plan, arguments, schemas=schemas)


def _of_unknown_fields(
    plan: InboundPlan, arguments: list[Argument], schemas: Schemas
) -> JsonObject:
    """What a form says of fields that nobody declares: ``extra="forbid"`` of a model.

    Nothing is said where an argument is left out of the description: the form has its
    fields too.

    Source: JSON Schema, Core, 10.3.2.3 (additionalProperties).
    """
    read = [item for item in plan.arguments if item.location in FORM_LOCATIONS]
    models = [item for item in arguments if plan.bindings[item.key].is_model]
    given = [argument_schemas(plan, schemas)[item.key] for item in models]
    known = [schemas.resolve(without_null(one, schemas.components)) for one in given]
    is_strict = any(one.get("additionalProperties") is False for one in known)
    if is_strict and len(arguments) == len(read):
        return {"additionalProperties": False}
    return {}


def _form_fields(
    argument: Argument, plan: InboundPlan, schemas: Schemas
) -> list[Field]:
    schema = argument_schemas(plan, schemas)[argument.key]
    binding = plan.bindings[argument.key]
    names = {field.key: field.name for field in binding.fields}
    if not binding.is_model:
        return [(binding.fields[0].name, schema, argument.field.is_required())]
    return [
        (names.get(key, key), field, required and argument.field.is_required())
        for key, field, required in model_parameters(schema, [*names], schemas)
    ]


def _shared_schema(
    schema: JsonObject,
    plan: InboundPlan,
    arguments: list[Argument],
    *,
    schemas: Schemas,
) -> JsonObject:
    """The component of the model that is the form, if the schemas are equal."""
    argument = arguments[0]
    if len(arguments) > 1 or not plan.bindings[argument.key].is_model:
        return schema
    given = without_null(
        argument_schemas(plan, schemas)[argument.key], schemas.components
    )
    model = schemas.resolve(given)
    same = all(
        model.get(key) == schema.get(key) for key in ("type", "properties", "required")
    )
    return {"$ref": given["$ref"]} if same and "$ref" in given else schema


def _encoding(schema: JsonObject, schemas: Schemas) -> JsonObject:
    """The encoding of the fields that are written as JSON."""
    return {
        name: {"contentType": "application/json"}
        for name, field in schema.get("properties", {}).items()
        if _is_structured(field, schemas)
    }


def _file_encoding(plan: InboundPlan, arguments: list[Argument]) -> JsonObject:
    """The encoding of the files of which the content type is checked."""
    return {
        plan.bindings[item.key].fields[0].name: {
            "contentType": ", ".join(item.marker.content_types)
        }
        for item in arguments
        if item.marker.content_types
    }


def _is_structured(
    schema: JsonObject, schemas: Schemas, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a value, or an item of a list, is written as JSON.

    :param seen: the references on the way here, since a type may contain itself.
    """
    reference = schema.get("$ref", "")
    if reference in seen:
        return True
    seen, plain = seen | {reference} - {""}, schemas.resolve(schema)
    if plain.get("type") in STRUCTURED:
        return True
    inside = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
    if plain.get("type") == "array":
        inside.append(plain.get("items", {}))
    return any(_is_structured(item, schemas, seen) for item in inside)
