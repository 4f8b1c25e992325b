"""A response that is sent item by item."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ._content import Content

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator

#: How an item is framed, by content type. ``application/jsonl`` has one JSON text to a
#: line; for events see HTML, 9.2.6 (Interpreting an event stream).
FRAMES: t.Final[dict[str, tuple[bytes, bytes]]] = {
    "application/jsonl": (b"", b"\n"),
    "application/x-ndjson": (b"", b"\n"),
    "application/json-seq": (b"\x1e", b"\n"),
    "text/event-stream": (b"data: ", b"\n\n"),
}


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """How the items of a stream are written.

    :param content: the model of an item.
    :param mimetype: the content type of the response.
    """

    content: Content
    mimetype: str


class StreamedItems:
    """The texts of a stream, which closes what it reads from when the client leaves."""

    def __init__(
        self,
        items: Iterable[t.Any],
        form: StreamFormat,
        write: Callable[[t.Any, Content], bytes],
    ) -> None:
        self._source = items
        self._items = iter(items)
        self._form = form
        self._write = write
        self._start, self._end = FRAMES[form.mimetype]

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        text = self._write(next(self._items), self._form.content)
        return self._start + text + self._end

    def close(self) -> None:
        """Close the generator of the view, whether it has started or not."""
        for source in (self._items, self._source):
            close = getattr(source, "close", None)
            if close is not None:
                close()
                return
