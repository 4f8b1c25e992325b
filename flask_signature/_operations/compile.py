"""The operations of a registration, one for each method.

A :class:`Registration` goes in, operations that are ready to run and to be described
come out; the installation of a route calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from functools import partial

from .._dependencies.compile import compile_dependencies
from .._dependencies.declared import Declared
from .._inbound.compile import compile_inbound
from .._outbound.compile import compile_outbound
from .._outbound.failure import ViewReporter
from .._sentinel import UNSET
from .._signature.reader import read_signature
from .._signature.unwrap import takes_any_keyword
from ..exceptions import SignatureError
from .checks import check_asynchronous
from .checks import check_same_models
from .checks import check_view
from .checks import runs_coroutines
from .decorators import Routes
from .dependency_checks import check_dependencies
from .dependency_checks import check_methods
from .method_options import check_names
from .method_options import options_of
from .operation import Operation
from .registry import has_preprocessor
from .requirements import requirement_of
from .requirements import whole_requirement
from .security_names import check_schemes_of
from .view_functions import Plans
from .view_functions import ViewComposer

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._dependencies.compile import KnownNames
    from .._dependencies.operation import OperationDependencies
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._routing.route import Route
    from .._signature.argument import Signature
    from ..security import Requirement
    from .operation import ViewFunction
    from .registration import Registration
    from .registration import Target

#: The operations of a route by their methods. That of GET may run for HEAD, too.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


def compile_registration(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if one can't be compiled, or if it can't be told what was
        declared for a method.
    """
    check_names(registration.view)
    compiled = {}
    for method in _methods(registration.route, registration.view):
        target = registration.find_target(method)
        if target is None:
            continue
        compiled[method] = operation = compile_operation(target)
        earlier, function = target.earlier, target.view_callable.function
        if earlier and earlier.view_callable.function is function:
            check_same_models(registration, operation, earlier)
    check_methods(registration)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. The operation of GET also runs for HEAD.

    A class may have a method of its own for HEAD, which comes with GET.
    """
    if "GET" not in route.methods:
        return sorted(route.methods)
    has_head = hasattr(getattr(view, "view_class", None), "head")
    return sorted(route.methods | {"HEAD"} if has_head else route.methods - {"HEAD"})


def compile_operation(target: Target) -> Operation:
    """One method of one route.

    :raises SignatureError: if it can't be compiled, with its location and the remedy.
    """
    registration, earlier = target.registration, target.earlier
    declared = target.declaration.security is not UNSET
    try:
        if declared:
            check_schemes_of(target)
        is_required = declared or registration.registry.has_default(registration.app)
        requirement = requirement_of(target) if is_required else None
        plans = _compile_plans(target, requirement)
        whole = None
        if declared or plans.dependencies:
            whole = whole_requirement(target, requirement, plans.dependencies)
            registration.registry.schemes.add([whole] if whole is not None else ())
    except SignatureError as error:
        raise SignatureError(target.locate(str(error))) from error.__cause__
    signature, inbound, outbound, dependencies = plans
    composer = ViewComposer.of(target, plans)
    functions = composer.compose(check_view(composer, signature))
    return Operation(
        method=target.method,
        route=registration.route,
        template=target.template,
        view_callable=target.view_callable,
        declaration=target.declaration,
        signature=signature,
        inbound=inbound,
        inbound_plans=tuple(dependencies.inbound.plans) if dependencies else (inbound,),
        dependencies=dependencies,
        requirement=whole,
        outbound=outbound,
        undecorated=functions.undecorated,
        view_function=functions.decorated,
        around_method=functions.around_method,
        wrapping=composer.inside.wrapping if composer.inside else composer.wrapping,
        scopes=(earlier.scopes if earlier else frozenset()) | {*registration.scopes},
    )


def _compile_plans(target: Target, requirement: Requirement[t.Any] | None) -> Plans:
    """The signature of a view and its plans.

    :param requirement: who may call the view, ``None`` where nothing says it.
    """
    registration, view_callable = target.registration, target.view_callable
    check_asynchronous(target)
    signature = read_signature(
        view_callable,
        method=target.method,
        provided=target.provided,
        namespace=registration.namespace,
        registered="blueprint" if "." in registration.route.endpoint else "route",
        is_decorated=bool(target.declaration.decorators),
    )
    compile_arguments = partial(_compile_inbound, target)
    dependencies = compile_dependencies(
        signature, _declared_for(target, requirement), compile_arguments
    )
    if dependencies is None:
        inbound = compile_arguments(signature, {})
    else:
        inbound = dependencies.inbound.own
    outbound = _compile_outbound(target, signature, dependencies)
    plans = Plans(signature, inbound, outbound, dependencies)
    if dependencies is not None:
        check_dependencies(target, plans, dependencies)
    return plans


def _declared_for(target: Target, requirement: Requirement[t.Any] | None) -> Declared:
    registration, view_callable = target.registration, target.view_callable
    return Declared(
        registration.app,
        registration.route.endpoint,
        guards=target.declaration.dependencies,
        requirement=requirement,
        parameters=view_callable.signature.parameters.keys(),
        takes_more=takes_any_keyword(view_callable),
        provided=target.provided,
        namespace=registration.namespace,
        overrides=(
            registration.registry.overrides if registration.compiles_all else None
        ),
        runs_coroutines=partial(runs_coroutines, registration.app),
    )


def _compile_inbound(
    target: Target, signature: Signature, known: KnownNames
) -> InboundPlan:
    registration = target.registration
    return compile_inbound(
        signature,
        template=target.template,
        method=target.method,
        provided=target.provided,
        is_preprocessed=has_preprocessor(registration.app, registration.route.endpoint),
        refuse=registration.registry.refuse,
        needs_content_type=registration.registry.needs_content_type,
        known=known,
    )


def _compile_outbound(
    target: Target,
    signature: Signature,
    dependencies: OperationDependencies | None,
) -> OutboundPlan:
    app, view_callable = target.registration.app, target.view_callable
    declaration = target.declaration
    if dependencies is not None and (responses := dependencies.responses):
        responses = {**responses, **declaration.responses}
        declaration = replace(declaration, responses=responses)
    return compile_outbound(
        signature,
        method=target.method,
        declaration=declaration,
        route_statuses={
            *target.registration.route.declaration.responses,
            *options_of(view_callable).get("responses", ()),
        },
        reporter=ViewReporter(
            app, view_callable.name, target.rule, view_callable.function
        ),
        validates=target.registration.registry.validates_responses,
        standard=target.registration.registry.standard_error,
        defers_status=isinstance(app, Routes),
        warn=target.warn,
    )
