"""Class-based views take arguments in their methods."""

from __future__ import annotations

from flask.typing import ResponseReturnValue
from flask.views import MethodView, View
from pydantic import BaseModel
from typing_extensions import assert_type

from flask_signature import Blueprint, Flask, Query, operation
from flask_signature.security import HTTPBearer

app = Flask(__name__)
bp = Blueprint("notes", __name__)


class Note(BaseModel):
    text: str


class NoteView(MethodView):
    init_every_request = False

    def __init__(self, title: str) -> None:
        self.title = title

    def get(self, id: int, page: int = Query(1)) -> ResponseReturnValue:
        return {"text": self.title, "page": page}

    def put(self, id: int, note: Note) -> Note:
        return note

    async def delete(self, id: int) -> ResponseReturnValue:
        return "", 204


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


class Listing(View):
    def dispatch_request(self) -> ResponseReturnValue:
        return []


bp.add_url_rule("/<int:id>", view_func=NoteView.as_view("note", "A note"))
bp.add_url_rule("/", view_func=Listing.as_view("notes"))
app.register_blueprint(bp)

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
