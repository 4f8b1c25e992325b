"""Reading a plain query or plain cookies, without a list of their names and values.

The input fields of a location go in, a function comes out that reads their values.
"""

from __future__ import annotations

import typing as t

from .extract import compile_reader

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Iterable

    from flask import Request

    from .extract import InputField
    from .extract import Reader


class PlainStrings(t.NamedTuple):
    """A location whose names and values are in one string.

    :param find: the string without anything to unquote, ``None`` where there is none.
    :param separator: of the names and values.
    :param items: the names and values of any string.
    """

    find: Callable[[Request], str | None]
    separator: str
    items: Callable[[Request], Iterable[tuple[str, str]]]


def compile_string_reader(
    strings: PlainStrings,
    fields: Iterable[InputField],
    *,
    reads_all_names: bool = False,
    ignored: Collection[str] = (),
) -> Reader:
    """What reads some input fields from a string: see :func:`compile_reader`."""
    fields = [*fields]
    read_any = compile_reader(
        strings.items, fields, reads_all_names=reads_all_names, ignored=ignored
    )
    # The parts between two separators have no name: they are no values.
    is_unusual = any(field.is_deep or not field.name for field in fields)
    if reads_all_names or is_unusual:
        return read_any
    find, separator, _ = strings
    by_name = {field.name: field for field in fields}
    plain = {
        name: field.key
        for name, field in by_name.items()
        if not field.many and field.convert is None and field.keep_blank
    }
    others = {name: item for name, item in by_name.items() if name not in plain}

    def read(request: Request) -> dict[str, t.Any]:
        string = find(request)
        if string is None:
            return read_any(request)
        found: dict[str, t.Any] = {}
        for part in string.split(separator):
            name, _, value = part.partition("=")
            key = plain.get(name)
            if key is None:
                if name in others:
                    others[name].add(value, found)
            elif key not in found:
                found[key] = value
        return found

    return read
