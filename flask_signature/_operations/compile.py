"""The operations of a registration, one for each method.

A :class:`Registration` goes in, operations that are ready to run and to be described
come out; the installation of a route calls it.
"""

from __future__ import annotations

import typing as t
import warnings

from .._inbound.compile import compile_inbound
from .._inbound.path import fit_path
from .._inbound.path import missing_argument_problem
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

    from .._inbound.plan import InboundPlan
    from .._outbound.declared import DeclaredResponse
    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from .operation import ViewFunction
    from .registration import Registration
    from .registry import Registry

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
            _check_same_models(registration, operation, earlier)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. The operation of GET also runs for HEAD."""
    has_head = hasattr(getattr(view, "view_class", None), "head")
    get_runs_for_head = "GET" in route.methods and not has_head
    return sorted(route.methods - {"HEAD"} if get_runs_for_head else route.methods)


class _Target(t.NamedTuple):
    """One method of a registration, with its rule read."""

    registration: Registration
    method: str
    view_callable: ViewCallable
    template: PathTemplate
    declaration: Declaration

    @property
    def rule(self) -> str:
        """The method and the path: ``"GET /users/{user_id}"``."""
        return f"{self.method} {self.template.path}"

    @property
    def provided(self) -> set[str]:
        """The names that the URL provides: variables and defaults."""
        return {*self.template.variables, *self.registration.route.provided}

    def locate(self, problem: str) -> str:
        """A problem with the rule and the place of the view."""
        return locate(self.rule, problem, self.view_callable)


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
    target = _Target(registration, method, view_callable, template, declaration)
    try:
        signature, inbound, outbound, responses = _compile_plans(target)
    except SignatureError as error:
        raise SignatureError(target.locate(str(error))) from error
    _check_variables(target, signature)
    for problem in find_unused_models(declaration, signature, outbound):
        _warn(target.locate(problem), view_callable.function)
    wrapping: list[Operation] = []
    undecorated = compose_view(registration, inbound, outbound, wrapping=wrapping)
    reads = undecorated is not registration.view
    if inside and reads and inside.undecorated is registration.view:
        raise SignatureError(target.locate(_unread(view_callable)))
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
        view_function=(
            inside.view_function if inside else declaration.decorate(undecorated)
        ),
        wrapping=inside.wrapping if inside else wrapping,
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


def _compile_plans(
    target: _Target,
) -> tuple[Signature, InboundPlan, OutboundPlan, Mapping[int | str, DeclaredResponse]]:
    """The signature of a view and its plans, and the declared responses by status."""
    registration, declaration = target.registration, target.declaration
    app, registry = registration.app, registration.registry
    signature = read_signature(
        target.view_callable,
        method=target.method,
        provided=target.provided,
        namespace=registration.namespace,
        registered="blueprint" if "." in registration.route.endpoint else "route",
    )
    signature, provided_types = fit_path(signature, target.template)
    inbound = compile_inbound(
        signature,
        method=target.method,
        provided_types=provided_types,
        refuse=registry.refuse,
    )
    outbound, responses = compile_outbound(
        signature,
        method=target.method,
        declaration=declaration,
        reporter=ViewReporter(app, target.view_callable.name, target.rule),
        validates=_validation(registry, declaration),
    )
    return signature, inbound, outbound, responses


def _check_variables(target: _Target, signature: Signature) -> None:
    """Refuse a view that lacks an argument for a variable of its URL.

    A preprocessor may remove the variable. Those of a blueprint are known by now, an
    application may get one after its routes: the error of a view without any argument,
    which suggests that, is deferred to ``init_app()``.

    :raises SignatureError: if there is no preprocessor, and none is to be expected.
    """
    registration, view_callable = target.registration, target.view_callable
    registry, endpoint = registration.registry, registration.route.endpoint
    problem = missing_argument_problem(
        view_callable, signature, target.template, provided=target.provided
    )
    if problem is None or has_preprocessor(registration.app, endpoint):
        return
    error = SignatureError(target.locate(problem))
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
