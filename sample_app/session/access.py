"""Decorators for ``decorators=`` of a route or a blueprint: who may call a view.

They run before the request is parsed. A stranger gets 401 whatever the body holds.
"""

from __future__ import annotations

import functools
import typing as t
from collections.abc import Callable

from flask import abort
from flask import g
from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from flask_signature.security import APIKey

from ..fields import Problem
from .logins import COOKIE
from .logins import find_user
from .tables import User

#: For ``security=`` of what the decorators guard: the description says so then.
LOGIN = APIKey("login", COOKIE, "cookie", description="The cookie that a login sets.")

#: For ``responses=`` of a route that is the staff's.
STAFF_ONLY: dict[int | str, type[Problem]] = {401: Problem, 403: Problem}

P = t.ParamSpec("P")
R = t.TypeVar("R")


def login_required(view: Callable[P, R]) -> Callable[P, R]:
    """The view for users who are logged in; 401 for everybody else."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        g.user = find_user(request.cookies.get(COOKIE))
        if g.user is None:
            raise Unauthorized(
                "Log in first.",
                www_authenticate=WWWAuthenticate("Cookie", {"cookie-name": COOKIE}),
            )
        return view(*args, **kwargs)

    return guarded


def staff_required(view: Callable[P, R]) -> Callable[P, R]:
    """The view for the shop's staff; 401 for strangers and 403 for customers."""

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not current_user().is_staff:
            abort(403, "Only the staff of the shop may do this.")
        return view(*args, **kwargs)

    return login_required(guarded)


def current_user() -> User:
    """Who is logged in, in a view that one of the decorators guards."""
    return t.cast(User, g.user)
