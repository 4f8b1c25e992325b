"""Requests made up from the description get the answers that it promises.

The check that is left out asks for a refusal of every value of another type, where a
query string and a form turn text into numbers.
"""

from __future__ import annotations

import os
import tempfile
import typing as t
from pathlib import Path

import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings
from schemathesis.checks import CHECKS

from sample_app import create_app
from sample_app.session.logins import COOKIE

FOLDER = tempfile.TemporaryDirectory(prefix="bookshop-")
EXAMPLES = int(os.environ.get("EXAMPLES", "100"))

app = create_app(
    {"SQLALCHEMY_DATABASE_URI": f"sqlite:///{Path(FOLDER.name) / 'books.sqlite'}"}
)
schema = schemathesis.openapi.from_wsgi("/openapi.json", app)


def log_in() -> str:
    """The cookie of the bookseller, who may do everything."""
    client = app.test_client()
    form = {"username": "bookseller", "password": "it-was-the-best-of-times"}
    assert client.post("/session", data=form).status_code == 201
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    return f"{COOKIE}={cookie.value}"


LOGIN = log_in()

LEFT_OUT = [CHECKS.get_one("negative_data_rejection")]


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_strangers_get_the_answers_of_the_description(case: t.Any) -> None:
    case.call_and_validate(excluded_checks=LEFT_OUT)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_the_staff_gets_the_answers_of_the_description(case: t.Any) -> None:
    # Logging out would end it for all that follows.
    headers = {} if case.operation.path == "/session" else {"Cookie": LOGIN}
    left_out = [*LEFT_OUT, CHECKS.get_one("ignored_auth")]
    case.call_and_validate(headers=headers, excluded_checks=left_out)
