"""Operations at random, of which every response is held against the document.

A declaration is drawn: what the view is annotated with, the options of the route, the
format of errors. Then the view returns and raises all that it may by that, and requests
are sent that are refused before it is called. A response with a status that nobody
declared is an error of the server, or a mistake in the document.
"""

from __future__ import annotations

import os
import typing as t
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import flask
from document import check_response
from flask import abort
from flask.testing import FlaskClient
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from models import Problem
from pydantic import BaseModel, Field
from typing_extensions import NotRequired, TypedDict
from werkzeug.test import TestResponse

from flask_signature import (
    Flask,
    Form,
    RequestValidationError,
    SignatureError,
    SignatureWarning,
)
from flask_signature.errors import ErrorFormat
from flask_signature.security import HTTPBearer

EXAMPLES: t.Final = int(os.environ.get("EXAMPLES", "100"))

#: A view that returns or raises something.
Answer: t.TypeAlias = Callable[[], t.Any]


class Item(BaseModel):
    name: str
    note: int | None = Field(None, serialization_alias="noteNumber")


class Created(TypedDict):
    location: str
    x_count: NotRequired[int]


@dataclass(frozen=True)
class Body:
    """A type in a return annotation, and what a view returns then.

    :param values: made anew for each response.
    """

    tp: t.Any
    values: tuple[Answer, ...]


def response_of(text: str, mimetype: str, status: int = 200) -> Answer:
    return lambda: flask.Response(text, status, mimetype=mimetype)


ITEM = Body(
    Item,
    (
        lambda: Item(name="a"),
        lambda: {"name": "a", "note": 1, "secret": "left out"},
        lambda: {"nome": "a"},
        lambda: None,
    ),
)
PROBLEM = Body(Problem, (lambda: Problem(reason="none left"), lambda: {"reason": 1}))
# All of these are JSON texts as well, for a media type that says so.
TEXT = Body(str, (lambda: "1", lambda: "[2]"))
PLAIN = (
    TEXT,
    Body(bytes, (lambda: b"1",)),
    Body(dict, (lambda: {"a": 1},)),
    Body(list[t.Any], (lambda: [1, "a"],)),
    Body(Iterator[str], (lambda: iter(["1", "2"]),)),
    Body(Iterator[bytes], (lambda: iter([b"1"]),)),
)
NOTHING = Body(None, (lambda: None,))
ITEMS = Body(list[Item], (lambda: [Item(name="a")], lambda: [{"name": "b"}, {}]))
STREAM = Body(
    Iterator[Item], (lambda: iter([Item(name="a"), {"name": "b"}]), lambda: iter([]))
)
BODIES = (ITEM, PROBLEM, ITEMS, STREAM, NOTHING, *PLAIN)

BY_METHOD: t.Final = {"GET": 200, "POST": 201, "PUT": 201, "DELETE": 204, "PATCH": 200}

STATUSES: t.Final = (200, 201, 202, 204, 404, 409, 422)


@dataclass(frozen=True)
class Member:
    """A member of a return annotation.

    :param status: ``None`` where it says none.
    :param has_headers: whether it names headers.
    """

    body: Body
    status: int | None
    has_headers: bool = False

    @property
    def tp(self) -> t.Any:
        if self.status is None:
            return self.body.tp
        if self.has_headers:
            return tuple[self.body.tp, t.Literal[self.status], Created]  # type: ignore[name-defined]
        return tuple[self.body.tp, t.Literal[self.status]]  # type: ignore[name-defined]

    def answers(self) -> Iterator[Answer]:
        for value in self.body.values:
            if self.status is None:
                yield value
            elif self.has_headers:
                yield lambda value=value: (value(), self.status, {"location": "/1"})
                yield lambda value=value: (value(), self.status, {"x_count": 1})
            else:
                yield lambda value=value: (value(), self.status)


MEMBERS = st.builds(
    Member, st.sampled_from(BODIES), st.none() | st.sampled_from(STATUSES)
) | st.builds(
    Member, st.sampled_from(BODIES), st.sampled_from(STATUSES), st.just(value=True)
)

DESCRIBED: t.Final = {"description": "Described."}

#: What ``responses=`` says of a status, and what a view may return with it then.
DECLARED: t.Final[tuple[tuple[t.Any, tuple[Answer, ...]], ...]] = (
    (None, ()),
    (Problem, PROBLEM.values),
    ({"model": Problem, "headers": {"X-Count": int}}, PROBLEM.values),
    ({"model": Item, "examples": {"a": {"value": {"name": "a"}}}}, ITEM.values),
    (DESCRIBED, ()),
    ({"content": {"image/gif": {}}}, (response_of("GIF", "image/gif"),)),
    ({"content": {"text/xml": {"schema": str}}}, (response_of("<a/>", "text/xml"),)),
    (
        {"model": Problem, "content": {"text/calendar": {"example": "a,b"}}},
        (response_of("a,b", "text/calendar"), *PROBLEM.values),
    ),
)

#: The statuses that a key of ``responses=`` is about.
KEYS: t.Final = {
    200: (200,),
    202: (202,),
    404: (404,),
    409: (409,),
    422: (422,),
    "2XX": (200, 203),
    "4XX": (404, 410),
    "5XX": (503,),
    "default": (404, 501),
}


def find_user(token: str) -> str | None:
    return "ann" if token == "good" else None


TOKEN = HTTPBearer("token", verify=find_user, get_scopes=lambda user: ["read"])

SECURITY: t.Final = {
    "none": None,
    "token": TOKEN,
    "read": TOKEN.scopes("read"),
    "write": TOKEN.scopes("write"),
}

MEDIA_TYPES: t.Final = (
    "application/hal+json",
    "application/jsonl",
    "text/csv",
    "image/png",
)

#: What a view of a kind takes.
TYPES: t.Final = {"query": int, "json": Item, "form": t.Annotated[str, Form()]}

#: Requests that such a view accepts, and others.
ARGUMENTS: t.Final[dict[str, tuple[dict[str, t.Any], ...]]] = {
    "nothing": ({},),
    "query": ({"query_string": "name=1"}, {}, {"query_string": "name=a"}),
    "json": (
        {"json": {"name": "a"}},
        {"json": {}},
        {"data": "{", "content_type": "application/json"},
        {"data": "name=a", "content_type": "text/plain"},
        {"data": b"x" * 2000, "content_type": "application/json"},
    ),
    "form": ({"data": {"name": "a"}}, {"data": {}}, {"json": {"name": "a"}}),
}


class Failure(BaseModel):
    code: int


ERROR_FORMATS: t.Final = (
    "pydantic2",
    "pydantic1",
    "problem",
    "fastapi",
    ErrorFormat(
        status=418,
        media_type="application/vnd.shop+json",
        request_model=Problem,
        request_builder=lambda error: {"reason": f"{len(error.errors)} mistakes"},
        http_model=Failure,
        http_builder=lambda error: {"code": error.code, "secret": "left out"},
    ),
    ErrorFormat(http_model=Failure, http_builder=lambda error: {"code": error.code}),
)


def raise_refusal() -> t.NoReturn:
    raise RequestValidationError.of(("body", "name"), "is taken")


@dataclass
class Operation:
    """What is drawn of one operation.

    :param members: of the return annotation, none where there is no annotation.
    :param responses: the numbers of what is declared, by status.
    :param config: of the application.
    """

    members: list[Member]
    options: dict[str, t.Any]
    responses: dict[t.Any, int]
    method: str
    arguments: str
    security: str
    config: dict[str, t.Any]

    def view(self, answer: Callable[[], t.Any]) -> Callable[..., t.Any]:
        """A view with the arguments and the return annotation that were drawn."""

        def nothing():
            return answer()

        def taking(name):
            return answer()

        view = nothing if self.arguments == "nothing" else taking
        if view is taking:
            view.__annotations__["name"] = TYPES[self.arguments]
        if self.members:
            members = tuple(member.tp for member in self.members)
            view.__annotations__["return"] = t.Union[members]
        return view

    def add_to(self, app: Flask, answer: Callable[[], t.Any]) -> None:
        """Register the operation.

        :raises SignatureError: if it contradicts itself.
        """
        app.add_url_rule(
            "/",
            "view",
            self.view(answer),
            methods=[self.method],
            responses={key: DECLARED[n][0] for key, n in self.responses.items()},
            security=SECURITY[self.security],
            **self.options,
        )

    def answers(self) -> Iterator[Answer]:
        """What the view may return or raise."""
        own = {member.status for member in self.members}
        for member in self.members or [Member(body, None) for body in PLAIN]:
            # A stream beside another model has no format.
            if member.body is not STREAM or "response_model" not in self.options:
                yield from self._returned(member)
        for key, number in self.responses.items():
            for status in KEYS[key]:
                if status not in own and self._key_of(status) == key:
                    yield from self._declared(number, status)
        yield from self._raised(own)

    def _raised(self, own: set[int | None]) -> Iterator[Answer]:
        """What raises an exception.

        :param own: the statuses that are annotated.
        """
        for status in self._errors():
            for description in (None, "Gone.", {"code": 7}):
                yield lambda status=status, text=description: abort(status, text)
        # responses=[422] is for what refuses with that.
        is_422 = self.config["SIGNATURE_ERROR_FORMAT"] in (
            *("pydantic2", "problem", "fastapi"),
        )
        is_said = self.responses.get(422) == 4 and 422 not in own
        if self.arguments != "nothing" or (is_422 and is_said):
            yield raise_refusal
        yield lambda: 1 / 0

    def _returned(self, member: Member) -> Iterator[Answer]:
        default = self.options["status_code"] or BY_METHOD[self.method]
        says = self.says(default if member.status is None else member.status)
        # What is said of the content is all that is known of any other.
        if self.members or not (isinstance(says, dict) and "content" in says):
            yield from member.answers()

    def is_none(self, status: int) -> bool:
        """Whether ``responses=`` says ``None`` of a status that is not annotated."""
        annotated = any(member.status == status for member in self.members)
        key = self._key_of(status)
        return key is not None and self.says(status) is None and not annotated

    def _declared(self, number: int, status: int) -> Iterator[Answer]:
        says, values = DECLARED[number]
        for value in values:
            yield lambda value=value: (value(), status)
        if 200 <= status < 300 and says is None:
            for member in self.members:
                if member.status is None:
                    for value in member.body.values:
                        yield lambda value=value: (value(), status)

    def _errors(self) -> set[int]:
        """The statuses of errors that may be raised."""
        named = {member.status for member in self.members}
        named |= {status for key in self.responses for status in KEYS[key]}
        found = {status for status in named if status is not None and status >= 400}
        found = {status for status in found if not self.is_none(status)}
        # Without a model it is that of refused requests.
        is_annotated = any(member.status == 422 for member in self.members)
        if self.says(422) in (None, DESCRIBED) and not is_annotated:
            found.discard(422)
        return found

    def says(self, status: int) -> t.Any:
        """What ``responses=`` says of a status, ``None`` for nothing."""
        return DECLARED[self.responses.get(self._key_of(status), 0)][0]

    def _key_of(self, status: int | None) -> t.Any:
        """The key of ``responses=`` that is about a status, ``None`` without one."""
        code = status or 0
        keys = (status, f"{code // 100}XX", "default" if code >= 400 else None)
        return next((key for key in keys if key in self.responses), None)


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    def one_of(*values: t.Any) -> t.Any:
        return draw(st.sampled_from(values))

    model = one_of({}, {}, {}, {"response_model": Item}, {"response_model": None})
    # Without a response model the annotation is not read.
    size = 0 if model.get("response_model", ...) is None else 3
    return Operation(
        members=draw(st.lists(MEMBERS, max_size=size)),
        options={
            "status_code": one_of(None, None, 200, 202, 404),
            "media_type": one_of(None, None, *MEDIA_TYPES),
            "etag": one_of(False, False, True),
            "response_model_by_alias": one_of(True, True, False),
            "response_model_exclude_none": one_of(False, True),
            **model,
        },
        responses=draw(
            st.dictionaries(
                st.sampled_from([*KEYS]), st.integers(0, len(DECLARED) - 1), max_size=3
            )
        ),
        method=one_of("GET", "POST", "PUT", "DELETE", "PATCH"),
        arguments=one_of(*ARGUMENTS),
        security=one_of("none", *SECURITY),
        config={"SIGNATURE_ERROR_FORMAT": one_of(*ERROR_FORMATS)},
    )


def check(
    drawn: Operation, client: FlaskClient, document: t.Any, **request: t.Any
) -> TestResponse:
    """The response to a request, which is held against the document."""
    response = client.open("/", method=drawn.method, **request)
    responses = document["paths"]["/"][drawn.method.lower()]["responses"]
    status = response.status_code
    names = (str(status), f"{status // 100}XX", "default")
    described = next((responses[key] for key in names if key in responses), None)
    if described is None:
        assert status == 500
    # Of some errors nothing is said but that they are there.
    elif "content" in described or status < 400 or not drawn.is_none(status):
        check_response(document, "/", response)
    return response


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES == 100)
@given(operations())
def test_every_response_is_described(drawn):
    app, answers = Flask(__name__), [lambda: None]
    app.logger.disabled = True
    app.config.update(drawn.config, MAX_CONTENT_LENGTH=1000)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SignatureWarning)
            drawn.add_to(app, lambda: answers[0]())
            app.init_app()
    except SignatureError:
        reject()
    client = app.test_client(use_cookies=False)
    document = client.get("/openapi.json").get_json()
    send = partial(check, drawn, client, document)
    good = {"headers": {"Authorization": "Bearer good"}}
    accepted, *others = ARGUMENTS[drawn.arguments]
    for headers in ({}, {"headers": {"Authorization": "Bearer bad"}}):
        if drawn.security != "none":
            assert send(**headers, **accepted).status_code == 401
    for request in others:
        send(**good, **request)
    for answer in drawn.answers():
        answers[0] = answer
        response = send(**good, **accepted)
        if etag := response.headers.get("ETag"):
            conditional = {"If-None-Match": etag, **good["headers"]}
            send(headers=conditional, **accepted)
