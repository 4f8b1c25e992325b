"""The site in a browser: light and dark, on a phone and a desktop, without JavaScript.

With ``SCREENSHOTS=folder`` each of them leaves pictures of the pages there.
"""

from __future__ import annotations

import os
import typing as t
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from browser.conftest import browser as browser
from browser.conftest import new_visit, not_found, running_server
from werkzeug.middleware.shared_data import SharedDataMiddleware

if t.TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES: t.Final = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844},
}
LOOKS: t.Final = [("desktop", "light"), ("phone", "dark")]

#: How far a page can be moved to the side, in pixels.
OVERFLOW: t.Final = """() => {
  const root = document.scrollingElement;
  return root.scrollWidth - root.clientWidth;
}"""


@pytest.fixture(scope="session")
def url(site: Path) -> t.Iterator[str]:
    with running_server(SharedDataMiddleware(not_found, {"/": str(site)})) as url:
        yield url


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_each_page_fits_and_fetches_nothing_from_elsewhere(
    browser, url, site, size, scheme
):
    visit = new_visit(browser, viewport=SIZES[size], color_scheme=scheme)
    wide = {}
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).with_suffix("").as_posix()
        visit.page.goto(f"{url}/{name}.html")
        if overflow := visit.page.evaluate(OVERFLOW):
            wide[name] = overflow
        if folder := os.environ.get("SCREENSHOTS"):
            picture = Path(folder, f"{name.replace('/', '-')}-{size}-{scheme}.png")
            visit.page.screenshot(path=picture)
    visit.page.context.close()

    assert wide == {}
    assert visit.complaints == []
    assert [fetched for fetched in visit.urls if not fetched.startswith(url)] == []


def test_search_finds_a_page_by_its_words(browser: Browser, url: str) -> None:
    visit = new_visit(browser)
    visit.page.goto(f"{url}/search.html?q=deepObject")

    results = visit.page.locator("#search-results li a")
    results.first.wait_for()
    assert "Requests" in results.all_inner_texts()
    visit.page.context.close()


def test_a_page_can_be_read_without_javascript(browser: Browser, url: str) -> None:
    visit = new_visit(browser, java_script_enabled=False)
    visit.page.goto(f"{url}/guide/requests.html")

    assert visit.page.locator("h1").is_visible()
    assert visit.page.locator("article pre").first.is_visible()
    visit.page.locator(".sidebar-tree a", has_text="Responses").first.click()
    assert visit.page.locator("h1").inner_text().startswith("Responses")
    visit.page.context.close()


#: A page, and searches that find it among the first three pages.
SEARCHES: t.Final[dict[str, tuple[str, ...]]] = {
    "reference/statuses": (
        *("415", "422", "404", "405 method not allowed", "Unsupported Media Type"),
        "413",
    ),
    "reference/settings": ("SIGNATURE_ASYNC_LOOP", "SIGNATURE_ERROR_FORMAT"),
    "howto/agents": ("MCP",),
    "howto/sqlmodel": ("SQLModel",),
    "guide/requests": (
        *("deepObject", "query parameter", "request body", "path converter"),
    ),
    "howto/streams": ("server-sent events", "streaming"),
    "howto/paging-and-filtering": ("pagination", "sorting", "cursor"),
    "howto/deployment": ("reverse proxy", "nginx", "gunicorn", "ProxyFix"),
    "howto/large-applications": ("project structure", "application factory"),
    "howto/databases": ("rollback", "SQLAlchemy", "Alembic"),
    "howto/log-in": ("roles", "authentication"),
    "howto/jwt": ("JWT",),
    "howto/login-extensions": ("Flask-Login",),
    "howto/content-negotiation": ("media type", "content negotiation", "CSV"),
    "howto/uploads-and-downloads": ("file upload", "download"),
    "guide/openapi": ("Swagger UI", "OpenAPI 3.2"),
    "howto/session-login": ("session cookie",),
    "howto/rate-limits": ("rate limit",),
    "howto/conditional-requests": ("ETag", "idempotency"),
    "howto/patch": ("PATCH",),
    "howto/continuous-integration": ("schemathesis",),
    "howto/generated-clients": ("TypeScript",),
    "howto/asynchronous-views": ("async",),
    "howto/background-work": ("Celery",),
    "howto/extensions": ("CORS",),
    "comparison": ("WebSocket", "why not FastAPI"),
    "guide/dependencies": ("dependency override",),
    "guide/errors": ("custom error",),
    "howto/typing-views": ("mypy",),
    "migrate/marshmallow": ("marshmallow",),
    "migrate/flask-restx": ("flask-restx",),
    "howto/api-versions": ("deprecated",),
    "howto/testing": ("testing",),
    "howto/statuses-and-headers": ("redirect",),
    "guide/security": ("API key", "OAuth2"),
    "reference/messages": (
        (
            "GET /items: 'word' and 'q' of find() are both read from 'q' of the query."
            " Give one of them another alias. (shop.py, line 15)"
        ),
        "Unknown option 'stauts_code'. Did you mean 'status_code'?",
    ),
}


def test_search_finds_the_page(browser: Browser, url: str) -> None:
    visit = new_visit(browser)
    found = {}
    searches = [(page, words) for page, group in SEARCHES.items() for words in group]
    for page, words in searches:
        visit.page.goto(f"{url}/search.html?q={quote_plus(words)}")
        visit.page.locator("#search-results > p.search-summary").wait_for()
        visit.page.locator("ul.search li a").first.wait_for()
        links = visit.page.locator("ul.search li a").evaluate_all(
            "links => links.map(link => link.pathname)"
        )
        first = [*dict.fromkeys(link.removesuffix(".html")[1:] for link in links)][:3]
        if page not in first:
            found[words] = first
    visit.page.context.close()

    assert found == {}
