"""Error handlers that say what they send, and a format of errors."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from flask import Response
from pydantic import BaseModel
from werkzeug.exceptions import HTTPException

from flask_signature import Blueprint, Depends, Flask, RequestValidationError
from flask_signature.errors import ErrorFormat, ErrorResponse, error_response


class Problem(BaseModel):
    reason: str


class OutOfStock(Exception): ...


class Waiting(TypedDict):
    retry_after: int


def check_stock() -> int:
    return 1


app = Flask(__name__, responses=[401], raises=[OutOfStock])
bp = Blueprint("bp", __name__, responses=[404], raises=[OutOfStock])


@app.errorhandler(OutOfStock)
@bp.errorhandler(OutOfStock)
@bp.app_errorhandler(OutOfStock)
def sold_out(error: OutOfStock) -> tuple[Problem, Literal[409]]:
    return Problem(reason=str(error)), 409


@app.errorhandler(RequestValidationError)
async def refuse(
    error: RequestValidationError,
) -> tuple[Problem, Literal[422], Waiting]:
    return Problem(reason=error.errors[0]["msg"]), 422, {"retry_after": 60}


@app.errorhandler(HTTPException)
def log(error: HTTPException) -> ErrorResponse:
    response: Response = error_response(error)
    return response


@app.errorhandler(OutOfStock)
def wrong(error: OutOfStock) -> tuple[Problem, Literal[409]]:
    return Problem(reason="x"), 410  # type: ignore[return-value]


app.register_error_handler(404, sold_out)
bp.register_error_handler(OutOfStock, sold_out)


@bp.get("/", raises=[OutOfStock], responses=[409])
def show(left: int = Depends(check_stock, raises=[OutOfStock])) -> Problem:
    failures: dict[tuple[str | int, ...], str] = {("body", "lines", 0): "is gone"}
    if failures:
        raise RequestValidationError.of(failures)
    raise RequestValidationError.of(("query", "page"), "is too far")


app.register_blueprint(bp, responses=[403], raises=[OutOfStock])


def build(error: HTTPException) -> dict[str, Any]:
    return {"reason": error.name}


app.config["SIGNATURE_ERROR_FORMAT"] = ErrorFormat(
    status=400, http_model=Problem, http_builder=build
)
