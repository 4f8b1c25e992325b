"""A response that is sent item by item.

The iterable that a view returned goes in, the frames of its items come out.
"""

from __future__ import annotations

import gc
import inspect
import typing as t
from collections import abc
from contextvars import copy_context
from itertools import islice
from types import FrameType

from pydantic import BaseModel

from ..exceptions import ResponseValidationError
from .stream_format import EVENT_STREAM

if t.TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Iterable, Iterator
    from contextvars import Context

    from .stream_format import StreamFormat, Write

T = t.TypeVar("T")

#: The content types whose headers are sent before there is an item: a browser waits
#: for them to know that it is connected.
SENT_AT_ONCE: t.Final = frozenset({EVENT_STREAM})

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

        None is taken where the headers are sent at once.

        :raises Exception: what the view or the serialization of the item raises. The
            source is closed then.
        """
        if self._format.mimetype in SENT_AT_ONCE:
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
        source = self._items
        # One of stream_with_context() has started, and can't move.
        if _has_started(source):
            return _next_of(source)
        before = copy_context()
        context = before.copy()
        try:
            return context.run(_next_of, source)
        finally:
            if _differ(before, context):
                self._context = context

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._first:
            return self._first.pop()
        # Not by _run(): a stream may have many items.
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
            self._run(self._close_sources)

    def __del__(self) -> None:
        # An after_request may have sent another response, which closes that one only.
        self.close()

    def _close_sources(self) -> None:
        sources: list[t.Any] = [self._items]
        if self._source is not self._items:
            sources.append(self._source)
        # ``map`` can't be closed: its generator ends when nothing refers to it.
        self._source = self._items = iter(())
        for source in sources:
            close = getattr(source, "close", None)
            if close is not None:
                close()

    def _run(self, function: Callable[[], T]) -> T:
        """Call what continues or closes the generator, where it has started."""
        return function() if self._context is None else self._context.run(function)


def _iterator_of(items: t.Any) -> Iterator[t.Any]:
    if not isinstance(items, abc.AsyncIterable):
        return iter(items)
    # It imports asyncio, which few applications need.
    from .awaited import AwaitedItems

    return AwaitedItems(items)


def _next_of(items: Iterator[t.Any]) -> list[t.Any]:
    """The next item in a list, which is empty at the end."""
    return [*islice(items, 1)]


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


def is_string_or_bytes(value: object) -> bool:
    """Whether a value is a body as it stands: a string or bytes."""
    return isinstance(value, (str, bytes, bytearray))


def is_stream(value: object) -> bool:
    """Whether a value yields the items of a stream, and is no item itself."""
    return isinstance(value, (abc.Iterable, abc.AsyncIterable)) and not (
        is_string_or_bytes(value) or isinstance(value, (abc.Mapping, BaseModel))
    )
