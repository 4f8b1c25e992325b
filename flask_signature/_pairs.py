"""The names and values that a request holds, as Werkzeug reads them.

What is plain is read here, in a fraction of the time; everything else is left to
Werkzeug. ``tests/test_pairs.py`` holds the two equal.
"""

from __future__ import annotations

import re
import typing as t
from itertools import chain
from urllib.parse import unquote

from werkzeug.exceptions import BadRequest

from ._input import read_data
from ._input import read_otherwise
from ._input import refuse_more

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Request
    from werkzeug.datastructures import FileStorage

URLENCODED: t.Final = "application/x-www-form-urlencoded"

#: Cookies as they are sent where nobody has to quote or trim anything.
#: Source: RFC 6265, 4.1.1 (``cookie-octet``) and 4.2.1; RFC 9110, 5.6.2 (``token``).
PLAIN_COOKIES: t.Final = re.compile(
    r"{pair}(?:;[ ]{pair})*".replace(
        "{pair}", r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+=[!#-+\--:<-\[\]-~]*"
    )
)

#: A part of a request that holds texts only.
Texts: t.TypeAlias = "Iterable[tuple[str, str]]"


def query_pairs(request: Request) -> Texts:
    """The pairs of ``request.args``."""
    if "args" not in read_otherwise(type(request)):
        pairs = split_pairs(request.environ.get("QUERY_STRING", ""))
        if pairs is not None:
            return pairs
    try:
        return request.args.items(multi=True)
    except UnicodeDecodeError:
        raise BadRequest("The query string is not encoded as UTF-8.") from None


def cookie_pairs(request: Request) -> Texts:
    """The pairs of ``request.cookies``."""
    if "cookies" in read_otherwise(type(request)):
        return request.cookies.items(multi=True)
    text: str = request.environ.get("HTTP_COOKIE", "")
    if not text:
        return ()
    if PLAIN_COOKIES.fullmatch(text):
        parts = [part.partition("=") for part in text.split("; ")]
        return [(name, value) for name, _, value in parts]
    return request.cookies.items(multi=True)


def form_pairs(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The pairs of ``request.form`` and ``request.files``, without empty inputs."""
    pairs = _urlencoded_pairs(request)
    if pairs is not None:
        return pairs
    files = request.files.items(multi=True)
    refuse_more(request)
    sent = [(name, file) for name, file in files if not is_empty(file)]
    return chain(request.form.items(multi=True), sent)


def file_pairs(request: Request) -> Iterable[tuple[str, str | FileStorage]]:
    """The pairs of :func:`form_pairs`, where a file counts before a text."""
    return sorted(form_pairs(request), key=lambda pair: isinstance(pair[1], str))


def split_pairs(text: str) -> list[tuple[str, str]] | None:
    """The pairs of an urlencoded text, ``None`` where its bytes are not all UTF-8.

    Source: WHATWG URL, 5.1 (application/x-www-form-urlencoded parsing).
    """
    if not text.isascii():
        return None
    # A plus is a space wherever it stands, an escaped one is none.
    parts = [part.partition("=") for part in text.replace("+", " ").split("&") if part]
    if "%" not in text:
        return [(name, value) for name, _, value in parts]
    try:
        return [(_unescape(name), _unescape(value)) for name, _, value in parts]
    except UnicodeDecodeError:
        return None


def _unescape(text: str) -> str:
    return unquote(text, errors="strict") if "%" in text else text


def _urlencoded_pairs(request: Request) -> list[tuple[str, str]] | None:
    """The pairs of a form that is one text, ``None`` for any other.

    The data is kept by the request, so that ``request.form`` can still be asked for.
    """
    # A form that was read before is among the attributes; its stream is at the end.
    if request.environ.get("CONTENT_TYPE") != URLENCODED or "form" in vars(request):
        return None
    if "form" in read_otherwise(type(request)):
        return None
    limit = request.max_form_memory_size
    if limit is not None and (request.content_length or 0) > limit:
        return None
    # Latin-1 keeps all bytes apart, and those above ASCII are Werkzeug's to judge.
    return split_pairs(read_data(request).decode("latin-1"))


def is_empty(file: FileStorage) -> bool:
    """Whether a file input of a form was left alone by the user."""
    if file.filename:
        return False
    start = file.stream.tell()
    content = file.stream.read(1)
    file.stream.seek(start)
    return not content
