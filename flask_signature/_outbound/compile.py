"""The outbound plan of a view: its model, its declared responses, its stream.

A declaration and a signature go in, an :class:`.OutboundPlan` comes out, with a
:class:`.ResponseRow` for each status that the annotation names; the compilation of an
operation calls it.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace
from functools import partial
from types import MappingProxyType, NoneType

from pydantic import ValidationError

from .._common import (
    UNSET,
    Once,
    has_content,
    is_success,
    is_success_key,
)
from .._http.json import JSON
from .._routing.declaration import NOTHING_DECLARED
from .._signature.argument import EMPTY
from .._types.adapters import UnknownClassError
from .._types.annotations import (
    Shape,
    is_base_model,
    is_root_model,
    items_of,
    members,
    shape_of,
    show_type,
    string_types,
)
from ..exceptions import SignatureError
from .annotation import (
    AnnotationError,
    Returns,
    check_ambiguous,
    check_bodies,
    may_be_tuple,
    read_model,
    read_returns,
    sent_type,
)
from .failures import WRITE_ERRORS
from .models import NamedFields
from .plan import OutboundPlan, ResponseRow
from .responses import compile_headers, read_responses, read_status
from .serializer import compile_serializer
from .stream import FRAMES, compile_stream, generated_type, has_events

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._signature.argument import Signature
    from .failures import ViewReporter
    from .responses import DeclaredResponse
    from .serializer import ResponseSerializer


#: The status of success by method. Source: RFC 9110, 15.3, where DELETE has no content,
#: and the specification of the method QUERY.
SUCCESS: t.Final = {
    **dict.fromkeys(("GET", "HEAD", "PATCH", "QUERY"), 200),
    **dict.fromkeys(("OPTIONS", "TRACE", "CONNECT"), 200),
    **dict.fromkeys(("POST", "PUT"), 201),
    "DELETE": 204,
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
    try:
        annotated = _read_annotation(signature, declaration, reporter)
        returns = _choose_model(declaration, annotated.get(None, Returns()))
        usual = compile_content(returns, declaration, reporter)
        named = {
            status: compile_content(found, declaration, reporter, status=status)
            for status, found in annotated.items()
            if status is not None
        }
        is_stream = returns.stream is not None and usual.serializer is None
        plan = OutboundPlan(
            reporter=reporter,
            declaration=declaration,
            status=success_status(
                reporter.app, method, declaration, is_stream=is_stream
            ),
            usual=usual,
            annotated=named or NO_STATUSES,
            has_default=None in annotated,
            responses=_declared_in(
                declaration, named, route_statuses, view=reporter.view
            ),
            standard=standard,
            defers_status=defers_status,
        )
        _check_plan(plan, signature, warn)
    except AnnotationError as error:
        raise error.of(reporter.view) from error.__cause__
    return plan


def _read_annotation(
    signature: Signature, declaration: Declaration, reporter: ViewReporter
) -> dict[t.Any, Returns]:
    """What a view returns, by its annotation or as a generator function."""
    returns = sent_type(signature.returns)
    if returns is EMPTY and not signature.unresolved:
        returns = generated_type(reporter.function)
    if declaration.response_model is None:
        return {None: Returns(returns)}
    if declaration.response_model is UNSET:
        check_bodies(returns)
    return read_returns(returns)


def _choose_model(declaration: Declaration, returns: Returns) -> Returns:
    """What a view returns: ``response_model=``, or else its annotation."""
    model = declaration.response_model
    if model is None or model is UNSET:
        return returns
    streamed = read_model(model)
    if streamed.stream is not None and (
        declaration.media_type in FRAMES or has_events(streamed.stream.item)
    ):
        return replace(streamed, annotation=returns.annotation)
    # A string type that the model names is one of its members.
    own = [
        kind
        for tp in members(model)
        for kind in string_types(tp) or (t.get_origin(tp) or tp,)
    ]
    passthrough = tuple(tp for tp in returns.passthrough if tp not in own)
    return replace(
        returns, model=model, passthrough=passthrough, stream=None, returns_none=False
    )


#: What an author may write who does not want to name a model in the annotation.
INSTEAD_OF_ANNOTATION: t.Final = (
    ", or the fields to send, such as response_model=RowOut, or give"
    " response_model=None if Flask can send it as it is"
)

#: The packages whose functions make responses of what Flask takes.
RESPONSE_PACKAGES: t.Final = frozenset({"flask", "flask_signature", "werkzeug"})


def compile_content(
    returns: Returns,
    declaration: Declaration,
    reporter: ViewReporter,
    *,
    status: int | None = None,
) -> ResponseRow:
    """How the values of a return annotation are written.

    An annotation with a class that Pydantic does not know is no model where the
    application makes responses of its own kinds of values.

    :param status: that the annotation names, as ``response_model=`` can't.
    :raises SignatureError: if the annotation can't be used, or a model can't be
        serialized.
    """
    if status is not None and not is_success(status):
        # The options of the route are about success.
        declaration = NOTHING_DECLARED
    is_annotated = status is not None or declaration.response_model is UNSET
    if is_annotated and returns.problem:
        raise AnnotationError(returns.problem)
    if returns.model is EMPTY and declaration.named_fields:
        # What Flask writes has all that is in it.
        returns = replace(returns, model=returns.containers)
    options, serializer = declaration.serializer_options, None
    if returns.model is not EMPTY:
        try:
            serializer = compile_serializer(returns.model, options)
        except UnknownClassError as error:
            if not is_annotated:
                raise
            _check_taken(error, reporter, has_status=status is not None)
            returns = replace(returns, model=EMPTY, passthrough=(), stream=None)
    for kind in returns.passthrough:
        check_ambiguous(kind, returns.model)
    containers, body = None, returns.stream
    if returns.containers is not EMPTY and returns.model is EMPTY:
        # Most of them hold no model, and are written by Flask.
        containers = Once(partial(compile_serializer, returns.containers, options))
    return ResponseRow(
        returns=returns,
        serializer=serializer,
        may_be_tuple=serializer is not None and may_be_tuple(returns.model),
        stream=compile_stream(body, declaration.media_type, options) if body else None,
        containers=containers,
        headers=None if returns.headers is EMPTY else compile_headers(returns.headers),
        is_annotated=status is not None,
    )


def _check_taken(
    error: UnknownClassError, reporter: ViewReporter, *, has_status: bool
) -> None:
    """Refuse a class that neither Pydantic knows nor the application.

    An application makes responses of its own kinds of values by its own methods.

    Source: Flask, ``make_response()`` and ``Response.force_type()``.
    """
    methods = (reporter.app.make_response, reporter.app.response_class.force_type)
    packages = {str(method.__module__).partition(".")[0] for method in methods}
    if packages <= RESPONSE_PACKAGES:
        problem = str(error).removesuffix(".")
        advice = ", and return one" if has_status else INSTEAD_OF_ANNOTATION
        problem = f"is no response model: {problem}{advice}."
        raise AnnotationError(problem) from error.__cause__


def _declared_in(
    declaration: Declaration,
    annotated: Mapping[int, ResponseRow],
    route_statuses: Collection[int | str],
    *,
    view: str,
) -> Mapping[int | str, DeclaredResponse]:
    """What ``responses=`` declares, without the models of annotated statuses.

    An annotation replaces what blueprints declare for a status.
    """
    responses = read_responses(declaration)
    on_route = {*map(read_status, route_statuses)}
    for status in annotated.keys() & responses.keys():
        own, declared = annotated[status], responses[status].serializer
        known = own.serializer.model if own.serializer else EMPTY
        if declared is not None and status in on_route and known != declared.model:
            raise SignatureError(
                f"{view} is annotated with {show_type(own.returns.annotation)!r} for"
                f" status {status}, but responses= declares"
                f" {show_type(declared.model)!r}. Keep one of them."
            )
        responses[status] = replace(responses[status], serializer=None)
    return responses or NO_STATUSES


def _warn_of_unused(
    signature: Signature, plan: OutboundPlan, *, warn: Callable[[str], None]
) -> None:
    """Warn of each model that is never used, which is no error.

    It can't be resolved, or is that of a status whose responses have no content.
    """
    if signature.unresolved and plan.declaration.response_model is UNSET:
        warn(f"{signature.unresolved} Until then it is no response model.")
    usual = plan.usual.serializer
    is_sent = usual is None or has_content(plan.status)
    if usual and not (is_sent or plan.usual.returns.names_status):
        verb = "has" if plan.declaration.status_code is None else "declares"
        warn(
            f"{signature.view} {verb} status {plan.status} and returns"
            f" {show_type(usual.model)!r}, but a {plan.status} response has no content."
            " Return None, or declare another status with status_code=."
        )
    for status, declared in plan.responses.items():
        serializer = declared.serializer
        if serializer and isinstance(status, int) and not has_content(status):
            warn(
                f"responses= has the model {show_type(serializer.model)!r} for status"
                f" {status}, but a {status} response has no content. Declare None or a"
                " description instead."
            )


def _check_plan(
    plan: OutboundPlan, signature: Signature, warn: Callable[[str], None]
) -> None:
    """Refuse what can't be sent as it is declared, and warn of what is never used."""
    if plan.annotated:
        _check_statuses(plan)
    _check_media_type(plan)
    _check_generator(plan)
    _check_declared(plan)
    if named := plan.declaration.named_fields:
        _check_named_fields(plan, named)
    _warn_of_unused(signature, plan, warn=warn)


def _check_statuses(plan: OutboundPlan) -> None:
    """Refuse what contradicts the statuses of the annotation."""
    view, declaration = plan.reporter.view, plan.declaration
    for status, content in plan.annotated.items():
        if content.serializer is not None and not has_content(status):
            raise SignatureError(
                f"{view} is annotated with {show_type(content.returns.annotation)!r}"
                f" for status {status}, but a {status} response has no content. Write"
                f" tuple[None, Literal[{status}]]."
            )
    shown, given = ", ".join(map(str, plan.annotated)), declaration.status_code
    if not plan.has_default and declaration.response_model is not UNSET:
        raise SignatureError(
            f"response_model= is for what {view} returns without a status, but each"
            f" member of its annotation has one: {shown}. Remove it, and name its model"
            " in the annotation."
        )
    if not plan.has_default and given not in (None, *plan.annotated):
        raise SignatureError(
            f"status_code={given} is not among the statuses that {view} is annotated"
            f" with: {shown}. Remove it, or annotate it."
        )
    if plan.usual.may_be_tuple:
        raise SignatureError(
            f"{view} may return {show_type(plan.usual.returns.annotation)!r}, which"
            " can't be told from a body with a status. Annotate it with its status as"
            " well."
        )


def _check_media_type(plan: OutboundPlan) -> None:
    """Refuse the content type of a stream where no success is one."""
    media_type, rows = plan.declaration.media_type, [*plan.annotated.values()]
    streams = [row.returns.stream for row in (plan.usual, *rows)]
    if media_type not in FRAMES or any(streams):
        return
    for own in _successes(plan):
        # What passes beside the model may be written as the content type says.
        if own.serializer is not None and not own.returns.passthrough:
            model = own.serializer.model
            lists = [tp for tp in members(model) if shape_of(tp) is Shape.LIST]
            item = show_type(items_of(lists) if lists else model)
            raise SignatureError(
                f"{plan.reporter.view} returns {show_type(model)!r}, which is sent as"
                f" JSON, but declares media_type={media_type!r}, which is that of a"
                f" stream. Yield the items, and annotate it 'Iterator[{item}]', or"
                " remove media_type=."
            )


def _check_generator(plan: OutboundPlan) -> None:
    """Refuse a model that nothing which a generator function returns can be."""
    usual, reporter = plan.usual, plan.reporter
    is_stream = usual.stream is not None or usual.returns.passthrough
    if usual.serializer is None or is_stream:
        return
    model = usual.serializer.model
    named = [tp for tp in members(model) if tp is not NoneType]
    are_models = all(is_base_model(tp) and not is_root_model(tp) for tp in named)
    if are_models and generated_type(reporter.function) is not EMPTY:
        shown = show_type(model)
        raise SignatureError(
            f"{reporter.view} yields its items, and {shown!r} is one of them. Write"
            f' Iterator[{shown}], with media_type="application/jsonl", or return it.'
        )


def _successes(plan: OutboundPlan) -> list[ResponseRow]:
    """The rows of successes, by the annotation."""
    named = plan.annotated.items()
    return [plan.usual, *(item for status, item in named if is_success(status))]


def _check_named_fields(plan: OutboundPlan, named: Mapping[str, t.Any]) -> None:
    """Refuse a name of a field that can't be there, which would hide nothing."""
    contents = _successes(plan)
    found = [x.serializer for x in contents]
    found += [one for x in contents if x.stream for one in x.stream.serializers]
    found += [x.serializer for key, x in plan.responses.items() if is_success_key(key)]
    schemas = [x.adapter.core_schema for x in found if x is not None]
    for option, value in named.items():
        what = f"response_model_{option}= of {plan.reporter.view}"
        if not (schemas or plan.usual.returns.returns_none):
            raise SignatureError(
                f"{what} has no response model to choose from. Annotate the view with"
                " one, or remove the option."
            )
        if schemas and (problem := NamedFields(option, value, schemas).find_misnamed()):
            raise SignatureError(f"{what} names {problem}")


def _check_declared(plan: OutboundPlan) -> None:
    """Refuse what ``responses=`` says of a status against its model."""
    for status, declared in plan.responses.items():
        if declared.serializer is not None:
            for kind in plan.usual.returns.passthrough:
                check_ambiguous(kind, declared.serializer.model)
        serializer = plan.find(status).serializer
        if serializer is None:
            if declared.examples:
                raise SignatureError(
                    f"responses= has examples of {status}, which has no model. Write"
                    " them in 'content', in the object of their media type."
                )
            continue
        media_type = model_media_type(plan, status)
        content = declared.content.get(media_type, {})
        if "schema" in content:
            raise SignatureError(
                f"responses= has a schema for {media_type!r} of {status}, which is sent"
                f" by the model {show_type(serializer.model)!r}. Remove one of them."
            )
        if declared.examples and content.keys() & {"example", "examples"}:
            raise SignatureError(
                f"responses= has examples of {status}, and of {media_type!r} in its"
                " content. Write them in one place."
            )
        for name, example in declared.examples.items():
            try:
                write_example(example, serializer)
            except WRITE_ERRORS as error:
                raise SignatureError(
                    f"responses= has the example {name!r} of {status}, which"
                    f" {show_type(serializer.model)!r} refuses{_first_error(error)}."
                    " Write what the view would return with that status."
                ) from error


def model_media_type(plan: OutboundPlan, status: int | str) -> str:
    """The media type of what is written by the model of a status or a class."""
    return plan.declaration.media_type or JSON if is_success_key(status) else JSON


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
