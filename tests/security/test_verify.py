"""The functions of schemes: what they may be, what they take and what they return."""

from __future__ import annotations

import functools
import typing as t
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from types import CoroutineType

import flask
import pytest
from pydantic import BaseModel
from senders import (
    ANN,
    EVE,
    GRANTED,
    KEY,
    TOKEN,
    bearer,
    challenges,
    find_user,
    guarded,
    plain,
    show,
)
from werkzeug.exceptions import Forbidden, Unauthorized

from flask_signature import Depends, Flask, Header, Query
from flask_signature.security import APIKey, HTTPBearer

OTHER = APIKey("other", "X-Other", verify=lambda key: key)


def client_of(app: Flask, requirement: t.Any, **options: t.Any) -> t.Any:
    """A client of an application whose view shows who was found."""

    @app.get("/", **options)
    def show(user: t.Annotated[t.Any, requirement]) -> dict[str, t.Any]:
        return {"user": str(user)}

    return app.test_client()


class Users:
    def find(self, token: str) -> str | None:
        return find_user(token)

    def __call__(self, token: str) -> str | None:
        return find_user(token)


class User:
    def __init__(self, token: str) -> None:
        if token not in GRANTED:
            flask.abort(401)
        self.name = token

    def __str__(self) -> str:
        return self.name


def find_with(greeting: str, token: str) -> str | None:
    assert greeting == "hello"
    return find_user(token)


def find_later(token: str) -> t.Iterator[str | None]:
    yield find_user(token)


async def find_asynchronously(token: str) -> str | None:
    return find_user(token)


async def find_asynchronously_later(token: str) -> t.AsyncIterator[str | None]:
    yield find_user(token)


@functools.wraps(find_user)
def find_decorated(*args, **kwargs):
    return find_user(*args, **kwargs)


@pytest.mark.parametrize(
    "verify",
    [
        find_user,
        lambda token: find_user(token),
        Users().find,
        Users(),
        User,
        functools.partial(find_with, "hello"),
        find_later,
        find_asynchronously,
        find_asynchronously_later,
        find_decorated,
        lambda *credentials: find_user(*credentials),
    ],
    ids=str,
)
def test_kinds_of_functions(app, verify):
    client = client_of(app, HTTPBearer("token", verify=verify))

    assert client.get("/").status_code == 401
    assert client.get("/", headers=EVE).status_code == 401
    assert client.get("/", headers=ANN).json == {"user": "Ann"}


@pytest.mark.parametrize("found", [0, "", [], {}, 0.0, b"", "False", "None"], ids=repr)
def test_falsy_values_are_users(app, found):
    client = client_of(app, HTTPBearer("token", verify=lambda token: found))

    assert client.get("/", headers=ANN).json == {"user": str(found)}


@pytest.mark.parametrize("found", [None, False])
@pytest.mark.parametrize("is_alone", [True, False])
def test_none_and_false_refuse(app, found, is_alone):
    token = HTTPBearer("token", verify=lambda token: found)
    client = client_of(app, token if is_alone else token | None)

    response = client.get("/", headers=ANN)

    assert response.status_code == 401
    assert challenges(response) == ['Bearer realm="token", error="invalid_token"']


@contextmanager
def open_user():
    yield None


@asynccontextmanager
async def open_user_asynchronously():
    yield None


#: What lets nobody in, and what is said of it.
RESPONSE = "has returned a response, which is not sent. Raise an exception"
UNRUN = "which is not run. Give the function that makes it."
REFUSES = "which refuses no request. Raise an exception"
UNCALLED = "has returned a function, which is not called. Give that function itself"
RETURNED = [
    (lambda: flask.Response("no", 401), RESPONSE),
    (lambda: flask.redirect("/login"), RESPONSE),
    (lambda: Unauthorized(), RESPONSE),
    (lambda: Forbidden("no"), RESPONSE),
    (lambda: ("no", 401), RESPONSE),
    (lambda: ({"message": "no"}, 403, {"X": "1"}), RESPONSE),
    (lambda: ("no", HTTPStatus.FORBIDDEN), RESPONSE),
    (lambda: ("no", "401 Unauthorized"), RESPONSE),
    (lambda: ("no", "403"), RESPONSE),
    (lambda: find_later("Eve"), UNRUN),
    (lambda: find_asynchronously("Eve"), UNRUN),
    (lambda: find_asynchronously_later("Eve"), UNRUN),
    (lambda: functools.partial(find_user, "Eve"), UNRUN),
    (lambda: open_user(), UNRUN),
    (lambda: open_user_asynchronously(), UNRUN),
    (lambda: PermissionError("no"), REFUSES),
    (lambda: PermissionError, REFUSES),
    (lambda: Forbidden, REFUSES),
    (lambda: NotImplemented, REFUSES),
    (lambda: find_user, UNCALLED),
    (lambda: Users().find, UNCALLED),
    (lambda: print, UNCALLED),
]


@pytest.mark.parametrize(("returned", "problem"), RETURNED)
@pytest.mark.parametrize("where", ["verify", "authenticate", "guard"])
@pytest.mark.parametrize("is_optional", [True, False])
def test_what_is_no_user_lets_nobody_in(
    app, client, request, where, returned, problem, is_optional
):
    def find() -> t.Any:
        value = returned()
        if isinstance(value, CoroutineType):
            request.addfinalizer(value.close)
        return value

    requirement = {
        "verify": HTTPBearer("token", verify=lambda token: find()),
        "authenticate": HTTPBearer("token", authenticate=find),
        "guard": TOKEN,
    }[where]
    security = requirement | None if is_optional else requirement
    guards = [find] if where == "guard" else []
    app.get("/", security=security, dependencies=guards)(show)
    app.testing = True

    with pytest.raises(TypeError) as caught:
        client.get("/", headers=ANN)

    assert problem in str(caught.value)
    app.testing = False
    assert client.get("/", headers=ANN).status_code == 500


def test_values_of_guards_are_thrown_away(app, client):
    guards = [lambda value=value: value for value in (True, "no", ("a", 200), 401)]
    app.get("/", dependencies=guards)(show)

    assert client.get("/").text == "shown"


class TestDependencies:
    """What a function needs is opened only once a credential is there."""

    @pytest.fixture
    def seen(self):
        return []

    @pytest.fixture
    def get_db(self, seen):
        def get_db():
            seen.append("open")
            try:
                yield "db"
            except Exception as error:
                seen.append(type(error).__name__)
                raise
            finally:
                seen.append("close")

        return get_db

    @pytest.fixture
    def token(self, get_db, seen):
        def find(token: str, db: str = Depends(get_db)) -> str | None:
            assert db == "db"
            seen.append("find")
            return find_user(token)

        return HTTPBearer("token", verify=find)

    @pytest.mark.parametrize("is_alone", [True, False])
    @pytest.mark.parametrize("sent", [None, "Bearer", "Bearer a,b"])
    def test_d1_strangers_open_nothing(self, app, token, seen, sent, is_alone):
        client = client_of(app, token if is_alone else token | OTHER)
        headers = {"Authorization": sent} if sent else {}

        assert client.get("/", headers=headers).status_code == 401
        assert seen == []

    def test_it_is_closed_for_who_is_refused(self, app, token, seen):
        client = client_of(app, token)

        assert client.get("/", headers=EVE).status_code == 401
        assert seen == ["open", "find", "NotAuthenticated", "close"]

    def test_it_is_shared_with_view_and_guards(self, app, client, token, seen, get_db):
        def check(db: t.Annotated[str, Depends(get_db)]) -> None:
            seen.append("check")

        @app.get("/", security=token, dependencies=[check])
        def show(db: t.Annotated[str, Depends(get_db)]) -> str:
            seen.append("view")
            return db

        assert client.get("/", headers=ANN).text == "db"
        assert seen == ["open", "find", "check", "view", "close"]

    def test_it_is_opened_for_the_view_of_nobody(
        self, app, client, token, seen, get_db
    ):
        app.get("/", security=token | None)(lambda db=Depends(get_db): db)

        assert client.get("/").text == "db"
        assert seen == ["open", "close"]

    def test_a_missing_part_opens_nothing(self, app, token, seen):
        client = client_of(app, token & KEY)

        assert client.get("/", headers=ANN).status_code == 401
        assert seen == []


class TestArguments:
    """What a function reads of a request is validated when there is a credential."""

    @pytest.fixture
    def client(self, app: Flask):
        def find(token: str, tenant: int = Query(), x_tag: str = Header("")) -> str:
            return f"{token} of {tenant}{x_tag}"

        @app.post("/", security=HTTPBearer("token", verify=find))
        def show(body: dict[str, int], page: int = Query()) -> str:
            return "shown"

        app.init_app()
        return app.test_client()

    def test_they_are_validated_before_those_of_the_view(self, client):
        def refused(url, **options):
            response = client.post(url, headers=ANN, **options)
            return [failure["loc"] for failure in response.json["detail"]]

        # Who sends nothing learns nothing.
        assert client.post("/?tenant=x").status_code == 401
        assert refused("/?tenant=x", data="{") == [["query", "tenant"]]
        assert refused("/?tenant=1&page=x", json={"a": 1}) == [["query", "page"]]

    def test_they_are_described(self, client):
        described = client.get("/openapi.json").json["paths"]["/"]["post"]

        names = {(item["in"], item["name"]) for item in described["parameters"]}
        assert names == {("query", "tenant"), ("query", "page"), ("header", "X-Tag")}

    def test_variable_of_the_url(self, app, client):
        def find(token: str, shop) -> str | None:
            return token if shop == "books" else None

        token = HTTPBearer("token", verify=find)
        app.get("/<shop>", security=token)(lambda shop: f"at {shop}")

        assert client.get("/books", headers=ANN).text == "at books"
        assert client.get("/other", headers=ANN).status_code == 401


def find_by_cookie() -> str | None:
    return flask.request.cookies.get("remember")


LOGIN = APIKey("login", "session", "cookie", authenticate=find_by_cookie)


class TestAuthenticate:
    """A function that reads the request by itself."""

    @pytest.mark.parametrize(
        "requirement", [LOGIN, LOGIN | TOKEN, TOKEN | LOGIN, LOGIN & LOGIN], ids=str
    )
    def test_it_is_always_called(self, app, requirement):
        client = client_of(app, requirement)
        client.set_cookie("remember", "Ann")

        assert "Ann" in client.get("/").json["user"]

    @pytest.mark.parametrize(
        ("user", "status", "asked"),
        [
            ("", 401, ['Bearer realm="login"']),
            ("Eve", 401, ['Bearer realm="login", error="invalid_token"']),
            ("Ann", 200, []),
        ],
    )
    def test_none_is_nothing_sent_false_is_wrong(
        self, app, client, user, status, asked
    ):
        def find() -> t.Any:
            return {"Ann": "Ann", "Eve": False}.get(user)

        login = HTTPBearer("login", authenticate=find)
        app.get("/a", security=login)(show)
        app.get("/b", endpoint="b", security=login | None)(show)

        response = client.get("/a")
        assert (response.status_code, challenges(response)) == (status, asked)
        assert client.get("/b").status_code == (status if user else 200)

    def test_its_exception_is_held_while_another_may_hold(self, app, client):
        class Expired(Exception): ...

        def find() -> t.NoReturn:
            raise Expired

        login = HTTPBearer("login", authenticate=find)
        app.register_error_handler(Expired, lambda error: ("expired", 418))
        app.get("/or", security=login | TOKEN)(show)
        app.get("/optional", endpoint="b", security=login | None)(show)
        app.get("/and", endpoint="c", security=login & TOKEN)(show)

        assert client.get("/or", headers=ANN).text == "shown"
        for url in ("/or", "/optional", "/and"):
            assert client.get(url).text == "expired", url
        assert client.get("/or", headers=EVE).text == "expired"

    def test_the_first_exception_is_raised(self, app, client):
        def fail(name: str) -> t.Callable[[], t.NoReturn]:
            def find() -> t.NoReturn:
                raise ValueError(name)

            return find

        schemes = [HTTPBearer(name, authenticate=fail(name)) for name in "ab"]
        app.get("/", security=schemes[0] | schemes[1])(show)
        app.testing = True

        with pytest.raises(ValueError, match=r"\Aa\Z"):
            client.get("/")

    def test_it_may_be_asynchronous_and_have_dependencies(self, app):
        async def find(name: t.Annotated[str, Depends(lambda: "Ann")]) -> str:
            return name

        client = client_of(app, HTTPBearer("login", authenticate=find))

        assert client.get("/").json == {"user": "Ann"}


def test_key_in_the_query_is_known_to_a_model_without_extra_fields(app, client):
    class Filters(BaseModel, extra="forbid"):
        page: int = 1

    key = APIKey("key", "api_key", "query", verify=lambda key: key == "right")

    @app.get("/", security=key)
    def show(filters: t.Annotated[Filters, Query()]) -> int:
        return filters.page

    assert client.get("/?api_key=right&page=2").json == 2
    assert client.get("/?api_key=right&other=2").status_code == 422
    assert client.get("/?page=2").status_code == 401


def test_dependency_with_a_scheme_runs_before_the_body_is_read(app, client):
    seen = []

    def find_admin(user: t.Annotated[str, TOKEN], x_level: int = Header()) -> str:
        seen.append(x_level)
        if user != "Ann":
            flask.abort(403)
        return user

    @app.post("/")
    def show(admin: t.Annotated[str, Depends(find_admin)], body: dict[str, int]) -> str:
        return admin

    level = {"X-Level": "1"}
    assert client.post("/", data="{").status_code == 401
    assert client.post("/", data="{", headers=level).status_code == 401
    assert client.post("/", data="{", headers=bearer("Bob") | level).status_code == 403
    assert client.post("/", data="{", headers=ANN).status_code == 422
    assert client.post("/", json={"a": 1}, headers=ANN | level).text == "Ann"


class TestOverrides:
    def test_fake_of_a_scheme_gets_no_credential(self, app):
        client = client_of(app, TOKEN)

        app.dependency_overrides[TOKEN] = lambda: "fake"
        assert client.get("/").json == {"user": "fake"}
        app.dependency_overrides[TOKEN] = lambda: None
        assert client.get("/", headers=ANN).status_code == 401
        del app.dependency_overrides[TOKEN]
        assert client.get("/", headers=ANN).json == {"user": "Ann"}

    def test_scopes_of_a_fake_count(self, app):
        client = client_of(app, TOKEN.scopes("write"))

        app.dependency_overrides[TOKEN] = lambda: "Bob"
        assert client.get("/").status_code == 403
        app.dependency_overrides[TOKEN] = lambda: "Ann"
        assert client.get("/").status_code == 200

    def test_fake_of_a_function_gets_the_credential(self, app):
        client = client_of(app, TOKEN)
        app.dependency_overrides[find_user] = lambda token: token.upper()

        assert client.get("/").status_code == 401
        assert client.get("/", headers=EVE).json == {"user": "EVE"}

    def test_fake_is_refused_that_lets_everybody_in(self, app):
        client = client_of(app, TOKEN)
        app.dependency_overrides[TOKEN] = lambda: find_later("Eve")

        assert client.get("/").status_code == 500

    def test_plain_views_have_fakes_too(self, app, client):
        app.register_blueprint(guarded(plain()))

        assert client.get("/plain").status_code == 401
        app.dependency_overrides[TOKEN] = lambda: "fake"
        assert client.get("/plain").text == "shown"


@pytest.mark.parametrize("is_alone", [True, False])
def test_d19_no_user_is_crossed(app, is_alone):
    def find(token: str, seen: t.Annotated[list[str], Depends(list)]) -> str:
        seen.append(token)
        return token

    def get_name(
        user: t.Annotated[str, HTTPBearer("token", verify=find)],
        seen: t.Annotated[list[str], Depends(list)],
    ) -> t.Iterator[str]:
        yield f"{user} {','.join(seen)}"

    @app.get("/<name>", **({} if is_alone else {"security": OTHER}))
    def show(name: str, found: t.Annotated[str, Depends(get_name)]) -> str:
        return f"{name} {found}"

    def send(number: int) -> bool:
        name = f"user{number}"
        headers = {**bearer(name), "X-Other": "k"}
        response = app.test_client().get(f"/{name}", headers=headers)
        return response.text == f"{name} {name} {name}"

    with ThreadPoolExecutor(20) as threads:
        assert all(threads.map(send, range(1000)))
