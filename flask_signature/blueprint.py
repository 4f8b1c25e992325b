"""Blueprints whose views are compiled when they are registered on an application."""

from __future__ import annotations

import inspect
import typing as t
from functools import partial

import flask

from ._common import unknown_option
from ._operations.decorators import DecoratedOptions, Routes, declared_for, located
from ._operations.registry import Registry
from ._operations.rules import (
    BlueprintHandlers,
    GivenRule,
    as_in,
    checks_hooks,
    compiling,
    guard_plain_views,
    show_rule_of,
    with_declared,
)
from ._routing.declaration import (
    SCOPE_OPTIONS,
    SEQUENCES,
    Declaration,
    read_declaration,
    read_registration,
    split_options,
)
from ._signature.views import calling_location
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from flask.blueprints import BlueprintSetupState
    from typing_extensions import Unpack

    from .typing import RegistrationOptions, ScopeOptions


@checks_hooks
class Blueprint(Routes, BlueprintHandlers, flask.Blueprint):
    """A :class:`flask.Blueprint` whose views are parsed, validated and described.

    A view is compiled when the blueprint is registered, for the whole rule is known
    then. A blueprint may be nested, registered more than once, and used by several
    applications, a plain :class:`flask.Flask` among them.

    :param tags: of every operation whose route or nested blueprint has none of its
        own.
    :param decorators: around every view, outside of parsing and of the route's own.
    :param dependencies: functions that are called before the body of a request is
        read, for every view in the blueprint.
    :param responses: models by status, as in the option of a route.
    :param raises: exceptions whose error handlers describe what is sent instead.
    :param include_in_schema: whether the operations are described.
    :param security: who may call what is inside: a scheme, or several that are
        combined. It is enforced if they verify. A route or a nested blueprint with one
        of its own replaces it, and ``None`` opens.
    :param deprecated: whether the operations are described as deprecated.
    :param status_code: of what is returned without a status. The nearest one counts: of
        the route, its blueprint, the one around that, the application.

    .. versionadded:: 0.1
    """

    declaration: Declaration

    if t.TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            import_name: str,
            static_folder: str | os.PathLike[str] | None = None,
            static_url_path: str | None = None,
            template_folder: str | os.PathLike[str] | None = None,
            url_prefix: str | None = None,
            subdomain: str | None = None,
            url_defaults: dict[str, t.Any] | None = None,
            root_path: str | None = None,
            cli_group: str | None = ...,
            **options: Unpack[ScopeOptions],
        ) -> None: ...

    else:
        # Whatever the Flask that is installed takes is passed on.
        def __init__(self, name, import_name, *args, **options):
            own, rest = split_options(options, SCOPE_OPTIONS)
            with located(_show_in(f"Blueprint {name!r} ({import_name})")):
                self.declaration = read_declaration(own)
                try:
                    super().__init__(name, import_name, *args, **rest)
                except TypeError as error:
                    refused = "unexpected keyword argument {!r}".format
                    unknown = [
                        option for option in rest if refused(option) in str(error)
                    ]
                    if not unknown:
                        raise
                    known = {*inspect.signature(flask.Blueprint).parameters}
                    message = unknown_option(unknown[0], known | SCOPE_OPTIONS)
                    raise SignatureError(message) from None
            self._annotated_handlers = []

    # Flask types a blueprint as what it shares with Quart, and takes any option.
    def register_blueprint(  # type: ignore[override]
        self,
        blueprint: flask.Blueprint,
        **options: Unpack[RegistrationOptions],
    ) -> None:
        """Nest a blueprint, as :meth:`flask.Blueprint.register_blueprint` does.

        :param options: Flask's own, and those of :meth:`.Flask.register_blueprint`.
        :raises SignatureError: if an option is not known.
        """
        given: dict[str, t.Any] = {**options}
        read_registration_of(blueprint, given)
        # They are read again each time that this blueprint is registered.
        kept = {name: [*given[name]] for name in SEQUENCES if given.get(name)}
        super().register_blueprint(blueprint, **{**given, **kept})

    def register(self, app: t.Any, options: dict[str, t.Any]) -> None:
        """Register the views on an application, compiled; Flask calls it.

        :raises SignatureError: if a view can't be compiled or an option is not known.
        """
        declaration, rest = read_registration_of(self, options)
        name = full_name(self, options)
        registry = Registry.of(app)
        # Flask refuses a name that is taken.
        if name not in app.blueprints:
            own = self.declaration.registered_with(declaration)
            with registering(self):
                registry.declare({**declared_inside(name, self), name: own})
        for compile_sent in self._annotated_handlers:
            compile_sent(app)
        try:
            super().register(app, rest)
        finally:
            guard_plain_views(app, registry)

    if not t.TYPE_CHECKING:

        @as_in(flask.Blueprint)
        def add_url_rule(self, *args, **options):
            """Register a rule, as :meth:`flask.Blueprint.add_url_rule` does.

            :param options: Flask's own, and those of
                :class:`~flask_signature.typing.OperationOptions`.
            :raises SignatureError: if an option is not known.
            """
            own, rest = split_options(options)
            given = GivenRule(args, options)
            with located(partial(show_rule_of, given, given.view)):
                declaration = read_declaration(own)
            names = declared_for(given.view).namespace
            declared = DecoratedOptions(names, declaration)
            record, own = self.record, vars(self).get("record")
            # A subclass may record otherwise, and is to do so with the whole.
            vars(self)["record"] = lambda func: record(with_declared(func, declared))
            try:
                super().add_url_rule(*args, **rest)
            finally:
                del vars(self)["record"]
                if own is not None:
                    vars(self)["record"] = own

    def make_setup_state(
        self, app: t.Any, options: dict[str, t.Any], first_registration: bool = False
    ) -> BlueprintSetupState:
        """The state of this registration, which compiles the views of its rules.

        A function of ``record()`` adds its rules by it.
        """
        state = super().make_setup_state(app, options, first_registration)
        add = state.add_url_rule

        def add_url_rule(*args: t.Any, **named: t.Any) -> None:
            with compiling(state):
                add(*args, **named)

        state.add_url_rule = add_url_rule  # type: ignore[method-assign]
        return state


def registering(blueprint: flask.Blueprint) -> AbstractContextManager[None]:
    """Add the name and the place of the registration of a blueprint to errors."""
    shown = f"{blueprint.name!r} ({blueprint.import_name})"
    return located(_show_in(f"register_blueprint() of {shown}"))


def _show_in(subject: str) -> Callable[[str], str]:
    return lambda problem: f"{subject}: {problem} ({calling_location()})"


def full_name(blueprint: flask.Blueprint, options: Mapping[str, t.Any]) -> str:
    """The name that a blueprint is registered with: ``"shop.items"``."""
    name = options.get("name", blueprint.name)
    return f"{options.get('name_prefix', '')}.{name}".lstrip(".")


def declared_inside(name: str, blueprint: flask.Blueprint) -> dict[str, Declaration]:
    """The declarations of plain blueprints that are nested, which don't read them.

    :param name: that the outer blueprint is registered with.
    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    found: dict[str, Declaration] = {}
    # Nothing public lists the blueprints that are nested in another.
    for inner, options in blueprint._blueprints:
        if not isinstance(inner, Blueprint):
            inner = t.cast("flask.Blueprint", inner)
            inner_name = full_name(inner, {**options, "name_prefix": name})
            # Flask refuses a second one of the same name.
            found.setdefault(inner_name, read_registration_of(inner, options)[0])
            found |= {**declared_inside(inner_name, inner), **found}
    return found


def read_registration_of(
    blueprint: flask.Blueprint, options: Mapping[str, t.Any]
) -> tuple[Declaration, dict[str, t.Any]]:
    """What the registration of a blueprint declares, and the options left for Flask.

    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    with registering(blueprint):
        return read_registration(options, may_have_others=_may_have_others(blueprint))


def _may_have_others(blueprint: flask.Blueprint) -> bool:
    """Whether custom options of a registration may be looked for.

    Functions of ``record()`` are given them, and so are methods of a subclass.
    """
    cls = type(blueprint)
    usual = Blueprint if isinstance(blueprint, Blueprint) else flask.Blueprint
    if (cls.register, cls.make_setup_state) != (usual.register, usual.make_setup_state):
        return True
    modules = [getattr(item, "__module__", "") for item in blueprint.deferred_functions]
    return any(module.partition(".")[0] != "flask" for module in modules)
