"""A plain Flask application, its import line changed, answers as it did before."""

from __future__ import annotations

import io
import re
import typing as t
from pathlib import Path
from types import ModuleType

import flask
import pytest
from pair import without_negotiation

import flask_signature

FOLDER = Path(__file__).parents[1] / "migration"
IMPORTS = ("from flask import Blueprint\n", "from flask import Flask\n")
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def requests(*lines: str, **options: t.Any) -> list[tuple[str, str, dict[str, t.Any]]]:
    """Requests without a body, or with one: ``requests("GET /", "POST /")``."""
    return [(*line.split(" "), options) for line in lines]


# One visit: the requests are sent in this order by one client, which keeps its cookies.
VISIT = [
    *requests("GET /", "HEAD /", "OPTIONS /", "POST /", "GET /static/pen.txt"),
    *requests("GET /entries/1", "GET /entries/7", "GET /entries/x", "GET /nowhere"),
    *requests("GET /write"),
    *requests("POST /write", data={"text": ""}),
    *requests("POST /write", data={"text": "Nice"}),
    *requests("GET /"),
    *requests("POST /login", data={}),
    *requests("POST /login", data={"name": "Ada"}),
    *requests("GET /"),
    *requests("POST /upload", data={"photo": (b"GIF89a", "pen.gif")}),
    *requests("GET /archive?order=old", "GET /archive/2031?order=old&year=1"),
    *requests("GET /archive/2030", "GET /by/AL", "GET /by/ALL"),
    *requests("GET /any/a/b/c?rest=x&more=y", "GET /feed", "GET /photo"),
    *requests("GET /photo", headers={"Range": "bytes=0-2"}),
    *requests("GET /paper", "GET /crash", "GET /teapot"),
    *requests("GET /api/entries?page=2", "GET /api/entries?page=x"),
    *requests("POST /api/entries", json={"text": "From a program"}),
    *requests("POST /api/entries", json={}),
    *requests("POST /api/entries", data="{", content_type="application/json"),
    *requests("POST /api/entries", data="text=x"),
    *requests("PUT /api/entries/0", json={"text": "Hello again"}),
    *requests("GET /api/entries/0/words"),
    *requests("PATCH /api/entries/0/words", data="and again"),
    *requests("DELETE /api/entries/0/words", "DELETE /api/entries/1"),
    *requests("DELETE /api/entries/99", "GET /api/count", "GET /api/nothing"),
    *requests("GET /api/entries", headers={"User-Agent": "robot"}),
    *requests("GET /de/books/faust?title=x", "GET /old/fr/candide", "GET /health"),
    *requests("POST /health", "DELETE /health", "TRACE /health", "POST /logout"),
    *requests("GET /"),
]

# Requests whose views leave the status open, which is 201 for a POST by contract.
OPEN_STATUS = {("POST", "/write")}


class Answer(t.NamedTuple):
    """One answer, as a client sees it."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def load(*, changed: bool) -> ModuleType:
    """The guest book, with its two import lines as they are or changed."""
    source = (FOLDER / "app.py").read_text(encoding="utf-8")
    for line in IMPORTS:
        assert source.count(line) == 1
        new = line.replace("from flask ", "from flask_signature ")
        source = source.replace(line, new) if changed else source
    module = ModuleType("guestbook")
    code = compile(source, str(FOLDER / "app.py"), "exec", dont_inherit=True)
    exec(code, vars(module))
    return module


def visit(app: flask.Flask, headers: dict[str, str]) -> list[Answer]:
    """The answers to a whole visit."""
    client = app.test_client()
    return [
        send(client, method, path, {**options, "headers": headers | own_headers})
        for method, path, options in VISIT
        for own_headers in [options.get("headers", {})]
    ]


def send(client: t.Any, method: str, path: str, options: dict[str, t.Any]) -> Answer:
    """One answer. The time in the signature of a session is left out."""
    with client.open(path, method=method, **with_files(options)) as response:
        headers = [
            (name, re.sub(r"(session=[^.;]*)[^;]*", r"\1", value))
            for name, value in response.headers
            if name != "Date"
        ]
        return Answer(response.status, sorted(headers), response.get_data())


def with_files(options: dict[str, t.Any]) -> dict[str, t.Any]:
    """The options with a file opened anew for each content."""
    form = options.get("data")
    if not isinstance(form, dict):
        return options
    opened = {
        name: (io.BytesIO(value[0]), value[1]) if isinstance(value, tuple) else value
        for name, value in form.items()
    }
    return {**options, "data": opened}


def application(*, changed: bool) -> flask.Flask:
    """The guest book's application."""
    app: flask.Flask = load(changed=changed).create_app({"root_path": str(FOLDER)})
    return app


def by_contract(method: str, path: str, answer: Answer) -> Answer:
    """What plain Flask's answer is under our contract: nearly always the same.

    A view that leaves the status of a POST open answers 201. A DELETE that answers 204
    has no content, and so no type of it.
    """
    if (method, path) in OPEN_STATUS and answer.status == "200 OK":
        return answer._replace(status="201 CREATED")
    if method == "DELETE" and answer.status == "204 NO CONTENT":
        kept = [header for header in answer.headers if header[0] != "Content-Type"]
        return answer._replace(headers=kept)
    return answer


def assert_same(before: list[Answer], after: list[Answer]) -> None:
    """Every answer is the same, but for what the contract changes."""
    for (method, path, _), old, new in zip(VISIT, before, after, strict=True):
        here = f"{method} {path}"
        assert (here, new) == (here, by_contract(method, path, old))


@pytest.fixture
def changed() -> flask.Flask:
    """The guest book on our classes."""
    app = application(changed=True)
    assert type(app) is flask_signature.Flask
    assert all(type(bp) is flask_signature.Blueprint for bp in app.blueprints.values())
    return app


def test_every_answer_is_the_same_after_the_import_line_changed(changed):
    before = visit(application(changed=False), {})

    assert_same(before, visit(changed, {}))


def test_every_answer_to_a_browser_is_the_same_with_the_error_handlers_too(changed):
    before = visit(application(changed=False), BROWSER)
    changed.init_app()

    after = [
        answer._replace(headers=without_negotiation(answer.status, answer.headers))
        for answer in visit(changed, BROWSER)
    ]
    assert_same(before, after)


def test_the_visit_sees_what_it_should():
    answers = visit(application(changed=False), {})

    by_request = {(m, p): a for (m, p, _), a in zip(VISIT, answers, strict=True)}
    assert by_request["GET", "/archive/2031?order=old&year=1"].body == b"2031 new"
    assert by_request["GET", "/de/books/faust?title=x"].body == (
        b"de faust /de/books/next"
    )
    assert by_request["GET", "/crash"].status == "500 INTERNAL SERVER ERROR"
    assert {a.status[0] for a in answers} == {"2", "3", "4", "5"}


def test_url_map_and_commands_are_the_same(changed):
    before = application(changed=False)

    rules = [
        [(rule.rule, rule.endpoint, rule.methods) for rule in app.url_map.iter_rules()]
        for app in (before, changed)
    ]
    counted = changed.test_cli_runner().invoke(args=["books", "count"])
    assert rules[0] == rules[1]
    assert counted.output == "no books\n"
