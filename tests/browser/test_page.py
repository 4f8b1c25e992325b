"""The page of the description in a real browser.

Set ``SCREENSHOTS`` to a folder to look at what the browser showed.
"""

from __future__ import annotations

import os
import typing as t
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.conftest import Visit
from pydantic import BaseModel, Field

from flask_signature import Flask, Form, Query, UploadFile
from flask_signature.security import HTTPBearer, OAuth2, OAuthFlow, PasswordForm

TOKEN = HTTPBearer("token", verify=lambda token: token)

#: Its tokens are names and scopes, ``ann.me.items``.
PASSWORD = OAuth2(
    "login",
    password=OAuthFlow(
        token_url="token",
        scopes={"me": "Read about yourself.", "items": "Read your items."},
    ),
    verify=lambda token: token.split("."),
    get_scopes=lambda granted: granted[1:],
)

#: As the console shows them.
REFUSALS = ("403 (FORBIDDEN)", "422")

PREFIXES = pytest.mark.parametrize("prefix", ["", "/deep/shop"], ids=["root", "prefix"])


class Item(BaseModel):
    """What is sold."""

    name: str = Field(min_length=1)
    price: float = Field(2.5, gt=0)


def make_app(**settings: t.Any) -> Flask:
    app = Flask("shop")
    app.config.update(
        {f"SIGNATURE_{key.upper()}": value for key, value in settings.items()}
    )

    @app.get("/items")
    def search(q: str = Query("pen", min_length=2), page: int = 1) -> list[Item]:
        """Search for items."""
        return [Item(name=q, price=page)]

    @app.post("/items", security=TOKEN | None)
    def create(item: Item) -> Item:
        """Create an item."""
        return item

    @app.put("/photos")
    def upload(photo: UploadFile, caption: str = Form("")) -> dict[str, str | int]:
        """Upload a photo."""
        return {"size": len(photo.read()), "caption": caption}

    app.init_app()
    return app


@pytest.fixture(autouse=True)
def calm(visit: Visit, request: pytest.FixtureRequest) -> t.Iterator[None]:
    """Nothing is complained about, and no other server is asked for anything."""
    yield
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        name = request.node.name.replace("/", "-")
        visit.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    # A refused request is one that the console tells about.
    told = [text for text in visit.complaints if not any(x in text for x in REFUSALS)]
    hosts = {url.split("/")[2] for url in visit.urls if not url.startswith("data:")}
    assert told == []
    assert hosts == {visit.page.url.split("/")[2]}


def open_operation(visit: Visit, operation_id: str) -> t.Any:
    """An operation that is ready to be tried out."""
    block = visit.page.locator(f"#operations-default-{operation_id}")
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()
    return block


def execute(block: t.Any) -> tuple[str, str]:
    """The status and the body of the answer."""
    block.locator(".execute").click()
    answer = block.locator(".live-responses-table .response").first
    answer.wait_for()
    status = answer.locator(".response-col_status").inner_text().split()[0]
    return status, answer.locator(".highlight-code, .microlight").first.inner_text()


@PREFIXES
def test_operations_and_models_are_shown(serve, visit, prefix):
    visit.open(f"{serve(make_app(), prefix)}/docs")

    summaries = visit.page.locator(".opblock-summary-description").all_inner_texts()
    assert summaries == ["Search for items.", "Create an item.", "Upload a photo."]
    assert visit.page.title() == "shop"
    models = visit.page.locator("section.models").inner_text()
    assert "What is sold." in models or "Item" in models


@PREFIXES
def test_requests_are_tried_out(serve, visit, prefix):
    visit.open(f"{serve(make_app(), prefix)}/docs")
    block = open_operation(visit, "search")
    block.locator("[data-param-name=page] input").fill("7")

    status, body = execute(block)
    assert status == "200"
    assert '"name": "pen"' in body
    assert '"price": 7' in body
    assert visit.urls[-1].endswith(f"{prefix}/items?q=pen&page=7")

    block = open_operation(visit, "create")
    block.locator("textarea.body-param__text").fill('{"name": "ink"}')

    status, body = execute(block)
    assert status == "201"
    assert '"name": "ink"' in body
    assert '"price": 2.5' in body


def test_query_is_tried_out(serve, visit):
    app = Flask("shop")
    app.config["SIGNATURE_OPENAPI_VERSION"] = "3.2"

    @app.query("/items")
    def search(item: Item, page: int = Query(1)) -> list[Item]:
        """Search by an item."""
        return [item] * page

    @app.get("/lines", media_type="application/jsonl")
    def lines() -> t.Iterator[Item]:
        """Send items."""
        yield Item(name="pen")

    app.init_app()
    visit.open(f"{serve(app)}/docs")
    summaries = visit.page.locator(".opblock-summary-description").all_inner_texts()
    assert summaries == ["Search by an item.", "Send items."]
    assert visit.page.locator(".opblock-query .opblock-summary-method").count() == 1
    block = open_operation(visit, "search")
    block.locator("[data-param-name=page] input").fill("2")
    block.locator("textarea.body-param__text").fill('{"name": "ink"}')

    status, body = execute(block)
    assert status == "200"
    assert body.count('"name": "ink"') == 2


def test_file_is_uploaded(serve, visit):
    visit.open(f"{serve(make_app())}/docs")
    block = open_operation(visit, "upload")
    content = {"name": "a.png", "mimeType": "image/png", "buffer": b"12345"}
    block.locator("input[type=file]").set_input_files(t.cast(t.Any, content))
    block.locator("[data-property-name=caption] input[type=text]").fill("Five")

    status, body = execute(block)
    assert status == "201"
    assert '"size": 5' in body
    assert '"caption": "Five"' in body


def test_refused_request_shows_why(serve, visit):
    visit.open(f"{serve(make_app())}/docs")
    block = open_operation(visit, "create")
    block.locator("textarea.body-param__text").fill('{"name": "", "price": -1}')

    status, body = execute(block)
    assert status == "422"
    assert "String should have at least 1 character" in body
    assert "Input should be greater than 0" in body


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_those_of_the_system(serve, visit, scheme):
    visit.page.emulate_media(color_scheme=scheme)
    visit.open(f"{serve(make_app())}/docs")
    shade = visit.page.evaluate("getComputedStyle(document.documentElement).color")
    classes = visit.page.evaluate("document.documentElement.className")

    assert shade
    assert classes == ("dark-mode" if scheme == "dark" else "")


def test_address_of_the_page_chooses_no_other_description(serve, visit):
    root = serve(make_app())
    query = f"?url={root}/other.json&configUrl={root}/config.json&docExpansion=full"
    visit.open(f"{root}/docs{query}")

    documents = [url for url in visit.urls if url.endswith(".json")]
    assert [url for url in documents if "open" not in url] == []
    assert visit.page.locator(".opblock.is-open").count() == 0


def test_parameters_of_the_ui_are_used(serve, visit):
    parameters = {"docExpansion": "full", "url": "https://other.test/openapi.json"}
    visit.open(f"{serve(make_app(docs_parameters=parameters))}/docs")

    assert visit.page.locator(".opblock.is-open").count() == 3


@PREFIXES
def test_login_comes_back_to_the_page(serve, visit, prefix):
    """The authorization server answers with a redirect to our own page."""
    login = OAuth2("login", implicit=OAuthFlow(authorization_url="/login"))
    app = make_app(security_schemes={"login": login}, docs_oauth={"clientId": "docs"})
    root = serve(app, prefix)
    visit.page.context.route(
        "**/login?*",
        lambda route: route.fulfill(status=302, headers={"Location": back_from(route)}),
    )
    visit.open(f"{root}/docs")
    visit.page.locator(".btn.authorize").click()
    dialog = visit.page.locator(".dialog-ux")
    with visit.page.expect_popup():
        dialog.locator(".auth-container", has_text="login").locator(
            "button.authorize"
        ).click()

    dialog.get_by_text("Authorized", exact=True).first.wait_for()


@PREFIXES
def test_password_logs_in(serve, visit, prefix):
    """The token URL is relative, so that it is right below a prefix."""
    app = Flask("shop")

    @app.post("/token", status_code=200)
    def create_token(form: t.Annotated[PasswordForm, Form()]) -> dict[str, str]:
        assert (form.username, form.password) == ("ann", "secret")
        token = ".".join([form.username, *form.scopes])
        return {"access_token": token, "token_type": "bearer"}

    @app.get("/me", security=PASSWORD.scopes("me"))
    def read_me() -> str:
        return "ann"

    @app.get("/items", security=PASSWORD.scopes("items"))
    def read_items() -> list[str]:
        return ["lamp"]

    app.init_app()
    visit.open(f"{serve(app, prefix)}/docs")
    visit.page.locator(".btn.authorize").click()
    dialog = visit.page.locator(".dialog-ux")
    dialog.locator("#oauth_username").fill("ann")
    dialog.locator("#oauth_password").fill("secret")
    dialog.get_by_text("Read about yourself.").click()
    dialog.locator("button.authorize").click()
    dialog.get_by_text("Authorized", exact=True).first.wait_for()
    dialog.locator(".btn-done").click()

    assert execute(open_operation(visit, "read_me"))[0] == "200"
    assert execute(open_operation(visit, "read_items"))[0] == "403"


def back_from(route: t.Any) -> str:
    """Where the authorization server sends the user, with a token."""
    query = parse_qs(urlsplit(route.request.url).query)
    assert query["client_id"] == ["docs"]
    return f"{query['redirect_uri'][0]}#access_token=t&state={query['state'][0]}"
