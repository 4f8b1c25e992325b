"""The names under which the fields of an argument's models stand in a request.

An argument and a model go in, the names of its fields come out, with their types.
"""

from __future__ import annotations

import typing as t

from .._signature.argument import default_request_name
from .._types.annotations import annotate, show_type
from .._types.argument_type import read_type
from .._types.causes import author_error
from .._types.models import alias_paths, model_config, model_fields
from .._types.problems import argument_problem
from ..exceptions import SignatureError
from ..params import Param

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .._signature.argument import Argument
    from .._types.argument_type import ArgumentType


class FieldName(t.NamedTuple):
    """A name under which Pydantic looks for a field of a model.

    :param name: of the field.
    :param type: of the field.
    :param key: under which Pydantic looks for it.
    :param path: to its value in the request.
    """

    name: str
    type: ArgumentType
    key: str
    path: Sequence[str | int]


def names_of(argument: Argument) -> Iterator[FieldName]:
    """The names of the fields of each model that an argument may be.

    :raises SignatureError: if Pydantic can't read a model, or a field is declared with
        a special function, which Pydantic does not know.
    """
    for model in argument.type.models:
        yield from _names_in(argument, model)


def _names_in(argument: Argument, model: t.Any) -> Iterator[FieldName]:
    try:
        fields = model_fields(model)
    except NameError as error:
        raise SignatureError(
            f"Pydantic can't read the type of {argument.name!r}, {show_type(model)!r}"
            f"{argument_problem(argument.name, model, error)}"
        ) from author_error(error)
    config = model_config(model)
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    for name, field in fields.items():
        for marker in (field.default, *field.metadata):
            if isinstance(marker, Param):
                raise SignatureError(_marked_problem(argument, name, marker))
        # The annotation of a FieldInfo lacks its metadata, and Json is metadata alone.
        tp = read_type(annotate(field.annotation, field.metadata))
        paths = alias_paths(field)
        for path in paths:
            yield FieldName(name, tp, str(path[0]), path)
        if not paths or by_name:
            path = [default_request_name(argument, name)]
            yield FieldName(name, tp, name, path)


def _marked_problem(argument: Argument, field: str, marker: Param) -> str:
    """What is wrong with a field that is declared with a special function."""
    advice = "Use pydantic.Field() there."
    if marker.content_types or marker.style is not None:
        options = "content_type=" if marker.content_types else "style= and explode="
        advice = (
            f"Take it beside the model, as an argument of {argument.owner}, where"
            f" {options} may be."
        )
    return (
        f"the field {field!r} of {argument.name!r} of {argument.owner} is declared with"
        f" {marker.location.value.capitalize()}(), which is for arguments. {advice}"
    )
