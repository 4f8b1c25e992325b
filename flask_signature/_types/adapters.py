"""Adapters, and what their core schemas say: kinds, fields, decimals.

A type goes in, a :class:`~pydantic.TypeAdapter` that is complete comes out; a core
schema goes in, what it contains comes out. Both directions of a view are compiled with
them.
"""

from __future__ import annotations

import re
import typing as t
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

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
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

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


if t.TYPE_CHECKING:
    #: Changes a part of a core schema.
    Change: t.TypeAlias = Callable[[t.Any, t.Any], t.Any]

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

ANY_SCHEMA: t.Final = {"type": "any"}

#: The keys of a core schema whose values are no schemas.
VALUE_KEYS: t.Final = frozenset(
    {"cls", "config", "custom_error_context", "default", "expected", "metadata"}
    | {"serialization"}
)

#: The types of value that may contain a schema.
SCHEMA_TYPES: t.Final = (dict, list, tuple)


def references_in(schema: t.Any) -> list[str]:
    """The references in a schema, those in the schemas inside of it included."""
    parts = schemas_in(schema)
    return [x["schema_ref"] for x in parts if x["type"] == "definition-ref"]


def references_below(
    schemas: Iterable[t.Any], definitions: Mapping[str, t.Any]
) -> set[str]:
    """The references in some schemas, and in what they refer to."""
    found = set[str]()
    waiting = [ref for schema in schemas for ref in references_in(schema)]
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found.add(ref)
            waiting += references_in(definitions[ref])
    return found


def schemas_in(schema: t.Any) -> Iterator[t.Any]:
    """A schema and all those inside of it, its definitions included."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        yield part
        if part["type"] not in SCALARS:
            waiting += inner_of(part)
            waiting += part.get("definitions", ())


def inner_of(schema: t.Any) -> list[t.Any]:
    """The schemas inside of a schema, but not those inside of these.

    Its definitions stand beside it, and not in it.
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


def definitions_in(schema: t.Any) -> Iterator[tuple[str, t.Any]]:
    """The definitions in a schema, by their references."""
    for part in schemas_in(schema):
        yield from ((item["ref"], item) for item in part.get("definitions", ()))


def schema_kind_of(part: Mapping[str, t.Any]) -> str | None:
    """The type of a core schema, ``None`` for the choices of a tagged union.

    These have tags for keys, one of which may be "type".
    """
    kind = part.get("type")
    return kind if isinstance(kind, str) else None


def kinds_in(schema: t.Any) -> set[str]:
    """The types of a core schema and of all inside of it, found without recursion."""
    kinds: set[str] = set()
    seen: set[int] = set()
    waiting = [schema]
    for part in waiting:
        if type(part) is not dict:
            waiting += [item for item in part if type(item) in SCHEMA_TYPES]
        elif id(part) not in seen:
            # Models may share a schema, which is read once.
            seen.add(id(part))
            kind = schema_kind_of(part)
            if kind is not None:
                kinds.add(kind)
            waiting += [
                item
                for key, item in part.items()
                if type(item) in SCHEMA_TYPES
                and (kind is None or key not in VALUE_KEYS)
            ]
    return kinds


def rewritten(
    schema: t.Any,
    change: Change,
    known: dict[int, t.Any],
    *,
    passed_by: Collection[str] = VALUE_KEYS,
) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    It is the same object if none was changed.

    :param change: takes a part with what was changed inside of it, and the part itself.
    :param known: what was made of parts, by their identities, empty at first: models
        may share a schema.
    :param passed_by: the keys whose values are no schemas to be changed.
    """
    if type(schema) not in SCHEMA_TYPES:
        return schema
    if id(schema) in known:
        return known[id(schema)]
    if type(schema) is not dict:
        items = [rewritten(x, change, known, passed_by=passed_by) for x in schema]
        changed = any(new is not old for new, old in zip(items, schema, strict=True))
        return type(schema)(items) if changed else schema
    kind, made = schema_kind_of(schema), schema
    for key, item in schema.items():
        if type(item) in SCHEMA_TYPES and (kind is None or key not in passed_by):
            new = rewritten(item, change, known, passed_by=passed_by)
            if new is not item:
                made = {**made, key: new}
    known[id(schema)] = made if kind is None else change(made, schema)
    return known[id(schema)]


def circular_references(definitions: Mapping[str, t.Any]) -> set[str]:
    """The references to schemas that contain themselves."""
    inner = {ref: references_in(schema) for ref, schema in definitions.items()}
    found = set()
    for ref in inner:
        seen, waiting = set[str](), [*inner[ref]]
        while waiting and ref not in seen:
            following = waiting.pop()
            if following not in seen:
                seen.add(following)
                waiting += inner.get(following, ())
        found |= seen & {ref}
    return found


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
        return ANY_SCHEMA
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


#: The digits of a decimal at most: as many as Pydantic allows an integer.
MAX_DIGITS: t.Final = 4_300

#: The error of Pydantic for a decimal with more digits than ``max_digits``.
TOO_LONG: t.Final = "decimal_max_digits"

#: The exponent of a fraction, and the error of Pydantic for what is none.
EXPONENT: t.Final = re.compile(r"[eE][-+]?[0_]*([\d_]+)")

NO_FRACTION: t.Final = ("fraction_parsing", "Input is not a valid fraction")

#: What makes fractions before Pydantic 2.14, which has a schema for them.
MAKE_FRACTION: t.Final = (
    t.cast("t.Any", TypeAdapter(Fraction).core_schema)
    .get("lax_schema", {})
    .get("function", MAX_DIGITS)
)

#: The core schemas that may have to be bounded in a request.
UNBOUNDED: t.Final = frozenset({"decimal", "function-plain"})


def input_schema(schema: t.Any) -> t.Any:
    """The schema that validates a request, the same object if all of it is bounded."""
    # Most requests hold none, and to look takes a tenth of the time.
    if kinds_in(schema).isdisjoint(UNBOUNDED):
        return schema
    return rewrite_schema(schema, _bound_input)


def input_validator(schema: t.Any) -> SchemaValidator | None:
    """What validates a request, ``None`` where that is Pydantic's own validator."""
    bounded = input_schema(schema)
    return None if bounded is schema else validator_of(bounded)


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


def rewrite_schema(schema: t.Any, bound: Callable[[t.Any, t.Any], t.Any]) -> t.Any:
    """The schema with each of its parts as a function returns it, the innermost first.

    :param bound: takes a part with what was changed inside of it, and the part itself.
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
        return rewritten(schema, change, {})
    except RecursionError:
        # Models that are nested deeper than Python can call functions.
        return schema


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


def _labelled(choice: t.Any, original: t.Any) -> t.Any:
    """A choice of a union that errors name as they name the original."""
    if choice is original or isinstance(choice, tuple):
        return choice
    # It may refer to a definition outside of it.
    with suppress(SchemaError):
        return choice, SchemaValidator(original).title
    return choice


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
        raise PydanticCustomError(*NO_FRACTION)
    return value
