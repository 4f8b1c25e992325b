"""flask_signature with Flask's own cycle of a request."""

from functools import partial

import flask_signature

from ..gateway import WSGI
from . import ours

TITLE = "without fast_dispatch"
DISTRIBUTIONS = ours.DISTRIBUTIONS
IMPORT = None
GATEWAY = WSGI
UNABLE: dict[str, str] = {}
DOCUMENT = None
build_catalogue = None


Flask = partial(flask_signature.Flask, fast_dispatch=False)


def build():
    return ours.build(Flask)


def build_sections(count):
    return ours.build_sections(count, Flask)
