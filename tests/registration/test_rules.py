"""Rules that learn how to build a URL when they have to."""

from __future__ import annotations

import flask
import pytest
from flask import url_for

from flask_signature import Flask

#: Rules, options, and the values that a URL is built of.
CASES = [
    ("/", {}, {}),
    ("/", {}, {"page": 2}),
    ("/a/<int:n>", {}, {"n": 7}),
    ("/a/<int(fixed_digits=4):n>/<path:p>", {}, {"n": 7, "p": "x/ü"}),
    ("/a/<self>", {}, {"self": "x", "rule": "y"}),
    ("/a/<rule>", {}, {"rule": "x", "values": [1, 2]}),
    ("/a/<n>", {"defaults": {"lang": "en"}}, {"n": "x"}),
    ("/a/<n>", {"subdomain": "<shop>"}, {"n": "x", "shop": "y"}),
    ("/a/<any(a,b):n>", {}, {"n": "b"}),
]


def urls(base, rule, options, values):
    app = base(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "example.com"
    app.add_url_rule(rule, "view", lambda **view_args: "", **options)
    with app.test_request_context():
        return [url_for("view", **values) for _ in range(2)]


@pytest.mark.parametrize(("rule", "options", "values"), CASES, ids=str)
def test_url_is_that_of_flask(rule, options, values):
    assert urls(Flask, rule, options, values) == urls(
        flask.Flask, rule, options, values
    )


@pytest.mark.parametrize("base", [Flask, flask.Flask])
@pytest.mark.parametrize(
    ("rule", "options", "error"),
    [
        ("/<int:n>", {"defaults": {"n": "x"}}, ValueError),
        ("/<n>", {"subdomain": "<n>"}, SyntaxError),
    ],
    ids=["default", "variable"],
)
def test_mistake_is_found_when_the_rule_is_added(base, rule, options, error):
    app = base(__name__, subdomain_matching=True)
    with pytest.raises(error):
        app.add_url_rule(rule, "view", **options)


def test_rule_of_the_application_is_asked_for_its_converters_once(app):
    made = []

    class Noted(flask.Flask.url_map_class().converters["default"]):
        def __init__(self, *args, **options):
            made.append(options)
            super().__init__(*args, **options)

    app.url_map.converters["noted"] = Noted
    app.get("/<noted:a>")(lambda a: a)
    app.get("/x/<noted:a>", endpoint="x")(lambda a: a)
    with app.test_request_context():
        assert url_for("x", a="1") == "/x/1"
    assert len(made) == 3
