"""The versions of Flask and Werkzeug that the cycle is known to equal."""

from __future__ import annotations

import re
import typing as t
from importlib import metadata

from flask import ctx

#: The series of Flask that the suites run on, and the first one that is not tested.
FLASK: t.Final = ((3, 0), (3, 3))

#: The same of Werkzeug.
WERKZEUG: t.Final = ((3, 0), (3, 2))

#: Two numbers, and what may follow them. An epoch is none. Source: PEP 440.
VERSION: t.Final = re.compile(
    r"v?(\d+)(?:\.(\d+))?(?:[-_.+a-z][-_.+a-z\d]*)?", re.IGNORECASE
)


def series_of(version: str) -> tuple[int, int]:
    """The first two numbers of a version: ``"3.1.3"`` is of ``(3, 1)``.

    One that is written in another way is of ``(0, 0)``, which nobody has tested.
    """
    found = VERSION.fullmatch(version)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def installed_version(name: str) -> str:
    """The version of a distribution, ``""`` where a program has no metadata of it.

    Those that are frozen into one file may leave it out.
    """
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def are_known(flask: str, werkzeug: str) -> bool:
    """Whether both versions are of a series that was tested."""
    return all(
        first <= series_of(version) < end
        for version, (first, end) in ((flask, FLASK), (werkzeug, WERKZEUG))
    )


#: The series of the Flask that is installed.
INSTALLED: t.Final = series_of(installed_version("flask"))

#: Whether the pieces may act at all. They read what is not documented.
IS_KNOWN: t.Final = are_known(installed_version("flask"), installed_version("werkzeug"))

#: Flask 3.2 passes the context to the methods that a request goes through, and has one
#: where there were two. So it is seen of a Flask whose version tells nothing.
PASSES_CONTEXT: t.Final = "RequestContext" not in vars(ctx)
