"""Operations, compiled and installed: a route goes in, Flask has its functions.

A rule with its view goes in when it is registered; the operation of each method comes
out, and is added to the registry and to Flask's ``view_functions``.
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import replace
from functools import partial
from inspect import iscoroutinefunction
from itertools import chain
from types import FunctionType, MethodType

from .._common import name_set
from .._dependencies.compile import Declared, compile_dependencies
from .._inbound.compile import CONVERTERS_OF_TYPES, find_tables
from .._inbound.readers import FORM_LOCATIONS
from .._outbound.compile import compile_outbound
from .._outbound.failures import ViewReporter
from .._routing.declaration import NOTHING_DECLARED
from .._routing.route import VARIABLE, rules_of, show_rule
from .._signature.argument import EMPTY, path_name
from .._signature.hints import ADVICE_IF_PASSED
from .._signature.reader import find_special, read_signature
from .._signature.views import (
    chooses,
    find_hidden_view,
    layers_of,
    locate,
    signature_of,
    takes_any_keyword,
    unwrap_view,
)
from .._types.annotations import show_type
from ..exceptions import SignatureError
from ..params import Location
from .decorators import Routes, check_declared, located, options_of
from .functions import compose, dispatch_view, is_made
from .registration import (
    Registration,
    check_asynchronous,
    check_dependencies,
    find_requirement,
    inbound_compiler,
    whole_requirement,
)
from .registry import Endpoint, Operation, Registry, may_take_variables

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flask import Flask
    from werkzeug.routing import Rule

    from .._inbound.compile import KnownNames
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.route import Route
    from .._signature.argument import Signature
    from ..security import Requirement
    from .registry import ViewFunction


#: The operations of a route by their methods. That of GET may run for HEAD, too.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


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
    scopes = registry.enclosing(route.endpoint)
    if registry.of_app != NOTHING_DECLARED:
        # The application has no name.
        scopes[""] = registry.of_app
    registration = Registration(
        app=app,
        registry=registry,
        route=route,
        view=t.cast("ViewFunction", view),
        earlier=earlier,
        scopes=scopes,
        namespace=namespace,
    )
    compiled = compile_registration(registration)
    options = dict(route.options)
    if "OPTIONS" in route.methods - compiled.keys():
        # Flask responds to it.
        options["methods"] = sorted(route.methods - {"OPTIONS"})
    _install_view(registration, compiled, partial(add, options=options))


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


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if one can't be compiled, or if it can't be told what was
        declared for a method.
    """
    check_declared(registration.view, is_read=True)
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
    app, registry = registration.app, registration.registry
    with located(registration.locate):
        check_asynchronous(registration)
        operation = _compile_plans(registration)
        dependencies = operation.dependencies
        if dependencies is not None:
            check_dependencies(app, operation, dependencies)
            if dependencies.closed_with_body():
                registry.keep_generators(app)
        if operation.requirement is not None:
            registry.add_schemes(operation.requirement)
    return compose(registration, operation, check_view(registration, operation))


def _compile_plans(registration: Registration) -> Operation:
    """The operation of a view, which Flask is to call as it is, for the time being."""
    declaration, view_callable = registration.declaration, registration.view_callable
    requirement = find_requirement(
        registration.app, declaration, shown=f"security= of {view_callable.name}"
    )
    signature = read_signature(
        view_callable,
        method=registration.method,
        provided=registration.provided,
        namespace=registration.namespace,
        registered="blueprint" if "." in registration.route.endpoint else "route",
        is_decorated=bool(declaration.decorators),
    )
    compile_arguments = partial(_compile_inbound, registration)
    declared = _declared_around(registration, requirement)
    dependencies = compile_dependencies(signature, declared, compile_arguments)
    responses = declaration.responses
    if dependencies is None:
        inbound = compile_arguments(signature, {})
    else:
        inbound = dependencies.inbound
        responses = {**dependencies.responses, **responses}
    return Operation(
        method=registration.method,
        route=registration.route,
        template=registration.template,
        view_callable=view_callable,
        declaration=declaration,
        signature=signature,
        inbound=inbound,
        dependencies=dependencies,
        requirement=whole_requirement(declaration, requirement, dependencies),
        outbound=_compile_outbound(registration, signature, responses),
        view_function=registration.view,
        scopes=name_set(registration.scopes),
    )


def _declared_around(
    registration: Registration, requirement: Requirement[t.Any] | None
) -> Declared:
    """What the dependencies of a view are compiled with, beside its signature."""
    view_callable = registration.view_callable
    return Declared(
        registration.app,
        registration.route.endpoint,
        guards=registration.declaration.dependencies,
        requirement=requirement,
        parameters=view_callable.signature.parameters.keys(),
        takes_more=takes_any_keyword(view_callable),
        provided=registration.provided,
        namespace=registration.namespace,
        overrides=registration.registry.overrides,
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
    is_wrapped = registration.view_callable.wrapped

    def advise(problem: str) -> str:
        is_told = not is_wrapped or "Injected()" in problem
        return problem if is_told else f"{problem} {ADVICE_IF_PASSED}"

    with located(advise):
        return compile_arguments(signature, known)


def _compile_outbound(
    registration: Registration, signature: Signature, responses: Mapping[t.Any, t.Any]
) -> OutboundPlan:
    """How a value becomes a response.

    :param responses: of the declaration and of dependencies.
    """
    app, view_callable = registration.app, registration.view_callable
    declaration = registration.declaration
    if responses != declaration.responses:
        declaration = replace(declaration, responses=responses)
    return compile_outbound(
        signature,
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


def check_view(registration: Registration, operation: Operation) -> list[str]:
    """The variables of the URL that a view lacks, which may be a mistake.

    :raises SignatureError: if it certainly is one, or a request of the method has no
        form.
    """
    _check_form_method(registration, operation)
    # What compiles, but can't have the effect that it was written for.
    problems = [_find_braces(operation), _find_hidden_signature(operation)]
    for problem in chain(*problems, *map(find_tables, operation.inbound_plans)):
        registration.warn(problem)
    return _find_missing(registration, operation)


def _check_form_method(registration: Registration, operation: Operation) -> None:
    """Refuse an argument of a form that no request of its route has.

    A function that also runs for another method may have one there.

    :raises SignatureError: if there is one.
    """
    view_callable, method = operation.view_callable, operation.method
    if method not in ("GET", "HEAD"):
        return
    is_own = view_callable.attribute == method.lower()
    if not is_own and not operation.route.methods <= NO_FORM:
        return
    for argument in operation.signature.arguments:
        if argument.location in FORM_LOCATIONS:
            problem = (
                f"{argument.name!r} of {view_callable.name} is read from a form, which"
                f" a {method} request does not have. Read it from the"
                " query, or register the view for POST."
            )
            raise SignatureError(registration.locate(problem))


def _find_braces(operation: Operation) -> Iterator[str]:
    """A problem for each part of a rule that looks like a variable: ``"{user_id}"``."""
    rule = operation.route.rule
    if "{" not in rule:
        return
    types = {
        item.name: show_type(item.type.annotation)
        for item in operation.signature.arguments
    }
    for found in BRACES.finditer(VARIABLE.sub("", rule)):
        name, converter = found.groups()
        converter = converter or CONVERTERS_OF_TYPES.get(types.get(name, ""), "")
        written = f"<{converter}:{name}>" if converter else f"<{name}>"
        yield (
            f"the rule has {found[0]!r}, which is literal text and no variable."
            f" Write '{written}'."
        )


def _find_hidden_signature(operation: Operation) -> Iterator[str]:
    """The problem of a decorator that hides what the view in it declares."""
    view_callable = operation.view_callable
    function, advice = find_hidden_view(view_callable.function) or (None, "")
    if function is None:
        return
    signature = signature_of(function)
    if signature.return_annotation is not EMPTY or any(
        item.annotation is not EMPTY or find_special(t.Any, item.default) is not None
        for item in signature.parameters.values()
    ):
        yield (
            f"{view_callable.name} hides the signature of {function.__name__}(), which"
            f" is not read. {advice}"
        )


def _find_missing(registration: Registration, operation: Operation) -> list[str]:
    """The variables of the URL that no argument of a view takes, if that is a mistake.

    Flask would call the view with arguments that it does not have. None is missing
    where something else may take them: ``**kwargs``, a decorator, a class, or a
    preprocessor or a function that runs before the request, also one that is registered
    later. The error is deferred to ``init_app()``.

    :raises SignatureError: if there is one and ``init_app()`` was called.
    """
    registry, view_callable = registration.registry, operation.view_callable
    is_taken = view_callable.wrapped or view_callable.view_class is not None
    if is_taken or takes_any_keyword(view_callable):
        return []
    taken = {*view_callable.signature.parameters}
    if operation.dependencies is not None:
        taken.update(operation.dependencies.variables())
    for argument in operation.signature.arguments:
        if argument.location is Location.PATH:
            taken.add(path_name(argument))
    missing = sorted(registration.provided - taken)
    endpoint = operation.route.endpoint
    if not missing or may_take_variables(registration.app, endpoint):
        return []
    problem = registration.missing_problem(missing[0])
    error = SignatureError(registration.locate(problem))
    if registry.initialized:
        raise error
    registry.deferred_errors.append((endpoint, error))
    return missing


#: The methods of a route without a form. To the last of them, Flask responds.
NO_FORM: t.Final = frozenset({"GET", "HEAD", "OPTIONS"})


#: A variable as OpenAPI and other frameworks write it: ``{name}``, ``{name:path}``.
BRACES: t.Final = re.compile(r"\{([a-zA-Z_]\w*)(?::(\w+))?\}", re.ASCII)


def check_same_models(registration: Registration, operation: Operation) -> None:
    """Refuse a rule whose values would be filtered otherwise than by its endpoint.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    earlier, function = registration.same, registration.view_callable.function
    if earlier is None or earlier.view_callable.function is not function:
        return
    new, old = operation.outbound, earlier.outbound
    for code in (None, *range(200, 600)):
        known, made = old.compile_row(code).serializer, new.compile_row(code).serializer
        if known is not None and not known.is_same(made):
            shown = code or new.status
            why = f"which has a model of status {shown} that can't be changed"
            raise registration.conflict(why)


def check_methods(registration: Registration) -> None:
    """Refuse methods with requirements of their own that a class chooses from.

    :raises SignatureError: if there are some that differ.
    """
    view_class = getattr(registration.view, "view_class", None)
    if not isinstance(view_class, type) or not chooses(view_class):
        return
    methods = sorted(getattr(view_class, "methods", None) or ())
    found = [unwrap_view(registration.view, method) for method in methods]
    required = [
        {name: options_of(item).get(name) for name in ("security", "dependencies")}
        for item in found
    ]
    if any(item != required[0] for item in required):
        rule = f"{', '.join(methods)} {show_rule(registration.route.rule)}"
        problem = (
            f"the methods of {view_class.__name__} differ in security= or"
            " dependencies=, but its dispatch_request() chooses which of them is"
            " called. Give the requirement to the route, or write two classes."
        )
        raise SignatureError(locate(rule, problem, found[0]))


def _install_view(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask the function for all the rules of the endpoint.

    If Flask has a function for the view already, the new one replaces it first, since
    Flask compares the two. Any other function stays, and Flask refuses the rule.
    """
    app, route, view = registration.app, registration.route, registration.view
    operations, functions = registration.registry.operations, app.view_functions
    name = route.endpoint
    known, held = operations.endpoints.get(name), functions.get(name)
    if known is None or known.view != view:
        known = Endpoint(view)
    is_ours = held is not None and (known.has(held) or held == view)
    earlier = known.operations if is_ours else ()
    every = (*earlier, *compiled.values())
    function = _make(registration, every)
    if is_ours:
        functions[name] = function
    before = {id(rule) for rule in rules_of(app, name)}
    try:
        add(function)
    except BaseException:
        if held is not None:
            functions[name] = held
        raise
    rules = [rule for rule in rules_of(app, name) if id(rule) not in before]
    if not rules and name not in functions:
        # The application has not added the rule, or has given it another endpoint.
        return
    made, added = [function], _compile_changed(registration, compiled, rules)
    if [found for found, _ in added] != [compiled]:
        every = (*earlier, *(x for found, _ in added for x in found.values()))
        made.append(_make(registration, every))
        if functions.get(name) is function:
            functions[name] = made[-1]
    endpoint = Endpoint(view, (*known.functions, *made), every)
    for found, rules in added:
        operations.add(name, endpoint, found, rules=rules)


def _make(registration: Registration, operations: Sequence[Operation]) -> ViewFunction:
    """The function for some operations, which Flask need not ask whether it awaits."""
    function = dispatch_view(registration, operations)
    is_plain = isinstance(function, (FunctionType, MethodType))
    if is_made(function) or (is_plain and not iscoroutinefunction(function)):
        registration.registry.operations.synchronous.add(function)
    return function


def _compile_changed(
    registration: Registration, compiled: Compiled, rules: Sequence[Rule]
) -> list[tuple[Compiled, list[Rule]]]:
    """The operations with their rules, also of those that an application has changed.

    It may make another rule of the one that it was given, or several.
    """
    route = registration.route
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.rule, []).append(rule)
    added = [(compiled, found.pop(route.rule, []))]
    for text, changed in found.items():
        made = replace(registration, route=replace(route, rule=text))
        added.append((compile_registration(made), changed))
    return added if added[0][1] or not rules else added[1:]
