"""A response that is sent item by item."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator

    from ._content import Content

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

    :param content: the model of an item.
    :param mimetype: the content type of the response.
    """

    content: Content
    mimetype: str


class StreamedItems:
    """The texts of a stream, which closes what it reads from when the client leaves.

    :param items: what the view returned.
    :param form: how an item is written.
    :param write: makes the text of an item, or raises what is logged by then.
    :param failed: is told when the view's own code fails, for by then Flask has done
        its part, and nobody else would say it.
    """

    def __init__(
        self,
        items: Iterable[t.Any],
        form: StreamFormat,
        *,
        write: Callable[[t.Any, Content], bytes],
        failed: Callable[[], None],
    ) -> None:
        self._source = items
        self._items = iter(items)
        self._form = form
        self._write = write
        self._failed = failed
        self._start, self._end = FRAMES[form.mimetype]

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
        return self._start + self._write(item, self._form.content) + self._end

    def close(self) -> None:
        """Close the generator of the view, whether it has started or not."""
        sources: list[t.Any] = [self._items]
        if self._source is not self._items:
            sources.append(self._source)
        for source in sources:
            close = getattr(source, "close", None)
            if close is not None:
                close()
