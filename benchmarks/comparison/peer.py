"""A library that is compared: its module, its application, and what that answers."""

from __future__ import annotations

import importlib
import json
import typing as t
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlencode

from ..answer import Answer
from ..gateway import App
from ..scenario import Request

PEERS: t.Final = (
    "ours",
    "apiflask",
    "flask_smorest",
    "flask_openapi3",
    "flask_pydantic",
    "spectree",
    "flask_restx",
    "fastapi",
    "litestar",
)

JSON: t.Final = "application/json"
FORM: t.Final = "application/x-www-form-urlencoded"
MULTIPART: t.Final = "multipart/form-data; boundary=limit"
PHOTO: t.Final = (
    b'--limit\r\nContent-Disposition: form-data; name="photo"; filename="chair.png"\r\n'
    b"Content-Type: image/png\r\n\r\nsmall\r\n--limit--\r\n"
)


@dataclass(frozen=True)
class Order:
    """A request to ``/orders``, each part of which can be made invalid."""

    page: str = "3"
    count: str = "4"
    size: str = "5"
    item: dict[str, t.Any] = field(
        default_factory=lambda: {"name": "Chair", "price": 2.5}
    )

    def to_request(self) -> Request:
        """The request as it is sent."""
        return Request(
            "/orders",
            "POST",
            query=urlencode({"page": self.page}),
            headers=(("X-Count", self.count), ("Cookie", f"size={self.size}")),
            content_type=JSON,
            body=json.dumps(self.item).encode(),
        )


def note(n: str) -> Request:
    """A form with one field."""
    return Request("/notes", "POST", content_type=FORM, body=f"n={n}".encode())


UPLOAD: t.Final = Request("/photos", "POST", content_type=MULTIPART, body=PHOTO)


@dataclass
class Peer:
    """A module of :mod:`benchmarks.comparison.peers`."""

    name: str

    @cached_property
    def module(self) -> t.Any:
        """The module.

        :raises ImportError: if the library is not installed.
        """
        return importlib.import_module(f"{__package__}.peers.{self.name}")

    @cached_property
    def app(self) -> App:
        """Its application."""
        return self.module.build()

    @cached_property
    def document(self) -> dict[str, t.Any]:
        """Its OpenAPI document, empty where it has none."""
        if self.module.DOCUMENT is None:
            return {}
        answer = self.get(self.module.DOCUMENT)
        if answer.status != 200:
            raise RuntimeError(f"{self.name} describes nothing: {answer.status}")
        return t.cast("dict[str, t.Any]", json.loads(answer.body))

    def operation(self, path: str) -> dict[str, t.Any]:
        """What the document says of ``GET`` at a path, empty where it says nothing."""
        return t.cast(
            "dict[str, t.Any]",
            self.document.get("paths", {}).get(path, {}).get("get", {}),
        )

    def ask(self, request: Request, app: App = None) -> Answer:
        """The answer to a request; 500 where the application lets an error pass."""
        try:
            return t.cast(Answer, self.module.GATEWAY.ask(app or self.app, request))
        except Exception:
            # A server answers for an application that raises: FastAPI does.
            return Answer(500, b"")

    def get(self, path: str, app: App = None, **query: str) -> Answer:
        """The answer to ``GET``."""
        return self.ask(Request(path, query=urlencode(query)), app)

    def has(self, path: str) -> bool:
        """Whether the application has this route."""
        return self.get(path).status != 404


def read(answer: Answer) -> dict[str, t.Any]:
    """The JSON object of an answer, empty where it is a refusal."""
    if answer.status >= 400:
        return {}
    return t.cast("dict[str, t.Any]", json.loads(answer.body))
