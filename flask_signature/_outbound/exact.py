"""What writes each part of a value by its type, and nothing else that is in it.

The adapter of a response model goes in, one with such a serializer comes out; the
compilation of a serializer calls it. Pydantic writes all that is in a sequence of a
class that it does not know, and in the value of a type variable with a bound; of named
tuples, so it does before 2.14. Iterators are read once, and may be written twice.
"""

from __future__ import annotations

import inspect
import typing as t
from collections.abc import Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from functools import partial

from pydantic import BaseModel, SerializeAsAny, TypeAdapter
from pydantic_core import (
    PydanticOmit,
    PydanticSerializationUnexpectedValue,
    SchemaSerializer,
    core_schema,
)

from .._types.adapters import SchemaAdapter
from .._types.annotations import issubclass_of, show_type
from .._types.core_schemas import (
    VALUE_KEYS,
    definitions_in,
    inner_of,
    rewritten,
    schemas_in,
)
from .._types.decimals import output_validator, rewrite_schema, validator_of
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .._types.adapters import Adapter

#: The function with which Pydantic writes a ``Sequence``; nothing public has it.
WRITE_SEQUENCE: t.Final = t.cast("t.Any", TypeAdapter(t.Sequence[int]).core_schema)[
    "serialization"
]["function"]

#: How Pydantic writes a part as what it is: for ``SerializeAsAny``, and for a variable
#: with a bound that has no type.
AS_ANY: t.Final = {"type": "any"}

#: What asks for that. To type checkers it is no class.
ASKING: t.Final[t.Any] = SerializeAsAny

#: The schemas whose values may be of a subclass with more fields.
WITH_SUBCLASSES: t.Final = frozenset(
    {"model", "dataclass", "typed-dict", "definition-ref"}
)

#: The keys of a schema that hold no schema of what is written.
NOT_WRITTEN: t.Final = VALUE_KEYS - {"serialization"}

#: The iterators that were read for a response, by identity, with their items or the
#: exception that ended them.
_read_exact: t.Final[ContextVar[dict[int, tuple[t.Any, t.Any]] | None]] = ContextVar(
    "read", default=None
)


def exact_adapter(adapter: Adapter, model: t.Any, parts: Sequence[t.Any]) -> Adapter:
    """The adapter that writes by types, the same where Pydantic does so.

    :param parts: of the core schema.
    :raises SignatureError: if models are nested too deep, or a type variable stands for
        no fields at all.
    """
    schema = adapter.core_schema
    if not any(map(_is_written_otherwise, parts)):
        return adapter
    definitions = dict(definitions_in(schema))
    inferred = _inferred_in(schema, model, definitions)
    change = partial(_written_by_type, inferred=inferred)
    try:
        written: t.Any = rewritten(schema, change, {}, passed_by=NOT_WRITTEN)
    except RecursionError:
        raise SignatureError(
            f"{show_type(model)!r} has more models inside of each other than Python can"
            " call functions. Return a flatter one."
        ) from None
    if written is schema:
        return adapter
    validator = adapter.validator
    if any(part["type"] == "generator" for part in parts):
        made = rewrite_schema(schema, _read_in_place)
        validator = output_validator(made) or validator_of(made)
    whole = schema["schema"] if schema["type"] == "definitions" else schema
    whole = definitions.get(whole.get("schema_ref"), whole)
    # Nothing public keeps Pydantic from taking the serializers of its models.
    serializer = SchemaSerializer(written, whole.get("config"), _use_prebuilt=False)
    return SchemaAdapter(schema, validator, serializer)


def _written_by_type(part: t.Any, original: t.Any, *, inferred: set[int]) -> t.Any:
    """A part that is written by its type.

    :param inferred: the parts that are written as what they are, by identity.
    """
    if id(original) in inferred:
        part = {key: part[key] for key in part if key != "serialization"}
    if part.get("function") is WRITE_SEQUENCE:
        return {**part, "function": _write_items}
    if part["type"] == "json-or-python" and part["json_schema"]["type"] == "list":
        # An author's own serializer may ask for what is usual.
        items = part["json_schema"].get("items_schema", AS_ANY)
        made = _written_with(_write_items, items, info_arg=True)
        made = {**part["json_schema"], **made}
        return {**part, "json_schema": made, "python_schema": made}
    if part["type"] == "generator":
        made = {**part, "type": "list", "strict": False}
        return {**made, **_written_with(_write_read, made)}
    if part["type"] == "call" and issubclass_of(part["function"], tuple):
        items = part["arguments_schema"]["arguments_schema"]
        row = core_schema.tuple_schema([item["schema"] for item in items])
        return {**part, **_written_with(_write_exact, row)}
    return part


def reading_once(write: Callable[[t.Any], bytes]) -> Callable[[t.Any], bytes]:
    """What writes a value, each of whose iterators is read once.

    :raises Exception: what an iterator has raised.
    """

    def write_read(value: t.Any) -> bytes:
        known: dict[int, tuple[t.Any, t.Any]] = {}
        token = _read_exact.set(known)
        try:
            return write(value)
        except Exception:
            for _, items in known.values():
                if isinstance(items, Exception):
                    raise items from None
            raise
        finally:
            _read_exact.reset(token)
            # An exception that is kept keeps this frame, and all that was read.
            known.clear()

    return write_read


def with_read(part: t.Any) -> t.Any:
    """A part that has the items of an iterator which was read already."""
    if part["type"] != "generator":
        return part
    made = _read_in_place(part, part)
    return core_schema.no_info_before_validator_function(_read_all, made)


def _is_written_otherwise(part: t.Any) -> bool:
    """Whether a part, or what it computes, may be written in another way than usual."""
    is_special = part["type"] in ("generator", "call") or "serialization" in part
    return is_special or bool(part.get("computed_fields"))


def _inferred_in(
    schema: t.Any, model: t.Any, definitions: Mapping[str, t.Any]
) -> set[int]:
    """The parts that are written as what they are, by identity, where nobody asks it.

    :param definitions: those of the schema, by their references.
    :raises SignatureError: if one is any model, and no fields of it would be left.
    """
    found, seen = set[int](), set[int]()
    waiting: list[tuple[t.Any, bool]] = [(schema, _asks_for_any([model]))]
    while waiting:
        part, is_asked = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        written = part.get("serialization") or {}
        if written == AS_ANY and not is_asked:
            if any(x["type"] in WITH_SUBCLASSES for x in schemas_in(part)):
                found.add(id(part))
            if definitions.get(part.get("schema_ref"), part).get("cls") is BaseModel:
                raise SignatureError(
                    f"{show_type(model)!r} has a type variable without a type, and its"
                    " bound, BaseModel, has no fields to send. Give it one in brackets."
                )
        if "cls" in part:
            is_asked = _asks_for_any([*_annotations_in(part["cls"])])
        inside = [*inner_of(part), *part.get("definitions", ())]
        inside += [item["return_schema"] for item in part.get("computed_fields", ())]
        inside += [x for x in map(written.get, ("schema", "return_schema")) if x]
        waiting += ((item, is_asked) for item in inside)
    return found


def _asks_for_any(annotations: list[t.Any]) -> bool:
    """Whether one of some annotations has ``SerializeAsAny``, at any depth."""
    seen = set[int]()
    while annotations:
        tp = annotations.pop()
        if isinstance(tp, ASKING):
            return True
        if id(tp) not in seen:
            seen.add(id(tp))
            annotations += t.get_args(tp)
            for name in ("__origin__", "__value__"):
                # Of an alias, which may name what does not exist.
                with suppress(Exception):
                    annotations.append(getattr(tp, name))
    return False


def _annotations_in(cls: t.Any) -> Iterator[t.Any]:
    """The annotations of the fields of a class, and of what it computes, if known."""
    with suppress(Exception):
        yield from t.get_type_hints(cls, include_extras=True).values()
    for field in getattr(cls, "__pydantic_fields__", {}).values():
        yield from (field.annotation, *field.metadata)
    known = getattr(cls, "__pydantic_decorators__", None)
    for kind in ("computed_fields", "field_serializers", "model_serializers"):
        for decorator in getattr(known, kind, {}).values():
            function = inspect.unwrap(getattr(decorator.func, "fget", decorator.func))
            with suppress(Exception):
                yield t.get_type_hints(function, include_extras=True)["return"]


def _read_in_place(part: t.Any, _: t.Any) -> t.Any:
    """A part that makes lists of iterators, item by item."""
    if part["type"] == "generator":
        return core_schema.no_info_after_validator_function(list, part)
    if part["type"] == "union":
        # Each member would take items of an iterator.
        return core_schema.no_info_before_validator_function(_read_all, part)
    return part


def _read_all(value: t.Any) -> t.Any:
    """The items of an iterator, each time that it is asked for those of a response."""
    if not isinstance(value, Iterator):
        return value
    known = _read_exact.get()
    if known is None:
        # What is computed makes another one each time.
        return [*value]
    if id(value) not in known:
        try:
            known[id(value)] = value, [*value]
        except Exception as error:
            known[id(value)] = value, error
    items = known[id(value)][1]
    if isinstance(items, Exception):
        raise items
    return items


def _written_with(write: t.Any, inner: t.Any, *, info_arg: bool = False) -> t.Any:
    """What makes a function write a part, with what writes an inner schema."""
    writer = core_schema.wrap_serializer_function_ser_schema(
        write, schema=inner, info_arg=info_arg
    )
    return {"serialization": writer}


def _write_exact(value: t.Any, handler: Callable[[t.Any], t.Any]) -> t.Any:
    return handler(value)


def _write_read(value: t.Any, handler: Callable[[t.Any], t.Any]) -> t.Any:
    return handler(_read_all(value))


def _write_items(
    value: t.Any, handler: Callable[[t.Any, int], t.Any], _: t.Any
) -> t.Any:
    """The items of a sequence of any class, as Pydantic writes those of a list."""
    if isinstance(value, (str, bytes, bytearray)):
        # Which have no fields.
        return value
    if not isinstance(value, Sequence):
        raise PydanticSerializationUnexpectedValue(f"{type(value)} is no sequence")
    items = []
    for number, item in enumerate(value):
        with suppress(PydanticOmit):
            items.append(handler(item, number))
    return items
