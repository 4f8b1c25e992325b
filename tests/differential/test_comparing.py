"""The draws come by what they describe, and a difference is found."""

from __future__ import annotations

import typing as t

import flask
import pytest

from .building import Variant
from .comparing import PLAIN, check, described
from .drawing import draw_application
from .patches import as_override
from .running import records_of


def test_a_draw_is_the_same_each_time():
    plan, again = draw_application(7), draw_application(7)

    assert plan == again
    assert records_of(plan, PLAIN) == records_of(again, PLAIN)


class WithoutHeader(flask.Flask):
    @as_override
    def process_response(self, *arguments: t.Any) -> t.Any:
        response = super().process_response(*arguments)
        response.headers.pop("X-A", None)
        return response


class AnotherOrder(flask.Flask):
    """Calls the hooks after a request in their order, not in the reverse one."""

    @as_override
    def process_response(self, *arguments: t.Any) -> t.Any:
        functions = self.after_request_funcs.get(None, [])
        functions.reverse()
        try:
            return super().process_response(*arguments)
        finally:
            functions.reverse()


class Silent(flask.Flask):
    @as_override
    def log_exception(self, *arguments: t.Any) -> None:
        pass


class HoldsContext(flask.Flask):
    """Has an application context from the start of each request."""

    def wsgi_app(self, environ: t.Any, start_response: t.Any) -> t.Any:
        with self.app_context():
            return super().wsgi_app(environ, start_response)


def check_untyped(variant: Variant) -> None:
    for seed in range(150):
        if not draw_application(seed).typed:
            check(seed, [variant])


@pytest.mark.parametrize("fault", [WithoutHeader, AnotherOrder, Silent, HoldsContext])
def test_a_fault_is_found(fault):
    variant = Variant("faulty", fault, flask.Blueprint)
    start = r"^Seed \d+: 'faulty' differs at requests\["

    with pytest.raises(AssertionError, match=start) as caught:
        check_untyped(variant)

    message = str(caught.value)
    assert "\n  expected: " in message
    assert "\n  found: " in message
    assert "{'Application': " in message


def test_a_description_is_shown_without_defaults():
    assert "is_for_app" not in str(described(draw_application(7).handlers))
