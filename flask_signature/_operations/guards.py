"""The decorators of blueprints around views that are not compiled.

A login that a blueprint requires also holds for its static files and for the plain
blueprints nested in it.
"""

from __future__ import annotations

import typing as t

from .._signature.unwrap import layers_of
from .registry import Registry
from .store import GuardedView
from .view_functions import synchronous
from .view_functions import wrap_view

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from .._routing.declaration import Declaration
    from .operation import ViewFunction


def guard_endpoint(app: Flask, endpoint: str) -> None:
    """Put the decorators of the blueprints around a view, unless it has them already.

    A view that was compiled has the decorators that its blueprints had by then.
    """
    registry = Registry.of(app)
    view = app.view_functions.get(endpoint)
    enclosing = registry.blueprints.enclosing(endpoint)
    scopes = [name for name, scope in enclosing.items() if scope.decorators]
    known = registry.functions.guarded.get(endpoint)
    if view is None or not scopes:
        return
    missing = scopes
    if known and any(layer is known.function for layer in layers_of(view)):
        missing = [name for name in scopes if name not in known.scopes]
        if missing and view is known.function is not known.view:
            # A blueprint in between has been registered since.
            view, missing = known.view, scopes
    if missing:
        function = _guard(app, view, [enclosing[name] for name in missing])
        registry.functions.guarded[endpoint] = GuardedView(
            view, function, frozenset(scopes)
        )
        app.view_functions[endpoint] = function


def _guard(
    app: Flask, view: ViewFunction, scopes: Sequence[Declaration]
) -> ViewFunction:
    """A view in the decorators of blueprints, which are given from the inside out."""
    call = synchronous(app, view)
    guarded = call if call is view else wrap_view(view, call)
    for scope in scopes:
        guarded = scope.decorate(guarded)
    return guarded
