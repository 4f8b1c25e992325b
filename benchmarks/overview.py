"""One picture of the results, for the README: a small JSON body in, a model out.

``python -m benchmarks.overview`` draws ``results/results.json`` into
``docs/pictures/benchmark.svg``. A complete run of ``python -m benchmarks`` does so too.
"""

from __future__ import annotations

import ast
import json
import typing as t
from html import escape
from pathlib import Path

from .contender import OURS

HERE: t.Final = Path(__file__).parent
RESULTS: t.Final = HERE / "results" / "results.json"
PICTURE: t.Final = HERE.parent / "docs" / "pictures" / "benchmark.svg"

NAMESPACE: t.Final = "http://www.w3.org/2000/svg"
SCENARIO: t.Final = "json"

#: Rows of the tables that are variants of others.
LEFT_OUT: t.Final = ("bare_on_ours", "ours_plain_cycle")

#: In the units of the picture: a phone shows 358 of them.
WIDTH: t.Final = 358
BARS: t.Final = 148
ROW: t.Final = 28

STYLE: t.Final = """
    .benchmark-picture {
      --ink: var(--color-foreground-primary, #222);
      --bar: var(--color-foreground-muted, #8a8f98);
      --brand: var(--color-brand-content, #0a4bff);
      display: block;
      max-width: 36rem;
      font: 15px system-ui, sans-serif;
    }
    @media (prefers-color-scheme: dark) {
      .benchmark-picture {
        --ink: var(--color-foreground-primary, #ddd);
        --bar: var(--color-foreground-muted, #777);
        --brand: var(--color-brand-content, #8ab0ff);
      }
    }
    .benchmark-picture text { fill: var(--ink); }
    .benchmark-picture .name { text-anchor: end; }
    .benchmark-picture rect { fill: var(--bar); }
    .benchmark-picture .ours { font-weight: 600; }
    .benchmark-picture .ours rect { fill: var(--brand); }
"""


def draw(results: t.Mapping[str, t.Any]) -> str:
    """The picture, as SVG: a bar for each contender, the fastest first.

    :param results: those of ``results.json``.
    """
    ratios = {
        name: answer["median"]
        for name, answer in results["answers"][SCENARIO].items()
        if name not in LEFT_OUT and isinstance(answer, dict)
    }
    scale = (WIDTH - BARS - 48) / max(ratios.values())
    ordered = sorted(ratios, key=lambda name: ratios[name])
    rows = [
        _draw_row(name, ratios[name], scale, place * ROW)
        for place, name in enumerate(ordered)
    ]
    size = f'viewBox="0 0 {WIDTH} {ROW * len(rows)}"'
    start = f'<svg xmlns="{NAMESPACE}" class="benchmark-picture" {size}>'
    style = f"  <style>{STYLE}  </style>"
    return "\n".join([start, style, *rows, "</svg>\n"])


def write(picture: Path = PICTURE) -> None:
    """Draw the results that were written last."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    picture.write_text(draw(results), encoding="utf-8")


def _draw_row(name: str, ratio: float, scale: float, top: int) -> str:
    kind = ' class="ours"' if name == OURS else ""
    bar = f'<rect x="{BARS}" y="5" width="{ratio * scale:.1f}" height="18" rx="2"/>'
    label = f'<text class="name" x="{BARS - 8}" y="19">{escape(title_of(name))}</text>'
    end = f"{BARS + ratio * scale + 6:.1f}"
    value = f'<text x="{end}" y="19">{ratio:.2f}</text>'
    place = f'transform="translate(0 {top})"'
    return f"  <g{kind} {place}>{label}{bar}{value}</g>"


def title_of(name: str) -> str:
    """The name of a contender in tables, whether it is installed or not."""
    source = (HERE / "contenders" / f"{name}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TITLE":
            return str(ast.literal_eval(node.value)).strip("*")
    raise LookupError(f"the contender {name!r} has no TITLE")


if __name__ == "__main__":
    write()
