"""The tokens of HTTP, and the content types that are made of them.

The names of headers and cookies, and the schemes of ``Authorization``, are tokens. The
content types of a file go in as the author writes them, and come out one by one.
"""

from __future__ import annotations

import re
import typing as t

#: Source: RFC 9110, 5.6.2.
TOKEN: t.Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"

#: A media type, or all of one kind. Source: RFC 9110, 8.3.1 and 12.5.1.
CONTENT_TYPE: t.Final = re.compile(f"{TOKEN}/{TOKEN}")


def read_content_types(written: str) -> tuple[str, ...]:
    """The content types in a string: ``("image/png", "text/*")``.

    :raises ValueError: if one is no media type, or has a parameter.

    Source: OpenAPI 3.1, Encoding Object ``contentType``.
    """
    if not isinstance(written, str):
        raise ValueError(
            f"content_type={written!r} is no string. Write those of a file with commas"
            " between them: 'image/png, text/*'"
        )
    found = tuple(item.strip().lower() for item in written.split(","))
    for item in found:
        main, _, sub = item.partition("/")
        if not CONTENT_TYPE.fullmatch(item) or "*" in main or "*" in sub[:-1]:
            raise ValueError(
                f"{item!r} is no content type of a file. Use some such as 'image/png'"
                " or 'text/*', with commas between them, and without parameters"
            )
    return found
