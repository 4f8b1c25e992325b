"""Mistakes in the use of schemes, and what is said of them."""

from __future__ import annotations

import re
import typing as t

import pytest

from flask_signature import Flask
from flask_signature import SignatureError
from flask_signature.security import HTTPBasic
from flask_signature.security import HTTPBearer

TOKEN = HTTPBearer("token", verify=lambda token: token)
TWO = HTTPBasic("two", verify=lambda username: username)


def takes_the_scheme(user): ...


# As it is without ``from __future__ import annotations``.
takes_the_scheme.__annotations__ = {"user": TOKEN}


def has_a_default(user: t.Annotated[str | None, TOKEN] = None): ...


def wants_scopes(user: t.Annotated[str, TOKEN.scopes("write")]): ...


def wants_a_password(user: t.Annotated[str, TWO]): ...


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        (
            takes_the_scheme,
            (
                "'user' of takes_the_scheme() is annotated with HTTPBearer('token'),"
                " which is no type. Write Annotated[User, scheme], with the type of"
                " what it gives."
            ),
        ),
        (
            has_a_default,
            (
                "'user' of has_a_default() has a default, but is always supplied by"
                " HTTPBearer('token'). Remove the default. Write Annotated[User | None,"
                " scheme | None] if nobody needs credentials."
            ),
        ),
        (
            wants_scopes,
            (
                "HTTPBearer('token') is asked for scopes, but has no get_scopes=, which"
                " says what a user may do. Add get_scopes=lambda user: user.scopes."
            ),
        ),
        (
            wants_a_password,
            (
                "<lambda>() verifies a user name and a password, but does not take"
                " both. Make them the first of its arguments."
            ),
        ),
    ],
    ids=["annotation", "default", "scopes", "password"],
)
def test_mistake_says_what_to_write(view, problem):
    app = Flask(__name__)

    with pytest.raises(SignatureError) as caught:
        app.get("/")(view)

    assert re.sub(r" \([^()]*, line \d+\)$", "", str(caught.value)) == (
        f"GET /: {problem}"
    )
