"""The security schemes of an application, which ``security=`` may name.

Requirements go in as they are declared; what a name means comes out. Once it was asked
for, no scheme that verifies may be added that it would have meant.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field

from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator

    from ..security import Requirement
    from ..security import SecurityScheme

#: Why a scheme is refused that a name does not mean.
LATE: t.Final = (
    "the scheme {!r} verifies, but another view has named it before it was known, so"
    " that nobody would check it there. Write the scheme itself on that view."
)
DIFFERENT: t.Final = (
    "there are two schemes of the name {!r}, which are described differently. The"
    " document has one of each name: give them different names."
)
TWO: t.Final = (
    "security= names {!r}, but there are two schemes of that name that verify. Write"
    " the scheme itself, or give them different names."
)


@dataclass(slots=True)
class NamedSchemes:
    """The security schemes of an application, and what their names have meant."""

    _given: dict[str, list[SecurityScheme]] = field(default_factory=dict)
    _meant: dict[str, SecurityScheme | None] = field(default_factory=dict)

    def __iter__(self) -> Iterator[SecurityScheme]:
        """All of the schemes."""
        return iter([scheme for given in self._given.values() for scheme in given])

    def __bool__(self) -> bool:
        """Whether there are schemes, or a name was used."""
        return bool(self._given or self._meant)

    def add(self, requirements: Iterable[Requirement]) -> None:
        """Keep the schemes of some requirements.

        :raises SignatureError: if a name has meant nothing, or another one.
        """
        for requirement in requirements:
            for leaf in requirement.leaves():
                if leaf.scheme is not None:
                    self._add(leaf.scheme)

    def _add(self, scheme: SecurityScheme) -> None:
        name = scheme.name
        meant = self._meant.get(name, scheme)
        if scheme.verifies and meant is not scheme:
            is_other = meant is not None and meant.verifies
            raise SignatureError((TWO if is_other else LATE).format(name))
        given = self._given.setdefault(name, [])
        if scheme not in given:
            if any(other.describe() != scheme.describe() for other in given):
                raise SignatureError(DIFFERENT.format(name))
            given.append(scheme)

    def find(
        self, name: str, configured: Iterable[SecurityScheme]
    ) -> SecurityScheme | None:
        """The scheme that a name means, ``None`` where there is none.

        One that verifies goes before others.

        :param configured: the schemes of this name in the configuration.
        :raises SignatureError: if several verify.
        """
        found = [*dict.fromkeys([*configured, *self._given.get(name, ())])]
        verifying = [scheme for scheme in found if scheme.verifies]
        if len(verifying) > 1:
            raise SignatureError(TWO.format(name))
        scheme = next(iter([*verifying, *found]), None)
        self._meant[name] = scheme
        return scheme
