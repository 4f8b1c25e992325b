"""Who is there: logging in, logging out, and the decorators that guard views."""

from .access import LOGIN
from .access import STAFF_ONLY
from .access import current_user
from .access import login_required
from .access import staff_required
from .views import bp

__all__ = [
    "LOGIN",
    "STAFF_ONLY",
    "bp",
    "current_user",
    "login_required",
    "staff_required",
]
