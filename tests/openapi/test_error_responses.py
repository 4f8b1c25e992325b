"""What is described of errors, wherever they come from, is what is sent."""

from __future__ import annotations

import typing as t

import pytest
from document import check_response, describe
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models import Item, Problem
from pydantic import BaseModel
from returned import view_of
from typing_extensions import TypedDict
from werkzeug.exceptions import HTTPException, NotFound

from flask_signature import Blueprint, Flask, RequestValidationError
from flask_signature.errors import ErrorFormat, HTTPErrorMessage
from flask_signature.security import HTTPBearer

JSON = "application/json"


class Failure(BaseModel):
    code: int


class Target(TypedDict):
    location: str


OWN = ErrorFormat(
    media_type="application/vnd.own+json",
    http_model=Failure,
    http_builder=lambda error: {"code": error.code},
)


def responses_of(app: Flask, path: str = "/") -> t.Any:
    return describe(app)["paths"][path]["get"]["responses"]


def models_of(response: t.Any) -> dict[str, list[str]]:
    """The names of the models of a response by media type."""
    found = {}
    for media_type, content in response.get("content", {}).items():
        schema = content["schema"]
        members = schema.get("anyOf", [schema])
        found[media_type] = [item["$ref"].rpartition("/")[2] for item in members]
    return found


EITHER = {JSON: ["Problem", "HTTPErrorMessage"]}
MESSAGE = {JSON: ["HTTPErrorMessage"]}
NOT_FOUND = tuple[Problem, t.Literal[404]]


class TestDeclaredError:
    @pytest.mark.parametrize(
        ("tp", "declared", "status", "models"),
        [
            *(
                (Item, {status: Problem}, status, EITHER)
                # A view without arguments refuses nothing.
                for status in (404, 422, 499, 500, "4XX", "5XX", "default")
            ),
            (Item | NOT_FOUND, {}, 404, EITHER),
            (Item, {404: HTTPErrorMessage}, 404, MESSAGE),
            (Item | tuple[HTTPErrorMessage, t.Literal[409]], {}, 409, MESSAGE),
            (Item, {202: Problem}, 202, {JSON: ["Problem"]}),
        ],
    )
    def test_is_its_model_or_one_of_abort(self, app, tp, declared, status, models):
        app.get("/", responses=declared)(view_of(tp))
        assert models_of(responses_of(app)[str(status)]) == models

    @pytest.mark.parametrize("declared", [{}, {404: None}, {404: {"description": "-"}}])
    def test_of_an_annotation_without_content_is_that_or_one_of_abort(
        self, app, declared
    ):
        view = view_of(Item | tuple[None, t.Literal[404], Target])
        app.get("/", responses=declared)(view)

        found = responses_of(app)["404"]
        assert models_of(found) == MESSAGE
        assert found["headers"] == {"Location": {"schema": {"type": "string"}}}

    def test_of_another_media_type_stands_beside_that(self, app):
        app.config["SIGNATURE_ERROR_FORMAT"] = OWN

        @app.get("/", responses={422: Problem})
        def show(n: int) -> Item | tuple[Problem, t.Literal[404]]: ...

        found = responses_of(app)
        own = {JSON: ["Problem"], OWN.media_type: ["Failure"]}
        assert models_of(found["404"]) == own
        own[OWN.media_type].insert(0, "ValidationFailures")
        assert models_of(found["422"]) == own

    def test_with_a_description_has_it_whatever_else_sends_it(self, app):
        class NotYours(HTTPException):
            code = 403

        token = HTTPBearer("token", verify=str.upper, get_scopes=list)
        words = {
            401: {"description": "Log in."},
            403: {"description": "Not an editor, or not yours."},
            422: {"description": "Wrong.", "headers": {"X-Why": str}},
        }
        options = {"security": token.scopes("a"), "raises": [NotYours]}

        @app.get("/", responses=words, **options)
        def show(n: int) -> None: ...

        found = responses_of(app)
        for status, item in words.items():
            assert found[str(status)]["description"] == item["description"]
        assert models_of(found["403"]) == MESSAGE
        assert models_of(found["422"]) == {JSON: ["ValidationFailures"]}
        assert [*found["422"]["headers"]] == ["X-Why"]

    def test_without_generic_handlers_is_its_model(self, app):
        app.config["SIGNATURE_ERROR_HANDLERS"] = False

        @app.get("/", responses={404: Problem, 422: Problem})
        def show(n: int) -> Item: ...

        found = responses_of(app)
        assert models_of(found["404"]) == {JSON: ["Problem"]}
        assert models_of(found["422"]) == {JSON: ["Problem", "ValidationFailures"]}


class TestHandlerThatSaysNothing:
    def test_of_refusals_makes_them_any_error_of_its_scope(self, app):
        bp = Blueprint("bp", __name__, url_prefix="/bp")
        inner = Blueprint("inner", __name__, url_prefix="/inner")

        @bp.errorhandler(RequestValidationError)
        def explain(error):
            return {"fields": len(error.errors)}, 400

        def show(n: int) -> Item: ...

        for routes in (app, bp, inner):
            routes.get("/")(show)
        bp.register_blueprint(inner)
        app.register_blueprint(bp)

        assert list(responses_of(app)) == ["200", "422"]
        for path in ("/bp/", "/bp/inner/"):
            found = responses_of(app, path)
            assert list(found) == ["200", "4XX"]
            assert found["4XX"] == {"description": "The request is not valid."}
        assert app.test_client().get("/bp/inner/").status_code == 400

    @pytest.mark.parametrize(
        ("caught", "known", "status"),
        [(422, MESSAGE, 401), (HTTPException, {}, 400), (Exception, {}, 400)],
    )
    def test_of_more_than_refusals(self, app, client, caught, known, status):
        app.register_error_handler(caught, lambda error: ("no", 400))

        @app.get("/", security=HTTPBearer("t", verify=lambda token: None))
        def show(n: int) -> Item: ...

        found = responses_of(app)
        assert list(found) == ["200", "401", "4XX"]
        assert models_of(found["401"]) == known
        assert client.get("/?n=1").status_code == status

    @pytest.mark.parametrize("caught", [404, NotFound])
    def test_of_a_status_leaves_its_schema_open(self, app, caught):
        app.register_error_handler(caught, lambda error: ("no", 404))
        app.get("/", responses=[404, 409])(view_of(Item))
        declared = view_of(Item)
        app.get("/declared", endpoint="declared", responses={404: Problem})(declared)

        found = responses_of(app)
        assert found["404"] == {"description": "Not Found"}
        assert models_of(found["409"]) == MESSAGE
        assert models_of(responses_of(app, "/declared")["404"]) == {JSON: ["Problem"]}

    def test_of_a_blueprint_comes_before_that_of_the_application(self, app):
        bp = Blueprint("bp", __name__)
        bp.register_error_handler(404, lambda error: ("no", 404))
        bp.get("/", responses=[404])(lambda: "")
        app.register_error_handler(NotFound, lambda error: ("other", 404))
        app.register_blueprint(bp)

        assert responses_of(app)["404"] == {"description": "Not Found"}


@pytest.mark.parametrize(
    ("other", "required"),
    [
        (tuple[None, t.Literal[303], Target], {"required": True}),
        (tuple[None, t.Literal[303]], {}),
    ],
)
def test_header_of_two_responses_is_required_where_both_have_it(app, other, required):
    def login(error: Exception) -> tuple[None, t.Literal[303], Target]:
        raise AssertionError

    app.register_error_handler(LookupError, login)
    app.get("/", raises=[LookupError])(view_of(Item | other))

    location = responses_of(app)["303"]["headers"]["Location"]
    assert location == {"schema": {"type": "string"}, **required}


@st.composite
def declarations(draw: t.Any) -> dict[t.Any, t.Any]:
    """What ``responses=`` says of errors."""
    keys = draw(st.sets(st.sampled_from([404, 409, 422, 500, "4XX", "default"])))
    values = (Problem, HTTPErrorMessage, {"description": "So."}, {"model": Problem})
    return {key: draw(st.sampled_from(values)) for key in keys}


def say_nothing(error: Exception) -> t.Any:
    return {"own": 1}, 410


def say_status(error: Exception) -> tuple[Failure, t.Literal[400]]:
    return Failure(code=7), 400


def say_several(
    error: HTTPException,
) -> tuple[Failure, t.Literal[404, 409]] | tuple[Problem, t.Literal[422, 500]]:
    if error.code in (404, 409):
        return Failure(code=7), error.code  # type: ignore[return-value]
    return Problem(reason="so"), 422 if error.code == 422 else 500


CAUGHT = (404, 422, NotFound, RequestValidationError, HTTPException)
HANDLERS = (say_nothing, say_status, say_several)


@pytest.mark.drawn
@settings(
    deadline=None, max_examples=draws(60), suppress_health_check=[HealthCheck.too_slow]
)
@given(
    declared=declarations(),
    listed=st.sets(st.sampled_from([401, 404, 409, 422, 500])),
    own=st.sampled_from(["pydantic2", "pydantic1", "problem", "fastapi", OWN]),
    caught=st.dictionaries(st.sampled_from(CAUGHT), st.sampled_from(HANDLERS)),
    annotated=st.booleans(),
)
def test_every_refusal_is_described(declared, listed, own, caught, annotated):
    app = Flask(__name__, responses=listed)
    app.config["SIGNATURE_ERROR_FORMAT"] = own
    for exception, handler in caught.items():
        app.register_error_handler(exception, handler)

    def show(n: int) -> Item: ...

    if annotated:
        declared = {key: declared[key] for key in declared.keys() - {404}}
        show.__annotations__["return"] = Item | NOT_FOUND | tuple[dict[str, t.Any], int]
    app.get("/", responses=declared)(show)
    document = describe(app)
    answer = app.test_client().get("/?n=x")

    responses = document["paths"]["/"]["get"]["responses"]
    status = str(answer.status_code)
    keys = [key for key in (status, f"{status[0]}XX", "default") if key in responses]
    assert status >= "400"
    assert keys
    if "content" in responses[keys[0]] and status != "410":
        check_response(document, "/", answer)


def test_refusals_are_described_with_the_status_of_the_format(app, client):
    app.config["SIGNATURE_ERROR_FORMAT"] = "pydantic1"

    @app.get("/", responses=[422])
    def view() -> str:
        raise RequestValidationError.of(("query", "page"), "is too far")

    found = responses_of(app)
    assert client.get("/").status_code == 400
    assert {status: models_of(found[status]) for status in found if status >= "4"} == {
        "400": {JSON: ["ValidationFailures"]},
        "422": MESSAGE,
    }


@pytest.mark.parametrize("declared", ["4XX", "default"])
def test_status_that_is_described_besides_may_have_the_model_of_its_class(
    app, client, declared
):
    @app.get("/", responses={declared: Problem})
    def view(page: int = 1) -> t.Any:
        return {"reason": "gone"}, 422

    found = responses_of(app)
    assert client.get("/").json == {"reason": "gone"}
    assert models_of(found["422"]) == {
        JSON: ["ValidationFailures", "Problem", "HTTPErrorMessage"]
    }


def test_description_of_a_refusal_is_for_its_own_status(app):
    @app.errorhandler(422)
    def handle(error: HTTPException) -> tuple[Problem, t.Literal[422, 500]]:
        return Problem(reason="refused"), 422

    @app.get("/")
    def view(page: int) -> str:
        return ""

    found = responses_of(app)

    assert found["422"]["description"] == "The request is not valid."
    assert found["500"]["description"] == "Internal Server Error"
