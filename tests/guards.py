"""Decorators that authors put around views: guards, and those that note a call."""

from __future__ import annotations

import functools
import typing as t
from collections.abc import Callable

import flask

View: t.TypeAlias = Callable[..., t.Any]

#: The header that a guard asks for.
TOKEN: t.Final = {"X-Token": "secret"}


def check_token() -> None:
    if "X-Token" not in flask.request.headers:
        flask.abort(401)


def guard(view: View) -> View:
    @functools.wraps(view)
    def guarded(*args: t.Any, **kwargs: t.Any) -> t.Any:
        check_token()
        return view(*args, **kwargs)

    return guarded


def bare_guard(view: View) -> View:
    """A guard without ``functools.wraps``: nothing leads to the view inside."""

    def guarded(**kwargs: t.Any) -> t.Any:
        check_token()
        return view(**kwargs)

    return guarded


def noting(log: list[str], name: str) -> Callable[[View], View]:
    """A decorator that writes its name down at each call."""

    def decorator(view: View) -> View:
        @functools.wraps(view)
        def noted(*args: t.Any, **kwargs: t.Any) -> t.Any:
            log.append(name)
            return view(*args, **kwargs)

        return noted

    return decorator
