"""What the covers' operations read and answer."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel, ConfigDict, Field

from flask_signature import File, UploadFile
from flask_signature.typing import Responses

from ..fields import NO_NUL
from .pictures import MEDIA_TYPES

#: The content type is what the client says: the view looks at the bytes as well.
Image = t.Annotated[
    UploadFile,
    File(content_type=", ".join(MEDIA_TYPES), description="PNG, JPEG, GIF or WebP."),
]

Caption = t.Annotated[str, Field(max_length=200, pattern=NO_NUL)]

#: Pictures, for the description: which type one has, its row says and no annotation.
PICTURE: Responses = {
    200: {"content": {media_type: {"schema": bytes} for media_type in MEDIA_TYPES}}
}


class Cover(BaseModel):
    """What there is to know about a picture, without the picture."""

    model_config = ConfigDict(from_attributes=True)

    book_id: int
    media_type: str
    caption: str
    size: int = Field(description="In bytes.")
