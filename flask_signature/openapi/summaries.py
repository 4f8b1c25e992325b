"""The summary and the description of an operation.

Both are those of the route, else of the docstring; a summary is never left out.
"""

from __future__ import annotations

import textwrap
import typing as t

if t.TYPE_CHECKING:
    from .._operations.operation import Operation


def describe_purpose(operation: Operation) -> tuple[str, str]:
    """The summary of an operation, and its description, which may be ``""``.

    Source: OpenAPI 3.1, Operation Object ``summary`` and ``description``.
    """
    declaration = operation.declaration
    text = read_docstring(operation.view_callable.function.__doc__)
    summary, rest = split_summary(text)
    if declaration.summary is not None:
        summary, rest = declaration.summary, text
    elif not summary:
        summary = name_purpose(operation)
    if declaration.description is not None:
        rest = declaration.description
    return summary, rest


def read_docstring(docstring: str | None) -> str:
    """A docstring without its indentation, up to a form feed.

    A line of spaces becomes an empty one.
    """
    first, _, rest = (docstring or "").partition("\f")[0].strip().partition("\n")
    return f"{first}\n{textwrap.dedent(rest)}".strip()


def split_summary(text: str) -> tuple[str, str]:
    """The first paragraph of a docstring in one line, and the rest of it."""
    first, _, rest = text.partition("\n\n")
    return " ".join(first.split()), rest.strip("\n")


def name_purpose(operation: Operation) -> str:
    """The summary of a view without a docstring, of its name: ``"List items"``.

    It is made of the endpoint for a function without a name, and for a class-based view
    together with the method: ``"Get items"``.
    """
    endpoint = operation.route.endpoint.rpartition(".")[2]
    if operation.view_callable.view_class is not None:
        return _words(f"{operation.method.lower()} {endpoint}")
    name = operation.view_callable.name.removesuffix("()")
    return _words(name if name.isidentifier() else endpoint)


def _words(name: str) -> str:
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]
