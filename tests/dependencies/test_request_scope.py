"""D13: generators of ``scope="request"`` are closed when the body has been sent."""

import typing as t
from contextlib import closing
from contextvars import ContextVar

import flask
import pytest
from flask import (
    Response,
    abort,
    current_app,
    g,
    request,
    send_file,
    stream_with_context,
)
from returned import chunks_of as served
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import EnvironBuilder

from flask_signature import Blueprint, Depends, Event, Flask


@pytest.fixture
def Db(log):
    """A session that is kept until the body has been sent."""

    def get_db():
        log.append("open")
        try:
            yield "db"
        except BaseException as error:
            log.append(f"roll back for {type(error).__name__}")
            raise
        else:
            log.append("commit")
        finally:
            log.append(f"close {current_app.name} {request.path} {g.get('seen')}")

    return t.Annotated[str, Depends(get_db, scope="request")]


CLOSED = "close shop / None"
COMMITTED = ["open", "view", "commit", CLOSED]


@pytest.fixture
def shown(app, log, Db, written):
    """The application with a view, of either kind, that has a generator."""

    @app.get("/")
    @written
    def show(db: Db) -> str:
        log.append("view")
        return "shown"

    return app


def test_a_response_is_sent_before_the_generator_is_closed(shown, log):
    @shown.after_request
    def after(response):
        log.append("after_request")
        return response

    @shown.teardown_request
    def teardown(error):
        log.append("teardown")

    assert served(shown) == [b"shown"]
    assert log == ["open", "view", "after_request", "teardown", "commit", CLOSED]


def test_the_client_of_werkzeug_closes_them(shown, log):
    response = shown.test_client().get("/")

    # The client has taken the first chunk, and not asked for another.
    assert log == COMMITTED
    assert response.text == "shown"
    assert log == COMMITTED


def stream(log, *, fails=False):
    try:
        for n in range(3):
            log.append(f"send {n}")
            yield f"{n}"
            if fails:
                raise ValueError("broken")
    finally:
        log.append("end")


@pytest.fixture
def streaming(app, log, Db):
    """The application with a view that returns a stream."""

    @app.get("/")
    def show(db: Db) -> t.Iterator[str]:
        return stream(log)

    return app


#: How items of a stream are written: their type, the media type, and one of them.
WRITTEN: t.Final = [
    (str, None, "%d"),
    (int, "application/jsonl", "%d\n"),
    (Event[int] | int, None, "data: %d\n\n"),
]


@pytest.mark.parametrize(
    ("take", "end"),
    [
        (None, ["send 1", "send 2", "end", "commit"]),
        (1, ["end", "roll back for GeneratorExit"]),
    ],
    ids=["all", "client-left"],
)
@pytest.mark.parametrize(("item", "media_type", "written"), WRITTEN)
@pytest.mark.parametrize("kind", ["returned", "generator", "async", "flask"])
def test_a_stream_is_sent_while_the_generator_is_open(
    app, log, Db, kind, item, media_type, written, take, end
):
    def show(db: Db) -> t.Iterator[item]:
        return stream(log)

    def generate(db: Db) -> t.Iterator[item]:
        yield from stream(log)

    async def generate_later(db: Db) -> t.AsyncIterator[item]:
        with closing(stream(log)) as parts:
            for part in parts:
                yield part

    def respond(db: Db) -> Response:
        parts = ((written % int(part)).encode() for part in stream(log))
        return Response(stream_with_context(parts))

    kinds = {"returned": show, "generator": generate, "async": generate_later}
    app.get("/", media_type=media_type)(kinds.get(kind, respond))

    sent = [(written % n).encode() for n in range(3)]
    assert served(app, take=take) == sent[:take]
    assert log == ["open", "send 0", *end, CLOSED]


def test_d13_a_client_that_leaves_commits_nothing(streaming, log, caplog):
    caplog.set_level("INFO")

    assert served(streaming, take=1) == [b"0"]
    assert log == ["open", "send 0", "end", "roll back for GeneratorExit", CLOSED]
    assert caplog.messages == ["The client left before get_db() was finished."]


def test_d13_a_client_that_leaves_at_once_commits_nothing(streaming, log):
    streaming(EnvironBuilder("/").get_environ(), lambda *args: None).close()

    assert log == ["open", "roll back for GeneratorExit", CLOSED]


def test_a_stream_that_breaks_is_raised_in_the_generator(app, log, Db):
    @app.get("/")
    def show(db: Db) -> t.Iterator[str]:
        return stream(log, fails=True)

    with pytest.raises(ValueError, match="broken"):
        served(app)
    assert log == ["open", "send 0", "end", "roll back for ValueError", CLOSED]


def test_a_body_that_is_closed_twice_closes_the_generator_once(streaming, log):
    body = streaming(EnvironBuilder("/").get_environ(), lambda *args: None)
    assert b"".join(body) == b"012"
    body.close()
    body.close()

    assert log.count(CLOSED) == 1


ENDINGS: t.Final = {
    "empty": (lambda: ("", 204), 204),
    "no-content": (lambda: "", 200),
    "not-modified": (lambda: ("", 304), 304),
    "not-found": (lambda: ("none", 404), 404),
    "json": (lambda: {"n": 1}, 200),
    "bytes": (lambda: b"x" * 100_000, 200),
    "file": (lambda: send_file(__file__), 200),
    "partial-file": (lambda: send_file(__file__, conditional=True), 206),
    "chunks": (lambda: Response([b"a", b"b"]), 200),
}


@pytest.mark.parametrize("served_by", ["server", "client"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(("end", "status"), ENDINGS.values(), ids=ENDINGS.keys())
def test_each_end_closes_the_generator_once(
    app, client, log, Db, end, status, method, served_by
):
    @app.get("/")
    def show(db: Db):
        log.append("view")
        return end()

    headers = {"Range": "bytes=0-3"} if status == 206 else {}
    if served_by == "server":
        served(app, method=method, headers=headers)
    else:
        with client.open("/", method=method, headers=headers) as response:
            assert response.status_code == status
            assert response.get_data() is not None

    assert log == COMMITTED


def test_a_response_that_after_request_replaces_closes_the_generator(shown, log):
    @shown.after_request
    def replace(response):
        return Response("another")

    assert served(shown) == [b"another"]
    assert log == COMMITTED


@pytest.mark.parametrize("error", [ValueError, 409])
def test_an_exception_of_the_view_is_raised_at_once(app, log, Db, error):
    @app.get("/")
    def show(db: Db):
        if error == 409:
            abort(error)
        raise error

    @app.after_request
    def after(response):
        log.append("after_request")
        return response

    served(app)
    name = "Conflict" if error == 409 else "ValueError"

    assert log == ["open", f"roll back for {name}", CLOSED, "after_request"]


def test_an_exception_of_another_generator_is_raised_at_once(app, log, Db):
    def failing():
        yield
        raise ValueError("commit")

    @app.get("/")
    def show(db: Db, other=Depends(failing)) -> str:
        return "shown"

    served(app)

    assert log == ["open", "roll back for ValueError", CLOSED]


def test_a_request_that_does_not_fit_is_raised_at_once(app, log):
    get_db = Depends(log.opening("db"), scope="request")

    @app.get("/", dependencies=[get_db])
    def show(n: int): ...

    served(app)

    assert log[1:] == ["roll back db: RequestValidationError", "close db"]


def test_both_scopes_are_closed_last_first_each_at_its_time(app, log):
    @app.get("/")
    def show(
        a=Depends(log.opening("a"), scope="request"),
        b=Depends(log.opening("b")),
        c=Depends(log.opening("c"), scope="request"),
        d=Depends(log.opening("d")),
    ) -> str:
        log.append("view")
        return "shown"

    served(app)

    assert log == [
        *("open a", "open b", "open c", "open d", "view"),
        *("commit d", "close d", "commit b", "close b"),
        *("commit c", "close c", "commit a", "close a"),
    ]


def fail_afterwards():
    yield
    raise ValueError("full")


def fail_whatever_happens():
    try:
        yield
    finally:
        raise ValueError("full")


def end_the_process():
    yield
    raise SystemExit


def replace():
    try:
        yield
    except ValueError as error:
        raise LookupError from error


def add_two(app, first, last, *, is_stream=False):
    """Add a view whose second generator fails when it is closed."""

    @app.get("/")
    def show(a=Depends(first, scope="request"), b=Depends(last, scope="request")):
        return stream([]) if is_stream else "shown"


def test_a_generator_that_fails_at_the_end_is_logged_with_its_name(app, log, caplog):
    add_two(app, log.opening("first"), fail_afterwards)

    assert served(app) == [b"shown"]
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.message == "fail_afterwards() failed while it was closed."
    assert str(record.exc_info[1]) == "full"
    assert log == ["open first", "roll back first: ValueError", "close first"]


def test_generators_that_fail_when_the_client_leaves_are_logged(app, log, caplog):
    add_two(app, log.opening("first"), fail_whatever_happens, is_stream=True)

    served(app, take=1)

    errors = [item.message for item in caplog.records if item.levelname == "ERROR"]
    assert errors == ["fail_whatever_happens() failed while it was closed."]
    assert log == ["open first", "roll back first: GeneratorExit", "close first"]


def test_each_generator_that_fails_at_the_end_is_logged(app, caplog):
    add_two(app, replace, fail_afterwards)

    assert served(app) == [b"shown"]
    assert [record.message for record in caplog.records] == [
        "fail_afterwards() failed while it was closed.",
        "replace() failed while it was closed.",
    ]


def test_one_that_ends_the_process_at_the_end_keeps_no_other_open(app, log):
    add_two(app, log.opening("first"), end_the_process)

    with pytest.raises(SystemExit):
        served(app)
    assert log[-1] == "close first"


def test_what_the_view_leaves_in_g_is_there_at_the_end(app, log, Db):
    @app.get("/")
    def show(db: Db) -> str:
        g.seen = True
        return "shown"

    served(app)

    assert log[-1] == "close shop / True"


def test_middleware_before_and_after(app, log, Db):
    app.wsgi_app = ProxyFix(app.wsgi_app)

    @app.get("/")
    def show(db: Db) -> str:
        log.append("view")
        return request.remote_addr

    @app.get("/more")
    def more(db: Db) -> str: ...

    app.wsgi_app = ProxyFix(app.wsgi_app)

    @app.get("/late")
    def late(db: Db) -> str: ...

    assert served(app, headers={"X-Forwarded-For": "1.2.3.4"}) == [b"1.2.3.4"]
    assert log == COMMITTED


def test_mounted_applications_close_their_own(log, Db):
    outer, inner = Flask("shop"), Flask("inner")
    for app in (outer, inner):

        @app.get("/")
        def show(db: Db) -> str:
            log.append("view")
            return "shown"

    mounted = DispatcherMiddleware(outer, {"/inner": inner})
    for path, name in (("/inner/", "inner"), ("/", "shop")):
        log.clear()
        assert served(mounted, path) == [b"shown"]
        assert log == ["open", "view", "commit", f"close {name} / None"]


def test_an_application_in_another_closes_its_own_first(log, Db):
    outer, inner = Flask("shop"), Flask("inner")

    @inner.get("/")
    def show(db: Db) -> str:
        log.append("view")
        return "shown"

    @outer.get("/")
    def call(db: Db) -> Response:
        return Response.from_app(inner, request.environ)

    served(outer)

    assert log == [
        *("open", "open", "view", "commit", "close inner / None"),
        *("commit", CLOSED),
    ]


def test_a_nested_request_closes_its_own(app, log, Db):
    @app.get("/")
    def show(db: Db) -> str:
        return app.test_client().get("/inner").text

    @app.get("/inner")
    def inner(db: Db) -> str:
        log.append("inner")
        return "inner"

    assert served(app) == [b"inner"]
    assert log == [
        *("open", "open", "inner", "commit", "close shop /inner None"),
        *("commit", CLOSED),
    ]


def test_a_client_that_keeps_the_context_closes_them(shown, log):
    with shown.test_client() as client:
        client.get("/")
        assert log == COMMITTED
        assert flask.request.path == "/"


def test_a_request_that_goes_another_way_is_named(app, log, Db):
    @app.get("/")
    def show(db: Db) -> str: ...

    with app.test_request_context("/"), pytest.raises(RuntimeError) as error:
        app.view_functions["show"]()

    assert str(error.value) == (
        'get_db() has scope="request", but the request did not come by way of'
        " app.wsgi_app, at whose end it is closed. Use a test client, and take"
        " app.wsgi_app when all views are registered."
    )
    assert log == []


def test_a_guard_of_a_plain_view_may_have_it(app, log, Db, tmp_path):
    (tmp_path / "a.txt").write_text("static")
    bp = Blueprint(
        "bp",
        __name__,
        static_folder=str(tmp_path),
        static_url_path="/static",
        dependencies=[Db.__metadata__[0]],
    )
    app.register_blueprint(bp, url_prefix="/bp")

    assert served(app, "/bp/static/a.txt") == [b"static"]
    assert log == ["open", "commit", "close shop /bp/static/a.txt None"]


def test_an_application_without_it_is_not_wrapped(app, log):
    @app.get("/")
    def show(db=Depends(log.opening("db"))) -> str: ...

    assert "wsgi_app" not in vars(app)


def test_two_views_may_give_a_generator_two_scopes(app, client, log):
    opened = log.opening("db")
    app.get("/short", endpoint="short")(lambda db=Depends(opened): db)
    app.get("/long", endpoint="long")(lambda db=Depends(opened, scope="request"): db)

    assert client.get("/short").text == client.get("/long").text == "db"


def test_it_has_a_copy_of_the_context_variables(app, client, log):
    variable = ContextVar("variable", default="unset")

    def outlives():
        variable.set("set")
        yield
        log.append((variable.get(), request.path))

    @app.get("/")
    def show(it=Depends(outlives, scope="request")) -> str:
        return variable.get()

    assert client.get("/").text == "unset"
    assert log == [("set", "/")]
