"""A pytest plugin: the name that Flask 3 removed and Flask-RESTful's tests import."""

from __future__ import annotations

import flask.signals

vars(flask.signals)["signals_available"] = True
