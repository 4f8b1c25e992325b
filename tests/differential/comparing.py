"""Compares what was recorded, and says where two variants differ first."""

from __future__ import annotations

import pprint
import typing as t
from collections import Counter

import flask

import flask_signature

from .building import Variant
from .description import Application
from .drawing import draw_application
from .recording import Recorder
from .running import records_of

#: How often a thing was come by: ``{("step", "flash"): 3}``.
Hits: t.TypeAlias = "Counter[tuple[str, str]]"

PLAIN = Variant("flask", flask.Flask, flask.Blueprint)


def ours(name: str, **attributes: t.Any) -> Variant:
    """Our classes, with attributes of the application's class."""
    base = flask_signature.Flask
    app = type("Flask", (base,), attributes) if attributes else base
    return Variant(name, app, flask_signature.Blueprint)


#: What the others are compared with where views are typed, which Flask does not have.
OWN_CYCLE = ours("own cycle", fast_dispatch=False)

#: What is compared with plain Flask, and of how many draws: of each, of every fifth.
#: This is the place to choose.
VARIANTS = {ours("fast", fast_dispatch=True): 1, OWN_CYCLE: 5}


def first_difference(expected: t.Any, found: t.Any, where: str = "") -> str | None:
    """The first place where two records differ, with what is there."""
    if expected == found:
        return None
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *found]:
            pair = expected.get(key), found.get(key)
            if inner := first_difference(*pair, f"{where}[{key!r}]"):
                return inner
    if isinstance(expected, list) and isinstance(found, list):
        for number, pair in enumerate(zip(expected, found, strict=False)):
            if inner := first_difference(*pair, f"{where}[{number}]"):
                before = expected[max(number - 3, 0) : number]
                return inner + (f"\n  before: {before}" if where.endswith("]") else "")
        number = min(len(expected), len(found))
        expected, found = (item[number : number + 3] for item in (expected, found))
        where = f"{where}[{number}:]"
    return f"{where}\n  expected: {expected!r}\n  found: {found!r}"


def described(plan: t.Any) -> t.Any:
    """A description without what is at its default, to be read."""
    if not isinstance(plan, tuple):
        return plan
    if not hasattr(plan, "_asdict"):
        return [described(item) for item in plan]
    values = {
        name: described(value)
        for name, value in plan._asdict().items()
        if value or name in ("before", "path")
    }
    return {type(plan).__name__: values}


def drawn_hits(plan: Application) -> Hits:
    """What can be told from the description alone."""
    drawn: dict[str, t.Iterable[str]] = {
        "class": plan.classes,
        "typed": plan.typed,
        "config": plan.config,
        "look": plan.looks,
        "option": plan.options,
        "place": [item.name for item in plan.overrides if item.where == "place"],
    }
    return Counter((kind, name) for kind, names in drawn.items() for name in names)


def check(seed: int, variants: t.Iterable[Variant] | None = None) -> Hits:
    """Draw an application, and fail where a variant of it is not as that of Flask.

    Where it has typed views, it is compared with ours in Flask's own cycle.
    ``check(123)`` does again what a failure of seed 123 was about.
    Returns how often the draw came by each thing that can be drawn.

    :param variants: those that are compared, ``VARIANTS`` if there are none.
    :raises AssertionError: with the seed, the description and the first difference.
    """
    plan = draw_application(seed)
    recorder = Recorder(plan.looks)
    baseline = OWN_CYCLE if plan.typed else PLAIN
    expected = records_of(plan, baseline, recorder=recorder)
    assert "made" not in expected[0], f"Seed {seed}: {expected[0]['made']}"
    usual = [item for item in VARIANTS if seed % VARIANTS[item] == 0]
    for variant in variants or usual:
        found = first_difference(expected, records_of(plan, variant), "requests")
        if found is not None:
            shown = pprint.pformat(described(plan), sort_dicts=False, width=88)
            message = f"Seed {seed}: {variant.name!r} differs at {found}\n{shown}"
            raise AssertionError(message)
    return recorder.hits + drawn_hits(plan)
