"""Where in a request an argument is found, and what its location can carry.

An argument outside of a JSON body goes in, a :class:`Binding` comes out. Readers are
compiled from its input fields, and the document names them.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import AliasChoices
from pydantic import AliasPath

from .._signature.argument import alias_paths
from .._signature.argument import default_request_name
from .._signature.argument import request_name
from .._types.annotations import Shape
from .._types.annotations import accepts_blank
from .._types.annotations import annotate
from .._types.annotations import items_of
from .._types.annotations import members
from .._types.annotations import shape_of
from .._types.annotations import shapes_of
from .._types.annotations import show_type
from .._types.annotations import values_by_string
from .._types.models import model_config
from .._types.models import model_fields
from ..exceptions import SignatureError
from ..params import Location
from .extract import InputField
from .extract import content_of
from .extract import from_json_or_string
from .extract import from_json_string
from .extract import from_values
from .locations import LOCATIONS

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

    from .._signature.argument import Argument

#: The shapes that a field of a form holds as JSON.
JSON_SHAPES: t.Final = frozenset({Shape.MODEL, Shape.MAPPING, Shape.LIST})


@dataclass(frozen=True, slots=True)
class Binding:
    """Where one argument is found.

    :param source: the key of its part of the input: ``"query#"``, and
        ``"query#filter"`` for a model of that name. No argument can have such a name.
    :param loc: of the argument: ``("query", "page")``, and ``("query",)`` for a model.
    :param alias: the path to the value in the input.
    :param fields: the names in the request.
    :param reads_all_names: whether its model says ``extra="forbid"`` or ``"allow"``, so
        that every name of the location is read.
    :param sends_files: whether a file may be among the values.
    """

    source: str
    loc: tuple[str, ...]
    alias: AliasPath | AliasChoices
    fields: tuple[InputField, ...]
    reads_all_names: bool
    sends_files: bool

    @property
    def is_model(self) -> bool:
        """Whether the argument is a model, whose fields have names of their own."""
        return len(self.loc) == 1


def bind_argument(argument: Argument, view: str) -> Binding:
    """The binding of an argument that is not in a body.

    :raises SignatureError: if its location can't carry a value of its type.
    """
    shapes = shapes_of(argument.annotation)
    _refuse(argument, view, shapes - LOCATIONS[argument.location].argument)
    if Shape.MODEL in shapes and argument.location is not Location.FILE:
        _check_one_model(argument, view, shapes - {Shape.MODEL})
        return _bind_model(argument, view)
    return _bind_value(argument, view)


def _refuse(
    argument: Argument, view: str, shapes: t.Collection[Shape], field: str = ""
) -> None:
    for shape in sorted(shapes, key=lambda shape: shape.value):
        what = (
            f"the field {field!r} of {argument.name!r}"
            if field
            else repr(argument.name)
        )
        raise SignatureError(
            f"{what} of {view} is read from the {argument.location.value}, which can't"
            f" carry {shape.value} there. {LOCATIONS[argument.location].advice}"
        )


def _check_one_model(
    argument: Argument, view: str, others: t.Collection[Shape]
) -> None:
    for shape in sorted(others, key=lambda shape: shape.value):
        raise SignatureError(
            f"{argument.name!r} of {view} may be a model or {shape.value}, and the"
            f" {argument.location.value} can't tell which was sent. Keep one of them."
        )


def _bind_value(argument: Argument, view: str) -> Binding:
    location, annotation = argument.location, argument.annotation
    item_shapes = shapes_of(items_of(annotation))
    _refuse(argument, view, item_shapes - LOCATIONS[location].item)
    if location is Location.FILE:
        _check_file_type(argument, view)
    source = f"{location.value}#"
    paths = alias_paths(argument.field) or [[request_name(argument)]]
    aliases = [AliasPath(source, *path) for path in paths]
    fields = tuple(
        _input_field(
            str(path[0]), str(path[0]), annotation, location, many=len(path) > 1
        )
        for path in paths
    )
    return Binding(
        source,
        (location.value, fields[0].name),
        aliases[0] if len(aliases) == 1 else AliasChoices(*aliases),
        fields,
        reads_all_names=False,
        sends_files=location is Location.FILE or _is_file(annotation),
    )


def _check_file_type(argument: Argument, view: str) -> None:
    for tp in members(argument.annotation):
        for item in members(items_of(tp)) if shape_of(tp) is Shape.LIST else (tp,):
            if shape_of(item) is Shape.SCALAR and item not in FILE_SCALARS:
                raise SignatureError(
                    f"{argument.name!r} of {view} is read from a file, but its type is"
                    " neither FileStorage nor bytes. Use one of them, or Form()."
                )


#: The scalars that an uploaded file may be read as: ``bytes`` is its content.
FILE_SCALARS: t.Final = (bytes, None, type(None), t.Any)


def _is_file(annotation: t.Any) -> bool:
    shapes = shapes_of(annotation)
    if Shape.LIST in shapes:
        shapes |= shapes_of(items_of(annotation))
    return Shape.FILE in shapes


def _input_field(
    key: str, name: str, annotation: t.Any, location: Location, *, many: bool = False
) -> InputField:
    shapes = shapes_of(annotation)
    listed = Shape.LIST in shapes
    item = items_of(annotation) if listed else annotation
    in_form = location is Location.FORM and not _is_file(annotation)
    return InputField(
        key=key,
        name=name,
        many=listed or many,
        convert=_conversion(item, location),
        keep_blank=not in_form or accepts_blank(item),
    )


def _conversion(item: t.Any, location: Location) -> Callable[[t.Any], t.Any] | None:
    if location is Location.FILE:
        return (
            content_of
            if Shape.FILE not in shapes_of(item) and item is not t.Any
            else None
        )
    if location is Location.FORM and shapes_of(item) & JSON_SHAPES:
        return from_json_or_string if accepts_blank(item) else from_json_string
    values = values_by_string(item)
    return from_values(values) if values else None


def _bind_model(argument: Argument, view: str) -> Binding:
    models = models_of(argument)
    extras = {model_config(model).get("extra") for model in models}
    if argument.location is Location.HEADER and "forbid" in extras:
        raise SignatureError(
            f"{argument.name!r} of {view} is read from the headers, and its model"
            " forbids extra fields. Every request has headers of its own: remove"
            " extra='forbid'."
        )
    source = f"{argument.location.value}#{argument.name}"
    fields: dict[str, InputField] = {}
    files = False
    for model in models:
        for name, field in fields_of(argument, model).items():
            _check_field(argument, view, name, field)
            files = files or _is_file(field.annotation)
            for found in _input_fields_of(argument, model, name, field):
                fields.setdefault(found.key, found)
    return Binding(
        source,
        (argument.location.value,),
        AliasPath(source),
        tuple(fields.values()),
        reads_all_names=not extras.isdisjoint({"forbid", "allow"}),
        sends_files=files,
    )


def models_of(argument: Argument) -> list[t.Any]:
    """The models that an argument may be: one, unless it is a union."""
    return [tp for tp in members(argument.annotation) if shape_of(tp) is Shape.MODEL]


def fields_of(argument: Argument, model: t.Any) -> dict[str, FieldInfo]:
    """The fields of one of them, by name.

    :raises SignatureError: if Pydantic can't read it.
    """
    try:
        return model_fields(model)
    except NameError as error:
        raise SignatureError(
            f"Pydantic can't read the type of {argument.name!r}, {show_type(model)!r}:"
            f" {error}."
        ) from error


def _check_field(argument: Argument, view: str, name: str, field: FieldInfo) -> None:
    row = LOCATIONS[argument.location]
    annotation = _with_metadata(field)
    shapes = shapes_of(annotation)
    _refuse(argument, view, shapes - row.field, name)
    if Shape.LIST in shapes:
        _refuse(argument, view, shapes_of(items_of(annotation)) - row.item, name)


def _with_metadata(field: FieldInfo) -> t.Any:
    # Pydantic keeps the metadata of Annotated apart, and Json is nothing else.
    return annotate(field.annotation, field.metadata)


def _input_fields_of(
    argument: Argument, model: t.Any, name: str, field: FieldInfo
) -> Iterator[InputField]:
    annotation, location = _with_metadata(field), argument.location
    for key, path in field_paths(argument, model, name, field):
        yield _input_field(key, str(path[0]), annotation, location, many=len(path) > 1)


def field_paths(
    argument: Argument, model: t.Any, name: str, field: FieldInfo
) -> Iterator[tuple[str, list[str | int]]]:
    """The keys under which Pydantic looks for a field, with the path in the request."""
    paths = alias_paths(field)
    for path in paths:
        yield str(path[0]), path
    config = model_config(model)
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    if not paths or by_name:
        yield name, [default_request_name(argument, name)]
