"""A view that is being registered, with what was declared for it.

A function that Flask has in place of a view may be registered again under another rule.
The view is then compiled with what was declared for the function.
"""

from __future__ import annotations

import typing as t

from .._routing.declaration import RESPONSE_OPTIONS
from .._routing.path_template import show_rule
from .._signature.source import locate
from ..exceptions import SignatureError
from .store import shared_scopes

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._routing.route import Route
    from .._signature.unwrap import ViewCallable
    from .operation import Operation
    from .operation import ViewFunction
    from .registry import Registry
    from .store import InstalledFunction

#: Why a function can't be registered again that would send something else.
CHANGED: t.Final = "which sends what its own route says, so that {} can't be changed"


class Registration(t.NamedTuple):
    """A view that is being registered.

    :param function: that is registered.
    :param view: the view, behind a function that Flask has in its place.
    :param installed: the function or one that it wraps, if Flask has it already.
    :param wrappers: what stands around that one, from the outside in.
    :param scopes: the declarations of the blueprints around it by their names, from the
        inside out.
    :param namespace: the local names that the view's annotations may use.
    """

    app: Flask
    registry: Registry
    route: Route
    function: ViewFunction
    view: ViewFunction
    installed: InstalledFunction | None
    wrappers: Sequence[t.Any]
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None

    def find_earlier(
        self, method: str, view_callable: ViewCallable
    ) -> Operation | None:
        """The operation whose declaration holds for a method of an installed function.

        There is none for OPTIONS that came with the methods of a rule, to which Flask
        responds.

        :raises SignatureError: if there are several, which are declared differently.
        """
        if self.installed is None:
            return None
        first, *rest = self.installed.find(method)
        if method == "OPTIONS" != first.method and len(self.route.methods) > 1:
            return None
        if all(operation.declaration == first.declaration for operation in rest):
            return first
        why = f"but it can't be told which of its declarations is meant for {method}"
        raise self.conflict(method, view_callable, why)

    def declare(self, earlier: Operation | None) -> Declaration:
        """The declaration of an operation: of the route, its function and blueprints.

        :raises SignatureError: if other parts of a value would be sent than before.
        """
        declared = self.route.declaration
        if earlier is None:
            return self._within_scopes(declared, ())
        changed = sorted(RESPONSE_OPTIONS & declared.given_options().keys())
        if changed:
            why = CHANGED.format(repr(changed[0]))
            raise self.conflict(earlier.method, earlier.view_callable, why)
        return self._within_scopes(
            declared.added_to(earlier.declaration), earlier.scopes
        )

    def decorate(self) -> ViewFunction:
        """The function in the decorators that it does not have yet."""
        operations = self.installed.operations if self.installed else ()
        known = set(shared_scopes(operations))
        for guarded in self.registry.functions.guarded.values():
            if guarded.function is self.function:
                known |= guarded.scopes
        declared = self._within_scopes(self.route.declaration, known)
        return declared.decorate(self.function)

    def _within_scopes(
        self, declared: Declaration, known: Collection[str]
    ) -> Declaration:
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared

    def conflict(
        self, method: str, view_callable: ViewCallable, why: str
    ) -> SignatureError:
        """The error of a function that can't be registered again under the rule."""
        rule = f"{method} {show_rule(self.route.rule)}"
        problem = (
            f"{view_callable.name} is registered again with the function that stands"
            f" for it, {why}. Register the view itself, with the options of this rule."
        )
        return SignatureError(locate(rule, problem, view_callable))
