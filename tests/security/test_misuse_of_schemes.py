"""What is refused where schemes are declared, in full."""

from __future__ import annotations

import functools
import typing as t
from contextlib import contextmanager

import flask
import pytest
from messages import message_of
from senders import KEY, TOKEN

from flask_signature import Blueprint, Depends, Flask, Query, SignatureError
from flask_signature.security import APIKey, HTTPBasic, HTTPBearer, Scopes

DESCRIBING = HTTPBearer("docs")
UNSCOPED = HTTPBearer("plain", verify=lambda token: token)


class User: ...


def find_user(token: str) -> User | None: ...


def find_name(token: str) -> str: ...


def find_users(token: str) -> t.Iterator[User]: ...


USERS = HTTPBearer("users", verify=find_user)
NAMES = HTTPBearer("names", verify=find_name)


def take_user(user: t.Annotated[User, USERS]) -> User: ...


def show(): ...


def both_ways(user: t.Annotated[str, TOKEN]): ...


def default(user: User = USERS): ...


def requirement_as_default(user: User = USERS.scopes() | TOKEN): ...


def second_default(user: t.Annotated[User, USERS] = None): ...


def depended(user: User = Depends(USERS)): ...


def class_of_schemes(user: t.Annotated[User, HTTPBearer]): ...


def class_as_default(user: User = HTTPBasic): ...


def depended_class(user: t.Annotated[User, Depends(HTTPBearer)]): ...


def two_schemes(user: t.Annotated[User, USERS, TOKEN]): ...


def scheme_and_query(user: t.Annotated[User, USERS, Query()]): ...


def inside(user: t.Annotated[User, USERS] | None): ...


def inside_a_list(users: list[t.Annotated[User, USERS]]): ...


def describing(user: t.Annotated[User, DESCRIBING]): ...


def named(user: t.Annotated[User, USERS | "docs"]): ...


def optional(user: t.Annotated[User, USERS | None]): ...


def scopes(scopes: Scopes): ...


def guarded(found: User = Depends(take_user)): ...


def unscoped(user: t.Annotated[str, UNSCOPED.scopes("read")]): ...


def other_scheme(user: t.Annotated[t.Any, HTTPBearer("token", verify=find_user)]): ...


def positional(user: t.Annotated[User, USERS], /): ...


def verify_nothing() -> User: ...


def verify_last(db: t.Annotated[int, Depends(lambda: 1)], token: str) -> str:
    return f"{db} {token}"


def verify_one(username: str) -> User: ...


def verify_body(token: str, body: dict[str, int]) -> User: ...


def verify_with_user(token: str, found: User = Depends(take_user)) -> str: ...


def verify_by_scheme(token: str, user: t.Annotated[User, USERS]) -> str: ...


@contextmanager
def verify_within(token: str) -> t.Iterator[str]:
    yield token


def place(function: t.Any) -> str:
    line = function.__code__.co_firstlineno
    return f"tests/security/test_misuse_of_schemes.py, line {line}"


def case(view: t.Any, problem: str, **options: t.Any) -> t.Any:
    name = problem if view is show else view.__name__
    return pytest.param(view, problem, options, id=name[:50])


@pytest.mark.parametrize(
    ("view", "problem", "options"),
    [
        case(
            show,
            "security= has HTTPBearer('token'), which verifies, beside 'docs', which"
            " only describes, so that no request would be checked. Give it verify= or"
            " authenticate=.",
            security=TOKEN | "docs",
        ),
        case(
            show,
            "security= has HTTPBearer('token'), which verifies, beside 'other', which"
            " only describes, so that no request would be checked. Give it verify= or"
            " authenticate=.",
            security=[{"other": []}, TOKEN],
        ),
        case(
            other_scheme,
            "A requirement has two schemes of the name 'token'. Use one object in both"
            " places, or give them different names.",
            security=TOKEN,
        ),
        case(
            show,
            "dependencies= of show() depends on a security scheme. Write"
            " Annotated[User, scheme] in a signature, or security=scheme on a route or"
            " a blueprint.",
            dependencies=[TOKEN],
        ),
        case(
            show,
            "dependencies= of show() depends on a security scheme. Write"
            " Annotated[User, scheme] in a signature, or security=scheme on a route or"
            " a blueprint.",
            dependencies=[TOKEN.scopes("read") & KEY],
        ),
        case(
            show,
            "dependencies= of show() depends on a security scheme. Write"
            " Annotated[User, scheme] in a signature, or security=scheme on a route or"
            " a blueprint.",
            dependencies=[HTTPBearer],
        ),
        case(
            depended,
            "'user' of depended() depends on a security scheme. Write"
            " Annotated[User, scheme] in a signature, or security=scheme on a route or"
            " a blueprint.",
        ),
        case(
            depended_class,
            "'user' of depended_class() depends on a security scheme. Write"
            " Annotated[User, scheme] in a signature, or security=scheme on a route or"
            " a blueprint.",
        ),
        case(
            class_of_schemes,
            "'user' of class_of_schemes() is declared with the class HTTPBearer, which"
            " is no scheme. Write HTTPBearer('token', verify=...), or another name.",
        ),
        case(
            class_as_default,
            "'user' of class_as_default() is declared with the class HTTPBasic, which"
            " is no scheme. Write HTTPBasic('token', verify=...), or another name.",
        ),
        case(
            default,
            "'user' of default() has HTTPBearer('users') as its default. Write"
            " Annotated[..., scheme], so that its type is known.",
        ),
        case(
            requirement_as_default,
            "'user' of requirement_as_default() has a security requirement as its"
            " default. Write Annotated[..., scheme], so that its type is known.",
        ),
        case(
            second_default,
            "'user' of second_default() has a default, but is always supplied by"
            " HTTPBearer('users'). Remove the default. Write Annotated[User | None,"
            " scheme | None] if no credentials are needed.",
        ),
        case(
            two_schemes,
            "'user' of two_schemes() has two locations, HTTPBearer('users') and"
            " HTTPBearer('token'). Keep one.",
        ),
        case(
            scheme_and_query,
            "'user' of scheme_and_query() has two locations, HTTPBearer('users') and"
            " Query(). Keep one.",
        ),
        case(
            inside,
            "'user' of inside() has its HTTPBearer('users') inside of its type. Put it"
            " around the whole type: Annotated[..., HTTPBearer('users')].",
        ),
        case(
            inside_a_list,
            "'users' of inside_a_list() has its HTTPBearer('users') inside of its type."
            " Put it around the whole type: Annotated[..., HTTPBearer('users')].",
        ),
        case(
            describing,
            "'user' of describing() takes what the scheme 'docs' gives, which only"
            " describes. Give it verify= or authenticate=.",
        ),
        case(
            named,
            "'user' of named() takes what the scheme 'docs' gives, which only"
            " describes. Give it verify= or authenticate=.",
        ),
        case(
            optional,
            "'user' of optional() is annotated 'User', but its requirement is optional,"
            " so that it may be None. Write Annotated[User | None, ...].",
        ),
        case(
            scopes,
            "'scopes' of scopes() is annotated Scopes, which only a function of verify="
            " or authenticate= is given. Remove it.",
        ),
        case(
            unscoped,
            "HTTPBearer('plain') is asked for scopes, but has no get_scopes=, which"
            " says what a user may do. Add get_scopes=lambda user: user.scopes.",
        ),
        case(
            show,
            "HTTPBearer('plain') is asked for scopes, but has no get_scopes=, which"
            " says what a user may do. Add get_scopes=lambda user: user.scopes.",
            security=TOKEN | UNSCOPED.scopes("a"),
        ),
        case(
            both_ways,
            "'user' of both_ways() needs the scheme 'token', but the route says"
            " security=None. Remove one of them.",
            security=None,
        ),
        case(
            guarded,
            "'user' of take_user() needs the scheme 'users', but the route says"
            " security=None. Remove one of them.",
            security=None,
        ),
        case(
            show,
            "'user' of take_user() needs the scheme 'users', but the route says"
            " security=None. Remove one of them.",
            security=None,
            dependencies=[take_user],
        ),
        case(
            positional,
            "'user' of positional() is positional-only, but is passed by its name."
            " Remove the '/' from its signature.",
        ),
        case(
            show,
            "verify_nothing() verifies a credential, but does not take it. Make it the"
            " first of its arguments.",
            security=HTTPBearer("token", verify=verify_nothing),
        ),
        case(
            show,
            "'db' of verify_last() is given a credential, for it is among the first"
            " arguments, but is declared with Depends(). Put the credentials first.",
            security=HTTPBearer("token", verify=verify_last),
        ),
        case(
            show,
            "verify_one() verifies a user name and a password, but does not take both."
            " Make them the first of its arguments.",
            security=HTTPBasic("basic", verify=verify_one),
        ),
        case(
            show,
            "'user' of take_user() takes what a security scheme gives, but is called to"
            " verify HTTPBearer('token'). Read the request there.",
            security=HTTPBearer("token", verify=verify_with_user),
        ),
        case(
            guarded,
            "'user' of take_user() takes what a security scheme gives, but is called to"
            " verify HTTPBearer('token'). Read the request there.",
            security=HTTPBearer("token", verify=verify_with_user),
        ),
        case(
            show,
            "'user' of verify_by_scheme() takes what a security scheme gives, but is"
            " called to verify HTTPBearer('token'). Read the request there.",
            security=HTTPBearer("token", verify=verify_by_scheme),
        ),
        case(
            show,
            "the scheme 'token' depends on verify_within(), which is decorated with"
            " contextmanager. Remove the decorator: a generator function is a"
            " dependency as it is.",
            security=HTTPBearer("token", verify=verify_within),
        ),
    ],
)
@pytest.mark.parametrize("make", [Flask, flask.Flask])
def test_misuse_is_refused(make, view, problem, options):
    bp = Blueprint("bp", __name__)
    bp.post("/", **options)(view)

    assert (
        message_of(lambda: make(__name__).register_blueprint(bp))
        == f"POST /: {problem} ({place(view)})"
    )


@pytest.mark.parametrize(
    ("annotation", "requirement"),
    [
        (User, USERS),
        (User | None, USERS),
        (object, USERS),
        (t.Any, USERS | NAMES | None),
        (User | str, USERS | NAMES),
        (User | str | None, USERS | NAMES | None),
        (tuple[User, str], USERS & NAMES),
        (tuple[User, str] | None, (USERS & NAMES) | None),
        (tuple, USERS & NAMES),
        (tuple[t.Any, ...], USERS & NAMES),
        (User, HTTPBearer("users", verify=find_users)),
        (User, HTTPBearer("user", verify=lambda token: token)),
        (User, HTTPBearer("user", verify=functools.partial(find_user))),
        (bool, HTTPBearer("user", verify=lambda token: token == "")),
    ],
    ids=str,
)
def test_annotation_that_fits_is_accepted(app, annotation, requirement):
    @app.get("/")
    def show(user: t.Annotated[annotation, requirement]): ...


def test_two_schemes_of_one_name_are_refused_where_they_are_combined():
    assert message_of(lambda: TOKEN | APIKey("token", "X-Token", verify=find_name)) == (
        "A requirement has two schemes of the name 'token'. Use one object in both"
        " places, or give them different names."
    )


def test_misuse_around_a_plain_view_is_refused(app):
    bp = Blueprint("bp", __name__, security=TOKEN & "docs")
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/plain", view_func=show)
    bp.register_blueprint(plain)

    assert message_of(lambda: app.register_blueprint(bp)) == (
        "/plain: the plain view 'bp.plain.show': security= has HTTPBearer('token'),"
        " which verifies, beside 'docs', which only describes, so that no request"
        f" would be checked. Give it verify= or authenticate=. ({place(show)})"
    )


def test_application_whose_dependency_takes_a_scheme_has_no_open_route():
    app = Flask(__name__, dependencies=[take_user])

    with pytest.raises(SignatureError, match="but the route says security=None"):
        app.get("/", security=None)(show)
