"""The names of security schemes in ``security=``, which may name none.

Operations go in. ``init_app()`` checks those that are registered by then, and the
compilation of an operation checks a later one: schemes are configured in between.
"""

from __future__ import annotations

import typing as t
from difflib import get_close_matches

from .._signature.source import locate
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterator

    from .registration import Target
    from .registry import Registry


def check_schemes(registry: Registry) -> None:
    """Refuse the name of a scheme that does not exist, in all that is registered.

    Nobody could enforce it, whether it is described or not.

    :raises SignatureError: if there is one.
    """
    known = _known_schemes(registry)
    for name in _names_in(registry.settings.security):
        if name not in known:
            raise SignatureError(f"SIGNATURE_SECURITY {_unknown_scheme(name, known)}")
    for operation in registry.operations:
        view = operation.view_callable
        for name in _names_in(operation.declaration.security):
            if name not in known:
                rule = f"{operation.method} {operation.template.path}"
                problem = f"security= of {view.name} {_unknown_scheme(name, known)}"
                raise SignatureError(locate(rule, problem, view))
    for guard in registry.plain_guards:
        for name in _names_in(guard.declaration.security):
            if name not in known:
                problem = f"security= around {guard.name!r} "
                raise SignatureError(problem + _unknown_scheme(name, known))


def check_schemes_of(target: Target) -> None:
    """Refuse the name of a scheme that does not exist, after ``init_app()``.

    :raises SignatureError: if there is one.
    """
    registry, declaration = target.registration.registry, target.declaration
    if not registry.initialized:
        return
    configured = registry.settings.security_schemes
    names = [name for name in _names_in(declaration.security) if name not in configured]
    if not names:
        # Most are configured, and all that is registered need not be looked through.
        return
    own = {name for name, scheme in _schemes_in(declaration.security) if scheme}
    known = _known_schemes(registry) | own
    for name in names:
        if name not in known:
            problem = _unknown_scheme(name, known)
            view = target.view_callable.name
            raise SignatureError(f"security= of {view} {problem}")


def _known_schemes(registry: Registry) -> set[str]:
    """The names of the schemes that are configured, or given somewhere as objects."""
    settings = registry.settings
    given = [
        settings.security,
        *(operation.declaration.security for operation in registry.operations),
        *(scope.security for scope in registry.blueprints.declared.values()),
    ]
    named = {name for value in given for name, scheme in _schemes_in(value) if scheme}
    return named | settings.security_schemes.keys()


def _names_in(security: t.Any) -> Iterator[str]:
    """The schemes that are given by their names alone."""
    return (name for name, scheme in _schemes_in(security) if scheme is None)


def _schemes_in(security: t.Any) -> Iterator[tuple[str, t.Any]]:
    """The names in a requirement, each with its scheme, ``None`` where it has none."""
    for alternative in getattr(security, "alternatives", ()):
        for name, (scheme, _) in alternative.items():
            yield name, scheme


def _unknown_scheme(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name, known, n=1)
    hint = f"Did you mean {nearest[0]!r}? If not, add it" if nearest else "Add it"
    return (
        f"names {name!r}, which is no security scheme. {hint} to"
        f" SIGNATURE_SECURITY_SCHEMES, or give a scheme such as HTTPBearer({name!r})."
    )
