"""The arguments of a function that are not read from a request."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ..dependencies import InjectedArgument, declare_injected
from ..exceptions import SignatureError
from ..security import Scopes
from ..security.requirement import Operand
from .argument import EMPTY, SuppliedArgument
from .markers import call_of

if t.TYPE_CHECKING:
    import inspect
    from collections.abc import Collection

    from .unwrap import ViewCallable


@dataclass(slots=True)
class OtherArguments:
    """The arguments of one function that somebody else supplies.

    :param provided: the names that the URL provides.
    :ivar injected: the names of those that have to be passed to it.
    :ivar optional: the names of those that may be.
    :ivar supplied: those that dependencies and security requirements supply.
    """

    view_callable: ViewCallable
    provided: Collection[str]
    injected: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    supplied: list[SuppliedArgument] = field(default_factory=list)

    def supply(
        self, parameter: inspect.Parameter, annotation: t.Any, marker: t.Any
    ) -> None:
        """Keep an argument that a dependency or a security scheme supplies."""
        name, shown = parameter.name, f"{parameter.name!r} of {self.view_callable.name}"
        if name in self.provided:
            raise SignatureError(
                f"the URL provides {name!r}, but {self.view_callable.name} declares it"
                f" with {call_of(marker)}. Rename one of them."
            )
        if isinstance(parameter.default, Operand):
            raise SignatureError(
                f"{shown} has {call_of(marker)} as its default. Write Annotated[...,"
                " scheme], so that its type is known."
            )
        if parameter.default is not EMPTY and parameter.default is not marker:
            raise SignatureError(
                f"{shown} has a default, but is always supplied by {call_of(marker)}."
                f" Remove the default.{_optional_hint(parameter.default, marker)}"
            )
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise self.positional_only(parameter)
        self.supplied.append(SuppliedArgument(name, annotation, marker or Scopes))

    def positional_only(self, parameter: inspect.Parameter) -> SignatureError:
        """The error of an argument that has no name to whoever calls the function."""
        return SignatureError(
            f"{parameter.name!r} of {self.view_callable.name} is positional-only, but"
            " is passed by its name. Remove the '/' from its signature."
        )

    def inject(self, parameter: inspect.Parameter) -> None:
        """Keep the name of an argument that is not read from the request."""
        name, view = parameter.name, self.view_callable.name
        if name in self.provided:
            raise SignatureError(
                f"the URL provides {name!r}, but {view} declares it with Injected(), so"
                " that nothing of the request can be its value. Rename one of them."
            )
        is_default = isinstance(parameter.default, InjectedArgument)
        if is_default:
            declare_injected(parameter.default, f"{name!r} of {view}")
        is_required = is_default or parameter.default is EMPTY
        # A decorator below the route may supply it.
        is_required = is_required and not self.view_callable.wrapped
        (self.injected if is_required else self.optional).append(name)


def _optional_hint(default: t.Any, marker: t.Any) -> str:
    """How an optional scheme is written, ``""`` where none is meant."""
    if default is not None or not isinstance(marker, Operand):
        return ""
    return " Write Annotated[User | None, scheme | None] if nobody needs credentials."
