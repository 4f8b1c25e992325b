"""The application whose responses are what the operations say."""

from __future__ import annotations

import typing as t
from functools import partial, update_wrapper
from types import MethodType
from weakref import ref

import flask
from flask import Flask
from werkzeug.exceptions import HTTPException

from .._common import RESPONSES, classes_with
from .._cycle.application import FastFlask
from .._http.json import JSONProvider
from .._http.originals import IS_KNOWN, PASSES_CONTEXT, find_original
from .._http.response import WrittenBody, start_of
from ..exceptions import ResponseValidationError, SignatureError
from .calls import (
    DECORATED,
    RAISED,
    find_completing,
    find_decorated_call,
    find_method_call,
    get_dispatched,
    get_route_call,
    set_dispatched,
)
from .registry import SECURITY, Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask.json.provider import JSONProvider as FlaskJSONProvider

    from .._cycle.matching import RuleEntry
    from .guards import Dispatch
    from .registry import OperationStore


#: The method that calls the view of a request.
DISPATCH: t.Final = "dispatch_request"

#: Flask's own. A wrapper in its place is called for every view.
ENSURE_SYNC: t.Final = find_original(flask, Flask, "ensure_sync")

#: What is completed already.
COMPLETE: t.Final = frozenset({WrittenBody, flask.Response})

#: What a body is made of without an object for the response.
WRITTEN: t.Final = frozenset({str, dict, list})


class RespondingJSONProvider(JSONProvider):
    """JSON whose responses fit the model of a view, where its decorators ask for one.

    .. versionadded:: 0.2
    """

    def response(self, *args: t.Any, **kwargs: t.Any) -> flask.Response:
        """The response of ``jsonify()``."""
        app: t.Any = self._app
        make = super().response
        has_decorated = app._operations.has_decorated
        call = find_decorated_call() if has_decorated else None
        if call is None:
            return make(*args, **kwargs)
        value = self._prepare_response_obj(args, kwargs)
        given = (value, partial(make, value))
        response: flask.Response = DECORATED.run(None, call.write_json, args=given)
        return response


#: A wrapper that is put into the class later is called.
JSON_RESPONSE: t.Final = RespondingJSONProvider.response


class DispatchMethod(property):
    """The ``dispatch_request()`` of an application, bound when it is asked for.

    It looks as the method of Flask does. An application that held a method of its own
    would not be freed with the last reference to it.
    """

    def __call__(self, app: flask.Flask, *args: t.Any) -> t.Any:
        """What Flask's own method returns, for what finds this in the class."""
        usual: t.Any = super(RespondingFlask, app)
        return usual.dispatch_request(*args)


def _bound(app: flask.Flask) -> t.Any:
    found = vars(app).get(DISPATCH)
    if found is None or getattr(type(app), DISPATCH) is not DISPATCH_METHOD:
        # What overrides it asks for Flask's own.
        usual: t.Any = super(RespondingFlask, app)
        return usual.dispatch_request
    # A wrapper of it has the attributes of what it wraps.
    is_own = type(found) is MethodType and type(found.__func__) is Dispatcher
    return MethodType(found.__func__, app) if is_own else found


def _drop(app: flask.Flask) -> None:
    if DISPATCH not in vars(app):
        raise AttributeError(DISPATCH)
    del vars(app)[DISPATCH]


#: The class of each request is asked for it, which calls nothing.
DISPATCH_METHOD: t.Final = update_wrapper(
    DispatchMethod(_bound, lambda app, x: vars(app).update({DISPATCH: x}), _drop),
    Flask.dispatch_request,
    updated=(),
)


class RespondingFlask(FastFlask):
    """A :class:`flask.Flask` that completes what a typed view has returned."""

    if not t.TYPE_CHECKING:
        dispatch_request = DISPATCH_METHOD

    json_provider_class: type[FlaskJSONProvider] = RespondingJSONProvider

    _operations: OperationStore
    _synchronous: set[Callable[..., t.Any]]
    _known: dict[str, Callable[..., t.Any]]

    def _dispatch_in(self, context: t.Any, entry: RuleEntry) -> t.Any:
        method = self.__dict__.get(DISPATCH)
        dispatcher = method.__func__ if type(method) is MethodType else None
        if type(dispatcher) is not Dispatcher or dispatcher.own is not None:
            return super()._dispatch_in(context, entry)
        view = self.view_functions.get(entry.endpoint)
        known, call = entry.calls
        if known is not view:
            call = self._operations.find_call(entry.rule, context.request.method, view)
            entry.calls = (view, call)
        request = context.request
        if (
            call is None
            or self._known.get(entry.endpoint) is not view
            or not dispatcher.is_checked
            # There is another one since, or none.
            or request.url_rule is not entry.rule
        ):
            return dispatcher.run(context)
        # What the function of the view does by itself.
        try:
            if call.inbound is None:
                value = call.view(**request.view_args)
            else:
                value = call.view(**call.inbound.read(request, request.view_args))
            if call.write is not None:
                value = call.write(value)
        except Exception as error:
            note_error(self, request, error)
            raise
        if call.outbound is not None and type(value) not in COMPLETE:
            set_dispatched((request, call.outbound))
        return value

    def _make(self, value: t.Any) -> WrittenBody | flask.Response:
        body = None
        # Nothing is to be completed: make_response() asks the same.
        if (
            type(value) in WRITTEN
            and get_dispatched() is None
            and get_route_call() is None
            and not self._operations.has_decorated
        ):
            try:
                body = self._write(value)
            except TypeError:
                # It is raised again where it is handled.
                body = None
        return self.make_response(value) if body is None else body

    def _write(self, value: t.Any) -> WrittenBody | None:
        """The body of a string, a dict or a list, ``None`` where Flask has to make it.

        :raises TypeError: if it can't be written as JSON.
        """
        cls = flask.Response
        status = cls.default_status
        if type(value) is str:
            start = start_of(status, cls.default_mimetype)
            return None if start is None else WrittenBody(value.encode(), start)
        provider = self.json
        if (
            type(provider) is not RespondingJSONProvider
            or RespondingJSONProvider.response is not JSON_RESPONSE
        ):
            return None
        return provider.write(value, status, is_debug=self.debug)

    def ensure_sync(self, func: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """The function, or what runs it to its end if it is a coroutine function.

        Flask calls this for each request. For our views it is decided before.
        """
        try:
            is_synchronous = func in self._synchronous
        except TypeError:
            # Not all that can be called can be hashed.
            is_synchronous = False
        # The switch has no part in how views are compiled.
        if is_synchronous and Flask.ensure_sync is ENSURE_SYNC and self._may_be_fast:
            return func
        call = find_method_call(func, self._operations)
        return super().ensure_sync(func) if call is None else call.read_in(func)

    def make_response(self, rv: t.Any) -> flask.Response:
        """The response for what a view returned, with the default status.

        A model is an error here, on its own or in a dict or a list, if its view has
        nothing to read and no response model: Flask calls such a view as it is.
        """
        status = None
        # For most values nothing is set: to look takes less time than a call.
        if self._has_to_complete():
            rv, status = self._complete(rv)
        try:
            response = super().make_response(rv)
            if status is not None:
                response.status_code = status
            return response
        except TypeError:
            from .errors import refuse_stray_model

            error = refuse_stray_model(self, rv)
            if error is None:
                raise
            return super().make_response(self._handle(error))

    def _has_to_complete(self) -> bool:
        return (
            get_dispatched() is not None
            or get_route_call() is not None
            or self._operations.has_decorated
        )

    def _complete(self, rv: t.Any) -> tuple[t.Any, int | None]:
        """What Flask makes the response of, and the default status that it is given.

        Whatever wraps Flask's ``make_response()`` is given what the view returned, if
        that can be. In its place is what handles that it can't be sent.
        """
        is_dispatched = get_dispatched() is not None
        is_response = isinstance(rv, RESPONSES)
        call = None if is_response else find_decorated_call()
        if call is not None:
            # What is made on the way is of no view.
            make = RespondingFlask.make_response
            made = DECORATED.run(None, lambda: make(self, call.complete(rv)), args=())
            return made, None
        plan = find_completing(rv)
        if plan is None:
            return rv, None
        try:
            return plan.with_default(rv)
        except ResponseValidationError as error:
            # A decorator gets the exception; the view has been left by now.
            if not is_dispatched:
                raise
            return self._handle(error), None

    def _handle(self, error: Exception) -> t.Any:
        """What the error handlers return for an exception of the view."""
        if not PASSES_CONTEXT:
            return self.handle_user_exception(error)
        # Documented by Werkzeug for LocalProxy, in spite of its name.
        context = flask.globals.app_ctx._get_current_object()  # type: ignore[attr-defined]
        # The types are those of the Flask that is installed, which may be the older.
        return t.cast("t.Any", self).handle_user_exception(context, error)


if IS_KNOWN:
    from .._cycle.cycle import ORIGINALS

    # Without a class: that of the application has to have them.
    ORIGINALS.extend(
        (None, name, vars(RespondingFlask)[name])
        for name in ("make_response", "ensure_sync", DISPATCH)
    )


#: Flask's own, whose work is done here.
DISPATCH_REQUEST: t.Final = find_original(flask, flask.Flask, "dispatch_request")


def dispatch_request(context: t.Any) -> t.Any:
    """What ``app.dispatch_request()`` does for the request of a context."""
    app, request = context.app, context.request
    if request.routing_exception is not None:
        app.raise_routing_exception(request)
    rule = request.url_rule
    if request.method == "OPTIONS" and getattr(
        rule, "provide_automatic_options", False
    ):
        passed = (context,) if PASSES_CONTEXT else ()
        return app.make_default_options_response(*passed)
    return app.ensure_sync(app.view_functions[rule.endpoint])(**request.view_args)


class Dispatcher:
    """The function of an application's ``dispatch_request()``, by that method's name.

    :param own: that of the instance, if a subclass has set one.
    :ivar is_checked: whether the configuration was looked at.
    """

    def __init__(self, cls: type, own: Callable[..., t.Any] | None) -> None:
        self.own = own
        self.is_checked = False
        update_wrapper(self, own or vars(_defining(cls))[DISPATCH], updated=())

    def __call__(self, app: t.Any, context: t.Any = None) -> t.Any:
        """What Flask calls, from version 3.2 with the context of the request.

        :param app: which may be a copy's original. The context knows which it is.
        """
        known = _request_context() if context is None else context
        bound = self.own or _bind(known.app)
        dispatch = bound if context is not None else lambda _: bound()
        is_usual = Flask.dispatch_request is DISPATCH_REQUEST
        if is_usual and not self._is_overridden(known.app):
            return self.run(known, usual=dispatch)
        return self.run(known, dispatch)

    def run(
        self,
        context: t.Any,
        dispatch: Dispatch | None = None,
        *,
        usual: Dispatch = dispatch_request,
    ) -> t.Any:
        """What a view returned.

        :param dispatch: that of the author, which finds and calls the view for a
            context, ``None`` where that is Flask's.
        :param usual: does what Flask's does.
        """
        app, request = context.app, context.request
        if not self.is_checked:
            check_served(app)
            self.is_checked = True
        try:
            if (
                dispatch is not None
                or usual is not dispatch_request
                or request.routing_exception is not None
                or request.method == "OPTIONS"
            ):
                value = self._dispatch(context, dispatch, usual)
            else:
                # What dispatch_request() does, without a call of it.
                endpoint = request.url_rule.endpoint
                view = app.view_functions[endpoint]
                if app._known.get(endpoint) is view:
                    value = app.ensure_sync(view)(**request.view_args)
                else:
                    value = self._dispatch(context, None, usual)
        except Exception as error:
            note_error(app, request, error)
            raise
        if type(value) is not flask.Response:
            operation = app._operations.find(request)
            if operation is not None and operation.outbound.completes:
                set_dispatched((request, operation.outbound))
        return value

    def _dispatch(
        self, context: t.Any, dispatch: Dispatch | None, usual: Dispatch
    ) -> t.Any:
        """What is returned where more is to be asked before the view may be called."""
        app, request, rule = context.app, context.request, context.request.url_rule
        if request.routing_exception is not None or rule is None:
            return (dispatch or usual)(context)
        view = app.view_functions.get(rule.endpoint)
        # A rule that was not added with add_url_rule() says nothing of it.
        is_automatic = getattr(rule, "provide_automatic_options", False)
        if request.method == "OPTIONS" and is_automatic:
            known = app._operations.endpoints.get(rule.endpoint)
            is_given = known is not None and known.holds(view)
            if not self._is_overridden(app) or is_given:
                # Flask responds by itself, also to a stranger. A dispatch_request() of
                # the author may call a function that does not enforce its guards.
                return (dispatch or usual)(context)
        is_known = view is not None and app._known.get(rule.endpoint) is view
        if dispatch is None and is_known:
            return usual(context)
        from .guards import call_guarded

        return call_guarded(context, dispatch, usual)

    def _is_overridden(self, app: flask.Flask) -> bool:
        """Whether ``dispatch_request()`` is neither Flask's nor a wrapper of that."""
        return self.own is not None or _defining(type(app)) is not flask.Flask


def _defining(cls: type) -> type:
    """The first class with a ``dispatch_request()`` that is not the property here."""
    found = classes_with(cls, DISPATCH)
    return next(item for item in found if item is not RespondingFlask)


def _bind(app: flask.Flask) -> t.Any:
    """The ``dispatch_request()`` of the class of an application, as Python binds it."""
    attribute = vars(_defining(type(app)))[DISPATCH]
    bind = getattr(type(attribute), "__get__", None)
    return attribute if bind is None else bind(attribute, app, type(app))


def note_error(app: flask.Flask, request: flask.Request, error: Exception) -> None:
    """Say that a view has raised an exception, or the search for it.

    A value that it was raised with is the body, unless an error handler takes it.

    :raises ResponseValidationError: if there is no model for it, or it does not fit.
    """
    RAISED.set(ref(request))
    if not isinstance(error, HTTPException) or isinstance(error.description, str):
        return
    from .errors import find_handler, with_body

    endpoint, code = request.endpoint or "", error.code
    if find_handler(app, endpoint, type(error), code=code) is None:
        answered = with_body(app, error)
        try:
            if answered is not error:
                raise answered from error
        finally:
            # Its traceback has this frame.
            del answered


def check_served(app: flask.Flask) -> None:
    """Refuse to serve what the configuration closes to all requests.

    :raises SignatureError: if ``init_app()`` has not read a requirement, or it was
        given when it was too late.
    """
    registry, config = Registry.of(app), app.config
    if config.get(SECURITY) is not None and not registry.initialized:
        raise SignatureError(
            f"The application {app.name!r} has SIGNATURE_SECURITY, but init_app() was"
            " not called, so that it is not known to all views. Call it when the"
            " configuration is loaded."
        )
    if registry.named_schemes and not registry.initialized:
        name = min(registry.named_schemes)
        raise SignatureError(
            f"The application {app.name!r} names the security scheme {name!r}, but"
            " init_app() was not called, so that it is not known what it means. Call it"
            " when the configuration is loaded."
        )
    known = registry.settings.security if registry.initialized else None
    if known is None and config.get(SECURITY) is None:
        return
    from .registration import configured_requirement

    if configured_requirement(config) != known:
        raise SignatureError(
            f"SIGNATURE_SECURITY of the application {app.name!r} was changed after"
            " init_app() had read it. Set it before."
        )


def _request_context() -> t.Any:
    """What Flask 3.2 passes to ``dispatch_request()``, in earlier versions."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return flask.globals.request_ctx._get_current_object()  # type: ignore[attr-defined]
