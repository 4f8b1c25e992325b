"""The types of the large application, and a value of each that its views return."""

from __future__ import annotations

import datetime
import typing as t
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, Json, computed_field, with_config
from typing_extensions import TypedDict

from flask_signature import SetCookie, UploadFile

try:
    from pydantic import MISSING
except ImportError:  # Pydantic 2.13
    from pydantic.experimental.missing_sentinel import MISSING

T = t.TypeVar("T")


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Tag(Enum):
    BOOKS = "Books"


# Without a configuration of its own, a type has that of the model around it, which
# Pydantic does not describe.
@with_config(extra="ignore")
@dataclass
class Size:
    """How large."""

    width: int
    height: int = 1


@with_config(extra="ignore")
class Place(TypedDict):
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
    number: float = Field(gt=0, le=10)
    # Pydantic takes 5e-324 for a multiple of 0.5.
    even: int = Field(2, multiple_of=2)
    when: datetime.datetime
    day: datetime.date | None = None
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

    # These are not read: Pydantic 2.14 says that a Decimal is any string, and writes
    # "P1Y2D", which is no duration of RFC 3339.
    @computed_field  # type: ignore[prop-decorator]
    @property
    def amount(self) -> Decimal:
        """The number with two digits."""
        return round(Decimal(self.number), 2)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def span(self) -> datetime.timedelta:
        """An hour."""
        return datetime.timedelta(hours=1)


class Filter(BaseModel):
    limit: int = Field(10, ge=1)
    colour: Colour | None = None
    sizes: list[int] = []


class Sorting(BaseModel):
    """By what, and in which order."""

    model_config = ConfigDict(extra="forbid")

    title: t.Literal["asc", "desc"] | None = None
    year: t.Literal["asc", "desc"] | None = None


class Shelf(BaseModel):
    """A place in one parameter, where a comma ends each key and value."""

    model_config = ConfigDict(extra="forbid")

    row: int
    side: t.Literal["left", "right"] = "left"


class Parcel(BaseModel):
    photo: UploadFile
    caption: str | None = None
    size: Size = Size(1)
    note: Json[list[int]] = Field("[]")


class Page(BaseModel, t.Generic[T]):
    items: list[T]
    following: str | None


class Problem(BaseModel):
    """Why something is not done."""

    reason: str


class SoldOut(BaseModel):
    sold_out: str


class Refused(BaseModel):
    count: int


class NewBook(BaseModel):
    title: str = Field(min_length=1)
    year: int | None = None


class Book(NewBook):
    id: int


class BookChange(BaseModel):
    """What is left out stays as it is."""

    title: str | MISSING = Field(MISSING, min_length=1)
    year: int | MISSING | None = MISSING


class Created(TypedDict):
    location: str
    last_modified: datetime.datetime


class PageHeaders(TypedDict):
    total: t.Annotated[int, Field(alias="X-Total", description="How many there are.")]
    x_complete: bool
    x_colours: list[Colour]
    link: str | None


class Busy(TypedDict):
    retry_after: int


class LoggedIn(TypedDict):
    set_cookie: list[SetCookie]


EVERYTHING: t.Final = Everything(
    text="abc",
    number=1.5,
    when=datetime.datetime(2026, 5, 17, 12, 30, tzinfo=datetime.timezone.utc),
    key=UUID(int=7),
    size=Size(2),
    place=Place(row=1, shelf="a"),
    pet=Cat(kind="cat", meows=3),
    tree=Node(children=[Node()]),
    table={"a": [1, None]},
)
