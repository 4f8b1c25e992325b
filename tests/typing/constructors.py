"""Constructors and registrations take what Flask's take, and what is ours."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import flask
from pydantic import BaseModel
from typing_extensions import assert_type

from flask_signature import Blueprint, Flask, __version__
from flask_signature.security import HTTPBearer


class Problem(BaseModel):
    message: str


class Tag(Enum):
    ITEMS = "Items"


# An application whose constructor passes on what it is given.
class Shop(Flask):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class Shelf(Blueprint):
    def __init__(self, name: str, *, is_open: bool = True) -> None:
        super().__init__(name, __name__, url_prefix=f"/{name}")
        self.is_open = is_open


def login_required(view: Callable[..., Any]) -> Callable[..., Any]:
    return view


app = Flask(
    __name__,
    "/static",
    Path("static"),
    static_host=None,
    host_matching=False,
    subdomain_matching=True,
    template_folder=None,
    instance_path=None,
    instance_relative_config=True,
    root_path=None,
    dependencies=[login_required],
    fast_dispatch=False,
)
bp = Blueprint(
    "items",
    __name__,
    None,
    None,
    "templates",
    "/items",
    subdomain="shop",
    url_defaults={"page": 1},
    root_path=None,
    cli_group=None,
    tags=["Items", Tag.ITEMS],
    decorators=[login_required],
    dependencies=(login_required,),
    responses={404: Problem},
    include_in_schema=True,
    security=HTTPBearer("token"),
    deprecated=False,
)
inner = Blueprint("inner", __name__, static_folder="static", static_url_path="/s")
plain = flask.Blueprint("plain", __name__)

bp.register_blueprint(inner, url_prefix="/inner", tags=["Inner"])
bp.register_blueprint(plain)
app.register_blueprint(
    bp,
    name="first",
    url_prefix="/first",
    subdomain=None,
    url_defaults={"page": 2},
    cli_group="items",
    tags=(Tag.ITEMS,),
    decorators=[login_required],
    dependencies=[],
    responses={404: {"description": "Not there"}},
    include_in_schema=False,
    security="token",
    deprecated=True,
)
app.register_blueprint(plain, name="second", decorators=[login_required])
Shop(__name__, static_folder=None).register_blueprint(Shelf("a", is_open=False))

assert_type(__version__, str)


class Own(Flask):
    fast_dispatch = False


own = Own(__name__, fast_dispatch=None)
assert_type(own.fast_dispatch, bool)
own.fast_dispatch = True

Flask(__name__, static_foldr="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Flask(__name__, static_folder=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Flask(__name__, fast_dispatch="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Flask()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Flask(__name__, tags=["x"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Blueprint("x", __name__, url_prefx="/")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Blueprint("x", __name__, tags=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Blueprint("x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
app.register_blueprint(bp, url_prefx="/")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
app.register_blueprint(bp, tags=[3])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
bp.register_blueprint(inner, tag=["x"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
app.register_blueprint("items")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
