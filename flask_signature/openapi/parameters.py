"""The parameters of an operation: path, query, headers and cookies."""

from __future__ import annotations

import typing as t

from .._inbound.locations import LOCATIONS
from .._styles import DEEP_OBJECT, EXPLODED_FORM
from ..params import Location
from .components import any_of, without_null
from .converters import converter_schema, describe_variable

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .._inbound.binding import Binding
    from .._inbound.plan import InboundPlan
    from .._operations.operation import Operation
    from .._signature.argument import Argument
    from .objects import JsonObject
    from .schemas import Schemas

#: What a Parameter Object says itself, rather than its schema.
MOVED: t.Final = ("description", "deprecated")


def describe_parameters(operation: Operation, schemas: Schemas) -> list[JsonObject]:
    """The Parameter Objects of an operation, each name of a location once.

    Source: OpenAPI 3.1, Parameter Object.
    """
    found: dict[tuple[str, str], JsonObject] = {}
    parameters: list[JsonObject] = []
    by_variable: dict[str, tuple[Argument, JsonObject]] = {}
    for plan in operation.inbound_plans:
        arguments = argument_schemas(plan, schemas)
        for argument in plan.arguments:
            row = LOCATIONS[argument.location]
            schema = arguments.get(argument.key, {})
            if argument.location is Location.PATH:
                by_variable.setdefault(_path_name(argument, plan), (argument, schema))
            elif row.parameter_in and argument.marker.include_in_schema:
                parameters += _argument_parameters(
                    argument, plan, schema, schemas=schemas
                )
    parameters = [*_path_parameters(operation, by_variable), *parameters]
    for parameter in parameters:
        name = parameter["name"]
        if parameter["in"] == Location.HEADER.value:
            # RFC 9110, 5.1: the only names without regard to case.
            name = name.lower()
        found.setdefault((parameter["in"], name), parameter)
    return list(found.values())


def argument_schemas(plan: InboundPlan, schemas: Schemas) -> JsonObject:
    """The schemas of the arguments outside of a JSON body, by their names in Python."""
    if plan.validator is None:
        return {}
    whole = schemas.resolve(schemas.validated(plan.validator.adapter))
    return {
        name: without_null(schema, schemas.components)
        for name, schema in whole.get("properties", {}).items()
    }


def _path_parameters(
    operation: Operation, by_variable: Mapping[str, tuple[Argument, JsonObject]]
) -> Iterator[JsonObject]:
    for name, converter in operation.template.converters.items():
        schema, argument = converter_schema(converter), None
        if name in by_variable:
            argument, declared = by_variable[name]
            schema = describe_variable(declared, converter, schema)
            schema.pop("default", None)
        yield _parameter(name, Location.PATH, schema, argument=argument, required=True)


def _path_name(argument: Argument, plan: InboundPlan) -> str:
    binding = plan.bindings.get(argument.key)
    return binding.fields[0].name if binding else argument.name


def _argument_parameters(
    argument: Argument, plan: InboundPlan, schema: JsonObject, *, schemas: Schemas
) -> Iterable[JsonObject]:
    binding = plan.bindings[argument.key]
    if argument.type.models and not binding.is_model:
        schema = _object_parameter(argument, schema, schemas)
    if not binding.is_model:
        return [
            _parameter(
                binding.fields[0].name,
                argument.location,
                schema,
                argument=argument,
                required=argument.field.is_required(),
            )
        ]
    return _field_parameters(argument, binding, schema, schemas=schemas)


def _object_parameter(
    argument: Argument, schema: JsonObject, schemas: Schemas
) -> JsonObject:
    """The schema of a model that is one parameter, whose fields hold no null."""
    plain = schemas.resolve(schema)
    fields = plain.get("properties", {})
    sendable = {
        name: without_null(field, schemas.components) for name, field in fields.items()
    }
    if sendable != fields:
        schema = {**plain, "properties": sendable}
        if isinstance(schema.get("default"), dict):
            given = schema["default"].items()
            schema["default"] = {key: item for key, item in given if item is not None}
    is_deep = argument.marker.style == DEEP_OBJECT
    if is_deep and argument.field.is_required() and not plain.get("required"):
        schema = {**schema, "minProperties": 1}
    return schema


def _field_parameters(
    argument: Argument, binding: Binding, schema: JsonObject, *, schemas: Schemas
) -> Iterator[JsonObject]:
    """A parameter for each field of a model."""
    names = {field.key: field.name for field in binding.fields}
    for key, field, required in model_parameters(schema, [*names], schemas):
        yield _parameter(
            names.get(key, key),
            argument.location,
            field,
            required=required and argument.field.is_required(),
        )


def model_parameters(
    schema: JsonObject, keys: list[str], schemas: Schemas
) -> list[tuple[str, JsonObject, bool]]:
    """The name, the schema and whether it is required of each field of a model.

    Of a union of models, a field is required where each of them requires it.

    :param keys: the names of the fields of a named tuple, whose schema is an array.
    """
    models = [_fields(model, keys) for model in _models(schema, schemas)]
    names = dict.fromkeys(name for fields in models for name in fields)
    return [(name, *_join_fields(name, models, schemas)) for name in names]


def _join_fields(
    name: str, models: list[dict[str, tuple[JsonObject, bool]]], schemas: Schemas
) -> tuple[JsonObject, bool]:
    """The schema of a field that some models have, and whether all require it."""
    given = [fields[name] for fields in models if name in fields]
    schema = any_of(without_null(field, schemas.components) for field, _ in given)
    return schema, len(given) == len(models) and all(required for _, required in given)


def _models(schema: JsonObject, schemas: Schemas) -> list[JsonObject]:
    plain = schemas.resolve(schema)
    members = plain.get("anyOf") or plain.get("oneOf")
    if not members:
        return [plain]
    return [model for member in members for model in _models(member, schemas)]


def _fields(model: JsonObject, keys: list[str]) -> dict[str, tuple[JsonObject, bool]]:
    """The fields of a model by name, each with whether it is required."""
    if "prefixItems" in model:
        least = model.get("minItems", 0)
        items = zip(keys, model["prefixItems"], strict=False)
        return {key: (field, n < least) for n, (key, field) in enumerate(items)}
    fields, required = model.get("properties", {}), model.get("required", ())
    return {key: (field, key in required) for key, field in fields.items()}


def not_empty(schema: JsonObject) -> JsonObject:
    """A schema of lists without the empty one.

    A list whose items each repeat its name can't be sent without any.
    """
    if schema.get("type") != "array":
        return schema
    return {**schema, "minItems": max(1, schema.get("minItems", 1))}


def _parameter(
    name: str,
    location: Location,
    schema: JsonObject,
    *,
    argument: Argument | None = None,
    required: bool,
) -> JsonObject:
    where = LOCATIONS[location].parameter_in or location.value
    parameter: JsonObject = {"name": name, "in": where}
    schema = dict(schema)
    for key in MOVED:
        if key in schema:
            parameter[key] = schema.pop(key)
    if required:
        parameter["required"] = True
        schema.pop("default", None)
    style = LOCATIONS[location].style if schema.get("type") == "array" else None
    if argument is not None and argument.marker.style is not None:
        style = argument.marker.style
    if style is not None:
        parameter["style"], parameter["explode"] = style
    is_repeated = required and style == EXPLODED_FORM
    parameter["schema"] = not_empty(schema) if is_repeated else schema
    if argument is not None and argument.marker.openapi_examples:
        parameter["examples"] = dict(argument.marker.openapi_examples)
    return parameter
