"""Who may call what was not compiled: plain views, and functions that replace others.

The dispatcher calls :func:`call_guarded` for each of them. A compiled view has its
guards in its function, which a :class:`.DependencyPlan` evaluates.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import iscoroutinefunction
from threading import RLock
from weakref import ref

from werkzeug.exceptions import HTTPException

from .._common import UNSET
from .._dependencies.compile import Declared, compile_dependencies
from .._dependencies.plan import ENFORCED, Enforced, find_enforced, has_asgiref
from .._routing.declaration import NOTHING_DECLARED
from .._routing.route import read_rule, rules_of
from .._signature.argument import EMPTY, Signature
from .._signature.views import source_location
from ..exceptions import SignatureError
from .calls import REFUSED_ERROR, call_in_decorators
from .decorators import Routes
from .functions import ViewGuards, no_operation, synchronous, wrap_view
from .registration import (
    check_application,
    find_requirement,
    inbound_compiler,
)
from .registry import DecoratedFunction, Registry, current_request

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Request
    from werkzeug.routing import Rule

    from .._outbound.plan import OutboundPlan
    from .._routing.declaration import Declaration
    from ..security import Requirement
    from .registry import Operation, ViewFunction


if t.TYPE_CHECKING:
    #: Finds the view of a context, and calls it.
    Dispatch: t.TypeAlias = Callable[[t.Any], t.Any]

#: Held while a function is decorated, which is done once.
GUARDS_LOCK: t.Final = RLock()


def call_guarded(context: t.Any, dispatch: Dispatch | None, usual: Dispatch) -> t.Any:
    """What the view function of a request returns, if the request may reach it.

    :param dispatch: that of the author, which finds and calls it, ``None`` where that
        is Flask's.
    :param usual: does what Flask's does.
    :raises HTTPException: if the request may not reach it.
    """
    app, request = context.app, context.request
    operations, endpoint = Registry.of(app).operations, request.url_rule.endpoint
    view, known = app.view_functions.get(endpoint), operations.endpoints.get(endpoint)
    operation = operations.find(request)
    if known is not None and operation is None:
        raise no_operation(request, known.operations)
    if view is not None and _is_free(app, endpoint, view):
        operations.known[endpoint] = view
    if view is None:
        # Flask says what is wrong with that.
        dispatch = dispatch or usual
    inner: Callable[[], t.Any] | None = dispatch and partial(dispatch, context)
    scopes = None
    if known is not None and operation is not None:
        scopes = operation.scopes
        inner = _guard_operation(GuardedCall(app, request, view, inner), operation)
    guard = find_plain_guard(app, endpoint, scopes)
    if guard is None:
        return usual(context) if inner is None else inner()
    call = GuardedCall(app, request, view, inner, is_plain=operation is None)
    call.declaration = guard.declaration
    call.view_guards = guard.view_guards(request.url_rule)
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
    has_guards = dependencies is not None and dependencies.has_guards
    return has_guards or bool(operation.declaration.decorators)


def _guard_operation(
    call: GuardedCall, operation: Operation
) -> Callable[[], t.Any] | None:
    """What is called for an operation, ``None`` where that is its own function."""
    dependencies = operation.dependencies
    if not _needs_something(operation):
        return call.dispatch
    if dependencies is not None and dependencies.has_guards:
        call.view_guards = ViewGuards(
            dependencies, operation.outbound, in_thread=has_asgiref(), is_exact=True
        )
    known = Registry.of(call.app).operations.endpoints[call.request.endpoint or ""]
    if known.holds(call.view):
        return call.dispatch and call.run_before
    call.declaration, call.outbound = operation.declaration, operation.outbound
    return call.run


@dataclass(slots=True)
class GuardedCall:
    """One call of a view function that was not made here.

    :param view: the function, ``None`` where there is none.
    :param dispatch: of the author, which finds and calls it, ``None`` where nothing
        does.
    :param is_plain: whether it is in the place of no operation.
    :ivar declaration: with the ``decorators=`` around it.
    :ivar view_guards: of its guards, ``None`` where it has none.
    :ivar outbound: of the operation, if it is in the place of one.
    :ivar has_arrived: whether a request may reach it.
    """

    app: Flask
    request: Request
    view: t.Any
    dispatch: Callable[[], t.Any] | None = None
    is_plain: bool = False
    declaration: Declaration = NOTHING_DECLARED
    view_guards: ViewGuards | None = None
    outbound: OutboundPlan | None = None
    has_arrived: bool = False

    def run_before(self) -> t.Any:
        """What is returned where the function enforces its guards itself.

        Something of the author's is called before that, such as a
        ``dispatch_request()`` that keeps a cache. Where that does not call the
        function, they are evaluated afterwards.
        """
        request, view_guards = self.request, self.view_guards
        evaluated: list[object] = []
        with Enforced(request, evaluated=evaluated):
            value = self.dispatch() if self.dispatch else None
        if view_guards is None or any(
            item is view_guards.dependencies for item in evaluated
        ):
            return value
        return view_guards.run(request.view_args or {}, lambda: value)

    def run(self) -> t.Any:
        """What the function returns in its decorators, if the request may reach it."""
        view_args = self.request.view_args or {}
        if not self.declaration.decorators:
            return self.enter(**view_args)
        with Enforced(self.request, call=self.enter):
            return call_in_decorators(
                self.outbound, self._decorated(), args=(), view_args=view_args
            )

    def enter(self, /, *args: t.Any, **view_args: t.Any) -> t.Any:
        """What it returns without its decorators."""
        if self.view_guards is None:
            return self._reach(args, view_args)
        reach, coroutine = partial(self._reach, args, view_args), None
        is_called = self.is_plain and self.dispatch is None
        if is_called and iscoroutinefunction(self.view):
            coroutine = partial(reach, is_awaited=True)
        try:
            return self.view_guards.run(view_args, reach, coroutine=coroutine)
        except HTTPException as error:
            if self.is_plain and not self.has_arrived:
                REFUSED_ERROR.set(ref(error))
            raise

    def _reach(
        self,
        args: tuple[t.Any, ...],
        view_args: dict[str, t.Any],
        *,
        is_awaited: bool = False,
    ) -> t.Any:
        """What it returns to a request that may reach it."""
        self.has_arrived = True
        with self._mark(view_args):
            if self.dispatch is None:
                view = self.view if is_awaited else self.app.ensure_sync(self.view)
                return view(*args, **view_args)
            if args:
                raise TypeError(
                    f"A decorator of {self.request.endpoint!r} passes by position what"
                    " dispatch_request() can take by name alone."
                )
            self.request.view_args = view_args
            return self.dispatch()

    def _mark(self, view_args: dict[str, t.Any]) -> Enforced:
        """What the function inside need not do again, if it is called with these."""
        request, made = self.request, Enforced(self.request)
        if self.view_guards is not None:
            dependencies = self.view_guards.dependencies
            made = find_enforced(request, dependencies, view_args) or made
        return replace(
            made, declaration=self.declaration, view_args=view_args, is_open=False
        )

    def _decorated(self) -> ViewFunction:
        """The function in its decorators, which are called once for it."""
        made = Registry.of(self.app).operations.decorated
        key = self.request.endpoint or "", id(self.declaration)
        found = made.get(key)
        if found is None or found.view is not self.view:
            with GUARDS_LOCK:
                found = made.get(key)
                if found is None or found.view is not self.view:
                    found = made[key] = self._decorate()
        return found.function

    def _decorate(self) -> DecoratedFunction:
        def enter(*args: t.Any, **view_args: t.Any) -> t.Any:
            found = current_request().environ[ENFORCED]
            call = next(item.call for item in reversed(found) if item.call is not None)
            return call(*args, **view_args)

        view, declaration = self.view, self.declaration
        decorated = declaration.decorate(
            enter if view is None else wrap_view(view, enter)
        )
        function = synchronous(self.app, decorated)
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
        guard.view_guards(rule)
    if isinstance(app, Routes):
        return
    guarded = registry.operations.guarded
    earlier = guarded.get(endpoint)
    if earlier is not None and earlier.function is view:
        if earlier.declaration is guard.declaration:
            return
        # A blueprint in between has been registered since.
        view = t.cast("ViewFunction", earlier.view)
    function = guard.around(view)
    guarded[endpoint] = DecoratedFunction(view, guard.declaration, function)
    app.view_functions[endpoint] = function


def find_plain_guard(
    app: Flask, endpoint: str, scopes: frozenset[str] | None = None
) -> PlainGuard | None:
    """What guards the plain view of an endpoint, ``None`` where nothing does.

    :param scopes: where the view is compiled, the names of the blueprints whose
        declarations it has. A blueprint may be registered later than its view.
    """
    known, key = Registry.of(app).plain_guards, (endpoint, scopes)
    if key not in known:
        known[key] = _make_guard(app, endpoint, scopes)
    found: PlainGuard | None = known[key]
    return found


def _make_guard(
    app: Flask, endpoint: str, scopes: frozenset[str] | None
) -> PlainGuard | None:
    registry, declaration = Registry.of(app), NOTHING_DECLARED
    is_decided = False
    for name, scope in registry.enclosing(endpoint).items():
        if name not in (scopes or ()):
            # The innermost one that says who may call a view decides.
            declaration = declaration.within(
                replace(scope, security=UNSET) if is_decided else scope
            )
        is_decided = is_decided or scope.security is not UNSET
    has_default = False
    if scopes is None and _is_of_application(app, endpoint):
        declaration = declaration.within(registry.of_app)
        has_default = registry.has_default(app) and declaration.security is UNSET
    if not (declaration.guards_views or has_default):
        return None
    return PlainGuard(app, declaration, endpoint, has_default)


def _is_of_application(app: Flask, endpoint: str) -> bool:
    """Whether an endpoint has what the application requires.

    Those of plain blueprints don't, and neither do static files.
    """
    if not isinstance(app, Routes):
        return False
    scope, _, name = endpoint.rpartition(".")
    owner = app.blueprints.get(scope)
    if owner is None:
        return endpoint != "static" or not app.has_static_folder
    return isinstance(owner, Routes) and not (
        name == "static" and owner.has_static_folder
    )


@dataclass(eq=False, slots=True)
class PlainGuard:
    """What is required of a request before it may reach a plain view.

    :param declaration: of the blueprints around it, and of the application.
    :param name: the endpoint, for messages.
    :param has_default: whether the configuration says who may call it.
    """

    app: Flask
    declaration: Declaration
    name: str
    has_default: bool
    _compiled: dict[int, tuple[Rule, ViewGuards | None]] = field(default_factory=dict)

    @property
    def enforced(self) -> list[Requirement[t.Any] | None]:
        """Who may call it by each of its rules, ``None`` where that is anybody."""
        found = [view_guards for _, view_guards in [*self._compiled.values()]]
        return [None if item is None else item.dependencies.enforced for item in found]

    @property
    def place(self) -> str:
        """Where the view is, for messages."""
        view: t.Any = self.app.view_functions.get(self.name)
        return source_location(view)

    def around(self, view: ViewFunction) -> ViewFunction:
        """A view in its guards and decorators, for a plain ``flask.Flask``."""

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            request = current_request()
            if request.url_rule is None:
                raise LookupError(
                    f"The endpoint {self.name!r} is guarded, but the request has no"
                    " rule that leads there."
                )
            call = GuardedCall(self.app, request, view, is_plain=True)
            call.view_guards = self.view_guards(request.url_rule)
            return call.enter(*args, **view_args)

        return self.declaration.decorate(wrap_view(view, run))

    def view_guards(self, rule: Rule) -> ViewGuards | None:
        """What is enforced for a rule, ``None`` where nothing is.

        :raises SignatureError: if it can't be compiled.
        """
        # Rules have no hash. One that is kept here is not another one later.
        known = self._compiled.get(id(rule))
        if known is None:
            try:
                known = rule, self._compile(rule)
            except SignatureError as error:
                problem = f"{rule.rule}: the plain view {self.name!r}: {error}"
                raise SignatureError(f"{problem} ({self.place})") from None
            self._compiled[id(rule)] = known
        return known[1]

    def _compile(self, rule: Rule) -> ViewGuards | None:
        app, registry, requirement = self.app, Registry.of(self.app), None
        if self.has_default or self.declaration.security is not UNSET:
            shown = "security= around it"
            requirement = find_requirement(app, self.declaration, shown=shown)
        template = read_rule(
            rule.rule,
            rule.host or rule.subdomain or "",
            url_map=app.url_map,
            known=registry.converters,
        )
        provided = template.variables | {*(rule.defaults or ())}
        declared = Declared(
            app,
            self.name,
            guards=self.declaration.dependencies,
            requirement=requirement,
            parameters=(),
            takes_more=True,
            provided=provided,
            namespace=None,
            overrides=registry.overrides,
        )
        signature = Signature(f"the view of {self.name!r}", (), EMPTY)
        dependencies = compile_dependencies(
            signature,
            declared,
            inbound_compiler(
                app, self.name, template=template, method="GET", provided=provided
            ),
        )
        if dependencies is None:
            return None
        for _, part in dependencies.parts:
            registry.add_schemes(part)
        check_application(app, dependencies, view=signature.view)
        if dependencies.closed_with_body():
            registry.keep_generators(app)
        return ViewGuards(dependencies, None, in_thread=has_asgiref())
