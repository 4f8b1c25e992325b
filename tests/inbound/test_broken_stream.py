"""A body whose stream breaks is the client's, of whatever content type it is."""

from __future__ import annotations

import gc
import io
import typing as t
from errno import ENOSPC
from tempfile import SpooledTemporaryFile

import flask
import pytest
from client import taking
from flask.views import MethodView
from models import Item

from flask_signature import Blueprint, Body, File, Flask, Form, UploadFile

if t.TYPE_CHECKING:
    from collections.abc import Callable

# Werkzeug leaves the files of a form open that it can't parse to its end.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

MULTIPART: t.Final = "multipart/form-data; boundary=b"
URLENCODED: t.Final = "application/x-www-form-urlencoded"
PART: t.Final = b'--b\r\nContent-Disposition: form-data; name="name"'


WHOLE: t.Final = PART + b"\r\n\r\nlamp\r\n--b--\r\n"


async def take_later(name: str = Form()) -> str:
    raise AssertionError


take_string = taking(str, Form(alias="name"))
take_file = taking(UploadFile, File(alias="name"))


@pytest.fixture(autouse=True, scope="module")
def _collect_open_files() -> t.Iterator[None]:
    yield
    gc.collect()


#: What is sent before the stream breaks.
BODIES: t.Final[dict[str, tuple[Callable[..., t.Any], str, bytes]]] = {
    "JSON": (taking(Item), "application/json", b'{"name": '),
    "JSON, nothing yet": (taking(Item), "application/json", b""),
    "bytes": (taking(bytes, Body(media_type="text/csv")), "text/csv", b"a;b"),
    "urlencoded": (take_string, URLENCODED, b"name=a"),
    "urlencoded with a charset": (take_string, URLENCODED + "; charset=utf-8", b"n"),
    "multipart": (take_string, MULTIPART, PART),
    "multipart, nothing yet": (take_string, MULTIPART, b""),
    "multipart, in a value": (take_string, MULTIPART, PART + b"\r\n\r\nlamp"),
    "multipart, after the last": (take_string, MULTIPART, WHOLE),
    "file": (take_file, MULTIPART, PART + b'; filename="a"\r\n\r\n' + b"x" * 70_000),
    "model": (taking(t.Annotated[Item, Form()]), MULTIPART, PART),
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


class Method(MethodView):
    def post(self, name: str = Form()) -> str:
        raise AssertionError


@pytest.mark.parametrize(
    ("make", "view"),
    [(flask.Flask, take_string), (Flask, Method.as_view("view"))],
    ids=["plain-flask", "method"],
)
def test_stream_that_breaks_is_a_bad_request_in_a_blueprint(make, view):
    app, blueprint = make(__name__), Blueprint("forms", __name__)
    blueprint.add_url_rule("/", view_func=view, methods=["POST"])
    app.register_blueprint(blueprint)

    assert status_of(app, MULTIPART, Broken(PART, OSError("gone")))[0] == 400


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

    found = status_of(app_with(view), MULTIPART, io.BytesIO(WHOLE))
    assert found == (201, ["lamp", "BytesIO", "ImmutableMultiDict"])


class OwnStream(flask.Request):
    """A class of requests that reads its body in its own way."""

    @property
    def stream(self) -> t.Any:
        return io.BytesIO(WHOLE)


def test_class_of_requests_with_a_stream_of_its_own_is_asked_for_it():
    app = app_with(take_string)
    app.request_class = OwnStream

    assert status_of(app, MULTIPART, io.BytesIO()) == (201, {"x": "lamp"})
