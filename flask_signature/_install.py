"""How a compiled view gets to Flask: its function, its rules, and what it was before.

A function that Flask was given for a view may come back under another rule. The view
is then compiled with what was declared for the function. If it comes back in a wrapper,
the wrapper is called as it is, and the function inside reads what the rule says.
"""

from __future__ import annotations

import typing as t
from dataclasses import replace
from itertools import takewhile

from werkzeug.exceptions import MethodNotAllowed

from ._declaration import RESPONSE_OPTIONS
from ._operation import compile_operation
from ._place import Place
from ._place import locate
from ._registry import Endpoint
from ._registry import Given
from ._registry import Registry
from ._registry import choose_operation
from ._rules import show_rule
from ._signature import find_subject
from ._signature import layers_of
from ._views import current_request
from ._views import rules_of
from ._views import stand_for
from ._views import synchronous
from .exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask
    from flask import Request
    from werkzeug.routing import Rule

    from ._declaration import Declaration
    from ._operation import Operation
    from ._signature import Subject
    from ._views import Route
    from ._views import ViewFunction

#: The operations of a route by their methods. HEAD may be answered by that of GET.
Compiled: t.TypeAlias = "Mapping[str, Operation]"


class Registration(t.NamedTuple):
    """A view on its way to Flask.

    :param function: that is registered.
    :param given: what is known of it, or of the function that it wraps.
    :param declaration: of the route alone.
    :param scopes: of the blueprints around it by their names, from the inside out.
    :param namespace: the local names that the view's annotations may use.
    """

    app: Flask
    registry: Registry
    route: Route
    function: ViewFunction
    given: Given | None
    declaration: Declaration
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None

    @property
    def view(self) -> ViewFunction:
        """The view, behind a function that Flask was given for it."""
        return self.function if self.given is None else self.given.view

    @property
    def wrappers(self) -> list[t.Any]:
        """What stands around the function that Flask was given, from the outside in."""
        given = self.given
        if given is None:
            return []
        while given.inside is not None:
            given = given.inside
        layers, function = layers_of(self.function), given.function
        return [*takewhile(lambda layer: layer is not function, layers)]

    def declare(self, earlier: Operation | None = None) -> Declaration:
        """What holds for an operation, and has held for its function.

        :raises SignatureError: if what is sent of a value would not be as before.
        """
        declared = self.declaration
        if earlier is not None:
            _refuse_response_option(declared, self.route, earlier)
            declared = declared.over(earlier.declaration)
        return self._within_scopes(declared, earlier.scopes if earlier else ())

    def decorate(self) -> ViewFunction:
        """The function in the decorators that it has not brought along."""
        known = {*self.given.scopes} if self.given else set()
        for guarded in self.registry.guarded.values():
            if guarded.function is self.function:
                known |= guarded.scopes
        return self._within_scopes(self.declaration, known).decorate(self.function)

    def _within_scopes(
        self, declared: Declaration, known: Collection[str]
    ) -> Declaration:
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared


def install(
    app: Flask,
    route: Route,
    view: ViewFunction,
    declaration: Declaration,
    scopes: Mapping[str, Declaration],
    namespace: Mapping[str, t.Any] | None,
    *,
    add: Callable[..., None],
) -> None:
    """Compile a route, and add its rule with the function that runs it.

    :param declaration: of the route alone.
    :param scopes: of the blueprints around it by their names, from the inside out.
    :param namespace: the local names that the view's annotations may use.
    :param add: Flask's own way to add the rule, which takes the ``view_func``.
    :raises SignatureError: if the route can't be compiled.
    """
    registry = Registry.of(app)
    given = find_given(registry, view)
    registration = Registration(
        app, registry, route, view, given, declaration, scopes, namespace
    )
    compiled = _compile(registration)
    if registration.wrappers:
        _install_wrapper(registration, compiled, add)
        return
    if given is not None and any(item.run is view for item in compiled.values()):
        # A decorator returns it whatever it is given, so that it stands for no view.
        registration = registration._replace(given=None)
        compiled = _compile(registration)
    _install_view(registration, compiled, add)


def find_given(registry: Registry, view: ViewFunction) -> Given | None:
    """What is known of a function that Flask was given, which a wrapper may hold."""
    keys = map(id, layers_of(view))
    return next((registry.given[key] for key in keys if key in registry.given), None)


def _compile(registration: Registration) -> Compiled:
    """The operations of a route.

    :raises SignatureError: if what was declared for a method can't be told.
    """
    route, view = registration.route, registration.view
    wrappers = registration.wrappers
    compiled = {}
    for method in _methods(route, view):
        subject = find_subject(view, method)
        earlier = _find_earlier(registration.given, route, method, subject)
        if earlier is None and registration.given is not None:
            continue
        scopes = earlier.scopes if earlier else frozenset()
        compiled[method] = operation = compile_operation(
            registration.app,
            registration.registry,
            method=method,
            route=route,
            view=view,
            subject=subject.within(wrappers) if wrappers else subject,
            declaration=registration.declare(earlier),
            namespace=registration.namespace,
            scopes=scopes | {*registration.scopes},
            inside=earlier if wrappers else None,
        )
        if earlier is not None and earlier.subject.function is subject.function:
            _refuse_other_model(operation, earlier)
    return compiled


def _methods(route: Route, view: ViewFunction) -> list[str]:
    """The methods to compile. HEAD is answered by GET, without the content."""
    answers_head = hasattr(getattr(view, "view_class", None), "head")
    is_get_again = "GET" in route.methods and not answers_head
    return sorted(route.methods - {"HEAD"} if is_get_again else route.methods)


def _find_earlier(
    given: Given | None, route: Route, method: str, subject: Subject
) -> Operation | None:
    """The operation whose declaration holds for a method of a function given before.

    There is none for OPTIONS that came with the methods of a rule: Flask answers it.

    :raises SignatureError: if there are several, which are declared differently.
    """
    if given is None:
        return None
    first, *rest = given.find(method)
    if method == "OPTIONS" != first.method and len(route.methods) > 1:
        return None
    if all(operation.declaration == first.declaration for operation in rest):
        return first
    place = Place(subject.name, f"{method} {show_rule(route.rule)}")
    problem = (
        f"{subject.name} is registered again with the function that stands for it, but"
        f" it can't be told which of its declarations is meant for {method}. Register"
        " the view itself, with the options of this rule."
    )
    raise SignatureError(locate(place, problem, subject))


def _refuse_response_option(
    declaration: Declaration, route: Route, earlier: Operation
) -> None:
    changed = sorted(RESPONSE_OPTIONS & declaration.said().keys())
    if changed:
        raise _other_response(earlier, earlier.method, route, repr(changed[0]))


def _refuse_other_model(operation: Operation, earlier: Operation) -> None:
    """Refuse a function whose values would be filtered otherwise than before.

    :raises SignatureError: if a status has another model, or the usual one has none.
    """
    new, old = operation.outbound, earlier.outbound
    statuses = [(code, code) for code in range(200, 600)]
    for before, after in ((old.status, new.status), *statuses):
        known, content = old.content_of(before), new.content_of(after)
        if known is not None and not known.is_same(content):
            what = f"the model of status {after}"
            raise _other_response(earlier, operation.method, operation.route, what)


def _other_response(
    earlier: Operation, method: str, route: Route, what: str
) -> SignatureError:
    subject = earlier.subject
    place = Place(subject.name, f"{method} {show_rule(route.rule)}")
    problem = (
        f"{subject.name} is registered again with the function that stands for it,"
        f" which sends what its own route says, so that {what} can't be changed."
        " Register the view itself, with the options of this rule."
    )
    return SignatureError(locate(place, problem, subject))


def _install_view(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask the function for all the rules of the endpoint.

    If the endpoint stands for the view already, the function takes the place of the
    one before, since Flask compares the two. One that somebody else has put there
    stays, and makes Flask refuse the rule.
    """
    app, registry, route = registration[:3]
    view = registration.view
    known = registry.endpoints.get(route.endpoint)
    if known is None or known.view != view:
        known = Endpoint(view, None, ())
    held = app.view_functions.get(route.endpoint)
    guarded = registry.guarded.get(route.endpoint)
    ours = [known.function, view, registration.function]
    if guarded is not None and guarded.view == view and not known.operations:
        ours.append(guarded.function)
    is_ours = held is not None and held in ours
    operations = (*(known.operations if is_ours else ()), *compiled.values())
    function = _function(registration, operations)
    registry.note(Given(function, view, operations))
    if is_ours:
        app.view_functions[route.endpoint] = function
    try:
        rules = _add(app, route, compiled, function, add)
    except BaseException:
        if held is not None:
            app.view_functions[route.endpoint] = held
        raise
    endpoint = Endpoint(view, function, operations)
    held = app.view_functions[route.endpoint]
    registry.add(route.endpoint, endpoint, held, compiled, rules)


def _function(
    registration: Registration, operations: Sequence[Operation]
) -> ViewFunction:
    """The function of some operations: that of the operation, if there is but one."""
    runs = {id(operation.run): operation.run for operation in operations}
    if len(runs) == 1:
        return operations[0].run
    registry = registration.registry
    calls = {key: synchronous(registration.app, run) for key, run in runs.items()}
    families = {id(operation.others) for operation in operations}

    def dispatch(**view_args: t.Any) -> t.Any:
        request = current_request()
        operation = registry.operation_of(request)
        # A view may be called while a request for another one is served.
        if operation is None or id(operation.others) not in families:
            operation = choose_operation(operations, request.method, view_args)
        if operation is None:
            raise _no_operation(request, operations)
        return calls[id(operation.run)](**view_args)

    registry.synchronous[id(dispatch)] = dispatch
    return stand_for(registration.view, dispatch)


def _no_operation(request: Request, operations: Sequence[Operation]) -> Exception:
    """What is wrong with a rule that was not added with ``add_url_rule()``."""
    methods = {operation.method for operation in operations}
    if request.method not in methods:
        return MethodNotAllowed(sorted(methods))
    return LookupError(
        f"{operations[0].subject.name} is declared differently for each of its rules,"
        f" and {request.url_rule!r} is none of them. Add it with add_url_rule()."
    )


def _install_wrapper(
    registration: Registration, compiled: Compiled, add: Callable[..., None]
) -> None:
    """Give Flask a wrapper around a function that it was given before."""
    app, registry, route, _, given = registration[:5]
    view = registration.view
    function = registration.decorate()
    operations = tuple(compiled.values())
    registry.note(Given(function, view, operations, given))
    rules = _add(app, route, compiled, function, add)
    known = registry.endpoints.get(route.endpoint) or Endpoint(view, None, ())
    endpoint = replace(known, operations=(*known.operations, *operations))
    held = app.view_functions[route.endpoint]
    registry.add(route.endpoint, endpoint, held, compiled, rules)
    for operation in operations:
        operation.others.append(operation)


def _add(
    app: Flask,
    route: Route,
    compiled: Compiled,
    function: ViewFunction,
    add: Callable[..., None],
) -> list[Rule]:
    """Add a rule, and find those that were added."""
    before = {id(rule) for rule in rules_of(app, route.endpoint)}
    options: dict[str, t.Any] = {}
    if "OPTIONS" in route.methods - compiled.keys():
        # It is Flask's to answer.
        options["methods"] = sorted(route.methods - {"OPTIONS"})
    add(view_func=function, **options)
    return [rule for rule in rules_of(app, route.endpoint) if id(rule) not in before]
