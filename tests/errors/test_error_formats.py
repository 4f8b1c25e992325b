"""The format of errors that an author chooses, and what the document says of it."""

import logging
import pickle
import typing as t
from http import HTTPStatus

import flask
import pytest
from client import check_problem, client_of, taking
from document import check_response, describe, operation
from flask import abort
from messages import message_of
from models import Item
from pydantic import BaseModel
from werkzeug.exceptions import (
    Conflict,
    HTTPException,
    MethodNotAllowed,
    NotFound,
    TooManyRequests,
)

from flask_signature import (
    Blueprint,
    Depends,
    Flask,
    RequestValidationError,
    SignatureError,
)
from flask_signature.errors import ErrorFormat, error_response
from flask_signature.security import HTTPBearer

MEDIA_TYPE = "application/vnd.shop+json"

NEUTRAL = {"message": "An internal error occurred."}


class Refusal(BaseModel):
    wrong: list[str]


class Failure(BaseModel):
    code: int
    says: str


def build_refusal(error: RequestValidationError) -> dict[str, t.Any]:
    return {"wrong": [".".join(map(str, item["loc"])) for item in error.errors]}


def build_failure(error: HTTPException) -> Failure:
    return Failure(code=error.code or 500, says=str(error.description))


def format_of(request_builder: t.Any, http_builder: t.Any, **options: t.Any) -> t.Any:
    """A format whose errors are validated by the models above."""
    return ErrorFormat(
        request_model=Refusal,
        request_builder=request_builder,
        http_model=Failure,
        http_builder=http_builder,
        **options,
    )


OWN = format_of(build_refusal, build_failure, status=418, media_type=MEDIA_TYPE)


def verify(token: str) -> str | None:
    return "ann" if token == "a" else None


TOKEN = HTTPBearer("token", verify=verify)


def bare(error_format: t.Any) -> Flask:
    """An application of a format, without a view."""
    app = Flask(__name__)
    app.config["SIGNATURE_ERROR_FORMAT"] = error_format
    app.init_app()
    return app


def shop(error_format: t.Any = OWN, **config: t.Any) -> Flask:
    """An application of which every kind of error can be had."""
    app = Flask(__name__)
    app.config.update(SIGNATURE_ERROR_FORMAT=error_format, MAX_CONTENT_LENGTH=1000)
    app.config.update(config)

    @app.post("/items", responses=[404, 409, 422])
    def create(item: Item) -> Item:
        if item.name == "gone":
            abort(404, "No such thing.")
        if item.name == "taken":
            abort(409, {"name": 7})
        if item.name == "late":
            raise RequestValidationError.of(("body", "name"), "is too late")
        if item.name == "error":
            raise RuntimeError("secret")
        return {"secret": 1} if item.name == "bad" else item

    @app.get("/mine", security=TOKEN)
    def mine() -> Item:
        return Item(name="mine")

    app.init_app()
    return app


def send(app: Flask, name: t.Any = None, **options: t.Any) -> t.Any:
    options = options or {"json": {"name": name}}
    return app.test_client().post("/items", **options)


SENT = {
    "refused": ({"name": 1}, 422),
    "late": ({"name": "late"}, 422),
    "404": ({"name": "gone"}, 404),
    "409": ({"name": "taken"}, 409),
    "413": ({"data": b"x" * 2000, "content_type": "application/json"}, 413),
    "415": ({"data": b"x", "content_type": "text/plain"}, 415),
}


class TestAuthorsFormat:
    def test_status_of_the_exception_is_that_of_the_format(self):
        app = shop()
        seen = []

        @app.errorhandler(RequestValidationError)
        def keep(error):
            seen.append(error.code)
            return error

        assert send(app, "late").status_code == send(app, 1).status_code == 418
        assert seen == [418, 418]

    @pytest.mark.parametrize(
        ("name", "status", "body"),
        [
            (1, 418, {"wrong": ["body.name"]}),
            ("gone", 404, {"code": 404, "says": "No such thing."}),
            ("taken", 409, {"code": 409, "says": "{'name': 7}"}),
        ],
    )
    def test_errors_have_the_format(self, name, status, body):
        response = send(shop(), name)

        assert (response.status_code, response.content_type) == (status, MEDIA_TYPE)
        assert response.json == body

    def test_http_errors_of_other_origins_keep_their_headers(self):
        client = shop().test_client()
        missing, method = client.get("/nowhere"), client.delete("/items")
        refused = client.get("/mine")

        assert missing.json["code"] == 404
        assert method.json["code"] == 405
        assert set(method.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
        assert refused.json["code"] == 401
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
        for response in (missing, method, refused):
            assert response.content_type == MEDIA_TYPE

    @pytest.mark.parametrize("own", ["pydantic2", "problem", ErrorFormat()])
    def test_description_with_half_of_a_character(self, own):
        app = bare(own)
        description = "There is no \ud83d."

        @app.post("/")
        def find() -> Item:
            raise TooManyRequests(description, retry_after=3)

        response = app.test_client().post("/")
        assert response.status_code == 429
        assert response.headers["Retry-After"] == "3"
        assert description in response.json.values()

    @pytest.mark.parametrize("own", ["pydantic2", "problem"])
    def test_description_of_a_class_of_the_author(self, own):
        class Unpaid(HTTPException):
            code = 402
            description = "It is not paid."

        class StillUnpaid(Unpaid): ...

        class Missing(NotFound): ...

        app = bare(own)

        @app.get("/<int:n>")
        def show(n: int) -> Item:
            raise [Unpaid, StillUnpaid, Missing][n]

        client = app.test_client()
        unpaid, still, missing = (client.get(f"/{n}").json.values() for n in range(3))

        assert "It is not paid." in unpaid
        assert "It is not paid." in still
        assert "Not Found" in missing
        assert NotFound.description not in missing

    @pytest.mark.parametrize("name", ["error", "bad"])
    def test_errors_of_the_server_are_told_nothing(self, name):
        seen = []

        def build(error: HTTPException) -> Failure:
            seen.append((error, error.original_exception))
            return build_failure(error)

        app = shop(ErrorFormat(http_model=Failure, http_builder=build))
        response = send(app, name)
        assert response.status_code == 500
        assert response.json == {"code": 500, "says": NEUTRAL["message"]}
        assert [original for _, original in seen] == [None]
        assert not isinstance(seen[0][0], HTTPException) or "secret" not in str(seen)

    def test_what_is_left_out_is_as_usual(self):
        app = shop(ErrorFormat(status=400))

        assert send(app, "gone").json == {"message": "No such thing."}
        response = send(app, "late")
        assert response.status_code == 400
        late = {"loc": ["body", "name"], "msg": "is too late", "type": "value_error"}
        assert response.json == {"detail": [late]}

    def test_value_is_filtered_by_the_model(self):
        def build(error: HTTPException) -> dict[str, t.Any]:
            return {"code": "404", "says": error.name, "token": "secret"}

        app = shop(ErrorFormat(http_model=Failure, http_builder=build))
        assert send(app, "gone").json == {"code": 404, "says": "Not Found"}

    def test_with_the_generic_handlers_off(self):
        app = shop(SIGNATURE_ERROR_HANDLERS=False)

        assert send(app, 1).json == {"wrong": ["body.name"]}
        assert send(app, "bad").json == {"code": 500, "says": NEUTRAL["message"]}
        assert send(app, "gone").mimetype == "text/html"

    def test_many_failures_are_answered_below_64_kib(self):
        def build(error: RequestValidationError) -> dict[str, t.Any]:
            return {"wrong": [str(item) for item in error.errors]}

        own = ErrorFormat(request_model=Refusal, request_builder=build)
        view = taking(list[dict[str, dict[str, int]]])
        client = client_of(view, "/", "POST", config={"SIGNATURE_ERROR_FORMAT": own})
        response = client.post("/", json=[{"k" * 300: {"l" * 300: "x"}}] * 200)
        assert 0 < len(response.json["wrong"]) <= 100
        assert len(response.data) < 65536


class TestFailingFormat:
    @pytest.mark.parametrize("mode", ["", "TESTING", "DEBUG", "PROPAGATE_EXCEPTIONS"])
    @pytest.mark.parametrize("name", ["gone", "error", "bad", "late", 1])
    def test_builder_that_fails_is_a_neutral_error(self, mode, name, caplog):
        def fail(error: Exception) -> t.Any:
            raise LookupError("hidden")

        app = shop(format_of(fail, fail, media_type=MEDIA_TYPE))
        if mode and name != "error":
            app.config[mode] = True
        response = send(app, name)
        assert response.status_code == 500
        assert (response.content_type, response.json) == ("application/json", NEUTRAL)
        failed = "SIGNATURE_ERROR_FORMAT failed to write an error."
        assert caplog.text.count(failed) == 1
        assert "LookupError: hidden" in caplog.text

    @pytest.mark.parametrize("raised", [NotFound("x"), KeyError("x")])
    @pytest.mark.parametrize("path", ["/nowhere", "/items"])
    def test_builder_that_raises_an_http_error_does_not_come_back(self, raised, path):
        def fail(error: Exception) -> t.Any:
            raise raised

        app = shop(ErrorFormat(http_model=Failure, http_builder=fail))
        response = app.test_client().get(path)
        assert (response.status_code, response.json) == (500, NEUTRAL)
        assert "Allow" not in response.headers

    @pytest.mark.parametrize("name", ["gone", "error", "bad", "late", 1])
    def test_value_that_does_not_fit_is_a_neutral_error(self, name, caplog):
        own = format_of(lambda _: {"wrong": "hunter2"}, lambda _: {"code": "hunter2"})
        app = shop(own)
        response = send(app, name)

        assert (response.status_code, response.json) == (500, NEUTRAL)
        assert "<lambda>" not in caplog.messages[-1]
        kind = "request" if name in ("late", 1) else "http"
        assert (
            f"SIGNATURE_ERROR_FORMAT: {kind}_builder() returned what its response model"
            " refuses"
        ) in caplog.text
        assert "hunter2" not in caplog.text

    def test_value_that_does_not_fit_outside_of_the_generic_handlers(self):
        app = shop(
            ErrorFormat(http_model=Failure, http_builder=lambda error: None),
            SIGNATURE_ERROR_HANDLERS=False,
        )

        assert send(app, "bad").json == NEUTRAL


class TestMisuse:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            *(
                pytest.param(
                    {"status": status},
                    f"ErrorFormat(status={status!r}): the status of a request that is"
                    " refused is 400 to 499, such as 422.",
                )
                for status in (200, "422", 422.0)
            ),
            *(
                pytest.param(
                    {"media_type": media_type},
                    f"ErrorFormat(media_type={media_type!r}): use a content type such"
                    " as 'application/vnd.api+json'.",
                )
                for media_type in ("json", "application/json\r\nX: 1")
            ),
            pytest.param(
                {"http_model": Failure},
                "ErrorFormat(http_model=) has no http_builder=. Add a function that"
                " takes the exception and returns what the model is validated from.",
            ),
            pytest.param(
                {"request_model": Refusal, "request_builder": None},
                "ErrorFormat(request_builder=None): use a function that takes the"
                " exception and returns what request_model= is validated from.",
            ),
        ],
    )
    def test_value_that_cannot_be_used(self, options, message):
        assert message_of(lambda: ErrorFormat(**options)) == message

    def test_status_of_the_standard_library(self):
        error_format = ErrorFormat(status=HTTPStatus.BAD_REQUEST)
        assert repr(error_format.status) == "400"

    def test_model_that_cannot_be_serialized(self):
        class Unknown: ...

        own = ErrorFormat(http_model=Unknown, http_builder=build_failure)
        assert message_of(lambda: bare(own)).startswith(
            "SIGNATURE_ERROR_FORMAT: http_model=: Pydantic can't serialize"
        )

    @pytest.mark.parametrize("value", [{"status": 400}, ErrorFormat, "rfc9457"])
    def test_value_that_is_no_format(self, value):
        with pytest.raises(SignatureError, match=r"^SIGNATURE_ERROR_FORMAT="):
            bare(value)


def responses_of(app: Flask, name: str) -> dict[str, t.Any]:
    return t.cast("dict[str, t.Any]", operation(app, name)["responses"])


def content_of(app: Flask, name: str) -> dict[str, tuple[str, str]]:
    """The content type and the name of the model, by the status of an error."""
    found = {}
    for status, response in responses_of(app, name).items():
        if status > "4":
            ((media_type, content),) = response["content"].items()
            found[status] = (media_type, content["schema"]["$ref"].rpartition("/")[2])
    return found


JSON = "application/json"
PROBLEM = "application/problem+json"


class TestDocument:
    @pytest.mark.parametrize(
        ("own", "media_type", "request_model", "http_model"),
        [
            ("pydantic2", JSON, "ValidationFailures", "HTTPErrorMessage"),
            ("fastapi", JSON, "ValidationFailures", "HTTPErrorDetail"),
            ("problem", PROBLEM, "ValidationProblem", "HTTPProblem"),
            (OWN, MEDIA_TYPE, "Refusal", "Failure"),
        ],
    )
    def test_follows_the_format(self, own, media_type, request_model, http_model):
        app = shop(own)

        failure, refusal = (media_type, http_model), (media_type, request_model)
        refused = {"418": refusal, "422": failure} if own is OWN else {"422": refusal}
        assert content_of(app, "POST /items") == {
            **dict.fromkeys(("404", "409", "413", "415"), failure),
            **refused,
        }
        assert content_of(app, "GET /mine") == {"401": failure}

    def test_has_the_models_of_the_format_alone(self):
        schemas = describe(shop())["components"]["schemas"]

        assert set(schemas) == {"Failure", "Item", "Refusal"}

    @pytest.mark.parametrize("name", ["pydantic2", "pydantic1", "problem", "fastapi"])
    def test_says_nothing_of_the_versions_of_the_package(self, name):
        schemas = describe(shop(name))["components"]["schemas"].values()

        descriptions = [schema.get("description", "") for schema in schemas]
        assert "The response to a request that does not fit" in "".join(descriptions)
        assert not [said for said in descriptions if "\n" in said]

    @pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
    @pytest.mark.parametrize(
        "own", ["pydantic2", "pydantic1", "problem", "fastapi", OWN]
    )
    def test_says_what_happens(self, own, sent):
        app = shop(own)
        document = describe(app)
        options, status = sent
        response = send(app, **options)

        refused = {"pydantic1": 400, OWN: 418}.get(own, 422)
        assert response.status_code == (refused if status == 422 else status)
        check_response(document, "/items", response)


class TestProblem:
    @pytest.mark.parametrize(
        ("description", "members"),
        [
            (None, {}),
            ("No such thing.", {"detail": "No such thing."}),
            ({"balance": 30}, {"balance": 30}),
            ({"title": "Too little", "status": 200}, {"title": "Too little"}),
            ({"title": 7, "detail": None}, {}),
            (["a", 1], {"detail": '["a",1]'}),
        ],
    )
    def test_http_error_is_a_problem(self, description, members):
        app = bare("problem")
        app.get("/", responses=[404])(lambda: abort(404, description))
        response = app.test_client().get("/")

        check_problem(response, 404, "Not Found", members)

    def test_error_of_the_server_is_a_problem(self):
        members = {"detail": "An internal error occurred."}
        response = send(shop("problem"), "bad")

        check_problem(response, 500, "Internal Server Error", members)


class TestStandardErrors:
    def test_of_a_route_a_blueprint_a_registration_an_application_and_a_dependency(
        self,
    ):
        def find() -> int:
            abort(423)

        app = Flask(__name__, responses=[401])
        outer = Blueprint("outer", __name__, responses=[402])
        inner = Blueprint("inner", __name__, responses=[403])

        @inner.get("/", responses=[404])
        def view(n: int = Depends(find, responses=[423])) -> Item: ...

        outer.register_blueprint(inner)
        app.register_blueprint(outer, responses={405})
        found = content_of(app, "GET /")

        standard = ("application/json", "HTTPErrorMessage")
        statuses = ("401", "402", "403", "404", "405", "423")
        assert found == dict.fromkeys(statuses, standard)

    def test_422_is_a_request_that_is_refused(self, app):
        @app.post("/", responses=[422])
        def view() -> Item: ...

        found = content_of(app, "POST /")
        assert found == {"422": ("application/json", "ValidationFailures")}

    def test_without_generic_handlers_they_are_those_of_flask(self):
        app = shop(SIGNATURE_ERROR_HANDLERS=False)

        assert responses_of(app, "POST /items")["404"] == {"description": "Not Found"}

    @pytest.mark.parametrize("status", [200, 99, True, "404", 4.5, None])
    def test_status_of_no_error_is_refused(self, status):
        told = message_of(lambda: Blueprint("b", __name__, responses=[404, status]))
        assert (
            f"Option 'responses' has {status!r} in a list, which is for the statuses of"
            " errors, 400 to 599. Give another response a model: responses={202:"
            " Receipt}."
        ) in told


class TestErrorResponse:
    def test_handler_that_logs_and_goes_on(self, caplog):
        app = shop()

        @app.errorhandler(HTTPException)
        def log(error: HTTPException) -> flask.Response:
            app.logger.warning("%s", error.code)
            return error_response(error)

        with caplog.at_level(logging.WARNING):
            response = app.test_client().delete("/items")
        assert caplog.messages == ["405"]
        assert set(response.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
        assert response.json["code"] == 405

    @pytest.mark.parametrize(
        ("name", "status"), [(1, 418), ("late", 418), ("gone", 404), ("bad", 500)]
    )
    def test_is_the_same_response(self, name, status):
        plain, app = shop(), shop()
        app.register_error_handler(HTTPException, error_response)
        response = send(app, name)

        assert (response.status_code, response.data) == (status, send(plain, name).data)
        assert response.content_type == MEDIA_TYPE

    def test_of_an_exception_that_nobody_meant(self):
        app = shop()
        app.register_error_handler(Exception, error_response)
        response = send(app, "error")

        assert response.status_code == 500
        assert response.json == {"code": 500, "says": NEUTRAL["message"]}

    def test_keeps_a_response_of_the_error_and_what_is_none(self):
        app = shop()

        with app.test_request_context():
            own = flask.Response("own", 409)
            assert error_response(Conflict(response=own)) is own

    def test_outside_of_a_request(self):
        with shop().app_context():
            response = error_response(MethodNotAllowed(["GET"]))

        assert isinstance(response, flask.Response)
        assert response.status_code == 405
        assert response.headers["Allow"] == "GET"
        assert response.json["code"] == 405

    def test_on_a_plain_application(self):
        with flask.Flask(__name__).app_context():
            assert error_response(NotFound()).json == {"message": "Not Found"}


TAKEN = {"loc": ["body", "email"], "msg": "is taken", "type": "value_error"}


def taken() -> RequestValidationError:
    return RequestValidationError.of(("body", "email"), "is taken")


def raise_taken() -> t.Any:
    raise taken()


class TestErrorsOfCode:
    @pytest.mark.parametrize(
        ("view", "options"),
        [(raise_taken, {}), (dict, {"dependencies": [raise_taken]})],
        ids=["view", "dependency"],
    )
    def test_is_a_refusal_wherever_it_is_raised(self, view, options):
        response = client_of(view, **options).get("/")

        assert (response.status_code, response.json) == (422, {"detail": [TAKEN]})

    def test_is_a_refusal_on_a_plain_application(self):
        app = flask.Flask(__name__)
        app.get("/")(raise_taken)

        response = app.test_client().get("/")
        assert (response.status_code, response.json) == (422, {"detail": [TAKEN]})

    def test_may_name_an_item_of_a_list(self):
        error = RequestValidationError.of(("query", "page", 1), "is too far")
        assert error.errors[0]["loc"] == ["query", "page", 1]

    def test_several(self):
        error = RequestValidationError.of(
            {("body", "email"): "is taken", ("header", "X-Shop"): "is closed"}
        )

        assert error.errors == [
            TAKEN,
            {"loc": ["header", "X-Shop"], "msg": "is closed", "type": "value_error"},
        ]

    def test_needs_no_context_until_it_is_answered(self):
        error = taken()

        assert error.code == 422
        assert str(error) == "422 Unprocessable Entity: The request is not valid."
        response = error.get_response()
        assert (response.status_code, response.json) == (422, {"detail": [TAKEN]})

    @pytest.mark.parametrize(
        ("own", "status", "body"),
        [
            ("pydantic1", 400, {"detail": [TAKEN]}),
            ("problem", 422, {"errors": [TAKEN]}),
            (OWN, 418, {"wrong": ["body.email"]}),
            ("pydantic2", 422, {"detail": [TAKEN]}),
        ],
    )
    @pytest.mark.parametrize("is_copied", [False, True])
    def test_is_answered_by_each_application_in_its_own_format(
        self, own, status, body, is_copied
    ):
        def view():
            raise pickle.loads(pickle.dumps(error)) if is_copied else error

        error, app = taken(), bare(own)
        app.get("/")(view)
        response = app.test_client().get("/")
        assert response.status_code == status
        assert response.json.items() >= body.items()

    def test_words_are_sent_as_they_are(self):
        error = RequestValidationError.of(("body",), "é " * 300)
        assert error.get_response().json["detail"][0]["msg"] == "é " * 300

    def test_words_may_be_translated_late(self):
        class Lazy:
            def __str__(self):
                return "is taken"

        error = RequestValidationError.of(("body", "email"), Lazy())
        assert error.errors == [TAKEN]

    @pytest.mark.parametrize(
        "loc", ["body", ("email",), (), ("body", 1.5), None, {("x",): "a"}, {}]
    )
    def test_place_that_is_none_is_refused(self, loc):
        with pytest.raises(TypeError, match=r"place in a request|no failure to"):
            RequestValidationError.of(loc, "is taken")
