"""What a request has: its parameters, with those of the path, and its body.

Inbound plans go in, objects come out. Source: OpenAPI 3.1, Parameter Object, Request
Body Object and Encoding Object.
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
from .._http.json import JSON
from .._inbound.readers import FORM_LOCATIONS, LOCATIONS
from ..params import Location
from .schemas import any_of

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from werkzeug.routing.converters import NumberConverter

    from .._inbound.binding import Binding
    from .._inbound.body import BodyPlan
    from .._inbound.plan import InboundPlan
    from .._operations.registry import Operation
    from .._signature.argument import Argument
    from .schemas import JsonObject, Schemas


#: One parameter, or one field of a form: its name, its schema, whether it is required.
Field: t.TypeAlias = "tuple[str, JsonObject, bool]"

#: What a Parameter Object says itself, rather than its schema.
MOVED: t.Final = ("description", "deprecated")


def describe_parameters(operation: Operation, schemas: Schemas) -> list[JsonObject]:
    """The Parameter Objects of an operation, each name of a location once."""
    parameters: list[JsonObject] = []
    by_variable: dict[str, tuple[Argument, JsonObject]] = {}
    for plan in operation.inbound_plans:
        given = argument_schemas(plan, schemas)
        for argument in plan.signature.arguments:
            schema = given.get(argument.key, {})
            binding = plan.bindings.get(argument.key)
            if argument.location is Location.PATH:
                name = binding.fields[0].name if binding else argument.name
                by_variable.setdefault(name, (argument, schema))
            elif binding is not None and argument.marker.include_in_schema:
                parameters += _describe_argument(
                    argument, binding, schema, schemas=schemas
                )
    found: dict[tuple[str, str], JsonObject] = {}
    for parameter in (*_path_parameters(operation, by_variable), *parameters):
        name = parameter["name"]
        if parameter["in"] == Location.HEADER.value:
            # RFC 9110, 5.1: the only names without regard to case.
            name = name.lower()
        found.setdefault((parameter["in"], name), parameter)
    return list(found.values())


def argument_schemas(plan: InboundPlan, schemas: Schemas) -> JsonObject:
    """The schemas of the arguments outside of a JSON body, by their keys."""
    if plan.validator is None:
        return {}
    whole = schemas.resolve(schemas.validated(plan.validator.adapter))
    fields = whole.get("properties", {}).items()
    return {key: schemas.without_null(schema) for key, schema in fields}


def _path_parameters(
    operation: Operation, by_variable: Mapping[str, tuple[Argument, JsonObject]]
) -> Iterator[JsonObject]:
    for name, converter in operation.template.converters.items():
        schema, argument = converter_schema(converter), None
        if name in by_variable:
            argument, declared = by_variable[name]
            schema = describe_variable(declared, converter, schema)
            schema.pop("default", None)
        yield _parameter((name, schema, True), Location.PATH, argument)


def _describe_argument(
    argument: Argument, binding: Binding, schema: JsonObject, *, schemas: Schemas
) -> Iterator[JsonObject]:
    if not LOCATIONS[argument.location].parameter_in:
        return
    is_deep = argument.marker.style == DEEP_OBJECT
    if (argument.type.models or is_deep) and not binding.is_model:
        schema = _object_parameter(argument, schema, schemas)
    own = None if binding.is_model else argument
    for field in _fields_of(argument, binding, schema, schemas=schemas):
        yield _parameter(field, argument.location, own)


def _object_parameter(
    argument: Argument, schema: JsonObject, schemas: Schemas
) -> JsonObject:
    """The schema of a model or dict that is one parameter, and holds no null."""
    plain = schemas.resolve(schema)
    fields = plain.get("properties", {})
    sendable = {name: schemas.without_null(field) for name, field in fields.items()}
    values = plain.get("additionalProperties")
    if isinstance(values, dict):
        schema = {**schema, "additionalProperties": schemas.without_null(values)}
    if sendable != fields:
        schema = {**plain, "properties": sendable}
        if isinstance(schema.get("default"), dict):
            given = schema["default"].items()
            schema["default"] = {key: item for key, item in given if item is not None}
    is_deep = argument.marker.style == DEEP_OBJECT
    if is_deep and argument.field.is_required() and not plain.get("required"):
        schema = {**schema, "minProperties": 1}
    return schema


def _fields_of(
    argument: Argument, binding: Binding, schema: JsonObject, *, schemas: Schemas
) -> Iterator[Field]:
    """What an argument outside of a body is: one field, or those of its model.

    Of a union of models, a field is required where each of them requires it.
    """
    is_required = argument.field.is_required()
    if not binding.is_model:
        yield binding.fields[0].name, schema, is_required
        return
    names = {field.key: field.name for field in binding.fields}
    models = [_model_fields(one, [*names]) for one in schemas.alternatives(schema)]
    for key in dict.fromkeys(key for fields in models for key in fields):
        given = [fields[key] for fields in models if key in fields]
        yield (
            names.get(key, key),
            any_of(schemas.without_null(field) for field, _ in given),
            is_required and len(given) == len(models) and all(own for _, own in given),
        )


def _model_fields(
    model: JsonObject, keys: list[str]
) -> dict[str, tuple[JsonObject, bool]]:
    """The fields of a model by name, each with whether it is required.

    :param keys: the names of the fields of a named tuple, whose schema is an array.
    """
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
    field: Field, location: Location, argument: Argument | None
) -> JsonObject:
    """A Parameter Object.

    :param argument: with its options, ``None`` for a field of a model.
    """
    name, schema, required = field
    row, schema = LOCATIONS[location], dict(schema)
    parameter: JsonObject = {"name": name, "in": row.parameter_in or location.value}
    for key in MOVED:
        if key in schema:
            parameter[key] = schema.pop(key)
    if required:
        parameter["required"] = True
        schema.pop("default", None)
    style = row.style if schema.get("type") == "array" else None
    if argument is not None and argument.marker.style is not None:
        style = argument.marker.style
    if style is not None:
        parameter["style"], parameter["explode"] = style
    is_repeated = required and style == EXPLODED_FORM
    parameter["schema"] = not_empty(schema) if is_repeated else schema
    if argument is not None and argument.marker.openapi_examples:
        parameter["examples"] = dict(argument.marker.openapi_examples)
    return parameter


def describe_body(plan: InboundPlan, schemas: Schemas) -> JsonObject | None:
    """The Request Body Object of an operation, ``None`` where it reads no body."""
    read = [x for x in plan.signature.arguments if x.location in FORM_LOCATIONS]
    if plan.body is not None:
        read = [*plan.body.arguments]
    shown = [item for item in read if item.marker.include_in_schema]
    if not shown:
        return None
    if plan.body is None:
        is_whole = len(shown) == len(read)
        body = _describe_form(plan, shown, schemas, is_whole=is_whole)
    else:
        body = _describe_value(plan.body, schemas)
    if len(shown) == 1:
        if examples := shown[0].marker.openapi_examples:
            for name, item in body["content"].items():
                described = {"schema": item["schema"], "examples": dict(examples)}
                body["content"][name] = {**described, **item}
        if description := shown[0].field.description:
            body = {"description": description, **body}
    return body


def _describe_value(plan: BodyPlan, schemas: Schemas) -> JsonObject:
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
        content[media_type] = {"schema": schema}
    return {"content": content, "required": plan.absent is None}


def _keys_schema(plan: BodyPlan, schema: JsonObject) -> JsonObject:
    """The schema of an object that has a key for each argument."""
    fields = schema.get("properties", {})
    shown = {
        name: fields[name]
        for name, argument in zip(fields, plan.arguments, strict=True)
        if argument.marker.include_in_schema
    }
    required = [name for name in schema.get("required", ()) if name in shown]
    return _object_schema(shown, required)


def _object_schema(properties: JsonObject, required: list[str]) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def _describe_form(
    plan: InboundPlan, arguments: list[Argument], schemas: Schemas, *, is_whole: bool
) -> JsonObject:
    """The Request Body Object of a form.

    :param is_whole: whether no argument is left out of the document.
    """
    given = argument_schemas(plan, schemas)
    properties: JsonObject = {}
    required: dict[str, None] = {}
    for argument in arguments:
        binding, own = plan.bindings[argument.key], given[argument.key]
        for field in _fields_of(argument, binding, own, schemas=schemas):
            name, schema, is_required = field
            properties.setdefault(name, not_empty(schema) if is_required else schema)
            if is_required:
                required[name] = None
    form = _object_schema(properties, [*required])
    models = [given[item.key] for item in arguments if plan.bindings[item.key].is_model]
    # An argument that is left out of the document has fields in the form, too.
    # Source: JSON Schema, Core, 10.3.2.3 (additionalProperties).
    if is_whole and any(
        schemas.resolve(model).get("additionalProperties") is False for model in models
    ):
        form["additionalProperties"] = False
    schema = form
    if models and len(arguments) == 1:
        schema = _component_or(form, models[0], schemas)
    media_type = {"schema": schema}
    if encoding := _encoding(properties, plan, arguments, schemas=schemas):
        media_type["encoding"] = encoding
    # A form without files may be sent as multipart too. One way to send it is enough
    # for a client, and some that are generated don't work where there are two.
    return {"content": {plan.form_types[0]: media_type}, "required": bool(required)}


def _component_or(form: JsonObject, given: JsonObject, schemas: Schemas) -> JsonObject:
    """The component of the model that is the form, if the schemas are equal."""
    model = schemas.resolve(given)
    # A form has no null, which leaves a field out that a component allows it for.
    fields = {
        name: schemas.without_null(field)
        for name, field in model.get("properties", {}).items()
    }
    same = fields == form["properties"] and all(
        model.get(key) == form.get(key) for key in ("type", "required")
    )
    return {"$ref": given["$ref"]} if same and "$ref" in given else form


def _encoding(
    properties: JsonObject,
    plan: InboundPlan,
    arguments: list[Argument],
    *,
    schemas: Schemas,
) -> JsonObject:
    """The Encoding Objects of what is written as JSON, and of files of some types."""
    types = {
        name: JSON
        for name, field in properties.items()
        for item in schemas.alternatives(field, with_items=True)
        # A type that contains itself can't be written otherwise.
        if item.get("type") == "object" or "$ref" in item
    }
    for argument in arguments:
        if argument.marker.content_types:
            name = plan.bindings[argument.key].fields[0].name
            types[name] = ", ".join(argument.marker.content_types)
    return {name: {"contentType": written} for name, written in types.items()}


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
    return next(
        describe(converter)
        for known, describe in DESCRIPTIONS.items()
        if isinstance(converter, known)
    )


def _number_schema(converter: NumberConverter) -> JsonObject:
    least, most, digits = converter.min, converter.max, converter.fixed_digits
    if not converter.signed:
        least = max(0, least or 0)
    if digits:
        # A number in a document has no leading zeros.
        least = max(10 ** (digits - 1) if digits > 1 else 0, least or 0)
        most = 10**digits - 1 if most is None else min(10**digits - 1, most)
    described = {
        "type": "integer" if isinstance(converter, IntegerConverter) else "number",
        "minimum": least,
        "maximum": most,
    }
    return {key: value for key, value in described.items() if value is not None}


def _unicode(converter: BaseConverter) -> JsonObject:
    match = LENGTH.match(converter.regex)
    if match is None:
        return _string(converter)
    least, most = int(match["least"]), match["most"]
    if match["range"] is None:
        return {"type": "string", "minLength": least, "maxLength": least}
    # A variable of a rule is never empty.
    schema = {"minLength": least} if most or least > 1 else {}
    return {"type": "string", **schema, **({"maxLength": int(most)} if most else {})}


def _string(converter: BaseConverter) -> JsonObject:
    regex = converter.regex
    if regex == BaseConverter.regex or NOT_PORTABLE.search(regex):
        return {"type": "string"}
    return {"type": "string", "pattern": f"^(?:{regex})$"}


#: The methods that make a value that is written as the variable is.
WERKZEUGS: t.Final = frozenset(
    converter.to_python
    for converter in (BaseConverter, IntegerConverter, FloatConverter, UUIDConverter)
)

DESCRIPTIONS: t.Final[dict[type, Callable[[t.Any], JsonObject]]] = {
    IntegerConverter: _number_schema,
    FloatConverter: _number_schema,
    UUIDConverter: lambda item: {"type": "string", "format": "uuid"},
    AnyConverter: lambda item: {"type": "string", "enum": sorted(item.items)},
    UnicodeConverter: _unicode,
    object: _string,
}

#: The function that makes one of two constraints of the same name.
TIGHTER: t.Final[dict[str, Callable[[t.Any, t.Any], t.Any]]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength"), min),
}


def describe_variable(
    schema: JsonObject, converter: BaseConverter, known: JsonObject
) -> JsonObject:
    """The schema of a variable that an argument takes.

    :param schema: of the argument.
    :param known: of the converter.
    """
    is_alike = schema.get("type") == known.get("type") and "format" not in schema
    is_made = type(converter).to_python not in WERKZEUGS or hasattr(converter, HOOK)
    if is_alike or not is_made:
        return _narrow(schema, known)
    # What a method of the author makes says nothing of the text that it is made of.
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
        narrowed["enum"] = [x for x in schema["enum"] if x in converter["enum"]]
    return narrowed


#: The keywords of JSON Schema that constrain nothing.
ANNOTATIONS: t.Final = frozenset(
    {"title", "description", "default", "deprecated", "examples"}
)
