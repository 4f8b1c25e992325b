"""What is read from an uploaded file: the file, its content, if its type is accepted.

The content types of ``File(content_type="image/png, text/*")`` go in, a function that
refuses files of other types comes out. A binding puts it into its input field.
"""

from __future__ import annotations

import typing as t

from pydantic_core import PydanticCustomError
from werkzeug.datastructures import FileStorage

from .._errors.format import UnreadableValue
from .._sentinel import Sentinel

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence

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
