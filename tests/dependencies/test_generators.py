"""A generator is closed exactly once, whatever becomes of its request."""

import traceback
import typing as t

import flask
import pytest
from client import client_of
from flask import Response, abort, current_app, g, request, send_file
from pydantic import BaseModel
from werkzeug.exceptions import Conflict

from flask_signature import Blueprint, Depends
from flask_signature.security import APIKey, HTTPBearer


def rolled_back(name, error):
    return [f"open {name}", f"roll back {name}: {error}", f"close {name}"]


COMMITTED = ["open db", "commit db", "close db"]
BROKEN = rolled_back("first", "RuntimeError")

# Each way out of a view.


def leave(how):
    """What a view does at its end."""
    if how == "return":
        return "shown"
    if how == "not found":
        return "none", 404
    if how == "abort":
        abort(409)
    if how == "response":
        return Response("shown", 201)
    if how == "empty":
        return "", 204
    if how == "file":
        return send_file(__file__)
    raise ValueError(how)


COMMITTING = {
    "return": 200,
    "not found": 404,
    "response": 201,
    "empty": 204,
    "file": 200,
}
ROLLING_BACK = {"abort": ("Conflict", 409), "error": ("ValueError", 500)}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("how", COMMITTING)
def test_a_view_that_returns_commits(log, how, written, method):
    def show(a=Depends(log.opening("first")), b=Depends(log.opening("second"))):
        log.append("view")
        return leave(how)

    response = client_of(written(show)).open("/", method=method, buffered=True)

    assert response.status_code == COMMITTING[how]
    assert log == [
        *("open first", "open second", "view"),
        *("commit second", "close second", "commit first", "close first"),
    ]


@pytest.mark.parametrize("how", ROLLING_BACK)
def test_d4_a_view_that_raises_rolls_back(log, how, written):
    def show(a=Depends(log.opening("first")), b=Depends(log.opening("second"))):
        return leave(how)

    name, status = ROLLING_BACK[how]

    assert client_of(written(show)).get("/").status_code == status
    assert log == [
        *("open first", "open second"),
        *(f"roll back second: {name}", "close second"),
        *(f"roll back first: {name}", "close first"),
    ]


class Row(BaseModel):
    n: int


def stop(db=None):
    raise StopIteration


DECORATED = {"decorators": [lambda view: lambda **kw: view(**kw)]}

#: What a view returns, with its annotation and the options of its route, and what is
#: raised in the generator that it depends on.
FAILING = {
    "model": (lambda db: {"n": "x"}, Row, {}, "ResponseValidationError"),
    "decorated": (lambda db: {"n": "x"}, Row, DECORATED, "ResponseValidationError"),
    "no response": (lambda db: object(), None, {}, "TypeError"),
    "stop iteration": (stop, str, {}, "StopIteration"),
}


@pytest.mark.parametrize(
    ("show", "returns", "options", "error"), FAILING.values(), ids=FAILING
)
def test_a_response_that_can_not_be_sent_rolls_back(log, show, returns, options, error):
    def view(db=Depends(log.opening("db"))):
        return show(db)

    if returns is not None:
        view.__annotations__["return"] = returns

    assert client_of(view, **options).get("/").status_code == 500
    assert log == rolled_back("db", error)


def test_a_refusal_after_the_generator_of_a_guard_rolls_back(log):
    get_db = log.opening("db")

    def check(db=Depends(get_db)):
        abort(403)

    def show(db=Depends(get_db)): ...

    assert client_of(show, dependencies=[check]).get("/").status_code == 403
    assert log == rolled_back("db", "Forbidden")


def broken():
    raise ValueError("broken")
    yield


def test_an_exception_while_a_later_generator_opens_rolls_back(log):
    def show(db=Depends(log.opening("db")), broken=Depends(broken)): ...

    assert client_of(show).get("/").status_code == 500
    assert log == rolled_back("db", "ValueError")


def failing(error):
    """A generator whose commit raises."""

    def commit():
        yield "db"
        raise error

    return commit


def test_d5_a_failing_commit_is_an_error_response(log):
    def show(
        first=Depends(log.opening("first")),
        db=Depends(failing(ValueError("full"))),
        last=Depends(log.opening("last")),
    ) -> str:
        return "shown"

    assert client_of(show).get("/").status_code == 500
    assert log == [
        *("open first", "open last", "commit last", "close last"),
        *("roll back first: ValueError", "close first"),
    ]


def test_d5_a_failing_commit_may_be_an_http_error():
    def show(db=Depends(failing(Conflict()))) -> str:
        return "shown"

    assert client_of(show).get("/").status_code == 409


def test_d5_an_error_handler_gets_what_the_commit_raises(app, client):
    @app.errorhandler(ValueError)
    def handle(error):
        return f"handled {error}", 503

    @app.get("/")
    def show(db=Depends(failing(ValueError("full")))) -> str:
        return "shown"

    response = client.get("/")

    assert (response.status_code, response.text) == (503, "handled full")


@pytest.mark.parametrize("fails", ["view", "commit"])
def test_a_generator_may_replace_an_exception(log, fails):
    def translating(inner=Depends(log.opening("inner"))):
        try:
            yield
        except ValueError as error:
            raise Conflict("taken") from error

    def last():
        yield from log.opening("last")()
        if fails == "commit":
            raise ValueError("unique")

    def show(a=Depends(log.opening("first")), b=Depends(translating), c=Depends(last)):
        if fails == "view":
            raise ValueError("unique")
        return "shown"

    assert client_of(show).get("/").status_code == 409
    rolled = [entry for entry in log if entry.startswith("roll")]
    assert rolled[-2:] == ["roll back inner: Conflict", "roll back first: Conflict"]
    assert rolled[:-2] == (["roll back last: ValueError"] if fails == "view" else [])


def test_what_replaces_an_exception_says_where_that_came_from(failure):
    def inner():
        try:
            yield
        except ValueError:
            try:
                {}["missing"]
            except KeyError as error:
                raise LookupError("while rolling back") from error

    def outer():
        try:
            yield
        except LookupError:
            raise RuntimeError("outer")  # noqa: B904

    def show(a=Depends(outer), b=Depends(inner)):
        raise ValueError("in the view")

    client_of(show).get("/")
    shown = "".join(traceback.format_exception(failure()))

    parts = ["ValueError: in the view", "KeyError", "while rolling back", "outer"]
    assert [part for part in parts if part not in shown] == []
    assert shown.index("in the view") < shown.index("RuntimeError: outer")


def test_what_a_commit_raises_says_where_that_came_from(log, failure):
    def get_db():
        yield
        try:
            {}["missing"]
        except KeyError as error:
            raise LookupError("commit") from error

    def show(first=Depends(log.opening("first")), db=Depends(get_db)):
        return ""

    client_of(show).get("/")

    error = failure()
    assert isinstance(error, LookupError)
    assert isinstance(error.__cause__, KeyError)


def swallowing():
    try:
        yield
    except ValueError:
        pass


async def swallowing_async():
    try:
        yield
    except ValueError:
        pass


def twice():
    yield 1
    yield 2


async def twice_async():
    yield 1
    yield 2


def again():
    try:
        yield 1
    except ValueError:
        yield 2


def never():
    return
    yield


async def never_async():
    return
    yield


def stubborn():
    for _ in range(3):
        try:
            yield
        except BaseException:
            pass


async def stubborn_async():
    for _ in range(2):
        try:
            yield
        except BaseException:
            pass


SWALLOWED = (
    "has swallowed ValueError, which was raised where it yields. Raise it again, or"
    " raise another exception, such as that of abort()."
)
SECOND = "has yielded a second value. A dependency yields one."
NOTHING = "has yielded nothing. A dependency that is a generator yields one value."

#: What breaks a rule, whether the view fails, and what is said of it.
RULES: t.Final = {
    (swallowing, True): SWALLOWED,
    (swallowing_async, True): SWALLOWED,
    (twice, False): SECOND,
    (twice_async, False): SECOND,
    (again, True): SECOND,
    (stubborn, False): SECOND,
    (stubborn, True): SECOND,
    (stubborn_async, False): SECOND,
    (stubborn_async, True): SECOND,
    (never, False): NOTHING,
    (never_async, False): NOTHING,
}


@pytest.mark.parametrize(("dependency", "fails"), RULES)
def test_d6_a_generator_that_breaks_a_rule_is_an_error(log, failure, dependency, fails):
    def show(first=Depends(log.opening("first")), db=Depends(dependency)):
        if fails:
            raise ValueError("lost")
        return ""

    assert client_of(show).get("/").status_code == 500
    said = RULES[dependency, fails]
    assert str(failure()) == f"{dependency.__name__}() {said}"
    assert log == BROKEN
    if said is SWALLOWED:
        assert str(failure().__cause__) == "lost"


def test_a_stop_iteration_behind_a_guard_is_a_runtime_error(failure):
    assert client_of(stop, dependencies=[dict]).get("/").status_code == 500
    assert str(failure()) == "coroutine raised StopIteration"


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_what_ends_the_process_goes_through_generators(error, log):
    def swallowing():
        try:
            yield
        except BaseException:
            log.append("swallowed")

    def show(a=Depends(log.opening("db")), b=Depends(swallowing)):
        raise error

    with pytest.raises(error):
        client_of(show).get("/")
    assert log == ["open db", "swallowed", *rolled_back("db", error.__name__)[1:]]


@pytest.mark.parametrize("is_async", [True, False], ids=["async", "sync"])
@pytest.mark.parametrize("fails", [True, False], ids=["raising", "returning"])
def test_the_request_is_there_while_a_generator_is_closed(is_async, fails, log):
    def note():
        log.append((current_app.name, request.path, g.opened, g.get("seen")))

    def get_db():
        g.opened = True
        try:
            yield
        finally:
            note()

    async def get_async_db(db=Depends(get_db)):
        try:
            yield
        finally:
            note()

    def show(db=Depends(get_async_db if is_async else get_db)):
        g.seen = True
        if fails:
            abort(400)
        return ""

    client_of(show).get("/")

    assert log == [("client", "/", True, True)] * (2 if is_async else 1)


def test_what_an_after_request_replaces_is_closed_before(app, client, log):
    @app.after_request
    def replace(response):
        log.append("after_request")
        return Response("another")

    @app.get("/")
    def show(db=Depends(log.opening("db"))) -> str:
        return "shown"

    assert client.get("/").text == "another"
    assert log == [*COMMITTED, "after_request"]


def test_a_generator_sees_the_response_being_written():
    class Session:
        is_open = True

    def get_session():
        session = Session()
        yield session
        session.is_open = False

    class Lazy(BaseModel):
        model_config = {"from_attributes": True}
        is_open: bool

    def show(session=Depends(get_session)) -> Lazy:
        return session

    def show_list(session=Depends(get_session)) -> list[Lazy]:
        return [session]

    assert client_of(show).get("/").json == {"is_open": True}
    assert client_of(show_list).get("/").json == [{"is_open": True}]


STREAMS: t.Final = {
    "generator": lambda: (part for part in "ab"),
    "map": lambda: map(str, "ab"),
    "iterator": lambda: iter("ab"),
    "with-a-status": lambda: ((part for part in "ab"), 200),
    "response": lambda: Response(part for part in "ab"),
}


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS.keys())
@pytest.mark.parametrize("is_shared", [False, True])
def test_a_stream_that_is_returned_is_an_error(make, is_shared, log, failure):
    get_db = log.opening("db")

    def check(db=Depends(get_db)): ...

    def show(db=Depends(get_db)):
        return make()

    client = client_of(show, dependencies=[check] if is_shared else [])

    assert client.get("/").status_code == 500
    assert str(failure()) == (
        "The view has returned a stream, but depends on a generator that is closed"
        ' before it is sent. Write Depends(..., scope="request"), or open what it'
        " yields inside of the stream."
    )
    assert log == rolled_back("db", "TypeError")


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS.keys())
def test_a_stream_that_is_returned_beside_a_guard_is_sent(make, log):
    def show():
        return make()

    client = client_of(show, dependencies=[log.opening("db")])

    assert client.get("/").text == "ab"
    assert log == COMMITTED


def test_a_stream_is_sent_beside_generators_of_guards_alone(log):
    def find_user(token: str, db=Depends(log.opening("login"))) -> str:
        return token

    def find_agent(token: str) -> t.Iterator[str]:
        yield from log.opening("agent")()

    user = HTTPBearer("user", verify=find_user)
    agent = APIKey("agent", "X-Agent", verify=find_agent)

    def check(agent: t.Annotated[str, agent], db=Depends(log.opening("guard"))): ...

    def show(user: t.Annotated[str, user]) -> t.Iterator[str]:
        log.append("first item")
        yield user

    client = client_of(show, dependencies=[check])
    headers = {"Authorization": "Bearer Ann", "X-Agent": "007"}

    assert client.get("/", headers=headers).text == "Ann"
    assert log[-7:] == [
        *("commit guard", "close guard", "commit agent", "close agent"),
        *("commit login", "close login", "first item"),
    ]


def test_generators_on_flask_itself(log):
    bp = Blueprint("bp", __name__)

    @bp.get("/<how>")
    def show(how: str, db=Depends(log.opening("db"))):
        return leave(how)

    app = flask.Flask(__name__)
    app.register_blueprint(bp)
    client = app.test_client()

    assert client.get("/return").status_code == 200
    assert client.get("/abort").status_code == 409
    assert log == [*COMMITTED, *rolled_back("db", "Conflict")]


def test_a_decorator_may_close_a_generator_by_itself(log):
    def decorator(function):
        def wrapper(*args, **kwargs):
            generator = function(*args, **kwargs)
            value = next(generator)
            next(generator, None)
            return value

        return wrapper

    def show(db=Depends(decorator(log.opening("db")))) -> str:
        log.append("view")
        return db

    assert client_of(show).get("/").text == "db"
    assert log == [*COMMITTED, "view"]


def test_what_is_written_at_once_may_be_given_as_a_generator(log):
    def show(db=Depends(log.opening("db"))) -> list[int]:
        return (n for n in range(3))

    assert client_of(show).get("/").json == [0, 1, 2]
    assert log == COMMITTED
