"""Flask-DebugToolbar: on HTML pages as ever, and out of the way of JSON.

It replaces ``dispatch_request`` of the application, and its profiler panel wraps views.
"""

from __future__ import annotations

import logging
import re
import typing as t

import flask
import pytest
from flask_debugtoolbar import DebugToolbarExtension

from flask_signature import Flask

#: Times, addresses of objects, and what the signature of the session makes different.
MEASURED: t.Final = re.compile(
    r"[\d-]+ \d\d:\d\d:\d\d\D\d+|\b\d+\.\d+|\d\d:\d\d:\d\d,\d+|0x[0-9a-f]+"
    r"|eyJ[\w.-]+|\d+ (in)?voluntary"
)
TAGS: t.Final = re.compile(r"<script.*?</script>|<[^>]+>", re.DOTALL)

#: The rows of functions in the panel of the profiler: it has one for each frame.
ROWS: t.Final = re.compile(r'<table id="flDebugProfilerTable".*?</table>', re.DOTALL)
PROFILED: t.Final = re.compile(rf"{re.escape(__file__)}|\b{__name__}\b")

PAGE: t.Final = "<!doctype html><html><head></head><body>Hello {}</body></html>"


def make_app(cls: type[flask.Flask], *, profiler: bool) -> flask.Flask:
    app = cls("watched", static_folder=None)
    app.secret_key = "a key long enough for every signature"
    app.debug = True
    app.config.update(
        DEBUG_TB_PROFILER_ENABLED=profiler, DEBUG_TB_INTERCEPT_REDIRECTS=True
    )
    DebugToolbarExtension(app)

    @app.get("/page/<name>")
    def page(name: str) -> str:
        flask.session["last"] = name
        flask.g.name = name
        logging.getLogger("watched").warning("a page for %s", name)
        return flask.render_template_string(PAGE.format("{{ name }}"), name=greet(name))

    @app.get("/away")
    def away() -> t.Any:
        return flask.redirect(flask.url_for("page", name="Ada"))

    @app.get("/number/<int:number>")
    def number(number: int) -> flask.Response:
        return flask.jsonify(number=number)

    @app.errorhandler(404)
    def missing(error: Exception) -> tuple[str, int]:
        return PAGE.format(flask.request.path), 404

    return app


def greet(name: str) -> str:
    return f"dear {name}"


def shown(app: flask.Flask) -> list[tuple[t.Any, ...]]:
    """What the pages show, times aside."""
    client = app.test_client()
    pages = []
    for path in ("/page/Ada?a=1&a=2", "/away", "/number/3", "/missing", "/page/Bob"):
        response = client.get(path, headers={"User-Agent": "a-browser"})
        text = response.text
        profiled = [
            MEASURED.sub("...", TAGS.sub(" ", row)).split()
            for table in ROWS.findall(text)
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)
            if PROFILED.search(row)
        ]
        panels = TAGS.sub(" ", ROWS.sub("", text))
        lines = [MEASURED.sub("...", line).strip() for line in panels.splitlines()]
        pages.append((response.status, [line for line in lines if line], profiled))
    return pages


@pytest.mark.parametrize("profiler", [False, True], ids=["no-profiler", "profiler"])
def test_panels_of_a_page(profiler):
    plain, ours = (
        shown(make_app(cls, profiler=profiler)) for cls in (flask.Flask, Flask)
    )

    assert ours == plain
    status, lines, profiled = ours[0]
    assert status == "200 OK"
    for text in ("HTTP Headers", "a-browser", "Route List", "/number/&lt;int:"):
        assert any(text in line for line in lines), text
    assert bool(profiled) is profiler


def test_dispatch_that_the_toolbar_put_there_is_called():
    app = make_app(Flask, profiler=False)
    dispatch = app.dispatch_request
    paths = []

    def dispatch_request(*args: t.Any) -> t.Any:
        paths.append(flask.request.path)
        return dispatch(*args)

    app.dispatch_request = dispatch_request  # type: ignore[method-assign]
    shown(app)

    assert len(paths) == 5


@pytest.fixture
def typed() -> t.Any:
    """A client of the program with typed views beside."""
    app = make_app(Flask, profiler=False)

    @app.get("/typed/<name>")
    def repeat(name: str, times: int = 1) -> str:
        return PAGE.format(name * times)

    @app.get("/typed")
    def count(n: int) -> dict[str, int]:
        return {"n": n}

    return app.test_client()


def test_toolbar_is_put_into_a_page(typed):
    response = typed.get("/typed/Ada?times=2")

    assert response.status_code == 200
    assert "Hello AdaAda" in response.text
    assert "flDebug" in response.text


def test_json_stays_as_it_is(typed):
    assert typed.get("/typed?n=4").json == {"n": 4}
    assert typed.get("/typed?n=x").status_code == 422


def test_pages_of_the_toolbar_itself_are_served(typed):
    response = typed.get("/_debug_toolbar/static/js/toolbar.js")

    assert response.status_code == 200
    response.close()
