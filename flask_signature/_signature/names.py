"""The names of arguments in a request, and of types in messages."""

from __future__ import annotations

import typing as t

from pydantic import AliasChoices
from pydantic import AliasPath

from ..params import Location

if t.TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from .argument import Argument


def path_name(argument: Argument) -> str:
    """The variable of the rule that an argument of the path takes."""
    return next(iter(variable_names(argument.name, argument.field)), argument.name)


def variable_names(name: str, field: FieldInfo) -> list[str]:
    """The variables that may be meant for an argument: its aliases, or its name."""
    paths = alias_paths(field) or [[name]]
    return [str(path[0]) for path in paths if len(path) == 1]


def alias_paths(field: FieldInfo) -> list[list[str | int]]:
    """The names and paths under which Pydantic looks for a field, aliases only.

    ``AliasChoices("a", AliasPath("b", 0))`` gives ``[["a"], ["b", 0]]``.
    """
    alias = field.validation_alias or field.alias
    if alias is None:
        return []
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return [
        list(choice.path) if isinstance(choice, AliasPath) else [choice]
        for choice in choices
    ]


def wire_name(argument: Argument) -> str:
    """The name of an argument in the request: its alias, or made from its own name.

    ``x_token`` of a header is ``"X-Token"``.
    """
    for path in alias_paths(argument.field):
        return str(path[0])
    return own_name(argument, argument.name)


def own_name(argument: Argument, name: str) -> str:
    """The name in the request of an argument without an alias, or of such a field."""
    if argument.location is Location.HEADER and argument.marker.convert_underscores:
        return header_name(name)
    return name


def header_name(name: str) -> str:
    """``"x_token"`` becomes ``"X-Token"``."""
    return name.replace("_", "-").title()
