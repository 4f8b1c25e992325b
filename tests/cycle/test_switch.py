"""``fast_dispatch = False`` gives Flask's own cycle of a request, whole."""

from __future__ import annotations

import functools
import inspect
import typing as t

import flask
import pytest
from called import called_of_cycle, make_typed_app, missing_of_flask, run_typed
from messages import message_of
from patches import Fast, make_app, run

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable


class Own(flask_signature.Flask):
    """A class that says no."""

    fast_dispatch = False


class OwnBelow(Fast):
    """A class that says no, below one that says yes."""

    fast_dispatch = False


def set_later(value: bool) -> Callable[..., flask_signature.Flask]:
    """Makes an application whose class says something else."""

    def make(*args: t.Any, **options: t.Any) -> flask_signature.Flask:
        app = (Own if value else Fast)(*args, **options)
        app.fast_dispatch = value
        return app

    return make


def given(cls: type[flask_signature.Flask], value: bool | None) -> t.Any:
    return lambda *args, **options: cls(*args, fast_dispatch=value, **options)


off = pytest.mark.parametrize(
    "make",
    [
        Own,
        OwnBelow,
        given(flask_signature.Flask, False),
        given(Fast, False),
        given(Own, None),
        set_later(False),
    ],
    ids=["class", "subclass", "option", "option-of-fast", "none", "later"],
)
on = pytest.mark.parametrize(
    "make",
    [
        Fast,
        given(flask_signature.Flask, True),
        given(Own, True),
        given(Fast, None),
        set_later(True),
    ],
    ids=["class", "option", "option-of-own", "none", "later"],
)


def signer_of(app: t.Any) -> object:
    return app.session_interface.get_signing_serializer(app)


@off
def test_requests_go_through_all_of_flask(make):
    app = make_typed_app(make)

    assert missing_of_flask(app) == []
    assert called_of_cycle(app) == set()
    assert signer_of(app) is not signer_of(app)


@on
def test_requests_go_through_the_cycle(make):
    app = make_typed_app(make)

    assert "Flask.wsgi_app" in missing_of_flask(app)
    assert ("cycle.py", "_respond_to") in called_of_cycle(app)
    assert signer_of(app) is signer_of(app)


@off
def test_plain_views_respond_as_flask_does(make):
    app = make_app(make)

    assert run(app) == run(make_app(flask.Flask))


@off
def test_all_views_respond_as_with_the_cycle(make):
    assert run_typed(make_typed_app(make)) == run_typed(make_typed_app(Fast))


def test_switch_may_be_set_between_requests():
    app, sent = make_typed_app(Own), run_typed(make_typed_app(Fast))
    assert run_typed(app) == sent

    for value in (True, False, True):
        app.fast_dispatch = value
        assert run_typed(app) == sent
        assert (called_of_cycle(app) != set()) is value
        assert (missing_of_flask(app) == []) is not value


def test_one_application_says_nothing_of_another():
    first, second = (Fast(__name__, fast_dispatch=value) for value in (False, True))

    assert [first.fast_dispatch, second.fast_dispatch] == [False, True]
    assert Fast.fast_dispatch is Fast(__name__).fast_dispatch is True


@pytest.mark.parametrize("value", ["no", "", 0, 1, [], object])
def test_switch_that_is_neither_true_nor_false_is_refused(value):
    make = functools.partial(flask_signature.Flask, "switched", fast_dispatch=value)

    assert message_of(make) == (
        f"fast_dispatch={value!r} is neither True nor False. Write False for Flask's"
        " own cycle of a request, or leave it out for what the class says."
    )


def test_switch_is_explained_where_it_is_read():
    text = inspect.getdoc(flask_signature.Flask) or ""

    assert ":param fast_dispatch: " in text
    assert ":ivar fast_dispatch: " in text
