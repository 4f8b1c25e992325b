"""Programs whose responses once differed from those of plain Flask."""

from __future__ import annotations

import logging
import typing as t

import flask
import pytest
import werkzeug.sansio.request
from flask.sessions import SecureCookieSessionInterface
from patches import Fast, environ, make_app, send
from werkzeug.datastructures import FileStorage, Headers, ImmutableMultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.test import run_wsgi_app

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask.sessions import SessionMixin

    #: What is sent, by an application that has had its first request.
    Program = Callable[[flask.Flask], t.Any]

#: The key under which a debugger or a test client asks for the contexts.
PRESERVE = "werkzeug.debug.preserve_context"


def check(program: Program) -> t.Any:
    """Compare what a program returns on plain Flask with the same on ours.

    :return: that of plain Flask.
    """
    results = []
    for base in (flask.Flask, Fast):
        app = make_app(base)
        send(app, environ("/"))
        results.append(program(app))
    assert results[1] == results[0]
    return results[0]


def test_session_that_could_not_be_opened_is_saved(monkeypatch):
    saved: list[t.Any] = []

    def open_session(*args: t.Any) -> t.Any:
        raise LookupError("no session")

    monkeypatch.setattr(
        SecureCookieSessionInterface,
        "save_session",
        lambda interface, app, session, response: saved.append(session),
    )
    monkeypatch.setattr(SecureCookieSessionInterface, "open_session", open_session)

    def program(app: flask.Flask) -> t.Any:
        saved.clear()
        return send(app, environ("/items/3/")), [*saved]

    check(program)


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_value_that_a_converter_refuses_keeps_what_was_raised(method):
    def program(app: flask.Flask) -> t.Any:
        def note(error: HTTPException) -> tuple[str, int]:
            return repr((error, error.__cause__, error.__context__)), error.code or 0

        rule = "/few/<int(max=3):number>"
        app.url_map.add(app.url_rule_class(rule, endpoint="few", methods=["GET"]))
        app.url_map.add(app.url_rule_class(rule, endpoint="put", methods=["PUT"]))
        app.view_functions.update(few=lambda number: "few", put=lambda number: "put")
        app.error_handler_spec[None][None][HTTPException] = note
        # The first one puts the rules in their order.
        return [send(app, environ("/few/4", method))[:3] for _ in range(2)]

    assert b"NoMatch" in check(program)[1][2]


def test_session_whose_cookie_holds_a_list():
    def program(app: flask.Flask) -> t.Any:
        sessions: t.Any = app.session_interface
        value = sessions.get_signing_serializer(app).dumps([1])
        logged: list[str] = []
        app.logger.disabled = False
        handler = logging.Handler()
        handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
        app.logger.addHandler(handler)
        try:
            sent = send(app, {**environ("/"), "HTTP_COOKIE": f"session={value}"})
        finally:
            app.logger.removeHandler(handler)
            app.logger.disabled = True
        return sent, logged

    assert len(check(program)[1]) == 2


def current_context() -> t.Any:
    """The context of the request, of the Flask that is installed."""
    return flask.globals.request_ctx._get_current_object()  # type: ignore[attr-defined]


def session_cookie(app: flask.Flask) -> tuple[str, str]:
    """The name and the value of the cookie of a session."""
    with app.test_request_context():
        flask.session["visits"] = 6
        response = app.response_class()
        app.session_interface.save_session(
            app, t.cast("SessionMixin", flask.session), response
        )
    line = response.headers["Set-Cookie"].partition(";")[0]
    name, _, value = line.partition("=")
    return name, value


@pytest.mark.parametrize("where", ["cookies", "headers", "property", "instance"])
def test_cookie_that_a_request_does_not_have_from_its_environ(where):
    def program(app: flask.Flask) -> t.Any:
        name, value = session_cookie(app)
        cookies = ImmutableMultiDict({name: value})

        class Request(flask.Request):
            def __init__(self, *args: t.Any, **kwargs: t.Any) -> None:
                super().__init__(*args, **kwargs)
                if where == "cookies":
                    self.cookies = cookies
                elif where == "headers":
                    self.headers = Headers({"Cookie": f"{name}={value}"})

        if where == "property":
            send(app, environ("/"))
            Request.cookies = property(lambda request: cookies)  # type: ignore[assignment]
        if where == "instance":
            create = app.create_url_adapter

            def create_url_adapter(request: flask.Request | None) -> t.Any:
                if request is not None:
                    request.cookies = cookies
                return create(request)

            app.create_url_adapter = create_url_adapter  # type: ignore[method-assign]
        else:
            app.request_class = Request
        return send(app, environ("/"))

    assert b"/items/7" in check(program)[2]


@pytest.mark.parametrize("owner", [flask.Request, werkzeug.sansio.request.Request])
def test_cookies_of_all_requests_are_replaced(owner, monkeypatch):
    def program(app: flask.Flask) -> t.Any:
        with monkeypatch.context() as patch:
            cookies = ImmutableMultiDict([session_cookie(app)])
            patch.setattr(owner, "cookies", property(lambda request: cookies))
            return send(app, environ("/"))

    assert b"/items/7" in check(program)[2]


def test_cookie_that_a_hook_adds_to_the_environ():
    def program(app: flask.Flask) -> t.Any:
        def add_cookie() -> None:
            flask.request.environ["HTTP_COOKIE"] = "a=b"

        app.before_request_funcs[None] = [add_cookie]
        app.view_functions["index"] = lambda: {**flask.request.cookies}
        return send(app, environ("/"))

    assert check(program)[2] == b"{}\n"


@pytest.mark.parametrize("key", ["HTTP_HOST", "SCRIPT_NAME", "PATH_INFO"])
@pytest.mark.parametrize("value", [None, []])
def test_value_of_an_environ_that_is_no_string(key, value):
    check(lambda app: send(app, {**environ("/"), key: value}))


@pytest.mark.parametrize("host", ["", "localhost", "Example.org:8080"])
@pytest.mark.parametrize("first", ["host", "path", "headers"])
def test_host_is_read_whatever_was_read_before(first, host):
    def program(app: flask.Flask) -> t.Any:
        def index() -> str:
            getattr(flask.request, first)
            flask.request.environ["HTTP_HOST"] = "changed.example"
            return flask.request.host

        app.view_functions["index"] = index
        return send(app, {**environ("/"), "HTTP_HOST": host})

    check(program)


@pytest.mark.skipif(
    "TRUSTED_HOSTS" not in flask.Flask.default_config, reason="Flask 3.0 has no key"
)
def test_configuration_without_trusted_hosts():
    def program(app: flask.Flask) -> t.Any:
        del app.config["TRUSTED_HOSTS"]
        return send(app, environ("/"))

    check(program)


def test_part_of_a_path_with_twelve_variables():
    names = [f"v{number}" for number in range(12)]

    def program(app: flask.Flask) -> t.Any:
        rule = ".".join(f"<{name}>" for name in names)
        app.url_map.add(app.url_rule_class(f"/many/{rule}", endpoint="many"))
        app.view_functions["many"] = lambda **values: values
        request = environ(f"/many/{'.'.join(names)}")
        # The first one puts the rules in their order.
        return [send(app, request)[2] for _ in range(2)]

    check(program)


def test_contexts_that_are_preserved_where_another_one_is_left():
    def program(app: flask.Flask) -> t.Any:
        def leave() -> str:
            app.test_request_context("/away").push()
            return "left"

        app.view_functions["index"] = leave
        kept: list[t.Any] = []
        sent = send(app, {**environ("/"), PRESERVE: kept.append})
        found = [getattr(context, "request", None) for context in kept]
        return sent, [request and request.path for request in found]

    check(program)


def test_contexts_that_are_preserved_where_there_is_none():
    def program(app: flask.Flask) -> t.Any:
        def pop() -> str:
            current_context().pop()
            return "popped"

        app.view_functions["index"] = pop
        kept: list[t.Any] = []
        sent = send(app, {**environ("/"), PRESERVE: kept.append})
        return sent[0], len(kept)

    check(program)


@pytest.mark.parametrize("way", ["method", "attribute", "file"])
def test_request_whose_end_fails(way):
    def fail() -> None:
        raise LookupError(way)

    class Request(flask.Request):
        def __init__(self, *args: t.Any, **kwargs: t.Any) -> None:
            super().__init__(*args, **kwargs)
            if way == "attribute":
                self.close = fail  # type: ignore[method-assign]

        if way == "method":

            def close(self) -> None:
                fail()

    def program(app: flask.Flask) -> t.Any:
        def index() -> str:
            if way == "file":
                file = FileStorage()
                file.close = fail  # type: ignore[method-assign]
                flask.request.files = ImmutableMultiDict({"a": file})
            return "index"

        app.request_class = Request
        app.view_functions["index"] = index
        return send(app, environ("/"))

    assert check(program)[0] is not None


def test_view_that_pops_its_context_is_handled_as_an_error():
    def program(app: flask.Flask) -> t.Any:
        def pop() -> str:
            current_context().pop()
            return "popped"

        def note(sender: flask.Flask, exception: Exception, **extra: t.Any) -> None:
            seen.append(type(exception))

        app.view_functions["index"] = pop
        seen: list[t.Any] = []
        with flask.got_request_exception.connected_to(note, app):
            return send(app, environ("/"))[0], seen

    check(program)


def test_hook_that_leaves_another_context():
    def program(app: flask.Flask) -> t.Any:
        seen: list[t.Any] = []

        def leave() -> None:
            if flask.request.path == "/":
                app.test_request_context("/items/3/").push()

        def item(number: int) -> str:
            seen.append(number)
            flask.session["number"] = number
            return "item"

        app.before_request_funcs[None] = [leave]
        app.view_functions["item"] = item
        return send(app, environ("/"))[:2], seen

    check(program)


def test_other_context_that_is_left_has_its_own_functions_for_the_response():
    def program(app: flask.Flask) -> t.Any:
        seen: list[str] = []

        def note(response: flask.Response) -> flask.Response:
            seen.append(flask.request.path)
            return response

        def leave() -> str:
            app.test_request_context("/away").push()
            flask.after_this_request(note)
            return "left"

        app.view_functions["index"] = leave
        return send(app, environ("/"))[0], seen

    check(program)


def test_class_between_ours_and_that_of_flask_runs_the_views():
    class Between(flask.Flask):
        def ensure_sync(self, func: Callable[..., t.Any]) -> Callable[..., t.Any]:
            seen.append(func.__name__)
            return super().ensure_sync(func)

    class Ours(Fast, Between):
        pass

    results = []
    for cls in (Between, Ours):
        seen: list[str] = []
        app = make_app(cls)
        sent = [send(app, environ("/items/3/")) for _ in range(2)]
        results.append((sent, seen))
    assert results[1] == results[0]
    assert results[0][1] == ["item", "item"]


def test_methods_that_a_context_has_of_its_own():
    def program(app: flask.Flask) -> t.Any:
        called: list[str] = []
        make_context = app.request_context

        def request_context(environ: t.Any) -> t.Any:
            context = make_context(environ)
            for name in ("push", "pop"):
                setattr(context, name, wrapper(name, getattr(context, name)))
            return context

        def wrapper(name: str, method: Callable[..., t.Any]) -> Callable[..., t.Any]:
            def call(*args: t.Any) -> t.Any:
                called.append(name)
                return method(*args)

            return call

        app.request_context = request_context  # type: ignore[method-assign]
        return send(app, environ("/"))[:2], called

    check(program)


def test_query_string_that_no_server_sends():
    def program(app: flask.Flask) -> t.Any:
        request = environ("/")
        request["QUERY_STRING"] = "\u20ac"
        del request["SERVER_NAME"]
        with pytest.raises(UnicodeEncodeError) as raised:
            run_wsgi_app(app, request)
        return str(raised.value), raised.value.__context__

    check(program)
