"""What runs for each request of a view with dependencies.

A request and what is passed to the view go in, the response of the view comes out. Who
needs credentials or stands in ``dependencies=`` runs before the body is read: right
before it, or around a class-based view or a function that was not compiled, whose view
is inside.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import IOBase

from werkzeug.wrappers import Response

from .enforced import back_to_loop
from .generators import SCOPE_KEY, close_all, run_in_loop, run_now, throw_into
from .steps import RequestState, is_asynchronous, opens_generator, run_steps

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from flask import Flask, Request

    from .._inbound.plan import Read
    from .access import Access
    from .enforced import Enforced
    from .generators import RequestScope, Running
    from .steps import Step

    Values: t.TypeAlias = dict[str, t.Any]


#: Why a view can't return a stream that nobody has declared.
STREAM: t.Final = (
    "The view has returned a stream, but depends on a generator that is closed before"
    ' it is sent. Write Depends(..., scope="request"), or open what it yields inside of'
    " the stream."
)


class ViewCall(t.NamedTuple):
    """How a view is called, and its value becomes a response.

    :param function: the view, which may be a coroutine function.
    :param call: the same, run to its end.
    :param respond: makes what is returned of the value.
    :param finish: makes a response of that, whatever it is.
    :param is_asynchronous: whether the function is a coroutine function.
    """

    function: Callable[..., t.Any]
    call: Callable[..., t.Any]
    respond: Callable[[t.Any], t.Any]
    finish: Callable[[t.Any], t.Any]
    is_asynchronous: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyPlan:
    """The dependencies of a view, and the arguments of all of them.

    :param access: checks who sends the request, ``None`` where anybody may.
    :param read_guards: reads the arguments of guards, ``None`` where they have none.
    :param guards: what is called before the body is read.
    :param read: reads the other arguments.
    :param steps: what is called after that.
    :param shared: arguments that are passed, and the keys where others look for them.
    :param copied: arguments of the view whose values have another key.
    :param hidden: the keys of what is not passed to the view.
    :param is_asynchronous: whether something runs in an event loop.
    :param is_simple: whether there are but calls to make.
    :param opens_generator: whether one is open while the view responds.
    :param refuses_streams: whether one of these is closed before a stream is sent.
    :param around: the guards alone, which run around a view that calls the rest by
        itself, ``None`` where there are none.
    :param inside: that rest.
    """

    app: Flask
    access: Access | None
    read_guards: Read | None
    guards: tuple[Step, ...]
    read: Read
    steps: tuple[Step, ...]
    shared: tuple[tuple[str, str], ...]
    copied: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    is_asynchronous: bool
    is_simple: bool
    opens_generator: bool
    refuses_streams: bool
    around: DependencyPlan | None = None
    inside: DependencyPlan | None = None

    def run(self, request: Request, view_args: Values, view: ViewCall) -> t.Any:
        """The response of the view.

        :param view_args: what the URL provides, and what is passed to the view.
        :raises Exception: what a dependency or the view raises.
        """
        if self.shared:
            view_args = self._with_shared(view_args)
        if self.is_simple:
            return self._run_simple(request, view_args, view)
        state = RequestState(request, view_args, {**view_args}, [])
        if self.is_asynchronous:
            return self.app.ensure_sync(run_in_loop)(
                self._running(state, view, in_loop=True)
            )
        return run_now(self._running(state, view, in_loop=False))

    def run_inside(
        self, view_args: Values, view: ViewCall, enforced: Enforced
    ) -> t.Any:
        """The same where what runs around the view has run."""
        if self.shared:
            view_args = self._with_shared(view_args)
        values = {**enforced.values, **view_args}
        state = RequestState(enforced.request, view_args, values, [])
        if self.is_asynchronous or (enforced.in_loop and view.is_asynchronous):
            run = back_to_loop if enforced.in_loop else self.app.ensure_sync
            return run(run_in_loop)(self._running(state, view, in_loop=True))
        return run_now(self._running(state, view, in_loop=False))

    def split(self, guards: Iterable[Step], later: Iterable[Step]) -> DependencyPlan:
        """The same, which can also run around a view and inside of it.

        :param guards: the calls before the body is read.
        :param later: the others.
        """
        around = replace(
            self,
            read=_read_nothing,
            steps=(),
            copied=(),
            hidden=(),
            is_asynchronous=is_asynchronous(guards),
            opens_generator=opens_generator(guards),
            refuses_streams=False,
        )
        inside = replace(
            self,
            access=None,
            read_guards=None,
            guards=(),
            is_asynchronous=is_asynchronous(later),
            opens_generator=opens_generator(later),
        )
        return replace(self, around=around, inside=inside)

    def _with_shared(self, view_args: Values) -> Values:
        """What is passed, also where others look for it."""
        return {**{key: view_args[name] for name, key in self.shared}, **view_args}

    def _run_simple(self, request: Request, view_args: Values, view: ViewCall) -> t.Any:
        """Make the calls, none of which has to be closed or awaited.

        :meth:`_running` does the same, and adds 7 % to a request with three of them.
        """
        values = self.read(request, view_args)
        for step in self.steps:
            if step.key not in values:
                values[step.key] = step.function(**step.arguments(values))
        return view.respond(view.call(**self._arguments(values)))

    def _running(
        self, state: RequestState, view: ViewCall, *, in_loop: bool
    ) -> Running[t.Any]:
        """The response of the view, when what has to be awaited was.

        :param in_loop: whether that is done in an event loop.
        """
        request, view_args, values = state.request, state.view_args, state.values
        left: list[BaseException] = []
        try:
            if self.access is not None:
                yield from self.access.check(state)
            if self.read_guards is not None:
                values.update(self.read_guards(request, view_args))
            if self.guards:
                yield from run_steps(self.guards, state)
            values.update(self.read(request, view_args))
            if self.steps:
                yield from run_steps(self.steps, state)
            arguments = self._arguments(values)
            if in_loop and view.is_asynchronous:
                value = yield view.function(**arguments)
            else:
                value = view.call(**arguments)
            response = self._respond(value, view)
        except BaseException as error:
            left = yield from throw_into(state.opened, error)
            if not left:
                raise
        # Not raised above, where its own context would be replaced.
        if left:
            raise left.pop()
        if state.opened:
            yield from _close(state)
        return response

    def _respond(self, value: t.Any, view: ViewCall) -> t.Any:
        """What is returned of the value of the view.

        :raises TypeError: if it is a stream of something that is closed by then.
        """
        response = view.respond(value)
        if self.refuses_streams and _is_stream(response):
            raise TypeError(STREAM)
        return view.finish(response) if self.opens_generator else response

    def _arguments(self, values: Values) -> Values:
        """What the view is called with."""
        for name, key in self.copied:
            if name not in values:
                values[name] = values[key]
        for key in self.hidden:
            values.pop(key, None)
        return values


def _close(state: RequestState) -> Running[None]:
    """Close the generators but those that wait for the end of the body."""
    yield from close_all(state.opened)
    if state.opened:
        scope: RequestScope = state.request.environ[SCOPE_KEY]
        scope.add(state.opened)


def _read_nothing(request: Request, view_args: Mapping[str, t.Any]) -> Values:
    return {}


def _is_stream(response: t.Any) -> bool:
    """Whether what is returned is sent item by item, later than it is returned."""
    if isinstance(response, tuple) and response:
        response = response[0]
    if isinstance(response, Response):
        is_file = response.direct_passthrough
        return not is_file and isinstance(response.response, Iterator)
    return isinstance(response, Iterator) and not isinstance(response, IOBase)
