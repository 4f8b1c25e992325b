"""The registration of a view with Flask: it is compiled, and its rule is added.

What Flask was given is known by its endpoint, and by identity. The application and the
blueprint call :func:`install`.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from inspect import iscoroutinefunction
from types import FunctionType, MethodType

from .._routing.path_template import show_rule
from .._routing.rule import rules_of
from .._signature.source import locate
from .._signature.unwrap import layers_of, unwrap_view
from ..exceptions import SignatureError
from .compile import compile_registration
from .registration import Registration
from .registry import Registry
from .store import Endpoint
from .view_functions import dispatch_view, is_made

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flask import Flask
    from werkzeug.routing import Rule

    from .._routing.route import Route
    from .compile import Compiled
    from .operation import Operation, ViewFunction


def install(
    app: Flask,
    route: Route,
    view: ViewFunction | None,
    *,
    namespace: Mapping[str, t.Any] | None,
    add: Callable[..., None],
) -> None:
    """Compile a route, and add its rule with the function that runs it.

    :param view: ``None`` for another rule of an endpoint that is known.
    :param namespace: the local names that the view's annotations may use.
    :param add: Flask's own way to add a rule.
    :raises SignatureError: if the route can't be compiled, or its view is a function
        that Flask was given for another endpoint.
    """
    registry = Registry.of(app)
    known = registry.operations.endpoints.get(route.endpoint)
    made = next(filter(is_made, layers_of(view)), None)
    if made is not None and (known is None or not known.has(made)):
        raise _elsewhere(registry, route, made)
    earlier: Sequence[Operation] = ()
    if view is made:
        # Both are None for a rule without a view function.
        assert known is not None
        view, earlier = known.view, known.operations
    registration = Registration(
        app,
        registry,
        route,
        view=t.cast("ViewFunction", view),
        earlier=earlier,
        scopes=registry.blueprints.around(route.endpoint),
        namespace=namespace,
    )
    compiled = compile_registration(registration)
    if any(has_request_scope(operation) for operation in compiled.values()):
        registry.keep_generators(app)
    _install_view(registration, compiled, add)


def has_request_scope(operation: Operation) -> bool:
    """Whether a generator of an operation is open until its body has been sent."""
    dependencies = operation.dependencies
    return dependencies is not None and bool(dependencies.closed_with_body())


def _elsewhere(registry: Registry, route: Route, made: ViewFunction) -> SignatureError:
    """The error of a function that Flask was given for another endpoint."""
    endpoints = registry.operations.endpoints.items()
    rule = f"{', '.join(sorted(route.methods))} {show_rule(route.rule)}"
    own = next(((name, item.view) for name, item in endpoints if item.has(made)), None)
    if own is None:
        shown = f"{made.__module__}.{made.__qualname__}()"
        return SignatureError(
            f"{rule}: a function that was made of {shown} for another application, or"
            " for a decorator, is registered. Register the view itself, with its"
            " options."
        )
    name, view = own
    view_callable = unwrap_view(view, min(route.methods, default="GET"))
    problem = (
        f"the function that Flask has for {view_callable.name} is registered under"
        f" another endpoint, {route.endpoint!r}. Give the rule the endpoint of the"
        f" view, add_url_rule(rule, endpoint={name!r}), which keeps what guards it; or"
        " register the view itself with its security=, dependencies=, decorators= and"
        " models."
    )
    return SignatureError(locate(rule, problem, view_callable))


def _install_view(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask the function for all the rules of the endpoint.

    If Flask has a function for the view already, the new one replaces it first, since
    Flask compares the two. Any other function stays, and Flask refuses the rule.
    """
    functions, name = registration.app.view_functions, registration.route.endpoint
    operations, view = registration.registry.operations, registration.view
    known, held = operations.endpoints.get(name), functions.get(name)
    if known is None or known.view != view:
        known = Endpoint(view)
    is_ours = held is not None and (known.has(held) or held == view)
    earlier = known.operations if is_ours else ()
    function = _make(registration, [*earlier, *compiled.values()])
    if is_ours:
        functions[name] = function
    try:
        rules = _add_operation(registration, compiled, function, add=add)
    except BaseException:
        if held is not None:
            functions[name] = held
        raise
    if not rules and name not in functions:
        # The application has not added the rule, or has given it another endpoint.
        return
    added = _compile_changed(registration, compiled, rules)
    every = [*earlier, *(item for found, _ in added for item in found.values())]
    made = [function]
    if added[0][0] is not compiled or len(added) > 1:
        made.append(_make(registration, every))
        if functions.get(name) is function:
            functions[name] = made[-1]
    endpoint = Endpoint(view, (*known.functions, *made), tuple(every))
    for found, rules_of_it in added:
        operations.add(name, endpoint, found, rules=rules_of_it)


def _make(registration: Registration, operations: Sequence[Operation]) -> ViewFunction:
    """The function for some operations, which Flask need not ask whether it awaits."""
    function = dispatch_view(registration, operations)
    is_plain = isinstance(function, (FunctionType, MethodType))
    if is_made(function) or (is_plain and not iscoroutinefunction(function)):
        registration.registry.functions.synchronous.add(function)
    return function


def _add_operation(
    registration: Registration,
    compiled: Compiled,
    function: ViewFunction,
    *,
    add: Callable[..., None],
) -> list[Rule]:
    """Add a rule, and find those that were added."""
    app, route = registration.app, registration.route
    before = {id(rule) for rule in rules_of(app, route.endpoint)}
    options = dict(route.options)
    if "OPTIONS" in route.methods - compiled.keys():
        # Flask responds to it.
        options["methods"] = sorted(route.methods - {"OPTIONS"})
    add(route.rule, route.endpoint, view_func=function, **options)
    return [rule for rule in rules_of(app, route.endpoint) if id(rule) not in before]


def _compile_changed(
    registration: Registration, compiled: Compiled, rules: Sequence[Rule]
) -> list[tuple[Compiled, list[Rule]]]:
    """The operations with their rules, also of those that an application has changed.

    It may make another rule of the one that it was given, or several.
    """
    route = registration.route
    usual = [rule for rule in rules if rule.rule == route.rule]
    added = [(compiled, usual)] if usual or not rules else []
    for rule in rules:
        if rule.rule != route.rule:
            changed = registration._replace(route=replace(route, rule=rule.rule))
            added.append((compile_registration(changed), [rule]))
    return added
