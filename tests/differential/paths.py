"""Rules that applications draw from, each with paths that match it or nearly do."""

from __future__ import annotations

from .description import Options
from .typed import TYPED

PATHS: dict[str, tuple[str, ...]] = {
    "/": ("/", "", "//", "/?"),
    "/plain": ("/plain", "/plain/", "//plain", "/PLAIN", "/pl%61in", "/plain//"),
    "/branch/": ("/branch", "/branch/", "/branch//", "//branch", "/branch/x"),
    "/a/b/c": ("/a/b/c", "/a//b/c", "/a/b/c/", "/a/b", "///a/b///c"),
    "/int/<int:n>": ("/int/1", "/int/01", "/int/-1", "/int/x", "/int/%D9%A3", "/int/"),
    "/fixed/<int(fixed_digits=2):n>": ("/fixed/01", "/fixed/1"),
    "/signed/<int(signed=True):n>": ("/signed/-1", "/signed/1", "/signed/--1"),
    "/bounds/<int(min=2, max=4):n>": ("/bounds/3", "/bounds/5"),
    "/float/<float:x>": ("/float/1.5", "/float/1", "/float/-1.5"),
    "/uuid/<uuid:u>": ("/uuid/12345678-1234-5678-1234-567812345678", "/uuid/1"),
    "/any/<any(a, b):k>": ("/any/a", "/any/c", "/any/A"),
    "/path/<path:p>": (
        "/path/a/b",
        "/path/a//b",
        "/path/%C3%A4/%2F",
        "/path/",
        "/path/a/",
    ),
    "/path/<path:p>/end": ("/path/a/b/end", "/path/end", "/path//end"),
    "/s/<s>": ("/s/a", "/s/%C3%A4", "/s/%FF", "/s/a%20b", "/s/a%2Fb", "/s/", "/s/a/"),
    "/s/<s>/": ("/s/a", "/s/a/", "/s/a%3Fb"),
    "/s/known": ("/s/known", "/s/known/"),
    "/two/<a>/<int:b>": ("/two/x/1", "/two/x/y", "/two//1"),
    "/mixed-<a>.<b>": ("/mixed-1.2", "/mixed-1", "/mixed-a.b.c"),
    "/len/<string(length=2):c>": ("/len/ab", "/len/a"),
    "/even/<even:n>": ("/even/2", "/even/3", "/even/x"),
    "/even/<s>": ("/even/2", "/even/3", "/even/x"),
    "/seen/<session:n>": ("/seen/a",),
    "/failing/<failing:n>": ("/failing/a",),
    "/slashes/<slashes:n>": ("/slashes/a/b", "/slashes/."),
    "/défaut/<x>": ("/d%C3%A9faut/1", "/défaut/1", "/d%E9faut/1"),
    "/sp ace": ("/sp%20ace", "/sp+ace"),
    "/pages/<int:page>": ("/pages/1", "/pages/2", "/pages", "/pages/"),
    "/ws": ("/ws",),
    "/old/<s>": ("/old/a", "/old/%C3%A4"),
    "/merge//twice": ("/merge/twice", "/merge//twice"),
}

#: Rules of typed views, which are drawn with these views alone.
TYPED_PATHS: dict[str, tuple[str, ...]] = {
    f"/typed/{name}/<int:n>": (f"/typed/{name}/1", f"/typed/{name}/x", "/typed//1")
    for name in TYPED
}

#: Rules with options of their own.
WITH_OPTIONS: dict[str, Options] = {
    "/ws": {"websocket": True},
    "/branch/": {"strict_slashes": False},
    "/a/b/c": {"merge_slashes": False},
    "/plain": {"strict_slashes": False},
    "/s/<s>": {"merge_slashes": False},
    "/path/<path:p>": {"merge_slashes": False},
    "/int/<int:n>": {"defaults": {"more": 1}},
}

REDIRECTS: tuple[tuple[str, str], ...] = (
    ("/old/<s>", "/s/<s>"),
    ("/old/<s>", "function"),
    ("/plain", "/branch/"),
)

#: Paths that no rule has, or Flask's own.
OTHERS = (
    *("/missing", "/static/style.css", "/static/missing.css", "/static/../app.py"),
    *("/late/1", "/%", "/%00", "no-slash", "*", "/ä", "/mount/plain"),
)

METHODS = ("GET", "GET POST", "POST", "PUT PATCH", "DELETE", "GET OPTIONS", "PURGE GET")

#: Hosts of rules where hosts are matched, and subdomains where these are.
HOSTS = ("localhost", "example.com", "<h>.example.com", "example.com:8080")
SUBDOMAINS = ("", "www", "<user>")

BASE_URLS = (
    *("http://localhost/", "http://localhost:80/", "http://localhost:5000/"),
    *("https://localhost/", "https://localhost:443/", "http://localhost:443/"),
    *("http://example.com/", "http://EXAMPLE.com/", "http://www.example.com/"),
    *("http://sub.example.com:8080/", "http://example.com:8080/"),
    *("http://localhost/prefix", "http://localhost/prefix/", "http://bücher.example/"),
    *("http://[::1]/", "http://[::1]:8000/", "http://127.0.0.1/"),
    "http://other.example/",
)

#: What a server may put into an environ, a value of each, or leave out.
VALUES: dict[str, tuple[str, ...]] = {
    "HTTP_HOST": (
        *("a b", "ex_ample.com", "exämple.com", "", "localhost:", "localhost:x"),
        *("localhost:0080", "LOCALHOST", "localhost.", "[::1", "localhost/evil"),
        *("localhost, other", "user@localhost", ".example.com"),
    ),
    "SERVER_PORT": ("8080", ""),
    "SERVER_NAME": ("www.example.com", "unix:/socket"),
    "wsgi.url_scheme": ("https", "HTTPS", "ws"),
    "SCRIPT_NAME": ("/script", "/script/", "script", "/scr\xc3\xa4pt"),
    "QUERY_STRING": ("a=%FF&b=\xc3\xa4&c", "x=//y"),
    "HTTP_X_FORWARDED_HOST": ("forwarded.example",),
    "REQUEST_METHOD": ("get", ""),
    "PATH_INFO": ("/s/\u20ac",),
    "CONTENT_LENGTH": ("x",),
}
ENVIRONS: tuple[tuple[tuple[str, str], ...], ...] = (
    *(((key, value),) for key, values in VALUES.items() for value in values),
    (("HTTP_CONNECTION", "Upgrade"), ("HTTP_UPGRADE", "websocket")),
    (("HTTP_CONNECTION", "keep-alive, upgrade"), ("HTTP_UPGRADE", "WebSocket")),
    (("HTTP_CONNECTION", "Upgrade"), ("HTTP_UPGRADE", "h2c")),
)

WITHOUT = (
    *("QUERY_STRING", "HTTP_HOST", "SCRIPT_NAME", "PATH_INFO", "SERVER_NAME"),
    *("SERVER_PORT", "HTTP_HOST SERVER_NAME", "HTTP_HOST SERVER_PORT"),
    *("REQUEST_METHOD", "wsgi.url_scheme", "wsgi.errors"),
    "SERVER_PROTOCOL CONTENT_LENGTH CONTENT_TYPE",
)

HEADERS: tuple[tuple[str, str], ...] = (
    ("X-Fail", "1"),
    ("X-No-Session", "1"),
    ("X-Count", "3"),
    ("X-Nested", "1"),
    ("If-None-Match", '"tag"'),
    ("Accept", "application/json"),
    ("Origin", "http://other.example"),
    ("Content-Type", "application/json"),
    ("Content-Type", "application/x-www-form-urlencoded"),
    ("Range", "bytes=0-1"),
)
