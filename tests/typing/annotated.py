"""``Annotated[int, Query()] = 1``: the markers leave the argument's type alone."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from typing_extensions import assert_type

from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    File,
    Form,
    Header,
    Path,
    Query,
    UploadFile,
)

bp = Blueprint("annotated", __name__)

Page = Annotated[int, Query(ge=1)]


class Filter(BaseModel):
    limit: int = 100


@bp.get("/<int:shelf>")
def every_parameter(
    shelf: Annotated[int, Path(ge=1)],
    filter: Annotated[Filter, Query()],
    x_token: Annotated[str | None, Header(alias="X-Token")] = None,
    theme: Annotated[str, Cookie()] = "light",
    page: Page = 1,
    size: Annotated[int, Query(), Field(le=50)] = 20,
) -> str:
    assert_type(shelf, int)
    assert_type(filter, Filter)
    assert_type(x_token, "str | None")
    assert_type(page, int)
    assert_type(size, int)
    return theme


@bp.put("/")
def every_body(
    filter: Filter,
    count: Annotated[int, Body(gt=0)],
) -> str:
    return str(filter.limit * count)


@bp.post("/")
def every_part_of_a_form(
    caption: Annotated[str, Form()],
    images: Annotated[list[UploadFile], File()],
) -> str:
    assert_type(images, list[UploadFile])
    return caption
