"""A pytest plugin: an extension and its tests see our ``Flask`` and ``Blueprint``.

Load it with ``-p swap_flask``, before any other plugin that imports Flask's classes.
"""

from __future__ import annotations

import flask
import flask.app
import flask.blueprints

import flask_signature

for module, name, replacement in (
    (flask, "Flask", flask_signature.Flask),
    (flask.app, "Flask", flask_signature.Flask),
    (flask, "Blueprint", flask_signature.Blueprint),
    (flask.blueprints, "Blueprint", flask_signature.Blueprint),
):
    setattr(module, name, replacement)


def pytest_report_header() -> str:
    """Say which classes the suite ran with."""
    return f"flask.Flask: {flask.Flask.__module__}.{flask.Flask.__qualname__}"
