"""The decorators of blueprints around what is not compiled: plain views, static files.

A guard that stands on a blueprint would be none if a plain blueprint inside of it, or
its folder of static files, could be reached without it.
"""

from __future__ import annotations

import typing as t

from ._registry import Guarded
from ._registry import Registry
from ._signature.unwrap import layers_of
from ._views import stand_for
from ._views import synchronous

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from ._routing.declaration import Declaration
    from ._views import ViewFunction


def guard_endpoint(app: Flask, endpoint: str) -> None:
    """Put the decorators of the blueprints around a view, unless it has them already.

    A view that was compiled for a blueprint has those of that time.
    """
    registry = Registry.of(app)
    view = app.view_functions.get(endpoint)
    around = registry.scopes_around(endpoint)
    scopes = [name for name, scope in around.items() if scope.decorators]
    known = registry.guarded.get(endpoint)
    if view is None or not scopes:
        return
    missing = scopes
    if known is not None and _holds(view, known.function):
        missing = [name for name in scopes if name not in known.scopes]
        if missing and view is known.function is not known.view:
            # A blueprint in between was registered since.
            view, missing = known.view, scopes
    if missing:
        function = _guard(app, view, [around[name] for name in missing])
        registry.guarded[endpoint] = Guarded(view, function, frozenset(scopes))
        app.view_functions[endpoint] = function


def _holds(view: ViewFunction, function: ViewFunction | None) -> bool:
    """Whether a view function is another, or a wrapper around it."""
    return any(layer is function for layer in layers_of(view))


def _guard(
    app: Flask, view: ViewFunction, scopes: Sequence[Declaration]
) -> ViewFunction:
    """A view inside of the decorators of blueprints, from the inside out."""
    call = synchronous(app, view)
    guarded = call if call is view else stand_for(view, call)
    for scope in scopes:
        guarded = scope.decorate(guarded)
    return guarded
