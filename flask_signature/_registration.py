"""A view on its way to Flask, and the operations that it is compiled to.

A function that Flask was given for a view may come back under another rule. The view is
then compiled with what was declared for the function.
"""

from __future__ import annotations

import typing as t
from itertools import takewhile

from ._operation import compile_operation
from ._routing.declaration import RESPONSE_OPTIONS
from ._routing.path_template import show_rule
from ._signature.source import locate
from ._signature.unwrap import layers_of
from ._signature.unwrap import unwrap_view
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping

    from flask import Flask

    from ._operation import Operation
    from ._registry import Given
    from ._registry import Registry
    from ._routing.declaration import Declaration
    from ._routing.route import Route
    from ._signature.unwrap import ViewCallable
    from ._views import ViewFunction

#: The operations of a route by their methods. HEAD may be answered by that of GET.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


#: Why a function can't be registered again that would send something else.
CHANGED: t.Final = "which sends what its own route says, so that {} can't be changed"


class Registration(t.NamedTuple):
    """A view on its way to Flask.

    :param function: that is registered.
    :param given: what is known of it, or of the function that it wraps.
    :param declaration: of the route alone.
    :param scopes: of the blueprints around it by their names, from the inside out.
    :param namespace: the local names that the view's annotations may use.
    """

    app: Flask
    registry: Registry
    route: Route
    function: ViewFunction
    given: Given | None
    declaration: Declaration
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None

    @property
    def view(self) -> ViewFunction:
        """The view, behind a function that Flask was given for it."""
        return self.function if self.given is None else self.given.view

    @property
    def wrappers(self) -> list[t.Any]:
        """What stands around the function that Flask was given, from the outside in."""
        given = self.given
        if given is None:
            return []
        while given.inside is not None:
            given = given.inside
        layers, function = layers_of(self.function), given.function
        return [*takewhile(lambda layer: layer is not function, layers)]

    def declare(self, earlier: Operation | None = None) -> Declaration:
        """What holds for an operation, and has held for its function.

        :raises SignatureError: if what is sent of a value would not be as before.
        """
        declared = self.declaration
        if earlier is not None:
            _refuse_response_option(declared, self.route, earlier)
            declared = declared.added_to(earlier.declaration)
        return self._within_scopes(declared, earlier.scopes if earlier else ())

    def decorate(self) -> ViewFunction:
        """The function in the decorators that it has not brought along."""
        known = {*self.given.scopes} if self.given else set()
        for guarded in self.registry.guarded.values():
            if guarded.function is self.function:
                known |= guarded.scopes
        return self._within_scopes(self.declaration, known).decorate(self.function)

    def _within_scopes(
        self, declared: Declaration, known: Collection[str]
    ) -> Declaration:
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared


def find_given(registry: Registry, view: ViewFunction) -> Given | None:
    """What is known of a function that Flask was given, which a wrapper may hold."""
    keys = map(id, layers_of(view))
    return next((registry.given[key] for key in keys if key in registry.given), None)


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if what was declared for a method can't be told.
    """
    route, view = registration.route, registration.view
    wrappers = registration.wrappers
    compiled = {}
    for method in _methods(route, view):
        view_callable = unwrap_view(view, method)
        earlier = _find_earlier(registration.given, route, method, view_callable)
        if earlier is None and registration.given is not None:
            continue
        scopes = earlier.scopes if earlier else frozenset()
        compiled[method] = operation = compile_operation(
            registration.app,
            registration.registry,
            method=method,
            route=route,
            view=view,
            view_callable=view_callable.within(wrappers) if wrappers else view_callable,
            declaration=registration.declare(earlier),
            namespace=registration.namespace,
            scopes=scopes | {*registration.scopes},
            inside=earlier if wrappers else None,
        )
        if (
            earlier is not None
            and earlier.view_callable.function is view_callable.function
        ):
            _refuse_other_model(operation, earlier)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. HEAD is answered by GET, without the content."""
    answers_head = hasattr(getattr(view, "view_class", None), "head")
    is_get_again = "GET" in route.methods and not answers_head
    return sorted(route.methods - {"HEAD"} if is_get_again else route.methods)


def _find_earlier(
    given: Given | None, route: Route, method: str, view_callable: ViewCallable
) -> Operation | None:
    """The operation whose declaration holds for a method of a function given before.

    There is none for OPTIONS that came with the methods of a rule: Flask answers it.

    :raises SignatureError: if there are several, which are declared differently.
    """
    if given is None:
        return None
    first, *rest = given.find(method)
    if method == "OPTIONS" != first.method and len(route.methods) > 1:
        return None
    if all(operation.declaration == first.declaration for operation in rest):
        return first
    why = f"but it can't be told which of its declarations is meant for {method}"
    raise _not_again(view_callable, method, route, why)


def _refuse_response_option(
    declaration: Declaration, route: Route, earlier: Operation
) -> None:
    changed = sorted(RESPONSE_OPTIONS & declaration.given_options().keys())
    if changed:
        why = CHANGED.format(repr(changed[0]))
        raise _not_again(earlier.view_callable, earlier.method, route, why)


def _refuse_other_model(operation: Operation, earlier: Operation) -> None:
    """Refuse a function whose values would be filtered otherwise than before.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    new, old = operation.outbound, earlier.outbound
    statuses = [(code, code) for code in range(200, 600)]
    for before, after in ((old.status, new.status), *statuses):
        known, serializer = old.serializer_of(before), new.serializer_of(after)
        if known is not None and not known.is_same(serializer):
            why = CHANGED.format(f"the model of status {after}")
            raise _not_again(
                earlier.view_callable, operation.method, operation.route, why
            )


def _not_again(
    view_callable: ViewCallable, method: str, route: Route, why: str
) -> SignatureError:
    """The error of a function that can't be registered again under a rule."""
    rule = f"{method} {show_rule(route.rule)}"
    problem = (
        f"{view_callable.name} is registered again with the function that stands for"
        f" it, {why}. Register the view itself, with the options of this rule."
    )
    return SignatureError(locate(rule, problem, view_callable))
