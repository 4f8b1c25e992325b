"""The versions of Flask and Werkzeug that the cycle is known to equal."""

from __future__ import annotations

import typing as t
from importlib import metadata

#: The series of Flask that the suites run on, and the last one that is not.
FLASK: t.Final = ((3, 0), (3, 3))

#: The same of Werkzeug.
WERKZEUG: t.Final = ((3, 0), (3, 2))


def series_of(version: str) -> tuple[int, int]:
    """The first two numbers of a version: ``"3.1.3"`` is of ``(3, 1)``."""
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def are_known(flask: str, werkzeug: str) -> bool:
    """Whether both versions are of a series that was tested."""
    return all(
        first <= series_of(version) < end
        for version, (first, end) in ((flask, FLASK), (werkzeug, WERKZEUG))
    )


#: The series of the Flask that is installed.
INSTALLED: t.Final = series_of(metadata.version("flask"))

#: Whether the pieces may act at all. They read what is not documented.
IS_KNOWN: t.Final = are_known(metadata.version("flask"), metadata.version("werkzeug"))

#: Flask 3.2 passes the context to the methods that a request goes through.
PASSES_CONTEXT: t.Final = INSTALLED >= (3, 2)
