"""Programs whose responses once differed from those of plain Flask."""

from __future__ import annotations

import logging
import typing as t

import flask
import pytest
import werkzeug.sansio.request
from patches import Fast, environ, make_app, send
from werkzeug.datastructures import FileStorage, ImmutableMultiDict
from werkzeug.exceptions import HTTPException

if t.TYPE_CHECKING:
    from collections.abc import Callable

    #: What is sent, by an application that has had its first request.
    Program = Callable[[flask.Flask], t.Any]


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


PROGRAMS: list[Program] = []


def once_differed(program: Program) -> Program:
    """Adds a program that is served as by plain Flask."""
    PROGRAMS.append(program)
    return program


# What a view, a hook or a receiver does.


def pop() -> str:
    # The context of the Flask that is installed.
    flask.globals.request_ctx._get_current_object().pop()
    return "popped"


def leave() -> str:
    flask.current_app.test_request_context("/away").push()
    return "left"


def fail(*args):
    raise LookupError


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_value_that_a_converter_refuses_keeps_what_was_raised(method):
    def program(app):
        def note(error):
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
    def program(app):
        value = app.session_interface.get_signing_serializer(app).dumps([1])
        logged, handler = [], logging.Handler()
        handler.emit = lambda record: logged.append(record.getMessage())
        app.logger.disabled = False
        app.logger.addHandler(handler)
        try:
            sent = send(app, {**environ("/"), "HTTP_COOKIE": f"session={value}"})
        finally:
            app.logger.removeHandler(handler)
            app.logger.disabled = True
        return sent, logged

    assert len(check(program)[1]) == 2


def session_cookie(app: flask.Flask) -> tuple[str, str]:
    """The name and the value of the cookie of a session."""
    with app.test_request_context():
        flask.session["visits"] = 6
        response = app.response_class()
        app.session_interface.save_session(app, flask.session, response)
    line = response.headers["Set-Cookie"].partition(";")[0]
    name, _, value = line.partition("=")
    return name, value


@pytest.mark.parametrize("owner", [flask.Request, werkzeug.sansio.request.Request])
def test_cookies_of_all_requests_are_replaced(owner, monkeypatch):
    def program(app):
        with monkeypatch.context() as patch:
            cookies = ImmutableMultiDict([session_cookie(app)])
            patch.setattr(owner, "cookies", property(lambda request: cookies))
            return send(app, environ("/"))

    assert b"/items/7" in check(program)[2]


def test_cookie_that_a_hook_adds_to_the_environ():
    def program(app):
        def add_cookie():
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
    def program(app):
        def index() -> str:
            getattr(flask.request, first)
            flask.request.environ["HTTP_HOST"] = "changed.example"
            return flask.request.host

        app.view_functions["index"] = index
        return send(app, {**environ("/"), "HTTP_HOST": host})

    check(program)


@once_differed
def configuration_without_trusted_hosts(app):
    # Flask 3.0 has no such key.
    app.config.pop("TRUSTED_HOSTS", None)
    return send(app, environ("/"))


@once_differed
def part_of_a_path_with_twelve_variables(app):
    names = [f"v{number}" for number in range(12)]
    rule = ".".join(f"<{name}>" for name in names)
    app.url_map.add(app.url_rule_class(f"/many/{rule}", endpoint="many"))
    app.view_functions["many"] = lambda **values: values
    request = environ(f"/many/{'.'.join(names)}")
    # The first one puts the rules in their order.
    return [send(app, request)[2] for _ in range(2)]


@pytest.mark.parametrize("way", ["attribute", "file"])
def test_request_whose_end_fails(way):
    def index():
        if way == "attribute":
            flask.request.close = fail
        else:
            file = FileStorage()
            file.close = fail
            flask.request.files = ImmutableMultiDict({"a": file})
        return "index"

    def program(app):
        app.view_functions["index"] = index
        return send(app, environ("/"))

    assert check(program)[0] is not None


@once_differed
def view_that_pops_its_context_is_handled_as_an_error(app):
    def note(sender, exception, **extra):
        seen.append(type(exception))

    app.view_functions["index"] = pop
    seen = []
    with flask.got_request_exception.connected_to(note, app):
        return send(app, environ("/"))[0], seen


@once_differed
def hook_that_leaves_another_context(app):
    seen = []

    def leave_item():
        if flask.request.path == "/":
            app.test_request_context("/items/3/").push()

    def item(number):
        seen.append(number)
        flask.session["number"] = number
        return "item"

    app.before_request_funcs[None] = [leave_item]
    app.view_functions["item"] = item
    return send(app, environ("/"))[:2], seen


@once_differed
def other_context_that_is_left_has_its_own_functions_for_the_response(app):
    seen = []

    def note(response):
        seen.append(flask.request.path)
        return response

    def leave_with_a_function():
        leave()
        flask.after_this_request(note)
        return "left"

    app.view_functions["index"] = leave_with_a_function
    return send(app, environ("/"))[0], seen


def test_class_between_ours_and_that_of_flask_runs_the_views():
    class Between(flask.Flask):
        def ensure_sync(self, func):
            seen.append(func.__name__)
            return super().ensure_sync(func)

    class Ours(Fast, Between): ...

    results = []
    for cls in (Between, Ours):
        seen = []
        app = make_app(cls)
        sent = [send(app, environ("/items/3/")) for _ in range(2)]
        results.append((sent, seen))
    assert results[1] == results[0]
    assert results[0][1] == ["item", "item"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program_is_served_as_by_plain_flask(program):
    check(program)
