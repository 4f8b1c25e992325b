"""Reading strings and files out of a request: query, headers, cookies and forms.

The input fields of a location go in when a view is compiled, a function comes out that
reads their values from a request.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic_core import from_json
from werkzeug.http import parse_list_header

from .._errors.format import UnreadableValue

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Request

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
    reads_all_names: bool = False,
    ignored: Collection[str] = (),
) -> Reader:
    """What reads some input fields from the items of a location.

    :param items: the names and values of the location, such as :func:`query_items`.
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
        return collect(items(request), by_name)

    def read_all_names(request: Request) -> dict[str, t.Any]:
        sent = list(items(request))
        return {**_other_values(sent, known), **collect(sent, by_name)}

    return read_all_names if reads_all_names else read


def _with_deep_objects(
    items: Callable[[Request], Iterable[tuple[str, t.Any]]], prefixes: Sequence[str]
) -> Callable[[Request], Iterable[tuple[str, t.Any]]]:
    """The items of a location, and one for all those of a deep object.

    ``("order[name]", "asc")`` becomes ``("order", {"name": "asc"})``. The first of
    several values counts.

    :param prefixes: of the names of deep objects: ``"order["``.
    """
    whole = {prefix[:-1] for prefix in prefixes}

    def read(request: Request) -> Iterator[tuple[str, t.Any]]:
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


def collect(
    items: Iterable[tuple[str, t.Any]], fields: Mapping[str, InputField]
) -> dict[str, t.Any]:
    """The values of some input fields, by their keys.

    :param items: names and values in the order of the request; names may repeat.
    :param fields: by their names.
    """
    found: dict[str, t.Any] = {}
    for name, value in items:
        if name in fields:
            fields[name].add(value, found)
    return found


def _other_values(
    items: Iterable[tuple[str, t.Any]], known: Collection[str]
) -> dict[str, t.Any]:
    """The values of all other names, as a list where a name repeats."""
    found: dict[str, list[t.Any]] = {}
    for name, value in items:
        if name not in known:
            found.setdefault(name, []).append(value)
    return {
        name: values[0] if len(values) == 1 else values
        for name, values in found.items()
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
    if field.convert:
        return [field.convert(element) for element in elements]
    return elements


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
