"""What is read from an uploaded file: the file, its content, if its type is accepted.

The content types of ``File(content_type="image/png, text/*")`` go in, a function that
refuses files of other types comes out. A binding puts it into its input field.
Constraints, which no file fits, are refused when an argument is bound.
"""

from __future__ import annotations

import typing as t

from annotated_types import BaseMetadata, GroupedMetadata, Predicate
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError
from werkzeug.datastructures import FileStorage

from .._errors.format import UnreadableValue
from .._sentinel import Sentinel
from .._types.shapes import Shape
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .._types.argument_type import ArgumentType

#: The type of a file of a form that does not say one. Source: RFC 7578, 4.4.
DEFAULT_TYPE: t.Final = "text/plain"

#: The error of a file of another content type: its type and its message.
CONTENT_TYPE_ERROR: t.Final = (
    "content_type",
    "File should be of the content type {expected}",
)


def content_of(file: t.Any) -> t.Any:
    """The content of a file, or ``NO_FILE`` for a string, which is not its content."""
    if not isinstance(file, FileStorage):
        return NO_FILE
    content = file.read()
    file.seek(0)
    return content


#: Takes the place of what is no file, and is refused by Pydantic.
NO_FILE: t.Final = Sentinel("NO_FILE")


def check_file_constraints(
    shown: str, tp: ArgumentType, metadata: Sequence[t.Any], *, in_files: bool = False
) -> None:
    """Refuse a constraint on a file, for which Pydantic would refuse every one.

    :param shown: the argument or the field, for messages.
    :param metadata: of its type, the constraints among it.
    :param in_files: whether it is a file where its type says nothing.
    :raises SignatureError: if there is one. That of a list counts its files.
    """
    item = tp.item
    if item is not None and tp.has_files:
        tp, metadata = item, FieldInfo.from_annotation(item.annotation).metadata
    if Shape.FILE not in tp.shapes and not (in_files and tp.is_anything):
        return
    if any(
        isinstance(part, FILE_CONSTRAINTS) and not isinstance(part, Predicate)
        for part in metadata
    ):
        raise SignatureError(
            f"{shown} is a file, which has no length and no order. Remove the"
            " constraint, or declare the content: Annotated[bytes,"
            " File(max_length=...)]."
        )


#: What compares a value, or is made of such. A ``Predicate`` calls a function.
FILE_CONSTRAINTS: t.Final = (BaseMetadata, GroupedMetadata)


def check_content_type(
    accepted: Sequence[str], convert: Callable[[t.Any], t.Any] | None
) -> Callable[[t.Any], t.Any]:
    """A function that refuses files of other content types, by an ``UnreadableValue``.

    :param accepted: the content types, as in ``Param.content_type``.
    :param convert: changes the files that are not refused.

    Source: OpenAPI 3.1, Encoding Object ``contentType``.
    """
    types = frozenset(accepted)
    ranges = tuple(item[:-1] for item in accepted if item.endswith("/*"))
    *others, last = accepted
    expected = f"{', '.join(others)} or {last}" if others else last
    error = PydanticCustomError(*CONTENT_TYPE_ERROR, {"expected": expected})

    def check(file: t.Any) -> t.Any:
        if isinstance(file, FileStorage):
            sent = file.mimetype or DEFAULT_TYPE
            if sent not in types and not sent.startswith(ranges):
                return UnreadableValue(error, {})
        return convert(file) if convert else file

    return check
