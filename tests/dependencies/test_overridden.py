"""What ``app.dependency_overrides`` can stand for."""

from __future__ import annotations

import typing as t

import pytest

from flask_signature import Depends, Flask, SignatureError
from flask_signature.security import APIKey, HTTPBearer


def find_user(token: str) -> str | None:
    return token if token == "good" else None


LOGIN = APIKey("login", "session", "cookie", verify=find_user)
TOKEN = HTTPBearer("token", verify=find_user)


@pytest.mark.parametrize(
    "key",
    [
        LOGIN | TOKEN,
        LOGIN.scopes("staff"),
        t.Annotated[str, LOGIN],
        Depends(find_user),
        "find_user",
    ],
    ids=["requirement", "scopes", "alias", "marker", "name"],
)
def test_a_key_that_overrides_nothing_is_refused(app: Flask, key: t.Any) -> None:
    with pytest.raises(SignatureError) as caught:
        app.dependency_overrides[key] = lambda: "Ann"

    assert str(caught.value) == (
        "dependency_overrides has a key that nothing depends on. Use the function or"
        " the class that is called, or a security scheme: 'login' instead of"
        " 'login.scopes(...)', and 'login', 'token' or both instead of 'login |"
        " token'."
    )
    assert len(app.dependency_overrides) == 0


@pytest.mark.parametrize("scheme", [LOGIN, TOKEN], ids=["login", "token"])
def test_one_scheme_of_several_is_overridden(app: Flask, scheme: t.Any) -> None:
    @app.get("/me")
    def me(user: t.Annotated[str, LOGIN | TOKEN]) -> str:
        return user

    app.dependency_overrides[scheme] = lambda: "Ann"
    assert app.test_client().get("/me").text == "Ann"

    del app.dependency_overrides[scheme]
    assert app.test_client().get("/me").status_code == 401


@pytest.mark.parametrize(
    ("fake", "shown"),
    [(lambda: "nobody", "nobody"), (lambda user: f"fake {user}", "fake good")],
    ids=["nothing", "user"],
)
def test_a_dependency_that_takes_a_user_is_overridden(
    app: Flask, fake: t.Callable[..., str], shown: str
) -> None:
    def get_name(user: t.Annotated[str, TOKEN]) -> str:
        return user

    @app.get("/name")
    def show_name(name: str = Depends(get_name)) -> str:
        return name

    app.dependency_overrides[get_name] = fake
    client = app.test_client()
    headers = {"Authorization": "Bearer good"}
    assert client.get("/name", headers=headers).text == shown
    assert client.get("/name").status_code == 401
