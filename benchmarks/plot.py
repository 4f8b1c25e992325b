"""The ratios of a run as a picture: one panel per scenario, one dot per contender."""

from __future__ import annotations

import math
import typing as t

from .contender import OURS
from .timing import Ratio

if t.TYPE_CHECKING:
    from pathlib import Path

    from .report import Run

COLUMNS = 3
ACCENT, PLAIN = "#c2410c", "#475569"
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


def draw(run: Run, file: Path) -> None:
    """Write the picture; the bar through a dot spans the quartiles.

    :raises ImportError: if matplotlib is not installed.
    """
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "benchmarks", "font.size": 9}
    )
    import matplotlib.pyplot as plt

    scenarios = [each for each in run.scenarios if each.name in run.answers]
    rows = math.ceil(len(scenarios) / COLUMNS)
    figure, grid = plt.subplots(
        rows, COLUMNS, figsize=(12, 2.9 * rows), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(scenarios) :]:
        axes.set_axis_off()
    for axes, scenario in zip(grid.flat, scenarios, strict=False):
        _draw_panel(axes, run, scenario.name)
        axes.set_title(scenario.title, loc="left", fontweight="bold", fontsize=10)
    figure.suptitle("Time of a request as a ratio to bare Flask (less is better)")
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def _draw_panel(axes: t.Any, run: Run, scenario: str) -> None:
    row = run.answers[scenario]
    ratios = {name: row.get(name) for name in reversed(run.titles)}
    shown = {name: it for name, it in ratios.items() if isinstance(it, Ratio)}
    colours = [ACCENT if name == OURS else PLAIN for name in shown]
    places = range(len(shown))
    low, high = zip(*((ratio.low, ratio.high) for ratio in shown.values()), strict=True)
    axes.hlines(places, low, high, colors=colours, linewidth=2)
    axes.scatter([it.median for it in shown.values()], places, c=colours, s=22)
    for place, ratio, colour in zip(places, shown.values(), colours, strict=True):
        axes.annotate(
            f"{ratio.median:.3g}",
            (ratio.high, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=8,
        )
    _dress_axes(axes, [run.titles[name].strip("*") for name in shown])


def _dress_axes(axes: t.Any, labels: list[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(-0.7, len(labels) - 0.3)
    axes.set_xscale("log")
    axes.axvline(1, color="#cbd5e1", linewidth=1, zorder=0)
    axes.margins(x=0.15)
    left, right = axes.get_xlim()
    ticks = [tick for tick in TICKS if left <= tick <= right]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
