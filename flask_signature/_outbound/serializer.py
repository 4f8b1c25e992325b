"""The JSON of one response model.

A value that a view returned goes in, JSON in UTF-8 comes out; an outbound plan calls
it.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass
from dataclasses import field

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from .._http.json import without_constants
from .._http.json import without_surrogates
from .._types.adapters import type_adapter
from .._types.annotations import is_anything
from .._types.annotations import is_class
from .._types.annotations import is_root_model
from .._types.annotations import members
from .._types.annotations import show_type
from .._types.shapes import Shape
from .._types.shapes import shape_of
from ..exceptions import SignatureError
from .named_fields import placed_options
from .shape import JSONShape
from .typed_dicts import typed_dict_adapter
from .unvalidated import ModelFilter
from .unvalidated import compile_filter
from .unvalidated import defer_filter

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from .._types.adapters import Adapter

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
        instances; ``None`` where there is no typed dict for the model.
    :param filter: keeps the part of an unvalidated value that the model knows.
    :param shape: of the JSON that the model describes.
    :param options: of the serializer: ``by_alias``, ``exclude_none`` and so on.
    :ivar write_validated: :meth:`write` of a value that is validated.
    """

    model: t.Any
    adapter: Adapter
    typed_dict_adapter: Adapter | None
    filter: ModelFilter
    shape: JSONShape
    options: Mapping[str, t.Any]
    write_validated: Callable[[t.Any], bytes] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "write_validated", _compile_write(self))

    def is_same(self, other: ResponseSerializer | None) -> bool:
        """Whether another one writes the same JSON for every value."""
        if other is None:
            return False
        return bool(self.model == other.model) and self.options == other.options

    def write(self, value: t.Any, *, validate: bool) -> bytes:
        """The JSON text of a value, in UTF-8.

        What is no field of the model is left out: a value that is an instance of the
        model may be one of a subclass, which knows more.

        :raises ValidationError: if the value does not fit the model.
        :raises PydanticSerializationError: if a part of it can't be written.
        :raises TypeError: if a value that isn't validated has no place in the model.
        """
        if validate:
            return self.write_validated(value)
        data = self._write_unvalidated(value)
        return without_constants(data) if self.filter.constants else data

    def _write_changed(self, value: t.Any) -> bytes:
        """The JSON of a validated value with a part that is not of its type.

        :raises PydanticSerializationError: if somebody has assigned the part.
        :raises TypeError: if the model has no place for it.
        """
        value = self.filter.keep(value)
        self._check_types(value)
        return self._write_what_fits(value)

    def _write_unvalidated(self, value: t.Any) -> bytes:
        value = self.filter.read(value)
        try:
            return self._to_json(value)
        except PydanticSerializationError:
            return self._write_what_fits(value)

    def _to_json(self, value: t.Any) -> bytes:
        """The JSON of a value that is of its type in all its parts.

        :raises PydanticSerializationError: if one is not.
        """
        return self.adapter.serializer.to_json(value, warnings="error", **self.options)

    def _check_types(self, value: t.Any) -> None:
        """Refuse a part of an instance that is not of its type, unless it is a default.

        Pydantic validates neither a default, which is what the author wrote, nor what
        is assigned to an instance later.

        :raises PydanticSerializationError: if there is one.
        """
        options = {**self.options, "exclude_unset": True, "exclude_defaults": True}
        self.adapter.serializer.to_python(
            value, mode="json", warnings="error", **options
        )

    def _write_what_fits(self, value: t.Any) -> bytes:
        """The JSON of a value with scalars of other types, or with lone surrogates.

        :raises TypeError: if it has what the model does not name. Pydantic writes all
            that is in a value of another type, which code of the model may have made.
        """
        if self.filter.reads_once:
            value = self.filter.keep(value)
        plain = self.adapter.serializer.to_python(
            value, mode="json", warnings=False, **self.options
        )
        if not self.shape.fits(plain):
            raise TypeError("the response model has no place for a part of the value")
        string = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return without_constants(without_surrogates(string).encode())


def _compile_write(serializer: ResponseSerializer) -> Callable[[t.Any], bytes]:
    """The function of a serializer that writes what it validates."""
    options, adapter = serializer.options, serializer.adapter
    dicts = serializer.typed_dict_adapter
    validate = adapter.validator.validate_python
    to_json = _json_writer(adapter, options, warnings="error")
    validate_dicts = (dicts or adapter).validator.validate_python
    dicts_to_json = _json_writer(dicts or adapter, options, warnings=False)
    keep = serializer.filter.keep if serializer.filter.always_apply else None

    def write(value: t.Any) -> bytes:
        if dicts is not None and (type(value) is dict or _holds_dicts(value)):
            try:
                return dicts_to_json(validate_dicts(value))
            except (ValidationError, PydanticSerializationError):
                # The model itself decides, and has the better message.
                pass
        made = validate(value, from_attributes=True)
        if keep is not None:
            made = keep(made)
        try:
            return to_json(made)
        except PydanticSerializationError:
            return serializer._write_changed(made)

    if serializer.filter.constants:
        return lambda value: without_constants(write(value))
    return write


def _json_writer(
    adapter: Adapter, options: Mapping[str, t.Any], *, warnings: t.Any
) -> Callable[[t.Any], bytes]:
    """What writes a value as JSON, with the options of a serializer."""
    to_json = adapter.serializer.to_json
    if options == USUAL_OPTIONS:
        # An option that is named takes less time than a dictionary with it.
        return lambda value: to_json(value, warnings=warnings, by_alias=True)
    return lambda value: to_json(value, warnings=warnings, **options)


def compile_serializer(
    model: t.Any, options: Mapping[str, t.Any] | None = None
) -> ResponseSerializer:
    """The serializer of a response model.

    :param options: of the serializer.
    :raises SignatureError: if Pydantic can't serialize the model, or a member of a
        union in it would take what is meant for another.
    """
    if conflict := find_open_union(model):
        one, other = map(show_type, conflict)
        raise SignatureError(
            f"{show_type(model)!r} has {other!r} beside {one!r}, and the former takes"
            " whatever does not fit the latter, with fields that nobody declared. Name"
            " its fields in a model, or declare it with responses= and its status."
        )
    adapter = type_adapter(model)
    options = placed_options(options or USUAL_OPTIONS, adapter.core_schema)
    typed_dict = _typed_dict_adapter(adapter, options)
    return ResponseSerializer(
        model=model,
        adapter=adapter,
        typed_dict_adapter=typed_dict,
        filter=(defer_filter if typed_dict is adapter else compile_filter)(model),
        shape=JSONShape(
            adapter.core_schema, by_alias=bool(options.get("by_alias", True))
        ),
        options=options,
    )


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
    return _find_open([annotation], set())


def _find_open(
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
        if conflict := _find_open(inside, seen):
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
