"""Flask-RESTful: resources answer on our classes what they answer on Flask's."""

from __future__ import annotations

from functools import wraps

import pytest
from flask import Flask, request
from flask_restful import Api, Resource, abort, fields, marshal_with, reqparse
from pair import Classes

ARTICLE = {
    "id": fields.Integer,
    "name": fields.String(default="none"),
    "price": fields.Price(decimals=2, attribute="cost"),
    "tags": fields.List(fields.String),
}

PARSER = reqparse.RequestParser()
PARSER.add_argument("name", required=True, help="A name, please", location="json")
PARSER.add_argument("cost", type=float, default=1, location="json")


def with_token(view):
    @wraps(view)
    def wrapper(*args, **kwargs):
        if "X-Token" not in request.headers:
            abort(401, message="No token")
        return view(*args, **kwargs)

    return wrapper


class Articles(Resource):
    """All articles: a POST names no status, so it is Flask's."""

    method_decorators = {"post": [with_token]}

    @marshal_with(ARTICLE)
    def get(self, page=1):
        return [{"id": page, "cost": "2.5", "secret": 1}]

    def post(self):
        return PARSER.parse_args()


class Article(Resource):
    """One article, whose every method wants a token."""

    decorators = [with_token]

    @marshal_with(ARTICLE, envelope="article")
    def get(self, article_id):
        if article_id == 404:
            abort(404, message="No such article")
        return {"id": article_id, "name": "lamp", "tags": ["a"]}

    @marshal_with(ARTICLE)
    def put(self, article_id):
        return {"id": article_id}, 202, {"X-Kept": "yes"}

    def delete(self, article_id):
        return "", 204


def make_app(classes: Classes) -> Flask:
    """A program with an API on the application, and one on a blueprint."""
    app = classes.app("shop")
    blueprint = classes.blueprint("inner", "shop", url_prefix="/inner")
    for api in (Api(app, prefix="/api"), Api(blueprint)):
        # Not each method of the resource takes a page.
        rules = ("/articles", "/articles/page/<int:page>")
        api.add_resource(Articles, *rules, endpoint="articles")
        api.add_resource(Article, "/articles/<int:article_id>", endpoint="article")
    app.register_blueprint(blueprint)

    @app.get("/plain/<int:number>")
    @marshal_with(ARTICLE)
    def plain(number):
        return {"id": number, "secret": 1}

    return app


TOKEN = {"X-Token": "1"}
NAMED = {"method": "POST", "json": {"name": "lamp"}, "headers": TOKEN}
UNNAMED = {"method": "POST", "json": {}, "headers": TOKEN}
PLAIN = {"id": 3, "name": "none", "price": None, "tags": None}

#: A request, the status and the answer.
ANSWERED = {
    "arguments": ("/api/articles", NAMED, 200, {"name": "lamp", "cost": 1}),
    "of a blueprint": ("/inner/articles", NAMED, 200, {"name": "lamp", "cost": 1}),
    "missing": ("/api/articles", UNNAMED, 400, {"message": {"name": "A name, please"}}),
    "marshalled": (
        *("/inner/articles/7", {"headers": TOKEN}, 200),
        {"article": {"id": 7, "name": "lamp", "price": None, "tags": ["a"]}},
    ),
    "status": (*("/api/articles/3", {"method": "PUT", "headers": TOKEN}, 202), PLAIN),
    "abort": (
        *("/api/articles/404", {"headers": TOKEN}, 404),
        {"message": "No such article"},
    ),
    "decorators": ("/inner/articles/1", {}, 401, {"message": "No token"}),
    "helper of a view": ("/plain/3", {}, 200, PLAIN),
}


@pytest.mark.parametrize(
    ("path", "sent", "status", "answer"), ANSWERED.values(), ids=ANSWERED
)
def test_extension_answers(pair, path, sent, status, answer):
    response = pair.open(path, **sent)

    assert (response.status_code, response.json) == (status, answer)


def test_helper_below_the_route_of_a_typed_view_marshals(app, client):
    @app.get("/sizes/<int:number>")
    @marshal_with({"id": fields.Integer, "size": fields.Integer})
    def show(number: int, size: int = 1) -> dict[str, int]:
        return {"id": number, "size": size, "secret": 1}

    assert client.get("/sizes/3?size=2").json == {"id": 3, "size": 2}
    assert client.get("/sizes/3?size=x").status_code == 422
