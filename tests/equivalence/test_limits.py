"""The limit of a request is the one that its property has, whoever set it."""

from __future__ import annotations

import flask
import pytest
from werkzeug.test import EnvironBuilder

from flask_signature._http.request import length_of, max_content_length

IS_SETTABLE = vars(flask.Request)["max_content_length"].fset is not None


class Limited(flask.Request):
    max_content_length = 5


@pytest.fixture
def request_(app):
    with app.test_request_context("/"):
        yield flask.request._get_current_object()  # type: ignore[attr-defined]


@pytest.mark.parametrize("configured", [None, 0, 70])
def test_a_limit_is_that_of_the_configuration(app, request_, configured):
    app.config["MAX_CONTENT_LENGTH"] = configured
    assert max_content_length(request_) == request_.max_content_length == configured


@pytest.mark.skipif(not IS_SETTABLE, reason="read-only before Flask 3.1")
def test_a_limit_is_that_of_the_request(request_):
    request_.max_content_length = 7
    assert max_content_length(request_) == 7


def test_a_limit_is_that_of_the_class():
    assert max_content_length(Limited({})) == 5


def test_a_limit_is_asked_for_without_an_application():
    request = flask.Request({})
    assert max_content_length(request) == request.max_content_length


def test_a_property_that_was_replaced_is_asked(request_, monkeypatch):
    monkeypatch.setattr(flask.Request, "max_content_length", property(lambda _: 9))
    assert max_content_length(request_) == 9


@pytest.mark.parametrize("coding", [None, "chunked", "gzip"])
@pytest.mark.parametrize(
    "length",
    [None, "", "0", "17", "017", " 5", "-3", "+3", "x", "²", "1_0", "9" * 5000],
)
def test_the_length_of_a_body_is_that_of_werkzeug(length, coding):
    sent = {"CONTENT_LENGTH": length, "HTTP_TRANSFER_ENCODING": coding}
    environ = EnvironBuilder("/", method="POST").get_environ()
    environ.pop("CONTENT_LENGTH", None)
    environ.update({key: value for key, value in sent.items() if value is not None})
    request = flask.Request(environ)
    assert length_of(request) == request.content_length
