"""Scopes: those that an operation asks for, and those that somebody was granted."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

if t.TYPE_CHECKING:
    from typing_extensions import Self


class Scopes(tuple[str, ...]):
    """The scopes that an operation asks for, in their order.

    An argument of ``authenticate=`` with this annotation receives them. ``str()`` joins
    them by spaces, which is what OAuth 2 libraries read as "all of these".

    :param scopes: ``["orders:read", "orders:write"]``, or a string of them as in a
        token: ``"orders:read orders:write"``.

    Source: RFC 6749, 3.3.

    .. versionadded:: 0.2
    """

    __slots__ = ()

    def __new__(cls, scopes: Iterable[str] | str = ()) -> Self:
        return super().__new__(cls, _scopes_in(scopes))

    def __str__(self) -> str:
        return " ".join(self)


def split_scopes(value: Iterable[str] | str) -> frozenset[str]:
    """The scopes that ``get_scopes=`` returned: ``"a b"`` and ``["a", "b"]`` are two.

    :raises TypeError: if it returned anything else, such as ``None``.

    Source: RFC 6749, 3.3.
    """
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise TypeError(
            f"get_scopes= has returned {type(value).__name__!r}, which is no list of"
            " scopes. Return [] where there are none."
        )
    return frozenset(_scopes_in(value))


def _scopes_in(value: Iterable[str] | str) -> Iterable[str]:
    if isinstance(value, str):
        return [scope for scope in value.split(" ") if scope]
    return value
