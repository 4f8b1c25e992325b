"""The functions that Flask calls: they read a request, call the view and respond.

Compiled plans go in, a function in place of the view comes out.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from .._dependencies.enforced import ENFORCED
from .._dependencies.enforced import Enforced
from .._inbound.usual import compile_read
from .._outbound.usual import compile_respond
from .active import current_request
from .calls import ROUTE_CALL
from .calls import RouteCall
from .calls import find_decorated
from .class_views import METHOD_CALL
from .class_views import MethodCall
from .class_views import asks_for_method
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
    around_method: Callable[[ViewFunction], ViewFunction] | None


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
        function = self.target.registration.view if self.is_plain else self._compose()
        if missing:
            function = warn_of_missing(self.target, function, missing)
        is_view = function is self.target.registration.view
        reads_in_method = self.reads_in_method and not is_view
        return ViewFunctions(
            function,
            self._decorate(function),
            self.around if reads_in_method else None,
        )

    def _compose(self) -> ViewFunction:
        view = self.target.registration.view
        if self.reads_in_method:
            call = synchronous(self.target.registration.app, view)
            return wrap_view(view, self._call_class(call))
        return wrap_view(view, self.around(view))

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
            enforced = Enforced.of(current_request())
            if enforced is not None and enforced.declaration is declaration:
                # They stand around the function that calls this one.
                return inner(*args, **view_args)
            if not is_returned:
                return call(*args, **view_args)
            return ROUTE_CALL.run(RouteCall(plan), call, args=args, view_args=view_args)

        return wrap_view(decorated, call_decorated)

    def around(self, view: ViewFunction) -> ViewFunction:
        """The function around one that calls the view.

        :param view: that one, which may be a coroutine function.
        """
        if self.decorated is not None:
            view = self.decorated.around(view)
        if self.plans.dependencies is not None:
            return self._around_with(view, self.plans.dependencies)
        view_callable, wrapping = self.target.view_callable, self.wrapping
        app = self.target.registration.app
        find_among = self.target.registration.registry.operations.find_among
        respond, read = self._respond or _unchanged, compile_read(self.inbound)
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

        return call_and_respond if self.inbound.is_noop else read_call_and_respond

    def _around_with(
        self, view: ViewFunction, dependencies: OperationDependencies
    ) -> ViewFunction:
        """The function around one that calls the view with its dependencies."""
        view_callable, wrapping = self.target.view_callable, self.wrapping
        app = self.target.registration.app
        find_among = self.target.registration.registry.operations.find_among
        respond = self._respond or _unchanged
        in_thread = runs_coroutine_functions(view)
        maker = ViewCallMaker(app, view, respond, self.outbound, in_thread)
        usual = maker.make()

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            call = usual
            if args:
                view_args, rest = view_callable.name_arguments(args, view_args)
                if rest:
                    call = maker.make(view_callable.positional, rest)
            plan = dependencies.find(view_args, request.url_rule)
            enforced = request.environ.get(ENFORCED)
            if enforced is None or plan.inside is None:
                return plan.run(request, view_args, call)
            if enforced.request is request and enforced.dependencies is dependencies:
                return plan.inside.run_inside(view_args, call, enforced)
            call = call._replace(
                function=enforced.around(call.function, dependencies),
                call=enforced.around(call.call, dependencies),
            )
            return plan.run(request, view_args, call)

        return run

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

    def _call_class(self, view: ViewFunction) -> ViewFunction:
        """The function of a class-based view, whose method reads the request.

        Guards are evaluated around the whole class, whatever that does.
        """
        app, wrapping = self.target.registration.app, self.wrapping
        operations = self.target.registration.registry.operations
        view_callable, respond = self.target.view_callable, self._respond or _unchanged
        asked: t.Any = self.target.registration.view
        enforcement = self._enforcement()

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            call = MethodCall(asked, view_callable, self.around, operations)
            value = METHOD_CALL.run(call, view, args=args, view_args=view_args)
            # A decorator has returned something else, or went a way around.
            return value if call.is_read else respond(value)

        def call_class(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if wrapping and (other := operations.find_among(request, wrapping)):
                return synchronous(app, other.undecorated)(*args, **view_args)
            if enforcement is None:
                return run(*args, **view_args)
            call = partial(run, *args, **view_args)
            if args:
                view_args, _ = view_callable.name_arguments(args, view_args)
            return enforcement.run(view_args, call)

        return call_class

    def _enforcement(self) -> Enforcement | None:
        """What is evaluated around a class, ``None`` where nothing is."""
        registration, dependencies = self.target.registration, self.plans.dependencies
        if dependencies is None or not dependencies.needs.has_guards:
            return None
        finish = partial(finish_value, registration.app, self.outbound)
        in_thread = runs_coroutine_functions(registration.view)
        return Enforcement(dependencies, finish, in_thread)


def _unchanged(value: t.Any) -> t.Any:
    return value
