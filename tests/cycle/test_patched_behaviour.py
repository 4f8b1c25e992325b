"""A method of Flask that another one takes the place of: the effect is the same.

Whoever replaces a method may do more than count: add a header, refuse a request, bind
other URLs. What is sent is compared with what plain Flask sends, as is what it sends
when the method is its own again.
"""

from __future__ import annotations

import functools
import typing as t

import flask
import pytest
from patches import (
    ATTRIBUTES,
    REQUESTS,
    Fast,
    Place,
    class_place,
    count_calls,
    instance_place,
    methods_called,
)
from werkzeug.exceptions import ImATeapot

if t.TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[..., t.Any]


def refuse(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    """Raise what is answered with a status."""
    raise ImATeapot


def fail(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    """Raise what nobody handles."""
    raise LookupError("from the method")


def fail_afterwards(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    method(*args, **kwargs)
    raise LookupError("after the method")


def nothing(method: Change, *args: t.Any, **kwargs: t.Any) -> None: ...


def returned(value: t.Any) -> Change:
    return lambda method, *args, **kwargs: value


def add_header(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    response = method(*args, **kwargs)
    response.headers["X-Seen"] = "yes"
    return response


def add_text(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    return f"{method(*args, **kwargs)} seen"


def bind_post(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    adapter = method(*args, **kwargs)
    if adapter is not None:
        adapter.default_method = "POST"
    return adapter


def bind_elsewhere(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    adapter = method(*args, **kwargs)
    if adapter is not None:
        adapter.server_name = "elsewhere.example"
    return adapter


def match_index(method: Change, adapter: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
    return method(adapter, "/", "GET", return_rule=True)


def call_twice(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    method(*args, **kwargs)
    return method(*args, **kwargs)


def wrap_view(method: Change, *args: t.Any, **kwargs: t.Any) -> t.Any:
    view = method(*args, **kwargs)

    def around(*args: t.Any, **kwargs: t.Any) -> t.Any:
        return flask.current_app.make_response((view(*args, **kwargs), 299))

    return around


def another_application(method: Change, self: t.Any, *args: t.Any) -> t.Any:
    environ, start_response = args
    start_response("203 SEEN", [("X-Seen", environ["PATH_INFO"])])
    return [b"seen"]


def accept_any_json(method: Change, self: t.Any, error: Exception) -> t.Any:
    return "no JSON"


#: Replacements by class and method. Each is visible in what is sent.
ALL_CHANGES: t.Final[dict[tuple[str, str], tuple[Change, ...]]] = {
    ("Flask", "__call__"): (another_application,),
    ("Flask", "wsgi_app"): (another_application, fail),
    ("Flask", "request_context"): (fail, refuse),
    ("Flask", "create_url_adapter"): (bind_post, bind_elsewhere, nothing, refuse, fail),
    ("Flask", "full_dispatch_request"): (fail, add_header),
    ("Flask", "preprocess_request"): (returned("stopped"), refuse, fail),
    ("Flask", "dispatch_request"): (returned(("dispatched", 298)), call_twice, refuse),
    ("Flask", "ensure_sync"): (wrap_view, fail),
    ("Flask", "make_response"): (add_header, fail, nothing),
    ("Flask", "finalize_request"): (add_header, fail),
    ("Flask", "process_response"): (add_header, fail, refuse),
    ("Flask", "handle_user_exception"): (returned(("handled", 298)), fail),
    ("Flask", "handle_http_exception"): (returned(("handled", 298)),),
    ("Flask", "trap_http_exception"): (returned(True),),
    ("Flask", "do_teardown_request"): (fail, fail_afterwards),
    ("Flask", "do_teardown_appcontext"): (fail, fail_afterwards),
    ("Flask", "url_for"): (add_text,),
    ("AppContext", "push"): (fail, fail_afterwards),
    ("AppContext", "pop"): (fail, fail_afterwards),
    ("RequestContext", "push"): (fail, fail_afterwards),
    ("RequestContext", "pop"): (fail_afterwards,),
    ("RequestContext", "match_request"): (fail, refuse),
    ("SecureCookieSessionInterface", "open_session"): (fail, refuse, nothing),
    ("SecureCookieSessionInterface", "save_session"): (fail, nothing),
    ("SecureCookieSessionInterface", "get_signing_serializer"): (nothing,),
    ("SecureCookieSessionInterface", "get_cookie_name"): (returned("other"),),
    ("SecureCookieSessionInterface", "get_cookie_path"): (returned("/other"),),
    ("SecureCookieSessionInterface", "get_cookie_secure"): (returned(True),),
    ("SecureCookieSessionInterface", "should_set_cookie"): (returned(False),),
    ("SecureCookieSessionInterface", "is_null_session"): (returned(True),),
    ("Map", "bind"): (bind_post, fail),
    ("Map", "bind_to_environ"): (bind_post, bind_elsewhere, refuse),
    ("MapAdapter", "match"): (refuse, fail, match_index),
    ("MapAdapter", "build"): (add_text,),
    ("MapAdapter", "allowed_methods"): (returned(["GET", "POST"]),),
    ("MapAdapter", "make_redirect_url"): (returned("/elsewhere"),),
    ("MapAdapter", "get_host"): (returned("elsewhere.example"),),
    ("Rule", "build"): (nothing,),
    ("Request", "get_json"): (returned("no JSON"),),
    ("Request", "on_json_loading_failed"): (accept_any_json,),
    ("Response", "__call__"): (another_application,),
    ("Response", "get_wsgi_response"): (returned(([b"sent"], "297 SENT", [])),),
    ("Response", "get_app_iter"): (returned([b"sent"]),),
    ("DefaultJSONProvider", "dumps"): (returned("{}"),),
    ("DefaultJSONProvider", "loads"): (returned("loaded"),),
}

#: The methods that fail, and do nothing else that could be seen.
FAILING: t.Final = {
    "Flask": (
        *("app_context", "handle_exception", "log_exception", "should_ignore_error"),
        *("raise_routing_exception", "make_default_options_response"),
        "inject_url_defaults",
    ),
    "AppContext": ("__init__",),
    "RequestContext": ("__init__",),
    "Map": ("update",),
    "MapAdapter": ("__init__",),
    "Request": ("__init__", "close"),
    "Response": ("__init__", "get_wsgi_headers", "set_data", "set_cookie"),
    "DefaultJSONProvider": ("response",),
}
ALL_CHANGES.update(
    {(named, name): (fail,) for named, names in FAILING.items() for name in names}
)

#: Those of methods that this version of Flask has. Some went with the request context.
CHANGES: t.Final = [
    (*method, change)
    for method, changes in ALL_CHANGES.items()
    for change in changes
    if method in methods_called()
]


def places_of(named: str) -> dict[str, Callable[..., Place]]:
    """Where a method can be replaced: not each object is kept by the application."""
    if named == "Flask" or ATTRIBUTES.get(named, ("", None))[1]:
        return {"class": class_place, "instance": instance_place}
    return {"class": class_place}


def instead(change: Change, original: t.Any, count: Callable[[], None]) -> t.Any:
    """A function that does something else than the one whose place it takes."""
    if isinstance(original, staticmethod):
        return staticmethod(instead(change, original.__func__, count))

    @functools.wraps(original)
    def replacement(*args: t.Any, **kwargs: t.Any) -> t.Any:
        return change(original, *args, **kwargs)

    return replacement


def sent(place: Place, name: str, wrap: t.Any) -> dict[str, t.Any]:
    """What is sent with the replacement before the first request, after it, without."""
    try:
        answers = count_calls(place, name, wrap).sent
    except LookupError as error:
        return {"construction": str(error)}
    size = len(REQUESTS)
    return {
        "before": answers[:size],
        "removed": answers[size : 2 * size],
        "after": answers[2 * size :],
    }


IDS: t.Final = [f"{named}.{name}-{change.__name__}" for named, name, change in CHANGES]


@pytest.mark.parametrize(("named", "name", "change"), CHANGES, ids=IDS)
def test_replacement_has_the_effect_that_it_has_on_plain_flask(named, name, change):
    for place, find in places_of(named).items():
        wrap = functools.partial(instead, change)
        plain = sent(find(flask.Flask, named, name), name, wrap)
        ours = sent(find(Fast, named, name), name, wrap)

        assert ours == plain, place
        if place == "class" and "before" in plain:
            assert plain["before"] == plain["after"] != plain["removed"]
