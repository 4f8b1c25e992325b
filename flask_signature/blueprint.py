"""Blueprints whose views are compiled when they are registered on an application."""

from __future__ import annotations

import sys
import typing as t

import flask
from flask.blueprints import BlueprintSetupState
from werkzeug.routing import Rule

from ._declaration import UNSET
from ._declaration import Declaration
from ._declaration import read_requirement
from ._routes import NAMESPACE
from ._routes import Routes
from ._routes import declare
from ._routes import install
from ._routes import methods_of
from ._routes import take_namespace
from ._views import Route
from ._views import enclosing

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping

    from .typing import Decorator
    from .typing import Responses

#: The option in which a declaration travels through Flask's own registration.
DECLARATION: t.Final = "flask_signature.declaration"


class Blueprint(Routes, flask.Blueprint):
    """A :class:`flask.Blueprint` whose views are parsed, validated and described.

    A view is compiled when the blueprint is registered, for the whole rule is known
    then. A blueprint may be nested, registered more than once, and used by several
    applications, a plain :class:`flask.Flask` among them.

    :param tags: of every operation, before the route's own.
    :param decorators: around every view, outside of parsing and of the route's own.
    :param responses: models by status, as in the option of a route.
    :param include_in_schema: whether the operations are described.
    :param security: the requirements of every operation that names none.
    """

    def __init__(
        self,
        name: str,
        import_name: str,
        *args: t.Any,
        tags: Iterable[str] = (),
        decorators: Iterable[Decorator] = (),
        responses: Responses | None = None,
        include_in_schema: bool = True,
        security: t.Any = UNSET,
        **kwargs: t.Any,
    ) -> None:
        super().__init__(name, import_name, *args, **kwargs)
        by_status = t.cast("Mapping[int | str, t.Any]", responses or {})
        self.declaration: Declaration = Declaration(
            tags=tuple(tags),
            decorators=tuple(decorators),
            responses=dict(by_status),
            include_in_schema=include_in_schema,
            security=read_requirement(security),
        )

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., t.Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: t.Any,
    ) -> None:
        """Register a rule, as :meth:`flask.Blueprint.add_url_rule` does.

        :param options: Flask's own, and those of
            :class:`~flask_signature.typing.OperationOptions`.
        :raises SignatureError: if an option is not known.
        """
        if view_func is not None:
            around = take_namespace(view_func, options, sys._getframe(1))
            declaration, options = declare(view_func, rule, options, Rule)
            options |= {DECLARATION: declaration, NAMESPACE: around}
        super().add_url_rule(
            rule, endpoint, view_func, provide_automatic_options, **options
        )

    def make_setup_state(
        self, app: t.Any, options: dict[str, t.Any], first_registration: bool = False
    ) -> BlueprintSetupState:
        """The state that compiles the views of this registration."""
        return SetupState(self, app, options, first_registration)


class SetupState(BlueprintSetupState):
    """One registration of a blueprint: knows the prefix, the name and the parents."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., t.Any] | None = None,
        **options: t.Any,
    ) -> None:
        """Compile the view, then register it as Flask does.

        :raises SignatureError: if the view can't be compiled.
        """
        declaration = options.pop(DECLARATION, None)
        around = options.pop(NAMESPACE, None)
        # Flask adds the rule of the static folder itself, and declares nothing.
        if declaration is not None and view_func is not None:
            endpoint = endpoint or view_func.__name__
            route = self._route(rule, endpoint, view_func, options)
            for outer in self._around():
                declaration = declaration.within(outer)
            # Flask types it as what it shares with Quart.
            app = t.cast("flask.Flask", self.app)
            view_func = install(app, route, view_func, declaration, around)
        super().add_url_rule(rule, endpoint, view_func, **options)

    def _route(
        self,
        rule: str,
        endpoint: str,
        view: Callable[..., t.Any],
        options: Mapping[str, t.Any],
    ) -> Route:
        if self.url_prefix is not None:
            prefix = self.url_prefix.rstrip("/")
            rule = f"{prefix}/{rule.lstrip('/')}" if rule else self.url_prefix
        domain = options.get("host") or options.get("subdomain") or self.subdomain
        return Route(
            rule=rule,
            endpoint=f"{self._full_name}.{endpoint}",
            domain=domain or self.app.url_map.default_subdomain or "",
            methods=methods_of(view, options.get("methods")),
            provided=frozenset(
                {**self.url_defaults, **(options.get("defaults") or {})}
            ),
        )

    @property
    def _full_name(self) -> str:
        return f"{self.name_prefix}.{self.name}".lstrip(".")

    def _around(self) -> Iterable[Declaration]:
        """What this blueprint and those around it declare, from the inside out."""
        for name in enclosing(self._full_name):
            blueprint = self.app.blueprints.get(name)
            if isinstance(blueprint, Blueprint):
                yield blueprint.declaration
