"""Views, more rules of them, and wrappers, registered in any order: no guard is lost.

Guards only take note that they ran. Whatever was declared for a view, stands around one
of its functions, or on a blueprint around a rule, must have run for each request.
"""

from __future__ import annotations

import functools
import random
import typing as t
from collections.abc import Callable
from dataclasses import dataclass, field

import flask
import pytest
from guards import noting
from pydantic import BaseModel

from flask_signature import Blueprint, Flask, SignatureError

View: t.TypeAlias = Callable[..., t.Any]

METHODS = (["GET"], ["POST"], ["GET", "POST"], ["GET", "HEAD", "POST", "OPTIONS"])


class Item(BaseModel):
    number: int


@dataclass
class Expected:
    """What must run for a method of a function, and whether a model filters it."""

    method: str
    guards: frozenset[str]
    has_model: bool


@dataclass
class World:
    """An application that is put together at random."""

    app: flask.Flask
    choice: random.Random
    ran: list[str] = field(default_factory=list)
    count: int = 0
    views: list[tuple[View, bool]] = field(default_factory=list)
    held: dict[str, list[Expected]] = field(default_factory=dict)
    rules: list[tuple[str, Expected]] = field(default_factory=list)

    def name(self) -> str:
        self.count += 1
        return f"n{self.count}"

    def guards(self, probability: float = 0.4) -> dict[str, Callable[[View], View]]:
        made = {}
        while self.choice.random() < probability:
            name = self.name()
            kind = self.choice.choice([wrapper, closure, WrapperObject])
            made[name] = functools.partial(kind, self.ran, name)
        return made

    def view(self) -> tuple[View, bool]:
        """A view, new or not, and whether it has a response model."""
        if self.views and self.choice.random() < 0.4:
            return self.choice.choice(self.views)
        made = self.choice.choice(make_views())
        self.views.append(made)
        return made

    def register(self) -> None:
        """Register something once more, if it is not refused."""
        methods = self.choice.choice(METHODS)
        around: set[str] = set()
        known_endpoint = ""
        if self.held and isinstance(self.app, Flask) and self.choice.random() < 0.3:
            known_endpoint = self.choice.choice(list(self.held))
            function, earlier = None, self.held[known_endpoint]
        elif self.held and self.choice.random() < 0.65:
            endpoint = self.choice.choice(list(self.held))
            function, earlier = self.app.view_functions[endpoint], self.held[endpoint]
            for name, guard in self.guards(0.35).items():
                # Of an opaque function nothing is known but that it can be called.
                if guard.func is not closure:
                    function = guard(function)
                    around.add(name)
        else:
            function, has_model = self.view()
            earlier = [Expected(method, frozenset(), has_model) for method in methods]
        try:
            endpoint, url, more = self.add(function, methods, known_endpoint)
        except (SignatureError, AssertionError):
            return
        for method in {*methods} - {"HEAD", "OPTIONS"}:
            known = [item for item in earlier if item.method == method]
            if not known:
                # Others may be declared for the function that is inside of a wrapper.
                continue
            expected = Expected(
                method,
                known[0].guards.intersection(*(item.guards for item in known))
                | around
                | more,
                all(item.has_model for item in known),
            )
            self.held.setdefault(endpoint, []).append(expected)
            self.rules.append((url, expected))

    def add(
        self, function: View | None, methods: list[str], known: str
    ) -> tuple[str, str, set[str]]:
        """Add a rule, to the application or to blueprints: endpoint, URL, guards.

        :param known: the endpoint of a rule without a function.
        """
        name, own = self.name(), self.guards()
        options = {"methods": methods, "decorators": [*own.values()]}
        if function is None:
            self.app.add_url_rule(f"/{name}", known, **options)
            return known, f"/{name}", {*own}
        if isinstance(self.app, Flask) and self.choice.random() < 0.4:
            self.app.add_url_rule(f"/{name}", name, function, **options)
            return name, f"/{name}", {*own}
        on_blueprint, on_parent = self.guards(), self.guards()
        registered = self.guards(0.3)
        bp = Blueprint(f"b{name}", __name__, decorators=[*on_blueprint.values()])
        bp.add_url_rule(f"/{name}", name, function, **options)
        parent = Blueprint(f"p{name}", __name__, decorators=[*on_parent.values()])
        inside: flask.Blueprint = parent
        endpoint = f"p{name}.b{name}.{name}"
        if self.choice.random() < 0.5:
            inside = flask.Blueprint("plain", __name__)
            endpoint = f"p{name}.plain.b{name}.{name}"
        inside.register_blueprint(bp, decorators=[*registered.values()])
        if inside is not parent:
            parent.register_blueprint(inside)
        self.app.register_blueprint(parent)
        return endpoint, f"/{name}", {*own, *on_blueprint, *on_parent, *registered}


def wrapper(ran: list[str], name: str, view: View) -> View:
    return noting(ran, name)(view)


def closure(ran: list[str], name: str, view: View) -> View:
    def guarded(**kwargs):
        ran.append(name)
        return view(**kwargs)

    return guarded


class WrapperObject:
    def __init__(self, ran: list[str], name: str, view: View) -> None:
        functools.update_wrapper(self, view)
        self.inside = closure(ran, name, view)

    def __call__(self, **kwargs: t.Any) -> t.Any:
        return self.inside(**kwargs)


def make_views() -> list[tuple[View, bool]]:
    """New views, and whether each has a response model."""

    def typed(number: int = 1):
        return {"number": number, "password": "hunter2"}

    def filtered(number: int = 1) -> Item:
        return {"number": number, "password": "hunter2"}

    def idle():
        return {"number": 1, "password": "hunter2"}

    return [(idle, False), (typed, False), (filtered, True)]


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("make", [Flask, flask.Flask])
def test_no_guard_and_no_model_is_lost(make, seed):
    choice = random.Random(seed)
    world, size = World(make(__name__), choice), choice.randint(2, 9)
    for _ in range(size):
        world.register()

    client = world.app.test_client()
    for url, expected in world.rules:
        world.ran.clear()
        body = {"json": {}} if expected.method == "POST" else {}
        response = client.open(url, method=expected.method, **body)
        assert response.status_code in (200, 201), response.text
        assert expected.guards <= {*world.ran}, url
        assert not (expected.has_model and "password" in response.text), url
