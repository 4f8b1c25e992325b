"""What is refused of the dependencies of an operation, as a whole."""

from __future__ import annotations

import typing as t
from inspect import isasyncgenfunction
from inspect import isgeneratorfunction

from .._outbound.annotation import may_be_stream
from ..exceptions import SignatureError
from .checks import runs_coroutines
from .decorators import Routes

if t.TYPE_CHECKING:
    from flask import Flask

    from .._dependencies.operation import OperationDependencies
    from .registration import Target
    from .view_functions import Plans


def check_dependencies(
    target: Target, plans: Plans, dependencies: OperationDependencies
) -> None:
    """Refuse dependencies that the application or the view can't have.

    :raises SignatureError: if a loop would have to run one and can't, if nobody would
        close a generator in time, or if one would be closed before a stream is sent.
    """
    name = target.view_callable.name
    check_application(target.registration.app, dependencies, view=name)
    opened = dependencies.closed_with_view()
    if not (opened and _is_stream(target, plans)):
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


def check_application(
    app: Flask, dependencies: OperationDependencies, *, view: str
) -> None:
    """Refuse dependencies that an application can't run or close.

    :param view: for messages.
    :raises SignatureError: if there is one.
    """
    if dependencies.plan.is_asynchronous and not runs_coroutines(app):
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


def _is_stream(target: Target, plans: Plans) -> bool:
    """Whether a view sends what it returns item by item, as far as that can be told."""
    function = target.view_callable.function
    is_generator = isgeneratorfunction(function) or isasyncgenfunction(function)
    if is_generator or plans.outbound.stream is not None:
        return True
    return may_be_stream(plans.signature.returns)
