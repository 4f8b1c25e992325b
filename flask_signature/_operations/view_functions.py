"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from .._dependencies.enforced import ENFORCED
from .._dependencies.enforced import find_enforced
from .._dependencies.enforced import is_decorated
from .._inbound.usual import compile_read
from .._outbound.usual import compile_respond
from .active import current_request
from .calls import ROUTE_CALL
from .calls import RouteCall
from .calls import find_decorated
from .class_views import asks_for_method
from .view_calls import ClassCaller
from .view_calls import Enforcement
from .view_calls import ViewCallMaker
from .view_calls import finish_value
from .view_calls import runs_coroutine_functions
from .view_calls import synchronous
from .view_calls import warn_of_missing
from .view_calls import wrap_view

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence

    from .._dependencies.operation import OperationDependencies
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._signature.argument import Signature
    from .calls import DecoratedView
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Target

    #: Makes the function that reads the request, calls a view and responds.
    Around: t.TypeAlias = Callable[[ViewFunction], ViewFunction]


class Plans(t.NamedTuple):
    """What is compiled of a view.

    :param dependencies: what is called before the view, ``None`` where nothing is.
    """

    signature: Signature
    inbound: InboundPlan
    outbound: OutboundPlan
    dependencies: OperationDependencies | None


class ViewFunctions(t.NamedTuple):
    """The functions of an operation.

    :param undecorated: reads a request, calls the view and responds.
    :param decorated: the same in its decorators.
    :param around_method: makes the function that reads the request for the method of a
        class-based view, ``None`` where it is read around the whole view.
    """

    undecorated: ViewFunction
    decorated: ViewFunction
    around_method: Around | None


@dataclass(frozen=True, slots=True)
class ViewComposer:
    """Makes the functions that read a request, call the view and respond.

    :param inside: the operation of the function that a wrapper calls, which has the
        decorators of the route already.
    :param wrapping: the operations that run instead under their rules, if any.
    :param decorated: the view in decorators below the route that may make a response.
    :param reads_in_method: whether the request is read inside of the decorators of a
        class.
    """

    target: Target
    plans: Plans
    inside: Operation | None
    wrapping: list[Operation]
    decorated: DecoratedView | None
    reads_in_method: bool

    @classmethod
    def of(cls, target: Target, plans: Plans) -> ViewComposer:
        """The composer of an operation with these plans."""
        registration = target.registration
        decorated = find_decorated(target.view_callable, plans.outbound)
        registration.registry.operations.has_decorated |= decorated is not None
        return cls(
            target,
            plans,
            inside=target.earlier if registration.wrappers else None,
            wrapping=[],
            decorated=decorated,
            reads_in_method=asks_for_method(
                registration.app, registration.view, target.view_callable
            ),
        )

    @property
    def inbound(self) -> InboundPlan:
        """What reads the arguments of the view."""
        return self.plans.inbound

    @property
    def outbound(self) -> OutboundPlan:
        """What makes a response of its value."""
        return self.plans.outbound

    @property
    def is_returned(self) -> bool:
        """Whether a decorator of the route may make a response of the view's value."""
        is_decorated = bool(self.target.declaration.decorators)
        return is_decorated and self.outbound.defers_status and self.outbound.completes

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to do, so that the view is called as it is."""
        is_called = self.inbound.is_noop and self.plans.dependencies is None
        return is_called and self._respond is None

    def compose(self, missing: Sequence[str]) -> ViewFunctions:
        """The functions of the operation.

        :param missing: the variables of the URL that the view lacks.
        """
        view, around = self.target.registration.view, self._compile_around()
        function = view if self.is_plain else self._compose(around)
        if missing:
            function = warn_of_missing(self.target, function, missing)
        reads_in_method = self.reads_in_method and function is not view
        return ViewFunctions(
            function, self._decorate(function), around if reads_in_method else None
        )

    def _compose(self, around: Around) -> ViewFunction:
        view = self.target.registration.view
        if self.reads_in_method:
            caller = ClassCaller(
                self.target,
                around,
                respond=self._respond or _unchanged,
                enforcement=self._enforcement(),
                wrapping=self.wrapping,
            )
            return wrap_view(view, caller.function())
        return wrap_view(view, around(view))

    def _decorate(self, function: ViewFunction) -> ViewFunction:
        """The function in the decorators of the route and its blueprints."""
        if self.inside is not None:
            return self.inside.view_function
        declaration, app = self.target.declaration, self.target.registration.app
        if not declaration.decorators:
            return function
        decorated = declaration.decorate(function)
        plan, is_returned = self.outbound, self.is_returned
        call, inner = synchronous(app, decorated), synchronous(app, function)

        def call_decorated(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            is_enforced = ENFORCED in request.environ
            if is_enforced and is_decorated(request, declaration, view_args):
                return inner(*args, **view_args)
            if not is_returned:
                return call(*args, **view_args)
            return ROUTE_CALL.run(RouteCall(plan), call, args=args, view_args=view_args)

        return wrap_view(decorated, call_decorated)

    def _compile_around(self) -> Around:
        """What makes the function around one that calls the view.

        That may be a coroutine function.
        """
        dependencies, decorated = self.plans.dependencies, self.decorated
        around = (
            self._around_alone()
            if dependencies is None
            else self._around_with(dependencies)
        )
        if decorated is None:
            return around
        return lambda view: around(decorated.around(view))

    def _around_alone(self) -> Around:
        """The same for a view without dependencies."""
        view_callable, wrapping = self.target.view_callable, self.wrapping
        app, is_noop = self.target.registration.app, self.inbound.is_noop
        find_among = self.target.registration.registry.operations.find_among
        respond, read = self._respond or _unchanged, compile_read(self.inbound)

        def around(view: ViewFunction) -> ViewFunction:
            call = synchronous(app, view)

            def call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
                if wrapping and (other := find_among(current_request(), wrapping)):
                    return synchronous(app, other.undecorated)(*args, **view_args)
                return respond(call(*args, **view_args))

            def read_call_and_respond(*args: t.Any, **view_args: t.Any) -> t.Any:
                request = current_request()
                if wrapping and (other := find_among(request, wrapping)):
                    return synchronous(app, other.undecorated)(*args, **view_args)
                if args:
                    named, rest = view_callable.name_arguments(args, view_args)
                    values = read(request, named)
                    names = view_callable.positional if rest else ()
                    first = [values.pop(name) for name in names]
                    return respond(call(*first, *rest, **values))
                return respond(call(**read(request, view_args)))

            return call_and_respond if is_noop else read_call_and_respond

        return around

    def _around_with(self, dependencies: OperationDependencies) -> Around:
        """The same for a view with its dependencies."""
        view_callable, wrapping = self.target.view_callable, self.wrapping
        registration = self.target.registration
        app, find_among = registration.app, registration.registry.operations.find_among
        in_thread = runs_coroutine_functions(registration.view)
        in_thread = in_thread and not self.reads_in_method
        maker = ViewCallMaker(
            app, self._respond or _unchanged, self._finish, in_thread=in_thread
        )

        def around(view: ViewFunction) -> ViewFunction:
            usual = maker.make(view)

            def run(*args: t.Any, **view_args: t.Any) -> t.Any:
                request = current_request()
                if wrapping and (other := find_among(request, wrapping)):
                    return synchronous(app, other.undecorated)(*args, **view_args)
                call = usual
                if args:
                    view_args, rest = view_callable.name_arguments(args, view_args)
                    if rest:
                        names = view_callable.positional
                        call = maker.make(view, names, rest=rest)
                plan = dependencies.find(view_args, request.url_rule)
                if plan.inside is not None and ENFORCED in request.environ:
                    enforced = find_enforced(request, dependencies, view_args)
                    if enforced is not None:
                        return plan.inside.run_inside(view_args, call, enforced)
                return plan.run(request, view_args, call)

            return run

        return around

    @property
    def _finish(self) -> ViewFunction:
        """What makes a response of what is returned, whatever that is."""
        return partial(finish_value, self.target.registration.app, self.outbound)

    @property
    def _respond(self) -> ViewFunction | None:
        """What makes a response of a value, ``None`` where the value is returned."""
        outbound, usual = self.outbound, compile_respond(self.outbound)
        if not self.is_returned:
            return None if outbound.is_noop else usual

        def respond(value: t.Any) -> t.Any:
            route_call = ROUTE_CALL.find()
            response = usual(value)
            if route_call is not None and route_call.plan is outbound:
                route_call.value = response
            return response

        return respond

    def _enforcement(self) -> Enforcement | None:
        """What is evaluated around a class, ``None`` where nothing is."""
        dependencies, view = self.plans.dependencies, self.target.registration.view
        if dependencies is None or not dependencies.needs.has_guards:
            return None
        return Enforcement(dependencies, self._finish, runs_coroutine_functions(view))


def _unchanged(value: t.Any) -> t.Any:
    return value
