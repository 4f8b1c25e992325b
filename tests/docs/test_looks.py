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
    """Where the site is served."""
    with running_server(SharedDataMiddleware(not_found, {"/": str(site)})) as url:
        yield url


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_each_page_fits_and_fetches_nothing_from_elsewhere(
    browser: Browser, url: str, site: Path, size: str, scheme: str
) -> None:
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


#: What is searched for, and a page that is among the first three that are found.
SEARCHES: t.Final = {
    "415": "reference/statuses",
    "422": "reference/statuses",
    "404": "reference/statuses",
    "405 method not allowed": "reference/statuses",
    "Unsupported Media Type": "reference/statuses",
    "SIGNATURE_ASYNC_LOOP": "reference/settings",
    "MCP": "howto/agents",
    "SQLModel": "howto/sqlmodel",
    "deepObject": "guide/requests",
    "server-sent events": "howto/streams",
    "pagination": "howto/paging-and-filtering",
    "sorting": "howto/paging-and-filtering",
    "query parameter": "guide/requests",
    "request body": "guide/requests",
    "reverse proxy": "howto/deployment",
    "nginx": "howto/deployment",
    "gunicorn": "howto/deployment",
    "ProxyFix": "howto/deployment",
    "project structure": "howto/large-applications",
    "application factory": "howto/large-applications",
    "rollback": "howto/databases",
    "SQLAlchemy": "howto/databases",
    "roles": "howto/log-in",
    "authentication": "howto/log-in",
    "JWT": "howto/jwt",
    "Flask-Login": "howto/login-extensions",
    "media type": "howto/content-negotiation",
    "content negotiation": "howto/content-negotiation",
    "file upload": "howto/uploads-and-downloads",
    "download": "howto/uploads-and-downloads",
    "Swagger UI": "guide/openapi",
    "OpenAPI 3.2": "guide/openapi",
    "session cookie": "howto/session-login",
    "rate limit": "howto/rate-limits",
    "ETag": "howto/conditional-requests",
    "PATCH": "howto/patch",
    "schemathesis": "howto/continuous-integration",
    "TypeScript": "howto/generated-clients",
    "async": "howto/asynchronous-views",
    "Celery": "howto/background-work",
    "CORS": "howto/extensions",
    "WebSocket": "comparison",
    "why not FastAPI": "comparison",
    "dependency override": "guide/dependencies",
    "SIGNATURE_ERROR_FORMAT": "reference/settings",
    "custom error": "guide/errors",
    "streaming": "howto/streams",
    "mypy": "howto/typing-views",
    "path converter": "guide/requests",
    "marshmallow": "migrate/marshmallow",
    "flask-restx": "migrate/flask-restx",
    "deprecated": "howto/api-versions",
    "413": "reference/statuses",
    "cursor": "howto/paging-and-filtering",
    "testing": "howto/testing",
    "CSV": "howto/content-negotiation",
    "redirect": "howto/statuses-and-headers",
    "API key": "guide/security",
    "OAuth2": "guide/security",
    "idempotency": "howto/conditional-requests",
    "Alembic": "howto/databases",
    "GET /items: 'word' and 'q' of find() are both read from 'q' of the query. Give one"
    " of them another alias. (shop.py, line 15)": "reference/messages",
    "Unknown option 'stauts_code'. Did you mean 'status_code'?": "reference/messages",
}


def test_search_finds_the_page(browser: Browser, url: str) -> None:
    visit = new_visit(browser)
    found = {}
    for words, page in SEARCHES.items():
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
