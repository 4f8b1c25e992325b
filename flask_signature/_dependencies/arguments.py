"""The arguments of a view and its dependencies, those that are declared alike as one.

Arguments of several functions go in, each with its function; keys come out, under which
their values are found.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, replace

from .._inbound.field_names import names_of
from .._inbound.locations import environ_key
from .._signature.argument import path_name, request_paths
from .._styles import DEEP_OBJECT
from ..exceptions import SignatureError
from ..params import Location

if t.TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable

    from pydantic.fields import FieldInfo

    from .._signature.argument import Argument


@dataclass(slots=True)
class SharedArguments:
    """The arguments of several functions, by their keys.

    :param names: those that are no keys of a dependency's arguments: of the arguments
        of the view, and of variables of the URL.
    """

    names: Collection[str]
    by_key: dict[str, Argument] = field(default_factory=dict)
    _by_name: dict[Hashable, list[Argument]] = field(default_factory=dict)

    def add_own(self, arguments: Iterable[Argument]) -> None:
        """Add the arguments of the view, whose keys are their names."""
        for argument in arguments:
            self._keep(argument)

    def add(self, argument: Argument) -> str:
        """The key of a dependency's argument, which may be that of another one.

        :raises SignatureError: if another function declares it differently.
        """
        for known in self._by_name.get(_name_of(argument), ()):
            if are_alike(known, argument):
                return known.key
            if not argument.has_field_names or not known.has_field_names:
                raise SignatureError(_differing(known, argument))
        if argument.location is Location.PATH:
            variable = path_name(argument)
            argument = replace(argument, key=variable, name=variable)
        else:
            argument = replace(argument, key=self._free_key(argument))
        self._keep(argument)
        return argument.key

    def copy(self) -> SharedArguments:
        """The same arguments, to which others can be added."""
        by_name = {name: [*found] for name, found in self._by_name.items()}
        return replace(self, by_key={**self.by_key}, _by_name=by_name)

    def _keep(self, argument: Argument) -> None:
        self.by_key[argument.key] = argument
        self._by_name.setdefault(_name_of(argument), []).append(argument)

    def _free_key(self, argument: Argument) -> str:
        """A key that nothing else has: the name, so that a value of it may be passed.

        That is no identifier where the view has an argument of that name, and begins
        otherwise than the key of any value that is no argument.
        """
        key, number = argument.name, 1
        full = f"argument {argument.owner}.{argument.name}"
        while key in self.by_key or key in self.names:
            key = full if number == 1 else f"{full} {number}"
            number += 1
        return key


def names_in_request(argument: Argument) -> set[str]:
    """The names of an argument, or of the fields of its models, in the request."""
    if argument.has_field_names:
        return {str(field.path[0]) for field in names_of(argument)}
    # The names in the request of a deep object begin so.
    bracket = "[" if argument.marker.style == DEEP_OBJECT else ""
    return {f"{path[0]}{bracket}" for path in request_paths(argument)}


def _name_of(argument: Argument) -> Hashable:
    """What two arguments have in common that are read from the same place."""
    location = argument.location
    if argument.has_field_names:
        return location, ""
    name = str(request_paths(argument)[0][0])
    if location is Location.PATH:
        name = path_name(argument)
    return location, environ_key(name) if location is Location.HEADER else name


def are_alike(one: Argument, other: Argument) -> bool:
    """Whether two arguments of one location have the same name, type and default."""
    has_name = one.location is not Location.PATH and not one.has_field_names
    if has_name and _compared_paths(one) != _compared_paths(other):
        return False
    same_type = _are_same_types(one.type.annotation, other.type.annotation)
    same_type = same_type and one.marker.style == other.marker.style
    return same_type and _are_same_fields(one.field, other.field)


def _compared_paths(argument: Argument) -> list[list[str | int]]:
    """The paths of an argument; the names of headers without regard to case."""
    paths = request_paths(argument)
    if argument.location is not Location.HEADER:
        return paths
    return [[environ_key(str(first)), *rest] for first, *rest in paths]


def _are_same_types(one: t.Any, other: t.Any) -> bool:
    # The field has what else is in Annotated, whoever it is from.
    one, other = _plain_argument(one), _plain_argument(other)
    # int | None and Optional[int] are equal, and objects of different classes.
    return _are_equal(one, other) or bool(one == other)


def _plain_argument(annotation: t.Any) -> t.Any:
    return (
        annotation.__origin__ if t.get_origin(annotation) is t.Annotated else annotation
    )


def _are_same_fields(one: FieldInfo, other: FieldInfo) -> bool:
    names = ("default", "default_factory", "validate_default", "discriminator")
    same = all(_are_equal(getattr(one, name), getattr(other, name)) for name in names)
    if not same or len(one.metadata) != len(other.metadata):
        return False
    pairs = zip(one.metadata, other.metadata, strict=True)
    return all(_are_equal(*pair) or _have_equal_attributes(*pair) for pair in pairs)


def _have_equal_attributes(one: object, other: object) -> bool:
    """Whether two objects without an equality of their own were made alike.

    Those of Pydantic for a pattern and other constraints are such.
    """
    attributes = getattr(one, "__dict__", None)
    same_type = type(one) is type(other) and type(one).__eq__ is object.__eq__
    return same_type and bool(attributes) and _are_equal(attributes, vars(other))


def _are_equal(one: t.Any, other: t.Any) -> bool:
    if one is other:
        return True
    try:
        return type(one) is type(other) and bool(one == other)
    except Exception:
        # A default may be of any class, and refuse to be compared.
        return False


def _differing(one: Argument, other: Argument) -> str:
    name = request_paths(other)[0][0]
    return (
        f"{one.name!r} of {one.owner} and {other.name!r} of {other.owner} are both read"
        f" from {name!r} of the {other.location.value}, but declared differently. Give"
        " them the same type, constraints and default"
        f"{'' if other.location is Location.PATH else ', or one of them an alias'}."
    )
