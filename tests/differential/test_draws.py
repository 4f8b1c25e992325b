"""Applications that are drawn do what they do with Flask's classes."""

from __future__ import annotations

import os
import typing as t
from collections import Counter

import pytest
from draws import draws

from .building import MAKERS
from .comparing import Hits, check
from .cookies import COOKIES
from .customs import CLASSES
from .drawing import CONFIG
from .drawing_requests import WAYS, WITHIN
from .outcomes import AFTER, BARE_OUTCOMES, HANDLED, OUTCOMES
from .patches import METHODS, PLACES
from .paths import PATHS
from .recording import LOOKS
from .running import CHANGES, SIGNALS
from .steps import STEPS
from .typed import TYPED

# Flask's document has none of them, either.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*OpenAPI 3.1 can't describe the method"
)

#: How many applications are drawn: ``DRAWS=10000 pytest tests/differential``.
DRAWS = int(os.environ.get("DRAWS") or draws(1000))
CHUNK = 100

HANDLED_OFTEN = ("404", "405", "500", "HTTPException", "Exception")

#: What a thousand draws have to come by, by the kind of what is counted.
EXPECTED: dict[str, t.Iterable[str]] = {
    "function": (*MAKERS, "view", *(f"handler {key}" for key in HANDLED_OFTEN)),
    "step": STEPS,
    "outcome": {*BARE_OUTCOMES, *OUTCOMES},
    "after": AFTER,
    "handled": HANDLED,
    "signal": SIGNALS,
    "change": CHANGES,
    "method": METHODS,
    "class": CLASSES,
    "place": PLACES,
    "typed": TYPED,
    "config": CONFIG,
    "look": LOOKS,
    "cookie": COOKIES,
    "way": WAYS,
    "within": WITHIN,
    # The converter of one rule raises.
    "rule": {*PATHS, "/pages/"} - {"/failing/<failing:n>"},
    "asynchronous": ("True", "False"),
    "middleware": ("Recording", "Shifting"),
    "option": ("host_matching", "subdomain_matching"),
    "status": ("200", "202", "203", "204", "308", "400", "404", "405", "500"),
    "raised": ("Custom", "SystemExit", "KeyboardInterrupt", "Halted", "LookupError"),
}

#: What the draws of this run came by, and which they were.
HITS: Hits = Counter()
STARTED: list[int] = []


@pytest.mark.drawn
@pytest.mark.parametrize("start", range(0, DRAWS, CHUNK))
def test_drawn_applications_are_those_of_flask(start):
    STARTED.append(start)
    for seed in range(start, min(start + CHUNK, DRAWS)):
        HITS.update(check(seed))


@pytest.mark.once
@pytest.mark.parametrize("kind", EXPECTED)
def test_draws_come_by_each_thing_of_a_kind(kind):
    if len(STARTED) * CHUNK < 1000:
        pytest.skip("Fewer than a thousand applications were drawn.")
    missed = {name for name in EXPECTED[kind] if HITS[kind, name] < 3}
    assert missed == set()
