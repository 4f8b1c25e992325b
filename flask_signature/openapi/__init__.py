"""The description of an application: OpenAPI documents made of its operations.

Nothing is analysed here. What a document says is read from the compiled operations,
their adapters among it.
"""

from .description import Description
from .description import descriptions
from .description import relative_url

__all__ = ["Description", "descriptions", "relative_url"]
