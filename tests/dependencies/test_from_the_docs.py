"""What a reader of the documentation tries, and what the documentation says."""

from __future__ import annotations

import asyncio
import typing as t
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar
from dataclasses import dataclass

import pytest
from flask import abort, request

from flask_signature import Blueprint, Depends, Query, SignatureError


class Session:
    """A class that Pydantic knows nothing of."""


class Shop:
    def open(self, q: str = "") -> str:
        return q


def get_session() -> Session:
    return Session()


def get_number() -> int:
    return 1


def message_of(app, view):
    with pytest.raises(SignatureError) as caught:
        app.get("/")(view)
    return str(caught.value).rpartition(" (")[0]


def forgot_depends(db: Session): ...


def named_the_function_alone(db: t.Annotated[Session, get_session]): ...


def named_a_function_of_a_scalar(n: t.Annotated[int, get_number]): ...


def gave_the_function_as_the_default(n: int = get_number): ...


def gave_a_lambda_as_the_default(n: int = lambda: 1): ...


def forgot_the_annotation(db=Depends()): ...


def depends_on_a_method_of_no_object(shop: str = Depends(Shop.open)): ...


MISTAKES = {
    forgot_depends: (
        "GET /: Pydantic can't read the type of 'db', 'Session', since it knows no"
        " fields of 'Session'. Name a BaseModel or a dataclass instead, or declare"
        " 'db' with Depends() or Injected() if it is not in the request."
    ),
    named_the_function_alone: (
        "GET /: 'db' of named_the_function_alone() is declared with a function that"
        " is not called, get_session(). Write Depends(get_session)."
    ),
    named_a_function_of_a_scalar: (
        "GET /: 'n' of named_a_function_of_a_scalar() is declared with a function that"
        " is not called, get_number(). Write Depends(get_number)."
    ),
    gave_the_function_as_the_default: (
        "GET /: 'n' of gave_the_function_as_the_default() is declared with a function"
        " that is not called, get_number(). Write Depends(get_number)."
    ),
    gave_a_lambda_as_the_default: (
        "GET /: 'n' of gave_a_lambda_as_the_default() is declared with a function that"
        " is not called, <lambda>(). Write Depends(function)."
    ),
    forgot_the_annotation: (
        "GET /: 'db' of forgot_the_annotation() is declared with Depends(), which names"
        " no function, and its annotation is no class to make an object of. Write"
        " Depends(function)."
    ),
    depends_on_a_method_of_no_object: (
        "GET /: 'shop' of depends_on_a_method_of_no_object() depends on Shop.open(), a"
        " method of no object. Name that of one: Depends(Shop().open)."
    ),
}


@pytest.mark.parametrize("view", MISTAKES, ids=lambda view: view.__name__)
def test_a_mistake_is_refused_with_what_to_write(app, view):
    assert message_of(app, view) == MISTAKES[view]


def test_a_validator_beside_a_marker_is_no_dependency(app, client):
    @app.get("/")
    def show(n: t.Annotated[int, get_number, Query()]) -> int:
        return n

    assert client.get("/?n=3").json == 3


def test_a_default_without_an_annotation_may_be_a_function(app, client):
    @app.get("/")
    def show(function=get_number) -> int:
        return function()

    assert client.get("/").json == 1


def test_a_failing_commit_reaches_the_error_handlers_and_the_open_generators(
    app, client
):
    seen = []

    def outer() -> Iterator[None]:
        try:
            yield
        except ValueError:
            seen.append("outer")
            raise

    def failing(outer: t.Annotated[None, Depends(outer)]) -> Iterator[None]:
        yield
        raise ValueError

    @app.post("/")
    def add(db: t.Annotated[None, Depends(failing)]) -> str:
        return "added"

    @app.errorhandler(ValueError)
    def answer(error):
        return "not added", 500

    response = client.post("/")

    assert (response.status_code, response.text) == (500, "not added")
    assert seen == ["outer"]


def test_a_returned_error_commits_and_a_raised_one_does_not(app, client):
    seen = []

    def commit() -> Iterator[None]:
        yield
        seen.append("commit")

    @app.get("/<how>", dependencies=[commit])
    def show(how: str):
        if how == "raised":
            abort(404)
        return {}, 404

    assert client.get("/returned").status_code == 404
    assert seen == ["commit"]
    assert client.get("/raised").status_code == 404
    assert seen == ["commit"]


def test_a_generator_of_the_request_has_a_copy_of_the_context(app, client):
    variable = ContextVar("variable", default="unset")
    seen = []

    def outlives() -> Iterator[None]:
        variable.set("set")
        yield
        seen.append((variable.get(), request.path))

    @app.get("/")
    def show(it: t.Annotated[None, Depends(outlives, scope="request")]) -> str:
        return variable.get()

    assert client.get("/").text == "unset"
    assert seen == [("set", "/")]


def test_a_commit_after_the_body_can_not_change_the_response(app, client, caplog):
    def commit() -> Iterator[None]:
        yield
        raise ValueError

    @app.get("/")
    def show(it: t.Annotated[None, Depends(commit, scope="request")]) -> str:
        return "sent"

    response = client.get("/")

    assert (response.status_code, response.text) == (200, "sent")
    assert "commit() failed while it was closed." in caplog.text


def test_an_exception_of_the_view_reaches_a_generator_of_the_request_at_once(
    app, client
):
    seen = []

    def outlives() -> Iterator[None]:
        try:
            yield
        finally:
            seen.append("closed")

    @app.after_request
    def after(response):
        seen.append("after_request")
        return response

    @app.get("/")
    def show(it: t.Annotated[None, Depends(outlives, scope="request")]) -> str:
        abort(400)

    assert client.get("/").status_code == 400
    assert seen == ["closed", "after_request"]


def test_two_views_may_give_a_generator_two_scopes(app, client):
    def opened() -> Iterator[str]:
        yield "open"

    @app.get("/short")
    def short(it: t.Annotated[str, Depends(opened)]) -> str:
        return it

    @app.get("/long")
    def long(it: t.Annotated[str, Depends(opened, scope="request")]) -> str:
        return it

    assert client.get("/short").text == client.get("/long").text == "open"


def test_a_plain_view_beside_an_asynchronous_dependency_runs_inside_of_the_loop(
    app, client
):
    threads = []

    async def asynchronous() -> None:
        threads.append(asyncio.get_running_loop())

    @app.get("/")
    def show(it: t.Annotated[None, Depends(asynchronous)]) -> str:
        assert asyncio.get_running_loop() is threads[0]
        return "inside"

    assert client.get("/").text == "inside"


def test_a_parametrised_dependency_is_overridden_by_an_equal_one(app, client):
    @dataclass(frozen=True)
    class Plus:
        number: int

        def __call__(self, n: int) -> int:
            return n + self.number

    @app.get("/")
    def show(n: t.Annotated[int, Depends(Plus(2))]) -> int:
        return n

    app.dependency_overrides[Plus(3)] = lambda: 0
    assert client.get("/?n=1").json == 3
    app.dependency_overrides[Plus(2)] = lambda n: -n
    assert client.get("/?n=1").json == -1


def test_an_override_may_be_asynchronous_and_have_dependencies(app, client):
    def nested() -> int:
        return 5

    async def fake(nested: t.Annotated[int, Depends(nested)]) -> int:
        return nested

    @app.get("/")
    def show(n: t.Annotated[int, Depends(get_number)]) -> int:
        return n

    app.dependency_overrides[get_number] = fake
    assert client.get("/").json == 5
    app.dependency_overrides[nested] = lambda: 6
    assert client.get("/").json == 6
    app.dependency_overrides.clear()
    assert client.get("/").json == 1


def test_arguments_of_an_overridden_dependency_stay_validated(app, client):
    def original(n: int) -> int:
        return n

    @app.get("/")
    def show(n: t.Annotated[int, Depends(original)]) -> int:
        return n

    app.dependency_overrides[original] = get_number
    assert client.get("/").status_code == 422
    assert client.get("/?n=7").json == 1


def test_a_passed_value_wins_for_other_dependencies_too(app, client):
    def called() -> int:
        raise AssertionError

    def double(number: t.Annotated[int, Depends(called)]) -> int:
        return 2 * number

    def passing(view):
        return lambda **kwargs: view(number=4, **kwargs)

    @app.get("/", decorators=[passing])
    def show(
        number: t.Annotated[int, Depends(called)],
        doubled: t.Annotated[int, Depends(double)],
    ) -> list[int]:
        return [number, doubled]

    assert client.get("/?number=9").json == [4, 8]


def test_dependencies_of_a_registration_hold_for_that_one(app, client):
    bp = Blueprint("gates", __name__)
    bp.get("/gates")(lambda: "gates")

    def refuse() -> None:
        abort(403)

    app.register_blueprint(bp)
    app.register_blueprint(bp, url_prefix="/closed", name="x", dependencies=[refuse])

    assert client.get("/gates").text == "gates"
    assert client.get("/closed/gates").status_code == 403


def test_a_guard_that_opens_a_session_shares_it_with_the_view(app, client):
    opened = []

    def get_db() -> Iterator[str]:
        opened.append("open")
        yield "db"

    def check(db: t.Annotated[str, Depends(get_db)]) -> None: ...

    @app.get("/", dependencies=[check])
    def show(db: t.Annotated[str, Depends(get_db)]) -> str:
        return db

    assert client.get("/").text == "db"
    assert opened == ["open"]


def test_an_asynchronous_client_is_used_in_the_view_on_the_same_loop(app, client):
    async def get_queue() -> AsyncIterator[asyncio.Queue]:
        queue = asyncio.Queue()
        yield queue
        assert await queue.get() == "sent"

    @app.get("/")
    async def show(queue: t.Annotated[asyncio.Queue, Depends(get_queue)]) -> str:
        await queue.put("sent")
        return "sent"

    assert client.get("/").text == "sent"


def test_what_a_dependency_of_an_override_needs_may_be_overridden(app, client):
    def innermost() -> int:
        return 5

    def inner(n: t.Annotated[int, Depends(innermost)]) -> int:
        return n

    def fake(n: t.Annotated[int, Depends(inner)]) -> int:
        return n

    @app.get("/")
    def show(n: t.Annotated[int, Depends(get_number)]) -> int:
        return n

    app.dependency_overrides[get_number] = fake
    app.dependency_overrides[innermost] = lambda: 7

    assert client.get("/").json == 7


def test_an_override_that_depends_on_the_original_is_refused(app, client):
    def next_number(n: t.Annotated[int, Depends(get_number)]) -> int:
        return n + 1

    def fake(n: t.Annotated[int, Depends(next_number)]) -> int:
        return n + 1

    @app.get("/")
    def show(n: t.Annotated[int, Depends(get_number)]) -> int:
        return n

    for function, way in ((next_number, ""), (fake, ", by way of next_number()")):
        with pytest.raises(SignatureError) as caught:
            app.dependency_overrides[get_number] = function

        assert str(caught.value) == (
            f"{function.__name__}() replaces get_number() in dependency_overrides,"
            f" but depends on it{way}. Call get_number() in the function instead."
        )
    assert client.get("/").json == 1
