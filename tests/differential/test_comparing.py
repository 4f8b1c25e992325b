"""The draws come by what they describe, and a difference is found."""

from __future__ import annotations

import typing as t

import flask
import pytest

from .building import Variant
from .comparing import PLAIN, check, described, difference, ours
from .drawing import draw_application
from .patches import as_override
from .running import records_of

#: Draws that a fault is to be found in.
FAULTY = 150


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


class WithoutSignal(flask.Flask):
    """Sends no signal in the end of a request."""

    @as_override
    def finalize_request(self, *arguments: t.Any, **options: t.Any) -> t.Any:
        signal = flask.request_finished
        receivers = dict(signal.receivers)
        signal.receivers.clear()
        try:
            return super().finalize_request(*arguments, **options)
        finally:
            signal.receivers.update(receivers)


class Silent(flask.Flask):
    @as_override
    def log_exception(self, *arguments: t.Any) -> None:
        pass


class HoldsContext(flask.Flask):
    """Has an application context from the start of each request."""

    def wsgi_app(self, environ: t.Any, start_response: t.Any) -> t.Any:
        with self.app_context():
            return super().wsgi_app(environ, start_response)


FAULTS = (WithoutHeader, AnotherOrder, WithoutSignal, Silent, HoldsContext)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault):
    variant = Variant(fault.__name__, fault, flask.Blueprint)
    plans = [draw_application(seed) for seed in range(FAULTY)]

    assert any(difference(plan, variant) for plan in plans if not plan.typed)


def test_a_failure_names_seed_place_and_description():
    variant = Variant("faulty", HoldsContext, flask.Blueprint)
    plans = {seed: draw_application(seed) for seed in range(FAULTY)}
    untyped = [seed for seed, plan in plans.items() if not plan.typed]
    seed = next(seed for seed in untyped if difference(plans[seed], variant))

    with pytest.raises(AssertionError) as caught:
        check(seed, [variant])

    message = str(caught.value)
    assert message.startswith(f"Seed {seed}: 'faulty' differs at requests[")
    assert "\n  expected: " in message
    assert "\n  found: " in message
    assert "{'Application': " in message
    # A description is shown without defaults.
    assert "is_for_app" not in str(described(draw_application(7).handlers))


def test_the_switch_is_of_the_class():
    assert ours("fast", fast_dispatch=True).app.fast_dispatch is True
