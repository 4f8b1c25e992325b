"""What stands in ``dependencies=`` runs before the view, in one order everywhere."""

import typing as t
from collections.abc import Iterator

import flask
import flask.typing
import pytest
import werkzeug
from client import client_of
from flask import Response, abort
from flask.views import MethodView, View
from messages import message_of
from pydantic import BaseModel

from flask_signature import Blueprint, Depends, Flask, Header
from flask_signature._types.annotations import show_type
from flask_signature.security import HTTPBearer


def inside() -> str:
    """A view behind guards."""
    return "in"


def test_guards_run_from_the_outside_in(log):
    inner = Blueprint("inner", __name__, dependencies=[log.noting("inner")])
    outer = Blueprint("outer", __name__, dependencies=[log.noting("outer")])

    @inner.get("/", dependencies=[log.noting("route"), log.noting("route 2")])
    def show() -> str:
        log.append("view")
        return ""

    outer.register_blueprint(inner, dependencies=[log.noting("inner registered")])
    guards = [log.noting("app"), Depends(log.noting("app 2"))]
    app = Flask(__name__, dependencies=guards)
    app.register_blueprint(outer, dependencies=[log.noting("outer registered")])

    assert app.test_client().get("/").status_code == 200
    assert log == [
        *("app", "app 2", "outer registered", "outer"),
        *("inner registered", "inner", "route", "route 2", "view"),
    ]


def test_guards_of_a_registration_hold_for_that_one(app, client):
    bp = Blueprint("gates", __name__)
    bp.get("/gates")(inside)

    def refuse() -> None:
        abort(403)

    app.register_blueprint(bp)
    app.register_blueprint(bp, url_prefix="/closed", name="x", dependencies=[refuse])

    assert client.get("/gates").text == "in"
    assert client.get("/closed/gates").status_code == 403


def test_a_guard_pulls_what_it_depends_on_forward(log):
    get_db = log.opening("db")

    def check(db=Depends(get_db)):
        log.append("check")

    def show(n: int, other=Depends(log.noting("other")), db=Depends(get_db)) -> str:
        log.append("view")
        return db

    client = client_of(show, dependencies=[check])

    assert client.get("/?n=1").text == "db"
    assert log == ["open db", "check", "other", "view", "commit db", "close db"]
    log.clear()
    assert client.get("/?n=x").status_code == 422
    assert log[:2] == ["open db", "check"]
    assert log[2:] == ["roll back db: RequestValidationError", "close db"]


def test_a_guard_refuses_before_the_body_is_read():
    def check():
        abort(403)

    def add(item: dict[str, int]) -> str: ...

    client = client_of(add, "/", "POST", dependencies=[check])

    assert client.post("/", data="{", content_type="text/plain").status_code == 403


NOT_SENT = "a response, which is not sent"
SAID = {
    "response": (lambda: Response("no", 403), NOT_SENT),
    "status-tuple": (lambda: ("no", 403), NOT_SENT),
    "status-and-headers": (lambda: ("no", 403, {}), NOT_SENT),
    "model-with-status": (lambda: ({"no": 1}, 404), NOT_SENT),
    "redirection": (lambda: ("", 302, {"Location": "/login"}), NOT_SENT),
    "false": (lambda: False, "False, which refuses no request"),
    "exception": (lambda: LookupError("no"), "LookupError, which refuses no request"),
    "class": (lambda: LookupError, "LookupError, which refuses no request"),
    "not-implemented": (
        lambda: NotImplemented,
        "NotImplementedType, which refuses no request",
    ),
}


def returning(value):
    def check():
        return value()

    return check


def yielding(value):
    def check():
        yield value()

    return check


def returning_later(value):
    async def check():
        return value()

    return check


def yielding_later(value):
    async def check():
        yield value()

    return check


KINDS = pytest.mark.parametrize(
    "kind", [returning, yielding, returning_later, yielding_later]
)


@pytest.mark.parametrize(("value", "said"), SAID.values(), ids=SAID)
@pytest.mark.parametrize("is_taken", [False, True])
@KINDS
def test_a_guard_that_says_no_lets_nobody_in(kind, is_taken, value, said, failure):
    check = kind(value)

    def take(value=Depends(check)) -> str:
        return "in"

    client = client_of(take if is_taken else inside, dependencies=[check])

    assert client.get("/").status_code == 500
    assert str(failure()) == (
        f"check() has returned {said}. Raise an exception, or call abort()."
    )


def verify_with(check):
    def verify(token: str, value=Depends(check)) -> str:
        return token

    return verify


@KINDS
@pytest.mark.parametrize("base", [Flask, flask.Flask])
def test_a_guard_that_says_no_is_heard_wherever_it_is_called(kind, base, failure):
    check = kind(lambda: False)
    token = HTTPBearer("token", verify=verify_with(check))
    bp = Blueprint("bp", __name__, dependencies=[check])

    class Methods(MethodView):
        def get(self) -> str:
            return "in"

    class Dispatches(View):
        async def dispatch_request(self, value=Depends(check)) -> str:
            return "in"

    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/plain", "plain", lambda: "in")
    bp.register_blueprint(plain)
    bp.add_url_rule("/methods", view_func=Methods.as_view("methods"))
    bp.add_url_rule("/dispatches", view_func=Dispatches.as_view("dispatches"))

    bp.get("/pulled-forward", security=token)(inside)

    @bp.get("/by-a-user")
    def take(user: t.Annotated[str, token], value=Depends(check)) -> str:
        return "in"

    app = base(__name__)
    app.register_blueprint(bp)
    client = app.test_client()

    for path in ("plain", "methods", "dispatches", "pulled-forward", "by-a-user"):
        response = client.get(path, headers={"Authorization": "Bearer Ann"})
        assert response.status_code == 500, path
        said = str(failure())
        assert said.startswith("check() has returned False, which refuses no request.")


def test_what_stands_for_a_guard_in_tests_says_no_as_well(app, client, failure):
    def check() -> None: ...

    app.get("/", dependencies=[check])(inside)
    app.dependency_overrides[check] = lambda: False

    assert client.get("/").status_code == 500
    assert "<lambda>() has returned False" in str(failure())


def test_a_guard_whose_value_is_taken_may_return_a_function():
    def check():
        return lambda: "called"

    def show(function=Depends(check)) -> str:
        return function()

    assert client_of(show, dependencies=[check]).get("/").text == "called"


def test_a_function_that_makes_guards_is_none(failure):
    def need(role: str = "admin"):
        def check() -> None: ...

        return check

    assert client_of(inside, dependencies=[need]).get("/").status_code == 500
    assert str(failure()) == (
        "need() has returned a function, which is not called. Give that function"
        " itself: what need() returns."
    )
    assert client_of(inside, dependencies=[need()]).get("/").text == "in"


ANNOTATIONS = {
    "Response": Response,
    "Response of Werkzeug": werkzeug.Response,
    "Exception": ValueError,
    "two of them": Response | t.Literal[False],
    "tuple[str, int]": tuple[str, int],
    "tuple[str, int, dict[str, str]]": tuple[str, int, dict[str, str]],
    "Literal[False]": t.Literal[False],
    "Iterator[Response]": t.Iterator[Response],
}


@pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=ANNOTATIONS)
@pytest.mark.parametrize("kind", [returning, returning_later])
def test_a_guard_that_can_do_no_more_than_say_no_is_refused(annotation, kind):
    is_iterator = t.get_origin(annotation) is Iterator
    check = (yielding if is_iterator else kind)(lambda: None)
    check.__annotations__["return"] = annotation
    shown = show_type(t.get_args(annotation)[0] if is_iterator else annotation)

    told = message_of(lambda: client_of(inside, dependencies=[check]))
    assert told.rpartition(" (")[0] == (
        "GET /: check() is in dependencies=, but can return nothing but"
        f" {shown!r}, which refuses no request. Raise an exception, or call abort()."
    )


@pytest.mark.parametrize(
    "annotation",
    [
        *(bool, str, None, t.Any, t.NoReturn, Response | None, bool | Response),
        *(tuple[str, str], tuple[int, ...], t.Literal[True, False], t.Iterator[str]),
        flask.typing.ResponseReturnValue,
    ],
    ids=str,
)
def test_a_guard_that_can_return_something_else_is_none_of_these(annotation):
    check = returning(lambda: None)
    check.__annotations__["return"] = annotation

    assert client_of(inside, dependencies=[check]).get("/").text == "in"


@pytest.fixture
def plain(tmp_path, log):
    """A blueprint of Flask with a view, and a folder with a file."""
    (tmp_path / "file.txt").write_text("static")
    plain = flask.Blueprint("plain", __name__)

    @plain.get("/plain/<int:n>")
    def show(n):
        log.append("view")
        return f"plain {n}"

    return plain


def test_a_guard_of_a_plain_view_takes_its_variables_and_has_a_generator(
    app, client, plain, log
):
    def get_db(n: int):
        log.append(f"open {n}")
        try:
            yield "db"
        finally:
            log.append("close")

    bp = Blueprint("bp", __name__, dependencies=[get_db])
    bp.register_blueprint(plain)
    app.register_blueprint(bp)

    assert client.get("/plain/7").text == "plain 7"
    assert log == ["open 7", "view", "close"]


def described(client):
    return client.get("/openapi.json").json["paths"]["/"]["get"]


def test_guards_are_described():
    def check(x_token: str = Header()): ...

    guard = Depends(check, responses={418: dict[str, int]})
    document = described(client_of(inside, config={}, dependencies=[guard]))

    assert [item["name"] for item in document["parameters"]] == ["X-Token"]
    assert sorted(document["responses"]) == ["200", "418", "422"]


def test_without_arguments_there_is_no_422():
    def show(value=Depends(lambda: 1)) -> str: ...

    assert sorted(described(client_of(show, config={}))["responses"]) == ["200"]


def test_a_method_view_has_dependencies_for_each_method(app, client, log):
    class Books(MethodView):
        init_every_request = False

        def get(self, book_id: int, db=Depends(lambda: "db")) -> str:
            return f"get {book_id} {db}"

        async def post(self, book_id: int, n: int = Depends(lambda: 5)) -> str:
            return f"post {book_id} {n}"

    view, guards = Books.as_view("books"), [log.noting("guard")]
    app.add_url_rule("/<int:book_id>", view_func=view, dependencies=guards)

    assert client.get("/7").text == "get 7 db"
    assert client.post("/7").text == "post 7 5"
    assert client.head("/7").status_code == 200
    assert log == ["guard"] * 3


def test_a_view_class_has_dependencies(app, client, written):
    async def get_db():
        yield "db"

    class Show(View):
        @written
        def dispatch_request(self, n: int, db=Depends(get_db)) -> str:
            return f"{n} {db}"

    app.add_url_rule("/<int:n>", view_func=Show.as_view("show"))

    assert client.get("/7").text == "7 db"


def test_a_response_of_a_dependency_comes_after_those_of_the_route():
    responses = {404: dict[str, int], 409: dict[str, int]}

    def show(book=Depends(lambda: 1, responses=responses)) -> dict[str, str]: ...

    client = client_of(show, config={}, responses={404: dict[str, str]})
    schemas = {
        status: response["content"]["application/json"]["schema"]
        for status, response in described(client)["responses"].items()
        if status in ("404", "409")
    }

    assert schemas["404"]["anyOf"][0]["additionalProperties"] == {"type": "string"}
    assert schemas["409"]["anyOf"][0]["additionalProperties"] == {"type": "integer"}


def test_the_response_of_a_dependency_filters_what_the_view_returns():
    class Problem(BaseModel):
        detail: str

    def show(book=Depends(lambda: 1, responses={404: Problem})):
        return {"detail": "none", "secret": "x"}, 404

    response = client_of(show, config={}).get("/")

    assert response.status_code == 404
    assert response.json == {"detail": "none"}


def test_options_reaches_no_guard_and_head_does(log):
    client = client_of(inside, dependencies=[log.noting("guard")])

    assert client.options("/").status_code == 200
    assert client.post("/").status_code == 405
    assert log == []
    assert client.head("/").status_code == 200
    assert log == ["guard"]
