"""What a route declares about its responses: the registration side of outbound."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace

from ._content import Content
from ._content import compile_content
from ._http.response import content_type_of
from ._http.status import has_content
from ._outbound import JSON
from ._outbound import OutboundPlan
from ._returns import TEXTS
from ._returns import Returns
from ._returns import find_ambiguous
from ._returns import read_returns
from ._sentinel import UNSET
from ._signature.argument import EMPTY
from ._streams import FRAMES
from ._streams import StreamFormat
from ._types.annotations import Shape
from ._types.annotations import is_anything
from ._types.annotations import is_base_model
from ._types.annotations import issubclass_of
from ._types.annotations import members
from ._types.annotations import shapes_of
from ._types.annotations import show_type
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from flask import Flask

    from ._place import Place
    from ._routing.declaration import Declaration
    from ._signature.argument import Signature

#: The status of success by method. Source: RFC 9110, 15.3, and the service's own rules.
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


@dataclass(frozen=True, slots=True)
class Declared:
    """What ``responses=`` says of one status.

    :param content: its model, ``None`` where there is none.
    :param description: of the response.
    :param headers: Header Objects by name, or types of theirs.
    """

    content: Content | None
    description: str | None = None
    headers: Mapping[str, t.Any] = field(default_factory=dict)


def success_status(app: Flask, method: str, declaration: Declaration) -> int:
    """The status of a response that says none, by option, by method, by class.

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


def read_responses(declaration: Declaration) -> dict[int | str, Declared]:
    """What ``responses=`` declares, by status: a number, ``"4XX"`` or ``"default"``.

    :raises SignatureError: if a status or what it is given can't be understood.
    """
    return {
        _read_status(status): _read_declared(status, value)
        for status, value in declaration.responses.items()
    }


def _read_status(status: t.Any) -> int | str:
    text = str(int(status)) if isinstance(status, int) else str(status)
    if text == "default":
        return text
    if len(text) == 3 and text[0] in "12345":
        if text.isascii() and text.isdigit():
            return int(text)
        if text[1:].upper() == "XX":
            return text.upper()
    raise SignatureError(
        f"responses= has the status {status!r}. Use a number such as 404, a class such"
        " as '4XX', or 'default'."
    )


DECLARED_KEYS: t.Final = frozenset({"model", "description", "headers"})


def _read_declared(status: t.Any, value: t.Any) -> Declared:
    if not isinstance(value, dict):
        return Declared(_content(value))
    unknown = sorted(value.keys() - DECLARED_KEYS)
    if unknown:
        raise SignatureError(
            f"responses= says {unknown[0]!r} of {status}. Use 'model', 'description' or"
            " 'headers'."
        )
    content = _content(value.get("model"))
    return Declared(content, value.get("description"), value.get("headers") or {})


def _content(model: t.Any) -> Content | None:
    return None if model is None else compile_content(model)


def compile_outbound(
    app: Flask,
    place: Place,
    *,
    method: str,
    declaration: Declaration,
    signature: Signature,
    validates: Callable[[], bool],
) -> tuple[OutboundPlan, dict[int | str, Declared]]:
    """The plan that answers with what a view returns, and what it declares beside.

    :raises SignatureError: if a model can't be serialized or an option can't be used.
    """
    returns = _read_model(declaration, signature)
    responses = read_responses(declaration)
    _refuse_ambiguous(signature, returns, responses)
    stream = _stream(declaration, returns)
    content = None
    if returns.model is not EMPTY:
        content = compile_content(returns.model, _serializer_options(declaration))
    plan = OutboundPlan(
        app=app,
        place=place,
        status=success_status(app, method, declaration),
        content=content,
        statuses={code: item.content for code, item in responses.items()},
        passed=returns.passed,
        nothing=returns.nothing,
        tuple_body=content is not None and _may_be_tuple(returns.model),
        off=declaration.response_model is None,
        validates=validates,
        media_type=declaration.media_type,
        content_type=content_type_of(declaration.media_type or JSON, "utf-8"),
        etag=declaration.etag,
        stream=stream,
    )
    return plan, responses


def _read_model(declaration: Declaration, signature: Signature) -> Returns:
    """What a view returns, by its annotation and by ``response_model=``, which wins.

    :raises SignatureError: if no model can be read from the annotation.
    """
    returns = _choose_model(declaration, signature)
    if declaration.response_model is UNSET and returns.problem:
        raise SignatureError(
            f"the return annotation of {signature.view} {returns.problem}"
        )
    return returns


def _refuse_ambiguous(
    signature: Signature, returns: Returns, responses: Mapping[int | str, Declared]
) -> None:
    """Refuse a type that is sent as it is beside a model of the same values.

    :raises SignatureError: if a value for a model could pass it by.
    """
    contents = [item.content for item in responses.values()]
    models = [content.model for content in contents if content is not None]
    if returns.model is not EMPTY:
        models.append(returns.model)
    for model in models:
        if problem := find_ambiguous(returns.passed, model):
            raise SignatureError(f"the return annotation of {signature.view} {problem}")


def _choose_model(declaration: Declaration, signature: Signature) -> Returns:
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
    # A text that the model names is one of its values.
    own = [t.get_origin(tp) or tp for tp in members(model)]
    passed = tuple(tp for tp in returns.passed if tp not in own)
    return replace(returns, model=model, passed=passed, item=EMPTY, nothing=False)


def _may_be_tuple(model: t.Any) -> bool:
    if is_base_model(model):
        return False
    return any(issubclass_of(t.get_origin(tp) or tp, tuple) for tp in members(model))


def _stream(declaration: Declaration, returns: Returns) -> StreamFormat | None:
    item, media_type = returns.item, declaration.media_type
    # Text is sent as it is yielded: its author writes the frames.
    if item is EMPTY or is_anything(item) or issubclass_of(item, TEXTS):
        return None
    if returns.asynchronous:
        raise SignatureError(
            "the view yields its items asynchronously, which Flask can't send. Write"
            " a generator with 'def'."
        )
    if media_type in FRAMES:
        content = compile_content(item, _serializer_options(declaration))
        return StreamFormat(content, media_type)
    if Shape.MODEL in shapes_of(item):
        names = ", ".join(repr(name) for name in FRAMES)
        raise SignatureError(
            f"the view yields {show_type(item)!r}, but its media_type= does not say how"
            f" to write a stream of them. Use one of {names}."
        )
    return None


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


def find_unsendable(
    declaration: Declaration, signature: Signature, plan: OutboundPlan
) -> Iterator[str]:
    """What is wrong with each model of a status whose responses have no content."""
    unsendable = None if has_content(plan.status) else plan.content
    if unsendable and not read_returns(signature.returns).says_status:
        verb = "has" if declaration.status_code is None else "declares"
        yield (
            f"{signature.view} {verb} status {plan.status} and returns"
            f" {show_type(unsendable.model)!r}, but a {plan.status} response has no"
            " content. Return None, or declare another status with status_code=."
        )
    for status, content in plan.statuses.items():
        if content and isinstance(status, int) and not has_content(status):
            yield (
                f"responses= has the model {show_type(content.model)!r} for status"
                f" {status}, but a {status} response has no content. Declare None or a"
                " description instead."
            )
