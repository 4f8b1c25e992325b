"""What the covers' operations read and answer."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field

from ..fields import NO_NUL

Caption = t.Annotated[str, Field(max_length=200, pattern=NO_NUL)]


class Cover(BaseModel):
    """What there is to know about a picture, without the picture."""

    model_config = ConfigDict(from_attributes=True)

    book_id: int
    media_type: str
    caption: str
    size: int = Field(description="In bytes.")
