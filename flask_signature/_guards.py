"""The decorators of blueprints around what is not compiled: plain views, static files.

A guard that stands on a blueprint would be none if a plain blueprint inside of it, or
its folder of static files, could be reached without it.
"""

from __future__ import annotations

import typing as t

from ._registry import Guarded
from ._registry import Registry
from ._signature import layers_of
from ._views import enclosing
from ._views import stand_for
from ._views import synchronous

if t.TYPE_CHECKING:
    from flask import Flask

    from ._views import ViewFunction


def guard_endpoint(app: Flask, endpoint: str) -> None:
    """Put the decorators of the blueprints around a view, unless it has them already.

    A view that is compiled for a blueprint has them.
    """
    registry = Registry.of(app)
    view = app.view_functions.get(endpoint)
    scopes = [
        registry.scopes[name]
        for name in enclosing(endpoint.rpartition(".")[0])
        if name in registry.scopes
    ]
    if view is None or _has_guards(registry, endpoint, view):
        return
    function = synchronous(app, view)
    guarded = function if function is view else stand_for(view, function)
    for scope in scopes:
        guarded = scope.decorate(guarded)
    if any(scope.decorators for scope in scopes):
        registry.guarded[endpoint] = Guarded(view, guarded)
        app.view_functions[endpoint] = guarded


def _has_guards(registry: Registry, endpoint: str, view: ViewFunction) -> bool:
    """Whether a view function, or one inside of it, was made for its endpoint."""
    made = [registry.installed.get(endpoint)]
    if endpoint in registry.guarded:
        made.append(registry.guarded[endpoint].function)
    return any(layer is function for layer in layers_of(view) for function in made)
