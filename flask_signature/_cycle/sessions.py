"""Flask's sessions, with a signer that is kept, and only for those who have one."""

from __future__ import annotations

import typing as t
from operator import is_

import flask
import werkzeug
from flask import Request
from flask.sessions import NullSession
from flask.sessions import SecureCookieSession
from flask.sessions import SecureCookieSessionInterface
from werkzeug.datastructures import ImmutableMultiDict

from .._http.originals import Originals
from .._http.originals import find_original

if t.TYPE_CHECKING:
    from flask import Flask
    from flask import Response
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

#: The methods whose work is left out here, or that would be called for it.
GET_SIGNER: t.Final = find_original(
    flask, SecureCookieSessionInterface, "get_signing_serializer"
)
OPEN: t.Final = find_original(flask, SecureCookieSessionInterface, "open_session")
SAVE: t.Final = find_original(flask, SecureCookieSessionInterface, "save_session")
GET_NAME: t.Final = find_original(
    flask, SecureCookieSessionInterface, "get_cookie_name"
)

MAKE_NULL: t.Final = find_original(
    flask, SecureCookieSessionInterface, "make_null_session"
)

#: The constructor of a session that can't be saved, and the attribute that it sets.
INIT_NULL: t.Final = find_original(flask, NullSession, "__init__")
ON_UPDATE: t.Final = NullSession().on_update
SETS_ON_UPDATE: t.Final = vars(NullSession()).keys() == {"on_update"}

#: How a request reads its cookies, and what it finds where there are none.
READ_COOKIES: t.Final = find_original(werkzeug, Request, "cookies")
NO_COOKIES: t.Final[ImmutableMultiDict[str, str]] = ImmutableMultiDict()

#: What holds keys that were used before. Flask 3.0 has none.
KINDS_OF_FALLBACKS: t.Final = (type(None), list, tuple)

#: Where an application keeps its signer, and what that was made of.
SIGNER: t.Final = "_session_signer"


class SessionInterface(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, which cost less where there is none.

    .. versionadded:: 0.2
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The signer of an application, made anew when its keys have changed."""
        secret_key = app.secret_key
        fallbacks = app.config.get("SECRET_KEY_FALLBACKS") or ()
        if (
            not secret_key
            or type(fallbacks) not in KINDS_OF_FALLBACKS
            or not self._may_act(app)
        ):
            return super().get_signing_serializer(app)
        options = (self.salt, self.key_derivation, self.digest_method, self.serializer)
        # Whether the serializer makes text is found out with the JSON of the time.
        made_of = (app.json, *options, secret_key, *fallbacks)
        known, signer = vars(app).get(SIGNER, ((), None))
        # By identity: some wrappers are equal to what they wrap.
        if len(known) != len(made_of) or not all(map(is_, known, made_of)):
            signer = super().get_signing_serializer(app)
            vars(app)[SIGNER] = (made_of, signer)
        return t.cast("URLSafeTimedSerializer | None", signer)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """None without a key, and an empty one for a request without cookies."""
        if not self._may_act(app):
            return super().open_session(app, request)
        if not app.secret_key:
            return None
        if (
            "HTTP_COOKIE" in request.environ
            or SessionInterface.get_cookie_name is not GET_NAME
            or type(request) is not Request
            or Request.cookies is not READ_COOKIES
            or Request.dict_storage_class is not ImmutableMultiDict
            # Of others a signer may not be made, which is seen when it is.
            or type(app.config.get("SECRET_KEY_FALLBACKS")) not in KINDS_OF_FALLBACKS
            or "cookies" in vars(request)
        ):
            return super().open_session(app, request)
        # As if they had been asked for: they are not read from the environ any more.
        vars(request)["cookies"] = NO_COOKIES
        return self.session_class()

    def save_session(
        self, app: Flask, session: SessionMixin, response: Response
    ) -> None:
        """Nothing is saved of an empty session that nobody has used."""
        # By type first: where none could be opened, it is None.
        if (
            type(session) is not SecureCookieSession
            or session.accessed
            or session
            or session.modified
            or not self._may_act(app)
            or not COOKIES.are_in_place()
        ):
            super().save_session(app, session, response)

    def _may_act(self, app: Flask) -> bool:
        """Whether the methods are those of Flask, or of this class."""
        return (
            getattr(app, "fast_dispatch", False)
            and getattr(app, "_may_be_fast", False)
            and type(self) is SessionInterface
            and SessionInterface.get_signing_serializer is GET_OUR_SIGNER
            and SecureCookieSessionInterface.get_signing_serializer is GET_SIGNER
            and SecureCookieSessionInterface.open_session is OPEN
            and SecureCookieSessionInterface.save_session is SAVE
            and not self.__dict__
        )


def make_null_session(interface: t.Any, app: Flask) -> t.Any:
    """What ``interface.make_null_session(app)`` returns, with a function for all."""
    if (
        type(interface).make_null_session is not MAKE_NULL
        or interface.null_session_class is not NullSession
        or NullSession.__init__ is not INIT_NULL
        or interface.__dict__
        or not SETS_ON_UPDATE
    ):
        return interface.make_null_session(app)
    session = NullSession.__new__(NullSession)
    session.on_update = ON_UPDATE
    return session


GET_OUR_SIGNER: t.Final = SessionInterface.get_signing_serializer

#: From Flask 3.1 a cookie may be partitioned.
HAS_PARTITIONED: t.Final = "get_cookie_partitioned" in dir(SessionInterface)

#: The methods that say what the cookie is like.
COOKIES: t.Final = Originals(
    flask,
    SessionInterface,
    "get_cookie_domain",
    "get_cookie_httponly",
    "get_cookie_name",
    *(["get_cookie_partitioned"] if HAS_PARTITIONED else []),
    "get_cookie_path",
    "get_cookie_samesite",
    "get_cookie_secure",
)
