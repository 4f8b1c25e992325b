"""The picture on the front of a book."""

from .views import bp

__all__ = ["bp"]
