"""What is compared with others is true, and what is measured is drawn."""

from __future__ import annotations

import json
import subprocess
import sys

from pages import ROOT

from benchmarks import overview


def test_each_cell_of_the_comparison_is_true() -> None:
    # What changes with every release of the others is checked by the command alone.
    asked = subprocess.run(
        [sys.executable, "-m", "benchmarks.comparison", "--lasting"],
        capture_output=True,
        check=False,
        cwd=ROOT,
        text=True,
    )

    assert (asked.stdout, asked.stderr) == ("What the page says is true.\n", "")
    assert asked.returncode == 0


def test_the_picture_is_drawn_from_the_results():
    results = json.loads(overview.RESULTS.read_text(encoding="utf-8"))

    assert overview.PICTURE.read_text(encoding="utf-8") == overview.draw(results)
