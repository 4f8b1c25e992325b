"""Tracing, profilers and logs see a program's own code as they do on plain Flask."""

from __future__ import annotations

import logging
import pstats
import sys
import typing as t
from types import FrameType

import flask
import pytest
from patches import Fast, environ, send
from werkzeug.middleware.profiler import ProfilerMiddleware

CLASSES: t.Final = (flask.Flask, Fast)

with_hooks = pytest.mark.parametrize("hooks", [False, True], ids=["plain", "hooks"])


def make_app(cls: type[flask.Flask], *, hooks: bool) -> flask.Flask:
    """A program whose functions call each other."""
    app = cls("observed", static_folder=None)
    app.secret_key = "a key long enough for every signature"

    def double(number: int) -> int:
        flask.current_app.logger.warning("%d for %s", number, flask.request.path)
        return 2 * number

    @app.get("/double/<int:number>")
    def show(number: int) -> str:
        flask.session["last"] = number
        return f"{double(number)} at {flask.url_for('show', number=number)}"

    @app.post("/add")
    def add() -> dict[str, int]:
        return {"sum": sum(flask.request.get_json())}

    @app.get("/broken")
    def broken() -> str:
        return str(double(1) / 0)

    @app.errorhandler(404)
    def missing(error: Exception) -> tuple[str, int]:
        return f"nothing at {flask.request.path}", 404

    if hooks:
        add_hooks(app)
    return app


def add_hooks(app: flask.Flask) -> None:
    @app.before_request
    def before():
        flask.g.seen = flask.request.endpoint

    @app.after_request
    def after(response):
        response.headers["X-Seen"] = str(flask.g.seen)
        return response

    @app.teardown_request
    def teardown(error):
        flask.g.pop("seen")

    @app.teardown_appcontext
    def leave(error):
        flask.g.get("seen")


REQUESTS: t.Final = (
    *(("/double/4", "GET"), ("/missing", "GET"), ("/broken", "GET")),
    *(("/double/x", "GET"), ("/double/4", "HEAD"), ("/add", "OPTIONS")),
)


def run(app: t.Any) -> list[tuple[t.Any, ...]]:
    added = send(app, environ("/add", "POST", json=[1, 2]))
    return [added, *(send(app, environ(*request)) for request in REQUESTS)]


class Tracer:
    """Keeps the events of the functions in this file, as a debugger is given them."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, int]] = []

    def trace(self, frame: FrameType, event: str, arg: object) -> t.Any:
        self.profile(frame, event, arg)
        return self.trace if frame.f_code.co_filename == __file__ else None

    def profile(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if code.co_filename == __file__ and not event.startswith("c_"):
            self.events.append((event, code.co_name, frame.f_lineno))


@with_hooks
@pytest.mark.parametrize("warm", [False, True], ids=["first", "later"])
@pytest.mark.parametrize("kind", ["trace", "profile"])
def test_debugger_steps_through_the_same_lines(hooks, warm, kind):
    seen = []
    for cls in CLASSES:
        app, tracer = make_app(cls, hooks=hooks), Tracer()
        if warm:
            run(app)
        held = getattr(sys, f"get{kind}")()
        getattr(sys, f"set{kind}")(getattr(tracer, kind))
        try:
            run(app)
        finally:
            getattr(sys, f"set{kind}")(held)
        seen.append(tracer.events)

    assert seen[1] == seen[0]
    assert {"show", "double", "broken", "missing"} <= {name for _, name, _ in seen[0]}


@with_hooks
def test_profiler_middleware_counts_the_same_calls(tmp_path, hooks):
    counts = []
    for cls in CLASSES:
        app, folder = make_app(cls, hooks=hooks), tmp_path / cls.__name__
        folder.mkdir()
        app.wsgi_app = ProfilerMiddleware(
            app.wsgi_app,
            stream=None,
            profile_dir=str(folder),
            filename_format="{method}-{path}.prof",
        )
        run(app)
        counts.append(
            {path.name: calls_in(pstats.Stats(str(path))) for path in folder.iterdir()}
        )

    assert counts[1] == counts[0]
    assert counts[0]["GET-double.4.prof"]["show"] == 1


def calls_in(stats: pstats.Stats) -> dict[str, int]:
    """How often each function of this file was called."""
    entries: dict[t.Any, t.Any] = stats.stats
    return {
        name: entry[1]
        for (file, _, name), entry in entries.items()
        if file == __file__ and name != "run"
    }


class Kept(logging.Handler):
    """Keeps what is logged, and what a structured log says besides."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[tuple[t.Any, ...]] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = type(record.exc_info[1]) if record.exc_info else None
        said = record.levelname, record.getMessage(), record.funcName, error
        self.records.append((*said, *about_request()))


@with_hooks
def test_records_are_logged_in_the_same_order(hooks):
    logger, logged = logging.getLogger("observed"), []
    for cls in CLASSES:
        kept = Kept()
        logger.addHandler(kept)
        try:
            run(make_app(cls, hooks=hooks))
        finally:
            logger.removeHandler(kept)
        logged.append(kept.records)

    assert logged[1] == logged[0]
    assert [record[0] for record in logged[0]].count("ERROR") == 1


def about_request() -> tuple[t.Any, ...]:
    """What a structured log says about the request that it writes a line in."""
    if not flask.has_request_context():
        return ()
    request = flask.request
    view = request.endpoint, request.view_args, str(request.url_rule)
    return request.method, request.full_path, request.remote_addr, *view
