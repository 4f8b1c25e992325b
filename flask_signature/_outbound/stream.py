"""Streams: what a view yields, item by item, and how each is written.

The annotation of an iterator goes in when a view is compiled, a :class:`StreamFormat`
comes out; an iterator goes in for each request, the parts of the body come out.
"""

from __future__ import annotations

import dis
import gc
import inspect
import typing as t
from collections import abc
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from types import FrameType, ModuleType

from pydantic import BaseModel

from .._common import UNSET
from .._signature.argument import EMPTY
from .._types.annotations import (
    STRING_TYPES,
    Shape,
    is_anything,
    is_union,
    members,
    shape_of,
    show_type,
    string_types,
    unwrap,
)
from ..exceptions import ResponseValidationError, SignatureError
from ..streams import LINE_BREAK, Event
from .annotation import union_of
from .serializer import compile_serializer

if t.TYPE_CHECKING:
    from collections.abc import (
        AsyncIterable,
        Callable,
        Iterable,
        Iterator,
        Mapping,
    )
    from contextvars import Context

    from werkzeug.wrappers import Response

    from .annotation import AnnotatedBody
    from .serializer import ResponseSerializer


EVENT_STREAM: t.Final = "text/event-stream"

#: What may hold the iterators of an iterator: others, and the attributes, the arguments
#: and, before Python 3.11, the frame of one.
HOLDERS: t.Final = (abc.Iterator, dict, tuple, FrameType)

#: As many objects are searched for a generator that has started.
MAX_ITERATORS: t.Final = 100


class StreamedItems:
    """The frames of a stream, which closes its source when the client disconnects.

    Or when nothing refers to it, as when its response is not the one that is sent.

    :param items: what the view returned.
    :param stream_format: how an item is written.
    :param write: serializes an item, or raises an exception that is logged by then.
    :param failed: called when the view's own code fails after the status was sent.
        Flask has finished the request by then, and would not log it.
    """

    #: There is nothing to close where ``iter()`` fails.
    _is_closed = True

    def __init__(
        self,
        items: Iterable[t.Any] | AsyncIterable[t.Any],
        stream_format: StreamFormat,
        *,
        write: Write,
        failed: Callable[[], None],
    ) -> None:
        self._source = items
        self._items = _iterator_of(items)
        self._format = stream_format
        self._write = write
        self._failed = failed
        self._first: list[bytes] = []
        # Where an asynchronous generator keeps the request, so does the serialization.
        is_awaited = isinstance(items, abc.AsyncIterable)
        self._context: Context | None = copy_context() if is_awaited else None
        self._is_closed = False

    def start(self) -> None:
        """Take the first item while the request is there, and no status is sent.

        None is taken of an event stream, whose headers are sent before there is one: a
        browser waits for them to know that it is connected.

        :raises Exception: what the view or the serialization of the item raises. The
            source is closed then.
        """
        if self._format.mimetype == EVENT_STREAM:
            return
        try:
            self._first = [
                self._format.frame(item, self._write) for item in self._take_first()
            ]
        except BaseException:
            self.close()
            raise

    def _take_first(self) -> list[t.Any]:
        """The first item in a list, which is empty if there is none.

        A generator may push a context of Flask, or set another context variable, until
        its end. Flask could not leave the context of the request then, so that the
        first item is taken in a copy. If that is changed, the rest has to go on there.
        """
        first = islice(self._items, 1)
        # One of stream_with_context() has started, and can't move.
        if _has_started(self._items):
            return [*first]
        before = copy_context()
        context = before.copy()
        try:
            return context.run(list, first)
        finally:
            if _differ(before, context):
                self._context = context

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._first:
            return self._first.pop()
        if self._context is None:
            return self._take_next()
        return self._context.run(self._take_next)

    def _take_next(self) -> bytes:
        try:
            item = next(self._items)
        except StopIteration:
            raise
        except Exception:
            self._failed()
            raise
        try:
            return self._format.frame(item, self._write)
        except ResponseValidationError as error:
            # The server logs it and its cause: Pydantic's error, which has the item.
            raise error from None

    def close(self) -> None:
        """Close the generator of the view, whether it has started or not, once."""
        if not self._is_closed:
            self._is_closed = True
            if self._context is None:
                self._close_sources()
            else:
                self._context.run(self._close_sources)

    def __del__(self) -> None:
        # An after_request may have sent another response, which closes that one only.
        self.close()

    def _close_sources(self) -> None:
        sources = {id(item): item for item in (self._items, self._source)}
        # ``map`` can't be closed: its generator ends when nothing refers to it.
        self._source = self._items = iter(())
        for source in sources.values():
            close = getattr(source, "close", None)
            if close is not None:
                close()


def _iterator_of(items: t.Any) -> Iterator[t.Any]:
    if not isinstance(items, abc.AsyncIterable):
        return iter(items)
    # It imports asyncio, which few applications need.
    from .._cycle.loops import AwaitedItems

    return AwaitedItems(items)


def _has_started(items: object) -> bool:
    """Whether an iterator is a generator that has started, or takes its items of one.

    Neither ``map`` nor ``chain`` tells its iterators, but the garbage collector does.
    """
    waiting, seen = [items], set[int]()
    while waiting and len(seen) < MAX_ITERATORS:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if (
            inspect.isgenerator(found)
            and inspect.getgeneratorstate(found) != inspect.GEN_CREATED
        ):
            return True
        # By their types, since a proxy may have none of the request's values yet.
        waiting += [
            inside
            for inside in gc.get_referents(found)
            if issubclass(type(inside), HOLDERS)
        ]
    return False


def _differ(before: Context, after: Context) -> bool:
    """Whether a context variable was set to another object, or for the first time."""
    # By identity, since the values may be of any class.
    return len(before) != len(after) or any(
        after[variable] is not value for variable, value in before.items()
    )


def is_stream(value: object) -> bool:
    """Whether a value yields the items of a stream, and is no item itself."""
    return isinstance(value, (abc.Iterable, abc.AsyncIterable)) and not (
        isinstance(value, (*STRING_TYPES, abc.Mapping, BaseModel))
    )


if t.TYPE_CHECKING:
    Write: t.TypeAlias = Callable[[t.Any, ResponseSerializer], bytes]

#: What is sent as it is yielded.
STRINGS: t.Final = t.Union[str, bytes]  # noqa: UP007

#: The content type of strings. Source: Flask, ``Response.default_mimetype``.
HTML: t.Final = "text/html"

#: How an item is framed, by content type of a stream of models. ``application/jsonl``
#: has one JSON text to a line, ``application/json-seq`` is RFC 7464.
#: Source: HTML, 9.2.5 (Parsing an event stream).
FRAMES: t.Final[dict[str, tuple[bytes, bytes]]] = {
    "application/jsonl": (b"", b"\n"),
    "application/x-ndjson": (b"", b"\n"),
    "application/json-seq": (b"\x1e", b"\n"),
    EVENT_STREAM: (b"data: ", b"\n\n"),
}

#: What an event stream is sent with, unless the view says something else: no cache
#: keeps it, and nginx passes on each event when it comes.
EVENT_HEADERS: t.Final = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """How the items of a stream are written.

    :param mimetype: the content type of the response.
    :param serializer: of an item that is no event.
    :param data: of the data of an event, the same where there are no others.
    :param passes_strings: whether strings and bytes are sent as they are.
    """

    mimetype: str
    serializer: ResponseSerializer
    data: ResponseSerializer
    passes_strings: bool

    @property
    def serializers(self) -> tuple[ResponseSerializer, ...]:
        """Those of all items, none where an item may be a string as it is."""
        both = () if self.passes_strings else (self.data, self.serializer)
        return both[:1] if self.data is self.serializer else both

    def frame(self, item: t.Any, write: Write) -> bytes:
        """The bytes of an item.

        :param write: returns the JSON of a value, or raises an exception.
        """
        if self.passes_strings and isinstance(item, STRING_TYPES):
            return item.encode() if isinstance(item, str) else bytes(item)
        if self.mimetype == EVENT_STREAM and isinstance(item, Event):
            return b"".join(self._lines_of(item, write)) + b"\n"
        start, end = FRAMES.get(self.mimetype, (b"", b""))
        return start + write(item, self.serializer) + end

    def _lines_of(self, event: Event[t.Any], write: Write) -> Iterator[bytes]:
        fields = {"id": event.id, "event": event.event, "retry": event.retry}
        fields["data"] = event.raw
        given = {name: value for name, value in fields.items() if value is not None}
        comment = event.comment
        if comment is None and not given and event.data is UNSET:
            comment = ""
        if comment is not None:
            yield _lines("", comment)
        for name, value in given.items():
            yield _lines(name, str(value))
        if event.data is not UNSET:
            yield b"data: " + write(event.data, self.data) + b"\n"


def _lines(field: str, value: str) -> bytes:
    # Neither str.splitlines(), which knows more line breaks, nor a lone surrogate,
    # which UTF-8 has no form for.
    lines = [f"{field}: {line}\n" for line in LINE_BREAK.split(value)]
    return "".join(lines).encode(errors="replace")


def generated_type(function: t.Any) -> t.Any:
    """The return annotation of a generator function that has none."""
    if inspect.isasyncgenfunction(function):
        iterator: t.Any = abc.AsyncIterator
    elif inspect.isgeneratorfunction(function):
        iterator = abc.Iterator
    else:
        return EMPTY
    return iterator[Event if _names_event(function) else t.Any]


def _names_event(function: t.Any) -> bool:
    """Whether the code of a function uses ``Event``, imported by any name."""
    code = dis.get_instructions(function)
    names = {item.argval for item in code if item.opname == "LOAD_GLOBAL"}
    found = [function.__globals__.get(name) for name in names]
    for cell in function.__closure__ or ():
        # A variable that has no value yet, such as a function that calls itself.
        with suppress(ValueError):
            found.append(cell.cell_contents)
    if "Event" in function.__code__.co_names:
        modules = [value for value in found if type(value) is ModuleType]
        found += [vars(module).get("Event") for module in modules]
    return any(value is Event for value in found)


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
    body: AnnotatedBody, media_type: str | None, options: Mapping[str, t.Any]
) -> StreamFormat | None:
    """The format of a stream, ``None`` where Flask sends the items.

    :param options: of the serializers.
    :raises SignatureError: if it can't be told how to write the items.
    """
    item = body.item
    media_type, is_open = _media_type_of(item, media_type), is_anything(item)
    if string_types(item) or (is_open and media_type not in FRAMES):
        # Flask sends strings as they are yielded: the view writes the frames.
        if not body.is_asynchronous:
            return None
        refused = compile_serializer(STRINGS, {})
        return StreamFormat(media_type or HTML, refused, refused, passes_strings=True)
    if media_type in FRAMES:
        found = [*_alternatives(item)]
        events = [(*t.get_args(tp), t.Any)[0] for tp in found if _is_event(tp)]
        others = union_of(tp for tp in found if not _is_event(tp))
        data = serializer = compile_serializer(union_of(events or [others]), options)
        if others is not EMPTY and others != data.model:
            serializer = compile_serializer(others, options)
        return StreamFormat(media_type, serializer, data, passes_strings=is_open)
    if body.is_asynchronous or Shape.MODEL in map(shape_of, members(item)):
        names = ", ".join(map(repr, FRAMES))
        raise SignatureError(
            f"the view yields {show_type(item)!r}, but its media_type= does not say how"
            f" to write a stream of them. Use one of {names}."
        )
    return None


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
