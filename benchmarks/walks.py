"""``python -m benchmarks.walks``: how far one has to read to follow a registration.

For the registration of a view and for its description: the functions of the package
that are called, the rooms and the modules that they are in, and how often a function
calls one of another room or of another module. A room is a folder of the package, or a
module that lies beside the folders.
"""

from __future__ import annotations

import sys
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

import flask
from pydantic import BaseModel

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PACKAGE = Path(flask_signature.__file__).parent


class Item(BaseModel):
    """What the traced view reads and returns."""

    name: str


def define_read_query(default: int) -> Callable[[int], str]:
    """A view with one argument of the query, and nothing said of what it returns.

    :param default: of the argument: one that no other has is not compiled yet.
    """

    def read_query(page=default):
        return str(page)

    read_query.__annotations__ = {"page": int}
    return read_query


def read_json(item: Item) -> Item:
    """A view with a JSON body and a response model."""
    return item


@dataclass
class Walk:
    """What is passed through on the way of one call.

    :param calls: of functions of the package; comprehensions are no functions.
    :param room_moves: the calls of a function that is in another room.
    :param module_moves: the calls of a function that is in another module.
    """

    calls: int = 0
    rooms: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    room_moves: int = 0
    module_moves: int = 0

    def add(self, module: str, caller: str | None) -> None:
        """Count a call of a function in a module, from one in another."""
        room = room_of(module)
        self.calls += 1
        self.rooms.add(room)
        self.modules.add(module)
        if caller is not None:
            self.room_moves += room_of(caller) != room
            self.module_moves += caller != module


def room_of(module: str) -> str:
    """The room of a module: ``"_inbound"`` for ``"_inbound/compile.py"``."""
    return module.partition("/")[0]


def module_of(frame: FrameType) -> str | None:
    """The module of a call of one of the package's functions, ``None`` of another."""
    path = Path(frame.f_code.co_filename)
    # Python before 3.12 calls a comprehension like a function.
    if frame.f_code.co_name.startswith("<") or PACKAGE not in path.parents:
        return None
    return path.relative_to(PACKAGE).as_posix()


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


def measure() -> dict[str, Walk]:
    """The walks of two registrations, and of the document of both views."""
    # What is imported or read by the first view alone is not counted.
    _register_and_describe(define_read_query(1))
    return _register_and_describe(define_read_query(2))


def _register_and_describe(read_query: Callable[[int], str]) -> dict[str, Walk]:
    app = flask_signature.Flask("walks", static_folder=None)
    found = {
        "register a query argument": trace(lambda: app.get("/query")(read_query)),
        "register a JSON body": trace(lambda: app.post("/json")(read_json)),
    }
    app.init_app()
    openapi = app.view_functions["flask_signature.openapi"]

    def describe() -> flask.Response:
        with app.test_request_context("/openapi.json"):
            return t.cast("flask.Response", openapi())

    return {**found, "describe both": trace(describe)}


def main() -> None:
    """Print the counts as a table."""
    print("| | calls | rooms | modules | moves between rooms | between modules |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, walk in measure().items():
        counts = (
            walk.calls,
            len(walk.rooms),
            len(walk.modules),
            walk.room_moves,
            walk.module_moves,
        )
        print("|", " | ".join([name, *map(str, counts)]), "|")


if __name__ == "__main__":
    main()
