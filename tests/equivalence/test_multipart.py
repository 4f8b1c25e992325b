"""A multipart form is what Werkzeug makes of it, and so is its stream afterwards."""

from __future__ import annotations

import gc
import io
import typing as t

import pytest
from flask import Flask, Request
from werkzeug.exceptions import HTTPException

from flask_signature._http.request import form_items

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

#: The size of the file.
FAR = 8 * 1024

LONG = bytes(range(256)) * (FAR // 256)
FILE = b'Content-Disposition: form-data; name="f"; filename="f.bin"'
WHOLE = b"--b\r\n" + FILE + b"\r\n\r\n" + LONG + b"\r\n--b--\r\n"


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


BODIES = [
    *(WHOLE, WHOLE[:-2], WHOLE[: FAR + 100], WHOLE.replace(b"\r\n", b"\n")),
    WHOLE[:-4] + b"\r\n" + WHOLE,
]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("more", [{}, {"wsgi.input_terminated": True}], ids=str)
def test_a_form_is_read_as_werkzeug_does(body, more):
    assert_is_read_as_werkzeug_does(body, **more)


ENVIRONS = [
    {"CONTENT_LENGTH": str(len(WHOLE) + 1)},
    {"CONTENT_LENGTH": str(len(WHOLE) - 1)},
    {"CONTENT_LENGTH": ""},
    {"CONTENT_TYPE": "multipart/form-data"},
    {"CONTENT_TYPE": "multipart/form-data; boundary=\xe9"},
    {"CONTENT_TYPE": "multipart/mixed; boundary=b"},
    {"CONTENT_TYPE": "application/json"},
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
