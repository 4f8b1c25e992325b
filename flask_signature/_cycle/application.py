"""The application whose requests take fewer steps, where nobody can tell."""

from __future__ import annotations

import typing as t

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from werkzeug import routing

from ..exceptions import SignatureError
from .sessions import SessionInterface
from .versions import IS_KNOWN
from .versions import PASSES_CONTEXT

# These import what is not documented, and so what a later Flask may have renamed.
if IS_KNOWN:
    from .matching import Map
    from .request_cycle import may_run
    from .request_cycle import run
    from .url_adapter import create_url_adapter

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse
    from _typeshed.wsgi import WSGIEnvironment
    from flask import Request
    from flask.sessions import SessionInterface as FlaskSessionInterface


OUR_SESSIONS: t.Final = SessionInterface()


class FastFlask(Flask):
    """A :class:`flask.Flask` that spends less on each request, and changes nothing."""

    #: Whether requests take fewer steps than Flask's own where nobody can tell. A
    #: subclass may say ``False``, as may an instance, at any time.
    fast_dispatch: bool = True

    url_map_class: type[routing.Map] = Map if IS_KNOWN else routing.Map
    session_interface: FlaskSessionInterface = OUR_SESSIONS

    #: Whether Flask is known, and its own class the next to inherit methods from.
    _may_be_fast: bool = IS_KNOWN

    def __init__(
        self, *args: t.Any, fast_dispatch: bool | None = None, **options: t.Any
    ) -> None:
        if fast_dispatch is not None:
            if not isinstance(fast_dispatch, bool):
                raise SignatureError(
                    f"fast_dispatch={fast_dispatch!r} is neither True nor False. Write"
                    " False for Flask's own cycle of a request, or leave it out for"
                    " what the class says."
                )
            self.fast_dispatch = fast_dispatch
        self._keep_what_others_chose()
        super().__init__(*args, **options)

    def __init_subclass__(cls, **options: t.Any) -> None:
        super().__init_subclass__(**options)
        following = cls.__mro__[cls.__mro__.index(FastFlask) + 1]
        cls._may_be_fast = (
            IS_KNOWN
            and following is Flask
            # An own one is asked for each method.
            and cls.__getattribute__ is Flask.__getattribute__
        )

    def _keep_what_others_chose(self) -> None:
        """Use what stands in Flask's class, or in one between, in place of its own."""
        cls: t.Any = type(self)
        maps, sessions = super().url_map_class, super().session_interface
        if maps is not routing.Map and cls.url_map_class is FastFlask.url_map_class:
            self.url_map_class = maps
        is_usual = type(sessions) is SecureCookieSessionInterface and not vars(sessions)
        if not is_usual and cls.session_interface is OUR_SESSIONS:
            self.session_interface = sessions

    def create_url_adapter(self, request: Request | None) -> routing.MapAdapter | None:
        """The URL adapter of a request, as :meth:`flask.Flask.create_url_adapter`."""
        if request is None:
            return super().create_url_adapter(None)
        if self.fast_dispatch and self._may_be_fast:
            adapter = create_url_adapter(self, request)
            if adapter is not None:
                return adapter
        return super().create_url_adapter(request)

    def wsgi_app(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Respond to a request, as :meth:`flask.Flask.wsgi_app` does."""
        if self.fast_dispatch and self._may_be_fast and may_run(self):
            return run(self, environ, start_response)
        return super().wsgi_app(environ, start_response)

    def _dispatch_in(self, context: t.Any) -> t.Any:
        """What ``dispatch_request()`` returns for the request of a context."""
        return self.dispatch_request(*((context,) if PASSES_CONTEXT else ()))
