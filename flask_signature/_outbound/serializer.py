"""The JSON of one response model.

A value that a view returned goes in, JSON in UTF-8 comes out; an outbound plan calls
it. Pydantic validates the value, and writes what the model names of it.
"""

from __future__ import annotations

import inspect
import json
import typing as t
from collections.abc import Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel, SerializeAsAny, TypeAdapter, ValidationError
from pydantic_core import (
    PydanticOmit,
    PydanticSerializationError,
    PydanticSerializationUnexpectedValue,
    SchemaSerializer,
    core_schema,
)

from .._common import Once
from .._http.json import without_constants, without_surrogates
from .._types.adapters import (
    VALUE_KEYS,
    Adapter,
    definitions_in,
    inner_of,
    output_validator,
    rewrite_schema,
    rewritten,
    schemas_in,
    type_adapter,
    validator_of,
)
from .._types.annotations import (
    Shape,
    is_anything,
    issubclass_of,
    members,
    shape_of,
    show_type,
)
from ..exceptions import SignatureError
from .models import placed_options, typed_dict_adapter

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic_core import SchemaValidator


#: What writes a value as JSON.
JSONWriter: t.TypeAlias = "Callable[[t.Any], bytes]"

#: The options where an author gives none.
USUAL_OPTIONS: t.Final[Mapping[str, t.Any]] = {"by_alias": True}

#: The options that depend on what was set of an instance, which a dict does not know.
ABOUT_INSTANCES: t.Final = frozenset({"exclude_unset", "exclude_defaults"})


@dataclass(frozen=True, slots=True)
class ResponseSerializer:
    """How a value becomes the JSON of a response model.

    :param model: the type.
    :param adapter: validates and serializes.
    :param typed_dict_adapter: does the same for dicts and lists of dicts, and makes no
        instances in others; ``None`` where there is no such adapter.
    :param options: of the serializer: ``by_alias``, ``exclude_none`` and so on.
    :param has_constants: whether Pydantic may write ``NaN`` and ``Infinity``.
    :param has_iterators: whether a value may hold what can be read once.
    :param revalidator: returns what also validates the parts of instances.
    :ivar write: returns the JSON text of a value, in UTF-8. It raises
        ``ValidationError`` if the value does not fit the model, and
        ``PydanticSerializationError`` if a part of it can't be written.
    """

    model: t.Any
    adapter: Adapter
    typed_dict_adapter: Adapter | None
    options: Mapping[str, t.Any]
    has_constants: bool
    has_iterators: bool
    revalidator: Callable[[], SchemaValidator] = field(repr=False, compare=False)
    write: JSONWriter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "write", _compile_write(self))

    def is_same(self, other: ResponseSerializer | None) -> bool:
        """Whether another one writes the same JSON for every value."""
        own = self.model, self.options
        return other is not None and own == (other.model, other.options)

    def _write_unusual(self, made: t.Any) -> bytes:
        """The JSON of a validated value that Pydantic does not write as it is.

        It has a lone surrogate, or a part that is not of its type: Pydantic validates
        neither a default, which is sent as the author wrote it, nor what is assigned to
        an instance later.

        :raises ValidationError: if a part that was assigned does not fit.
        :raises PydanticSerializationError: if there is still one of another type.
        """
        serializer: t.Any = self.adapter.serializer
        options = self.options
        # A part that is not of its type is refused, unless it is a default.
        checked = {**options, "exclude_defaults": True, "warnings": "error"}
        check = partial(serializer.to_python, mode="json", **checked)
        try:
            check(made)
        except (PydanticSerializationError, AttributeError) as error:
            made = self._revalidate(made, error)
            check(made)
        try:
            return bytes(serializer.to_json(made, warnings=False, **options))
        except PydanticSerializationError:
            plain = serializer.to_python(made, mode="json", warnings=False, **options)
        string = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return without_constants(without_surrogates(string).encode())

    def _revalidate(self, made: t.Any, error: Exception) -> t.Any:
        """A validated value whose instances are validated too, part by part.

        :param error: why that is done, which is raised where a validator fails.
        """
        try:
            # What is read from an instance has the names of its fields.
            return self.revalidator().validate_python(
                made, from_attributes=True, by_alias=False, by_name=True
            )
        except ValidationError:
            raise
        except Exception:
            raise error from None


def _compile_write(serializer: ResponseSerializer) -> JSONWriter:
    """The function of a serializer that validates a value and writes it."""
    options, adapter = serializer.options, serializer.adapter
    dicts = serializer.typed_dict_adapter
    validate = adapter.validator.validate_python
    validate_dicts = dicts and dicts.validator.validate_python
    whole: t.Any = adapter.serializer
    of_dicts: t.Any = (dicts or adapter).serializer
    # A part of another type than its own is an error.
    to_json: JSONWriter = partial(whole.to_json, warnings="error", **options)
    dicts_to_json: JSONWriter = partial(of_dicts.to_json, warnings=False, **options)
    # What a typed dict would convert, the model may convert into something else.
    strict = None if dicts is adapter else True

    def write(value: t.Any) -> bytes:
        if validate_dicts and (type(value) is dict or _holds_dicts(value)):
            try:
                return dicts_to_json(validate_dicts(value, strict=strict))
            except (ValidationError, PydanticSerializationError):
                # The model itself decides, and has the better message.
                pass
        made = validate(value, from_attributes=True)
        try:
            return to_json(made)
        except (PydanticSerializationError, AttributeError):
            return serializer._write_unusual(made)

    found = reading_once(write) if serializer.has_iterators else write
    if serializer.has_constants:
        return lambda value: without_constants(found(value))
    return found


def compile_serializer(
    model: t.Any, options: Mapping[str, t.Any] | None = None
) -> ResponseSerializer:
    """The serializer of a response model.

    :param options: of the serializer.
    :raises SignatureError: if Pydantic can't serialize the model, or a part of a value
        could be written that the model does not name.
    """
    if conflict := _find_open_union([model], set()):
        one, other = map(show_type, conflict)
        raise SignatureError(
            f"{show_type(model)!r} has {other!r} beside {one!r}, and the former takes"
            " whatever does not fit the latter, with fields that are not declared. Name"
            " its fields in a model, or declare it with responses= and its status."
        )
    adapter = type_adapter(model)
    parts = schemas_in(adapter.core_schema)
    adapter = exact_adapter(adapter, model, parts)
    options = placed_options(options or USUAL_OPTIONS, adapter.core_schema)
    dicts = typed_dict_adapter(adapter, parts)
    if ABOUT_INSTANCES & options.keys() and dicts is not adapter:
        # The model itself knows what was set.
        dicts = None
    configs = [part.get("config") or {} for part in parts]
    return ResponseSerializer(
        model=model,
        adapter=adapter,
        typed_dict_adapter=dicts,
        options=options,
        has_constants="constants" in [x.get("ser_json_inf_nan") for x in configs],
        has_iterators="generator" in [part["type"] for part in parts],
        revalidator=Once(partial(_revalidator, adapter)),
    )


def _revalidator(adapter: Adapter) -> SchemaValidator:
    made = rewrite_schema(adapter.core_schema, _revalidated)
    return output_validator(made) or validator_of(made)


def _revalidated(part: t.Any, _: t.Any) -> t.Any:
    if part["type"] in ("model", "dataclass"):
        return {**part, "revalidate_instances": "always"}
    if part["type"] != "generator":
        return part
    # Its items were read already.
    made = _read_in_place(part, part)
    return core_schema.no_info_before_validator_function(_read_all, made)


def _holds_dicts(value: t.Any) -> bool:
    """Whether a value is a dictionary, or a list that begins with one."""
    if type(value) is list and value:
        value = value[0]
    return type(value) is dict


#: The shapes of the types that may hold a model, or any value.
OPEN_SHAPES: t.Final = frozenset({None, Shape.LIST, Shape.MAPPING})


def _find_open_union(
    annotations: Sequence[t.Any], seen: set[tuple[int, ...]]
) -> tuple[t.Any, t.Any] | None:
    """A model, and a member of the same union that accepts its values, if there are.

    ``Item | dict[str, str]`` would send a field that ``Item`` does not have: a dict
    with that field is a value of the other member. Items of lists and values of dicts
    are searched too; fields of models are not, since their author declared them.

    :param annotations: the alternatives for one value.
    :param seen: the identities of alternatives that are searched already.
    """
    found = [tp for annotation in annotations for tp in members(annotation)]
    shapes = [None if is_anything(tp) else shape_of(tp) for tp in found]
    # An alias may contain itself.
    key = tuple(map(id, found))
    if key in seen or OPEN_SHAPES.isdisjoint(shapes):
        return None
    seen.add(key)
    shaped, is_open = [*zip(found, shapes, strict=True)], None in shapes
    models = [tp for tp, shape in shaped if shape is Shape.MODEL]
    wide = [tp for tp, shape in shaped if shape in (None, Shape.MAPPING)]
    if models and wide:
        return models[0], wide[0]
    # A list of models is also a value of Any.
    lists = [tp for tp, shape in shaped if is_open or shape is Shape.LIST]
    mappings = [tp for tp, shape in shaped if is_open or shape is Shape.MAPPING]
    values = [(t.Any, *t.get_args(tp))[-1] for tp in mappings]
    conflicts = (_find_open_union(x, seen) for x in (*_positions(lists), values))
    return next(filter(None, conflicts), None)


def _positions(lists: Sequence[t.Any]) -> t.Iterator[list[t.Any]]:
    """The alternatives for the items of some lists; of a fixed tuple, one by one."""
    items = []
    for tp in lists:
        arguments = t.get_args(tp)
        if t.get_origin(tp) is tuple and ... not in arguments:
            yield from ([argument] for argument in arguments)
        else:
            items += [item for item in arguments or (t.Any,) if item is not ...]
    yield items


#: The function with which Pydantic writes a ``Sequence``; nothing public has it.
WRITE_SEQUENCE: t.Final = t.cast("t.Any", TypeAdapter(t.Sequence[int]).core_schema)[
    "serialization"
]["function"]

#: How Pydantic writes a part as what it is: for ``SerializeAsAny``, and for a variable
#: with a bound that has no type.
AS_ANY: t.Final = {"type": "any"}

#: The schemas that are always written in another way.
SPECIAL_TYPES: t.Final = frozenset({"generator", "call"})

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
    :raises SignatureError: if models are nested too deep, or a type variable has no
        fields at all.
    """
    schema = adapter.core_schema
    special = [x for x in parts if x["type"] in SPECIAL_TYPES or "serialization" in x]
    if not (special or [x for x in parts if x.get("computed_fields")]):
        return adapter
    definitions = definitions_in(parts)
    inferred = _inferred_in(schema, model, definitions)
    change = partial(_written_by_type, inferred=inferred)
    try:
        written: t.Any = rewritten(schema, change, NOT_WRITTEN)
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
    return Adapter(schema, validator, serializer)


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


def reading_once(write: JSONWriter) -> JSONWriter:
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


def _inferred_in(
    schema: t.Any, model: t.Any, definitions: Mapping[str, t.Any]
) -> set[int]:
    """The parts that are written as what they are, by identity, where it is not asked.

    :param definitions: those of the schema, by their references.
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
        # To type checkers it is no class.
        if isinstance(tp, t.cast("t.Any", SerializeAsAny)):
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
    for info in getattr(cls, "__pydantic_fields__", {}).values():
        yield from (info.annotation, *info.metadata)
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
