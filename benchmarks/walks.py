"""``python -m benchmarks.walks``: how far one has to read to follow the package.

For the registration of a blueprint with one view, for a request and for the first
description: the calls of the package's functions, the modules that they are in, and how
often a function calls one of another module. Comprehensions are counted where Python
calls them, before 3.12.
"""

from __future__ import annotations

import sys
import typing as t
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pydantic import BaseModel

import flask_signature
from flask_signature import Blueprint, Flask
from flask_signature.security import HTTPBearer

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PACKAGE = Path(flask_signature.__file__).parent


@dataclass
class Walk:
    """What is passed through on the way of one call.

    :param calls: of functions of the package.
    :param moves: the calls of a function that is in another module.
    """

    calls: int = 0
    modules: set[str] = field(default_factory=set)
    moves: int = 0

    def add(self, module: str, caller: str | None) -> None:
        """Count a call of a function in a module, from one in another."""
        self.calls += 1
        self.modules.add(module)
        self.moves += caller is not None and caller != module


def module_of(frame: FrameType) -> str | None:
    """The module of a call of one of the package's functions, ``None`` of another."""
    path = Path(frame.f_code.co_filename)
    return path.relative_to(PACKAGE).as_posix() if PACKAGE in path.parents else None


def trace(call: Callable[[], object]) -> Walk:
    """The walk of a call."""
    walk = Walk()

    def profile(frame: FrameType, event: str, argument: object) -> None:
        module = module_of(frame) if event == "call" else None
        if module is None:
            return
        caller = frame.f_back
        while caller is not None and module_of(caller) is None:
            caller = caller.f_back
        walk.add(module, caller and module_of(caller))

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return walk


def make_blueprints() -> dict[str, Blueprint]:
    """A blueprint with a ``GET``, one with a ``POST``, and one with a guard.

    The models are new ones each time, so that nothing about them is known.
    """

    class Item(BaseModel):
        name: str

    class ItemIn(BaseModel):
        name: str

    bearer = HTTPBearer("token", verify=lambda token: token)
    found = {name: Blueprint(name, __name__) for name in ("get", "post", "guarded")}

    @found["get"].get("/get")
    def read_items() -> Item:
        return Item(name="a")

    @found["post"].post("/post")
    def add_item(item: ItemIn) -> Item:
        return Item(name=item.name)

    @found["guarded"].get("/guarded", security=bearer)
    def read_page(page: int = 1) -> Item:
        return Item(name=str(page))

    # The names of a function's own are not resolved after it has returned.
    for view in (read_items, add_item, read_page):
        view.__annotations__["return"] = Item
    add_item.__annotations__["item"] = ItemIn
    return found


def measure() -> dict[str, Walk]:
    """The walks of two registrations, of a request, and of the first description."""
    # What is imported or read by the first application alone is not counted.
    _measure_once()
    return _measure_once()


def _measure_once() -> dict[str, Walk]:
    app = Flask("walks", static_folder=None)
    blueprints = make_blueprints()
    register = {
        name: trace(partial(app.register_blueprint, blueprint))
        for name, blueprint in blueprints.items()
    }
    app.init_app()
    client = app.test_client()
    headers = {"Authorization": "Bearer abc"}

    def request() -> None:
        client.get("/guarded?page=2", headers=headers)

    # The first request of an application is Flask's own, and compiles what is shared.
    request()
    return {
        "register a GET": register["get"],
        "register a POST with a body": register["post"],
        "request with a guard, a query argument and a model": trace(request),
        "first description of three operations": trace(
            lambda: client.get("/openapi.json")
        ),
    }


def main() -> None:
    """Print the counts as a table."""
    print("| | calls | modules | moves between modules |")
    print("|---|--:|--:|--:|")
    for name, walk in measure().items():
        print(f"| {name} | {walk.calls} | {len(walk.modules)} | {walk.moves} |")


if __name__ == "__main__":
    main()
