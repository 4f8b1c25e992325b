"""View functions that were not made here, where a blueprint or an application guards.

Plain views and static files are among them, and whatever was put into
``app.view_functions``: a view, a cache, a wrapper around the function of an operation.
The dispatcher calls them by :func:`call_guarded`. A plain ``flask.Flask`` has none, and
is given functions with their guards.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace
from functools import partial
from inspect import iscoroutinefunction
from threading import Lock
from weakref import ref

from werkzeug.exceptions import HTTPException

from .._dependencies.enforced import ENFORCED, Enforced, find_enforced
from .._routing.declaration import NOTHING_DECLARED
from .._routing.rule import rules_of
from .active import current_request
from .calls import REFUSED_ERROR, ROUTE_CALL, RouteCall, dispatch_request
from .checks import has_asgiref
from .decorators import Routes
from .plain_guards import find_plain_guard
from .registry import Registry
from .store import DecoratedFunction
from .view_functions import (
    Enforcement,
    finish_value,
    no_operation,
    synchronous,
    wrap_view,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from .operation import Operation, ViewFunction
    from .store import Endpoint

    #: Finds the view of a context, and calls it.
    Dispatch: t.TypeAlias = Callable[[t.Any], t.Any]

#: Held while a function is decorated, which is done once.
GUARDS_LOCK: t.Final = Lock()


def call_guarded(context: t.Any, dispatch: Dispatch | None, usual: Dispatch) -> t.Any:
    """What the view function of a request returns, if the request may reach it.

    :param dispatch: that of the author, which finds and calls it, ``None`` where that
        is Flask's.
    :param usual: does what Flask's does.
    :raises HTTPException: if the request may not reach it.
    """
    app, rule = context.app, context.request.url_rule
    registry, endpoint = Registry.of(app), rule.endpoint
    view = app.view_functions.get(endpoint)
    operation = registry.operations.find(context.request)
    known = registry.operations.endpoints.get(endpoint)
    if known is not None and operation is None:
        raise no_operation(context.request, known.operations)
    if view is not None and _is_free(app, endpoint, view):
        registry.functions.known[endpoint] = view
    scopes = None
    if known is not None and operation is not None:
        scopes = operation.scopes
        dispatch = _dispatch_of(GuardedCall(context, dispatch, view), operation, known)
    guard = find_plain_guard(app, endpoint, scopes)
    if guard is None:
        return (dispatch or usual)(context)
    call = GuardedCall(context, dispatch, view, is_plain=operation is None)
    call.declaration, call.enforcement = guard.declaration, guard.enforcement(rule)
    return call.run()


def _is_free(app: Flask, endpoint: str, view: ViewFunction) -> bool:
    """Whether a function may be called as it is for every request of an endpoint.

    It needs nothing, or it was made here, and enforces what it needs.
    """
    known = Registry.of(app).operations.endpoints.get(endpoint)
    if known is None:
        return find_plain_guard(app, endpoint) is None
    return all(
        find_plain_guard(app, endpoint, operation.scopes) is None
        and (known.holds(view) or not _needs_something(operation))
        for operation in known.operations
    )


def _needs_something(operation: Operation) -> bool:
    dependencies = operation.dependencies
    has_guards = dependencies is not None and dependencies.needs.has_guards
    return has_guards or bool(operation.declaration.decorators)


def _dispatch_of(
    call: GuardedCall, operation: Operation, known: Endpoint
) -> Dispatch | None:
    """What calls the view function of an operation, ``None`` for what Flask does."""
    app, dependencies = call.context.app, operation.dependencies
    if not _needs_something(operation):
        return call.dispatch
    if dependencies is not None and dependencies.needs.has_guards:
        finish = partial(finish_value, app, operation.outbound)
        call.enforcement = Enforcement(
            dependencies, finish, in_thread=has_asgiref(), is_exact=True
        )
    if not known.holds(call.view):
        call.declaration, call.outbound = operation.declaration, operation.outbound
        return lambda _: call.run()
    return call.dispatch and (lambda _: call.run_before())


@dataclass(slots=True)
class GuardedCall:
    """One call of a view function that was not made here.

    :param dispatch: as that of :func:`call_guarded`.
    :param view: the function, ``None`` where there is none.
    :param declaration: with the ``decorators=`` around it.
    :param enforcement: of its guards, ``None`` where it has none.
    :param is_plain: whether it is in the place of no operation.
    :ivar outbound: of the operation, if it is in the place of one.
    :ivar has_arrived: whether a request may reach it.
    """

    context: t.Any
    dispatch: Dispatch | None
    view: ViewFunction | None
    declaration: Declaration = NOTHING_DECLARED
    enforcement: Enforcement | None = None
    is_plain: bool = False
    outbound: OutboundPlan | None = None
    has_arrived: bool = False

    def run_before(self) -> t.Any:
        """What is returned where the function enforces its guards itself.

        Something of the author's is called before that, such as a
        ``dispatch_request()`` that keeps a cache. Where that does not call the
        function, they are evaluated afterwards.
        """
        request, enforcement = self.context.request, self.enforcement
        evaluated: list[object] = []
        with Enforced(request, evaluated=evaluated):
            value = (self.dispatch or dispatch_request)(self.context)
        if enforcement is None or any(
            item is enforcement.dependencies for item in evaluated
        ):
            return value
        return enforcement.run(request.view_args or {}, lambda: value)

    def run(self) -> t.Any:
        """What the function returns in its decorators, if the request may reach it."""
        request = self.context.request
        view_args = request.view_args or {}
        if not self.declaration.decorators:
            return self.enter(**view_args)
        decorated = self._decorated(request.url_rule.endpoint)
        plan = self.outbound
        with Enforced(request, call=self.enter):
            if plan is None or not (plan.defers_status and plan.completes):
                return decorated(**view_args)
            call = RouteCall(plan)
            return ROUTE_CALL.run(call, decorated, args=(), view_args=view_args)

    def enter(self, /, *args: t.Any, **view_args: t.Any) -> t.Any:
        """What it returns without its decorators."""
        if self.enforcement is None:
            return self._reach(args, view_args)
        coroutine = None
        is_awaited = self.is_plain and self.dispatch is None
        if is_awaited and iscoroutinefunction(self.view):
            coroutine = partial(self._await, args, view_args)
        reach = partial(self._reach, args, view_args)
        try:
            return self.enforcement.run(view_args, reach, coroutine=coroutine)
        except HTTPException as error:
            if self.is_plain and not self.has_arrived:
                REFUSED_ERROR.set(ref(error))
            raise

    def _reach(self, args: tuple[t.Any, ...], view_args: dict[str, t.Any]) -> t.Any:
        """What it returns to a request that may reach it."""
        self.has_arrived = True
        app, request = self.context.app, self.context.request
        with self._mark(view_args):
            if self.dispatch is None and self.view is not None:
                return app.ensure_sync(self.view)(*args, **view_args)
            if args:
                raise TypeError(
                    f"A decorator of {request.endpoint!r} passes by position what"
                    " dispatch_request() can take by name alone."
                )
            request.view_args = view_args
            return (self.dispatch or dispatch_request)(self.context)

    def _mark(self, view_args: dict[str, t.Any]) -> Enforced:
        """What the function inside need not do again, if it is called with these."""
        request, dependencies = self.context.request, None
        made = Enforced(request)
        if self.enforcement is not None:
            dependencies = self.enforcement.dependencies
            made = find_enforced(request, dependencies, view_args) or made
        return replace(made, declaration=self.declaration, view_args=view_args)

    async def _await(
        self, args: tuple[t.Any, ...], view_args: dict[str, t.Any]
    ) -> t.Any:
        self.has_arrived = True
        return await t.cast("ViewFunction", self.view)(*args, **view_args)

    def _decorated(self, endpoint: str) -> ViewFunction:
        """The function in its decorators, which are called once for it."""
        functions = Registry.of(self.context.app).functions
        made = functions.decorated.setdefault(endpoint, [])
        found = self._find_among(made)
        if found is None:
            with GUARDS_LOCK:
                found = self._find_among(made)
                if found is None:
                    found = self._decorate()
                    # Those of a function that was there before are not called again.
                    made[:] = [item for item in made if item.view is self.view]
                    made.append(found)
        return found.function

    def _find_among(self, made: list[DecoratedFunction]) -> DecoratedFunction | None:
        for item in made:
            if item.view is self.view and item.declaration is self.declaration:
                return item
        return None

    def _decorate(self) -> DecoratedFunction:
        def enter(*args: t.Any, **view_args: t.Any) -> t.Any:
            found = current_request().environ[ENFORCED]
            call = next(item.call for item in reversed(found) if item.call is not None)
            return call(*args, **view_args)

        view, declaration = self.view, self.declaration
        decorated = declaration.decorate(
            enter if view is None else wrap_view(view, enter)
        )
        function = synchronous(self.context.app, decorated)
        return DecoratedFunction(view, declaration, function)


def guard_endpoint(app: Flask, endpoint: str) -> None:
    """Compile what guards a plain view; a plain ``flask.Flask`` is given a function.

    :raises SignatureError: if it can't be compiled.
    """
    registry, view = Registry.of(app), app.view_functions.get(endpoint)
    known = registry.operations.endpoints.get(endpoint)
    scopes = None
    if known is not None:
        # Those whose declarations each of the operations has.
        scopes = frozenset.intersection(*(item.scopes for item in known.operations))
    guard = find_plain_guard(app, endpoint, scopes)
    if view is None or guard is None:
        return
    for rule in rules_of(app, endpoint):
        guard.enforcement(rule)
    if isinstance(app, Routes):
        return
    guarded = registry.functions.guarded
    earlier = guarded.get(endpoint)
    if earlier is not None and earlier.function is view:
        if earlier.declaration is guard.declaration:
            return
        # A blueprint in between has been registered since.
        view = t.cast("ViewFunction", earlier.view)
    function = guard.around(view)
    guarded[endpoint] = DecoratedFunction(view, guard.declaration, function)
    app.view_functions[endpoint] = function
