"""The generators of a request: they are opened, closed, and told of an exception.

What may be asynchronous is a generator itself, which yields what has to be awaited: a
request without anything asynchronous runs it to its end without an event loop.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

if t.TYPE_CHECKING:
    from collections.abc import Awaitable
    from collections.abc import Generator
    from contextvars import Context

T = t.TypeVar("T")

#: Yields what has to be awaited, and returns its result.
Running: t.TypeAlias = "Generator[Awaitable[t.Any], t.Any, T]"


@dataclass(slots=True)
class OpenGenerator:
    """A generator that has yielded its value.

    :param name: of its function, as messages show it: ``"get_db()"``.
    :param context: in which it runs, ``None`` for that of whoever closes it.
    :param outlives: whether it is closed when the body of the response is sent.
    """

    name: str
    generator: t.Any
    is_asynchronous: bool
    outlives: bool = False
    context: Context | None = None

    def finish(self) -> Running[None]:
        """Run the rest of the generator.

        :raises Exception: what it raises.
        :raises RuntimeError: if it yields again.
        """
        if not self.is_asynchronous:
            self.finish_now()
            return
        try:
            yield self.generator.__anext__()
        except StopAsyncIteration:
            return
        raise (yield from self._refuse_second())

    def finish_now(self) -> None:
        """The same for a generator that is not asynchronous."""
        try:
            self._bind(next)(self.generator)
        except (StopIteration, StopAsyncIteration):
            return
        raise run_now(self._refuse_second())

    def throw(self, error: BaseException) -> Running[BaseException]:
        """Raise an exception where the generator yields.

        :return: the exception that is raised from there: the same one, or another.
        """
        try:
            if self.is_asynchronous:
                yield self.generator.athrow(error)
            else:
                self._bind(type(self.generator).throw)(self.generator, error)
        except (StopIteration, StopAsyncIteration) as stop:
            return error if stop is error else self._refuse_silence(error)
        except BaseException as raised:
            # Python wraps a StopIteration that leaves a generator.
            is_wrapped = isinstance(raised, RuntimeError) and raised.__cause__ is error
            is_stop = isinstance(error, (StopIteration, StopAsyncIteration))
            return error if is_wrapped and is_stop else raised
        finally:
            # Its traceback refers to this function, which is not to refer to it.
            del error
        return (yield from self._refuse_second())

    def leave(self) -> None:
        """Raise ``GeneratorExit`` where the generator yields.

        :raises Exception: what it raises instead.
        """
        self._bind(type(self.generator).close)(self.generator)

    def _bind(self, function: t.Callable[..., t.Any]) -> t.Callable[..., t.Any]:
        """A function that is called in the context of the generator."""
        return function if self.context is None else partial(self.context.run, function)

    def _refuse_silence(self, error: BaseException) -> BaseException:
        """The error of a generator that has swallowed an exception."""
        if not isinstance(error, Exception):
            return error
        silent = RuntimeError(
            f"{self.name} has swallowed {type(error).__name__}, which was raised where"
            " it yields. Raise it again, or raise another exception, such as that of"
            " abort()."
        )
        silent.__cause__ = error
        return silent

    def _refuse_second(self) -> Running[BaseException]:
        """The error of a generator that yields twice, which is closed."""
        second = RuntimeError(
            f"{self.name} has yielded a second value. A dependency yields one."
        )
        try:
            if self.is_asynchronous:
                yield self.generator.aclose()
            else:
                self.leave()
        except Exception as error:
            second.__cause__ = error
        return second


def close_all(generators: list[OpenGenerator]) -> Running[None]:
    """Close generators, the last one first, but those that outlive the view.

    :param generators: in the order in which they were opened. They are removed.
    :raises BaseException: what one raises, when all have been told of it.
    """
    outliving: list[OpenGenerator] = []
    left: list[BaseException] = []
    try:
        while generators:
            opened = generators.pop()
            if opened.outlives:
                outliving.append(opened)
            else:
                yield from opened.finish()
    except BaseException as error:
        generators += reversed(outliving)
        left = yield from throw_into(generators, error)
        if not left:
            raise
    # Not raised above, where its own context would be replaced.
    if left:
        raise left.pop()
    generators += reversed(outliving)


def throw_into(
    generators: list[OpenGenerator], error: BaseException
) -> Running[list[BaseException]]:
    """Raise an exception in generators, the last one first.

    :return: the exception that is left, if it is another one. Whoever raises it takes
        it out: its traceback refers to the list.
    """
    left = error
    try:
        while generators:
            left = yield from generators.pop().throw(left)
        return [] if left is error else [left]
    finally:
        del error, left


def run_now(running: Running[T]) -> T:
    """The result of what has nothing to await."""
    try:
        next(running)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise AssertionError("There is nothing to await.")


async def run_in_loop(running: Running[T]) -> T:
    """The result of what may have something to await."""
    resume: t.Callable[[t.Any], Awaitable[t.Any]] = running.send
    given: t.Any = None
    try:
        while True:
            awaitable = resume(given)
            try:
                resume, given = running.send, await awaitable
            except BaseException as error:
                # Not thrown here, where it would be the context of what is raised.
                resume, given = running.throw, error
    except StopIteration as stop:
        return t.cast("T", stop.value)
    finally:
        # An exception refers to this function, which is not to refer to it.
        given = None
