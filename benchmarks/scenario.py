"""What is asked of every contender, and what it must answer before it is timed."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass
from urllib.parse import urlencode

from . import shop
from .answer import Expectation, Json, Refusal, Text, TextAndHeader


@dataclass(frozen=True, slots=True)
class Request:
    """A request before it becomes a WSGI environ or an ASGI scope."""

    path: str
    method: str = "GET"
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One column of the table.

    ``invalid`` are requests that have to be refused, so that nobody is fast by not
    looking; they are asked once and not timed. ``sections`` is the number of routes
    when that is what varies: the application then holds that many and nothing else.
    ``build`` is the name of the function that builds the shop, where it has to be
    another than usual.
    """

    name: str
    title: str
    request: Request
    expected: Expectation
    invalid: tuple[Request, ...] = ()
    sections: int = 0
    build: str = "build"


# What the other scenarios vary: the application, and what a view needs besides values.
APPLICATIONS = ("nested", "secret", "hooks", "teardown", "usual", "by-hand")
APPLICATIONS += ("routes-10", "routes-100", "routes-1000")
NEEDS = ("plain", "guard", "dependencies", "generator", "bearer")


def section_path(n: int) -> str:
    """The path of route ``n`` where the number of routes varies."""
    return f"/section-{n}/hello"


def _sections(count: int) -> Scenario:
    request = Request(section_path(count - 1))
    title = f"{count:,} routes"
    expected = Text(shop.GREETING)
    return Scenario(f"routes-{count}", title, request, expected, sections=count)


def _json_request(path: str, value: t.Any) -> Request:
    # No spaces, as a browser's JSON.stringify() and most clients send it.
    body = json.dumps(value, separators=(",", ":")).encode()
    return Request(path, "POST", content_type="application/json", body=body)


def _order(**last: t.Any) -> dict[str, t.Any]:
    lines = [
        {"sku": f"OAK-{n:06}", "quantity": 2, "price": 129.5, "gift": n % 2 == 0}
        for n in range(1000)
    ]
    return {"customer": "Ada", "lines": [*lines[:-1], {**lines[-1], **last}]}


def _visits(user_id: int = 7, token: str = "f3a9c1d2e4", **query: t.Any) -> Request:
    query = {"page": 3, "size": 50, "q": "oak chair", **query}
    return Request(
        f"/users/{user_id}/visits",
        query=urlencode(query),
        headers=(("X-Token", token), ("Cookie", "theme=dark; session=0a1b2c3d4e")),
    )


def _search(**query: t.Any) -> Request:
    return Request("/search", query=urlencode({**_SEARCH, "in_stock": "true", **query}))


def _form(**fields: t.Any) -> Request:
    body = urlencode({**_NOTE, "public": "true", **fields}).encode()
    content_type = "application/x-www-form-urlencoded"
    return Request("/notes", "POST", content_type=content_type, body=body)


def _upload(content: bytes) -> Request:
    boundary = "------------------------d74496d66958873e"
    head = (
        f"--{boundary}\r\n"
        'Content-Disposition: form-data; name="photo"; filename="chair.png"\r\n'
        "Content-Type: image/png\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    content_type = f"multipart/form-data; boundary={boundary}"
    return Request("/photos", "POST", content_type=content_type, body=body)


def _page(name: str, page: int = 3, **headers: str) -> Request:
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Request(f"/{name}/7", query=f"page={page}", headers=sent)


_VISIT: dict[str, t.Any] = {
    "user_id": 7,
    "page": 3,
    "size": 50,
    "q": "oak chair",
    "x_token": "f3a9c1d2e4",
    "session": "0a1b2c3d4e",
}
_SEARCH = {"q": "oak chair", "page": 3, "size": 50, "order": "price", "in_stock": True}
_ITEM = {"name": "Chair", "price": 12.5, "quantity": 3, "tags": ["oak", "new"]}
_NOTE = {"title": "A note on chairs", "pages": 12, "price": 2.5, "public": True}
_PAGE = {"item_id": 7, "page": 3}
_STOCK = [item.model_dump() for item in shop.ITEMS]

SCENARIOS = (
    Scenario("hello", "hello", Request("/hello"), Text(shop.GREETING)),
    Scenario(
        "scalars",
        "path, query, header, cookie",
        _visits(),
        Json(_VISIT),
        (_visits(user_id=0), _visits(size=101), _visits(q=""), _visits(token="short")),
    ),
    Scenario(
        "query",
        "query model",
        _search(),
        Json(_SEARCH),
        (_search(order="colour"), _search(page=0), _search(in_stock="perhaps")),
    ),
    Scenario(
        "json",
        "small JSON in, model out",
        _json_request("/items", _ITEM),
        Json({"id": 1, **_ITEM}),
    ),
    Scenario(
        "json-60k",
        "60 KB JSON in",
        _json_request("/orders", _order()),
        Json({"customer": "Ada", "lines": 1000, "last": "OAK-000999"}),
        (_json_request("/orders", _order(quantity=0)),),
    ),
    Scenario("dicts", "list of 200 dicts out", Request("/rows"), Json(_STOCK)),
    Scenario("models", "the same from models", Request("/items"), Json(_STOCK)),
    Scenario(
        "refused",
        "refused, 3 errors",
        _json_request(
            "/drafts", {**_ITEM, "name": "", "price": -1, "quantity": "many"}
        ),
        Refusal(frozenset({"name", "price", "quantity"})),
    ),
    Scenario(
        "form",
        "form",
        _form(),
        Json(_NOTE),
        (_form(title=""), _form(pages=0), _form(price=0), _form(public="perhaps")),
    ),
    Scenario(
        "upload",
        "64 KiB upload",
        _upload(bytes(range(256)) * 256),
        Json({"filename": "chair.png", "size": 65536}),
    ),
    Scenario(
        "nested",
        "nested three deep",
        Request("/shops/3/shelves/14/items/15"),
        Json({"shop_id": 3, "shelf_id": 14, "item_id": 15}),
    ),
    Scenario(
        "plain", "path and query", _page("plain"), Json(_PAGE), (_page("plain", 0),)
    ),
    Scenario(
        "guard",
        "with a guard",
        _page("guard", X_Key="k-57c1e0a9"),
        Json(_PAGE),
        (
            _page("guard"),
            _page("guard", X_Key="short"),
            _page("guard", X_Key="k-unknown"),
            _page("guard", 0, X_Key="k-57c1e0a9"),
        ),
    ),
    Scenario(
        "dependencies",
        "with three dependencies",
        _page("dependencies", X_Region="DE"),
        Json({**_PAGE, "rate": 1.19}),
        (
            _page("dependencies"),
            _page("dependencies", X_Region="D"),
            _page("dependencies", 0, X_Region="DE"),
        ),
    ),
    Scenario(
        "generator",
        "with a generator",
        _page("generator"),
        Json({**_PAGE, "opened": 1}),
        (_page("generator", 0),),
    ),
    Scenario(
        "bearer",
        "with a bearer token",
        _page("bearer", Authorization="Bearer t-f3a9c1d2e4"),
        Json({**_PAGE, "user": "Ada"}),
        (
            _page("bearer"),
            _page("bearer", Authorization="Bearer t-unknown"),
            _page("bearer", Authorization="Basic dDp0"),
            _page("bearer", 0, Authorization="Bearer t-f3a9c1d2e4"),
        ),
    ),
    Scenario(
        "secret",
        "hello, with a secret key",
        Request("/hello"),
        Text(shop.GREETING),
        build="build_with_secret_key",
    ),
    Scenario(
        "hooks",
        "hello, with two hooks",
        Request("/hello", headers=((shop.ID_HEADER, "r-57c1e0a9"),)),
        TextAndHeader(shop.GREETING, shop.ID_HEADER, "r-57c1e0a9"),
        build="build_with_hooks",
    ),
    Scenario(
        "teardown",
        "hello, with three hooks",
        Request("/hello", headers=((shop.ID_HEADER, "r-57c1e0a9"),)),
        TextAndHeader(shop.GREETING, shop.ID_HEADER, "r-57c1e0a9"),
        build="build_with_three_hooks",
    ),
    Scenario(
        "usual",
        "request, g, session, url_for()",
        Request("/usual"),
        Text("/hello?page=6"),
        build="build_with_usual_view",
    ),
    Scenario(
        "by-hand",
        "request.args and g",
        Request("/by-hand", query="page=3"),
        Text("page 3"),
        build="build_with_view_of_args",
    ),
    _sections(10),
    _sections(100),
    _sections(1000),
)
