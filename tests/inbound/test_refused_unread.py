"""A body of a content type that the view does not read is refused by the header."""

from __future__ import annotations

import io
import typing as t

import flask
import pytest
from flask.views import MethodView
from pydantic import BaseModel

from flask_signature import Blueprint, Body, File, Flask, Form, Header, UploadFile

if t.TYPE_CHECKING:
    from collections.abc import Callable

JSON: t.Final = "application/json"
URLENCODED: t.Final = "application/x-www-form-urlencoded"
MULTIPART: t.Final = "multipart/form-data; boundary=b"


class Item(BaseModel):
    name: str = ""


class Photos(BaseModel):
    front: UploadFile | None = None
    others: list[UploadFile] = []


class Album(Photos):
    name: str = ""


class Open(Photos, extra="allow"):
    """Files, and whatever else is sent."""


def take_model(item: Item) -> str:
    return "read"


def take_optional(item: Item | None = None) -> str:
    return "read"


def take_keys(one: str = Body("", embed=True), two: str = Body("")) -> str:
    return "read"


def take_header(item: Item, x_token: t.Annotated[str, Header()] = "") -> str:
    return "read"


def take_bytes(data: bytes) -> str:
    return "read"


def take_csv(data: bytes = Body(b"", media_type="text/csv")) -> str:
    return "read"


def take_text(text: str = Body("", media_type="text/plain")) -> str:
    return "read"


def take_file(photo: UploadFile) -> str:
    return "read"


def take_optional_file(photo: UploadFile | None = None) -> str:
    return "read"


def take_content(photo: bytes = File()) -> str:
    return "read"


def take_files(photos: list[UploadFile], cover: UploadFile) -> str:
    return "read"


def take_photos(photos: t.Annotated[Photos, Form()]) -> str:
    return "read"


def take_album(album: t.Annotated[Album, Form()]) -> str:
    return "read"


def take_open(album: t.Annotated[Open, Form()]) -> str:
    return "read"


def take_both(name: str = Form(""), photo: UploadFile | None = None) -> str:
    return "read"


async def take_later(item: Item) -> str:
    return "read"


class Unread(io.RawIOBase):
    """The stream of a client that sends nothing, and does not leave."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: t.Any) -> int:
        raise AssertionError("A body that is refused is read.")


#: A body has a length, or it is chunked.
LENGTHS: t.Final[dict[str, dict[str, str]]] = {
    "length": {"CONTENT_LENGTH": "1000"},
    "chunked": {"HTTP_TRANSFER_ENCODING": "chunked"},
}


def environ(content_type: str | None, **more: t.Any) -> dict[str, t.Any]:
    made = {"wsgi.input_terminated": True, **more}
    return made if content_type is None else {**made, "CONTENT_TYPE": content_type}


def app_with(view: Callable[..., t.Any]) -> Flask:
    app = Flask(__name__)
    app.post("/", status_code=200)(view)
    app.init_app()
    return app


AS_JSON: t.Final = "The body must be sent as application/json."
AS_FILES: t.Final = "The form must be sent as multipart/form-data."
UNKNOWN: t.Final = "The body must be sent with a Content-Type that says what it is."

REFUSED: t.Final[list[tuple[Callable[..., t.Any], str | None, str]]] = [
    *((take_model, sent, AS_JSON) for sent in ("text/html", URLENCODED, MULTIPART)),
    (take_model, None, AS_JSON),
    (take_optional, "text/html", AS_JSON),
    (take_keys, "text/html", AS_JSON),
    (take_header, "text/html", AS_JSON),
    (take_later, "text/html", AS_JSON),
    (take_bytes, None, UNKNOWN),
    (take_csv, JSON, "The body must be sent as text/csv."),
    (take_text, JSON, "The body must be sent as text/plain."),
    (take_text, "text/plain; charset=utf-7", "The charset of the body must be UTF-8."),
    *(
        (view, sent, AS_FILES)
        for view in (take_file, take_optional_file, take_content)
        for sent in (URLENCODED, f"{URLENCODED}; charset=utf-8", JSON, None)
    ),
    (take_files, URLENCODED, AS_FILES),
    (take_photos, URLENCODED, AS_FILES),
]


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize(("view", "content_type", "message"), REFUSED)
def test_body_of_another_type_is_refused_unread(view, content_type, message, length):
    sent = environ(content_type, **length, **{"wsgi.input": Unread()})

    response = app_with(view).test_client().post("/", environ_overrides=sent)

    assert (response.status_code, response.json) == (415, {"message": message})


@pytest.mark.parametrize(
    ("view", "content_type"),
    [
        (take_optional, "text/html"),
        (take_keys, "text/html"),
        (take_csv, JSON),
        (take_text, "text/plain; charset=utf-7"),
        (take_optional_file, URLENCODED),
        (take_photos, URLENCODED),
    ],
)
@pytest.mark.parametrize("length", [{}, {"CONTENT_LENGTH": "0"}], ids=str)
def test_no_body_is_of_any_type(view, content_type, length):
    sent = environ(content_type, **length)

    response = app_with(view).test_client().post("/", environ_overrides=sent)

    assert (response.status_code, response.text) == (200, "read")


def test_body_that_no_header_announces_is_refused_when_it_is_read():
    sent = environ("text/html", **{"wsgi.input": io.BytesIO(b"{}")})

    response = app_with(take_optional).test_client().post("/", environ_overrides=sent)

    assert (response.status_code, response.json) == (415, {"message": AS_JSON})


@pytest.mark.parametrize("view", [take_both, take_album, take_open])
def test_form_of_strings_and_files_may_be_urlencoded(view):
    response = app_with(view).test_client().post("/", data={"name": "a"})

    assert (response.status_code, response.text) == (200, "read")


@pytest.mark.parametrize(
    "view", [take_file, take_files, take_photos, take_album, take_open, take_both]
)
def test_files_are_read_from_a_multipart_form(view):
    files = {name: (io.BytesIO(b"x"), "a") for name in ("photo", "photos", "cover")}

    response = app_with(view).test_client().post("/", data=files)

    assert (response.status_code, response.text) == (200, "read")


def test_body_of_another_type_is_refused_unread_on_plain_flask():
    app = flask.Flask(__name__)
    blueprint = Blueprint("items", __name__)
    blueprint.post("/")(take_model)
    app.register_blueprint(blueprint)
    sent = environ("text/html", **{"CONTENT_LENGTH": "9", "wsgi.input": Unread()})

    assert app.test_client().post("/", environ_overrides=sent).status_code == 415


def test_body_of_another_type_is_refused_unread_by_a_method():
    class View(MethodView):
        def post(self, item: Item) -> str:
            raise AssertionError

    app = Flask(__name__)
    app.add_url_rule("/", view_func=View.as_view("view"))
    sent = environ("text/html", **{"CONTENT_LENGTH": "9", "wsgi.input": Unread()})

    assert app.test_client().post("/", environ_overrides=sent).status_code == 415
