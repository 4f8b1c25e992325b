"""What a client is told when a request does not fit, and when anything else fails."""

import copy
import dataclasses
import datetime
import decimal
import json
import logging
import math
import pickle
import typing as t

import flask
import pydantic
import pytest
from client import check_problem, client_of, echo, refusals, taking
from flask import abort
from flask.json.provider import DefaultJSONProvider
from models import Cat, Color, Dog
from pydantic import AfterValidator, BaseModel, ByteSize, Field, FilePath, StrictBool
from pydantic_core import PydanticCustomError
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import (
    HTTPException,
    NotFound,
    ServiceUnavailable,
    Unauthorized,
    UnprocessableEntity,
)
from werkzeug.http import HTTP_STATUS_CODES

from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    Flask,
    Header,
    Query,
    RequestValidationError,
    ResponseValidationError,
)

MISSING = {"loc": ["query", "n"], "msg": "Field required", "type": "missing"}
NEUTRAL = {"message": "An internal error occurred."}
FORMATS = ["pydantic2", "pydantic1", "problem", "fastapi"]


def needs_n(n: int):
    return echo(n=n)


class Closed(BaseModel, extra="forbid"):
    """A model without fields, which takes nothing else."""


class TestShape:
    @pytest.mark.parametrize("config", [None, {}], ids=["bare", "init_app"])
    @pytest.mark.parametrize("mode", ["", "TESTING", "DEBUG", "PROPAGATE_EXCEPTIONS"])
    def test_refusal_is_the_same_with_and_without_init_app_in_every_mode(
        self, config, mode
    ):
        client = client_of(needs_n, config=config)
        if mode:
            client.application.config[mode] = True
        response = client.get("/")

        assert response.status_code == 422
        assert response.content_type == "application/json"
        assert response.json == {"detail": [MISSING]}

    def test_refusal_is_the_same_below_a_plain_application(self):
        bp = Blueprint("bp", __name__)
        bp.get("/")(needs_n)
        app = flask.Flask(__name__)
        app.register_blueprint(bp)

        assert app.test_client().get("/").json == {"detail": [MISSING]}

    def test_refusal_is_the_same_for_every_location(self):
        def view(
            q: int = Query(),
            h: int = Header(alias="X-H"),
            c: int = Cookie(),
            b: int = Body(),
        ):
            raise AssertionError

        response = client_of(view, "/", "POST").post("/", json={})
        places = [["query", "q"], ["header", "X-H"], ["cookie", "c"], ["body", "b"]]
        assert response.json["detail"] == [{**MISSING, "loc": loc} for loc in places]

    def test_refusal_is_not_used_for_what_a_view_raises(self):
        def view():
            Cat(kind="secret")

        response = client_of(view, config={}).get("/")
        assert (response.status_code, response.json) == (500, NEUTRAL)


def refused_with(error: Exception) -> t.Any:
    """An integer whose validator raises."""

    def refuse(value: t.Any) -> t.Any:
        raise error

    return t.Annotated[int, AfterValidator(refuse)]


NEW_YEAR = datetime.date(2020, 1, 1)
HOUR = datetime.timedelta(hours=1)
UNREADABLE = {"error": "The value can't be read."}
OWN_ERROR = PydanticCustomError("own", "Own {a}", {"a": object, "b": {1: Color}})


class TestContext:
    """What Pydantic puts into ``ctx`` is anything; what is answered is JSON."""

    @pytest.mark.parametrize(
        ("annotation", "text", "ctx"),
        [
            (
                t.Annotated[decimal.Decimal, Field(ge=decimal.Decimal("1.5"))],
                "1",
                {"ge": "1.5"},
            ),
            (
                t.Annotated[datetime.date, Field(gt=NEW_YEAR)],
                "2019-01-01",
                {"gt": "2020-01-01"},
            ),
            (t.Annotated[datetime.timedelta, Field(le=HOUR)], "PT2H", {"le": "1 hour"}),
            (t.Annotated[float, Field(lt=float("inf"))], "inf", {"lt": "Infinity"}),
            (Color, "pink", {"expected": "'red' or 'blue'"}),
            (t.Annotated[str, Field(pattern="^a$")], "b", {"pattern": "^a$"}),
            (refused_with(ValueError("no")), "1", {"error": "no"}),
            (refused_with(ValueError()), "1", {"error": ""}),
            (refused_with(AssertionError("no")), "1", {"error": "no"}),
            (refused_with(ValueError("\ud800")), "1", UNREADABLE),
            (refused_with(OWN_ERROR), "1", {"a": str(object), "b": {"1": str(Color)}}),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_error_context_is_json(self, annotation, text, ctx):
        client = client_of(taking(annotation))
        response = client.get("/", query_string={"x": text})

        assert response.status_code == 422
        (entry,) = json.loads(response.data, parse_constant=pytest.fail)["detail"]
        assert entry["ctx"] == ctx


SECRET = "s3cr3t-marker"


def overflow(value: t.Any) -> t.Any:
    raise OverflowError(SECRET)


def go_deeper(value: int) -> int:
    return go_deeper(value)


Far = t.Annotated[int, AfterValidator(overflow)]


class Model(BaseModel):
    near: int = 0
    far: Far = 0


class Strict(Model, strict=True): ...


def of_a_value(a: int, far: Far, b: int = 0): ...
def of_python(far: t.Annotated[int, AfterValidator(go_deeper)], n: int = 0): ...
def of_a_model(a: int, m: Model, h: int = Header(0)): ...
def of_a_header(m: t.Annotated[Model, Header()], a: int = 0): ...
def of_a_strict_model(m: Strict): ...
def of_one_key(far: Far): ...
def of_two_values(far: Far, further: Far): ...


STRAY: dict[str, tuple[t.Any, str, dict[str, t.Any], list[str]]] = {
    "value": (of_a_value, "/?a=1&far=2&b=3", {}, ["query", "far"]),
    "model": (of_a_model, "/?a=1&near=1&far=2", {}, ["query", "far"]),
    "header": (
        of_a_header,
        "/",
        {"headers": {"Near": "1", "Far": "2"}},
        ["header", "Far"],
    ),
    "path": (of_a_value, "/1/2", {}, ["path", "far"]),
    "strict-model": (of_a_strict_model, "/?near=1&far=2", {}, ["query", "far"]),
    "beside-a-failure": (of_a_value, "/?a=x&far=2", {}, ["query", "far"]),
    "body": (of_one_key, "/", {"method": "POST", "json": {"far": 1}}, ["body"]),
    "two-values": (of_two_values, "/?far=1&further=2", {}, ["query"]),
}


@pytest.mark.parametrize(("view", "url", "options", "place"), STRAY.values(), ids=STRAY)
def test_stray_error_is_reported_at_the_value_that_it_came_from(
    view, url, options, place
):
    rule = "/<a>/<far>" if place[0] == "path" else "/"
    client = client_of(view, rule, options.get("method", "GET"))

    assert client.open(url, **options).json == {
        "detail": [
            {
                "loc": place,
                "msg": "Value error, The value is out of range.",
                "type": "value_error",
                "ctx": {"error": "The value is out of range."},
            }
        ]
    }


def test_stray_error_of_python_going_too_deep_is_reported_like_others():
    response = client_of(of_python).get("/?n=1&far=2")

    assert refusals(response) == [(["query", "far"], "value_error")]
    (entry,) = response.json["detail"]
    assert entry["msg"] == "Value error, The value can't be read."


TAG = "Input tag found using 'kind'"


class TestSecrets:
    """What was sent is neither answered nor logged."""

    @pytest.mark.parametrize(
        ("annotation", "sent", "message"),
        [
            (
                t.Annotated[Cat | Dog, Field(discriminator="kind")],
                {"kind": SECRET},
                f"{TAG} does not match any of the expected tags: 'cat', 'dog'",
            ),
            (ByteSize, f"1{SECRET}", "could not interpret byte unit"),
        ],
    )
    def test_messages_of_pydantic_that_repeat_the_value_do_not(
        self, annotation, sent, message, caplog
    ):
        caplog.set_level(logging.DEBUG)
        client = client_of(taking(annotation, Body(embed=True)), "/", "POST")
        response = client.post("/", json={"x": sent})

        assert response.status_code == 422
        assert response.json["detail"][0]["msg"] == message
        assert SECRET not in response.text + caplog.text

    @pytest.mark.parametrize("form", FORMATS)
    def test_row_78_a_value_beside_a_failure_is_not_told(self, form, caplog):
        caplog.set_level(logging.DEBUG)

        class Account(BaseModel, extra="forbid"):
            name: str
            pin: int
            born: datetime.date

        def view(
            account: Account,
            token: int = Header(),
            session: int = Cookie(),
            q: list[int] = Query(),
        ):
            raise AssertionError

        config = {"SIGNATURE_ERROR_FORMAT": form}
        response = client_of(view, "/", "POST", config=config).post(
            f"/?q={SECRET}",
            json={"password": SECRET, "pin": SECRET, "born": SECRET},
            headers={"Token": SECRET, "Cookie": f"session={SECRET}"},
        )

        assert response.status_code == (400 if form == "pydantic1" else 422)
        assert SECRET not in response.text + caplog.text


class TestLimits:
    def test_row_79_at_most_a_hundred_entries_of_all_locations(self):
        def view(n: list[int], q: list[int] = Query()):
            raise AssertionError

        client = client_of(view, "/", "POST")
        found = refusals(client.post("/?q=1", json=["x"] * 150))
        assert len(found) == 100
        assert found[-1] == (["body", 99], "int_parsing")
        found = refusals(client.post(f"/?{'q=x&' * 60}", json=["x"] * 60))
        assert len(found) == 100
        assert found[59] == (["query", "q", 59], "int_parsing")
        assert found[60] == (["body", 0], "int_parsing")

    def test_texts_are_cut_at_two_hundred_characters(self):
        choices = t.Literal[tuple(f"choice{number}" for number in range(100))]

        def view(x=Query(), closed=Query(None)):
            raise AssertionError

        view.__annotations__ = {"x": choices, "closed": Closed | None}
        response = client_of(view).get("/", query_string={"x": "a", "k" * 1000: "1"})
        literal, extra = response.json["detail"]
        assert len(literal["msg"]) == len(literal["ctx"]["expected"]) == 200
        assert extra["loc"] == ["query", "k" * 200]

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize("character", ["k", "é", "\x01", "\U0001f600", '"'])
    def test_the_answer_is_below_64_kib(self, form, character):
        sent = {f"{character * 300}{number}": 1 for number in range(100)}
        sent |= {f"{number}{character * 300}": 1 for number in range(100)}
        config = {"SIGNATURE_ERROR_FORMAT": form}
        client = client_of(taking(Closed), "/", "POST", config=config)
        response = client.post("/", json=sent)

        assert len(response.data) < 64 * 1024
        assert json.loads(response.data)

    def test_a_place_that_is_too_deep_is_reported_by_its_location(self):
        Deep: t.Any = int
        sent: t.Any = "x"
        for _ in range(80):
            Deep = dict[str, Deep]
            sent = {"\x01" * 200: sent}
        response = client_of(taking(Deep), "/", "POST").post("/", json=sent)

        assert refusals(response) == [(["body"], "int_parsing")]


class TestForms:
    def ask(self, form: str, query: str = "") -> t.Any:
        def view(n: t.Annotated[int, Query(ge=1)], m: int = 1):
            return {}

        config = {"SIGNATURE_ERROR_FORMAT": form}
        return client_of(view, config=config).get(f"/{query}")

    def test_error_format_of_pydantic_1(self):
        response, missing = self.ask("pydantic1", "?n=0&m=x"), self.ask("pydantic1")

        assert (response.status_code, response.content_type) == (400, JSON)
        assert response.json == {
            "detail": [
                {
                    "loc": ["query", "n"],
                    "msg": "ensure this value is greater than or equal to 1",
                    "type": "value_error.number.not_ge",
                    "ctx": {"limit_value": 1},
                },
                {
                    "loc": ["query", "m"],
                    "msg": "value is not a valid integer",
                    "type": "type_error.integer",
                },
            ]
        }
        words = {"msg": "field required", "type": "value_error.missing"}
        assert missing.json == {"detail": [{**MISSING, **words}]}

    def test_error_format_of_pydantic_1_tells_a_null_of_a_body(self):
        class Item(BaseModel):
            n: int
            on: StrictBool = False
            tags: list[str] = []

        config = {"SIGNATURE_ERROR_FORMAT": "pydantic1"}
        client = client_of(taking(Item), "/", "POST", config=config)

        response = client.post("/", json={"n": None, "on": "yes", "tags": [None, 1]})
        null = client.post("/", data="null", content_type="application/json")

        assert [(entry["loc"], entry["type"]) for entry in response.json["detail"]] == [
            (["body", "n"], "type_error.none.not_allowed"),
            (["body", "on"], "value_error.strictbool"),
            (["body", "tags", 0], "type_error.none.not_allowed"),
            (["body", "tags", 1], "type_error.str"),
        ]
        assert null.json["detail"] == [
            {
                "loc": ["body"],
                "msg": "none is not an allowed value",
                "type": "type_error.none.not_allowed",
            }
        ]

    def test_error_format_of_rfc_9457(self):
        members = {"detail": "The request is not valid.", "errors": [MISSING]}
        response = self.ask("problem")

        check_problem(response, 422, "Unprocessable Content", members)

    def test_error_format_does_not_change_what_the_exception_says(self):
        client = client_of(needs_n, config={"SIGNATURE_ERROR_FORMAT": "pydantic1"})

        @client.application.errorhandler(RequestValidationError)
        def answer(error):
            return {"own": error.errors}, 418

        response = client.get("/")
        assert (response.status_code, response.json) == (418, {"own": [MISSING]})


@dataclasses.dataclass
class Point:
    x: int
    y: int


def client_with(*views: t.Callable[..., t.Any], **config: t.Any) -> t.Any:
    """A client of an application, each of whose views is found under its own name."""
    app = Flask(__name__)
    app.config.update(config)
    for view in views:
        app.get(f"/{view.__name__}")(view)
    app.init_app()
    return app.test_client()


def not_found():
    abort(404)


def fail():
    raise RuntimeError("secret")


def login():
    raise Unauthorized(www_authenticate=[WWWAuthenticate("basic", {"realm": "x"})])


def wait():
    raise ServiceUnavailable(retry_after=30)


SAID: dict[str, tuple[t.Any, t.Any]] = {
    "string": ("No such item: <b>é</b>", "No such item: <b>é</b>"),
    "dict": ({"code": 7}, {"code": 7}),
    "list": ([{"code": 7}, "b"], [{"code": 7}, "b"]),
    "dataclass": (Point(1, 2), {"x": 1, "y": 2}),
    "date": (
        {"on": datetime.date(2031, 1, 31)},
        {"on": "Fri, 31 Jan 2031 00:00:00 GMT"},
    ),
    "nan": ({"left": math.nan, "text": "\ud800"}, {"left": None, "text": "\ud800"}),
    "int": (7, "7"),
    "error": (ValueError("no"), "no"),
    "model": (Cat(kind="cat"), {"kind": "cat"}),
    "model-inside": ({"cat": Cat(kind="cat")}, {"cat": {"kind": "cat"}}),
    "keys": ({1: 2, "a": 3}, {"1": 2, "a": 3}),
    "any": ({"cat": object}, "{'cat': <class 'object'>}"),
}


JSON, HTML, PROBLEM = "application/json", "text/html", "application/problem+json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class TestGenericHandlers:
    @pytest.mark.parametrize("code", [400, 403, 404, 409, 418, 503])
    def test_generic_handlers_say_the_name_of_the_status(self, code):
        response = client_of(lambda: abort(code), config={}).get("/")

        assert response.status_code == code
        assert response.content_type == "application/json"
        assert response.json == {"message": HTTP_STATUS_CODES[code]}

    @pytest.mark.parametrize(("description", "message"), SAID.values(), ids=SAID)
    def test_generic_handlers_send_what_the_author_said_as_json(
        self, description, message
    ):
        client = client_of(lambda: abort(409, description), responses=[409], config={})
        response = client.get("/")

        assert response.status_code == 409
        assert response.content_type == "application/json"
        assert response.json == {"message": message}

    def test_generic_handlers_ask_the_provider_of_the_application(self, app, client):
        class Provider(DefaultJSONProvider):
            @staticmethod
            def default(o):
                return o.model_dump()

        app.json = Provider(app)
        app.get("/", responses=[409])(lambda: abort(409, Cat(kind="cat")))
        app.init_app()
        assert client.get("/").json == {"message": {"kind": "cat"}}

    def test_generic_handlers_keep_the_methods_that_are_allowed(self):
        response = client_with(needs_n).delete("/needs_n")

        assert response.status_code == 405
        assert response.json == {"message": "Method Not Allowed"}
        assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}

    def test_generic_handlers_keep_the_headers_of_the_exception(self):
        client = client_with(login, wait)

        assert client.get("/login").headers["WWW-Authenticate"] == "Basic realm=x"
        assert client.get("/login").json == {"message": "Unauthorized"}
        assert client.get("/wait").headers["Retry-After"] == "30"

    def test_generic_handlers_keep_the_response_of_the_exception(self):
        response = client_of(lambda: abort(flask.Response("own", 418)), config={}).get(
            "/"
        )

        assert (response.status_code, response.text) == (418, "own")

    def test_generic_handlers_leave_redirects_alone(self):
        response = client_of(lambda: "", "/folder/", config={}).get("/folder")

        assert response.status_code == 308
        assert response.headers["Location"].endswith("/folder/")

    @pytest.mark.parametrize(
        ("form", "accept", "mimetype"),
        [
            ("pydantic2", None, JSON),
            ("pydantic2", "*/*", JSON),
            ("pydantic2", "application/json", JSON),
            ("pydantic2", "text/html", HTML),
            ("pydantic2", "text/html, application/json", JSON),
            ("pydantic2", "text/html;q=0.5, application/json", JSON),
            ("pydantic2", "text/html, application/json;q=0.5", HTML),
            ("pydantic2", BROWSER, HTML),
            ("pydantic2", "text/plain", JSON),
            ("problem", "application/problem+json, text/html;q=0.5", PROBLEM),
            ("problem", "application/json, text/html;q=0.5", PROBLEM),
            ("problem", "application/problem+json;q=0.5, text/html", HTML),
        ],
    )
    def test_generic_handlers_leave_clients_that_prefer_html_to_flask(
        self, form, accept, mimetype
    ):
        client = client_with(not_found, SIGNATURE_ERROR_FORMAT=form)
        headers = {"Accept": accept} if accept else {}
        response = client.get("/not_found", headers=headers)

        assert (response.status_code, response.mimetype) == (404, mimetype)
        assert ("<h1>" in response.text) is (mimetype == HTML)
        # A cache must not give one what is for another. Source: RFC 9110, 12.5.5.
        assert response.headers["Vary"] == "Accept"

    def test_generic_handlers_answer_html_clients_in_json_where_a_request_does_not_fit(
        self,
    ):
        response = client_with(needs_n).get("/needs_n", headers={"Accept": "text/html"})

        assert response.json == {"detail": [MISSING]}

    def test_generic_handlers_leave_the_views_of_plain_blueprints_to_flask(
        self, app, client
    ):
        plain = flask.Blueprint("plain", __name__, url_prefix="/plain")
        plain.get("/")(not_found)
        app.register_blueprint(plain)
        app.init_app()
        response = client.get("/plain/")

        assert (response.status_code, response.mimetype) == (404, "text/html")

    def test_generic_handlers_answer_what_a_view_did_not_mean(self, caplog):
        response = client_with(fail).get("/fail")

        assert (response.status_code, response.json) == (500, NEUTRAL)
        assert "RuntimeError: secret" in caplog.text

    @pytest.mark.parametrize("mode", ["TESTING", "DEBUG", "PROPAGATE_EXCEPTIONS"])
    def test_generic_handlers_do_not_keep_flask_from_propagating(self, mode):
        client = client_with(fail, **{mode: True})

        with pytest.raises(RuntimeError, match="secret"):
            client.get("/fail")


PATHS = {"/needs_n", "/gone", "/fail", "/nowhere"}


class TestHandlersOfTheAuthor:
    """They win, whether they are registered before ``init_app()`` or after."""

    @pytest.fixture(params=["before", "after"])
    def app_and_init(self, request) -> t.Any:
        app = Flask(__name__)
        app.get("/needs_n")(needs_n)
        app.get("/gone", endpoint="gone")(lambda: abort(410))
        app.get("/fail", endpoint="fail")(lambda: 1 / 0)
        if request.param == "after":
            app.init_app()
            return app, lambda: None
        return app, app.init_app

    @pytest.mark.parametrize(
        ("caught", "paths"),
        [
            (410, {"/gone"}),
            (NotFound, {"/nowhere"}),
            (HTTPException, PATHS),
            (Exception, PATHS),
            (RequestValidationError, {"/needs_n"}),
            (422, {"/needs_n"}),
            (400, set()),
            (ZeroDivisionError, {"/fail"}),
        ],
    )
    def test_custom_handler_answers_what_it_is_for(self, app_and_init, caught, paths):
        app, init = app_and_init
        app.register_error_handler(caught, lambda error: ("own", 418))
        init()
        said = {path: app.test_client().get(path) for path in PATHS}

        assert {path for path in PATHS if said[path].text == "own"} == paths
        assert all(said[path].is_json for path in PATHS - paths)

    @pytest.mark.parametrize("register", ["errorhandler", "app_errorhandler"])
    @pytest.mark.parametrize("level", ["outer", "inner"])
    @pytest.mark.parametrize(("caught", "path"), [(410, "/gone"), (422, "/needs_n")])
    def test_custom_handler_of_a_blueprint(
        self, app_and_init, register, level, caught, path
    ):
        app, init = app_and_init
        outer, inner = Blueprint("outer", __name__), Blueprint("inner", __name__)
        view = needs_n if caught == 422 else lambda: abort(410)
        inner.get("/nested", endpoint="nested")(view)
        handled = {"outer": outer, "inner": inner}[level]
        getattr(handled, register)(caught)(lambda error: ("own", caught))
        outer.register_blueprint(inner)
        app.register_blueprint(outer)
        init()

        assert app.test_client().get("/nested").text == "own"
        of_the_app = app.test_client().get(path)
        assert (of_the_app.text == "own") is (register == "app_errorhandler")


def refused(app: t.Any) -> t.Any:
    app.get("/needs_n")(needs_n)
    app.init_app()
    return app.test_client().get("/needs_n")


def catch(view):
    def call(**values):
        try:
            return view(**values)
        except RequestValidationError as error:
            return {"caught": error.errors}

    return call


class Dispatching(Flask):
    # Flask 3.2 passes the application context.
    def dispatch_request(self, *ctx):
        return catch(lambda: super(Dispatching, self).dispatch_request(*ctx))()


class Wrapping(Flask):
    def ensure_sync(self, func):
        return catch(super().ensure_sync(func))


HANDLING = ["handle_user_exception", "handle_http_exception"]


class TestWayThroughFlask:
    """What else sees exceptions in Flask sees that of a request that does not fit."""

    @pytest.mark.parametrize("owner", ["class", "application"])
    @pytest.mark.parametrize("name", HANDLING)
    def test_refusal_passes_method_of_a_subclass_or_an_extension(self, name, owner):
        class Shop(Flask): ...

        def handle(*arguments):
            return type(arguments[-1]).__name__, 418

        app = Shop(__name__)
        setattr(Shop if owner == "class" else app, name, handle)
        assert refused(app).text == "RequestValidationError"

    @pytest.mark.parametrize("cls", [Dispatching, Wrapping])
    def test_refusal_passes_what_a_subclass_puts_around_views(self, cls):
        assert refused(cls(__name__)).json == {"caught": [MISSING]}

    def test_refusal_passes_function_in_the_place_of_the_view(self):
        client = client_of(needs_n, config={})
        views = client.application.view_functions
        views["needs_n"] = catch(views["needs_n"])

        assert client.get("/").json == {"caught": [MISSING]}

    def test_refusal_passes_handler_of_a_blueprint_that_comes_after_the_view(
        self, app, client
    ):
        app.get("/", endpoint="api.items")(needs_n)
        bp = Blueprint("api", __name__)
        bp.register_error_handler(422, lambda error: ("own", 418))
        app.register_blueprint(bp)
        app.init_app()

        assert client.get("/").text == "own"

    def test_refusal_passes_handler_that_is_registered_with_the_method_of_flask(
        self, app
    ):
        flask.Flask.register_error_handler(app, 422, lambda error: ("own", 418))

        assert refused(app).text == "own"

    @pytest.mark.parametrize("owner", ["class", "application"])
    @pytest.mark.parametrize("name", [*HANDLING, "trap_http_exception"])
    def test_refusal_passes_function_of_a_monitor_after_the_first_refusal(
        self, name, owner, monkeypatch
    ):
        app = Flask(__name__)
        assert refused(app).status_code == 422
        target = app if owner == "application" else flask.Flask
        usual = getattr(target, name)
        seen = []

        def watch(*arguments):
            seen.append(type(arguments[-1]))
            return usual(*arguments)

        monkeypatch.setattr(target, name, watch)
        assert app.test_client().get("/needs_n").status_code == 422
        assert seen == [RequestValidationError]

    def test_refusal_is_trapped_by_configuration(self, app):
        app.config["TRAP_HTTP_EXCEPTIONS"] = True

        assert refused(app).json == {"detail": [MISSING]}

    def test_refusal_passes_decorator_around_the_route(self, app, client):
        bp = Blueprint("bp", __name__, decorators=[catch])
        bp.get("/")(needs_n)
        app.register_blueprint(bp)
        app.init_app()

        assert client.get("/").json == {"caught": [MISSING]}

    def test_hooks_see_the_response_to_a_refusal(self, app):
        class Own(flask.Response): ...

        app.response_class = Own
        seen = []
        app.after_request(lambda response: seen.append(response) or response)
        app.teardown_request(seen.append)
        refused(app)
        response, error = seen
        assert (type(response), response.status_code) == (Own, 422)
        assert error is None


def test_the_exception_is_one_of_werkzeug():
    client = client_of(needs_n)

    @client.application.errorhandler(HTTPException)
    def answer(error):
        return {"code": error.code, "name": error.name, "says": error.description}

    assert client.get("/").json == {
        "code": 422,
        "name": UnprocessableEntity().name,
        "says": "The request is not valid.",
    }


def pickled(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_the_exception_can_be_copied(again):
    client = client_of(needs_n)
    seen = []

    @client.application.errorhandler(RequestValidationError)
    def answer(error):
        seen.append(again(error))
        return seen[0].get_response()

    assert client.get("/").json == {"detail": [MISSING]}
    assert seen[0].errors == [MISSING]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_the_exception_of_a_response_can_be_copied(again):
    error = ResponseValidationError("wrong", view="v()", rule="GET /", body=[1])
    found = again(error)

    assert (str(found), found.view, found.rule) == ("wrong", "v()", "GET /")
    assert (found.body, found.code) == ([1], 500)


# ---- what Pydantic and Python raise for some values, and is a refusal

CONSTRAINED = {
    "union": int | str,
    "optional": str | int | None,
    "any": t.Any,
    "json": pydantic.JsonValue,
    "literal": t.Literal["a", 1],
    "list": list[t.Annotated[int | str, Field(ge=1)]],
    "dict": dict[str, t.Annotated[float | str | None, Field(ge=1)]],
}
VALUES: list[t.Any] = ["a", 3, None, [], {}, ["a"], {"k": "a"}, 1.5, True]


@pytest.mark.parametrize("annotation", CONSTRAINED.values(), ids=CONSTRAINED)
@pytest.mark.parametrize("constraint", ["ge", "max_length", "multiple_of"])
def test_constraint_that_a_member_has_no_use_for_is_a_refusal(annotation, constraint):
    constrained = t.Annotated[annotation, Field(**{constraint: 2})]
    view = taking(pydantic.create_model("Model", x=(constrained, ...)))
    client = client_of(view, method="POST", config={})

    statuses = {client.post("/", json={"x": value}).status_code for value in VALUES}
    assert statuses <= {201, 422}


def test_error_of_a_validator_is_the_authors():
    def fail(value):
        raise TypeError("Unable to do it")

    def view(body: t.Annotated[int, AfterValidator(fail)], n: int = Query(1)): ...

    client = client_of(view, method="POST", config={})
    assert client.post("/", json={"body": 1}).status_code == 500


def test_name_of_a_file_that_is_too_long_is_refused():
    def view(body: FilePath, path: FilePath = Query(...)):
        return {}

    client = client_of(view, method="POST", config={})
    response = client.post(f"/?path={'x' * 300}", json={"body": "x" * 300})
    assert response.status_code == 422
