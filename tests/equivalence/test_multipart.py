"""A multipart form that is read in pieces is what Werkzeug makes of it whole."""

from __future__ import annotations

import gc
import io
import typing as t

import pytest
from client import client_of
from draws import draws
from flask import Flask, Request
from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException
from werkzeug.formparser import FormDataParser, MultiPartParser

from flask_signature import UploadFile
from flask_signature._http.request import form_items

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

#: What Werkzeug's parser reads at once, and a part of it.
CHUNK = 64 * 1024
FAR = 8 * 1024

DELIMITER = b"\r\n--b"
FILE = b'Content-Disposition: form-data; name="f"; filename="f.bin"'
FIELD = b'Content-Disposition: form-data; name="a"'
LONG = bytes(range(256)) * (FAR // 256)

PART = b"--b\r\n" + FILE + b"\r\n\r\n"

PIECES = st.sampled_from(
    [
        DELIMITER,
        b"\r\n" + PART,
        DELIMITER + b"\r\n" + FILE + b"\r\nContent-Type: image/png\r\n\r\n" + LONG,
        DELIMITER + b"\r\n" + FIELD + b"\r\n\r\n",
        DELIMITER + b"\r\n" + FIELD + b"\r\n\r\n" + LONG,
        *(DELIMITER + b"--\r\n", DELIMITER + b"--", LONG, LONG, LONG[:-1] + b"\r"),
        *(b"\r\n", b"\r\n\r\n", b"\n--b\n", b"\r--b\r", b"--b", b"\r", b"\n"),
        *(b"-", b" ", b"x"),
    ]
)
BODIES = st.lists(PIECES, max_size=12).map(b"".join)
WHOLE = PART + LONG + DELIMITER + b"--\r\n"


@pytest.fixture(autouse=True, scope="module")
def _collect_open_files() -> t.Iterator[None]:
    """Werkzeug leaves the files of a form open that it can't parse to its end."""
    yield
    gc.collect()


def request_of(
    body: bytes, request_class: type[Request] = Request, **more: t.Any
) -> Request:
    return request_class(
        {
            "REQUEST_METHOD": "POST",
            "SERVER_NAME": "x",
            "CONTENT_TYPE": "multipart/form-data; boundary=b",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            **more,
        }
    )


def outcome(request: Request, load: t.Callable[[Request], t.Any]) -> t.Any:
    """What a form has in it, or why it was refused, and what is left of the stream."""
    left = request.environ["wsgi.input"]
    try:
        load(request)
    except HTTPException as error:
        return type(error), left.read(), type(vars(request).get("stream"))
    form = list(request.form.items(multi=True))
    files = [
        (name, file.filename, list(file.headers), type(file.stream), file.read())
        for name, file in request.files.items(multi=True)
    ]
    request.close()
    return form, files, type(request.stream), request.get_data(), left.read()


def assert_is_read_as_werkzeug_does(body: bytes, **more: t.Any) -> None:
    with Flask(__name__).app_context():
        ours = outcome(request_of(body, **more), lambda request: form_items(request))
        theirs = outcome(request_of(body, **more), lambda request: request.files)

    assert ours == theirs


@pytest.mark.drawn
@settings(max_examples=draws(500), deadline=None)
@given(body=BODIES)
@example(body=WHOLE)
@example(body=WHOLE[:-2])
@example(body=WHOLE[: FAR + 100])
@example(body=WHOLE.replace(b"\r\n", b"\n"))
@example(body=WHOLE.replace(DELIMITER + b"--", b"\r\r" + DELIMITER + b"--"))
def test_a_form_is_read_as_werkzeug_does(body):
    assert_is_read_as_werkzeug_does(body)
    assert_is_read_as_werkzeug_does(PART + body)


@pytest.mark.parametrize("size", [CHUNK - 200, CHUNK, CHUNK * 2 + FAR, 600_000])
def test_a_large_form_is_read_as_werkzeug_does(size):
    part = PART + bytes(size) + b"\r\n"
    field = b"--b\r\n" + FIELD + b"\r\n\r\n" + bytes(FAR) + b"\r\n"

    assert_is_read_as_werkzeug_does(part + field * 3 + part + b"--b--\r\n")


ENVIRONS = [
    {"CONTENT_LENGTH": str(len(WHOLE) + 1)},
    {"CONTENT_LENGTH": str(len(WHOLE) - 1)},
    {"CONTENT_LENGTH": ""},
    {"CONTENT_TYPE": "multipart/form-data"},
    {"CONTENT_TYPE": "multipart/form-data; boundary=\xe9"},
    {"CONTENT_TYPE": "multipart/mixed; boundary=b"},
    {"CONTENT_TYPE": "application/json"},
    {"wsgi.input_terminated": True},
]


@pytest.mark.parametrize("environ", ENVIRONS, ids=str)
def test_a_form_in_another_environ_is_read_as_werkzeug_does(environ):
    assert_is_read_as_werkzeug_does(WHOLE, **environ)


LIMITS = [
    {"max_form_parts": 1},
    {"max_form_memory_size": FAR},
    {"max_form_memory_size": None},
    {"max_content_length": FAR},
]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_limits_are_applied_as_werkzeug_does(limits):
    more = {"request_class": type("Limited", (Request,), limits)}

    assert_is_read_as_werkzeug_does(WHOLE, **more)
    assert_is_read_as_werkzeug_does(WHOLE[:-4] + b"\r\n" + WHOLE, **more)


def test_a_form_whose_data_was_read_before_is_read_again():
    request = request_of(WHOLE)
    request.get_data()

    ((_, file),) = form_items(request)

    assert file.read() == LONG
    assert request.stream.read() == b""


# A parser or a stream that somebody has replaced is given the request's own stream.


def test_a_patched_parser_is_given_the_stream_of_the_request(monkeypatch):
    seen, original = [], MultiPartParser.parse

    def parse(self: t.Any, stream: t.Any, *args: t.Any) -> t.Any:
        seen.append(type(stream).__name__)
        return original(self, stream, *args)

    monkeypatch.setattr(MultiPartParser, "parse", parse)

    assert_is_read_as_werkzeug_does(WHOLE)

    assert seen == ["LimitedStream", "LimitedStream"]


class OwnParser(FormDataParser):
    seen: t.ClassVar[list[t.Any]] = []

    def parse(self, stream: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        self.seen.append(type(stream).__name__)
        return super().parse(stream, *args, **kwargs)


class OwnStreams(Request):
    def _get_file_stream(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        OwnParser.seen.append(type(self.stream).__name__)
        return io.BytesIO()


@pytest.mark.parametrize(
    "request_class",
    [type("OwnClass", (Request,), {"form_data_parser_class": OwnParser}), OwnStreams],
)
def test_a_class_of_requests_parses_in_its_own_way(request_class):
    OwnParser.seen.clear()

    with Flask(__name__).app_context():
        ((_, file),) = form_items(request_of(WHOLE, request_class))

    assert file.read() == LONG
    assert OwnParser.seen == ["LimitedStream"]


def test_an_upload_is_a_spooled_file_as_ever():
    def view(f: UploadFile) -> dict[str, t.Any]:
        f.stream.rollover()
        return {"size": len(f.read()), "has_file": f.stream.fileno() > 0}

    sent = {"f": (io.BytesIO(LONG * 7), "f.bin")}
    response = client_of(view, method="POST").post("/", data=sent)

    assert response.get_json() == {"size": len(LONG) * 7, "has_file": True}
