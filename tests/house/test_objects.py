"""A route makes few objects for the garbage collector to look at."""

from __future__ import annotations

import gc
import sys
import typing as t

import flask
from programs import printed_by
from pydantic import BaseModel, Field, create_model

from flask_signature import Flask, Query

FEW, MANY = 100, 200

#: The annotation of an argument, which its author makes.
PAGE = t.Annotated[int, Query(ge=1)]


class Item(BaseModel):
    name: str
    price: float = Field(gt=0)


MODELS = [
    (
        create_model(f"In{n}", __base__=Item),
        create_model(f"Out{n}", __base__=Item, id=(int, ...)),
    )
    for n in range(MANY)
]


def register(app: flask.Flask, routes: int) -> flask.Flask:
    for number in range(routes):

        def view(n, page, item):
            raise AssertionError

        item, out = MODELS[number]
        view.__annotations__ = {"n": int, "page": PAGE, "item": item, "return": out}
        app.add_url_rule(f"/{number}/r<int:n>", f"r{number}", view, methods=["POST"])
    return app


def count_objects(cls: type[flask.Flask]) -> float:
    """The objects of a route that are left when the collector has run."""
    kept, counts = [register(cls(__name__), FEW)], list[int]()
    for routes in (FEW, MANY):
        gc.collect()
        before = len(gc.get_objects())
        kept.append(register(cls(__name__), routes))
        gc.collect()
        counts.append(len(gc.get_objects()) - before)
    return (counts[1] - counts[0]) / (MANY - FEW)


def test_a_route_has_at_most_a_hundred_objects_more_than_one_of_flask():
    # In a process of its own: what others have filled the caches with is no matter.
    ours, bare = map(float, printed_by(__file__).split())

    assert 0 < ours - bare <= 100


if __name__ == "__main__":
    counts = map(count_objects, (Flask, flask.Flask))
    sys.stdout.write("{} {}".format(*counts))
