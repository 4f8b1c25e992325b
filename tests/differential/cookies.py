"""Cookies that requests send, and those of responses without the time of day."""

from __future__ import annotations

import hashlib
import re
import typing as t
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from flask.sessions import session_json_serializer
from itsdangerous import BadSignature, URLSafeTimedSerializer

KEYS = ("key-a", "key-b", "key-c")
COOKIE = re.compile(r"^([^=]*)=([^;]*)")
EXPIRES = re.compile(r"(?<=Expires=)[^;]*")


def serializer(key: str) -> URLSafeTimedSerializer:
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha1}
    return URLSafeTimedSerializer(
        key,
        salt="cookie-session",
        serializer=session_json_serializer,
        signer_kwargs=options,
    )


def signed(key: str, value: t.Any) -> str:
    return f"session={serializer(key).dumps(value)}"


#: What a request may send beside the cookies that it was given.
COOKIES: dict[str, Callable[[], str]] = {
    "other": lambda: "other=1",
    "garbage": lambda: "session=garbage",
    "empty": lambda: "session=",
    "no value": lambda: "session",
    "dots": lambda: "session=.a.b.c",
    "unicode": lambda: "session=\xc3\xa4; \xc3\xa4=1",
    "quoted": lambda: f'session="{serializer("key-a").dumps({"count": 4})}"',
    "signed a": lambda: signed("key-a", {"count": 5}),
    "signed b": lambda: signed("key-b", {"count": 6}),
    "signed c": lambda: signed("key-c", {"count": 7}),
    "no mapping": lambda: signed("key-a", [1, 2]),
    "similar": lambda: "xsession=1; session2=2",
    "spaces": lambda: " ; session = 1;;",
}


def timeless(line: str) -> str:
    """A ``Set-Cookie`` without the time that it was made at."""
    name, value = COOKIE.match(line).groups()  # type: ignore[union-attr]
    parts = value.rsplit(".", 2)
    if len(parts) == 3:
        known = [key for key in KEYS if is_signed(key, value)]
        line = COOKIE.sub(f"{name}={parts[0]} signed with {known}", line)

    def until(match: re.Match[str]) -> str:
        left = parsedate_to_datetime(match[0]) - datetime.now(timezone.utc)
        if left.total_seconds() < 0:
            return match[0]
        return f"{round(left.total_seconds() / 60)} minutes"

    return EXPIRES.sub(until, line)


def is_signed(key: str, value: str) -> bool:
    try:
        serializer(key).loads(value)
    except BadSignature:
        return False
    return True


def timeless_headers(headers: t.Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (name, timeless(value) if name.lower() == "set-cookie" else value)
        for name, value in headers
        if name.lower() != "date"
    ]
