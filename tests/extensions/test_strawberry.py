"""Strawberry: its views for Flask answer on our application what they do on Flask's."""

from __future__ import annotations

import pytest
import strawberry
from flask import Flask
from pair import Classes
from strawberry.flask.views import AsyncGraphQLView, GraphQLView


@strawberry.type
class Article:
    """An article of the shop."""

    id: int
    name: str


@strawberry.type
class Query:
    """What can be asked."""

    @strawberry.field
    def article(self, id: int) -> Article:
        return Article(id=id, name="lamp")

    @strawberry.field
    async def later(self) -> str:
        return "later"


@strawberry.type
class Mutation:
    """What can be changed."""

    @strawberry.mutation
    def rename(self, id: int, name: str) -> Article:
        return Article(id=id, name=name)


def make_app(classes: Classes) -> Flask:
    """A program with the view on the application and on a blueprint."""
    schema = strawberry.Schema(query=Query, mutation=Mutation)
    app = classes.app("shop")
    blueprint = classes.blueprint("graph", "shop", url_prefix="/graph")
    app.add_url_rule("/graphql", view_func=GraphQLView.as_view("query", schema=schema))
    blueprint.add_url_rule(
        "/async", view_func=AsyncGraphQLView.as_view("later", schema=schema)
    )
    blueprint.add_url_rule(
        "/get",
        view_func=GraphQLView.as_view(
            "get", schema=schema, graphql_ide=None, allow_queries_via_get=True
        ),
    )
    app.register_blueprint(blueprint)
    return app


def test_typed_view_beside_it_is_parsed(pair):
    assert pair.ours.get("/typed?n=3").json == {"square": 9}


def test_query_is_answered(pair):
    query = "query ($id: Int!) { article(id: $id) { id name } }"

    response = pair.open(
        "/graphql", method="POST", json={"query": query, "variables": {"id": 7}}
    )
    assert response.status_code == 200
    assert response.json == {"data": {"article": {"id": 7, "name": "lamp"}}}


def test_mutation_is_answered(pair):
    query = 'mutation { rename(id: 1, name: "desk") { name } }'

    response = pair.open("/graphql", method="POST", json={"query": query})
    assert response.json == {"data": {"rename": {"name": "desk"}}}


def test_error_of_a_query_stays_an_answer_of_graphql(pair):
    response = pair.open("/graphql", method="POST", json={"query": "{ nothing }"})

    assert response.status_code == 200
    assert (response.json or {})["data"] is None


def test_page_is_html_for_a_browser(pair):
    response = pair.open("/graphql", headers={"Accept": "text/html"})

    assert response.status_code == 200
    assert response.mimetype == "text/html"
    assert "GraphiQL" in response.text


def test_asynchronous_view_of_a_blueprint_is_answered(pair):
    response = pair.open("/graph/async", method="POST", json={"query": "{ later }"})

    assert response.json == {"data": {"later": "later"}}


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
