"""Strawberry: its views for Flask answer on our application what they do on Flask's."""

from __future__ import annotations

import pytest
import strawberry
from flask import Flask
from pair import Classes
from strawberry.flask.views import AsyncGraphQLView, GraphQLView


@strawberry.type
class Article:
    id: int
    name: str


@strawberry.type
class Query:
    @strawberry.field
    def article(self, id: int) -> Article:
        return Article(id=id, name="lamp")

    @strawberry.field
    async def later(self) -> str:
        return "later"


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rename(self, id: int, name: str) -> Article:
        return Article(id=id, name=name)


def make_app(classes: Classes) -> Flask:
    """A program with the view on the application and on a blueprint."""
    app = classes.app("shop")
    blueprint = classes.blueprint("graph", "shop", url_prefix="/graph")
    schema = strawberry.Schema(query=Query, mutation=Mutation)
    query = GraphQLView.as_view("query", schema=schema)
    later = AsyncGraphQLView.as_view("later", schema=schema)
    options = {"graphql_ide": None, "allow_queries_via_get": True}
    get = GraphQLView.as_view("get", schema=schema, **options)
    app.add_url_rule("/graphql", view_func=query)
    blueprint.add_url_rule("/async", view_func=later)
    blueprint.add_url_rule("/get", view_func=get)
    app.register_blueprint(blueprint)
    return app


ASKED = "query ($id: Int!) { article(id: $id) { id name } }"
RENAMING = 'mutation { rename(id: 1, name: "desk") { name } }'


@pytest.mark.parametrize(
    ("path", "sent", "data"),
    [
        (
            "/graphql",
            {"query": ASKED, "variables": {"id": 7}},
            {"article": {"id": 7, "name": "lamp"}},
        ),
        ("/graphql", {"query": RENAMING}, {"rename": {"name": "desk"}}),
        ("/graphql", {"query": "{ nothing }"}, None),
        ("/graph/async", {"query": "{ later }"}, {"later": "later"}),
    ],
    ids=["query", "mutation", "error", "asynchronous-view"],
)
def test_query_is_answered(pair, path, sent, data):
    response = pair.open(path, method="POST", json=sent)

    assert response.status_code == 200
    assert response.json["data"] == data
    assert ("errors" in response.json) == (data is None)


def test_page_is_html_for_a_browser(pair):
    response = pair.open("/graphql", headers={"Accept": "text/html"})

    assert (response.status_code, response.mimetype) == (200, "text/html")
    assert "GraphiQL" in response.text


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/graph/get?query={article(id:1){name}}", {}),
        ("/graph/get", {"headers": {"Accept": "text/html"}}),
        ("/graphql", {"method": "POST", "data": "{", "content_type": "text/json"}),
        ("/graphql", {"method": "POST", "json": {"no": "query"}}),
        ("/graphql", {"method": "PUT", "headers": {"Accept": "text/html"}}),
        ("/graphql", {"method": "OPTIONS"}),
    ],
)
def test_answer_is_that_of_flask(pair, path, options):
    pair.open(path, **options)
