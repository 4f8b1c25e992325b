"""The decorators of applications and blueprints, and what they declare for a rule.

What is declared goes past Flask's own registration: whoever overrides or replaces an
``add_url_rule()`` on that way sees Flask's options alone. This is imported with the
package, and so imports nothing that compiles views.
"""

from __future__ import annotations

import sys
import typing as t
from contextlib import contextmanager
from contextvars import ContextVar

from .._routing.declaration import NOTHING_DECLARED
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    # From here and not from "flask.sansio", a folder without __init__.py, which
    # "basedpyright --verifytypes" cannot follow.
    from flask.debughelpers import Scaffold as Base  # type: ignore[attr-defined]
    from typing_extensions import Unpack

    from .._routing.declaration import Declaration
    from ..typing import RouteOptions, VerbOptions, View

else:
    # At run time both subclasses inherit from Scaffold by way of Flask's own classes.
    Base = object


class DecoratedOptions(t.NamedTuple):
    """What a decorator knows of the rules that it adds.

    :param namespace: the local names around the view, which its annotations may use.
    :param declaration: of a route of a blueprint.
    :param compiled: the endpoint of a view that is compiled already, whose rule is to
        be added; ``""`` where there is none.
    """

    namespace: Mapping[str, t.Any] | None = None
    declaration: Declaration = NOTHING_DECLARED
    compiled: str = ""


#: What is declared for the rule that is being added, ``None`` where nobody says it.
DECLARED: t.Final[ContextVar[DecoratedOptions | None]] = ContextVar(
    "declared", default=None
)


@contextmanager
def declaring(declared: DecoratedOptions | None) -> Iterator[None]:
    """Say what is declared for the rules that are added meanwhile."""
    token = DECLARED.set(declared)
    try:
        yield
    finally:
        DECLARED.reset(token)


@contextmanager
def taking_declared(view: t.Any, frame: t.Any) -> Iterator[DecoratedOptions]:
    """What is declared for a rule that is being added, and for no other.

    Nothing is while its view is compiled and decorated: the functions that decorate it
    may add rules of their own.

    :param frame: as for :func:`declared_for`.
    """
    declared = declared_for(view, frame)
    with declaring(None):
        yield declared


def declared_for(view: t.Any, frame: t.Any) -> DecoratedOptions:
    """What is declared for a rule that is being added.

    :param frame: of the caller of ``add_url_rule()``, ``None`` where that is Flask.
    """
    declared = DECLARED.get()
    # An application may add other rules beside one that is compiled.
    if declared is None or declared.compiled:
        return DecoratedOptions(names_around(view, frame))
    return declared


def names_around(view: t.Any, frame: t.Any) -> Mapping[str, t.Any] | None:
    """The local names where a view is defined, which its annotations may use."""
    if frame is None or "<locals>" not in getattr(view, "__qualname__", ""):
        return None
    return dict(frame.f_locals)


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
        _check_decorator_called(name, rule)
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


def _check_decorator_called(name: str, rule: t.Any) -> None:
    """Refuse a view in place of a rule: the decorator stands there without a call.

    :param name: of the decorator.
    :raises SignatureError: if it is one.
    """
    if not callable(rule):
        return
    from .._signature.source import source_location

    view = getattr(rule, "__qualname__", repr(rule)).rpartition(".")[2]
    shown = view if isinstance(rule, type) else f"{view}()"
    raise SignatureError(
        f"{shown} is decorated with {name}, which was not called. Write"
        f" {name}('/{view.replace('_', '-')}'), or another rule."
        f" ({source_location(rule)})"
    )


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
        _check_decorator_called("route", rule)
        given: dict[str, t.Any] = {**options}
        endpoint = given.pop("endpoint", None)

        def decorator(view: View) -> View:
            with declaring(DecoratedOptions(names_around(view, sys._getframe(1)))):
                self.add_url_rule(rule, endpoint, view, **given)
            return view

        return decorator
