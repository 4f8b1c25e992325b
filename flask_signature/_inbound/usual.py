"""The usual ways into a view, read in fewer steps: a JSON body alone, or strings alone.

An inbound plan goes in, a function comes out that does what its ``read()`` does.
"""

from __future__ import annotations

import typing as t

from .._http.body import read_data
from .._http.json import JSON
from .body import CAPITAL_I
from .body import CAPITAL_N
from .failures import READ_ERRORS
from .failures import read_body_errors

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Request

    from .body import BodyPlan
    from .bounded import BoundedValidator
    from .plan import InboundPlan

    #: Makes the keyword arguments of a view of a request and what the URL provides.
    Read: t.TypeAlias = Callable[[Request, Mapping[str, t.Any]], dict[str, t.Any]]


def compile_read(plan: InboundPlan) -> Read:
    """``plan.read()``, which asks nothing that depends on the plan alone."""
    body, validator = plan.body, plan.validator
    if plan.accepted_form_types or plan.reads_long_values or plan.renamed:
        return plan.read
    if body is None:
        return _compile_strings(plan, validator) if validator else _compile_none(plan)
    if validator is not None or body.json is None:
        return plan.read
    return _compile_json(plan, body, body.json) if body.reads_json else plan.read


def _compile_none(plan: InboundPlan) -> Read:
    """What passes on what the URL provides."""
    expected = plan.expected

    def read(request: Request, view_args: Mapping[str, t.Any]) -> dict[str, t.Any]:
        if view_args.keys() != expected:
            return plan.read(request, view_args)
        return {**view_args}

    return read


def _compile_json(plan: InboundPlan, body: BodyPlan, json: BoundedValidator) -> Read:
    """What reads a JSON body, and nothing else.

    ``NaN`` and ``Infinity`` are looked for by their first letters: see the plan.
    """
    expected, whole = plan.expected, body.whole
    validate = json.adapter.validator.validate_json

    def read(request: Request, view_args: Mapping[str, t.Any]) -> dict[str, t.Any]:
        # Most views have no variables in their path.
        if request.environ.get("CONTENT_TYPE") != JSON or (
            (view_args or expected) and view_args.keys() != expected
        ):
            return plan.read(request, view_args)
        try:
            data = read_data(request)
            if (
                0 < len(data) <= json.small_size
                and CAPITAL_N not in data
                and CAPITAL_I not in data
            ):
                value = validate(data)
                if whole is not None:
                    return {**view_args, whole: value} if view_args else {whole: value}
            else:
                value = body.read_json(data)
        except READ_ERRORS as error:
            errors = read_body_errors(error, body.schemas)
        else:
            return {**view_args, **value}
        raise plan.refuse(errors)

    return read


def _compile_strings(plan: InboundPlan, validator: BoundedValidator) -> Read:
    """What reads the query, headers and cookies, none of which may be long."""
    expected = plan.expected
    sources = [(item.key, item.read, item.optional) for item in plan.sources]
    validate = validator.adapter.validator.validate_python

    def read(request: Request, view_args: Mapping[str, t.Any]) -> dict[str, t.Any]:
        # Most views have no variables in their path.
        if (view_args or expected) and view_args.keys() != expected:
            return plan.read(request, view_args)
        parts: dict[str, t.Any] = {"path#": view_args}
        for key, read_source, is_optional in sources:
            values = read_source(request)
            if values or not is_optional:
                parts[key] = values
        size = len(request.environ.get("QUERY_STRING", ""))
        try:
            if size <= validator.small_size:
                values = validate(parts, strict=False)
            else:
                values = validator.validate_parts(parts, size)
        except READ_ERRORS as error:
            errors = plan.read_parts_errors(error, parts, size)
        else:
            return {**view_args, **values}
        raise plan.refuse(errors)

    return read
