"""What an author is told whose dependencies can't work, in full."""

import re
import typing as t
from collections.abc import Callable
from contextlib import asynccontextmanager, contextmanager

import flask
import pydantic.dataclasses
import pytest
from client import client_of
from flask.views import MethodView
from messages import message_of, place_of
from pydantic import BaseModel

from flask_signature import (
    Blueprint,
    Body,
    Depends,
    File,
    Flask,
    Form,
    Header,
    Injected,
    Path,
    Query,
    UploadFile,
)
from flask_signature.security import HTTPBearer, Scopes


class Item(BaseModel):
    name: str = ""


@pydantic.dataclasses.dataclass
class Part:
    name: str = ""


class Row(t.TypedDict):
    name: str


class Opaque:
    """A class that Pydantic knows nothing of."""


VIEWS: list[t.Any] = []
V = t.TypeVar("V", bound=Callable[..., t.Any])


def refused(
    said: str, route: str = "GET /", *, guard: t.Any = None, **options: t.Any
) -> Callable[[V], V]:
    """A row of the table: a view that a route refuses, and what it says of it.

    :param said: with ``VIEW`` for the name of the view.
    """
    if guard is not None:
        options["dependencies"] = [guard]

    def add(view: V) -> V:
        shown = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
        message = f"{shown}: {said.replace('VIEW', view.__name__)}"
        row = (view, *route.split(), options, message)
        VIEWS.append(pytest.param(*row, id=view.__name__))
        return view

    return add


def on_model(name: str) -> str:
    return (
        f"depends on the model {name}, so that a value of the request that does not"
        f" fit would be an error of the server. Write Annotated[{name}, Query()]."
    )


def on_value(what: str) -> str:
    return (
        f"depends on {what}, which can't be called. Give the function itself, without"
        " the parentheses of a call: Depends(function)."
    )


def on_type(name: str) -> str:
    return on_value(f"a value of type {name!r}")


def on_decorated(name: str, decorator: str) -> str:
    return (
        f"depends on {name}(), which is decorated with {decorator}. Remove the"
        " decorator: a generator function is a dependency as it is."
    )


def on_body(function: Callable[..., t.Any], argument: str, source: str) -> str:
    return (
        f"{argument!r} of {function.__name__}() is read from {source}, which a"
        " dependency can't read: a request has one body, and that is the view's. Read"
        f" it in the view. {where(function)}"
    )


def on_function(name: str, written: str = "") -> str:
    return (
        f"is declared with a function that is not called, {name}(). Write"
        f" Depends({written or name})."
    )


def on_stream(name: str) -> str:
    return (
        f"sends a stream, but {name}() is closed before that is sent. Write"
        ' Depends(..., scope="request"), or open what it yields inside of the stream.'
        " What does no more than refuse requests goes into dependencies=."
    )


def where(function: Callable[..., t.Any]) -> str:
    name = function.__name__
    return f"The dependency {name}() is in {place_of(function)[1:-1]}."


DECLARED_DIFFERENTLY: t.Final = (
    "but declared differently. Give them the same type, constraints and default"
)
NOT_CALLED: t.Final = "Depends, which was not called. Write Depends(function)."
TAKES_LATER: t.Final = (
    "sends a stream, but takes what find_later() yields, which is closed before that is"
    " sent. Return it there, or open it inside of the stream."
)
UNREADABLE: t.Final = (
    "Pydantic can't read the type of 'db', 'Opaque', since it knows no fields of"
    " 'Opaque'. Name a BaseModel or a dataclass instead, or declare 'db' with"
    " Depends() or Injected() if it is not in the request."
)
SCOPES_ALONE: t.Final = (
    "is annotated Scopes, which only a function of verify= or authenticate= is given."
    " Remove it."
)


def get_five() -> int:
    return 5


def get_db() -> t.Iterator[int]:
    yield 1


async def get_async_db() -> t.AsyncIterator[int]:
    yield 1


# D10: circles.


def first(value: t.Any = None): ...
def second(value=Depends(first)): ...
def third(value=Depends(second)): ...


first.__defaults__ = (Depends(third),)


def itself(value: t.Any = None): ...


itself.__defaults__ = (Depends(itself),)


def leads_to_the_circle(value=Depends(third)): ...


CIRCLE: t.Final = (
    "third() depends on itself: third() -> second() -> first() -> third(). Remove one"
    " of these dependencies."
)


@refused(CIRCLE)
def d10_shows_the_circle(value=Depends(third)): ...
@refused(CIRCLE)
def d10_shows_the_circle_alone(value=Depends(leads_to_the_circle)): ...
@refused(
    "itself() depends on itself: itself() -> itself(). Remove one of these"
    " dependencies.",
    guard=itself,
)
def d10_shows_a_function_that_depends_on_itself(): ...


# What is no dependency.


@refused(f"'item' of VIEW() {on_model('Item')}")
def model(item: t.Annotated[Item, Depends()]): ...
@refused(f"'part' of VIEW() {on_model('Part')}")
def model_that_is_a_dataclass(part=Depends(Part)): ...
@refused(f"'row' of VIEW() {on_model('Row')}")
def model_that_is_a_dictionary(row: t.Annotated[Row, Depends()]): ...
@refused(f"dependencies= of VIEW() {on_model('Item')}", guard=Item)
def model_as_a_guard(): ...
@refused("'five' of VIEW() " + on_type("int"))
def called(five=Depends(get_five())): ...
@refused("'db' of VIEW() " + on_type("generator"))
def called_generator(db=Depends(get_db())): ...
@refused(f"'item' of VIEW() {on_value('None')}")
def called_and_gave_none(item: t.Annotated[Opaque, Depends(None)]): ...
@refused("'db' of VIEW() " + on_type("str"))
def named_by_a_string(db=Depends("get_db")): ...
@refused("dependencies= of VIEW() " + on_type("int"), guard=get_five())
def called_guard(): ...
@refused(f"dependencies= of VIEW() {on_value('Query()')}", guard=Query())
def query_as_a_guard(): ...
@refused(f"dependencies= of VIEW() {on_value('Injected()')}", guard=Injected())
def injected_as_a_guard(): ...
@refused(
    "dependencies= of VIEW() has Depends(), which names no function. Write"
    " Depends(function).",
    guard=Depends(),
)
def nameless_guard(): ...
@refused(f"dependencies= of VIEW() depends on {NOT_CALLED}", guard=Depends)
def uncalled_guard(): ...
@refused(
    "VIEW(): Option 'dependencies' takes a list of functions. Write"
    " dependencies=[get_five].",
    dependencies=get_five,
)
def single_guard(): ...
@refused(f"'db' of VIEW() is declared with {NOT_CALLED}")
def uncalled(db=Depends): ...
@refused(f"'db' of VIEW() is declared with {NOT_CALLED}")
def uncalled_in_annotated(db: t.Annotated[int, Depends]): ...


@contextmanager
def managed():
    yield 1


@asynccontextmanager
async def managed_async():
    yield 1


@refused(f"'db' of VIEW() {on_decorated('managed', 'contextmanager')}")
def context_manager(db=Depends(managed)): ...
@refused("'db' of VIEW() " + on_decorated("managed_async", "asynccontextmanager"))
def async_context_manager(db=Depends(managed_async)): ...


class Shop:
    def open(self, q: str = "") -> str:
        return q


@refused(
    "'shop' of VIEW() depends on Shop.open(), a method of no object. Name that of"
    " one: Depends(Shop().open)."
)
def method_of_no_object(shop: str = Depends(Shop.open)): ...
@refused(f"'five' of VIEW() {on_function('get_five')}")
def function_alone(five: t.Annotated[Opaque, get_five]): ...
@refused(f"'five' of VIEW() {on_function('get_five')}")
def function_of_a_scalar(five: t.Annotated[int, get_five]): ...
@refused(f"'five' of VIEW() {on_function('get_five')}")
def function_as_the_default(five: int = get_five): ...
@refused(f"'five' of VIEW() {on_function('<lambda>', 'function')}")
def lambda_as_the_default(five: int = lambda: 5): ...


# Where Depends() stands.


@refused(
    "'five' of VIEW() has a default, but is always supplied by Depends(). Remove"
    " the default."
)
def has_a_default(five: t.Annotated[int, Depends(get_five)] = 5): ...
@refused("'five' of VIEW() has two locations, Depends() and Query(). Keep one.")
def has_a_location_too(five: t.Annotated[int, Depends(get_five), Query()]): ...
@refused(
    "'five' of VIEW() has its Depends() inside of its type. Put it around the whole"
    " type: Annotated[..., Depends()]."
)
def inside_of_a_type(five: t.Annotated[int, Depends(get_five)] | None): ...
@refused(
    "the URL provides 'five', but VIEW() declares it with Depends(). Rename one of"
    " them.",
    "GET /<five>",
)
def named_as_a_variable(five=Depends(get_five)): ...


@refused(UNREADABLE)
def marker_forgotten(db: Opaque): ...


# What a dependency can't take.


def takes_body(item: Item = Body()): ...
def takes_form(name: str = Form()): ...
def takes_file(image: UploadFile = File()): ...
def takes_file_unmarked(image: UploadFile): ...
def takes_injected(user=Injected()): ...
def takes_by_position(user: str, /): ...
def takes_opaque(db: Opaque): ...
def takes_what_is_nowhere(db: "Nowhere"): ...  # noqa: F821
def takes_variable(book_id: int = Path()): ...
def takes_scopes(scopes: Scopes): ...
@refused(on_body(takes_body, "item", "the body"), "POST /")
def body_in_a_dependency(x=Depends(takes_body)): ...
@refused(on_body(takes_form, "name", "a form"), "POST /")
def form_in_a_dependency(x=Depends(takes_form)): ...
@refused(on_body(takes_file, "image", "a file"), "POST /", guard=takes_file)
def file_in_a_guard(): ...
@refused(on_body(takes_file_unmarked, "image", "a file"), "POST /")
def unmarked_file_in_a_dependency(x=Depends(takes_file_unmarked)): ...
@refused(
    "'user' of takes_injected() is declared with Injected(), but a dependency gets"
    " nothing from callers. Declare it in the view, or write Depends()."
    f" {where(takes_injected)}"
)
def injected_in_a_dependency(x=Depends(takes_injected)): ...
@refused(
    "'user' of takes_by_position() is positional-only, but is passed by its name."
    f" Remove the '/' from its signature. {where(takes_by_position)}"
)
def positional_only_in_a_dependency(x=Depends(takes_by_position)): ...
@refused(f"{UNREADABLE} {where(takes_opaque)}")
def marker_forgotten_in_a_dependency(x=Depends(takes_opaque)): ...
@refused(
    "the annotation of 'db' in takes_what_is_nowhere() names 'Nowhere', which is"
    " not defined when the view is registered. Import it outside 'if"
    f" TYPE_CHECKING'. {where(takes_what_is_nowhere)}"
)
def unknown_name_in_a_dependency(x=Depends(takes_what_is_nowhere)): ...
@refused(
    "takes_variable() reads 'book_id' with Path(), but the rule has no variable of"
    " that name. Add '<book_id>' to the rule, or read the argument from elsewhere."
    f" {where(takes_variable)}"
)
def unknown_variable_in_a_dependency(x=Depends(takes_variable)): ...
@refused(f"'scopes' of VIEW() {SCOPES_ALONE}")
def scopes_in_a_view(scopes: Scopes): ...
@refused(f"'scopes' of takes_scopes() {SCOPES_ALONE}")
def scopes_in_a_dependency(x=Depends(takes_scopes)): ...


# D8: one name, two declarations.


def page_of_ints(page: int): ...
def page_of_strings(page: str): ...
def paged_by_alias(number: str = Query(alias="page")): ...
def book_of_a_string(book_id: str): ...
def version_of_header(x_version: int = Header()): ...
def version_by_alias(version: str = Header(alias="x-VERSION")): ...
def one_of_two_names(number: str = Query(alias="n")): ...
@refused(
    "'page' of page_of_ints() and 'page' of page_of_strings() are both read from"
    f" 'page' of the query, {DECLARED_DIFFERENTLY}, or one of them an alias."
)
def d8_two_dependencies(x=Depends(page_of_ints), y=Depends(page_of_strings)): ...
@refused(
    "'page' of VIEW() and 'number' of paged_by_alias() are both read from 'page' of"
    f" the query, {DECLARED_DIFFERENTLY}, or one of them an alias."
)
def d8_a_view_and_a_dependency(page: int, x=Depends(paged_by_alias)): ...
@refused(
    "'page' of VIEW() and 'page' of page_of_strings() are both read from 'page' of"
    f" the query, {DECLARED_DIFFERENTLY}, or one of them an alias.",
    guard=page_of_strings,
)
def d8_a_guard(page: int): ...
@refused(
    "'book_id' of VIEW() and 'book_id' of book_of_a_string() are both read from"
    f" 'book_id' of the path, {DECLARED_DIFFERENTLY}.",
    "GET /<int:book_id>",
)
def d8_a_variable(book_id: int, x=Depends(book_of_a_string)): ...
@refused(
    "'x_version' of version_of_header() and 'version' of version_by_alias() are"
    f" both read from 'x-VERSION' of the header, {DECLARED_DIFFERENTLY}, or one of"
    " them an alias."
)
def d8_a_header(x=Depends(version_of_header), y=Depends(version_by_alias)): ...
@refused(
    "the rule converts 'book_id' with 'int', but book_of_a_string() declares"
    " 'book_id: str', and no integer is a str. Use '<string:book_id>' or change the"
    " annotation.",
    "GET /<int:book_id>",
)
def variable_of_another_type(x=Depends(book_of_a_string)): ...


class Page(BaseModel):
    n: int = 1


@refused(
    "the field 'n' of 'page' of VIEW() and 'number' of one_of_two_names() are both"
    " read from 'n' of the query. Remove 'number' and use 'page.n', or give one of"
    " them another alias."
)
def field_of_a_model(page: t.Annotated[Page, Query()], x=Depends(one_of_two_names)): ...


# Scopes.


def takes_db(db=Depends(get_db)) -> t.Iterator[int]:
    yield db


@refused(
    'get_db() has the scope \'requst\'. Write scope="function" or scope="request".'
)
def misspelled_scope(db=Depends(get_db, scope="requst")): ...
@refused(
    'get_five() has scope="request", but is no generator function, so that there is'
    " nothing to close. Remove the scope."
)
def scope_of_a_function(five=Depends(get_five, scope="request")): ...
@refused(
    'get_async_db() has scope="request" and is asynchronous, but its event loop has'
    " ended when the body is sent. Write it with 'def'."
)
def scope_of_an_async_generator(db=Depends(get_async_db, scope="request")): ...
@refused(
    'takes_db() has scope="request", but depends on get_db(), which is closed before.'
    " Give that the same scope."
)
def scope_longer_than_another(x=Depends(takes_db, scope="request")): ...
@refused(
    "get_db() is declared with two scopes, 'request' and 'function'. Write the same"
    " one everywhere."
)
def two_scopes(x=Depends(get_db, scope="request"), y=Depends(takes_db)): ...
@refused(
    "get_five() has responses=404, which is no dictionary. Write responses={404:"
    " Problem}, or responses=[404]."
)
def responses_in_a_number(five=Depends(get_five, responses=404)): ...


# D12: streams.


@refused(f"VIEW() {on_stream('get_db')}", media_type="application/jsonl")
def d12_a_stream_of_models(db=Depends(get_db)) -> t.Iterator[Item]: ...
@refused(f"VIEW() {on_stream('get_db')}")
def d12_a_stream_of_strings(db=Depends(get_db)) -> t.Iterator[str]: ...
@refused(f"VIEW() {on_stream('get_db')}")
def d12_a_stream_with_a_status(
    db=Depends(get_db),
) -> Item | tuple[t.Iterator[str], t.Literal[206]]: ...
@refused(f"VIEW() {on_stream('get_db')}")
def d12_a_generator(db=Depends(get_db)):
    yield ""


def value_of_db(db=Depends(get_db)) -> int:
    return db


@refused(f"VIEW() {on_stream('get_db')}")
def d12_a_generator_below(value=Depends(value_of_db)) -> t.Iterator[str]: ...


def find_with_db(token: str, db=Depends(get_db)) -> str:
    return token


def find_later(token: str) -> t.Iterator[str]:
    yield token


BY_TOKEN: t.Final = HTTPBearer("token", verify=lambda token: token)
WITH_DB: t.Final = HTTPBearer("with_db", verify=find_with_db)
LATER: t.Final = HTTPBearer("later", verify=find_later)


def get_db_of_user(user: t.Annotated[str, BY_TOKEN]) -> t.Iterator[int]:
    yield 1


def value_of_user(user: t.Annotated[str, LATER]) -> str:
    return user


@refused(f"VIEW() {on_stream('get_db_of_user')}")
def d12_a_generator_of_a_user(db=Depends(get_db_of_user)) -> t.Iterator[str]: ...
@refused(f"VIEW() {on_stream('get_db')}", guard=value_of_db)
def d12_a_generator_of_a_guard(db=Depends(get_db)) -> t.Iterator[str]: ...
@refused(f"VIEW() {on_stream('get_db')}", guard=get_db)
def d12_a_generator_in_the_list(db=Depends(get_db)) -> t.Iterator[str]: ...
@refused(f"VIEW() {on_stream('get_db')}", security=WITH_DB)
def d12_a_generator_of_a_scheme(db=Depends(get_db)) -> t.Iterator[str]: ...
@refused(f"VIEW() {TAKES_LATER}")
def d12_a_user_from_a_generator(user: t.Annotated[str, LATER]) -> t.Iterator[str]: ...
@refused(f"VIEW() {TAKES_LATER}")
def d12_a_user_below(user=Depends(value_of_user)) -> t.Iterator[str]: ...


@pytest.mark.parametrize(("view", "method", "rule", "options", "message"), VIEWS)
def test_a_view_is_refused(view, method, rule, options, message):
    told = message_of(lambda: client_of(view, rule, method, **options))

    assert told == f"{message} {place_of(view)}"


def test_a_request_scope_on_flask_itself_is_refused():
    bp = Blueprint("bp", __name__)

    @bp.get("/")
    def show(db=Depends(get_db, scope="request")): ...

    told = message_of(lambda: flask.Flask(__name__).register_blueprint(bp))

    assert told == (
        'GET /: get_db() has scope="request", which flask.Flask does not close. Use'
        f" flask_signature.Flask, or remove the scope. {place_of(show)}"
    )


def test_a_request_scope_around_a_plain_view_of_flask_itself_is_refused():
    get = Depends(get_db, scope="request")
    bp = Blueprint("bp", __name__, dependencies=[get])
    plain = flask.Blueprint("plain", __name__)

    @plain.get("/")
    def show(): ...

    bp.register_blueprint(plain)
    told = message_of(lambda: flask.Flask(__name__).register_blueprint(bp))

    assert told == (
        "/: the plain view 'bp.plain.show': get_db() has scope=\"request\", which"
        " flask.Flask does not close. Use flask_signature.Flask, or remove the scope."
        f" {place_of(show)}"
    )


def test_a_method_of_a_class_is_named():
    class Books(MethodView):
        def get(self, db=Depends): ...

    def register():
        Flask(__name__).add_url_rule("/", view_func=Books.as_view("books"))

    assert message_of(register) == (
        "GET /: 'db' of Books.get() is declared with Depends, which was not called."
        f" Write Depends(function). {place_of(Books.get)}"
    )
