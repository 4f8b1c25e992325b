"""An asynchronous iterator, read in the thread that sends the response."""

from __future__ import annotations

import asyncio
import typing as t
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

if t.TYPE_CHECKING:
    from collections.abc import (
        AsyncIterable,
        Callable,
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
