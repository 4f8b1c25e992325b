"""What the covers' operations read and answer."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field

from flask_signature.typing import Responses

from ..fields import NO_NUL
from .pictures import MEDIA_TYPES

Caption = t.Annotated[str, Field(max_length=200, pattern=NO_NUL)]

#: What no signature says, for the description: the formats of an uploaded picture.
PICTURE_UPLOAD = {
    "requestBody": {
        "content": {
            "multipart/form-data": {
                "encoding": {"image": {"contentType": ", ".join(MEDIA_TYPES)}}
            }
        }
    }
}

#: The same for a picture that is the answer.
PICTURE_ANSWER: Responses = {
    200: {"content": {media_type: {"schema": bytes} for media_type in MEDIA_TYPES}}
}


class Cover(BaseModel):
    """What there is to know about a picture, without the picture."""

    model_config = ConfigDict(from_attributes=True)

    book_id: int
    media_type: str
    caption: str
    size: int = Field(description="In bytes.")
