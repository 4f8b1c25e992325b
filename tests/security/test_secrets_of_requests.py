"""Credentials are in no response, no line of a log and no ``repr()``."""

from __future__ import annotations

import functools
import logging
import typing as t
from base64 import b64encode

import pytest
from senders import basic, bearer, show

from flask_signature import Blueprint, Depends, Header
from flask_signature.security import APIKey, HTTPBasic, HTTPBearer

SECRET = "S3CR3T"
ENCODED = b64encode(f"Ann:{SECRET}".encode()).decode()

#: Wrong in every way that there is.
REQUESTS: t.Final = {
    "token": {"headers": bearer(SECRET)},
    "malformed token": {"headers": bearer(f"{SECRET} {SECRET}")},
    "password": {"headers": basic("Ann", SECRET)},
    "malformed password": {"headers": {"Authorization": f"Basic {SECRET}"}},
    "key": {"headers": {"X-Key": SECRET}},
    "malformed key": {"headers": {"X-Key": f"{SECRET}\x7f"}},
    "cookie": {"headers": {"Cookie": f"sid={SECRET}; sid={SECRET}"}},
    "query": {"query_string": f"key={SECRET}&key={SECRET}"},
    "other scheme": {"headers": {"Authorization": f"Digest {SECRET}"}},
}


def refuse(*credentials: str) -> None: ...


def take(*credentials: str) -> str:
    return "user"


def fail(*credentials: str) -> t.NoReturn:
    raise RuntimeError("The database is down.")


def return_response(*credentials: str) -> t.Any:
    return "no", 401


def need_header(
    first: str, second: str = "", x_number: t.Annotated[int, Header()] = 0
) -> str: ...


def make_requirement(verify: t.Callable[..., t.Any]) -> t.Any:
    options: dict[str, t.Any] = {"verify": verify, "get_scopes": lambda user: []}
    schemes = [
        HTTPBearer("token", **options),
        HTTPBasic("basic", **options),
        APIKey("key", "X-Key", **options),
        APIKey("sid", "sid", "cookie", **options),
        APIKey("query", "key", "query", **options),
    ]
    asked = [scheme.scopes("admin") for scheme in schemes]
    return functools.reduce(lambda one, other: one | other, asked)


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize(
    "verify",
    [refuse, take, fail, return_response, need_header],
    ids=lambda it: it.__name__,
)
@pytest.mark.parametrize("debug", [True, False])
def test_d16_credentials_are_nowhere(app, caplog, capsys, verify, sent, debug):
    caplog.set_level(logging.DEBUG)
    app.debug = debug
    app.config["PROPAGATE_EXCEPTIONS"] = False
    bp = Blueprint("bp", __name__, security=make_requirement(verify))

    @bp.get("/")
    def show(x_number: int = Header(0)) -> str:
        return "shown"

    app.register_blueprint(bp)
    app.init_app()
    headers = {**sent.get("headers", {}), "X-Number": "x"}

    client = app.test_client(use_cookies=False)
    response = client.get("/", **{**sent, "headers": headers})

    assert response.status_code in (401, 403, 422, 500)
    shown = [response.text, str(response.headers), caplog.text, *capsys.readouterr()]
    for secret in (SECRET, ENCODED):
        assert secret not in "".join(shown)


def test_nothing_that_is_kept_shows_credentials(app, client):
    verify = functools.partial(lambda secret, token: token, SECRET)
    scheme = HTTPBearer("token", verify=verify)
    seen = []

    def look(user: t.Annotated[str, scheme]) -> None:
        seen.append(user)

    app.get("/", security=scheme, dependencies=[look])(lambda: "shown")
    app.dependency_overrides[verify] = lambda token: token

    assert client.get("/", headers=bearer("x")).status_code == 200
    kept = [scheme, scheme | None, scheme.scopes("a"), app.dependency_overrides]
    assert SECRET not in repr(kept)


def test_frames_of_an_exception_show_no_check_of_credentials(app, client):
    """A debugger shows the variables of frames, and so does a service for errors."""

    def find(key: str, db: t.Annotated[t.Any, Depends(fail)]) -> None: ...

    key = APIKey("key", "X-Key", verify=find)
    app.get("/", security=key | HTTPBearer("token", verify=take))(show)
    app.testing = True

    with pytest.raises(RuntimeError) as caught:
        client.get("/", headers={"X-Key": SECRET})

    shown = {
        name: repr(value)
        for entry in caught.traceback
        if "_dependencies" in str(entry.path)
        for name, value in entry.frame.f_locals.items()
        if "Check" in type(value).__name__
    }
    assert shown
    assert SECRET not in "".join(shown.values())
