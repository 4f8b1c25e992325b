"""A body of a content type that the view does not read is refused by the header."""

from __future__ import annotations

import io
import typing as t

import flask
import pytest
from client import client_of, taking
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


def take_keys(one: str = Body("", embed=True), two: str = Body("")) -> str:
    return "read"


def take_header(item: Item, x_token: t.Annotated[str, Header()] = "") -> str:
    return "read"


def take_files(photos: list[UploadFile], cover: UploadFile) -> str:
    return "read"


def take_both(name: str = Form(""), photo: UploadFile | None = None) -> str:
    return "read"


async def take_later(item: Item) -> str:
    return "read"


take_model = taking(Item)
take_optional = taking(Item | None, None)
take_csv = taking(bytes, Body(b"", media_type="text/csv"))
take_text = taking(str, Body("", media_type="text/plain"))
take_string = taking(str, Form(""))
take_file = taking(UploadFile)
take_optional_file = taking(UploadFile | None, None)
take_photos = taking(t.Annotated[Photos, Form()])
take_album = taking(t.Annotated[Album, Form()])
take_open = taking(t.Annotated[Open, Form()])


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


def post(view: Callable[..., t.Any], **options: t.Any) -> t.Any:
    client = client_of(view, method="POST", config={}, status_code=200)
    return client.post("/", **options)


AS_JSON: t.Final = "The body must be sent as application/json."
AS_FILES: t.Final = "The form must be sent as multipart/form-data."
AS_FORM: t.Final = (
    "The form must be sent as application/x-www-form-urlencoded or multipart/form-data."
)
UNKNOWN: t.Final = "The body must be sent with a Content-Type that says what it is."

REFUSED: t.Final[list[tuple[Callable[..., t.Any], str | None, str]]] = [
    *((take_model, sent, AS_JSON) for sent in ("text/html", URLENCODED, MULTIPART)),
    (take_model, None, AS_JSON),
    (take_optional, "text/html", AS_JSON),
    (take_keys, "text/html", AS_JSON),
    (take_header, "text/html", AS_JSON),
    (take_later, "text/html", AS_JSON),
    (taking(bytes), None, UNKNOWN),
    (take_csv, JSON, "The body must be sent as text/csv."),
    (take_text, JSON, "The body must be sent as text/plain."),
    *(
        (
            take_text,
            f"text/plain; charset={name}",
            "The charset of the body must be UTF-8.",
        )
        for name in ("utf-7", "utf-16")
    ),
    *((take_string, sent, AS_FORM) for sent in (JSON, "text/plain", None)),
    *(
        (view, sent, AS_FILES)
        for view in (take_file, take_optional_file, taking(bytes, File()))
        for sent in (URLENCODED, f"{URLENCODED}; charset=utf-8", JSON, None)
    ),
    (take_files, URLENCODED, AS_FILES),
    (take_photos, URLENCODED, AS_FILES),
]


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize(("view", "content_type", "message"), REFUSED)
def test_body_of_another_type_is_refused_unread(view, content_type, message, length):
    sent = environ(content_type, **length, **{"wsgi.input": Unread()})
    response = post(view, environ_overrides=sent)

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

    assert post(view, environ_overrides=sent).status_code == 200


def test_body_that_no_header_announces_is_refused_when_it_is_read():
    sent = environ("text/html", **{"wsgi.input": io.BytesIO(b"{}")})
    response = post(take_optional, environ_overrides=sent)

    assert (response.status_code, response.json) == (415, {"message": AS_JSON})


@pytest.mark.parametrize("view", [take_both, take_album, take_open])
def test_form_of_strings_and_files_may_be_urlencoded(view):
    assert post(view, data={"name": "a"}).status_code == 200


@pytest.mark.parametrize(
    "view", [take_file, take_files, take_photos, take_album, take_open, take_both]
)
def test_files_are_read_from_a_multipart_form(view):
    files = {name: (io.BytesIO(b"x"), "a") for name in ("x", "photos", "cover")}

    assert post(view, data=files).status_code == 200


class Method(MethodView):
    def post(self, item: Item) -> str:
        raise AssertionError


@pytest.mark.parametrize(
    ("make", "view"),
    [(flask.Flask, take_model), (Flask, Method.as_view("view"))],
    ids=["plain-flask", "method"],
)
def test_body_of_another_type_is_refused_unread_in_a_blueprint(make, view):
    app, blueprint = make(__name__), Blueprint("items", __name__)
    blueprint.add_url_rule("/", view_func=view, methods=["POST"])
    app.register_blueprint(blueprint)
    sent = environ("text/html", **{"CONTENT_LENGTH": "9", "wsgi.input": Unread()})

    assert app.test_client().post("/", environ_overrides=sent).status_code == 415
