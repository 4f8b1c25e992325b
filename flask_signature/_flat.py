"""How an argument is found in a part of the request that is flat: names and texts."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import AliasChoices
from pydantic import AliasPath

from ._signature.argument import alias_paths
from ._signature.argument import default_request_name
from ._signature.argument import request_name
from ._sources import Wire
from ._sources import content_of
from ._sources import from_json_or_text
from ._sources import from_json_text
from ._sources import from_values
from ._types.annotations import Shape
from ._types.annotations import accepts_blank
from ._types.annotations import annotate
from ._types.annotations import items_of
from ._types.annotations import members
from ._types.annotations import shape_of
from ._types.annotations import shapes_of
from ._types.annotations import show_type
from ._types.annotations import values_by_string
from ._types.models import model_config
from ._types.models import model_fields
from .exceptions import SignatureError
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

    from ._signature.argument import Argument

SCALARS: t.Final = frozenset({Shape.SCALAR})
JSON_TEXT: t.Final = frozenset({Shape.MODEL, Shape.MAPPING})
ANYTHING: t.Final = frozenset(Shape)


@dataclass(frozen=True, slots=True)
class Carries:
    """What one location can carry: as an argument, in a list, in a field of a model."""

    argument: frozenset[Shape]
    item: frozenset[Shape] = SCALARS
    field: frozenset[Shape] = frozenset()


CARRIES: t.Final = {
    Location.PATH: Carries(SCALARS),
    Location.QUERY: Carries(
        SCALARS | {Shape.LIST, Shape.MODEL}, field=SCALARS | {Shape.LIST}
    ),
    Location.HEADER: Carries(
        SCALARS | {Shape.LIST, Shape.MODEL}, field=SCALARS | {Shape.LIST}
    ),
    Location.COOKIE: Carries(SCALARS | {Shape.MODEL}, field=SCALARS),
    Location.FORM: Carries(ANYTHING, item=ANYTHING, field=ANYTHING),
    Location.FILE: Carries(
        SCALARS | {Shape.FILE, Shape.LIST}, item=SCALARS | {Shape.FILE}
    ),
}

INSTEAD: t.Final = {
    Location.PATH: "Give it a scalar type, or read it from the query.",
    Location.QUERY: "Send it in a JSON body or a form.",
    Location.HEADER: "Send it in a JSON body or a form.",
    Location.COOKIE: "Send it in the query, a JSON body or a form.",
    Location.FILE: "Declare it with Form(), which may hold files and text.",
}


@dataclass(frozen=True, slots=True)
class Flat:
    """Where one argument is found.

    :param source: the part of the input, which is named so that it can't be mistaken
        for an argument: ``"query#"``, and ``"query#filter"`` for a model of that name,
        which has a part of its own.
    :param place: the ``loc`` of the argument: ``("query", "page")``, and ``("query",)``
        for a model.
    :param alias: the path to the value in the input.
    :param wires: the names in the request.
    :param everything: whether the model counts names that nobody asked for.
    :param sends_files: whether a file may be among the values.
    """

    source: str
    place: tuple[str, ...]
    alias: AliasPath | AliasChoices
    wires: tuple[Wire, ...]
    everything: bool
    sends_files: bool

    @property
    def is_model(self) -> bool:
        """Whether the argument is a model, whose fields have names of their own."""
        return len(self.place) == 1


def find_flat(argument: Argument, view: str) -> Flat:
    """How to find an argument that is not in a body.

    :raises SignatureError: if its location can't carry a value of its type.
    """
    shapes = shapes_of(argument.annotation)
    _refuse(argument, view, shapes - CARRIES[argument.location].argument)
    if Shape.MODEL in shapes and argument.location is not Location.FILE:
        _refuse_beside_model(argument, view, shapes - {Shape.MODEL})
        return _find_model(argument, view)
    return _find_value(argument, view)


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
            f" carry {shape.value} there. {INSTEAD[argument.location]}"
        )


def _refuse_beside_model(
    argument: Argument, view: str, others: t.Collection[Shape]
) -> None:
    for shape in sorted(others, key=lambda shape: shape.value):
        raise SignatureError(
            f"{argument.name!r} of {view} may be a model or {shape.value}, and the"
            f" {argument.location.value} can't tell which was sent. Keep one of them."
        )


def _find_value(argument: Argument, view: str) -> Flat:
    location, annotation = argument.location, argument.annotation
    _refuse(argument, view, shapes_of(items_of(annotation)) - CARRIES[location].item)
    if location is Location.FILE:
        _refuse_text_as_file(argument, view)
    source = f"{location.value}#"
    paths = alias_paths(argument.field) or [[request_name(argument)]]
    aliases = [AliasPath(source, *path) for path in paths]
    wires = tuple(
        _wire(str(path[0]), str(path[0]), annotation, location, many=len(path) > 1)
        for path in paths
    )
    return Flat(
        source,
        (location.value, wires[0].name),
        aliases[0] if len(aliases) == 1 else AliasChoices(*aliases),
        wires,
        everything=False,
        sends_files=location is Location.FILE or _is_file(annotation),
    )


def _refuse_text_as_file(argument: Argument, view: str) -> None:
    for tp in members(argument.annotation):
        for item in members(items_of(tp)) if shape_of(tp) is Shape.LIST else (tp,):
            if shape_of(item) is Shape.SCALAR and item not in FILE_SCALARS:
                raise SignatureError(
                    f"{argument.name!r} of {view} is read from a file, but its type is"
                    " neither FileStorage nor bytes. Use one of them, or Form()."
                )


#: ``bytes`` is the content of the file.
FILE_SCALARS: t.Final = (bytes, None, type(None), t.Any)


def _is_file(annotation: t.Any) -> bool:
    shapes = shapes_of(annotation)
    if Shape.LIST in shapes:
        shapes |= shapes_of(items_of(annotation))
    return Shape.FILE in shapes


def _wire(
    key: str, name: str, annotation: t.Any, location: Location, *, many: bool = False
) -> Wire:
    shapes = shapes_of(annotation)
    listed = Shape.LIST in shapes
    item = items_of(annotation) if listed else annotation
    in_form = location is Location.FORM and not _is_file(annotation)
    return Wire(
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
    structured = shapes_of(item) & (JSON_TEXT | {Shape.LIST})
    if location is Location.FORM and structured:
        return from_json_or_text if accepts_blank(item) else from_json_text
    values = values_by_string(item)
    return from_values(values) if values else None


def _find_model(argument: Argument, view: str) -> Flat:
    models = models_of(argument)
    extras = {model_config(model).get("extra") for model in models}
    if argument.location is Location.HEADER and "forbid" in extras:
        raise SignatureError(
            f"{argument.name!r} of {view} is read from the headers, and its model"
            " forbids extra fields. Every request has headers of its own: remove"
            " extra='forbid'."
        )
    source = f"{argument.location.value}#{argument.name}"
    wires: dict[str, Wire] = {}
    files = False
    for model in models:
        for name, field in fields_of(argument, model).items():
            _check_field(argument, view, name, field)
            files = files or _is_file(field.annotation)
            for wire in _field_wires(argument, model, name, field):
                wires.setdefault(wire.key, wire)
    return Flat(
        source,
        (argument.location.value,),
        AliasPath(source),
        tuple(wires.values()),
        everything=not extras.isdisjoint({"forbid", "allow"}),
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
    carries = CARRIES[argument.location]
    annotation = _with_metadata(field)
    shapes = shapes_of(annotation)
    _refuse(argument, view, shapes - carries.field, name)
    if Shape.LIST in shapes:
        _refuse(argument, view, shapes_of(items_of(annotation)) - carries.item, name)


def _with_metadata(field: FieldInfo) -> t.Any:
    # Pydantic moves the metadata of Annotated away, and Json is told by it alone.
    return annotate(field.annotation, field.metadata)


def _field_wires(
    argument: Argument, model: t.Any, name: str, field: FieldInfo
) -> Iterator[Wire]:
    annotation, location = _with_metadata(field), argument.location
    for key, path in field_paths(argument, model, name, field):
        yield _wire(key, str(path[0]), annotation, location, many=len(path) > 1)


def field_paths(
    argument: Argument, model: t.Any, name: str, field: FieldInfo
) -> Iterator[tuple[str, list[str | int]]]:
    """The keys under which Pydantic looks for a field, with the path of each."""
    paths = alias_paths(field)
    for path in paths:
        yield str(path[0]), path
    config = model_config(model)
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    if not paths or by_name:
        yield name, [default_request_name(argument, name)]
