"""Arguments that are read from cookies."""

import typing as t

from client import client_of, echo
from flask import request

from flask_signature import Cookie


def sent(text: str) -> dict[str, t.Any]:
    return {"headers": {"Cookie": text}}


def test_cookie_is_what_flask_reads():
    def view(a: str = Cookie(), b: str = Cookie()):
        assert (a, b) == (request.cookies["a"], request.cookies["b"])
        return echo(a=a)

    answer = client_of(view).get(
        "/", **sent(r'a="x\073 \"y\""; b=caf%C3%A9; a=2; junk')
    )
    assert answer.json == {"a": 'x; "y"'}


def test_cookie_that_is_not_utf8_is_what_flask_reads():
    def view(a: str = Cookie()):
        return echo(same=a == request.cookies["a"])

    answer = client_of(view).get("/", environ_overrides={"HTTP_COOKIE": "a=\xe9"})
    assert answer.json == {"same": True}
