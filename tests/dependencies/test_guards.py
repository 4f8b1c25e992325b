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
from pydantic import BaseModel

from flask_signature import Blueprint, Depends, Flask, Header, SignatureError
from flask_signature._types.annotations import show_type
from flask_signature.security import HTTPBearer


def noting(seen, name):
    """A guard that writes its name down."""

    def guard():
        seen.append(name)

    return guard


def test_guards_run_from_the_outside_in():
    seen = []
    inner = Blueprint("inner", __name__, dependencies=[noting(seen, "inner")])
    outer = Blueprint("outer", __name__, dependencies=[noting(seen, "outer")])

    @inner.get("/", dependencies=[noting(seen, "route"), noting(seen, "route 2")])
    def show() -> str:
        seen.append("view")
        return ""

    outer.register_blueprint(inner, dependencies=[noting(seen, "inner registered")])
    app = Flask(
        __name__, dependencies=[noting(seen, "app"), Depends(noting(seen, "app 2"))]
    )
    app.register_blueprint(outer, dependencies=[noting(seen, "outer registered")])

    assert app.test_client().get("/").status_code == 200
    assert seen == [
        "app",
        "app 2",
        "outer registered",
        "outer",
        "inner registered",
        "inner",
        "route",
        "route 2",
        "view",
    ]


def test_decorators_are_outside_of_guards():
    seen = []

    def decorator(name):
        def decorate(view):
            def wrapper(*args, **kwargs):
                seen.append(name)
                return view(*args, **kwargs)

            return wrapper

        return decorate

    bp = Blueprint(
        "bp",
        __name__,
        decorators=[decorator("blueprint")],
        dependencies=[noting(seen, "guard")],
    )

    @bp.get("/", decorators=[decorator("route")])
    def show(value=Depends(noting(seen, "signature"))) -> str:
        seen.append("view")
        return ""

    app = Flask(__name__)
    app.before_request(noting(seen, "before_request"))
    app.register_blueprint(bp)

    assert app.test_client().get("/").status_code == 200
    assert seen == [
        "before_request",
        "blueprint",
        "route",
        "guard",
        "signature",
        "view",
    ]


def test_a_guard_pulls_what_it_depends_on_forward():
    seen = []

    def get_db():
        seen.append("open")
        yield "db"
        seen.append("close")

    def check(db=Depends(get_db)):
        seen.append("check")

    def other():
        seen.append("other")

    def show(n: int, other=Depends(other), db=Depends(get_db)) -> str:
        seen.append("view")
        return db

    client = client_of(show, dependencies=[check])

    assert client.get("/?n=1").text == "db"
    assert seen == ["open", "check", "other", "view", "close"]
    seen.clear()
    assert client.get("/?n=x").status_code == 422
    # The refusal is raised in the generator, which does not go on.
    assert seen == ["open", "check"]


def test_a_guard_refuses_before_the_body_is_read():
    def check():
        abort(403)

    def add(item: dict[str, int]) -> str: ...

    client = client_of(add, "/", "POST", dependencies=[check])

    assert client.post("/", data="{", content_type="text/plain").status_code == 403


REFUSALS = {
    "response": lambda: Response("no", 403),
    "status-tuple": lambda: ("no", 403),
    "status-and-headers": lambda: ("no", 403, {}),
    "model-with-status": lambda: ({"no": 1}, 404),
    "redirection": lambda: ("", 302, {"Location": "/login"}),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS.keys())
def test_a_guard_that_returns_a_response_lets_nobody_in(refusal, caplog):
    def check():
        return refusal()

    def show(): ...

    assert client_of(show, dependencies=[check]).get("/").status_code == 500
    assert str(caplog.records[-1].exc_info[1]) == (
        "check() has returned a response, which is not sent. Raise an exception, or"
        " call abort()."
    )


def test_what_a_guard_returns_is_thrown_away():
    def check():
        return "no", 1

    def show() -> str:
        return "shown"

    assert client_of(show, dependencies=[check]).get("/").text == "shown"


SAID = {
    **{
        name: (value, "a response, which is not sent")
        for name, value in REFUSALS.items()
    },
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
def test_a_guard_that_says_no_lets_nobody_in(kind, is_taken, value, said, caplog):
    check = kind(value)

    def show() -> str:
        return "in"

    def take(value=Depends(check)) -> str:
        return "in"

    client = client_of(take if is_taken else show, dependencies=[check])

    assert client.get("/").status_code == 500
    assert str(caplog.records[-1].exc_info[1]) == (
        f"check() has returned {said}. Raise an exception, or call abort()."
    )


def verify_with(check):
    def verify(token: str, value=Depends(check)) -> str:
        return token

    return verify


@KINDS
@pytest.mark.parametrize("base", [Flask, flask.Flask])
def test_a_guard_that_says_no_is_heard_wherever_it_is_called(kind, base, caplog):
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

    @bp.get("/pulled-forward", security=token)
    def show() -> str:
        return "in"

    @bp.get("/by-a-user")
    def take(user: t.Annotated[str, token], value=Depends(check)) -> str:
        return "in"

    app = base(__name__)
    app.register_blueprint(bp)
    client = app.test_client()
    paths = ["plain", "methods", "dispatches", "pulled-forward", "by-a-user"]

    for path in paths:
        response = client.get(path, headers={"Authorization": "Bearer Ann"})
        assert response.status_code == 500, path
        said = str(caplog.records[-1].exc_info[1])
        assert said.startswith("check() has returned False, which refuses no request.")


def test_what_stands_for_a_guard_in_tests_says_no_as_well(caplog):
    def check() -> None: ...

    app = Flask(__name__)

    @app.get("/", dependencies=[check])
    def show() -> str:
        return "in"

    app.dependency_overrides[check] = lambda: False

    assert app.test_client().get("/").status_code == 500
    assert "<lambda>() has returned False" in str(caplog.records[-1].exc_info[1])


def test_a_guard_may_return_true():
    def check() -> bool:
        return True

    def show() -> str:
        return "in"

    assert client_of(show, dependencies=[check]).get("/").text == "in"


def test_a_guard_whose_value_is_taken_may_return_a_function():
    def check():
        return lambda: "called"

    def show(function=Depends(check)) -> str:
        return function()

    assert client_of(show, dependencies=[check]).get("/").text == "called"


def test_a_function_that_makes_guards_is_none(caplog):
    def need(role: str = "admin"):
        def check() -> None: ...

        return check

    def show() -> str:
        return "in"

    assert client_of(show, dependencies=[need]).get("/").status_code == 500
    assert str(caplog.records[-1].exc_info[1]) == (
        "need() has returned a function, which is not called. Give that function"
        " itself: what need() returns."
    )
    assert client_of(show, dependencies=[need()]).get("/").text == "in"


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

    def show() -> str: ...

    with pytest.raises(SignatureError) as caught:
        client_of(show, dependencies=[check])
    assert str(caught.value).rpartition(" (")[0] == (
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

    def show() -> str:
        return "in"

    assert client_of(show, dependencies=[check]).get("/").text == "in"


def test_guards_of_the_application_leave_what_is_not_ours_alone(tmp_path):
    seen = []
    (tmp_path / "file.txt").write_text("static")
    app = Flask(
        __name__,
        dependencies=[noting(seen, "app")],
        static_folder=str(tmp_path),
        static_url_path="/static",
    )
    plain = flask.Blueprint("plain", __name__)

    @plain.get("/plain")
    def show():
        return "plain"

    app.register_blueprint(plain)
    app.init_app()
    client = app.test_client()

    assert client.get("/plain").text == "plain"
    assert client.get("/static/file.txt", buffered=True).text == "static"
    assert client.get("/openapi.json").status_code == 200
    assert client.get("/none").status_code == 404
    assert seen == []


def test_guards_of_a_blueprint_guard_everything_inside(tmp_path):
    (tmp_path / "file.txt").write_text("static")

    def check(token: str = Header()):
        if token != "good":
            abort(403)

    bp = Blueprint(
        "bp",
        __name__,
        url_prefix="/bp",
        static_folder=str(tmp_path),
        static_url_path="/static",
        dependencies=[check],
    )
    plain = flask.Blueprint("plain", __name__)

    @plain.get("/plain/<n>")
    def show(n):
        return f"plain {n}"

    bp.register_blueprint(plain)
    app = Flask(__name__)
    app.register_blueprint(bp)
    app.init_app()
    client = app.test_client()

    for path, text in (("/bp/plain/7", "plain 7"), ("/bp/static/file.txt", "static")):
        assert client.get(path, headers={"Token": "good"}, buffered=True).text == text
        assert client.get(path, headers={"Token": "bad"}).status_code == 403
        response = client.get(path)
        assert response.status_code == 422
        assert response.json["detail"][0]["loc"] == ["header", "Token"]


def test_a_guard_of_a_plain_view_takes_its_variables_and_has_a_generator():
    seen = []

    def get_db(n: int):
        seen.append(f"open {n}")
        try:
            yield "db"
        finally:
            seen.append("close")

    bp = Blueprint("bp", __name__, dependencies=[get_db])
    plain = flask.Blueprint("plain", __name__)

    @plain.get("/<int:n>")
    def show(n):
        seen.append(f"view {n}")
        return "plain"

    bp.register_blueprint(plain)
    app = Flask(__name__)
    app.register_blueprint(bp)

    assert app.test_client().get("/7").text == "plain"
    assert seen == ["open 7", "view 7", "close"]


def test_guards_are_described():
    def check(x_token: str = Header()): ...

    bp = Blueprint(
        "bp", __name__, dependencies=[Depends(check, responses={418: dict[str, int]})]
    )

    @bp.get("/")
    def show() -> str: ...

    app = Flask(__name__)
    app.register_blueprint(bp)
    app.init_app()
    document = app.test_client().get("/openapi.json").json["paths"]["/"]["get"]

    assert [item["name"] for item in document["parameters"]] == ["X-Token"]
    assert sorted(document["responses"]) == ["200", "418", "422"]


def test_without_arguments_there_is_no_422():
    def show(value=Depends(lambda: 1)) -> str: ...

    client = client_of(show, config={})
    document = client.get("/openapi.json").json["paths"]["/"]["get"]

    assert sorted(document["responses"]) == ["200"]


def test_a_method_view_has_dependencies_for_each_method():
    seen = []

    class Books(MethodView):
        init_every_request = False

        def get(self, book_id: int, db=Depends(lambda: "db")) -> str:
            return f"get {book_id} {db}"

        async def post(self, book_id: int, n: int = Depends(lambda: 5)) -> str:
            return f"post {book_id} {n}"

    app = Flask(__name__)
    view = Books.as_view("books")
    app.add_url_rule(
        "/<int:book_id>", view_func=view, dependencies=[noting(seen, "guard")]
    )
    client = app.test_client()

    assert client.get("/7").text == "get 7 db"
    assert client.post("/7").text == "post 7 5"
    assert client.head("/7").status_code == 200
    assert seen == ["guard"] * 3


def test_a_view_class_has_dependencies():
    async def get_db():
        yield "db"

    class Show(View):
        def dispatch_request(self, n: int, db=Depends(get_db)) -> str:
            return f"{n} {db}"

    class ShowAsync(View):
        async def dispatch_request(self, n: int, db=Depends(get_db)) -> str:
            return f"{n} {db}"

    app = Flask(__name__)
    app.add_url_rule("/sync/<int:n>", view_func=Show.as_view("sync"))
    app.add_url_rule("/async/<int:n>", view_func=ShowAsync.as_view("async"))
    client = app.test_client()

    assert client.get("/sync/7").text == "7 db"
    assert client.get("/async/7").text == "7 db"


def test_a_blueprint_on_flask_itself_has_dependencies():
    seen = []

    def get_db(n: int):
        yield f"db {n}"
        seen.append("close")

    def check(x_token: str = Header()):
        seen.append(x_token)

    bp = Blueprint("bp", __name__, dependencies=[check])

    @bp.get("/")
    def show(db=Depends(get_db)) -> str:
        return db

    app = flask.Flask(__name__)
    app.register_blueprint(bp)
    client = app.test_client()

    assert client.get("/?n=7", headers={"X-Token": "a"}).text == "db 7"
    assert seen == ["a", "close"]
    assert client.get("/?n=7").status_code == 422


def test_a_response_of_a_dependency_comes_after_those_of_the_route():
    def get_book(n: int):
        if n == 1:
            return {"title": "x"}
        return abort(404)

    Found = {404: dict[str, int], 409: dict[str, int]}

    def show(
        book=Depends(get_book, responses=Found),
    ) -> dict[str, str]:
        return {"a": 1}, 404

    client = client_of(show, config={}, responses={404: dict[str, str]})
    document = client.get("/openapi.json").json["paths"]["/"]["get"]["responses"]
    schemas = {
        status: response["content"]["application/json"]["schema"]
        for status, response in document.items()
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


def test_options_reaches_no_guard_and_head_does():
    seen = []

    def show() -> str:
        return ""

    client = client_of(show, dependencies=[noting(seen, "guard")])

    assert client.options("/").status_code == 200
    assert client.post("/").status_code == 405
    assert seen == []
    assert client.head("/").status_code == 200
    assert seen == ["guard"]
