"""The names that arguments use in a request: no value is read by two of them."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from .._signature.argument import request_paths
from ..exceptions import SignatureError
from ..params import Location
from .field_names import names_of
from .locations import deep_prefix, environ_key

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .._signature.argument import Argument
    from .binding import Binding


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
