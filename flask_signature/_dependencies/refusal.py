"""The exceptions of a request that may not reach its view.

Source: RFC 9110, 15.5.2 (401), 15.5.4 (403) and 11.6.1; RFC 6750, 3.1.
"""

from __future__ import annotations

import typing as t

from werkzeug.exceptions import Forbidden
from werkzeug.exceptions import Unauthorized

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Mapping

    from werkzeug.datastructures import WWWAuthenticate

    from ..security import Requirement

#: The scopes that lack, by the names of schemes.
Lacking: t.TypeAlias = dict[str, tuple[str, ...]]


#: What a refusal says, if credentials are missing, wrong, or lack a scope.
MISSING: t.Final = "Credentials are needed."
WRONG: t.Final = "The credentials are not valid."
LACKING: t.Final = "The credentials do not allow this."


class NotAuthenticated(Unauthorized):
    """Credentials are missing or wrong."""


class NotAllowed(Forbidden):
    """The credentials lack a scope."""

    def __init__(self, challenges: Iterable[WWWAuthenticate]) -> None:
        super().__init__(LACKING)
        self.challenges = tuple(challenges)

    def get_headers(
        self, environ: t.Any = None, scope: t.Any = None
    ) -> list[tuple[str, str]]:
        """The headers, with what the schemes ask for."""
        headers = super().get_headers(environ, scope)
        found = [("WWW-Authenticate", str(item)) for item in self.challenges]
        return [*headers, *found]


def refuse(
    requirements: Iterable[Requirement[t.Any]],
    *,
    is_lacking: bool,
    wrong: Collection[str],
    lacking: Mapping[str, tuple[str, ...]],
    held: Iterable[Exception],
) -> Exception:
    """The exception for a requirement that does not hold.

    :param is_lacking: whether a scope lacks, and nothing else.
    :param wrong: the names of schemes whose credentials are wrong.
    :param held: exceptions of ``authenticate=``, the first of which is raised where no
        scope lacks.
    """
    if not is_lacking:
        for error in held:
            return error
    schemes = {
        leaf.name: leaf
        for requirement in requirements
        for leaf in requirement.leaves()
        if leaf.scheme is not None
    }
    challenges = []
    for name, leaf in schemes.items():
        problem = "invalid_token" if name in wrong else None
        scopes: tuple[str, ...] = ()
        # A scope that lacks is a matter of 403: RFC 6750, 3.1.
        if is_lacking and name in lacking:
            problem, scopes = "insufficient_scope", lacking[name]
        assert leaf.scheme is not None
        challenges.append(leaf.scheme.challenge(problem, scopes))
    if is_lacking:
        return NotAllowed(challenges)
    message = WRONG if wrong else MISSING
    return NotAuthenticated(message, www_authenticate=challenges)
