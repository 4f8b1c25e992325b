"""``python -m benchmarks.prices``: what a guard, dependencies and a token add.

The same view is asked with and without them in turns. A difference is taken between two
slices of the same round; the figure is the median over the rounds. The difference of
the two fastest slices stands beside it.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import typing as t

from . import race, report, timing
from .contender import CONSTANT, Contender, find_contenders
from .scenario import NEEDS, SCENARIOS, Scenario

PLAIN, *ADDED = NEEDS


def measure(
    contender: Contender, *, rounds: int, slice_seconds: float
) -> dict[str, list[float]]:
    """The seconds of a request in each round, by the scenarios that it can do."""
    tasks = {}
    for scenario in chosen_scenarios():
        check = functools.partial(Contender.check, scenario=scenario)
        able, _ = race.select([contender], check)
        if able:
            run = functools.partial(contender.time, scenario)
            tasks[scenario.name] = timing.calibrate(run, slice_seconds)
    race.settle()
    return timing.rotate(tasks, rounds)


def chosen_scenarios() -> list[Scenario]:
    """The view without anything, and with something."""
    return [each for each in SCENARIOS if each.name in NEEDS]


def row_of(title: str, times: t.Mapping[str, list[float]]) -> list[str]:
    """The microseconds of a contender: of the view, and what is added to it."""
    plain = times[PLAIN]
    cells = [_cell(plain, "")]
    for name in ADDED:
        if name not in times:
            cells.append(report.NONE)
            continue
        pairs = zip(times[name], plain, strict=True)
        added = [with_it - without for with_it, without in pairs]
        cells.append(_cell(added, "+", min(times[name]) - min(plain)))
    return [title, *cells]


def _cell(seconds: list[float], sign: str, fastest: float | None = None) -> str:
    median = statistics.median(seconds) * 1e6
    least = (min(seconds) if fastest is None else fastest) * 1e6
    return f"{median:{sign}.1f} ({least:{sign}.1f})"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser("python -m benchmarks.prices", description=__doc__)
    parser.add_argument("--rounds", type=int, default=101, help="slices of each (101)")
    parser.add_argument("--contender", action="append", help="only this one")
    arguments = parser.parse_args()
    rows = []
    for contender in find_contenders():
        if contender.name in CONSTANT:
            continue
        if arguments.contender and contender.name not in arguments.contender:
            continue
        times = measure(contender, rounds=arguments.rounds, slice_seconds=0.005)
        if PLAIN in times:
            rows.append(row_of(contender.title, times))
    titles = [scenario.title for scenario in chosen_scenarios()]
    print(report.table(["µs", *titles], rows))


if __name__ == "__main__":
    main()
