"""``page: int = Query(1)``: a special function has the type of its argument.

``Annotated[int, Query()] = 1``: a marker leaves the argument's type alone.
"""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from flask.typing import ResponseReturnValue
from pydantic import BaseModel, Field
from typing_extensions import assert_type
from werkzeug.datastructures import FileStorage

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

bp = Blueprint("books", __name__, url_prefix="/books", tags=["Books"])


class Book(BaseModel):
    title: str
    price: float


@bp.get("/<int:shelf>/<uuid:key>")
def every_parameter(
    shelf: int = Path(ge=1),
    key: UUID = Path(),
    page: int = Query(1, ge=1, description="Counted from one."),
    tag: list[str] = Query([]),
    wanted: str = Query(...),
    language: str | None = Query(None, max_length=2),
    made: list[int] = Query(default_factory=list),
    x_token: str = Header(),
    raw_name: str = Header("none", convert_underscores=False),
    ids: list[int] = Query(style="form", explode=False),
    sizes: list[str] = Query([], style="pipeDelimited"),
    matrix: list[str] = Header(style="matrix"),  # type: ignore[call-overload]
    theme: str = Cookie("light", include_in_schema=False),
) -> ResponseReturnValue:
    assert_type(page, int)
    assert_type(tag, list[str])
    assert_type(language, "str | None")
    return theme


@bp.post("/")
def every_part_of_a_body(
    book: Book = Body(embed=True), note: str = Body("", media_type="application/json")
) -> Book:
    assert_type(book, Book)
    return book


@bp.post("/covers")
def every_part_of_a_form(
    book: Book = Form(),
    caption: str = Form("", openapi_examples={"short": {"value": "Front"}}),
    image: FileStorage = File(),
    more: list[UploadFile] = File([]),
) -> str:
    assert_type(image, FileStorage)
    return image.filename or caption


Page = Annotated[int, Query(ge=1)]


class Filter(BaseModel):
    limit: int = 100


@bp.get("/annotated/<int:shelf>")
def annotated_parameters(
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


@bp.put("/annotated")
def annotated_body(filter: Filter, count: Annotated[int, Body(gt=0)]) -> str:
    return str(filter.limit * count)


@bp.post("/annotated")
def annotated_form(
    caption: Annotated[str, Form()], images: Annotated[list[UploadFile], File()]
) -> str:
    assert_type(images, list[UploadFile])
    return caption


# A type as the first argument is the type of the argument, and leaves it required.
assert_type(Query(float), float)
assert_type(Header(int, ge=1), int)
assert_type(Body(Book), Book)
assert_type(Form(str), str)

# A default gives its own type.
assert_type(Query(1), int)
assert_type(Cookie("light"), str)

limit: str = Query(1)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
Query(1, embed=True)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
