"""Flask's sessions in signed cookies, with a signer that is kept."""

from __future__ import annotations

import typing as t
from operator import is_

import flask
from flask.sessions import SecureCookieSessionInterface

from .._http.originals import find_original

if t.TYPE_CHECKING:
    from flask import Flask
    from itsdangerous import URLSafeTimedSerializer


#: Flask's method, which is called where it has been replaced.
GET_SIGNER: t.Final = find_original(
    flask, SecureCookieSessionInterface, "get_signing_serializer"
)

#: What holds keys that were used before. Flask 3.0 has none.
KINDS_OF_FALLBACKS: t.Final = (type(None), list, tuple)

#: Where an application keeps its signer, and what that was made of.
SIGNER: t.Final = "_session_signer"


class SessionInterface(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, whose signer is made once.

    .. versionadded:: 0.2
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The signer of an application, made anew when its keys have changed."""
        secret_key = app.secret_key
        fallbacks = app.config.get("SECRET_KEY_FALLBACKS") or ()
        if (
            not secret_key
            or type(fallbacks) not in KINDS_OF_FALLBACKS
            or type(self) is not SessionInterface
            or not getattr(app, "fast_dispatch", False)
            or not getattr(app, "_may_be_fast", False)
            or SecureCookieSessionInterface.get_signing_serializer is not GET_SIGNER
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


#: Those of all applications that have no others.
OUR_SESSIONS: t.Final = SessionInterface()

#: The row of the method. A wrapper that is put into the class later is another one.
OWN_SIGNER: t.Final = SessionInterface.get_signing_serializer
