"""What a view yields besides models, and the context in which it yields."""

from __future__ import annotations

import re
import typing as t
from inspect import isasyncgenfunction, iscoroutinefunction

import flask
from typing_extensions import TypeVar

from ._common import UNSET
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = t.TypeVar("T")
P = t.ParamSpec("P")
T_co = TypeVar("T_co", covariant=True, default=t.Any)

#: What ends a line of an event stream. Source: HTML, 9.2.5.
LINE_BREAK: t.Final = re.compile("\r\n|\r|\n")


#: Events of every type may be without data.
NO_DATA: t.Final[t.Any] = UNSET


@t.final
class Event(t.Generic[T_co]):
    """One server-sent event, of a view annotated ``Iterator[Event[Price]]``.

    ``Event(price, id="7", event="price")`` is sent as::

        id: 7
        event: price
        data: {"symbol":"ACME","cents":120}

    Its data is validated and filtered by its type, as an item of any stream is, and is
    sent as JSON, a string too. ``Iterator[Event[Price] | Price]`` may also yield
    prices, each of which is the data of an event without more. The content type is
    ``text/event-stream``, which ``media_type=`` need not say.

    :param data: left out where only the rest is sent. Browsers dispatch no event then,
        and the connection is kept open. ``Event()`` is such a heartbeat.
    :param raw: a string that is sent in place of data as it is, each of its lines in a
        ``data:`` of its own: ``Event(raw="[DONE]")``. No type says anything of it.
    :param id: what a browser sends as ``Last-Event-ID`` when it connects again.
    :param event: the type of the event, ``"message"`` to browsers without one.
    :param retry: the milliseconds after which a browser connects again.
    :param comment: is ignored by clients; it may have several lines.
    :raises ValueError: if ``id`` or ``event`` has a line break, ``id`` a null
        character, ``retry`` is no whole number from 0, ``raw`` is no string, or there
        is data beside it.

    Source: HTML, 9.2 Server-sent events.

    .. versionadded:: 0.2
    """

    # No dataclass, which Pydantic would take for a model.
    __slots__ = ("data", "id", "event", "retry", "comment", "raw")  # noqa: RUF023

    data: T_co
    id: str | int | None
    event: str | None
    retry: int | None
    comment: str | None
    raw: str | None

    def __init__(
        self,
        data: T_co = NO_DATA,
        *,
        id: str | int | None = None,
        event: str | None = None,
        retry: int | None = None,
        comment: str | None = None,
        raw: str | None = None,
    ) -> None:
        for name, value in (("id", id), ("event", event)):
            if LINE_BREAK.search(str(value)):
                raise ValueError(
                    f"{name}= of an Event has a line break, which would end the field."
                )
        # Clients ignore such an id.
        if "\0" in str(id):
            raise ValueError("id= of an Event has a null character.")
        if retry is not None and (type(retry) is not int or retry < 0):
            raise ValueError(
                "retry= of an Event takes milliseconds, a whole number from 0."
            )
        is_string = isinstance(t.cast("object", raw), str)
        if raw is not None and not (is_string and data is NO_DATA):
            raise ValueError("raw= of an Event takes a string, in place of data.")
        self.data = data
        self.id = id
        self.event = event
        self.retry = retry
        self.comment = comment
        self.raw = raw

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self._fields())
        return f"Event({values})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return self._fields() == other._fields()

    def _fields(self) -> list[tuple[str, t.Any]]:
        return [(name, getattr(self, name)) for name in self.__slots__]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: t.Any, handler: t.Any) -> t.Any:
        raise SignatureError(
            "an Event is an item of a stream, and no part of another type. Annotate the"
            " view 'Iterator[Event[...]]'"
        )


@t.overload
def stream_with_context(generator_or_function: Iterator[T]) -> Iterator[T]: ...


@t.overload
def stream_with_context(
    generator_or_function: Callable[P, Iterator[T]],
) -> Callable[P, Iterator[T]]: ...


def stream_with_context(generator_or_function: t.Any) -> t.Any:
    """:func:`flask.stream_with_context`, which may yield models and events as well.

    The context of the request is there to the end of the generator, also where an item
    is validated and serialized. It takes a generator, or decorates a function that
    returns one, such as a view.

    :raises TypeError: if it is given something asynchronous. An asynchronous generator
        has the context of the request without it. A coroutine function can call it with
        the generator that it returns.

    .. versionadded:: 0.2
    """
    if isasyncgenfunction(generator_or_function) or hasattr(
        generator_or_function, "__aiter__"
    ):
        raise SignatureError(
            "stream_with_context() is given an asynchronous generator, which has the"
            " context of the request without it. Remove it."
        )
    if iscoroutinefunction(generator_or_function):
        raise SignatureError(
            f"stream_with_context() decorates {generator_or_function.__name__}(), which"
            " is a coroutine function. Call it with the generator that is returned."
        )
    return flask.stream_with_context(generator_or_function)
