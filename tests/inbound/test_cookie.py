"""Arguments that are read from cookies."""

import typing as t

from client import client_of, echo, refusals, taking
from flask import request
from pydantic import BaseModel

from flask_signature import Cookie


def sent(text: str) -> dict[str, t.Any]:
    return {"headers": {"Cookie": text}}


def test_cookie_is_named_after_the_argument_or_its_alias():
    def view(theme: str = Cookie("light"), n: int = Cookie(0, alias="the-n")):
        return echo(theme=theme, n=n)

    client = client_of(view)

    answer = client.get("/", **sent("theme=dark; the-n=7"))
    assert answer.json == {"theme": "dark", "n": 7}
    assert client.get("/").json == {"theme": "light", "n": 0}
    refused = client.get("/", **sent("the-n=x"))
    assert refusals(refused) == [(["cookie", "the-n"], "int_parsing")]


def test_cookie_is_what_flask_reads():
    def view(a: str = Cookie(), b: str = Cookie()):
        assert (a, b) == (request.cookies["a"], request.cookies["b"])
        return echo(a=a)

    answer = client_of(view).get(
        "/", **sent(r'a="x\073 \"y\""; b=caf%C3%A9; a=2; junk')
    )

    assert answer.json == {"a": 'x; "y"'}


def test_cookie_may_be_blank():
    client = client_of(taking(str, Cookie("d")))

    assert client.get("/", **sent("x=")).json == {"x": ""}


class Session(BaseModel):
    sid: str
    theme: str = "light"


class Closed(BaseModel, extra="forbid"):
    sid: str


def test_model_takes_one_cookie_per_field():
    def view(s: t.Annotated[Session, Cookie()], n: int = Cookie(0)):
        return echo(s=s, n=n)

    client = client_of(view)

    answer = client.get("/", **sent("sid=1; zz=2; n=3"))
    assert answer.json == {"s": {"sid": "1", "theme": "light"}, "n": 3}
    assert refusals(client.get("/")) == [(["cookie", "sid"], "missing")]


def test_a_model_may_forbid_others():
    def view(s: t.Annotated[Closed, Cookie()], n: int = Cookie(0)):
        return echo(s=s, n=n)

    client = client_of(view)

    assert client.get("/", **sent("sid=1; n=3")).status_code == 200
    refused = client.get("/", **sent("sid=1; n=3; zz=2"))
    assert refusals(refused) == [(["cookie", "zz"], "extra_forbidden")]


def test_an_optional_model_is_none_where_none_is_sent():
    client = client_of(taking(t.Annotated[Session | None, Cookie()], None))

    assert client.get("/", **sent("other=1")).json == {"x": None}
    assert client.get("/", **sent("sid=1")).json["x"]["sid"] == "1"


def test_cookie_that_is_not_utf8_is_what_flask_reads():
    def view(a: str = Cookie()):
        return echo(same=a == request.cookies["a"])

    answer = client_of(view).get("/", environ_overrides={"HTTP_COOKIE": "a=\xe9"})

    assert answer.json == {"same": True}
