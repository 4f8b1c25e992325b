"""On a Flask that was not tested, each request is Flask's, and is answered as ever."""

from __future__ import annotations

import json
import typing as t

import pytest
from called import make_typed_app, run_typed
from programs import printed_by

import flask_signature
from flask_signature._http import originals
from flask_signature._http.originals import are_known

#: Versions of Flask that were tested.
TESTED: t.Final = (
    *("3.0", "3.0.0", "3.1.3", "3.1.99", "3.2.0.dev0", "3.2.0.dev1"),
    # What stands for the same series.
    *("3", "3a1", "3.dev1", "3.post1", "3+local", "3.1.0rc1", "3.1rc1", "3.1-1"),
    *("3.1_post1", "3.1RC1", "v3.1", "3.1+debian.1"),
)

#: Flasks that nobody has tested, and versions that nobody can read.
NOT_TESTED: t.Final = (
    *("2.3.3", "3.2", "3.2.0", "3.2.0rc1", "3.2.7", "3.3", "3.3.0.dev0", "3.3a1"),
    *("3.4.0", "3.10", "4.0a1", "4", "4.dev1", "30.1", "12.34.56", "1!3.1", "10!3.1"),
    *("unknown", "", "x", "3,1", "3.1 of us"),
)
OTHER_WERKZEUGS: t.Final = ("2.3.8", "3.2.0", "3.2.0.dev0", "4.0a1", "1!3.1", "")

#: Imports our package where the metadata of Flask or Werkzeug says another version,
#: and what is not documented has another name. Prints what the requests called.
PROGRAM: t.Final = """
import json, sys
from importlib import metadata

import flask, flask.testing, pydantic, werkzeug.routing.matcher

name, version, is_renamed = json.loads(sys.argv[1])
known = metadata.version

def reported(asked):
    if asked.lower() != name:
        return known(asked)
    if version is None:
        raise metadata.PackageNotFoundError(name)
    return version

metadata.version = reported
if is_renamed:
    del flask.globals._cv_app, werkzeug.routing.NoMatch
    vars(flask.globals).pop("_cv_request", None)
    sys.modules["werkzeug.routing.matcher"] = None

import called, flask_signature
from flask_signature._http import originals

app = called.make_typed_app(flask_signature.Flask, fast_dispatch=True)
adapter = app.create_url_adapter(flask.Request(called.environ("/")))
signers = [app.session_interface.get_signing_serializer(app) for _ in range(2)]
print(json.dumps({
    "is_known": originals.IS_KNOWN,
    "missing": called.missing_of_flask(app),
    "ours": sorted(called.called_of_cycle(app)),
    "classes": [type(app.url_map).__module__, type(adapter).__module__],
    "keeps_signer": signers[0] is signers[1],
    "sent": repr(called.run_typed(app)),
}))
"""


@pytest.mark.parametrize(
    ("version", "werkzeug", "is_known"),
    [
        *((version, "3.1.9", True) for version in TESTED),
        *((version, "3.1.9", False) for version in NOT_TESTED),
        *(("3.1.3", version, False) for version in OTHER_WERKZEUGS),
    ],
)
def test_version_that_was_tested_is_known(version, werkzeug, is_known):
    assert are_known(version, werkzeug) is is_known


def imported_with(name: str, version: str | None, *, is_renamed: bool) -> t.Any:
    """What the program prints."""
    given = json.dumps([name, version, is_renamed])
    return json.loads(printed_by("-c", PROGRAM, given))


@pytest.mark.parametrize(
    ("name", "version", "is_renamed"),
    [
        ("flask", "3.4.0", False),
        ("flask", "3.4.0", True),
        ("flask", "1!3.1", False),
        ("flask", None, False),
        ("werkzeug", "3.2.0", True),
        ("werkzeug", None, True),
    ],
)
def test_requests_are_flasks_where_a_version_is_not_known(name, version, is_renamed):
    seen = imported_with(name, version, is_renamed=is_renamed)

    app = make_typed_app(flask_signature.Flask, fast_dispatch=False)
    assert seen == {
        "is_known": False,
        "missing": [],
        "ours": [],
        "classes": ["werkzeug.routing.map"] * 2,
        "keeps_signer": False,
        "sent": repr(run_typed(app)),
    }


def test_requests_are_ours_where_the_version_is_known():
    seen = imported_with("flask", originals.metadata.version("flask"), is_renamed=False)

    app = make_typed_app(flask_signature.Flask, fast_dispatch=True)
    assert seen["is_known"] is True
    assert "Flask.wsgi_app" in seen["missing"]
    assert ["cycle.py", "_respond_to"] in seen["ours"]
    assert seen["keeps_signer"]
    assert seen["sent"] == repr(run_typed(app))
