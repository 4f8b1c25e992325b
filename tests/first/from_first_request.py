"""A pytest plugin: requests are responded to by our cycle from the first one on.

The first request to an application is Flask's otherwise, and most tests send but one.
Load it with ``-p from_first_request``; our own tests import it where the environment
has ``FROM_FIRST_REQUEST``.
"""

from __future__ import annotations

import typing as t

from werkzeug.routing import Map

from flask_signature._cycle.application import FastFlask

wsgi_app = FastFlask.wsgi_app

# What a test puts in its place counts the calls of requests alone.
update = Map.update


def respond(app: t.Any, environ: t.Any, start_response: t.Any) -> t.Any:
    """What ``wsgi_app()`` returns to a request that is not the first."""
    if not app._got_first_request:
        app._got_first_request = True
        # Flask puts the rules in their order when it matches the first request.
        update(app.url_map)
    return wsgi_app(app, environ, start_response)


FastFlask.wsgi_app = respond  # type: ignore[method-assign]
