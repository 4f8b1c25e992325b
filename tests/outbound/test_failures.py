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
    ConfigDict,
    Field,
    computed_field,
    field_serializer,
    field_validator,
)
from werkzeug.exceptions import InternalServerError

from flask_signature import Blueprint, Flask, ResponseValidationError

FILE = "tests/outbound/test_failures.py"
ANSWER = b'{"message":"An internal error occurred."}\n'


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


def place_of(view: t.Any) -> str:
    """The end of a message: the file and line where a view was written."""
    return f"({FILE}, line {view.__code__.co_firstlineno})"


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


@pytest.mark.parametrize("initialized", [True, False], ids=["init_app", "bare"])
@pytest.mark.parametrize("mode", MODES)
def test_row_65_value_that_the_model_refuses(mode, initialized, caplog):
    def show() -> Item:
        return {"x": 1}  # type: ignore[return-value]

    response = client_in(mode, show, initialized).get("/")

    assert response.status_code == 500
    assert response.content_type == "application/json"
    assert response.data == ANSWER
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("initialized", [True, False], ids=["init_app", "bare"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [{}, {"status_code": 202}], ids=str)
def test_model_returned_without_a_response_model(options, mode, initialized, caplog):
    def show():
        return Item(name="secret")

    response = client_in(mode, show, initialized, **options).get("/")

    assert response.status_code == 500
    assert response.content_type == "application/json"
    assert response.data == ANSWER
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned 'Item', but has no response model. Annotate it '->"
        f" Item', or give response_model=Item. {place_of(show)}"
    )


def test_model_where_response_models_are_left_out(caplog):
    def show() -> Item:
        return Item(name="secret")

    response = client_of(show, response_model=None).get("/")

    assert (response.status_code, response.data) == (500, ANSWER)
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned 'Item', but response_model=None leaves out response"
        f" models. Remove it, or return model_dump(). {place_of(show)}"
    )


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("model", [Item, list[Item], Item | str])
def test_none_where_there_is_a_model(model, plain, caplog):
    def show(n: int = 1):
        return None

    app = PlainFlask(__name__) if plain else Flask(__name__)
    bp = Blueprint("bp", __name__)
    bp.get("/", response_model=model)(show)
    app.register_blueprint(bp)
    response = app.test_client().get("/")

    assert (response.status_code, response.data) == (500, ANSWER)
    shown = {Item: "Item", list[Item]: "list[Item]"}.get(model, "Item | str")
    (message,) = caplog.messages
    assert message == (
        f"GET /: show() returned None, but its response model is {shown!r}. Return one,"
        f" abort with a status such as 404, or declare '{shown} | None'."
        f" {place_of(show)}"
    )


@pytest.mark.parametrize(
    "returned", [(201, Item(name="a")), (201, {"name": "a"}), 201, (201, "a", {})]
)
def test_status_before_the_body(returned, caplog):
    def show() -> Item:
        return returned

    response = client_of(show).get("/")

    assert (response.status_code, response.data) == (500, ANSWER)
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned the status 201 in the place of the body. Write '(body,"
        f" 201)', or '(body, status, headers)'. {place_of(show)}"
    )


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_status_before_a_model_without_a_response_model(method, caplog):
    def show():
        return 404, Item(name="a")

    response = client_of(show, "/", method).open("/", method=method)

    assert (response.status_code, response.data) == (500, ANSWER)
    (message,) = caplog.messages
    assert message == (
        f"{method} /: show() returned the status 404 in the place of the body. Write"
        f" '(body, 404)', or '(body, status, headers)'. {place_of(show)}"
    )


def test_model_in_a_tuple_without_a_response_model():
    def show():
        return Item(name="a"), 200

    assert client_in("testing", show).get("/").data == ANSWER


def test_model_for_a_status_without_one(caplog):
    def show() -> Item:
        return Item(name="a"), 404  # type: ignore[return-value]

    assert client_in("testing", show).get("/").data == ANSWER
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned 'Item' with status 404, which has no response model."
        f" Declare it with responses={{404: Item}}. {place_of(show)}"
    )


def test_model_for_a_status_without_any(caplog):
    def show():
        return Item(name="a"), 404

    assert client_in("testing", show).get("/").data == ANSWER
    (message,) = caplog.messages
    assert message == (
        "GET /: show() returned 'Item' with status 404, which has no response model."
        f" Declare it with responses={{404: Item}}. {place_of(show)}"
    )


STRAY = (
    " returned 'Item', for which there is no response model. Only a view can declare"
    " one: elsewhere, return model_dump() or a Response."
)


class TestModelsOfOtherFunctions:
    """A model that is returned by what is no view of ours does not blame the view."""

    def refuse(self, app: Flask, path: str, caplog: t.Any) -> str:
        response = app.test_client().get(path)

        assert (response.status_code, response.data) == (500, ANSWER)
        (message,) = caplog.messages
        return t.cast("str", message)

    def test_before_request_without_a_view(self, caplog):
        app = Flask(__name__)
        app.before_request(lambda: Item(name="a"))

        told = self.refuse(app, "/", caplog)

        assert told == f"GET: a before_request() function{STRAY}"

    def test_before_request_of_a_view_with_a_model(self, caplog):
        app = Flask(__name__)
        bp = Blueprint("bp", __name__, url_prefix="/x")
        bp.before_request(lambda: (Item(name="a"), 200))

        @bp.get("/<int:n>")
        def show(n: int) -> Item: ...

        app.register_blueprint(bp)

        told = self.refuse(app, "/x/1", caplog)

        assert (
            told == f"GET /x/{{n}}: a before_request() function or a decorator{STRAY}"
        )

    def test_before_request_of_a_view_that_flask_calls(self, caplog):
        app = Flask(__name__)
        app.before_request(lambda: Item(name="a"))

        def show(): ...

        app.get("/")(show)

        told = self.refuse(app, "/", caplog)

        assert told == (
            f"GET /: show() or a before_request() function{STRAY} {place_of(show)}"
        )

    @pytest.mark.parametrize("has_model", [True, False])
    def test_error_handler(self, has_model, caplog):
        app = Flask(__name__)
        app.register_error_handler(ValueError, lambda error: (Item(name="a"), 400))

        def show():
            raise ValueError

        app.get("/x", response_model=Item if has_model else None)(show)

        assert self.refuse(app, "/x", caplog) == f"GET /x: an error handler{STRAY}"

    def test_error_handler_without_a_view(self, caplog):
        app = Flask(__name__)
        app.register_error_handler(404, lambda error: Item(name="a"))

        assert self.refuse(app, "/x", caplog) == f"GET: an error handler{STRAY}"

    def test_view_that_returns_one_after_another_request_has_failed(self, caplog):
        app = Flask(__name__)
        app.register_error_handler(ValueError, lambda error: "handled")

        def show():
            return Item(name="a")

        app.get("/<int:n>", endpoint="fail")(lambda n: int("x"))
        app.get("/")(show)
        with app.app_context():
            assert app.test_client().get("/1").text == "handled"
            told = self.refuse(app, "/", caplog)

        assert told.startswith(
            "GET /: show() returned 'Item', but has no response model"
        )

    def test_decorator_of_the_route(self, caplog):
        app = Flask(__name__)

        def show(): ...

        app.get("/", decorators=[lambda view: lambda: Item(name="a")])(show)

        told = self.refuse(app, "/", caplog)

        assert told == f"GET /: show() or a decorator{STRAY} {place_of(show)}"

    def test_decorator_below_the_route(self, caplog):
        app = Flask(__name__)

        def show(): ...

        @functools.wraps(show)
        def wrapper():
            return Item(name="a")

        app.before_request(lambda: None)
        app.get("/")(wrapper)

        told = self.refuse(app, "/", caplog)

        assert told == (
            f"GET /: show() or a before_request() function or a decorator{STRAY}"
            f" {place_of(show)}"
        )

    def test_view_of_a_plain_blueprint(self, caplog):
        app = Flask(__name__)
        bp = PlainBlueprint("bp", __name__)
        bp.get("/x")(lambda: Item(name="a"))
        app.register_blueprint(bp)

        told = self.refuse(app, "/x", caplog)

        assert told == (
            f"GET /x: a view of plain Flask or a before_request() function{STRAY}"
        )


def test_model_outside_of_a_request_is_refused_by_flask():
    app = Flask(__name__)

    with app.app_context(), pytest.raises(TypeError, match="it was a Item"):
        app.make_response(Item(name="a"))


def test_handler_that_returns_a_model_again_fails_as_flask_does():
    app = Flask(__name__)
    app.register_error_handler(500, lambda error: Item(name="a"))
    app.get("/")(lambda: Item(name="a"))

    with pytest.raises(TypeError, match="did not return a valid response"):
        app.test_client().get("/")


def test_log_has_locations_and_types_without_values(caplog):
    def show(shop_id: int) -> Out:
        return {"item": {"name": ["secret"], "sizes": [1, "secret"]}}  # type: ignore[dict-item]

    app = Flask(__name__)
    blueprint = Blueprint("shop", __name__, url_prefix="/shops/<int:shop_id>")
    blueprint.get("/item")(show)
    app.register_blueprint(blueprint)
    response = app.test_client().get("/shops/1/item")

    assert response.data == ANSWER
    [message] = caplog.messages
    assert message == (
        "GET /shops/{shop_id}/item: show() returned what its response model refuses:"
        " string_type at ['item', 'name']; int_parsing at ['item', 'sizes', 1]"
        f" {place_of(show)}"
    )
    assert "secret" not in caplog.text


class Bird(BaseModel):
    kind: t.Literal["bird"]
    songs: dict[str, int]


class Prices(BaseModel):
    model_config = ConfigDict(extra="forbid")
    by_user: dict[str, int] = {}
    by_number: dict[int, Item] = Field({}, alias="byNumber")


KEYS: dict[str, tuple[t.Any, t.Any, str]] = {
    "dict": (dict[str, int], {"ann@home": "x"}, "int_parsing at ['...']"),
    "field": (
        Prices,
        {"by_user": {"ann@home": "x"}},
        "int_parsing at ['by_user', '...']",
    ),
    "number": (
        Prices,
        {"byNumber": {4711: {"name": 1}}},
        "string_type at ['byNumber', '...', 'name']",
    ),
    "wrong-key": (
        Prices,
        {"byNumber": {"ann@home": {}}},
        (
            "int_parsing at ['byNumber', '...', '[key]'];"
            " missing at ['byNumber', '...', 'name']"
        ),
    ),
    "extra": (Prices, {"ann@home": 1}, "extra_forbidden at ['...']"),
    "index": (
        dict[str, list[Item]],
        {"ann@home": [{"name": "a"}, {}]},
        "missing at ['...', 1, 'name']",
    ),
    "union": (
        list[int] | Out,
        {"item": {"sizes": {"ann@home": 1}}},
        (
            "list_type at ['list[int]']; missing at ['Out', 'item', 'name'];"
            " list_type at ['Out', 'item', 'sizes']"
        ),
    ),
    "tag": (
        t.Annotated[Cat | Bird, Field(discriminator="kind")],
        {"kind": "bird", "songs": {"ann@home": "x"}},
        "int_parsing at ['bird', 'songs', '...']",
    ),
}


@pytest.mark.parametrize(("model", "value", "shown"), KEYS.values(), ids=KEYS)
def test_log_has_no_keys_of_dictionaries(model, value, shown, caplog):
    def show():
        return value

    client_in("plain", show, response_model=model).get("/")

    (message,) = caplog.messages
    assert message == (
        f"GET /: show() returned what its response model refuses: {shown}"
        f" {place_of(show)}"
    )


def test_log_has_the_values_in_debug_mode(caplog):
    def show() -> Item:
        return {"name": ["secret"]}  # type: ignore[return-value]

    client_in("debug", show).get("/")

    [message] = caplog.messages
    assert message.startswith(
        "GET /: show() returned what its response model refuses: [{"
    )
    assert "secret" in message


def test_log_names_at_most_100_failures(caplog):
    def show() -> list[int]:
        return ["x"] * 1000  # type: ignore[list-item]

    client_in("plain", show).get("/")

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
    def show():
        return make()

    response = client_of(show, response_model=model).get("/")

    assert (response.status_code, response.data) == (500, ANSWER)
    [message] = caplog.messages
    assert message.startswith("GET /: show() returned what ")
    assert "secret" not in caplog.text


def test_exception_that_the_view_did_not_mean_is_flasks():
    def show() -> Broken:
        return Broken()

    with pytest.raises(KeyError):
        client_in("testing", show).get("/")
    response = client_in("plain", show).get("/")
    assert response.status_code == 500
    assert response.json == {"message": "An internal error occurred."}


def test_handler_of_the_author_is_reported_everything():
    app = Flask(__name__)
    caught: list[ResponseValidationError] = []
    returned = {"name": ["secret"]}

    @app.errorhandler(ResponseValidationError)
    def answer(error: ResponseValidationError):
        caught.append(error)
        return {"reference": 5}, 500

    @app.get("/items/<int:item_id>")
    def show(item_id: int) -> Item:
        return returned  # type: ignore[return-value]

    response = app.test_client().get("/items/1")

    assert (response.status_code, response.json) == (500, {"reference": 5})
    [error] = caught
    assert isinstance(error, InternalServerError)
    assert (error.view, error.rule) == ("show()", "GET /items/{item_id}")
    assert error.body is returned
    assert error.errors == [
        {
            "type": "string_type",
            "loc": ("name",),
            "msg": "Input should be a valid string",
            "input": ["secret"],
        }
    ]
    assert str(error) == (
        "GET /items/{item_id}: show() returned what its response model refuses"
        f" {place_of(show)}"
    )


@pytest.mark.parametrize("key", [500, InternalServerError], ids=["status", "class"])
def test_handler_for_internal_errors_is_called(key):
    app = Flask(__name__)
    app.register_error_handler(key, lambda error: ("mine", 500))
    app.get("/")(lambda: Item(name="a"))
    app.get("/x", response_model=Item, endpoint="x")(lambda: {"x": 1})
    app.init_app()

    client = app.test_client()
    assert client.get("/").text == "mine"
    assert client.get("/x").text == "mine"


def test_blueprint_on_a_plain_application_answers_the_same():
    app = PlainFlask(__name__)
    app.testing = True
    blueprint = Blueprint("shop", __name__)

    @blueprint.get("/")
    def show() -> Item:
        return {"x": 1}  # type: ignore[return-value]

    app.register_blueprint(blueprint)

    response = app.test_client().get("/")
    assert (response.status_code, response.data) == (500, ANSWER)


def test_constraint_that_fails_names_its_field_by_alias(caplog):
    class Aliased(BaseModel):
        name: str = Field(alias="fullName", max_length=1)

    def show():
        return {"fullName": "secret"}

    client_of(show, response_model=Aliased).get("/")

    [message] = caplog.messages
    assert message == (
        "GET /: show() returned what its response model refuses: string_too_long at"
        f" ['fullName'] {place_of(show)}"
    )


@pytest.mark.parametrize("value", [{"name": "x"}, Item(name="x")], ids=["dict", "item"])
def test_refused_value_is_validated_once(value: t.Any) -> None:
    app, seen = Flask(__name__), []

    class Named(Item):
        @field_validator("name")
        @classmethod
        def refuse(cls, name: str) -> str:
            seen.append(name)
            raise ValueError("no name is good")

    app.get("/", response_model=Named)(lambda: value)

    assert app.test_client().get("/").status_code == 500
    assert seen == ["x"]
