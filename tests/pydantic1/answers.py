"""What the Pydantic that is imported says of a value.

Run as a program, under Pydantic 1: reads ``[[annotation, value], ...]`` as JSON from
its input, and writes what ``describe_pydantic1`` gives.
"""

from __future__ import annotations

import json
import sys

import pydantic
from pydantic1 import declarations


def build_model(annotation):
    """A model whose field ``value`` has an annotation that is given as source text."""
    field = eval(annotation, vars(declarations).copy())
    return pydantic.create_model("Model", value=(field, ...))


def ask_pydantic1(annotation, value):
    """The entries of Pydantic 1, as they would stand in a JSON answer.

    An exception that it let out is an entry too: ``{"raises": "OverflowError"}``.
    """
    model = build_model(annotation)
    try:
        model(value=value)
    except pydantic.ValidationError as error:
        return json.loads(error.json())
    except Exception as error:
        return [{"raises": type(error).__name__}]
    return []


def ask_pydantic2(annotation, value, mode):
    """The entries of Pydantic 2, from a Python value or from its JSON text."""
    model = build_model(annotation)
    try:
        if mode == "json":
            model.model_validate_json(json.dumps({"value": value}))
        else:
            model.model_validate({"value": value})
    except pydantic.ValidationError as error:
        return error.errors(include_url=False)
    return []


def error_types():
    """Every type of Pydantic 1's table, in the order of their names."""
    from pydantic import errors
    from pydantic.error_wrappers import get_exc_type

    return sorted({get_exc_type(cls) for cls in leaves(errors.PydanticErrorMixin)})


def leaves(cls):
    """The classes below a class that nothing is derived from."""
    below = cls.__subclasses__()
    return [leaf for each in below for leaf in leaves(each)] if below else [cls]


def describe_pydantic1(questions):
    """The version, the error types, and the entries for each question."""
    return {
        "version": pydantic.VERSION,
        "types": error_types(),
        "entries": [ask_pydantic1(*question) for question in questions],
    }


if __name__ == "__main__":
    json.dump(describe_pydantic1(json.load(sys.stdin)), sys.stdout)
