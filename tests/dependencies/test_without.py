"""D20: what has no dependencies pays nothing for those of others."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from called import watched

import flask_signature
from flask_signature import Depends, Flask, Query

PACKAGE = Path(flask_signature.__file__).parent


def lines_of(call: Callable[[], object]) -> Counter[str]:
    """How many lines a call runs, by the files of the package."""
    found: Counter[str] = Counter()

    def trace(frame, event, arg):
        path = Path(frame.f_code.co_filename)
        if PACKAGE not in path.parents:
            return None
        if event == "line":
            found[str(path.relative_to(PACKAGE))] += 1
        return trace

    watched(call, trace, lines=True)
    return found


def build(*, has_others: bool) -> Flask:
    app = Flask("shop")

    @app.post("/<int:n>")
    def add(n: int, item: dict[str, int], page: int = Query(1)) -> dict[str, int]:
        return {"n": n, "page": page, **item}

    def get_db():
        yield "db"

    if has_others:

        @app.get("/<int:n>", dependencies=[get_db])
        def show(n: int, db=Depends(get_db)) -> str:
            return db

        app.dependency_overrides[get_db] = lambda: "fake"
    return app


def test_d20_a_view_without_dependencies_runs_the_same_lines():
    counts = []
    for has_others in (False, True):
        client = build(has_others=has_others).test_client()

        def call(client=client):
            return client.post("/7?page=2", json={"a": 1})

        # The first request does what is done once.
        assert call().json == {"n": 7, "page": 2, "a": 1}
        counts.append(lines_of(call))

    assert counts[0] == counts[1]
    assert counts[0]["_inbound/plan.py"] > 0
    assert not [path for path in counts[1] if path.startswith("_dependencies")]


def test_a_view_without_dependencies_is_what_it_was_before_an_override():
    app = build(has_others=True)
    before = dict(app.view_functions)

    app.dependency_overrides.clear()

    assert app.view_functions == before
