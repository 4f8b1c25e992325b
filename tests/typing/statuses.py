"""A status, a body and headers that the return annotation does not name are refused."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel
from typing_extensions import TypedDict, assert_type

from flask_signature import Blueprint, SetCookie
from flask_signature.errors import HTTPErrorMessage

bp = Blueprint("items", __name__)


class Item(BaseModel):
    name: str


class Problem(BaseModel):
    reason: str


class Created(TypedDict):
    location: str


class Busy(TypedDict):
    retry_after: int


class LoggedIn(TypedDict):
    set_cookie: list[SetCookie]


@bp.get("/<int:n>")
def show(n: int) -> Item | tuple[Problem, Literal[404, 410]]:
    if n == 1:
        return Problem(reason="gone"), 404
    if n == 2:
        return Problem(reason="gone"), 409  # type: ignore[return-value]
    if n == 3:
        return Item(name="pen"), 404  # type: ignore[return-value]
    return Item(name="pen")


@bp.post("/<int:n>")
def create(n: int) -> tuple[Item, Literal[201], Created]:
    if n == 1:
        return Item(name="pen"), 201, {"location": "/1"}
    if n == 2:
        return Item(name="pen"), 201, {"place": "/1"}  # type: ignore[typeddict-item]
    return Item(name="pen"), 201  # type: ignore[return-value]


@bp.post("/login")
def log_in() -> tuple[Item, Literal[200], LoggedIn]:
    cookie = SetCookie("sid", "1", httponly=True, samesite="Lax")
    return Item(name="pen"), 200, {"set_cookie": [cookie]}


@bp.put("/<int:n>")
def replace(
    n: int,
) -> (
    tuple[Item, Literal[200, 201], Created]
    | tuple[HTTPErrorMessage, Literal[404]]
    | tuple[Problem, Literal[503], Busy]
):
    if n == 1:
        return HTTPErrorMessage(message="unknown"), 404
    if n == 2:
        return Problem(reason="busy"), 503, Busy(retry_after=30)
    if n == 3:
        return Problem(reason="busy"), 503, Created(location="/1")  # type: ignore[return-value]
    return Item(name="pen"), 201, Created(location="/1")


assert_type(show(1), Item | tuple[Problem, Literal[404, 410]])
SetCookie("sid", samesite="often")  # type: ignore[arg-type]
SetCookie("sid", "1", 3600)  # type: ignore[call-arg]
