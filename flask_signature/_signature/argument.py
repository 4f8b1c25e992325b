"""One argument of a view, and all of them."""

from __future__ import annotations

import inspect
import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from ..params import Location
    from ..params import Param

#: No annotation at all, which is not the same as ``None``.
EMPTY: t.Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one view under one rule.

    :param name: its name in Python.
    :param location: where in the request it is read from.
    :param annotation: its type as it was written, metadata included; ``Any`` if none.
    :param fields: what its special function and its default say, to follow the type.
    :param field: its default, aliases and constraints, merged by Pydantic.
    :param marker: what the special function was told beyond that.
    """

    name: str
    location: Location
    annotation: t.Any
    fields: tuple[FieldInfo, ...]
    field: FieldInfo
    marker: Param

    @property
    def required(self) -> bool:
        """Whether a request without it is refused."""
        return self.field.is_required()

    @property
    def untyped(self) -> bool:
        """Whether any value will do, as it came."""
        return self.annotation is t.Any


@dataclass(frozen=True, slots=True)
class Signature:
    """What a view takes from a request, and what it says it returns.

    :param view: the name of the view, as messages show it: ``"show_user()"``.
    :param arguments: the arguments that are read from the request, in their order.
    :param returns: the return annotation, ``EMPTY`` where there is none.
    """

    view: str
    arguments: tuple[Argument, ...]
    returns: t.Any
