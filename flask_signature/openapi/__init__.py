"""The description of an application: OpenAPI documents made of its operations.

Nothing is analysed here: a document is made of the compiled operations and their
adapters.
"""

from .description import Description, descriptions, relative_url
from .selection import check_blueprints

__all__ = ["Description", "check_blueprints", "descriptions", "relative_url"]
