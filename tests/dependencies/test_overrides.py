"""D14: what tests have called in the place of dependencies."""

import asyncio
import typing as t
from contextlib import contextmanager

import pytest

from flask_signature import Blueprint, Depends, Flask, SignatureError


def get_settings() -> str:
    return "settings"


def get_db(n: int = 1, settings=Depends(get_settings)) -> str:
    return f"db {n} {settings}"


def get_book(db=Depends(get_db)) -> str:
    return f"book of {db}"


@pytest.fixture
def app():
    app = Flask("shop")

    @app.get("/")
    def show(db=Depends(get_db), book=Depends(get_book)) -> str:
        return f"{db}, {book}"

    app.init_app()
    return app


@pytest.fixture
def client(app):
    return app.test_client()


REAL: t.Final = "db 1 settings, book of db 1 settings"
FAKED: t.Final = "fake, book of fake"


def test_d14_set_and_removed(app, client):
    app.dependency_overrides[get_db] = lambda: "fake"
    assert client.get("/").text == FAKED

    del app.dependency_overrides[get_db]
    assert client.get("/").text == REAL


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


def test_d14_by_monkeypatch(app, client):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(app.dependency_overrides, get_db, lambda: "fake")
        assert client.get("/").text == FAKED
        patch.setitem(app.dependency_overrides, get_db, lambda: "other")
        assert client.get("/").text == "other, book of other"
    assert client.get("/").text == REAL
    assert len(app.dependency_overrides) == 0


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


def test_d14_the_document_does_not_change(app, client):
    before = client.get("/openapi.json").json
    app.dependency_overrides[get_db] = lambda: "fake"

    assert client.get("/openapi.json").json == before


def test_the_description_of_an_overridden_application_is_that_of_the_original():
    documents = []
    for fakes in ({}, {get_db: lambda: "fake"}):
        app = Flask("shop")
        app.dependency_overrides.update(fakes)

        @app.get("/")
        def show(db=Depends(get_db)) -> str:
            return db

        app.init_app()
        documents.append(app.test_client().get("/openapi.json").json)

    assert documents[0] == documents[1]


def test_a_fake_is_called_in_views_that_are_registered_later(app):
    app.dependency_overrides[get_db] = lambda: "fake"

    @app.get("/later")
    def later(db=Depends(get_db)) -> str:
        return db

    assert app.test_client().get("/later").text == "fake"


def test_the_arguments_of_the_original_stay_validated(app, client):
    app.dependency_overrides[get_db] = lambda: "fake"

    assert client.get("/?n=x").status_code == 422


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

    def __init__(self, n: int = 1) -> None:
        self.n = n

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


def test_a_fake_that_is_a_generator_is_closed():
    log = []

    def fake():
        log.append("open")
        yield "fake"
        log.append("close")

    app = Flask("shop")

    @app.get("/")
    def show(db=Depends(get_db)) -> str:
        log.append("view")
        return db

    app.dependency_overrides[get_db] = fake

    assert app.test_client().get("/").text == "fake"
    assert log == ["open", "view", "close"]


def test_a_fake_of_a_request_scope_is_closed_at_the_end():
    log = []

    def get_session():
        yield "session"

    def fake():
        yield "fake"
        log.append("close")

    app = Flask("shop")

    @app.get("/")
    def show(db=Depends(get_session, scope="request")) -> t.Iterator[str]:
        yield f"{db} {log}"

    app.dependency_overrides[get_session] = fake
    assert app.test_client().get("/").text == "fake []"
    assert log == ["close"]

    app.dependency_overrides[get_session] = lambda: "value"
    assert app.test_client().get("/").text == "value ['close']"


def test_guards_are_overridden():
    def check():
        raise AssertionError

    bp = Blueprint("bp", __name__, dependencies=[check])

    @bp.get("/")
    def show() -> str:
        return "shown"

    app = Flask("shop")
    app.register_blueprint(bp)
    app.dependency_overrides[check] = lambda: None

    assert app.test_client().get("/").text == "shown"


def test_all_that_share_a_dependency_share_the_fake(app, client):
    calls = []
    app.dependency_overrides[get_db] = lambda: calls.append(1) or "fake"

    assert client.get("/").text == FAKED
    assert len(calls) == 1


# What is refused.


def message_of(app, dependency, fake):
    before = dict(app.dependency_overrides)
    with pytest.raises(SignatureError) as error:
        app.dependency_overrides[dependency] = fake
    assert dict(app.dependency_overrides) == before
    assert app.test_client().get("/").text == REAL
    return str(error.value)


def test_a_fake_that_takes_more_is_refused(app):
    def fake(token: str): ...

    assert message_of(app, get_db, fake) == (
        "fake() replaces get_db() in dependency_overrides, but takes 'token', which"
        " that does not read from the request. It may take 'n'."
    )


def test_a_fake_whose_dependency_takes_more_is_refused(app):
    def get_name(name: str): ...

    def fake(name=Depends(get_name)): ...

    assert message_of(app, get_db, fake) == (
        "fake() replaces get_db() in dependency_overrides, but takes 'name', which"
        " that does not read from the request. It may take 'n'."
    )
    # Nothing is left of it.
    app.dependency_overrides[get_db] = lambda: "fake"
    assert app.test_client().get("/?n=1").text == FAKED


def test_a_fake_that_is_no_function_is_refused(app):
    assert message_of(app, get_db, "fake") == (
        "dependency_overrides depends on a value of type 'str', which can't be called."
        " Give the function itself, without the parentheses of a call:"
        " Depends(function)."
    )


def test_a_fake_that_depends_on_what_it_stands_for_is_refused(app):
    def fake(db=Depends(get_db)): ...

    assert message_of(app, get_db, fake) == (
        "fake() replaces get_db() in dependency_overrides, but depends on it. Call"
        " get_db() in the function instead."
    )


def test_fakes_that_depend_on_each_other_are_refused(app):
    def fake(book=Depends(get_book)): ...

    assert message_of(app, get_db, fake) == (
        "fake() replaces get_db() in dependency_overrides, but depends on it, by way"
        " of get_book(). Call get_db() in the function instead."
    )


def test_an_asynchronous_fake_of_a_request_scope_is_refused(app):
    def get_session():
        yield "session"

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
    def get_session():
        yield "session"

    def fake(value=Depends(generator)):
        yield value

    @app.get("/session")
    def show_session(db=Depends(get_session, scope="request")) -> str: ...

    assert message_of(app, get_session, fake) == (
        'fake() has scope="request", but depends on generator(), which is closed'
        " before. Give that the same scope."
    )


def test_a_fake_that_was_refused_is_refused_again(app):
    def get_name(name: str): ...

    def fake(name=Depends(get_name)): ...

    assert message_of(app, get_db, fake) == message_of(app, get_db, fake)


def test_an_unshared_fake_that_depends_on_what_it_stands_for_is_refused(app):
    def fake(db=Depends(get_db, use_cache=False)): ...

    assert "but depends on it. Call get_db()" in message_of(app, get_db, fake)


def test_mapping_that_is_set_replaces_what_was_there():
    def get_name():
        return "name"

    app = Flask(__name__)

    @app.get("/")
    def show(name: t.Annotated[str, Depends(get_name)]):
        return name

    known, client = app.dependency_overrides, app.test_client()
    app.dependency_overrides = {get_name: lambda: "fake"}
    assert client.get("/").text == "fake"
    app.dependency_overrides = app.dependency_overrides
    assert client.get("/").text == "fake"
    app.dependency_overrides = {}

    assert client.get("/").text == "name"
    assert app.dependency_overrides is known
    assert len(known) == 0
