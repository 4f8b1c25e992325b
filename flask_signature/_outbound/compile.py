"""The outbound plan of a view: its model, its declared responses, its stream.

A declaration and a signature go in, an :class:`OutboundPlan` comes out; the compilation
of an operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace

from .._http.json import JSON
from .._http.response import content_type_of
from .._http.status import has_content
from .._once import Once
from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._types.adapters import UnknownClassError
from .._types.annotations import Shape
from .._types.annotations import is_anything
from .._types.annotations import is_base_model
from .._types.annotations import issubclass_of
from .._types.annotations import members
from .._types.annotations import shapes_of
from .._types.annotations import show_type
from .._types.strings import string_types
from ..exceptions import SignatureError
from .annotation import Returns
from .annotation import read_returns
from .declared import DeclaredResponse
from .declared import check_ambiguous
from .declared import read_responses
from .kinds import takes_other_values
from .plan import OutboundPlan
from .serializer import compile_serializer
from .stream import FRAMES
from .stream import StreamFormat

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

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
    reporter: ViewReporter,
    validates: Callable[[], bool],
    defers_status: bool,
    warn: Callable[[str], None],
) -> OutboundPlan:
    """The plan for what a view returns.

    :param validates: whether values are validated where the route does not say it,
        called for each response.
    :param defers_status: whether the application gives the default status.
    :param warn: called with the problem of a model that is never used.
    :raises SignatureError: if a model can't be serialized or an option can't be used.
    """
    returns, responses, serializer = _read_models(declaration, signature, reporter)
    app = reporter.app
    status = success_status(app, method, declaration)
    containers = _containers(declaration, returns) if defers_status else None
    completes = status != app.response_class.default_status or returns.returns_none
    is_changed = _changes_response(declaration, returns, responses)
    plan = OutboundPlan(
        app=app,
        reporter=reporter,
        status=status,
        serializer=serializer,
        statuses={code: item.serializer for code, item in responses.items()},
        responses=responses,
        passthrough=returns.passthrough,
        returns_none=returns.returns_none,
        body_may_be_tuple=serializer is not None and _may_be_tuple(returns.model),
        disabled=declaration.response_model is None,
        validates=_validation(declaration, validates),
        media_type=declaration.media_type,
        content_type=content_type_of(declaration.media_type or JSON, "utf-8"),
        etag=declaration.etag,
        stream=_stream(declaration, returns),
        is_noop=not is_changed and (defers_status or not completes),
        defers_status=defers_status,
        completes=completes or containers is not None,
        containers=containers,
    )
    _warn_of_unused(declaration, signature, plan, warn=warn)
    return plan


def _validation(
    declaration: Declaration, usual: Callable[[], bool]
) -> Callable[[], bool]:
    decided = declaration.validate_response
    return usual if decided is None else lambda: bool(decided)


def _changes_response(
    declaration: Declaration,
    returns: Returns,
    responses: Mapping[int | str, DeclaredResponse],
) -> bool:
    """Whether a response is another than Flask would make, the status aside."""
    has_model = returns.model is not EMPTY
    has_media_type = declaration.media_type is not None
    declares_model = any(item.serializer for item in responses.values())
    return has_model or has_media_type or declares_model or declaration.etag


def _read_models(
    declaration: Declaration, signature: Signature, reporter: ViewReporter
) -> tuple[Returns, dict[int | str, DeclaredResponse], ResponseSerializer | None]:
    """What a view returns, what is declared of other statuses, and the serializer.

    :raises SignatureError: if a model can't be read, or can't be serialized.
    """
    returns = _choose_model(declaration, signature)
    if declaration.response_model is UNSET and returns.problem:
        raise SignatureError(
            f"the return annotation of {signature.view} {returns.problem}"
        )
    responses = read_responses(declaration)
    returns, serializer = _with_serializer(reporter, declaration, returns)
    if returns.passthrough:
        check_ambiguous(signature, returns, responses)
    return returns, responses, serializer


def _choose_model(declaration: Declaration, signature: Signature) -> Returns:
    """What a view returns, by its annotation and by ``response_model=``, which wins."""
    model = declaration.response_model
    if model is None:
        return Returns()
    returns = read_returns(signature.returns)
    if model is UNSET:
        return returns
    if declaration.media_type in FRAMES:
        streamed = read_returns(model)
        if streamed.item is not EMPTY:
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


def _may_be_tuple(model: t.Any) -> bool:
    if is_base_model(model):
        return False
    return any(issubclass_of(t.get_origin(tp) or tp, tuple) for tp in members(model))


def _stream(declaration: Declaration, returns: Returns) -> StreamFormat | None:
    item, media_type = returns.item, declaration.media_type
    # Strings are sent as they are yielded: the view writes the frames.
    if item is EMPTY or is_anything(item) or string_types(item):
        return None
    if returns.asynchronous:
        raise SignatureError(
            "the view yields its items asynchronously, which Flask can't send. Write"
            " a generator with 'def'."
        )
    if media_type in FRAMES:
        serializer = compile_serializer(item, _serializer_options(declaration))
        return StreamFormat(serializer, media_type)
    if Shape.MODEL in shapes_of(item):
        names = ", ".join(repr(name) for name in FRAMES)
        raise SignatureError(
            f"the view yields {show_type(item)!r}, but its media_type= does not say how"
            f" to write a stream of them. Use one of {names}."
        )
    return None


def _with_serializer(
    reporter: ViewReporter, declaration: Declaration, returns: Returns
) -> tuple[Returns, ResponseSerializer | None]:
    """What a view returns, and the serializer of its model, ``None`` without one.

    An annotation with a class that Pydantic does not know is no model where the
    application makes responses of its own kinds of values.

    :raises SignatureError: if the model can't be serialized.
    """
    if returns.model is EMPTY:
        return returns, None
    options = _serializer_options(declaration)
    try:
        return returns, compile_serializer(returns.model, options)
    except UnknownClassError as error:
        if declaration.response_model is not UNSET:
            raise
        if takes_other_values(reporter.app):
            return Returns(), None
        problem = str(error).removesuffix(".")
        raise SignatureError(
            f"the return annotation of {reporter.view} is no response model: {problem},"
            " or give response_model=None if Flask can send it as it is."
        ) from error.__cause__


def _containers(
    declaration: Declaration, returns: Returns
) -> Callable[[], ResponseSerializer] | None:
    """Returns the serializer of dicts and lists of ``Any``, compiled for the first.

    Most of them hold no model, and are written by Flask.
    """
    if returns.containers is EMPTY or returns.model is not EMPTY:
        return None
    options = _serializer_options(declaration)
    return Once(lambda: compile_serializer(returns.containers, options))


def _serializer_options(declaration: Declaration) -> dict[str, t.Any]:
    options = {
        "exclude_unset": declaration.response_model_exclude_unset,
        "exclude_defaults": declaration.response_model_exclude_defaults,
        "exclude_none": declaration.response_model_exclude_none,
        "include": declaration.response_model_include,
        "exclude": declaration.response_model_exclude,
    }
    chosen = {name: value for name, value in options.items() if value}
    return {"by_alias": declaration.response_model_by_alias, **chosen}


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
    if usual and not (is_sent or read_returns(signature.returns).has_status):
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
