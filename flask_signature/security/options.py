"""The options of each scheme, for type checkers.

Those of functions that are coroutines or generators stand apart. Otherwise a coroutine
would be taken for the user that it gives.
"""

from __future__ import annotations

import typing as t
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Concatenate

from typing_extensions import TypedDict, TypeVar

T = TypeVar("T", default=t.Any)

#: What a function gives, which ``None`` and ``False`` refuse.
Found: t.TypeAlias = T | t.Literal[False] | None

#: What a coroutine function, a generator function or both at once gives.
Later: t.TypeAlias = Awaitable[Found[T]] | Iterator[Found[T]] | AsyncIterator[Found[T]]


class _Options(TypedDict, t.Generic[T], total=False):
    description: str | None
    get_scopes: Callable[[T], Iterable[str] | str] | None


class TokenOptions(_Options[T], total=False):
    """The options of a scheme with one credential."""

    verify: Callable[Concatenate[str, ...], Found[T]] | None
    authenticate: Callable[..., Found[T]] | None


class LaterTokenOptions(_Options[T], total=False):
    """Those with coroutine functions and generator functions."""

    verify: Callable[Concatenate[str, ...], Later[T]]
    authenticate: Callable[..., Later[T]]


class PasswordOptions(_Options[T], total=False):
    """The options of a scheme with a user name and a password."""

    verify: Callable[Concatenate[str, str, ...], Found[T]] | None
    authenticate: Callable[..., Found[T]] | None


class LaterPasswordOptions(_Options[T], total=False):
    """Those with coroutine functions and generator functions."""

    verify: Callable[Concatenate[str, str, ...], Later[T]]
    authenticate: Callable[..., Later[T]]
