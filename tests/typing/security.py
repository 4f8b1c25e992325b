"""A scheme is generic in what it gives, and so is a requirement."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal

from flask import Response
from pydantic import BaseModel
from typing_extensions import assert_type
from werkzeug.wrappers import Request

from flask_signature import Blueprint, Scopes
from flask_signature.security import (
    MALFORMED,
    AllOf,
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
    Requirement,
)

bp = Blueprint("accounts", __name__)


class Db:
    pass


class User(BaseModel):
    name: str
    scopes: list[str]


class Client(BaseModel):
    host: str


def find_user(token: str, db: Db) -> User | None:
    return None


async def find_user_later(token: str, db: Db) -> User | None:
    return None


def open_user(token: str) -> Iterator[User | None]:
    yield None


async def open_user_later(token: str) -> AsyncIterator[User]:
    yield User(name=token, scopes=[])


def find_client(key: str) -> Client | Literal[False]:
    return False


def check_password(username: str, password: str, db: Db) -> User | None:
    return None


async def current_user(db: Db, scopes: Scopes) -> User | None:
    return None


def number_of(number: int) -> User | None:
    return None


user = User(name="ann", scopes=["read"])
flow = OAuthFlow(token_url="https://login.test/token")
url = "https://login.test/.well-known/openid-configuration"

token = HTTPBearer("token", verify=find_user, get_scopes=lambda user: user.scopes)
HTTPBearer("locked", verify=find_user, responses={423: User})
HTTPBearer("locked", verify=find_user, responses=[423])
key = APIKey("key", "X-Key", verify=find_client)
basic = HTTPBasic("basic", verify=check_password)

# A scheme gives what its function returns, without what refuses.
assert_type(token, HTTPBearer[User])
assert_type(key, APIKey[Client])
assert_type(basic, HTTPBasic[User])
assert_type(HTTPBearer("token", verify=find_user), HTTPBearer[User])
assert_type(HTTPBearer("token", verify=find_user_later), HTTPBearer[User])
assert_type(HTTPBearer("token", verify=open_user), HTTPBearer[User])
assert_type(HTTPBearer("token", verify=open_user_later), HTTPBearer[User])
assert_type(HTTPBearer("token", authenticate=current_user), HTTPBearer[User])
assert_type(APIKey("key", "key", "query", authenticate=lambda: user), APIKey[User])
assert_type(OAuth2("login", password=flow, verify=find_user_later), OAuth2[User])
assert_type(OpenIDConnect("id", url, verify=find_user), OpenIDConnect[User])

# A scheme that only describes needs no annotation.
plain = HTTPBearer("token", bearer_format="JWT")
assert_type(plain, HTTPBearer[Any])
assert_type(OAuth2("login", description="For people.", password=flow), OAuth2[Any])

# Operators combine what schemes give.
assert_type(token.scopes("read"), Requirement[User])
assert_type(token | key, Requirement[User | Client])
assert_type(token | None, Requirement[User | None])
assert_type(None | token, Requirement[User | None])
assert_type(token | key | None, Requirement[User | Client | None])
assert_type(token & key, AllOf[User, Client])
assert_type(token & key & basic, AllOf[User, Client, User])
assert_type(token & (key & basic), AllOf[User, Client, User])
assert_type((token & key) & (key & basic), AllOf[User, Client, Client, User])
assert_type((token | key) & basic, AllOf[User | Client, User])
assert_type((token & key) | basic, Requirement[tuple[User, Client] | User])
assert_type(token.scopes("read") & key, AllOf[User, Client])
assert_type(token & "key", AllOf[User, Any])

pair: Requirement[tuple[User, Client]] = token & key
three: Requirement[tuple[User, Client, User]] = token & key & basic


def read_token(request: Request) -> str:
    sent = token.read_credentials(request)
    if sent is None or sent is MALFORMED:
        return ""
    assert_type(sent, tuple[str, ...])
    return sent[0]


@bp.get("/feed", security=token | key)
def feed(user: Annotated[User | None, token | None]) -> User | None:
    return user


@bp.get("/me", security=token.scopes("read") & key)
def me(both: Annotated[tuple[User, Client], token & key]) -> Response:
    assert_type(both, tuple[User, Client])
    return Response(both[0].name)


HTTPBearer("token", verify=3)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
HTTPBearer("token", verify=number_of)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
HTTPBasic("basic", verify=number_of)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
HTTPBearer("token", verify=find_user, get_scopes=len)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
