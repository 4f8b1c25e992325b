"""The signature of one dependency, read and checked."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from .._inbound.parts import parts_of
from .._routing.option_kinds import is_exception
from .._routing.option_kinds import responses_by_status
from .._signature.argument import EMPTY
from .._signature.hints import read_hints
from .._signature.markers import call_of
from .._signature.markers import find_special
from .._signature.reader import read_signature
from .._signature.source import source_location
from ..exceptions import SignatureError
from ..params import Location
from .callables import ASYNCHRONOUS
from .callables import GENERATORS

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from .._signature.argument import Signature
    from .._signature.unwrap import ViewCallable
    from ..dependencies import DependencyMarker
    from .nodes import Node

#: The locations that a view alone reads, as messages show them.
BODIES: t.Final = {
    Location.BODY: "the body",
    Location.FORM: "a form",
    Location.FILE: "a file",
}


def read_function(
    view_callable: ViewCallable,
    *,
    provided: Collection[str],
    namespace: Mapping[str, t.Any] | None,
    credentials: int = 0,
) -> Signature:
    """What a dependency takes.

    :param provided: the names that the URL provides.
    :param namespace: the local names around the view.
    :param credentials: so many of its arguments are credentials, the first ones.
    :raises SignatureError: if that can't be read, with the place of the function.
    """
    given = _first(view_callable, credentials)
    is_local = "<locals>" in getattr(view_callable.function, "__qualname__", "")
    try:
        signature = read_signature(
            replace(view_callable, bound=view_callable.bound | given),
            method="GET",
            provided=provided,
            namespace=namespace if is_local else None,
            registered="view",
        )
        _check(signature)
    except SignatureError as error:
        place = source_location(view_callable.function)
        name = view_callable.name
        message = f"{error} The dependency {name} is in {place}."
        raise SignatureError(message) from error.__cause__
    _check_credentials(view_callable, given, namespace if is_local else None)
    return signature


def _first(view_callable: ViewCallable, credentials: int) -> frozenset[str]:
    """The names of the arguments that are given by position.

    :raises SignatureError: if there are not as many.
    """
    names = [
        item.name
        for item in view_callable.signature.parameters.values()
        if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)
    ]
    if len(names) < credentials and not view_callable.takes_more:
        what = (
            "a credential, but does not take it. Make it the first of its arguments."
            if credentials == 1
            else "a user name and a password, but does not take both. Make them the"
            " first of its arguments."
        )
        raise SignatureError(f"{view_callable.name} verifies {what}")
    return frozenset(names[:credentials])


def _check_credentials(
    view_callable: ViewCallable,
    given: Collection[str],
    namespace: Mapping[str, t.Any] | None,
) -> None:
    """Refuse a credential where a marker says that something else is meant.

    :param given: the names of the arguments that are credentials.
    :raises SignatureError: if one has a marker.
    """
    if not given:
        return
    hints, _ = read_hints(view_callable, namespace, registered="view")
    parameters = view_callable.signature.parameters
    for name in sorted(given):
        marker = find_special(hints.get(name, EMPTY), parameters[name].default)
        if marker is not None:
            raise SignatureError(
                f"{name!r} of {view_callable.name} is given a credential, for it is"
                f" among the first arguments, but is declared with {call_of(marker)}."
                " Put the credentials first."
            )


def _check(signature: Signature) -> None:
    for argument in signature.arguments:
        if argument.location in BODIES:
            raise SignatureError(
                f"{argument.name!r} of {signature.view} is read from"
                f" {BODIES[argument.location]}, which a dependency can't read: a"
                " request has one body, and that is the view's. Read it in the view."
            )
    for name in sorted(signature.injected | signature.optional):
        raise SignatureError(
            f"{name!r} of {signature.view} is declared with Injected(), but nobody can"
            " pass it to a dependency. Declare it in the view, or write Depends()."
        )
    # What can't be read is said of this function, and not of the views that use it.
    arguments = [
        item for item in signature.arguments if item.location is not Location.PATH
    ]
    parts_of(signature.view, arguments, {})


def check_options(node: Node, marker: DependencyMarker) -> None:
    """Refuse options that a dependency can't have.

    :raises SignatureError: if there is a reason to.
    """
    if not isinstance(responses_by_status(marker.responses), Mapping):
        raise SignatureError(
            f"{node.name} has responses={marker.responses!r}, which is no dictionary."
            " Write responses={404: Problem}, or responses=[404]."
        )
    if not isinstance(marker.raises, (list, tuple, set)) or not all(
        map(is_exception, marker.raises)
    ):
        raise SignatureError(
            f"{node.name} has raises={marker.raises!r}, which is no list of exceptions."
            " Write raises=[NotEnough]."
        )
    if marker.scope not in ("function", "request"):
        raise SignatureError(
            f'{node.name} has the scope {marker.scope!r}. Write scope="function" or'
            ' scope="request".'
        )
    if node.scope != marker.scope:
        raise SignatureError(
            f"{node.name} is declared with two scopes, {node.scope!r} and"
            f" {marker.scope!r}. Write the same one everywhere."
        )
    if node.scope == "function":
        return
    if node.kind not in GENERATORS:
        raise SignatureError(
            f'{node.name} has scope="request", but is no generator function, so that'
            " there is nothing to close. Remove the scope."
        )
    if node.kind in ASYNCHRONOUS:
        raise SignatureError(
            f'{node.name} has scope="request" and is asynchronous, but its event loop'
            " has ended when the body is sent. Write it with 'def'."
        )
    check_outlived(node)


def check_outlived(node: Node) -> None:
    """Refuse a generator that depends on one which is closed before.

    :raises SignatureError: if it does.
    """
    if node.scope == "function" or node.kind not in GENERATORS:
        return
    for inner in node.needs.values():
        for used in inner.within():
            if used.scope == "function" and used.kind in GENERATORS:
                raise SignatureError(
                    f'{node.name} has scope="request", but depends on {used.name},'
                    " which is closed before. Give that the same scope."
                )
