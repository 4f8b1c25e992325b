"""Flask-Caching: a typed view runs once per key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask_caching import Cache
from pydantic import BaseModel

from flask_signature import Flask


class Square(BaseModel):
    n: int
    square: float


@pytest.fixture
def cache(app: Flask) -> Cache:
    return Cache(app, config={"CACHE_TYPE": "SimpleCache"})


def squaring(calls: list[int]) -> Callable[[int], Square]:
    """A view that keeps what it is called with."""

    def square(n: int) -> Square:
        calls.append(n)
        return Square(n=n, square=n * n)

    return square


def test_cached_view_runs_once_per_query(app, client, cache):
    calls: list[int] = []
    app.get("/square")(cache.cached(query_string=True)(squaring(calls)))

    bodies = [client.get(f"/square?n={n}").json for n in (3, 3, 4)]

    assert bodies == [{"n": 3, "square": 9.0}] * 2 + [{"n": 4, "square": 16.0}]
    assert calls == [3, 4]


def test_memoized_view_is_keyed_by_its_parsed_arguments(app, client, cache):
    calls: list[int] = []
    app.get("/square")(cache.memoize()(squaring(calls)))

    bodies = [client.get(f"/square?n={n}").json for n in ("3", "03", "%203")]

    assert bodies == [{"n": 3, "square": 9.0}] * 3
    assert calls == [3]


def test_cache_among_the_decorators_keeps_the_finished_answer(app, client, cache):
    calls: list[int] = []

    app.get("/square/<int:n>", decorators=[cache.cached()])(squaring(calls))

    bodies = [client.get("/square/5").json for _ in range(2)]

    assert bodies == [{"n": 5, "square": 25.0}] * 2
    assert calls == [5]


def test_refused_request_is_not_cached_below_the_route(app, client, cache):
    app.get("/square")(cache.cached()(squaring([])))

    assert client.get("/square?n=x").status_code == 422
    assert client.get("/square?n=2").json == {"n": 2, "square": 4.0}
