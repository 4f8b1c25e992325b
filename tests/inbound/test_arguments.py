"""Which arguments are read from the request, and which are Python's own."""

import functools
import typing as t

import pytest
from client import client_of, echo, refusals, taking
from flask.testing import FlaskClient
from flask.views import MethodView, View
from pydantic import Field
from rows import NAMES, Rows, at, check_row

from flask_signature import Body, Cookie, Flask, Form, Header, Query


def client_of_class(cls: t.Any, rule: str = "/", **options: t.Any) -> FlaskClient:
    app = Flask(__name__)
    app.add_url_rule(rule, view_func=cls.as_view("view"), **options)
    return app.test_client()


def test_an_argument_with_neither_annotation_nor_default_is_read():
    client = client_of(lambda n: echo(n=n))

    assert client.get("/?n=1").json == {"n": "1"}
    assert refusals(client.get("/")) == [(["query", "n"], "missing")]


ROWS = Rows()
get = ROWS.of("GET /")


@get("?n=1&is_admin=1", {"n": 1})
def a_default_alone_is_never_read(n: int, is_admin=False): ...
@get("?k=2", {"n": 1, "m": 2, "q": 3})
@get("?n=0", at("query", n="greater_than_equal", k="missing"))
def a_field_of_pydantic_as_the_default_says_what_it_does_in_a_model(
    n: int = Field(1, ge=1),
    m: int = Field(alias="k"),
    q: t.Annotated[int, Query()] = Field(default_factory=lambda: 3),
): ...
@get("?args=1&kwargs=2&n=3&other=4", {"n": 3})
def variadic_arguments_are_never_read(*args: int, n: int = 1, **kwargs: int): ...
@get("?n=1", {"n": 1})
def keyword_only_arguments_are_read(*, n: int): ...
@get("?q=1", {"x": 1, "y": 2})
@get("?x=1", at("query", q="missing"))
@get("?q=0", at("query", q="greater_than_equal"))
def what_pydantic_is_told_of_a_field_counts_without_a_special_function(
    x: t.Annotated[int, Field(alias="q", ge=1)], y: t.Annotated[int, Field(2)]
): ...
@get("?x=0", at("query", x="greater_than"))
def a_special_function_may_be_in_the_middle_of_annotations(
    x: t.Annotated[t.Annotated[int, Field(gt=0)], Query()],
): ...


@pytest.mark.parametrize(NAMES, ROWS)
def test_an_argument_is_read_as_it_is_declared(view, method, rule, sent, answer):
    check_row(view, method, rule, sent=sent, answer=answer)


SPECIAL = {
    "query": (Query, {"query_string": {"x": "7"}}),
    "header": (Header, {"headers": {"X": "7"}}),
    "cookie": (Cookie, {"headers": {"Cookie": "x=7"}}),
    "form": (Form, {"data": {"x": "7"}}),
    "body": (Body, {"json": {"x": 7}}),
}


def untyped(default: t.Any) -> t.Any:
    """A view with one argument that has no annotation."""
    view = taking(None, default)
    view.__annotations__ = {}
    return view


@pytest.mark.parametrize(("function", "request_"), SPECIAL.values(), ids=SPECIAL)
class TestWithASpecialFunction:
    def ask(self, view, request_):
        """The value of the argument, or the kind of error."""
        body = client_of(view, "/", "POST").post("/", **request_).json
        return body["x"] if "x" in body else body["detail"][0]["type"]

    def test_special_function_is_a_default_or_in_annotated(self, function, request_):
        assert self.ask(taking(int, function(ge=1)), request_) == 7
        assert self.ask(taking(t.Annotated[int, function(ge=1)]), request_) == 7

    def test_special_function_with_the_type_in_it(self, function, request_):
        assert self.ask(untyped(function(int, ge=1)), request_) == 7
        assert self.ask(untyped(function(int, ge=1)), {}) == "missing"
        assert self.ask(taking(int, function(int)), request_) == 7

    def test_special_function_with_a_default_in_it(self, function, request_):
        for view in (
            taking(int, function(2)),
            taking(t.Annotated[int, function(2)]),
            taking(int | None, function(2, description="x")),
        ):
            assert self.ask(view, {}) == 2
            assert self.ask(view, request_) == 7
        assert self.ask(taking(int | None, function(None)), {}) is None

    def test_special_function_with_an_ellipsis_is_required(self, function, request_):
        assert self.ask(taking(int, function(...)), request_) == 7
        assert self.ask(taking(int, function(...)), {}) == "missing"

    def test_special_function_without_any_type_takes_what_comes(
        self, function, request_
    ):
        assert str(self.ask(untyped(function()), request_)) == "7"

    def test_its_constraints_and_those_of_the_type_count(self, function, request_):
        most = t.Annotated[int, Field(le=6)]

        assert self.ask(taking(most, function(ge=1)), request_) == "less_than_equal"

    def test_special_function_beside_other_metadata(self, function, request_):
        tp = t.Annotated[int, Field(le=9), function(), "a note", Field(ge=8)]

        assert self.ask(taking(tp), request_) == "greater_than_equal"


TYPES = [int, float, str, list[int], dict[str, int], int | None, t.Optional[int], t.Any]


@pytest.mark.parametrize("tp", TYPES, ids=str)
def test_the_first_argument_of_a_special_function_may_be_any_type(tp):
    refused = client_of(untyped(Body(tp)), "/", "POST").post("/", json={})

    assert refused.status_code in (201, 422)


class TestClassBasedViews:
    def test_head_is_read_by_its_own_method_where_there_is_one(self):
        class Items(MethodView):
            def get(self, n: int):
                return echo(n=n)

            def head(self, m: int):
                return ""

        client = client_of_class(Items)
        assert client.head("/?m=1").status_code == 200
        assert client.head("/?n=1").status_code == 422
        assert client.get("/?n=1").status_code == 200

    def test_head_is_read_by_get_where_it_is_asked_for_alone(self):
        class Items(MethodView):
            def get(self, n: int):
                return echo(n=n)

        client = client_of_class(Items, methods=["HEAD"])
        assert client.head("/?n=1").status_code == 200
        assert client.head("/").status_code == 422

    def test_a_method_named_after_another_verb_is_no_view(self):
        class Show(View):
            methods = ["POST"]

            def get(self, key: str):
                return key

            def dispatch_request(self, n: int):
                return echo(n=n)

        assert client_of_class(Show).post("/", json={"n": 1}).json == {"n": 1}


class Shop:
    """An object whose calls and methods are views."""

    def __call__(self, n: int):
        return echo(n=n)

    def show(self, n: int):
        return echo(n=n)


class Timed:
    """A wrapper that is no function."""

    def __init__(self, view):
        functools.update_wrapper(self, view)
        self.view = view

    def __call__(self, *args, **kwargs):
        return self.view(*args, **kwargs)


def plain(view):
    @functools.wraps(view)
    def wrapper(**kwargs):
        return view(**kwargs)

    return wrapper


def needs_n(n: int):
    return echo(n=n)


async def needs_n_later(n: int):
    return echo(n=n)


class TestCallables:
    @pytest.mark.parametrize(
        "view",
        [
            Shop(),
            Shop().show,
            functools.partial(plain(plain(needs_n))),
            Timed(needs_n),
            needs_n_later,
        ],
        ids=["object", "method", "wrappers", "wrapper-object", "coroutine"],
    )
    def test_a_callable_is_read_by_what_it_calls(self, view, app, client):
        app.add_url_rule("/", "view", view)

        assert client.get("/?n=2").json == {"n": 2}
        assert refusals(client.get("/")) == [(["query", "n"], "missing")]

    def test_a_partial_is_read_without_what_it_has_decided(self, app, client):
        def view(kind: str, n: int, m: int = 1):
            return echo(kind=kind, n=n, m=m)

        app.add_url_rule("/a", "a", functools.partial(view, "a"))
        app.add_url_rule("/b", "b", functools.partial(view, kind="b", m=9))
        assert client.get("/a?n=2&kind=x").json == {"kind": "a", "n": 2, "m": 1}
        assert client.get("/b?n=2&kind=x&m=3").json == {"kind": "b", "n": 2, "m": 9}

    def test_a_callable_of_c_gets_what_the_url_provides(self, app, client):
        app.add_url_rule("/<a>", "dict", dict)

        assert client.get("/x").json == {"a": "x"}
