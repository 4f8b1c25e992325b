"""The outbound plan of a view: its model, its declared responses, its stream.

A declaration and a signature go in, an :class:`OutboundPlan` comes out; the compilation
of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace

from .._http.json import JSON
from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._types.annotations import members, show_type
from .._types.shapes import Shape, items_of, shape_of
from .._types.strings import string_types
from ..exceptions import SignatureError
from .annotation import Returns, may_be_stream, read_returns
from .content import Content, compile_content
from .declared import STANDARD, DeclaredResponse, check_ambiguous, read_responses
from .examples import check_declared
from .named_fields import NamedFields
from .plan import OutboundPlan
from .status import content_type_of, has_content, is_success, is_success_key
from .status_plan import annotated_responses
from .statuses import read_statuses, with_statuses
from .stream_format import STREAM_TYPES, has_events

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._signature.argument import Signature
    from .failure import ViewReporter
    from .serializer import ResponseSerializer

#: The status of success by method. Source: RFC 9110, 15.3; DELETE has no content.
SUCCESS: t.Final = {
    "GET": 200,
    "HEAD": 200,
    "POST": 201,
    "PUT": 201,
    "DELETE": 204,
    "CONNECT": 200,
    "OPTIONS": 200,
    "TRACE": 200,
    "PATCH": 200,
}


def success_status(app: Flask, method: str, declaration: Declaration) -> int:
    """The status of a success: ``status_code=``, that of the method, Flask's.

    :raises SignatureError: if ``status_code=`` is no status.
    """
    given: t.Any = declaration.status_code
    if given is None:
        return SUCCESS.get(method, app.response_class.default_status)
    if not isinstance(given, int) or given is True or not 100 <= given <= 599:
        raise SignatureError(
            f"status_code={given!r} is no HTTP status. Use 100 to 599."
        )
    return int(given)


def compile_outbound(
    signature: Signature,
    *,
    method: str,
    declaration: Declaration,
    route_statuses: Collection[int | str],
    reporter: ViewReporter,
    standard: Callable[[], tuple[ResponseSerializer, str]],
    defers_status: bool,
    warn: Callable[[str], None],
) -> OutboundPlan:
    """The plan for what a view returns.

    :param route_statuses: those of which ``responses=`` of the route says something.
    :param standard: returns the serializer of an error and its content type.
    :param defers_status: whether the application gives the default status.
    :param warn: called with the problem of a model that is never used.
    :raises SignatureError: if a model can't be serialized or an option can't be used.
    """
    annotated = read_statuses(signature, declaration)
    content = _compile_declared(declaration, annotated.bare, reporter)
    plan = _compile_plan(
        content if defers_status else replace(content, containers=None),
        declaration,
        reporter,
        status=success_status(reporter.app, method, declaration),
        annotation=annotated.bare,
        standard=standard,
        defers_status=defers_status,
    )
    check_ambiguous(reporter.view, content.returns, plan.responses)
    _warn_of_unused(declaration, signature, plan, warn=warn)
    plan = with_statuses(plan, annotated, declaration, route_statuses=route_statuses)
    _check_media_type(plan, declaration, signature)
    check_declared(plan)
    _check_named_fields(plan, declaration)
    return plan


def _compile_plan(
    content: Content,
    declaration: Declaration,
    reporter: ViewReporter,
    *,
    status: int,
    annotation: t.Any,
    standard: Callable[[], tuple[ResponseSerializer, str]],
    defers_status: bool,
) -> OutboundPlan:
    """The plan for what a view returns without a status.

    :raises SignatureError: if ``responses=`` can't be read.
    """
    responses = read_responses(declaration)
    default = reporter.app.response_class.default_status
    completes = status != default or content.returns.returns_none
    is_changed = _changes_response(declaration, content, responses)
    return OutboundPlan(
        **content.of_plan,
        app=reporter.app,
        reporter=reporter,
        status=status,
        annotation=annotation,
        statuses={code: item.serializer for code, item in responses.items()},
        responses=responses,
        disabled=declaration.response_model is None,
        standard=standard,
        media_type=declaration.media_type,
        content_type=content_type_of(declaration.media_type or JSON, "utf-8"),
        etag=declaration.etag,
        is_noop=not is_changed and (defers_status or not completes),
        defers_status=defers_status,
        completes=completes or content.containers is not None,
    )


def _changes_response(
    declaration: Declaration,
    content: Content,
    responses: Mapping[int | str, DeclaredResponse],
) -> bool:
    """Whether a response is another than Flask would make, the status aside."""
    has_model = content.returns.model is not EMPTY or content.stream is not None
    has_media_type = declaration.media_type is not None
    declares_model = any(x.serializer or x is STANDARD for x in responses.values())
    return has_model or has_media_type or declares_model or declaration.etag


def _compile_declared(
    declaration: Declaration, annotation: t.Any, reporter: ViewReporter
) -> Content:
    """The content of what a view returns without a status.

    :raises SignatureError: if the model can't be read, or can't be serialized.
    """
    returns = _choose_model(declaration, annotation)
    is_annotated = declaration.response_model is UNSET
    return compile_content(returns, declaration, reporter, is_annotated=is_annotated)


def _choose_model(declaration: Declaration, annotation: t.Any) -> Returns:
    """What a view returns, by its annotation and by ``response_model=``, which wins."""
    model = declaration.response_model
    if model is None:
        return Returns()
    returns = read_returns(annotation)
    if model is UNSET:
        return returns
    streamed = read_returns(model)
    if streamed.item is not EMPTY and (
        declaration.media_type in STREAM_TYPES or has_events(streamed.item)
    ):
        return streamed
    # A string type that the model names is one of its members.
    own = [
        kind
        for tp in members(model)
        for kind in string_types(tp) or (t.get_origin(tp) or tp,)
    ]
    passthrough = tuple(tp for tp in returns.passthrough if tp not in own)
    return replace(
        returns, model=model, passthrough=passthrough, item=EMPTY, returns_none=False
    )


def _check_media_type(
    plan: OutboundPlan, declaration: Declaration, signature: Signature
) -> None:
    """Refuse the content type of a stream where no success is one.

    :raises SignatureError: if JSON would be sent with it.
    """
    given = declaration.response_model
    if declaration.media_type not in STREAM_TYPES or may_be_stream(
        signature.returns if given is UNSET else given
    ):
        return
    named = annotated_responses(plan).items()
    for own in (plan, *(item.plan for status, item in named if is_success(status))):
        # What passes beside the model may be written as the content type says.
        if own.serializer is not None and not own.passthrough:
            model = own.serializer.model
            lists = [tp for tp in members(model) if shape_of(tp) is Shape.LIST]
            item = show_type(items_of(lists) if lists else model)
            raise SignatureError(
                f"{signature.view} returns {show_type(model)!r}, which is sent as JSON,"
                f" but declares media_type={declaration.media_type!r}, which is that of"
                f" a stream. Yield the items, and annotate it 'Iterator[{item}]', or"
                " remove media_type=."
            )


def _check_named_fields(plan: OutboundPlan, declaration: Declaration) -> None:
    """Refuse a name of a field that can't be there, which would hide nothing.

    :raises SignatureError: if there is one.
    """
    named = annotated_responses(plan).items()
    plans = [plan, *(item.plan for status, item in named if is_success(status))]
    found = [x.serializer for x in plans]
    found += [one for x in plans if x.stream for one in x.stream.serializers]
    found += [one for key, one in plan.statuses.items() if is_success_key(key)]
    schemas = [x.adapter.core_schema for x in found if x is not None]
    for option, value in declaration.named_fields.items():
        what = f"response_model_{option}= of {plan.reporter.view}"
        if not (schemas or plan.returns_none):
            raise SignatureError(
                f"{what} has no response model to choose from. Annotate the view with"
                " one, or remove the option."
            )
        if schemas and (problem := NamedFields(option, value, schemas).find_misnamed()):
            raise SignatureError(f"{what} names {problem}")


def _warn_of_unused(
    declaration: Declaration,
    signature: Signature,
    plan: OutboundPlan,
    *,
    warn: Callable[[str], None],
) -> None:
    """Warn of each model that is never used, which is no error.

    It can't be resolved, or is that of a status whose responses have no content.
    """
    if signature.unresolved and declaration.response_model is UNSET:
        warn(f"{signature.unresolved} Until then it is no response model.")
    usual = plan.serializer
    is_sent = usual is None or has_content(plan.status)
    if usual and not (is_sent or read_returns(plan.annotation).names_status):
        verb = "has" if declaration.status_code is None else "declares"
        warn(
            f"{signature.view} {verb} status {plan.status} and returns"
            f" {show_type(usual.model)!r}, but a {plan.status} response has no content."
            " Return None, or declare another status with status_code=."
        )
    for status, serializer in plan.statuses.items():
        if serializer and isinstance(status, int) and not has_content(status):
            warn(
                f"responses= has the model {show_type(serializer.model)!r} for status"
                f" {status}, but a {status} response has no content. Declare None or a"
                " description instead."
            )
