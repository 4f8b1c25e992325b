"""Security Requirement Objects and Security Scheme Objects."""

from __future__ import annotations

import typing as t

from ..security import SecurityScheme

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..security import Requirement


def describe_requirements(
    requirement: Requirement | None,
) -> list[dict[str, list[str]]]:
    """The Security Requirement Objects of what an option says."""
    return [
        {name: [*scopes] for name, (_, scopes) in alternative.items()}
        for alternative in (requirement.alternatives if requirement else ())
    ]


def schemes_in(
    requirement: Requirement | None,
) -> Iterator[tuple[str, SecurityScheme]]:
    """The schemes that an option brings with it, by their names."""
    for alternative in requirement.alternatives if requirement else ():
        for name, (scheme, _) in alternative.items():
            if scheme is not None:
                yield name, scheme


def describe_schemes(schemes: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """The Security Scheme Objects by name, in the order of the names."""
    return {
        name: scheme.describe() if isinstance(scheme, SecurityScheme) else dict(scheme)
        for name, scheme in sorted(schemes.items())
    }
