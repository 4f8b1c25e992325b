"""The files of a multipart form, which Werkzeug parses from pieces that suit it.

Werkzeug's decoder passes on what has no boundary in it, and looks for the end of a
part by a regular expression, byte by byte, as soon as there is one. So a file takes
several times as long if its end is in the same read. ``form_items`` calls this module
in place of ``request.files``.
"""

from __future__ import annotations

import typing as t

import werkzeug
from flask import Request
from werkzeug.formparser import FormDataParser
from werkzeug.formparser import MultiPartParser

from .body import overridden_by
from .originals import find_original

if t.TYPE_CHECKING:
    from werkzeug.datastructures import FileStorage
    from werkzeug.datastructures import MultiDict

MULTIPART: t.Final = "multipart/form-data"

#: The methods that read a form.
MAKE_PARSER: t.Final = find_original(werkzeug, Request, "make_form_data_parser")
LOAD: t.Final = find_original(werkzeug, Request, "_load_form_data")
PARSE: t.Final = find_original(werkzeug, FormDataParser, "parse")
PARSE_MULTIPART: t.Final = find_original(werkzeug, MultiPartParser, "parse")

#: What Werkzeug's parser reads at once.
CHUNK: t.Final = 64 * 1024

#: So many bytes are worth a read of their own.
FAR: t.Final = 8 * 1024


def read_files(request: Request) -> MultiDict[str, FileStorage]:
    """The files of ``request.files``, as Werkzeug parses them.

    The request has the attributes and the stream that it has after ``request.files``.
    """
    delimiter = _find_delimiter(request)
    if delimiter is None:
        return request.files
    stream = request.stream
    # Werkzeug's parser asks for read() alone.
    split: t.Any = SplitStream(stream, delimiter)
    request.stream = split
    try:
        return request.files
    finally:
        # Data that was read before is parsed from a stream of its own.
        if request.stream is split:
            request.stream = stream


class SplitStream:
    """A stream whose reads end before a delimiter that is far into them."""

    __slots__ = ("_delimiter", "_rest", "_stream")

    def __init__(self, stream: t.IO[bytes], delimiter: bytes) -> None:
        self._stream = stream
        self._delimiter = delimiter
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        data = self._rest or self._stream.read(size)
        end = data.find(self._delimiter, FAR)
        self._rest = data[end:] if end > 0 else b""
        return data[:end] if end > 0 else data


def _find_delimiter(request: Request) -> bytes | None:
    """What ends the parts of a form, ``None`` where nothing is to be gained by it.

    Source: RFC 2046, 5.1.1 (``delimiter``).
    """
    length = request.content_length or 0
    if length % CHUNK < FAR or request.mimetype != MULTIPART:
        return None
    limit = request.max_form_memory_size
    # Werkzeug applies the limit to each read, too, where its length would then count.
    if (limit is not None and length > limit) or not _is_werkzeugs(request):
        return None
    boundary = request.mimetype_params.get("boundary", "")
    if not boundary or not boundary.isascii():
        return None
    return b"\r\n--" + boundary.encode()


def _is_werkzeugs(request: Request) -> bool:
    """Whether a form was not read yet, and Werkzeug's own parser will read it."""
    if "form" in vars(request) or overridden_by(type(request)) & {"form", "files"}:
        return False
    return (
        request.form_data_parser_class is FormDataParser
        and Request.make_form_data_parser is MAKE_PARSER
        and Request._load_form_data is LOAD
        and FormDataParser.parse is PARSE
        and MultiPartParser.parse is PARSE_MULTIPART
    )
