"""The versions of Flask and Werkzeug that the cycle is known to equal."""

from __future__ import annotations

import re
import typing as t
from importlib import metadata

from flask import ctx

#: The series of Flask and Werkzeug that are tested.
FLASK: t.Final = frozenset({(3, 0), (3, 1)})
WERKZEUG: t.Final = frozenset({(3, 0), (3, 1)})

#: What was tested of the next Flask. Its release may differ.
NEXT_FLASK: t.Final = "3.2.0.dev"

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
    """Whether both versions were tested."""
    is_known = flask.startswith(NEXT_FLASK) or series_of(flask) in FLASK
    return is_known and series_of(werkzeug) in WERKZEUG


#: Whether the pieces may act at all. They read what is not documented.
IS_KNOWN: t.Final = are_known(installed_version("flask"), installed_version("werkzeug"))

#: Flask 3.2 passes the context to the methods that a request goes through, and has one
#: where there were two. So it is seen of a Flask whose version tells nothing.
PASSES_CONTEXT: t.Final = "RequestContext" not in vars(ctx)
