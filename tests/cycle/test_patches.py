"""A wrapper around a method of Flask is called as often as it is by plain Flask.

Monitoring tools wrap methods, before or after the first request, and take the wrappers
away again. Whatever of Flask's and Werkzeug's is public is wrapped here, in the
versions that are installed, by what only counts.
"""

from __future__ import annotations

import typing as t

import flask
import pytest
from patches import (
    ATTRIBUTES,
    CLASSES,
    DIFFERENT,
    Fast,
    Place,
    Wrapper,
    base_place,
    class_place,
    count_calls,
    defining_class,
    function_around,
    instance_place,
    methods_called,
    methods_of,
    subclass_place,
    used_place,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable

#: The same where the wrapper is in a class of ours.
DIFFERENT_IN_OURS: t.Final = {
    ("Map", "bind"): "Map.bind_to_environ() calls it on Werkzeug's class"
}

METHODS: t.Final = [
    (named, name) for named, cls in CLASSES.items() for name in methods_of(cls)
]

#: Those that the requests call on plain Flask.
CALLED: t.Final = [item for item in METHODS if item in methods_called()]
NOT_CALLED: t.Final = [item for item in METHODS if item not in methods_called()]

#: The classes that an application may use another one of, and those whose instance
#: it keeps.
REPLACEABLE: t.Final = {"Flask", *ATTRIBUTES}
INSTANCES: t.Final = {"Flask", *(k for k, (_, held) in ATTRIBUTES.items() if held)}


def parametrize(methods: list[tuple[str, str]]) -> pytest.MarkDecorator:
    ids = [".".join(item) for item in methods]
    return pytest.mark.parametrize(("named", "name"), methods, ids=ids)


def check(place: Callable[..., Place], named: str, name: str, wrap: t.Any) -> None:
    """Compare the calls on plain Flask with those on ours."""
    different = {**DIFFERENT, **(DIFFERENT_IN_OURS if place is used_place else {})}
    plain = count_calls(place(flask.Flask, named, name), name, wrap)
    ours = count_calls(place(Fast, named, name), name, wrap)
    assert plain.removed == ours.removed == 0
    assert ours.sent == plain.sent
    if (named, name) in different:
        assert ours != plain, "not different any more"
    else:
        assert ours[:3] == plain[:3]


@parametrize(NOT_CALLED)
def test_method_that_plain_flask_does_not_call(named, name):
    calls = count_calls(class_place(Fast, named, name), name, function_around)

    assert (calls.before + calls.after > 0) is ((named, name) in DIFFERENT)


@parametrize(CALLED)
def test_method_of_a_class(named, name):
    check(class_place, named, name, function_around)


@parametrize(CALLED)
def test_method_behind_an_object_that_passes_for_it(named, name):
    check(class_place, named, name, Wrapper)


@parametrize(
    [
        (named, name)
        for named, name in CALLED
        if defining_class(CLASSES[named], name) is not CLASSES[named]
    ]
)
def test_method_of_the_class_that_defines_it(named, name):
    check(base_place, named, name, function_around)


@parametrize([item for item in CALLED if item[0] in REPLACEABLE | {"MapAdapter"}])
def test_method_of_the_class_that_is_used(named, name):
    check(used_place, named, name, function_around)


@parametrize([item for item in CALLED if item[0] in REPLACEABLE])
def test_method_of_a_subclass(named, name):
    check(subclass_place, named, name, function_around)


@parametrize([item for item in CALLED if item[0] in INSTANCES])
def test_method_of_an_instance(named, name):
    check(instance_place, named, name, function_around)
