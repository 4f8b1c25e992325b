"""The names and values of a request, equal to those of Werkzeug's multi dictionaries.

A request goes in, an iterable of ``(name, value)`` comes out; the locations of
arguments call it. What is plain is read here, in a fraction of the time; everything
else is left to Werkzeug. ``tests/equivalence/test_multidict.py`` holds the two equal.
"""

from __future__ import annotations

import re
import typing as t
from itertools import chain
from urllib.parse import unquote

from werkzeug.exceptions import BadRequest

from .._tokens import TOKEN
from .body import check_body_limit
from .body import length_of
from .body import overrides
from .body import read_data
from .body import read_files

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Request
    from werkzeug.datastructures import FileStorage

URLENCODED: t.Final = "application/x-www-form-urlencoded"

#: A Cookie header without anything to unquote or to strip.
#: Source: RFC 6265, 4.1.1 (``cookie-octet``) and 4.2.1.
PLAIN_COOKIES: t.Final = re.compile(
    r"{pair}(?:;[ ]{pair})*".replace("{pair}", TOKEN + r"=[!#-+\--:<-\[\]-~]*")
)

#: Names and values that are strings.
Strings: t.TypeAlias = "Iterable[tuple[str, str]]"


def query_items(request: Request) -> Strings:
    """The items of ``request.args``."""
    # What was asked for before, or set, is among the attributes.
    if "args" not in request.__dict__ and not overrides(request, "args"):
        items = split_urlencoded(request.environ.get("QUERY_STRING", ""))
        if items is not None:
            return items
    try:
        return request.args.items(multi=True)
    except UnicodeDecodeError:
        raise BadRequest("The query string is not encoded as UTF-8.") from None


def cookie_items(request: Request) -> Strings:
    """The items of ``request.cookies``."""
    if "cookies" not in request.__dict__ and not overrides(request, "cookies"):
        string: str = request.environ.get("HTTP_COOKIE", "")
        if not string or PLAIN_COOKIES.fullmatch(string):
            return _split_pairs(string.split("; "))
    return request.cookies.items(multi=True)


def form_items(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The items of ``request.form`` and ``request.files``, without empty inputs."""
    items = _urlencoded_items(request)
    if items is not None:
        return items
    files = read_files(request).items(multi=True)
    check_body_limit(request)
    sent = [(name, file) for name, file in files if not is_empty(file)]
    return chain(request.form.items(multi=True), sent)


def file_items(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The items of :func:`form_items`, files before strings."""
    return sorted(form_items(request), key=lambda pair: isinstance(pair[1], str))


def split_urlencoded(string: str) -> list[tuple[str, str]] | None:
    """The items of an urlencoded string, ``None`` where its bytes are not all UTF-8.

    Source: WHATWG URL, 5.1 (application/x-www-form-urlencoded parsing).
    """
    if not string.isascii():
        return None
    # A plus is a space wherever it stands, an escaped one is none.
    parts = string.replace("+", " ").split("&")
    pairs = _split_pairs(parts)
    if "%" not in string:
        return pairs
    try:
        return [(_unescape(name), _unescape(value)) for name, value in pairs]
    except UnicodeDecodeError:
        return None


def _split_pairs(parts: Iterable[str]) -> list[tuple[str, str]]:
    """The names and values of parts such as ``"page=2"``, without empty ones."""
    # The innermost loop is an assignment.
    return [
        (name, value)
        for part in parts
        if part
        for name, _, value in (part.partition("="),)
    ]


def _unescape(string: str) -> str:
    return unquote(string, errors="strict") if "%" in string else string


def _urlencoded_items(request: Request) -> list[tuple[str, str]] | None:
    """The items of an urlencoded form, ``None`` where Werkzeug has to parse it.

    The request keeps the data, so that ``request.form`` can still be used.
    """
    # A form that was read before is among the attributes; its stream is at the end.
    if request.environ.get("CONTENT_TYPE") != URLENCODED or "form" in vars(request):
        return None
    if overrides(request, "form"):
        return None
    limit = request.max_form_memory_size
    if limit is not None and (length_of(request) or 0) > limit:
        return None
    # Latin-1 keeps all bytes apart, and those above ASCII are Werkzeug's to judge.
    return split_urlencoded(read_data(request).decode("latin-1"))


def is_empty(file: FileStorage) -> bool:
    """Whether a file input of a form was left alone by the user."""
    if file.filename:
        return False
    start = file.stream.tell()
    content = file.stream.read(1)
    file.stream.seek(start)
    return not content
