"""The registration of a view with Flask: it is compiled, and its rule is added.

A wrapper around a function that Flask has already is called as it is, and the function
in it reads what the rule says. The application and the blueprint call :func:`install`.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from itertools import takewhile

from .._routing.rule import rules_of
from .._signature.hidden import find_hidden_view
from .._signature.source import source_location
from .._signature.unwrap import layers_of
from .compile import compile_registration
from .endpoint_functions import dispatch_view
from .registration import Registration
from .registry import Registry
from .store import Endpoint
from .store import InstalledFunction

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Flask
    from werkzeug.routing import Rule

    from .._routing.route import Route
    from .compile import Compiled
    from .operation import Operation
    from .operation import ViewFunction


def install(
    app: Flask,
    route: Route,
    view: ViewFunction,
    *,
    namespace: Mapping[str, t.Any] | None,
    add: Callable[..., None],
) -> None:
    """Compile a route, and add its rule with the function that runs it.

    :param namespace: the local names that the view's annotations may use.
    :param add: Flask's own way to add a rule.
    :raises SignatureError: if the route can't be compiled.
    """
    registry = Registry.of(app)
    layers = layers_of(view)
    installed = registry.functions.find(layers)
    registration = Registration(
        app,
        registry,
        route,
        function=view,
        view=view if installed is None else installed.view,
        installed=installed,
        wrappers=_wrappers(layers, installed),
        scopes=registry.blueprints.around(route.endpoint),
        namespace=namespace,
    )
    compiled = compile_registration(registration)
    if any(has_request_scope(operation) for operation in compiled.values()):
        registry.keep_generators(app)
    if registration.wrappers:
        _install_wrapper(registration, compiled, add)
        return
    operations = compiled.values()
    if registration.installed and any(
        item.view_function is view for item in operations
    ):
        # A decorator that returns the same function for every view.
        registration = registration._replace(view=view, installed=None)
        compiled = compile_registration(registration)
    _install_view(registration, compiled, add)


def has_request_scope(operation: Operation) -> bool:
    """Whether a generator of an operation is open until its body has been sent."""
    dependencies = operation.dependencies
    return dependencies is not None and bool(dependencies.closed_with_body())


def _wrappers(
    layers: list[ViewFunction], installed: InstalledFunction | None
) -> list[ViewFunction]:
    """The layers of a function outside of the one that Flask has."""
    if installed is None:
        return []
    while installed.inner is not None:
        installed = installed.inner
    function = installed.function
    return [*takewhile(lambda layer: layer is not function, layers)]


def _install_view(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask the function for all the rules of the endpoint.

    If Flask has a function for the view already, the new one replaces it first, since
    Flask compares the two. Any other function stays, and Flask refuses the rule.
    """
    app, registry, route = registration.app, registration.registry, registration.route
    view = registration.view
    known = registry.operations.endpoints.get(route.endpoint)
    if known is None or known.view != view:
        known = Endpoint(view, None, ())
    held = app.view_functions.get(route.endpoint)
    ours = [known.function, view, registration.function]
    is_ours = held is not None and held in ours
    operations = (*(known.operations if is_ours else ()), *compiled.values())
    function = dispatch_view(registration, operations)
    registry.functions.add(InstalledFunction(function, view, operations))
    if is_ours:
        app.view_functions[route.endpoint] = function
    try:
        rules = _add(registration, compiled, function, add=add)
    except BaseException as error:
        if held is not None:
            app.view_functions[route.endpoint] = held
        _advise_on_name(view, error)
        raise
    if not rules and route.endpoint not in app.view_functions:
        # The application has not added the rule, or has given it another endpoint.
        return
    endpoint = Endpoint(view, function, operations)
    usual = [rule for rule in rules if rule.rule == route.rule]
    if usual or not rules:
        _store(registration, endpoint, compiled, rules=usual)
    for rule in rules:
        if rule.rule != route.rule:
            _compile_changed(registration, endpoint, compiled, rule=rule)


def _advise_on_name(view: ViewFunction, error: BaseException) -> None:
    """Add to the error of an endpoint that is taken where its name comes from.

    :raises AssertionError: if a decorator gives each of its views the same name.
    """
    is_taken = isinstance(error, AssertionError) and "overwriting" in str(error)
    hidden = find_hidden_view(view) if is_taken else None
    if hidden is not None:
        place = source_location(view)
        raise AssertionError(f"{error}. {hidden.advice} ({place})") from None


def _compile_changed(
    registration: Registration, endpoint: Endpoint, compiled: Compiled, *, rule: Rule
) -> None:
    """Compile a view for the rule that an application made of the one it was given."""
    route = replace(registration.route, rule=rule.rule)
    again = compile_registration(registration._replace(route=route))
    for method, operation in again.items():
        compiled[method].wrapping.append(operation)
    _store(registration, endpoint, again, rules=[rule])


def _install_wrapper(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask a wrapper around a function that it has already."""
    registry, view = registration.registry, registration.view
    function = registration.decorate()
    operations = tuple(compiled.values())
    installed = InstalledFunction(function, view, operations, registration.installed)
    registry.functions.add(installed)
    rules = _add(registration, compiled, function, add=add)
    endpoints = registry.operations.endpoints
    known = endpoints.get(registration.route.endpoint) or Endpoint(view, None, ())
    endpoint = replace(known, operations=(*known.operations, *operations))
    _store(registration, endpoint, compiled, rules=rules)
    for operation in operations:
        operation.wrapping.append(operation)


def _add(
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
    registration.registry.functions.given[route.endpoint] = function
    return [rule for rule in rules_of(app, route.endpoint) if id(rule) not in before]


def _store(
    registration: Registration,
    endpoint: Endpoint,
    compiled: Compiled,
    *,
    rules: list[Rule],
) -> None:
    """Keep the operations of a route that Flask knows."""
    name = registration.route.endpoint
    registration.registry.operations.add(name, endpoint, compiled, rules=rules)
