"""A page of Chromium, and servers on loopback for it to visit."""

from __future__ import annotations

import os
import shutil
import threading
import typing as t
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server

from flask_signature import Flask

if t.TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass
class Visit:
    """A page, and what happened on it.

    :param complaints: what its console says, violations of its policy among it.
    :param urls: of every request that it sent.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)

    def open(self, url: str) -> None:
        """Go to a page and wait until the description is shown."""
        self.page.goto(url)
        self.page.locator(".opblock").first.wait_for()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window; without Chromium, no test but in CI."""
    if "CI" not in os.environ:
        pytest.importorskip("playwright")
        if CHROMIUM is None:
            pytest.skip("no Chromium is installed")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "no Chromium is installed"
    with sync_playwright() as playwright:
        # A container's root has no sandbox.
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A fresh page, which must have nothing to complain about in the end."""
    visit = new_visit(browser, viewport={"width": 1200, "height": 1000})
    yield visit
    visit.page.context.close()


def new_visit(browser: Browser, **options: t.Any) -> Visit:
    """A fresh page, in a context with options of Playwright's."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(20_000)
    visit = Visit(page)
    page.on("console", lambda message: note_message(visit, message))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("request", lambda request: visit.urls.append(request.url))
    return visit


def note_message(visit: Visit, message: t.Any) -> None:
    if message.type in ("error", "warning"):
        visit.complaints.append(message.text)


@pytest.fixture
def serve() -> Iterator[t.Callable[..., str]]:
    """Starts a server for an application, and gives the URL of its root."""
    running: list[t.Any] = []

    def start(app: Flask, prefix: str = "") -> str:
        mounted: t.Any = app
        if prefix:
            mounted = DispatcherMiddleware(not_found, {prefix: app})
        server = running_server(mounted)
        running.append(server)
        return f"{server.__enter__()}{prefix}"

    yield start
    for server in running:
        server.__exit__(None, None, None)


def not_found(environ: t.Any, start_response: t.Any) -> list[bytes]:
    """What is outside of the prefix."""
    start_response("404 NOT FOUND", [("Content-Type", "text/plain")])
    return [b"not here"]


@contextmanager
def running_server(app: t.Any) -> Iterator[str]:
    """A server in a thread, by its URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
