"""Who may call a view: what ``security=`` says, with the schemes that it names.

What is declared for a route, or for the application, goes in; a requirement whose names
are resolved comes out.
"""

from __future__ import annotations

import typing as t

from .._sentinel import UNSET
from .._signature.source import locate
from ..exceptions import SignatureError
from ..security import Requirement
from ..security import SecurityScheme
from ..security.alternatives import implies
from ..security.requirement import all_of
from ..security.requirement import any_of
from ..security.spelling import read_security
from .decorators import Routes
from .registry import SCHEMES
from .registry import SECURITY

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Flask

    from .._dependencies.operation import OperationDependencies
    from .._routing.declaration import Declaration
    from .named_schemes import NamedSchemes
    from .registration import Target
    from .registry import Registry


def requirement_of(target: Target) -> Requirement[t.Any] | None:
    """Who may call a view, ``None`` where nothing says it.

    :raises SignatureError: if the configuration holds no requirement, or a name means
        two schemes.
    """
    registration, declared = target.registration, target.declaration.security
    registry = registration.registry
    if declared is not UNSET:
        # A name may mean a scheme beside it.
        registry.schemes.add([declared])
    config = configured(registration.app, registry)
    return find_requirement(registry, target.declaration, config)


def configured(app: Flask, registry: Registry) -> Mapping[str, t.Any]:
    """What the configuration says of security, empty where no application of ours is.

    What ``init_app()`` has read counts, whatever is set afterwards.
    """
    if not isinstance(app, Routes):
        return {}
    if not registry.initialized:
        return app.config
    settings = registry.settings
    return {SECURITY: settings.security, SCHEMES: settings.security_schemes}


def find_requirement(
    registry: Registry, declaration: Declaration, config: Mapping[str, t.Any]
) -> Requirement[t.Any] | None:
    """Who may call a view, as it is declared or configured.

    :param config: of the application, empty where that is none of ours.
    :raises SignatureError: as :func:`requirement_of`.
    """
    declared = declaration.security
    if declared is UNSET:
        declared = configured_requirement(config)
        if declared is None:
            return None
    found = _resolve(declared, registry.schemes, config)
    leaves = [*found.leaves()]
    if leaves and not config and all(leaf.scheme is None for leaf in leaves):
        raise SignatureError(UNDESCRIBED.format(leaves[0].name))
    return found


#: Why a name is refused on a plain ``flask.Flask``.
UNDESCRIBED: t.Final = (
    "security= names {0!r}, but flask.Flask has no description, and a name checks"
    " nothing. Write a scheme such as HTTPBearer({0!r}, verify=find_user), or use"
    " flask_signature.Flask."
)


def configured_requirement(config: Mapping[str, t.Any]) -> Requirement[t.Any] | None:
    """What the configuration requires for all views, ``None`` where it says nothing.

    :raises SignatureError: if that is no requirement.
    """
    given = config.get(SECURITY)
    try:
        return None if given is None else read_security(given)
    except SignatureError as error:
        raise SignatureError(f"{SECURITY}: {error}") from None


def _configured_schemes(
    name: str, config: Mapping[str, t.Any]
) -> list[SecurityScheme[t.Any]]:
    """The schemes of a name in the configuration, which may have OpenAPI's objects."""
    requirement, schemes = configured_requirement(config), config.get(SCHEMES)
    found = [schemes.get(name)] if isinstance(schemes, dict) else []
    leaves = requirement.leaves() if requirement is not None else ()
    found += [leaf.scheme for leaf in leaves if leaf.name == name]
    return [scheme for scheme in found if isinstance(scheme, SecurityScheme)]


def _resolve(
    requirement: Requirement[t.Any], known: NamedSchemes, config: Mapping[str, t.Any]
) -> Requirement[t.Any]:
    """The requirement with schemes in the place of names, as far as they are known."""
    if all(leaf.scheme is not None for leaf in requirement.leaves()):
        return requirement
    if requirement.kind == "scheme":
        name = requirement.name
        scheme = known.find(name, _configured_schemes(name, config))
        return scheme.scopes(*requirement.scope_names) if scheme else requirement
    members = [item and _resolve(item, known, config) for item in requirement.members]
    return all_of(members) if requirement.kind == "all" else any_of(members)


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


def check_enforced(registry: Registry, config: Mapping[str, t.Any]) -> None:
    """Refuse a requirement that was another one when a view was registered.

    :raises SignatureError: if nobody would check what is required now.
    """
    for operation in registry.operations:
        requirement = find_requirement(registry, operation.declaration, config)
        if name := _find_change(requirement, [operation.dependencies]):
            view = operation.view_callable
            is_default = operation.declaration.security is UNSET
            given = SECURITY if is_default else f"The scheme {name!r}"
            rule = f"{operation.method} {operation.template.path}"
            raise SignatureError(locate(rule, LATE.format(given, view.name), view))
    for guard in filter(None, [*registry.plain_guards.values()]):
        if name := _find_change(guard.requirement(), guard.known):
            problem = LATE.format(f"The scheme {name!r}", repr(guard.name))
            raise SignatureError(f"{problem} ({guard.place})")


#: Why a requirement is refused that is known too late.
LATE: t.Final = (
    "{} was given after {} was registered, so that nobody would check it. Set it before"
    " the routes are registered."
)


def _find_change(
    requirement: Requirement[t.Any] | None,
    compiled: Iterable[OperationDependencies | None],
) -> str:
    """The name of a scheme in a requirement that is not what is enforced.

    ``""`` where nothing has changed.
    """
    wanted = [*requirement.leaves()] if requirement is not None else []
    if not any(leaf.scheme and leaf.scheme.verifies for leaf in wanted):
        requirement = None
    for item in compiled:
        enforced = item.needs.enforced if item is not None else None
        if enforced != requirement:
            leaves = (requirement or enforced or any_of([])).leaves()
            return next(leaf.name for leaf in leaves)
    return ""
