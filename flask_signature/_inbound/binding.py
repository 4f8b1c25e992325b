"""Where in a request an argument is found, and what its location can carry.

An argument outside of a JSON body goes in, a :class:`Binding` comes out. Readers are
compiled from its input fields, and the document names them.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import AliasChoices, AliasPath
from pydantic.fields import FieldInfo

from .._signature.argument import request_paths
from .._styles import DEEP_OBJECT
from .._types.annotations import show_type
from .._types.inputs import unclear_validators
from .._types.models import model_config
from .._types.shapes import Shape
from ..exceptions import SignatureError
from ..params import Location
from .field_names import names_of
from .files import check_content_type, check_file_constraints, content_of
from .locations import (
    LOCATIONS,
    InputField,
    from_json_or_string,
    from_json_string,
    from_values,
)
from .styles import check_fields, check_style, delimiter_of, read_object, split_list

if t.TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .._signature.argument import Argument
    from .._types.argument_type import ArgumentType
    from .field_names import FieldName
    from .locations import LocationRow
    from .styles import Conversion

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
    :param sends_strings: whether a string may be among them.
    :param is_split: whether one string may become many values.
    :param is_model: whether it is a model, whose fields have names of their own.
    """

    source: str
    loc: tuple[str, ...]
    alias: AliasPath | AliasChoices
    fields: tuple[InputField, ...]
    reads_all_names: bool
    sends_files: bool
    sends_strings: bool
    is_split: bool
    is_model: bool


def bind_argument(argument: Argument, view: str) -> Binding:
    """The binding of an argument that is not in a body.

    :raises SignatureError: if its location can't carry a value of its type.
    """
    binder = _Binder(argument, view, LOCATIONS[argument.location])
    shapes = argument.type.shapes
    binder.check(shapes - binder.row.argument)
    check_style(argument, view)
    if Shape.MODEL in shapes and argument.location is not Location.FILE:
        binder.check_one_model(shapes - {Shape.MODEL})
        if argument.has_field_names:
            return binder.bind_model()
    return binder.bind_value()


@dataclass(frozen=True, slots=True)
class _Binder:
    """Binds one argument.

    :param view: the name of the view, for messages.
    :param row: of the argument's location.
    """

    argument: Argument
    view: str
    row: LocationRow

    def check(self, refused: Collection[Shape], field: str = "") -> None:
        """Refuse shapes that the location can't carry, of the argument or a field."""
        name = repr(self.argument.name)
        for shape in _sorted(refused):
            what = f"the field {field!r} of {name}" if field else name
            raise SignatureError(
                f"{what} of {self.view} is read from the"
                f" {self.argument.location.value}, which can't carry {shape.value}"
                f" there. {self.row.advice}"
            )

    def check_one_model(self, others: Collection[Shape]) -> None:
        """Refuse other shapes beside a model."""
        for shape in _sorted(others):
            raise SignatureError(
                f"{self.argument.name!r} of {self.view} may be a model or"
                f" {shape.value}, and the {self.argument.location.value} can't tell"
                " which was sent. Keep one of them."
            )

    def bind_value(self) -> Binding:
        """The binding of an argument with one name."""
        location, tp = self.argument.location, self.argument.type
        if tp.item is not None:
            self.check(tp.item.shapes - self.row.item)
        if location is Location.FILE:
            self._check_file_type()
        source = f"{location.value}#"
        paths = request_paths(self.argument)
        aliases = [AliasPath(source, *path) for path in paths]
        fields = tuple(self._input_field(str(path[0]), path, tp) for path in paths)
        return Binding(
            source,
            (location.value, fields[0].name),
            aliases[0] if len(aliases) == 1 else AliasChoices(*aliases),
            fields,
            reads_all_names=False,
            sends_files=location is Location.FILE or tp.has_files,
            sends_strings=location is not Location.FILE and _takes_strings(tp),
            is_split=tp.is_split,
            is_model=False,
        )

    def bind_model(self) -> Binding:
        """The binding of a model, whose fields have names of their own."""
        self._check_validators()
        location = self.argument.location
        models = self.argument.type.models
        extras = {model_config(model).get("extra") for model in models}
        if location is Location.HEADER and "forbid" in extras:
            raise SignatureError(
                f"{self.argument.name!r} of {self.view} is read from the headers, and"
                " its model forbids extra fields. Every request has headers of its own:"
                " remove extra='forbid'."
            )
        reads_all = not extras.isdisjoint({"forbid", "allow"})
        source = f"{location.value}#{self.argument.key}"
        fields: dict[str, InputField] = {}
        items = [*names_of(self.argument)]
        for item in items:
            self._check_field(item)
            found = self._input_field(item.key, item.path, item.type)
            fields.setdefault(item.key, found)
        return Binding(
            source,
            (location.value,),
            AliasPath(source),
            tuple(fields.values()),
            reads_all_names=reads_all,
            sends_files=any(item.type.has_files for item in items),
            sends_strings=reads_all or any(_takes_strings(item.type) for item in items),
            is_split=any(item.type.is_split for item in items),
            is_model=True,
        )

    def _check_validators(self) -> None:
        tp = self.argument.type
        for validator in unclear_validators(tp.annotation):
            name, model = type(validator).__name__, show_type(tp.models[0])
            raise SignatureError(
                f"{self.argument.name!r} of {self.view} has a {name} that may take one"
                f" value, or the fields of {model!r}. Add json_schema_input_type=str"
                f" or json_schema_input_type={model} to it, to say which."
            )

    def _check_file_type(self) -> None:
        tp = self.argument.type
        if self.argument.marker.content_types and t.Any in (tp.item or tp).members:
            raise SignatureError(
                f"{self.argument.name!r} of {self.view} may be of any type, and so a"
                " file of another content type could not be refused. Annotate it"
                " 'UploadFile' or 'bytes'."
            )
        for scalar in {*tp.scalars, *(tp.item or tp).scalars}:
            if scalar not in FILE_SCALARS:
                raise SignatureError(
                    f"{self.argument.name!r} of {self.view} is read from a file, but"
                    " its type is neither FileStorage nor bytes. Use one of them, or"
                    " Form()."
                )

    def _check_field(self, field: FieldName) -> None:
        self.check(field.type.shapes - self.row.field, field.name)
        if field.type.item is not None:
            self.check(field.type.item.shapes - self.row.item, field.name)
        if field.type.has_files:
            check_file_constraints(
                f"the field {field.name!r} of {self.argument.name!r} of {self.view}",
                field.type,
                FieldInfo.from_annotation(field.type.annotation).metadata,
            )

    def _input_field(
        self, key: str, path: Sequence[str | int], tp: ArgumentType
    ) -> InputField:
        # Of a list, each item is a value of its own.
        location, value = self.argument.location, tp.item or tp
        in_form = location is Location.FORM and not tp.has_files
        many = tp.item is not None or len(path) > 1
        convert = _conversion(value, location)
        if self.argument.marker.content_types:
            convert = check_content_type(self.argument.marker.content_types, convert)
        delimiter = delimiter_of(self.argument)
        if tp.models and not self.argument.has_field_names:
            convert = read_object(self.argument, self._field_conversions())
        elif delimiter is not None:
            many, convert = False, split_list(delimiter, convert)
        return InputField(
            key=key,
            name=str(path[0]),
            many=many,
            convert=convert,
            keep_blank=not in_form or value.may_be_blank,
            is_deep=self.argument.marker.style == DEEP_OBJECT,
        )

    def _field_conversions(self) -> dict[str, Conversion]:
        """The conversions of the fields of a model that is one parameter."""
        argument = self.argument
        fields = [*names_of(argument)]
        check_fields(argument, self.view, fields)
        return {item.key: _conversion(item.type, argument.location) for item in fields}


def _sorted(shapes: Collection[Shape]) -> list[Shape]:
    return sorted(shapes, key=lambda shape: shape.value)


def _takes_strings(tp: ArgumentType) -> bool:
    """Whether a value, or an item of a list, may be anything else than a file."""
    return (tp.item or tp).shapes != {Shape.FILE}


#: The scalars that an uploaded file may be read as: ``bytes`` is its content.
FILE_SCALARS: t.Final = (bytes, None, type(None), t.Any)


def _conversion(tp: ArgumentType, location: Location) -> Conversion:
    if location is Location.FILE:
        is_content = Shape.FILE not in tp.shapes and not tp.is_anything
        return content_of if is_content else None
    if location is Location.FORM and tp.shapes & JSON_SHAPES:
        return from_json_or_string if tp.may_be_blank else from_json_string
    return from_values(tp.values) if tp.values else None
