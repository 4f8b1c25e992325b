"""What is seldom set or replaced counts as it does on plain Flask."""

from __future__ import annotations

import contextvars
import copy
import typing as t
from io import BytesIO

import flask
import pytest
import werkzeug.sansio.request
import werkzeug.sansio.response
from flask.sessions import SecureCookieSessionInterface
from patches import Fast, environ
from werkzeug.formparser import FormDataParser
from werkzeug.routing import Map

import flask_signature

if t.TYPE_CHECKING:
    from collections.abc import Callable

    #: Adds to an application, and to what is compared.
    Program = Callable[[flask.Flask, list[t.Any]], None]


def served(app: flask.Flask, **changes: t.Any) -> t.Any:
    """What a server gets for a request, whose response it closes."""
    request = {**environ("/"), **changes}
    started: list[t.Any] = []
    try:
        body = app(request, lambda *args: started.extend(args))
    except Exception as error:
        return repr(error)
    sent = b"".join(body)
    close = getattr(body, "close", None)
    if close is not None:
        close()
    return [sent, *started]


def compare(
    program: Program,
    *,
    make: Callable[[t.Any], t.Any] = lambda cls: cls("app"),
    **changes: t.Any,
) -> list[t.Any]:
    """Compare the second request to ours with that to plain Flask.

    :return: what is sent by plain Flask, and what was seen.
    """
    results = []
    for base in (flask.Flask, Fast):
        app, seen = make(base), list[t.Any]()
        program(app, seen)
        served(app, **changes)
        seen.clear()
        results.append([served(app, **changes), *seen])
    assert results[1] == results[0]
    return results[0]


def with_text(cls: t.Any, **attributes: t.Any) -> t.Any:
    app = type("App", (cls,), attributes)("app")
    app.secret_key = "secret"
    app.add_url_rule("/", view_func=lambda: "text")
    return app


def recorded(monkeypatch, owner, name):
    """What is noted of the calls of a method from now on."""
    seen, method = [], getattr(owner, name)

    def record(*args, **options):
        seen.append(name)
        return method(*args, **options)

    monkeypatch.setattr(owner, name, record)
    return seen


def add_late(app, seen):
    @app.get("/")
    def view():
        flask.g.sent = flask.make_response("text")
        return flask.g.sent

    @app.teardown_request
    def add(error):
        flask.g.sent.call_on_close(lambda: seen.append("closed"))


def add_after_the_request(app, seen):
    held, send_as_it_is = [], app.wsgi_app

    @app.get("/")
    def view():
        held[:] = [flask.make_response("text")]
        return held[0]

    def add(environ, start_response):
        body = send_as_it_is(environ, start_response)
        held[0].call_on_close(lambda: seen.append("closed"))
        return body

    app.wsgi_app = add


def add_to_a_copy(app, seen):
    @app.get("/")
    def view():
        response = flask.make_response("text")
        copy.copy(response).call_on_close(lambda: seen.append("closed"))
        return response


class TestResponses:
    @pytest.mark.parametrize("add", [add_late, add_after_the_request, add_to_a_copy])
    def test_function_that_is_added_is_called_when_the_response_is_closed(self, add):
        assert compare(add)[1:] == ["closed"]

    def test_response_that_nobody_else_holds_has_nothing_to_close(self):
        app = with_text(Fast)
        bodies = [app(environ("/"), lambda *args: None) for _ in range(2)]

        assert type(bodies[1]) is list

    @pytest.mark.parametrize("way", ["force_type", "class"])
    def test_response_that_becomes_one_of_a_subclass_is_sent_by_it(self, way):
        def program(app, seen):
            base = app.response_class

            class Other(base):
                def get_wsgi_headers(self, environ):
                    headers = super().get_wsgi_headers(environ)
                    headers["X-Other"] = "yes"
                    return headers

                def close(self):
                    seen.append("closed")
                    super().close()

            @app.get("/")
            def view():
                return base("text")

            @app.after_request
            def change(response):
                if way == "force_type":
                    return Other.force_type(response)
                response.__class__ = Other
                return response

        result = compare(program)
        assert result[1:] == ["closed"]
        assert ("X-Other", "yes") in result[0][2]

    @pytest.mark.parametrize("returned", ["text", [1]], ids=["text", "model"])
    def test_constructor_below_that_of_werkzeug_is_called(self, returned, monkeypatch):
        app = Fast("app")

        def view():
            return returned

        view.__annotations__["return"] = type(returned)
        app.get("/")(view)
        served(app)
        seen = recorded(monkeypatch, werkzeug.sansio.response.Response, "__init__")
        served(app)

        assert seen == ["__init__"]


def json_body():
    return {
        "wsgi.input": BytesIO(b'["a"]'),
        "CONTENT_LENGTH": "5",
        "CONTENT_TYPE": "application/json",
        "REQUEST_METHOD": "POST",
    }


class TestRequests:
    def test_class_of_requests_is_that_of_the_application(self):
        def program(app, seen):
            app.request_class = type("Own", (flask.Request,), {"own": "own"})
            app.add_url_rule("/", view_func=lambda: flask.request.own)

        assert compare(program)[0][0] == b"own"

    @pytest.mark.parametrize("name", ["CONTENT_LENGTH", "CONTENT_TYPE"])
    def test_header_of_the_body_that_is_none(self, app, name):
        @app.post("/")
        def view(names: list[str]) -> list[str]:
            return names

        status = served(app, **{**json_body(), name: None})[1]

        assert status.startswith(("415", "422"))

    def test_body_of_a_shallow_request_is_not_read(self, app):
        @app.before_request
        def mark():
            flask.request.shallow = True

        @app.post("/")
        def view(names: list[str]) -> list[str]:
            raise AssertionError

        body = json_body()

        assert served(app, **body)[1].startswith("500")
        assert body["wsgi.input"].tell() == 0


@pytest.mark.parametrize("size", [60_000, 120_000])
def test_parser_of_forms_that_is_put_into_the_class(app, size, monkeypatch):
    class Parser(FormDataParser):
        def parse(self, stream, mimetype, content_length, options=None):
            data = stream.read()
            return BytesIO(data), self.cls([("size", len(data))]), self.cls()

    monkeypatch.setattr(
        flask.Request,
        "make_form_data_parser",
        lambda request: Parser(cls=request.parameter_storage_class),
    )

    @app.post("/")
    def view(size: t.Annotated[int, flask_signature.Form()]) -> int:
        return size

    body = json_body() | {"wsgi.input": BytesIO(b"-" * size)}
    body |= {"CONTENT_TYPE": "multipart/form-data; boundary=x"}

    assert served(app, **{**body, "CONTENT_LENGTH": str(size)})[0] == b"%d" % size


class OtherInterface(SecureCookieSessionInterface):
    """One that says which sessions are opened."""

    def open_session(self, app, request):
        request.environ["opened"] = True
        return super().open_session(app, request)


class OtherMap(Map): ...


class TestClasses:
    @pytest.mark.parametrize("where", ["flask", "between"])
    @pytest.mark.parametrize(
        ("name", "value"),
        [("session_interface", OtherInterface()), ("url_map_class", OtherMap)],
    )
    def test_what_stands_behind_our_class_is_used(
        self, name, value, where, monkeypatch
    ):
        class Between(flask.Flask): ...

        monkeypatch.setattr(flask.Flask if where == "flask" else Between, name, value)

        class Ours(Fast, Between): ...

        results = []
        for cls in (Between, Ours):
            app, seen = cls("app"), []
            app.secret_key = "secret"

            @app.get("/")
            def view(app=app, seen=seen):
                seen.append("opened" in flask.request.environ)
                seen.append(type(app.url_map) is OtherMap)
                return "text"

            results.append([served(app), served(app), seen])
        assert results[1] == results[0]
        assert any(seen)

    def test_class_of_the_author_is_kept(self, monkeypatch):
        monkeypatch.setattr(flask.Flask, "session_interface", OtherInterface())

        class Own(SecureCookieSessionInterface): ...

        class App(Fast):
            session_interface = own = Own()

        assert App("app").session_interface is App.own

    def test_signers_are_flasks_where_a_class_stands_between(self):
        class Between(flask.Flask): ...

        class Ours(Fast, Between): ...

        app = with_text(Ours)
        signers = [app.session_interface.get_signing_serializer(app) for _ in range(2)]
        assert signers[0] is not signers[1]

    def test_attributes_that_a_class_looks_up_by_itself(self):
        def make(base):
            def look_up(self, name):
                if name == "full_dispatch_request":
                    asked.append(name)
                return base.__getattribute__(self, name)

            return with_text(base, __getattribute__=look_up)

        asked = []
        compare(lambda app, seen: None, make=make)
        assert len(asked) == 4


class TestContexts:
    @pytest.mark.skipif(
        "RequestContext" not in vars(flask.ctx), reason="one context in Flask 3.2"
    )
    @pytest.mark.parametrize("name", ["request_ctx", "app_ctx"])
    def test_pop_of_a_context_itself_is_called(self, name):
        def program(app, seen):
            @app.get("/")
            def view():
                context = getattr(flask.globals, name)._get_current_object()
                pop = context.pop

                def record(*args):
                    seen.append("popped")
                    return pop(*args)

                context.pop = record
                return "text"

        assert compare(program)[1:] == ["popped"]

    def test_context_that_a_receiver_pushes_is_served(self):
        def called(base):
            app, seen = base("app"), []
            app.add_url_rule("/", "index", lambda: seen.append("index") or "text")
            app.add_url_rule("/other", "other", lambda: seen.append("other") or "text")
            served(app)

            def push(sender, **extra):
                app.test_request_context("/other").push()

            # The context that nobody pops is left in a copy of the variables.
            with flask.request_started.connected_to(push, app):
                contextvars.copy_context().run(served, app)
            return seen

        assert called(Fast) == called(flask.Flask)


@pytest.mark.parametrize("fallbacks", [5, None, [], ("old",), iter(())])
def test_keys_that_no_signer_can_be_made_of(fallbacks):
    def program(app, seen):
        app.config["SECRET_KEY_FALLBACKS"] = fallbacks
        app.logger.disabled = True

    compare(program, make=with_text)
