"""Where arguments are read from: a row for each location, and uploaded files.

A location goes in, a :class:`LocationRow` comes out, which says which types an argument
there may have and how its values are read.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from annotated_types import BaseMetadata, GroupedMetadata, Predicate
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError, from_json
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.http import parse_list_header

from .._common import EXPLODED_FORM, SIMPLE, Sentinel
from .._errors.entries import UnreadableValue
from .._http.request import (
    cookie_items,
    cookie_parts,
    file_items,
    form_items,
    query_items,
    query_parts,
)
from .._types.annotations import Shape
from ..exceptions import SignatureError
from ..params import Location

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from flask import Request

    from .._common import Style
    from .._types.annotations import ArgumentType


#: The input of a plan's adapter: ``{"query#": {"page": "2"}, "path#": {"id": 1}}``.
InputParts: t.TypeAlias = "dict[str, dict[str, t.Any]]"

#: Reads the values of one location, by the keys under which Pydantic looks for them.
Reader: t.TypeAlias = "Callable[[Request], dict[str, t.Any]]"


@dataclass(frozen=True, slots=True)
class InputField:
    """One name in a request, and how its value is read.

    :param key: where Pydantic finds the value: ``"x_token"`` for a field of a model.
    :param name: the name in the request: ``"X-Token"``.
    :param many: whether every value counts, as a list, or the first alone.
    :param convert: changes a value before Pydantic validates it.
    :param keep_blank: whether a blank field of a form is a value.
    :param is_deep: whether its value is a dict of those whose names are ``order[name]``
        for the name ``order``.
    """

    key: str
    name: str
    many: bool = False
    convert: Callable[[t.Any], t.Any] | None = None
    keep_blank: bool = True
    is_deep: bool = False

    @property
    def name_or_prefix(self) -> str:
        """The name, and of a deep object what its names begin with: ``"order["``."""
        return f"{self.name}[" if self.is_deep else self.name

    def add(self, value: t.Any, found: dict[str, t.Any]) -> None:
        """Add a value of this name to those that were found, by their keys."""
        if not value and not self.keep_blank:
            return
        if self.many:
            item = self.convert(value) if self.convert else value
            found.setdefault(self.key, []).append(item)
        elif self.key not in found:
            found[self.key] = self.convert(value) if self.convert else value


@dataclass(frozen=True, slots=True)
class Source:
    """One part of the input of a plan's adapter.

    :param key: of the part: ``"query#"``.
    :param read: reads its values from a request.
    :param optional: whether it is left out where the request has nothing of it.
    """

    key: str
    read: Reader
    optional: bool


def compile_reader(
    items: Callable[[Request], Iterable[tuple[str, t.Any]]],
    fields: Iterable[InputField],
    *,
    parts: Callable[[Request], list[str] | None] | None = None,
    reads_all_names: bool = False,
    ignored: Collection[str] = (),
) -> Reader:
    """What reads some input fields from the items of a location.

    :param items: the names and values of the location, such as :func:`query_items`.
    :param parts: the same as strings, which are split here, such as
        :func:`query_parts`.
    :param reads_all_names: whether other names are read too, since a model says
        ``extra="forbid"`` or ``extra="allow"``.
    :param ignored: the names of other arguments, which are not extra fields; those that
        end with a bracket are what other names begin with.
    """
    by_name = {field.name: field for field in fields}
    prefixes = [field.name_or_prefix for field in by_name.values() if field.is_deep]
    if reads_all_names:
        prefixes += [name for name in ignored if name.endswith("[")]
    if prefixes:
        items = _with_deep_objects(items, prefixes)
    known = {*by_name, *ignored, *(prefix[:-1] for prefix in prefixes)}

    def read(request: Request) -> dict[str, t.Any]:
        sent = items(request)
        if reads_all_names:
            sent = [*sent]
        found: dict[str, t.Any] = {}
        for name, value in sent:
            if name in by_name:
                by_name[name].add(value, found)
        return {**_other_values(sent, known), **found} if reads_all_names else found

    if parts is None or prefixes or reads_all_names or "" in by_name:
        return read
    return _compile_parts_reader(parts, by_name, read)


def _compile_parts_reader(
    parts: Callable[[Request], list[str] | None],
    by_name: Mapping[str, InputField],
    read: Reader,
) -> Reader:
    """What splits the parts of a location; ``read`` unescapes where one is escaped."""
    # What is the first string of its name, as it was sent.
    plain = {
        field.name: field.key
        for field in by_name.values()
        if field.keep_blank and not (field.many or field.convert)
    }

    def read_parts(request: Request) -> dict[str, t.Any]:
        sent = parts(request)
        if sent is None:
            return read(request)
        found: dict[str, t.Any] = {}
        for part in sent:
            name, _, value = part.partition("=")
            key = plain.get(name)
            if key is None:
                if name in by_name:
                    by_name[name].add(value, found)
            elif key not in found:
                found[key] = value
        return found

    return read_parts


def _with_deep_objects(
    items: Callable[[Request], Iterable[tuple[str, t.Any]]], prefixes: Sequence[str]
) -> Callable[[Request], Iterable[tuple[str, t.Any]]]:
    """The items of a location, and one for all those of a deep object.

    ``("order[name]", "asc")`` becomes ``("order", {"name": "asc"})``. The first of
    several values counts.
    """
    whole = {prefix[:-1] for prefix in prefixes}

    def read(request: Request) -> Iterable[tuple[str, t.Any]]:
        objects: dict[str, dict[str, t.Any]] = {}
        for name, value in items(request):
            prefix = deep_prefix(name, prefixes)
            if prefix is not None:
                key = name[len(prefix) : -1]
                objects.setdefault(prefix[:-1], {}).setdefault(key, value)
            elif name not in whole:
                yield name, value
        yield from objects.items()

    return read


def deep_prefix(name: str, prefixes: Iterable[str]) -> str | None:
    """Which of some prefixes a name of a deep object has: ``"order["``."""
    if not name.endswith("]"):
        return None
    return next((prefix for prefix in prefixes if name.startswith(prefix)), None)


def _other_values(
    items: Iterable[tuple[str, t.Any]], known: Collection[str]
) -> dict[str, t.Any]:
    """The values of all other names, as a list where a name repeats."""
    found = MultiDict((name, value) for name, value in items if name not in known)
    return {
        name: values[0] if len(values) == 1 else values
        for name, values in found.lists()
    }


#: The two headers without the prefix in the environ, blank where they were not sent.
#: Source: PEP 3333, environ Variables.
UNPREFIXED: t.Final = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})


def environ_key(header: str) -> str:
    """The key of a header in the environ: ``"X-Token"`` is ``"HTTP_X_TOKEN"``."""
    name = header.upper().replace("-", "_")
    return name if name in UNPREFIXED else f"HTTP_{name}"


def compile_header_reader(
    fields: Iterable[InputField],
    *,
    reads_all_names: bool = False,
    ignored: Collection[str] = (),
) -> Reader:
    """What reads some input fields from the headers: see :func:`compile_reader`."""
    lookups = [(field, environ_key(field.name)) for field in fields]
    plain = [
        (field.key, name)
        for field, name in lookups
        if not (field.many or field.convert or name in UNPREFIXED)
    ]
    others = [item for item in lookups if (item[0].key, item[1]) not in plain]
    known = {environ_key(name) for name in ignored} | {name for _, name in lookups}

    def read(request: Request) -> dict[str, t.Any]:
        environ = request.environ
        found: dict[str, t.Any] = {}
        for key, name in plain:
            value = environ.get(name)
            if value is not None:
                found[key] = value
        for field, name in others:
            value = environ.get(name)
            if value is not None and (value or name not in UNPREFIXED):
                found[field.key] = _header_value(field, value)
        return found

    def read_all_names(request: Request) -> dict[str, t.Any]:
        extra = {
            header.lower().replace("-", "_"): value
            for header, value in request.headers.items()
            if environ_key(header) not in known
        }
        return {**extra, **read(request)}

    return read_all_names if reads_all_names else read


def _header_value(field: InputField, value: str) -> t.Any:
    if not field.many:
        return field.convert(value) if field.convert else value
    # RFC 9110, 5.6.1.2: empty elements are ignored.
    elements = [element for element in parse_list_header(value) if element]
    return [field.convert(item) for item in elements] if field.convert else elements


def from_values(values: Mapping[str, t.Any]) -> Callable[[t.Any], t.Any]:
    """A function that turns a string into the value of a literal or an enumeration.

    :param values: by their strings.
    """

    def convert(value: t.Any) -> t.Any:
        return values.get(value, value) if isinstance(value, str) else value

    return convert


def from_json_string(string: t.Any) -> t.Any:
    """The value of a JSON string, or an ``UnreadableValue``, which Pydantic refuses."""
    if not isinstance(string, str):
        return string
    try:
        return from_json(string, allow_inf_nan=False)
    except ValueError as error:
        return UnreadableValue("json_invalid", {"error": str(error)})


def from_json_or_string(string: t.Any) -> t.Any:
    """The value of a JSON string, or the string itself where it is no JSON."""
    value = from_json_string(string)
    return string if isinstance(value, UnreadableValue) else value


SCALAR: t.Final = frozenset({Shape.SCALAR})
SCALAR_OR_LIST: t.Final = SCALAR | {Shape.LIST}
ANY_SHAPE: t.Final = frozenset(Shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationRow:
    """One location.

    :param argument: the shapes that an argument may have.
    :param item: the shapes that an item of a list may have.
    :param field: the shapes that a field of a model may have.
    :param advice: what to write instead of another shape, for messages.
    :param compile_reader: compiles what reads some input fields, ``None`` where Flask
        or a body plan reads the location.
    :param style: how a list is written that does not say it, ``None`` where there are
        no lists.
    :param parameter_in: where it is to OpenAPI, ``None`` where its arguments are no
        Parameter Objects, or are described with the variables of the rule.
    """

    argument: frozenset[Shape]
    item: frozenset[Shape] = SCALAR
    field: frozenset[Shape] = frozenset()
    advice: str = ""
    compile_reader: Callable[..., Reader] | None = None
    style: Style | None = None
    parameter_in: str | None = None


LOCATIONS: t.Final[Mapping[Location, LocationRow]] = {
    Location.PATH: LocationRow(
        argument=SCALAR,
        advice="Give it a scalar type, or read it from the query.",
    ),
    Location.QUERY: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.MODEL},
        field=SCALAR_OR_LIST,
        advice="Send it in a JSON body or a form.",
        compile_reader=partial(compile_reader, query_items, parts=query_parts),
        style=EXPLODED_FORM,
        parameter_in="query",
    ),
    Location.HEADER: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.MODEL},
        field=SCALAR_OR_LIST,
        advice="Send it in a JSON body or a form.",
        compile_reader=compile_header_reader,
        style=SIMPLE,
        parameter_in="header",
    ),
    Location.COOKIE: LocationRow(
        argument=SCALAR | {Shape.MODEL},
        field=SCALAR,
        advice="Send it in the query, a JSON body or a form.",
        compile_reader=partial(compile_reader, cookie_items, parts=cookie_parts),
        parameter_in="cookie",
    ),
    Location.BODY: LocationRow(argument=ANY_SHAPE, item=ANY_SHAPE, field=ANY_SHAPE),
    Location.FORM: LocationRow(
        argument=ANY_SHAPE,
        item=ANY_SHAPE,
        field=ANY_SHAPE,
        compile_reader=partial(compile_reader, form_items),
    ),
    Location.FILE: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.FILE},
        item=SCALAR | {Shape.FILE},
        advice="Declare it with Form(), which may hold files and text.",
        compile_reader=partial(compile_reader, file_items),
    ),
}

#: The locations of a form: its strings and its files, which share their names.
FORM_LOCATIONS: t.Final = frozenset({Location.FORM, Location.FILE})

#: The error of a file of another content type: its type and its message.
CONTENT_TYPE_ERROR: t.Final = (
    "content_type",
    "File should be of the content type {expected}",
)


def content_of(file: t.Any) -> t.Any:
    """The content of a file, or ``NO_FILE`` for a string, which is not its content."""
    if not isinstance(file, FileStorage):
        return NO_FILE
    content = file.read()
    file.seek(0)
    return content


#: Takes the place of what is no file, and fails in Pydantic.
NO_FILE: t.Final = Sentinel("NO_FILE")


def check_file_constraints(
    shown: str, tp: ArgumentType, metadata: Sequence[t.Any], *, in_files: bool = False
) -> None:
    """Refuse a constraint on a file, for which Pydantic would refuse every one.

    :param shown: the argument or the field, for messages.
    :param metadata: of its type, the constraints among it.
    :param in_files: whether it is a file where its type says nothing.
    :raises SignatureError: if there is one. That of a list counts its files.
    """
    item = tp.item
    if item is not None and tp.has_files:
        tp, metadata = item, FieldInfo.from_annotation(item.annotation).metadata
    if Shape.FILE not in tp.shapes and not (in_files and tp.is_anything):
        return
    # What compares a value, or is made of such. A predicate calls a function.
    constraints = (BaseMetadata, GroupedMetadata)
    if any(
        isinstance(part, constraints) and not isinstance(part, Predicate)
        for part in metadata
    ):
        raise SignatureError(
            f"{shown} is a file, which has no length and no order. Remove the"
            " constraint, or declare the content: Annotated[bytes,"
            " File(max_length=...)]."
        )


def check_content_type(
    accepted: Sequence[str], convert: Callable[[t.Any], t.Any] | None
) -> Callable[[t.Any], t.Any]:
    """A function that refuses files of other content types, by an ``UnreadableValue``.

    :param accepted: the content types, as in ``Param.content_type``.
    :param convert: changes the files that are accepted.

    Source: OpenAPI 3.1, Encoding Object ``contentType``.
    """
    types = frozenset(accepted)
    ranges = tuple(item[:-1] for item in accepted if item.endswith("/*"))
    *others, last = accepted
    expected = f"{', '.join(others)} or {last}" if others else last
    error = PydanticCustomError(*CONTENT_TYPE_ERROR, {"expected": expected})

    def check(file: t.Any) -> t.Any:
        if isinstance(file, FileStorage):
            # RFC 7578, 4.4: that of a file which does not say one.
            sent = file.mimetype or "text/plain"
            if sent not in types and not sent.startswith(ranges):
                return UnreadableValue(error, {})
        return convert(file) if convert else file

    return check
