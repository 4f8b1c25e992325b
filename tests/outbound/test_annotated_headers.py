"""Headers in a return annotation: ``tuple[Item, Literal[201], Created]``."""

from __future__ import annotations

import datetime
import logging
import re
import sys
import threading
import typing as t
from decimal import Decimal
from enum import Enum
from importlib.metadata import version
from uuid import UUID

import pytest
from document import describe, operation
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import NotRequired, TypedDict

from flask_signature import Flask, SetCookie, SignatureError

try:
    from pydantic import MISSING
except ImportError:
    # Pydantic before 2.14.
    from pydantic.experimental.missing_sentinel import MISSING

T = t.TypeVar("T")


class Item(BaseModel):
    name: str


class Created(TypedDict):
    location: str


class PageHeaders(TypedDict):
    content_range: str


class Color(Enum):
    RED = "red"


class Everything(TypedDict, total=False):
    retry_after: int
    etag: str
    is_last: bool
    last_modified: datetime.datetime
    day: datetime.date
    price: Decimal
    ratio: float
    reference: UUID
    color: Color
    allow: list[str]
    numbers: tuple[int, int]
    link: str | None
    total: t.Annotated[int, Field(alias="x-TOTAL", ge=0)]


def app_of(headers: t.Any, value: t.Any = None) -> Flask:
    app = Flask(__name__)

    def create():
        return {"name": "pen"}, 201, value

    create.__annotations__ = {"return": tuple[Item, t.Literal[201], headers]}
    app.post("/")(create)
    return app


def sent(headers: t.Any, value: t.Any) -> t.Any:
    return app_of(headers, value).test_client().post("/")


def described(headers: t.Any) -> dict[str, t.Any]:
    response = operation(app_of(headers), "POST /")["responses"]["201"]
    return t.cast("dict[str, t.Any]", response["headers"])


def refused(headers: t.Any) -> str:
    with pytest.raises(SignatureError) as error:
        app_of(headers)
    return str(error.value)


def test_headers_are_sent_and_described():
    response = sent(Created, {"location": "/items/1"})

    assert (response.status_code, response.json) == (201, {"name": "pen"})
    assert response.headers["Location"] == "/items/1"
    assert described(Created) == {
        "Location": {"required": True, "schema": {"type": "string"}}
    }


MOMENT = datetime.datetime(2026, 5, 17, 12, 30, tzinfo=datetime.timezone.utc)
REFERENCE = UUID(int=7)

VALUES: dict[str, tuple[object, str, str]] = {
    "retry_after": (30, "Retry-After", "30"),
    "etag": ('"abc"', "Etag", '"abc"'),
    "is_last": (True, "Is-Last", "true"),
    "last_modified": (MOMENT, "Last-Modified", "Sun, 17 May 2026 12:30:00 GMT"),
    "day": (MOMENT.date(), "Day", "2026-05-17"),
    "price": (Decimal("1.50"), "Price", "1.50"),
    "ratio": (0.5, "Ratio", "0.5"),
    "reference": (REFERENCE, "Reference", str(REFERENCE)),
    "color": (Color.RED, "Color", "red"),
    "allow": (["GET", "PUT"], "Allow", "GET,PUT"),
    "numbers": ((1, 2), "Numbers", "1,2"),
    "total": (7, "x-TOTAL", "7"),
}


@pytest.mark.parametrize(
    ("field", "value", "name", "line"),
    [(field, *row) for field, row in VALUES.items()],
    ids=VALUES,
)
def test_value_is_written_as_http_has_it(field, value, name, line):
    response = sent(Everything, {field: value})

    assert response.status_code == 201
    assert (name, line) in [*response.headers]
    assert name in described(Everything)


def test_described_as_sent():
    headers = described(Everything)

    assert headers["Is-Last"] == {"schema": {"type": "boolean"}}
    assert headers["Last-Modified"]["schema"] == {
        "type": "string",
        "format": "http-date",
    }
    assert headers["Day"]["schema"] == {"type": "string", "format": "date"}
    assert headers["Link"]["schema"] == {"type": "string"}
    assert headers["Allow"]["schema"] == {"type": "array", "items": {"type": "string"}}
    assert headers["x-TOTAL"]["schema"] == {"type": "integer", "minimum": 0}


def test_none_is_left_out():
    response = sent(Everything, {"link": None, "retry_after": 1})

    assert "Link" not in response.headers
    assert response.headers["Retry-After"] == "1"


def required_of(headers: t.Any) -> dict[str, bool | None]:
    return {name: item.get("required") for name, item in described(headers).items()}


def test_required_is_what_is_always_sent():
    class Mixed(TypedDict):
        always: int
        maybe: int | None
        seldom: NotRequired[int]

    class Missing(BaseModel):
        always: int = 1
        maybe: int | MISSING = MISSING
        seldom: list[int] | MISSING | None = MISSING

    assert {"Maybe", "Seldom"}.isdisjoint(sent(Missing, {}).headers.keys())
    assert required_of(Missing) == required_of(Mixed)
    assert required_of(Mixed) == {"Always": True, "Maybe": None, "Seldom": None}


def test_each_header_is_described_once():
    class Tagged(TypedDict):
        etag: str
        retry_after: int

    app = Flask(__name__)

    @app.get("/", etag=True, responses={200: {"headers": {"retry-after": int}}})
    def show() -> tuple[Item, t.Literal[200], Tagged]: ...

    headers = operation(app, "GET /")["responses"]["200"]["headers"]
    assert headers == {
        "Etag": {"required": True, "schema": {"type": "string"}},
        "retry-after": {"schema": {"type": "integer"}},
    }


def test_headers_may_be_generic():
    class Ranged(TypedDict, t.Generic[T]):
        least: t.Annotated[T, Field(alias="X-Least")]
        steps: NotRequired[list[T]]

    response = sent(Ranged[int], {"least": 3, "steps": [1, 2], "other": "x"})

    assert (response.headers["X-Least"], response.headers["Steps"]) == ("3", "1,2")
    assert "other" not in response.headers
    assert sent(Ranged[int], {"least": "x"}).status_code == 500
    assert described(Ranged[int]) == {
        "X-Least": {"required": True, "schema": {"type": "integer"}},
        "Steps": {"schema": {"type": "array", "items": {"type": "integer"}}},
    }


def test_qualifier_may_stand_in_annotated():
    class Page(TypedDict):
        total: t.Annotated[NotRequired[int], Field(alias="X-Total", ge=0)]

    assert sent(Page, {"total": 3}).headers["X-Total"] == "3"
    assert sent(Page, {"total": -3}).status_code == 500
    assert "X-Total" not in sent(Page, {}).headers
    assert described(Page) == {"X-Total": {"schema": {"type": "integer", "minimum": 0}}}


def test_undeclared_header_is_dropped():
    response = sent(Created, {"location": "/items/1", "x_secret": "ldap://internal"})

    assert "X-Secret" not in response.headers


def test_model_of_headers():
    class Page(BaseModel):
        model_config = ConfigDict(extra="allow")

        total: int = Field(alias="X-Total", description="How many there are.")
        next_page: str | None = None
        at: int = Field(exclude=True, default=1)

    class Secret(Page):
        password: str = "hunter2"

    value = Secret.model_validate({"X-Total": 7, "other": "x"})
    response = sent(Page, value)
    assert response.headers["X-Total"] == "7"
    assert {"Password", "Other", "Next-Page", "At"}.isdisjoint(response.headers.keys())
    assert sent(Page, {"total": 8}).headers["X-Total"] == "8"
    assert described(Page) == {
        "X-Total": {
            "description": "How many there are.",
            "required": True,
            "schema": {"type": "integer"},
        },
        "Next-Page": {"schema": {"type": "string"}},
    }


def test_aliases_made_by_a_generator_are_taken_verbatim():
    class Camel(TypedDict):
        __pydantic_config__ = ConfigDict(alias_generator=to_camel)  # type: ignore[misc]

        page_size: int

    assert sent(Camel, {"page_size": 3}).headers["pageSize"] == "3"
    assert [*described(Camel)] == ["pageSize"]


FAILING: dict[str, t.Any] = {
    "missing": {},
    "none": None,
    "another-type": {"location": 7},
    "line-break": {"location": "/\r\nSet-Cookie: a=b"},
    "newline": {"location": "/\n"},
    "null": {"location": "/\x00"},
    "not-latin-1": {"location": "/\u2028"},
    "pairs": [("location", "/")],
}


@pytest.mark.parametrize("value", FAILING.values(), ids=FAILING)
def test_headers_that_do_not_fit_are_a_failed_response(value, caplog):
    response = sent(Created, value)

    assert response.status_code == 500
    assert response.json == {"message": "An internal error occurred."}
    assert "Location" not in response.headers
    assert "Set-Cookie" not in response.headers
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    assert record.getMessage().startswith(
        "POST /: create() returned headers for status 201 that do not fit"
    )
    assert "Set-Cookie" not in record.getMessage()


def test_date_that_utc_does_not_have_is_a_failed_response(caplog):
    class Dated(TypedDict):
        last_modified: datetime.datetime

    west = datetime.timezone(datetime.timedelta(hours=-5))
    response = sent(
        Dated, {"last_modified": datetime.datetime.max.replace(tzinfo=west)}
    )

    assert response.status_code == 500
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    assert "returned headers for status 201 that do not fit" in record.getMessage()


def test_headers_may_be_optional():
    assert sent(Created | None, None).status_code == 201
    assert sent(Created | None, {"location": "/1"}).headers["Location"] == "/1"
    assert sent(Created | None, {}).status_code == 500
    assert described(Created | None) == {"Location": {"schema": {"type": "string"}}}


def test_headers_of_one_status_beside_a_body_without_one():
    app = Flask(__name__)

    @app.get("/")
    def find(
        first: int = 0,
    ) -> list[Item] | tuple[list[Item], t.Literal[206], PageHeaders]:
        items = [Item(name="a"), Item(name="b")]
        if not first:
            return items
        return items[first:], 206, {"content_range": f"items {first}-2/2"}

    client = app.test_client()
    assert client.get("/").status_code == 200
    response = client.get("/?first=1")
    assert (response.status_code, response.json) == (206, [{"name": "b"}])
    assert response.headers["Content-Range"] == "items 1-2/2"
    found = operation(app_with(find), "GET /")["responses"]
    assert "headers" not in found["200"]
    assert [*found["206"]["headers"]] == ["Content-Range"]


def app_with(view: t.Any) -> Flask:
    app = Flask(__name__)
    app.get("/")(view)
    return app


def test_headers_without_a_status_are_those_of_the_usual_one():
    def create() -> tuple[Item, t.Literal[200], Created]:
        return Item(name="a"), {"location": "/1"}  # type: ignore[return-value]

    response = app_with(create).test_client().get("/")

    assert response.headers["Location"] == "/1"


def test_headers_of_a_body_without_content_or_without_a_model():
    def move() -> (
        tuple[None, t.Literal[204], Created] | tuple[str, t.Literal[301], Created]
    ):
        return None, 204, {"location": "/1"}

    def go() -> tuple[str, t.Literal[301], Created]:
        return "moved", 301, {"location": "/1"}

    for view in (move, go):
        response = app_with(view).test_client().get("/")
        assert response.headers["Location"] == "/1"
    headers = operation(app_with(move), "GET /")["responses"]["204"]["headers"]
    assert [*headers] == ["Location"]


def test_headers_of_flask_are_left_alone():
    def create() -> tuple[Item, t.Literal[200], dict[str, str]]:
        return Item(name="a"), 200, {"x-any": "1"}

    assert app_with(create).test_client().get("/").headers["x-any"] == "1"


# Cookies


class LoggedIn(TypedDict):
    set_cookie: list[SetCookie]


def test_cookies_are_set_beside_a_model():
    cookies = [
        SetCookie("sid", "ab c", httponly=True, samesite="Lax", secure=True),
        SetCookie("old", max_age=0, path="/shop"),
    ]

    response = sent(LoggedIn, {"set_cookie": cookies})

    first, second = response.headers.getlist("Set-Cookie")
    assert first == 'sid="ab c"; Secure; HttpOnly; Path=/; SameSite=Lax'
    assert second.startswith("old=; Expires=")
    assert "Max-Age=0" in second
    assert second.endswith("Path=/shop")
    assert described(LoggedIn) == {
        "Set-Cookie": {"required": True, "schema": {"type": "string"}}
    }


def test_cookies_may_be_written_by_hand():
    class ByHand(TypedDict):
        set_cookie: list[str]

    response = sent(ByHand, {"set_cookie": ["a=1", "b=2; Path=/"]})

    assert response.headers.getlist("Set-Cookie") == ["a=1", "b=2; Path=/"]
    assert described(ByHand) == described(LoggedIn)


def test_client_has_the_cookie():
    app = app_of(LoggedIn, {"set_cookie": [SetCookie("sid", "a;b\r\n\u2028")]})
    client = app.test_client()

    client.post("/")

    cookie = client.get_cookie("sid")
    assert cookie is not None
    assert cookie.decoded_value == "a;b\r\n\u2028"


def test_one_cookie_and_no_cookie():
    class Maybe(TypedDict):
        set_cookie: SetCookie | None

    assert sent(Maybe, {"set_cookie": None}).headers.getlist("Set-Cookie") == []
    response = sent(Maybe, {"set_cookie": SetCookie("a", "1")})
    assert response.headers.getlist("Set-Cookie") == ["a=1; Path=/"]


def test_cookies_of_hooks_and_of_the_session_are_kept():
    from flask import after_this_request, session

    app = Flask(__name__)
    app.secret_key = "secret"

    @app.post("/")
    def log_in() -> tuple[Item, t.Literal[200], LoggedIn]:
        @after_this_request
        def remember(response):
            response.set_cookie("b", "2")
            return response

        session["user"] = 1
        return Item(name="a"), 200, {"set_cookie": [SetCookie("a", "1")]}

    response = app.test_client().post("/")

    names = [line.partition("=")[0] for line in response.headers.getlist("Set-Cookie")]
    assert sorted(names) == ["a", "b", "session"]


ATTRIBUTES: list[tuple[t.Any, ...]] = [
    ("a b", {}, "'a b' can't be the name of a cookie."),
    ("", {}, "'' can't be the name of a cookie."),
    ("a\r\nb", {}, r"'a\r\nb' can't be the name of a cookie."),
    ("a", {"domain": "x; Secure"}, "A cookie can't have the domain it was given."),
    ("a", {"expires": "x\r\n"}, "A cookie can't have the expires it was given."),
    ("a", {"samesite": "often"}, "SameSite must be 'Strict', 'Lax', or 'None'."),
]


@pytest.mark.parametrize(("key", "attributes", "message"), ATTRIBUTES)
def test_attribute_that_no_cookie_has(key, attributes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SetCookie(key, **attributes)


def test_partitioned_cookie():
    if version("werkzeug") < "3.1":
        with pytest.raises(TypeError):
            SetCookie("a", partitioned=True)
        return
    assert str(SetCookie("a", partitioned=True)).endswith("Partitioned")


# Misuse


def test_content_type_is_refused():
    class Typed(TypedDict):
        content_type: str

    assert refused(Typed).startswith(
        "POST /: the return annotation of create() has the header 'content_type' of"
        " 'Typed', but the content type belongs to the body. Use media_type= of the"
        " route, or return a Response that has it. ("
    )


def test_value_of_several_parts_is_refused():
    class Nested(TypedDict):
        x_item: Item

    assert refused(Nested).startswith(
        "POST /: the return annotation of create() has the header 'x_item' of 'Nested',"
        " which may be a model. Use a single value, or a list of such. ("
    )


@pytest.mark.parametrize("tp", [dict[str, int], list[list[int]], list[Item]])
def test_other_values_of_several_parts_are_refused(tp):
    Nested = TypedDict("Nested", {"x": tp})  # type: ignore[misc]  # noqa: UP013

    assert "Use a single value, or a list of such." in refused(Nested)


def test_name_that_no_header_has_is_refused():
    class Odd(TypedDict):
        a: t.Annotated[str, Field(alias="X Y")]

    assert refused(Odd).startswith(
        "POST /: the return annotation of create() has the header 'a' of 'Odd', but"
        " 'X Y' is no name of a header. ("
    )


def test_headers_that_pydantic_does_not_know_are_refused():
    class Unknown(TypedDict):
        x_lock: threading.Event

    assert refused(Unknown).startswith(
        "POST /: the return annotation of create() has the headers 'Unknown', but"
        " Pydantic can't serialize 'Unknown', since it knows no fields of"
        " 'Event'. Name a BaseModel or a dataclass instead. ("
    )


def test_header_twice_is_refused():
    class Twice(TypedDict):
        x_a: str
        b: t.Annotated[str, Field(alias="x-A")]

    assert refused(Twice).startswith(
        "POST /: the return annotation of create() has the header 'x-A' of 'Twice'"
        " twice. ("
    )


def test_cookie_in_another_header_is_refused():
    class Odd(TypedDict):
        cookie: SetCookie

    assert refused(Odd).startswith(
        "POST /: the return annotation of create() has a cookie in the header 'cookie'"
        " of 'Odd'. Name the field 'set_cookie'. ("
    )


def test_headers_of_one_status_may_belong_to_one_of_two_bodies():
    class Page(BaseModel):
        items: list[Item]

    def show(
        last: bool = False,
    ) -> tuple[Item, t.Literal[200]] | tuple[Page, t.Literal[200], Created]:
        if last:
            return Item(name="a"), 200
        return Page(items=[]), 200, {"location": "/2"}

    show.__annotations__["return"] = (
        tuple[Item, t.Literal[200]] | tuple[Page, t.Literal[200], Created]
    )
    client = app_with(show).test_client()
    assert client.get("/").headers["Location"] == "/2"
    response = client.get("/?last=1")
    assert (response.json, "Location" in response.headers) == ({"name": "a"}, False)
    headers = operation(app_with(show), "GET /")["responses"]["200"]["headers"]
    assert headers == {"Location": {"schema": {"type": "string"}}}


@pytest.mark.parametrize(
    "annotation", [tuple[Item, Created], tuple[Item, int, Created]]
)
def test_typed_dict_without_a_status_is_an_item_of_an_array(annotation):
    app = Flask(__name__)

    def show():
        created = {"location": "/", "secret": "ldap://internal"}
        return (
            Item(name="a"),
            *([201] if len(annotation.__args__) > 2 else []),
            created,
        )

    show.__annotations__ = {"return": annotation}
    app.get("/")(show)

    response = app.test_client().get("/")

    assert response.json[-1] == {"location": "/"}
    assert "location" not in response.headers


def test_two_types_of_headers_for_one_status_are_refused():
    class Other(TypedDict):
        other: str

    app = Flask(__name__)

    def show() -> (
        tuple[Item, t.Literal[201], Created] | tuple[Item, t.Literal[201], Other]
    ):
        raise AssertionError

    with pytest.raises(SignatureError) as error:
        app.get("/")(show)
    assert str(error.value).startswith(
        "GET /: the return annotation of show() has headers of two types for status"
        " 201. Use one TypedDict. ("
    )


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="Pydantic reads it")
def test_typed_dict_of_typing_is_refused_with_the_other_one_named():
    class Old(t.TypedDict):
        a: int

    assert "`typing_extensions.TypedDict`" in refused(Old)


def test_document_with_headers_is_valid():
    describe(app_of(Everything))
    describe(app_of(LoggedIn))
