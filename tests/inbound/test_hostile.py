"""No request makes the application fail, talk too much, or repeat a secret.

The requests of ``hostile.py`` and those that Hypothesis makes up have one oracle: never
a 5xx, never an exception out of the WSGI callable, JSON in the documented shape on each
4xx, no secret in an answer that refuses nor in the log, and bounded time and size.
"""

from __future__ import annotations

import datetime
import inspect
import json
import logging
import time
import typing as t
from decimal import Decimal
from uuid import UUID

import pytest
from hostile import CLASSES, JSON, MULTIPART, SECRET, URLENCODED, Attack
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from werkzeug.test import run_wsgi_app

from flask_signature import Body, Cookie, File, Flask, Form, Header, Query, UploadFile

# Werkzeug does not close the file of a part that has no end.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")

Word = t.Annotated[str, Field(pattern=r"^(a+)+$", max_length=100)]
Kind = t.Literal[1, 2]


class Closed(BaseModel, extra="forbid"):
    n: int = 0


class Item(BaseModel):
    name: str
    price: Decimal | float
    count: int = 0
    day: datetime.date | None = None
    at: datetime.datetime | None = None
    span: datetime.timedelta | None = None
    key: UUID | None = None
    word: Word = "a"
    tags: dict[str, list[int]] = {}
    inner: list["Item"] = []


class Cat(BaseModel):
    kind: t.Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: t.Literal["dog"]
    barks: bool


class Point(BaseModel):
    x: int


class Mixed(BaseModel, extra="forbid"):
    f: UploadFile | None = None
    n: int = 0
    point: Point | None = None


#: What a text may be read as, and the value of an argument that is absent.
TYPES: dict[str, tuple[t.Any, t.Any]] = {
    "n": (int, 0),
    "f": (float, 0),
    "b": (bool, False),
    "s": (str, ""),
    "word": (Word, "a"),
    "day": (datetime.date | None, None),
    "at": (datetime.datetime | None, None),
    "span": (datetime.timedelta | None, None),
    "price": (Decimal, Decimal(0)),
    "key": (UUID | None, None),
    "kind": (Kind, 1),
    "l": (list[int], []),
}


def create_app() -> Flask:
    """An application that reads every type from every location."""
    app = Flask(__name__)

    app.get("/query", endpoint="query")(_reading(Query, TYPES))
    app.get("/header", endpoint="header")(
        _reading(Header, {f"x_{name}": row for name, row in TYPES.items()})
    )
    app.get("/cookie", endpoint="cookie")(
        _reading(Cookie, {name: row for name, row in TYPES.items() if name != "l"})
    )
    app.post("/form", endpoint="form")(
        _reading(Form, {**TYPES, "point": (Point | None, None)})
    )

    for kind, rule, tp in (
        ("text", "<x>", str),
        ("int", "<int:x>", int),
        ("float", "<float:x>", float),
        ("uuid", "<uuid:x>", UUID),
        ("number", "<x>", int),
        ("day", "<x>", datetime.date),
    ):
        app.get(f"/path/{kind}/{rule}", endpoint=f"path_{kind}")(_taking(tp))

    for method, name, annotation in (
        ("GET", "closed", t.Annotated[Closed, Query()]),
        ("GET", "closed-cookie", t.Annotated[Closed, Cookie()]),
        ("POST", "closed-form", t.Annotated[Closed, Form()]),
        ("POST", "body", Item),
        ("POST", "list", list[Item]),
        ("POST", "union", t.Annotated[Cat | Dog, Body(discriminator="kind")]),
        ("POST", "any", t.Annotated[t.Any, Body(embed=False)]),
        ("POST", "raw", bytes),
        ("POST", "text", str),
        ("POST", "optional", Item | None),
        ("POST", "file", UploadFile),
        ("POST", "files", t.Annotated[list[bytes], File(alias="f")]),
        ("POST", "mixed", t.Annotated[Mixed, Form()]),
    ):
        view = _taking(annotation)
        app.add_url_rule(f"/{name}", name, view, methods=[method])

    @app.post("/keys")
    def keys(item: Item, n: int, words: list[Word] = Body([])):
        return {}

    app.config["MAX_FORM_MEMORY_SIZE"] = 500_000
    app.init_app()
    return app


def _reading(
    marker: t.Callable[..., t.Any], types: dict[str, tuple[t.Any, t.Any]]
) -> t.Callable[..., t.Any]:
    """A view that reads each argument from one location."""

    def view(**values):
        return {}

    kind = inspect.Parameter.KEYWORD_ONLY
    view.__signature__ = inspect.Signature(
        inspect.Parameter(name, kind, default=marker(default), annotation=tp)
        for name, (tp, default) in types.items()
    )
    view.__annotations__ = {name: tp for name, (tp, _) in types.items()}
    return view


def _taking(annotation: t.Any) -> t.Callable[..., t.Any]:
    def view(x):
        return {}

    view.__annotations__ = {"x": annotation}
    return view


#: Seconds of the processor: a benign request takes a thousandth of one. The largest
#: requests are a megabyte, which the parsers of Werkzeug read in a part of that time.
MOST_SECONDS = 2.0
MOST_BYTES = 64 * 1024
LOCATIONS = ("path", "query", "header", "cookie", "body", "form", "file")


class Log(logging.Handler):
    """Keeps the text of everything that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class Oracle:
    """Sends requests to one application and judges what comes back."""

    def __init__(self) -> None:
        self.app = create_app()
        self.log = Log()
        self.app.logger.addHandler(self.log)
        self.app.logger.propagate = False

    def judge(self, attack: Attack) -> int:
        """The status of an answer that is in order."""
        del self.log.lines[:]
        start = time.process_time()
        chunks, status_line, headers = run_wsgi_app(self.app, attack.as_environ())
        body = b"".join(chunks)
        assert time.process_time() - start < MOST_SECONDS
        status = int(status_line[:3])
        assert 200 <= status < 500, (status, body[:300], self.log.lines)
        assert len(body) < MOST_BYTES
        assert not self.log.lines
        if status >= 400:
            self.judge_refusal(status, headers.get("Content-Type"), body, attack)
        return status

    def judge_refusal(
        self, status: int, content_type: str | None, body: bytes, attack: Attack
    ) -> None:
        if attack.method != "HEAD":
            assert content_type == "application/json"
            judge_body(status, json.loads(body, parse_constant=pytest.fail))
        assert SECRET.encode() not in without_places(body)


def judge_body(status: int, body: t.Any) -> None:
    if status != 422:
        assert set(body) == {"message"}
        return
    assert set(body) == {"detail"}
    assert 0 < len(body["detail"]) <= 100
    for entry in body["detail"]:
        assert {"loc", "msg", "type"} <= set(entry) <= {"loc", "msg", "type", "ctx"}
        assert all(len(text) <= 200 for text in (*map(str, entry["loc"]), entry["msg"]))
        assert entry["loc"][0] in LOCATIONS


def without_places(body: bytes) -> bytes:
    """An answer without places: an extra field is told by the name the client gave."""
    content = json.loads(body) if body else {}
    for entry in content.get("detail", ()):
        del entry["loc"]
    return json.dumps(content).encode()


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle()


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_of_attacks_does_no_harm(name, oracle):
    for attack in CLASSES[name]():
        try:
            oracle.judge(attack)
        except BaseException:
            shown = str(attack)
            pytest.fail(shown if len(shown) < 2_000 else f"{shown[:2_000]}...")


def test_there_are_hundreds_of_attacks_and_most_are_refused(oracle):
    every = [attack for make in CLASSES.values() for attack in make()]
    small = [attack for attack in every if len(attack.body) < 1_000][:600]
    statuses = [oracle.judge(attack) for attack in small]

    assert len(every) > 1_000
    assert sum(status >= 400 for status in statuses) > len(statuses) / 2


def test_the_honest_are_served(oracle):
    assert oracle.judge(Attack(query="n=1&l=2")) == 200
    assert oracle.judge(Attack(path="/path/int/1")) == 200
    honest = b'{"name": "a", "price": 1}'
    attack = Attack("POST", "/body", content_type=JSON, body=honest)
    assert oracle.judge(attack) == 201


# The same oracle for what nobody thought of.


def native(bytes_: bytes) -> str:
    """Bytes as WSGI hands them over. Source: PEP 3333, Unicode Issues."""
    return bytes_.decode("latin-1")


def mixed(*known: str) -> st.SearchStrategy[str]:
    """Known texts, arbitrary bytes, and a row of either."""
    parts = st.one_of(st.sampled_from(known), st.binary(max_size=12).map(native))
    return st.lists(parts, max_size=8).map("".join)


QUERY = mixed("n", "l", "day", "span", "kind", "=", "&", "+", "%", "%ff", "1", SECRET)
HEADER_NAMES = st.sampled_from(
    ["HTTP_X_N", "HTTP_X_L", "HTTP_X_DAY", "HTTP_X_KIND", "HTTP_COOKIE", "HTTP_ACCEPT"]
)
CONTENT_TYPES = st.one_of(
    st.none(),
    mixed("application/json", "multipart/form-data", "; boundary=B", "; charset=utf-8"),
    st.sampled_from([JSON, URLENCODED, MULTIPART, "text/plain"]),
)
KEYS = ["name", "price", "count", "day", "span", "kind", "x", "inner"]
VALUES: st.SearchStrategy[t.Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)
BODIES = st.one_of(
    VALUES.map(lambda value: json.dumps(value).encode()),
    mixed(
        "--B\r\n",
        "--B--",
        'Content-Disposition: form-data; name="n"',
        'Content-Disposition: form-data; name="f"; filename="a"',
        "\r\n",
        "\r\n\r\n",
        "n=1&",
        SECRET,
    ).map(lambda text: text.encode("latin-1")),
    st.binary(max_size=200),
)
RULES = [rule.rule.partition("<")[0] for rule in create_app().url_map.iter_rules()]
PATHS = st.one_of(
    st.sampled_from(sorted({path.rstrip("/") or "/" for path in RULES})),
    mixed("/", "path", "int", "body", "form", "1", "x"),
)


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    method=st.sampled_from(["GET", "POST", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"]),
    path=PATHS,
    tail=mixed("/", "1", "x"),
    query=QUERY,
    content_type=CONTENT_TYPES,
    body=BODIES,
    headers=st.dictionaries(
        HEADER_NAMES, mixed("n", "=", ",", ";", '"', "1"), max_size=3
    ),
)
def test_an_arbitrary_environ_does_no_harm(
    oracle, method, path, tail, query, content_type, body, headers
):
    attack = Attack(
        method,
        f"/{path.lstrip('/')}{tail}",
        query=query,
        content_type=content_type,
        body=body,
        environ=headers,
    )
    if "text/html" not in headers.get("HTTP_ACCEPT", ""):
        oracle.judge(attack)
