"""The challenges of a refusal, where schemes are combined."""

from __future__ import annotations

from flask_signature.security import APIKey, HTTPBearer


def test_401_does_not_say_that_a_scope_lacks(app, client):
    token = HTTPBearer("token", verify=lambda token: token, get_scopes=lambda user: [])
    key = APIKey("key", "X-Key", verify=lambda key: key == "good")

    @app.get("/", security=token.scopes("write") & key)
    def show() -> str:
        return "shown"

    headers = {"Authorization": "Bearer ann", "X-Key": "bad"}
    response = client.get("/", headers=headers)

    assert response.status_code == 401
    assert response.headers.getlist("WWW-Authenticate") == [
        'Bearer realm="token"',
        'APIKey realm="key", name="X-Key", in="header"',
    ]
