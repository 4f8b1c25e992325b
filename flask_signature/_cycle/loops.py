"""The event loops of the thread of a request, for iterators and for functions.

An asynchronous iterator is read in the thread that sends the response. A coroutine
function is run in the event loop that its thread keeps, where the application says so.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, ContextVar, copy_context
from functools import partial
from weakref import WeakSet

if t.TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterable,
        Awaitable,
        Callable,
        Collection,
        Coroutine,
        Iterable,
    )


T = t.TypeVar("T")


class AwaitedItems:
    """An iterator of what an asynchronous one yields.

    All of that runs in one task, from the first item to ``aclose()``: what is entered
    in a task, such as ``asyncio.timeout()``, has to be left there. The task has a loop
    of its own, which runs while an item is awaited, and a copy of the context in which
    the first one is.

    :param source: what the view returned.
    """

    def __init__(self, source: AsyncIterable[t.Any]) -> None:
        self._source = source
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._item: asyncio.Future[t.Any]
        self._wanted: asyncio.Future[bool]
        self._is_closed = False

    def __iter__(self) -> AwaitedItems:
        return self

    def __next__(self) -> t.Any:
        if self._is_closed:
            raise StopIteration
        try:
            return _run_beside(self._next)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the iterator where it yields, and the loop, once.

        :raises Exception: what the iterator raises then.
        """
        if not self._is_closed:
            self._is_closed = True
            _run_beside(self._close)

    def _next(self) -> t.Any:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        self._item = self._loop.create_future()
        if self._task is None:
            self._task = self._loop.create_task(self._run())
        else:
            self._wanted.set_result(True)
        either = asyncio.wait(
            [self._item, self._task], return_when=asyncio.FIRST_COMPLETED
        )
        self._loop.run_until_complete(either)
        if self._item.done():
            return self._item.result()
        self._task.result()
        raise StopIteration

    async def _run(self) -> None:
        items = aiter(self._source)
        try:
            async for item in items:
                self._wanted = asyncio.get_running_loop().create_future()
                self._item.set_result(item)
                if self._is_closed or not await self._wanted:
                    break
        finally:
            await _close_each(items, self._source)

    def _close(self) -> None:
        loop, task = self._loop or asyncio.new_event_loop(), self._task
        try:
            if task is None:
                loop.run_until_complete(_close_each(self._source))
            elif not task.done():
                self._leave(task)
                loop.run_until_complete(asyncio.wait([task]))
                if not task.cancelled():
                    task.result()
        finally:
            _end(loop)

    def _leave(self, task: asyncio.Task[None]) -> None:
        if self._item.done() and not self._wanted.done():
            self._wanted.set_result(False)
        else:
            # Something has stopped the loop before there was an item.
            task.cancel()


def _end(loop: asyncio.AbstractEventLoop) -> None:
    """Close a loop with all that is left in it, as ``asyncio.run()`` does."""
    try:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()


def _run_beside(function: Callable[[], T]) -> T:
    """Call what runs a loop, in another thread if this one runs one already.

    A view with an asynchronous dependency responds inside of a loop.
    """
    if not _is_in_loop():
        return function()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(copy_context().run, function).result()


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _close_each(*iterators: t.Any) -> None:
    """Close asynchronous iterators, which have ``aclose()`` if they are generators."""
    for iterator in dict.fromkeys(iterators):
        aclose = getattr(iterator, "aclose", None)
        if aclose is not None:
            await aclose()


#: The event loop of each thread that has run a coroutine function.
KEPT: t.Final = threading.local()

#: Whether the loop of another thread waits for this one, and runs what that awaits.
IS_WAITED_FOR: t.Final[ContextVar[bool]] = ContextVar("is_waited_for", default=False)

# The thread that ends last does not always drop its own before the loop is dropped.
atexit.register(lambda: vars(KEPT).clear())

#: The loops that a forked process has of its parent, whose they are: to close one here
#: would change what the parent waits for.
LOOPS_OF_PARENT: t.Final[list[asyncio.AbstractEventLoop]] = []


class KeptLoop:
    """An event loop that is closed with its thread, in the process that made it."""

    __slots__ = ("loop", "process")

    def __init__(self) -> None:
        self.process = os.getpid()
        # It keeps the context in which it is made.
        self.loop = Context().run(asyncio.new_event_loop)

    def __del__(self) -> None:
        if self.process == os.getpid():
            self.loop.close()
        else:
            LOOPS_OF_PARENT.append(self.loop)


def to_kept_loop(
    function: Callable[..., Coroutine[t.Any, t.Any, T]],
    usual: Callable[[Callable[..., Coroutine[t.Any, t.Any, T]]], Callable[..., T]],
) -> Callable[..., T]:
    """What runs a coroutine function in the loop that the thread keeps.

    :param usual: makes what runs it in another way. That is for a thread in which a
        loop runs, or for which one waits, and where gevent has replaced threads.
    """
    return partial(_run_kept, function, usual)


def _run_kept(
    function: Callable[..., Coroutine[t.Any, t.Any, T]],
    usual: Callable[[Callable[..., Coroutine[t.Any, t.Any, T]]], Callable[..., T]],
    /,
    *args: t.Any,
    **options: t.Any,
) -> T:
    if _is_in_loop() or IS_WAITED_FOR.get() or threading.local.__module__ != "_thread":
        return usual(function)(*args, **options)
    kept: KeptLoop | None = getattr(KEPT, "loop", None)
    if kept is None or kept.process != os.getpid():
        kept = KEPT.loop = KeptLoop()
    seen: list[Context] = []
    loop = kept.loop
    task = loop.create_task(_finish(function, args, options, seen=seen))
    try:
        value, error = loop.run_until_complete(task)
    finally:
        if not task.done():
            # A signal has stopped the loop.
            del KEPT.loop
            _end(loop)
        while seen:
            _restore(seen.pop())
        # The traceback of an error has this frame, and the context has the request.
        del kept, loop, task
    if error is None:
        return t.cast("T", value)
    try:
        raise error
    finally:
        del error


def runs_kept_loop() -> bool:
    """Whether the loop that runs in this thread is the one that it keeps."""
    kept: KeptLoop | None = getattr(KEPT, "loop", None)
    return kept is not None and kept.loop is asyncio.get_running_loop()


async def _finish(
    function: Callable[..., Coroutine[t.Any, t.Any, T]],
    args: tuple[t.Any, ...],
    options: dict[str, t.Any],
    *,
    seen: list[Context],
) -> tuple[T | None, BaseException | None]:
    """What a function returns or raises, when nothing of it is left in the loop.

    :param seen: is given the context in which it has run.
    """
    opened, hooks = WeakSet[t.Any](), sys.get_asyncgen_hooks()

    def add(generator: AsyncGenerator[t.Any, t.Any]) -> None:
        opened.add(generator)
        if hooks.firstiter is not None:
            hooks.firstiter(generator)

    # The loop puts back what was there before it. Its shutdown_asyncgens() is for a
    # loop that is not used any more.
    sys.set_asyncgen_hooks(firstiter=add)
    try:
        return await function(*args, **options), None
    except (Exception, asyncio.CancelledError) as error:
        # Not of the task, whose exception would refer to it.
        return None, error
    finally:
        seen.append(copy_context())
        await _leave(asyncio.all_tasks() - {asyncio.current_task()}, opened)


async def _leave(
    tasks: set[asyncio.Task[t.Any]], opened: Iterable[AsyncGenerator[t.Any, t.Any]]
) -> None:
    """Cancel what tasks are left, and close the generators that are."""
    for task in tasks:
        task.cancel()
    await _wait_for(tasks)
    await _wait_for([generator.aclose() for generator in [*opened]])


async def _wait_for(ending: Collection[Awaitable[t.Any]]) -> None:
    """Wait for what ends, and report what it raises: nothing else sees that."""
    if not ending:
        return
    for result in await asyncio.gather(*ending, return_exceptions=True):
        if isinstance(result, Exception):
            asyncio.get_running_loop().call_exception_handler(
                {"message": "left over after a view", "exception": result}
            )


def _restore(context: Context) -> None:
    """Set what a function has set, as if it had run in the context of this thread."""
    for variable, value in context.items():
        if variable.get(context) is not value:
            variable.set(value)
