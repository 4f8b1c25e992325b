"""A large application in which everything that can be described occurs."""

from __future__ import annotations

import datetime
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from uuid import UUID

from flask.views import MethodView
from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field
from pydantic import Json
from pydantic import computed_field
from pydantic import create_model
from typing_extensions import TypedDict

from flask_signature import Blueprint
from flask_signature import Body
from flask_signature import Cookie
from flask_signature import File
from flask_signature import Flask
from flask_signature import Form
from flask_signature import Header
from flask_signature import Path
from flask_signature import Query
from flask_signature import UploadFile
from flask_signature.security import APIKey
from flask_signature.security import HTTPBasic
from flask_signature.security import HTTPBearer
from flask_signature.security import OAuth2
from flask_signature.security import OAuthFlow
from flask_signature.security import OpenIDConnect

T = t.TypeVar("T")

TOKEN = HTTPBearer("token", bearer_format="JWT")
KEY = APIKey("key", "X-Key")
BASIC = HTTPBasic("basic")
OPEN_ID = OpenIDConnect("open_id", "https://login.test/openid")
LOGIN = OAuth2(
    "login",
    authorization_code=OAuthFlow(
        authorization_url="https://login.test/a",
        token_url="https://login.test/t",
        scopes={"read": "Read."},
    ),
)

CONVERTERS = [
    "<x>",
    "<string(length=3):x>",
    "<int(min=1, max=9, signed=True):x>",
    "<int(fixed_digits=4):x>",
    "<float(min=0.5):x>",
    "<uuid:x>",
    "<any(a, b):x>",
    "<path:x>",
]


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


@dataclass
class Size:
    """How large."""

    width: int
    height: int = 1


class Place(TypedDict):
    """Where."""

    row: int
    shelf: str


class Cat(BaseModel):
    kind: t.Literal["cat"]
    meows: int


class Dog(BaseModel):
    kind: t.Literal["dog"]
    barks: int


class Node(BaseModel):
    """A tree."""

    children: list[Node] = []
    parent: Node | None = None


class Everything(BaseModel):
    """A bit of everything."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=9, pattern="^[a-z]+$")
    number: float = Field(gt=0, le=10, multiple_of=0.5)
    amount: Decimal = Field(max_digits=6, decimal_places=2)
    when: datetime.datetime
    day: datetime.date | None = None
    span: datetime.timedelta = datetime.timedelta(hours=1)
    key: UUID
    colour: Colour = Colour.RED
    size: Size
    place: Place
    pet: Cat | Dog = Field(discriminator="kind")
    tree: Node = Node()
    tags: set[str] = {"a", "b"}
    pair: tuple[int, str] = (1, "a")
    table: dict[str, list[int | None]] = {}
    odd: t.Any = None
    old: int = Field(0, deprecated=True, alias="veryOld", examples=[1, 2])

    @computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> float:
        """Twice the number."""
        return 2 * self.number


class Filter(BaseModel):
    limit: int = Field(10, ge=1)
    colour: Colour | None = None
    sizes: list[int] = []


class Parcel(BaseModel):
    photo: UploadFile
    caption: str | None = None
    size: Size = Size(1)
    note: Json[list[int]] = Field("[]")


class Page(BaseModel, t.Generic[T]):
    """A part of a list."""

    items: list[T]
    following: str | None


class Problem(BaseModel):
    message: str


def make_app(*, routes: int = 100) -> Flask:
    """The application, with as many plain routes on top."""
    app = Flask("features")
    app.config.update(
        SIGNATURE_TITLE="Features",
        SIGNATURE_VERSION="1.2.3",
        SIGNATURE_DESCRIPTION="Everything.",
        SIGNATURE_TERMS_OF_SERVICE="https://features.test/terms",
        SIGNATURE_CONTACT={"name": "Ann", "email": "ann@features.test"},
        SIGNATURE_LICENSE={"name": "MIT", "identifier": "MIT"},
        SIGNATURE_SERVERS=[{"url": "https://features.test/api"}],
        SIGNATURE_TAGS=[{"name": "Main", "description": "The main ones."}],
        SIGNATURE_EXTERNAL_DOCS={"url": "https://features.test/docs"},
        SIGNATURE_SECURITY=TOKEN,
        SIGNATURE_SECURITY_SCHEMES={"open_id": OPEN_ID},
        SIGNATURE_WEBHOOKS={"changed": hook(Everything)},
    )
    app.register_blueprint(make_main(), url_prefix="/<lang>/main")
    app.register_blueprint(make_files())
    app.register_blueprint(make_answers(), url_prefix="/answers")
    for number, converter in enumerate(CONVERTERS):
        app.get(f"/c{number}/{converter}", endpoint=f"c{number}")(take_anything)
    for number in range(routes):
        add_plain(app, number)
    app.init_app()
    return app


def hook(model: t.Any) -> dict[str, t.Any]:
    """A Path Item Object that sends a model."""
    content = {"application/json": {"schema": model}}
    answers = {"204": {"description": "Taken"}, "4XX": {"description": "Refused"}}
    return {
        "post": {
            "operationId": f"send_{model.__name__}",
            "requestBody": {"content": content},
            "responses": answers,
        }
    }


def take_anything(**variables: t.Any) -> None:
    """Take any variable."""


def make_main() -> Blueprint:
    bp = Blueprint("main", __name__, tags=["Main"], responses={401: Problem})

    @bp.get("/", security=KEY & TOKEN | BASIC | None)
    def search(
        lang: t.Annotated[str, Path(min_length=2, max_length=2)],
        filters: t.Annotated[Filter, Query()],
        size: t.Annotated[Size, Query()],
        place: t.Annotated[Place, Query(style="deepObject")],
        ids: t.Annotated[list[int], Query(style="pipeDelimited")],
        page: int = Query(1, openapi_examples={"first": {"value": 1}}),
        x_token: str | None = Header(None, deprecated=True),
        x_part: list[int] = Header([]),
        session: str = Cookie(""),
    ) -> Page[Everything]:
        """Search.

        With *everything*.
        """
        raise NotImplementedError

    @bp.route("/both", methods=["GET", "POST"], security=LOGIN.scopes("read"))
    def both(lang: str, item: Filter) -> Page[Filter]:
        raise NotImplementedError

    class Items(MethodView):
        def get(self, lang: str, item_id: int) -> Everything:
            raise NotImplementedError

        def put(self, lang: str, item_id: int, item: Everything) -> Everything:
            raise NotImplementedError

        def patch(
            self, lang: str, item_id: int, item: Everything, reason: str = Body("")
        ) -> Everything:
            raise NotImplementedError

        def delete(self, lang: str, item_id: int) -> None: ...

    bp.add_url_rule("/items/<int:item_id>", view_func=Items.as_view("items"))

    @bp.post("/hooks", callbacks={"on": {"{$request.body#/url}": hook(Page[Node])}})
    def add_hook(lang: str, url: str = Body(embed=True)) -> None: ...

    return bp


def make_files() -> Blueprint:
    bp = Blueprint("files", __name__, url_prefix="/files", security=KEY)

    @bp.post("/")
    def send(
        photo: UploadFile, more: list[UploadFile] = File([]), name: str = Form("")
    ) -> None: ...

    @bp.put("/")
    def replace(parcel: t.Annotated[Parcel, Form()]) -> None: ...

    @bp.post("/raw")
    def raw(data: t.Annotated[bytes, Body(media_type="image/png")]) -> None: ...

    @bp.post("/any")
    def anything(data: bytes) -> None: ...

    @bp.post("/form")
    def form(name: str = Form(), sizes: list[int] = Form([])) -> str:
        raise NotImplementedError

    return bp


def make_answers() -> Blueprint:
    bp = Blueprint("answers", __name__, tags=["Answers"], security=None)

    @bp.get("/stream", media_type="application/jsonl")
    def stream() -> Iterator[Filter]:
        raise NotImplementedError

    @bp.get("/events", media_type="text/event-stream")
    def events() -> Iterator[Node]:
        raise NotImplementedError

    @bp.get(
        "/statuses",
        etag=True,
        responses={
            202: Filter,
            404: {"model": Problem, "headers": {"X-Count": int}},
            "5XX": {"description": "Ours."},
            "default": Problem,
        },
    )
    def statuses() -> t.Annotated[Cat | Dog, Field(discriminator="kind")]:
        raise NotImplementedError

    @bp.get("/names", response_model_by_alias=False)
    def names() -> Everything:
        raise NotImplementedError

    @bp.get("/some", response_model_exclude_none=True, openapi_extra={"x-a": 1})
    def some() -> Page[Node]:
        raise NotImplementedError

    @bp.get("/part", response_model_exclude={"items": {"__all__": {"sizes"}}})
    def part() -> Page[Filter]:
        raise NotImplementedError

    return bp


def add_plain(app: Flask, number: int) -> None:
    """Add a route with models of its own, the homonyms of many others."""
    given = create_model("Thing", __module__=f"things.a{number}", a=(int, number))
    taken = create_model("Thing", __module__=f"things.b{number}", b=(str, ...))

    def view(item: t.Any, page: int = Query(1, ge=number)) -> t.Any: ...

    view.__annotations__ = {"item": taken, "page": int, "return": given}
    app.post(f"/things/{number}", endpoint=f"thing{number}")(view)
