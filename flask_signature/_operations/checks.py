"""What is refused, or warned of, when an operation is compiled."""

from __future__ import annotations

import typing as t
from inspect import iscoroutinefunction

from flask.views import MethodView
from flask.views import View

from .._signature.argument import path_name
from .._signature.unwrap import takes_any_keyword
from ..exceptions import SignatureError
from ..params import Location
from .registration import CHANGED
from .registry import may_take_variables

if t.TYPE_CHECKING:
    from flask import Flask

    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Registration
    from .registration import Target
    from .view_functions import ViewComposer


#: The modules of the methods that run coroutine functions with asgiref.
USUAL: t.Final = ("flask.app", "flask_signature.app")


def check_asynchronous(target: Target) -> None:
    """Refuse a coroutine function that the application can't run.

    :raises SignatureError: if asgiref is not installed, and the application has no
        ``ensure_sync()`` or ``async_to_sync()`` of its own.
    """
    view, view_callable = target.registration.view, target.view_callable
    is_asynchronous = _is_asynchronous(view, view_callable)
    if not is_asynchronous or _runs_coroutines(target.registration.app):
        return
    raise SignatureError(
        f"{view_callable.name} is asynchronous, but asgiref, with which Flask runs such"
        " views, is not installed. Run 'pip install \"flask-signature[async]\"', or"
        " write the view with 'def'."
    )


def _is_asynchronous(view: ViewFunction, view_callable: ViewCallable) -> bool:
    """Whether Flask is given a coroutine function, by a class-based view as well."""
    view_class = view_callable.view_class
    if view_class is None:
        return iscoroutinefunction(view)
    dispatch = view_class.dispatch_request
    if dispatch is not MethodView.dispatch_request or iscoroutinefunction(dispatch):
        return iscoroutinefunction(dispatch)
    return iscoroutinefunction(getattr(view_class, view_callable.attribute))


def _runs_coroutines(app: Flask) -> bool:
    methods = (app.ensure_sync, app.async_to_sync)
    if any(getattr(method, "__module__", None) not in USUAL for method in methods):
        return True
    try:
        import asgiref.sync  # noqa: F401
    except ImportError:
        return False
    return True


def check_view(composer: ViewComposer, signature: Signature) -> list[str]:
    """The variables of the URL that a view lacks, which may be a mistake.

    :raises SignatureError: if it certainly is one, or the function inside of a wrapper
        would have to read the request.
    """
    target, inside = composer.target, composer.inside
    if problem := _find_early_reading(composer):
        target.warn(problem)
    is_view = inside is not None and inside.undecorated is target.registration.view
    if is_view and not composer.is_plain:
        raise SignatureError(target.locate(_unread_problem(target.view_callable)))
    return _find_missing(target, signature)


def _find_missing(target: Target, signature: Signature) -> list[str]:
    """The variables of the URL that no argument of a view takes, if that is a mistake.

    A preprocessor, or a function that runs before the request, may remove them, also
    one that is registered later. The error is deferred to ``init_app()``.

    :raises SignatureError: if there is one and ``init_app()`` was called.
    """
    registration = target.registration
    registry, endpoint = registration.registry, registration.route.endpoint
    missing = _without_argument(target, signature)
    if not missing or may_take_variables(registration.app, endpoint):
        return []
    error = SignatureError(target.locate(target.missing_problem(missing[0])))
    if registry.initialized:
        raise error
    registry.deferred_errors.defer_error(endpoint, error)
    return missing


def _without_argument(target: Target, signature: Signature) -> list[str]:
    """The variables of the URL that no argument takes, in order.

    Flask would call the view with arguments that it does not have. None is missing
    where somebody else may take them: ``**kwargs``, a decorator, a class.
    """
    view_callable = target.view_callable
    missing = target.provided - {*view_callable.signature.parameters}
    if not missing or takes_any_keyword(view_callable):
        return []
    if view_callable.wrapped or view_callable.view_class is not None:
        return []
    return sorted(
        missing
        - {
            path_name(argument)
            for argument in signature.arguments
            if argument.location is Location.PATH
        }
    )


def _find_early_reading(composer: ViewComposer) -> str:
    """The problem of a class whose own functions run after the request is read."""
    name, view_class = composer.target.view_callable.name, _class_of(composer)
    # What a rule provides is known to whoever calls the method.
    arguments = composer.inbound.arguments
    reads = any(item.location is not Location.PATH for item in arguments)
    if view_class is None or not reads or composer.reads_in_method:
        return ""
    if view_class.decorators:
        return (
            f"{name} reads the request before the decorators of its class run, since"
            " nothing here asks for the method to call. Give the decorators to the"
            " route, with decorators=."
        )
    is_own = view_class.dispatch_request not in DISPATCHES
    if is_own and not name.endswith("dispatch_request()"):
        return (
            f"{name} reads the request before dispatch_request() of its class runs,"
            " which calls it by itself. Declare what that passes with Injected(), or"
            " call the method with super().dispatch_request()."
        )
    if hasattr(composer.target.registration.view, "__wrapped__"):
        return (
            f"{name} reads the request before the function around as_view() runs, since"
            " nothing here asks for the method to call. Declare what that passes with"
            " Injected(), or give it to the route, with decorators=."
        )
    return ""


def _class_of(composer: ViewComposer) -> t.Any:
    view_class = composer.target.view_callable.view_class
    is_usual = isinstance(view_class, type) and issubclass(view_class, View)
    return view_class if is_usual else None


#: The functions of Flask's that call a method, or are to be overridden.
DISPATCHES: t.Final = (MethodView.dispatch_request, View.dispatch_request)


def _unread_problem(view_callable: ViewCallable) -> str:
    """The problem of a wrapper around a view that Flask has as it is."""
    return (
        f"{view_callable.name} is registered in a wrapper around the function that"
        " stands for it, which reads nothing from a request, but has to under this"
        " rule. Register the view itself, with the options of this rule."
    )


def check_same_models(
    registration: Registration, operation: Operation, earlier: Operation
) -> None:
    """Refuse a function whose values would be filtered otherwise than before.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    new, old = operation.outbound, earlier.outbound
    statuses = [(code, code) for code in range(200, 600)]
    for before, after in ((old.status, new.status), *statuses):
        known, serializer = old.serializer_of(before), new.serializer_of(after)
        if known is not None and not known.is_same(serializer):
            why = CHANGED.format(f"the model of status {after}")
            raise registration.conflict(operation.method, earlier.view_callable, why)
