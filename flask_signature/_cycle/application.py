"""The application whose requests take fewer steps, unobservably."""

from __future__ import annotations

import typing as t
from threading import RLock

from flask import Flask
from flask.json.provider import DefaultJSONProvider
from flask.sessions import SecureCookieSessionInterface
from werkzeug import routing

from .._common import classes_with
from .._http.originals import IS_KNOWN, PASSES_CONTEXT
from ..exceptions import SignatureError

# These import what is not documented, and so what a later Flask may have renamed.
if IS_KNOWN:
    from .contexts import OUR_SESSIONS
    from .cycle import may_run, run
    from .matching import Map

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Response
    from flask.sessions import SessionInterface as FlaskSessionInterface

    from .._http.response import WrittenBody
    from .matching import RuleEntry


#: Held while it is decided, and while what decides is set.
LOCK: t.Final = RLock()

#: What Flask's class has unless another was set.
USUAL_CLASSES: t.Final = {
    "json_provider_class": DefaultJSONProvider,
    "url_map_class": routing.Map,
    "url_rule_class": routing.Rule,
}


class FastFlask(Flask):
    """A :class:`flask.Flask` that spends less on each request, and changes nothing."""

    #: Whether requests take fewer steps than Flask's own, unobservably. A
    #: subclass may say ``False``, as may an instance, at any time.
    fast_dispatch: bool = True

    if IS_KNOWN:
        url_map_class: type[routing.Map] = Map
        session_interface: FlaskSessionInterface = OUR_SESSIONS

    #: What the attributes of the application decide, until one of them is set.
    _may_run: bool | None = None

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
            # These note what is set, and deleted.
            and cls.__setattr__ is FastFlask.__setattr__
            and cls.__delattr__ is FastFlask.__delattr__
        )

    def __setattr__(self, name: str, value: t.Any) -> None:
        with LOCK:
            super().__setattr__(name, value)
            # Flask sets this one for each request.
            if name != "_got_first_request":
                vars(self)["_may_run"] = None

    def __delattr__(self, name: str) -> None:
        with LOCK:
            super().__delattr__(name)
            vars(self)["_may_run"] = None

    def _keep_what_others_chose(self) -> None:
        """Use what is set in Flask's class, or in one between, in place of its own."""
        cls, sessions = type(self), super().session_interface
        for name, usual in USUAL_CLASSES.items():
            theirs = getattr(super(), name)
            first = next(classes_with(cls, name))
            is_ours = first.__module__.startswith("flask_signature.")
            if is_ours and theirs is not usual:
                setattr(self, name, theirs)
        is_usual = type(sessions) is SecureCookieSessionInterface and not vars(sessions)
        if IS_KNOWN and not is_usual and cls.session_interface is OUR_SESSIONS:
            self.session_interface = sessions

    def wsgi_app(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Respond to a request, as :meth:`flask.Flask.wsgi_app` does."""
        if IS_KNOWN and self.fast_dispatch:
            sent = run(self, environ, start_response)
            if sent is not None:
                return sent
        return super().wsgi_app(environ, start_response)

    def _decide(self) -> bool:
        with LOCK:
            decided = vars(self)["_may_run"] = may_run(self)
        return decided

    def _dispatch_in(self, context: t.Any, entry: RuleEntry) -> t.Any:
        """What ``dispatch_request()`` returns for the request of a context, or a body.

        :param entry: the rule that has matched.
        """
        return self.dispatch_request(*((context,) if PASSES_CONTEXT else ()))

    def _make(self, value: t.Any) -> WrittenBody | Response:
        """The response to what was returned, or the body of one."""
        return self.make_response(value)
