"""A response that is sent item by item.

The iterable that a view returned goes in, the frames of its items come out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator

    from .serializer import ResponseSerializer

#: How an item is framed, by content type. ``application/jsonl`` has one JSON text to a
#: line, ``application/json-seq`` is RFC 7464; for events see HTML, 9.2.6 (Interpreting
#: an event stream).
FRAMES: t.Final[dict[str, tuple[bytes, bytes]]] = {
    "application/jsonl": (b"", b"\n"),
    "application/x-ndjson": (b"", b"\n"),
    "application/json-seq": (b"\x1e", b"\n"),
    "text/event-stream": (b"data: ", b"\n\n"),
}


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """How the items of a stream are written.

    :param serializer: of the model of an item.
    :param mimetype: the content type of the response.
    """

    serializer: ResponseSerializer
    mimetype: str


class StreamedItems:
    """The frames of a stream, which closes its source when the client disconnects.

    :param items: what the view returned.
    :param stream_format: how an item is written.
    :param write: serializes an item, or raises an exception that is logged by then.
    :param failed: called when the view's own code fails. Flask has finished the request
        by then, and would not log it.
    """

    def __init__(
        self,
        items: Iterable[t.Any],
        stream_format: StreamFormat,
        *,
        write: Callable[[t.Any, ResponseSerializer], bytes],
        failed: Callable[[], None],
    ) -> None:
        self._source = items
        self._items = iter(items)
        self._serializer = stream_format.serializer
        self._write = write
        self._failed = failed
        self._start, self._end = FRAMES[stream_format.mimetype]

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            item = next(self._items)
        except StopIteration:
            raise
        except Exception:
            self._failed()
            raise
        return self._start + self._write(item, self._serializer) + self._end

    def close(self) -> None:
        """Close the generator of the view, whether it has started or not."""
        sources: list[t.Any] = [self._items]
        if self._source is not self._items:
            sources.append(self._source)
        for source in sources:
            close = getattr(source, "close", None)
            if close is not None:
                close()
