"""The JSON of one response model.

A value that a view returned goes in, JSON in UTF-8 comes out; an outbound plan calls
it. Pydantic validates the value, and writes what the model names of it.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass, field
from functools import partial

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from .._http.json import without_constants, without_surrogates
from .._once import Once
from .._types.adapters import type_adapter
from .._types.annotations import (
    is_anything,
    is_class,
    is_root_model,
    members,
    show_type,
)
from .._types.core_schemas import schemas_in
from .._types.decimals import output_validator, rewrite_schema, validator_of
from .._types.shapes import Shape, shape_of
from ..exceptions import SignatureError
from .exact import exact_adapter, reading_once, with_read
from .named_fields import placed_options
from .typed_dicts import typed_dict_adapter

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic_core import SchemaValidator

    from .._types.adapters import Adapter

#: A core schema, or a part of one.
Schema: t.TypeAlias = "Mapping[str, t.Any]"

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
    write: Callable[[t.Any], bytes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "write", _compile_write(self))

    def is_same(self, other: ResponseSerializer | None) -> bool:
        """Whether another one writes the same JSON for every value."""
        if other is None:
            return False
        return bool(self.model == other.model) and self.options == other.options

    def _write_unusual(self, made: t.Any) -> bytes:
        """The JSON of a validated value that Pydantic does not write as it is.

        It has a lone surrogate, or a part that is not of its type: Pydantic validates
        neither a default, which is sent as the author wrote it, nor what is assigned to
        an instance later.

        :raises ValidationError: if a part that was assigned does not fit.
        :raises PydanticSerializationError: if there is still one of another type.
        """
        serializer, options = self.adapter.serializer, self.options
        try:
            self._check_types(made)
        except (PydanticSerializationError, AttributeError) as error:
            made = self._revalidate(made, error)
            self._check_types(made)
        try:
            return serializer.to_json(made, warnings=False, **options)
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

    def _check_types(self, made: t.Any) -> None:
        """Refuse a part that is not of its type, unless it is a default."""
        options = {**self.options, "exclude_defaults": True}
        self.adapter.serializer.to_python(
            made, mode="json", warnings="error", **options
        )


def _compile_write(serializer: ResponseSerializer) -> Callable[[t.Any], bytes]:
    """The function of a serializer that validates a value and writes it."""
    options, adapter = serializer.options, serializer.adapter
    dicts = serializer.typed_dict_adapter
    validate = adapter.validator.validate_python
    to_json = _json_writer(adapter, options, is_checked=True)
    validate_dicts = dicts and dicts.validator.validate_python
    dicts_to_json = _json_writer(dicts or adapter, options, is_checked=False)
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


def _json_writer(
    adapter: Adapter, options: Mapping[str, t.Any], *, is_checked: bool
) -> Callable[[t.Any], bytes]:
    """What writes a value as JSON, with the options of a serializer.

    :param is_checked: whether a part of another type than its own is an error.
    """
    to_json = adapter.serializer.to_json
    if options != USUAL_OPTIONS:
        warnings: t.Any = "error" if is_checked else False
        return lambda value: to_json(value, warnings=warnings, **options)
    # An option that is named takes less time than a dictionary with it.
    if is_checked:
        return lambda value: to_json(value, warnings="error", by_alias=True)
    return lambda value: to_json(value, warnings=False, by_alias=True)


def compile_serializer(
    model: t.Any, options: Mapping[str, t.Any] | None = None
) -> ResponseSerializer:
    """The serializer of a response model.

    :param options: of the serializer.
    :raises SignatureError: if Pydantic can't serialize the model, or a part of a value
        could be written that the model does not name.
    """
    if conflict := find_open_union(model):
        one, other = map(show_type, conflict)
        raise SignatureError(
            f"{show_type(model)!r} has {other!r} beside {one!r}, and the former takes"
            " whatever does not fit the latter, with fields that nobody declared. Name"
            " its fields in a model, or declare it with responses= and its status."
        )
    adapter = type_adapter(model)
    parts = [*schemas_in(adapter.core_schema)]
    adapter = exact_adapter(adapter, model, parts)
    options = placed_options(options or USUAL_OPTIONS, adapter.core_schema)
    return ResponseSerializer(
        model=model,
        adapter=adapter,
        typed_dict_adapter=_typed_dict_adapter(adapter, options),
        options=options,
        has_constants=any(map(_has_constants, parts)),
        has_iterators=any(part["type"] == "generator" for part in parts),
        revalidator=Once(partial(_revalidator, adapter)),
    )


def _revalidator(adapter: Adapter) -> SchemaValidator:
    made = rewrite_schema(adapter.core_schema, _revalidated)
    return output_validator(made) or validator_of(made)


def _revalidated(part: t.Any, _: t.Any) -> t.Any:
    if part["type"] in ("model", "dataclass"):
        return {**part, "revalidate_instances": "always"}
    return with_read(part)


def _has_constants(part: Schema) -> bool:
    """Whether a model in a core schema is written with ``NaN`` and ``Infinity``."""
    config = part.get("config")
    return bool(config and config.get("ser_json_inf_nan") == "constants")


def _typed_dict_adapter(
    adapter: Adapter, options: Mapping[str, t.Any]
) -> Adapter | None:
    found = typed_dict_adapter(adapter)
    # The model itself knows what was set.
    return None if ABOUT_INSTANCES & options.keys() and found is not adapter else found


def _holds_dicts(value: t.Any) -> bool:
    """Whether a value is a dictionary, or a list that begins with one."""
    if type(value) is list and value:
        value = value[0]
    return type(value) is dict


def find_open_union(annotation: t.Any) -> tuple[t.Any, t.Any] | None:
    """A model, and a member of the same union that accepts its values, if there are.

    ``Item | dict[str, str]`` would send a field that ``Item`` does not have: a dict
    with that field is a value of the other member. Items of lists and values of dicts
    are searched too; fields of models are not, since their author declared them.
    """
    if is_class(annotation) and not is_root_model(annotation):
        return None
    return _find_open_type([annotation], set())


def _find_open_type(
    annotations: Sequence[t.Any], seen: set[tuple[int, ...]]
) -> tuple[t.Any, t.Any] | None:
    """A model and an open member among the alternatives for one value.

    :param seen: the identities of alternatives that are searched already.
    """
    found = [tp for annotation in annotations for tp in members(annotation)]
    # An alias may contain itself.
    key = tuple(map(id, found))
    if key in seen or not found:
        return None
    seen.add(key)
    models = [tp for tp in found if shape_of(tp) is Shape.MODEL]
    wide = [tp for tp in found if is_anything(tp) or shape_of(tp) is Shape.MAPPING]
    if models and wide:
        return models[0], wide[0]
    lists = [tp for tp in found if shape_of(tp) is Shape.LIST]
    mappings = [tp for tp in found if shape_of(tp) is Shape.MAPPING]
    if any(map(is_anything, found)):
        # A list of models is also a value of Any.
        lists, mappings = [*lists, *found], [*mappings, *found]
    for inside in (
        *_positions(lists),
        [(t.Any, *t.get_args(tp))[-1] for tp in mappings],
    ):
        if conflict := _find_open_type(inside, seen):
            return conflict
    return None


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
