"""What an application and a blueprint share: their decorators and registration.

It is imported with the package, and so imports nothing that compiles views.
"""

from __future__ import annotations

import sys
import typing as t

from ..exceptions import SignatureError
from .declared import Declared
from .declared import declaring
from .declared import names_around

if t.TYPE_CHECKING:
    from collections.abc import Callable

    # From here and not from "flask.sansio", a folder without __init__.py, which
    # "basedpyright --verifytypes" cannot follow.
    from flask.debughelpers import Scaffold as Base  # type: ignore[attr-defined]
    from typing_extensions import Unpack

    from ..typing import RouteOptions
    from ..typing import VerbOptions
    from ..typing import View

else:
    # At run time both subclasses inherit from Scaffold by way of Flask's own classes.
    Base = object


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
            with declaring(Declared(names_around(view, sys._getframe(1)))):
                self.add_url_rule(rule, endpoint, view, **given)
            return view

        return decorator
