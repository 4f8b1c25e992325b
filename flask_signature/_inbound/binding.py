"""One argument bound to its location: its names there, its style, its conflicts.

An argument and its type go in, an :class:`InputField` with its reader comes out; the
compilation of an inbound plan calls it.
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from pydantic import AliasChoices, AliasPath
from pydantic.fields import FieldInfo
from werkzeug.http import parse_list_header, unquote_header_value

from .._common import DEEP_OBJECT, EXPLODED_FORM
from .._signature.argument import default_request_name, request_paths
from .._types.annotations import Shape, annotate, show_type, unclear_validators
from .._types.argument_type import read_type
from .._types.models import alias_paths, model_config, model_fields
from .._types.problems import argument_problem, author_error
from ..exceptions import SignatureError
from ..params import Location, Param
from .readers import (
    LOCATIONS,
    InputField,
    check_content_type,
    check_file_constraints,
    content_of,
    deep_prefix,
    environ_key,
    from_json_or_string,
    from_json_string,
    from_values,
)

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from .._signature.argument import Argument
    from .._types.argument_type import ArgumentType
    from .readers import LocationRow


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


class FieldName(t.NamedTuple):
    """A name under which Pydantic looks for a field of a model.

    :param name: of the field.
    :param type: of the field.
    :param key: under which Pydantic looks for it.
    :param path: to its value in the request.
    """

    name: str
    type: ArgumentType
    key: str
    path: Sequence[str | int]


def names_of(argument: Argument) -> Iterator[FieldName]:
    """The names of the fields of each model that an argument may be.

    :raises SignatureError: if Pydantic can't read a model, or a field is declared with
        a special function, which Pydantic does not know.
    """
    for model in argument.type.models:
        yield from _names_in(argument, model)


def _names_in(argument: Argument, model: t.Any) -> Iterator[FieldName]:
    try:
        fields = model_fields(model)
    except NameError as error:
        raise SignatureError(
            f"Pydantic can't read the type of {argument.name!r}, {show_type(model)!r}"
            f"{argument_problem(argument.name, model, error)}"
        ) from author_error(error)
    config = model_config(model)
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    for name, field in fields.items():
        for marker in (field.default, *field.metadata):
            if isinstance(marker, Param):
                raise SignatureError(_marked_problem(argument, name, marker))
        # The annotation of a FieldInfo lacks its metadata, and Json is metadata alone.
        tp = read_type(annotate(field.annotation, field.metadata))
        paths = alias_paths(field)
        for path in paths:
            yield FieldName(name, tp, str(path[0]), path)
        if not paths or by_name:
            path = [default_request_name(argument, name)]
            yield FieldName(name, tp, name, path)


def _marked_problem(argument: Argument, field: str, marker: Param) -> str:
    """What is wrong with a field that is declared with a special function."""
    advice = "Use pydantic.Field() there."
    if marker.content_types or marker.style is not None:
        options = "content_type=" if marker.content_types else "style= and explode="
        advice = (
            f"Take it beside the model, as an argument of {argument.owner}, where"
            f" {options} may be."
        )
    return (
        f"the field {field!r} of {argument.name!r} of {argument.owner} is declared with"
        f" {marker.location.value.capitalize()}(), which is for arguments. {advice}"
    )


@dataclass(frozen=True, slots=True)
class NameUse:
    """A value of the request that an argument reads, or a field of its model.

    :param field: the name of the field, empty where the argument reads it itself.
    :param path: the name of the value, and after it the rest of an ``AliasPath``.
    """

    argument: Argument
    field: str
    path: tuple[str | int, ...]

    def __str__(self) -> str:
        name = repr(self.argument.name)
        return f"the field {self.field!r} of {name}" if self.field else name

    def overlaps(self, other: NameUse) -> bool:
        """Whether one of two paths with the same name leads into the other."""
        one, two = self.path[1:], other.path[1:]
        shorter = min(len(one), len(two))
        return one[:shorter] == two[:shorter]


def check_names(arguments: Sequence[Argument], bindings: Mapping[str, Binding]) -> None:
    """Refuse two arguments that read the same value.

    :param bindings: of the arguments outside of a body, by name.
    :raises SignatureError: if two of one location have a name in common, be it an
        alias, one of several, or that of a model's field.
    """
    if len({_shared_part(item.location) for item in arguments}) == len(arguments):
        return
    prefixes = [
        field.name_or_prefix
        for binding in bindings.values()
        for field in binding.fields
        if field.is_deep
    ]
    taken: dict[tuple[str, str], list[NameUse]] = {}
    for argument in arguments:
        part = _shared_part(argument.location)
        for use in _name_uses(argument, bindings.get(argument.key)):
            name = _compared_name(argument.location, use, prefixes)
            others = taken.setdefault((part, name), [])
            for other in others:
                if other.argument.key != use.argument.key and use.overlaps(other):
                    raise SignatureError(
                        f"{_show_both(other, use)} are both read from {use.path[0]!r}"
                        f" of the {part}. {_advice_on_conflict(other, use)}"
                    )
            others.append(use)


def _name_uses(argument: Argument, binding: Binding | None) -> Iterator[NameUse]:
    if binding is None or not binding.is_model:
        for path in request_paths(argument):
            yield NameUse(argument, "", tuple(path))
        return
    for field in names_of(argument):
        yield NameUse(argument, field.name, tuple(field.path))


def _shared_part(location: Location) -> str:
    # The strings and the files of a form share their names.
    return Location.FORM.value if location is Location.FILE else location.value


def _compared_name(location: Location, use: NameUse, prefixes: Sequence[str]) -> str:
    name = str(use.path[0])
    if location is Location.QUERY:
        prefix = deep_prefix(name, prefixes)
        return prefix[:-1] if prefix else name
    return environ_key(name) if location is Location.HEADER else name


def _show_both(one: NameUse, two: NameUse) -> str:
    """Two uses of a name, each with its function if these differ."""
    owner = one.argument.owner
    first = f"{one}" if owner == two.argument.owner else f"{one} of {owner}"
    return f"{first} and {two} of {two.argument.owner}"


def _advice_on_conflict(one: NameUse, two: NameUse) -> str:
    if one.field and two.field:
        return "Give one of them another alias, or read both from one model."
    if not one.field and not two.field:
        return "Give one of them another alias."
    model, scalar = (one, two) if one.field else (two, one)
    field = f"{model.argument.name}.{model.field}"
    return (
        f"Remove {scalar.argument.name!r} and use {field!r}, or give one of them"
        " another alias."
    )


if t.TYPE_CHECKING:
    #: Changes a value before Pydantic validates it, ``None`` where it is left as it is.
    Conversion: t.TypeAlias = Callable[[t.Any], t.Any] | None

#: A character that is escaped in a quoted string. Source: RFC 9110, 5.6.4.
ESCAPED: t.Final = re.compile(r"\\.?")

#: What stands between the items of a list in the query.
DELIMITERS: t.Final = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}


def delimiter_of(argument: Argument) -> str | None:
    """What stands between the items of an argument, ``None`` where each has a name.

    Header fields have commas by themselves.
    """
    style = argument.marker.style
    if style is None or style == EXPLODED_FORM:
        return None
    return DELIMITERS.get(style.name)


def check_style(argument: Argument, view: str) -> None:
    """Refuse a style that a value of some type can't have.

    :raises SignatureError: if it is a single value, or a list as a ``deepObject``.
    """
    style, shapes = argument.marker.style, argument.type.shapes
    if style is None or Shape.MODEL in shapes:
        return
    if style == DEEP_OBJECT and Shape.LIST in shapes:
        raise SignatureError(
            f"{argument.name!r} of {view} is a list, and only a model can have the"
            " style 'deepObject'. Use another style, or a model."
        )
    if Shape.LIST not in shapes:
        raise SignatureError(
            f"{argument.name!r} of {view} is a single value, and only lists and models"
            " have a style. Remove style= and explode=, or annotate a list."
        )


def check_fields(argument: Argument, view: str, fields: Iterable[FieldName]) -> None:
    """Refuse what a model that is one parameter can't hold.

    :raises SignatureError: if a field is no single value, or the model is no object.
    """
    for field in fields:
        for shape in field.type.shapes - {Shape.SCALAR}:
            raise SignatureError(
                f"the field {field.name!r} of {argument.name!r} of {view} is"
                f" {shape.value}, and a model with a style holds single values alone."
                " Send it in a JSON body or a form."
            )
    if any(hasattr(model, "_make") for model in argument.type.models):
        raise SignatureError(
            f"{argument.name!r} of {view} is a NamedTuple, which OpenAPI describes as"
            " an array, and has the style of an object. Use a model or a dataclass."
        )


def split_list(delimiter: str, convert: Conversion) -> Callable[[str], list[t.Any]]:
    """A function that makes a list of a string: ``"1,2"`` is ``["1", "2"]``.

    :param convert: changes each item.
    """

    def split(value: str) -> list[t.Any]:
        items = value.split(delimiter) if value else []
        return [convert(item) for item in items] if convert else items

    return split


def read_object(
    argument: Argument, conversions: Mapping[str, Conversion]
) -> Callable[[t.Any], t.Any]:
    """A function that makes a dict of the value of a model that is one parameter.

    What can't be one is left a string, which Pydantic refuses.

    :param conversions: of the values of its fields, by their keys.
    """
    pairs_of = _pairs_function(argument)

    def read(value: t.Any) -> t.Any:
        pairs = pairs_of(value)
        if pairs is None:
            return value
        found: dict[str, t.Any] = {}
        for key, item in pairs:
            convert = conversions.get(key)
            found.setdefault(key, convert(item) if convert else item)
        return found

    return read


def _pairs_function(
    argument: Argument,
) -> Callable[[t.Any], Iterable[tuple[str, t.Any]] | None]:
    style = argument.marker.style
    if style == DEEP_OBJECT:
        return dict.items
    delimiter = delimiter_of(argument)
    if delimiter is not None:
        split = split_list(delimiter, None)
        return lambda value: _in_pairs(split(value))
    if style is not None and style.explode:
        return lambda value: _with_equals_signs(parse_list_header(value))
    return lambda value: _in_pairs(_header_items(value))


def _header_items(value: str) -> list[str]:
    """The items between the commas of a header, blank ones too, since values may be.

    Werkzeug's ``parse_list_header`` leaves those out, as lists do (RFC 9110, 5.6.1).
    """
    items, begun, is_quoted = list[str](), list[str](), False
    for part in value.split(",") if value.strip() else ():
        begun.append(part)
        is_quoted ^= ESCAPED.sub("", part).count('"') % 2 == 1
        if not is_quoted:
            items.append(",".join(begun))
            begun = []
    return [unquote_header_value(item.strip()) for item in (*items, *begun)]


def _in_pairs(items: list[str]) -> Iterable[tuple[str, str]] | None:
    """``["x", "1", "y", "2"]`` is ``[("x", "1"), ("y", "2")]``."""
    if len(items) % 2:
        return None
    return zip(items[::2], items[1::2], strict=True)


def _with_equals_signs(items: list[str]) -> Iterable[tuple[str, str]] | None:
    """``["x=1", "y=2"]`` is ``[("x", "1"), ("y", "2")]``."""
    parts = [item.partition("=") for item in items]
    if not all(sign for _, sign, _ in parts):
        return None
    return [
        (name.strip(), unquote_header_value(value.strip())) for name, _, value in parts
    ]
