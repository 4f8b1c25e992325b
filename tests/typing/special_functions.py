"""``page: int = Query(1)``: a special function has the type of its argument."""

from __future__ import annotations

from uuid import UUID

from flask.typing import ResponseReturnValue
from pydantic import BaseModel
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
    book: Book = Body(embed=True),
    note: str = Body("", media_type="application/json"),
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
