"""What is refused of the dependencies of an operation, as a whole."""

from __future__ import annotations

import typing as t
from functools import partial
from inspect import isasyncgenfunction, isgeneratorfunction

from .._outbound.annotation import may_be_stream
from .._routing.path_template import show_rule
from .._signature.source import locate
from .._signature.unwrap import chooses, unwrap_view
from ..exceptions import SignatureError
from .checks import has_asgiref, runs_coroutines
from .decorators import Routes
from .method_options import options_of
from .view_functions import runs_coroutine_functions

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from flask import Flask

    from .._dependencies.nodes import Needs
    from .._dependencies.operation import OperationDependencies
    from .registration import Registration, Target
    from .view_functions import Plans


def check_dependencies(
    target: Target, plans: Plans, dependencies: OperationDependencies
) -> None:
    """Refuse dependencies that the application or the view can't have.

    :raises SignatureError: if a loop would have to run one and can't, if nobody would
        close a generator in time, if one would be closed before a stream is sent, or if
        a guard reads what a class passes to its method.
    """
    name, view = target.view_callable.name, target.registration.view
    calls_coroutines = runs_coroutine_functions(view)
    check_application(
        target.registration.app,
        dependencies,
        view=name,
        can_run=has_asgiref if calls_coroutines else None,
    )
    if target.view_callable.view_class is not None:
        _check_injected(name, plans.signature.injected, dependencies.needs)
    opened = dependencies.closed_with_view()
    if not (opened and _is_stream_dependency(target, plans)):
        return
    if opened[0].verifies:
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


def _check_injected(name: str, injected: Collection[str], needs: Needs) -> None:
    """Refuse a guard that reads from the request what a class passes to its method.

    :raises SignatureError: if there is one.
    """
    around = [*needs.guards, *(scheme.node for scheme in needs.schemes.values())]
    for node in (inner for item in around for inner in item.within()):
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


def _is_stream_dependency(target: Target, plans: Plans) -> bool:
    """Whether a view sends what it returns item by item, as far as that can be told."""
    function = target.view_callable.function
    is_generator = isgeneratorfunction(function) or isasyncgenfunction(function)
    if is_generator or plans.outbound.stream is not None:
        return True
    return may_be_stream(plans.signature.returns)
