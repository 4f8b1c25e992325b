"""How a compiled view gets to Flask: its function, its rules, and what it was before.

A function that Flask was given may come back: under another rule, in a wrapper, or in
place of the view. It is called as it is, with whatever guards it has; inside of them,
the rule that Werkzeug matched decides what is read from the request.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from itertools import takewhile

from werkzeug.exceptions import MethodNotAllowed

from ._operation import compile_operation
from ._place import Place
from ._place import locate
from ._registry import Endpoint
from ._registry import Given
from ._registry import Registry
from ._registry import keys_of
from ._rules import show_rule
from ._signature import find_subject
from ._signature import layers_of
from ._views import current_request
from ._views import rules_of
from ._views import stand_for
from ._views import synchronous
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request
    from werkzeug.routing import Rule

    from ._declaration import Declaration
    from ._operation import Operation
    from ._signature import Subject
    from ._views import Route
    from ._views import ViewFunction


def install(
    app: Flask,
    route: Route,
    view: ViewFunction,
    declaration: Declaration,
    namespace: Mapping[str, t.Any] | None,
    *,
    add: Callable[..., None],
) -> None:
    """Compile a route, and add its rule with the function that runs it.

    :param declaration: of the route and of the blueprints around it.
    :param namespace: the local names that the view's annotations may use.
    :param add: Flask's own way to add the rule, which takes the ``view_func``.
    :raises SignatureError: if the route can't be compiled.
    """
    registry = Registry.of(app)
    given = find_given(registry, view)
    if given is None:
        compiled = _compile(app, registry, route, view, declaration, namespace)
        endpoint = _endpoint(app, registry, route, view, compiled)
        function = endpoint.function
    else:
        compiled = _compile_again(
            app, registry, route, view, given, declaration, namespace
        )
        endpoint = _endpoint_of_others(registry, route, given, compiled)
        function = declaration.decorate(view)
        registry.note(function, given.view, compiled.values())
    before = {id(rule) for rule in rules_of(app, route.endpoint)}
    add(view_func=function)
    rules = [rule for rule in rules_of(app, route.endpoint) if id(rule) not in before]
    registry.add(route.endpoint, endpoint, compiled, rules)
    if given is not None:
        _move(app, compiled, rules)


def find_given(registry: Registry, view: ViewFunction) -> Given | None:
    """What is known of a function that Flask was given, which a wrapper may hold."""
    keys = map(id, layers_of(view))
    return next((registry.given[key] for key in keys if key in registry.given), None)


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. HEAD is answered by GET, without the content."""
    answers_head = hasattr(getattr(view, "view_class", None), "head")
    is_get_again = "GET" in route.methods and not answers_head
    return sorted(route.methods - {"HEAD"} if is_get_again else route.methods)


def _compile(
    app: Flask,
    registry: Registry,
    route: Route,
    view: ViewFunction,
    declaration: Declaration,
    namespace: Mapping[str, t.Any] | None,
) -> dict[str, Operation]:
    """The operations of a route by their methods."""
    return {
        method: compile_operation(
            app,
            registry,
            method=method,
            route=route,
            view=view,
            subject=find_subject(view, method),
            declaration=declaration,
            namespace=namespace,
        )
        for method in _methods(route, view)
    }


def _endpoint(
    app: Flask,
    registry: Registry,
    route: Route,
    view: ViewFunction,
    compiled: Mapping[str, Operation],
) -> Endpoint:
    """The endpoint of a route with the function for all of its rules.

    If it stands for the view already, the function takes the place of the one before,
    since Flask compares the two. One that somebody else has put there stays, and makes
    Flask refuse the rule.
    """
    known = registry.endpoints.get(route.endpoint)
    if known is None or known.view != view:
        known = Endpoint(view, None, ())
    held = app.view_functions.get(route.endpoint)
    stands_for_it = held is not None and held in (known.function, view)
    earlier = known.operations if stands_for_it else ()
    operations = (*earlier, *compiled.values())
    function = _function(registry, view, operations)
    registry.note(function, view, operations)
    if stands_for_it:
        app.view_functions[route.endpoint] = function
    return Endpoint(view, function, operations)


def _function(
    registry: Registry, view: ViewFunction, operations: Sequence[Operation]
) -> ViewFunction:
    """The function of some operations: that of the operation, if there is but one."""
    runs = {id(operation.run): operation.run for operation in operations}
    if len(runs) == 1:
        return operations[0].run

    def dispatch(**view_args: t.Any) -> t.Any:
        request = current_request()
        operation = registry.operation_of(request, operations)
        if operation is None:
            raise _no_operation(request, operations)
        return operation.synchronous_run(**view_args)

    registry.synchronous.add(id(dispatch))
    return stand_for(view, dispatch)


def _no_operation(request: Request, operations: Sequence[Operation]) -> Exception:
    """What is wrong with a rule that somebody else has put into the map."""
    methods = {operation.method for operation in operations}
    if request.method not in methods:
        return MethodNotAllowed(sorted(methods))
    return LookupError(
        f"The rule {request.url_rule!r} leads to a view that is declared differently"
        " for each of its rules. Add it with add_url_rule()."
    )


def _compile_again(
    app: Flask,
    registry: Registry,
    route: Route,
    view: ViewFunction,
    given: Given,
    declaration: Declaration,
    namespace: Mapping[str, t.Any] | None,
) -> dict[str, Operation]:
    """The operations of a route whose function Flask was given before.

    :param view: that function, or what was put around it.
    :raises SignatureError: if what was declared for a method can't be told.
    """
    above = [*takewhile(lambda layer: layer is not given.function, layers_of(view))]
    compiled = {}
    for method in _methods(route, given.view):
        subject = find_subject(given.view, method)
        place = Place(subject.name, f"{method} {show_rule(route.rule)}")
        earlier = _find_earlier(given, method, place, subject)
        if earlier is None:
            continue
        compiled[method] = compile_operation(
            app,
            registry,
            method=method,
            route=route,
            view=given.view,
            subject=subject.within(above),
            declaration=declaration.over(earlier.declaration),
            namespace=namespace,
            earlier=earlier,
        )
    return compiled


def _find_earlier(
    given: Given, method: str, place: Place, subject: Subject
) -> Operation | None:
    """The operation whose declaration holds for a method of the function.

    ``None`` is for OPTIONS, which nothing was declared for, where methods differ.

    :raises SignatureError: if there are several, which are declared differently.
    """
    found = given.find(method)
    first, *rest = found
    if all(operation.declaration == first.declaration for operation in rest):
        return first
    if method == "OPTIONS":
        return None
    problem = (
        f"{subject.name} is registered again with the function that stands for it, but"
        f" it can't be told which of its declarations is meant for {method}. Register"
        " the view itself, with the options of this rule."
    )
    raise SignatureError(locate(place, problem, subject))


def _move(app: Flask, compiled: Mapping[str, Operation], rules: Sequence[Rule]) -> None:
    """Have the earlier function run the plans of these operations under these rules."""
    for method, operation in compiled.items():
        for key in keys_of(rules, method, compiled):
            operation.moved[key] = synchronous(app, operation.plan)


def _endpoint_of_others(
    registry: Registry, route: Route, given: Given, compiled: Mapping[str, Operation]
) -> Endpoint:
    """The endpoint of a function that is Flask's already, and not ours to replace."""
    known = registry.endpoints.get(route.endpoint) or Endpoint(given.view, None, ())
    return replace(known, operations=(*known.operations, *compiled.values()))
