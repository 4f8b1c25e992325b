"""The paths of the document, and the operations on each of them."""

from __future__ import annotations

import logging
import re
import typing as t

from .operations import describe_operation

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from .._operations.operation import Operation
    from .context import DocumentContext
    from .objects import JsonObject

LOGGER = logging.getLogger("flask_signature.openapi")

PATH_VARIABLE = re.compile(r"\{(\w+)\}")


def describe_paths(
    named: Iterable[tuple[str, Operation]], context: DocumentContext
) -> JsonObject:
    """The Paths Object.

    Paths that differ only in the names of their variables are one path, with the names
    of the first. Two operations may then have the same path and method, as those of
    ``/<int:n>`` and ``/<name>``: the first one is described.

    Source: OpenAPI 3.1, Paths Object.
    """
    paths: JsonObject = {}
    shapes: dict[str, str] = {}
    for name, operation in named:
        described = describe_operation(operation, name, context)
        path = literal_path(operation)
        known = shapes.setdefault(PATH_VARIABLE.sub("{}", path), path)
        _rename(described, path, known)
        item = paths.setdefault(known, {})
        if item.setdefault(operation.method.lower(), described) is not described:
            LOGGER.warning(
                "%s %s is left out of the description, which has such a path already.",
                operation.method,
                operation.route.rule,
            )
    return paths


def literal_path(operation: Operation) -> str:
    """The path of an operation, with braces around variables only."""
    template = operation.template

    def escape(match: re.Match[str]) -> str:
        if match[0][1:-1] in template.converters:
            return match[0]
        return match[0].replace("{", "%7B").replace("}", "%7D")

    return re.sub(r"\{\w+\}|[{}]", escape, template.path)


def _rename(described: JsonObject, path: str, known: str) -> None:
    names = dict(
        zip(PATH_VARIABLE.findall(path), PATH_VARIABLE.findall(known), strict=True)
    )
    for parameter in described.get("parameters", ()):
        if parameter.get("in") == "path":
            name = parameter["name"]
            parameter["name"] = names.get(name, name)
