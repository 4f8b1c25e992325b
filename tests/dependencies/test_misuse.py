"""What an author is told whose dependencies can't work, in full."""

import typing as t
from collections.abc import Callable
from contextlib import asynccontextmanager, contextmanager

import flask
import pydantic.dataclasses
import pytest
from client import client_of
from flask.views import MethodView
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
    SignatureError,
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


def place_of(function: Callable[..., t.Any]) -> str:
    line = function.__code__.co_firstlineno
    return f"tests/dependencies/test_misuse.py, line {line}"


def message_of(register: Callable[[], t.Any]) -> str:
    with pytest.raises(SignatureError) as error:
        register()
    return str(error.value)


VIEWS: list[t.Any] = []
V = t.TypeVar("V", bound=Callable[..., t.Any])


def refused(route: str, message: str, **options: t.Any) -> Callable[[V], V]:
    """A row of the table: a view that a route refuses, and all of what it says."""

    def add(view: V) -> V:
        method, rule = route.split()
        row = (view, method, rule, options, message)
        VIEWS.append(pytest.param(*row, id=view.__name__))
        return view

    return add


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


@refused(
    "GET /",
    "GET /: third() depends on itself: third() -> second() -> first() -> third()."
    " Remove one of these dependencies.",
)
def d10_shows_the_circle(value=Depends(third)): ...


@refused(
    "GET /",
    "GET /: third() depends on itself: third() -> second() -> first() -> third()."
    " Remove one of these dependencies.",
)
def d10_shows_the_circle_alone(value=Depends(leads_to_the_circle)): ...


@refused(
    "GET /",
    "GET /: itself() depends on itself: itself() -> itself(). Remove one of these"
    " dependencies.",
    dependencies=[itself],
)
def d10_shows_a_function_that_depends_on_itself(): ...


# What is no dependency.


@refused(
    "GET /",
    "GET /: 'item' of model() depends on the model Item, so that a value of the request"
    " that does not fit would be an error of the server. Write Annotated[Item,"
    " Query()].",
)
def model(item: t.Annotated[Item, Depends()]): ...


@refused(
    "GET /",
    "GET /: 'part' of model_that_is_a_dataclass() depends on the model Part, so that a"
    " value of the request that does not fit would be an error of the server. Write"
    " Annotated[Part, Query()].",
)
def model_that_is_a_dataclass(part=Depends(Part)): ...


@refused(
    "GET /",
    "GET /: 'row' of model_that_is_a_dictionary() depends on the model Row, so that a"
    " value of the request that does not fit would be an error of the server. Write"
    " Annotated[Row, Query()].",
)
def model_that_is_a_dictionary(row: t.Annotated[Row, Depends()]): ...


@refused(
    "GET /",
    "GET /: dependencies= of model_as_a_guard() depends on the model Item, so that a"
    " value of the request that does not fit would be an error of the server. Write"
    " Annotated[Item, Query()].",
    dependencies=[Item],
)
def model_as_a_guard(): ...


@refused(
    "GET /",
    "GET /: 'five' of called() depends on a value of type 'int', which can't be called."
    " Give the function itself, without the parentheses of a call: Depends(function).",
)
def called(five=Depends(get_five())): ...


@refused(
    "GET /",
    "GET /: 'db' of called_generator() depends on a value of type 'generator', which"
    " can't be called. Give the function itself, without the parentheses of a call:"
    " Depends(function).",
)
def called_generator(db=Depends(get_db())): ...


@refused(
    "GET /",
    "GET /: 'item' of called_and_gave_none() depends on None, which can't be called."
    " Give the function itself, without the parentheses of a call: Depends(function).",
)
def called_and_gave_none(item: t.Annotated[Opaque, Depends(None)]): ...


@refused(
    "GET /",
    "GET /: 'db' of named_by_a_string() depends on a value of type 'str', which can't"
    " be called. Give the function itself, without the parentheses of a call:"
    " Depends(function).",
)
def named_by_a_string(db=Depends("get_db")): ...


@refused(
    "GET /",
    "GET /: dependencies= of called_guard() depends on a value of type 'int', which"
    " can't be called. Give the function itself, without the parentheses of a call:"
    " Depends(function).",
    dependencies=[get_five()],
)
def called_guard(): ...


@refused(
    "GET /",
    "GET /: dependencies= of query_as_a_guard() depends on Query(), which can't be"
    " called. Give the function itself, without the parentheses of a call:"
    " Depends(function).",
    dependencies=[Query()],
)
def query_as_a_guard(): ...


@refused(
    "GET /",
    "GET /: dependencies= of injected_as_a_guard() depends on Injected(), which can't"
    " be called. Give the function itself, without the parentheses of a call:"
    " Depends(function).",
    dependencies=[Injected()],
)
def injected_as_a_guard(): ...


@refused(
    "GET /",
    "GET /: dependencies= of nameless_guard() has Depends(), which names no function."
    " Write Depends(function).",
    dependencies=[Depends()],
)
def nameless_guard(): ...


@refused(
    "GET /",
    "GET /: dependencies= of uncalled_guard() depends on Depends, which was not called."
    " Write Depends(function).",
    dependencies=[Depends],
)
def uncalled_guard(): ...


@refused(
    "GET /",
    "GET /: dependencies= of scheme_as_a_guard() depends on a security scheme. Write"
    " Annotated[User, scheme] in a signature, or security=scheme on a route or a"
    " blueprint.",
    dependencies=[HTTPBearer("token", verify=lambda token: token)],
)
def scheme_as_a_guard(): ...


@refused(
    "GET /",
    "GET /: single_guard(): Option 'dependencies' takes a list of functions. Write"
    " dependencies=[get_five].",
    dependencies=get_five,
)
def single_guard(): ...


@refused(
    "GET /",
    "GET /: 'db' of uncalled() is declared with Depends, which was not called. Write"
    " Depends(function).",
)
def uncalled(db=Depends): ...


@refused(
    "GET /",
    "GET /: 'db' of uncalled_in_annotated() is declared with Depends, which was not"
    " called. Write Depends(function).",
)
def uncalled_in_annotated(db: t.Annotated[int, Depends]): ...


@contextmanager
def managed():
    yield 1


@asynccontextmanager
async def managed_async():
    yield 1


@refused(
    "GET /",
    "GET /: 'db' of context_manager() depends on managed(), which is decorated with"
    " contextmanager. Remove the decorator: a generator function is a dependency as it"
    " is.",
)
def context_manager(db=Depends(managed)): ...


@refused(
    "GET /",
    "GET /: 'db' of async_context_manager() depends on managed_async(), which is"
    " decorated with asynccontextmanager. Remove the decorator: a generator function is"
    " a dependency as it is.",
)
def async_context_manager(db=Depends(managed_async)): ...


# Where Depends() stands.


@refused(
    "GET /",
    "GET /: 'five' of has_a_default() has a default, but is always supplied by"
    " Depends(). Remove the default.",
)
def has_a_default(five: t.Annotated[int, Depends(get_five)] = 5): ...


@refused(
    "GET /",
    "GET /: 'five' of has_a_location_too() has two locations, Depends() and Query()."
    " Keep one.",
)
def has_a_location_too(five: t.Annotated[int, Depends(get_five), Query()]): ...


@refused(
    "GET /",
    "GET /: 'five' of inside_of_a_type() has its Depends() inside of its type. Put it"
    " around the whole type: Annotated[..., Depends()].",
)
def inside_of_a_type(five: t.Annotated[int, Depends(get_five)] | None): ...


@refused(
    "GET /<five>",
    "GET /{five}: the URL provides 'five', but named_as_a_variable() declares it with"
    " Depends(). Rename one of them.",
)
def named_as_a_variable(five=Depends(get_five)): ...


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


@refused(
    "POST /",
    "POST /: 'item' of takes_body() is read from the body, which a dependency can't"
    " read: a request has one body, and that is the view's. Read it in the view. The"
    f" dependency takes_body() is in {place_of(takes_body)}.",
)
def body_in_a_dependency(x=Depends(takes_body)): ...


@refused(
    "POST /",
    "POST /: 'name' of takes_form() is read from a form, which a dependency can't"
    " read: a request has one body, and that is the view's. Read it in the view. The"
    f" dependency takes_form() is in {place_of(takes_form)}.",
)
def form_in_a_dependency(x=Depends(takes_form)): ...


@refused(
    "POST /",
    "POST /: 'image' of takes_file() is read from a file, which a dependency can't"
    " read: a request has one body, and that is the view's. Read it in the view. The"
    f" dependency takes_file() is in {place_of(takes_file)}.",
    dependencies=[takes_file],
)
def file_in_a_guard(): ...


@refused(
    "POST /",
    "POST /: 'image' of takes_file_unmarked() is read from a file, which a dependency"
    " can't read: a request has one body, and that is the view's. Read it in the view."
    f" The dependency takes_file_unmarked() is in {place_of(takes_file_unmarked)}.",
)
def unmarked_file_in_a_dependency(x=Depends(takes_file_unmarked)): ...


@refused(
    "GET /",
    "GET /: 'user' of takes_injected() is declared with Injected(), but a dependency"
    " gets nothing from callers. Declare it in the view, or write Depends(). The"
    f" dependency takes_injected() is in {place_of(takes_injected)}.",
)
def injected_in_a_dependency(x=Depends(takes_injected)): ...


@refused(
    "GET /",
    "GET /: 'user' of takes_by_position() is positional-only, but is passed by its"
    " name. Remove the '/' from its signature. The dependency"
    f" takes_by_position() is in {place_of(takes_by_position)}.",
)
def positional_only_in_a_dependency(x=Depends(takes_by_position)): ...


@refused(
    "GET /",
    "GET /: Pydantic can't read the type of 'db', 'Opaque', since it knows no fields of"
    " 'Opaque'. Name a BaseModel or a dataclass instead, or declare 'db' with Depends()"
    " or Injected() if it is not in the request. The dependency takes_opaque() is in"
    f" {place_of(takes_opaque)}.",
)
def marker_forgotten_in_a_dependency(x=Depends(takes_opaque)): ...


@refused(
    "GET /",
    "GET /: the annotation of 'db' in takes_what_is_nowhere() names 'Nowhere', which is"
    " not defined when the view is registered. Import it outside 'if TYPE_CHECKING'."
    f" The dependency takes_what_is_nowhere() is in {place_of(takes_what_is_nowhere)}.",
)
def unknown_name_in_a_dependency(x=Depends(takes_what_is_nowhere)): ...


@refused(
    "GET /",
    "GET /: takes_variable() reads 'book_id' with Path(), but the rule has no"
    " variable of that name. Add '<book_id>' to the rule, or read the argument from"
    f" elsewhere. The dependency takes_variable() is in {place_of(takes_variable)}.",
)
def unknown_variable_in_a_dependency(x=Depends(takes_variable)): ...


@refused(
    "GET /",
    "GET /: 'scopes' of scopes_in_a_view() is annotated Scopes, which only a function"
    " of verify= or authenticate= is given. Remove it.",
)
def scopes_in_a_view(scopes: Scopes): ...


@refused(
    "GET /",
    "GET /: 'scopes' of takes_scopes() is annotated Scopes, which only a function of"
    " verify= or authenticate= is given. Remove it.",
)
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
    "GET /",
    "GET /: 'page' of page_of_ints() and 'page' of page_of_strings() are both read from"
    " 'page' of the query, but declared differently. Give them the same type,"
    " constraints and default, or one of them an alias.",
)
def d8_two_dependencies(x=Depends(page_of_ints), y=Depends(page_of_strings)): ...


@refused(
    "GET /",
    "GET /: 'page' of d8_a_view_and_a_dependency() and 'number' of paged_by_alias() are"
    " both read from 'page' of the query, but declared differently. Give them the same"
    " type, constraints and default, or one of them an alias.",
)
def d8_a_view_and_a_dependency(page: int, x=Depends(paged_by_alias)): ...


@refused(
    "GET /",
    "GET /: 'page' of d8_a_guard() and 'page' of page_of_strings() are both read from"
    " 'page' of the query, but declared differently. Give them the same type,"
    " constraints and default, or one of them an alias.",
    dependencies=[page_of_strings],
)
def d8_a_guard(page: int): ...


@refused(
    "GET /<int:book_id>",
    "GET /{book_id}: 'book_id' of d8_a_variable() and 'book_id' of book_of_a_string()"
    " are both read from 'book_id' of the path, but declared differently. Give them the"
    " same type, constraints and default.",
)
def d8_a_variable(book_id: int, x=Depends(book_of_a_string)): ...


@refused(
    "GET /",
    "GET /: 'x_version' of version_of_header() and 'version' of version_by_alias() are"
    " both read from 'x-VERSION' of the header, but declared differently. Give them the"
    " same type, constraints and default, or one of them an alias.",
)
def d8_a_header(x=Depends(version_of_header), y=Depends(version_by_alias)): ...


@refused(
    "GET /<int:book_id>",
    "GET /{book_id}: the rule converts 'book_id' with 'int', but book_of_a_string()"
    " declares 'book_id: str', and no integer is a str. Use '<string:book_id>' or"
    " change the annotation.",
)
def variable_of_another_type(x=Depends(book_of_a_string)): ...


class Page(BaseModel):
    n: int = 1


@refused(
    "GET /",
    "GET /: the field 'n' of 'page' of field_of_a_model() and 'number' of"
    " one_of_two_names() are both read from 'n' of the query. Remove 'number' and use"
    " 'page.n', or give one of them another alias.",
)
def field_of_a_model(page: t.Annotated[Page, Query()], x=Depends(one_of_two_names)): ...


# Scopes.


def takes_db(db=Depends(get_db)) -> t.Iterator[int]:
    yield db


@refused(
    "GET /",
    "GET /: get_db() has the scope 'requst'. Write scope=\"function\" or"
    ' scope="request".',
)
def misspelled_scope(db=Depends(get_db, scope="requst")): ...


@refused(
    "GET /",
    'GET /: get_five() has scope="request", but is no generator function, so that there'
    " is nothing to close. Remove the scope.",
)
def scope_of_a_function(five=Depends(get_five, scope="request")): ...


@refused(
    "GET /",
    'GET /: get_async_db() has scope="request" and is asynchronous, but its event loop'
    " has ended when the body is sent. Write it with 'def'.",
)
def scope_of_an_async_generator(db=Depends(get_async_db, scope="request")): ...


@refused(
    "GET /",
    'GET /: takes_db() has scope="request", but depends on get_db(), which is closed'
    " before. Give that the same scope.",
)
def scope_longer_than_another(x=Depends(takes_db, scope="request")): ...


@refused(
    "GET /",
    "GET /: get_db() is declared with two scopes, 'request' and 'function'. Write the"
    " same one everywhere.",
)
def two_scopes(x=Depends(get_db, scope="request"), y=Depends(takes_db)): ...


@refused(
    "GET /",
    "GET /: get_five() has responses=404, which is no dictionary. Write"
    " responses={404: Problem}, or responses=[404].",
)
def responses_in_a_number(five=Depends(get_five, responses=404)): ...


# D12: streams.


@refused(
    "GET /",
    "GET /: d12_a_stream_of_models() sends a stream, but get_db() is closed before that"
    ' is sent. Write Depends(..., scope="request"), or open what it yields inside of'
    " the stream."
    " What does no more than refuse requests goes into dependencies=.",
    media_type="application/jsonl",
)
def d12_a_stream_of_models(db=Depends(get_db)) -> t.Iterator[Item]: ...


@refused(
    "GET /",
    "GET /: d12_a_stream_of_strings() sends a stream, but get_db() is closed before"
    ' that is sent. Write Depends(..., scope="request"), or open what it yields inside'
    " of the stream."
    " What does no more than refuse requests goes into dependencies=.",
)
def d12_a_stream_of_strings(db=Depends(get_db)) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_stream_with_a_status() sends a stream, but get_db() is closed before"
    ' that is sent. Write Depends(..., scope="request"), or open what it yields inside'
    " of the stream."
    " What does no more than refuse requests goes into dependencies=.",
)
def d12_a_stream_with_a_status(
    db=Depends(get_db),
) -> Item | tuple[t.Iterator[str], t.Literal[206]]: ...


@refused(
    "GET /",
    "GET /: d12_a_generator() sends a stream, but get_db() is closed before that is"
    ' sent. Write Depends(..., scope="request"), or open what it yields inside of the'
    " stream."
    " What does no more than refuse requests goes into dependencies=.",
)
def d12_a_generator(db=Depends(get_db)):
    yield ""


def value_of_db(db=Depends(get_db)) -> int:
    return db


@refused(
    "GET /",
    "GET /: d12_a_generator_below() sends a stream, but get_db() is closed before that"
    ' is sent. Write Depends(..., scope="request"), or open what it yields inside of'
    " the stream."
    " What does no more than refuse requests goes into dependencies=.",
)
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


@refused(
    "GET /",
    "GET /: d12_a_generator_of_a_user() sends a stream, but get_db_of_user() is closed"
    ' before that is sent. Write Depends(..., scope="request"), or open what it yields'
    " inside of the stream."
    " What does no more than refuse requests goes into dependencies=.",
)
def d12_a_generator_of_a_user(db=Depends(get_db_of_user)) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_generator_of_a_guard() sends a stream, but get_db() is closed before"
    ' that is sent. Write Depends(..., scope="request"), or open what it yields inside'
    " of the stream."
    " What does no more than refuse requests goes into dependencies=.",
    dependencies=[value_of_db],
)
def d12_a_generator_of_a_guard(db=Depends(get_db)) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_generator_in_the_list() sends a stream, but get_db() is closed before"
    ' that is sent. Write Depends(..., scope="request"), or open what it yields inside'
    " of the stream."
    " What does no more than refuse requests goes into dependencies=.",
    dependencies=[get_db],
)
def d12_a_generator_in_the_list(db=Depends(get_db)) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_generator_of_a_scheme() sends a stream, but get_db() is closed before"
    ' that is sent. Write Depends(..., scope="request"), or open what it yields inside'
    " of the stream."
    " What does no more than refuse requests goes into dependencies=.",
    security=WITH_DB,
)
def d12_a_generator_of_a_scheme(db=Depends(get_db)) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_user_from_a_generator() sends a stream, but takes what find_later()"
    " yields, which is closed before that is sent. Return it there, or open it inside"
    " of the stream.",
)
def d12_a_user_from_a_generator(
    user: t.Annotated[str, LATER],
) -> t.Iterator[str]: ...


@refused(
    "GET /",
    "GET /: d12_a_user_below() sends a stream, but takes what find_later() yields,"
    " which is closed before that is sent. Return it there, or open it inside of the"
    " stream.",
)
def d12_a_user_below(user=Depends(value_of_user)) -> t.Iterator[str]: ...


@pytest.mark.parametrize(("view", "method", "rule", "options", "message"), VIEWS)
def test_a_view_is_refused(view, method, rule, options, message):
    told = message_of(lambda: client_of(view, rule, method, **options))

    assert told == f"{message} ({place_of(view)})"


# What is no view of ours.


def test_d12_a_generator_of_a_guard_may_be_closed_before_the_stream():
    closed = []

    def get_user():
        yield "Ann"
        closed.append(True)

    def show() -> t.Iterator[str]:
        yield f"{closed}"

    client = client_of(show, dependencies=[get_user])

    assert client.get("/").text == "[True]"


def test_a_request_scope_on_flask_itself_is_refused():
    bp = Blueprint("bp", __name__)

    @bp.get("/")
    def show(db=Depends(get_db, scope="request")): ...

    told = message_of(lambda: flask.Flask(__name__).register_blueprint(bp))

    assert told == (
        'GET /: get_db() has scope="request", which flask.Flask does not close. Use'
        f" flask_signature.Flask, or remove the scope. ({place_of(show)})"
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
        f" ({place_of(show)})"
    )


def test_a_method_of_a_class_is_named():
    class Books(MethodView):
        def get(self, db=Depends): ...

    def register():
        Flask(__name__).add_url_rule("/", view_func=Books.as_view("books"))

    assert message_of(register) == (
        "GET /: 'db' of Books.get() is declared with Depends, which was not called."
        f" Write Depends(function). ({place_of(Books.get)})"
    )


HOOKS = {
    "before_request": lambda app, hook: app.before_request(hook),
    "after_request": lambda app, hook: app.after_request(hook),
    "errorhandler": lambda app, hook: app.errorhandler(404)(hook),
    "url_value_preprocessor": lambda app, hook: app.url_value_preprocessor(hook),
}


@pytest.mark.parametrize(
    ("marker", "shown"),
    [(Depends(get_db), "Depends()"), (Depends, "Depends")],
    ids=["called", "not"],
)
@pytest.mark.parametrize("register", HOOKS.values(), ids=HOOKS)
def test_a_hook_has_no_dependencies(register, marker, shown):
    def hook(*args, db=marker): ...

    told = message_of(lambda: register(Flask(__name__), hook))

    assert told == (
        f"hook() declares 'db' with {shown}, but Flask calls it as it is: only views"
        " are parsed. Read flask.request there, or give the function to dependencies="
        f" of the application or the blueprint. ({place_of(hook)})"
    )
