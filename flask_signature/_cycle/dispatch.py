"""The view of a request, found and called."""

from __future__ import annotations

import typing as t

import flask
from flask import Flask

from .._http.originals import find_original
from .versions import PASSES_CONTEXT

#: The method whose work is done here.
DISPATCH_REQUEST: t.Final = find_original(flask, Flask, "dispatch_request")


def dispatch_request(context: t.Any) -> t.Any:
    """What ``app.dispatch_request()`` does for the request of a context."""
    app, request = context.app, context.request
    if request.routing_exception is not None:
        app.raise_routing_exception(request)
    rule = request.url_rule
    if request.method == "OPTIONS" and getattr(
        rule, "provide_automatic_options", False
    ):
        passed = (context,) if PASSES_CONTEXT else ()
        return app.make_default_options_response(*passed)
    return app.ensure_sync(app.view_functions[rule.endpoint])(**request.view_args)
