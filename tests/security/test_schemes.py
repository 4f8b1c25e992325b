"""Schemes: the functions they are given, their challenges, and scopes."""

from __future__ import annotations

import copy
import dataclasses
import functools
import typing as t

import pytest
from messages import message_of
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.http import parse_dict_header
from werkzeug.wrappers import Response

import flask_signature
from flask_signature import Scopes
from flask_signature.security import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
    SecurityScheme,
)

FLOW = OAuthFlow(token_url="https://login.test/token")

MAKERS: dict[str, t.Callable[..., SecurityScheme[t.Any]]] = {
    "bearer": functools.partial(HTTPBearer, "x"),
    "basic": functools.partial(HTTPBasic, "x"),
    "key": functools.partial(APIKey, "x", "X-Key"),
    "oauth2": functools.partial(OAuth2, "x", password=FLOW),
    "openid": functools.partial(OpenIDConnect, "x", "https://login.test"),
}


def find_user(*credentials: str) -> str:
    return "ann"


def scopes_of(user: str) -> str:
    return "read"


every_scheme = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@every_scheme
def test_schemes_are_the_same_only_if_they_are_one_object(make):
    one, other = make(), make()
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2


@every_scheme
def test_scheme_cannot_be_changed(make):
    with pytest.raises(dataclasses.FrozenInstanceError):
        make().verify = find_user


@every_scheme
def test_scheme_verifies_if_a_function_finds_who_sent_a_request(make):
    assert not make().verifies
    assert not make(description="For machines.").verifies
    assert make(verify=find_user).verifies
    assert make(authenticate=find_user).verifies
    assert make(verify=find_user, get_scopes=scopes_of).verifies


@pytest.mark.parametrize(
    ("make", "option", "arguments"),
    [
        (lambda: HTTPBearer("x", find_user), "bearer_format", "token"),
        (lambda: APIKey("x", find_user), "key", "key"),
        (
            lambda: HTTPBasic("x", description=find_user),
            "description",
            "username, password",
        ),
    ],
    ids=["HTTPBearer", "APIKey", "HTTPBasic"],
)
def test_function_without_its_keyword_is_refused(make, option, arguments, request):
    scheme = request.node.callspec.id

    assert message_of(make) == (
        f"{scheme}('x'): {option}= is a function. Write verify=find_user, with"
        f" 'def find_user({arguments})'."
    )


@every_scheme
def test_functions_are_not_described(make):
    verifying = make(verify=find_user, get_scopes=scopes_of, description="Sent.")
    assert verifying.describe() == make(description="Sent.").describe()


@every_scheme
def test_secrets_that_are_bound_to_a_function_are_not_shown(make):
    scheme = make(verify=functools.partial(find_user, "S3CR3T"))
    assert "S3CR3T" not in repr(scheme) + repr(scheme.scopes("read") | None)


async def scopes_later(user: str) -> str:
    return "read"


NO_FUNCTION: t.Final = "which can't be called. Give a function:"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(
            {"verify": find_user, "authenticate": find_user},
            "there are both verify= and authenticate=. Give verify= to check the"
            " credentials that are read for you, or authenticate= to read the"
            " request yourself.",
        ),
        pytest.param(
            {"get_scopes": scopes_of},
            "there is get_scopes=, but nothing that finds whose scopes they are."
            " Add verify=find_user, with 'def find_user(token)'.",
        ),
        pytest.param(
            {"verify": "S3CR3T"},
            f"verify= is of type 'str', {NO_FUNCTION} verify=find_user, with"
            " 'def find_user(token)'.",
        ),
        pytest.param(
            {"authenticate": 3},
            f"authenticate= is of type 'int', {NO_FUNCTION} authenticate=find_user,"
            " with 'def find_user()'.",
        ),
        pytest.param(
            {"verify": find_user, "get_scopes": ["read"]},
            f"get_scopes= is of type 'list', {NO_FUNCTION}"
            " get_scopes=lambda user: user.scopes.",
        ),
        pytest.param(
            {"verify": find_user, "get_scopes": scopes_later},
            "get_scopes= is a coroutine function. Write it with 'def', and load what it"
            " needs in verify=.",
        ),
    ],
    ids=["both", "scopes-alone", "string", "integer", "list", "coroutine"],
)
def test_functions_that_cannot_be_are_refused(options, message):
    told = message_of(lambda: HTTPBearer("x", **options))

    assert told == f"HTTPBearer('x'): {message}"


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("wrong", [0, 3, False, "", {}], ids=repr)
def test_error_shows_what_the_function_takes(name, wrong):
    arguments = {"basic": "username, password", "key": "key"}.get(name, "token")
    told = message_of(lambda: MAKERS[name](verify=wrong))
    assert "can't be called" in told
    assert f"def find_user({arguments})" in told


def test_scopes_are_strings():
    assert message_of(lambda: HTTPBearer("x").scopes(["read", "write"])) == (
        "HTTPBearer('x'): scopes() takes strings. Write scopes('read', 'write')."
    )


class TestChallenges:
    """What stands in the ``WWW-Authenticate`` header of a refusal."""

    @every_scheme
    def test_challenge_is_werkzeugs(self, make):
        challenge = make().challenge()
        response = Response()
        response.www_authenticate = [challenge, HTTPBasic("y").challenge()]

        assert isinstance(challenge, WWWAuthenticate)
        assert response.headers.getlist("WWW-Authenticate") == [
            challenge.to_header(),
            'Basic realm="y", charset="UTF-8"',
        ]
        assert WWWAuthenticate.from_header(str(challenge)) == challenge
        assert copy.copy(make()).challenge() == challenge

    @pytest.mark.parametrize(
        ("name", "realm"),
        [
            ('a "b" \\ c', 'a "b" \\ c'),
            ("a\r\nSet-Cookie: b", "a%0D%0ASet-Cookie: b"),
            ("läden", "l%C3%A4den"),
            ("a\x00\x7f", "a%00%7F"),
            ("\ud800", "?"),
            ("", ""),
        ],
        ids=["quotes", "lines", "letters", "controls", "surrogate", "empty"],
    )
    def test_names_are_quoted(self, name, realm):
        for scheme in (HTTPBearer(name), HTTPBasic(name), APIKey(name, name)):
            header = scheme.challenge("invalid_token", [name]).to_header()
            response = Response(headers={"WWW-Authenticate": header})

            assert response.headers["WWW-Authenticate"].isascii()
            assert header.isprintable()
            assert parse_dict_header(header.partition(" ")[2])["realm"] == realm


class TestScopes:
    """Scopes are a tuple whose string OAuth 2 libraries can read."""

    def test_they_are_joined_by_spaces(self):
        assert str(Scopes(["a", "b:c"])) == "a b:c"
        assert f"{Scopes(['a', 'b'])}" == "a b"
        assert str(Scopes()) == ""

    def test_they_are_a_tuple(self):
        scopes = Scopes(["b", "a"])
        assert scopes == ("b", "a")
        assert scopes == Scopes("b a")
        assert isinstance(scopes, tuple)
        assert flask_signature.security.Scopes is Scopes

    def test_they_can_be_copied(self):
        scopes = Scopes(["a b", "c"])
        assert copy.deepcopy(scopes) == scopes
