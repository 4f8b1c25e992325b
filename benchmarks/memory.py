"""What stays on the heap after many requests, which should be nothing."""

from __future__ import annotations

import gc
import tracemalloc
import typing as t
from dataclasses import dataclass

from .contender import Contender, Unable

if t.TYPE_CHECKING:
    from .scenario import Scenario

REQUESTS = 5_000
_TURN = 25


@dataclass(frozen=True, slots=True)
class Growth:
    """How much more there is after the requests than before them."""

    bytes: int
    objects: int


def grow(
    contender: Contender, scenarios: t.Iterable[Scenario], *, requests: int
) -> Growth:
    """The growth over mixed requests: all scenarios that the contender can do.

    :raises Unable: if it is not installed.
    """
    able = [scenario for scenario in scenarios if _is_able(contender, scenario)]
    tracemalloc.start()
    try:
        # Caches fill up first: compiled expressions, interned strings, free lists.
        _ask(contender, able, requests // 10)
        before = _heap()
        _ask(contender, able, requests)
        after = _heap()
    finally:
        tracemalloc.stop()
    return Growth(after[0] - before[0], after[1] - before[1])


def _is_able(contender: Contender, scenario: Scenario) -> bool:
    return not scenario.sections and scenario.name not in contender.module.UNABLE


def _ask(contender: Contender, scenarios: list[Scenario], requests: int) -> None:
    asked = 0
    while asked < requests:
        for scenario in scenarios:
            contender.time(scenario, _TURN)
            asked += _TURN


def _heap() -> tuple[int, int]:
    gc.collect()
    return tracemalloc.get_traced_memory()[0], len(gc.get_objects())


def grow_all(
    contenders: t.Iterable[Contender], scenarios: list[Scenario], *, requests: int
) -> dict[str, Growth]:
    """The growth of each contender that is installed."""
    growths: dict[str, Growth] = {}
    for contender in contenders:
        try:
            growths[contender.name] = grow(contender, scenarios, requests=requests)
        except Unable:
            continue
    return growths
