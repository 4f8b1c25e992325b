"""What an application and a blueprint share: their decorators and registration.

It is imported with the package, and so imports nothing that compiles views.
"""

from __future__ import annotations

import sys
import typing as t

from .._routing.declaration import read_options
from .._routing.route import methods_of
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Flask

    # From here and not from "flask.sansio", a folder without __init__.py, which
    # "basedpyright --verifytypes" cannot follow.
    from flask.debughelpers import Scaffold as Base  # type: ignore[attr-defined]
    from typing_extensions import Unpack
    from werkzeug.routing import Rule

    from .._routing.declaration import Declaration
    from ..typing import RouteOptions
    from ..typing import VerbOptions
    from ..typing import View
    from .registry import Registry

else:
    # At run time both subclasses inherit from Scaffold by way of Flask's own classes.
    Base = object

#: The option that hands the local names around a view to ``add_url_rule()``.
NAMESPACE: t.Final = "flask_signature.namespace"


class VerbDecorator(t.Protocol):
    """``get()``, ``post()`` and the decorators of the other methods."""

    def __call__(
        self, rule: str, **options: Unpack[VerbOptions]
    ) -> Callable[[View], View]:
        """A decorator that registers a view for one method."""


def _verb(name: str) -> VerbDecorator:
    """The method of :class:`Routes` that registers a view for one method of HTTP.

    :param name: of both: ``"get"``.
    """

    def verb(self: t.Any, rule: str, **options: t.Any) -> Callable[[View], View]:
        if "methods" in options:
            from .._routing.path_template import show_rule

            raise SignatureError(
                f"{name.upper()} {show_rule(rule)}: Use the 'route' decorator to give"
                " 'methods'."
            )
        register = self.route(rule, methods=[name.upper()], **options)
        return t.cast("Callable[[View], View]", register)

    verb.__name__, verb.__qualname__ = name, f"Routes.{name}"
    verb.__doc__ = (
        f"Register a view for {name.upper()} requests; see :meth:`route`.\n\n"
        ":raises SignatureError: if an option is not known.\n\n"
        ".. versionadded:: 0.1\n"
    )
    # A function in a class takes the instance that it is called on.
    return t.cast("VerbDecorator", verb)


class Routes(Base):
    """Decorators that register views, whose signature is their contract."""

    # Flask's own take any option; these name theirs.
    get: VerbDecorator = _verb("get")  # type: ignore[assignment]
    head: VerbDecorator = _verb("head")
    post: VerbDecorator = _verb("post")  # type: ignore[assignment]
    put: VerbDecorator = _verb("put")  # type: ignore[assignment]
    patch: VerbDecorator = _verb("patch")  # type: ignore[assignment]
    delete: VerbDecorator = _verb("delete")  # type: ignore[assignment]
    options: VerbDecorator = _verb("options")
    connect: VerbDecorator = _verb("connect")
    trace: VerbDecorator = _verb("trace")

    # Flask's own takes any option; this one names them.
    def route(  # type: ignore[override]
        self, rule: str, **options: Unpack[RouteOptions]
    ) -> Callable[[View], View]:
        """Register a view for a rule; the view is returned unchanged.

        :param rule: as Werkzeug writes it: ``"/users/<int:user_id>"``.
        :param options: those of :meth:`flask.Flask.route`, and those of
            :class:`~flask_signature.typing.OperationOptions`.
        :raises SignatureError: if an option is not known; for an application, also if
            the view can't be compiled. A blueprint's is compiled when it is registered.
        """
        given: dict[str, t.Any] = {**options}
        endpoint = given.pop("endpoint", None)

        def decorator(view: View) -> View:
            given[NAMESPACE] = names_around(view, sys._getframe(1))
            self.add_url_rule(rule, endpoint, view, **given)
            return view

        return decorator


def names_around(
    view: Callable[..., t.Any], frame: t.Any
) -> Mapping[str, t.Any] | None:
    """The local names where a view is defined, which its annotations may use."""
    if "<locals>" not in getattr(view, "__qualname__", ""):
        return None
    return dict(frame.f_locals)


def take_namespace(
    view: Callable[..., t.Any], options: dict[str, t.Any], frame: t.Any
) -> Mapping[str, t.Any] | None:
    """The local names around a view, removed from the options of a decorator.

    :param frame: of the caller of ``add_url_rule()``, if there is no decorator.
    """
    namespace = options.pop(NAMESPACE, None)
    return names_around(view, frame) if namespace is None else namespace


def guard_plain_views(
    app: Flask, registry: Registry, endpoints: Iterable[str] | None = None
) -> None:
    """Put the decorators of blueprints around the plain views in them.

    :param endpoints: of the views, ``None`` for all.
    """
    if not registry.blueprints.have_decorators():
        return
    from .guards import guard_endpoint

    for endpoint in [*app.view_functions] if endpoints is None else endpoints:
        guard_endpoint(app, endpoint)


def declare(
    view: Callable[..., t.Any],
    rule: str,
    options: Mapping[str, t.Any],
    *,
    rule_class: type[Rule],
) -> tuple[Declaration, dict[str, t.Any]]:
    """What a route declares, and the options that are left for Flask.

    :param rule: as the decorator was given it, for a message.
    :raises SignatureError: if an option is not known.
    """
    try:
        return read_options(options, rule_class)
    except SignatureError as error:
        message = _locate(view, rule, str(error), methods=options.get("methods"))
        raise SignatureError(message) from None


def _locate(
    view: Callable[..., t.Any], rule: str, problem: str, *, methods: t.Any
) -> str:
    """The problem of a route that is not compiled, with its rule as it was given."""
    from .._routing.path_template import show_rule
    from .._signature.source import locate
    from .._signature.unwrap import unwrap_view

    names = sorted(methods_of(view, methods)) or ["GET"]
    view_callable = unwrap_view(view, names[0])
    shown = f"{', '.join(names)} {show_rule(rule)}"
    return locate(shown, f"{view_callable.name}: {problem}", view_callable)
