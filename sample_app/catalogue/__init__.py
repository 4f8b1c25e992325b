"""What the shop sells: books, their authors and their tags."""

from .queries import find_book
from .views import bp

__all__ = ["bp", "find_book"]
