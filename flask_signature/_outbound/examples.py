"""The examples and the content that ``responses=`` declares beside a model.

An outbound plan goes in. The compilation of an operation checks what is declared, and
the description writes the examples as the view's values are written.
"""

from __future__ import annotations

import json
import typing as t

from pydantic import ValidationError

from .._http.json import JSON
from .._types.annotations import show_type
from ..exceptions import SignatureError
from .refusals import WRITE_ERRORS
from .status import is_success_key
from .status_plan import annotated_responses

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .declared import DeclaredResponse
    from .plan import OutboundPlan
    from .serializer import ResponseSerializer


def check_declared(plan: OutboundPlan) -> None:
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
    annotated = annotated_responses(plan)
    if isinstance(status, int) and status in annotated:
        return annotated[status].plan.serializer
    return serializer_without_status(plan, status)


def serializer_without_status(
    plan: OutboundPlan, status: int | str
) -> ResponseSerializer | None:
    """The serializer of what an annotation does not give a status."""
    if isinstance(status, int):
        return plan.serializer_of(status)
    usual = plan.serializer if status == "2XX" else None
    return plan.statuses.get(status) or usual


def model_media_type(plan: OutboundPlan, status: int | str) -> str:
    """The media type of what is written by the model of a status or a class."""
    return plan.media_type or JSON if is_success_key(status) else JSON


def write_example(
    example: Mapping[str, t.Any], serializer: ResponseSerializer
) -> dict[str, t.Any]:
    """An Example Object whose value is written as that of a response.

    :raises Exception: one of :data:`.refusals.WRITE_ERRORS`, if the value does not fit.
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
