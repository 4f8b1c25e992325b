"""The operations of a registration, one for each method.

A :class:`Registration` goes in, operations that are ready to run and to be described
come out; the installation of a route calls it.
"""

from __future__ import annotations

import typing as t

from .._inbound.compile import compile_inbound
from .._outbound.compile import compile_outbound
from .._outbound.failure import ViewReporter
from .._routing.path_template import read_rule
from .._signature.reader import read_signature
from .._signature.source import locate
from .._signature.unwrap import unwrap_view
from ..exceptions import SignatureError
from .asynchronous import check_asynchronous
from .checks import check_same_models
from .checks import find_early_reading
from .checks import find_missing
from .checks import unread_problem
from .checks import warn_of_missing
from .decorators import Routes
from .operation import Operation
from .registry import has_preprocessor
from .target import Target
from .view_functions import ViewComposer

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from .operation import ViewFunction
    from .registration import Registration

#: The operations of a route by their methods. That of GET may run for HEAD, too.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if one can't be compiled, or if it can't be told what was
        declared for a method.
    """
    route, view = registration.route, registration.view
    wrappers = registration.wrappers
    compiled = {}
    for method in _methods(route, view):
        view_callable = unwrap_view(view, method)
        earlier = registration.find_earlier(method, view_callable)
        if earlier is None and registration.installed is not None:
            continue
        compiled[method] = operation = compile_operation(
            registration,
            method=method,
            view_callable=view_callable.within(wrappers) if wrappers else view_callable,
            earlier=earlier,
            inside=earlier if wrappers else None,
        )
        if earlier and earlier.view_callable.function is view_callable.function:
            check_same_models(registration, operation, earlier)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. The operation of GET also runs for HEAD.

    A class may have a method of its own for HEAD, which comes with GET.
    """
    if "GET" not in route.methods:
        return sorted(route.methods)
    has_head = hasattr(getattr(view, "view_class", None), "head")
    return sorted(route.methods | {"HEAD"} if has_head else route.methods - {"HEAD"})


def compile_operation(
    registration: Registration,
    *,
    method: str,
    view_callable: ViewCallable,
    earlier: Operation | None,
    inside: Operation | None,
) -> Operation:
    """One method of one route.

    :param earlier: the operation compiled before, if a function is registered again.
    :param inside: the same, if what is registered is a wrapper that calls it.
    :raises SignatureError: if it can't be compiled, with its location and the remedy.
    """
    declaration = registration.declare(earlier)
    template = _read_template(registration, method, view_callable)
    target = Target(registration, method, view_callable, template, declaration)
    try:
        signature, inbound, outbound = _compile_plans(target)
    except SignatureError as error:
        raise SignatureError(target.locate(str(error))) from error
    wrapping: list[Operation] = []
    composer = ViewComposer.of(target, inbound, outbound, wrapping=wrapping)
    undecorated = _compose(composer, signature, inside=inside)
    return Operation(
        method=method,
        route=registration.route,
        template=template,
        view_callable=view_callable,
        declaration=declaration,
        signature=signature,
        inbound=inbound,
        outbound=outbound,
        undecorated=undecorated,
        view_function=composer.decorate(undecorated, inside),
        around_method=composer.around_method(undecorated),
        decorated=composer.decorated,
        wrapping=inside.wrapping if inside else wrapping,
        scopes=(earlier.scopes if earlier else frozenset()) | {*registration.scopes},
    )


def _compose(
    composer: ViewComposer, signature: Signature, *, inside: Operation | None
) -> ViewFunction:
    """The function that runs an operation, without its decorators.

    :raises SignatureError: if the function inside of a wrapper can't become that.
    """
    target = composer.target
    if problem := find_early_reading(composer):
        target.warn(problem)
    view, function = target.registration.view, composer.compose()
    if inside and function is not view and inside.undecorated is view:
        raise SignatureError(target.locate(unread_problem(target.view_callable)))
    missing = find_missing(target, signature)
    return warn_of_missing(target, function, missing) if missing else function


def _read_template(
    registration: Registration, method: str, view_callable: ViewCallable
) -> PathTemplate:
    route = registration.route
    try:
        return read_rule(
            route.rule,
            route.domain,
            url_map=registration.app.url_map,
            known=registration.registry.converters,
        )
    except SignatureError as error:
        message = locate(f"{method} {route.rule}", str(error), view_callable)
        raise SignatureError(message) from error


def _compile_plans(target: Target) -> tuple[Signature, InboundPlan, OutboundPlan]:
    """The signature of a view and its plans."""
    registration = target.registration
    app, registry = registration.app, registration.registry
    check_asynchronous(app, registration.view, target.view_callable)
    signature = read_signature(
        target.view_callable,
        method=target.method,
        provided=target.provided,
        namespace=registration.namespace,
        registered="blueprint" if "." in registration.route.endpoint else "route",
    )
    inbound = compile_inbound(
        signature,
        target.template,
        method=target.method,
        provided=target.provided,
        is_preprocessed=has_preprocessor(app, registration.route.endpoint),
        refuse=registry.refuse,
    )
    outbound = compile_outbound(
        signature,
        method=target.method,
        declaration=target.declaration,
        reporter=ViewReporter(app, target.view_callable.name, target.rule),
        validates=registry.validates_responses,
        defers_status=isinstance(app, Routes),
        warn=target.warn,
    )
    return signature, inbound, outbound
