"""A rule that one thread puts into the map of URLs while another one serves."""

from __future__ import annotations

import gc
import sys
import threading
import typing as t

import pytest
from flask import url_for
from werkzeug.routing import IntegerConverter, Rule

from flask_signature import Flask

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: More seconds than a step of another thread takes.
LONG: t.Final = 20


class Endpoint(str):
    """A name of a view that tells when it is looked up by the thread that adds it."""

    look_up: Callable[[], None] | None = None

    def __hash__(self) -> int:
        look_up, self.look_up = self.look_up, None
        if look_up is not None:
            look_up()
        return super().__hash__()

    __eq__ = str.__eq__


def view(**arguments: t.Any) -> str:
    return "found"


@pytest.mark.parametrize("path", ["/new", "/new/3"])
def test_first_request_for_a_rule_that_is_being_added(path):
    app = Flask(__name__)
    app.add_url_rule("/", view_func=view)
    app.view_functions["new"] = view
    client = app.test_client()
    assert client.get("/").text == "found"
    found: list[tuple[int, str]] = []

    def send() -> None:
        response = client.get(path)
        found.append((response.status_code, response.text))

    def send_meanwhile() -> None:
        # The matcher knows the rule by now, and the map does not.
        sender = threading.Thread(target=send)
        sender.start()
        sender.join(LONG)

    endpoint = Endpoint("new")
    rule = Rule("/new" if path == "/new" else "/new/<int:number>", endpoint=endpoint)
    endpoint.look_up = send_meanwhile
    app.url_map.add(rule)
    send()

    assert found == [(200, "found")] * 2


class SlowRule(Rule):
    """A rule that tells when it is sorted among those of its endpoint."""

    sort: Callable[[], None] | None = None

    def build_compare_key(self) -> t.Any:
        sort, self.sort = self.sort, None
        if sort is not None:
            sort()
        return super().build_compare_key()


def test_request_for_a_rule_that_is_being_sorted():
    reached, sorting, served = (threading.Event() for _ in range(3))

    class SlowConverter(IntegerConverter):
        def to_python(self, value: str) -> t.Any:
            if threading.current_thread() is sender:
                reached.set()
                assert sorting.wait(LONG)
            return super().to_python(value)

    def wait_for_response() -> None:
        # Python empties a list for as long as it is sorted.
        sorting.set()
        assert served.wait(LONG)

    def send() -> None:
        found.append(client.get("/items/3").status_code)
        served.set()

    app = Flask(__name__)
    app.url_map.converters["slow"] = SlowConverter
    rule = SlowRule("/items/<slow:number>", endpoint="item")
    app.view_functions["item"] = view
    app.url_map.add(rule)
    client = app.test_client()
    found: list[int] = []
    sender = threading.Thread(target=send)
    assert client.get("/items/1").status_code == 200

    sender.start()
    assert reached.wait(LONG)
    rule.sort = wait_for_response
    app.url_map.add(Rule("/more", endpoint="item"))
    app.url_map.update()
    sender.join(LONG)

    assert found == [200]


def test_urls_are_built_for_the_first_time_by_many_threads():
    app = Flask(__name__)
    for number in range(200):
        app.add_url_rule(f"/{number}/<int:n>/<m>", f"{number}", view)
    barrier, found = threading.Barrier(4), list[bool]()

    def build() -> None:
        barrier.wait()
        with app.test_request_context():
            for number in range(200):
                Garbage()
                found.append(url_for(f"{number}", n=1, m=2) == f"/{number}/1/2")

    run_at_once(build)

    assert found == [True] * 800


def test_applications_are_made_by_many_threads():
    barrier, found = threading.Barrier(4), list[int]()

    def make() -> None:
        barrier.wait()
        app = Flask(__name__)
        for number in range(100):
            Garbage()
            rule = f"/{number}/<any(a, b):x{number}>"
            app.add_url_rule(rule, f"{number}", view, status_code=201)
        found.append(len([*app.url_map.iter_rules()]))

    run_at_once(make)

    assert found == [101] * 4


class Garbage:
    """What the collector finalizes, which is where another thread may take over."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        pass


def run_at_once(function: Callable[[], None]) -> None:
    """Run a function in four threads, which take turns as often as they can."""
    threads = [threading.Thread(target=function) for _ in range(4)]
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
