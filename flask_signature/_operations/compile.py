"""The operations of a registration, one for each method.

A :class:`Registration` goes in, operations that are ready to run and to be described
come out; the installation of a route calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from functools import partial

from .._dependencies.compile import compile_dependencies
from .._dependencies.operation import Declared
from .._inbound.compile import compile_inbound
from .._once import name_set
from .._outbound.compile import compile_outbound
from .._outbound.failure import ViewReporter
from .._sentinel import UNSET
from .._signature.reader import read_signature
from .._signature.unwrap import takes_any_keyword
from ..exceptions import SignatureError
from .checks import check_asynchronous, check_same_models, check_view, runs_coroutines
from .decorators import Routes
from .dependency_checks import check_dependencies, check_methods
from .method_options import check_method_names, options_of
from .operation import Operation
from .registry import has_preprocessor
from .requirements import find_requirement, whole_requirement
from .view_functions import Plans, ViewComposer

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._dependencies.operation import OperationDependencies
    from .._inbound.parts import KnownNames
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._signature.argument import Signature
    from ..security import Requirement
    from .registration import Registration, Target

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
        target = registration.find_target(method)
        compiled[method] = compile_operation(target)
        check_same_models(target, compiled[method])
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


def compile_operation(target: Target) -> Operation:
    """One method of one route.

    :raises SignatureError: if it can't be compiled, with its location and the remedy.
    """
    registration = target.registration
    declared = target.declaration.security is not UNSET
    try:
        requirement = find_requirement(
            registration.app,
            target.declaration,
            shown=f"security= of {target.view_callable.name}",
        )
        plans = _compile_method_plans(target, requirement)
        whole = None
        if declared or plans.dependencies:
            whole = whole_requirement(target, requirement, plans.dependencies)
            if whole is not None:
                registration.registry.schemes.add(whole)
    except SignatureError as error:
        raise SignatureError(target.locate(str(error))) from error.__cause__
    signature, inbound, outbound, dependencies = plans
    composer = ViewComposer.of(target, plans)
    missing = check_view(composer, signature)
    function, around_method = composer.compose(missing)
    return Operation(
        method=target.method,
        route=registration.route,
        template=target.template,
        view_callable=target.view_callable,
        declaration=target.declaration,
        signature=signature,
        inbound=inbound,
        dependencies=dependencies,
        requirement=whole,
        outbound=outbound,
        view_function=function,
        call=None if missing else composer.direct_call(),
        around_method=around_method,
        scopes=name_set(registration.scopes),
    )


def _compile_method_plans(
    target: Target, requirement: Requirement[t.Any] | None
) -> Plans:
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
            registration.registry.overrides
            if isinstance(registration.app, Routes)
            else None
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
        standard=target.registration.registry.standard_error,
        defers_status=isinstance(app, Routes),
        warn=target.warn,
    )
