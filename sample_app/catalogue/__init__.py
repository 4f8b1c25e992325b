"""What the shop sells: books, their authors and their tags."""

from .queries import TheBook
from .views import bp

__all__ = ["TheBook", "bp"]
