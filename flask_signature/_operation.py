"""One method on one path: the unit that is compiled, run and described."""

from __future__ import annotations

import functools
import inspect
import os
import typing as t
from dataclasses import dataclass
from dataclasses import field
from uuid import UUID

from flask import request
from werkzeug.routing import AnyConverter
from werkzeug.routing import FloatConverter
from werkzeug.routing import IntegerConverter
from werkzeug.routing import PathConverter
from werkzeug.routing import UnicodeConverter
from werkzeug.routing import UUIDConverter

from ._annotations import members
from ._inbound import compile_inbound
from ._outbound import Place
from ._responses import compile_outbound
from ._rules import read_rule
from ._settings import Settings
from ._signature import find_subject
from ._signature import path_name
from ._signature import read_signature
from ._signature import show_type
from ._signature import takes_any_keyword
from .exceptions import SignatureError
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Mapping

    from flask import Flask
    from flask import Request

    from ._declaration import Declaration
    from ._errors import Entry
    from ._inbound import InboundPlan
    from ._outbound import OutboundPlan
    from ._responses import Declared
    from ._rules import PathTemplate
    from ._signature import Signature
    from ._signature import Subject
    from .exceptions import RequestValidationError

ViewFunction: t.TypeAlias = "Callable[..., t.Any]"

#: What the converters of Werkzeug provide. One of an application's own may do anything.
PROVIDES: t.Final[dict[type, type]] = {
    UnicodeConverter: str,
    PathConverter: str,
    AnyConverter: str,
    IntegerConverter: int,
    FloatConverter: float,
    UUIDConverter: UUID,
}


@dataclass(frozen=True, slots=True)
class Route:
    """What one call of ``add_url_rule`` says, prefixes and defaults included.

    :param rule: the full rule.
    :param endpoint: the full endpoint.
    :param domain: the subdomain or the host.
    :param methods: the methods in upper case, without those that Flask answers itself.
    :param provided: the names of the defaults, which reach the view beside variables.
    """

    rule: str
    endpoint: str
    domain: str
    methods: frozenset[str]
    provided: frozenset[str]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method on one path.

    :param method: in upper case.
    :param route: the rule and the endpoint it was registered with.
    :param template: the rule as OpenAPI writes it, with its converters.
    :param subject: the function behind the view, with its docstring.
    :param declaration: what decorator and blueprints say of it.
    :param signature: its arguments and what it returns.
    :param inbound: how a request becomes the arguments.
    :param outbound: how the return value becomes a response.
    :param responses: what is declared for statuses beside that of success.
    :param run: the view function of this operation.
    """

    method: str
    route: Route
    template: PathTemplate
    subject: Subject
    declaration: Declaration
    signature: Signature
    inbound: InboundPlan
    outbound: OutboundPlan
    responses: Mapping[int | str, Declared]
    run: ViewFunction


@dataclass(slots=True)
class Endpoint:
    """The operations that share an endpoint, behind one view function.

    :param view: the function that the author registered.
    :param operations: by the text of the rule, its domain, and the method.
    """

    view: ViewFunction
    operations: dict[tuple[str, str, str], Operation] = field(default_factory=dict)

    def view_function(self) -> ViewFunction:
        """The function that Flask calls: that of the operation, if there is but one."""
        runs = {id(item.run): item.run for item in self.operations.values()}
        if len(runs) == 1:
            return next(iter(runs.values()))
        by_key = {key: item.run for key, item in self.operations.items()}

        def dispatch(**view_args: t.Any) -> t.Any:
            rule = request.url_rule
            assert rule is not None
            domain = rule.host or rule.subdomain or ""
            return by_key[rule.rule, domain, request.method](**view_args)

        return functools.update_wrapper(dispatch, self.view)


class Registry:
    """The operations of one application, in the order in which they were registered.

    It is kept in ``app.extensions["flask_signature"]``.
    """

    def __init__(self) -> None:
        self.settings = Settings()
        self.initialized = False
        self.endpoints: dict[str, Endpoint] = {}
        #: The author's handler for ``Exception``.
        self.catch_all: t.Any = None
        #: Whether the author has a handler for ``HTTPException``.
        self.handles_http_exception = False

    @classmethod
    def of(cls, app: Flask) -> Registry:
        """The registry of an application, which may be a plain ``flask.Flask``."""
        registry = app.extensions.get(EXTENSION)
        if registry is None:
            registry = app.extensions[EXTENSION] = cls()
        return t.cast(Registry, registry)

    @property
    def operations(self) -> list[Operation]:
        """Every operation once; HEAD, where it is the GET, is not counted."""
        found = [
            operation
            for endpoint in self.endpoints.values()
            for operation in endpoint.operations.values()
        ]
        return list({id(operation): operation for operation in found}.values())

    def refuse(self, entries: Iterable[Entry]) -> RequestValidationError:
        """The exception that answers a failed request in the configured form."""
        return self.settings.error_form.refuse(entries)

    def validates_responses(self) -> bool:
        """Whether a response is validated by its model, unless its route says so."""
        return self.settings.validate_responses

    def add(
        self, app: Flask, route: Route, view: ViewFunction, declaration: Declaration
    ) -> ViewFunction:
        """Compile a route, and give the view function of its endpoint.

        :raises SignatureError: if the route can't be compiled.
        """
        endpoint = self.endpoints.get(route.endpoint)
        if endpoint is None or endpoint.view is not view:
            endpoint = Endpoint(view)
        compiled = {}
        for method in sorted(route.methods):
            if not _is_get_again(method, route, view):
                compiled[method] = compile_operation(
                    app, self, method=method, route=route, view=view, declaration=declaration
                )
        if "GET" in compiled:
            compiled.setdefault("HEAD", compiled["GET"])
        for method, operation in compiled.items():
            endpoint.operations[route.rule, route.domain, method] = operation
        self.endpoints[route.endpoint] = endpoint
        return endpoint.view_function()

    def knows(self, endpoint: str, view: ViewFunction) -> bool:
        """Whether an endpoint stands for this view already."""
        known = self.endpoints.get(endpoint)
        return known is not None and known.view is view


EXTENSION: t.Final = "flask_signature"


def _is_get_again(method: str, route: Route, view: ViewFunction) -> bool:
    """Whether HEAD is answered by the operation of GET, without the content."""
    if method != "HEAD" or "GET" not in route.methods:
        return False
    return not hasattr(getattr(view, "view_class", None), "head")


def compile_operation(
    app: Flask,
    registry: Registry,
    *,
    method: str,
    route: Route,
    view: ViewFunction,
    declaration: Declaration,
) -> Operation:
    """One method of one route, ready to run and to be described.

    :raises SignatureError: if it can't be compiled, with the place and what to write.
    """
    subject = find_subject(view, method)
    place = Place(subject.name, f"{method} {route.rule}")
    try:
        template = read_rule(route.rule, route.domain, app.url_map.converters)
        place.rule = f"{method} {template.path}"
        provided = {*template.variables, *route.provided}
        signature = read_signature(
            subject, method=method, provided=provided, namespace=declaration.namespace
        )
        if not _is_consumed_before(app, route.endpoint):
            _refuse_unclaimed(subject, signature, template, provided)
        _refuse_impossible(signature, template)
        inbound = compile_inbound(signature, method=method, proven=_proven(template))
        outbound, responses = compile_outbound(
            app,
            place,
            method=method,
            declaration=declaration,
            signature=signature,
            validates=_validation(registry, declaration),
        )
    except SignatureError as error:
        message = f"{place.rule}: {error} ({where(subject.function)})"
        raise SignatureError(message) from error
    return Operation(
        method=method,
        route=route,
        template=template,
        subject=subject,
        declaration=declaration,
        signature=signature,
        inbound=inbound,
        outbound=outbound,
        responses=responses,
        run=compose(app, registry, view, inbound, outbound, declaration),
    )


def where(function: ViewFunction) -> str:
    """The file and line of a function: ``"shop/users.py, line 41"``."""
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{function!r}"
    path = os.path.relpath(code.co_filename)
    shown = code.co_filename if path.startswith(os.pardir) else path
    return f"{shown}, line {code.co_firstlineno}"


def _validation(registry: Registry, declaration: Declaration) -> Callable[[], bool]:
    if declaration.validate_response is None:
        return registry.validates_responses
    return lambda: declaration.validate_response is not False


def _proven(template: PathTemplate) -> dict[str, type]:
    return {
        name: PROVIDES[type(converter)]
        for name, converter in template.converters.items()
        if type(converter) in PROVIDES
    }


def _is_consumed_before(app: Flask, endpoint: str) -> bool:
    """Whether a function may take variables away before the view is called."""
    *parents, _ = endpoint.split(".")
    scopes = [None, *(".".join(parents[: end + 1]) for end in range(len(parents)))]
    return any(app.url_value_preprocessors.get(scope) for scope in scopes)


def _refuse_unclaimed(
    subject: Subject,
    signature: Signature,
    template: PathTemplate,
    provided: set[str],
) -> None:
    if takes_any_keyword(subject) or subject.wrapped:
        return
    taken = {
        path_name(argument.name, argument.field)
        for argument in signature.arguments
        if argument.location is Location.PATH
    }
    for name in sorted(provided - taken - {*subject.signature.parameters}):
        converter = template.converters.get(name)
        tp = PROVIDES.get(type(converter), str).__name__
        raise SignatureError(
            f"the URL provides {name!r}, but {subject.name} has no argument of that name."
            f" Add '{name}: {tp}' to the view, or accept it with '**kwargs'."
        )


#: The types that no value of a converter can become, by what the converter provides.
IMPOSSIBLE: t.Final[dict[type, tuple[tuple[type, ...], str]]] = {
    int: ((str, bytes, UUID), "no integer"),
    float: ((str, bytes, UUID), "no float"),
    UUID: ((str, bytes, int, float, bool), "no UUID"),
}


def _refuse_impossible(signature: Signature, template: PathTemplate) -> None:
    for argument in signature.arguments:
        converter = template.converters.get(path_name(argument.name, argument.field))
        provides = PROVIDES.get(type(converter), object)
        if argument.location is not Location.PATH or provides not in IMPOSSIBLE:
            continue
        types, subject = IMPOSSIBLE[provides]
        if argument.field.metadata or not all(
            tp in types for tp in members(argument.annotation)
        ):
            continue
        shown = show_type(argument.annotation)
        raise SignatureError(
            f"the rule converts {argument.name!r} with {_converter_name(provides)!r}, but"
            f" {signature.view} declares '{argument.name}: {shown}', and {subject} is a"
            f" {shown}. {_other_converter(argument.name, shown)}"
        )


def _converter_name(provides: type) -> str:
    return provides.__name__.lower()


def _other_converter(name: str, shown: str) -> str:
    converter = {"UUID": "uuid", "str": "string", "int": "int", "float": "float"}.get(shown)
    if converter is None:
        return "Change the annotation."
    return f"Use '<{converter}:{name}>' or change the annotation."


def compose(
    app: Flask,
    registry: Registry,
    view: ViewFunction,
    inbound: InboundPlan,
    outbound: OutboundPlan,
    declaration: Declaration,
) -> ViewFunction:
    """The view function of an operation: the view itself, where it needs nothing."""
    run = view
    if not (inbound.idle and outbound.idle):
        run = functools.update_wrapper(_plan(app, registry, view, inbound, outbound), view)
    for decorator in declaration.decorators:
        run = decorator(run)
    return run


def _plan(
    app: Flask,
    registry: Registry,
    view: ViewFunction,
    inbound: InboundPlan,
    outbound: OutboundPlan,
) -> ViewFunction:
    call = _synchronous(app, view)
    read, respond, refuse = inbound.read, outbound.respond, registry.refuse

    def answer(**view_args: t.Any) -> t.Any:
        return respond(call(**view_args))

    def read_and_answer(**view_args: t.Any) -> t.Any:
        return respond(call(**read(current_request(), view_args, refuse)))

    def read_only(**view_args: t.Any) -> t.Any:
        return call(**read(current_request(), view_args, refuse))

    if inbound.idle:
        return answer
    return read_only if outbound.idle else read_and_answer


def current_request() -> Request:
    """The request itself: each look through ``flask.request`` would cost as much."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


def _synchronous(app: Flask, view: ViewFunction) -> ViewFunction:
    if not inspect.iscoroutinefunction(view):
        return view

    def call(**view_args: t.Any) -> t.Any:
        return app.ensure_sync(view)(**view_args)

    return call
