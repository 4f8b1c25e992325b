"""A decorated view keeps its type; what it returns may be a model.

So does a method of a class-based view, which takes arguments.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from flask import Response
from flask.views import MethodView
from pydantic import BaseModel, Field
from typing_extensions import ParamSpec, assert_type

from flask_signature import Blueprint, Flask, operation
from flask_signature.security import HTTPBearer
from flask_signature.typing import Responses

P = ParamSpec("P")

app = Flask(__name__)
bp = Blueprint("items", __name__)


class ItemIn(BaseModel):
    name: str


class Item(ItemIn):
    id: int


class Problem(BaseModel):
    message: str


Refused = Annotated[Problem | Item, Field(title="Refused")]


def login_required(view: Callable[P, Any]) -> Callable[P, Any]:
    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        return view(*args, **kwargs)

    return guarded


@bp.get("/<int:id>")
def show(id: int, verbose: bool = False) -> Item:
    return Item(id=id, name="pen")


@bp.get("/")
def list_items(page: int = 1) -> list[Item]:
    return [Item(id=page, name="pen")]


@bp.post("/", status_code=201, responses={409: Problem, 404: {"model": Problem}})
def create(item: ItemIn) -> tuple[Item, int]:
    return Item(id=1, name=item.name), 201


@bp.get(
    "/pictures/<int:id>",
    responses={
        200: {
            "content": {
                "image/png": {},
                "text/csv": {"schema": str, "example": "a,b"},
                "application/xml": {"examples": {"none": {"value": "<items/>"}}},
            },
            "headers": {"X-Count": int},
        },
        404: {"model": Problem | None, "description": "Not found."},
        409: {
            "model": list[Problem],
            "examples": {"a": {"value": Problem(message="")}},
        },
        HTTPStatus.GONE: dict[str, int],
        "4XX": Refused,
        "5XX": Annotated[Problem, Field()],
        "default": None,
    },
)
def show_picture(id: int) -> Response:
    return Response(b"", mimetype="image/png")


shared: Responses = {404: {"model": Problem}, "5XX": Problem}
others = Blueprint("others", __name__, responses={**shared, 410: None})


@bp.put(
    "/<int:id>",
    response_model=Item,
    response_model_exclude_none=True,
    response_model_exclude={"secret"},
    tags=["Items"],
    summary="Replace an item.",
    operation_id="replace_item",
    deprecated=True,
    decorators=[login_required],
)
def replace(id: int, item: ItemIn) -> Item | Response:
    return Response(status=HTTPStatus.NO_CONTENT)


@bp.route("/any", methods=["GET", "POST"], endpoint="any", response_model=None)
@bp.delete("/<int:id>", strict_slashes=False)
@bp.patch("/<int:id>")
def change(id: int = 1) -> None: ...


@app.get("/async")
async def show_later(id: int) -> Item:
    return Item(id=id, name="pen")


def added_by_hand(n: int) -> str:
    return str(n)


app.add_url_rule("/plain", view_func=added_by_hand, methods=["GET"])
app.register_blueprint(bp, url_prefix="/shops/<int:shop>")
app.init_app()

# A view is still the function that was written.
assert_type(show(1, verbose=True), Item)
assert_type(list_items(page=2), list[Item])
assert_type(create(ItemIn(name="pen")), tuple[Item, int])
assert_type(replace(1, ItemIn(name="pen")), "Item | Response")


async def call_a_view() -> None:
    assert_type(await show_later(3), Item)


show("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
bp.get("/typo", stauts_code=201)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
bp.get("/typo", responses={404: {"modle": Problem}})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
bp.get("/typo", responses={404: {"content": {"text/csv": {"schma": str}}}})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
bp.get("/typo", responses={404: {"model": Problem, "examples": {"a": 1}}})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
bp.get("/typo", responses={404: 1})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
Blueprint("typo", __name__, responses={404: {"modle": Problem}})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]


notes = Blueprint("notes", __name__)


class Note(BaseModel):
    text: str


class Notes(MethodView):
    @operation(summary="List the notes", tags=["Notes"])
    def get(self, page: int = 1) -> list[Note]:
        return [Note(text=str(page))]

    @operation(
        status_code=202,
        responses={409: Note},
        security=HTTPBearer("token"),
        dependencies=[],
    )
    async def post(self, note: Note) -> Note:
        return note

    @operation(response_model=None)
    @staticmethod
    def put(note: Note) -> Note:
        return note


notes.add_url_rule("/", view_func=Notes.as_view("notes"))
app.register_blueprint(notes)

# A method is still the one that was written.
assert_type(Notes().get(page=2), list[Note])
assert_type(Notes.put(Note(text="")), Note)


async def call_a_method() -> None:
    assert_type(await Notes().post(Note(text="")), Note)


Notes().get("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
operation(stauts_code=201)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
operation(status_code="201")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
operation(methods=["GET"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
operation(Notes.get)  # type: ignore[arg-type, call-arg]  # pyright: ignore[reportCallIssue]
