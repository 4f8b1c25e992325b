"""What a value that can't be sent becomes: a constant answer, and a line in the log."""

from __future__ import annotations

import functools
import typing as t

import pytest
from client import client_of
from flask import Blueprint as PlainBlueprint
from flask import Flask as PlainFlask
from flask.testing import FlaskClient
from models import Cat
from pydantic import (
    BaseModel,
    Field,
    computed_field,
    field_serializer,
    field_validator,
)
from returned import ANSWER, cases, check_failed, place_of, returning, view_of
from werkzeug.exceptions import InternalServerError

from flask_signature import Blueprint, Flask, ResponseValidationError


class Item(BaseModel):
    name: str
    sizes: list[int] = []


class Out(BaseModel):
    item: Item


class Node(BaseModel):
    child: Node | None = None


class Odd(BaseModel):
    name: str

    @field_serializer("name")
    def refuse(self, name: str) -> str:
        raise ValueError("secret")


class Broken(BaseModel):
    @computed_field
    @property
    def size(self) -> int:
        return {}["secret"]


MODES: dict[str, dict[str, t.Any]] = {
    "plain": {},
    "testing": {"TESTING": True},
    "debug": {"DEBUG": True},
    "propagating": {"PROPAGATE_EXCEPTIONS": True},
}


IN_MODES = pytest.mark.parametrize("mode", MODES)
INITIALIZED = pytest.mark.parametrize("initialized", [True, False])


def client_in(
    mode: str, view: t.Any, initialized: bool = True, **options: t.Any
) -> FlaskClient:
    """A client of an application in one of the modes of Flask."""
    app = Flask(__name__)
    app.config.update(MODES[mode])
    app.get("/", **options)(view)
    if initialized:
        app.init_app()
    return app.test_client()


@INITIALIZED
@IN_MODES
def test_row_65_value_that_the_model_refuses(mode, initialized, caplog):
    response = client_in(mode, view_of(Item, {"x": 1}), initialized).get("/")
    (message,) = caplog.messages
    check_failed(response, caplog, message)


A = Item(name="secret")
NO_MODEL = (
    "returned 'Item', but has no response model. Annotate it '-> Item', or give"
    " response_model=Item."
)
LEFT_OUT = (
    "returned 'Item', but response_model=None leaves out response models. Remove it, or"
    " return model_dump()."
)
NO_MODEL_OF_404 = (
    "returned 'Item' with status 404, which has no response model. Declare it with"
    " responses={404: Item}."
)

#: An annotation, a value, options of the route, and what the log says.
FAILED: dict[str, tuple[t.Any, t.Any, dict[str, t.Any], str]] = {
    "no-model": (..., A, {}, NO_MODEL),
    "no-model-with-a-status": (..., (A, 200), {}, NO_MODEL),
    "no-model-with-an-option": (..., A, {"status_code": 202}, NO_MODEL),
    "left-out": (Item, A, {"response_model": None}, LEFT_OUT),
    "no-model-of-a-status": (..., (A, 404), {}, NO_MODEL_OF_404),
    "model-of-another-status": (Item, (A, 404), {}, NO_MODEL_OF_404),
}


@INITIALIZED
@IN_MODES
@cases("annotation value options said", FAILED)
def test_model_that_nothing_lets_out(
    annotation, value, options, said, mode, initialized, caplog
):
    view = view_of(annotation, value)
    response = client_in(mode, view, initialized, **options).get("/")
    check_failed(response, caplog, f"GET /: show() {said} {place_of(view)}")


@pytest.mark.parametrize("make_app", [PlainFlask, Flask])
@pytest.mark.parametrize(
    ("model", "shown"),
    [(Item, "Item"), (list[Item], "list[Item]"), (Item | str, "Item | str")],
)
def test_none_where_there_is_a_model(model, shown, make_app, caplog):
    def show(n: int = 1):
        return None

    app, bp = make_app(__name__), Blueprint("bp", __name__)
    bp.get("/", response_model=model)(show)
    app.register_blueprint(bp)
    response = app.test_client().get("/")

    message = (
        f"GET /: show() returned None, but its response model is {shown!r}. Return one,"
        f" abort with a status such as 404, or declare '{shown} | None'."
        f" {place_of(show)}"
    )
    check_failed(response, caplog, message)


@pytest.mark.parametrize(
    ("annotation", "returned", "status"),
    [
        (Item, (201, Item(name="a")), 201),
        (Item, (201, {"name": "a"}), 201),
        (Item, 201, 201),
        (Item, (201, "a", {}), 201),
        (..., (404, Item(name="a")), 404),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_status_before_the_body(method, annotation, returned, status, caplog):
    view = view_of(annotation, returned)
    response = client_of(view, method=method).open("/", method=method)

    message = (
        f"{method} /: show() returned the status {status} in the place of the body."
        f" Write '(body, {status})', or '(body, status, headers)'. {place_of(view)}"
    )
    check_failed(response, caplog, message)


STRAY = (
    " returned 'Item', for which there is no response model. Only a view can declare"
    " one: elsewhere, return model_dump() or a Response."
)


class TestModelsOfOtherFunctions:
    """A model that is returned by what is no view of ours does not blame the view."""

    @pytest.fixture
    def refuse(self, client, caplog):
        """Asserts that a request fails, and returns what the log says."""

        def send(path: str) -> str:
            response = client.get(path)
            (message,) = caplog.messages
            check_failed(response, caplog, message)
            return t.cast("str", message)

        return send

    def test_before_request_without_a_view(self, app, refuse):
        app.before_request(lambda: Item(name="a"))
        assert refuse("/") == f"GET: a before_request() function{STRAY}"

    def test_before_request_of_a_view_with_a_model(self, app, refuse):
        bp = Blueprint("bp", __name__, url_prefix="/x")
        bp.before_request(lambda: (Item(name="a"), 200))

        @bp.get("/<int:n>")
        def show(n: int) -> Item: ...

        app.register_blueprint(bp)

        said = f"GET /x/{{n}}: a before_request() function or a decorator{STRAY}"
        assert refuse("/x/1") == said

    def test_before_request_of_a_view_that_flask_calls(self, app, refuse):
        app.before_request(lambda: Item(name="a"))

        @app.get("/")
        def show(): ...

        said = f"GET /: show() or a before_request() function{STRAY} {place_of(show)}"
        assert refuse("/") == said

    @pytest.mark.parametrize("model", [Item, None])
    def test_error_handler(self, app, model, refuse):
        app.register_error_handler(ValueError, lambda error: (Item(name="a"), 400))
        app.get("/x", response_model=model)(lambda: int("x"))
        assert refuse("/x") == f"GET /x: an error handler{STRAY}"

    def test_error_handler_without_a_view(self, app, refuse):
        app.register_error_handler(404, lambda error: Item(name="a"))
        assert refuse("/x") == f"GET: an error handler{STRAY}"

    def test_view_that_returns_one_after_another_request_has_failed(self, app, refuse):
        app.register_error_handler(ValueError, lambda error: "handled")

        @app.get("/")
        def show():
            return Item(name="a")

        app.get("/<int:n>", endpoint="fail")(lambda n: int("x"))
        with app.app_context():
            assert app.test_client().get("/1").text == "handled"
            said = "GET /: show() returned 'Item', but has no response model"
            assert refuse("/").startswith(said)

    def test_decorator_of_the_route(self, app, refuse):
        @app.get("/", decorators=[lambda view: lambda: Item(name="a")])
        def show(): ...

        said = f"GET /: show() or a decorator{STRAY} {place_of(show)}"
        assert refuse("/") == said

    def test_decorator_below_the_route(self, app, refuse):
        def show(): ...

        @functools.wraps(show)
        def wrapper():
            return Item(name="a")

        app.before_request(lambda: None)
        app.get("/")(wrapper)

        assert refuse("/") == (
            f"GET /: show() or a before_request() function or a decorator{STRAY}"
            f" {place_of(show)}"
        )

    def test_view_of_a_plain_blueprint(self, app, refuse):
        bp = PlainBlueprint("bp", __name__)
        bp.get("/x")(lambda: Item(name="a"))
        app.register_blueprint(bp)

        said = f"GET /x: a view of plain Flask or a before_request() function{STRAY}"
        assert refuse("/x") == said


def test_model_outside_of_a_request_is_refused_by_flask(app):
    with app.app_context(), pytest.raises(TypeError, match="it was a Item"):
        app.make_response(Item(name="a"))


def test_handler_that_returns_a_model_again_fails_as_flask_does(app, client):
    app.register_error_handler(500, lambda error: Item(name="a"))
    app.get("/")(lambda: Item(name="a"))
    with pytest.raises(TypeError, match="did not return a valid response"):
        client.get("/")


def test_log_has_locations_and_types_without_values(app, client, caplog):
    def show(shop_id: int) -> Out:
        return {"item": {"name": ["secret"], "sizes": [1, "secret"]}}  # type: ignore[dict-item]

    blueprint = Blueprint("shop", __name__, url_prefix="/shops/<int:shop_id>")
    blueprint.get("/item")(show)
    app.register_blueprint(blueprint)
    response = client.get("/shops/1/item")

    message = (
        "GET /shops/{shop_id}/item: show() returned what its response model refuses:"
        " string_type at ['item', 'name']; int_parsing at ['item', 'sizes', 1]"
        f" {place_of(show)}"
    )
    check_failed(response, caplog, message)
    assert "secret" not in caplog.text


class Bird(BaseModel):
    kind: t.Literal["bird"]
    songs: dict[str, int]


class Prices(BaseModel, extra="forbid"):
    by_user: dict[str, int] = {}
    by_number: dict[int, Item] = Field({}, alias="byNumber")


class Aliased(BaseModel):
    name: str = Field(alias="fullName", max_length=1)


ANN = {"ann@home": "x"}
KEYS: dict[str, tuple[t.Any, t.Any, str]] = {
    "dict": (dict[str, int], ANN, "int_parsing at ['...']"),
    "field": (Prices, {"by_user": ANN}, "int_parsing at ['by_user', '...']"),
    "number": (
        *(Prices, {"byNumber": {4711: {"name": 1}}}),
        "string_type at ['byNumber', '...', 'name']",
    ),
    "wrong-key": (
        *(Prices, {"byNumber": {"ann@home": {}}}),
        (
            "int_parsing at ['byNumber', '...', '[key]'];"
            " missing at ['byNumber', '...', 'name']"
        ),
    ),
    "extra": (Prices, {"ann@home": 1}, "extra_forbidden at ['...']"),
    "index": (
        *(dict[str, list[Item]], {"ann@home": [{"name": "a"}, {}]}),
        "missing at ['...', 1, 'name']",
    ),
    "union": (
        *(list[int] | Out, {"item": {"sizes": ANN}}),
        (
            "list_type at ['list[int]']; missing at ['Out', 'item', 'name'];"
            " list_type at ['Out', 'item', 'sizes']"
        ),
    ),
    "tag": (
        t.Annotated[Cat | Bird, Field(discriminator="kind")],
        {"kind": "bird", "songs": ANN},
        "int_parsing at ['bird', 'songs', '...']",
    ),
    "alias": (Aliased, {"fullName": "secret"}, "string_too_long at ['fullName']"),
}


@pytest.mark.parametrize(("model", "value", "shown"), KEYS.values(), ids=KEYS)
def test_log_has_fields_by_alias_and_no_keys_of_dictionaries(
    model, value, shown, caplog
):
    view = view_of(..., value)
    client_in("plain", view, response_model=model).get("/")

    (message,) = caplog.messages
    assert message == (
        f"GET /: show() returned what its response model refuses: {shown}"
        f" {place_of(view)}"
    )


def test_log_has_the_values_in_debug_mode(caplog):
    client_in("debug", view_of(Item, {"name": ["secret"]})).get("/")

    [message] = caplog.messages
    assert message.startswith(
        "GET /: show() returned what its response model refuses: [{"
    )
    assert "secret" in message


def test_log_names_at_most_100_failures(caplog):
    client_in("plain", view_of(list[int], ["x"] * 1000)).get("/")
    assert caplog.text.count("int_parsing") == 100


def loop() -> dict[str, t.Any]:
    """A value that is a part of itself."""
    value: dict[str, t.Any] = {}
    value["child"] = value
    return value


def assigned() -> Item:
    """An instance, one of whose fields was set to something else afterwards."""
    item = Item(name="a")
    item.name = {"secret": 1}  # type: ignore[assignment]
    return item


UNWRITABLE = {
    "recursion": (Node, loop),
    "serializer": (Odd, lambda: Odd(name="a")),
    "unknown-type": (t.Any, object),
    "unknown-type-in-a-dict": (dict[str, object], lambda: {"a": object()}),
    "assigned": (Item, assigned),
    "constructed": (Item, lambda: Item.model_construct(name=["secret"])),
}


@pytest.mark.parametrize(("model", "make"), UNWRITABLE.values(), ids=UNWRITABLE)
def test_value_that_cannot_be_written(model, make, caplog):
    response = returning(..., make(), response_model=model)

    [message] = caplog.messages
    check_failed(response, caplog, message)
    assert message.startswith("GET /: show() returned what ")
    assert "secret" not in caplog.text


def test_exception_that_the_view_did_not_mean_is_flasks():
    view = view_of(Broken, Broken())

    with pytest.raises(KeyError):
        client_in("testing", view).get("/")
    response = client_in("plain", view).get("/")
    assert (response.status_code, response.data) == (500, ANSWER)


def test_handler_of_the_author_is_reported_everything(app, client):
    caught: list[ResponseValidationError] = []
    returned = {"name": ["secret"]}

    @app.errorhandler(ResponseValidationError)
    def answer(error: ResponseValidationError):
        caught.append(error)
        return {"reference": 5}, 500

    @app.get("/items/<int:item_id>")
    def show(item_id: int) -> Item:
        return returned  # type: ignore[return-value]

    response = client.get("/items/1")

    assert (response.status_code, response.json) == (500, {"reference": 5})
    [error] = caught
    assert isinstance(error, InternalServerError)
    assert (error.view, error.rule) == ("show()", "GET /items/{item_id}")
    assert error.body is returned
    [entry] = error.errors
    assert (entry["type"], entry["loc"]) == ("string_type", ("name",))
    assert entry["msg"] == "Input should be a valid string"
    assert entry["input"] == ["secret"]
    assert str(error) == (
        "GET /items/{item_id}: show() returned what its response model refuses"
        f" {place_of(show)}"
    )


@pytest.mark.parametrize("key", [500, InternalServerError], ids=["status", "class"])
def test_handler_for_internal_errors_is_called(app, client, key):
    app.register_error_handler(key, lambda error: ("mine", 500))
    app.get("/")(lambda: Item(name="a"))
    app.get("/x", response_model=Item, endpoint="x")(lambda: {"x": 1})
    app.init_app()

    assert client.get("/").text == client.get("/x").text == "mine"


@pytest.mark.parametrize("value", [{"name": "x"}, Item(name="x")], ids=["dict", "item"])
def test_refused_value_is_validated_once(value: t.Any) -> None:
    seen = []

    class Named(Item):
        @field_validator("name")
        @classmethod
        def refuse(cls, name: str) -> str:
            seen.append(name)
            raise ValueError("no name is good")

    assert returning(Named, value).status_code == 500
    assert seen == ["x"]
