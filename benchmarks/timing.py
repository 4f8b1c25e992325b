"""Times that stay comparable on a machine that is not quiet.

Contenders take turns in short slices. A ratio is taken within a round, of two slices a
few milliseconds apart, so that what slows the machine for a while slows both. The
median over the rounds is the figure; the quartiles say how far to trust it; the ratio
of the minima is what remains when nothing disturbs either.
"""

from __future__ import annotations

import statistics
import typing as t
from dataclasses import dataclass

Task = t.Callable[[], float]
Item = t.TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Ratio:
    """How much longer than the unit, and how long.

    ``seconds`` is the median time of one execution.
    """

    median: float
    low: float
    high: float
    minimum: float
    seconds: float


def rotate(tasks: t.Mapping[str, Task], rounds: int) -> dict[str, list[float]]:
    """What each task returned in each round, ``{"bare": [0.00004, ...]}``.

    Each round begins with another task, so that none always follows the same one.
    """
    names = list(tasks)
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        for name in in_turns(names, number):
            times[name].append(tasks[name]())
    return times


def in_turns(items: list[Item], number: int) -> list[Item]:
    """The same items in the order of that round, which begins with another one."""
    first = number % len(items)
    return items[first:] + items[:first]


def compare(times: t.Mapping[str, list[float]], unit: str) -> dict[str, Ratio]:
    """The ratio of each to the unit."""
    return {name: _ratio(taken, times[unit]) for name, taken in times.items()}


def _ratio(taken: list[float], unit: list[float]) -> Ratio:
    ratios = [mine / one for mine, one in zip(taken, unit, strict=True)]
    low, median, high = quartiles(ratios)
    minimum = min(taken) / min(unit)
    return Ratio(median, low, high, minimum, statistics.median(taken))


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """The lower quartile, the median, the upper quartile."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, median, high


def calibrate(run: t.Callable[[int], int], seconds: float) -> Task:
    """A task that lasts about that long and returns the seconds of one execution.

    :param run: executes so many times and returns the nanoseconds that it took.
    """
    count = 1
    while (taken := run(count)) < seconds * 1e9 / 2:
        count = max(count + 1, int(count * min(10, seconds * 1e9 / max(taken, 1))))

    def task() -> float:
        return run(count) / count / 1e9

    return task
