"""The description of an application: an OpenAPI document made of its operations.

Nothing is analysed here. What the document says is read from the compiled operations,
their adapters among it.
"""

from .document import build_document
from .document import select_operations

__all__ = ["build_document", "select_operations"]
