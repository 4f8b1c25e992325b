"""What dependencies read from a request: shared, validated at once, described."""

import typing as t

import pytest
from client import client_of, refusals
from pydantic import AfterValidator, AliasChoices, BaseModel, Field
from werkzeug.routing import BaseConverter

from flask_signature import Blueprint, Cookie, Depends, Header, Path, Query


def parameters_of(client, path="/", method="get"):
    """The parameters in the document, as ``{"page": "query"}``."""
    operation = client.get("/openapi.json").json["paths"][path][method]
    found = [(item["name"], item["in"]) for item in operation.get("parameters", [])]
    assert len(found) == len(set(found))
    return dict(found)


def test_d7_a_shared_argument_is_one_parameter_and_fails_once():
    def offset(page: int = Query(1, ge=1)) -> int:
        return (page - 1) * 10

    def link(page: int = Query(1, ge=1)) -> str:
        return f"?page={page + 1}"

    def show(page: int = Query(1, ge=1), a=Depends(offset), b=Depends(link)) -> str:
        return f"{page} {a} {b}"

    client = client_of(show, config={})

    assert client.get("/?page=3").text == "3 20 ?page=4"
    assert client.get("/").text == "1 0 ?page=2"
    assert refusals(client.get("/?page=0")) == [
        (["query", "page"], "greater_than_equal")
    ]
    assert parameters_of(client) == {"page": "query"}


def test_d7_a_guard_shares_what_it_has_read():
    def check(page: int): ...

    def show(page: int) -> str:
        return str(page)

    client = client_of(show, config={}, dependencies=[check])

    assert client.get("/?page=3").text == "3"
    assert refusals(client.get("/?page=x")) == [(["query", "page"], "int_parsing")]
    assert parameters_of(client) == {"page": "query"}


def is_even(n: int) -> int:
    if n % 2:
        raise ValueError("odd")
    return n


ALIKE: t.Final = {
    "marker-or-default": (
        lambda: t.Annotated[int, Query(ge=1)],
        lambda: t.Annotated[int, Field(ge=1)],
    ),
    "description": (
        lambda: t.Annotated[int, Query(description="one")],
        lambda: t.Annotated[int, Query(description="another")],
    ),
    "union": (lambda: t.Optional[int], lambda: int | None),
    "header": (
        lambda: t.Annotated[str, Header(alias="X-Token")],
        lambda: t.Annotated[str, Header(alias="x-token")],
    ),
}
WRITTEN_TWICE: t.Final = {
    "pattern": lambda: t.Annotated[str, Query(pattern="^1")],
    "validator": lambda: t.Annotated[int, AfterValidator(is_even)],
    "list": lambda: list[int],
    "literal": lambda: t.Literal["1", "2"],
    "cookie": lambda: t.Annotated[str, Cookie()],
    "aliases": lambda: t.Annotated[int, Query(validation_alias=AliasChoices("n", "m"))],
}


ALIKE.update({name: (make, make) for name, make in WRITTEN_TWICE.items()})


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE.keys())
def test_what_is_declared_alike_is_one_argument(one, other):
    def first(n): ...

    def second(n): ...

    first.__annotations__["n"] = one()
    second.__annotations__["n"] = other()

    def show(a=Depends(first), b=Depends(second)): ...

    assert len(parameters_of(client_of(show, config={}))) == 1


def test_arguments_of_other_names_in_python_are_one_if_they_read_the_same():
    def first(number: int = Query(alias="n")) -> int:
        return number

    def second(count: int = Query(alias="n")) -> int:
        return count

    def show(n: int, a=Depends(first), b=Depends(second)) -> str:
        return f"{n} {a} {b}"

    client = client_of(show, config={})

    assert client.get("/?n=7").text == "7 7 7"
    assert parameters_of(client) == {"n": "query"}


def test_one_name_in_two_locations_is_two_arguments():
    def of_header(n: int = Header()) -> int:
        return n

    def of_cookie(n: int = Cookie()) -> int:
        return n

    def show(n: int, a=Depends(of_header), b=Depends(of_cookie)) -> str:
        return f"{n} {a} {b}"

    client = client_of(show, config={})
    headers = {"N": "2", "Cookie": "n=3"}

    assert client.get("/?n=1", headers=headers).text == "1 2 3"
    assert refusals(client.get("/?n=x", headers={**headers, "N": "y"})) == [
        (["query", "n"], "int_parsing"),
        (["header", "N"], "int_parsing"),
    ]


def test_a_default_that_can_be_changed_is_shared_within_one_request_alone():
    def first(tags: t.Annotated[list[str], Query(default_factory=list)]) -> list[str]:
        return tags

    def show(tags=Depends(first)) -> list[str]:
        tags.append("more")
        return tags

    client = client_of(show)

    assert [client.get("/").json for _ in range(2)] == [["more"], ["more"]]


def test_the_arguments_of_the_view_and_its_dependencies_fail_at_once():
    def inner(c: int = Header()): ...

    def outer(b: int, x=Depends(inner)): ...

    def show(a: int, item: dict[str, int], x=Depends(outer)): ...

    client = client_of(show, "/", "POST", config={})

    found = refusals(client.post("/?b=x", headers={"C": "y"}, json={"n": "z"}))

    assert sorted(found) == [
        (["body", "a"], "missing"),
        (["body", "item"], "missing"),
        (["header", "C"], "int_parsing"),
        (["query", "b"], "int_parsing"),
    ]


def test_the_failures_of_guards_are_theirs_alone(log):
    def check(x_version: int = Header()):
        log.append("check")

    def search(q: int):
        log.append("search")

    def show(n: int, x=Depends(search)): ...

    client = client_of(show, dependencies=[check])

    assert refusals(client.get("/?n=x&q=x")) == [(["header", "X-Version"], "missing")]
    assert refusals(client.get("/?n=x&q=x", headers={"X-Version": "1"})) == [
        (["query", "n"], "int_parsing"),
        (["query", "q"], "int_parsing"),
    ]
    assert log == ["check"]


class Closed(BaseModel, extra="forbid"):
    q: str = ""


def send(client, location, **values):
    """A request with some values in the query or in cookies."""
    if location == "query":
        return client.get("/", query_string=values)
    cookie = "; ".join(f"{name}={value}" for name, value in values.items())
    return client.get("/", headers={"Cookie": cookie})


@pytest.mark.parametrize("guarding", [True, False], ids=["guard", "signature"])
@pytest.mark.parametrize("marker", [Query(), Cookie()], ids=["query", "cookie"])
def test_a_closed_model_knows_the_arguments_of_dependencies(marker, guarding):
    location = marker.location.value

    def check(page: t.Annotated[int, marker]) -> int:
        return page

    def show(closed: t.Annotated[Closed, marker]) -> str:
        return closed.q

    def show_both(closed: t.Annotated[Closed, marker], page=Depends(check)) -> str:
        return closed.q

    client = client_of(show, dependencies=[check]) if guarding else client_of(show_both)

    assert send(client, location, q="x", page="1").text == "x"
    assert refusals(send(client, location, q="x", page="1", more="2")) == [
        ([location, "more"], "extra_forbidden")
    ]


def test_a_closed_model_of_a_guard_knows_the_arguments_of_the_view():
    def check(closed: t.Annotated[Closed, Query()]): ...

    def show(page: int) -> str:
        return str(page)

    client = client_of(show, dependencies=[check])

    assert client.get("/?q=x&page=1").text == "1"
    assert refusals(client.get("/?q=x&page=1&more=2")) == [
        (["query", "more"], "extra_forbidden")
    ]


def test_a_model_is_shared_by_a_dependency_and_the_view():
    def check(closed: t.Annotated[Closed, Query()]) -> str:
        return closed.q

    def show(q: t.Annotated[Closed, Query()], found=Depends(check)) -> str:
        return f"{q.q} {found}"

    client = client_of(show, config={})

    assert client.get("/?q=x").text == "x x"
    assert parameters_of(client) == {"q": "query"}


def test_two_models_of_one_location_know_the_fields_of_each_other():
    class Paging(BaseModel, extra="forbid"):
        page: int = 1

    def paging(paging: t.Annotated[Paging, Query()]) -> int:
        return paging.page

    def show(closed: t.Annotated[Closed, Query()], page=Depends(paging)) -> str:
        return f"{closed.q} {page}"

    client = client_of(show, config={})

    assert client.get("/?q=x&page=2").text == "x 2"
    assert client.get("/?q=x&page=2&more=3").status_code == 422
    assert parameters_of(client) == {"q": "query", "page": "query"}


def test_a_dependency_takes_a_variable_that_the_view_does_not_name():
    def book(book_id: int) -> int:
        return book_id

    def show(book=Depends(book)) -> str:
        return f"book {book}"

    client = client_of(show, "/<int:book_id>", config={})

    assert client.get("/7").text == "book 7"
    assert parameters_of(client, "/{book_id}") == {"book_id": "path"}


def test_a_variable_is_validated_once_for_all():
    def book(book_id: int = Path(ge=5)) -> int:
        return book_id

    def show(book_id: int = Path(ge=5), book=Depends(book)) -> str:
        return f"{book_id} {book}"

    client = client_of(show, "/<book_id>", config={})

    assert client.get("/7").text == "7 7"
    assert refusals(client.get("/4")) == [(["path", "book_id"], "greater_than_equal")]
    assert refusals(client.get("/x")) == [(["path", "book_id"], "int_parsing")]


def by_name(book_id: int) -> int:
    return book_id


def by_alias(number: int = Path(alias="book_id")) -> int:
    return number


def test_a_dependency_takes_a_variable_by_its_alias():
    def show(book_id: int, number: str = "", book=Depends(by_alias)) -> str:
        return f"{book_id} {number} {book}"

    assert client_of(show, "/<int:book_id>").get("/7?number=x").text == "7 x 7"


def test_a_view_takes_by_its_alias_what_a_dependency_takes_by_its_name():
    def show(number: int = Path(alias="book_id"), book=Depends(by_name)) -> str:
        return f"{number} {book}"

    assert client_of(show, "/<int:book_id>").get("/7").text == "7 7"


def test_a_dependency_takes_a_variable_without_an_annotation():
    def show(book=Depends(lambda book_id: book_id)) -> str:
        return repr(book)

    assert client_of(show, "/<int:book_id>").get("/7").text == "7"


def test_the_rest_of_the_variables_goes_to_a_view_that_takes_any():
    def show(book=Depends(by_name), **rest) -> str:
        return f"{book} {rest}"

    client = client_of(show, "/<shop>/<int:book_id>")

    assert client.get("/x/7").text == "7 {'shop': 'x', 'book_id': 7}"


def test_a_dependency_takes_the_default_of_a_rule():
    def language(lang: str) -> str:
        return lang

    def show(language=Depends(language)) -> str:
        return language

    assert client_of(show, defaults={"lang": "en"}).get("/").text == "en"


class Author(t.NamedTuple):
    """What a custom converter makes."""

    name: str


class AuthorConverter(BaseConverter):
    def to_python(self, value):
        return Author(value)


def test_a_dependency_takes_what_a_custom_converter_makes(app, client):
    app.url_map.converters["author"] = AuthorConverter

    def name_of(author: Author) -> str:
        return author.name

    def check(author: Author):
        assert author.name == "ann"

    @app.get("/<author:author>", dependencies=[check])
    def show(author: Author, name=Depends(name_of)) -> str:
        return f"{author.name} {name}"

    @app.get("/name/<author:author>")
    def show_name(name=Depends(name_of)) -> str:
        return name

    assert client.get("/ann").text == "ann ann"
    assert client.get("/name/ann").text == "ann"


def test_a_dependency_takes_the_variables_of_the_prefixes_of_blueprints(
    app, client, log
):
    def name_of(shop: int) -> str:
        return f"shop {shop}"

    def check(country: str, shop_: int = Path(alias="shop")):
        log.append((country, shop_))

    inner = Blueprint("inner", __name__, url_prefix="/<int:shop>")
    outer = Blueprint("outer", __name__, url_prefix="/<country>", dependencies=[check])

    @inner.get("/<int:n>")
    def show(n: int, country: str, name=Depends(name_of)) -> str:
        return f"{n} {name} {country}"

    outer.register_blueprint(inner)
    app.register_blueprint(outer, url_prefix="/v1/<country>")
    app.register_blueprint(outer, url_prefix="/v2/<country>", name="second")

    assert client.get("/v1/de/3/7").text == "7 shop 3 de"
    assert client.get("/v2/fr/4/7").text == "7 shop 4 fr"
    assert log == [("de", 3), ("fr", 4)]
