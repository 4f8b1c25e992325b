"""D15: a value that is passed from outside of parsing wins over the request."""

import functools
import typing as t

import flask
import pytest
from client import client_of
from flask import request
from flask.views import MethodView
from models import Item
from pydantic import BaseModel

from flask_signature import Blueprint, Depends, Flask, Injected, Query

EVIL: t.Final = "/?user=evil&n=1"


def passing(**values):
    def decorator(view):
        @functools.wraps(view)
        def wrapper(*args, **kwargs):
            return view(*args, **{**kwargs, **values})

        return wrapper

    return decorator


def describe(user: str) -> str:
    """A dependency that reads what the view is passed."""
    return f"described {user}"


def show(n: int, user: str, shown=Depends(describe)) -> str:
    return f"{n} {user} {shown}"


def show_marked(n: int, user: str = Injected()) -> str:
    return f"{n} {user}"


def show_supplied(n: int, user: str = Depends(lambda user: f"read {user}")) -> str:
    return f"{n} {user}"


async def show_async(n: int, user: str, shown=Depends(describe)) -> str:
    return f"{n} {user} {shown}"


def check(user: str) -> str:
    """A guard that keeps what it reads."""
    SEEN.append(user)
    return user


SEEN: t.Final[list[str]] = []


def add_user(endpoint, values):
    values["user"] = "Ann"


def client_in(base, view, *, prepare=lambda bp: None, **options):
    """A client of an application with a blueprint of one view."""
    app, bp = base(__name__), Blueprint("bp", __name__, **options)
    bp.get("/")(view)
    prepare(bp)
    app.register_blueprint(bp)
    return app.test_client()


AROUND: t.Final = {"decorators": [passing(user="Ann")]}
PREPARED: t.Final = {"prepare": lambda bp: bp.url_value_preprocessor(add_user)}
HOOKED: t.Final = {
    "prepare": lambda bp: bp.before_request(lambda: add_user(None, request.view_args))
}

#: What passes a view Ann.
WAYS: t.Final = {
    "route": lambda view: client_of(view, **AROUND),
    "blueprint": lambda view: client_in(Flask, view, **AROUND),
    "preprocessor": lambda view: client_in(Flask, view, **PREPARED),
    "preprocessor-of-flask": lambda view: client_in(flask.Flask, view, **PREPARED),
    "hook": lambda view: client_in(Flask, view, **HOOKED),
}

#: Each view with what it shows if Ann is passed.
VIEWS: t.Final = [
    pytest.param(show, "1 Ann described Ann", id="unmarked"),
    pytest.param(show_async, "1 Ann described Ann", id="async"),
    pytest.param(show_marked, "1 Ann", id="injected"),
    pytest.param(show_supplied, "1 Ann", id="depends"),
]


@pytest.mark.parametrize(("view", "shown"), VIEWS)
@pytest.mark.parametrize("make_client", WAYS.values(), ids=WAYS)
def test_d15_what_is_passed_wins(make_client, view, shown):
    assert make_client(view).get(EVIL).text == shown


def test_d15_the_decorators_of_a_view_class_win(app, client, written):
    class Show(MethodView):
        decorators = (passing(user="Ann"),)

        @written
        def get(self, n: int, user: str, shown=Depends(describe)) -> str:
            return show(n, user, shown)

    app.add_url_rule("/", view_func=Show.as_view("show"))

    assert client.get(EVIL).text == "1 Ann described Ann"


def test_d15_a_custom_dispatch_wins(app, client):
    app.get("/")(show)
    dispatch = app.dispatch_request

    def dispatch_request(*args):
        request.view_args = {**request.view_args, "user": "Ann"}
        return dispatch(*args)

    app.dispatch_request = dispatch_request

    assert client.get(EVIL).text == "1 Ann described Ann"


def test_d15_below_the_route_injected_keeps_an_argument_from_the_client():
    @passing(user="Ann")
    def show(n: int, user: str = Injected(), shown=Depends(lambda: "shown")) -> str:
        return f"{n} {user} {shown}"

    assert client_of(show).get(EVIL).text == "1 Ann shown"


def takes_user(n: int, user: str) -> str:
    return f"{n} {user}"


def takes_the_value_of_the_guard(n: int, found=Depends(check)) -> str:
    return f"{n} {found}"


@pytest.mark.parametrize("view", [takes_user, takes_the_value_of_the_guard])
def test_d15_a_guard_sees_the_passed_value(view):
    SEEN.clear()
    client = client_of(view, dependencies=[check], decorators=[passing(user="Ann")])

    assert client.get(EVIL).text == "1 Ann"
    assert SEEN == ["Ann"]


def test_what_is_passed_is_not_called(app, client, log):
    def get_db(n: int):
        yield from log.opening("db")()

    def show(db=Depends(get_db)) -> str:
        return db

    app.get("/")(show)
    app.get("/passed", endpoint="passed", decorators=[passing(db="mine")])(show)

    # Nor is what it alone reads from the request.
    assert client.get("/passed").text == "mine"
    assert log == []
    assert client.get("/").status_code == 422
    assert client.get("/?n=1").text == "db"
    assert log == ["open db", "commit db", "close db"]


def test_a_dependency_shares_what_is_passed_for_an_argument_with_depends():
    def get_db() -> str:
        return "db"

    def get_book(db=Depends(get_db)) -> str:
        return f"book of {db}"

    def db_first(db=Depends(get_db), book=Depends(get_book)) -> str:
        return f"{db} {book}"

    def book_first(book=Depends(get_book), db=Depends(get_db)) -> str:
        return f"{db} {book}"

    for view in (db_first, book_first):
        client = client_of(view, decorators=[passing(db="mine")])
        assert client.get("/").text == "mine book of mine"


def test_a_guard_still_runs_if_its_value_is_passed(log):
    check = log.noting("check")

    def show(value=Depends(check)) -> str:
        return value

    client = client_of(show, dependencies=[check], decorators=[passing(value="passed")])

    assert client.get("/").text == "passed"
    assert log == ["check"]


def test_sometimes_passed_is_sometimes_read():
    def decorator(view):
        def wrapper(**kwargs):
            if "Ann" in request.headers:
                kwargs["user"] = "Ann"
            return view(**kwargs)

        return wrapper

    client = client_of(show, decorators=[decorator])
    headers = {"Ann": "1"}

    assert client.get("/?n=1&user=Bob").text == "1 Bob described Bob"
    assert client.get("/?n=1&user=Bob", headers=headers).text == "1 Ann described Ann"
    assert client.get("/?n=1", headers=headers).text == "1 Ann described Ann"
    assert client.get("/?n=1").status_code == 422


def test_more_values_by_position_than_names():
    def decorator(view):
        return lambda **kwargs: view("Ann", "more", "and more", **kwargs)

    def show(user: str, *rest: str, n: int, shown=Depends(describe)) -> str:
        return f"{user} {rest} {n} {shown}"

    client = client_of(show, decorators=[decorator])

    assert client.get(EVIL).text == "Ann ('more', 'and more') 1 described Ann"


def test_a_passed_body_is_not_read():
    def check(db=Depends(lambda: "db")) -> str:
        return db

    def add(item: Item, db=Depends(check)) -> str:
        return f"{item.name} {db}"

    client = client_of(add, "/", "POST", decorators=[passing(item=Item(name="x"))])

    assert client.post("/", data="{").text == "x db"


def show_book(book=Depends(lambda book_id: book_id)) -> str:
    return book


def test_a_removed_variable_that_a_dependency_takes_is_named(app, client, failure):
    app.get("/<book_id>")(show_book)
    app.url_value_preprocessor(lambda endpoint, values: values.clear())

    assert client.get("/7").status_code == 500
    assert str(failure()) == (
        "<lambda>() takes 'book_id', which was removed from the variables of the URL."
    )


def test_a_query_model_and_a_passed_field_name():
    class Search(BaseModel):
        q: str = "none"

    def find(search: t.Annotated[Search, Query()]) -> str:
        return search.q

    def show(q=Depends(find), user: str = "nobody") -> str:
        return f"{q} {user}"

    client = client_of(show, decorators=[passing(user="Ann")])

    assert client.get("/?q=x&user=evil").text == "x Ann"
