"""Plain views in blueprints that guard what is inside of them.

Their decorators go around the view, and what they require of a request, with their
dependencies, runs inside of these. Views that are compiled have it already.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from functools import partial
from inspect import iscoroutinefunction
from weakref import ref

from werkzeug.exceptions import HTTPException

from .._dependencies.compile import compile_dependencies
from .._dependencies.declared import Declared
from .._dependencies.plan import ViewCall
from .._http.response import RESPONSES
from .._inbound.compile import compile_inbound
from .._routing.declaration import NOTHING_DECLARED
from .._routing.path_template import read_rule
from .._routing.rule import rules_of
from .._sentinel import UNSET
from .._signature.argument import EMPTY
from .._signature.argument import Signature
from .._signature.source import source_location
from .._signature.unwrap import layers_of
from ..exceptions import SignatureError
from .active import current_request
from .calls import REFUSED
from .checks import runs_coroutines
from .decorators import Routes
from .dependency_checks import check_application
from .registry import Registry
from .registry import has_preprocessor
from .requirements import configured
from .requirements import find_requirement
from .security_names import check_names
from .store import GuardedView
from .view_calls import synchronous
from .view_functions import wrap_view

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask
    from werkzeug.routing import Rule

    from .._dependencies.operation import OperationDependencies
    from .._inbound.parts import KnownNames
    from .._inbound.plan import InboundPlan
    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from ..security import Requirement
    from .operation import ViewFunction


def guard_endpoint(app: Flask, endpoint: str) -> None:
    """Put the guards of the blueprints around a view, unless it has them already.

    A view that was compiled has those that its blueprints had by then.

    :raises SignatureError: if one can't be compiled.
    """
    registry = Registry.of(app)
    view = app.view_functions.get(endpoint)
    enclosing = registry.blueprints.enclosing(endpoint)
    scopes = [name for name, scope in enclosing.items() if scope.guards_views]
    known = registry.functions.guarded.get(endpoint)
    if view is None or not scopes:
        return
    missing = scopes
    if known and any(layer is known.function for layer in layers_of(view)):
        missing = [name for name in scopes if name not in known.scopes]
        if missing and view is known.function is not known.view:
            # A blueprint in between has been registered since.
            view, missing = known.view, scopes
    if missing:
        declaration = _fold(enclosing, missing)
        function = _guard(app, view, declaration, endpoint=endpoint)
        registry.functions.guarded[endpoint] = GuardedView(
            view, function, frozenset(scopes)
        )
        app.view_functions[endpoint] = function


def _fold(enclosing: dict[str, Declaration], names: t.Collection[str]) -> Declaration:
    """What some blueprints declare together, of those around a view.

    The innermost one that says who may call a view decides, be it one of these or not.
    """
    declaration, is_decided = NOTHING_DECLARED, False
    for name, scope in enclosing.items():
        if name in names:
            declaration = declaration.within(
                replace(scope, security=UNSET) if is_decided else scope
            )
        is_decided = is_decided or scope.security is not UNSET
    return declaration


def _guard(
    app: Flask, view: ViewFunction, declaration: Declaration, *, endpoint: str
) -> ViewFunction:
    """A view in what blueprints declare."""
    call = synchronous(app, view)
    guarded = call if call is view else wrap_view(view, call)
    if declaration.dependencies or declaration.security is not UNSET:
        guard = PlainGuard(app, view, declaration, name=endpoint)
        for rule in rules_of(app, endpoint):
            guard.compile(rule)
        Registry.of(app).plain_guards.append(guard)
        guarded = wrap_view(view, guard.function())
    return declaration.decorate(guarded)


@dataclass(slots=True)
class _Passed:
    """What is passed to a plain view.

    :param has_arrived: whether the view was called with it.
    """

    args: tuple[t.Any, ...]
    view_args: dict[str, t.Any]
    has_arrived: bool = False

    def to(self, view: ViewFunction) -> ViewFunction:
        """A function that passes it to the view, and nothing that is known besides."""

        def call(**values: t.Any) -> t.Any:
            self.has_arrived = True
            return view(*self.args, **self.view_args)

        return call


@dataclass(eq=False, slots=True)
class PlainGuard:
    """What blueprints require of a request before they let it reach a plain view.

    :param declaration: of the blueprints.
    :param name: the endpoint, for messages.
    """

    app: Flask
    view: ViewFunction
    declaration: Declaration
    name: str
    _compiled: dict[int, tuple[Rule, OperationDependencies | None]] = field(
        default_factory=dict
    )

    @property
    def known(self) -> list[OperationDependencies | None]:
        """What is compiled for each of its rules, ``None`` where that is nothing."""
        return [dependencies for _, dependencies in [*self._compiled.values()]]

    def function(self) -> ViewFunction:
        """The function that calls the view, if the request may reach it."""

        # Neither a method nor a partial function can have the attributes of a view.
        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            return self.run(args, view_args)

        return run

    def run(self, args: tuple[t.Any, ...], view_args: dict[str, t.Any]) -> t.Any:
        """What the view returns, if the request may reach it."""
        request = current_request()
        rule = request.url_rule
        if rule is None:
            raise LookupError(
                f"The endpoint {self.name!r} is guarded, but the request has no rule"
                " that leads there."
            )
        dependencies = self.compile(rule)
        if dependencies is None:
            return synchronous(self.app, self.view)(*args, **view_args)
        passed = _Passed(args, view_args)
        try:
            return dependencies.plan.run(request, view_args, self._call(passed))
        except HTTPException as error:
            if not passed.has_arrived:
                REFUSED.set(ref(error))
            raise

    def _call(self, passed: _Passed) -> ViewCall:
        """How the view is called: with what is passed to it, and nothing else."""
        view = self.view
        return ViewCall(
            passed.to(view),
            passed.to(synchronous(self.app, view)),
            _unchanged,
            self._finish,
            iscoroutinefunction(view),
        )

    def _finish(self, value: t.Any) -> t.Any:
        return value if isinstance(value, RESPONSES) else self.app.make_response(value)

    def compile(self, rule: Rule) -> OperationDependencies | None:
        """What runs for a rule, ``None`` where nothing does.

        :raises SignatureError: if it can't be compiled.
        """
        # Rules have no hash. One that is kept here is not another one later.
        known = self._compiled.get(id(rule))
        if known is None:
            try:
                security = self.declaration.security
                check_names(self.app, security, shown="security= around it")
                known = (rule, self._compile(rule))
            except SignatureError as error:
                problem = f"{rule.rule}: the plain view {self.name!r}: {error}"
                raise SignatureError(
                    f"{problem} ({source_location(self.view)})"
                ) from None
            self._compiled[id(rule)] = known
        return known[1]

    def _compile(self, rule: Rule) -> OperationDependencies | None:
        app, registry = self.app, Registry.of(self.app)
        is_ours = isinstance(app, Routes)
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
            requirement=self.requirement(),
            parameters=(),
            takes_more=True,
            provided=provided,
            namespace=None,
            overrides=registry.overrides if is_ours else None,
            runs_coroutines=partial(runs_coroutines, app),
        )
        signature = Signature(f"the view of {self.name!r}", (), EMPTY)
        dependencies = compile_dependencies(
            signature,
            declared,
            partial(self._compile_inbound, template=template, provided=provided),
        )
        if dependencies is not None:
            check_application(app, dependencies, view=signature.view)
            if dependencies.closed_with_body():
                registry.keep_generators(app)
        return dependencies

    def _compile_inbound(
        self,
        signature: Signature,
        known: KnownNames,
        *,
        template: PathTemplate,
        provided: Collection[str],
    ) -> InboundPlan:
        registry = Registry.of(self.app)
        return compile_inbound(
            signature,
            template=template,
            method="GET",
            provided=provided,
            is_preprocessed=has_preprocessor(self.app, self.name),
            refuse=registry.refuse,
            needs_content_type=registry.needs_content_type,
            known=known,
        )

    def requirement(self) -> Requirement[t.Any] | None:
        """Who may call the view, ``None`` where nothing says it."""
        if self.declaration.security is UNSET:
            return None
        registry = Registry.of(self.app)
        config = configured(self.app, registry)
        return find_requirement(registry, self.declaration, config)


def _unchanged(value: t.Any) -> t.Any:
    return value
