"""What customers think of a book."""

from .views import bp

__all__ = ["bp"]
