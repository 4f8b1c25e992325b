"""The programs in docstrings, from which the reference is made, run."""

from __future__ import annotations

import ast
import collections
import inspect
import re
import textwrap
import typing as t

import pytest
from pydantic import BaseModel
from sources import SOURCES
from typing_extensions import TypedDict
from werkzeug.exceptions import HTTPException

import flask_signature
from flask_signature import errors, security

#: A block of code, below a line that ends in two colons.
BLOCK: t.Final = re.compile(r"::\n\n((?:    .*\n|\n)+)")

#: What a server-sent event looks like on the way is no program.
SENT: t.Final = "id: 7"


class Record(BaseModel):
    """Any model: of a user, an order, an error."""

    code: int | None = None
    says: str = ""


def blocks() -> list[t.Any]:
    """Each program in a docstring, by its module."""
    return [
        pytest.param(textwrap.dedent(text), id=module)
        for module, path in SOURCES.items()
        for text in _texts_of(ast.parse(path.read_text(encoding="utf-8")))
        if not text.strip().startswith(SENT)
    ]


def _texts_of(tree: ast.Module) -> t.Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        docstring = ast.get_docstring(node) if isinstance(node, kinds) else None
        yield from BLOCK.findall(inspect.cleandoc(docstring or "") + "\n")


@pytest.mark.parametrize("program", blocks())
def test_the_program_in_a_docstring_runs(program: str) -> None:
    app = flask_signature.Flask("docstring")
    names = {
        **{name: getattr(flask_signature, name) for name in flask_signature.__all__},
        **{name: getattr(errors, name) for name in errors.__all__},
        **{name: getattr(security, name) for name in security.__all__},
        "HTTPException": HTTPException,
        "Literal": t.Literal,
        "TypedDict": TypedDict,
        "app": app,
        "errors": collections.Counter(),
        **dict.fromkeys(("Failure", "Order", "User", "UserIn"), Record),
        **dict.fromkeys(("find_client", "find_user", "new_session"), lambda key: key),
    }
    exec(compile(program, "docstring", "exec", dont_inherit=True), names)

    app.init_app()


def test_there_are_programs_in_docstrings() -> None:
    assert len(blocks()) == 4
