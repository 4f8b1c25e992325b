"""A pytest plugin: each method has the default status that it has in Flask.

Load it with ``-p plain_statuses``. What fails with our classes and passes with this is
a difference that the contract asks for: a POST that names no status answers 201.
"""

from __future__ import annotations

from flask_signature._outbound import compile as outbound

outbound.SUCCESS.clear()
