"""Values of the configuration that applications draw from."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence

#: Values of the configuration, drawn with the chance of the application.
CONFIG: dict[str, Sequence[t.Any]] = {
    "TESTING": (True,),
    "DEBUG": (True,),
    "PROPAGATE_EXCEPTIONS": (True, False),
    "TRAP_HTTP_EXCEPTIONS": (True,),
    "TRAP_BAD_REQUEST_ERRORS": (True, False),
    "SERVER_NAME": ("localhost", "example.com", "example.com:8080", "EXAMPLE.com", ""),
    "TRUSTED_HOSTS": (["localhost"], [".example.com", "127.0.0.1"], []),
    "APPLICATION_ROOT": ("/prefix", "/root/"),
    "PREFERRED_URL_SCHEME": ("https",),
    "SECRET_KEY_FALLBACKS": (["key-b"], ["key-b", "key-c"], []),
    "SESSION_COOKIE_NAME": ("named",),
    "SESSION_COOKIE_DOMAIN": ("example.com", "localhost", False),
    "SESSION_COOKIE_PATH": ("/plain",),
    "SESSION_COOKIE_SECURE": (True,),
    "SESSION_COOKIE_HTTPONLY": (False,),
    "SESSION_COOKIE_SAMESITE": ("Lax", "Strict"),
    "SESSION_COOKIE_PARTITIONED": (True,),
    "SESSION_REFRESH_EACH_REQUEST": (False,),
    "PERMANENT_SESSION_LIFETIME": (60,),
    "MAX_CONTENT_LENGTH": (10,),
    "MAX_FORM_MEMORY_SIZE": (5,),
    "PROVIDE_AUTOMATIC_OPTIONS": (False,),
    "SEND_FILE_MAX_AGE_DEFAULT": (10,),
}
