"""What customers order."""

from .views import bp

__all__ = ["bp"]
