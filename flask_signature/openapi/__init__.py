"""The description of an application: OpenAPI documents made of its operations.

Nothing is analysed here: a document is made of the compiled operations and their
adapters.
"""

from .document import Description, check_blueprints, descriptions, relative_url

__all__ = ["Description", "check_blueprints", "descriptions", "relative_url"]
