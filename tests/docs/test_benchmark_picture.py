"""The picture of the benchmarks shows the results that are in the repository."""

from __future__ import annotations

import json

from benchmarks import overview


def test_the_picture_is_drawn_from_the_results() -> None:
    results = json.loads(overview.RESULTS.read_text(encoding="utf-8"))

    assert overview.PICTURE.read_text(encoding="utf-8") == overview.draw(results)
