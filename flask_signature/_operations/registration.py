"""A view that is being registered, each of its methods, and who may call them.

A rule and its view go in, a :class:`Registration` comes out, and another for each of
its methods. Another rule of a known endpoint has what was declared for that.
"""

from __future__ import annotations

import typing as t
import warnings
from copy import copy
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

from flask.views import MethodView

from .._common import UNSET, name_set
from .._dependencies.graph import within
from .._dependencies.plan import has_asgiref, runs_coroutines
from .._inbound.compile import CONVERTER_TYPES, compile_inbound
from .._outbound.annotation import may_be_stream
from .._routing.declaration import JOINED_OPTIONS
from .._routing.route import read_rule, show_rule
from .._signature.views import locate, unwrap_view
from ..exceptions import SignatureError, SignatureWarning
from ..security import Requirement
from ..security.requirement import all_of, read_security
from .decorators import Routes, located, options_of
from .registry import SECURITY, Registry, choose_operation, has_preprocessor

if t.TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from flask import Flask

    from .._dependencies.compile import CompileInbound, OperationDependencies
    from .._routing.declaration import Declaration
    from .._routing.route import PathTemplate, Route
    from .._signature.views import ViewCallable
    from .decorators import MethodOptions
    from .registry import Operation, ViewFunction


@dataclass(slots=True, kw_only=True)
class Registration:
    """A view that is being registered: its rule first, then each of its methods.

    It exists until Flask has the function of the view; an operation is what stays.

    :param earlier: the operations whose declarations hold for the rule, too, if it is
        another one of their endpoint; for another method of a class that of their rule.
    :param scopes: the declarations of the blueprints around it by their names, from the
        inside out.
    :param namespace: the local names that the view's annotations may use.
    :ivar method: that is compiled, with all that follows.
    :ivar same: the operation whose declaration it has, if there is one.
    :ivar own_options: that are above the method of a class.
    :ivar declaration: of the route, its endpoint and its blueprints.
    :ivar provided: the names that the URL provides: variables and defaults.
    :ivar shown: the method and the path: ``"GET /users/{user_id}"``.
    """

    app: Flask
    registry: Registry
    route: Route
    view: ViewFunction
    earlier: Sequence[Operation]
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None
    method: str = field(init=False)
    view_callable: ViewCallable = field(init=False)
    same: Operation | None = field(init=False)
    own_options: MethodOptions = field(init=False)
    declaration: Declaration = field(init=False)
    template: PathTemplate = field(init=False)
    provided: frozenset[str] = field(init=False)
    shown: str = field(init=False)

    def of_method(self, method: str) -> Registration:
        """One method, with its rule and its options read.

        :raises SignatureError: if the rule can't be read, or it can't be told what was
            declared.
        """
        made, rule = copy(self), self.route.rule
        made.method, made.shown = method, f"{method} {show_rule(rule)}"
        made.view_callable = view_callable = unwrap_view(self.view, method)
        attribute = view_callable.attribute
        found = [x for x in self.earlier if x.view_callable.attribute == attribute]
        made.same = choose_operation(found, method)
        rules = [x.route.declaration for x in self.earlier]
        if (found and made.same is None) or (not found and rules[1:] != rules[:-1]):
            raise made.conflict(
                "but it can't be told which of the declarations there holds for it"
            )
        with located(made.locate):
            made.own_options = options_of(view_callable)
        made.declaration = made._declare()
        made.shown = f"{method} {rule}"
        with located(made.locate):
            made.template = read_rule(
                rule,
                self.route.domain,
                url_map=self.app.url_map,
                known=self.registry.converters,
            )
        made.provided = name_set(made.template.variables | self.route.provided)
        made.shown = f"{method} {made.template.path}"
        return made

    def _declare(self) -> Declaration:
        """The declaration of an operation: of its route, endpoint and blueprints."""
        own: Mapping[str, t.Any] = self.own_options
        declared, known = self.route.declaration, frozenset[str]()
        if self.same is not None:
            declared, known = declared.added_to(self.same.declaration), self.same.scopes
            # What is joined was joined when the view was compiled.
            own = {name: own[name] for name in own.keys() - JOINED_OPTIONS}
        elif self.earlier:
            # Another method of the class, which has the options of the rule alone.
            declared = declared.added_to(self.earlier[0].route.declaration)
        declared = declared.for_method(own)
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared

    def conflict(self, why: str) -> SignatureError:
        """The error of another rule of an endpoint that can't be one."""
        return SignatureError(
            self.locate(
                f"{self.view_callable.name} has another rule of the endpoint"
                f" {self.route.endpoint!r}, {why}. Register the view itself, with the"
                " options of this rule."
            )
        )

    def missing_problem(self, name: str) -> str:
        """The problem of a variable of the URL that no argument takes."""
        converter = self.template.converters.get(name)
        tp = CONVERTER_TYPES.get(type(converter), str).__name__
        return (
            f"the URL provides {name!r}, but {self.view_callable.name} has no argument"
            f" of that name. Add '{name}: {tp}' to the view, or accept it with"
            " '**kwargs'."
        )

    def locate(self, problem: str) -> str:
        """A problem with the rule and the place of the view."""
        return locate(self.shown, problem, self.view_callable)

    def warn(self, problem: str) -> None:
        """Warn of a view where it is defined, which is where its author looks."""
        warning = SignatureWarning(self.locate(problem))
        code = getattr(self.view_callable.function, "__code__", None)
        if code is None:
            warnings.warn(warning, stacklevel=2)
        else:
            warnings.warn_explicit(
                warning, SignatureWarning, code.co_filename, code.co_firstlineno
            )


def inbound_compiler(
    app: Flask,
    endpoint: str,
    *,
    template: PathTemplate,
    method: str,
    provided: Collection[str],
) -> CompileInbound:
    """What compiles the arguments of the signatures behind a rule."""
    registry = Registry.of(app)
    return partial(
        compile_inbound,
        template=template,
        method=method,
        provided=provided,
        is_preprocessed=has_preprocessor(app, endpoint),
        refuse=registry.refuse,
        needs_content_type=registry.needs_content_type,
    )


def find_requirement(
    app: Flask, declaration: Declaration, *, shown: str
) -> Requirement[t.Any] | None:
    """Who may call a view, as it is declared or configured.

    ``None`` where nothing says it.

    :param shown: whose ``security=`` it is, for a message.
    :raises SignatureError: if the configuration holds no requirement, or a name
        has no meaning.
    """
    declared, registry = declaration.security, Registry.of(app)
    if declared is UNSET:
        if registry.initialized:
            # Whatever is set afterwards does not count.
            return t.cast("Requirement[t.Any] | None", registry.settings.security)
        return configured_requirement(app.config) if isinstance(app, Routes) else None
    names = _schemes_named(declared)
    # Beside an object, a name raises an error in what compiles the requirement.
    is_named = bool(names) and len(names) == len([*declared.leaves()])
    if is_named and not isinstance(app, Routes):
        raise SignatureError(
            f"security= names {names[0]!r}, but flask.Flask has no description, and a"
            " name checks nothing. Write a scheme such as"
            f" HTTPBearer({names[0]!r}, verify=find_user), or use"
            " flask_signature.Flask."
        )
    if registry.initialized and (problem := find_problem(registry, declared)):
        raise SignatureError(f"{shown} {problem}")
    return t.cast("Requirement[t.Any]", declared)


def configured_requirement(config: Mapping[str, t.Any]) -> Requirement[t.Any] | None:
    """What the configuration requires for all views, ``None`` where it says nothing.

    :raises SignatureError: if that is no requirement.
    """
    given = config.get(SECURITY)
    with located(lambda problem: f"{SECURITY}: {problem}"):
        return None if given is None else read_security(given)


def whole_requirement(
    declaration: Declaration,
    requirement: Requirement[t.Any] | None,
    dependencies: OperationDependencies | None,
) -> Requirement[t.Any] | None:
    """What the document says of a view: all that is required of a request to it.

    ``None`` where that is what is said for the whole application.

    :raises SignatureError: if two schemes have the same name.
    """
    parts = dependencies.parts if dependencies is not None else ()
    demanded = [part for key, part in parts if key]
    if not demanded:
        return requirement if declaration.security is not UNSET else None
    if requirement is not None and any(requirement.alternatives):
        demanded.insert(0, requirement)
    # Two schemes of one name could not be told apart in the OpenAPI document.
    Requirement("all", tuple(demanded))
    # A signature may repeat what its blueprint requires, or ask for scopes besides.
    said: list[Requirement[t.Any]] = []
    for part in demanded:
        if not any(other.implies(part) for other in said):
            said = [*(other for other in said if not part.implies(other)), part]
    return all_of(said) if len(said) > 1 else said[0]


def check_registered(registry: Registry) -> None:
    """Refuse what is registered and not what the configuration says, by now.

    :raises SignatureError: if a requirement has the name of no scheme that describes,
        or the configuration's was another one when a view was registered.
    """
    required: Requirement[t.Any] | None = registry.settings.security
    if required is not None:
        registry.add_schemes(required)
    if problem := find_problem(registry, required):
        raise SignatureError(f"{SECURITY} {problem}")
    if required is not None and not any(leaf.scheme for leaf in required.leaves()):
        required = None
    for operation in registry.operations:
        view, security = operation.view_callable, operation.declaration.security
        rule = f"{operation.method} {operation.template.path}"
        if problem := find_problem(registry, security):
            problem = f"security= of {view.name} {problem}"
            raise SignatureError(locate(rule, problem, view))
        if (
            security is UNSET
            and getattr(operation.dependencies, "enforced", None) != required
        ):
            raise SignatureError(locate(rule, LATE.format(view.name), view))
    for guard in filter(None, [*registry.plain_guards.values()]):
        shown, place = repr(guard.name), guard.place
        if problem := find_problem(registry, guard.declaration.security):
            raise SignatureError(f"security= around {shown} {problem} ({place})")
        if guard.has_default and any(item != required for item in guard.enforced):
            raise SignatureError(f"{LATE.format(shown)} ({place})")


#: The problem of a requirement that is known too late.
LATE: t.Final = (
    "SIGNATURE_SECURITY was given after {} was registered, so that it would not"
    " be checked. Set it before the routes are registered."
)


def find_problem(registry: Registry, security: t.Any) -> str:
    """What is wrong with the names in a requirement, ``""`` where nothing is.

    :param security: of a route or a blueprint, which may have none.
    """
    described = registry.settings.security_schemes
    given = registry.schemes
    for name in _schemes_named(security):
        if name in given:
            return (
                f"names {name!r}, which is a scheme that verifies, and a name"
                " only describes, so that it would not be checked. Pass the object."
            )
        if name not in described:
            nearest = get_close_matches(name, [*described, *given], n=1)
            hint = (
                f"Did you mean {nearest[0]!r}? If not, add it" if nearest else "Add it"
            )
            return (
                f"names {name!r}, which is no security scheme. {hint} to"
                " SIGNATURE_SECURITY_SCHEMES, or give a scheme such as"
                f" HTTPBearer({name!r}, verify=find_user)."
            )
    return ""


def _schemes_named(security: t.Any) -> list[str]:
    """The schemes that are given by their names alone."""
    leaves = security.leaves() if isinstance(security, Requirement) else ()
    return [leaf.name for leaf in leaves if leaf.scheme is None]


def check_asynchronous(registration: Registration) -> None:
    """Refuse a coroutine function that the application can't run.

    :raises SignatureError: if asgiref is not installed, and the application has no
        ``ensure_sync()`` or ``async_to_sync()`` of its own.
    """
    view_callable, function = registration.view_callable, registration.view
    if view_callable.view_class is not None:
        function = view_callable.view_class.dispatch_request
    if function is MethodView.dispatch_request:
        function = getattr(view_callable.view_class, view_callable.attribute)
    if not iscoroutinefunction(function) or runs_coroutines(registration.app):
        return
    raise SignatureError(
        f"{view_callable.name} is asynchronous, but asgiref, with which Flask runs such"
        " views, is not installed. Run 'pip install \"flask-signature[async]\"', or"
        " write the view with 'def'."
    )


def runs_coroutine_functions(view: ViewFunction) -> bool:
    """Whether a class-based view has a coroutine function, which Flask runs to its end.

    Or is one itself, by one of its decorators.
    """
    view_class: t.Any = getattr(view, "view_class", None)
    if not isinstance(view_class, type):
        return False
    functions = [getattr(view_class, name, None) for name in dir(view_class)]
    return any(map(iscoroutinefunction, [view, *functions]))


def check_dependencies(
    app: Flask, operation: Operation, dependencies: OperationDependencies
) -> None:
    """Refuse dependencies that the application or the view can't have.

    :raises SignatureError: if a loop would have to run one and can't, if a generator
        would not be closed in time or closed before a stream is sent, or if a guard
        reads what a class passes to its method.
    """
    view_callable, signature = operation.view_callable, operation.signature
    name, function = view_callable.name, view_callable.function
    # The coroutine functions of a class are run beside the loop of its dependencies.
    in_thread = runs_coroutine_functions(operation.view_function)
    check_application(app, dependencies, view=name, in_thread=in_thread)
    injected = signature.injected if view_callable.view_class else frozenset()
    for node in within([*dependencies.guards, *dependencies.schemes.values()]):
        for argument in sorted(node.reads.keys() & injected):
            raise SignatureError(
                f"{argument!r} of {node.name} is read from the request, before the"
                f" decorators of the class are called, but {name} declares it with"
                " Injected(). Rename it, and set what a guard needs in a decorator of"
                " the route, with decorators=."
            )
    opened = dependencies.closed_with_view()
    is_stream = (
        isgeneratorfunction(function)
        or isasyncgenfunction(function)
        or operation.outbound.usual.stream is not None
        or may_be_stream(signature.returns)
    )
    if opened and is_stream:
        opened_name = opened[0].name
        raise SignatureError(
            f"{name} sends a stream, but takes what {opened_name} yields, which is"
            " closed before that is sent. Return it there, or open it inside of the"
            " stream."
            if opened[0].scheme is not None
            else f"{name} sends a stream, but {opened_name} is closed before that is"
            ' sent. Write Depends(..., scope="request"), or open what it yields inside'
            " of the stream. What does no more than refuse requests goes into"
            " dependencies=."
        )


def check_application(
    app: Flask,
    dependencies: OperationDependencies,
    *,
    view: str,
    in_thread: bool = False,
) -> None:
    """Refuse dependencies that an application can't run or close.

    :param view: for messages.
    :param in_thread: whether the view runs coroutine functions beside those.
    :raises SignatureError: if there is one.
    """
    is_asynchronous = dependencies.plan.is_asynchronous
    # To look for asgiref imports asyncio, which few applications need.
    if is_asynchronous and not (has_asgiref() if in_thread else runs_coroutines(app)):
        raise SignatureError(
            f"{view} has a dependency that is asynchronous, but asgiref, with which"
            " Flask runs such functions, is not installed. Run 'pip install"
            " \"flask-signature[async]\"', or write it with 'def'."
        )
    outliving = dependencies.closed_with_body()
    if outliving and not isinstance(app, Routes):
        raise SignatureError(
            f'{outliving[0].name} has scope="request", which flask.Flask does not'
            " close. Use flask_signature.Flask, or remove the scope."
        )
