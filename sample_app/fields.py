"""Types that the models and the responses of more than one concern are made of."""

from __future__ import annotations

import typing as t

from pydantic import Field
from typing_extensions import TypedDict

#: The largest integer that every database keeps in an ``INTEGER`` column.
MAX_INTEGER = 2**31 - 1

#: PostgreSQL keeps no text that holds a NUL.
NO_NUL = r"^[^\x00]*$"

DatabaseId = t.Annotated[int, Field(ge=1, le=MAX_INTEGER)]

#: A name, a title: text that fits on a line of a page.
Line = t.Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]

#: Text as long as people write it.
Prose = t.Annotated[str, Field(min_length=1, max_length=5000, pattern=NO_NUL)]

#: A price in euro cents: whole numbers add up, floats do not.
Cents = t.Annotated[int, Field(ge=0, le=1_000_000)]


class Located(TypedDict):
    """The headers of a response to what was created, or placed before."""

    location: t.Annotated[str, Field(description="Where it can be read from now on.")]
