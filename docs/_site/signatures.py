"""Signatures of the reference, as one writes them in a call.

Overloads are for type checkers: the reference has the one signature behind them.
"""

from __future__ import annotations

import re
import typing as t

from sphinx.pycode import ModuleAnalyzer

if t.TYPE_CHECKING:
    from sphinx.application import Sphinx

#: What the source says, and what the reference shows in its place.
SHOWN: t.Final = (
    (r"t\.cast\(['\"]t\.Any['\"], UNSET\)", "..."),
    (r"\b(?:PydanticUndefined|UNSET|NO_DATA)\b", "..."),
    (r"<class '(?:\w+\.)*(\w+)'>", r"\1"),
    (r"<function (?:\w+\.)*(\w+)[^>]*>", r"\1"),
    (r"<factory>", "{}"),
    (r"(?:~?\w+\.)?Annotated\[.*STANDARD_ERROR\]", "ErrorResponse"),
    (r"(?:~?\w+\.)?Annotated\[([^,]*), _PydanticGeneralMetadata\([^)]*\)\]", r"\1"),
    (r"\b(?:t|te|ft)\.", ""),
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Have autodoc show signatures by way of :func:`clean`."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", clean)
    # Autodoc shows the overloads that this finds, and has no setting to leave them out.
    analyze = ModuleAnalyzer.analyze

    def analyze_without_overloads(self: ModuleAnalyzer) -> None:
        analyze(self)
        self.overloads = {}

    ModuleAnalyzer.analyze = analyze_without_overloads
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def clean(*event: t.Any) -> tuple[str | None, str | None]:
    """The signature and the return annotation, without the names of the sources."""
    signature, annotation = event[-2:]
    return _clean(signature), _clean(annotation)


def _clean(text: str | None) -> str | None:
    if text is not None:
        for pattern, shown in SHOWN:
            text = re.sub(pattern, shown, text)
    return text
