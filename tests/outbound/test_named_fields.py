"""The names in ``response_model_include=`` and ``response_model_exclude=``."""

from __future__ import annotations

import typing as t
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from flask.views import MethodView
from pydantic import (
    BaseModel,
    Field,
    RootModel,
    SerializeAsAny,
    computed_field,
)
from returned import EVENTS, cases, refused, responses_of, returning
from typing_extensions import TypeAliasType, TypedDict

from flask_signature import Event, SignatureError


class Login(BaseModel, frozen=True):
    last: str = "monday"
    address: str = "::1"


class User(BaseModel, frozen=True, populate_by_name=True):
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


class Open(BaseModel, extra="allow"):
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


def problem_of(annotation: t.Any, **options: t.Any) -> str:
    """What a registration is refused with, without the place."""
    return refused(annotation, **options).removeprefix("GET /: ").rpartition(" (")[0]


def sent(annotation: t.Any, value: t.Any, **options: t.Any) -> t.Any:
    response = returning(annotation, value, **options)
    assert response.status_code == 200, response.text
    return response.json


PASWORD = "'pasword', W. Write 'password'."

#: An annotation, names, and what is said of them, where W says what is wrong.
REFUSED: dict[str, tuple[t.Any, t.Any, str]] = {
    "misspelled": (User, {"pasword"}, PASWORD),
    "other-case": (User, {"PASSWORD"}, "'PASSWORD', W. Write 'password'."),
    "alias": (User, {"passWord"}, "'passWord', W. Write 'password'."),
    "computed": (User, {"inital"}, "'inital', W. Write 'initial'."),
    "unknown": (User, {"zip"}, "'zip', W. Remove it."),
    "index": (User, {0}, "0, W. Remove it."),
    "too-high": (User, {"address"}, "'address', W. Write {'login': {'address'}}."),
    "too-high-in-a-list": (
        *(Page, {"password"}),
        "'password', W. Write {'items': {'password'}}.",
    ),
    "too-low": (
        *(User, {"login": {"password"}}),
        "'password' of 'login', W. Remove it.",
    ),
    "in-a-scalar": (User, {"name": {"first"}}, "'first' of 'name', W. Remove it."),
    "list": (list[User], {"pasword"}, PASWORD),
    "all-of-a-list": (
        *(list[User], {"__all__": {"pasword"}}),
        "'pasword' of '__all__', W. Write 'password'.",
    ),
    "list-in-a-model": (
        *(Page, {"items": {"pasword"}}),
        "'pasword' of 'items', W. Write 'password'.",
    ),
    "set": (set[User], {"pasword"}, PASWORD),
    "index-of-a-set": (set[User], {0}, "0, W. Remove it."),
    "tuple": (tuple[User, User] | None, {"pasword"}, PASWORD),
    "mapping": (
        *(dict[str, User], {"password"}),
        "'password', W. Write {'__all__': {'password'}}.",
    ),
    "misspelled-mapping": (
        *(Mapping[str, list[User]], {"pasword"}),
        "'pasword', W. Write {'__all__': {'password'}}.",
    ),
    "value-of-a-mapping": (
        *(dict[str, User], {"eve": {"pasword"}}),
        "'pasword' of 'eve', W. Write 'password'.",
    ),
    "union": (User | Admin, {"right"}, "'right', W. Write 'rights'."),
    "optional": (User | None, {"pasword"}, PASWORD),
    "status": (
        User | tuple[Admin, t.Literal[404]],
        {"rights"},
        "'rights', W. Remove it.",
    ),
    "typed-dict": (Row, {"pasword"}, PASWORD),
    "dataclass": (Plain, {"pasword"}, PASWORD),
    "array": (list[Pair], {"password"}, "'password', W. Remove it."),
    "root-model": (Users, {"pasword"}, PASWORD),
    "recursive": (Tree, {"password"}, "'password', W. Remove it."),
}


@pytest.mark.parametrize("option", ["include", "exclude"])
@cases("annotation names says", REFUSED)
def test_a_name_that_cant_be_there_is_refused(annotation, names, says, option):
    problem = problem_of(annotation, **{f"response_model_{option}": names})
    said = says.replace(", W.", ", which its model does not have.")
    assert problem == f"response_model_{option}= of show() names {said}"


@pytest.mark.parametrize("item", [User, Event[User]], ids=str)
def test_a_name_that_no_item_of_a_stream_has_is_refused(item):
    options = {"media_type": EVENTS, "response_model_exclude": {"pasword"}}
    said = "names 'pasword', which its model does not have. Write 'password'."
    assert said in problem_of(t.Iterator[item], **options)


def test_a_method_of_a_class_is_refused(app):
    class Users(MethodView):
        async def get(self) -> list[User]: ...

    view = Users.as_view("users")
    with pytest.raises(SignatureError, match="names 'pasword'"):
        app.add_url_rule("/", view_func=view, response_model_exclude={"pasword"})


PASSWORD = {"password"}
ACCEPTED: dict[str, tuple[t.Any, t.Any, t.Any, t.Any]] = {
    "model": (User, USER, PASSWORD, SENT),
    "row": (User, {"name": "ann"}, PASSWORD, SENT),
    "ellipsis": (User, USER, {"password": ..., "login": False}, SENT),
    "computed": (Page, {"items": []}, {"items", "best"}, {}),
    "list": (list[User], [USER], PASSWORD, [SENT]),
    "list-of-rows": (list[User], [{}], PASSWORD, [SENT]),
    "list-of-lists": (list[list[User]], [[USER]], PASSWORD, [[SENT]]),
    "sequence": (Sequence[User], [USER], PASSWORD, [SENT]),
    "deque": (deque[User], deque([USER]), PASSWORD, [SENT]),
    "tuple": (tuple[User, ...] | None, ((USER,), 200), PASSWORD, [SENT]),
    "set": (set[User], {USER}, PASSWORD, [SENT]),
    "all-of-a-set": (frozenset[User], {USER}, {"__all__": PASSWORD}, [SENT]),
    "all-and-a-name": (
        *(list[User], [USER], {"__all__": PASSWORD, "login": {"address"}}),
        [{**SENT, "login": {"last": "monday"}}],
    ),
    "root-model": (Users, [USER], PASSWORD, [SENT]),
    "inside": (
        *(Page, {"best": USER}, {"items": PASSWORD, "best": PASSWORD}),
        {"items": [SENT], "best": SENT},
    ),
    "index": (
        *(Page, {"items": []}, {"items": {0: PASSWORD}, "best": True}),
        {"items": []},
    ),
    "mapping": (dict[str, User], {"eve": USER}, {"__all__": PASSWORD}, {"eve": SENT}),
    "key": (dict[str, User], {"eve": USER, "bob": USER}, {"eve", "bob"}, {}),
    "own-keys": (dict[str, str], {"password": "x"}, PASSWORD, {}),
    "dictionary": (dict[str, t.Any], {"password": "x"}, PASSWORD, {}),
    "union": (User | Admin, USER, {"password", "rights"}, SENT),
    "model-or-list": (Login | list[Login], Login(), {"last"}, {"address": "::1"}),
    "list-or-model": (Login | list[Login], [Login()], {"last"}, [{"address": "::1"}]),
    "typed-dict": (Row, {"name": "a", "password": "x"}, PASSWORD, {"name": "a"}),
    "dataclass": (Plain, Plain(), PASSWORD, {"name": "ann"}),
    "extra": (Open, Open(secret=1), {"secret"}, {"name": "ann"}),
    "extra-or-list": (Open | list[User], [USER], PASSWORD, [SENT]),
    "any": (SerializeAsAny[Admin], Admin(), {"rights", "secret"}, {}),
    "nothing": (None, None, {"secret"}, None),
}


@cases("annotation value names expected", ACCEPTED)
def test_what_is_named_is_not_sent(annotation, value, names, expected):
    response = returning(annotation, value, response_model_exclude=names)
    assert response.status_code == 200
    assert response.get_json(silent=True) == expected


@pytest.mark.parametrize(
    ("annotation", "value"), [(list[User], [USER]), (set[User], {USER})]
)
def test_an_included_name_of_a_list_is_that_of_its_items(annotation, value):
    found = sent(annotation, value, response_model_include={"name"})
    assert found == [{"name": "ann"}]


NO_MODEL = (
    "response_model_exclude= of show() has no response model to choose from. Annotate"
    " the view with one, or remove the option."
)

#: An annotation, options of the route, and what is said of them.
PROBLEMS: dict[str, tuple[t.Any, dict[str, t.Any], str]] = {
    "of-items-and-of-a-model": (
        *(User | list[User], {"response_model_include": {"name"}}),
        (
            "response_model_include= can't say 'name' of the items of a list and of a"
            " model beside it. Remove one of them, or name the status of one:"
            " tuple[..., Literal[202]]."
        ),
    ),
    "no-part": (
        *(User, {"response_model_exclude": {"login": "address"}}),
        (
            "response_model_include= and response_model_exclude= take True or names for"
            " 'login', not 'address'."
        ),
    ),
    **{
        f"no-model-{tp}": (tp, {"response_model_exclude": {"password"}}, NO_MODEL)
        for tp in (dict, str, t.Any)
    },
    "inside": (
        User,
        {"responses": {202: Admin}, "response_model_exclude": {"login": {"adress"}}},
        (
            "response_model_exclude= of show() names 'adress' of 'login', which its"
            " model does not have. Write 'address'."
        ),
    ),
}


@cases("annotation options problem", PROBLEMS)
def test_names_that_say_nothing_are_refused(annotation, options, problem):
    assert problem_of(annotation, **options) == problem


def test_a_declared_success_has_the_options_of_the_route():
    found = sent(User, USER, responses={200: User}, response_model_exclude={"password"})
    assert found == SENT


DESCRIBED = {
    "list": (list[Login], {"last"}),
    "set": (set[Login], {"last"}),
    "tuple": (tuple[Login, Login] | None, {"last"}),
    "mapping": (dict[str, Login], {"__all__": {"last"}}),
}


@cases("annotation names", DESCRIBED)
def test_what_is_not_sent_is_not_described(annotation, names):
    described = str(responses_of(annotation, response_model_exclude=names)["200"])
    assert "'address'" in described
    assert "'last'" not in described
