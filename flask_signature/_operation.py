"""One method on one path: the unit that is compiled, run and described."""

from __future__ import annotations

import typing as t
import warnings
from dataclasses import dataclass

from ._inbound.compile import compile_inbound
from ._inbound.path import find_missing_argument
from ._inbound.path import fit_path
from ._outbound.compile import compile_outbound
from ._outbound.compile import find_unused_models
from ._outbound.failure import ViewReporter
from ._routing.path_template import read_rule
from ._signature.reader import read_signature
from ._signature.source import locate
from ._views import current_request
from ._views import stand_for
from ._views import synchronous
from .exceptions import SignatureError
from .exceptions import SignatureWarning

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Flask

    from ._inbound.plan import InboundPlan
    from ._outbound.compile import DeclaredResponse
    from ._outbound.plan import OutboundPlan
    from ._registry import Registry
    from ._routing.declaration import Declaration
    from ._routing.path_template import PathTemplate
    from ._routing.route import Route
    from ._signature.argument import Signature
    from ._signature.unwrap import ViewCallable
    from ._views import ViewFunction


@dataclass(frozen=True, slots=True)
class Operation:
    """One method on one path.

    :param method: in upper case.
    :param route: the rule and the endpoint it was registered with.
    :param template: the rule as OpenAPI writes it, with its converters.
    :param view_callable: the function behind the view, with its docstring.
    :param declaration: what decorator and blueprints say of it.
    :param signature: its arguments and what it returns.
    :param inbound: how a request becomes the arguments.
    :param outbound: how the return value becomes a response.
    :param responses: what is declared for statuses beside that of success.
    :param plan: the function that reads, calls and responds; the view itself, where
        there is nothing to do.
    :param run: the same inside of its decorators: the view function of the operation.
    :param others: the operations of other rules that lead to wrappers around it.
    :param scopes: the names of the blueprints whose declarations it has.
    """

    method: str
    route: Route
    template: PathTemplate
    view_callable: ViewCallable
    declaration: Declaration
    signature: Signature
    inbound: InboundPlan
    outbound: OutboundPlan
    responses: Mapping[int | str, DeclaredResponse]
    plan: ViewFunction
    run: ViewFunction
    others: list[Operation]
    scopes: frozenset[str]


def compile_operation(
    app: Flask,
    registry: Registry,
    *,
    method: str,
    route: Route,
    view: ViewFunction,
    view_callable: ViewCallable,
    declaration: Declaration,
    namespace: Mapping[str, t.Any] | None,
    scopes: frozenset[str],
    inside: Operation | None = None,
) -> Operation:
    """One method of one route, ready to run and to be described.

    :param namespace: the local names around the view, where annotations that are text
        may find the classes they name.
    :param scopes: the names of the blueprints whose declarations are in it.
    :param inside: the operation whose function is called by the view that is
        registered, a wrapper.
    :raises SignatureError: if it can't be compiled, with the place and what to write.
    """
    rule = f"{method} {route.rule}"
    try:
        template = read_rule(route.rule, route.domain, app.url_map.converters)
        rule = f"{method} {template.path}"
        provided = {*template.variables, *route.provided}
        signature = read_signature(
            view_callable,
            method=method,
            provided=provided,
            namespace=namespace,
            registered="blueprint" if "." in route.endpoint else "route",
        )
        signature, provided_types = fit_path(signature, template)
        inbound = compile_inbound(
            signature,
            method=method,
            provided_types=provided_types,
            refuse=registry.refuse,
        )
        outbound, responses = compile_outbound(
            signature,
            method=method,
            declaration=declaration,
            reporter=ViewReporter(app, view_callable.name, rule),
            validates=_validation(registry, declaration),
        )
    except SignatureError as error:
        raise SignatureError(locate(rule, str(error), view_callable)) from error
    if missing := find_missing_argument(view_callable, signature, template, provided):
        registry.doubt(app, route, view_callable, locate(rule, missing, view_callable))
    for problem in find_unused_models(declaration, signature, outbound):
        _warn(locate(rule, problem, view_callable), view_callable.function)
    others: list[Operation] = []
    plan = _compose(app, registry, view, inbound, outbound, others)
    if inside is not None:
        _refuse_to_read(rule, view_callable, view, plan, inside)
    return Operation(
        method=method,
        route=route,
        template=template,
        view_callable=view_callable,
        declaration=declaration,
        signature=signature,
        inbound=inbound,
        outbound=outbound,
        responses=responses,
        plan=plan,
        run=declaration.decorate(plan) if inside is None else inside.run,
        others=others if inside is None else inside.others,
        scopes=scopes,
    )


def _warn(message: str, function: ViewFunction) -> None:
    """Warn of a view where it is defined, which is what its author looks for."""
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


def _refuse_to_read(
    rule: str,
    view_callable: ViewCallable,
    view: ViewFunction,
    plan: ViewFunction,
    inside: Operation,
) -> None:
    """Refuse a wrapper around what hands the view to decorators as it is.

    :raises SignatureError: if there is something to read under the wrapper's rule.
    """
    if plan is not view and inside.plan is view:
        problem = (
            f"{view_callable.name} is registered in a wrapper around the function that"
            " stands for it, which reads nothing from a request, but has to under this"
            " rule. Register the view itself, with the options of this rule."
        )
        raise SignatureError(locate(rule, problem, view_callable))


def _compose(
    app: Flask,
    registry: Registry,
    view: ViewFunction,
    inbound: InboundPlan,
    outbound: OutboundPlan,
    others: list[Operation],
) -> ViewFunction:
    """The function inside of all decorators: the view, where it needs nothing."""
    if inbound.is_noop and outbound.is_noop:
        return view
    call = synchronous(app, view)
    respond = _unchanged if outbound.is_noop else outbound.respond
    return stand_for(view, _plan(app, registry, call, inbound, respond, others))


def _unchanged(value: t.Any) -> t.Any:
    return value


def _plan(
    app: Flask,
    registry: Registry,
    call: ViewFunction,
    inbound: InboundPlan,
    respond: Callable[[t.Any], t.Any],
    others: list[Operation],
) -> ViewFunction:
    """The function that reads, calls and responds.

    :param others: the operations that run instead under their rules, for most none.
    """
    read = inbound.read

    def answer(**view_args: t.Any) -> t.Any:
        if others and (other := registry.choose(current_request(), others)):
            return synchronous(app, other.plan)(**view_args)
        return respond(call(**view_args))

    def read_and_answer(**view_args: t.Any) -> t.Any:
        request = current_request()
        if others and (other := registry.choose(request, others)):
            return synchronous(app, other.plan)(**view_args)
        return respond(call(**read(request, view_args)))

    return answer if inbound.is_noop else read_and_answer
