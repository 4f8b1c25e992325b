"""A pytest plugin: applications have ``status_code=200``, unless they say another.

Load it with ``-p plain_statuses``.
"""

from __future__ import annotations

import typing as t

import flask_signature

construct = flask_signature.Flask.__init__


def __init__(self: t.Any, *args: t.Any, **options: t.Any) -> None:
    """Make an application with the default status of Flask."""
    construct(self, *args, **{"status_code": 200, **options})


flask_signature.Flask.__init__ = __init__  # type: ignore[method-assign]
