"""What runs around a view for each request, and what is known to be done already.

The values of a request go in, the arguments of the view that dependencies supply come
out. Who may call a view is decided around all of it: what is inside asks here whether
that was done, so that no guard runs twice.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import IOBase

import flask
from werkzeug.wrappers import Response

from .access import RequestState, check_access, run_steps
from .callables import ASYNCHRONOUS_KINDS, GENERATORS
from .generators import SCOPE_KEY, close_all, run_now, throw_into

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from flask import Flask, Request

    from .._inbound.plan import Read
    from .._routing.declaration import Declaration
    from .access import OnlyScheme, Parts, SchemeCall
    from .graph import Node

    Values: t.TypeAlias = dict[str, t.Any]

#: Why a view can't return a stream that is not declared.
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

    :param parts: the security requirements, each with the key of what it gives.
    :param calls: how their schemes are verified, by the identity of these.
    :param only_scheme: the one that is all of them, if it needs no more.
    :param read_guards: reads the arguments of guards, ``None`` where they have none.
    :param guards: what is called before the body is read.
    :param read: reads the other arguments.
    :param steps: what is called after that.
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
    parts: Parts
    calls: Mapping[int, SchemeCall]
    only_scheme: OnlyScheme | None
    read_guards: Read | None
    guards: Sequence[Node]
    read: Read
    steps: Sequence[Node]
    copied: Sequence[tuple[str, str]]
    hidden: tuple[str, ...]
    is_asynchronous: bool
    is_simple: bool
    opens_generator: bool
    refuses_streams: bool
    around: DependencyPlan | None = None
    inside: DependencyPlan | None = None

    def run(
        self,
        request: Request,
        view_args: Values,
        view: ViewCall,
        *,
        enforced: Enforced | None = None,
    ) -> t.Any:
        """The response of the view.

        :param view_args: what the URL provides, and what is passed to the view.
        :param enforced: what has run around the view.
        :raises Exception: what a dependency or the view raises.
        """
        for name, key in self.copied:
            if name in view_args:
                # What is passed, also where others look for it.
                view_args = {key: view_args[name], **view_args}
        if self.is_simple:
            return self._run_simple(request, view_args, view)
        values = {**enforced.values, **view_args} if enforced else {**view_args}
        state = RequestState(request, view_args, values, [])
        is_awaited = enforced is not None and enforced.in_loop
        if not (self.is_asynchronous or (is_awaited and view.is_asynchronous)):
            return run_now(self._running(state, view, in_loop=False))
        run: Callable[..., t.Any] = self.app.ensure_sync
        if is_awaited:
            from asgiref.sync import async_to_sync

            # The application may know of no loop but its own: this waits for a thread.
            run = async_to_sync
        return run(self._running)(state, view, in_loop=True)

    def split(self, guards: Iterable[Node], later: Iterable[Node]) -> DependencyPlan:
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
            refuses_streams=False,
            **kinds_of(guards),
        )
        inside = replace(
            self,
            parts=(),
            read_guards=None,
            guards=(),
            **kinds_of(later),
        )
        return replace(self, around=around, inside=inside)

    def _run_simple(self, request: Request, view_args: Values, view: ViewCall) -> t.Any:
        """Make the calls, none of which has to be closed or awaited.

        :meth:`_running` does the same, and adds 7 % to a request with three of them.
        """
        values = self.read(request, view_args)
        for step in self.steps:
            if step.key not in values:
                values[step.key] = step.function(**step.arguments(values))
        return view.respond(view.call(**self._arguments(values)))

    async def _running(
        self, state: RequestState, view: ViewCall, *, in_loop: bool
    ) -> t.Any:
        """The response of the view, when what has to be awaited was.

        :param in_loop: whether that is done in an event loop.
        """
        request, view_args, values = state.request, state.view_args, state.values
        left: list[BaseException] = []
        try:
            if self.parts:
                only = self.only_scheme
                await check_access(self.parts, self.calls, state, only=only)
            if self.read_guards is not None:
                values.update(self.read_guards(request, view_args))
            if self.guards:
                await run_steps(self.guards, state)
            values.update(self.read(request, view_args))
            if self.steps:
                await run_steps(self.steps, state)
            arguments = self._arguments(values)
            value = (
                await view.function(**arguments)
                if in_loop and view.is_asynchronous
                else view.call(**arguments)
            )
            response = self._respond(value, view)
            if state.opened:
                await close_all(state.opened)
        except BaseException as error:
            left = await throw_into(state.opened, error)
            if not left:
                raise
        # Not raised above, where its own context would be replaced.
        if left:
            raise left.pop()
        # The others wait for the end of the body.
        if state.opened:
            request.environ[SCOPE_KEY].add(state.opened)
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


#: The key of all of them in the environ of a request, which threads share that a
#: decorator starts. No header of a client has a name like this.
ENFORCED: t.Final = "flask_signature.enforced"


@dataclass(slots=True, eq=False, repr=False)
class Enforced:
    """What was enforced for a request, while the view is called.

    It is not shown by a debugger, since it has what guards have made of credentials.

    :param dependencies: whose guards have let the request through, ``None`` for none.
    :param declaration: whose ``decorators=`` have been called, ``None`` for none.
    :param view_args: what the view has to be called with for this to hold.
    :param is_open: whether the method of a class may be called with something else.
    :param values: what the guards have made, by their keys.
    :param in_loop: whether the view is called in a thread that waits for the event loop
        of the guards.
    :param call: what ``decorators=`` call in the place of the view.
    :param evaluated: the dependencies whose guards were evaluated meanwhile, ``None``
        where that is not asked.
    """

    request: Request
    dependencies: object | None = None
    declaration: Declaration | None = None
    view_args: Mapping[str, t.Any] | None = None
    is_open: bool = False
    values: Mapping[str, t.Any] = field(default_factory=dict)
    in_loop: bool = False
    call: t.Any = None
    evaluated: list[object] | None = None

    def __enter__(self) -> Enforced:
        self.request.environ.setdefault(ENFORCED, []).append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self.request.environ[ENFORCED].remove(self)

    def holds(self, request: Request, view_args: Mapping[str, t.Any]) -> bool:
        """Whether it is for this call of the view."""
        return self.request is request and self.view_args == view_args


def find_enforced(
    request: Request,
    dependencies: object,
    view_args: Mapping[str, t.Any],
    *,
    in_class: bool = False,
) -> Enforced | None:
    """What was enforced for a call of a view, ``None`` where nothing was.

    They are added to the list of guards that were evaluated, if one is kept.

    :param in_class: whether it may be the method of a class that is called, to which
        the class may pass whatever it likes.
    """
    found = request.environ.get(ENFORCED, ())
    for item in reversed(found):
        is_open = in_class and item.is_open and item.request is request
        if item.dependencies is dependencies and (
            is_open or item.holds(request, view_args)
        ):
            return t.cast("Enforced", item)
    for item in found:
        if item.evaluated is not None:
            item.evaluated.append(dependencies)
    return None


def is_decorated(
    request: Request, declaration: Declaration, view_args: Mapping[str, t.Any]
) -> bool:
    """Whether the ``decorators=`` of a view are around what calls it."""
    return any(
        item.declaration is declaration and item.holds(request, view_args)
        for item in request.environ.get(ENFORCED, ())
    )


def runs_by_asgiref(app: Flask) -> bool:
    """Whether the methods that run coroutine functions are not overridden."""
    methods = (app.async_to_sync, flask.Flask.async_to_sync, app.ensure_sync)
    modules = {str(getattr(method, "__module__", None)) for method in methods}
    packages = {module.partition(".")[0] for module in modules}
    return packages <= {"flask", __name__.partition(".")[0]}


def runs_coroutines(app: Flask) -> bool:
    """Whether an application can run coroutine functions."""
    return not runs_by_asgiref(app) or has_asgiref()


def has_asgiref() -> bool:
    """Whether asgiref is installed, with which Flask runs coroutine functions."""
    try:
        import asgiref.sync  # noqa: F401
    except ImportError:
        return False
    return True


def to_thread(function: Callable[..., t.Any], app: Flask) -> Callable[..., t.Any]:
    """A coroutine function that calls one which may run coroutine functions itself.

    It is called in a thread, while the event loop runs in another: in that of the
    request, unless the application does not run the loop with asgiref, which would then
    take one thread for all requests.
    """

    def run(**values: t.Any) -> tuple[t.Any, StopIteration | None]:
        try:
            return function(**values), None
        except StopIteration as error:
            # No future can hold it, so that the loop would wait for ever.
            return None, error

    async def call(**values: t.Any) -> t.Any:
        from asgiref.sync import sync_to_async

        from .._cycle.loops import IS_WAITED_FOR, runs_kept_loop

        is_kept = runs_kept_loop()
        is_sensitive = runs_by_asgiref(app) and not is_kept
        token = IS_WAITED_FOR.set(is_kept)
        try:
            run_in = sync_to_async(run, thread_sensitive=is_sensitive)
            value, error = await run_in(**values)
        finally:
            IS_WAITED_FOR.reset(token)
        if error is not None:
            raise RuntimeError("The view raised StopIteration.") from error
        return value

    return call


def kinds_of(steps: Iterable[Node]) -> dict[str, t.Any]:
    """Whether one of some calls needs an event loop, and one opens a generator."""
    kinds = {step.kind for step in steps}
    return {
        "is_asynchronous": not ASYNCHRONOUS_KINDS.isdisjoint(kinds),
        "opens_generator": not GENERATORS.isdisjoint(kinds),
    }
