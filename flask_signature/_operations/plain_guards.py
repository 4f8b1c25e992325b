"""What guards a plain view: the blueprints around it, and the application.

An endpoint goes in, what is enforced for each of its rules comes out. Views that are
compiled have it already.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import iscoroutinefunction

from .._dependencies.compile import compile_dependencies
from .._dependencies.operation import Declared
from .._inbound.compile import compile_inbound
from .._outbound.status import RESPONSES
from .._routing.declaration import NOTHING_DECLARED
from .._routing.path_template import read_rule
from .._sentinel import UNSET
from .._signature.argument import EMPTY, Signature
from .._signature.source import source_location
from ..exceptions import SignatureError
from .active import current_request
from .checks import has_asgiref, runs_coroutines
from .decorators import Routes
from .dependency_checks import check_application
from .registry import Registry, has_preprocessor
from .requirements import find_requirement
from .view_functions import Enforcement, synchronous, wrap_view

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
    for name, scope in registry.blueprints.enclosing(endpoint).items():
        if name not in (scopes or ()):
            # The innermost one that says who may call a view decides.
            declaration = declaration.within(
                replace(scope, security=UNSET) if is_decided else scope
            )
        is_decided = is_decided or scope.security is not UNSET
    has_default = False
    if scopes is None and _is_of_application(app, endpoint):
        declaration = declaration.within(registry.blueprints.of_app)
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
    _compiled: dict[int, tuple[Rule, OperationDependencies | None]] = field(
        default_factory=dict
    )

    @property
    def known(self) -> list[OperationDependencies | None]:
        """What is compiled for each of its rules, ``None`` where that is nothing."""
        return [dependencies for _, dependencies in [*self._compiled.values()]]

    @property
    def place(self) -> str:
        """Where the view is, for messages."""
        view: t.Any = self.app.view_functions.get(self.name)
        return source_location(view)

    def around(self, view: ViewFunction) -> ViewFunction:
        """A view in its guards and decorators, for a plain ``flask.Flask``."""
        call, is_coroutine = synchronous(self.app, view), iscoroutinefunction(view)

        def run(*args: t.Any, **view_args: t.Any) -> t.Any:
            rule = current_request().url_rule
            if rule is None:
                raise LookupError(
                    f"The endpoint {self.name!r} is guarded, but the request has no"
                    " rule that leads there."
                )
            enforcement = self.enforcement(rule)
            if enforcement is None:
                return call(*args, **view_args)
            return enforcement.run(
                view_args,
                partial(call, *args, **view_args),
                coroutine=partial(view, *args, **view_args) if is_coroutine else None,
            )

        return self.declaration.decorate(wrap_view(view, run))

    def enforcement(self, rule: Rule) -> Enforcement | None:
        """What is enforced for a rule, ``None`` where nothing is.

        :raises SignatureError: if it can't be compiled.
        """
        # Rules have no hash. One that is kept here is not another one later.
        known = self._compiled.get(id(rule))
        if known is None:
            try:
                known = (rule, self._compile(rule))
            except SignatureError as error:
                problem = f"{rule.rule}: the plain view {self.name!r}: {error}"
                raise SignatureError(f"{problem} ({self.place})") from None
            self._compiled[id(rule)] = known
        if known[1] is None:
            return None
        return Enforcement(known[1], self._finish, in_thread=has_asgiref())

    def _finish(self, value: t.Any) -> t.Any:
        return value if isinstance(value, RESPONSES) else self.app.make_response(value)

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
            for _, part in dependencies.needs.parts:
                registry.schemes.add(part)
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
        if self.declaration.security is UNSET and not self.has_default:
            return None
        shown = "security= around it"
        return find_requirement(self.app, self.declaration, shown=shown)
