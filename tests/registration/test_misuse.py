"""What an author is told who declares something that can't work, in full.

Every message says where (method, rule, view, file and line), what is wrong in the
author's own names, and what to write instead.
"""

import dataclasses
import functools
import traceback
import typing as t
from collections.abc import Callable
from enum import Enum
from uuid import UUID

import flask
import pytest
import typing_extensions as te
from client import client_of
from flask import Response
from flask.views import MethodView
from models import Cat
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, ImportString
from typing_extensions import TypeAliasType
from werkzeug import routing
from werkzeug.datastructures import FileStorage

from flask_signature import (
    Blueprint,
    Body,
    Cookie,
    File,
    Flask,
    Form,
    Header,
    Path,
    Query,
    SignatureError,
    UploadFile,
)


class ItemIn(BaseModel):
    name: str


class Nested(BaseModel):
    item: ItemIn


class Bounded(BaseModel):
    image: UploadFile = Field(max_length=2)


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    token: str = ""


class Secret(BaseModel):
    token: str = ""


class Opaque:
    """A class that Pydantic knows nothing of."""

    class Inner:
        """A class inside of another."""


@dataclasses.dataclass
class Part:
    numbers: t.Iterable[int]


class Batch(BaseModel):
    parts: list[Part]


Key = TypeAliasType("Key", str)


def place_of(view: Callable[..., t.Any]) -> str:
    """The end of a message: the file and line where a view was written."""
    return f"(tests/registration/test_misuse.py, line {view.__code__.co_firstlineno})"


def message_of(register: Callable[[], t.Any]) -> str:
    with pytest.raises(SignatureError) as error:
        register()
    return str(error.value)


def refusal_of(register: Callable[[], t.Any]) -> str:
    """The message of a refusal, which is one exception with one traceback."""
    with pytest.raises(SignatureError) as error:
        register()
    assert tracebacks_of(error.value) == 1
    return str(error.value)


def tracebacks_of(error: BaseException) -> int:
    """How many exceptions Python prints for one, each with its traceback."""
    lines = traceback.format_exception(error)
    return sum(line.startswith("Traceback") for line in lines)


VIEWS: list[t.Any] = []


class Shelf(Enum):
    """What operations are listed under."""

    BOOKS = "Books"


V = t.TypeVar("V", bound=Callable[..., t.Any])


def refused(*said: str) -> Callable[[V], V]:
    """A row of the table: a view that a route refuses, and all of what it says.

    The route comes first, where the message does not begin with it.
    """

    def add(view: V) -> V:
        message = said[-1]
        route = said[0] if len(said) == 2 else message.partition(":")[0]
        method, rule = route.split()
        VIEWS.append(pytest.param(view, method, rule, message, id=view.__name__))
        return view

    return add


# How a message reads.


@refused(
    "GET /users/<int:user_id>",
    "GET /users/{user_id}: the URL provides 'user_id', but show_user() has no"
    " argument of that name. Add 'user_id: int' to the view, or accept it with"
    " '**kwargs'.",
)
def show_user(): ...


@refused(
    "POST /photos: upload() takes 'meta' from a JSON body and 'image' from a file. A"
    " request has one body. Declare 'meta' with Form() to receive both as multipart.",
)
def upload(meta: ItemIn, image: FileStorage): ...


@refused(
    "PUT /items/<int:id>",
    "PUT /items/{id}: the annotation of 'item' in replace() names 'ItemOut', which"
    " is not defined when the route is registered. Import it outside 'if"
    " TYPE_CHECKING'.",
)
def replace(id: int, item: "ItemOut"): ...  # noqa: F821


# What the URL provides.


@refused(
    "GET /<a>/<float:b>",
    "GET /{a}/{b}: the URL provides 'b', but takes_one() has no argument of that name."
    " Add 'b: float' to the view, or accept it with '**kwargs'.",
)
def takes_one(a: str): ...


@refused(
    "GET /<a>/<int:b>/<int:c>",
    "GET /{a}/{b}/{c}: the rule converts 'c' with 'int', but takes_another_type_last()"
    " declares 'c: UUID', and no integer is a UUID. Use '<uuid:c>' or change the"
    " annotation.",
)
def takes_another_type_last(a: str, b: int, c: UUID): ...


@refused(
    "GET /<int:n>",
    "GET /{n}: the rule converts 'n' with 'int', but takes_an_alias() declares"
    " 'n: Key', and no integer is a Key. Change the annotation.",
)
def takes_an_alias(n: Key): ...


@refused(
    "GET /<x>",
    "GET /{x}: the URL provides 'x', but reads_query() reads it with Query(). Use"
    " Path(), or rename the argument and keep its name in the request with alias='x'.",
)
def reads_query(x: int = Query()): ...


@refused(
    "GET /items: reads_path() reads 'k' with Path(), but the rule has no variable of"
    " that name. Add '<k>' to the rule, or read the argument from elsewhere.",
)
def reads_path(x: t.Annotated[int, Path(alias="k")]): ...


@refused(
    "GET /items/<x>",
    "GET /items/{x}: the URL provides 'x', but reads_an_alias() takes the argument of"
    " that name by its alias 'k'. Remove the alias, or give the variable that name.",
)
def reads_an_alias(x: t.Annotated[int, Field(alias="k")]): ...


@refused(
    "GET /orders/<int:ref>",
    "GET /orders/{ref}: the rule converts 'ref' with 'int', but"
    " takes_an_alias_of_another_type() declares 'key: UUID', and no integer is a UUID."
    " Use '<uuid:ref>' or change the annotation.",
)
def takes_an_alias_of_another_type(key: UUID = Path(alias="ref")): ...


@refused(
    "GET /items: reads_path_under_its_name() reads 'x' with Path(), but the rule has no"
    " variable of that name. Add '<x>' to the rule, or read the argument from"
    " elsewhere.",
)
def reads_path_under_its_name(x: int = Path()): ...


@refused(
    "GET /<n>/<n>: the rule '/<n>/<n>' has two variables named 'n'; a prefix may"
    " bring the other. Rename one of them.",
)
def has_it_twice(n: int): ...


# Special functions.


@refused(
    "GET /: 'x' of has_two_locations() has two locations, Query() and Header(). Keep"
    " one.",
)
def has_two_locations(x: t.Annotated[int, Query()] = Header()): ...


@refused(
    "GET /: 'x' of has_two_markers() has two locations, Query() and Cookie(). Keep"
    " one.",
)
def has_two_markers(x: t.Annotated[int, Query(), Cookie()]): ...


@refused(
    "GET /: 'x' of has_two_defaults() has two defaults, one in its Query(). Keep the"
    " one after '='.",
)
def has_two_defaults(x: t.Annotated[int, Query(1)] = 2): ...


@refused(
    "GET /: 'x' of has_a_factory_too(): cannot specify both default and"
    " default_factory.",
)
def has_a_factory_too(x: t.Annotated[int, Field(default_factory=int)] = 2): ...


@refused(
    "GET /: 'x' of has_two_types() is annotated 'int', but its Query() says"
    " 'list[float]'. Give the type once, as the annotation.",
)
def has_two_types(x: int = Query(list[float])): ...


@refused(
    "GET /: 'x' of does_not_call() is declared with Query, which was not called. Write"
    " Query().",
)
def does_not_call(x: int = Query): ...


@refused(
    "GET /: 'x' of does_not_call_either() is declared with Header, which was not"
    " called. Write Header().",
)
def does_not_call_either(x: t.Annotated[int, Header]): ...


@refused(
    "GET /: 'x' of marks_a_part() has its Query() inside of its type. Put it around the"
    " whole type: Annotated[..., Query()].",
)
def marks_a_part(x: t.Annotated[int, Query()] | None = None): ...


# Names.


@refused(
    "GET /: 'a' and 'b' of share_a_key() are both read from 'q' of the query. Give"
    " one of them another alias.",
)
def share_a_key(a: int = Query(alias="q"), b: int = Query(alias="q")): ...


@refused(
    "GET /: 'x_a' and 'b' of share_a_header() are both read from 'x-a' of the"
    " header. Give one of them another alias.",
)
def share_a_header(x_a: int = Header(), b: int = Header(alias="x-a")): ...


@refused(
    "GET /: 'a' and 'b' of share_a_header_in_wsgi() are both read from 'X-A' of the"
    " header. Give one of them another alias.",
)
def share_a_header_in_wsgi(
    a: int = Header(alias="x_a"), b: int = Header(alias="X-A")
): ...


@refused(
    "POST /: 'item' and 'n' of share_a_body_key() are both read from 'item' of the"
    " body. Give one of them another alias.",
)
def share_a_body_key(item: ItemIn, n: int = Body(alias="item")): ...


class Paging(BaseModel):
    """Names that others may take: its own, an alias, and both."""

    model_config = ConfigDict(populate_by_name=True)
    page: int = 1
    size: int = Field(20, alias="pageSize")


class Window(BaseModel):
    """Names of which one is also in ``Paging``."""

    start: int = 0
    length: int = Field(10, validation_alias=AliasChoices("len", "pageSize"))


@refused(
    "GET /: 'a' and 'b' of share_a_choice() are both read from 'p' of the query. Give"
    " one of them another alias.",
)
def share_a_choice(
    a: int = Query(validation_alias=AliasChoices("q", "p")), b: int = Query(alias="p")
): ...


@refused(
    "GET /: 'a' and 'n' of share_an_item() are both read from 'n' of the query. Give"
    " one of them another alias.",
)
def share_an_item(
    a: int = Query(validation_alias=AliasPath("n", 0)), n: list[int] = Query([])
): ...


@refused(
    "GET /: the field 'page' of 'p' and 'page' of scalar_beside_a_field() are both read"
    " from 'page' of the query. Remove 'page' and use 'p.page', or give one of them"
    " another alias.",
)
def scalar_beside_a_field(p: Paging, page: int = 1): ...


@refused(
    "GET /: the field 'size' of 'p' and 'n' of scalar_beside_an_alias() are both read"
    " from 'pageSize' of the query. Remove 'n' and use 'p.size', or give one of them"
    " another alias.",
)
def scalar_beside_an_alias(p: Paging, n: int = Query(1, alias="pageSize")): ...


@refused(
    "GET /: the field 'size' of 'p' and 'size' of scalar_beside_a_name() are both read"
    " from 'size' of the query. Remove 'size' and use 'p.size', or give one of them"
    " another alias.",
)
def scalar_beside_a_name(p: Paging, size: int = 1): ...


@refused(
    "GET /: the field 'size' of 'p' and the field 'length' of 'w' of"
    " models_share_a_name() are both read from 'pageSize' of the query. Give one of"
    " them another alias, or read both from one model.",
)
def models_share_a_name(p: Paging, w: Window): ...


@refused(
    "GET /: the field 'token' of 'h' and 'x' of header_in_a_model() are both read from"
    " 'TOKEN' of the header. Remove 'x' and use 'h.token', or give one of them another"
    " alias.",
)
def header_in_a_model(
    h: t.Annotated[Secret, Header()], x: str = Header(alias="TOKEN")
): ...


@refused(
    "GET /: 'x' and 'y' of spell_a_header_twice() are both read from 'x_a' of the"
    " header. Give one of them another alias.",
)
def spell_a_header_twice(
    x: int = Header(alias="X-A"), y: int = Header(alias="x_a")
): ...


@refused(
    "GET /: the field 'token' of 's' and 'token' of cookie_in_a_model() are both read"
    " from 'token' of the cookie. Remove 'token' and use 's.token', or give one of"
    " them another alias.",
)
def cookie_in_a_model(s: t.Annotated[Secret, Cookie()], token: str = Cookie()): ...


@refused(
    "POST /: 'x' and 'text' of text_beside_a_file() are both read from 'x' of the"
    " form. Give one of them another alias.",
)
def text_beside_a_file(x: UploadFile, text: str = Form(alias="x")): ...


@refused(
    "POST /: the field 'token' of 's' and 'token' of file_beside_a_field() are both"
    " read from 'token' of the form. Remove 'token' and use 's.token', or give one of"
    " them another alias.",
)
def file_beside_a_field(s: t.Annotated[Secret, Form()], token: bytes = File()): ...


@refused(
    "POST /: 'item' and 'n' of share_a_choice_of_the_body() are both read from 'item'"
    " of the body. Give one of them another alias.",
)
def share_a_choice_of_the_body(
    item: ItemIn, n: int = Body(validation_alias=AliasChoices("n", "item"))
): ...


@refused(
    "GET /<n>",
    "GET /{n}: 'n' and 'm' of share_a_variable() are both read from 'n' of the path."
    " Give one of them another alias.",
)
def share_a_variable(n: str, m: str = Path(alias="n")): ...


@refused(
    "GET /: 'n' of is_final() is annotated 'Final[int]', which says something of a"
    " name and not of its value. Write 'int'.",
)
def is_final(n: t.Final[int]): ...


@refused(
    "GET /: 'n' of is_final_only() is annotated 'Final', which is no type. Write that"
    " of the argument.",
)
def is_final_only(n: t.Final): ...


@refused(
    "GET /: 'n' of is_a_value() is annotated '5', which is no type. Write that of the"
    " argument.",
)
def is_a_value(n: 5): ...


@refused(
    "GET /: 'm' of model_or_more() may be a model or a list, and the query can't tell"
    " which was sent. Keep one of them.",
)
def model_or_more(m: Paging | int | list[int]): ...


@refused(
    "GET /: 'n' of is_positional() is positional-only, but is passed by its name."
    " Remove the '/' from its signature.",
)
def is_positional(n: int, /): ...


# What a location can carry.


@refused(
    "GET /<x>",
    "GET /{x}: 'x' of list_in_path() is read from the path, which can't carry a list"
    " there. Give it a scalar type, or read it from the query.",
)
def list_in_path(x: list[int]): ...


@refused(
    "GET /<x>",
    "GET /{x}: 'x' of many_things_in_path() is read from the path, which can't carry a"
    " dict there. Give it a scalar type, or read it from the query.",
)
def many_things_in_path(
    x: t.Annotated[UploadFile | ItemIn | list[int] | dict[str, int], Path()],
): ...


@refused(
    "GET /: 'x' of dict_in_query() is read from the query, which can't carry a dict"
    " there. Send it in a JSON body or a form.",
)
def dict_in_query(x: dict[str, int]): ...


@refused(
    "GET /: the field 'item' of 'x' of model_in_model() is read from the query, which"
    " can't carry a model there. Send it in a JSON body or a form.",
)
def model_in_model(x: Nested): ...


@refused(
    "GET /: 'x' of model_beside_a_scalar() may be a model or a single value, and the"
    " query can't tell which was sent. Keep one of them.",
)
def model_beside_a_scalar(x: ItemIn | int): ...


@refused(
    "GET /: 'x' of list_of_cookies() is read from the cookie, which can't carry a list"
    " there. Send it in the query, a JSON body or a form.",
)
def list_of_cookies(x: list[str] = Cookie()): ...


@refused(
    "GET /: 'x' of forbids_headers() is read from the headers, and its model forbids"
    " extra fields. Every request has headers of its own: remove extra='forbid'.",
)
def forbids_headers(x: t.Annotated[Closed, Header()]): ...


@refused(
    "POST /: 'x' of model_as_file() is read from the file, which can't carry a model"
    " there. Declare it with Form(), which may hold files and text.",
)
def model_as_file(x: t.Annotated[ItemIn, File()]): ...


@refused(
    "POST /: the field 'image' of 'x' of bounds_a_field() is a file, which has no"
    " length and no order. Remove the constraint, or declare the content:"
    " Annotated[bytes, File(max_length=...)].",
)
def bounds_a_field(x: t.Annotated[Bounded, Form()]): ...


@refused(
    "GET /: 'x' of file_in_query() is read from the query, which can't carry a file"
    " there. Send it in a JSON body or a form.",
)
def file_in_query(x: t.Annotated[UploadFile, Query()]): ...


# Bodies.


@refused(
    "POST /: body_beside_form() takes 'item' from a JSON body and 'n' from a form. A"
    " request has one body. Declare 'item' with Form() to receive both as multipart.",
)
def body_beside_form(item: ItemIn, n: int = Form()): ...


@refused(
    "TRACE /: body_of_trace() reads 'item' from the body, but a TRACE request has none."
    " Read it from the query, or use another method.",
)
def body_of_trace(item: ItemIn = Body()): ...


@refused(
    "POST /: 'n' is declared with embed=False, but shares the body with other"
    " arguments. Remove embed=False, or the other body arguments.",
)
def flat_among_several(item: ItemIn, n: int = Body(embed=False)): ...


@refused(
    "POST /: the body has two media types, 'image/gif' and 'image/png'. Keep one.",
)
def two_media_types(
    a: bytes = Body(media_type="image/png"), b: bytes = Body(media_type="image/gif")
): ...


@refused(
    "POST /: 'item' is read from JSON, but its media type is 'text/csv'. Annotate it"
    " 'bytes' or 'str' to get the body as it is.",
)
def json_of_another_type(item: ItemIn = Body(media_type="text/csv")): ...


@refused(
    "PATCH /: 'item' is read from JSON, but its media type is 'application/*+json'."
    " Leave 'media_type' out to accept every type of JSON.",
)
def json_of_any_type(item: ItemIn = Body(media_type="application/*+json")): ...


@refused(
    "POST /: the form of form_of_another_type() has the media type 'text/plain'. Use"
    " 'application/x-www-form-urlencoded' or 'multipart/form-data'.",
)
def form_of_another_type(n: int = Form(media_type="text/plain")): ...


@refused(
    "POST /: the form of form_of_two_types() has the media type"
    " 'application/x-www-form-urlencoded' and 'multipart/form-data'. Use"
    " 'application/x-www-form-urlencoded' or 'multipart/form-data'.",
)
def form_of_two_types(
    a: str = Form(media_type="application/x-www-form-urlencoded"),
    b: str = Form(media_type="multipart/form-data"),
): ...


class Photo(BaseModel):
    """A form with files in it."""

    title: str = ""
    images: list[UploadFile] = []


class Matrix(BaseModel):
    """A field that is a list of lists."""

    rows: list[list[int]]


@refused(
    "GET /: 'x' of list_of_lists() is read from the query, which can't carry a list"
    " there. Send it in a JSON body or a form.",
)
def list_of_lists(x: list[list[int]]): ...


@refused(
    "GET /: the field 'rows' of 'x' of list_in_a_list() is read from the query, which"
    " can't carry a list there. Send it in a JSON body or a form.",
)
def list_in_a_list(x: Matrix): ...


@refused(
    "GET /: 'f' of file_of_get() is read from a form, which a GET request does not"
    " have. Read it from the query, or register the view for POST.",
)
def file_of_get(f: UploadFile): ...


@refused(
    "HEAD /: 's' of form_of_head() is read from a form, which a HEAD request does not"
    " have. Read it from the query, or register the view for POST.",
)
def form_of_head(s: t.Annotated[Secret, Form()]): ...


# Annotations.


@refused(
    "GET /: the annotation of 'x' in names_nothing() names 'Nowhere', which is not"
    " defined when the route is registered. Import it outside 'if TYPE_CHECKING'.",
)
def names_nothing(x: "list[Nowhere]"): ...  # noqa: F821


@refused(
    "GET /: the annotation of 'x' in names_what_is_below() names 'Below', which is not"
    " defined when the route is registered. Define it above the view, or register"
    " the view with a Blueprint.",
)
def names_what_is_below(x: "Below"): ...


@refused(
    "GET /: the return annotation of returns_nothing_known() names 'Nowhere', which"
    " is not defined when the route is registered. Import it outside 'if"
    " TYPE_CHECKING'.",
)
def returns_nothing_known() -> "Nowhere": ...  # type: ignore[name-defined]  # noqa: F821


@refused(
    "GET /: 'page' is 'Any', which can't take one of its constraints: Unable to apply"
    " constraint 'ge' to supplied value . Remove it, or change the type.",
)
def has_a_constraint_and_no_type(page=Query(1, ge=1)): ...


@refused(
    "POST /: the media type 'text/plain; charset=utf-8' has a parameter, and bodies are"
    " told apart without. Write 'text/plain'.",
)
def names_a_parameter(text: str = Body(media_type="text/plain; charset=utf-8")): ...


@refused(
    "POST /: 'text/csv, text/plain' is no media type of a body. Write one such as"
    " 'application/json' or 'image/*'; another one needs a view of its own.",
)
def names_two_types(text: str = Body(media_type="text/csv, text/plain")): ...


@refused(
    "POST /: 'csv' is no media type of a body. Write one such as 'application/json' or"
    " 'image/*'; another one needs a view of its own.",
)
def names_no_media_type(text: str = Body(media_type="csv")): ...


@refused(
    "POST /: 'n' of takes_an_iterable() is an Iterable or a Generator, whose items are"
    " validated when the view takes them, too late to refuse the request. Annotate it"
    " as a list.",
)
def takes_an_iterable(n: t.Iterable[int]): ...


@refused(
    "POST /: 'batch.parts.numbers' of takes_an_iterable_in_a_model() is an Iterable or"
    " a Generator, whose items are validated when the view takes them, too late to"
    " refuse the request. Annotate it as a list.",
)
def takes_an_iterable_in_a_model(batch: Batch): ...


@refused(
    "POST /: 'call' of takes_an_import_string() is an ImportString, which would import"
    " whatever module a request names. Annotate it as a Literal or an Enum of the"
    " names, and import that in the view.",
)
def takes_an_import_string(call: ImportString): ...


@refused(
    "GET /: the return annotation of returns_a_model_or_an_iterable() may return"
    " 'ItemIn' or 'Iterable', which is sent as it is, and a value for the former can be"
    " the latter. Return a Response instead of 'Iterable', and annotate it so.",
)
def returns_a_model_or_an_iterable() -> ItemIn | t.Iterable[str]: ...


@refused(
    "GET /: the return annotation of returns_a_model_or_anything() says 'Any' beside"
    " 'ItemIn', so that anything could be sent. Remove 'Any', or give"
    " response_model=ItemIn.",
)
def returns_a_model_or_anything() -> ItemIn | t.Any: ...


@refused(
    "GET /: the return annotation of returns_a_model_of_any_status() says"
    " 'tuple[Secret, int]', which does not name the status of 'Secret'. Write"
    " tuple[Secret, Literal[404]], with the statuses that it has.",
)
def returns_a_model_of_any_status() -> ItemIn | tuple[Secret, int]: ...


@refused(
    "GET /: an annotation of names_no_type() is no type: type object 'int' has no"
    " attribute 'nothing'.",
)
def names_no_type(x: "int.nothing"): ...


@refused(
    "POST /: Pydantic can't read the type of 'b', 'list[Opaque]', since it knows no"
    " fields of 'Opaque'. Name a BaseModel or a dataclass instead, or declare 'b' with"
    " Depends() or Injected() if it is not in the request.",
)
def takes_an_opaque_class_among_others(a: int, b: list[Opaque], c: int): ...


@refused(
    "POST /: Pydantic can't read the type of 'x', 'bytes | Opaque', since it knows no"
    " fields of 'Opaque'. Name a BaseModel or a dataclass instead, or declare 'x' with"
    " Depends() or Injected() if it is not in the request.",
)
def takes_bytes_or_an_opaque_class(
    x: bytes | Opaque = Body(media_type="image/png"),
): ...


@refused(
    "GET /: the return annotation of returns_an_opaque_class() is no response model:"
    " Pydantic can't serialize 'list[Opaque]', since it knows no fields of 'Opaque'."
    " Name a BaseModel or a dataclass instead, or the fields to send, such as"
    " response_model=RowOut, or give response_model=None if Flask can send it as it"
    " is.",
)
def returns_an_opaque_class() -> list[Opaque]: ...


class Supplies(t.Protocol):
    """A class that says nothing of values."""

    def supply(self) -> int: ...


@refused(
    "GET /: the return annotation of returns_a_number_of_a_status() says"
    " 'tuple[ItemIn, 201]', and 201 is no type. Write Literal[201].",
)
def returns_a_number_of_a_status() -> tuple[ItemIn, 201]: ...  # type: ignore[valid-type]


@refused(
    "GET /: the return annotation of returns_a_number_among_others() says"
    " 'tuple[str, 404, dict]', and 404 is no type. Write Literal[404].",
)
def returns_a_number_among_others() -> (
    ItemIn | tuple[str, 404, dict]  # type: ignore[valid-type]
): ...


@refused(
    "GET /: the return annotation of returns_a_protocol() is no response model:"
    " Pydantic can't serialize 'Supplies', since 'Supplies' is a Protocol. Name a"
    " BaseModel or a dataclass instead, or the fields to send, such as"
    " response_model=RowOut, or give response_model=None if Flask can send it as it"
    " is.",
)
def returns_a_protocol() -> Supplies: ...


@refused(
    "POST /: Pydantic can't read the type of 'request', 'Request', since Flask passes"
    " no request to views. Remove the argument, and use 'from flask import request'.",
)
def takes_the_request(request: flask.Request): ...


@refused(
    "GET /: Pydantic can't read the type of 'response', 'Response | None', since Flask"
    " passes no response to views. Remove the argument, and return '(body, status,"
    " headers)' or a Response.",
)
def takes_the_response(response: Response | None = None): ...


class Tree(BaseModel):
    """A model whose fields are of a class that the module defines later."""

    leaves: "list[BelowToo]"


class Forest(BaseModel):
    """A model with such a model in it."""

    trees: list[Tree]


@refused(
    "POST /: Pydantic can't read the type of 'forest', 'Forest': the field 'leaves' of"
    " 'Tree' names 'BelowToo', which is not defined when the view is registered. Define"
    " it above the view, or register the view with a Blueprint.",
)
def takes_what_is_below(forest: Forest): ...


@refused(
    "GET /: Pydantic can't serialize 'list[Tree]': the field 'leaves' of 'Tree' names"
    " 'BelowToo', which is not defined when the view is registered. Define it above the"
    " view, or register the view with a Blueprint.",
)
def returns_what_is_below() -> list[Tree]: ...


@refused(
    "GET /: 'x' is 'int | None', which can't take one of its constraints: Unable to"
    " apply constraint 'max_length' to supplied value 1. Remove it, or change the"
    " type.",
)
def bounds_the_length_of_a_number(x: int | None = Query(None, max_length=2)): ...


@pytest.mark.parametrize(("view", "method", "rule", "message"), VIEWS)
def test_a_view_is_refused(view, method, rule, message, monkeypatch):
    # What the names below stand for is decided after the table was made.
    monkeypatch.delitem(globals(), "Below", raising=False)
    monkeypatch.delitem(globals(), "BelowToo", raising=False)

    told = refusal_of(lambda: client_of(view, rule, method, config={}))

    assert told == f"{message} {place_of(view)}"


@pytest.mark.parametrize(
    ("tp", "default"),
    [
        (UploadFile, File(max_length=2)),
        (t.Annotated[FileStorage | None, Field(ge=1)], File(None)),
        (UploadFile, File(strict=True)),
        (t.Any, File(max_length=2)),
        (list[t.Annotated[UploadFile, Field(max_length=2)]], File(max_length=2)),
    ],
    ids=["file", "optional", "strict", "any", "each"],
)
def test_a_bound_of_a_file_is_refused(tp, default):
    assert refusal_of_argument(tp, default) == (
        "POST /: 'x' of view() is a file, which has no length and no order. Remove the"
        " constraint, or declare the content: Annotated[bytes, File(max_length=...)]."
    )


def refusal_of_argument(tp: t.Any, default: t.Any) -> str:
    """The message of a view for ``POST`` whose ``x`` is refused, without its place."""

    def view(x=default): ...

    view.__annotations__ = {"x": tp}

    told = refusal_of(lambda: client_of(view, "/", "POST", config={}))

    assert told.endswith(f" {place_of(view)}")
    return told.removesuffix(f" {place_of(view)}")


@pytest.mark.parametrize("tp", [str, list[int]])
def test_what_is_no_file_is_refused(tp):
    assert refusal_of_argument(tp, File()) == (
        "POST /: 'x' of view() is read from a file, but its type is neither FileStorage"
        " nor bytes. Use one of them, or Form()."
    )


@pytest.mark.parametrize(
    ("tp", "marker"),
    [
        (UploadFile, File),
        (Photo, Form),
        (list[UploadFile], Form),
        (UploadFile | list[str], Form),
    ],
    ids=["file", "model", "list", "union"],
)
def test_a_file_in_an_urlencoded_form_is_refused(tp, marker):
    default = marker(media_type="application/x-www-form-urlencoded")

    assert refusal_of_argument(tp, default) == (
        "POST /: the form of view() has the media type"
        " 'application/x-www-form-urlencoded'. Use 'multipart/form-data'."
    )


@pytest.mark.parametrize("rule", ["/", "/<x>"])
def test_an_unknown_class_is_refused(rule):
    def view(x: Opaque): ...

    told = refusal_of(lambda: client_of(view, rule, config={}))

    assert told == (
        f"GET {rule.replace('<x>', '{x}')}: Pydantic can't read the type of 'x',"
        " 'Opaque', since it knows no fields of 'Opaque'. Name a BaseModel or a"
        " dataclass instead, or declare 'x' with Depends() or Injected() if it is not"
        f" in the request. {place_of(view)}"
    )


class Below(BaseModel):
    """A class that is defined after a view that names it."""


class BelowToo(BaseModel):
    """A class that is defined after a model that names it."""


# The place.


def test_the_rule_is_the_full_one(app):
    parent = Blueprint("parent", __name__, url_prefix="/shops/<int:shop>")
    child = Blueprint("child", __name__, url_prefix="/items")

    @child.get("/<int:item>")
    def show(item: int): ...

    parent.register_blueprint(child)
    app.register_blueprint(parent, url_prefix="/v1/<int:shop>")

    told = message_of(app.init_app)

    assert told == (
        "GET /v1/{shop}/items/{item}: the URL provides 'shop', but show() has no"
        " argument of that name. Add 'shop: int' to the view, or accept it with"
        f" '**kwargs'. {place_of(show)}"
    )


def test_a_variable_in_both_prefix_and_rule_is_named():
    bp = Blueprint("bp", __name__, url_prefix="/<int:n>")

    @bp.get("/<int:n>")
    def show(n: int): ...

    told = message_of(lambda: Flask(__name__).register_blueprint(bp))

    assert told == (
        "GET /<int:n>/<int:n>: the rule '/<int:n>/<int:n>' has two variables named"
        f" 'n'; a prefix may bring the other. Rename one of them. {place_of(show)}"
    )


IMPOSSIBLE = {
    "int": ("no integer", [str, bytes, UUID]),
    "float": ("no float", [str, bytes, UUID]),
    "uuid": ("no UUID", [str, bytes, int, float, bool]),
}
INSTEAD = {str: "string", UUID: "uuid", int: "int", float: "float"}


@pytest.mark.parametrize(
    ("converter", "nothing", "tp"),
    [(name, said, tp) for name, (said, tps) in IMPOSSIBLE.items() for tp in tps],
)
def test_a_type_that_a_converter_never_provides_is_refused(converter, nothing, tp):
    def show(x): ...

    show.__annotations__ = {"x": tp}
    other = f"Use '<{INSTEAD[tp]}:x>' or change" if tp in INSTEAD else "Change"
    article = "an" if tp is int else "a"

    told = message_of(lambda: client_of(show, f"/<{converter}:x>"))

    assert told == (
        f"GET /{{x}}: the rule converts 'x' with {converter!r}, but show() declares"
        f" 'x: {tp.__name__}', and {nothing} is {article} {tp.__name__}. {other} the"
        f" annotation. {place_of(show)}"
    )


def test_a_default_of_a_rule_needs_an_argument_too():
    def show(): ...

    told = message_of(lambda: client_of(show, config={}, defaults={"lang": "en"}))

    assert told == (
        "GET /: the URL provides 'lang', but show() has no argument of that name. Add"
        f" 'lang: str' to the view, or accept it with '**kwargs'. {place_of(show)}"
    )


def test_a_method_of_a_class_is_named_with_its_class():
    class Items(MethodView):
        def get(self, n: int = Query): ...

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/", view_func=Items.as_view("items"))

    told = message_of(lambda: Flask(__name__).register_blueprint(bp))

    assert told == (
        "GET /: 'n' of Items.get() is declared with Query, which was not called. Write"
        f" Query(). {place_of(Items.get)}"
    )


def test_a_wrapped_view_is_named_by_the_function_inside():
    def show(n: int = Query): ...

    @functools.wraps(show)
    def wrapper(**kwargs): ...

    told = message_of(lambda: client_of(wrapper))

    assert told == (
        "GET /: 'n' of show() is declared with Query, which was not called. Write"
        f" Query(). {place_of(show)}"
    )


def test_a_callable_object_is_named_by_its_class(app):
    class Shop:
        def __call__(self): ...

    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/<n>", "shop", Shop())
    app.register_blueprint(bp)

    told = message_of(app.init_app)

    assert told == (
        "GET /{n}: the URL provides 'n', but Shop() has no argument of that name. Add"
        " 'n: str' to the view, or accept it with '**kwargs'."
        f" {place_of(Shop.__call__)}"
    )


def test_the_methods_of_a_route_are_compiled_one_by_one(app):
    def save(n: int, q: int = Query()): ...

    def show(n: int, b: int = Body()): ...

    app.route("/ok/<int:n>", methods=["GET", "POST"])(save)
    told = message_of(lambda: app.route("/<int:n>", methods=["GET", "TRACE"])(show))

    assert told == (
        "TRACE /{n}: show() reads 'b' from the body, but a TRACE request has none."
        f" Read it from the query, or use another method. {place_of(show)}"
    )


@pytest.mark.parametrize(
    ("tp", "shown"),
    [
        (ItemIn, "ItemIn"),
        (Opaque.Inner, "Inner"),
        (Key, "Key"),
        (dict[str, list[ItemIn]], "dict[str, list[ItemIn]]"),
        (t.List[int], "list[int]"),
        (int | None, "int | None"),
        (t.Optional[UUID], "UUID | None"),
        (list[UUID | None], "list[UUID | None]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (t.Literal["a", 1], "Literal['a', 1]"),
        (t.Any, "Any"),
        (t.NewType("UserID", int), "UserID"),
    ],
)
def test_a_type_is_shown_as_it_is_written(tp, shown):
    def view(x: float = Query(tp)): ...

    told = message_of(lambda: client_of(view))

    assert told == (
        "GET /: 'x' of view() is annotated 'float', but its Query() says"
        f" {shown!r}. Give the type once, as the annotation. {place_of(view)}"
    )


# Options.


@pytest.mark.parametrize(
    ("marker", "problem"),
    [
        (Query(1, gte=1), "Unknown option 'gte' of Query(). Did you mean 'gt'?"),
        (
            Query(regex="a"),
            "Unknown option 'regex' of Query(). Did you mean 'pattern'?",
        ),
        (
            Query(1, descripton="x"),
            "Unknown option 'descripton' of Query(). Did you mean 'description'?",
        ),
        (Path(embed=True), "Unknown option 'embed' of Path()."),
        (
            Cookie(convert_underscore=False),
            "Unknown option 'convert_underscore' of Cookie().",
        ),
        pytest.param(
            Header(convert_underscore=False),
            "Unknown option 'convert_underscore' of Header(). Did you mean"
            " 'convert_underscores'?",
        ),
        (
            Body(medai_type="x"),
            "Unknown option 'medai_type' of Body(). Did you mean 'media_type'?",
        ),
        pytest.param(
            Query(style="matrix"),
            "Query(): OpenAPI has no style 'matrix' there. Use 'form' or"
            " 'spaceDelimited' or 'pipeDelimited' or 'deepObject'.",
        ),
        pytest.param(
            Query(style="spaceDelimited", explode=True),
            "Query(): OpenAPI has no style 'spaceDelimited' with explode=True."
            " Remove explode=.",
        ),
        pytest.param(
            Query(style="deepObject", explode=False),
            "Query(): OpenAPI has no style 'deepObject' with explode=False. Remove"
            " explode=.",
        ),
        (
            Header(style="form"),
            "Header(): OpenAPI has no style 'form' there. Use 'simple'.",
        ),
        (
            Cookie(style="form"),
            "Cookie() has no styles: only Query() and Header() have.",
        ),
        (
            Path(explode=True),
            "Path() has no styles: only Query() and Header() have.",
        ),
        pytest.param(
            File(content_type=["image/png"]),
            "File(): content_type=['image/png'] is no string. Write those of a file"
            " with commas between them: 'image/png, text/*'.",
        ),
        pytest.param(
            File(content_type="png"),
            "File(): 'png' is no content type of a file. Use some such as"
            " 'image/png' or 'text/*', with commas between them, and without"
            " parameters.",
        ),
        pytest.param(
            File(content_type="text/csv, text/plain; charset=utf-8"),
            "File(): 'text/plain; charset=utf-8' is no content type of a file. Use"
            " some such as 'image/png' or 'text/*', with commas between them, and"
            " without parameters.",
        ),
        pytest.param(
            File(content_type="*/*"),
            "File(): '*/*' is no content type of a file. Use some such as"
            " 'image/png' or 'text/*', with commas between them, and without"
            " parameters.",
        ),
        (
            Form(content_type="image/png"),
            "Unknown option 'content_type' of Form().",
        ),
        (
            Form(1, default_factory=int),
            "Form(): cannot specify both default and default_factory.",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
@pytest.mark.parametrize("annotated", [True, False])
def test_an_option_of_a_special_function_is_refused(marker, problem, annotated):
    if annotated:

        def view(n: t.Annotated[int, marker]): ...

    else:

        def view(n: int = marker): ...

    told = message_of(lambda: client_of(view, "/<int:m>"))

    assert told == f"GET /{{m}}: 'n' of view(): {problem} {place_of(view)}"


class Point(t.NamedTuple):
    x: int
    y: int


@pytest.mark.parametrize(
    ("annotation", "marker", "problem"),
    [
        pytest.param(
            int | None,
            Query(style="form"),
            "'q' of view() is a single value, and only lists and models have a"
            " style. Remove style= and explode=, or annotate a list.",
        ),
        pytest.param(
            str,
            Header(explode=True),
            "'q' of view() is a single value, and only lists and models have a"
            " style. Remove style= and explode=, or annotate a list.",
        ),
        pytest.param(
            list[int],
            Query(style="deepObject"),
            "'q' of view() is a list, and only a model or a dict can have the style"
            " 'deepObject'. Use another style, or one of them.",
        ),
        pytest.param(
            Nested,
            Query(style="deepObject"),
            "the field 'item' of 'q' of view() is a model, and a model with a style"
            " holds single values alone. Send it in a JSON body or a form.",
        ),
        pytest.param(
            Batch,
            Header(style="simple"),
            "the field 'parts' of 'q' of view() is a list, and a model with a style"
            " holds single values alone. Send it in a JSON body or a form.",
        ),
        pytest.param(
            Point,
            Query(explode=False),
            "'q' of view() is a NamedTuple, which OpenAPI describes as an array,"
            " and has the style of an object. Use a model or a dataclass.",
        ),
        pytest.param(
            dict[str, int],
            Query(explode=False),
            "'q' of view() is read from the query, which can't carry a dict there."
            " Send it in a JSON body or a form.",
        ),
        pytest.param(
            dict[str, list[int]] | None,
            Query(style="deepObject"),
            "'q' of view() is a dict whose values are a list, and one with a style"
            " holds single values alone. Send it in a JSON body or a form.",
        ),
        pytest.param(
            dict[str, int] | int,
            Query(style="deepObject"),
            "'q' of view() is a single value, and only lists and models have a"
            " style. Remove style= and explode=, or annotate a list.",
        ),
        pytest.param(
            list[list[int]],
            Query(style="pipeDelimited"),
            "'q' of view() is read from the query, which can't carry a list there."
            " Send it in a JSON body or a form.",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_a_style_that_a_type_cannot_have_is_refused(annotation, marker, problem):
    def view(q): ...

    view.__annotations__ = {"q": t.Annotated[annotation, marker]}

    told = message_of(lambda: client_of(view))

    assert told == f"GET /: {problem} {place_of(view)}"


class LimitByDefault(BaseModel):
    limit: int = Query(10, le=100)


class LimitByAnnotation(BaseModel):
    limit: t.Annotated[int, Query(le=100)] = 10


@dataclasses.dataclass
class LimitOfDataclass:
    limit: int = Query(10, le=100)


class Tagged(BaseModel):
    tags: list[str] = Query(explode=False)


class Piped(BaseModel):
    tags: t.Annotated[list[str], Query(style="pipeDelimited")]


BESIDE: t.Final = (
    "Take it beside the model, as an argument of view(), where style= and explode="
    " may be."
)


@pytest.mark.parametrize(
    ("model", "field", "hint"),
    [
        (LimitByDefault, "limit", "Use pydantic.Field() there."),
        (LimitByAnnotation, "limit", "Use pydantic.Field() there."),
        (LimitOfDataclass, "limit", "Use pydantic.Field() there."),
        (Tagged, "tags", BESIDE),
        (Piped, "tags", BESIDE),
    ],
)
def test_a_field_of_a_model_with_a_special_function_is_refused(model, field, hint):
    def view(page): ...

    view.__annotations__ = {"page": t.Annotated[model, Query()]}

    told = message_of(lambda: client_of(view))

    assert told == (
        f"GET /: the field {field!r} of 'page' of view() is declared with Query(),"
        f" which is for arguments. {hint} {place_of(view)}"
    )


class Album(BaseModel):
    cover: UploadFile = File(content_type="image/png")


def test_a_field_of_a_model_with_a_content_type_is_refused():
    def view(album: t.Annotated[Album, Form()]): ...

    told = message_of(lambda: client_of(view, "/", "POST"))

    assert told == (
        "POST /: the field 'cover' of 'album' of view() is declared with File(), which"
        " is for arguments. Take it beside the model, as an argument of view(), where"
        f" content_type= may be. {place_of(view)}"
    )


@pytest.mark.parametrize("annotation", [t.Any, list[t.Any], bytes | t.Any])
def test_a_content_type_of_a_file_of_any_type_is_refused(annotation):
    def view(f=File(content_type="image/png")): ...

    view.__annotations__ = {"f": annotation}

    told = message_of(lambda: client_of(view, "/", "POST"))

    assert told == (
        "POST /: 'f' of view() may be of any type, and so a file of another content"
        " type could not be refused. Annotate it 'UploadFile' or 'bytes'."
        f" {place_of(view)}"
    )


def test_an_argument_with_a_name_of_a_deep_object_is_refused():
    def view(
        item: t.Annotated[ItemIn, Query(style="deepObject")],
        name: t.Annotated[str, Query(alias="item[name]")],
    ): ...

    told = message_of(lambda: client_of(view))

    assert told == (
        "GET /: 'item' and 'name' of view() are both read from 'item[name]' of the"
        f" query. Give one of them another alias. {place_of(view)}"
    )


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("stauts_code", " Did you mean 'status_code'?"),
        ("respones", " Did you mean 'responses'?"),
        ("method", " Did you mean 'methods'?"),
        ("name", " Did you mean 'endpoint'?"),
        ("zzz", ""),
    ],
)
def test_an_option_of_a_route_is_refused(option, hint):
    def view(n): ...

    told = message_of(lambda: Flask(__name__).route("/<int:n>", **{option: 1})(view))

    assert told == (
        f"GET /{{n}}: view(): Unknown option {option!r}.{hint} {place_of(view)}"
    )


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ({"tags": "a"}, "Option 'tags' takes a list of strings. Write tags=['a']."),
        (
            {"tags": Shelf.BOOKS},
            "Option 'tags' takes a list of strings. Write tags=[Shelf.BOOKS].",
        ),
        ({"summary": 1}, "Option 'summary' takes a string, not 1."),
        pytest.param(
            {"decorators": client_of},
            "Option 'decorators' takes a list of functions. Write"
            " decorators=[client_of].",
        ),
        (
            {"decorators": lambda view: view},
            "Option 'decorators' takes a list of functions. Write decorators=[...].",
        ),
        pytest.param(
            {"security": 3},
            "security=3 is no security requirement. Use a scheme such as"
            " HTTPBearer('token', verify=find_user), schemes joined with"
            " '&' and '|', or the name of"
            " one.",
        ),
    ],
    ids=["list", "enum", "text", "function", "lambda", "security"],
)
def test_the_value_of_an_option_is_refused(option, problem):
    bp = Blueprint("bp", __name__, url_prefix="/prefix")

    def view(): ...

    told = message_of(lambda: bp.route("/x", methods=["POST", "get"], **option)(view))

    # The prefix is known when the blueprint is registered.
    assert told == f"GET, POST /x: view(): {problem} {place_of(view)}"


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        pytest.param(
            "response_class",
            "Return a Response of that class, or name its content type with"
            " media_type=.",
        ),
        pytest.param(
            "validate_response",
            "A response is always validated; response_model=None sends what a view"
            " returns as it is.",
        ),
    ],
)
def test_an_option_of_other_frameworks_is_refused(option, hint):
    def view(): ...

    told = message_of(lambda: Flask(__name__).get("/", **{option: str})(view))

    assert told == f"GET /: view(): Unknown option {option!r}. {hint} {place_of(view)}"


def test_an_option_of_other_frameworks_that_a_subclass_takes_is_passed_on():
    seen = []

    class Rule(routing.Rule):
        def __init__(self, *args, response_class=(), **options):
            super().__init__(*args, **options)
            seen.extend(response_class)

    class Own(Flask):
        url_rule_class = Rule

    Own(__name__).get("/", response_class=[1])(lambda: "")

    assert seen == [1]


def test_an_option_of_a_class_is_refused_where_the_class_is():
    class Items(MethodView):
        def post(self): ...

    view = Items.as_view("items")

    told = message_of(lambda: Flask(__name__).add_url_rule("/", view_func=view, tag=1))

    assert told == (
        "POST /: Items.post(): Unknown option 'tag'. Did you mean 'tags'?"
        f" {place_of(Items.post)}"
    )


def test_an_option_of_a_wrapped_view_is_refused_where_the_view_is():
    def show(): ...

    @functools.wraps(show)
    def wrapper(): ...

    told = message_of(lambda: Flask(__name__).get("/", tag=1)(wrapper))

    assert told == (
        f"GET /: show(): Unknown option 'tag'. Did you mean 'tags'? {place_of(show)}"
    )


def test_methods_of_a_verb_are_refused():
    told = message_of(lambda: Flask(__name__).get("/<int:n>", methods=["POST"]))

    assert told == "GET /{n}: Use the 'route' decorator to give 'methods'."


def test_a_signature_error_is_a_type_error():
    assert issubclass(SignatureError, TypeError)


def test_a_view_that_was_refused_is_not_registered(app):
    def view(n: int = Query): ...

    message_of(lambda: app.get("/")(view))

    assert app.view_functions.keys() <= {"static"}
    assert [rule.rule for rule in app.url_map.iter_rules()] == [
        "/static/<path:filename>"
    ]


def failing(error: Exception) -> type:
    """A type that can't say how it is validated."""

    class Failing:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            raise error

    return Failing


@pytest.mark.parametrize(
    ("tp", "reason"),
    [
        (
            t.Annotated[ItemIn | Cat, Field(discriminator="kind")],
            "Model 'ItemIn' needs a discriminator field for key 'kind'.",
        ),
        (failing(ValueError("Not today.\nNor tomorrow.")), "Not today."),
        (failing(TypeError("not today")), "not today."),
        (failing(NameError("not today")), "not today."),
    ],
    ids=["discriminator", "value", "type", "name"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_why_pydantic_cannot_read_a_type_is_reported(tp, reason, method):
    def view(x): ...

    view.__annotations__ = {"x": tp}

    told = message_of(lambda: client_of(view, "/", method))

    assert told.startswith(f"{method} /: Pydantic can't read the type of 'x', ")
    assert told.endswith(f": {reason} {place_of(view)}")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_exception_of_the_author_stands_before_the_message(method):
    own = ValueError("Not today.")

    def view(x): ...

    view.__annotations__ = {"x": failing(own)}

    with pytest.raises(SignatureError) as error:
        client_of(view, "/", method)

    assert error.value.__cause__ is own
    assert tracebacks_of(error.value) == 2


@dataclasses.dataclass
class Broken:
    """A model that names a class that does not exist."""

    other: "Missing"  # type: ignore[name-defined]  # noqa: F821


class BrokenModel(BaseModel):
    """A model that names a class that does not exist."""

    other: "Missing" = Field()  # type: ignore[name-defined]  # noqa: F821


class BrokenDict(te.TypedDict):
    """A model that names a class that does not exist."""

    other: "Missing"  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("tp", [Broken, BrokenModel, BrokenDict])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_model_that_is_not_defined_in_full_is_refused(tp, method):
    def view(x): ...

    view.__annotations__ = {"x": tp}

    told = message_of(lambda: client_of(view, "/", method))

    assert told == (
        f"{method} /: Pydantic can't read the type of 'x', {tp.__name__!r}: the field"
        f" 'other' of {tp.__name__!r} names 'Missing', which is not defined when the"
        f" view is registered. Import it outside 'if TYPE_CHECKING'. {place_of(view)}"
    )


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_models_of_a_function_that_name_each_other_are_refused(method):
    class Node(BaseModel):
        children: list["Child"]

    class Child(BaseModel):
        parent: Node | None

    def view(x: Node): ...

    told = message_of(lambda: client_of(view, "/", method))

    assert told == (
        f"{method} /: Pydantic can't read the type of 'x', 'Node': the field 'children'"
        " of 'Node' names 'Child', which is not defined when the view is registered."
        " Define it before the view, and call Node.model_rebuild() after it."
        f" {place_of(view)}"
    )


def test_a_dataclass_of_a_function_that_names_another_is_refused():
    @dataclasses.dataclass
    class Node:
        children: list["Child"]

    @dataclasses.dataclass
    class Child:
        parent: Node | None

    def view() -> Node: ...

    told = message_of(lambda: client_of(view))

    assert told == (
        "GET /: Pydantic can't serialize 'Node': the field 'children' of 'Node' names"
        " 'Child', which is not defined when the view is registered. Define 'Node' and"
        f" 'Child' at the top of the module. {place_of(view)}"
    )


@dataclasses.dataclass
class WithOpaque:
    """A model with a field that Pydantic knows nothing of."""

    thing: Opaque


def test_an_unknown_class_in_a_model_is_named():
    def view(x: WithOpaque): ...

    told = message_of(lambda: client_of(view, "/", "POST"))

    assert told == (
        "POST /: Pydantic can't read the type of 'x', 'WithOpaque', since it knows no"
        " fields of 'Opaque'. Name a BaseModel or a dataclass instead, or declare 'x'"
        f" with Depends() or Injected() if it is not in the request. {place_of(view)}"
    )
