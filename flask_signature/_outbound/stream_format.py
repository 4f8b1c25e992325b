"""How the items of a stream become the bytes that are sent.

The type of the items and a content type go in, a :data:`StreamFormat` comes out; the
compilation of an outbound plan calls it, and the stream of each response uses it.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._types.annotations import is_anything, is_union, members, show_type, unwrap
from .._types.shapes import Shape, shapes_of
from .._types.strings import STRING_TYPES, string_types
from ..exceptions import SignatureError
from ..streams import LINE_BREAK, Event
from .response_tuples import union_of
from .serializer import compile_serializer

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from werkzeug.wrappers import Response

    from .annotation import Returns
    from .serializer import ResponseSerializer

    Write: t.TypeAlias = Callable[[t.Any, ResponseSerializer], bytes]

EVENT_STREAM: t.Final = "text/event-stream"

#: The content type of strings. Source: Flask, ``Response.default_mimetype``.
HTML: t.Final = "text/html"

#: How an item is framed, by content type. ``application/jsonl`` has one JSON text to a
#: line, ``application/json-seq`` is RFC 7464.
FRAMES: t.Final[dict[str, tuple[bytes, bytes]]] = {
    "application/jsonl": (b"", b"\n"),
    "application/x-ndjson": (b"", b"\n"),
    "application/json-seq": (b"\x1e", b"\n"),
}

#: The content types of streams of models.
STREAM_TYPES: t.Final = (*FRAMES, EVENT_STREAM)

#: What an event stream is sent with, unless the view says something else: no cache
#: keeps it, and nginx passes on each event when it comes.
EVENT_HEADERS: t.Final = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


@dataclass(frozen=True, slots=True)
class ItemFormat:
    """How the items of a stream are written, each between the same bytes.

    :param mimetype: the content type of the response.
    :param serializer: of an item.
    """

    mimetype: str
    serializer: ResponseSerializer
    start: bytes
    end: bytes

    @property
    def serializers(self) -> tuple[ResponseSerializer, ...]:
        """Those of all items."""
        return (self.serializer,)

    def frame(self, item: t.Any, write: Write) -> bytes:
        """The bytes of an item.

        :param write: returns the JSON of a value, or raises an exception.
        """
        return self.start + write(item, self.serializer) + self.end


@dataclass(frozen=True, slots=True)
class EventFormat:
    """How the items of an event stream are written.

    :param serializer: of an item that is no event.
    :param data: of the data of an event.
    :param has_strings: whether either may be a string, which is sent as it is.

    Source: HTML, 9.2.5 (Parsing an event stream).
    """

    mimetype: t.ClassVar[str] = EVENT_STREAM

    serializer: ResponseSerializer
    data: ResponseSerializer
    has_strings: bool = False

    @property
    def serializers(self) -> tuple[ResponseSerializer, ...]:
        """Those of all items: both, if they differ."""
        both = self.data, self.serializer
        return both[:1] if self.data is self.serializer else both

    def frame(self, item: t.Any, write: Write) -> bytes:
        """The lines of an event, or of an event with an item for its data."""
        if isinstance(item, Event):
            return b"".join(self._lines_of(item, write)) + b"\n"
        return self._data_lines(item, write(item, self.serializer)) + b"\n"

    def _lines_of(self, event: Event[t.Any], write: Write) -> Iterator[bytes]:
        fields = {"id": event.id, "event": event.event, "retry": event.retry}
        given = {name: value for name, value in fields.items() if value is not None}
        comment = event.comment
        if comment is None and not given and event.data is UNSET:
            comment = ""
        if comment is not None:
            yield _lines("", comment)
        for name, value in given.items():
            yield _lines(name, str(value))
        if event.data is not UNSET:
            yield self._data_lines(event.data, write(event.data, self.data))

    def _data_lines(self, data: t.Any, written: bytes) -> bytes:
        """The lines of data, of which the JSON is given."""
        if self.has_strings and isinstance(data, STRING_TYPES) and written[:1] == b'"':
            return _lines("data", json.loads(written))
        # The type may write a string as something else.
        return b"data: " + written + b"\n"


def _lines(field: str, value: str) -> bytes:
    # Neither str.splitlines(), which knows more line breaks, nor a lone surrogate,
    # which UTF-8 has no form for.
    lines = [f"{field}: {line}\n" for line in LINE_BREAK.split(value)]
    return "".join(lines).encode(errors="replace")


@dataclass(frozen=True, slots=True)
class StringFormat:
    """How an asynchronous stream of strings is written: as they are.

    :param mimetype: the content type of the response.
    """

    serializers: t.ClassVar[tuple[ResponseSerializer, ...]] = ()

    mimetype: str

    def frame(self, item: t.Any, _: Write) -> t.Any:
        """The bytes of an item."""
        return item.encode() if isinstance(item, str) else item


StreamFormat: t.TypeAlias = ItemFormat | EventFormat | StringFormat


def add_event_headers(response: Response, media_type: str | None) -> None:
    """Add the headers of an event stream, where the view has not set them."""
    if media_type == EVENT_STREAM:
        for name, value in EVENT_HEADERS.items():
            response.headers.setdefault(name, value)


def has_events(item: t.Any) -> bool:
    """Whether a type, or a member of a union, is ``Event``."""
    return any(_is_event(tp) for tp in members(item))


def _media_type_of(item: t.Any, media_type: str | None) -> str | None:
    """The content type of a stream, which events imply.

    :param media_type: what the route says, ``None`` where it says nothing.
    :raises SignatureError: if it is another than that of events.
    """
    if not has_events(item) or media_type == EVENT_STREAM:
        return media_type
    if media_type is None:
        return EVENT_STREAM
    raise SignatureError(
        f"the view yields events, but declares media_type={media_type!r}. Remove it, or"
        f" write {EVENT_STREAM!r}."
    )


def compile_stream(
    returns: Returns, media_type: str | None, options: Mapping[str, t.Any]
) -> StreamFormat | None:
    """The format of a stream, ``None`` where there is none, or Flask sends the items.

    :param options: of the serializers.
    :raises SignatureError: if it can't be told how to write the items.
    """
    item = returns.item
    if item is EMPTY:
        return None
    if is_anything(item) or string_types(item):
        # Flask sends strings as they are yielded: the view writes the frames.
        return _string_format(item, media_type) if returns.asynchronous else None
    media_type = _media_type_of(item, media_type)
    if media_type in STREAM_TYPES:
        return _stream_format_of(item, media_type, options)
    if returns.asynchronous or Shape.MODEL in shapes_of(item):
        names = ", ".join(repr(name) for name in STREAM_TYPES)
        raise SignatureError(
            f"the view yields {show_type(item)!r}, but its media_type= does not say how"
            f" to write a stream of them. Use one of {names}."
        )
    return None


def _string_format(item: t.Any, media_type: str | None) -> StringFormat:
    if not string_types(item):
        raise SignatureError(
            "the view yields anything asynchronously, which Flask can't send. Name the"
            " type of its items: 'AsyncIterator[Item]'."
        )
    return StringFormat(media_type or HTML)


def _stream_format_of(
    item: t.Any, media_type: str, options: Mapping[str, t.Any]
) -> StreamFormat:
    if media_type != EVENT_STREAM:
        return ItemFormat(
            media_type, compile_serializer(item, options), *FRAMES[media_type]
        )
    if not has_events(item):
        serializer = compile_serializer(item, options)
        return EventFormat(serializer, serializer)
    found = [*_alternatives(item)]
    types = [(*t.get_args(tp), t.Any)[0] for tp in found if _is_event(tp)]
    others = [tp for tp in found if not _is_event(tp)]
    data = compile_serializer(union_of(types), options)
    is_same = not others or union_of(others) == data.model
    return EventFormat(
        data if is_same else compile_serializer(union_of(others), options),
        data,
        has_strings=any(map(string_types, [*_members_of(types), *others])),
    )


def _is_event(annotation: t.Any) -> bool:
    return (t.get_origin(annotation) or annotation) is Event


def _alternatives(item: t.Any) -> Iterator[t.Any]:
    """The types of events, and the others beside them as they are written."""
    plain = unwrap(item)
    if is_union(plain) and has_events(plain):
        for member in t.get_args(plain):
            yield from _alternatives(member)
    else:
        yield plain if _is_event(plain) else item


def _members_of(types: Sequence[t.Any]) -> list[t.Any]:
    return [member for tp in types for member in members(tp)]
