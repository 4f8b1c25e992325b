"""Arguments that are read from the body."""

import dataclasses
import json
import typing as t

import pytest
from client import client_of, echo, refusals
from flask import request
from models import User
from pydantic import Base64Bytes, BaseModel, ConfigDict, Field

from flask_signature import Body, Flask


class Item(BaseModel):
    name: str
    price: float = 1


ITEM = {"name": "a", "price": 2}

#: The test client takes ``json=None`` for no body.
NULL: t.Any = {"data": "null", "content_type": "application/json"}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_body_is_where_methods_with_a_body_read_their_arguments(method):
    def view(n: int, s: str = "d"):
        return echo(n=n, s=s)

    client = client_of(view, "/", method, status_code=200)

    assert client.open("/", method=method, json={"n": 1}).json == {"n": 1, "s": "d"}
    refused = client.open("/?n=1", method=method, json={})
    assert refusals(refused) == [(["body", "n"], "missing")]


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS"])
def test_body_may_be_asked_for_by_other_methods(method):
    def view(item: t.Annotated[Item, Body()]):
        return echo(item=item)

    client = client_of(view, "/", method, status_code=200)

    assert client.open("/", method=method, json=ITEM).json == {"item": ITEM}


class TestWholeBody:
    @pytest.mark.parametrize(
        ("annotation", "sent"),
        [
            (Item, ITEM),
            (list[Item], [ITEM]),
            (list[int], [1, 2]),
            (set[int], [1]),
            (tuple[int, str], [1, "a"]),
            (dict[str, int], {"a": 1}),
            (dict[str, Item], {"a": ITEM}),
            (Item | list[Item], [ITEM]),
            (Item | None, None),
            (list[dict[str, list[int]]], [{"a": [1]}]),
        ],
        ids=str,
    )
    def test_whole_body_is_what_is_alone_and_no_scalar(self, annotation, sent):
        def view(x):
            return echo(x=x)

        view.__annotations__ = {"x": annotation}

        client = client_of(view, "/", "POST")

        answer = client.post(
            "/", data=json.dumps(sent), content_type="application/json"
        )
        assert answer.json == {"x": sent}

    def test_whole_body_is_a_scalar_where_it_says_so(self):
        def view(n: t.Annotated[int, Body(embed=False, ge=1)]):
            return echo(n=n)

        client = client_of(view, "/", "POST")

        assert client.post("/", json=5).json == {"n": 5}
        assert refusals(client.post("/", json=0)) == [(["body"], "greater_than_equal")]
        assert refusals(client.post("/", json={"n": 5})) == [(["body"], "int_type")]

    def test_whole_body_may_be_a_dataclass(self):
        @dataclasses.dataclass
        class Point:
            x: int
            y: int = 0

        def view(p: Point):
            return echo(p=p)

        answer = client_of(view, "/", "POST").post("/", json={"x": "1"})

        assert answer.json == {"p": {"x": 1, "y": 0}}

    @pytest.mark.parametrize("default", [None, Item(name="d")])
    def test_whole_body_that_is_absent_is_its_default(self, default):
        def view(item: Item | None = default):
            return echo(item=item)

        client = client_of(view, "/", "POST")

        assert client.post("/").json == echo(item=default)
        assert client.post("/", json=ITEM).json == {"item": ITEM}
        assert client.post("/", **NULL).json == {"item": None}

    def test_whole_body_that_is_absent_has_a_default_of_its_own_each_time(self):
        def view(items: list[int] = Body(default_factory=list)):
            items.append(1)
            return echo(items=items)

        client = client_of(view, "/", "POST")

        assert client.post("/").json == {"items": [1]}
        assert client.post("/").json == {"items": [1]}

    def test_whole_body_that_is_absent_needs_no_content_type(self):
        def view(item: Item | None = None):
            return echo(item=item)

        client = client_of(view, "/", "POST")

        assert client.post("/", content_type="text/plain").json == {"item": None}

    def test_null_is_no_model(self):
        def view(item: Item):
            return {}

        refused = client_of(view, "/", "POST").post("/", **NULL)

        assert refusals(refused) == [(["body"], "model_type")]

    def test_whole_body_forbids_extra_fields(self):
        class Closed(BaseModel):
            model_config = ConfigDict(extra="forbid")
            a: int

        def view(c: Closed):
            return {}

        refused = client_of(view, "/", "POST").post("/", json={"a": 1, "b": 2})

        assert refusals(refused) == [(["body", "b"], "extra_forbidden")]

    def test_whole_body_has_fields_with_aliases(self):
        class Aliased(BaseModel):
            model_config = ConfigDict(populate_by_name=True)
            unit_price: float = Field(alias="unitPrice")

        def view(a: Aliased):
            return a.model_dump()

        client = client_of(view, "/", "POST")

        assert client.post("/", json={"unitPrice": 1}).json == {"unit_price": 1.0}
        assert client.post("/", json={"unit_price": 1}).json == {"unit_price": 1.0}
        refused = client.post("/", json={})
        assert refusals(refused) == [(["body", "unitPrice"], "missing")]


class TestKeysOfTheBody:
    def test_keys_of_the_body_are_several_arguments(self):
        def view(item: Item, user: User, n: int = 1, tags: list[str] = Body([])):
            return echo(item=item, user=user, n=n, tags=tags)

        client = client_of(view, "/", "POST")

        sent = {"item": ITEM, "user": {"username": "u"}, "tags": ["a"]}
        assert client.post("/", json=sent).json == {**sent, "n": 1}
        assert refusals(client.post("/", json={"item": {}, "tags": "a"})) == [
            (["body", "item", "name"], "missing"),
            (["body", "user"], "missing"),
            (["body", "tags"], "list_type"),
        ]

    def test_keys_of_the_body_are_refused_in_another_shape(self):
        def view(item: Item, user: User):
            return {}

        client = client_of(view, "/", "POST")

        assert refusals(client.post("/", json=[])) == [(["body"], "dict_type")]
        assert refusals(client.post("/")) == [(["body"], "missing")]

    def test_keys_of_the_body_may_be_one(self):
        def view(item: Item = Body(embed=True)):
            return echo(item=item)

        client = client_of(view, "/", "POST")

        assert client.post("/", json={"item": ITEM}).json == {"item": ITEM}
        refused = client.post("/", json={"item": {}})
        assert refusals(refused) == [(["body", "item", "name"], "missing")]

    def test_keys_of_the_body_may_have_aliases(self):
        def view(item: Item = Body(alias="the-item"), n: int = Body(0, alias="N")):
            return echo(item=item, n=n)

        client = client_of(view, "/", "POST")

        sent = {"the-item": ITEM, "N": 2}
        assert client.post("/", json=sent).json == {"item": ITEM, "n": 2}
        assert refusals(client.post("/", json={"N": "x"})) == [
            (["body", "the-item"], "missing"),
            (["body", "N"], "int_parsing"),
        ]

    def test_keys_of_the_body_may_all_be_absent(self):
        def view(n: int = 1, s: str | None = None):
            return echo(n=n, s=s)

        client = client_of(view, "/", "POST")

        assert client.post("/").json == {"n": 1, "s": None}
        assert client.post("/", json={}).json == {"n": 1, "s": None}
        assert client.post("/", json={"n": 2}).json == {"n": 2, "s": None}

    def test_keys_of_the_body_without_an_annotation_are_anything(self):
        def view(x):
            return echo(x=x)

        client = client_of(view, "/", "POST")

        assert client.post("/", json={"x": [1, "a"]}).json == {"x": [1, "a"]}
        assert refusals(client.post("/", json={})) == [(["body", "x"], "missing")]


class TestContentType:
    @pytest.mark.parametrize(
        "content_type",
        [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/vnd.api+json",
            "application/problem+json; charset=utf-8",
        ],
    )
    def test_content_type_is_json(self, content_type):
        def view(item: Item):
            return echo(item=item)

        answer = client_of(view, "/", "POST").post(
            "/", data='{"name": "a", "price": 2}', content_type=content_type
        )

        assert answer.json == {"item": ITEM}

    @pytest.mark.parametrize(
        "content_type",
        [
            None,
            "",
            "text/plain",
            "text/json",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonp",
            "application/json, text/plain",
            "application",
        ],
    )
    def test_content_type_is_not_json(self, content_type):
        def view(item: Item):
            return {}

        answer = client_of(view, "/", "POST", config={}).post(
            "/", data='{"name": "a"}', content_type=content_type
        )

        assert answer.status_code == 415
        assert answer.json == {"message": "The body must be sent as application/json."}

    def test_content_type_may_be_another_one_that_is_json(self):
        def view(item: Item = Body(media_type="application/merge-patch+json")):
            return echo(item=item)

        client = client_of(view, "/", "PATCH", config={})

        answer = client.patch(
            "/", data='{"name": "a"}', content_type="application/merge-patch+json"
        )
        assert answer.json == {"item": {"name": "a", "price": 1.0}}
        answer = client.patch("/", json={"name": "a"})
        assert answer.status_code == 415
        assert answer.json == {
            "message": "The body must be sent as application/merge-patch+json."
        }

    def test_content_type_of_json_may_be_said_in_so_many_words(self):
        def view(item: Item = Body(media_type="application/json")):
            return echo(item=item)

        assert client_of(view, "/", "POST").post("/", json=ITEM).status_code == 201

    def test_content_type_is_refused_beside_other_failures(self):
        def view(n: t.Annotated[int, Body()], q: str = "d"):
            return {}

        answer = client_of(view, "/", "POST", config={}).post("/", data="n=1")

        assert answer.status_code == 415


class TestWithoutContentType:
    """``SIGNATURE_STRICT_CONTENT_TYPE = False``."""

    LAX: t.ClassVar = {"SIGNATURE_STRICT_CONTENT_TYPE": False}

    def test_a_body_is_json(self):
        def view(item: Item):
            return echo(item=item)

        client = client_of(view, "/", "POST", config=self.LAX)

        answer = client.post("/", data='{"name": "a"}')
        assert answer.json == {"item": {"name": "a", "price": 1.0}}
        assert refusals(client.post("/", data="a=1")) == [(["body"], "json_invalid")]
        assert refusals(client.post("/")) == [(["body"], "missing")]

    @pytest.mark.parametrize(
        "content_type",
        [
            "text/plain",
            "text/plain;charset=UTF-8",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            ";charset=utf-8",
        ],
    )
    def test_a_wrong_one_stays_refused(self, content_type):
        def view(item: Item):
            return {}

        client = client_of(view, "/", "POST", config=self.LAX)

        answer = client.post("/", data='{"name": "a"}', content_type=content_type)
        assert answer.status_code == 415

    @pytest.mark.parametrize(
        ("annotation", "marker"),
        [(bytes, Body(media_type="image/png")), (str, Body(media_type="text/plain"))],
    )
    def test_a_body_of_another_type_has_to_say_it(self, annotation, marker):
        def view(raw):
            return {}

        view.__annotations__ = {"raw": t.Annotated[annotation, marker]}
        client = client_of(view, "/", "POST", config=self.LAX)

        assert client.post("/", data=b"{}").status_code == 415

    def test_routes_may_come_before_the_setting(self):
        app = Flask(__name__)

        @app.post("/")
        def view(item: Item):
            return item.name

        assert app.test_client().post("/", data='{"name": "a"}').status_code == 415

        app = Flask(__name__)
        app.post("/")(view)
        app.config.update(self.LAX)
        app.init_app()
        assert app.test_client().post("/", data='{"name": "a"}').text == "a"


class TestRawBody:
    @pytest.mark.parametrize("annotation", [bytes, bytes | None, bytes | str])
    def test_raw_body_is_bytes(self, annotation):
        given = []

        def view(raw):
            given.append(raw)
            return {}

        view.__annotations__ = {"raw": annotation}
        client_of(view, "/", "POST").post(
            "/", data=b"\x00\xff", content_type="application/octet-stream"
        )

        assert given == [b"\x00\xff"]

    @pytest.mark.parametrize("annotation", [str, str | None, t.Annotated[str, Body()]])
    @pytest.mark.parametrize(
        "content_type",
        [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            None,
        ],
    )
    def test_raw_body_is_no_text_unless_it_says_so(self, content_type, annotation):
        def view(raw):
            return {}

        view.__annotations__ = {"raw": annotation}
        answer = client_of(view, "/", "POST", config={}).post(
            "/", data=b"a=1", content_type=content_type
        )

        assert answer.status_code == 415
        assert answer.json == {"message": "The body must be sent as application/json."}

    def test_raw_body_is_nothing_that_is_written_as_text(self):
        def view(raw: Base64Bytes):
            return echo(raw=raw)

        client = client_of(view, "/", "POST")

        assert client.post("/", data=b"YQ==", content_type="text/x").status_code == 415
        assert client.post("/", json={"raw": "YQ=="}).json == {"raw": "a"}

    def test_raw_body_is_text(self):
        def view(raw: str = Body(media_type="text/plain")):
            return echo(raw=raw)

        client = client_of(view, "/", "POST", config={})

        def ask(data, content_type):
            return client.post("/", data=data, content_type=content_type)

        assert ask("é".encode(), "text/plain").json == {"raw": "é"}
        latin = ask(b"\xe9", "text/plain; charset=ISO-8859-1")
        assert latin.json == {"raw": "é"}
        assert refusals(ask(b"\xe9", "text/plain")) == [(["body"], "string_unicode")]
        other = ask("é".encode("utf-16"), "text/plain; charset=utf-16")
        assert other.status_code == 415
        assert other.json == {"message": "The charset of the body must be UTF-8."}

    @pytest.mark.parametrize(
        ("charset", "data", "text"),
        [
            ("utf-8", "é".encode(), "é"),
            ("UTF8", "é".encode(), "é"),
            ("iso-8859-1", b"\xe9", "é"),
            ("latin-1", b"\xe9", "é"),
            ("Latin1", b"\xe9", "é"),
            ("US-ASCII", b"e", "e"),
            ("ascii", b"e", "e"),
            ("us-ascii", b"\xe9", None),
            ("ascii", b"\xe9", None),
        ],
    )
    def test_raw_body_is_text_in_the_charset_that_it_names(self, charset, data, text):
        def view(raw: str = Body(media_type="text/plain")):
            return echo(raw=raw)

        answer = client_of(view, "/", "POST").post(
            "/", data=data, content_type=f"text/plain; charset={charset}"
        )

        if text is None:
            assert refusals(answer) == [(["body"], "string_unicode")]
        else:
            assert answer.json == {"raw": text}

    def test_raw_body_may_be_constrained(self):
        def view(raw: t.Annotated[bytes, Body(max_length=2)]):
            return {}

        refused = client_of(view, "/", "POST").post(
            "/", data=b"abc", content_type="image/png"
        )

        assert refusals(refused) == [(["body"], "bytes_too_long")]

    def test_raw_body_is_a_key_of_json_otherwise(self):
        def view(raw: str):
            return echo(raw=raw)

        answer = client_of(view, "/", "POST").post("/", json={"raw": "a"})

        assert answer.json == {"raw": "a"}

    def test_raw_body_needs_a_content_type(self):
        def view(raw: bytes):
            return {}

        answer = client_of(view, "/", "POST", config={}).post("/", data=b"abc")

        assert answer.status_code == 415
        assert answer.json == {
            "message": "The body must be sent with a Content-Type that says what it is."
        }

    @pytest.mark.parametrize(
        ("media_type", "sent", "status"),
        [
            ("image/png", "image/png", 201),
            ("image/png", "image/png; q=1", 201),
            ("image/PNG", "IMAGE/png", 201),
            ("image/png", "image/gif", 415),
            ("image/png", "application/json", 415),
            ("image/*", "image/gif", 201),
            ("image/*", "text/plain", 415),
            ("image/*", "images/gif", 415),
            ("image/*", "i/gif", 415),
            ("*/*", "text/plain", 201),
            ("*/*", None, 415),
            ("application/json", "application/json", 201),
        ],
    )
    def test_raw_body_may_be_of_one_media_type(self, media_type, sent, status):
        def view(raw: bytes = Body(media_type=media_type)):
            assert raw == b"[1]"
            return {}

        answer = client_of(view, "/", "POST").post("/", data="[1]", content_type=sent)

        assert answer.status_code == status

    def test_raw_body_that_is_absent_is_its_default(self):
        def view(raw: bytes = b"d"):
            return echo(raw=raw)

        assert client_of(view, "/", "POST").post("/").json == {"raw": "d"}

    def test_raw_body_that_is_absent_is_missing(self):
        def view(raw: bytes):
            return {}

        assert refusals(client_of(view, "/", "POST").post("/")) == [
            (["body"], "missing")
        ]


class TestJson:
    def post(self, data: bytes, annotation: t.Any = Item) -> t.Any:
        def view(x):
            return echo(x=x)

        view.__annotations__ = {"x": t.Annotated[annotation, Body(embed=False)]}
        client = client_of(view, "/", "POST")
        return client.post("/", data=data, content_type="application/json")

    @pytest.mark.parametrize(
        "data",
        [
            b"{",
            b"nul",
            b"{'a': 1}",
            b'{"a": 1} x',
            b'{"a": 1,}',
            b"[1] [2]",
            pytest.param(b"\xef\xbb\xbf{}", id="byte-order-mark"),
            pytest.param('{"name": "é"}'.encode("utf-16"), id="utf-16"),
            pytest.param('{"name": "é"}'.encode("latin-1"), id="latin-1"),
            b"[NaN]",
            b"[Infinity]",
            b"[-Infinity]",
            b"[" * 5000 + b"]" * 5000,
            pytest.param(b"// comment\n{}", id="comment"),
            b"01",
            pytest.param(b'"\n"', id="line-break-in-text"),
        ],
        ids=lambda data: repr(data[:20]),
    )
    def test_json_body_that_is_malformed_is_refused(self, data):
        assert refusals(self.post(data, t.Any)) == [(["body"], "json_invalid")]

    def test_json_body_that_is_malformed_is_reported_with_the_reason(self):
        (nan,) = self.post(b"[NaN]").json["detail"]
        (open_,) = self.post(b"[").json["detail"]

        assert nan == {
            "loc": ["body"],
            "msg": "Invalid JSON: expected value at line 1 column 2",
            "type": "json_invalid",
            "ctx": {"error": "expected value at line 1 column 2"},
        }
        assert open_ == {
            "loc": ["body"],
            "msg": "Invalid JSON: EOF while parsing a list at line 1 column 1",
            "type": "json_invalid",
            "ctx": {"error": "EOF while parsing a list at line 1 column 1"},
        }

    @pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity \\\\ NaN"])
    def test_json_body_may_hold_the_names_of_no_numbers_in_texts(self, text):
        assert self.post(b'{"name": "%s"}' % text.encode()).status_code == 201

    def test_a_key_that_repeats_counts_once(self):
        answer = self.post(b'{"name": "a", "name": "b"}')

        assert answer.json == {"x": {"name": "b", "price": 1.0}}

    def test_a_strict_model_takes_the_texts_that_json_has_for_dates(self):
        import datetime

        class Event(BaseModel):
            model_config = ConfigDict(strict=True)
            day: datetime.date
            number: int

        answer = self.post(b'{"day": "2020-02-29", "number": 1}', Event)
        assert answer.json == {"x": {"day": "2020-02-29", "number": 1}}
        refused = self.post(b'{"day": "2020-02-29", "number": "1"}', Event)
        assert refusals(refused) == [(["body", "number"], "int_type")]


def test_body_is_not_read_by_a_view_that_does_not_ask_for_it():
    class Stream:
        def read(self, *size: int) -> bytes:
            raise AssertionError("the body was read")

    def view(q: int = 1):
        return echo(q=q)

    def post_view(q: t.Annotated[int, Body()] = 1):
        return {}

    client = client_of(view, "/", "GET")
    overrides = {"wsgi.input": Stream(), "CONTENT_LENGTH": "10"}
    assert client.get("/", environ_overrides=overrides).json == {"q": 1}


def test_body_can_still_be_read_through_the_request():
    def view(item: Item):
        return echo(item=item, raw=request.get_data(), json=request.json)

    assert client_of(view, "/", "POST").post("/", json=ITEM).json["json"] == ITEM


def test_failures_of_every_location_are_answered_together():
    from flask_signature import Cookie, Header, Query

    def view(
        item: Item,
        p: int,
        q: t.Annotated[int, Query()],
        h: t.Annotated[int, Header()],
        c: t.Annotated[int, Cookie()],
    ):
        return {}

    refused = client_of(view, "/<p>", "POST").post("/x", json={})

    assert refusals(refused) == [
        (["path", "p"], "int_parsing"),
        (["query", "q"], "missing"),
        (["header", "H"], "missing"),
        (["cookie", "c"], "missing"),
        (["body", "name"], "missing"),
    ]
