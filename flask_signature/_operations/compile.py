"""The operations of a registration, one for each method.

A :class:`Registration` goes in, operations that are ready to run and to be described
come out; the installation of a route calls it.
"""

from __future__ import annotations

import typing as t
import warnings

from .._inbound.compile import compile_inbound
from .._inbound.path import find_missing_argument
from .._inbound.path import fit_path
from .._outbound.compile import compile_outbound
from .._outbound.compile import find_unused_models
from .._outbound.failure import ViewReporter
from .._routing.path_template import read_rule
from .._signature.reader import read_signature
from .._signature.source import locate
from .._signature.unwrap import unwrap_view
from ..exceptions import SignatureError
from ..exceptions import SignatureWarning
from .operation import Operation
from .registration import CHANGED
from .registry import has_preprocessor
from .view_functions import compose_view

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from .operation import ViewFunction
    from .registration import Registration
    from .registry import Registry

#: The operations of a route by their methods. GET may stand for HEAD, too.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if one can't be compiled, or if it can't be told what was
        declared for a method.
    """
    route, view = registration.route, registration.view
    wrappers = registration.wrappers()
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
            _check_same_models(registration, operation, earlier)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. The operation of GET also runs for HEAD."""
    has_head = hasattr(getattr(view, "view_class", None), "head")
    is_get_again = "GET" in route.methods and not has_head
    return sorted(route.methods - {"HEAD"} if is_get_again else route.methods)


def compile_operation(
    registration: Registration,
    *,
    method: str,
    view_callable: ViewCallable,
    earlier: Operation | None,
    inside: Operation | None,
) -> Operation:
    """One method of one route.

    :param earlier: the operation of a function that is registered again.
    :param inside: the same, where that function is called by a wrapper.
    :raises SignatureError: if it can't be compiled, with its location and the remedy.
    """
    declaration = registration.declare(earlier)
    template = _read_template(registration, method, view_callable)
    rule = f"{method} {template.path}"
    try:
        signature, inbound = _compile_inbound(
            registration, template, method=method, view_callable=view_callable
        )
        outbound, responses = compile_outbound(
            signature,
            method=method,
            declaration=declaration,
            reporter=ViewReporter(registration.app, view_callable.name, rule),
            validates=_validation(registration.registry, declaration),
        )
    except SignatureError as error:
        raise SignatureError(locate(rule, str(error), view_callable)) from error
    provided = {*template.variables, *registration.route.provided}
    if missing := find_missing_argument(view_callable, signature, template, provided):
        _refuse_or_defer(
            registration, locate(rule, missing, view_callable), view_callable
        )
    for problem in find_unused_models(declaration, signature, outbound):
        _warn(locate(rule, problem, view_callable), view_callable.function)
    own_wrapping: list[Operation] = []
    undecorated = _compose(registration, inbound, outbound, wrapping=own_wrapping)
    if inside is None:
        view_function, wrapping = declaration.decorate(undecorated), own_wrapping
    else:
        if undecorated is not registration.view is inside.undecorated:
            raise SignatureError(locate(rule, _unread(view_callable), view_callable))
        view_function, wrapping = inside.view_function, inside.wrapping
    return Operation(
        method=method,
        route=registration.route,
        template=template,
        view_callable=view_callable,
        declaration=declaration,
        signature=signature,
        inbound=inbound,
        outbound=outbound,
        responses=responses,
        undecorated=undecorated,
        view_function=view_function,
        wrapping=wrapping,
        scopes=(earlier.scopes if earlier else frozenset()) | {*registration.scopes},
    )


def _read_template(
    registration: Registration, method: str, view_callable: ViewCallable
) -> PathTemplate:
    route = registration.route
    try:
        return read_rule(route.rule, route.domain, registration.app.url_map.converters)
    except SignatureError as error:
        message = locate(f"{method} {route.rule}", str(error), view_callable)
        raise SignatureError(message) from error


def _compile_inbound(
    registration: Registration,
    template: PathTemplate,
    *,
    method: str,
    view_callable: ViewCallable,
) -> tuple[Signature, InboundPlan]:
    """The signature of a view, and the plan that reads its arguments."""
    route = registration.route
    signature = read_signature(
        view_callable,
        method=method,
        provided={*template.variables, *route.provided},
        namespace=registration.namespace,
        registered="blueprint" if "." in route.endpoint else "route",
    )
    signature, provided_types = fit_path(signature, template)
    inbound = compile_inbound(
        signature,
        method=method,
        provided_types=provided_types,
        refuse=registration.registry.refuse,
    )
    return signature, inbound


def _compose(
    registration: Registration,
    inbound: InboundPlan,
    outbound: OutboundPlan,
    *,
    wrapping: Sequence[Operation],
) -> ViewFunction:
    return compose_view(
        registration.app,
        registration.registry,
        registration.view,
        inbound=inbound,
        outbound=outbound,
        wrapping=wrapping,
    )


def _refuse_or_defer(
    registration: Registration, problem: str, view_callable: ViewCallable
) -> None:
    """Refuse a view that lacks an argument for a variable of its URL.

    A preprocessor may remove the variable. Those of a blueprint are known by now, an
    application may get one after its routes: the error of a view without any argument,
    which suggests that, is deferred to ``init_app()``.

    :raises SignatureError: if there is no preprocessor, and none is to be expected.
    """
    registry, endpoint = registration.registry, registration.route.endpoint
    if has_preprocessor(registration.app, endpoint):
        return
    error = SignatureError(problem)
    if "." in endpoint or registry.initialized or view_callable.signature.parameters:
        raise error
    registry.deferred_errors.defer_error(endpoint, error)


def _warn(message: str, function: ViewFunction) -> None:
    """Warn of a view where it is defined, which is where its author looks."""
    warning = SignatureWarning(message)
    code = getattr(function, "__code__", None)
    if code is None:
        warnings.warn(warning, stacklevel=2)
    else:
        warnings.warn_explicit(
            warning, SignatureWarning, code.co_filename, code.co_firstlineno
        )


def _validation(registry: Registry, declaration: Declaration) -> Callable[[], bool]:
    decided = declaration.validate_response
    return registry.validates_responses if decided is None else lambda: bool(decided)


def _unread(view_callable: ViewCallable) -> str:
    """The problem of a wrapper around a view that Flask has as it is."""
    return (
        f"{view_callable.name} is registered in a wrapper around the function that"
        " stands for it, which reads nothing from a request, but has to under this"
        " rule. Register the view itself, with the options of this rule."
    )


def _check_same_models(
    registration: Registration, operation: Operation, earlier: Operation
) -> None:
    """Refuse a function whose values would be filtered otherwise than before.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    new, old = operation.outbound, earlier.outbound
    statuses = [(code, code) for code in range(200, 600)]
    for before, after in ((old.status, new.status), *statuses):
        known, serializer = old.serializer_of(before), new.serializer_of(after)
        if known is not None and not known.is_same(serializer):
            why = CHANGED.format(f"the model of status {after}")
            raise registration.conflict(operation.method, earlier.view_callable, why)
