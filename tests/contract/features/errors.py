"""The error format of the large application."""

from __future__ import annotations

from pydantic import BaseModel
from werkzeug.exceptions import HTTPException

from flask_signature import RequestValidationError
from flask_signature.errors import ErrorFormat


class Failure(BaseModel):
    code: str
    pointer: str | None = None


class Failures(BaseModel):
    failures: list[Failure]


class Fault(BaseModel):
    status: int
    title: str


def build_failures(error: RequestValidationError) -> Failures:
    """What a request that is refused is answered with."""
    entries = error.errors
    return Failures(
        failures=[
            Failure(code=entry["type"], pointer="/".join(map(str, entry["loc"])))
            for entry in entries
        ]
    )


def build_fault(error: HTTPException) -> Fault:
    return Fault(status=error.code or 500, title=error.name)


FORMAT = ErrorFormat(
    status=400,
    media_type="application/vnd.features+json",
    request_model=Failures,
    request_builder=build_failures,
    http_model=Fault,
    http_builder=build_fault,
)
