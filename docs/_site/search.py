"""The search of the site finds numbers: 422, 415.

Sphinx leaves words that are digits out of its index, and out of what is searched for.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

from sphinx.search.en import SearchEnglish

if t.TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The test for digits in Sphinx's script, and what is around it.
SKIPPED: t.Final = r"stopwords.has(queryTermLower) || queryTerm.match(/^\d+$/)"

SKIPPED_NOW: t.Final = "stopwords.has(queryTermLower)"


class SearchWithNumbers(SearchEnglish):
    """English, with words that are digits."""

    def word_filter(self, word: str) -> bool:
        """Whether a word can be found."""
        return word not in self.stopwords


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx index numbers, and look for them."""
    app.add_search_language(SearchWithNumbers)
    app.connect("build-finished", look_for_numbers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def look_for_numbers(app: Sphinx, exception: Exception | None) -> None:
    """Leave the test for digits out of the script of the search.

    :raises ValueError: if a version of Sphinx has another script.
    """
    script = Path(app.outdir, "_static", "searchtools.js")
    if exception is not None or not script.exists():
        return
    text = script.read_text(encoding="utf-8")
    if SKIPPED in text:
        script.write_text(text.replace(SKIPPED, SKIPPED_NOW), encoding="utf-8")
    elif SKIPPED_NOW not in text:
        raise ValueError("searchtools.js of this version of Sphinx is another one.")
