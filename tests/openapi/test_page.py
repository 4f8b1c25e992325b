"""The routes of the description and of its page."""

from __future__ import annotations

import cProfile
import functools
import re
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import flask
import pytest
from document import describe
from models import Item
from pydantic import BaseModel, Field, create_model
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from flask_signature import Blueprint, Flask
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


def links_of(page: str) -> list[str]:
    """Everything that a page loads or leads to."""
    return re.findall(r'(?:href|src)="([^"]*)"', page)


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_init_app_may_come_before_and_after_the_routes(first):
    app = Flask("shop")
    bp = Blueprint("items", __name__)
    bp.get("/b")(lambda: "b")
    if first:
        app.init_app()
    app.get("/a", endpoint="a")(lambda: "a")
    app.register_blueprint(bp)

    assert list(describe(app)["paths"]) == ["/a", "/b"]


def test_page_and_description_are_not_described(app):
    assert list(describe(app)["paths"]) == ["/items"]


def test_description_has_an_entity_tag(app):
    app.init_app()
    client = app.test_client()
    response = client.get("/openapi.json")
    again = client.get(
        "/openapi.json", headers={"If-None-Match": response.headers["ETag"]}
    )

    assert response.mimetype == "application/json"
    assert response.headers["Cache-Control"] == "no-cache"
    assert (again.status_code, again.data) == (304, b"")


def test_description_is_taken_for_nothing_else(app):
    app.init_app()
    response = app.test_client().get("/openapi.json")

    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_entity_tag_is_that_of_the_content(app):
    other, same = Flask("shop"), Flask("shop")

    @same.get("/items")
    def items() -> list[Item]:
        return []

    def tag(app: Flask) -> str:
        app.init_app()
        return app.test_client().get("/openapi.json").headers["ETag"]

    assert tag(app) == tag(same) != tag(other)


def test_description_is_built_once_under_threads():
    app = Flask("shop")
    built = []

    def name(operation: t.Any) -> str:
        built.append(operation)
        return str(operation.endpoint)

    app.config["SIGNATURE_OPERATION_ID"] = name
    for number in range(20):
        model = create_model(f"Model{number}", a=(int, ...))
        app.get(f"/{number}", endpoint=f"e{number}", response_model=model)(lambda: None)
    app.init_app()
    barrier = threading.Barrier(8)

    def ask(_: int) -> bytes:
        barrier.wait(timeout=60)
        return app.test_client().get("/openapi.json").data

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(ask, range(8)))
    assert len(answers) == 1
    assert len(built) == 20


def test_failed_build_is_tried_again(app):
    left = [RuntimeError("not yet")]

    def name(operation: t.Any) -> str:
        if left:
            raise left.pop()
        return "fine"

    app.config["SIGNATURE_OPERATION_ID"] = name
    app.init_app()
    statuses = [app.test_client().get("/openapi.json").status_code for _ in range(2)]
    assert statuses == [500, 200]


def test_page_has_relative_links_and_nothing_inline(app):
    app.init_app()
    response = app.test_client().get("/docs")

    assert response.mimetype == "text/html"
    assert links_of(response.text) == [
        "docs/favicon-32x32.png",
        "docs/swagger-ui.css",
        "docs/page.css",
        "openapi.json",
        "docs/swagger-ui-bundle.js",
        "docs/initialize.js",
    ]
    assert not re.search(r"<script(?! src=)|<style|style=|\son\w+=", response.text)


def test_policy_of_the_page_allows_its_own_files_only(app):
    app.init_app()
    headers = app.test_client().get("/docs").headers

    assert headers["Content-Security-Policy"] == (
        "default-src 'self'; script-src 'self'; style-src 'self';"
        " img-src 'self' data:; font-src 'self'; connect-src 'self';"
        " object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'self'"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_servers_of_the_configuration_can_be_reached(app):
    app.config.update(
        SIGNATURE_SERVERS=[{"url": "https://api.shop.test/v1"}, {"url": "/v1"}],
        SIGNATURE_SECURITY_SCHEMES={
            "login": OAuth2(
                "login", password=OAuthFlow(token_url="https://login.test/t")
            ),
            "id": OpenIDConnect("id", "https://id.test/.well-known"),
            "raw": {"type": "mutualTLS"},
            "written": {
                "type": "oauth2",
                "flows": {"password": {"tokenUrl": "https://w.test/t", "scopes": {}}},
            },
        },
    )
    app.init_app()
    other = OAuthFlow(token_url="https://other.test/t")

    @app.get(
        "/other",
        security=OAuth2("other", client_credentials=other, verify=lambda token: token),
    )
    def show() -> None: ...

    policy = app.test_client().get("/docs").headers["Content-Security-Policy"]

    assert (
        "connect-src 'self' https://api.shop.test https://id.test https://login.test"
        " https://other.test https://w.test;"
    ) in policy


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://api.test/v1?a=b#c", "https://api.test"),
        ("http://API.test:8080", "http://api.test:8080"),
        ("https://ann:hunter2@api.test/", "https://api.test"),
        ("https://b\u00fccher.test/", "https://xn--bcher-kva.test"),
        ("https://api.test;script-src *", None),
        ("https://api.test script-src/", None),
        ("https://api.test,other.test/", None),
        ("https://api.test\r\nX-Evil: 1", None),
        ("https://api.test:80;script-src/", None),
        ("https://api.test:99999999/", None),
        ("https://*/", None),
        ("https://*.test/", None),
        ("https://'unsafe-inline'/", None),
        ("https://{region}.test/", None),
        ("https://[::1]/", None),
        ("https://[::1/", None),
        ("https://\u2100.test/", None),
        (f"https://{'a' * 70}.test/", None),
        ("https://", None),
        ("https:///v1", None),
        ("javascript://api.test/", None),
        ("//api.test/v1", None),
    ],
)
def test_policy_has_the_origin_of_a_server_and_nothing_else(app, url, origin):
    app.config["SIGNATURE_SERVERS"] = [{"url": url}]
    app.init_app()
    response = app.test_client().get("/docs")

    sources = re.findall("connect-src ([^;]*);", response.headers[CSP])
    assert sources == [f"'self' {origin}" if origin else "'self'"]
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
    app.init_app()
    response = app.test_client().get(f"/docs/{name}")

    assert (response.status_code, response.mimetype) == (200, mimetype)
    assert response.headers["ETag"]
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")


def test_other_files_are_not_served(app):
    app.init_app()
    for name in ("index.html", "..%2f__init__.py", "swagger-ui.js"):
        assert app.test_client().get(f"/docs/{name}").status_code == 404


@pytest.mark.parametrize(
    ("path", "description", "link", "asset"),
    [
        ("/docs/", "/openapi.json", "../openapi.json", "./page.css"),
        ("/", "/openapi.json", "openapi.json", "./page.css"),
        ("/api/docs", "/openapi.json", "../openapi.json", "docs/page.css"),
        ("/docs", "/api/v1.json", "api/v1.json", "docs/page.css"),
    ],
)
def test_paths_are_those_of_the_configuration(path, description, link, asset):
    app = Flask("shop")
    app.config.update(SIGNATURE_DOCS_PATH=path, SIGNATURE_OPENAPI_PATH=description)
    app.init_app()
    page = app.test_client().get(path).text
    found = links_of(page)

    assert link in found
    assert asset in found
    assert app.test_client().get(f"{path.rstrip('/')}/page.css").status_code == 200
    assert app.test_client().get(description).status_code == 200


def test_page_may_be_left_out(app):
    app.config["SIGNATURE_DOCS_PATH"] = None
    app.init_app()
    client = app.test_client()

    assert client.get("/docs").status_code == 404
    assert client.get("/openapi.json").status_code == 200


def test_description_may_be_left_out(app):
    app.config["SIGNATURE_OPENAPI"] = False
    app.init_app()

    assert {rule.rule for rule in app.url_map.iter_rules()} == {
        "/items",
        "/static/<path:filename>",
    }


def test_nothing_of_a_request_is_in_the_answers(app):
    app.init_app()
    mounted = Client(DispatcherMiddleware(app, {"/deep<b>": app}))
    headers = {"Host": "evil.test", "X-Forwarded-Host": "evil.test"}
    for path in ("/docs", "/openapi.json"):
        plain = app.test_client().get(path)
        other = mounted.get(f"/deep<b>{path}?url=evil.test", headers=headers)
        assert plain.data == other.data


def test_title_cannot_break_out_of_the_page():
    app = Flask("shop")
    app.config["SIGNATURE_TITLE"] = "<script>\"'$x"
    app.config["SIGNATURE_DOCS_PARAMETERS"] = {"tryItOutEnabled": '"><b>'}
    app.init_app()
    page = app.test_client().get("/docs").text

    assert "<title>&lt;script&gt;&quot;&#x27;$x</title>" in page
    assert "<b>" not in page


def settings_of(page: str) -> t.Any:
    """The settings that a page hands to its script."""
    import html
    import json

    found = re.search(r'data-settings="([^"]*)"', page)
    assert found is not None
    return json.loads(html.unescape(found[1]))


def test_parameters_of_the_ui_are_those_of_the_configuration(app):
    app.config["SIGNATURE_DOCS_PARAMETERS"] = {"docExpansion": "none"}
    app.config["SIGNATURE_DOCS_OAUTH"] = {"clientId": "docs"}
    app.init_app()

    assert settings_of(app.test_client().get("/docs").text) == {
        "url": "openapi.json",
        "redirect": "docs/oauth2-redirect.html",
        "parameters": {"docExpansion": "none"},
        "oauth": {"clientId": "docs"},
    }


def login_required(view: t.Any) -> t.Any:
    @functools.wraps(view)
    def wrapper(*args: t.Any, **kwargs: t.Any) -> t.Any:
        if flask.request.headers.get("Authorization") != "Bearer a":
            flask.abort(401)
        return view(*args, **kwargs)

    return wrapper


def test_decorators_stand_around_page_and_description(app):
    app.config["SIGNATURE_DOCS_DECORATORS"] = [login_required]
    app.config["SIGNATURE_DOCUMENTS"] = {"x": {"tags": ["X"]}}
    app.init_app()
    client = app.test_client()

    for path in ("/docs", "/openapi.json", "/x/docs", "/x/openapi.json"):
        headers = {"Authorization": "Bearer a"}
        assert client.get(path).status_code == 401
        assert client.get(path, headers=headers).status_code == 200


def test_each_document_has_a_page_that_leads_to_the_others(app):
    app.config["SIGNATURE_TITLE"] = "All"
    app.config["SIGNATURE_DOCUMENTS"] = {
        "public": {"tags": ["A"], "title": "For all"},
        "hidden": {"tags": ["B"], "docs_path": None},
    }
    app.init_app()
    client = app.test_client()
    page = client.get("/public/docs").text

    assert settings_of(page)["url"] == "openapi.json"
    assert '<nav><a href="../docs">All</a></nav>' in page
    assert '<nav><a href="public/docs">For all</a></nav>' in client.get("/docs").text
    assert client.get("/hidden/openapi.json").status_code == 200
    assert client.get("/hidden/docs").status_code == 404


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
    def calls(count: int) -> int:
        app = Flask("shop")
        for number in range(count):
            inner = create_model(f"Inner{number}", c=(int | None, Field(alias="d")))
            model = create_model(
                f"Model{number}",
                a=(int | None, Field(alias="A")),
                b=(list[str], []),
                c=(inner, ...),
            )
            route = app.post(
                f"/{number}/<int:n>",
                endpoint=f"e{number}",
                response_model=model,
                **options,
            )
            route(view_of(model))
        app.init_app()
        description = next(iter(descriptions(app, Registry.of(app))))
        # What is imported or cached once is no part of the cost of a route.
        assert len(description.build()["paths"]) == count
        profile = cProfile.Profile(builtins=False)
        profile.runcall(description.build)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(100) < 4.2 * calls(25)


def view_of(model: type[BaseModel]) -> t.Any:
    """A view that reads a path variable, the query and a body."""

    def view(n: int, body: t.Any, page: int = flask_query()) -> None: ...

    view.__annotations__ = {"n": int, "body": model, "page": int, "return": None}
    return view


def flask_query() -> t.Any:
    """A fresh marker."""
    from flask_signature import Query

    return Query(1, ge=1)
