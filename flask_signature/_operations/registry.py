"""What the package keeps for one application, with its error format."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field
from functools import cached_property

from werkzeug.exceptions import HTTPException

from .._common import UNSET
from .._routing.declaration import NOTHING_DECLARED
from ..exceptions import (
    RequestValidationError,
    SignatureError,
)
from .store import OperationStore

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from flask import Flask

    from .._dependencies.graph import DependencyOverrides
    from .._errors.entries import ErrorDetails
    from .._errors.formats import BuiltInFormat
    from .._outbound.plan import OutboundPlan
    from .._outbound.serializer import ResponseSerializer
    from .._routing.declaration import Declaration
    from .._routing.route import KnownConverters
    from .._settings import Settings
    from ..security import Requirement, SecurityScheme
    from .error_format import CustomFormat


#: The key of the configuration that says who may call a view. It is read before
#: ``init_app()`` is called.
SECURITY: t.Final = "SIGNATURE_SECURITY"

#: What guards views, ``None`` where nothing does, by endpoint and the names of the
#: blueprints whose declarations they have, if they are compiled.
PlainGuards: t.TypeAlias = "dict[tuple[str, frozenset[str] | None], t.Any]"

#: The key in ``app.extensions``.
EXTENSION: t.Final = "flask_signature"


@dataclass(slots=True)
class BlueprintScopes:
    """What blueprints and their registrations declare, and the application.

    :param declared: by the full name of the blueprint: ``"shop.items"``.
    :param of_app: what the application declares, for the views that are compiled.
    :param have_guards: whether a blueprint has something that plain views need, too.
    """

    declared: dict[str, Declaration] = field(default_factory=dict)
    of_app: Declaration = NOTHING_DECLARED
    have_guards: bool = False

    def enclosing(self, endpoint: str) -> dict[str, Declaration]:
        """The declarations of the blueprints of an endpoint, from the inside out."""
        names = blueprints_around(endpoint)
        return {name: self.declared[name] for name in names if name in self.declared}

    def around(self, endpoint: str) -> dict[str, Declaration]:
        """What declares something for a view that is compiled, from the inside out.

        The application has no name.
        """
        found = self.enclosing(endpoint)
        return found if self.of_app == NOTHING_DECLARED else {**found, "": self.of_app}


@dataclass(slots=True)
class ErrorHandlers:
    """What is known of the error handlers of an application.

    :param catch_all: the author's handler for ``Exception``.
    :param has_http: whether the author has a handler for ``HTTPException``.
    :param generic: the generic one, ``None`` where it is not used.
    :param known: those that say what they send, by identity, each with the plan for
        that, and whether it may be what the application sends.
    """

    catch_all: t.Any = None
    has_http: bool = False
    generic: t.Any = None
    known: dict[int, tuple[t.Any, OutboundPlan | None, bool]] = field(
        default_factory=dict
    )

    def add(self, code_or_exception: t.Any, handler: t.Any) -> None:
        """Keep an error handler of the author's."""
        if code_or_exception is Exception:
            self.catch_all = handler
        if code_or_exception is HTTPException:
            self.has_http = True

    def keep(self, handler: t.Any, plan: OutboundPlan | None, *, goes_on: bool) -> None:
        """Keep a handler that says what it sends."""
        self.known[id(handler)] = handler, plan, goes_on

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


@dataclass(slots=True)
class KnownSchemes:
    """The security schemes that requirements have.

    :param given: those that are given as objects, by their names.
    :param named: the names of others, which describe.
    :param is_resolved: whether ``init_app()`` has found out what the names mean.
    """

    given: dict[str, SecurityScheme] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    is_resolved: bool = False

    def add(self, requirement: Requirement) -> None:
        """Keep the schemes of a requirement.

        :raises SignatureError: if a scheme of the same name is described differently,
            or one that verifies has a name that was resolved.
        """
        for leaf in requirement.leaves():
            if leaf.scheme is None:
                self.named.add(leaf.name)
                continue
            if self.is_resolved and leaf.name in self.named:
                raise SignatureError(
                    f"the scheme {leaf.name!r} verifies, but another view has named"
                    " it before it was known, so that it would not be checked there."
                    " Pass the object to that view."
                )
            known = self.given.setdefault(leaf.name, leaf.scheme)
            if known.describe() != leaf.scheme.describe():
                raise SignatureError(
                    f"there are two schemes of the name {leaf.name!r}, which are"
                    " described differently. The document has one of each name: give"
                    " them different names."
                )


@dataclass
class Registry:
    """What the package keeps for one application, in ``app.extensions``.

    :ivar deferred_errors: of views that lack an argument for a variable of their URL,
        with their endpoints. A function that is registered later may remove the
        variable, so that ``init_app()`` raises them.
    """

    initialized: bool = False
    operations: OperationStore = field(default_factory=OperationStore)
    blueprints: BlueprintScopes = field(default_factory=BlueprintScopes)
    handlers: ErrorHandlers = field(default_factory=ErrorHandlers)
    deferred_errors: list[tuple[str, SignatureError]] = field(default_factory=list)
    converters: KnownConverters = field(default_factory=dict)
    keeps_generators: bool = False
    schemes: KnownSchemes = field(default_factory=KnownSchemes)
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
        self.blueprints.declared.update(declarations)
        found = declarations.values()
        self.blueprints.have_guards |= any(item.guards_views for item in found)
        self.forget_plain_views(declarations.keys())
        for declaration in found:
            if declaration.security is not UNSET:
                self.schemes.add(declaration.security)

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
    def error_writer(self) -> BuiltInFormat | CustomFormat:
        """What writes the responses to errors; until ``init_app()``, the usual."""
        from .._errors.formats import ERROR_FORMATS

        return ERROR_FORMATS["pydantic2"]

    def guards_plain_views(self, app: Flask) -> bool:
        """Whether there is something that plain views need, too."""
        scopes = self.blueprints
        is_declared = scopes.have_guards or scopes.of_app.guards_views
        return is_declared or self.has_default(app)

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
            from .error_format import http_serializer

            return http_serializer(self.error_writer), self.error_writer.media_type

        return standard_error

    @cached_property
    def refuse(self) -> Callable[[Sequence[ErrorDetails]], RequestValidationError]:
        """Makes the exception of a request with some errors."""
        return lambda errors: self.error_writer.refuse(errors)

    @cached_property
    def needs_content_type(self) -> Callable[[], bool]:
        """Whether a body without a content type is a 415, and not read as JSON."""
        return lambda: self.settings.strict_content_type


def may_take_variables(app: Flask, endpoint: str) -> bool:
    """Whether a function may remove variables of the URL before the view is called."""
    return has_preprocessor(app, endpoint) or any(
        app.before_request_funcs.get(scope) for scope in _scopes_of(endpoint)
    )


def has_preprocessor(app: Flask, endpoint: str) -> bool:
    """Whether a function may give variables of the URL another value."""
    functions = app.url_value_preprocessors
    return any(functions.get(scope) for scope in _scopes_of(endpoint))


def _scopes_of(endpoint: str) -> list[str | None]:
    """The blueprints of an endpoint, and ``None``: to Flask, the application."""
    return [None, *blueprints_around(endpoint)]


def blueprints_around(endpoint: str) -> list[str]:
    """The names of the blueprints of an endpoint, from the inside out."""
    return [*_enclosing(endpoint.rpartition(".")[0])]


def _enclosing(name: str) -> Iterator[str]:
    """The name of a blueprint and those around it: ``"a.b"`` is in ``"a"``."""
    while name:
        yield name
        name = name.rpartition(".")[0]
