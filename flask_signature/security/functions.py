"""The functions of a scheme: ``verify=``, ``get_scopes=`` and ``authenticate=``.

A scheme goes in, an error comes out where its functions can't be what they are.
"""

from __future__ import annotations

import typing as t
from inspect import iscoroutinefunction

from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES: t.Final = {
    "verify": "verify=find_user, with 'def find_user({})'",
    "get_scopes": "get_scopes=lambda user: user.scopes",
    "authenticate": "authenticate=find_user, with 'def find_user()'",
}


class Scheme(t.Protocol):
    """What is read of a security scheme."""

    @property
    def name(self) -> str:
        """The name in the document."""


def check_functions(scheme: Scheme, credentials: str) -> None:
    """Refuse what can't be called, and what can't be combined.

    :param credentials: the first arguments of ``verify=``: ``"username, password"``.
    :raises SignatureError: if there is something to refuse.
    """
    given = {name: getattr(scheme, name) for name in EXAMPLES}
    examples = {name: text.format(credentials) for name, text in EXAMPLES.items()}
    problem = (
        _find_misplaced(vars(scheme), examples)
        or _find_wrong_type(given, examples)
        or _find_conflict(given, examples)
    )
    if problem:
        raise scheme_error(scheme, problem)


def scheme_error(scheme: Scheme, problem: str) -> SignatureError:
    """The error that names a scheme: ``HTTPBearer('token'): ...``."""
    return SignatureError(f"{type(scheme).__name__}({scheme.name!r}): {problem}")


def _find_misplaced(
    options: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    """A function without its keyword, which would check nobody."""
    for name, value in options.items():
        if name not in examples and callable(value):
            return f"{name}= is a function. Write {examples['verify']}."
    return None


def _find_wrong_type(
    given: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    for name, value in given.items():
        if value is not None and not callable(value):
            # The value itself may be a secret that was meant for something else.
            return (
                f"{name}= is of type {type(value).__name__!r}, which can't be called."
                f" Give a function: {examples[name]}."
            )
    if iscoroutinefunction(given["get_scopes"]):
        return (
            "get_scopes= is a coroutine function. Write it with 'def', and load what"
            " it needs in verify=."
        )
    return None


def _find_conflict(
    given: Mapping[str, t.Any], examples: Mapping[str, str]
) -> str | None:
    has_verify = given["verify"] is not None
    has_authenticate = given["authenticate"] is not None
    if has_verify and has_authenticate:
        return (
            "there are both verify= and authenticate=. Give verify= to check the"
            " credentials that are read for you, or authenticate= to read the request"
            " yourself."
        )
    if given["get_scopes"] is not None and not (has_verify or has_authenticate):
        return (
            "there is get_scopes=, but nothing that finds whose scopes they are. Add"
            f" {examples['verify']}."
        )
    return None
