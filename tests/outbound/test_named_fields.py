"""The names in ``response_model_include=`` and ``response_model_exclude=``."""

from __future__ import annotations

import typing as t
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from client import client_of
from document import response_schema
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    SerializeAsAny,
    computed_field,
)
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Event, Flask, SignatureError


class Login(BaseModel):
    model_config = ConfigDict(frozen=True)

    last: str = "monday"
    address: str = "::1"


class User(BaseModel):
    model_config = ConfigDict(frozen=True, populate_by_name=True)

    name: str = "ann"
    password: str = Field("hunter2", alias="passWord")
    login: Login = Login()

    @computed_field
    def initial(self) -> str:
        return self.name[0]


class Admin(BaseModel):
    rights: list[str] = []


class Page(BaseModel):
    items: list[User] = [User()]
    best: User | None = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str = "ann"


class Row(TypedDict):
    name: str
    password: str


class Pair(t.NamedTuple):
    name: str
    password: str


@dataclass
class Plain:
    name: str = "ann"
    password: str = "hunter2"


Users = RootModel[list[User]]
Tree = TypeAliasType("Tree", "list[Tree]")

USER = User()
SENT = {"name": "ann", "login": {"last": "monday", "address": "::1"}, "initial": "a"}


def register(annotation: t.Any, **options: t.Any) -> None:
    def show(): ...

    show.__annotations__ = {"return": annotation}
    Flask(__name__).get("/", **options)(show)


def problem_of(annotation: t.Any, **options: t.Any) -> str:
    """What a registration is refused with, without the place."""
    with pytest.raises(SignatureError) as error:
        register(annotation, **options)
    return str(error.value).removeprefix("GET /: ").rpartition(" (")[0]


def sent(annotation: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    def show():
        return value

    show.__annotations__ = {"return": annotation}
    response = client_of(show, **options).get("/")
    assert response.status_code == 200, response.text
    return response.json


REFUSED: dict[str, tuple[t.Any, t.Any, str]] = {
    "misspelled": (User, {"pasword"}, "'pasword', W. Write 'password'."),
    "other-case": (User, {"PASSWORD"}, "'PASSWORD', W. Write 'password'."),
    "alias": (User, {"passWord"}, "'passWord', W. Write 'password'."),
    "computed": (User, {"inital"}, "'inital', W. Write 'initial'."),
    "unknown": (User, {"zip"}, "'zip', W. Remove it."),
    "index": (User, {0}, "0, W. Remove it."),
    "too-high": (User, {"address"}, "'address', W. Write {'login': {'address'}}."),
    "too-high-in-a-list": (
        Page,
        {"password"},
        "'password', W. Write {'items': {'password'}}.",
    ),
    "too-low": (
        User,
        {"login": {"password"}},
        "'password' of 'login', W. Remove it.",
    ),
    "in-a-scalar": (User, {"name": {"first"}}, "'first' of 'name', W. Remove it."),
    "list": (list[User], {"pasword"}, "'pasword', W. Write 'password'."),
    "all-of-a-list": (
        list[User],
        {"__all__": {"pasword"}},
        "'pasword' of '__all__', W. Write 'password'.",
    ),
    "list-in-a-model": (
        Page,
        {"items": {"pasword"}},
        "'pasword' of 'items', W. Write 'password'.",
    ),
    "set": (set[User], {"pasword"}, "'pasword', W. Write 'password'."),
    "index-of-a-set": (set[User], {0}, "0, W. Remove it."),
    "tuple": (
        tuple[User, User] | None,
        {"pasword"},
        "'pasword', W. Write 'password'.",
    ),
    "mapping": (
        dict[str, User],
        {"password"},
        "'password', W. Write {'__all__': {'password'}}.",
    ),
    "misspelled-mapping": (
        Mapping[str, list[User]],
        {"pasword"},
        "'pasword', W. Write {'__all__': {'password'}}.",
    ),
    "value-of-a-mapping": (
        dict[str, User],
        {"eve": {"pasword"}},
        "'pasword' of 'eve', W. Write 'password'.",
    ),
    "union": (User | Admin, {"right"}, "'right', W. Write 'rights'."),
    "optional": (User | None, {"pasword"}, "'pasword', W. Write 'password'."),
    "status": (
        User | tuple[Admin, t.Literal[404]],
        {"rights"},
        "'rights', W. Remove it.",
    ),
    "typed-dict": (Row, {"pasword"}, "'pasword', W. Write 'password'."),
    "dataclass": (Plain, {"pasword"}, "'pasword', W. Write 'password'."),
    "array": (list[Pair], {"password"}, "'password', W. Remove it."),
    "root-model": (Users, {"pasword"}, "'pasword', W. Write 'password'."),
    "recursive": (Tree, {"password"}, "'password', W. Remove it."),
}


@pytest.mark.parametrize("option", ["include", "exclude"])
@pytest.mark.parametrize(("annotation", "names", "says"), REFUSED.values(), ids=REFUSED)
def test_a_name_that_cant_be_there_is_refused(annotation, names, says, option):
    problem = problem_of(annotation, **{f"response_model_{option}": names})

    assert problem == (
        f"response_model_{option}= of show() names"
        f" {says.replace(', W.', ', which its model does not have.')}"
    )


@pytest.mark.parametrize("item", [User, Event[User]], ids=str)
def test_a_name_that_no_item_of_a_stream_has_is_refused(item):
    problem = problem_of(
        t.Iterator[item],
        media_type="text/event-stream",
        response_model_exclude={"pasword"},
    )

    assert (
        "names 'pasword', which its model does not have. Write 'password'." in problem
    )


def test_a_method_of_a_class_is_refused(app):
    from flask.views import MethodView

    class Users(MethodView):
        async def get(self) -> list[User]: ...

    with pytest.raises(SignatureError, match="names 'pasword'"):
        app.add_url_rule(
            "/", view_func=Users.as_view("users"), response_model_exclude={"pasword"}
        )


ACCEPTED: dict[str, tuple[t.Any, t.Any, t.Any, t.Any]] = {
    "model": (User, USER, {"password"}, SENT),
    "row": (User, {"name": "ann"}, {"password"}, SENT),
    "ellipsis": (User, USER, {"password": ..., "login": False}, SENT),
    "computed": (Page, {"items": []}, {"items", "best"}, {}),
    "list": (list[User], [USER], {"password"}, [SENT]),
    "list-of-rows": (list[User], [{}], {"password"}, [SENT]),
    "list-of-lists": (list[list[User]], [[USER]], {"password"}, [[SENT]]),
    "sequence": (Sequence[User], [USER], {"password"}, [SENT]),
    "deque": (deque[User], deque([USER]), {"password"}, [SENT]),
    "tuple": (tuple[User, ...] | None, ((USER,), 200), {"password"}, [SENT]),
    "set": (set[User], {USER}, {"password"}, [SENT]),
    "all-of-a-set": (frozenset[User], {USER}, {"__all__": {"password"}}, [SENT]),
    "all-and-a-name": (
        list[User],
        [USER],
        {"__all__": {"password"}, "login": {"address"}},
        [{**SENT, "login": {"last": "monday"}}],
    ),
    "root-model": (Users, [USER], {"password"}, [SENT]),
    "inside": (
        Page,
        {"best": USER},
        {"items": {"password"}, "best": {"password"}},
        {"items": [SENT], "best": SENT},
    ),
    "index": (
        Page,
        {"items": []},
        {"items": {0: {"password"}}, "best": True},
        {"items": []},
    ),
    "mapping": (
        dict[str, User],
        {"eve": USER},
        {"__all__": {"password"}},
        {"eve": SENT},
    ),
    "key": (dict[str, User], {"eve": USER, "bob": USER}, {"eve", "bob"}, {}),
    "own-keys": (dict[str, str], {"password": "x"}, {"password"}, {}),
    "dictionary": (dict[str, t.Any], {"password": "x"}, {"password"}, {}),
    "union": (User | Admin, USER, {"password", "rights"}, SENT),
    "model-or-list": (Login | list[Login], Login(), {"last"}, {"address": "::1"}),
    "list-or-model": (Login | list[Login], [Login()], {"last"}, [{"address": "::1"}]),
    "typed-dict": (Row, {"name": "a", "password": "x"}, {"password"}, {"name": "a"}),
    "dataclass": (Plain, Plain(), {"password"}, {"name": "ann"}),
    "extra": (Open, Open(secret=1), {"secret"}, {"name": "ann"}),
    "extra-or-list": (Open | list[User], [USER], {"password"}, [SENT]),
    "any": (SerializeAsAny[Admin], Admin(), {"rights", "secret"}, {}),
    "nothing": (None, None, {"secret"}, None),
}


@pytest.mark.parametrize(
    ("annotation", "value", "names", "expected"), ACCEPTED.values(), ids=ACCEPTED
)
def test_what_is_named_is_not_sent(annotation, value, names, expected):
    if value is None:
        register(annotation, response_model_exclude=names)
        return
    assert sent(annotation, value, response_model_exclude=names) == expected


def test_an_included_name_of_a_list_is_that_of_its_items():
    for annotation, value in ((list[User], [USER]), (set[User], {USER})):
        assert sent(annotation, value, response_model_include={"name"}) == [
            {"name": "ann"}
        ]


def test_an_included_name_is_not_both_of_items_and_of_a_model():
    problem = problem_of(User | list[User], response_model_include={"name"})

    assert problem == (
        "response_model_include= can't say 'name' of the items of a list and of a model"
        " beside it. Remove one of them, or name the status of one:"
        " tuple[..., Literal[202]]."
    )


def test_a_part_is_true_or_names():
    problem = problem_of(User, response_model_exclude={"login": "address"})

    assert problem == (
        "response_model_include= and response_model_exclude= take True or names for"
        " 'login', not 'address'."
    )


@pytest.mark.parametrize("annotation", [dict, str, t.Any], ids=str)
def test_an_option_without_a_response_model_is_refused(annotation):
    assert problem_of(annotation, response_model_exclude={"password"}) == (
        "response_model_exclude= of show() has no response model to choose from."
        " Annotate the view with one, or remove the option."
    )


def test_a_name_inside_that_no_success_has_is_refused():
    problem = problem_of(
        User, responses={202: Admin}, response_model_exclude={"login": {"adress"}}
    )

    assert problem == (
        "response_model_exclude= of show() names 'adress' of 'login', which its model"
        " does not have. Write 'address'."
    )


def test_a_declared_success_has_the_options_of_the_route():
    found = sent(User, USER, responses={200: User}, response_model_exclude={"password"})

    assert found == SENT


DESCRIBED = {
    "list": (list[Login], {"last"}),
    "set": (set[Login], {"last"}),
    "tuple": (tuple[Login, Login] | None, {"last"}),
    "mapping": (dict[str, Login], {"__all__": {"last"}}),
}


@pytest.mark.parametrize(("annotation", "names"), DESCRIBED.values(), ids=DESCRIBED)
def test_what_is_not_sent_is_not_described(app, annotation, names):
    def show(): ...

    show.__annotations__ = {"return": annotation}
    app.get("/", response_model_exclude=names)(show)

    schema = str(response_schema(app, "GET /"))
    assert "'address'" in schema
    assert "'last'" not in schema
