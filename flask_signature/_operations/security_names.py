"""The names of security schemes in ``security=``, which may name none.

Operations go in. ``init_app()`` checks those that are registered by then, and so does
the first request; the compilation of an operation checks a later one: schemes are
configured in between.
"""

from __future__ import annotations

import typing as t
from difflib import get_close_matches

from .._signature.source import locate
from ..exceptions import SignatureError
from ..security import Requirement
from .registry import SCHEMES
from .registry import SECURITY
from .registry import Registry
from .requirements import configured
from .requirements import configured_requirement

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping

    from flask import Flask

    from .registration import Target


def check_schemes(registry: Registry, config: Mapping[str, t.Any]) -> None:
    """Refuse the name of a scheme that does not exist, in all that is registered.

    Nobody could enforce it, whether it is described or not.

    :raises SignatureError: if there is one.
    """
    known = _known_names(registry, config)
    if problem := _find_problem(configured_requirement(config), known):
        raise SignatureError(f"{SECURITY} {problem}")
    for operation in registry.operations:
        view = operation.view_callable
        if problem := _find_problem(operation.declaration.security, known):
            rule = f"{operation.method} {operation.template.path}"
            problem = f"security= of {view.name} {problem}"
            raise SignatureError(locate(rule, problem, view))
    for guard in filter(None, [*registry.plain_guards.values()]):
        if problem := _find_problem(guard.declaration.security, known):
            place = guard.place
            raise SignatureError(f"security= around {guard.name!r} {problem} ({place})")


def check_schemes_of(target: Target) -> None:
    """Refuse the name of a scheme that does not exist, after ``init_app()``.

    :raises SignatureError: if there is one.
    """
    registration, security = target.registration, target.declaration.security
    shown = f"security= of {target.view_callable.name}"
    check_names(registration.app, security, shown=shown)


def check_names(app: Flask, security: t.Any, *, shown: str) -> None:
    """Refuse the name of a scheme that does not exist, where nobody asks later.

    :param shown: whose ``security=`` it is, for a message.
    :raises SignatureError: if there is one.
    """
    registry = Registry.of(app)
    if not (registry.initialized and _names_in(security)):
        return
    registry.schemes.add([security])
    known = _known_names(registry, configured(app, registry))
    if problem := _find_problem(security, known):
        raise SignatureError(f"{shown} {problem}")


def _known_names(registry: Registry, config: Mapping[str, t.Any]) -> set[str]:
    """The names of the schemes that are configured, or given somewhere as objects."""
    requirement, schemes = configured_requirement(config), config.get(SCHEMES) or {}
    leaves = requirement.leaves() if requirement is not None else ()
    given = [*registry.schemes, *(leaf.scheme for leaf in leaves if leaf.scheme)]
    return {scheme.name for scheme in given} | schemes.keys()


def _find_problem(security: t.Any, known: Collection[str]) -> str:
    """What is wrong with the names in a requirement, ``""`` where nothing is."""
    unknown = [name for name in _names_in(security) if name not in known]
    return _unknown_scheme(unknown[0], known) if unknown else ""


def _names_in(security: t.Any) -> list[str]:
    """The schemes that are given by their names alone."""
    leaves = security.leaves() if isinstance(security, Requirement) else ()
    return [leaf.name for leaf in leaves if leaf.scheme is None]


def _unknown_scheme(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name, known, n=1)
    hint = f"Did you mean {nearest[0]!r}? If not, add it" if nearest else "Add it"
    return (
        f"names {name!r}, which is no security scheme. {hint} to"
        " SIGNATURE_SECURITY_SCHEMES, or give a scheme such as"
        f" HTTPBearer({name!r}, verify=find_user)."
    )
