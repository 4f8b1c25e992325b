"""Who may call a view: what ``security=`` says, of a route or for the application.

Objects are enforced, and names describe: they are resolved by ``init_app()``, and where
a view is registered afterwards.
"""

from __future__ import annotations

import typing as t
from difflib import get_close_matches

from .._sentinel import UNSET
from .._signature.source import locate
from ..exceptions import SignatureError
from ..security import Requirement
from ..security.alternatives import implies
from ..security.requirement import all_of
from ..security.spelling import read_security
from .decorators import Routes
from .registry import SECURITY, Registry

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Flask

    from .._dependencies.operation import OperationDependencies
    from .._routing.declaration import Declaration
    from .registration import Target


def find_requirement(
    app: Flask, declaration: Declaration, *, shown: str
) -> Requirement[t.Any] | None:
    """Who may call a view, as it is declared or configured.

    ``None`` where nothing says it.

    :param shown: whose ``security=`` it is, for a message.
    :raises SignatureError: if the configuration holds no requirement, or nobody would
        know what a name means.
    """
    declared, registry = declaration.security, Registry.of(app)
    if declared is UNSET:
        return _default(app, registry)
    names = _schemes_named(declared)
    # Beside an object, a name is refused by what compiles the requirement.
    is_named = bool(names) and len(names) == len([*declared.leaves()])
    if is_named and not isinstance(app, Routes):
        raise SignatureError(UNDESCRIBED.format(names[0]))
    if registry.initialized and (problem := find_problem(registry, declared)):
        raise SignatureError(f"{shown} {problem}")
    return t.cast("Requirement[t.Any]", declared)


#: Why a name is refused on a plain ``flask.Flask``.
UNDESCRIBED: t.Final = (
    "security= names {0!r}, but flask.Flask has no description, and a name checks"
    " nothing. Write a scheme such as HTTPBearer({0!r}, verify=find_user), or use"
    " flask_signature.Flask."
)


def _default(app: Flask, registry: Registry) -> Requirement[t.Any] | None:
    """What is required of a view that says nothing.

    What ``init_app()`` has read counts, whatever is set afterwards.
    """
    if registry.initialized:
        return t.cast("Requirement[t.Any] | None", registry.settings.security)
    return configured_requirement(app.config) if isinstance(app, Routes) else None


def configured_requirement(config: Mapping[str, t.Any]) -> Requirement[t.Any] | None:
    """What the configuration requires for all views, ``None`` where it says nothing.

    :raises SignatureError: if that is no requirement.
    """
    given = config.get(SECURITY)
    try:
        return None if given is None else read_security(given)
    except SignatureError as error:
        raise SignatureError(f"{SECURITY}: {error}") from None


def whole_requirement(
    target: Target,
    requirement: Requirement[t.Any] | None,
    dependencies: OperationDependencies | None,
) -> Requirement[t.Any] | None:
    """What the description says of a view: all that is required of a request to it.

    ``None`` where that is what is said for the whole application.

    :raises SignatureError: if two schemes have the same name.
    """
    parts = dependencies.needs.parts if dependencies is not None else ()
    demanded = [part for key, part in parts if key]
    if not demanded:
        return requirement if target.declaration.security is not UNSET else None
    if requirement is not None and any(requirement.alternatives):
        demanded.insert(0, requirement)
    # Two schemes of one name would be told apart by nobody who reads the description.
    Requirement("all", tuple(demanded))
    said = _without_implied(demanded)
    return all_of(said) if len(said) > 1 else said[0]


def _without_implied(parts: Iterable[Requirement[t.Any]]) -> list[Requirement[t.Any]]:
    """The parts that say something which the others don't say.

    A signature may repeat what its blueprint requires, or ask for scopes besides.
    """
    said: list[Requirement[t.Any]] = []
    for part in parts:
        found = part.alternatives
        if not any(implies(other.alternatives, found) for other in said):
            said = [other for other in said if not implies(found, other.alternatives)]
            said.append(part)
    return said


def check_registered(registry: Registry) -> None:
    """Refuse what is registered and not what the configuration says, by now.

    :raises SignatureError: if a requirement has the name of no scheme that describes,
        or the configuration's was another one when a view was registered.
    """
    required: Requirement[t.Any] | None = registry.settings.security
    if required is not None:
        registry.schemes.add(required)
    if problem := find_problem(registry, required):
        raise SignatureError(f"{SECURITY} {problem}")
    if required is not None and not any(leaf.scheme for leaf in required.leaves()):
        required = None
    for operation in registry.operations:
        view, security = operation.view_callable, operation.declaration.security
        rule = f"{operation.method} {operation.template.path}"
        if problem := find_problem(registry, security):
            problem = f"security= of {view.name} {problem}"
            raise SignatureError(locate(rule, problem, view))
        if security is UNSET and _enforced(operation.dependencies) != required:
            raise SignatureError(locate(rule, LATE.format(view.name), view))
    for guard in filter(None, [*registry.plain_guards.values()]):
        shown, place = repr(guard.name), guard.place
        if problem := find_problem(registry, guard.declaration.security):
            raise SignatureError(f"security= around {shown} {problem} ({place})")
        if guard.has_default and any(_enforced(x) != required for x in guard.known):
            raise SignatureError(f"{LATE.format(shown)} ({place})")


#: Why a requirement is refused that is known too late.
LATE: t.Final = (
    "SIGNATURE_SECURITY was given after {} was registered, so that nobody would check"
    " it. Set it before the routes are registered."
)


def _enforced(
    dependencies: OperationDependencies | None,
) -> Requirement[t.Any] | None:
    return None if dependencies is None else dependencies.needs.enforced


def find_problem(registry: Registry, security: t.Any) -> str:
    """What is wrong with the names in a requirement, ``""`` where nothing is.

    :param security: of a route or a blueprint, which may have none.
    """
    described = registry.settings.security_schemes
    given = registry.schemes.given
    for name in _schemes_named(security):
        if name in given:
            return (
                f"names {name!r}, which is a scheme that verifies, and a name"
                " only describes, so that nobody would check it. Pass the object."
            )
        if name not in described:
            nearest = get_close_matches(name, [*described, *given], n=1)
            hint = (
                f"Did you mean {nearest[0]!r}? If not, add it" if nearest else "Add it"
            )
            return (
                f"names {name!r}, which is no security scheme. {hint} to"
                " SIGNATURE_SECURITY_SCHEMES, or give a scheme such as"
                f" HTTPBearer({name!r}, verify=find_user)."
            )
    return ""


def _schemes_named(security: t.Any) -> list[str]:
    """The schemes that are given by their names alone."""
    leaves = security.leaves() if isinstance(security, Requirement) else ()
    return [leaf.name for leaf in leaves if leaf.scheme is None]
