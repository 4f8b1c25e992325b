"""Headers in a return annotation: ``tuple[Item, Literal[201], Created]``."""

from __future__ import annotations

import datetime
import logging
import re
import sys
import threading
import typing as t
from decimal import Decimal
from importlib.metadata import version
from uuid import UUID

import pytest
from client import client_of
from flask import after_this_request, session
from models import MISSING, Color, Item
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from returned import ANSWER, refused, responses_of, returning, view_of
from typing_extensions import NotRequired, TypedDict

from flask_signature import SetCookie

T = t.TypeVar("T")


class Created(TypedDict):
    location: str


class PageHeaders(TypedDict):
    content_range: str


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


def string(**more: t.Any) -> dict[str, t.Any]:
    return {"type": "string", **more}


def annotation_of(headers: t.Any) -> t.Any:
    return tuple[Item, t.Literal[201], headers]


def sent(headers: t.Any, value: t.Any) -> t.Any:
    """The response with a value of the type of headers."""
    return returning(annotation_of(headers), ({"name": "pen"}, 201, value))


def described(headers: t.Any) -> dict[str, t.Any]:
    response = responses_of(annotation_of(headers))["201"]
    return t.cast("dict[str, t.Any]", response["headers"])


def test_headers_are_sent_and_described():
    response = sent(Created, {"location": "/items/1", "x_secret": "ldap://internal"})

    assert (response.status_code, response.json) == (201, {"name": "pen"})
    assert response.headers["Location"] == "/items/1"
    assert "X-Secret" not in response.headers
    assert described(Created) == {
        "Location": {"required": True, "schema": {"type": "string"}}
    }


MOMENT = datetime.datetime(2026, 5, 17, 12, 30, tzinfo=datetime.timezone.utc)
REFERENCE = UUID(int=7)

INTEGER = {"type": "integer"}
STRINGS = {"type": "array", "items": string()}
PAIR = {"prefixItems": [INTEGER] * 2, "minItems": 2, "maxItems": 2}

#: A value of each field, the header, and its schema.
VALUES: dict[str, tuple[object, str, str, t.Any]] = {
    "retry_after": (30, "Retry-After", "30", INTEGER),
    "etag": ('"abc"', "Etag", '"abc"', string()),
    "is_last": (True, "Is-Last", "true", {"type": "boolean"}),
    "last_modified": (
        *(MOMENT, "Last-Modified", "Sun, 17 May 2026 12:30:00 GMT"),
        string(format="http-date"),
    ),
    "day": (MOMENT.date(), "Day", "2026-05-17", string(format="date")),
    "price": (Decimal("1.50"), "Price", "1.50", None),
    "ratio": (0.5, "Ratio", "0.5", {"type": "number"}),
    "reference": (REFERENCE, "Reference", str(REFERENCE), string(format="uuid")),
    "color": (Color.RED, "Color", "red", {"$ref": "#/components/schemas/Color"}),
    "allow": (["GET", "PUT"], "Allow", "GET,PUT", STRINGS),
    "numbers": ((1, 2), "Numbers", "1,2", {"type": "array", **PAIR}),
    "link": ("</a>", "Link", "</a>", string()),
    "total": (7, "x-TOTAL", "7", {**INTEGER, "minimum": 0}),
}


@pytest.fixture(scope="module")
def headers_of_everything() -> dict[str, t.Any]:
    return described(Everything)


@pytest.mark.parametrize("field", VALUES)
def test_value_is_written_as_http_has_it(field, headers_of_everything):
    value, name, line, schema = VALUES[field]
    response = sent(Everything, {field: value})

    assert response.status_code == 201
    assert (name, line) in [*response.headers]
    if schema:
        assert headers_of_everything[name]["schema"] == schema


def test_none_is_left_out():
    assert "Link" not in sent(Everything, {"link": None}).headers


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

    annotation = tuple[Item, t.Literal[200], Tagged]
    responses = {200: {"headers": {"retry-after": int}}}

    found = responses_of(annotation, etag=True, responses=responses)
    assert found["200"]["headers"] == {
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
    class Counted(TypedDict):
        total: t.Annotated[NotRequired[int], Field(alias="X-Total", ge=0)]

    assert sent(Counted, {"total": 3}).headers["X-Total"] == "3"
    assert sent(Counted, {"total": -3}).status_code == 500
    assert "X-Total" not in sent(Counted, {}).headers
    schema = {"type": "integer", "minimum": 0}
    assert described(Counted) == {"X-Total": {"schema": schema}}


def test_model_of_headers():
    class Page(BaseModel, extra="allow"):
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


class Dated(TypedDict):
    last_modified: datetime.datetime


WEST = datetime.timezone(datetime.timedelta(hours=-5))
FAILING: dict[str, tuple[t.Any, t.Any]] = {
    "missing": (Created, {}),
    "none": (Created, None),
    "another-type": (Created, {"location": 7}),
    "line-break": (Created, {"location": "/\r\nSet-Cookie: a=b"}),
    "newline": (Created, {"location": "/\n"}),
    "null": (Created, {"location": "/\x00"}),
    "not-latin-1": (Created, {"location": "/\u2028"}),
    "pairs": (Created, [("location", "/")]),
    "no-date-of-utc": (
        Dated,
        {"last_modified": datetime.datetime.max.replace(tzinfo=WEST)},
    ),
}


@pytest.mark.parametrize(("headers", "value"), FAILING.values(), ids=FAILING)
def test_headers_that_do_not_fit_are_a_failed_response(headers, value, caplog):
    response = sent(headers, value)

    assert (response.status_code, response.data) == (500, ANSWER)
    assert {"Location", "Set-Cookie"}.isdisjoint(response.headers.keys())
    (record,) = (item for item in caplog.records if item.levelno == logging.ERROR)
    assert record.getMessage().startswith(
        "GET /: show() returned headers for status 201 that do not fit"
    )
    assert "Set-Cookie" not in record.getMessage()


def test_headers_may_be_optional():
    assert sent(Created | None, None).status_code == 201
    assert sent(Created | None, {}).status_code == 500
    assert described(Created | None) == {"Location": {"schema": {"type": "string"}}}


def test_headers_of_one_status_beside_a_body_without_one():
    annotation = list[Item] | tuple[list[Item], t.Literal[206], PageHeaders]
    items = [Item(name="a")]

    assert returning(annotation, items).status_code == 200
    response = returning(annotation, (items, 206, {"content_range": "items 1-2/2"}))
    assert (response.status_code, response.json) == (206, [{"name": "a"}])
    assert response.headers["Content-Range"] == "items 1-2/2"
    found = responses_of(annotation)
    assert "headers" not in found["200"]
    assert [*found["206"]["headers"]] == ["Content-Range"]


MOVED = tuple[str, t.Literal[301], Created]
EITHER = tuple[None, t.Literal[204], Created] | MOVED
ITEM, HERE = Item(name="a"), {"location": "/1"}

#: An annotation, and a value that has the headers.
SENT: dict[str, tuple[t.Any, t.Any]] = {
    "without-a-status": (tuple[Item, t.Literal[200], Created], (ITEM, HERE)),
    "without-content": (EITHER, (None, 204, HERE)),
    "without-a-model": (MOVED, ("moved", 301, HERE)),
    "of-flask": (tuple[Item, t.Literal[200], dict[str, str]], (ITEM, 200, HERE)),
    "optional": (annotation_of(Created | None), (ITEM, 201, HERE)),
}


@pytest.mark.parametrize(("annotation", "value"), SENT.values(), ids=SENT)
def test_headers_are_sent_with(annotation, value):
    assert returning(annotation, value).headers["Location"] == "/1"


def test_headers_of_a_status_without_content_are_described():
    assert [*responses_of(EITHER)["204"]["headers"]] == ["Location"]


# Cookies


class LoggedIn(TypedDict):
    set_cookie: list[SetCookie]


class ByHand(TypedDict):
    set_cookie: list[str]


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


@pytest.mark.parametrize("headers", [LoggedIn, ByHand])
def test_cookies_are_described_as_one_header(headers):
    assert described(headers) == {
        "Set-Cookie": {"required": True, "schema": {"type": "string"}}
    }


def test_client_has_the_cookie():
    value = {"set_cookie": [SetCookie("sid", "a;b\r\n\u2028")]}
    view = view_of(annotation_of(LoggedIn), ({"name": "pen"}, 201, value))
    client = client_of(view).application.test_client()

    client.get("/")

    cookie = client.get_cookie("sid")
    assert cookie is not None
    assert cookie.decoded_value == "a;b\r\n\u2028"


class Maybe(TypedDict):
    set_cookie: SetCookie | None


@pytest.mark.parametrize(
    ("headers", "value", "lines"),
    [
        (Maybe, None, []),
        (Maybe, SetCookie("a", "1"), ["a=1; Path=/"]),
        (ByHand, ["a=1", "b=2; Path=/"], ["a=1", "b=2; Path=/"]),
    ],
    ids=["none", "one", "by-hand"],
)
def test_cookies_are_those_of_the_field(headers, value, lines):
    response = sent(headers, {"set_cookie": value})
    assert response.headers.getlist("Set-Cookie") == lines


def test_cookies_of_hooks_and_of_the_session_are_kept(app, client):
    app.secret_key = "secret"

    @app.post("/")
    def log_in() -> tuple[Item, t.Literal[200], LoggedIn]:
        @after_this_request
        def remember(response):
            response.set_cookie("b", "2")
            return response

        session["user"] = 1
        return Item(name="a"), 200, {"set_cookie": [SetCookie("a", "1")]}

    cookies = client.post("/").headers.getlist("Set-Cookie")

    names = [line.partition("=")[0] for line in cookies]
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


PARTS = "Use a single value, or a list of such."

#: The fields of a ``TypedDict`` named ``Odd``, and what is said of it.
MISUSES: dict[str, tuple[dict[str, t.Any], str]] = {
    "content-type": (
        {"content_type": str},
        (
            "the header 'content_type' of 'Odd', but the content type belongs to the"
            " body. Use media_type= of the route, or return a Response that has it."
        ),
    ),
    "model": ({"x": Item}, f"the header 'x' of 'Odd', which may be a model. {PARTS}"),
    "dict": ({"x": dict[str, int]}, PARTS),
    "list-of-lists": ({"x": list[list[int]]}, PARTS),
    "list-of-models": ({"x": list[Item]}, PARTS),
    "no-name-of-a-header": (
        {"a": t.Annotated[str, Field(alias="X Y")]},
        "the header 'a' of 'Odd', but 'X Y' is no name of a header.",
    ),
    "unknown-to-pydantic": (
        {"x_lock": threading.Event},
        (
            "the headers 'Odd', but Pydantic can't serialize 'Odd', since it knows no"
            " fields of 'Event'. Name a BaseModel or a dataclass instead."
        ),
    ),
    "twice": (
        {"x_a": str, "b": t.Annotated[str, Field(alias="x-A")]},
        "the header 'x-A' of 'Odd' twice.",
    ),
    "cookie": (
        {"cookie": SetCookie},
        "a cookie in the header 'cookie' of 'Odd'. Name the field 'set_cookie'.",
    ),
}


@pytest.mark.parametrize(("fields", "problem"), MISUSES.values(), ids=MISUSES)
def test_type_of_headers_that_can_not_be_sent_is_refused(fields, problem):
    said, _, _ = refused(annotation_of(TypedDict("Odd", fields))).rpartition(" (")
    assert said.startswith("GET /: the return annotation of show() has ")
    assert said.endswith(problem if problem == PARTS else f" has {problem}")


class Page(BaseModel):
    items: list[Item]


def test_headers_of_one_status_may_belong_to_one_of_two_bodies():
    annotation = tuple[Item, t.Literal[200]] | tuple[Page, t.Literal[200], Created]

    value = (Page(items=[]), 200, {"location": "/2"})
    assert returning(annotation, value).headers["Location"] == "/2"
    response = returning(annotation, (Item(name="a"), 200))
    assert (response.json, "Location" in response.headers) == ({"name": "a"}, False)
    headers = responses_of(annotation)["200"]["headers"]
    assert headers == {"Location": {"schema": {"type": "string"}}}


CREATED = {"location": "/", "secret": "ldap://internal"}


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (tuple[Item, Created], (Item(name="a"), CREATED)),
        (tuple[Item, int, Created], (Item(name="a"), 201, CREATED)),
    ],
)
def test_typed_dict_without_a_status_is_an_item_of_an_array(annotation, value):
    response = returning(annotation, value)
    assert response.json[-1] == {"location": "/"}
    assert "location" not in response.headers


def test_two_types_of_headers_for_one_status_are_refused():
    annotation = annotation_of(Created) | annotation_of(PageHeaders)

    assert refused(annotation).startswith(
        "GET /: the return annotation of show() has headers of two types for status"
        " 201. Use one TypedDict. ("
    )


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="Pydantic reads it")
def test_typed_dict_of_typing_is_refused_with_the_other_one_named():
    class Old(t.TypedDict):
        a: int

    assert "`typing_extensions.TypedDict`" in refused(annotation_of(Old))
