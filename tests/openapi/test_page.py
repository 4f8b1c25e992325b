"""The routes of the description and of its page."""

from __future__ import annotations

import cProfile
import html
import json
import re
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from document import describe
from flask.testing import FlaskClient
from models import Item
from pydantic import BaseModel, Field, create_model
from returned import through
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from flask_signature import Blueprint, Flask, Query
from flask_signature._operations.registry import Registry
from flask_signature.openapi.document import descriptions
from flask_signature.security import HTTPBearer, OAuth2, OAuthFlow, OpenIDConnect

CSP = "Content-Security-Policy"


@pytest.fixture
def app(app: Flask) -> Flask:
    """The application with one route."""

    @app.get("/items")
    def items() -> list[Item]:
        return []

    return app


def client_of(app: Flask, **config: t.Any) -> FlaskClient:
    """A client of an application that has been told the end of its configuration."""
    app.config.update(config)
    app.init_app()
    return app.test_client()


def links_of(page: str) -> list[str]:
    """Everything that a page loads or leads to."""
    return re.findall(r'(?:href|src)="([^"]*)"', page)


def test_description_has_an_entity_tag_and_is_taken_for_nothing_else(app):
    client = client_of(app)
    response = client.get("/openapi.json")
    tag = response.headers["ETag"]
    again = client.get("/openapi.json", headers={"If-None-Match": tag})

    assert response.mimetype == "application/json"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert (again.status_code, again.data) == (304, b"")


def test_entity_tag_is_that_of_the_content(app):
    other, same = Flask("shop"), Flask("shop")

    @same.get("/items")
    def items() -> list[Item]: ...

    def tag(app: Flask) -> str:
        return client_of(app).get("/openapi.json").headers["ETag"]

    assert tag(app) == tag(same) != tag(other)


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_init_app_may_come_before_and_after_the_routes(app, first):
    bp = Blueprint("bp", __name__)
    bp.get("/b")(lambda: "b")
    if first:
        app.init_app()
    app.get("/a", endpoint="a")(lambda: "a")
    app.register_blueprint(bp)

    assert list(describe(app)["paths"]) == ["/items", "/a", "/b"]


def test_description_is_built_once_under_threads(app):
    built = []

    def name(operation: t.Any) -> str:
        built.append(operation)
        return str(operation.endpoint)

    for number in range(19):
        model = create_model(f"Model{number}", a=(int, ...))
        app.get(f"/{number}", endpoint=f"e{number}", response_model=model)(lambda: None)
    client_of(app, SIGNATURE_OPERATION_ID=name)
    barrier = threading.Barrier(8)

    def ask(_: int) -> bytes:
        barrier.wait(timeout=60)
        return app.test_client().get("/openapi.json").data

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(ask, range(8)))
    assert (len(answers), len(built)) == (1, 20)


def test_failed_build_is_tried_again(app):
    left = [RuntimeError("not yet")]

    def name(operation: t.Any) -> str:
        if left:
            raise left.pop()
        return "fine"

    client = client_of(app, SIGNATURE_OPERATION_ID=name)
    assert [client.get("/openapi.json").status_code for _ in range(2)] == [500, 200]


def test_page_has_relative_links_and_nothing_inline(app):
    response = client_of(app).get("/docs")

    assert response.mimetype == "text/html"
    assert links_of(response.text) == [
        *("docs/favicon-32x32.png", "docs/swagger-ui.css", "docs/page.css"),
        *("openapi.json", "docs/swagger-ui-bundle.js", "docs/initialize.js"),
    ]
    assert not re.search(r"<script(?! src=)|<style|style=|\son\w+=", response.text)


def test_policy_of_the_page_allows_its_own_files_only(app):
    headers = client_of(app).get("/docs").headers

    assert headers[CSP] == (
        "default-src 'self'; script-src 'self'; style-src 'self';"
        " img-src 'self' data:; font-src 'self'; connect-src 'self';"
        " object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'self'"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_servers_of_the_configuration_can_be_reached(app):
    password = {"tokenUrl": "https://w.test/t", "scopes": {}}
    login = OAuthFlow(token_url="https://login.test/t")
    other = OAuthFlow(token_url="https://other.test/t")
    client = client_of(
        app,
        SIGNATURE_SERVERS=[{"url": "https://api.shop.test/v1"}, {"url": "/v1"}],
        SIGNATURE_SECURITY_SCHEMES={
            "login": OAuth2("login", password=login),
            "id": OpenIDConnect("id", "https://id.test/.well-known"),
            "raw": {"type": "mutualTLS"},
            "written": {"type": "oauth2", "flows": {"password": password}},
        },
    )
    scheme = OAuth2("other", client_credentials=other, verify=lambda token: token)
    app.get("/other", security=scheme)(lambda: None)

    assert (
        "connect-src 'self' https://api.shop.test https://id.test https://login.test"
        " https://other.test https://w.test;"
    ) in client.get("/docs").headers[CSP]


ORIGINS = {
    "https://api.test/v1?a=b#c": "https://api.test",
    "http://API.test:8080": "http://api.test:8080",
    "https://ann:hunter2@api.test/": "https://api.test",
    "https://b\u00fccher.test/": "https://xn--bcher-kva.test",
}
#: Servers that have no origin for the policy.
NO_ORIGINS = [
    *("https://api.test;script-src *", "https://api.test script-src/"),
    *("https://api.test,other.test/", "https://api.test\r\nX-Evil: 1"),
    *("https://api.test:80;script-src/", "https://api.test:99999999/"),
    *("https://*/", "https://*.test/", "https://'unsafe-inline'/"),
    *("https://{region}.test/", "https://[::1]/", "https://[::1/"),
    *("https://\u2100.test/", f"https://{'a' * 70}.test/", "https://", "https:///v1"),
    *("javascript://api.test/", "//api.test/v1"),
]


@pytest.mark.parametrize("url", [*ORIGINS, *NO_ORIGINS])
def test_policy_has_the_origin_of_a_server_and_nothing_else(app, url):
    response = client_of(app, SIGNATURE_SERVERS=[{"url": url}]).get("/docs")

    sources = re.findall("connect-src ([^;]*);", response.headers[CSP])
    assert sources == [f"'self' {ORIGINS[url]}" if url in ORIGINS else "'self'"]
    assert response.headers[CSP].count(";") == 9
    assert "X-Evil" not in response.headers


@pytest.mark.parametrize(
    ("name", "mimetype"),
    [
        ("swagger-ui.css", "text/css"),
        ("swagger-ui-bundle.js", "text/javascript"),
        ("initialize.js", "text/javascript"),
        ("page.css", "text/css"),
        ("favicon-32x32.png", "image/png"),
        ("oauth2-redirect.html", "text/html"),
        ("oauth2-redirect.js", "text/javascript"),
    ],
)
def test_files_of_the_page_are_served(app, name, mimetype):
    response = client_of(app).get(f"/docs/{name}")
    assert (response.status_code, response.mimetype) == (200, mimetype)
    assert response.headers["ETag"]
    assert response.headers[CSP].startswith("default-src 'self'")


@pytest.mark.parametrize("name", ["index.html", "..%2f__init__.py", "swagger-ui.js"])
def test_other_files_are_not_served(app, name):
    assert client_of(app).get(f"/docs/{name}").status_code == 404


@pytest.mark.parametrize(
    ("path", "description", "link", "asset"),
    [
        ("/docs/", "/openapi.json", "../openapi.json", "./page.css"),
        ("/", "/openapi.json", "openapi.json", "./page.css"),
        ("/api/docs", "/openapi.json", "../openapi.json", "docs/page.css"),
        ("/docs", "/api/v1.json", "api/v1.json", "docs/page.css"),
    ],
)
def test_paths_are_those_of_the_configuration(app, path, description, link, asset):
    paths = {"SIGNATURE_DOCS_PATH": path, "SIGNATURE_OPENAPI_PATH": description}
    client = client_of(app, **paths)

    assert {link, asset} <= {*links_of(client.get(path).text)}
    assert client.get(f"{path.rstrip('/')}/page.css").status_code == 200
    assert client.get(description).status_code == 200


def test_page_may_be_left_out(app):
    client = client_of(app, SIGNATURE_DOCS_PATH=None)
    assert client.get("/docs").status_code == 404
    assert client.get("/openapi.json").status_code == 200


def test_description_may_be_left_out(app):
    client_of(app, SIGNATURE_OPENAPI=False)
    rules = {rule.rule for rule in app.url_map.iter_rules()}
    assert rules == {"/items", "/static/<path:filename>"}


def test_nothing_of_a_request_is_in_the_answers(app):
    app.init_app()
    mounted = Client(DispatcherMiddleware(app, {"/deep<b>": app}))
    headers = {"Host": "evil.test", "X-Forwarded-Host": "evil.test"}
    for path in ("/docs", "/openapi.json"):
        plain = app.test_client().get(path)
        other = mounted.get(f"/deep<b>{path}?url=evil.test", headers=headers)
        assert plain.data == other.data


def test_title_cannot_break_out_of_the_page(app):
    client = client_of(
        app,
        SIGNATURE_TITLE="<script>\"'$x",
        SIGNATURE_DOCS_PARAMETERS={"tryItOutEnabled": '"><b>'},
    )
    page = client.get("/docs").text

    assert "<title>&lt;script&gt;&quot;&#x27;$x</title>" in page
    assert "<b>" not in page


def settings_of(page: str) -> t.Any:
    """The settings that a page hands to its script."""
    (found,) = re.findall(r'data-settings="([^"]*)"', page)
    return json.loads(html.unescape(found))


def test_parameters_of_the_ui_are_those_of_the_configuration(app):
    client = client_of(
        app,
        SIGNATURE_DOCS_PARAMETERS={"docExpansion": "none"},
        SIGNATURE_DOCS_OAUTH={"clientId": "docs"},
    )

    assert settings_of(client.get("/docs").text) == {
        "url": "openapi.json",
        "redirect": "docs/oauth2-redirect.html",
        "parameters": {"docExpansion": "none"},
        "oauth": {"clientId": "docs"},
    }


@through
def login_required(value: t.Any) -> t.Any:
    if flask.request.headers.get("Authorization") != "Bearer a":
        flask.abort(401)
    return value


@pytest.mark.parametrize(
    "path", ["/docs", "/openapi.json", "/x/docs", "/x/openapi.json"]
)
def test_decorators_stand_around_page_and_description(app, path):
    documents = {"x": {"tags": ["X"]}}
    config = {"DOCS_DECORATORS": [login_required], "DOCUMENTS": documents}
    client = client_of(app, **{f"SIGNATURE_{name}": config[name] for name in config})

    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": "Bearer a"}).status_code == 200


def test_each_document_has_a_page_that_leads_to_the_others(app):
    documents = {
        "public": {"tags": ["A"], "title": "For all"},
        "hidden": {"tags": ["B"], "docs_path": None},
    }
    client = client_of(app, SIGNATURE_TITLE="All", SIGNATURE_DOCUMENTS=documents)
    page = client.get("/public/docs").text

    assert settings_of(page)["url"] == "openapi.json"
    assert '<nav><a href="../docs">All</a></nav>' in page
    assert '<nav><a href="public/docs">For all</a></nav>' in client.get("/docs").text
    assert client.get("/hidden/openapi.json").status_code == 200
    assert client.get("/hidden/docs").status_code == 404


def view_of(model: type[BaseModel]) -> t.Any:
    """A view that reads a path variable, the query and a body."""

    def view(n: int, body: t.Any, page: int = Query(1, ge=1)) -> None: ...

    view.__annotations__ = {"n": int, "body": model, "page": int, "return": None}
    return view


def calls_for(count: int, **options: t.Any) -> int:
    """The calls by which so many routes are described."""
    app = Flask("shop")
    for number in range(count):
        inner = create_model(f"Inner{number}", c=(int | None, Field(alias="d")))
        fields = {"a": (int | None, Field(alias="A")), "b": (list[str], [])}
        model = create_model(f"Model{number}", **fields, c=(inner, ...))
        rule = f"/{number}/<int:n>"
        route = app.post(rule, endpoint=rule, response_model=model, **options)
        route(view_of(model))
    app.init_app()
    description = next(iter(descriptions(app, Registry.of(app))))
    # What is imported or cached once is no part of the cost of a route.
    assert len(description.build()["paths"]) == count
    profile = cProfile.Profile(builtins=False)
    profile.runcall(description.build)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.once
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"response_model_by_alias": False},
        {"response_model_exclude_none": True},
        {"response_model_exclude": {"b"}},
        {"response_model_include": {"b"}, "response_model_by_alias": False},
        {"security": HTTPBearer("token", verify=lambda token: token)},
        {"tags": ["a", "b"]},
    ],
    ids=str,
)
def test_four_times_the_routes_cost_four_times_the_calls(options):
    assert calls_for(100, **options) < 4.2 * calls_for(25, **options)
