"""The application whose responses are made of what typed views return."""

from __future__ import annotations

import sys
import typing as t
from functools import partial

import flask
from flask import Flask

from .._cycle.application import FastFlask
from .._cycle.versions import IS_KNOWN, PASSES_CONTEXT
from .._http.json import JSONProvider
from .._http.originals import find_original
from .._http.response import Body, start_of
from .._outbound.status import RESPONSES
from ..exceptions import ResponseValidationError
from .calls import (
    DECORATED,
    DISPATCHED,
    Dispatched,
    complete_value,
    find_decorated_call,
    get_dispatched,
    get_route_call,
)
from .class_views import find_method_call
from .dispatch import Dispatcher, note_error

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask.json.provider import JSONProvider as FlaskJSONProvider

    from .._cycle.matching import RuleEntry
    from .store import OperationStore

#: Flask's own. A wrapper in its place is called for every view.
ENSURE_SYNC: t.Final = find_original(flask, Flask, "ensure_sync")

#: What is completed already.
COMPLETE: t.Final = frozenset({Body, flask.Response})

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
        call = find_decorated_call(sys._getframe(1)) if has_decorated else None
        if call is None:
            return make(*args, **kwargs)
        value = self._prepare_response_obj(args, kwargs)
        given = (value, partial(make, value))
        response: flask.Response = DECORATED.run(None, call.write_json, args=given)
        return response


#: A wrapper that is put into the class later is called.
JSON_RESPONSE: t.Final = RespondingJSONProvider.response


class RespondingFlask(FastFlask):
    """A :class:`flask.Flask` that completes what a typed view has returned."""

    json_provider_class: type[FlaskJSONProvider] = RespondingJSONProvider

    _operations: OperationStore
    _synchronous: set[Callable[..., t.Any]]
    _known: dict[str, Callable[..., t.Any]]

    def _dispatch_in(self, context: t.Any, entry: RuleEntry) -> t.Any:
        dispatcher: t.Any = self.dispatch_request
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
            DISPATCHED.set(Dispatched(request, call.outbound))
        return value

    def _make(self, value: t.Any) -> Body | flask.Response:
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
                response = self._respond_to_stray(value)
                if response is None:
                    raise
                return response
        return self.make_response(value) if body is None else body

    def _write(self, value: t.Any) -> Body | None:
        """The body of a string, a dict or a list, ``None`` where Flask has to make it.

        :raises TypeError: if it can't be written as JSON.
        """
        cls = flask.Response
        status = cls.default_status
        if type(value) is str:
            start = start_of(status, cls.default_mimetype)
            return None if start is None else Body(value.encode(), start)
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

        A model is refused here, on its own or in a dict or a list, if its view has
        nothing to read and no response model: Flask calls such a view as it is.
        """
        # For most values nothing is set: to look takes less time than a call.
        if self._has_to_complete():
            rv = self._complete(rv)
        try:
            return super().make_response(rv)
        except TypeError:
            response = self._respond_to_stray(rv)
            if response is None:
                raise
            return response

    def _has_to_complete(self) -> bool:
        return (
            get_dispatched() is not None
            or get_route_call() is not None
            or self._operations.has_decorated
        )

    def _respond_to_stray(self, value: t.Any) -> flask.Response | None:
        """The response to a model that no annotation names, ``None`` where it is none.

        Called where an exception is handled.
        """
        from .error_handlers import refuse_stray_model

        error = refuse_stray_model(self, value)
        return None if error is None else super().make_response(self._handle(error))

    def _complete(self, rv: t.Any) -> t.Any:
        """A value with the default status, or what handles that it can't be sent."""
        is_dispatched = get_dispatched() is not None
        is_response = isinstance(rv, RESPONSES)
        call = None if is_response else find_decorated_call(sys._getframe(2))
        if call is not None:
            # What is made on the way is of no view.
            make = RespondingFlask.make_response
            return DECORATED.run(None, lambda: make(self, call.complete(rv)), args=())
        try:
            return complete_value(rv)
        except ResponseValidationError as error:
            # A decorator gets the exception; the view has been left by now.
            if not is_dispatched:
                raise
            return self._handle(error)

    def _handle(self, error: Exception) -> t.Any:
        """What the error handlers return for an exception of the view."""
        if not PASSES_CONTEXT:
            return self.handle_user_exception(error)
        # Documented by Werkzeug for LocalProxy, in spite of its name.
        context = flask.globals.app_ctx._get_current_object()  # type: ignore[attr-defined]
        # The types are those of the Flask that is installed, which may be the older.
        return t.cast("t.Any", self).handle_user_exception(context, error)


if IS_KNOWN:
    from .._cycle.originals import ORIGINALS

    # Without a class: that of the application has to have them.
    ORIGINALS.extend(
        (None, name, vars(RespondingFlask)[name])
        for name in ("make_response", "ensure_sync")
    )
