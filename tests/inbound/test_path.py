"""Arguments that the URL provides."""

import dataclasses
import datetime
import typing as t
from uuid import UUID

import flask
import pytest
from client import client_of, echo, refusals, taking
from document import schema_of
from pydantic import AliasChoices, AliasPath, BaseModel, Field
from rows import NAMES, Rows, at, check_row
from werkzeug.routing import BaseConverter

from flask_signature import Blueprint, Flask, Path

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
KEY = "12345678-1234-5678-1234-567812345678"


@pytest.mark.parametrize("method", METHODS)
def test_url_variables_are_read_from_the_url_by_every_method(method):
    client = client_of(taking(int), "/<x>", method, status_code=200)

    assert client.open("/7", method=method).json == {"x": 7}
    refused = client.open("/x", method=method)
    assert refusals(refused) == [(["path", "x"], "int_parsing")]


def test_url_variables_are_what_the_converter_provides_where_that_is_their_type():
    given = []

    def view(i: int, f: float, s: str, u: UUID, a: str):
        given.extend([i, f, s, u, a])
        return {}

    client = client_of(view, "/<int:i>/<float:f>/<s>/<uuid:u>/<any(x,y):a>")
    client.get(f"/1/2.5/z/{KEY}/x")
    assert given == [1, 2.5, "z", UUID(KEY), "x"]


ROWS = Rows()
typed = ROWS.of("GET /<int:i>/<string:u>/<d>")


@typed(f"/1/{KEY}/2020-02-29", {"i": 1.0, "u": KEY, "d": "2020-02-29"})
@typed("/1/x/2020-02-30", at("path", u="uuid_parsing", d="date_from_datetime_parsing"))
def variables_are_converted_further(i: float, u: UUID | None, d: datetime.date): ...
@ROWS.add("GET /<k>", "/a?k=7", {"n": 7, "k": "a"})
def variables_go_to_the_argument_of_their_name_before_an_alias(
    n: t.Annotated[int, Field(alias="k")], k: str
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_arguments_are_read_from_the_path(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


def test_url_variables_without_an_annotation_are_passed_on():
    def view(i, s):
        return echo(i=i, s=s)

    assert client_of(view, "/<int:i>/<s>").get("/1/x").json == {"i": 1, "s": "x"}


UserId = t.Annotated[int, Field(alias="user_id", ge=1)]
EITHER = AliasChoices("k", "key")


@pytest.mark.parametrize("rule", ["/<user_id>", "/<int:user_id>", "/<float:user_id>"])
def test_go_to_the_argument_whose_alias_they_are(rule):
    def view(who: UserId, q: str = "d"):
        return echo(who=who, q=q)

    client = client_of(view, rule)
    tail = ".0" if "float" in rule else ""
    assert client.get(f"/7{tail}").json == {"who": 7, "q": "d"}
    assert refusals(client.get(f"/0{tail}")) == [
        (["path", "user_id"], "greater_than_equal")
    ]


@pytest.mark.parametrize(
    "annotation",
    [
        t.Annotated[int, Path(alias="k")],
        t.Annotated[int, Path(validation_alias="k")],
        t.Annotated[int, Path(), Field(alias="k")],
        t.Annotated[int, Path(validation_alias=EITHER)],
        t.Annotated[int, Field(validation_alias=EITHER)],
        t.Annotated[int, Field(validation_alias=AliasChoices("other", AliasPath("k")))],
    ],
    ids=[
        *("alias", "validation-alias", "marked", "choice", "choice-of-a-field"),
        "path-of-one-name",
    ],
)
def test_go_to_one_of_several_aliases(annotation):
    assert client_of(taking(annotation), "/<k>").get("/7").json == {"x": 7}


@pytest.mark.parametrize(
    "view",
    [taking(t.Annotated[int, Field(alias="x")]), taking(int, 1)],
    ids=["alias", "default"],
)
def test_a_variable_is_an_argument_of_one_rule_and_a_query_of_another(
    view, app, client
):
    app.get("/<int:x>")(app.get("/")(view))

    assert client.get("/?x=2").json == {"x": 2}
    assert client.get("/3?x=2").json == {"x": 3}


def test_url_variables_that_a_preprocessor_has_taken_are_none(app, client):
    app.url_value_preprocessor(lambda endpoint, values: values.pop("k"))
    app.get("/<k>")(taking(int, Path(5, alias="k")))

    assert client.get("/7").json == {"x": 5}


class Language(BaseConverter):
    """A converter that looks into the map of the application."""

    def __init__(self, map, *args):
        super().__init__(map, *args)
        self.regex = "|".join([*map.langs, *args])

    def openapi_schema(self):
        return {"type": "string", "pattern": self.regex}


def with_languages(make: type[flask.Flask], *langs: str) -> flask.Flask:
    app = make(__name__)
    app.url_map.langs = langs
    app.url_map.converters["lang"] = Language
    return app


@pytest.mark.parametrize("make", [Flask, flask.Flask])
def test_custom_converter_may_read_the_map_of_each_application(make):
    bp = Blueprint("pages", __name__, url_prefix="/<lang:lang>")

    @bp.get("/<lang('x'):other>")
    def view(lang: str, other: str):
        return echo(lang=lang, other=other)

    found = {}
    for langs in (("en", "de"), ("fr",)):
        app = with_languages(make, *langs)
        rules = [*app.url_map.iter_rules()]
        app.register_blueprint(bp)
        client = app.test_client()
        found[langs] = [client.get(f"/{lang}/x").status_code for lang in ("de", "fr")]
        assert len([*app.url_map.iter_rules()]) == len(rules) + 1
    assert found == {("en", "de"): [200, 404], ("fr",): [404, 200]}


def test_custom_converter_that_is_registered_anew_is_read_anew():
    app = with_languages(Flask, "en", "de")
    app.get("/a/<lang:x>", endpoint="a")(taking(str))

    class Number(BaseConverter):
        def openapi_schema(self):
            return {"type": "integer"}

    app.url_map.converters["lang"] = Number
    app.get("/b/<lang:x>", endpoint="b")(taking(t.Any))
    schemas = [schema_of(app, f"GET /{name}/{{x}}") for name in "ab"]
    assert schemas == [{"type": "string", "pattern": "en|de"}, {"type": "integer"}]


def test_variables_of_a_default_subdomain_are_none_of_the_path():
    app = flask.Flask(__name__, subdomain_matching=True)
    app.config["SERVER_NAME"] = "shop.example"
    app.url_map.default_subdomain = "<any(a, b):shop>"
    bp = Blueprint("pages", __name__)

    @bp.get("/<int:n>")
    def view(shop: str, n: int):
        return echo(shop=shop, n=n)

    app.register_blueprint(bp)
    client = app.test_client()
    response = client.get("/7", base_url="http://a.shop.example")
    assert response.json == {"shop": "a", "n": 7}


class User:
    """A class that Pydantic can't read, as those of an ORM are."""

    def __init__(self, name: str) -> None:
        self.name = name


@dataclasses.dataclass
class DataUser(User):
    """A dataclass that Pydantic can't read, as those of an ORM may be."""

    name: str
    friend: User | None = None


class Named(t.Protocol):
    name: str


class UserConverter(BaseConverter):
    def to_python(self, value: str) -> t.Any:
        return {"nobody": None, "0": 0}.get(value, DataUser(value))


@pytest.mark.parametrize(
    "annotation",
    [
        User,
        "User",
        User | None,
        DataUser,
        t.Annotated[User, "metadata"],
        t.Annotated[User, Path(description="Who")],
        t.Annotated[User, Path(alias="who")],
        t.Annotated[User, Field(alias="who")],
        Named,
    ],
    ids=str,
)
def test_url_variables_of_a_custom_converter_may_be_of_any_class(
    annotation, app, client
):
    def view(user):
        return echo(user=user and user.name)

    view.__annotations__ = {"user": annotation}
    app.url_map.converters["user"] = UserConverter
    name = "who" if "who" in str(annotation) else "user"
    app.get(f"/<user:{name}>")(view)
    assert client.get("/ada").json == {"user": "ada"}
    if annotation == User | None:
        assert client.get("/nobody").json == {"user": None}
    if annotation is User:
        assert refusals(client.get("/0")) == [(["path", "user"], "is_instance_of")]


class Point(BaseModel):
    x: int


class Pair(t.NamedTuple):
    x: int


class Bag(t.TypedDict):
    x: int


@pytest.mark.parametrize(
    ("annotation", "made"),
    [
        (list[str], ["a", "b"]),
        (list[str] | None, ["a"]),
        (t.Sequence[str], ["a"]),
        (dict[str, int], {"x": 1}),
        (Bag, {"x": 1}),
        (Point, Point(x=1)),
        (Pair, Pair(1)),
        (set[int], {1}),
    ],
    ids=str,
)
def test_url_variables_of_a_custom_converter_may_have_fields_or_items(
    annotation, made, app, client
):
    class Making(BaseConverter):
        def to_python(self, value: str) -> t.Any:
            return made

    seen: list[t.Any] = []
    app.url_map.converters["made"] = Making
    app.get("/<made:x>")(taking(annotation, given=seen))
    app.init_app()
    assert client.get("/a").status_code == 200
    assert seen[0] is made
    assert client.get("/openapi.json").status_code == 200


def test_url_variables_of_a_custom_converter_are_validated_where_pydantic_can(
    app, client
):
    app.url_map.converters["own"] = type("Own", (BaseConverter,), {})

    @app.get("/<own:n>/<own:m>")
    def view(n: t.Annotated[int, Path(ge=1)], m: User | int):
        return echo(n=n, m=m)

    assert client.get("/1/2").json == {"n": 1, "m": 2}
    assert refusals(client.get("/0/2")) == [(["path", "n"], "greater_than_equal")]


def test_url_variables_that_nobody_claims_go_to_keyword_arguments():
    def view(n: int, **rest):
        return echo(n=n, rest=rest)

    answer = client_of(view, "/<lang>/<n>/<float:x>").get("/en/7/1.5?other=1")
    assert answer.json == {"n": 7, "rest": {"lang": "en", "x": 1.5}}
