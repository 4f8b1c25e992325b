"""One argument of a view and its names, and the signature that holds all of them."""

from __future__ import annotations

import inspect
import typing as t
from dataclasses import dataclass

from .._common import EXPLODED_FORM
from .._types.annotations import Shape
from .._types.models import alias_paths
from ..params import Location

if t.TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from .._types.annotations import ArgumentType
    from ..params import Param

#: No annotation, no default, no model: what was not given, which is not ``None``.
EMPTY: t.Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one view under one rule.

    :param key: where its value goes, which no other argument of a plan has.
    :param name: its name in Python, which arguments of several functions may share.
    :param owner: the function that declares it, as messages show it: ``"show_user()"``.
    :param location: where in the request it is read from.
    :param type: what its annotation says; ``Any`` if there is none.
    :param fields: those of its marker and its default, which are added to the
        type as metadata.
    :param field: its default, aliases and constraints, merged by Pydantic.
    :param marker: the options of its marker that are not Pydantic's.
    """

    key: str
    name: str
    owner: str
    location: Location
    type: ArgumentType
    fields: tuple[FieldInfo, ...]
    field: FieldInfo
    marker: Param

    @property
    def has_field_names(self) -> bool:
        """Whether it is a model, each field of which has its name in the request."""
        is_whole = self.marker.style not in (None, EXPLODED_FORM)
        return Shape.MODEL in self.type.shapes and not is_whole


@dataclass(frozen=True, slots=True)
class SuppliedArgument:
    """One argument that is supplied by a dependency, or by a security requirement.

    :param name: its name in Python.
    :param annotation: its type, without the marker; ``EMPTY`` if there is none.
    :param marker: of ``Depends()``, a security scheme or a requirement; the class
        ``Scopes`` for the scopes that are asked for.
    """

    name: str
    annotation: t.Any
    marker: t.Any


@dataclass(frozen=True, slots=True)
class Signature:
    """What a view takes from a request, and what it says it returns.

    :param view: the name of the view, as messages show it: ``"show_user()"``.
    :param arguments: the arguments that are read from the request, in their order.
    :param returns: the return annotation, ``EMPTY`` where there is none.
    :param injected: the names of the arguments that a caller has to supply.
    :param optional: the names of those that a caller may supply.
    :param supplied: the arguments that dependencies supply, in their order.
    :param unresolved: why the return annotation was left out, or ``""``.
    """

    view: str
    arguments: tuple[Argument, ...]
    returns: t.Any
    injected: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    supplied: tuple[SuppliedArgument, ...] = ()
    unresolved: str = ""


def path_name(argument: Argument) -> str:
    """The variable of the rule that an argument of the path takes."""
    return next(iter(variable_names(argument.name, argument.field)), argument.name)


def variable_names(name: str, field: FieldInfo) -> list[str]:
    """The variables that may be meant for an argument: its aliases, or its name."""
    paths = alias_paths(field) or [[name]]
    return [str(path[0]) for path in paths if len(path) == 1]


def request_paths(argument: Argument) -> list[list[str | int]]:
    """The paths to an argument in the request: its aliases, or one made of its name.

    ``x_token`` of a header is ``[["X-Token"]]``.
    """
    default = default_request_name(argument, argument.name)
    return alias_paths(argument.field) or [[default]]


def default_request_name(argument: Argument, name: str) -> str:
    """The name in the request of an argument, or a field of it, without an alias."""
    if argument.location is Location.HEADER and argument.marker.convert_underscores:
        return header_name(name)
    return name


def header_name(name: str) -> str:
    """``"x_token"`` becomes ``"X-Token"``."""
    return name.replace("_", "-").title()
