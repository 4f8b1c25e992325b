"""Every location has all that it needs: a new one can't forget a part."""

from __future__ import annotations

import json

import pytest
from document import describe

import flask_signature
from flask_signature import Flask, RequestValidationError
from flask_signature._inbound.readers import LOCATIONS
from flask_signature.params import SPECIAL_FUNCTIONS, Location

FUNCTIONS = {function.__name__: function for function in SPECIAL_FUNCTIONS}

#: The body and the URL are read by plans and by Flask.
WITHOUT_READER = {Location.BODY, Location.PATH}


@pytest.mark.parametrize("location", Location)
def test_a_location_has_a_row_with_a_reader(location):
    reader = LOCATIONS[location].compile_reader
    assert (reader is None) == (location in WITHOUT_READER)


@pytest.mark.parametrize("location", Location)
def test_code_can_refuse_what_is_in_a_location(location):
    error = RequestValidationError.of((location.value, "x"), "is taken")
    assert error.errors[0]["loc"] == [location.value, "x"]


@pytest.mark.parametrize("location", Location)
def test_a_location_has_a_special_function_which_is_public(location):
    name = location.value.capitalize()
    assert FUNCTIONS[name]().location is location
    assert getattr(flask_signature, name) is FUNCTIONS[name]


@pytest.mark.parametrize("location", Location)
def test_an_argument_of_a_location_is_in_a_valid_document(location, app):
    special_function = FUNCTIONS[location.value.capitalize()]
    plain = Flask("plain")

    def view(value=special_function(bytes if location is Location.FILE else str)):
        return ""

    rule = "/<value>" if location is Location.PATH else "/"
    app.post(rule)(view)
    plain.post("/")(lambda: "")

    described = json.dumps(describe(app)["paths"])
    assert described != json.dumps(describe(plain)["paths"])
    assert "value" in described.lower() or location is Location.BODY
