"""The compilation of an annotation by status: ``Book | tuple[Problem, Literal[404]]``.

The members that name their status go in, an :class:`.OutboundPlan` for each of them
comes out; the compilation of an outbound plan calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import fields, replace

from .._routing.declaration import NOTHING_DECLARED
from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._types.annotations import show_type
from ..exceptions import SignatureError
from .annotation import read_returns
from .content import compile_content
from .declared import read_status
from .headers import compile_headers
from .response_tuples import AnnotatedStatuses, split_statuses, union_of
from .status import has_content, is_success
from .status_plan import AnnotatedResponse, StatusPlan

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from .._routing.declaration import Declaration
    from .._signature.argument import Signature
    from .declared import DeclaredResponse
    from .plan import OutboundPlan
    from .response_tuples import AnnotatedStatus


def read_statuses(signature: Signature, declaration: Declaration) -> AnnotatedStatuses:
    """A return annotation, by status.

    :raises SignatureError: if one is no status, or has headers of two types.
    """
    if declaration.response_model is None:
        return AnnotatedStatuses(signature.returns, {}, is_open=True)
    try:
        return split_statuses(signature.returns)
    except SignatureError as error:
        raise SignatureError(
            f"the return annotation of {signature.view} {error}"
        ) from error.__cause__


def with_statuses(
    plan: OutboundPlan,
    annotated: AnnotatedStatuses,
    declaration: Declaration,
    *,
    route_statuses: Collection[int | str],
) -> OutboundPlan:
    """A plan that knows the statuses of an annotation.

    An annotation replaces what blueprints declare for a status.

    :param plan: for the member without a status.
    :param route_statuses: those of which ``responses=`` of the route says something.
    :raises SignatureError: if a model can't be serialized, a type can't be headers, or
        an option contradicts the annotation.
    """
    if not annotated.by_status:
        return plan
    _check_options(plan, annotated, declaration)
    on_route = {*map(read_status, route_statuses)}
    responses, compiled = dict(plan.responses), dict[int, AnnotatedResponse]()
    for status, found in annotated.by_status.items():
        compiled[status] = _compile_status(plan, status, found, declaration=declaration)
        if status in on_route:
            _check_declared(compiled[status], responses[status])
        if status in responses:
            responses[status] = replace(responses[status], serializer=None)
    statuses = {key: item for key, item in plan.statuses.items() if key not in compiled}
    known = {item.name: getattr(plan, item.name) for item in fields(plan)}
    known |= {"is_noop": False, "responses": responses, "statuses": statuses}
    return StatusPlan(
        **known,
        annotated=compiled,
        has_default=annotated.bare is not EMPTY,
        is_open=annotated.is_open,
    )


def _check_options(
    plan: OutboundPlan, annotated: AnnotatedStatuses, declaration: Declaration
) -> None:
    """Refuse an option that contradicts the annotation.

    :raises SignatureError: if there is one.
    """
    statuses, view = annotated.by_status, plan.reporter.view
    shown = ", ".join(map(str, statuses))
    if annotated.bare is EMPTY and declaration.response_model is not UNSET:
        raise SignatureError(
            f"response_model= stands for what {view} returns without a status, but"
            f" each member of its annotation has one: {shown}. Remove it, and name its"
            " model in the annotation."
        )
    given = declaration.status_code
    if annotated.bare is EMPTY and given is not None and given not in statuses:
        raise SignatureError(
            f"status_code={given} is not among the statuses that {view} is annotated"
            f" with: {shown}. Remove it, or annotate it."
        )
    if plan.body_may_be_tuple:
        raise SignatureError(
            f"{view} may return {show_type(annotated.bare)!r}, which can't be told from"
            " a body with a status. Annotate it with its status as well."
        )


def _compile_status(
    plan: OutboundPlan,
    status: int,
    annotated: AnnotatedStatus,
    *,
    declaration: Declaration,
) -> AnnotatedResponse:
    """What is sent with a status; the options of the route are about success.

    :param plan: for the member without a status.
    """
    options = declaration if is_success(status) else NOTHING_DECLARED
    body = union_of(annotated.bodies)
    view = plan.reporter.view
    content = compile_content(
        read_returns(body),
        options,
        plan.reporter,
        is_annotated=True,
        has_status=True,
    )
    if content.serializer is not None and not has_content(status):
        raise SignatureError(
            f"{view} is annotated with {show_type(body)!r} for status {status}, but a"
            f" {status} response has no content. Write tuple[None, Literal[{status}]]."
        )
    headers = None
    if annotated.headers is not EMPTY:
        try:
            headers = compile_headers(annotated.headers)
        except SignatureError as error:
            message = f"the return annotation of {view} {error}"
            raise SignatureError(message) from error.__cause__
    own = replace(
        plan,
        **content.of_plan,
        status=status,
        annotation=body,
        statuses={},
        responses={},
    )
    return AnnotatedResponse(own, headers, annotated.may_have_none)


def _check_declared(known: AnnotatedResponse, declared: DeclaredResponse) -> None:
    """Refuse a model of ``responses=`` for a status that is annotated with another.

    :raises SignatureError: if there is one.
    """
    if declared.serializer is None:
        return
    own, model = known.plan, declared.serializer.model
    if own.serializer is None or own.serializer.model != model:
        raise SignatureError(
            f"{own.reporter.view} is annotated with {show_type(own.annotation)!r} for"
            f" status {own.status}, but responses= declares {show_type(model)!r}. Keep"
            " one of them."
        )
