"""Flask-RESTX: an API answers on our classes what it answers on Flask's."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask
from flask_restx import Api, Namespace, Resource, fields, reqparse
from pair import Classes

from flask_signature import Blueprint
from flask_signature import Flask as OurFlask


def make_namespace() -> Namespace:
    ns = Namespace("articles", description="What the shop sells")
    article = ns.model(
        "Article",
        {
            "id": fields.Integer(readonly=True),
            "name": fields.String(required=True, min_length=2),
            "url": fields.Url("api.article", absolute=False),
        },
    )
    page = reqparse.RequestParser()
    page.add_argument("page", type=int, default=1, location="args")
    page.add_argument("tag", action="append", location="args")

    @ns.route("/", endpoint="articles")
    class Articles(Resource):
        @ns.expect(page)
        def get(self):
            return page.parse_args()

        @ns.expect(article, validate=True)
        @ns.marshal_with(article)
        def post(self):
            return {**ns.payload, "id": 1, "secret": 3}

        @ns.marshal_with(article, code=202)
        def put(self):
            return {"id": 1, "name": "lamp"}, 202, {"X-Made-By": "RESTX"}

    @ns.route("/<int:id>", endpoint="article")
    @ns.response(404, "No such article")
    class Article(Resource):
        @ns.marshal_with(article)
        def get(self, id):
            if id == 404:
                ns.abort(404, "No such article", id=id)
            return {"id": id, "name": "lamp"}

        @ns.response(204, "Removed")
        def delete(self, id):
            return "", 204

    return ns


def make_app(classes: Classes) -> Flask:
    """A program with an API on a blueprint."""
    app = classes.app("shop")
    blueprint = classes.blueprint("api", "shop", url_prefix="/api")
    api = Api(blueprint, title="Shop", version="1.0", mask_swagger=False)
    api.add_namespace(make_namespace())

    @api.errorhandler(LookupError)
    def lookup_error(error):
        return {"message": f"lost: {error}"}, 410

    @api.route("/lost")
    class Lost(Resource):
        def get(self):
            raise LookupError("key")

    app.register_blueprint(blueprint)
    return app


def refuse(view):
    return lambda *args, **kwargs: ("no", 401)


def test_guard_of_a_blueprint_stands_around_the_resources():
    guarded = partial(Blueprint, decorators=[refuse])
    client = make_app(Classes(OurFlask, guarded)).test_client()

    answers = [client.get(path) for path in ("/api/articles/7", "/api/swagger.json")]
    assert [(a.status_code, a.text) for a in answers] == [(401, "no")] * 2


def test_blueprint_of_ours_with_an_api_runs_on_an_application_of_flask():
    client = make_app(Classes(Flask, Blueprint)).test_client()

    assert client.get("/api/articles/?page=2").json == {"page": 2, "tag": None}


def test_resource_is_guarded_that_is_added_after_the_registration():
    app = OurFlask("shop")
    blueprint = Blueprint("api", "shop", decorators=[refuse])
    api = Api(blueprint)
    app.register_blueprint(blueprint)

    @api.route("/late")
    class Late(Resource):
        def get(self):
            return {"late": True}

    assert app.test_client().get("/late").status_code == 401


def test_status_and_headers_of_a_resource_stay(pair):
    response = pair.open("/api/articles/", method="PUT")

    assert response.status_code == 202
    assert response.headers["X-Made-By"] == "RESTX"


PARSED = {"page": 2, "tag": ["a", "b"]}
LAMP = {"id": 1, "name": "lamp", "url": "/api/articles/1"}

#: A request, what is sent, the status and the answer, if it is not that of Flask alone.
ANSWERED = [
    ("GET /api/articles/?page=2&tag=a&tag=b", None, 200, PARSED),
    ("POST /api/articles/", {"name": "lamp"}, 200, LAMP),
    *((f"{method} /api/articles/7", None, 200, ...) for method in ("GET", "HEAD")),
    ("OPTIONS /api/articles/7", None, 200, ...),
    ("DELETE /api/articles/7", None, 204, ...),
    ("PATCH /api/articles/7", None, 405, ...),
    ("GET /api/articles/404", None, 404, ...),
    ("GET /api/lost", None, 410, ...),
    ("GET /api/swagger.json", None, 200, ...),
    ("GET /api/", None, 200, ...),
]


@pytest.mark.parametrize(("request_", "sent", "status", "answer"), ANSWERED)
def test_answer_is_that_of_flask(pair, request_, sent, status, answer):
    method, path = request_.split()
    response = pair.open(path, method=method, json=sent)

    assert response.status_code == status
    assert answer is ... or response.json == answer
