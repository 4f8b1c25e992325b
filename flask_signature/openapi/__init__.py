"""The description of an application: OpenAPI documents made of its operations.

Nothing is analysed here: a document is made of the compiled operations and their
adapters.
"""

from .description import Description
from .description import descriptions
from .description import relative_url

__all__ = ["Description", "descriptions", "relative_url"]
