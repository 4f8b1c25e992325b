"""The race: one scenario, run by every contender that can."""

from __future__ import annotations

import functools
import gc
import sys
import typing as t

from . import timing
from .contender import UNIT, Contender, Unable

if t.TYPE_CHECKING:
    from .scenario import Scenario

Row = dict[str, "timing.Ratio | str"]


def run(
    scenario: Scenario,
    contenders: t.Iterable[Contender],
    *,
    rounds: int,
    slice_seconds: float,
) -> Row:
    """The ratio of each contender, or in one word why it has none.

    ``{"bare": Ratio(median=1.0, ...), "litestar": "flat"}``
    """
    able, row = select(contenders, lambda contender: contender.check(scenario))
    tasks = {
        contender.name: timing.calibrate(
            functools.partial(contender.time, scenario), slice_seconds
        )
        for contender in able
    }
    settle()
    row.update(timing.compare(timing.rotate(tasks, rounds), UNIT))
    return row


def select(
    contenders: t.Iterable[Contender], check: t.Callable[[Contender], object]
) -> tuple[list[Contender], Row]:
    """The contenders that pass, and why the others do not.

    A contender that breaks is left out and said to be broken, except the unit, without
    which nothing can be compared.
    """
    able: list[Contender] = []
    reasons: Row = {}
    for contender in contenders:
        try:
            check(contender)
            able.append(contender)
        except Unable as unable:
            reasons[contender.name] = str(unable)
        except Exception as error:
            if contender.name == UNIT:
                raise
            print(f"{contender.name}: {error!r}", file=sys.stderr)
            reasons[contender.name] = "broken"
    return able, reasons


def settle() -> None:
    """Take what lives by now out of the garbage collector's sight.

    Otherwise each contender would pay, at every collection, for the objects of all.
    """
    gc.collect()
    gc.freeze()
