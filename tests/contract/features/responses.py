"""Operations that differ in what they send."""

from __future__ import annotations

import typing as t
from collections.abc import AsyncIterator, Iterator

from flask import Response
from pydantic import Field

from flask_signature import Blueprint, Event, Header, RequestValidationError

from .models import (
    EVERYTHING,
    Cat,
    Dog,
    Everything,
    Filter,
    Node,
    Page,
    Problem,
    Refused,
)

#: The first bytes of a picture.
PNG: t.Final = b"\x89PNG\r\n\x1a\n"


def make_answers() -> Blueprint:
    """Statuses by ``responses=``, options of the model, and what is no JSON."""
    bp = Blueprint("answers", __name__, tags=["Answers"], security=None)

    @bp.errorhandler(RequestValidationError)
    def refuse(error: RequestValidationError) -> tuple[Refused, t.Literal[422]]:
        return Refused(count=len(error.errors)), 422

    @bp.get(
        "/statuses",
        etag=True,
        responses={
            202: Filter,
            404: {"model": Problem, "headers": {"X-Count": int}},
            409: {"model": Problem, "examples": {"two": {"value": {"reason": "Two"}}}},
            "5XX": {"description": "Ours."},
            "default": Problem,
        },
    )
    def statuses(
        kind: t.Literal["cat", "filter", "missing"] = "cat",
    ) -> t.Annotated[Cat | Dog, Field(discriminator="kind")]:
        values: dict[str, t.Any] = {
            "cat": Cat(kind="cat", meows=2),
            "filter": (Filter(), 202),
            "missing": (Problem(reason="None."), 404, {"X-Count": "0"}),
        }
        return t.cast("Cat | Dog", values[kind])

    @bp.get("/names", response_model_by_alias=False)
    def names() -> Everything:
        return EVERYTHING

    @bp.get("/some", response_model_exclude_none=True, openapi_extra={"x-a": 1})
    def some() -> Page[Node]:
        return Page[Node](items=[Node()], following=None)

    @bp.get("/part", response_model_exclude={"items": {"__all__": {"sizes"}}})
    def part() -> Page[Filter]:
        return Page[Filter](items=[Filter(sizes=[1])], following=None)

    @bp.get("/picture", media_type="image/png")
    def picture() -> bytes:
        return PNG

    @bp.get(
        "/table",
        responses={200: {"content": {"text/csv": {"schema": str}, "image/png": {}}}},
    )
    def table(kind: t.Literal["csv", "png"] = "csv") -> Response:
        if kind == "png":
            return Response(PNG, mimetype="image/png")
        return Response("a,b\r\n", mimetype="text/csv")

    @bp.get("/plain")
    def plain():  # type: ignore[no-untyped-def]
        return {"any": ["thing"]}

    return bp


def make_streams() -> Blueprint:
    bp = Blueprint("streams", __name__, tags=["Streams"], security=None)

    @bp.get("/lines", media_type="application/jsonl")
    def lines(count: t.Annotated[int, Field(ge=0, le=3)] = 1) -> Iterator[Filter]:
        for number in range(count):
            yield Filter(limit=number + 1)

    @bp.get("/trees", media_type="text/event-stream")
    def trees() -> Iterator[Node]:
        yield Node()

    @bp.get("/events")
    def events(
        last_event_id: t.Annotated[int, Header()] = 0,
    ) -> Iterator[Event[Cat] | Event[str] | Dog]:
        yield Event(retry=5_000, comment="connects again")
        yield Event(Cat(kind="cat", meows=1), id=last_event_id + 1, event="cat")
        yield Dog(kind="dog", barks=1)
        yield Event(raw="[DONE]")

    @bp.get("/ticks", media_type="application/x-ndjson")
    async def ticks() -> AsyncIterator[Filter]:
        yield Filter()

    return bp
