"""Annotations of arguments are read with the signature, and by nobody afterwards."""

from __future__ import annotations

import ast
import typing as t
from collections import abc
from dataclasses import replace

import pytest
from flask import Request, Response
from sources import SOURCES, room_of, tree_of

from flask_signature._inbound.compile import compile_inbound
from flask_signature._outbound.annotation import RETURN_KINDS, return_kind_of
from flask_signature._routing.route import PathTemplate
from flask_signature._signature.reader import read_signature
from flask_signature._signature.views import unwrap_view

#: What later rooms may take from the module that takes annotations apart: no question.
NO_QUESTIONS = {
    *("ArgumentType", "Shape", "accept_instances", "annotate", "read_type"),
    *("show_type", "unclear_validators"),
}
LATER = [
    item for item in SOURCES if room_of(item) in ("_inbound", "_operations", "openapi")
]


@pytest.mark.parametrize("module", LATER)
def test_a_later_stage_asks_nothing_of_an_annotation(module):
    asked = {
        alias.name
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").endswith("_types.annotations")
        for alias in node.names
    }
    assert asked <= NO_QUESTIONS


def find(page: str = "x", size: int = 1): ...


def test_the_value_of_an_argument_goes_to_its_key():
    signature = read_signature(unwrap_view(find, "GET"), method="GET", provided=())
    page, size = signature.arguments
    plan = compile_inbound(
        replace(signature, arguments=(replace(page, key="find.page"), size)),
        template=PathTemplate("/", {}, domain=frozenset(), variables=frozenset()),
        method="GET",
        provided=(),
        is_preprocessed=False,
        refuse=ValueError,
        needs_content_type=bool,
    )
    request = Request({"QUERY_STRING": "page=7&size=2"})
    assert plan.read(request, {}) == {"find.page": "7", "size": 2}


#: A return annotation of each kind.
SAMPLES: t.Final = (
    *(str, t.Iterator[str], Response, t.IO[bytes], dict[str, t.Any], list, tuple),
    *(t.Any, abc.Callable, t.NoReturn),
)


def test_a_return_kind_is_found_by_its_row_alone():
    assert tuple(map(return_kind_of, SAMPLES)) == RETURN_KINDS
    assert return_kind_of(int) is None
