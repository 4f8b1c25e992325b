"""Methods wrapped by wrapt, as New Relic, ddtrace and OpenTelemetry wrap them.

Each is called as often on our class as on plain Flask, and sees the same arguments. The
objects of wrapt have the name, the code, the hash and more of what they wrap.
"""

from __future__ import annotations

import inspect
import typing as t

import flask
import pytest
import wrapt
from patches import (
    CLASSES,
    DIFFERENT,
    Fast,
    class_place,
    count_calls,
    instance_place,
    make_app,
    methods_called,
    replaced,
    run,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable

CALLED: t.Final = sorted(methods_called() - DIFFERENT.keys())


def function_wrapper(original: t.Any, count: Callable[[], None]) -> t.Any:
    def wrapper(wrapped: t.Any, instance: t.Any, args: t.Any, kwargs: t.Any) -> t.Any:
        count()
        return wrapped(*args, **kwargs)

    return wrapt.FunctionWrapper(original, wrapper)


def in_common(value: object) -> str:
    """The name of the class of an argument, of Flask's where it is ours."""
    return next(
        cls.__name__
        for cls in type(value).__mro__
        if cls.__module__.partition(".")[0] not in ("flask_signature", "patches")
    )


#: Each method of a class, and of an application.
PLACES: t.Final = [(class_place, *item) for item in CALLED]
PLACES += [(instance_place, *item) for item in CALLED if item[0] == "Flask"]


@pytest.mark.parametrize(("place", "named", "name"), PLACES)
def test_method_is_called_as_often(place, named, name):
    plain = count_calls(place(flask.Flask, named, name), name, function_wrapper)
    ours = count_calls(place(Fast, named, name), name, function_wrapper)

    assert ours == plain
    assert plain.before > 0 or place is instance_place


#: JSON is given to a response as bytes, and Flask gives a string.
DIFFERENT: t.Final = {("Response", "__init__"), ("Response", "set_data")}
SAME_ARGUMENTS: t.Final = [item for item in CALLED if item not in DIFFERENT]


@pytest.mark.parametrize(
    ("named", "name"), SAME_ARGUMENTS, ids=map(".".join, SAME_ARGUMENTS)
)
def test_arguments_of_a_method(named, name):
    seen: list[t.Any] = []

    def wrapper(wrapped: t.Any, instance: t.Any, args: t.Any, kwargs: t.Any) -> t.Any:
        given = [in_common(value) for value in (instance, *args)]
        seen.append((given, {k: in_common(v) for k, v in kwargs.items()}))
        return wrapped(*args, **kwargs)

    sent = []
    apps = [make_app(cls) for cls in (flask.Flask, Fast)]
    owner = CLASSES[named]
    original = inspect.getattr_static(owner, name)
    with replaced(owner, name, original):
        wrapt.wrap_function_wrapper(owner, name, wrapper)
        for app in apps:
            seen.clear()
            sent.append((run(app), [*seen]))

    assert sent[1] == sent[0]
