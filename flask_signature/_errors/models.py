"""The models of the responses to errors, from which the document has its schemas."""

from __future__ import annotations

import typing as t

from pydantic import ConfigDict, Field, with_config
from typing_extensions import NotRequired, TypedDict


def _end_with_the_first_paragraph(schema: dict[str, t.Any]) -> None:
    """Leave out of a schema what the docstring says of the package's versions."""
    # Without docstrings, under "python -OO", there is none.
    if "description" in schema:
        schema["description"] = schema["description"].partition("\n\n")[0]


_DESCRIBED: t.Final = ConfigDict(json_schema_extra=_end_with_the_first_paragraph)


class ValidationFailure(TypedDict):
    """One thing that is wrong with a request."""

    loc: t.Annotated[
        list[str | int],
        Field(description="Where: the location, the name, and the path inside."),
    ]
    msg: t.Annotated[str, Field(description="What is wrong, for people.")]
    type: t.Annotated[str, Field(description="What is wrong, for programs.")]
    ctx: NotRequired[
        t.Annotated[dict[str, t.Any], Field(description="What the message is about.")]
    ]


@with_config(_DESCRIBED)
class ValidationFailures(TypedDict):
    """The response to a request that does not fit its operation.

    .. versionadded:: 0.1
    """

    detail: list[ValidationFailure]


@with_config(_DESCRIBED)
class ValidationProblem(TypedDict):
    """The response to a request that does not fit its operation, as RFC 9457 has it.

    .. versionadded:: 0.1
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[ValidationFailure]


@with_config(_DESCRIBED)
class HTTPErrorMessage(TypedDict):
    """The response to a request that can't be served.

    .. versionadded:: 0.1
    """

    message: t.Annotated[
        str | dict[str, t.Any] | list[t.Any],
        Field(description="What is wrong: words, or what the application sends."),
    ]


@with_config(ConfigDict(**_DESCRIBED, extra="allow"))
class HTTPProblem(TypedDict):
    """The response to a request that can't be served, as RFC 9457 has it.

    .. versionadded:: 0.2
    """

    type: str
    title: str
    status: int
    detail: NotRequired[str]
