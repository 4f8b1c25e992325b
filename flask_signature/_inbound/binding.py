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

from .._common import DEEP_OBJECT, Style
from .._signature.argument import default_request_name, request_paths
from .._types.annotations import (
    Shape,
    annotate,
    read_type,
    show_type,
    unclear_validators,
)
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
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .._signature.argument import Argument
    from .._types.annotations import ArgumentType


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


def bind_argument(argument: Argument) -> Binding:
    """The binding of an argument that is not in a body.

    :raises SignatureError: if its location can't carry a value of its type.
    """
    location, is_model = argument.location, argument.has_field_names
    shown = f"{argument.name!r} of {argument.owner}"
    carried = LOCATIONS[location].argument
    if argument.marker.style == DEEP_OBJECT:
        carried |= {Shape.MAPPING}
    _check_shapes(argument, shown, argument.type.shapes - carried)
    _check_style(argument, shown)
    extras = _check_model(argument, shown)
    names = [*names_of(argument)]
    fields: dict[str | int, InputField] = {}
    for name in names:
        _check_name(name)
        fields.setdefault(name.key if is_model else len(fields), _input_field(name))
    source = f"{location.value}#{argument.key if is_model else ''}"
    aliases = [AliasPath(source)]
    if not is_model:
        aliases = [AliasPath(source, *name.path) for name in names]
    reads_all = not extras.isdisjoint({"forbid", "allow"})
    in_file = location is Location.FILE
    takes_strings = any((x.type.item or x.type).shapes != {Shape.FILE} for x in names)
    return Binding(
        source,
        (location.value, *(() if is_model else (str(names[0].path[0]),))),
        aliases[0] if len(aliases) == 1 else AliasChoices(*aliases),
        tuple(fields.values()),
        reads_all_names=reads_all,
        sends_files=in_file or any(name.type.has_files for name in names),
        sends_strings=not in_file and (reads_all or takes_strings),
        is_split=any(name.type.is_split for name in names),
        is_model=is_model,
    )


def _check_shapes(argument: Argument, shown: str, refused: frozenset[Shape]) -> None:
    """Refuse shapes that the location can't carry, of the argument or a field."""
    for shape in sorted(item.value for item in refused):
        raise SignatureError(
            f"{shown} is read from the {argument.location.value}, which can't carry"
            f" {shape} there. {LOCATIONS[argument.location].advice}"
        )


def _check_style(argument: Argument, shown: str) -> None:
    """Refuse a style that a value of some type can't have."""
    style, shapes = argument.marker.style, argument.type.shapes
    if style is None or Shape.MODEL in shapes or shapes == {Shape.MAPPING}:
        return
    if style == DEEP_OBJECT and Shape.LIST in shapes:
        raise SignatureError(
            f"{shown} is a list, and only a model or a dict can have the style"
            " 'deepObject'. Use another style, or one of them."
        )
    if Shape.LIST not in shapes:
        raise SignatureError(
            f"{shown} is a single value, and only lists and models have a style. Remove"
            " style= and explode=, or annotate a list."
        )


def _check_model(argument: Argument, shown: str) -> set[str | None]:
    """What the models of an argument say of ``extra``, if they can be read there."""
    tp, location = argument.type, argument.location
    if Shape.MODEL not in tp.shapes:
        return set()
    for shape in sorted(item.value for item in tp.shapes - {Shape.MODEL}):
        raise SignatureError(
            f"{shown} may be a model or {shape}, and the {location.value} can't"
            " tell which was sent. Keep one of them."
        )
    if not argument.has_field_names:
        return set()
    for validator in unclear_validators(tp.annotation):
        name, model = type(validator).__name__, show_type(tp.models[0])
        raise SignatureError(
            f"{shown} has a {name} that may take one value, or the fields of {model!r}."
            f" Add json_schema_input_type=str or json_schema_input_type={model} to it,"
            " to say which."
        )
    extras: set[str | None] = {model_config(x).get("extra") for x in tp.models}
    if location is Location.HEADER and "forbid" in extras:
        raise SignatureError(
            f"{shown} is read from the headers, and its model forbids extra fields."
            " Every request has headers of its own: remove extra='forbid'."
        )
    return extras


class FieldName(t.NamedTuple):
    """A name under which a value of an argument, or of its model, is looked for.

    :param field: the name of the field, empty where it is the argument's own.
    :param type: of the field or the argument.
    :param key: under which Pydantic looks for it.
    :param path: the name of the value in the request, and after it the rest of an
        ``AliasPath``.
    """

    argument: Argument
    field: str
    type: ArgumentType
    key: str
    path: Sequence[str | int]

    def __str__(self) -> str:
        name = repr(self.argument.name)
        return f"the field {self.field!r} of {name}" if self.field else name

    def overlaps(self, other: FieldName) -> bool:
        """Whether one of two paths with the same name leads into the other."""
        parts = zip(self.path[1:], other.path[1:], strict=False)
        return all(one == two for one, two in parts)


def names_of(argument: Argument) -> Iterator[FieldName]:
    """The names of an argument, or of the fields of each model that it may be.

    :raises SignatureError: if a model can't be read.
    """
    if argument.has_field_names and argument.location is not Location.BODY:
        yield from _field_names(argument)
        return
    for path in request_paths(argument):
        yield FieldName(argument, "", argument.type, str(path[0]), path)


def _field_names(argument: Argument) -> Iterator[FieldName]:
    """The names of the fields of each model that an argument may be.

    :raises SignatureError: if Pydantic can't read a model, or a field is declared with
        a marker, which Pydantic does not know.
    """
    for model in argument.type.models:
        try:
            fields = model_fields(model)
        except NameError as error:
            problem = argument_problem(argument.name, model, error)
            raise SignatureError(problem) from author_error(error)
        config = model_config(model)
        by_name = config.get("populate_by_name") or config.get("validate_by_name")
        for name, field in fields.items():
            for marker in (field.default, *field.metadata):
                if isinstance(marker, Param):
                    raise SignatureError(_marked_problem(argument, name, marker))
            # The annotation of a FieldInfo lacks its metadata: Json is metadata alone.
            tp = read_type(annotate(field.annotation, field.metadata))
            paths = alias_paths(field)
            for path in paths:
                yield FieldName(argument, name, tp, str(path[0]), path)
            if not paths or by_name:
                path = [default_request_name(argument, name)]
                yield FieldName(argument, name, tp, name, path)


def _marked_problem(argument: Argument, field: str, marker: Param) -> str:
    """What is wrong with a field that is declared with a marker."""
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


def _check_name(name: FieldName) -> None:
    """Refuse a field, or an item of a list, that the location can't carry."""
    argument, tp, shown = name.argument, name.type, f"{name} of {name.argument.owner}"
    row = LOCATIONS[argument.location]
    if name.field:
        _check_shapes(argument, shown, tp.shapes - row.field)
    if tp.item is not None:
        _check_shapes(argument, shown, tp.item.shapes - row.item)
    if name.field and tp.has_files:
        metadata = FieldInfo.from_annotation(tp.annotation).metadata
        check_file_constraints(shown, tp, metadata)
    if argument.location is not Location.FILE:
        return
    if argument.marker.content_types and t.Any in (tp.item or tp).members:
        raise SignatureError(
            f"{shown} may be of any type, and so a file of another content type could"
            " not be refused. Annotate it 'UploadFile' or 'bytes'."
        )
    for scalar in {*tp.scalars, *(tp.item or tp).scalars}:
        if scalar not in FILE_SCALARS:
            raise SignatureError(
                f"{shown} is read from a file, but its type is neither FileStorage nor"
                " bytes. Use one of them, or Form()."
            )


#: The scalars that an uploaded file may be read as: ``bytes`` is its content.
FILE_SCALARS: t.Final = (bytes, None, type(None), t.Any)


def _input_field(name: FieldName) -> InputField:
    # Of a list, each item is a value of its own.
    argument, tp, value = name.argument, name.type, name.type.item or name.type
    marker = argument.marker
    in_form = argument.location is Location.FORM and not tp.has_files
    many = tp.item is not None or len(name.path) > 1
    convert = _conversion(value, argument.location)
    if marker.content_types:
        convert = check_content_type(marker.content_types, convert)
    delimiter = DELIMITERS.get(marker.style)
    if tp.models and not name.field:
        convert = _read_bracketed(argument)
    elif marker.style == DEEP_OBJECT:
        convert = _read_dict(argument)
    elif delimiter is not None:
        many, convert = False, _split_list(delimiter, convert)
    return InputField(
        key=name.key,
        name=str(name.path[0]),
        many=many,
        convert=convert,
        keep_blank=not in_form or value.may_be_blank,
        is_deep=marker.style == DEEP_OBJECT,
    )


def _conversion(tp: ArgumentType, location: Location) -> Conversion:
    if location is Location.FILE:
        is_content = Shape.FILE not in tp.shapes and not tp.is_anything
        return content_of if is_content else None
    in_json = {Shape.MODEL, Shape.MAPPING, Shape.LIST}
    if location is Location.FORM and tp.shapes & in_json:
        return from_json_or_string if tp.may_be_blank else from_json_string
    return from_values(tp.values) if tp.values else None


if t.TYPE_CHECKING:
    #: Changes a value before Pydantic validates it, ``None`` where it is left as it is.
    Conversion: t.TypeAlias = Callable[[t.Any], t.Any] | None

#: A character that is escaped in a quoted string. Source: RFC 9110, 5.6.4.
ESCAPED: t.Final = re.compile(r"\\.?")

#: What separates the items of a list or a model in the query. Header fields have
#: commas by themselves.
DELIMITERS: t.Final[Mapping[Style | None, str]] = {
    Style("form", explode=False): ",",
    Style("spaceDelimited", explode=False): " ",
    Style("pipeDelimited", explode=False): "|",
}


def _field_conversions(argument: Argument) -> dict[str, Conversion]:
    """The conversions of the fields of a model that is one parameter.

    :raises SignatureError: if a field is no single value, or the model is no object.
    """
    fields = [*_field_names(argument)]
    for field in fields:
        for shape in field.type.shapes - {Shape.SCALAR}:
            raise SignatureError(
                f"{field} of {argument.owner} is {shape.value}, and a model with a"
                " style holds single values alone. Send it in a JSON body or a form."
            )
    if any(hasattr(model, "_make") for model in argument.type.models):
        raise SignatureError(
            f"{argument.name!r} of {argument.owner} is a NamedTuple, which OpenAPI"
            " describes as an array, and has the style of an object. Use a model or a"
            " dataclass."
        )
    return {item.key: _conversion(item.type, argument.location) for item in fields}


def _split_list(delimiter: str, convert: Conversion) -> Callable[[str], list[t.Any]]:
    """A function that makes a list of a string: ``"1,2"`` is ``["1", "2"]``."""

    def split(value: str) -> list[t.Any]:
        items = value.split(delimiter) if value else []
        return [convert(item) for item in items] if convert else items

    return split


def _read_bracketed(argument: Argument) -> Callable[[t.Any], t.Any]:
    """A function that makes a dict of the value of a model that is one parameter.

    What can't be one is left a string, which Pydantic refuses.
    """
    conversions = _field_conversions(argument)
    pairs_of = _pairs_function(argument.marker.style)

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


def _read_dict(argument: Argument) -> Conversion:
    """A function that converts the values of a dict, ``None`` where it is taken as is.

    :raises SignatureError: if these are no single values.
    """
    values = argument.type.values_of_dicts
    for shape in values.shapes - {Shape.SCALAR}:
        raise SignatureError(
            f"{argument.name!r} of {argument.owner} is a dict whose values are"
            f" {shape.value}, and one with a style holds single values alone. Send it"
            " in a JSON body or a form."
        )
    convert = _conversion(values, argument.location)
    if convert is None:
        return None
    return lambda found: {key: convert(value) for key, value in found.items()}


def _pairs_function(
    style: Style | None,
) -> Callable[[t.Any], Iterable[tuple[str, t.Any]] | None]:
    if style == DEEP_OBJECT:
        return dict.items
    if style in DELIMITERS:
        split = _split_list(DELIMITERS[style], None)
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


def check_names(arguments: Sequence[Argument]) -> None:
    """Refuse two arguments that read the same value.

    :raises SignatureError: if two of one location have a name in common, be it an
        alias, one of several, or that of a model's field.
    """
    if len({_shared_part(item.location) for item in arguments}) == len(arguments):
        return
    prefixes = [
        f"{path[0]}["
        for argument in arguments
        if argument.marker.style == DEEP_OBJECT
        for path in request_paths(argument)
    ]
    taken: dict[tuple[str, str], list[FieldName]] = {}
    for argument in arguments:
        part = _shared_part(argument.location)
        for use in names_of(argument):
            name = _compared_name(argument.location, use, prefixes)
            others = taken.setdefault((part, name), [])
            for other in others:
                if other.argument.key != argument.key and use.overlaps(other):
                    raise SignatureError(
                        f"{_show_both(other, use)} are both read from {use.path[0]!r}"
                        f" of the {part}. {_advice_on_conflict(other, use)}"
                    )
            others.append(use)


def _shared_part(location: Location) -> str:
    # The strings and the files of a form share their names.
    return Location.FORM.value if location is Location.FILE else location.value


def _compared_name(location: Location, use: FieldName, prefixes: Sequence[str]) -> str:
    name = str(use.path[0])
    if location is Location.QUERY:
        prefix = deep_prefix(name, prefixes)
        return prefix[:-1] if prefix else name
    return environ_key(name) if location is Location.HEADER else name


def _show_both(one: FieldName, two: FieldName) -> str:
    """Two uses of a name, each with its function if these differ."""
    owner = one.argument.owner
    first = f"{one}" if owner == two.argument.owner else f"{one} of {owner}"
    return f"{first} and {two} of {two.argument.owner}"


def _advice_on_conflict(one: FieldName, two: FieldName) -> str:
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
