"""What the package keeps for one application: its operations, scopes and schemes.

The installation of a route adds to it; a request finds its operation here.
"""

from __future__ import annotations

import typing as t
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import iscoroutinefunction
from types import FunctionType

from flask import has_request_context, request

from .._common import UNSET
from .._routing.declaration import NOTHING_DECLARED
from ..exceptions import RequestValidationError, SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from flask import Flask, Request
    from werkzeug.routing import Rule

    from .._dependencies.compile import OperationDependencies
    from .._dependencies.graph import DependencyOverrides
    from .._errors.entries import ErrorDetails
    from .._errors.formats import BuiltInFormat
    from .._inbound.plan import InboundPlan
    from .._outbound.plan import OutboundPlan
    from .._outbound.serializer import ResponseSerializer
    from .._routing.declaration import Declaration
    from .._routing.route import KnownConverters, PathTemplate, Route
    from .._settings import Settings
    from .._signature.argument import Signature
    from .._signature.views import ViewCallable
    from ..security import Requirement, SecurityScheme


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param functions: those that Flask was given for it, one after the other: where
        there is nothing to do, the view itself.
    """

    view: ViewFunction
    functions: tuple[ViewFunction, ...] = ()
    operations: tuple[Operation, ...] = ()

    def has(self, function: t.Any) -> bool:
        """Whether Flask was given a function for it."""
        # By identity: not all that can be called can be compared.
        return any(function is item for item in self.functions)

    def holds(self, function: t.Any) -> bool:
        """Whether it is what Flask was given last, which knows all of the rules."""
        return bool(self.functions) and function is self.functions[-1]


class DecoratedFunction(t.NamedTuple):
    """What is around a view function that was not made here.

    :param view: that function, ``None`` where there is none.
    :param declaration: with the ``decorators=``.
    :param function: what these have made.
    """

    view: ViewFunction | None
    declaration: Declaration
    function: ViewFunction


@dataclass(slots=True)
class OperationStore:
    """The operations of an application, in the order of their registration.

    :param has_decorated: whether one has decorators that may make its response.
    :param synchronous: the view functions that are no coroutine functions.
    :param known: the view functions that the dispatcher may call as they are, by
        endpoint: those that enforce their guards, and others that have none.
    :param decorated: what ``decorators=`` have made of other functions, by endpoint and
        the identity of their declaration.
    :param guarded: what a plain ``flask.Flask`` was given for them, by endpoint.
    """

    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    has_decorated: bool = False
    synchronous: set[ViewFunction] = field(default_factory=set)
    known: dict[str, ViewFunction] = field(default_factory=dict)
    decorated: dict[tuple[str, int], DecoratedFunction] = field(default_factory=dict)
    guarded: dict[str, DecoratedFunction] = field(default_factory=dict)
    _with_rules: list[tuple[Operation, tuple[Rule, ...]]] = field(default_factory=list)
    _by_rule: dict[tuple[int, str], Operation] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Operation]:
        """Every operation that a request may lead to; HEAD may be that of GET."""
        # A copy: another thread may register routes meanwhile.
        for operation, rules in [*self._with_rules]:
            is_routable = [
                not (rule.build_only or rule.redirect_to or rule.websocket)
                for rule in rules
            ]
            if any(is_routable) or not rules:
                yield operation

    def add(
        self,
        name: str,
        endpoint: Endpoint,
        compiled: Mapping[str, Operation],
        *,
        rules: Sequence[Rule],
    ) -> None:
        """Keep the operations of a route that Flask knows.

        :param name: the endpoint.
        :param compiled: the operations by their methods.
        :param rules: those that were added, which may be several or none where the
            application has a class of rules of its own.
        """
        self.endpoints[name] = endpoint
        for method, operation in compiled.items():
            self._with_rules.append((operation, tuple(rules)))
            names = [method]
            if method == "GET" and "HEAD" not in compiled:
                names.append("HEAD")
            for rule in rules:
                self._by_rule.update({(id(rule), name): operation for name in names})

    def find(self, request: Request) -> Operation | None:
        """The operation that a request is for, ``None`` for an untyped view."""
        # Rules have no hash, and two that are equal may lead to different operations.
        found = self._by_rule.get((id(request.url_rule), request.method))
        if found is not None:
            return found
        endpoint = self.endpoints.get(request.endpoint or "")
        if endpoint is None:
            return None
        names = request.view_args or ()
        return choose_operation(endpoint.operations, request.method, names)

    def find_call(self, rule: Rule, method: str, view: t.Any) -> DirectCall | None:
        """How a view function may be called directly, ``None`` where it may not.

        :param view: what Flask has for the endpoint, ``None`` where it has nothing.
        """
        known = self.endpoints.get(rule.endpoint)
        operation = self._by_rule.get((id(rule), method))
        if known is None and type(view) is FunctionType:
            return None if iscoroutinefunction(view) else DirectCall(view)
        if known is None or operation is None or not known.holds(view):
            return None
        return operation.call


def choose_operation(
    operations: Sequence[Operation], method: str, names: Collection[str] = ()
) -> Operation | None:
    """The operation of an endpoint for a rule that none was compiled for.

    ``None`` where it can't be told, since the operations are declared differently.

    :param names: what the URL provides, which decides among the others.
    """
    by_method = {item.method for item in operations}
    own = "GET" if method == "HEAD" and "HEAD" not in by_method else method
    fitting = [item for item in operations if item.method == own] or operations
    if any(item.declaration != fitting[0].declaration for item in fitting):
        return None
    same = [item for item in fitting if item.template.variables == {*names}]
    return next(iter(same or fitting), None)


#: A function that Flask calls with the variables of the URL.
ViewFunction: t.TypeAlias = "Callable[..., t.Any]"


@dataclass(frozen=True, slots=True)
class DirectCall:
    """What the function that Flask calls does, but for the object of a response.

    :param view: which is no coroutine function.
    :param inbound: reads its arguments, ``None`` where the URL provides them all.
    :param write: returns a :class:`Body`, or what ``respond()`` of the plan returns;
        ``None`` where there is nothing to do with the value.
    :param outbound: the plan that completes the value, ``None`` where none does.
    """

    view: ViewFunction
    inbound: InboundPlan | None = None
    write: Callable[[t.Any], t.Any] | None = None
    outbound: OutboundPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method on one path.

    :param method: in upper case.
    :param route: the rule and the endpoint it was registered with.
    :param template: the rule as OpenAPI writes it, with its converters.
    :param view_callable: the function behind the view, with its docstring.
    :param declaration: of the route and of its blueprints.
    :param signature: the arguments of the view and what it returns.
    :param inbound: how a request becomes the arguments.
    :param dependencies: what is called before the view, ``None`` where nothing is.
    :param requirement: who may call the view, ``None`` where that is not said for it.
    :param outbound: how the return value becomes a response.
    :param scopes: the names of the blueprints whose declarations it has.
    :param view_function: the function that Flask calls, which reads, calls the view and
        responds; the view itself, where there is nothing to do.
    :param call: does the same, ``None`` where a decorator or a dependency has a part.
    :param around_method: makes the function that reads the request for the method of a
        class-based view, ``None`` where it is read around the whole view.
    """

    method: str
    route: Route
    template: PathTemplate
    view_callable: ViewCallable
    declaration: Declaration
    signature: Signature
    inbound: InboundPlan
    dependencies: OperationDependencies | None
    requirement: Requirement[t.Any] | None
    outbound: OutboundPlan
    scopes: frozenset[str]
    view_function: ViewFunction
    call: DirectCall | None = None
    around_method: Callable[[ViewFunction], ViewFunction] | None = None

    @property
    def inbound_plans(self) -> Sequence[InboundPlan]:
        """What reads the arguments, those of dependencies included."""
        if self.dependencies is None:
            return (self.inbound,)
        return self.dependencies.inbound_plans


T = t.TypeVar("T")

#: The request itself, which is faster to use than the proxy ``flask.request``.
# Documented by Werkzeug for LocalProxy, in spite of its name.
current_request: Callable[[], Request] = request._get_current_object  # type: ignore[attr-defined]


class ActiveCall(t.Generic[T]):
    """The call that is being made, in this thread and for this request.

    A view may send a request to its own application meanwhile, which is another one.

    :param name: of the context variable.
    :ivar current: the variable: the request and the call, ``None`` where none is made.
    """

    __slots__ = ("current",)

    def __init__(self, name: str) -> None:
        self.current: ContextVar[tuple[Request | None, T | None] | None] = ContextVar(
            name, default=None
        )

    def is_set(self) -> bool:
        """Whether a call is being made, or was said to be none."""
        return self.current.get() is not None

    def get(self) -> T | None:
        """The call, whatever the request."""
        current = self.current.get()
        return None if current is None else current[1]

    def find(self) -> T | None:
        """The call that is being made for the request."""
        current = self.current.get()
        if current is None or not has_request_context():
            return None
        return current[1] if current[0] is current_request() else None

    def run(
        self,
        call: T | None,
        function: Callable[..., t.Any],
        *,
        args: tuple[t.Any, ...],
        view_args: dict[str, t.Any] | None = None,
    ) -> t.Any:
        """Call a function, and say meanwhile that a call is being made, or none."""
        current = current_request() if has_request_context() else None
        token = self.current.set((current, call))
        try:
            return function(*args, **(view_args or {}))
        finally:
            self.current.reset(token)


#: The key of the configuration that says who may call a view. It is read before
#: ``init_app()`` is called.
SECURITY: t.Final = "SIGNATURE_SECURITY"

#: What guards views, ``None`` where nothing does, by endpoint and the names of the
#: blueprints whose declarations they have, if they are compiled.
PlainGuards: t.TypeAlias = "dict[tuple[str, frozenset[str] | None], t.Any]"

#: Functions that say what they send, by identity, each with the plan for that, and
#: whether it may be what the application sends.
KnownHandlers: t.TypeAlias = "dict[int, tuple[t.Any, OutboundPlan | None, bool]]"

#: The key in ``app.extensions``.
EXTENSION: t.Final = "flask_signature"


@dataclass(slots=True)
class ErrorHandlers:
    """What is known of the error handlers of an application.

    :param has_own: whether the author has one for ``HTTPException`` or ``Exception``.
    :param generic: the generic one, ``None`` where it is not used.
    :param known: those that say what they send.
    :param hooks: the same of ``before_request`` functions, which are not described.
    """

    has_own: bool = False
    generic: t.Any = None
    known: KnownHandlers = field(default_factory=dict)
    hooks: KnownHandlers = field(default_factory=dict)

    @property
    def plans(self) -> list[OutboundPlan]:
        """The plans of all handlers that have one."""
        return [plan for _, plan, _ in self.known.values() if plan is not None]

    def plan_of(self, handler: t.Any) -> OutboundPlan | None:
        """The plan of a handler, ``None`` if it has none."""
        return self.known.get(id(handler), (None, None, False))[1]

    def is_standard(self, handler: t.Any) -> bool:
        """Whether a handler may send what the application sends for an error."""
        goes_on = self.known.get(id(handler), (None, None, False))[2]
        return goes_on or (handler is not None and handler is self.generic)


@dataclass
class Registry:
    """What the package keeps for one application, in ``app.extensions``.

    :ivar blueprints: what blueprints and their registrations declare, by the full name:
        ``"shop.items"``.
    :ivar of_app: what the application declares, for the views that are compiled.
    :ivar have_guards: whether a blueprint has something that plain views need, too.
    :ivar schemes: the security schemes that are given as objects, by their names.
    :ivar named_schemes: the names of others, which describe. ``init_app()`` finds out
        what they mean.
    :ivar deferred_errors: of views that lack an argument for a variable of their URL,
        with their endpoints. A function that is registered later may remove the
        variable, so that ``init_app()`` raises them.
    """

    initialized: bool = False
    operations: OperationStore = field(default_factory=OperationStore)
    blueprints: dict[str, Declaration] = field(default_factory=dict)
    of_app: Declaration = NOTHING_DECLARED
    have_guards: bool = False
    handlers: ErrorHandlers = field(default_factory=ErrorHandlers)
    deferred_errors: list[tuple[str, SignatureError]] = field(default_factory=list)
    converters: KnownConverters = field(default_factory=dict)
    keeps_generators: bool = False
    schemes: dict[str, SecurityScheme] = field(default_factory=dict)
    named_schemes: set[str] = field(default_factory=set)
    plain_guards: PlainGuards = field(default_factory=dict)

    @classmethod
    def of(cls, app: Flask) -> Registry:
        """The registry of an application, which may be a plain ``flask.Flask``."""
        registry = app.extensions.get(EXTENSION)
        if registry is None:
            registry = app.extensions[EXTENSION] = cls()
        return t.cast("Registry", registry)

    def declare(self, declarations: Mapping[str, Declaration]) -> None:
        """Keep what blueprints declare, by their full names.

        :raises SignatureError: if two schemes of one name are described differently.
        """
        self.blueprints.update(declarations)
        self.forget_plain_views(declarations.keys())
        for declaration in declarations.values():
            self.have_guards |= declaration.guards_views
            if declaration.security is not UNSET:
                self.add_schemes(declaration.security)

    def enclosing(self, endpoint: str) -> dict[str, Declaration]:
        """The declarations of the blueprints of an endpoint, from the inside out."""
        known = self.blueprints
        return {x: known[x] for x in blueprints_around(endpoint) if x in known}

    def add_schemes(self, requirement: Requirement) -> None:
        """Keep the security schemes of a requirement.

        :raises SignatureError: if a scheme of the same name is described differently,
            or one that verifies has a name that was resolved.
        """
        for leaf in requirement.leaves():
            if leaf.scheme is None:
                self.named_schemes.add(leaf.name)
                continue
            if self.initialized and leaf.name in self.named_schemes:
                raise SignatureError(
                    f"the scheme {leaf.name!r} verifies, but another view has named"
                    " it before it was known, so that it would not be checked there."
                    " Pass the object to that view."
                )
            known = self.schemes.setdefault(leaf.name, leaf.scheme)
            if known.describe() != leaf.scheme.describe():
                raise SignatureError(
                    f"there are two schemes of the name {leaf.name!r}, which are"
                    " described differently. The document has one of each name: give"
                    " them different names."
                )

    def forget_plain_views(self, names: Collection[str] = ()) -> None:
        """Ask anew what guards the views that are not compiled.

        :param names: the blueprints that are new. Without any, what is compiled stays.
        """
        self.operations.known.clear()
        for key, guard in [*self.plain_guards.items()]:
            if guard is None or not {*blueprints_around(key[0])}.isdisjoint(names):
                del self.plain_guards[key]

    @cached_property
    def overrides(self) -> DependencyOverrides:
        """What is called in the place of dependencies."""
        from .._dependencies.graph import DependencyOverrides

        return DependencyOverrides()

    @cached_property
    def settings(self) -> Settings:
        """What the configuration says; until ``init_app()``, the defaults."""
        from .._settings import Settings

        return Settings()

    @cached_property
    def error_writer(self) -> BuiltInFormat:
        """What writes the responses to errors; until ``init_app()``, the usual."""
        from .._errors.formats import ERROR_FORMATS

        return ERROR_FORMATS["pydantic2"]

    def has_default(self, app: Flask) -> bool:
        """Whether the configuration says who may call the views that do not say it."""
        if self.initialized:
            return self.settings.security is not None
        return app.config.get(SECURITY) is not None

    def keep_generators(self, app: Flask) -> None:
        """Close the generators of a request when its body has been sent."""
        if not self.keeps_generators:
            from .._dependencies.generators import ScopedApplication

            self.keeps_generators = True
            app.wsgi_app = ScopedApplication(app, app.wsgi_app)  # type: ignore[method-assign]

    # Functions that all plans of the application share: a method would be another
    # object for each.

    @cached_property
    def standard_error(self) -> Callable[[], tuple[ResponseSerializer, str]]:
        """Returns the serializer of the model of HTTP errors and their content type."""

        def standard_error() -> tuple[ResponseSerializer, str]:
            writer = self.error_writer
            own: ResponseSerializer | None = getattr(writer, "http_serializer", None)
            return own or _http_serializer(writer.http_model), writer.media_type

        return standard_error

    @cached_property
    def refuse(self) -> Callable[[Sequence[ErrorDetails]], RequestValidationError]:
        """Makes the exception of a request with some errors."""
        return lambda errors: self.error_writer.refuse(errors)

    @cached_property
    def needs_content_type(self) -> Callable[[], bool]:
        """Whether a body without a content type is a 415, and not read as JSON."""
        return lambda: self.settings.strict_content_type


@cache
def _http_serializer(model: t.Any) -> ResponseSerializer:
    """The serializer of the model of HTTP errors in a built-in format."""
    from .._outbound.serializer import compile_serializer

    return compile_serializer(model)


def may_take_variables(app: Flask, endpoint: str) -> bool:
    """Whether a function may remove variables of the URL before the view is called."""
    has_hook = _has_function(app.before_request_funcs, endpoint)
    return has_hook or has_preprocessor(app, endpoint)


def has_preprocessor(app: Flask, endpoint: str) -> bool:
    """Whether a function may give variables of the URL another value."""
    return _has_function(app.url_value_preprocessors, endpoint)


def _has_function(functions: Mapping[t.Any, t.Any], endpoint: str) -> bool:
    # To Flask, the application is the scope that has no name.
    return any(functions.get(scope) for scope in (None, *blueprints_around(endpoint)))


def blueprints_around(endpoint: str) -> list[str]:
    """The names of the blueprints of an endpoint, from the inside out.

    ``"shop.items.show"`` is in ``"shop.items"``, which is in ``"shop"``.
    """
    names = []
    while endpoint := endpoint.rpartition(".")[0]:
        names.append(endpoint)
    return names
