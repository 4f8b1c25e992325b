"""A cookie that a response sets."""

from __future__ import annotations

import re
import typing as t
from dataclasses import KW_ONLY, dataclass

from pydantic_core import core_schema
from werkzeug.http import dump_cookie

from ._common import TOKEN

if t.TYPE_CHECKING:
    from datetime import datetime, timedelta

#: What ends an attribute of a cookie. Source: RFC 6265, 4.1.1.
ENDS_ATTRIBUTE: t.Final = re.compile(r"[;\x00-\x1f\x7f]")

#: The name of a cookie. Source: RFC 6265, 4.1.1.
COOKIE_NAME: t.Final = re.compile(TOKEN)


@dataclass(frozen=True, slots=True)
class SetCookie:
    """A cookie among the headers of a response, with Werkzeug's attributes.

    ::

        class LoggedIn(TypedDict):
            set_cookie: list[SetCookie]

        @app.post("/login")
        def log_in(user: UserIn) -> tuple[User, Literal[200], LoggedIn]:
            cookie = SetCookie("sid", new_session(user), httponly=True, samesite="Lax")
            return user, 200, {"set_cookie": [cookie]}

    :param key: the name of the cookie.
    :param value: quoted where a cookie can't have its characters.
    :param max_age: how long the client keeps it, in seconds; 0 deletes it, and without
        it the client forgets it with its session.
    :param expires: until when the client keeps it: a datetime or a Unix timestamp.
    :param path: where it is sent: here and below.
    :param domain: to whose subdomains it is sent, too.
    :param secure: whether it is sent over HTTPS only.
    :param httponly: whether scripts can't read it.
    :param samesite: whether it is sent with requests from other sites.
    :param partitioned: whether each site that embeds this one has its own. Needs
        Werkzeug 3.1.
    :raises ValueError: if the name or an attribute can't be in a cookie.

    Source: RFC 6265, 4.1, and ``werkzeug.http.dump_cookie``.

    .. versionadded:: 0.2
    """

    key: str
    value: str = ""
    _: KW_ONLY
    max_age: timedelta | int | None = None
    expires: datetime | float | str | None = None
    path: str | None = "/"
    domain: str | None = None
    secure: bool = False
    httponly: bool = False
    samesite: t.Literal["Strict", "Lax", "None"] | None = None
    partitioned: bool = False

    def __post_init__(self) -> None:
        if not COOKIE_NAME.fullmatch(self.key):
            raise ValueError(f"{self.key!r} can't be the name of a cookie.")
        for name in ("domain", "expires"):
            if ENDS_ATTRIBUTE.search(str(getattr(self, name))):
                raise ValueError(f"A cookie can't have the {name} it was given.")
        str(self)

    def __str__(self) -> str:
        """The value of the ``Set-Cookie`` header."""
        # Werkzeug 3.0 does not know it.
        newer = {"partitioned": True} if self.partitioned else {}
        return dump_cookie(
            self.key,
            self.value,
            max_age=self.max_age,
            expires=self.expires,
            path=self.path,
            domain=self.domain,
            secure=self.secure,
            httponly=self.httponly,
            samesite=self.samesite,
            **newer,
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: t.Any, handler: t.Any) -> t.Any:
        """A string, which Pydantic writes and never reads.

        Source: Pydantic, Custom types.
        """
        return core_schema.is_instance_schema(
            cls, serialization=core_schema.to_string_ser_schema(when_used="always")
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: t.Any, handler: t.Any) -> t.Any:
        """The schema of the header's value."""
        return {"type": "string"}
