"""What the functions of a drawn application do, by name."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

import flask
from flask import g, request, session

from .errors import Custom
from .recording import Recorder, attempt

Step: t.TypeAlias = Callable[[Recorder], t.Any]


def count_in_session(recorder: Recorder) -> None:
    session["count"] = session.get("count", 0) + 1


def make_permanent(recorder: Recorder) -> None:
    session.permanent = not session.permanent


def change_nested(recorder: Recorder) -> None:
    session.setdefault("items", []).append(1)
    session.modified = True


def count_in_g(recorder: Recorder) -> None:
    g.count = g.get("count", 0) + 1


def add_after_this_request(recorder: Recorder) -> None:
    @flask.after_this_request
    def after(response: flask.Response) -> flask.Response:
        recorder.event("after_this_request", response.status)
        response.headers["X-After-This"] = "1"
        return response


def fail_after_this_request(recorder: Recorder) -> None:
    @flask.after_this_request
    def after(response: flask.Response) -> flask.Response:
        recorder.event("after_this_request", "raises")
        raise Custom("after this request")


def run_in_copy(recorder: Recorder) -> None:
    @flask.copy_current_request_context
    def inside() -> None:
        g.inside = True
        recorder.event("copy_current_request_context", request.path, list(g))

    inside()


def ask_nested(recorder: Recorder) -> None:
    if "X-Nested" in request.headers:
        return
    with flask.current_app.test_client() as client:
        response = client.get("/plain", headers={"X-Nested": "1"})
        recorder.event("nested client", response.status, response.data)
    recorder.event("nested client left")


def push_context(recorder: Recorder) -> None:
    with flask.current_app.app_context():
        g.pushed = True
        recorder.event("nested context", list(g))


def push_request_context(recorder: Recorder) -> None:
    app: t.Any = flask.current_app
    with app.test_request_context("/plain?nested=1"):
        recorder.event("nested request context", request.path)


def read_form(recorder: Recorder) -> None:
    recorder.event("form", sorted(request.form.items()), request.get_data())


def build_urls(recorder: Recorder) -> None:
    values = request.view_args or {}
    for endpoint in (request.endpoint or "static", "missing"):
        built = attempt(lambda name=endpoint: flask.url_for(name, **values))
        recorder.event("url_for", built)


def render(recorder: Recorder) -> None:
    text = flask.render_template_string("{{ request.path }} {{ g.count }}")
    recorder.event("rendered", text)


STEPS: dict[str, Step] = {
    "session count": count_in_session,
    "session read": lambda recorder: recorder.event("read", session.get("count")),
    "session ask": lambda recorder: recorder.event("has", "count" in session),
    "session empty": lambda recorder: session.clear(),
    "session pop": lambda recorder: session.pop("count", None),
    "session permanent": make_permanent,
    "session nested": change_nested,
    "session marked": lambda recorder: setattr(session, "modified", True),
    "g": count_in_g,
    "flash": lambda recorder: flask.flash("a message", "kind"),
    "flashed": lambda recorder: recorder.event(
        "flashed", flask.get_flashed_messages(with_categories=True)
    ),
    "after_this_request": add_after_this_request,
    "after_this_request raises": fail_after_this_request,
    "copy_current_request_context": run_in_copy,
    "nested client": ask_nested,
    "nested context": push_context,
    "nested request context": push_request_context,
    "form": read_form,
    "url_for": build_urls,
    "log": lambda recorder: flask.current_app.logger.warning("logged"),
    "render": render,
}
