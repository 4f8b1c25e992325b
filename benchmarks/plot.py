"""The ratios of a run as a picture: one panel per scenario, one dot per contender."""

from __future__ import annotations

import math
import typing as t

from .contender import OURS
from .timing import Ratio

if t.TYPE_CHECKING:
    from pathlib import Path

    from .load import Rate
    from .report import Run

COLUMNS = 3
OF_OURS = (OURS, "ours_plain_cycle", "bare_on_ours")
ACCENT, PLAIN = "#c2410c", "#475569"
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


def draw(run: Run, file: Path) -> None:
    """Write the picture; the bar through a dot spans the quartiles.

    :raises ImportError: if matplotlib is not installed.
    """
    plt = _import_pyplot()
    scenarios = [each for each in run.scenarios if each.name in run.answers]
    rows = math.ceil(len(scenarios) / COLUMNS)
    height = 0.2 * len(run.titles) + 0.5
    figure, grid = plt.subplots(
        rows, COLUMNS, figsize=(12, height * rows), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(scenarios) :]:
        axes.set_axis_off()
    for axes, scenario in zip(grid.flat, scenarios, strict=False):
        _draw_panel(axes, run, scenario.name)
        axes.set_title(scenario.title, loc="left", fontweight="bold", fontsize=10)
    figure.suptitle("Time of a request as a ratio to bare Flask (less is better)")
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def draw_rates(
    labels: list[tuple[str, str]], columns: dict[str, list[Rate]], file: Path
) -> None:
    """Write the picture of requests per second; the line spans the quartiles.

    :param labels: of the rows, each with the name of its contender.
    :raises ImportError: if matplotlib is not installed.
    """
    plt = _import_pyplot()
    figure, panels = plt.subplots(
        1,
        len(columns),
        figsize=(12, 0.3 * len(labels) + 1),
        squeeze=False,
        sharey=True,
        layout="constrained",
    )
    places = range(len(labels))
    colours = [ACCENT if name in OF_OURS else PLAIN for _, name in labels]
    for axes, (title, rates) in zip(panels.flat, columns.items(), strict=True):
        axes.barh(places, [each.median for each in rates], color=colours, alpha=0.8)
        low, high = [each.low for each in rates], [each.high for each in rates]
        axes.hlines(places, low, high, colors="black", linewidth=1)
        axes.set_title(title, loc="left", fontweight="bold", fontsize=10)
        axes.set_yticks(places, [label for label, _ in labels])
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter("{x:,.0f}")
    panels.flat[0].set_ylim(len(labels) - 0.4, -0.6)
    figure.suptitle("Requests per second over sockets, one worker (more is better)")
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def _import_pyplot() -> t.Any:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "benchmarks", "font.size": 9}
    )
    import matplotlib.pyplot as plt

    return plt


def _draw_panel(axes: t.Any, run: Run, scenario: str) -> None:
    row = run.answers[scenario]
    ratios = {name: row.get(name) for name in reversed(run.titles)}
    shown = {name: it for name, it in ratios.items() if isinstance(it, Ratio)}
    colours = [ACCENT if name in OF_OURS else PLAIN for name in shown]
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
