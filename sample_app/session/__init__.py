"""Who is there: logins of browsers, tokens of scripts, and what asks for them."""

from .access import STAFF
from .access import USER
from .access import CurrentUser
from .views import bp

__all__ = ["STAFF", "USER", "CurrentUser", "bp"]
