"""What views return: models of every kind, rows behind ``response_model``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Generic, Literal, TypeVar

from flask import Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict, assert_type

from flask_signature import Blueprint, Injected

T = TypeVar("T")

bp = Blueprint("books", __name__)


class Page(BaseModel, Generic[T]):
    items: list[T]
    total: int


class Novel(BaseModel):
    kind: Literal["novel"] = "novel"
    pages: int


class Essay(BaseModel):
    kind: Literal["essay"] = "essay"
    topic: str


Text = Annotated[Novel | Essay, Field(discriminator="kind")]


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


@bp.get("/page")
def first_page() -> Page[Novel]:
    return Page(items=[Novel(pages=300)], total=1)


@bp.get("/page-of-others")
def page_of_others() -> Page[Novel]:
    return Page(items=[Essay(topic="tea")], total=1)  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


@bp.get("/texts")
def list_texts() -> list[Text]:
    return [Novel(pages=300), Essay(topic="tea")]


@bp.get("/stock")
def show_stock() -> Stock:
    return {"title": "Emma", "amount": 3}


@bp.get("/newest")
def newest(year: int) -> Novel | None:
    return Novel(pages=year) if year else None


@bp.get("/row", response_model=NovelOut)
def show_row(n: int) -> NovelRow | tuple[Stock, Literal[409]]:
    if n == 1:
        return Stock(title="Emma", amount=0), 409
    return NovelRow(pages=300, paid=3)


@bp.get("/made")
def make_model() -> NovelOut:
    return NovelOut.model_validate(NovelRow(pages=300, paid=3))


@bp.get("/label")
def show_label() -> Novel | Response:
    return Response("<b>Emma</b>", mimetype="text/html")


def with_user(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return view(*args, user="ann", **kwargs)

    return wrapper


@bp.get("/me", decorators=[with_user])
def show_me(user: Annotated[str, Injected()], size: int = 1) -> dict[str, str]:
    assert_type(user, str)
    return {user: "x" * size}


assert_type(first_page(), Page[Novel])
assert_type(list_texts(), list[Novel | Essay])
assert_type(newest(1815), "Novel | None")
