"""What is refused, or warned of, when an operation is compiled."""

from __future__ import annotations

import re
import typing as t
from inspect import iscoroutinefunction

from flask.views import MethodView
from flask.views import View

from .._inbound.locations import FORM_LOCATIONS
from .._inbound.path import CONVERTERS_OF_TYPES
from .._routing.path_template import VARIABLE
from .._signature.argument import path_name
from .._signature.hidden import find_hidden_view
from .._signature.unwrap import takes_any_keyword
from .._types.annotations import show_type
from ..exceptions import SignatureError
from ..params import Location
from .registration import CHANGED
from .registry import may_take_variables

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Iterator

    from flask import Flask

    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from .operation import Operation
    from .operation import ViewFunction
    from .registration import Registration
    from .registration import Target
    from .view_functions import ViewComposer


#: The modules of the methods that run coroutine functions with asgiref.
USUAL: t.Final = ("flask.app", f"{__package__}.responding")


def check_asynchronous(target: Target) -> None:
    """Refuse a coroutine function that the application can't run.

    :raises SignatureError: if asgiref is not installed, and the application has no
        ``ensure_sync()`` or ``async_to_sync()`` of its own.
    """
    view, view_callable = target.registration.view, target.view_callable
    is_asynchronous = _is_asynchronous(view, view_callable)
    if not is_asynchronous or runs_coroutines(target.registration.app):
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


def runs_coroutines(app: Flask) -> bool:
    """Whether an application can run coroutine functions."""
    methods = (app.ensure_sync, app.async_to_sync)
    if any(getattr(method, "__module__", None) not in USUAL for method in methods):
        return True
    return has_asgiref()


def has_asgiref() -> bool:
    """Whether asgiref is installed, with which Flask runs coroutine functions."""
    try:
        import asgiref.sync  # noqa: F401
    except ImportError:
        return False
    return True


def check_view(composer: ViewComposer, signature: Signature) -> list[str]:
    """The variables of the URL that a view lacks, which may be a mistake.

    :raises SignatureError: if it certainly is one, a request of the method has no form,
        or the function inside of a wrapper would have to read the request.
    """
    target, inside = composer.target, composer.inside
    _check_form_method(target, signature)
    for problem in _find_problems(composer, signature):
        target.warn(problem)
    is_view = inside is not None and inside.undecorated is target.registration.view
    if is_view and not composer.is_plain:
        raise SignatureError(target.locate(_unread_problem(target.view_callable)))
    return _find_missing(composer, signature)


def _find_missing(composer: ViewComposer, signature: Signature) -> list[str]:
    """The variables of the URL that no argument of a view takes, if that is a mistake.

    A preprocessor, or a function that runs before the request, may remove them, also
    one that is registered later. The error is deferred to ``init_app()``.

    :raises SignatureError: if there is one and ``init_app()`` was called.
    """
    target = composer.target
    registration = target.registration
    registry, endpoint = registration.registry, registration.route.endpoint
    dependencies = composer.plans.dependencies
    taken = dependencies.variables() if dependencies is not None else ()
    missing = _without_argument(target, signature, taken)
    if not missing or may_take_variables(registration.app, endpoint):
        return []
    error = SignatureError(target.locate(target.missing_problem(missing[0])))
    if registry.initialized:
        raise error
    registry.deferred_errors.defer_error(endpoint, error)
    return missing


def _without_argument(
    target: Target, signature: Signature, taken: Collection[str]
) -> list[str]:
    """The variables of the URL that no argument takes, in order.

    Flask would call the view with arguments that it does not have. None is missing
    where somebody else may take them: ``**kwargs``, a decorator, a class.

    :param taken: those that a dependency takes.
    """
    view_callable = target.view_callable
    missing = target.provided - {*view_callable.signature.parameters, *taken}
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


def _check_form_method(target: Target, signature: Signature) -> None:
    """Refuse an argument of a form that no request of its route has.

    A function that also runs for another method may have one there.

    :raises SignatureError: if there is one.
    """
    view_callable = target.view_callable
    if target.method not in ("GET", "HEAD"):
        return
    is_own = view_callable.attribute == target.method.lower()
    if not is_own and not target.registration.route.methods <= NO_FORM:
        return
    for argument in signature.arguments:
        if argument.location in FORM_LOCATIONS:
            problem = (
                f"{argument.name!r} of {view_callable.name} is read from a form, which"
                f" a {target.method} request does not have. Read it from the query, or"
                " register the view for POST."
            )
            raise SignatureError(target.locate(problem))


def _find_problems(composer: ViewComposer, signature: Signature) -> Iterator[str]:
    """What compiles, but can't have the effect that it was written for."""
    yield from _find_braces(composer.target, signature)
    yield from _find_hidden_signature(composer.target)
    if problem := _find_early_reading(composer):
        yield problem


def _find_braces(target: Target, signature: Signature) -> Iterator[str]:
    """A problem for each part of a rule that looks like a variable: ``"{user_id}"``."""
    rule = target.registration.route.rule
    if "{" not in rule:
        return
    types = {item.name: show_type(item.type.annotation) for item in signature.arguments}
    for found in BRACES.finditer(VARIABLE.sub("", rule)):
        name, converter = found.groups()
        converter = converter or CONVERTERS_OF_TYPES.get(types.get(name, ""), "")
        written = f"<{converter}:{name}>" if converter else f"<{name}>"
        yield (
            f"the rule has {found[0]!r}, which stands for itself and is no variable."
            f" Write '{written}'."
        )


def _find_hidden_signature(target: Target) -> Iterator[str]:
    """The problem of a decorator that hides what the view in it declares."""
    hidden = find_hidden_view(target.view_callable.function)
    if hidden is not None and hidden.expects_to_be_read(target.provided):
        yield (
            f"{target.view_callable.name} hides the signature of"
            f" {hidden.function.__name__}(), which is not read. {hidden.advice}"
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


#: The methods of a route without a form. To the last of them, Flask responds.
NO_FORM: t.Final = frozenset({"GET", "HEAD", "OPTIONS"})

#: A variable as OpenAPI and other frameworks write it: ``{name}``, ``{name:path}``.
BRACES: t.Final = re.compile(r"\{([a-zA-Z_]\w*)(?::(\w+))?\}", re.ASCII)

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
