"""Bare Flask with its import line changed: no annotations, and Flask's blueprints."""

from flask_signature import Flask

from ..gateway import WSGI
from . import bare

TITLE = "bare, on our class"
DISTRIBUTIONS = bare.DISTRIBUTIONS
IMPORT = None
GATEWAY = WSGI
UNABLE: dict[str, str] = {}
DOCUMENT = None
build_catalogue = None


def build():
    return bare.build(Flask)


def build_sections(count):
    return bare.build_sections(count, Flask)
