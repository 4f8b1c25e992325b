"""Who may call a view: what ``security=`` says, with the schemes that it names.

What is declared for a route, or for the application, goes in; a requirement whose names
are resolved comes out.
"""

from __future__ import annotations

import typing as t

from .._sentinel import UNSET
from .._signature.source import locate
from .._signature.source import source_location
from ..exceptions import SignatureError
from ..security import Requirement
from ..security import SecurityScheme
from ..security.alternatives import implies
from ..security.requirement import all_of
from ..security.requirement import any_of
from ..security.spelling import read_security
from .decorators import Routes

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Flask

    from .._dependencies.operation import OperationDependencies
    from .._routing.declaration import Declaration
    from .registration import Target
    from .registry import Registry

#: The keys of the configuration, which are read before ``init_app()`` is called.
SECURITY: t.Final = "SIGNATURE_SECURITY"
SCHEMES: t.Final = "SIGNATURE_SECURITY_SCHEMES"


def requirement_of(target: Target) -> Requirement[t.Any] | None:
    """Who may call a view, ``None`` where nothing says it.

    :raises SignatureError: if the configuration holds no requirement.
    """
    registration = target.registration
    config = configured(registration.app, registration.registry)
    found = find_requirement(registration.registry, target.declaration, config)
    if found is not None:
        _check_named(registration.registry, found)
    return found


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


def _check_named(registry: Registry, requirement: Requirement[t.Any]) -> None:
    """Refuse a scheme that verifies where another view has named it before.

    :raises SignatureError: if nobody would check the requests of that one.
    """
    for leaf in requirement.leaves():
        if leaf.scheme is None:
            registry.unresolved.add(leaf.name)
        elif leaf.scheme.verifies and leaf.name in registry.unresolved:
            raise SignatureError(
                f"security= has the scheme {leaf.name!r}, which another view has named"
                " before it was known, so that nobody would check it there. Write the"
                " scheme itself on that view."
            )


def find_requirement(
    registry: Registry, declaration: Declaration, config: Mapping[str, t.Any]
) -> Requirement[t.Any] | None:
    """Who may call a view, as it is declared or configured.

    :param config: of the application, empty where that is none of ours.
    """
    declared = declaration.security
    if declared is UNSET:
        given = config.get(SECURITY)
        if given is None:
            return None
        declared = read_security(given)
        if not declared.alternatives:
            return None
    if all(leaf.scheme is not None for leaf in declared.leaves()):
        return t.cast("Requirement[t.Any]", declared)
    return _resolve(declared, _known_schemes(registry, config))


def _known_schemes(
    registry: Registry, config: Mapping[str, t.Any]
) -> dict[str, SecurityScheme[t.Any]]:
    """The schemes that a name may mean: of other requirements, and configured ones."""
    found: dict[str, SecurityScheme[t.Any]] = {}
    declared = [scope.security for scope in registry.blueprints.declared.values()]
    declared += [operation.declaration.security for operation in registry.operations]
    for requirement in declared:
        if isinstance(requirement, Requirement):
            for leaf in requirement.leaves():
                if leaf.scheme is not None:
                    found.setdefault(leaf.name, leaf.scheme)
    configured = config.get(SCHEMES)
    if isinstance(configured, dict):
        for name, scheme in configured.items():
            if isinstance(scheme, SecurityScheme):
                found[name] = scheme
            else:
                # An object of OpenAPI, which describes.
                found.pop(name, None)
    return found


def _resolve(
    requirement: Requirement[t.Any], known: Mapping[str, SecurityScheme[t.Any]]
) -> Requirement[t.Any]:
    """The requirement with schemes in the place of names, as far as they are known."""
    if requirement.kind == "scheme":
        scheme = known.get(requirement.name)
        if requirement.scheme is not None or scheme is None:
            return requirement
        return scheme.scopes(*requirement.scope_names)
    members = [item and _resolve(item, known) for item in requirement.members]
    return all_of(members) if requirement.kind == "all" else any_of(members)


def whole_requirement(
    target: Target,
    requirement: Requirement[t.Any] | None,
    dependencies: OperationDependencies | None,
) -> Requirement[t.Any] | None:
    """What the description says of a view: all that is required of a request to it.

    ``None`` where that is what is said for the whole application.
    """
    parts = dependencies.needs.parts if dependencies is not None else ()
    demanded = [part for key, part in parts if key]
    if not demanded:
        return requirement if target.declaration.security is not UNSET else None
    if requirement is not None and requirement.alternatives:
        demanded.insert(0, requirement)
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
    """Refuse a requirement that was not known when a view was registered.

    :raises SignatureError: if a scheme that verifies would let everybody in.
    """
    for operation in registry.operations:
        requirement = find_requirement(registry, operation.declaration, config)
        known = [operation.dependencies] if operation.dependencies else []
        if name := _find_unchecked(requirement, known):
            view = operation.view_callable
            is_default = operation.declaration.security is UNSET
            given = SECURITY if is_default else f"The scheme {name!r}"
            rule = f"{operation.method} {operation.template.path}"
            raise SignatureError(locate(rule, LATE.format(given, view.name), view))
    for guard in registry.plain_guards:
        if name := _find_unchecked(guard.requirement(), guard.known):
            problem = LATE.format(f"The scheme {name!r}", repr(guard.name))
            raise SignatureError(f"{problem} ({source_location(guard.view)})")


#: Why a requirement is refused that is known too late.
LATE: t.Final = (
    "{} was given after {} was registered, so that nobody would check it. Set it before"
    " the routes are registered."
)


def _find_unchecked(
    requirement: Requirement[t.Any] | None, known: list[OperationDependencies]
) -> str:
    """The name of a scheme that verifies and that nobody asks, ``""`` without one."""
    for leaf in requirement.leaves() if requirement else ():
        scheme = leaf.scheme
        verifies = scheme is not None and scheme.verifies
        if verifies and not all(id(scheme) in item.needs.schemes for item in known):
            return leaf.name
        if verifies and not known:
            return leaf.name
    return ""
