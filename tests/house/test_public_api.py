"""The names that users may rely on, and that each of them is explained."""

from __future__ import annotations

import inspect
import typing as t
from importlib.metadata import version
from importlib.resources import files

import flask
import pytest
from programs import printed_by

import flask_signature
import flask_signature.errors
import flask_signature.security
from flask_signature._errors.formats import ERROR_FORMATS
from flask_signature._routing.declaration import OPTIONS
from flask_signature._settings import Settings
from flask_signature.typing import OperationOptions

PUBLIC_NAMES = {
    *("Flask", "Blueprint", "Depends", "Injected", "Scopes", "operation"),
    *("Body", "Cookie", "File", "Form", "Header", "Path", "Query", "UploadFile"),
    *("Event", "SetCookie", "stream_with_context"),
    *("RequestValidationError", "ResponseValidationError"),
    *("SignatureError", "SignatureWarning"),
}


def is_ours(value: object) -> bool:
    """Whether a function or a class was written in this package."""
    module = getattr(value, "__module__", None) or ""
    return module.partition(".")[0] == "flask_signature"


def documented_objects() -> dict[str, object]:
    """Every public object of ours, and the public methods of the classes among them."""
    found: dict[str, object] = {"flask_signature": flask_signature}
    for name in flask_signature.__all__:
        found[name] = value = getattr(flask_signature, name)
        if inspect.isclass(value) and is_ours(value):
            found |= functions_of(value)
    return found


def functions_of(cls: type) -> dict[str, object]:
    """The public methods and properties that a class itself defines, by dotted name."""
    functions = {
        name: getattr(value, "fget", None) or getattr(value, "__func__", value)
        for name, value in vars(cls).items()
        if not name.startswith("_")
    }
    return {
        f"{cls.__name__}.{name}": function
        for name, function in functions.items()
        if inspect.isfunction(function)
    }


def test_the_public_names_are_these_sorted_and_listed_once():
    assert list(flask_signature.__all__) == sorted(PUBLIC_NAMES)


def test_the_version_is_that_of_the_distribution():
    assert flask_signature.__version__ == version("flask-signature")


def test_a_name_that_does_not_exist_is_no_attribute():
    with pytest.raises(AttributeError, match="'flask_signature' has no attribute 'x'"):
        flask_signature.x  # noqa: B018
    assert not hasattr(flask_signature, "__versions__")


def test_the_public_names_of_errors_are_these():
    assert flask_signature.errors.__all__ == [
        *("ErrorFormat", "ErrorResponse", "HTTPErrorDetail", "HTTPErrorMessage"),
        *("HTTPProblem", "ValidationFailures", "ValidationProblem", "error_response"),
    ]


def test_nothing_else_is_visible_but_modules():
    visible = {
        name
        for name, value in vars(flask_signature).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert visible - {"annotations"} == PUBLIC_NAMES


def test_classes_extend_those_of_flask_under_the_same_names():
    assert issubclass(flask_signature.Flask, flask.Flask)
    assert issubclass(flask_signature.Blueprint, flask.Blueprint)


@pytest.mark.parametrize("name", sorted(documented_objects()))
def test_a_public_name_has_a_docstring_of_its_own(name):
    documented = documented_objects()[name]
    assert (documented.__doc__ or "").strip()


def public_definitions() -> dict[str, object]:
    """The public functions and classes of ours, those of public modules among them."""
    modules = (flask_signature.security, flask_signature.errors, flask_signature)
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if name[:1].isupper() or name in (*PUBLIC_NAMES, "error_response")
        if is_ours(value) and (inspect.isclass(value) or inspect.isfunction(value))
    }


@pytest.mark.parametrize("name", sorted(public_definitions()))
def test_a_public_name_says_since_when_it_is_there(name):
    documented = public_definitions()[name]
    assert ".. versionadded:: " in (documented.__doc__ or "")


def test_the_package_is_marked_as_typed():
    assert files("flask_signature").joinpath("py.typed").is_file()


def test_import_loads_no_more_of_pydantic_than_pydantic_does():
    source = """
import sys
import flask, pydantic
before = set(sys.modules)
import flask_signature
loaded = {name for name in set(sys.modules) - before if name.startswith("pydantic.")}
assert loaded == set(), loaded
assert "flask_signature._operations.compile" not in sys.modules
"""
    printed_by("-c", source)


def test_an_option_of_a_route_has_a_type_for_type_checkers():
    assert set(OPTIONS) == set(OperationOptions.__annotations__)


def test_an_error_format_is_a_setting():
    names, _ = t.get_args(t.get_type_hints(Settings)["error_format"])
    assert set(ERROR_FORMATS) == set(t.get_args(names))
