"""Logging in and out, and the tokens of scripts."""

from __future__ import annotations

import typing as t

from flask import current_app

from flask_signature import Blueprint, Cookie, Form
from flask_signature.errors import HTTPErrorMessage

from ..fields import DatabaseId
from . import schemas, tables, tokens
from .access import LOGIN
from .logins import (
    COOKIE,
    check_credentials,
    cookie_of,
    create_login,
    find_user,
    remove_login,
)

bp = Blueprint("session", __name__, url_prefix="/session", tags=["Session"])

#: The token of a login. A browser that never logged in sends none.
Token = t.Annotated[
    str | None, Cookie(alias=COOKIE, description="As the login set it.")
]

#: Who has logged in. A token is not enough to get or to revoke tokens.
Owner = t.Annotated[tables.User, LOGIN]


@bp.post("")
def log_in(
    credentials: t.Annotated[schemas.Credentials, Form()],
) -> (
    tuple[schemas.Session, t.Literal[201], schemas.LoginCookie]
    | tuple[HTTPErrorMessage, t.Literal[401]]
):
    """Log in, and get the cookie that the other operations ask for."""
    user = check_credentials(credentials)
    if user is None:
        problem = "The username or the password is wrong."
        return HTTPErrorMessage(message=problem), 401
    lifetime = current_app.config["LOGIN_LIFETIME"]
    cookie = cookie_of(create_login(user), max_age=lifetime)
    session = schemas.Session.model_validate({"user": user})
    return session, 201, {"set_cookie": [cookie]}


@bp.get("")
def show_session(token: Token = None) -> schemas.Session:
    """Show who is logged in on this browser.

    Everybody may ask. A login that has expired is nobody's, and no reason for a 401.
    """
    user = None if token is None else find_user(token)
    return schemas.Session.model_validate({"user": user})


@bp.delete("")
def log_out(
    token: Token = None,
) -> tuple[None, t.Literal[204], schemas.LoginCookie]:
    """Log out, on this browser only."""
    if token is not None:
        remove_login(token)
    return None, 204, {"set_cookie": [cookie_of("", max_age=0)]}


@bp.post("/tokens")
def create_token(new: schemas.NewToken, owner: Owner) -> schemas.CreatedToken:
    """Create a token, with which a script does what its owner may do.

    The script sends it as `Authorization: Bearer ...`, until it expires or is revoked.
    """
    return tokens.create_token(new, owner)


@bp.get("/tokens", response_model=list[schemas.Token])
def list_tokens(owner: Owner) -> list[tables.Token]:
    """List one's tokens, the newest first."""
    return tokens.list_tokens(owner)


@bp.delete("/tokens/<int:token_id>")
def revoke_token(
    token_id: DatabaseId, owner: Owner
) -> tuple[HTTPErrorMessage, t.Literal[404]] | None:
    """Revoke a token of one's own, at once."""
    if tokens.remove_token(token_id, owner):
        return None
    return {"message": f"You have no token {token_id}."}, 404
