"""The receivers of Flask's signals are called from the request after they connect.

They may come and go at any time, since nobody tells an application of them.
"""

from __future__ import annotations

import functools
import inspect
import typing as t
from unittest import mock

import flask
import pytest
from blinker import ANY, Signal
from patches import Fast, make_app, run

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: Every signal that Flask has.
SIGNALS: t.Final[dict[str, Signal]] = dict(
    inspect.getmembers(flask.signals, lambda value: isinstance(value, Signal))
)

CLASSES: t.Final = (flask.Flask, Fast)

each_signal = pytest.mark.parametrize("signal", SIGNALS.values(), ids=SIGNALS)


def receiver_of(seen: list[t.Any]) -> Callable[..., None]:
    """A receiver that keeps what it is sent."""

    def receive(sender: object, **kwargs: t.Any) -> None:
        seen.append({name: in_common(value) for name, value in kwargs.items()})

    return receive


def in_common(value: object) -> str:
    """What a value has in common with that of another application."""
    return str(getattr(value, "status", None) or repr(value).partition(" at 0x")[0])


def receive(signal: Signal, cls: type[flask.Flask], *, of_any: bool) -> t.Any:
    """What a receiver gets of three rounds of requests, connected for the second."""
    app, seen = make_app(cls), []
    receiver = receiver_of(seen)
    first = run(app)
    signal.connect(receiver, ANY if of_any else app)
    connected = run(app)
    signal.disconnect(receiver)
    received = [*seen]
    last = run(app)
    assert seen == received
    assert first == connected == last
    return received, first


@each_signal
@pytest.mark.parametrize("of_any", [True, False], ids=["of-any", "of-the-application"])
def test_receiver_that_comes_and_goes(signal, of_any):
    plain, ours = (receive(signal, cls, of_any=of_any) for cls in CLASSES)

    assert ours == plain


@each_signal
def test_receiver_that_raises(signal):
    def fail(sender: object, **kwargs: t.Any) -> None:
        raise LookupError("from the receiver")

    apps = [make_app(cls) for cls in CLASSES]
    with signal.connected_to(fail):
        plain, ours = map(run, apps)

        assert ours == plain
    assert run(apps[0]) == run(apps[1])


@each_signal
def test_wrapper_around_one_signal(signal):
    """While anybody listens: a signal without receivers need not be sent."""
    sent = []
    for cls in CLASSES:
        app, calls = make_app(cls), []
        run(app)
        with (
            mock.patch.object(signal, "send", wrapper(signal.send, calls)),
            signal.connected_to(receiver_of([]), app),
        ):
            run(app)
        sent.append(calls)
        assert run(app) == run(make_app(cls))

    assert sent[1] == sent[0]


def wrapper(method: Callable[..., t.Any], calls: list[t.Any]) -> Callable[..., t.Any]:
    """A function that keeps the names of the arguments of a method."""

    @functools.wraps(method)
    def send(*args: t.Any, **kwargs: t.Any) -> t.Any:
        calls.append((len(args), sorted(kwargs)))
        return method(*args, **kwargs)

    return send
