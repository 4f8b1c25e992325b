"""A body whose stream breaks is the client's, of whatever content type it is."""

from __future__ import annotations

import gc
import io
import typing as t
from errno import ENOSPC
from tempfile import SpooledTemporaryFile

import flask
import pytest
from flask.views import MethodView
from pydantic import BaseModel

from flask_signature import Blueprint, Body, Flask, Form, UploadFile

if t.TYPE_CHECKING:
    from collections.abc import Callable

# Werkzeug leaves the files of a form open that it can't parse to its end.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

MULTIPART: t.Final = "multipart/form-data; boundary=b"
URLENCODED: t.Final = "application/x-www-form-urlencoded"
PART: t.Final = b'--b\r\nContent-Disposition: form-data; name="name"'


class Item(BaseModel):
    name: str


def take_json(item: Item) -> str:
    raise AssertionError


def take_bytes(data: bytes = Body(media_type="text/csv")) -> str:
    raise AssertionError


def take_string(name: str = Form()) -> str:
    raise AssertionError


def take_file(name: UploadFile) -> str:
    raise AssertionError


def take_model(item: t.Annotated[Item, Form()]) -> str:
    raise AssertionError


async def take_later(name: str = Form()) -> str:
    raise AssertionError


@pytest.fixture(autouse=True, scope="module")
def _collect_open_files() -> t.Iterator[None]:
    yield
    gc.collect()


#: What is sent before the stream breaks.
BODIES: t.Final[dict[str, tuple[Callable[..., t.Any], str, bytes]]] = {
    "JSON": (take_json, "application/json", b'{"name": '),
    "JSON, nothing yet": (take_json, "application/json", b""),
    "bytes": (take_bytes, "text/csv", b"a;b"),
    "urlencoded": (take_string, URLENCODED, b"name=a"),
    "urlencoded with a charset": (take_string, URLENCODED + "; charset=utf-8", b"n"),
    "multipart": (take_string, MULTIPART, PART),
    "multipart, nothing yet": (take_string, MULTIPART, b""),
    "multipart, in a value": (take_string, MULTIPART, PART + b"\r\n\r\nlamp"),
    "multipart, after the last": (
        *(take_string, MULTIPART),
        PART + b"\r\n\r\nlamp\r\n--b--\r\n",
    ),
    "file": (take_file, MULTIPART, PART + b'; filename="a"\r\n\r\n' + b"x" * 70_000),
    "model": (take_model, MULTIPART, PART),
    "coroutine": (take_later, MULTIPART, PART),
}

#: What a stream raises: that of the system, and that of a server.
ERRORS: t.Final = [ConnectionResetError(104, "reset"), OSError("bad chunk")]


class Broken(io.RawIOBase):
    """A stream that fails when it has given what there is."""

    def __init__(self, data: bytes, error: Exception) -> None:
        self._data = io.BytesIO(data)
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: t.Any) -> int:
        size = self._data.readinto(buffer)
        if not size:
            raise self._error
        return size


class ReadsAlone:
    """The same without a ``readinto()``, as the streams of gunicorn."""

    def __init__(self, data: bytes, error: Exception) -> None:
        self._stream = Broken(data, error)

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)


def status_of(
    app: flask.Flask, content_type: str, stream: object, **environ: t.Any
) -> tuple[int, t.Any]:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    sent = {
        "wsgi.input": stream,
        "wsgi.input_terminated": True,
        "HTTP_TRANSFER_ENCODING": "chunked",
        "CONTENT_TYPE": content_type,
    }
    response = app.test_client().post("/", environ_overrides={**sent, **environ})
    return response.status_code, response.get_json(silent=True)


def app_with(view: Callable[..., t.Any], **config: t.Any) -> Flask:
    app = Flask(__name__)
    app.config.update(config)
    app.post("/")(view)
    app.init_app()
    return app


REFUSED: t.Final = (400, {"message": "Bad Request"})


@pytest.mark.parametrize("limit", [None, 1_000_000])
@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("kind", [Broken, ReadsAlone])
@pytest.mark.parametrize("name", BODIES)
def test_stream_that_breaks_is_a_bad_request(name, kind, error, limit):
    view, content_type, sent = BODIES[name]
    app = app_with(view, MAX_CONTENT_LENGTH=limit)

    assert status_of(app, content_type, kind(sent, error)) == REFUSED


@pytest.mark.parametrize("name", BODIES)
def test_stream_with_a_length_that_breaks_is_a_bad_request(name):
    view, content_type, sent = BODIES[name]
    app = app_with(view)
    stream = Broken(sent, OSError("gone"))

    found = status_of(app, content_type, stream, CONTENT_LENGTH=str(len(sent) + 9))

    assert found == REFUSED


@pytest.mark.parametrize(
    "name", ["JSON", "bytes", "urlencoded", "urlencoded with a charset"]
)
def test_stream_that_breaks_at_the_limit_is_a_bad_request(name):
    view, content_type, sent = BODIES[name]
    app = app_with(view, MAX_CONTENT_LENGTH=len(sent))

    assert status_of(app, content_type, Broken(sent, OSError("gone"))) == REFUSED


def test_stream_that_breaks_is_a_bad_request_on_plain_flask():
    app = flask.Flask(__name__)
    blueprint = Blueprint("forms", __name__)
    blueprint.post("/")(take_string)
    app.register_blueprint(blueprint)

    assert status_of(app, MULTIPART, Broken(PART, OSError("gone")))[0] == 400


def test_stream_that_breaks_is_a_bad_request_of_a_method():
    class View(MethodView):
        def post(self, name: str = Form()) -> str:
            raise AssertionError

    app = Flask(__name__)
    app.add_url_rule("/", view_func=View.as_view("view"))
    app.init_app()

    assert status_of(app, MULTIPART, Broken(PART, OSError("gone"))) == REFUSED


def test_disk_that_is_full_is_no_fault_of_the_client(monkeypatch):
    def write(*args: t.Any) -> t.NoReturn:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(SpooledTemporaryFile, "write", write)
    _, content_type, sent = BODIES["file"]
    whole = sent + b"\r\n--b--\r\n"

    assert status_of(app_with(take_file), content_type, io.BytesIO(whole))[0] == 500


def test_stream_of_a_request_is_left_as_it_is():
    def view(name: str = Form()) -> list[str]:
        request = flask.request
        return [name, type(request.stream).__name__, type(request.files).__name__]

    whole = BODIES["multipart, after the last"][2]

    assert status_of(app_with(view), MULTIPART, io.BytesIO(whole)) == (
        201,
        ["lamp", "BytesIO", "ImmutableMultiDict"],
    )


class OwnStream(flask.Request):
    """A class of requests that reads its body in its own way."""

    @property
    def stream(self) -> t.Any:
        return io.BytesIO(BODIES["multipart, after the last"][2])


def test_class_of_requests_with_a_stream_of_its_own_is_asked_for_it():
    def view(name: str = Form()) -> dict[str, str]:
        return {"name": name}

    app = app_with(view)
    app.request_class = OwnStream

    assert status_of(app, MULTIPART, io.BytesIO()) == (201, {"name": "lamp"})
