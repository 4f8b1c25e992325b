"""What views return: models, and rows behind ``response_model``.

A status, a body and headers that the return annotation does not name are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict, assert_type

from flask_signature import Blueprint, Injected, SetCookie
from flask_signature.errors import HTTPErrorMessage

bp = Blueprint("books", __name__)


class Stock(TypedDict):
    title: str
    amount: int


@dataclass
class NovelRow:
    pages: int
    paid: int


class NovelOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    pages: int


@bp.get("/row", response_model=NovelOut)
def show_row(n: int) -> NovelRow | tuple[Stock, Literal[409]]:
    if n == 1:
        return Stock(title="Emma", amount=0), 409
    return NovelRow(pages=300, paid=3)


def with_user(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return view(*args, user="ann", **kwargs)

    return wrapper


@bp.get("/me", decorators=[with_user])
def show_me(user: Annotated[str, Injected()], size: int = 1) -> dict[str, str]:
    assert_type(user, str)
    return {user: "x" * size}


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
