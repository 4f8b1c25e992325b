"""What calls ``dispatch_request()``, and says of what a response is made next."""

from __future__ import annotations

import typing as t
from inspect import getattr_static
from weakref import ref

import flask
from werkzeug.exceptions import HTTPException

from ..exceptions import SignatureError
from .calls import DISPATCH_REQUEST, DISPATCHED, RAISED, Dispatched, dispatch_request
from .registry import SECURITY, Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .guards import Dispatch


class Dispatcher:
    """Stands in place of the method ``dispatch_request()`` of an application.

    :param own: that of the instance, if a subclass has set one.
    :ivar is_checked: whether the configuration was looked at.
    """

    __slots__ = ("is_checked", "own")

    def __init__(self, own: Callable[..., t.Any] | None) -> None:
        self.own = own
        self.is_checked = False

    def __call__(self, context: t.Any = None) -> t.Any:
        """What Flask calls, from version 3.2 with the context of the request."""
        # The context is asked for the application, since this object is to hold none:
        # it is freed with the last reference to it.
        known = _request_context() if context is None else context
        bound = self.own or _bind(known.app, "dispatch_request")
        dispatch = bound if context is not None else lambda _: bound()
        if self.own is None and type(known.app).dispatch_request is DISPATCH_REQUEST:
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
                DISPATCHED.set(Dispatched(request, operation.outbound))
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
        classes = (cls for cls in type(app).__mro__ if "dispatch_request" in vars(cls))
        return self.own is not None or next(classes) is not flask.Flask


def _bind(app: flask.Flask, name: str) -> t.Any:
    """A method of the class of an application, as Python binds it."""
    attribute = getattr_static(type(app), name)
    bind = getattr(type(attribute), "__get__", None)
    return attribute if bind is None else bind(attribute, app, type(app))


def note_error(app: flask.Flask, request: flask.Request, error: Exception) -> None:
    """Say that a view has raised an exception, or the search for it."""
    RAISED.set(ref(request))
    if isinstance(error, HTTPException):
        _answer_value(app, request, error)


def _answer_value(
    app: flask.Flask, request: flask.Request, error: HTTPException
) -> None:
    """Make the value of an error its body, unless an error handler takes it.

    :raises ResponseValidationError: if there is no model for it, or it does not fit.
    """
    if isinstance(error.description, str):
        return
    from .error_handlers import find_handler, with_body

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
    """Refuse to serve what the configuration says that nobody may call.

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
    if registry.schemes.named and not registry.initialized:
        name = min(registry.schemes.named)
        raise SignatureError(
            f"The application {app.name!r} names the security scheme {name!r}, but"
            " init_app() was not called, so that nobody knows what it means. Call it"
            " when the configuration is loaded."
        )
    known = registry.settings.security if registry.initialized else None
    if known is None and config.get(SECURITY) is None:
        return
    from .requirements import configured_requirement

    if configured_requirement(config) != known:
        raise SignatureError(
            f"SIGNATURE_SECURITY of the application {app.name!r} was changed after"
            " init_app() had read it. Set it before."
        )


def _request_context() -> t.Any:
    """What Flask 3.2 passes to ``dispatch_request()``, in earlier versions."""
    # Documented by Werkzeug for LocalProxy, in spite of its name.
    return flask.globals.request_ctx._get_current_object()  # type: ignore[attr-defined]
