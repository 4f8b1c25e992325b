"""The outbound plan of a view: its model, its declared responses, its stream.

A declaration and a signature go in, an :class:`.OutboundPlan` comes out, with one for
each status that the annotation names; the compilation of an operation calls it.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace
from types import MappingProxyType, NoneType

from pydantic import ValidationError

from .._common import UNSET, content_type_of, has_content, is_success, is_success_key
from .._http.json import JSON
from .._routing.declaration import NOTHING_DECLARED
from .._signature.argument import EMPTY
from .._types.annotations import (
    Shape,
    is_base_model,
    is_root_model,
    items_of,
    members,
    shape_of,
    show_type,
)
from .._types.argument_type import string_types
from ..exceptions import SignatureError
from .annotation import (
    AnnotatedStatuses,
    Returns,
    may_be_stream,
    read_returns,
    sent_type,
    split_statuses,
    union_of,
)
from .failures import WRITE_ERRORS
from .headers import compile_headers
from .models import NamedFields
from .plan import OutboundPlan
from .responses import (
    STANDARD,
    Content,
    DeclaredResponse,
    check_ambiguous,
    compile_content,
    read_responses,
    read_status,
)
from .stream import STREAM_TYPES, generated_type, has_events

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._signature.argument import Signature
    from .annotation import AnnotatedStatus
    from .failures import ViewReporter
    from .serializer import ResponseSerializer


#: The status of success by method. Source: RFC 9110, 15.3, where DELETE has no content,
#: and the specification of the method QUERY.
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
    "QUERY": 200,
}

#: One object for all plans: the collector looks at each dict from Python 3.14 on.
NO_STATUSES: t.Final[Mapping[t.Any, t.Any]] = MappingProxyType({})


def success_status(
    app: Flask, method: str, declaration: Declaration, *, is_stream: bool
) -> int:
    """The status of a success: ``status_code=``, that of the method, Flask's.

    A stream is no new resource, and has content: it is sent with 200.
    """
    for given in (declaration.status_code, declaration.default_status):
        if given is not None:
            return int(given)
    usual = app.response_class.default_status
    return SUCCESS.get("GET" if is_stream else method, usual)


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
    returns = sent_type(signature.returns)
    if returns is EMPTY and not signature.unresolved:
        returns = generated_type(reporter.function)
    if returns is not signature.returns:
        signature = replace(signature, returns=returns)
    annotated = _read_statuses(signature, declaration)
    plan = _compile_default(
        annotated,
        declaration,
        reporter,
        method=method,
        standard=standard,
        defers_status=defers_status,
    )
    check_ambiguous(reporter.view, plan.usual.passthrough, plan.responses)
    _warn_of_unused(declaration, signature, plan, warn=warn)
    if annotated.by_status:
        plan = _with_statuses(
            plan, annotated, declaration, route_statuses=route_statuses
        )
    _check_media_type(plan, declaration, signature)
    _check_generator(plan.usual, reporter)
    _check_declared(plan)
    _check_named_fields(plan, declaration)
    return plan


def _compile_default(
    annotated: AnnotatedStatuses,
    declaration: Declaration,
    reporter: ViewReporter,
    *,
    method: str,
    standard: Callable[[], tuple[ResponseSerializer, str]],
    defers_status: bool,
) -> OutboundPlan:
    """The plan for what a view returns without a status, and what is declared.

    :raises SignatureError: if the model can't be serialized, or ``responses=`` can't be
        read.
    """
    usual, is_stream = _compile_usual(annotated.bare, declaration, reporter)
    if not defers_status:
        usual = replace(usual, containers=None)
    responses = read_responses(declaration) or NO_STATUSES
    status = success_status(reporter.app, method, declaration, is_stream=is_stream)
    is_default = status == reporter.app.response_class.default_status
    completes = usual.returns_none or not is_default
    is_changed = _changes_response(declaration, usual, responses)
    return OutboundPlan(
        app=reporter.app,
        reporter=reporter,
        status=status,
        usual=usual,
        annotated=NO_STATUSES,
        has_default=annotated.bare is not EMPTY or not annotated.by_status,
        is_open=annotated.is_open,
        statuses={code: item.serializer for code, item in responses.items()}
        or NO_STATUSES,
        responses=responses,
        disabled=declaration.response_model is None,
        standard=standard,
        media_type=declaration.media_type,
        content_type=content_type_of(declaration.media_type or JSON, "utf-8"),
        etag=declaration.etag,
        is_noop=not is_changed and (defers_status or not completes),
        defers_status=defers_status,
        completes=completes or usual.containers is not None,
    )


def _compile_usual(
    annotation: t.Any, declaration: Declaration, reporter: ViewReporter
) -> tuple[Content, bool]:
    """How what a view returns without a status is written, and whether as a stream."""
    returns = _choose_model(declaration, annotation)
    content = compile_content(
        annotation,
        returns,
        declaration,
        reporter=reporter,
        is_annotated=declaration.response_model is UNSET,
    )
    return content, returns.item is not EMPTY and content.serializer is None


def _changes_response(
    declaration: Declaration,
    content: Content,
    responses: Mapping[int | str, DeclaredResponse],
) -> bool:
    """Whether a response is another than Flask would make, the status aside."""
    has_model = content.serializer is not None or content.stream is not None
    has_media_type = declaration.media_type is not None
    declares_model = any(x.serializer or x is STANDARD for x in responses.values())
    return has_model or has_media_type or declares_model or declaration.etag


def _successes(plan: OutboundPlan) -> list[Content]:
    """How what a view returns with the status of a success is written."""
    named = plan.annotated.items()
    return [plan.usual, *(item for status, item in named if is_success(status))]


def _choose_model(declaration: Declaration, annotation: t.Any) -> Returns:
    """What a view returns: ``response_model=``, or else its annotation."""
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
    for own in _successes(plan):
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


def _check_generator(usual: Content, reporter: ViewReporter) -> None:
    """Refuse a model that nothing which a generator function returns can be.

    :raises SignatureError: if there is one.
    """
    is_stream = usual.stream is not None or usual.passthrough
    if usual.serializer is None or is_stream:
        return
    model = usual.serializer.model
    named = [tp for tp in members(model) if tp is not NoneType]
    is_whole = all(is_base_model(tp) and not is_root_model(tp) for tp in named)
    if is_whole and generated_type(reporter.function) is not EMPTY:
        shown = show_type(model)
        raise SignatureError(
            f"{reporter.view} yields its items, and {shown!r} is one of them. Write"
            f' Iterator[{shown}], with media_type="application/jsonl", or return it.'
        )


def _check_named_fields(plan: OutboundPlan, declaration: Declaration) -> None:
    """Refuse a name of a field that can't be there, which would hide nothing.

    :raises SignatureError: if there is one.
    """
    contents = _successes(plan)
    found = [x.serializer for x in contents]
    found += [one for x in contents if x.stream for one in x.stream.serializers]
    found += [one for key, one in plan.statuses.items() if is_success_key(key)]
    schemas = [x.adapter.core_schema for x in found if x is not None]
    for option, value in declaration.named_fields.items():
        what = f"response_model_{option}= of {plan.reporter.view}"
        if not (schemas or plan.usual.returns_none):
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
    usual = plan.usual.serializer
    is_sent = usual is None or has_content(plan.status)
    if usual and not (is_sent or read_returns(plan.usual.annotation).names_status):
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


def _read_statuses(signature: Signature, declaration: Declaration) -> AnnotatedStatuses:
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


def _with_statuses(
    plan: OutboundPlan,
    annotated: AnnotatedStatuses,
    declaration: Declaration,
    *,
    route_statuses: Collection[int | str],
) -> OutboundPlan:
    """A plan that knows the statuses of an annotation.

    An annotation replaces what blueprints declare for a status.

    :param route_statuses: those of which ``responses=`` of the route says something.
    :raises SignatureError: if a model can't be serialized, a type can't be headers, or
        an option contradicts the annotation.
    """
    _check_options(plan, annotated, declaration)
    on_route = {*map(read_status, route_statuses)}
    responses, compiled = dict(plan.responses), dict[int, Content]()
    for status, found in annotated.by_status.items():
        content = _compile_status(plan.reporter, status, found, declaration=declaration)
        compiled[status] = content
        if status in on_route:
            declared, view = responses[status], plan.reporter.view
            _check_same_model(view, status, own=content, declared=declared)
        if status in responses:
            responses[status] = replace(responses[status], serializer=None)
    return replace(
        plan,
        annotated=compiled,
        statuses={key: x for key, x in plan.statuses.items() if key not in compiled},
        responses=responses,
        is_noop=False,
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
            f"response_model= is for what {view} returns without a status, but"
            f" each member of its annotation has one: {shown}. Remove it, and name its"
            " model in the annotation."
        )
    given = declaration.status_code
    if annotated.bare is EMPTY and given is not None and given not in statuses:
        raise SignatureError(
            f"status_code={given} is not among the statuses that {view} is annotated"
            f" with: {shown}. Remove it, or annotate it."
        )
    if plan.usual.may_be_tuple:
        raise SignatureError(
            f"{view} may return {show_type(annotated.bare)!r}, which can't be told from"
            " a body with a status. Annotate it with its status as well."
        )


def _compile_status(
    reporter: ViewReporter,
    status: int,
    annotated: AnnotatedStatus,
    *,
    declaration: Declaration,
) -> Content:
    """What is sent with a status; the options of the route are about success."""
    options = declaration if is_success(status) else NOTHING_DECLARED
    body = union_of(annotated.bodies)
    content = compile_content(
        body, read_returns(body), options, reporter=reporter, has_status=True
    )
    if content.serializer is not None and not has_content(status):
        raise SignatureError(
            f"{reporter.view} is annotated with {show_type(body)!r} for status"
            f" {status}, but a {status} response has no content. Write tuple[None,"
            f" Literal[{status}]]."
        )
    if annotated.headers is EMPTY:
        return content
    try:
        headers = compile_headers(annotated.headers)
    except SignatureError as error:
        message = f"the return annotation of {reporter.view} {error}"
        raise SignatureError(message) from error.__cause__
    return replace(content, headers=headers, may_have_none=annotated.may_have_none)


def _check_same_model(
    view: str, status: int, *, own: Content, declared: DeclaredResponse
) -> None:
    """Refuse a model of ``responses=`` for a status that is annotated with another.

    :raises SignatureError: if there is one.
    """
    if declared.serializer is None:
        return
    model = declared.serializer.model
    if own.serializer is None or own.serializer.model != model:
        raise SignatureError(
            f"{view} is annotated with {show_type(own.annotation)!r} for"
            f" status {status}, but responses= declares {show_type(model)!r}. Keep"
            " one of them."
        )


def _check_declared(plan: OutboundPlan) -> None:
    """Refuse what ``responses=`` says of a status against its model.

    :raises SignatureError: if it has another schema, or an example that does not fit.
    """
    for status, declared in plan.responses.items():
        serializer = declared_serializer(plan, status)
        if serializer is not None:
            _check_content(declared, serializer, plan=plan, status=status)
            _check_examples(declared, serializer, status)
        elif declared.examples:
            raise SignatureError(
                f"responses= has examples of {status}, which has no model. Write them"
                " in 'content', in the object of their media type."
            )


def _check_content(
    declared: DeclaredResponse,
    serializer: ResponseSerializer,
    *,
    plan: OutboundPlan,
    status: int | str,
) -> None:
    media_type = model_media_type(plan, status)
    content = declared.content.get(media_type)
    if content is None:
        return
    if content.adapter is not None or "schema" in content.written:
        raise SignatureError(
            f"responses= has a schema for {media_type!r} of {status}, which is sent by"
            f" the model {show_type(serializer.model)!r}. Remove one of them."
        )
    if declared.examples and content.written.keys() & {"example", "examples"}:
        raise SignatureError(
            f"responses= has examples of {status}, and of {media_type!r} in its"
            " content. Write them in one place."
        )


def _check_examples(
    declared: DeclaredResponse, serializer: ResponseSerializer, status: int | str
) -> None:
    for name, example in declared.examples.items():
        try:
            write_example(example, serializer)
        except WRITE_ERRORS as error:
            raise SignatureError(
                f"responses= has the example {name!r} of {status}, which"
                f" {show_type(serializer.model)!r} refuses{_first_error(error)}. Write"
                " what the view would return with that status."
            ) from error


def declared_serializer(
    plan: OutboundPlan, status: int | str
) -> ResponseSerializer | None:
    """The serializer of a status, a class such as ``"4XX"``, or ``"default"``.

    Of two models of a status it is the one that the annotation gives it.
    """
    if isinstance(status, int) and status in plan.annotated:
        return plan.annotated[status].serializer
    return serializer_without_status(plan, status)


def serializer_without_status(
    plan: OutboundPlan, status: int | str
) -> ResponseSerializer | None:
    """The serializer of what an annotation does not give a status."""
    if isinstance(status, int):
        return plan.serializer_of(status)
    usual = plan.usual.serializer if status == "2XX" else None
    return plan.statuses.get(status) or usual


def model_media_type(plan: OutboundPlan, status: int | str) -> str:
    """The media type of what is written by the model of a status or a class."""
    return plan.media_type or JSON if is_success_key(status) else JSON


def write_example(
    example: Mapping[str, t.Any], serializer: ResponseSerializer
) -> dict[str, t.Any]:
    """An Example Object whose value is written as that of a response.

    :raises Exception: one of :data:`.WRITE_ERRORS`, if the value does not fit.
    """
    if "value" not in example:
        return {**example}
    data = serializer.write(example["value"])
    return {**example, "value": json.loads(data)}


def _first_error(error: Exception) -> str:
    """The first thing that is wrong with a value: ``": name: Field required"``."""
    if not isinstance(error, ValidationError):
        return ": it can't be written as JSON"
    first = error.errors(include_url=False)[0]
    where = "".join(f" {part}:" for part in first["loc"])
    return f":{where} {first['msg']}"
