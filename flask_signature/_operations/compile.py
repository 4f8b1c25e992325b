"""Operations, compiled and installed: a route goes in, Flask has its functions.

A rule with its view goes in when it is registered; the operation of each method comes
out, and is added to the registry and to Flask's ``view_functions``.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from functools import partial
from inspect import iscoroutinefunction
from types import FunctionType, MethodType

from .._common import UNSET, name_set
from .._dependencies.compile import Declared, compile_dependencies
from .._outbound.compile import compile_outbound
from .._outbound.failures import ViewReporter
from .._routing.route import rules_of, show_rule
from .._signature.hints import ADVICE_IF_PASSED
from .._signature.reader import read_signature
from .._signature.views import layers_of, locate, takes_any_keyword, unwrap_view
from ..exceptions import SignatureError
from .checks import (
    check_asynchronous,
    check_dependencies,
    check_methods,
    check_same_models,
    check_view,
    runs_coroutines,
)
from .decorators import Routes, check_method_names
from .functions import compose, direct_call, dispatch_view, is_made
from .registration import (
    Registration,
    find_requirement,
    inbound_compiler,
    whole_requirement,
)
from .registry import Registry
from .store import Endpoint, Operation

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flask import Flask
    from werkzeug.routing import Rule

    from .._inbound.compile import KnownNames
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.route import Route
    from .._signature.argument import Signature
    from ..security import Requirement
    from .store import ViewFunction


#: The operations of a route by their methods. That of GET may run for HEAD, too.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if one can't be compiled, or if it can't be told what was
        declared for a method.
    """
    check_method_names(registration.view)
    compiled = {}
    for method in _methods(registration):
        made = registration.of_method(method)
        compiled[method] = compile_operation(made)
        check_same_models(made, compiled[method])
    check_methods(registration)
    return compiled


def _methods(registration: Registration) -> list[str]:
    """The methods to compile. The operation of GET also runs for HEAD.

    A class may have a method of its own for HEAD, which comes with GET. To OPTIONS that
    came with the methods of another rule, Flask responds.
    """
    methods, earlier = registration.route.methods, registration.earlier
    if earlier and len(methods) > 1 and "OPTIONS" not in [x.method for x in earlier]:
        methods -= {"OPTIONS"}
    if "GET" not in methods:
        return sorted(methods)
    has_head = hasattr(getattr(registration.view, "view_class", None), "head")
    return sorted(methods | {"HEAD"} if has_head else methods - {"HEAD"})


def compile_operation(registration: Registration) -> Operation:
    """One method of one route.

    :raises SignatureError: if it can't be compiled, with its location and the remedy.
    """
    declaration = registration.declaration
    try:
        requirement = find_requirement(
            registration.app,
            declaration,
            shown=f"security= of {registration.view_callable.name}",
        )
        _compile_method(registration, requirement)
        dependencies, whole = registration.dependencies, None
        if declaration.security is not UNSET or dependencies:
            whole = whole_requirement(declaration, requirement, dependencies)
            if whole is not None:
                registration.registry.schemes.add(whole)
    except SignatureError as error:
        raise SignatureError(registration.locate(str(error))) from error.__cause__
    missing = check_view(registration)
    function, around_method = compose(registration, missing)
    return Operation(
        method=registration.method,
        route=registration.route,
        template=registration.template,
        view_callable=registration.view_callable,
        declaration=declaration,
        signature=registration.signature,
        inbound=registration.inbound,
        dependencies=dependencies,
        requirement=whole,
        outbound=registration.outbound,
        view_function=function,
        call=None if missing else direct_call(registration),
        around_method=around_method,
        scopes=name_set(registration.scopes),
    )


def _compile_method(
    registration: Registration, requirement: Requirement[t.Any] | None
) -> None:
    """Read the signature of a view, and compile its plans.

    :param requirement: who may call the view, ``None`` where nothing says it.
    """
    check_asynchronous(registration)
    registration.signature = signature = read_signature(
        registration.view_callable,
        method=registration.method,
        provided=registration.provided,
        namespace=registration.namespace,
        registered="blueprint" if "." in registration.route.endpoint else "route",
        is_decorated=bool(registration.declaration.decorators),
    )
    compile_arguments = partial(_compile_inbound, registration)
    registration.dependencies = dependencies = compile_dependencies(
        signature, _declared_for(registration, requirement), compile_arguments
    )
    if dependencies is None:
        registration.inbound = compile_arguments(signature, {})
    else:
        registration.inbound = dependencies.inbound
    registration.outbound = _compile_outbound(registration)
    if dependencies is not None:
        check_dependencies(registration, dependencies)


def _declared_for(
    registration: Registration, requirement: Requirement[t.Any] | None
) -> Declared:
    app, view_callable = registration.app, registration.view_callable
    return Declared(
        app,
        registration.route.endpoint,
        guards=registration.declaration.dependencies,
        requirement=requirement,
        parameters=view_callable.signature.parameters.keys(),
        takes_more=takes_any_keyword(view_callable),
        provided=registration.provided,
        namespace=registration.namespace,
        overrides=registration.registry.overrides if isinstance(app, Routes) else None,
        runs_coroutines=partial(runs_coroutines, app),
    )


def _compile_inbound(
    registration: Registration, signature: Signature, known: KnownNames
) -> InboundPlan:
    compile_arguments = inbound_compiler(
        registration.app,
        registration.route.endpoint,
        template=registration.template,
        method=registration.method,
        provided=registration.provided,
    )
    try:
        return compile_arguments(signature, known)
    except SignatureError as error:
        if not registration.view_callable.wrapped or "Injected()" in str(error):
            raise
        raise SignatureError(f"{error} {ADVICE_IF_PASSED}") from error.__cause__


def _compile_outbound(registration: Registration) -> OutboundPlan:
    app, view_callable = registration.app, registration.view_callable
    declaration, dependencies = registration.declaration, registration.dependencies
    if dependencies is not None and (responses := dependencies.responses):
        responses = {**responses, **declaration.responses}
        declaration = replace(declaration, responses=responses)
    return compile_outbound(
        registration.signature,
        method=registration.method,
        declaration=declaration,
        route_statuses={
            *registration.route.declaration.responses,
            *registration.own_options.get("responses", ()),
        },
        reporter=ViewReporter(
            app, view_callable.name, registration.shown, view_callable.function
        ),
        standard=registration.registry.standard_error,
        defers_status=isinstance(app, Routes),
        warn=registration.warn,
    )


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
    :param add: adds the rule with a function and the options that are Flask's.
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
        app=app,
        registry=registry,
        route=route,
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
        registration.registry.operations.synchronous.add(function)
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
    add(function, options)
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
            changed = replace(registration, route=replace(route, rule=rule.rule))
            added.append((compile_registration(changed), [rule]))
    return added
