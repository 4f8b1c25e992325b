"""What the parts of a document are described with."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from .._errors.writers import BuiltInFormat
    from .._operations.error_format import CustomFormat
    from .._settings import Settings
    from .extras import Extras
    from .schemas import Schemas


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """What the parts of one document are described with.

    :param schemas: of every adapter in the document.
    :param error_writer: of the responses to errors.
    :param extras: the types that the author wrote in place of schemas.
    """

    settings: Settings
    schemas: Schemas
    error_writer: BuiltInFormat | CustomFormat
    extras: Extras
