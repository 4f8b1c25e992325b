"""Reading texts and files out of a request: query, headers, cookies and forms."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic_core import from_json
from werkzeug.datastructures import FileStorage
from werkzeug.http import parse_list_header

from ._errors.format import UnreadableValue
from ._http.multidict import cookie_items
from ._http.multidict import file_items
from ._http.multidict import form_items
from ._http.multidict import query_items
from ._sentinel import Sentinel
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Request

#: Reads the values of one location, by the names under which Pydantic looks for them.
Source: t.TypeAlias = "Callable[[Request], dict[str, t.Any]]"


@dataclass(frozen=True, slots=True)
class Wire:
    """One name that is looked for in a request.

    :param key: where Pydantic finds the value: ``"x_token"`` for a field of a model.
    :param name: the name in the request: ``"X-Token"``.
    :param many: whether every value counts, as a list, or the first alone.
    :param convert: what to make of a value before Pydantic sees it.
    :param keep_blank: whether a blank field of a form is a value.
    """

    key: str
    name: str
    many: bool = False
    convert: Callable[[t.Any], t.Any] | None = None
    keep_blank: bool = True


def compile_source(
    location: Location,
    wires: Iterable[Wire],
    *,
    everything: bool = False,
    ignored: Collection[str] = (),
) -> Source:
    """The function that reads the given names from one location.

    :param everything: names that nobody asked for are read too, since a model counts
        them: ``extra="forbid"`` and ``extra="allow"``.
    :param ignored: names that are asked for elsewhere, and so are not read even then.
    """
    by_name = {wire.name: wire for wire in wires}
    if location is Location.HEADER:
        return _header_source(by_name.values(), everything, ignored)
    pairs = PAIRS[location]

    def read(request: Request) -> dict[str, t.Any]:
        return collect(pairs(request), by_name)

    def read_everything(request: Request) -> dict[str, t.Any]:
        sent = list(pairs(request))
        extra = _extra(sent, {*by_name, *ignored})
        return {**extra, **collect(sent, by_name)}

    return read_everything if everything else read


def collect(
    pairs: Iterable[tuple[str, t.Any]], wires: Mapping[str, Wire]
) -> dict[str, t.Any]:
    """The values of the names that are looked for, by their keys.

    :param pairs: names and values in the order of the request; names may repeat.
    """
    found: dict[str, t.Any] = {}
    for name, value in pairs:
        wire = wires.get(name)
        if wire is None or (not value and not wire.keep_blank):
            continue
        if wire.many:
            item = wire.convert(value) if wire.convert else value
            found.setdefault(wire.key, []).append(item)
        elif wire.key not in found:
            found[wire.key] = wire.convert(value) if wire.convert else value
    return found


def _extra(
    pairs: Iterable[tuple[str, t.Any]], known: Collection[str]
) -> dict[str, t.Any]:
    """The values of all other names; those of a name that repeats are a list."""
    found: dict[str, list[t.Any]] = {}
    for name, value in pairs:
        if name not in known:
            found.setdefault(name, []).append(value)
    return {
        name: values[0] if len(values) == 1 else values
        for name, values in found.items()
    }


PAIRS: t.Final[Mapping[Location, Callable[[Request], Iterable[tuple[str, t.Any]]]]] = {
    Location.QUERY: query_items,
    Location.COOKIE: cookie_items,
    Location.FORM: form_items,
    Location.FILE: file_items,
}

#: The two headers that WSGI keeps under their own names, blank where there is none.
#: Source: PEP 3333, environ Variables.
UNPREFIXED: t.Final = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})


def environ_key(header: str) -> str:
    """Where WSGI keeps a header: ``"X-Token"`` is ``"HTTP_X_TOKEN"``."""
    name = header.upper().replace("-", "_")
    return name if name in UNPREFIXED else f"HTTP_{name}"


def _header_source(
    wires: Iterable[Wire], everything: bool, ignored: Collection[str]
) -> Source:
    lookups = [(wire, environ_key(wire.name)) for wire in wires]
    known = {environ_key(name) for name in ignored} | {name for _, name in lookups}

    def read(request: Request) -> dict[str, t.Any]:
        environ = request.environ
        found: dict[str, t.Any] = {}
        for wire, name in lookups:
            text = environ.get(name)
            if text is None or (not text and name in UNPREFIXED):
                continue
            found[wire.key] = _header_value(wire, text)
        return found

    def read_everything(request: Request) -> dict[str, t.Any]:
        extra = {
            header.lower().replace("-", "_"): value
            for header, value in request.headers.items()
            if environ_key(header) not in known
        }
        return {**extra, **read(request)}

    return read_everything if everything else read


def _header_value(wire: Wire, text: str) -> t.Any:
    if not wire.many:
        return wire.convert(text) if wire.convert else text
    # RFC 9110, 5.6.1.2: empty elements are ignored.
    elements = [element for element in parse_list_header(text) if element]
    if wire.convert:
        return [wire.convert(element) for element in elements]
    return elements


def from_values(values: Mapping[str, t.Any]) -> Callable[[t.Any], t.Any]:
    """Makes the value of a literal or an enumeration out of its text."""

    def convert(text: t.Any) -> t.Any:
        return values.get(text, text) if isinstance(text, str) else text

    return convert


def from_json_text(text: t.Any) -> t.Any:
    """The value of a JSON text; what is no JSON is left for Pydantic to refuse."""
    if not isinstance(text, str):
        return text
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return UnreadableValue("json_invalid", {"error": str(error)})


def from_json_or_text(text: t.Any) -> t.Any:
    """The value of a JSON text, or the text itself where it is none."""
    value = from_json_text(text)
    return text if isinstance(value, UnreadableValue) else value


def content_of(file: t.Any) -> t.Any:
    """The bytes of a file; a text is not a file, and no bytes to Pydantic either."""
    if not isinstance(file, FileStorage):
        return NO_FILE
    content = file.read()
    file.seek(0)
    return content


#: What is no file, and is refused as such.
NO_FILE: t.Final = Sentinel("NO_FILE")
