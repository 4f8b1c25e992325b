"""Classes that a drawn application has in the place of Flask's, by name."""

from __future__ import annotations

import typing as t

import flask
from flask import session
from flask.ctx import _AppCtxGlobals
from flask.json.provider import DefaultJSONProvider
from flask.sessions import NullSession, SecureCookieSessionInterface, SessionInterface
from werkzeug.routing import BaseConverter, Map, Rule, ValidationError


class EvenConverter(BaseConverter):
    """A converter that refuses some values of its pattern."""

    regex = r"\d+"

    def to_python(self, value: str) -> int:
        if int(value) % 2:
            raise ValidationError()
        return int(value)


class SessionConverter(BaseConverter):
    """A converter that uses the session, and makes no string of its value."""

    def to_python(self, value: str) -> tuple[str, t.Any]:
        return value, session.get("count")

    def to_url(self, value: t.Any) -> str:
        return value[0] if isinstance(value, tuple) else str(value)


class FailingConverter(BaseConverter):
    def to_python(self, value: str) -> str:
        raise LookupError(value)


class SlashConverter(BaseConverter):
    regex = "[^.].*?"
    part_isolating = False
    weight = 50


CONVERTERS: dict[str, type[BaseConverter]] = {
    "even": EvenConverter,
    "session": SessionConverter,
    "failing": FailingConverter,
    "slashes": SlashConverter,
}


class Request(flask.Request):
    """A request with an attribute more, and a smaller limit."""

    max_content_length = 20

    @property
    def extra(self) -> str:
        return self.path.upper()


class EarlyRequest(flask.Request):
    """A request that says where it comes from, whatever the environ says."""

    def __init__(self, *args: t.Any, **kwargs: t.Any) -> None:
        super().__init__(*args, **kwargs)
        self.early = self.path

    @property
    def host(self) -> str:  # type: ignore[override]
        return "overridden.example"

    @host.setter
    def host(self, value: str) -> None:
        pass


class Response(flask.Response):
    default_mimetype = "text/plain"

    def get_wsgi_headers(self, environ: t.Any) -> t.Any:
        headers = super().get_wsgi_headers(environ)
        headers["X-Response-Class"] = "1"
        return headers


class HeaderSession(dict, flask.sessions.SessionMixin):  # type: ignore[type-arg]
    """A session that is kept in a header."""


class HeaderSessions(SessionInterface):
    def open_session(self, app: flask.Flask, request: flask.Request) -> t.Any:
        if "X-No-Session" in request.headers:
            return None
        return HeaderSession(count=request.headers.get("X-Count", 0, int))

    def save_session(self, app: t.Any, session: t.Any, response: t.Any) -> None:
        response.headers["X-Count"] = str(session.get("count"))


class OwnCookieSessions(SecureCookieSessionInterface):
    """Flask's sessions, with another salt and another cookie."""

    salt = "own"

    def get_cookie_name(self, app: flask.Flask) -> str:
        return "own_session"


class SilentSessions(SecureCookieSessionInterface):
    def should_set_cookie(self, app: flask.Flask, session: t.Any) -> bool:
        return False

    def is_null_session(self, obj: object) -> bool:
        return isinstance(obj, NullSession)


class FailingSessions(SecureCookieSessionInterface):
    def open_session(self, app: flask.Flask, request: flask.Request) -> t.Any:
        if "X-Fail" in request.headers:
            raise LookupError("no session")
        return super().open_session(app, request)


class OwnRule(Rule):
    def build(self, values: t.Any, append_unknown: bool = True) -> t.Any:
        return super().build({**values}, append_unknown)


class OwnMap(Map):
    def bind(self, *args: t.Any, **kwargs: t.Any) -> t.Any:
        return super().bind(*args, **kwargs)


class Globals(_AppCtxGlobals):
    """A namespace that has something in it from the start."""

    def __init__(self) -> None:
        self.start = "g"


class SpacedJSON(DefaultJSONProvider):
    compact = False
    sort_keys = False


#: What the class of an application has, by the name of the customization.
CLASSES: dict[str, dict[str, t.Any]] = {
    "request": {"request_class": Request},
    "early request": {"request_class": EarlyRequest},
    "response": {"response_class": Response},
    "header sessions": {"session_interface": HeaderSessions()},
    "own cookie": {"session_interface": OwnCookieSessions()},
    "silent sessions": {"session_interface": SilentSessions()},
    "failing sessions": {"session_interface": FailingSessions()},
    "rule": {"url_rule_class": OwnRule},
    "map": {"url_map_class": OwnMap},
    "globals": {"app_ctx_globals_class": Globals},
    "json": {"json_provider_class": SpacedJSON},
}
