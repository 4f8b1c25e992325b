"""The form of a log-in by a password."""

from __future__ import annotations

import typing as t

import pytest
from client import client_of, refusals
from document import describe

from flask_signature import Form
from flask_signature.security import PasswordForm

TEXT = {"type": "string"}
OPTIONAL = {"anyOf": [TEXT, {"type": "null"}]}
SECRET = {"format": "password"}


def log_in(form: t.Annotated[PasswordForm, Form()]) -> dict[str, t.Any]:
    return {**form.model_dump(), "scopes": form.scopes}


@pytest.mark.parametrize(
    ("more", "scopes"),
    [
        ({}, []),
        ({"grant_type": "password", "scope": "read  write"}, ["read", "write"]),
        ({"client_id": "page", "client_secret": "s", "scope": ""}, []),
    ],
)
def test_form_of_a_client_is_read(more, scopes):
    form = {"username": "ann", "password": " secret "}
    client = client_of(log_in, method="POST")

    received = client.post("/", data={**form, **more})

    usual = {"grant_type": None, "scope": "", "client_id": None, "client_secret": None}
    assert received.json == {**usual, **form, **more, "scopes": scopes}


def test_another_grant_and_a_lacking_name_are_refused():
    client = client_of(log_in, method="POST")

    assert refusals(client.post("/", data={"grant_type": "code", "password": ""})) == [
        (["form", "grant_type"], "string_pattern_mismatch"),
        (["form", "username"], "missing"),
    ]


def test_it_is_described_as_that_of_fastapi():
    app = client_of(log_in, method="POST").application
    document = describe(app)

    body = document["paths"]["/"]["post"]["requestBody"]
    (content,) = body["content"].items()
    assert content == (
        "application/x-www-form-urlencoded",
        {"schema": {"$ref": "#/components/schemas/PasswordForm"}},
    )
    form = document["components"]["schemas"]["PasswordForm"]
    grant = {"anyOf": [{**TEXT, "pattern": "^password$"}, {"type": "null"}]}
    assert form["properties"] == {
        "grant_type": grant,
        "username": TEXT,
        "password": {**TEXT, **SECRET},
        "scope": {**TEXT, "default": ""},
        "client_id": OPTIONAL,
        "client_secret": {**OPTIONAL, **SECRET},
    }
    assert form["required"] == ["username", "password"]
