"""Operations that differ in what they take."""

from __future__ import annotations

import typing as t

from flask.views import MethodView

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
    operation,
)

from .models import (
    EVERYTHING,
    Everything,
    Filter,
    Node,
    Page,
    Parcel,
    Place,
    Problem,
    Shelf,
    Size,
    Sorting,
)
from .schemes import BASIC, KEY, LOGIN, TOKEN


def send_model(model: t.Any) -> dict[str, t.Any]:
    """A Path Item Object that sends a model."""
    content = {"application/json": {"schema": model}}
    answers = {"204": {"description": "Taken"}, "4XX": {"description": "Refused"}}
    return {
        "post": {
            "operationId": f"send_{model.__name__}",
            "requestBody": {"content": content},
            "responses": answers,
        }
    }


def make_main() -> Blueprint:
    """Parameters of all kinds, and the methods of a class."""
    bp = Blueprint("main", __name__, tags=["Main"], responses={409: Problem})

    @bp.get("/", security=KEY & TOKEN | BASIC | None)
    def search(
        lang: t.Annotated[str, Path(min_length=2, max_length=2)],
        filters: t.Annotated[Filter, Query()],
        size: t.Annotated[Size, Query()],
        place: t.Annotated[Place, Query(style="deepObject")],
        ids: t.Annotated[list[int], Query(style="pipeDelimited")],
        page: int = Query(1, openapi_examples={"first": {"value": 1}}),
        x_token: str | None = Header(None, deprecated=True),
        x_part: list[int] = Header([]),
        session: str = Cookie(""),
    ) -> Page[Everything]:
        """Search.

        With *everything*.
        """
        return Page[Everything](items=[EVERYTHING], following=None)

    @bp.get("/styles")
    def styles(
        lang: str,
        ids: list[int] = Query(explode=False),
        names: list[str] = Query([], style="spaceDelimited"),
        sizes: list[int] = Query([], style="pipeDelimited"),
        sorting: Sorting = Query(Sorting(), style="deepObject"),
        x_shelf: Shelf | None = Header(None, style="simple"),
        x_sizes: list[int] = Header([], explode=True),
    ) -> None: ...

    @bp.route("/both", methods=["GET", "POST"], security=LOGIN.scopes("read"))
    def both(lang: str, item: Filter) -> Page[Filter]:
        return Page[Filter](items=[item], following="2")

    bp.add_url_rule("/items/<int:item_id>", view_func=Items.as_view("items"))

    @bp.post(
        "/hooks", callbacks={"on": {"{$request.body#/url}": send_model(Page[Node])}}
    )
    def add_hook(lang: str, url: str = Body(embed=True)) -> None: ...

    return bp


class Items(MethodView):
    """Each method has options of its own, or none."""

    def get(self, lang: str, item_id: int) -> Everything:
        return EVERYTHING

    @operation(status_code=202, tags=["Staff"], responses={410: Problem})
    def put(self, lang: str, item_id: int, item: Everything) -> Everything:
        return item

    @operation(operation_id="change_item", deprecated=True)
    def patch(
        self, lang: str, item_id: int, item: Everything, reason: str = Body("")
    ) -> Everything:
        return item

    def delete(self, lang: str, item_id: int) -> None: ...


def make_files() -> Blueprint:
    bp = Blueprint("files", __name__, url_prefix="/files", security=KEY)

    @bp.post("/")
    def send(
        photo: UploadFile, more: list[UploadFile] = File([]), name: str = Form("")
    ) -> None: ...

    @bp.put("/")
    def replace(parcel: t.Annotated[Parcel, Form()]) -> None: ...

    @bp.post("/raw")
    def raw(data: t.Annotated[bytes, Body(media_type="image/png")]) -> None: ...

    @bp.post("/any")
    def anything(data: bytes) -> None: ...

    @bp.post("/text")
    def text(data: t.Annotated[str, Body(media_type="text/plain")]) -> None: ...

    @bp.post("/form")
    def form(
        name: str = Form(), sizes: list[int] = Form([]), labels: list[str] = Form()
    ) -> str:
        return name

    return bp
