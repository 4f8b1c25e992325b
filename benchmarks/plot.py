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
    names = [name for name in reversed(run.titles) if isinstance(row.get(name), Ratio)]
    for place, name in enumerate(names):
        ratio = t.cast("Ratio", row[name])
        colour = ACCENT if name == OURS else PLAIN
        axes.plot([ratio.low, ratio.high], [place, place], color=colour, linewidth=2)
        axes.plot(ratio.median, place, "o", color=colour, markersize=5)
        axes.annotate(
            f"{ratio.median:.3g}",
            (ratio.high, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=8,
        )
    _dress_axes(axes, [run.titles[name].strip("*") for name in names])


def _dress_axes(axes: t.Any, labels: list[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(-0.7, len(labels) - 0.3)
    axes.axvline(1, color="#cbd5e1", linewidth=1, zorder=0)
    axes.margins(x=0.18)
    left, right = axes.get_xlim()
    axes.set_xlim(min(0.9, left) if left > 0 else 0, right)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
