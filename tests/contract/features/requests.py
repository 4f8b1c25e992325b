"""Operations that differ in what they take."""

from __future__ import annotations

import typing as t

from flask.views import MethodView

from flask_signature import Blueprint
from flask_signature import Body
from flask_signature import Cookie
from flask_signature import File
from flask_signature import Form
from flask_signature import Header
from flask_signature import Path
from flask_signature import Query
from flask_signature import UploadFile
from flask_signature import operation

from .models import EVERYTHING
from .models import Everything
from .models import Filter
from .models import Node
from .models import Page
from .models import Parcel
from .models import Place
from .models import Problem
from .models import Shelf
from .models import Size
from .models import Sorting
from .schemes import BASIC
from .schemes import KEY
from .schemes import LOGIN
from .schemes import TOKEN


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
    """Forms, files, and bodies that are no JSON."""
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
