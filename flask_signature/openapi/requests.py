"""What a request has: its parameters, with those of the path, and its body.

Inbound plans go in, objects come out. Source: OpenAPI 3.1, Parameter Object and Request
Body Object.
"""

from __future__ import annotations

import re
import typing as t

from werkzeug.routing import (
    AnyConverter,
    BaseConverter,
    FloatConverter,
    IntegerConverter,
    UnicodeConverter,
    UUIDConverter,
)

from .._common import DEEP_OBJECT, EXPLODED_FORM
from .._inbound.readers import FORM_LOCATIONS, LOCATIONS
from ..params import Location
from .schemas import any_of, without_null

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from werkzeug.routing.converters import NumberConverter

    from .._inbound.binding import Binding
    from .._inbound.body import BodyPlan
    from .._inbound.plan import InboundPlan
    from .._operations.store import Operation
    from .._signature.argument import Argument
    from .schemas import JsonObject, Schemas


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
    is_deep = argument.marker.style == DEEP_OBJECT
    if (argument.type.models or is_deep) and not binding.is_model:
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
    """The schema of a model or dict that is one parameter, and holds no null."""
    plain = schemas.resolve(schema)
    fields = plain.get("properties", {})
    sendable = {
        name: without_null(field, schemas.components) for name, field in fields.items()
    }
    values = plain.get("additionalProperties")
    if isinstance(values, dict):
        without = without_null(values, schemas.components)
        schema = {**schema, "additionalProperties": without}
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
    """What a form says of undeclared fields: ``extra="forbid"`` of a model.

    Nothing is said where an argument is left out of the document: the form has its
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
    given = argument_schemas(plan, schemas)[argument.key]
    model = schemas.resolve(given)
    # A form has no null, which leaves a field out that a component allows it for.
    fields = {
        name: without_null(field, schemas.components)
        for name, field in model.get("properties", {}).items()
    }
    same = fields == schema["properties"] and all(
        model.get(key) == schema.get(key) for key in ("type", "required")
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


#: The method of a custom converter that returns its JSON Schema.
HOOK: t.Final = "openapi_schema"

#: The expression of a ``UnicodeConverter``: ``[^/]{2}``, ``[^/]{1,5}``.
LENGTH = re.compile(r"\[\^/\]\{(?P<least>\d+)(?P<range>,)?(?P<most>\d+)?\}\Z")

#: What Python's regular expressions have and those of JSON Schema have not.
NOT_PORTABLE = re.compile(r"\(\?[^:=!]|\\[AZz]|[*+?}]\+")


def converter_schema(converter: BaseConverter) -> JsonObject:
    """The schema of the values that a converter lets through.

    ``<int(min=1):n>`` gives ``{"type": "integer", "minimum": 1}``. A custom converter
    may have a method ``openapi_schema()`` that returns its schema; without one, the
    converter that it extends describes it, or its regular expression.
    """
    hook = getattr(converter, HOOK, None)
    if hook is not None:
        return dict(hook())
    for known, describe in DESCRIPTIONS.items():
        if isinstance(converter, known):
            return describe(converter)
    return {"type": "string", **_pattern(converter)}


def _integer(converter: t.Any) -> JsonObject:
    least, most = _bounds(converter)
    if converter.fixed_digits:
        # A number in a document has no leading zeros.
        digits = converter.fixed_digits
        fewest = 10 ** (digits - 1) if digits > 1 else 0
        least = max(fewest, fewest if least is None else least)
        most = min(10**digits - 1, 10**digits - 1 if most is None else most)
    return {"type": "integer", **_limits(least, most)}


def _bounds(converter: NumberConverter) -> tuple[t.Any, t.Any]:
    least = converter.min
    if not converter.signed:
        least = 0 if least is None else max(0, least)
    return least, converter.max


def _limits(least: t.Any, most: t.Any) -> JsonObject:
    limits = {"minimum": least, "maximum": most}
    return {key: value for key, value in limits.items() if value is not None}


def _unicode(converter: BaseConverter) -> JsonObject:
    match = LENGTH.match(converter.regex)
    if match is None:
        return {"type": "string", **_pattern(converter)}
    least, most = int(match["least"]), match["most"]
    if match["range"] is None:
        return {"type": "string", "minLength": least, "maxLength": least}
    # A variable of a rule is never empty.
    schema = {"minLength": least} if most or least > 1 else {}
    return {"type": "string", **schema, **({"maxLength": int(most)} if most else {})}


def _pattern(converter: BaseConverter) -> JsonObject:
    regex = converter.regex
    if regex == BaseConverter.regex or NOT_PORTABLE.search(regex):
        return {}
    return {"pattern": f"^(?:{regex})$"}


#: The methods that make a value that is written as the variable is.
WERKZEUGS: t.Final = frozenset(
    converter.to_python
    for converter in (BaseConverter, IntegerConverter, FloatConverter, UUIDConverter)
)

DESCRIPTIONS: t.Final[dict[type, Callable[[t.Any], JsonObject]]] = {
    IntegerConverter: _integer,
    FloatConverter: lambda item: {"type": "number", **_limits(*_bounds(item))},
    UUIDConverter: lambda item: {"type": "string", "format": "uuid"},
    AnyConverter: lambda item: {"type": "string", "enum": sorted(item.items)},
    UnicodeConverter: _unicode,
}

#: The function that makes one of two constraints of the same name.
TIGHTER: t.Final[dict[str, Callable[[t.Any, t.Any], t.Any]]] = {
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
}


def _makes_value(converter: BaseConverter) -> bool:
    """Whether an argument gets what a method of the author makes of a variable."""
    return type(converter).to_python not in WERKZEUGS or hasattr(converter, HOOK)


def describe_variable(
    schema: JsonObject, converter: BaseConverter, known: JsonObject
) -> JsonObject:
    """The schema of a variable that an argument takes.

    :param schema: of the argument.
    :param known: of the converter.
    """
    is_alike = schema.get("type") == known.get("type") and "format" not in schema
    if is_alike or not _makes_value(converter):
        return _narrow(schema, known)
    # What is made says nothing of the text that it is made of.
    about = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    return {**known, **about}


def _narrow(schema: JsonObject, converter: JsonObject) -> JsonObject:
    """The schema of an argument with the constraints of its converter.

    Where the types differ, that of the argument counts: it reads what the converter
    accepts.
    """
    if not schema.keys() - ANNOTATIONS:
        return {**converter, **schema}
    ours, theirs = schema.get("type"), converter.get("type")
    if (ours, theirs) == ("number", "integer"):
        schema = {**schema, "type": "integer"}
    elif ours is None or ours != theirs:
        return schema
    narrowed = {**converter, **schema}
    for key in converter.keys() & schema.keys() & TIGHTER.keys():
        narrowed[key] = TIGHTER[key](schema[key], converter[key])
    if "enum" in schema and "enum" in converter:
        narrowed["enum"] = [
            item for item in schema["enum"] if item in converter["enum"]
        ]
    return narrowed


#: The keywords of JSON Schema that constrain nothing.
ANNOTATIONS: t.Final = frozenset(
    {"title", "description", "default", "deprecated", "examples"}
)
