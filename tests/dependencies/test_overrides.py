"""D14: what tests have called in the place of dependencies."""

import asyncio
import typing as t
from contextlib import contextmanager

import pytest

from flask_signature import Depends, Flask, SignatureError
from flask_signature.security import APIKey, HTTPBearer


def get_settings() -> str:
    return "settings"


def get_db(n: int = 1, settings=Depends(get_settings)) -> str:
    return f"db {n} {settings}"


def get_book(db=Depends(get_db)) -> str:
    return f"book of {db}"


def show(db=Depends(get_db), book=Depends(get_book)) -> str:
    return f"{db}, {book}"


@pytest.fixture
def app():
    app = Flask("shop")
    app.get("/")(show)
    app.init_app()
    return app


REAL: t.Final = "db 1 settings, book of db 1 settings"
FAKED: t.Final = "fake, book of fake"


def test_d14_nested(app, client):
    @contextmanager
    def overridden(dependency, fake):
        before = dict(app.dependency_overrides)
        app.dependency_overrides[dependency] = fake
        yield
        app.dependency_overrides.clear()
        app.dependency_overrides.update(before)

    with overridden(get_db, lambda: "outer"):
        assert client.get("/").text == "outer, book of outer"
        with overridden(get_db, lambda: "inner"):
            assert client.get("/").text == "inner, book of inner"
        with overridden(get_book, lambda: "novel"):
            assert client.get("/").text == "outer, novel"
        assert client.get("/").text == "outer, book of outer"
    assert client.get("/").text == REAL


def test_d14_it_is_a_mapping(app):
    fake = lambda: "fake"  # noqa: E731
    overrides = app.dependency_overrides
    overrides[get_db] = fake

    assert overrides[get_db] is fake
    assert get_db in overrides
    assert get_book not in overrides
    assert dict(overrides) == {get_db: fake}
    assert list(overrides) == [get_db]
    assert overrides.get(get_book) is None
    assert overrides.pop(get_db) is fake
    with pytest.raises(KeyError):
        del overrides[get_db]
    with pytest.raises(KeyError):
        overrides[get_db]


def test_all_are_removed_at_once(app, client):
    def fake_db(book=Depends(get_book)) -> str:
        return f"db of {book}"

    # Without the first, the second depends on what depends on it.
    app.dependency_overrides[get_book] = lambda: "novel"
    app.dependency_overrides[get_db] = fake_db
    assert client.get("/").text == "db of novel, novel"

    app.dependency_overrides.clear()

    assert len(app.dependency_overrides) == 0
    assert client.get("/").text == REAL


def test_d14_the_document_does_not_change(app, client):
    before = client.get("/openapi.json").json
    app.dependency_overrides[get_db] = lambda: "fake"
    assert client.get("/openapi.json").json == before

    other = Flask("shop")
    other.dependency_overrides[get_db] = lambda: "fake"
    other.get("/")(show)
    other.init_app()
    assert other.test_client().get("/openapi.json").json == before


def test_a_fake_is_called_in_views_that_are_registered_later(app, client):
    app.dependency_overrides[get_db] = lambda: "fake"
    app.get("/later", endpoint="later")(get_book)

    assert client.get("/later").text == "book of fake"


def test_the_arguments_of_the_original_stay_validated(app, client):
    app.dependency_overrides[get_db] = lambda: "fake"

    assert client.get("/?n=x").status_code == 422
    assert client.get("/?n=1").text == FAKED


def test_the_dependencies_of_the_original_do_not_run(app, client):
    def fail():
        raise AssertionError

    app.dependency_overrides[get_settings] = fail
    app.dependency_overrides[get_db] = lambda: "fake"

    assert client.get("/").text == FAKED


def test_a_fake_takes_those_arguments_that_it_names(app, client):
    app.dependency_overrides[get_db] = lambda n: f"fake {n}"

    assert client.get("/?n=7").text == "fake 7, book of fake 7"


def test_a_fake_may_take_its_arguments_with_defaults_of_its_own(app, client):
    def fake(n: int = 5, more: str = "more"):
        return f"fake {n} {more}"

    app.dependency_overrides[get_db] = fake

    assert client.get("/?more=evil").text == "fake 1 more, book of fake 1 more"


def test_a_fake_has_dependencies_of_its_own(app, client):
    def get_name(settings=Depends(get_settings)):
        return f"name in {settings}"

    def fake(name=Depends(get_name), n: int = 1):
        return f"fake {name} {n}"

    app.dependency_overrides[get_db] = fake
    text = "fake name in settings 2"
    assert client.get("/?n=2").text == f"{text}, book of {text}"

    app.dependency_overrides[get_settings] = lambda: "fakes"
    text = "fake name in fakes 2"
    assert client.get("/?n=2").text == f"{text}, book of {text}"


class Fake:
    """A class whose objects stand for databases."""

    def __str__(self) -> str:
        return "fake"


def generator():
    yield "fake"


async def coroutine():
    await asyncio.sleep(0)
    return "fake"


async def async_generator():
    yield "fake"


KINDS: t.Final = [lambda: "fake", Fake, generator, coroutine, async_generator]


@pytest.mark.parametrize("fake", KINDS, ids=lambda fake: fake.__name__)
def test_a_fake_may_be_of_another_kind(fake, app, client):
    app.dependency_overrides[get_db] = fake
    assert client.get("/").text == FAKED

    del app.dependency_overrides[get_db]
    assert client.get("/").text == REAL


def test_a_fake_that_is_a_generator_is_closed(app, client, log):
    @app.get("/logged")
    def show_logged(db=Depends(get_db)) -> str:
        log.append("view")
        return db

    app.dependency_overrides[get_db] = log.opening("fake")

    assert client.get("/logged").text == "fake"
    assert log == ["open fake", "view", "commit fake", "close fake"]


def get_session():
    yield "session"


def test_a_fake_of_a_request_scope_is_closed_at_the_end(app, client, log):
    @app.get("/session")
    def show_session(db=Depends(get_session, scope="request")) -> t.Iterator[str]:
        yield f"{db} {log[-1:]}"

    app.dependency_overrides[get_session] = log.opening("fake")
    assert client.get("/session").text == "fake ['open fake']"
    assert log == ["open fake", "commit fake", "close fake"]

    app.dependency_overrides[get_session] = lambda: "value"
    assert client.get("/session").text == "value ['close fake']"


def test_all_that_share_a_dependency_share_the_fake(app, client):
    calls = []
    app.dependency_overrides[get_db] = lambda: calls.append(1) or "fake"

    assert client.get("/").text == FAKED
    assert len(calls) == 1


def message_of(app, dependency, fake):
    before = dict(app.dependency_overrides)
    with pytest.raises(SignatureError) as error:
        app.dependency_overrides[dependency] = fake
    assert dict(app.dependency_overrides) == before
    assert app.test_client().get("/").text == REAL
    return str(error.value)


def get_name(name: str): ...


def takes_more(token: str): ...


def depends_on_more(name=Depends(get_name)): ...


def depends_on_it(db=Depends(get_db)): ...


def depends_on_one_of_its_own(db=Depends(get_db, use_cache=False)): ...


def depends_on_what_needs_it(book=Depends(get_book)): ...


REFUSED: t.Final = {
    takes_more: (
        "takes 'token', which that does not read from the request. It may take 'n'."
    ),
    depends_on_more: (
        "takes 'name', which that does not read from the request. It may take 'n'."
    ),
    depends_on_it: "depends on it. Call get_db() in the function instead.",
    depends_on_one_of_its_own: "depends on it. Call get_db() in the function instead.",
    depends_on_what_needs_it: (
        "depends on it, by way of get_book(). Call get_db() in the function instead."
    ),
}


@pytest.mark.parametrize("fake", REFUSED, ids=lambda fake: fake.__name__)
def test_a_fake_that_can_not_stand_for_it_is_refused(fake, app, client):
    said = (
        f"{fake.__name__}() replaces get_db() in dependency_overrides, but"
        f" {REFUSED[fake]}"
    )

    assert [message_of(app, get_db, fake) for _ in range(2)] == [said] * 2
    # Nothing is left of it.
    app.dependency_overrides[get_db] = lambda: "fake"
    assert client.get("/?n=1").text == FAKED


def test_a_fake_that_is_no_function_is_refused(app):
    assert message_of(app, get_db, "fake") == (
        "dependency_overrides depends on a value of type 'str', which can't be called."
        " Give the function itself, without the parentheses of a call:"
        " Depends(function)."
    )


def test_an_asynchronous_fake_of_a_request_scope_is_refused(app):
    @app.get("/session")
    def show_session(db=Depends(get_session, scope="request")) -> str: ...

    assert message_of(app, get_session, async_generator) == (
        "async_generator() is an asynchronous generator, but replaces get_session(),"
        " which has scope=\"request\". Write it with 'def'."
    )


@pytest.mark.parametrize("returns", [t.Iterator[str], t.Iterator[int]], ids=str)
def test_a_fake_that_is_closed_before_a_stream_is_an_error(returns, app, caplog):
    @app.get("/stream", media_type="application/jsonl")
    def stream(settings=Depends(get_settings)) -> returns:
        yield from range(3)

    app.dependency_overrides[get_settings] = generator

    assert app.test_client().get("/stream").status_code == 500
    assert "depends on a generator that is closed before" in caplog.text


def test_a_fake_of_a_request_scope_that_needs_a_shorter_one_is_refused(app):
    def fake(value=Depends(generator)):
        yield value

    @app.get("/session")
    def show_session(db=Depends(get_session, scope="request")) -> str: ...

    assert message_of(app, get_session, fake) == (
        'fake() has scope="request", but depends on generator(), which is closed'
        " before. Give that the same scope."
    )


def test_mapping_that_is_set_replaces_what_was_there(app, client):
    known = app.dependency_overrides
    app.dependency_overrides = {get_db: lambda: "fake"}
    assert client.get("/").text == FAKED
    app.dependency_overrides = app.dependency_overrides
    assert client.get("/").text == FAKED
    app.dependency_overrides = {}

    assert client.get("/").text == REAL
    assert app.dependency_overrides is known
    assert len(known) == 0


# Security schemes, and what depends on their users.


def find_user(token: str) -> str | None:
    return token if token == "good" else None


LOGIN = APIKey("login", "session", "cookie", verify=find_user)
TOKEN = HTTPBearer("token", verify=find_user)
NO_KEYS: t.Final = {
    "requirement": LOGIN | TOKEN,
    "scopes": LOGIN.scopes("staff"),
    "alias": t.Annotated[str, LOGIN],
    "marker": Depends(find_user),
    "name": "find_user",
}


@pytest.mark.parametrize("key", NO_KEYS.values(), ids=NO_KEYS)
def test_a_key_that_overrides_nothing_is_refused(app, key):
    assert message_of(app, key, lambda: "Ann") == (
        "dependency_overrides has a key that nothing depends on. Use the function or"
        " the class that is called, or a security scheme: 'login' instead of"
        " 'login.scopes(...)', and 'login', 'token' or both instead of 'login |"
        " token'."
    )


@pytest.mark.parametrize("scheme", [LOGIN, TOKEN], ids=["login", "token"])
def test_one_scheme_of_several_is_overridden(app, client, scheme):
    @app.get("/me")
    def me(user: t.Annotated[str, LOGIN | TOKEN]) -> str:
        return user

    app.dependency_overrides[scheme] = lambda: "Ann"
    assert client.get("/me").text == "Ann"

    del app.dependency_overrides[scheme]
    assert client.get("/me").status_code == 401


@pytest.mark.parametrize(
    ("fake", "shown"),
    [(lambda: "nobody", "nobody"), (lambda user: f"fake {user}", "fake good")],
    ids=["nothing", "user"],
)
def test_a_dependency_that_takes_a_user_is_overridden(app, client, fake, shown):
    def get_name(user: t.Annotated[str, TOKEN]) -> str:
        return user

    @app.get("/name")
    def show_name(name: str = Depends(get_name)) -> str:
        return name

    app.dependency_overrides[get_name] = fake
    headers = {"Authorization": "Bearer good"}
    assert client.get("/name", headers=headers).text == shown
    assert client.get("/name").status_code == 401
