"""The tables that compare the package with others say what the others do."""

from __future__ import annotations

import subprocess
import sys

from pages import ROOT


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
