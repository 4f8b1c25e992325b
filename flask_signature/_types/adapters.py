"""Adapters, and what their core schemas say: kinds, fields, decimals.

A type goes in, an :class:`Adapter` that is complete comes out; a core schema goes in,
what it contains comes out. Both directions of a view are compiled with them.
"""

from __future__ import annotations

import re
import typing as t
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import is_

from pydantic import ImportString, PydanticUserError, TypeAdapter
from pydantic_core import (
    PydanticCustomError,
    PydanticKnownError,
    SchemaError,
    SchemaSerializer,
    SchemaValidator,
    core_schema,
)

from ..exceptions import SignatureError
from .annotations import is_base_model, show_type
from .problems import author_error, type_problem, unknown_class_reason

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    #: Changes a part of a core schema: see :func:`rewritten`.
    Change: t.TypeAlias = Callable[[t.Any, t.Any], t.Any]


def type_adapter(tp: t.Any) -> Adapter:
    """The adapter of a response model, or of a type in the author's own OpenAPI.

    :raises SignatureError: if Pydantic can't read the type.
    """
    try:
        return complete_adapter(tp, output_validator)
    except PYDANTIC_ERRORS as error:
        is_unknown = unknown_class_reason(tp, error) != ""
        refusal = UnknownClassError if is_unknown else SignatureError
        raise refusal(
            f"Pydantic can't serialize {show_type(tp)!r}{type_problem(tp, error)}"
        ) from author_error(error)


class UnknownClassError(SignatureError):
    """A type with a class in it of which Pydantic knows nothing."""


#: What Pydantic raises for a type that it can't read.
PYDANTIC_ERRORS: t.Final = (
    *(PydanticUserError, SchemaError),
    *(AttributeError, TypeError, ValueError, NameError),
)


def complete_adapter(
    tp: t.Any, find_validator: Callable[[t.Any], SchemaValidator | None]
) -> Adapter:
    """The adapter of a type, built now, or that which a model has already.

    :param find_validator: finds that of a schema, where it is not Pydantic's own:
        :func:`input_validator` or :func:`output_validator`.
    :raises Exception: one of :data:`PYDANTIC_ERRORS`, if Pydantic can't read the type.
    """
    is_model = is_base_model(tp) and "__pydantic_core_schema__" in vars(tp)
    if is_model and tp.__pydantic_complete__ is True:
        # Documented by Pydantic as attributes of a model, in spite of their names.
        schema, serializer = tp.__pydantic_core_schema__, tp.__pydantic_serializer__
        validator = tp.__pydantic_validator__
    else:
        adapter: TypeAdapter[t.Any] = TypeAdapter(tp)
        # A reference to a class that does not exist yet is no error to Pydantic, which
        # would fail on the first request instead.
        if not adapter.pydantic_complete:
            adapter.rebuild(raise_errors=True)
        schema, serializer = adapter.core_schema, adapter.serializer
        validator = adapter.validator
    return Adapter(schema, find_validator(schema) or validator, serializer)


class Adapter:
    """A core schema and what Pydantic makes of it, as a ``TypeAdapter`` has them.

    It is built in a hundredth of the time.
    """

    __slots__ = ("core_schema", "serializer", "validator")

    def __init__(
        self, core_schema: t.Any, validator: t.Any = None, serializer: t.Any = None
    ) -> None:
        self.core_schema: t.Any = core_schema
        self.validator: SchemaValidator = validator or SchemaValidator(core_schema)
        self.serializer: SchemaSerializer = serializer or SchemaSerializer(core_schema)


def input_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a request, ``None`` where that is Pydantic's own validator."""
    bounded = input_schema(schema)
    return None if bounded is schema else validator_of(bounded)


def input_schema(schema: t.Any) -> t.Any:
    """The schema that validates a request, the same object if all of it is bounded."""
    # Most requests hold none, and to look takes a tenth of the time.
    if all(_bound_input(part, part) is part for part in schemas_in(schema)):
        return schema
    return rewrite_schema(schema, _bound_input)


def output_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a response, and makes no number of a decimal that is longer.

    ``None`` where that is Pydantic's own validator.
    """
    bounded = rewrite_schema(schema, _bound_output)
    return None if bounded is schema else validator_of(bounded)


def validator_of(schema: t.Any) -> SchemaValidator:
    """The validator of a schema that was written anew."""
    # Nothing public keeps Pydantic from taking the validators that its models have.
    return SchemaValidator(schema, _use_prebuilt=False)


#: The keys of a core schema whose values are no schemas.
VALUE_KEYS: t.Final = frozenset(
    {"cls", "config", "custom_error_context", "default", "expected", "metadata"}
    | {"serialization"}
)

#: The types of value that may contain a schema.
CONTAINERS: t.Final = (dict, list, tuple)


def rewrite_schema(schema: t.Any, bound: Change) -> t.Any:
    """The schema for a validator, in which references and errors name the same parts.

    :param bound: changes a part, of which it is given what is not its reference.
    """

    def change(part: t.Any, original: t.Any) -> t.Any:
        inner = part
        if "ref" in part:
            inner = {key: item for key, item in part.items() if key != "ref"}
        made = bound(inner, original)
        if made is original or (made is inner and part is original):
            return original
        if made["type"] == original["type"] == "union":
            choices = map(_labelled, made["choices"], original["choices"])
            made = {**made, "choices": [*choices]}
        # What others refer to is what was made.
        return {**made, "ref": part["ref"]} if "ref" in part else made

    try:
        return rewritten(schema, change)
    except RecursionError:
        # Models that are nested deeper than Python can call functions.
        return schema


def rewritten(
    schema: t.Any,
    change: Change,
    passed_by: Collection[str] = VALUE_KEYS,
    *,
    known: dict[int, t.Any] | None = None,
) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    It is the same object if none was changed.

    :param change: takes a part with what was changed inside of it, and the part itself.
    :param passed_by: the keys whose values are no schemas to be changed.
    :param known: what was made of parts, by identity: models may share a schema.
    """
    known = {} if known is None else known
    if id(schema) in known or type(schema) not in CONTAINERS:
        return known.get(id(schema), schema)
    inside = partial(rewritten, change=change, passed_by=passed_by, known=known)
    if type(schema) is not dict:
        items = [*map(inside, schema)]
        return schema if all(map(is_, items, schema)) else type(schema)(items)
    # The choices of a tagged union have tags for keys, one of which may be "type".
    is_schema, made = isinstance(schema.get("type"), str), schema
    for key, item in schema.items():
        if type(item) in CONTAINERS and not (is_schema and key in passed_by):
            new = inside(item)
            if new is not item:
                made = {**made, key: new}
    known[id(schema)] = change(made, schema) if is_schema else made
    return known[id(schema)]


def _labelled(choice: t.Any, original: t.Any) -> t.Any:
    """A choice of a union that errors name as they name the original."""
    if choice is original or isinstance(choice, tuple):
        return choice
    # It may refer to a definition outside of it.
    with suppress(SchemaError):
        return choice, SchemaValidator(original).title
    return choice


#: The digits of a decimal at most: as many as Pydantic allows an integer.
MAX_DIGITS: t.Final = 4_300

#: The error of Pydantic for a decimal with more digits than ``max_digits``.
TOO_LONG: t.Final = "decimal_max_digits"

#: What makes fractions before Pydantic 2.14, which has a schema for them.
MAKE_FRACTION: t.Final = (
    t.cast("t.Any", TypeAdapter(Fraction).core_schema)
    .get("lax_schema", {})
    .get("function", MAX_DIGITS)
)

#: The exponent of a fraction.
EXPONENT: t.Final = re.compile(r"[eE][-+]?[0_]*([\d_]+)")


def _bound_input(part: t.Any, _: t.Any) -> t.Any:
    if part["type"] == "decimal" and part.get("max_digits") is None:
        return core_schema.no_info_after_validator_function(_check_decimal, part)
    if part.get("function") == MAKE_FRACTION:
        return core_schema.no_info_before_validator_function(_check_fraction, part)
    return part


def _bound_output(part: t.Any, _: t.Any) -> t.Any:
    """A part that is not asked to make a number of a decimal that is too long."""
    # What the usual values are accepted by, without a call in Python.
    if part["type"] == "int":
        usual: t.Any = {**part, "strict": True}
    elif part["type"] == "enum" and part.get("sub_type") == "int":
        usual = core_schema.is_instance_schema(part["cls"])
    elif part["type"] == "fraction" or part.get("function") == MAKE_FRACTION:
        usual = core_schema.is_instance_schema(Fraction)
    else:
        return part
    checked: t.Any = core_schema.union_schema(
        [usual, core_schema.no_info_plain_validator_function(_check_decimal)],
        mode="left_to_right",
        custom_error_type=TOO_LONG,
        custom_error_context={"max_digits": MAX_DIGITS},
    )
    return core_schema.chain_schema([checked, part])


def _check_decimal(value: t.Any) -> t.Any:
    """The value, unless it is a decimal with too many digits, the exponent counted."""
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        # That of NaN and infinities is a string.
        power = exponent if isinstance(exponent, int) else 0
        if max(len(digits) + max(power, 0), -power) > MAX_DIGITS:
            raise PydanticKnownError(TOO_LONG, {"max_digits": MAX_DIGITS})
    return value


def _check_fraction(value: t.Any) -> t.Any:
    """The value, unless it is a string with an exponent that is too large."""
    found = EXPONENT.search(value) if isinstance(value, str) else None
    # Of a longer one not even the exponent is made.
    if found and (len(found[1]) > 9 or int(found[1]) > MAX_DIGITS):
        raise PydanticCustomError("fraction_parsing", "Input is not a valid fraction")
    return value


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
    # Most schemas hold none, and to find the paths takes twice the time.
    parts = schemas_in(schema)
    found = next((x for x in parts if _kind_of(x) in kinds), None)
    paths: dict[int, tuple[str, ...]] = {id(schema): ()}
    for part in parts if found else ():
        path = paths[id(part)]
        if part is found:
            return _kind_of(part), path
        paths.update((id(x), path) for x in part.get("definitions", ()))
        paths.update((id(x), path) for x in inner_of(part))
        for name, field in fields_of(part):
            paths[id(field["schema"])] = (*path, name)
    return None


def _kind_of(part: t.Any) -> str:
    return "import" if part.get("function") == IMPORT else str(part["type"])


#: The schemas that can stop at the first item that fails.
LIST_TYPES: t.Final = frozenset({"list", "set", "frozenset", "tuple", "dict"})

#: The schemas that have fields.
OBJECTS: t.Final = frozenset({"model-fields", "typed-dict", "dataclass-args"})

#: Those, and the schemas of the arguments of a call, which are like fields.
WITH_FIELDS: t.Final = OBJECTS | {"arguments", "named-tuple"}

#: The keys that hold the schemas inside of others.
INNER_KEYS: t.Final = frozenset(
    {"schema", "items_schema", "keys_schema", "values_schema", "steps"}
    | {"lax_schema", "strict_schema", "json_schema", "python_schema"}
    | {"arguments_schema", "extras_schema", "extras_keys_schema"}
    | {"var_args_schema", "var_kwargs_schema"}
)

#: The most frequent schemas of single values.
SCALARS: t.Final = frozenset(
    {"int", "float", "bool", "str", "bytes", "date", "time", "datetime", "timedelta"}
    | {"decimal", "uuid", "url", "multi-host-url", "none", "literal", "complex"}
)


def schemas_in(schema: t.Any) -> list[t.Any]:
    """A schema and all those inside of it, its definitions included."""
    waiting, found = [schema], dict[int, t.Any]()
    while waiting:
        part = waiting.pop()
        # Models may share a schema, which is read once.
        if id(part) not in found:
            found[id(part)] = part
            if part["type"] not in SCALARS:
                waiting += inner_of(part)
                waiting += part.get("definitions", ())
    return [*found.values()]


def inner_of(schema: t.Any) -> list[t.Any]:
    """The schemas inside of a schema, but not those inside of these.

    Its definitions are beside it, and not in it.
    """
    if schema["type"] in SCALARS:
        return []
    found = [field["schema"] for _, field in fields_of(schema)]
    if "choices" in schema:
        found += choices_of(schema)
    for key, inner in schema.items():
        if key in INNER_KEYS:
            if isinstance(inner, dict):
                found.append(inner)
            elif inner and key != "arguments_schema":
                found += inner
    return found


def choices_of(schema: t.Any) -> list[t.Any]:
    """The schemas of a union's choices, without their labels or tags."""
    choices = schema["choices"]
    if isinstance(choices, dict):
        return [*choices.values()]
    return [item[0] if isinstance(item, tuple) else item for item in choices]


def fields_of(schema: t.Any) -> Iterable[tuple[str, t.Any]]:
    """The fields of an object or the arguments of a call, by name."""
    if schema["type"] not in WITH_FIELDS:
        return ()
    fields = schema.get("fields") or schema.get("arguments_schema") or ()
    if isinstance(fields, dict):
        return fields.items()
    return [(field["name"], field) for field in fields]


def definitions_in(parts: Iterable[t.Any]) -> dict[str, t.Any]:
    """The definitions in the parts of a schema, by their references."""
    return {item["ref"]: item for x in parts for item in x.get("definitions", ())}


def references_in(schema: t.Any) -> list[str]:
    """The references in a schema, those in the schemas inside of it included."""
    parts = schemas_in(schema)
    return [x["schema_ref"] for x in parts if x["type"] == "definition-ref"]


def circular_references(definitions: Mapping[str, t.Any]) -> set[str]:
    """The references to the definitions that contain themselves."""
    below = references_below(definitions)
    return {ref for ref in below if ref in below[ref]}


def references_below(definitions: Mapping[str, t.Any]) -> dict[str, set[str]]:
    """The references in each definition, and in what they refer to."""
    inner = {ref: references_in(schema) for ref, schema in definitions.items()}
    found = {ref: set[str]() for ref in inner}
    for ref, below in found.items():
        waiting = [*inner[ref]]
        while waiting:
            following = waiting.pop()
            if following not in below:
                below.add(following)
                waiting += inner.get(following, ())
    return found


#: The schemas that call a function with a value before they look at it.
FUNCTION_SCHEMAS: t.Final = frozenset(
    {"function-before", "function-plain", "function-wrap"}
)

#: What calls code of an author's, or counts what that may make fewer of.
LEFT_OUT: t.Final = frozenset(
    {"default_factory", "default_factory_takes_data", "max_length", "post_init"}
)

#: What has to be in a part that calls no code, by its kind.
WITHOUT_CODE: t.Final[dict[str, dict[str, t.Any]]] = {
    "default": {"default": None, "validate_default": False},
    **{kind: {"type": "list"} for kind in ("set", "frozenset", "deque")},
    **{kind: {"type": "dict"} for kind in ("ordered-dict", "counter")},
}


def without_code(part: t.Any) -> t.Any:
    """A part that calls nothing of an author's, and accepts what that might accept.

    Which may make fewer items, or equal ones, of those of a value.

    :param part: whose inner schemas call nothing.
    """
    kind = part["type"]
    if kind == "call":
        return part["arguments_schema"]
    if kind == "function-after":
        return part["schema"]
    if kind == "chain":
        # The steps after the first read what functions may have made.
        return part["steps"][0]
    is_open = callable(part.get("discriminator")) or "missing" in part
    if kind in FUNCTION_SCHEMAS:
        is_open = not is_of_pydantic(part)
    if kind in ("model", "dataclass"):
        is_open = part.get("custom_init") or part["schema"]["type"] == "any"
    if is_open:
        return core_schema.any_schema()
    made = part
    if not LEFT_OUT.isdisjoint(part):
        made = {key: part[key] for key in part if key not in LEFT_OUT}
    return {**made, **WITHOUT_CODE[kind]} if kind in WITHOUT_CODE else made


def looks_at_errors(part: t.Any) -> bool:
    """Whether a function of an author's may look at those of the schema inside."""
    return part["type"] == "function-wrap" and not is_of_pydantic(part)


def is_of_pydantic(schema: t.Any) -> bool:
    """Whether the function of a schema is Pydantic's own."""
    function = schema["function"]["function"]
    module = str(getattr(getattr(function, "func", function), "__module__", ""))
    return module.startswith("pydantic.")
