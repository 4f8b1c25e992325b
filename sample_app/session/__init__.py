"""Who is there: logins of browsers, tokens of scripts, and what asks for them."""

from .access import STAFF, USER, CurrentUser
from .views import bp

__all__ = ["STAFF", "USER", "CurrentUser", "bp"]
