"""What an author is told who declares something that can't work, in full.

Every message says where (method, rule, view, file and line), what is wrong in the
author's own names, and what to write instead.
"""

import dataclasses
import functools
import re
import traceback
import typing as t
from collections.abc import Callable
from enum import Enum
from uuid import UUID

import flask
import pytest
import typing_extensions as te
from client import client_of, taking
from flask import Response
from flask.views import MethodView
from messages import message_of, place_of
from models import Cat
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, ImportString
from typing_extensions import TypeAliasType
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


class Closed(BaseModel, extra="forbid"):
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


class Paging(BaseModel):
    """Names that others may take: its own, an alias, and both."""

    model_config = ConfigDict(populate_by_name=True)
    page: int = 1
    size: int = Field(20, alias="pageSize")


class Window(BaseModel):
    """Names of which one is also in ``Paging``."""

    start: int = 0
    length: int = Field(10, validation_alias=AliasChoices("len", "pageSize"))


class Photo(BaseModel):
    title: str = ""
    images: list[UploadFile] = []


class Supplies(t.Protocol):
    def supply(self) -> int: ...


class Tree(BaseModel):
    """A model whose fields are of a class that the module defines later."""

    leaves: "list[BelowToo]"


class Forest(BaseModel):
    trees: list[Tree]


Key = TypeAliasType("Key", str)


class Shelf(Enum):
    """What operations are listed under."""

    BOOKS = "Books"


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


def path_of(rule: str) -> str:
    """``"/users/{user_id}"`` for ``"/users/<int:user_id>"``."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)


VIEWS: list[t.Any] = []

V = t.TypeVar("V", bound=Callable[..., t.Any])


def refused(problem: str, route: str = "GET /", **options: t.Any) -> Callable[[V], V]:
    """A row of the table: a view that a route refuses, and what is said of ``view()``.

    The message begins with the method and the path of the route.

    :param options: of the route.
    """

    def add(view: V) -> V:
        told = f"{path_of(route)}: {problem.replace('view()', f'{view.__name__}()')}"
        values = (view, *route.split(), options, told)
        VIEWS.append(pytest.param(*values, id=view.__name__))
        return view

    return add


@pytest.mark.parametrize(("view", "method", "rule", "options", "message"), VIEWS)
def test_a_view_is_refused(view, method, rule, options, message, monkeypatch):
    # What the names below stand for is decided after the table was made.
    monkeypatch.delitem(globals(), "Below", raising=False)
    monkeypatch.delitem(globals(), "BelowToo", raising=False)

    told = refusal_of(lambda: client_of(view, rule, method, config={}, **options))

    assert told == f"{message} {place_of(view)}"


# What the URL provides.


@refused(
    "the URL provides 'user_id', but view() has no argument of that name. Add"
    " 'user_id: int' to the view, or accept it with '**kwargs'.",
    "GET /users/<int:user_id>",
)
def show_user(): ...
@refused(
    "the URL provides 'lang', but view() has no argument of that name. Add 'lang: str'"
    " to the view, or accept it with '**kwargs'.",
    defaults={"lang": "en"},
)
def lacks_a_default_of_the_rule(): ...
@refused(
    "the URL provides 'b', but view() has no argument of that name. Add 'b: float' to"
    " the view, or accept it with '**kwargs'.",
    "GET /<a>/<float:b>",
)
def takes_one(a: str): ...
@refused(
    "the rule converts 'c' with 'int', but view() declares 'c: UUID', and no integer is"
    " a UUID. Use '<uuid:c>' or change the annotation.",
    "GET /<a>/<int:b>/<int:c>",
)
def takes_another_type_last(a: str, b: int, c: UUID): ...
@refused(
    "the rule converts 'n' with 'int', but view() declares 'n: Key', and no integer is"
    " a Key. Change the annotation.",
    "GET /<int:n>",
)
def takes_an_alias(n: Key): ...
@refused(
    "the URL provides 'x', but view() reads it with Query(). Use Path(), or rename the"
    " argument and keep its name in the request with alias='x'.",
    "GET /<x>",
)
def reads_query(x: int = Query()): ...
@refused(
    "view() reads 'k' with Path(), but the rule has no variable of that name. Add '<k>'"
    " to the rule, or read the argument from elsewhere."
)
def reads_path(x: t.Annotated[int, Path(alias="k")]): ...
@refused(
    "the URL provides 'x', but view() takes the argument of that name by its alias 'k'."
    " Remove the alias, or give the variable that name.",
    "GET /items/<x>",
)
def reads_an_alias(x: t.Annotated[int, Field(alias="k")]): ...
@refused(
    "the rule converts 'ref' with 'int', but view() declares 'key: UUID', and no"
    " integer is a UUID. Use '<uuid:ref>' or change the annotation.",
    "GET /orders/<int:ref>",
)
def takes_an_alias_of_another_type(key: UUID = Path(alias="ref")): ...


# Special functions.


@refused("'x' of view() has two locations, Query() and Header(). Keep one.")
def has_two_locations(x: t.Annotated[int, Query()] = Header()): ...
@refused("'x' of view() has two locations, Query() and Cookie(). Keep one.")
def has_two_markers(x: t.Annotated[int, Query(), Cookie()]): ...
@refused("'x' of view() has two defaults, one in its Query(). Keep the one after '='.")
def has_two_defaults(x: t.Annotated[int, Query(1)] = 2): ...
@refused("'x' of view(): cannot specify both default and default_factory.")
def has_a_factory_too(x: t.Annotated[int, Field(default_factory=int)] = 2): ...
@refused("'x' of view() is declared with Query, which was not called. Write Query().")
def does_not_call(x: int = Query): ...
@refused("'x' of view() is declared with Header, which was not called. Write Header().")
def does_not_call_either(x: t.Annotated[int, Header]): ...
@refused(
    "'x' of view() has its Query() inside of its type. Put it around the whole type:"
    " Annotated[..., Query()]."
)
def marks_a_part(x: t.Annotated[int, Query()] | None = None): ...


# Names.


def both_read(arguments: str, key: str, route: str = "GET /") -> Callable[[V], V]:
    """A row of the table: a view that reads two arguments from one place."""
    said = f"{arguments} of view() are both read from {key}."
    return refused(f"{said} Give one of them another alias.", route)


@both_read("'a' and 'b'", "'q' of the query")
def share_a_key(a: int = Query(alias="q"), b: int = Query(alias="q")): ...
@both_read("'x_a' and 'b'", "'x-a' of the header")
def share_a_header(x_a: int = Header(), b: int = Header(alias="x-a")): ...
@both_read("'a' and 'b'", "'X-A' of the header")
def share_in_wsgi(a: int = Header(alias="x_a"), b: int = Header(alias="X-A")): ...
@both_read("'item' and 'n'", "'item' of the body", "POST /")
def share_a_body_key(item: ItemIn, n: int = Body(alias="item")): ...
@both_read("'a' and 'b'", "'p' of the query")
def share_a_choice(
    a: int = Query(validation_alias=AliasChoices("q", "p")), b: int = Query(alias="p")
): ...
@both_read("'a' and 'n'", "'n' of the query")
def share_an_item(
    a: int = Query(validation_alias=AliasPath("n", 0)), n: list[int] = Query([])
): ...
@both_read("'x' and 'text'", "'x' of the form", "POST /")
def text_beside_a_file(x: UploadFile, text: str = Form(alias="x")): ...
@both_read("'n' and 'm'", "'n' of the path", "GET /<n>")
def share_a_variable(n: str, m: str = Path(alias="n")): ...
@both_read("'item' and 'name'", "'item[name]' of the query")
def scalar_beside_a_deep_object(
    item: t.Annotated[ItemIn, Query(style="deepObject")],
    name: t.Annotated[str, Query(alias="item[name]")],
): ...


def field_read(
    field: str, name: str, key: str, route: str = "GET /"
) -> Callable[[V], V]:
    """A row of the table: a view that reads a field, ``"p.page"``, and an argument."""
    model, _, inside = field.partition(".")
    return refused(
        f"the field {inside!r} of {model!r} and {name!r} of view() are both read from"
        f" {key}. Remove {name!r} and use {field!r}, or give one of them another"
        " alias.",
        route,
    )


@field_read("p.page", "page", "'page' of the query")
def scalar_beside_a_field(p: Paging, page: int = 1): ...
@field_read("p.size", "n", "'pageSize' of the query")
def scalar_beside_an_alias(p: Paging, n: int = Query(1, alias="pageSize")): ...
@field_read("p.size", "size", "'size' of the query")
def scalar_beside_a_name(p: Paging, size: int = 1): ...
@field_read("h.token", "x", "'TOKEN' of the header")
def header_field(h: t.Annotated[Secret, Header()], x: str = Header(alias="TOKEN")): ...
@field_read("s.token", "token", "'token' of the cookie")
def cookie_in_a_model(s: t.Annotated[Secret, Cookie()], token: str = Cookie()): ...
@field_read("s.token", "token", "'token' of the form", "POST /")
def file_beside_a_field(s: t.Annotated[Secret, Form()], token: bytes = File()): ...
@refused(
    "the field 'size' of 'p' and the field 'length' of 'w' of view() are both read from"
    " 'pageSize' of the query. Give one of them another alias, or read both from one"
    " model."
)
def models_share_a_name(p: Paging, w: Window): ...
@refused(
    "'n' of view() is annotated 'Final[int]', which says something of a name and not of"
    " its value. Write 'int'."
)
def is_final(n: t.Final[int]): ...
@refused(
    "'n' of view() is annotated 'Final', which is no type. Write that of the argument."
)
def is_final_only(n: t.Final): ...
@refused(
    "'n' of view() is annotated '5', which is no type. Write that of the argument."
)
def is_a_value(n: 5): ...
@refused(
    "'m' of view() may be a model or a list, and the query can't tell which was sent."
    " Keep one of them."
)
def model_or_more(m: Paging | int | list[int]): ...
@refused(
    "'x' of view() may be a model or a single value, and the query can't tell which was"
    " sent. Keep one of them."
)
def model_beside_a_scalar(x: ItemIn | int): ...
@refused(
    "'n' of view() is positional-only, but is passed by its name. Remove the '/' from"
    " its signature."
)
def is_positional(n: int, /): ...


# What a location can carry.


@refused(
    "'x' of view() is read from the headers, and its model forbids extra fields. Every"
    " request has headers of its own: remove extra='forbid'."
)
def forbids_headers(x: t.Annotated[Closed, Header()]): ...
@refused(
    "the field 'image' of 'x' of view() is a file, which has no length and no order."
    " Remove the constraint, or declare the content:"
    " Annotated[bytes, File(max_length=...)].",
    "POST /",
)
def bounds_a_field(x: t.Annotated[Bounded, Form()]): ...


# Bodies.


@refused(
    "view() takes 'meta' from a JSON body and 'image' from a file. A request has one"
    " body. Declare 'meta' with Form() to receive both as multipart.",
    "POST /photos",
)
def upload(meta: ItemIn, image: FileStorage): ...
@refused(
    "view() takes 'item' from a JSON body and 'n' from a form. A request has one body."
    " Declare 'item' with Form() to receive both as multipart.",
    "POST /",
)
def body_beside_form(item: ItemIn, n: int = Form()): ...
@refused(
    "'n' is declared with embed=False, but shares the body with other arguments. Remove"
    " embed=False, or the other body arguments.",
    "POST /",
)
def flat_among_several(item: ItemIn, n: int = Body(embed=False)): ...
@refused(
    "the body has two media types, 'image/gif' and 'image/png'. Keep one.", "POST /"
)
def two_media_types(
    a: bytes = Body(media_type="image/png"), b: bytes = Body(media_type="image/gif")
): ...
@refused(
    "'item' is read from JSON, but its media type is 'text/csv'. Annotate it 'bytes' or"
    " 'str' to get the body as it is.",
    "POST /",
)
def json_of_another_type(item: ItemIn = Body(media_type="text/csv")): ...
@refused(
    "'item' is read from JSON, but its media type is 'application/*+json'. Leave"
    " 'media_type' out to accept every type of JSON.",
    "PATCH /",
)
def json_of_any_type(item: ItemIn = Body(media_type="application/*+json")): ...


FORM_TYPES: t.Final = (
    "Use 'application/x-www-form-urlencoded' or 'multipart/form-data'."
)


@refused(f"the form of view() has the media type 'text/plain'. {FORM_TYPES}", "POST /")
def form_of_another_type(n: int = Form(media_type="text/plain")): ...
@refused(
    "the form of view() has the media type 'application/x-www-form-urlencoded' and"
    f" 'multipart/form-data'. {FORM_TYPES}",
    "POST /",
)
def form_of_two_types(
    a: str = Form(media_type="application/x-www-form-urlencoded"),
    b: str = Form(media_type="multipart/form-data"),
): ...
@refused(
    "'f' of view() is read from a form, which a GET request does not have. Read it from"
    " the query, or register the view for POST."
)
def file_of_get(f: UploadFile): ...
@refused(
    "'s' of view() is read from a form, which a HEAD request does not have. Read it"
    " from the query, or register the view for POST.",
    "HEAD /",
)
def form_of_head(s: t.Annotated[Secret, Form()]): ...
@refused(
    "the media type 'text/plain; charset=utf-8' has a parameter, and bodies are told"
    " apart without. Write 'text/plain'.",
    "POST /",
)
def names_a_parameter(text: str = Body(media_type="text/plain; charset=utf-8")): ...


NO_MEDIA_TYPE: t.Final = (
    "is no media type of a body. Write one such as 'application/json' or 'image/*';"
    " another one needs a view of its own."
)


@refused(f"'text/csv, text/plain' {NO_MEDIA_TYPE}", "POST /")
def names_two_types(text: str = Body(media_type="text/csv, text/plain")): ...
@refused(f"'csv' {NO_MEDIA_TYPE}", "POST /")
def names_no_media_type(text: str = Body(media_type="csv")): ...


# Annotations.


@refused(
    "the annotation of 'x' in view() names 'Nowhere', which is not defined when the"
    " route is registered. Import it outside 'if TYPE_CHECKING'."
)
def names_nothing(x: "list[Nowhere]"): ...  # noqa: F821
@refused(
    "the annotation of 'x' in view() names 'Below', which is not defined when the route"
    " is registered. Define it above the view, or register the view with a Blueprint."
)
def names_what_is_below(x: "Below"): ...
@refused(
    "the return annotation of view() names 'Nowhere', which is not defined when the"
    " route is registered. Import it outside 'if TYPE_CHECKING'."
)
def returns_nothing_known() -> "Nowhere": ...  # noqa: F821
@refused(
    "'page' is 'Any', which can't take one of its constraints: Unable to apply"
    " constraint 'ge' to supplied value . Remove it, or change the type."
)
def has_a_constraint_and_no_type(page=Query(1, ge=1)): ...
@refused(
    "'x' is 'int | None', which can't take one of its constraints: Unable to apply"
    " constraint 'max_length' to supplied value 1. Remove it, or change the type."
)
def bounds_the_length_of_a_number(x: int | None = Query(None, max_length=2)): ...


TOO_LATE: t.Final = (
    "is an Iterable or a Generator, whose items are validated when the view takes them,"
    " too late to refuse the request. Annotate it as a list."
)


@refused(f"'n' of view() {TOO_LATE}", "POST /")
def takes_an_iterable(n: t.Iterable[int]): ...
@refused(f"'batch.parts.numbers' of view() {TOO_LATE}", "POST /")
def takes_an_iterable_in_a_model(batch: Batch): ...
@refused(
    "'call' of view() is an ImportString, which would import whatever module a request"
    " names. Annotate it as a Literal or an Enum of the names, and import that in the"
    " view.",
    "POST /",
)
def takes_an_import_string(call: ImportString): ...
@refused("an annotation of view() is no type: type object 'int' has no attribute 'no'.")
def names_no_type(x: "int.no"): ...


def unreadable(name: str, tp: str, route: str = "POST /") -> Callable[[V], V]:
    """A row of the table: a view with an argument that holds a class without fields."""
    return refused(
        f"Pydantic can't read the type of {name!r}, {tp!r}, since it knows no fields of"
        f" 'Opaque'. Name a BaseModel or a dataclass instead, or declare {name!r} with"
        " Depends() or Injected() if it is not in the request.",
        route,
    )


@unreadable("x", "Opaque", "GET /")
def takes_an_opaque_class(x: Opaque): ...
@unreadable("x", "Opaque", "GET /<x>")
def takes_an_opaque_class_from_the_url(x: Opaque): ...
@unreadable("b", "list[Opaque]")
def takes_an_opaque_class_among_others(a: int, b: list[Opaque], c: int): ...
@unreadable("x", "bytes | Opaque")
def takes_bytes_as_well(x: bytes | Opaque = Body(media_type="image/png")): ...


@dataclasses.dataclass
class WithOpaque:
    thing: Opaque


@unreadable("x", "WithOpaque")
def takes_an_opaque_class_in_a_model(x: WithOpaque): ...
@refused(
    "Pydantic can't read the type of 'request', 'Request', since Flask passes no"
    " request to views. Remove the argument, and use 'from flask import request'.",
    "POST /",
)
def takes_the_request(request: flask.Request): ...
@refused(
    "Pydantic can't read the type of 'response', 'Response | None', since Flask passes"
    " no response to views. Remove the argument, and return '(body, status, headers)'"
    " or a Response."
)
def takes_the_response(response: Response | None = None): ...


BELOW: t.Final = (
    "the field 'leaves' of 'Tree' names 'BelowToo', which is not defined when the view"
    " is registered. Define it above the view, or register the view with a Blueprint."
)


@refused(f"Pydantic can't read the type of 'forest', 'Forest': {BELOW}", "POST /")
def takes_what_is_below(forest: Forest): ...
@refused(f"Pydantic can't serialize 'list[Tree]': {BELOW}")
def returns_what_is_below() -> list[Tree]: ...


# Return annotations.


@refused(
    "the return annotation of view() may return 'ItemIn' or 'Iterable', which is sent"
    " as it is, and a value for the former can be the latter. Return a Response instead"
    " of 'Iterable', and annotate it so."
)
def returns_a_model_or_an_iterable() -> ItemIn | t.Iterable[str]: ...
@refused(
    "the return annotation of view() says 'Any' beside 'ItemIn', so that anything could"
    " be sent. Remove 'Any', or give response_model=ItemIn."
)
def returns_a_model_or_anything() -> ItemIn | t.Any: ...
@refused(
    "the return annotation of view() says 'tuple[Secret, int]', which does not name the"
    " status of 'Secret'. Write tuple[Secret, Literal[404]], with the statuses that it"
    " has."
)
def returns_a_model_of_any_status() -> ItemIn | tuple[Secret, int]: ...
@refused(
    "the return annotation of view() says 'tuple[ItemIn, 201]', and 201 is no type."
    " Write Literal[201]."
)
def returns_a_number_of_a_status() -> tuple[ItemIn, 201]: ...
@refused(
    "the return annotation of view() says 'tuple[str, 404, dict]', and 404 is no type."
    " Write Literal[404]."
)
def returns_a_number_among_others() -> ItemIn | tuple[str, 404, dict]: ...


def unserializable(tp: str, reason: str) -> Callable[[V], V]:
    """A row of the table: a view with a return annotation that is no model."""
    return refused(
        "the return annotation of view() is no response model: Pydantic can't serialize"
        f" {tp!r}, since {reason}. Name a BaseModel or a dataclass instead, or the"
        " fields to send, such as response_model=RowOut, or give response_model=None if"
        " Flask can send it as it is."
    )


@unserializable("list[Opaque]", "it knows no fields of 'Opaque'")
def returns_an_opaque_class() -> list[Opaque]: ...
@unserializable("Supplies", "'Supplies' is a Protocol")
def returns_a_protocol() -> Supplies: ...


class Below(BaseModel):
    """A class that is defined after a view that names it."""


class BelowToo(BaseModel):
    """A class that is defined after a model that names it."""


# Files.


def refusal_of_argument(
    tp: t.Any, marker: t.Any, *, method: str = "GET", rule: str = "/"
) -> str:
    """What is said of a view whose ``x`` is refused, after its route."""
    view = taking(tp, marker)

    told = refusal_of(lambda: client_of(view, rule, method, config={}))

    route, place = f"{method} {path_of(rule)}: ", f" {place_of(view)}"
    assert told.startswith(route)
    assert told.endswith(place)
    return told.removeprefix(route).removesuffix(place)


NO_LENGTH: t.Final = (
    "'x' of view() is a file, which has no length and no order. Remove the constraint,"
    " or declare the content: Annotated[bytes, File(max_length=...)]."
)
NO_FILE: t.Final = (
    "'x' of view() is read from a file, but its type is neither FileStorage nor bytes."
    " Use one of them, or Form()."
)
NO_MULTIPART: t.Final = (
    "the form of view() has the media type 'application/x-www-form-urlencoded'. Use"
    " 'multipart/form-data'."
)
ANY_FILE: t.Final = (
    "'x' of view() may be of any type, and so a file of another content type could not"
    " be refused. Annotate it 'UploadFile' or 'bytes'."
)
PNG: t.Final = File(content_type="image/png")
URLENCODED: t.Final = Form(media_type="application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("tp", "marker", "problem"),
    [
        (UploadFile, File(max_length=2), NO_LENGTH),
        (t.Annotated[FileStorage | None, Field(ge=1)], File(None), NO_LENGTH),
        (UploadFile, File(strict=True), NO_LENGTH),
        (t.Any, File(max_length=2), NO_LENGTH),
        (
            list[t.Annotated[UploadFile, Field(max_length=2)]],
            File(max_length=2),
            NO_LENGTH,
        ),
        *((tp, File(), NO_FILE) for tp in (str, list[int])),
        (UploadFile, File(media_type=URLENCODED.media_type), NO_MULTIPART),
        *((tp, URLENCODED, NO_MULTIPART) for tp in (Photo, list[UploadFile])),
        (UploadFile | list[str], URLENCODED, NO_MULTIPART),
        *((tp, PNG, ANY_FILE) for tp in (t.Any, list[t.Any], bytes | t.Any)),
    ],
)
def test_what_is_said_of_a_file_is_refused(tp, marker, problem):
    assert refusal_of_argument(tp, marker, method="POST") == problem


# The place.


def test_the_rule_is_the_full_one(app):
    parent = Blueprint("parent", __name__, url_prefix="/shops/<int:shop>")
    child = Blueprint("child", __name__, url_prefix="/items")

    @child.get("/<int:item>")
    def show(item: int): ...

    parent.register_blueprint(child)
    app.register_blueprint(parent, url_prefix="/v1/<int:shop>")

    assert message_of(app.init_app) == (
        "GET /v1/{shop}/items/{item}: the URL provides 'shop', but show() has no"
        " argument of that name. Add 'shop: int' to the view, or accept it with"
        f" '**kwargs'. {place_of(show)}"
    )


def test_a_variable_in_both_prefix_and_rule_is_named(app):
    bp = Blueprint("bp", __name__, url_prefix="/<int:n>")

    @bp.get("/<int:n>")
    def show(n: int): ...

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "GET /<int:n>/<int:n>: the rule '/<int:n>/<int:n>' has two variables named"
        f" 'n'; a prefix may bring the other. Rename one of them. {place_of(show)}"
    )


def test_a_name_that_is_not_there_when_the_blueprint_is_registered_is_named(app):
    bp = Blueprint("bp", __name__)

    @bp.put("/items/<int:n>")
    def replace(n: int, item: "ItemOut"): ...  # noqa: F821

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "PUT /items/{n}: the annotation of 'item' in replace() names 'ItemOut', which"
        " is not defined when the blueprint is registered. Import it outside 'if"
        f" TYPE_CHECKING'. {place_of(replace)}"
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
    other = f"Use '<{INSTEAD[tp]}:x>' or change" if tp in INSTEAD else "Change"
    article = "an" if tp is int else "a"

    assert refusal_of_argument(tp, Path(), rule=f"/<{converter}:x>") == (
        f"the rule converts 'x' with {converter!r}, but view() declares"
        f" 'x: {tp.__name__}', and {nothing} is {article} {tp.__name__}. {other} the"
        " annotation."
    )


def test_a_method_of_a_class_is_named_with_its_class(app):
    class Items(MethodView):
        def get(self, n: int = Query): ...

    view = Items.as_view("items")

    assert message_of(lambda: app.add_url_rule("/", view_func=view)) == (
        "GET /: 'n' of Items.get() is declared with Query, which was not called. Write"
        f" Query(). {place_of(Items.get)}"
    )


def test_a_wrapped_view_is_named_by_the_function_inside(app):
    def show(n: int = Query): ...

    @functools.wraps(show)
    def wrapper(**kwargs): ...

    assert message_of(lambda: client_of(wrapper)) == (
        "GET /: 'n' of show() is declared with Query, which was not called. Write"
        f" Query(). {place_of(show)}"
    )
    assert message_of(lambda: app.get("/", tag=1)(wrapper)) == (
        f"GET /: show(): Unknown option 'tag'. Did you mean 'tags'? {place_of(show)}"
    )


def test_a_callable_object_is_named_by_its_class(app):
    class Shop:
        def __call__(self): ...

    app.add_url_rule("/<n>", "shop", Shop())

    assert message_of(app.init_app) == (
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
    assert refusal_of_argument(float, Query(tp)) == (
        "'x' of view() is annotated 'float', but its Query() says"
        f" {shown!r}. Give the type once, as the annotation."
    )


# Options.


def unknown(option: str, marker: str, nearest: str = "") -> str:
    hint = f" Did you mean {nearest!r}?" if nearest else ""
    return f"Unknown option {option!r} of {marker}().{hint}"


NO_STYLES: t.Final = "has no styles: only Query() and Header() have."
NO_CONTENT_TYPE: t.Final = (
    "is no content type of a file. Use some such as 'image/png' or 'text/*', with"
    " commas between them, and without parameters."
)


@pytest.mark.parametrize(
    ("marker", "problem"),
    [
        (Query(1, gte=1), unknown("gte", "Query", "gt")),
        (Query(regex="a"), unknown("regex", "Query", "pattern")),
        (Query(1, descripton="x"), unknown("descripton", "Query", "description")),
        (Path(embed=True), unknown("embed", "Path")),
        (Cookie(convert_underscore=False), unknown("convert_underscore", "Cookie")),
        (
            Header(convert_underscore=False),
            unknown("convert_underscore", "Header", "convert_underscores"),
        ),
        (Body(medai_type="x"), unknown("medai_type", "Body", "media_type")),
        (Form(content_type="image/png"), unknown("content_type", "Form")),
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
        (Cookie(style="form"), f"Cookie() {NO_STYLES}"),
        (Path(explode=True), f"Path() {NO_STYLES}"),
        pytest.param(
            File(content_type=["image/png"]),
            "File(): content_type=['image/png'] is no string. Write those of a file"
            " with commas between them: 'image/png, text/*'.",
        ),
        (File(content_type="png"), f"File(): 'png' {NO_CONTENT_TYPE}"),
        (
            File(content_type="text/csv, text/plain; charset=utf-8"),
            f"File(): 'text/plain; charset=utf-8' {NO_CONTENT_TYPE}",
        ),
        (File(content_type="*/*"), f"File(): '*/*' {NO_CONTENT_TYPE}"),
        (
            Form(1, default_factory=int),
            "Form(): cannot specify both default and default_factory.",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
@pytest.mark.parametrize("annotated", [True, False])
def test_an_option_of_a_special_function_is_refused(marker, problem, annotated):
    view = taking(t.Annotated[int, marker]) if annotated else taking(int, marker)

    told = message_of(lambda: client_of(view, "/<int:m>"))

    assert told == f"GET /{{m}}: 'x' of view(): {problem} {place_of(view)}"


class Point(t.NamedTuple):
    x: int
    y: int


SINGLE: t.Final = (
    "'x' of view() is a single value, and only lists and models have a style. Remove"
    " style= and explode=, or annotate a list."
)
ALONE: t.Final = (
    "with a style holds single values alone. Send it in a JSON body or a form."
)


@pytest.mark.parametrize(
    ("annotation", "marker", "problem"),
    [
        (int | None, Query(style="form"), SINGLE),
        (str, Header(explode=True), SINGLE),
        (dict[str, int] | int, Query(style="deepObject"), SINGLE),
        pytest.param(
            list[int],
            Query(style="deepObject"),
            "'x' of view() is a list, and only a model or a dict can have the style"
            " 'deepObject'. Use another style, or one of them.",
        ),
        (
            Nested,
            Query(style="deepObject"),
            f"the field 'item' of 'x' of view() is a model, and a model {ALONE}",
        ),
        (
            Batch,
            Header(style="simple"),
            f"the field 'parts' of 'x' of view() is a list, and a model {ALONE}",
        ),
        (
            dict[str, list[int]] | None,
            Query(style="deepObject"),
            f"'x' of view() is a dict whose values are a list, and one {ALONE}",
        ),
        pytest.param(
            Point,
            Query(explode=False),
            "'x' of view() is a NamedTuple, which OpenAPI describes as an array,"
            " and has the style of an object. Use a model or a dataclass.",
        ),
        pytest.param(
            dict[str, int],
            Query(explode=False),
            "'x' of view() is read from the query, which can't carry a dict there."
            " Send it in a JSON body or a form.",
        ),
        pytest.param(
            list[list[int]],
            Query(style="pipeDelimited"),
            "'x' of view() is read from the query, which can't carry a list there."
            " Send it in a JSON body or a form.",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_a_style_that_a_type_cannot_have_is_refused(annotation, marker, problem):
    assert refusal_of_argument(annotation, marker) == problem


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


class Album(BaseModel):
    cover: UploadFile = File(content_type="image/png")


FIELD: t.Final = "Use pydantic.Field() there."
STYLED: t.Final = (
    "Take it beside the model, as an argument of view(), where style= and explode="
    " may be."
)
TYPED: t.Final = (
    "Take it beside the model, as an argument of view(), where content_type= may be."
)


@pytest.mark.parametrize(
    ("model", "marker", "declared", "hint"),
    [
        (LimitByDefault, Query(), "the field 'limit' with Query()", FIELD),
        (LimitByAnnotation, Query(), "the field 'limit' with Query()", FIELD),
        (LimitOfDataclass, Query(), "the field 'limit' with Query()", FIELD),
        (Tagged, Query(), "the field 'tags' with Query()", STYLED),
        (Piped, Query(), "the field 'tags' with Query()", STYLED),
        (Album, Form(), "the field 'cover' with File()", TYPED),
    ],
)
def test_a_marker_of_a_field_of_a_model_is_refused(model, marker, declared, hint):
    field, _, special = declared.partition(" with ")
    method = "POST" if model is Album else "GET"

    assert refusal_of_argument(model, marker, method=method) == (
        f"{field} of 'x' of view() is declared with {special}, which is for arguments."
        f" {hint}"
    )


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("stauts_code", " Did you mean 'status_code'?"),
        ("respones", " Did you mean 'responses'?"),
        ("method", " Did you mean 'methods'?"),
        ("name", " Did you mean 'endpoint'?"),
        ("zzz", ""),
        pytest.param(
            "response_class",
            " Return a Response of that class, or name its content type with"
            " media_type=.",
        ),
        pytest.param(
            "validate_response",
            " A response is always validated; response_model=None sends what a view"
            " returns as it is.",
        ),
    ],
)
def test_an_option_of_a_route_is_refused(app, option, hint):
    def view(n): ...

    assert message_of(lambda: app.route("/<int:n>", **{option: 1})(view)) == (
        f"GET /{{n}}: view(): Unknown option {option!r}.{hint} {place_of(view)}"
    )


@pytest.mark.parametrize(
    ("option", "takes"),
    [
        ({"tags": "a"}, "a list of strings. Write tags=['a']."),
        ({"tags": Shelf.BOOKS}, "a list of strings. Write tags=[Shelf.BOOKS]."),
        ({"tags": [1]}, "a list of strings, not (1,)."),
        ({"summary": 1}, "a string, not 1."),
        (
            {"decorators": client_of},
            "a list of functions. Write decorators=[client_of].",
        ),
        (
            {"decorators": lambda view: view},
            "a list of functions. Write decorators=[...].",
        ),
        ({"decorators": [5]}, "a list of functions, not (5,)."),
        (
            {"response_model_include": ["id"]},
            "a set of names or a dictionary, not ['id'].",
        ),
        ({"response_model_exclude": "id"}, "a set of names or a dictionary, not 'id'."),
        ({"deprecated": "yes"}, "True or False, not 'yes'."),
        ({"openapi_extra": [1]}, "a dictionary, not [1]."),
        ({"responses": 404}, "a dictionary or a list of statuses, not 404."),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_the_value_of_an_option_is_refused(option, takes):
    bp = Blueprint("bp", __name__, url_prefix="/prefix")

    def view(): ...

    told = message_of(lambda: bp.route("/x", methods=["POST", "get"], **option)(view))

    # The prefix is known when the blueprint is registered.
    (name,) = option
    assert told == (
        f"GET, POST /x: view(): Option {name!r} takes {takes} {place_of(view)}"
    )


def test_the_security_of_a_route_is_refused(app):
    def view(): ...

    assert message_of(lambda: app.get("/", security=3)(view)) == (
        "GET /: view(): security=3 is no security requirement. Use a scheme such as"
        " HTTPBearer('token', verify=find_user), schemes joined with '&' and '|', or"
        f" the name of one. {place_of(view)}"
    )


def test_an_option_of_a_class_is_refused_where_the_class_is(app):
    class Items(MethodView):
        def post(self): ...

    view = Items.as_view("items")

    assert message_of(lambda: app.add_url_rule("/", view_func=view, tag=1)) == (
        "POST /: Items.post(): Unknown option 'tag'. Did you mean 'tags'?"
        f" {place_of(Items.post)}"
    )


@pytest.mark.parametrize("routes", [Flask("shop"), Blueprint("shop", __name__)])
def test_methods_of_a_verb_are_refused(routes):
    told = message_of(lambda: routes.get("/<int:n>", methods=["POST"]))

    assert told == "GET /{n}: Use the 'route' decorator to give 'methods'."


def test_a_signature_error_is_a_type_error():
    assert issubclass(SignatureError, TypeError)


def test_a_view_that_was_refused_is_not_registered(app):
    def view(n: int = Query): ...

    message_of(lambda: app.get("/")(view))

    assert app.view_functions.keys() <= {"static"}
    assert {rule.endpoint for rule in app.url_map.iter_rules()} == {"static"}


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
    view = taking(tp)

    told = message_of(lambda: client_of(view, "/", method))

    assert told.startswith(f"{method} /: Pydantic can't read the type of 'x', ")
    assert told.endswith(f": {reason} {place_of(view)}")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_exception_of_the_author_stands_before_the_message(method):
    own = ValueError("Not today.")

    with pytest.raises(SignatureError) as error:
        client_of(taking(failing(own)), "/", method)

    assert error.value.__cause__ is own
    assert tracebacks_of(error.value) == 2


@dataclasses.dataclass
class Broken:
    """A model that names a class that does not exist."""

    other: "Missing"  # noqa: F821


class BrokenModel(BaseModel):
    other: "Missing" = Field()  # noqa: F821


class BrokenDict(te.TypedDict):
    other: "Missing"  # noqa: F821


@pytest.mark.parametrize("tp", [Broken, BrokenModel, BrokenDict])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_model_that_is_not_defined_in_full_is_refused(tp, method):
    view = taking(tp)

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
