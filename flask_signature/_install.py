"""How a compiled view gets to Flask: its function, its rules, and what it was before.

A wrapper around a function that Flask was given is called as it is, and the function
inside reads what the rule says.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace

from werkzeug.exceptions import MethodNotAllowed

from ._registration import Registration
from ._registration import compile_registration
from ._registration import find_given
from ._registry import Endpoint
from ._registry import Given
from ._registry import Registry
from ._registry import choose_operation
from ._views import current_request
from ._views import rules_of
from ._views import stand_for
from ._views import synchronous

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request
    from werkzeug.routing import Rule

    from ._operation import Operation
    from ._registration import Compiled
    from ._routing.declaration import Declaration
    from ._routing.route import Route
    from ._views import ViewFunction


def install(
    app: Flask,
    route: Route,
    view: ViewFunction,
    declaration: Declaration,
    scopes: Mapping[str, Declaration],
    namespace: Mapping[str, t.Any] | None,
    *,
    add: Callable[..., None],
) -> None:
    """Compile a route, and add its rule with the function that runs it.

    :param declaration: of the route alone.
    :param scopes: of the blueprints around it by their names, from the inside out.
    :param namespace: the local names that the view's annotations may use.
    :param add: Flask's own way to add the rule, which takes the ``view_func``.
    :raises SignatureError: if the route can't be compiled.
    """
    registry = Registry.of(app)
    given = find_given(registry, view)
    registration = Registration(
        app, registry, route, view, given, declaration, scopes, namespace
    )
    compiled = compile_registration(registration)
    if registration.wrappers:
        _install_wrapper(registration, compiled, add)
        return
    if given is not None and any(item.run is view for item in compiled.values()):
        # A decorator returns it whatever it is given, so that it stands for no view.
        registration = registration._replace(given=None)
        compiled = compile_registration(registration)
    _install_view(registration, compiled, add)


def _install_view(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask the function for all the rules of the endpoint.

    If the endpoint stands for the view already, the function takes the place of the
    one before, since Flask compares the two. One that somebody else has put there
    stays, and makes Flask refuse the rule.
    """
    app, registry, route = registration[:3]
    view = registration.view
    known = registry.endpoints.get(route.endpoint)
    if known is None or known.view != view:
        known = Endpoint(view, None, ())
    held = app.view_functions.get(route.endpoint)
    guarded = registry.guarded.get(route.endpoint)
    ours = [known.function, view, registration.function]
    if guarded is not None and guarded.view == view and not known.operations:
        ours.append(guarded.function)
    is_ours = held is not None and held in ours
    operations = (*(known.operations if is_ours else ()), *compiled.values())
    function = _function(registration, operations)
    registry.note(Given(function, view, operations))
    if is_ours:
        app.view_functions[route.endpoint] = function
    try:
        rules = _add(app, route, compiled, function, add)
    except BaseException:
        if held is not None:
            app.view_functions[route.endpoint] = held
        raise
    endpoint = Endpoint(view, function, operations)
    held = app.view_functions[route.endpoint]
    registry.add(route.endpoint, endpoint, held, compiled, rules)


def _function(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """The function of some operations: that of the operation, if there is but one."""
    runs = {id(operation.run): operation.run for operation in operations}
    if len(runs) == 1:
        return operations[0].run
    registry = registration.registry
    calls = {key: synchronous(registration.app, run) for key, run in runs.items()}
    families = {id(operation.others) for operation in operations}

    def dispatch(**view_args: t.Any) -> t.Any:
        request = current_request()
        operation = registry.operation_of(request)
        # A view may be called while a request for another one is served.
        if operation is None or id(operation.others) not in families:
            operation = choose_operation(operations, request.method, view_args)
        if operation is None:
            raise _no_operation(request, operations)
        return calls[id(operation.run)](**view_args)

    registry.synchronous[id(dispatch)] = dispatch
    return stand_for(registration.view, dispatch)


def _no_operation(request: Request, operations: Sequence[Operation]) -> Exception:
    """What is wrong with a rule that was not added with ``add_url_rule()``."""
    methods = {operation.method for operation in operations}
    if request.method not in methods:
        return MethodNotAllowed(sorted(methods))
    return LookupError(
        f"{operations[0].view_callable.name} is declared differently for each of its"
        f" rules, and {request.url_rule!r} is none of them. Add it with add_url_rule()."
    )


def _install_wrapper(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask a wrapper around a function that it was given before."""
    app, registry, route, _, given = registration[:5]
    view = registration.view
    function = registration.decorate()
    operations = tuple(compiled.values())
    registry.note(Given(function, view, operations, given))
    rules = _add(app, route, compiled, function, add)
    known = registry.endpoints.get(route.endpoint) or Endpoint(view, None, ())
    endpoint = replace(known, operations=(*known.operations, *operations))
    held = app.view_functions[route.endpoint]
    registry.add(route.endpoint, endpoint, held, compiled, rules)
    for operation in operations:
        operation.others.append(operation)


def _add(
    app: Flask,
    route: Route,
    compiled: Compiled,
    function: ViewFunction,
    add: Callable[..., None],
) -> list[Rule]:
    """Add a rule, and find those that were added."""
    before = {id(rule) for rule in rules_of(app, route.endpoint)}
    options: dict[str, t.Any] = {}
    if "OPTIONS" in route.methods - compiled.keys():
        # It is Flask's to answer.
        options["methods"] = sorted(route.methods - {"OPTIONS"})
    add(view_func=function, **options)
    return [rule for rule in rules_of(app, route.endpoint) if id(rule) not in before]
