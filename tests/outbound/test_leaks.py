"""What a response model does not name is never sent, whatever a view returns.

Every kind of value stands in every kind of model. Each value knows a secret, on its own
and in what it holds; no answer may have it, and no line of the log.
"""

from __future__ import annotations

import dataclasses
import typing as t
from collections.abc import Callable

import pytest
from client import client_of
from pydantic import BaseModel, Field, Json, RootModel, create_model
from pydantic.dataclasses import dataclass as pydantic_dataclass
from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from typing_extensions import TypedDict

from flask_signature import ResponseValidationError

SECRET = "hunter2"
T = t.TypeVar("T")


# What is sent: a user, who has an address.


class Address(BaseModel):
    city: str


class User(BaseModel):
    name: str
    address: Address


class Group(BaseModel):
    title: str
    members: list[str] = []


class Tagged(User):
    kind: t.Literal["user"] = "user"


class Crew(Group):
    kind: t.Literal["crew"] = "crew"


class Page(BaseModel, t.Generic[T]):
    items: list[T]
    first: T | None = None


class Holder(BaseModel):
    user: User
    by_name: dict[str, User] = {}
    others: t.Sequence[User] = ()
    parent: Holder | None = None


class Users(RootModel[list[User]]): ...


@dataclasses.dataclass
class PlainAddress:
    city: str


@dataclasses.dataclass
class PlainUser:
    name: str
    address: PlainAddress


@pydantic_dataclass
class CheckedUser:
    name: str
    address: Address


class AddressDict(TypedDict):
    city: str


class UserDict(TypedDict):
    name: str
    address: AddressDict


class UserTuple(t.NamedTuple):
    name: str
    address: Address


# What is returned: users who know more than their models.


class SecretAddress(Address):
    note: str = SECRET


class Subclass(User):
    password: str = SECRET
    address: Address = SecretAddress(city="Rome")


class SubclassOfTagged(Tagged):
    password: str = SECRET
    address: Address = SecretAddress(city="Rome")


class Unrelated(BaseModel):
    name: str
    password: str = SECRET
    address: SecretAddress = SecretAddress(city="Rome")


class Open(User, extra="allow"): ...


class Base(DeclarativeBase): ...


class AddressRow(Base):
    __tablename__ = "address"
    id: Mapped[int] = mapped_column(primary_key=True)
    city: Mapped[str]
    note: Mapped[str]


class UserRow(Base):
    __tablename__ = "user"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    password_hash: Mapped[str]
    address_id: Mapped[int] = mapped_column(ForeignKey(AddressRow.id))
    address: Mapped[AddressRow] = relationship()


class Thing:
    """Any object: it has the attributes that it is given."""

    def __init__(self, **attributes: t.Any) -> None:
        self.__dict__.update(attributes)


@dataclasses.dataclass
class SecretPlainAddress(PlainAddress):
    note: str = SECRET


@dataclasses.dataclass
class SecretPlainUser(PlainUser):
    password: str = SECRET


@pydantic_dataclass
class SecretCheckedUser(CheckedUser):
    password: str = SECRET


def constructed() -> User:
    """A user that Pydantic has not looked at."""
    return User.model_construct(
        name="Ann", address={"city": "Rome", "note": SECRET}, password=SECRET
    )


def loaded() -> User:
    """A user that knows nothing of what was set, as one that an ORM has made."""
    return User.model_construct(_fields_set=set(), name="Ann", address=dict(ADDRESS))


def assigned() -> User:
    """A user whose address was set to another model afterwards."""
    user = User(name="Ann", address=Address(city="Rome"))
    user.address = Unrelated(name=SECRET)  # type: ignore[assignment]
    return user


ADDRESS = {"city": "Rome", "note": SECRET}

VALUES: dict[str, Callable[[], t.Any]] = {
    "dict": lambda: {"name": "Ann", "password": SECRET, "address": ADDRESS},
    "dict-of-model": lambda: {
        "name": "Ann",
        "password": SECRET,
        "address": SecretAddress(city="Rome"),
    },
    "subclass": lambda: Subclass(name="Ann"),
    "subclass-of-tagged": lambda: SubclassOfTagged(name="Ann"),
    "holds-subclass": lambda: User(name="Ann", address=SecretAddress(city="Rome")),
    "unrelated": lambda: Unrelated(name="Ann"),
    "extra": lambda: Open(name="Ann", address=Address(city="Rome"), password=SECRET),
    "row": lambda: UserRow(
        name="Ann", password_hash=SECRET, address=AddressRow(city="Rome", note=SECRET)
    ),
    "object": lambda: Thing(
        name="Ann", password=SECRET, address=Thing(city="Rome", note=SECRET)
    ),
    "dataclass": lambda: SecretPlainUser("Ann", SecretPlainAddress("Rome")),
    "pydantic-dataclass": lambda: SecretCheckedUser("Ann", SecretAddress(city="Rome")),
    "named-tuple": lambda: UserTuple("Ann", SecretAddress(city="Rome")),
    "constructed": constructed,
    "loaded": loaded,
    "assigned": assigned,
    "nothing-that-fits": lambda: {"password": SECRET, "address": SECRET},
    "text": lambda: SECRET,
    "list": lambda: [SECRET],
    "another-container": lambda: {"users": [Subclass(name="Ann")]},
}


class Secretive(t.NamedTuple):
    """A kind of model, and how a value is put into one."""

    model: t.Any
    put: Callable[[t.Any], t.Any] = lambda user: user
    options: dict[str, t.Any] = {}


class Collection(list[t.Any]):
    """A list of another class, as an ORM makes them."""


MODELS: dict[str, Secretive] = {
    "model": Secretive(User),
    "optional": Secretive(User | None),
    "list": Secretive(list[User], lambda user: [user]),
    "list-of-two-kinds": Secretive(
        list[User], lambda user: [user, {"name": "b", "address": {"city": "c"}}]
    ),
    "tuple": Secretive(tuple[User, int], lambda user: ((user, 1), 200)),
    "tuple-of-many": Secretive(tuple[User, ...], lambda user: [user]),
    "sequence": Secretive(t.Sequence[User], lambda user: [user]),
    "sequence-of-another-class": Secretive(
        t.Sequence[User], lambda user: Collection([user])
    ),
    "sequence-of-a-tuple": Secretive(t.Sequence[User], lambda user: ((user,), 200)),
    "dict": Secretive(dict[str, User], lambda user: {"x": user}),
    "mapping": Secretive(t.Mapping[str, list[User]], lambda user: {"x": [user]}),
    "union": Secretive(User | Group),
    "union-with-a-list": Secretive(User | list[User], lambda user: [user]),
    "union-with-a-scalar": Secretive(int | User),
    "union-in-a-list": Secretive(list[User | Group], lambda user: [user]),
    "discriminated": Secretive(
        t.Annotated[Tagged | Crew, Field(discriminator="kind")],
        lambda user: {**user, "kind": "user"} if isinstance(user, dict) else user,
    ),
    "generic": Secretive(Page[User], lambda user: {"items": [user], "first": user}),
    "generic-instance": Secretive(
        Page[User], lambda user: Page.model_construct(items=[user], first=user)
    ),
    "nested": Secretive(
        Holder,
        lambda user: {
            "user": user,
            "by_name": {"x": user},
            "others": (user,),
            "parent": {"user": user},
        },
    ),
    "nested-instance": Secretive(
        Holder, lambda user: Holder.model_construct(user=user, others=(user,))
    ),
    "root-model": Secretive(Users, lambda user: [user]),
    "root-model-instance": Secretive(
        Users, lambda user: Users.model_construct(root=[user])
    ),
    "dataclass": Secretive(PlainUser),
    "pydantic-dataclass": Secretive(CheckedUser),
    "typed-dict": Secretive(UserDict),
    "typed-dict-in-a-list": Secretive(list[UserDict], lambda user: [user]),
    "named-tuple": Secretive(UserTuple),
    "named-tuple-in-a-list": Secretive(list[UserTuple], lambda user: [user]),
    "json": Secretive(list[Json[User]], lambda user: [user]),
    "status": Secretive(Group, lambda user: (user, 404), {"responses": {404: User}}),
    "class-of-statuses": Secretive(
        None, lambda user: (user, 500), {"responses": {"5XX": list[User] | User}}
    ),
    "stream": Secretive(
        t.Iterator[User], lambda user: [user], {"media_type": "application/jsonl"}
    ),
    "included": Secretive(
        User, options={"response_model_include": {"name", "address"}}
    ),
    "unset": Secretive(User, options={"response_model_exclude_unset": True}),
    "without-none": Secretive(User, options={"response_model_exclude_none": True}),
    "by-name": Secretive(User, options={"response_model_by_alias": False}),
    "scalar": Secretive(dict[str, str], lambda user: {"x": user}),
    "literal": Secretive(
        create_model("Literal", x=(t.Literal["a"], "a")), lambda user: {"x": user}
    ),
    "literal-instance": Secretive(create_model("Literal", x=(t.Literal["a"], "a"))),
}


class Answers:
    """What a view with one kind of model answers, value by value."""

    def __init__(self, kind: Secretive) -> None:
        def show():
            return self.returned

        self.put = kind.put
        self.returned: t.Any = None
        self.client = client_of(show, response_model=kind.model, **kind.options)

    def of(self, value: t.Any) -> bytes:
        """The body, as far as it was sent."""
        self.returned = self.put(value)
        sent = []
        try:
            sent.extend(self.client.get("/").response)
        except ResponseValidationError:
            # A stream ends in the middle.
            pass
        return b"".join(sent)


#: Where a text is what the model asks for, and no secret.
HOLD_TEXT = {"scalar", "literal", "union-with-a-scalar"}


@pytest.mark.parametrize("kind", MODELS)
def test_secret_stays(kind, caplog):
    answers = Answers(MODELS[kind])
    values = [name for name in VALUES if not (name == "text" and kind in HOLD_TEXT)]
    bodies = {name: answers.of(VALUES[name]()) for name in values}

    assert [name for name, body in bodies.items() if SECRET.encode() in body] == []
    assert SECRET not in caplog.text


#: Values that are no user, or are one no more.
UNFIT = {"assigned", "nothing-that-fits", "text", "list", "another-container"}

#: Models that some users are not made for: they have no kind, set nothing, are no text.
CHOOSY = {"discriminated", "unset", "scalar", "literal", "literal-instance"}

#: Models that Pydantic makes of their own kind and of dictionaries alone.
OF_THEIR_KIND = {
    "dataclass",
    "json",
    "named-tuple",
    "named-tuple-in-a-list",
    "pydantic-dataclass",
    "typed-dict",
    "typed-dict-in-a-list",
}


@pytest.mark.parametrize(
    "kind", [kind for kind in MODELS if kind not in CHOOSY | OF_THEIR_KIND]
)
def test_what_the_model_names_is_sent(kind):
    answers = Answers(MODELS[kind])
    bodies = {name: answers.of(VALUES[name]()) for name in VALUES if name not in UNFIT}
    assert {name for name, body in bodies.items() if b"Ann" not in body} == set()
    assert {name for name, body in bodies.items() if b"Rome" not in body} == set()
