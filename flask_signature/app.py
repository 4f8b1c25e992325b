"""The application: Flask, whose views are compiled when they are registered."""

from __future__ import annotations

import typing as t
from types import MethodType
from weakref import proxy

import flask
from werkzeug.exceptions import HTTPException

from ._http.originals import find_original
from ._operations.decorators import Routes
from ._operations.registry import Registry, may_take_variables
from ._operations.responding import DISPATCH, Dispatcher, RespondingFlask
from ._operations.rules import (
    ApplicationHandlers,
    GivenRule,
    add_rule,
    as_in,
    checks_hooks,
    guard_plain_views,
)
from ._routing.declaration import read_declaration, split_options
from ._routing.route import Rule
from .blueprint import (
    Blueprint,
    declared_inside,
    full_name,
    read_registration_of,
    registering,
)
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from typing_extensions import Unpack
    from werkzeug import routing

    from ._dependencies.graph import DependencyOverrides
    from .typing import RegistrationOptions, ResponsesOption


F = t.TypeVar("F", bound="Callable[..., t.Any]")


#: Flask's own. What is in its place runs coroutine functions in another way.
ASYNC_TO_SYNC: t.Final = find_original(flask, flask.Flask, "async_to_sync")

#: The options of a route that an application has, for all of them.
APP_OPTIONS: t.Final = frozenset({"dependencies", "raises", "responses", "status_code"})


@checks_hooks
class Flask(Routes, ApplicationHandlers, RespondingFlask):
    """A :class:`flask.Flask` whose views are parsed, validated and described.

    It is constructed and used as its base class is. Call :meth:`init_app` when the
    configuration is loaded.

    :param dependencies: functions that are called before the body of a request is read,
        for every view that is parsed.
    :param responses: models by status, as in the option of a route, of every operation.
    :param raises: exceptions that every operation may raise, as in that option.
    :param status_code: of what is returned without a status, where neither the route
        nor a blueprint around it says one: 200 is Flask's own default. ``None`` for the
        default of each method.
    :param fast_dispatch: ``False`` for Flask's own cycle of a request, ``None`` for
        what the class attribute of this name says.
    :ivar fast_dispatch: whether requests take fewer steps than Flask's own, which can't
        be observed. A subclass or an instance may say otherwise, at any time.
    :raises SignatureError: if one of these options is of the wrong type.

    .. versionadded:: 0.1
    """

    url_rule_class: type[routing.Rule] = Rule

    if t.TYPE_CHECKING:

        def __init__(
            self,
            import_name: str,
            static_url_path: str | None = None,
            static_folder: str | os.PathLike[str] | None = "static",
            static_host: str | None = None,
            host_matching: bool = False,
            subdomain_matching: bool = False,
            template_folder: str | os.PathLike[str] | None = "templates",
            instance_path: str | None = None,
            instance_relative_config: bool = False,
            root_path: str | None = None,
            *,
            dependencies: Iterable[t.Any] = (),
            responses: ResponsesOption | None = None,
            raises: Iterable[type[Exception]] = (),
            status_code: int | None = None,
            fast_dispatch: bool | None = None,
        ) -> None: ...

    else:
        # Whatever the Flask that is installed takes is passed on.
        def __init__(self, *args, **kwargs):
            own, rest = split_options(kwargs, APP_OPTIONS)
            super().__init__(*args, **rest)
            self._set_up(own)

    def _set_up(self, options: Mapping[str, t.Any]) -> None:
        registry = Registry.of(self)
        registry.of_app = read_declaration(options)
        self._operations = registry.operations
        self._synchronous = registry.operations.synchronous
        self._known = registry.operations.known
        # Set on the instance, so that it is asked first, and whatever a subclass or
        # another library makes of the method is called by it.
        dispatcher = Dispatcher(type(self), vars(self).get(DISPATCH))
        vars(self)[DISPATCH] = MethodType(dispatcher, proxy(self))
        # The rule of the static folder has been added by now, and so is not compiled.
        self._is_ready = True

    _is_ready = False

    @property
    def dependency_overrides(self) -> DependencyOverrides:
        """What is called in the place of dependencies, in tests: ``[get_db] = fake``.

        The mapping stays the same object: ``app.dependency_overrides = {}`` clears it.

        .. versionadded:: 0.2
        """
        return Registry.of(self).overrides

    @dependency_overrides.setter
    def dependency_overrides(self, overrides: Mapping[t.Any, t.Any]) -> None:
        known = Registry.of(self).overrides
        given = dict(overrides)
        known.clear()
        known.update(given)

    def init_app(self) -> None:
        """Read the configuration, install the error handlers, serve the documents.

        May be called before or after the routes are registered, once.

        :raises SignatureError: if it was called before, if a ``SIGNATURE_*`` key is
            unknown or has a value of the wrong type, if a view lacks an argument for a
            variable of its URL, or if ``security=`` names an unknown scheme.

        .. versionadded:: 0.1
        """
        # Imported here, since a module of blueprints needs none of it.
        from ._operations.errors import compile_error_format, http_exception_handler
        from ._operations.registration import check_registered
        from ._settings import read_settings

        registry = Registry.of(self)
        if registry.initialized:
            raise SignatureError(
                f"init_app() was called twice on the application {self.name!r}."
                " Call it once, when the configuration is loaded."
            )
        for endpoint, error in registry.deferred_errors:
            if not may_take_variables(self, endpoint):
                raise error
        registry.forget_plain_views()
        guard_plain_views(self, registry)
        settings = registry.settings = read_settings(self.config)
        registry.error_writer = compile_error_format(self, settings.error_format)
        check_registered(registry)
        registry.initialized = True
        if registry.settings.error_handlers and not registry.handlers.has_own:
            handler = registry.handlers.generic = http_exception_handler(self)
            registry.operations.synchronous.add(handler)
            flask.Flask.register_error_handler(self, HTTPException, handler)
        if registry.settings.openapi:
            from .openapi.routes import register_docs

            register_docs(self, registry)

    if not t.TYPE_CHECKING:

        @as_in(flask.Flask)
        def add_url_rule(self, *args, **options):
            """Compile a view, and register its rule as Flask does.

            :param options: Flask's own, and those of
                :class:`~flask_signature.typing.OperationOptions`.
            :raises SignatureError: if an option is not known or the view can't be
                compiled.
            """
            given, add = GivenRule(args, options), super().add_url_rule
            if self._is_ready:
                add_rule(self, given, add=add)
            else:
                given.add(add)

    def async_to_sync(self, func: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """What runs a coroutine function to its end, as ``SIGNATURE_ASYNC_LOOP`` says.

        :param func: the coroutine function.
        :raises RuntimeError: if asgiref is not installed, and has to run it.
        """
        usual = super().async_to_sync
        keeps_loop = Registry.of(self).settings.async_loop == "thread"
        if not keeps_loop or flask.Flask.async_to_sync is not ASYNC_TO_SYNC:
            return usual(func)
        # It imports asyncio, which few applications need.
        from ._cycle.loops import to_kept_loop

        return to_kept_loop(func, usual)

    def endpoint(self, endpoint: str) -> Callable[[F], F]:
        """Register a view function for an endpoint, as :meth:`flask.Flask.endpoint`."""
        register = super().endpoint(endpoint)

        def decorator(function: F) -> F:
            function = register(function)
            guard_plain_views(self, Registry.of(self), [endpoint])
            return function

        return decorator

    # Flask types a blueprint as what it shares with Quart, and takes any option.
    def register_blueprint(  # type: ignore[override]
        self,
        blueprint: flask.Blueprint,
        **options: Unpack[RegistrationOptions],
    ) -> None:
        """Register a blueprint, as :meth:`flask.Flask.register_blueprint` does.

        :param options: Flask's own, and ``tags``, ``responses``, ``raises``,
            ``decorators``, ``dependencies``, ``include_in_schema`` and ``deprecated``,
            which add to what the blueprint says; a route with ``tags`` has these
            besides. ``status_code``, and ``security``, which may not be ``None``,
            replace what it says.
        :raises SignatureError: if an option is not known, or a view can't be compiled.
        """
        given: dict[str, t.Any] = {**options}
        if isinstance(blueprint, Blueprint):
            super().register_blueprint(blueprint, **given)
            return
        declaration, rest = read_registration_of(blueprint, given)
        name = full_name(blueprint, given)
        registry = Registry.of(self)
        # Flask refuses a name that is taken.
        if name not in self.blueprints:
            inside = declared_inside(name, blueprint)
            with registering(blueprint):
                registry.declare({**inside, name: declaration})
        super().register_blueprint(blueprint, **rest)
        guard_plain_views(self, registry)
