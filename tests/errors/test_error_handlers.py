"""Error handlers whose return annotation is a contract, and ``raises=``."""

import asyncio
import typing as t
import warnings
from http import HTTPStatus

import flask
import pytest
from document import describe
from flask import abort
from messages import message_of, place_of
from models import Item, Problem
from pydantic import BaseModel, create_model
from typing_extensions import TypedDict
from werkzeug.exceptions import Gone, HTTPException, NotFound
from werkzeug.routing import RequestRedirect

from flask_signature import (
    Blueprint,
    Depends,
    Flask,
    RequestValidationError,
    SignatureError,
    SignatureWarning,
)
from flask_signature.errors import ErrorResponse, error_response
from flask_signature.security import HTTPBearer

NEUTRAL = {"message": "An internal error occurred."}


class Other(BaseModel):
    code: int


class Waiting(TypedDict):
    retry_after: int


class ShopError(Exception): ...


class OutOfStock(ShopError): ...


class Sold(Gone):
    """There is no more of it."""


class Closed(ShopError): ...


def sold_out(error: Exception) -> tuple[Problem, t.Literal[409]]:
    return t.cast("Problem", {"reason": str(error), "secret": "hunter2"}), 409


async def sold_out_later(error: Exception) -> tuple[Problem, t.Literal[409]]:
    await asyncio.sleep(0)
    return sold_out(error)


def fail() -> Item:
    raise OutOfStock("none left")


SOLD_OUT = (409, {"reason": "none left"})


def sending(annotation: t.Any, value: t.Any = None) -> t.Any:
    """An error handler with an annotation, which returns a value."""

    def handle(error):
        return value

    handle.__annotations__["return"] = annotation
    return handle


def app_with(
    handler: t.Any = None,
    caught: t.Any = OutOfStock,
    view: t.Any = fail,
    **options: t.Any,
) -> Flask:
    """An application with an error handler, and with a view at ``/``."""
    app = Flask(__name__)
    if handler is not None:
        app.register_error_handler(caught, handler)
    app.get("/", **options)(view)
    return app


def answer_of(app: t.Any, path: str = "/") -> tuple[int, t.Any]:
    response = app.test_client().get(path)
    return response.status_code, response.json


def responses_of(app: Flask, path: str = "/") -> t.Any:
    return describe(app)["paths"][path]["get"]["responses"]


def models_of(app: Flask, path: str = "/") -> dict[str, list[str]]:
    """The names of the models of JSON responses by status."""
    found = {}
    for status, response in responses_of(app, path).items():
        if "content" in response:
            schema = response["content"]["application/json"]["schema"]
            members = schema.get("anyOf", [schema])
            found[status] = [item["$ref"].rpartition("/")[2] for item in members]
    return found


class TestLife:
    @pytest.mark.parametrize("handler", [sold_out, sold_out_later])
    @pytest.mark.parametrize("mode", ["", "TESTING", "DEBUG", "PROPAGATE_EXCEPTIONS"])
    @pytest.mark.parametrize("init", [False, True])
    def test_handler_is_validated_and_filtered(self, handler, mode, init):
        app = app_with(handler)
        if mode:
            app.config[mode] = True
        if init:
            app.init_app()

        assert answer_of(app) == SOLD_OUT

    def test_decorator_returns_the_handler(self):
        assert Flask(__name__).errorhandler(OutOfStock)(sold_out) is sold_out
        bp = Blueprint("bp", __name__)
        assert bp.errorhandler(OutOfStock)(sold_out) is sold_out
        assert bp.app_errorhandler(OutOfStock)(sold_out) is sold_out

    def test_handler_of_a_blueprint_holds_inside_of_it(self):
        value = {"reason": "other"}, 409
        app = app_with()
        outer = Blueprint("outer", __name__, url_prefix="/outer")
        inner = Blueprint("inner", __name__, url_prefix="/inner")
        other = Blueprint("other", __name__, url_prefix="/other")
        outer.errorhandler(OutOfStock)(sold_out)
        other.errorhandler(OutOfStock)(sending(tuple[Problem, t.Literal[409]], value))
        for routes in (outer, inner, other):
            routes.get("/")(fail)
        outer.register_blueprint(inner)
        outer.register_blueprint(other)
        app.register_blueprint(outer)
        app.init_app()

        assert answer_of(app, "/outer/") == SOLD_OUT
        assert answer_of(app, "/outer/inner/") == SOLD_OUT
        assert answer_of(app, "/outer/other/") == (409, {"reason": "other"})
        assert answer_of(app, "/") == (500, NEUTRAL)

    def test_blueprint_may_be_registered_twice_and_on_several_applications(self):
        bp = Blueprint("bp", __name__)
        bp.errorhandler(OutOfStock)(sold_out)
        bp.get("/")(fail)
        one, other = Flask("one"), Flask("other")
        one.register_blueprint(bp, url_prefix="/a")
        one.register_blueprint(bp, url_prefix="/b", name="again")
        other.register_blueprint(bp, url_prefix="/a")

        assert answer_of(one, "/a/") == answer_of(one, "/b/") == SOLD_OUT
        assert answer_of(other, "/a/") == SOLD_OUT
        (stored,) = bp.error_handler_spec[None][None].values()
        assert stored.__wrapped__ is sold_out

    @pytest.mark.parametrize("make", [Flask, flask.Flask])
    @pytest.mark.parametrize("method", ["errorhandler", "app_errorhandler"])
    def test_handler_by_a_blueprint_on_any_application(self, make, method):
        app, bp = make(__name__), Blueprint("bp", __name__)
        getattr(bp, method)(OutOfStock)(sold_out)
        bp.get("/", raises=[OutOfStock])(fail)
        app.register_blueprint(bp)

        if make is Flask:
            assert models_of(app)["409"] == ["Problem"]
        assert answer_of(app) == SOLD_OUT

    @pytest.mark.parametrize("caught", [404, NotFound])
    def test_handler_of_a_status(self, caught):
        def missing(error: NotFound) -> tuple[Problem, t.Literal[404]]:
            return Problem(reason=error.name), 404

        app = app_with(missing, caught)
        app.init_app()
        assert answer_of(app, "/nowhere") == (404, {"reason": "Not Found"})

    def test_handler_of_refusals(self):
        def refuse(error: RequestValidationError) -> tuple[Problem, t.Literal[400]]:
            return Problem(reason=error.errors[0]["msg"]), 400

        def show(n: int) -> Item: ...

        app = app_with(refuse, RequestValidationError, show)
        assert answer_of(app) == (400, {"reason": "Field required"})

    def test_handler_of_everything_wins_over_the_generic_one(self):
        app = app_with(sold_out, Exception)
        app.init_app()

        assert answer_of(app) == SOLD_OUT
        assert answer_of(app, "/nowhere")[0] == 409

    def test_handler_with_several_statuses_and_headers(self, app, client):
        @app.errorhandler(ShopError)
        def handle(
            error: ShopError,
        ) -> (
            tuple[Problem, t.Literal[409]]
            | tuple[Problem, t.Literal[503], Waiting]
            | flask.Response
        ):
            if isinstance(error, Closed):
                return Problem(reason="closed"), 503, {"retry_after": 60}
            if not error.args:
                return flask.Response("as it is", 410)
            return Problem(reason=str(error)), 409

        @app.get("/<name>", raises=[ShopError])
        def show(name: str) -> Item:
            raise {"closed": Closed, "sold": OutOfStock("sold")}.get(name, ShopError)

        app.init_app()
        closed = client.get("/closed")
        assert (closed.status_code, closed.json) == (503, {"reason": "closed"})
        assert closed.headers["Retry-After"] == "60"
        assert client.get("/sold").json == {"reason": "sold"}
        assert client.get("/x").status_code == 410
        found = describe(app)["paths"]["/{name}"]["get"]["responses"]
        assert list(found) == ["200", "409", "503"]
        assert "Retry-After" in found["503"]["headers"]

    def test_handler_that_fails_its_contract_is_a_neutral_error(self, caplog, app):
        @app.errorhandler(OutOfStock)
        def broken(error: OutOfStock) -> tuple[Problem, t.Literal[409]]:
            return {"reasons": "hunter2"}, 409  # type: ignore[return-value]

        app.get("/")(fail)
        app.config["TESTING"] = True
        assert answer_of(app) == (500, NEUTRAL)
        (message,) = caplog.messages
        assert message == (
            "errorhandler(OutOfStock): broken() returned what its response model"
            " refuses: missing at ['reason']"
            f" {place_of(broken)}"
        )

    def test_handler_that_sends_another_status_is_a_neutral_error(self):
        value = Problem(reason="x"), 410
        app = app_with(sending(tuple[Problem, t.Literal[409]], value))

        assert answer_of(app) == (500, NEUTRAL)

    @pytest.mark.parametrize("caught", [500, Exception, HTTPException])
    def test_handler_of_failures_that_fails_does_not_come_back(self, caught):
        called = []

        def broken(error: Exception) -> tuple[Problem, t.Literal[500]]:
            called.append(error)
            return {}, 500  # type: ignore[return-value]

        app = app_with(broken, caught)
        app.init_app()
        assert answer_of(app) == (500, NEUTRAL)
        assert len(called) == 1

    def test_local_names_of_an_application_factory(self):
        class Left(BaseModel):
            what: str

        def handle(error: Exception) -> "tuple[Left, t.Literal[410]]":
            return Left(what="all"), 410

        app, bp = app_with(), Blueprint("bp", __name__)
        for routes in (app, bp):
            routes.errorhandler(OutOfStock)(handle)
        bp.get("/bp")(fail)
        app.register_blueprint(bp)
        assert answer_of(app) == answer_of(app, "/bp") == (410, {"what": "all"})

    def test_status_without_a_model(self):
        handler = sending(tuple[dict[str, int], t.Literal[409]], ({"left": 0}, 409))
        app = app_with(handler, raises=[OutOfStock])
        app.init_app()

        assert answer_of(app) == (409, {"left": 0})
        assert list(responses_of(app)) == ["200", "409"]


PLAIN: dict[str, tuple[t.Any, t.Any]] = {
    "response": (flask.Response, flask.Response("plain", 409)),
    "string": (str, "plain"),
    "pair": (tuple[str, int], ("plain", 409)),
    "dict": (dict[str, t.Any], {"a": 1}),
    "dict-with-status": (tuple[dict[str, str], int], ({"a": "b"}, 409)),
    "list": (tuple[list[str], int, dict[str, str]], (["a"], 409, {"X": "y"})),
    "alias": (flask.typing.ResponseReturnValue, ("plain", 409)),
    "any": (t.Any, ("plain", 409)),
    "no-type": ([str, int], ("plain", 409)),
}


def plain(error):
    return "plain", 409


class TestPlainHandlers:
    @pytest.mark.parametrize(
        "handler", [plain, *(sending(*row) for row in PLAIN.values())], ids=["", *PLAIN]
    )
    def test_function_of_flasks_kinds_is_registered_as_it_is(self, handler):
        app = app_with(handler)
        bp = Blueprint("bp", __name__)
        bp.errorhandler(OutOfStock)(handler)
        bp.get("/bp")(fail)
        app.register_blueprint(bp)

        assert app.error_handler_spec[None][None][OutOfStock] is handler
        assert app.error_handler_spec["bp"][None][OutOfStock] is handler
        with app.test_request_context():
            expected = app.make_response(handler(OutOfStock()))
        for path in ("/", "/bp"):
            response = app.test_client().get(path)
            assert response.status_code == expected.status_code
            assert response.data == expected.data

    def test_handler_of_a_plain_blueprint_is_flasks(self):
        app, bp = Flask(__name__), flask.Blueprint("bp", __name__)
        bp.errorhandler(OutOfStock)(sold_out)
        app.register_blueprint(bp)

        assert app.error_handler_spec["bp"][None][OutOfStock] is sold_out


class TestMisuse:
    @pytest.mark.parametrize(
        ("annotation", "model"),
        [
            (Problem, "Problem"),
            (list[Problem], "Problem"),
            (tuple[Problem, int], "Problem"),
            (Problem | tuple[Item, t.Literal[409]], "Problem"),
            (Waiting, "Waiting"),
        ],
    )
    @pytest.mark.parametrize(
        ("owner", "method"),
        [
            (Flask(__name__), "errorhandler"),
            (Blueprint("bp", __name__), "errorhandler"),
            (Blueprint("bp", __name__), "app_errorhandler"),
        ],
    )
    def test_model_without_a_status_is_refused(self, annotation, model, owner, method):
        handle = sending(annotation)
        told = message_of(lambda: getattr(owner, method)(OutOfStock)(handle))

        assert told == (
            f"errorhandler(OutOfStock): handle() is annotated with {model!r}, but"
            f" an error handler has no status of its own. Write tuple[{model},"
            " Literal[409]], with the status that it sends."
            f" {place_of(handle)}"
        )

    def test_status_that_is_none_is_refused(self):
        handle = sending(tuple[Problem, t.Literal[1000]])

        with pytest.raises(SignatureError, match=r"^errorhandler\(404\): the return"):
            app_with(handle, 404)

    def test_name_that_is_not_defined_is_refused_beside_a_status(self):
        with pytest.raises(SignatureError, match="'Unknown', which is not defined"):
            app_with(sending("tuple[Unknown, t.Literal[409]]"))

        handle = sending("Unknown")
        app = app_with(handle)
        assert app.error_handler_spec[None][None][OutOfStock] is handle

    def test_model_that_cannot_be_written_is_refused(self):
        class Unknown: ...

        bp = Blueprint("bp", __name__)
        bp.errorhandler(OutOfStock)(sending(tuple[Unknown, t.Literal[409]]))
        with pytest.raises(SignatureError, match=r"^errorhandler\(OutOfStock\): "):
            Flask(__name__).register_blueprint(bp)

    @pytest.mark.parametrize("raises", [[404], ["OutOfStock"], [OutOfStock()], [type]])
    def test_what_is_no_exception_is_refused(self, raises):
        with pytest.raises(SignatureError, match="'raises' takes a list of exceptions"):
            Blueprint("bp", __name__, raises=raises)
        with pytest.raises(SignatureError, match=r"raises=.* is no list of exceptions"):
            Flask(__name__).get("/")(lambda x=Depends(fail, raises=raises): "")


SeeOther = type("SeeOther", (HTTPException,), {"code": 303})


class TestRaises:
    def test_names_what_the_handlers_send(self):
        app = app_with(sold_out, raises=[OutOfStock])

        assert models_of(app)["409"] == ["Problem"]
        assert responses_of(app)["409"]["description"] == "Conflict"

    def test_wherever_it_stands(self):
        names = ["App", "Outer", "Registered", "Inner", "Route", "Needed", "Guard"]
        errors = {name: type(name, (ShopError,), {}) for name in names}
        app = Flask(__name__, raises=[errors["App"]])
        for status, error in enumerate(errors.values(), 410):
            handler = sending(tuple[Problem, t.Literal[status]])
            app.register_error_handler(error, handler)
        outer = Blueprint("outer", __name__, raises=[errors["Outer"]])
        inner = Blueprint("inner", __name__, raises=(errors["Inner"],))
        guard = Depends(lambda: None, raises=[errors["Guard"]])

        @inner.get("/", raises={errors["Route"]}, dependencies=[guard])
        def show(n=Depends(lambda: 1, raises=[errors["Needed"]])) -> Item: ...

        outer.register_blueprint(inner)
        app.register_blueprint(outer, raises=[errors["Registered"]])
        assert [*models_of(app)] == ["200", *map(str, range(410, 417))]

    def test_handler_is_found_as_flask_finds_it(self, app):
        def handler_with(status: int) -> t.Any:
            return sending(tuple[Problem, t.Literal[status]], ({"reason": "x"}, status))

        bp = Blueprint("bp", __name__, url_prefix="/bp")
        app.register_error_handler(ShopError, handler_with(430))
        bp.register_error_handler(OutOfStock, handler_with(431))
        app.register_error_handler(Sold, handler_with(432))
        bp.register_error_handler(HTTPException, handler_with(433))
        app.register_error_handler(410, handler_with(434))

        @app.get("/<int:n>", raises=[OutOfStock, Closed, Sold])
        @bp.get("/<int:n>", raises=[OutOfStock, Closed, Sold])
        def show(n: int) -> Item:
            raise [OutOfStock, Closed, Sold][n]

        app.register_blueprint(bp)
        app.init_app()

        for path, statuses in (("/", [430, 432]), ("/bp/", [430, 431, 432])):
            sent = {answer_of(app, f"{path}{n}")[0] for n in range(3)}
            assert sorted(sent) == statuses
            assert [*models_of(app, f"{path}{{n}}")] == ["200", *map(str, statuses)]

    def test_exceptions_of_one_name_keep_their_order(self):
        models = [create_model(f"Sold{n}", n=(int, n)) for n in range(8)]
        exceptions = [type("Sold", (Exception,), {}) for _ in models]
        app = app_with(raises=exceptions)
        for exception, model in zip(exceptions, models, strict=True):
            handler = sending(tuple[model, t.Literal[409]])
            app.register_error_handler(exception, handler)

        assert models_of(app)["409"] == [model.__name__ for model in models]

    def test_handler_may_be_registered_later(self):
        app = app_with(raises=[OutOfStock])
        app.init_app()
        app.errorhandler(OutOfStock)(sold_out)

        assert models_of(app)["409"] == ["Problem"]

    def test_http_exception_without_a_handler_is_one_of_the_application(self):
        class Teapot(HTTPException):
            code = 418

        assert models_of(app_with(raises=[NotFound, Teapot])) == {
            "200": ["Item"],
            "404": ["HTTPErrorMessage"],
            "418": ["HTTPErrorMessage"],
        }

    @pytest.mark.parametrize(
        ("code", "described"),
        [(HTTPStatus.GONE, ["200", "410"]), ("410", ["200", "410"]), (999, ["200"])],
    )
    @pytest.mark.filterwarnings("ignore::flask_signature.SignatureWarning")
    def test_http_exception_with_an_odd_status(self, code, described):
        app = app_with(raises=[type("Sold", (HTTPException,), {"code": code})])

        assert [*responses_of(app)] == described

    @pytest.mark.parametrize("exception", [RequestRedirect, SeeOther])
    def test_http_exception_that_is_no_error_has_no_content(self, exception):
        responses = responses_of(app_with(raises=[exception]))

        assert "content" not in responses[str(exception.code)]

    @pytest.mark.parametrize("handler", [None, plain])
    def test_other_exception_without_an_annotated_handler_is_warned_of(self, handler):
        app = app_with(handler, raises=[OutOfStock])

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = responses_of(app)
            app.test_client().get("/openapi.json")
        assert list(found) == ["200"]
        (warning,) = [item for item in caught if item.category is SignatureWarning]
        assert str(warning.message) == (
            "GET /: raises= names 'OutOfStock', but no error handler says what is"
            " sent. Annotate one, '-> tuple[Problem, Literal[409]]', with the status it"
            f" sends. {place_of(fail)}"
        )

    def test_model_of_a_handler_that_nothing_names_is_not_described(self):
        assert set(describe(app_with(sold_out))["components"]["schemas"]) == {"Item"}

    def test_stands_beside_what_the_view_sends_itself(self):
        def show() -> Item | tuple[Other, t.Literal[409]]: ...

        app = app_with(sold_out, view=show, raises=[OutOfStock])
        assert models_of(app)["409"] == ["Other", "Problem", "HTTPErrorMessage"]


def log_and_go_on(error: Exception) -> ErrorResponse:
    return error_response(error)


class TestHandlerThatGoesOn:
    @pytest.mark.parametrize("handler", [log_and_go_on, error_response])
    @pytest.mark.parametrize("caught", [HTTPException, Exception])
    @pytest.mark.parametrize("scope", ["application", "blueprint", "by_blueprint"])
    def test_changes_nothing(self, handler, caught, scope, app, client):
        bp = Blueprint("bp", __name__)
        if scope == "by_blueprint":
            bp.app_errorhandler(caught)(handler)
        else:
            owner = app if scope == "application" else bp
            owner.register_error_handler(caught, handler)

        @bp.get("/", security=HTTPBearer("t", verify=lambda token: "ann"))
        def show(n: int) -> Item | tuple[Problem, t.Literal[404]]:
            abort(404)

        app.register_blueprint(bp)
        app.init_app()

        assert client.get("/").json == {"message": "Credentials are needed."}
        headers = {"Authorization": "Bearer x"}
        assert client.get("/", headers=headers).status_code == 422
        missing = client.get("/?n=1", headers=headers)
        assert missing.json == {"message": "Not Found"}
        name = "bp" if scope == "blueprint" else None
        assert app.error_handler_spec[name][None][caught] is handler
        assert models_of(app) == {
            "200": ["Item"],
            "401": ["HTTPErrorMessage"],
            "404": ["Problem", "HTTPErrorMessage"],
            "422": ["ValidationFailures"],
        }

    def test_stands_beside_statuses_of_its_own(self, app, client):
        @app.errorhandler(HTTPException)
        def handle(error) -> tuple[Problem, t.Literal[404]] | ErrorResponse:
            if isinstance(error, NotFound):
                return Problem(reason="unknown"), 404
            return error_response(error)

        @app.get("/", raises=[NotFound, Gone])
        def show(n: int) -> Item:
            abort(n)

        assert models_of(app) == {
            "200": ["Item"],
            "404": ["Problem", "HTTPErrorMessage"],
            "410": ["HTTPErrorMessage"],
            "422": ["ValidationFailures"],
        }
        assert client.get("/?n=404").json == {"reason": "unknown"}
        assert client.get("/?n=410").json == {"message": "Gone"}
        assert client.get("/").status_code == 422

    def test_sends_the_status_of_an_exception_that_has_one(self):
        app = app_with(log_and_go_on, Sold, raises=[Sold])

        assert models_of(app) == {"200": ["Item"], "410": ["HTTPErrorMessage"]}

    def test_other_exception_whose_status_is_not_declared_is_warned_of(self):
        app = app_with(log_and_go_on, raises=[OutOfStock])

        with pytest.warns(SignatureWarning) as caught:
            found = responses_of(app)
        assert list(found) == ["200"]
        assert str(caught[0].message) == (
            "GET /: raises= names 'OutOfStock', whose error handler sends an error"
            " of the application, but does not say with which status. Declare that as"
            " well, such as responses=[409]."
            f" {place_of(fail)}"
        )

    def test_other_exception_has_the_status_that_is_declared(self):
        app = app_with(log_and_go_on, raises=[OutOfStock], responses=[409])

        assert models_of(app) == {"200": ["Item"], "409": ["HTTPErrorMessage"]}

    def test_is_described_without_the_generic_handlers(self):
        app = app_with(log_and_go_on, 404, responses=[404, 409])
        app.config["SIGNATURE_ERROR_HANDLERS"] = False

        assert [*models_of(app)] == ["200", "404"]


class TestDocument:
    def test_refusals_are_what_their_handler_sends(self):
        def show(n: int) -> Item: ...

        app = app_with(view=show)
        bp = Blueprint("bp", __name__, url_prefix="/bp")
        refuse = sending(tuple[Problem, t.Literal[400]])
        bp.register_error_handler(RequestValidationError, refuse)
        bp.get("/")(show)
        app.register_blueprint(bp)
        assert models_of(app) == {"200": ["Item"], "422": ["ValidationFailures"]}
        assert models_of(app, "/bp/") == {"200": ["Item"], "400": ["Problem"]}
        assert responses_of(app, "/bp/")["400"]["description"] == (
            "The request is not valid."
        )

    def test_response_beside_a_status_leaves_the_others_open(self):
        def show(n: int) -> Item: ...

        handler = sending(tuple[Problem, t.Literal[404]] | flask.Response)
        app = app_with(handler, HTTPException, show, raises=[Gone])
        responses = responses_of(app)
        assert [*responses] == ["200", "404", "410", "4XX"]
        assert "content" not in responses["410"]
        assert "content" not in responses["4XX"]

    def test_errors_before_the_view_are_what_their_handlers_send(self, app):
        app.register_error_handler(401, sending(tuple[Problem, t.Literal[401]]))
        handler = sending(tuple[Problem, t.Literal[404, 415]])
        app.register_error_handler(HTTPException, handler)

        @app.post("/", security=HTTPBearer("t", verify=lambda token: None))
        def create(item: Item) -> Item: ...

        found = describe(app)["paths"]["/"]["post"]["responses"]
        assert list(found) == ["201", "401", "404", "415"]

    def test_declared_errors_are_their_model_or_what_their_handler_sends(self):
        handler = sending(tuple[Other, t.Literal[404]])
        app = app_with(handler, 404, responses={404: Problem})

        @app.get("/listed", responses=[404])
        def listed() -> Item: ...

        assert models_of(app)["404"] == ["Problem", "Other"]
        assert models_of(app, "/listed")["404"] == ["Other"]


def test_abort_in_a_handler_is_left_to_flask():
    def handle(error: OutOfStock) -> tuple[Problem, t.Literal[409]]:
        abort(410)

    app = app_with(handle)
    app.init_app()
    assert answer_of(app)[0] == 500


@pytest.mark.parametrize("function", [None, "name", 3])
def test_what_is_no_function_is_left_to_flask(function):
    def refusal(app: flask.Flask) -> str:
        with pytest.raises(TypeError) as error:
            app.register_error_handler(t.cast("t.Any", OutOfStock()), function)
        return str(error.value)

    assert refusal(Flask(__name__)) == refusal(flask.Flask(__name__))


def test_handler_that_flask_refuses_leaves_the_generic_one(app, client):
    app.init_app()
    app.get("/")(lambda: abort(404))
    assert client.get("/").json == {"message": "Not Found"}

    with pytest.raises(AssertionError):
        app.register_error_handler(Exception, lambda error: "late")
    assert client.get("/").json == {"message": "Not Found"}
