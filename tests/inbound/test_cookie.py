"""Arguments that are read from cookies."""

from client import client_of, echo
from flask import request

from flask_signature import Cookie


def test_cookie_is_what_flask_reads():
    def view(a: str = Cookie(), b: str = Cookie()):
        assert (a, b) == (request.cookies["a"], request.cookies["b"])
        return echo(a=a)

    cookies = {"Cookie": r'a="x\073 \"y\""; b=caf%C3%A9; a=2; junk'}
    answer = client_of(view).get("/", headers=cookies)
    assert answer.json == {"a": 'x; "y"'}


def test_cookie_that_is_not_utf8_is_what_flask_reads():
    def view(a: str = Cookie()):
        return echo(same=a == request.cookies["a"])

    answer = client_of(view).get("/", environ_overrides={"HTTP_COOKIE": "a=\xe9"})
    assert answer.json == {"same": True}
