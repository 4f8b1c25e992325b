"""Class-based views take arguments in their methods."""

from __future__ import annotations

from flask.typing import ResponseReturnValue
from flask.views import MethodView
from flask.views import View
from pydantic import BaseModel

from flask_signature import Blueprint
from flask_signature import Flask
from flask_signature import Query

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


class Listing(View):
    def dispatch_request(self) -> ResponseReturnValue:
        return []


bp.add_url_rule("/<int:id>", view_func=NoteView.as_view("note", "A note"))
bp.add_url_rule("/", view_func=Listing.as_view("notes"))
app.register_blueprint(bp)
