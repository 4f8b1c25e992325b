"""What raises an error, or a warning, when an operation is compiled."""

from __future__ import annotations

import re
import typing as t
from functools import partial
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from itertools import chain

from flask.views import MethodView

from .._dependencies.graph import within
from .._dependencies.plan import runs_by_asgiref
from .._inbound.compile import CONVERTERS_OF_TYPES, find_tables
from .._inbound.readers import FORM_LOCATIONS
from .._outbound.annotation import may_be_stream
from .._routing.route import VARIABLE, show_rule
from .._signature.argument import EMPTY, path_name
from .._signature.reader import find_special
from .._signature.views import (
    chooses,
    find_hidden_view,
    locate,
    signature_of,
    takes_any_keyword,
    unwrap_view,
)
from .._types.annotations import show_type
from ..exceptions import SignatureError
from ..params import Location
from .decorators import Routes, options_of
from .functions import runs_coroutine_functions
from .registry import may_take_variables

if t.TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Collection, Iterator

    from flask import Flask

    from .._dependencies.compile import OperationDependencies
    from .._signature.views import ViewCallable
    from .registration import Registration
    from .store import Operation, ViewFunction


def check_asynchronous(registration: Registration) -> None:
    """Refuse a coroutine function that the application can't run.

    :raises SignatureError: if asgiref is not installed, and the application has no
        ``ensure_sync()`` or ``async_to_sync()`` of its own.
    """
    view, view_callable = registration.view, registration.view_callable
    is_asynchronous = _is_asynchronous(view, view_callable)
    if not is_asynchronous or runs_coroutines(registration.app):
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
    return not runs_by_asgiref(app) or has_asgiref()


def has_asgiref() -> bool:
    """Whether asgiref is installed, with which Flask runs coroutine functions."""
    try:
        import asgiref.sync  # noqa: F401
    except ImportError:
        return False
    return True


def check_view(registration: Registration) -> list[str]:
    """The variables of the URL that a view lacks, which may be a mistake.

    :raises SignatureError: if it certainly is one, or a request of the method has no
        form.
    """
    _check_form_method(registration)
    # What compiles, but can't have the effect that it was written for.
    for find in (_find_braces, _find_hidden_signature, _find_tables):
        for problem in find(registration):
            registration.warn(problem)
    return _find_missing(registration)


def _find_tables(registration: Registration) -> Iterator[str]:
    """The arguments whose models SQLModel does not validate."""
    dependencies = registration.dependencies
    plans = dependencies.inbound_plans if dependencies else [registration.inbound]
    return chain.from_iterable(map(find_tables, plans))


def _find_missing(registration: Registration) -> list[str]:
    """The variables of the URL that no argument of a view takes, if that is a mistake.

    A preprocessor, or a function that runs before the request, may remove them, also
    one that is registered later. The error is deferred to ``init_app()``.

    :raises SignatureError: if there is one and ``init_app()`` was called.
    """
    registry, endpoint = registration.registry, registration.route.endpoint
    dependencies = registration.dependencies
    taken = dependencies.variables() if dependencies is not None else ()
    missing = _without_argument(registration, taken)
    if not missing or may_take_variables(registration.app, endpoint):
        return []
    error = SignatureError(
        registration.locate(registration.missing_problem(missing[0]))
    )
    if registry.initialized:
        raise error
    registry.deferred_errors.append((endpoint, error))
    return missing


def _without_argument(registration: Registration, taken: Collection[str]) -> list[str]:
    """The variables of the URL that no argument takes, in order.

    Flask would call the view with arguments that it does not have. None is missing
    where something else may take them: ``**kwargs``, a decorator, a class.

    :param taken: those that a dependency takes.
    """
    view_callable = registration.view_callable
    missing = registration.provided - {*view_callable.signature.parameters, *taken}
    if not missing or takes_any_keyword(view_callable):
        return []
    if view_callable.wrapped or view_callable.view_class is not None:
        return []
    return sorted(
        missing
        - {
            path_name(argument)
            for argument in registration.signature.arguments
            if argument.location is Location.PATH
        }
    )


def _check_form_method(registration: Registration) -> None:
    """Refuse an argument of a form that no request of its route has.

    A function that also runs for another method may have one there.

    :raises SignatureError: if there is one.
    """
    view_callable = registration.view_callable
    if registration.method not in ("GET", "HEAD"):
        return
    is_own = view_callable.attribute == registration.method.lower()
    if not is_own and not registration.route.methods <= NO_FORM:
        return
    for argument in registration.signature.arguments:
        if argument.location in FORM_LOCATIONS:
            problem = (
                f"{argument.name!r} of {view_callable.name} is read from a form, which"
                f" a {registration.method} request does not have. Read it from the"
                " query, or register the view for POST."
            )
            raise SignatureError(registration.locate(problem))


def _find_braces(registration: Registration) -> Iterator[str]:
    """A problem for each part of a rule that looks like a variable: ``"{user_id}"``."""
    rule = registration.route.rule
    if "{" not in rule:
        return
    types = {
        item.name: show_type(item.type.annotation)
        for item in registration.signature.arguments
    }
    for found in BRACES.finditer(VARIABLE.sub("", rule)):
        name, converter = found.groups()
        converter = converter or CONVERTERS_OF_TYPES.get(types.get(name, ""), "")
        written = f"<{converter}:{name}>" if converter else f"<{name}>"
        yield (
            f"the rule has {found[0]!r}, which is literal text and no variable."
            f" Write '{written}'."
        )


def _find_hidden_signature(registration: Registration) -> Iterator[str]:
    """The problem of a decorator that hides what the view in it declares."""
    view_callable = registration.view_callable
    function, advice = find_hidden_view(view_callable.function) or (None, "")
    if function is not None and _declares(signature_of(function)):
        yield (
            f"{view_callable.name} hides the signature of {function.__name__}(), which"
            f" is not read. {advice}"
        )


def _declares(signature: inspect.Signature) -> bool:
    """Whether a signature has an annotation, or a default that is a marker."""
    return signature.return_annotation is not EMPTY or any(
        item.annotation is not EMPTY or find_special(t.Any, item.default) is not None
        for item in signature.parameters.values()
    )


#: The methods of a route without a form. To the last of them, Flask responds.
NO_FORM: t.Final = frozenset({"GET", "HEAD", "OPTIONS"})

#: A variable as OpenAPI and other frameworks write it: ``{name}``, ``{name:path}``.
BRACES: t.Final = re.compile(r"\{([a-zA-Z_]\w*)(?::(\w+))?\}", re.ASCII)


def check_same_models(registration: Registration, operation: Operation) -> None:
    """Refuse a rule whose values would be filtered otherwise than by its endpoint.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    earlier, function = registration.same, registration.view_callable.function
    if earlier is None or earlier.view_callable.function is not function:
        return
    new, old = operation.outbound, earlier.outbound
    statuses = [(code, code) for code in range(200, 600)]
    for before, after in ((old.status, new.status), *statuses):
        known, serializer = old.serializer_of(before), new.serializer_of(after)
        if known is not None and not known.is_same(serializer):
            why = f"which has a model of status {after} that can't be changed"
            raise registration.conflict(why)


def check_dependencies(
    registration: Registration, dependencies: OperationDependencies
) -> None:
    """Refuse dependencies that the application or the view can't have.

    :raises SignatureError: if a loop would have to run one and can't, if a generator
        would not be closed in time or closed before a stream is sent, or if a guard
        reads what a class passes to its method.
    """
    name, view = registration.view_callable.name, registration.view
    calls_coroutines = runs_coroutine_functions(view)
    check_application(
        registration.app,
        dependencies,
        view=name,
        can_run=has_asgiref if calls_coroutines else None,
    )
    if registration.view_callable.view_class is not None:
        _check_injected(name, registration.signature.injected, dependencies)
    opened = dependencies.closed_with_view()
    if not (opened and _sends_stream(registration)):
        return
    if opened[0].scheme is not None:
        raise SignatureError(
            f"{name} sends a stream, but takes what {opened[0].name} yields, which is"
            " closed before that is sent. Return it there, or open it inside of the"
            " stream."
        )
    raise SignatureError(
        f"{name} sends a stream, but {opened[0].name} is closed before that is sent."
        ' Write Depends(..., scope="request"), or open what it yields inside of the'
        " stream. What does no more than refuse requests goes into dependencies=."
    )


def check_methods(registration: Registration) -> None:
    """Refuse methods with requirements of their own that a class chooses from.

    :raises SignatureError: if there are some that differ.
    """
    view_class = getattr(registration.view, "view_class", None)
    if not isinstance(view_class, type) or not chooses(view_class):
        return
    methods = sorted(getattr(view_class, "methods", None) or ())
    found = [unwrap_view(registration.view, method) for method in methods]
    required = [
        {name: options_of(item).get(name) for name in ("security", "dependencies")}
        for item in found
    ]
    if any(item != required[0] for item in required):
        rule = f"{', '.join(methods)} {show_rule(registration.route.rule)}"
        problem = (
            f"the methods of {view_class.__name__} differ in security= or"
            " dependencies=, but its dispatch_request() chooses which of them is"
            " called. Give the requirement to the route, or write two classes."
        )
        raise SignatureError(locate(rule, problem, found[0]))


def _check_injected(
    name: str, injected: Collection[str], dependencies: OperationDependencies
) -> None:
    """Refuse a guard that reads from the request what a class passes to its method.

    :raises SignatureError: if there is one.
    """
    for node in within([*dependencies.guards, *dependencies.schemes.values()]):
        for argument in sorted(node.reads.keys() & injected):
            raise SignatureError(
                f"{argument!r} of {node.name} is read from the request, before the"
                f" decorators of the class are called, but {name} declares it with"
                " Injected(). Rename it, and set what a guard needs in a decorator of"
                " the route, with decorators=."
            )


def check_application(
    app: Flask,
    dependencies: OperationDependencies,
    *,
    view: str,
    can_run: Callable[[], bool] | None = None,
) -> None:
    """Refuse dependencies that an application can't run or close.

    :param view: for messages.
    :param can_run: whether a coroutine function can be run, ``None`` for what the
        application says.
    :raises SignatureError: if there is one.
    """
    can_run = can_run or partial(runs_coroutines, app)
    if dependencies.plan.is_asynchronous and not can_run():
        raise SignatureError(
            f"{view} has a dependency that is asynchronous, but asgiref, with which"
            " Flask runs such functions, is not installed. Run 'pip install"
            " \"flask-signature[async]\"', or write it with 'def'."
        )
    outliving = dependencies.closed_with_body()
    if outliving and not isinstance(app, Routes):
        raise SignatureError(
            f'{outliving[0].name} has scope="request", which flask.Flask does not'
            " close. Use flask_signature.Flask, or remove the scope."
        )


def _sends_stream(registration: Registration) -> bool:
    """Whether a view sends what it returns item by item, as far as that can be told."""
    function = registration.view_callable.function
    is_generator = isgeneratorfunction(function) or isasyncgenfunction(function)
    if is_generator or registration.outbound.usual.stream is not None:
        return True
    return may_be_stream(registration.signature.returns)
