"""What is refused where schemes are declared, in full."""

from __future__ import annotations

import functools
import typing as t
from contextlib import contextmanager

import pytest
from messages import message_of, place_of
from senders import KEY, TOKEN, guarded, plain, show

from flask_signature import Blueprint, Depends, Flask, Query, SignatureError
from flask_signature.security import HTTPBasic, HTTPBearer

DESCRIBING = HTTPBearer("docs")
UNSCOPED = HTTPBearer("plain", verify=lambda token: token)


class User: ...


def find_user(token: str) -> User | None: ...
def find_name(token: str) -> str: ...
def find_users(token: str) -> t.Iterator[User]: ...


USERS = HTTPBearer("users", verify=find_user)
NAMES = HTTPBearer("names", verify=find_name)


def take_user(user: t.Annotated[User, USERS]) -> User: ...
def guarded_view(found: User = Depends(take_user)): ...
def positional(user: t.Annotated[User, USERS], /): ...
def verify_nothing() -> User: ...
def verify_last(db: t.Annotated[int, Depends(lambda: 1)], token: str) -> str: ...
def verify_one(username: str) -> User: ...
def verify_with_user(token: str, found: User = Depends(take_user)) -> str: ...
def verify_by_scheme(token: str, user: t.Annotated[User, USERS]) -> str: ...


@contextmanager
def verify_within(token: str) -> t.Iterator[str]:
    yield token


def case(problem: str, *, view: t.Any = show, **options: t.Any) -> t.Any:
    """A row of the table: what is said of a view, and the options of its route."""
    return pytest.param(view, problem, options, id=problem[:50])


def taking(annotation: t.Any, problem: str, **options: t.Any) -> t.Any:
    """A row of the table: what is said of a ``view()`` whose ``user`` is so."""

    def view(user): ...

    view.__annotations__ = {"user": annotation}
    return case(problem, view=view, **options)


def defaulting(annotation: t.Any, default: t.Any, problem: str) -> t.Any:
    def view(user=default): ...

    view.__annotations__ = {"user": annotation}
    return case(problem, view=view)


def verifying(verify: t.Any, problem: str, **options: t.Any) -> t.Any:
    """A row of the table: what is said of the function of a scheme."""
    return case(problem, security=HTTPBearer("token", verify=verify), **options)


def only_describes(name: str) -> str:
    return (
        f"security= has HTTPBearer('token'), which verifies, beside {name!r}, which"
        " only describes, so that no request would be checked. Give it verify= or"
        " authenticate=."
    )


def no_scheme(name: str) -> str:
    return (
        f"'user' of view() is declared with the class {name}, which is no scheme. Write"
        f" {name}('token', verify=...), or another name."
    )


IN_A_SIGNATURE: t.Final = (
    "depends on a security scheme. Write Annotated[User, scheme] in a signature, or"
    " security=scheme on a route or a blueprint."
)
AS_DEFAULT: t.Final = (
    "as its default. Write Annotated[..., scheme], so that its type is known."
)
DESCRIBES: t.Final = (
    "takes what the scheme 'docs' gives, which only describes. Give it verify= or"
    " authenticate=."
)
SCOPELESS: t.Final = (
    "HTTPBearer('plain') is asked for scopes, but has no get_scopes=, which says what a"
    " user may do. Add get_scopes=lambda user: user.scopes."
)
OPEN: t.Final = "but the route says security=None. Remove one of them."
IN_VERIFY: t.Final = (
    "takes what a security scheme gives, but is called to verify HTTPBearer('token')."
    " Read the request there."
)
INSIDE: t.Final = (
    "'user' of view() has its HTTPBearer('users') inside of its type. Put it around the"
    " whole type: Annotated[..., HTTPBearer('users')]."
)
TWO_NAMES: t.Final = (
    "A requirement has two schemes of the name 'token'. Use one object in both places,"
    " or give them different names."
)


@pytest.mark.parametrize(
    ("view", "problem", "options"),
    [
        case(only_describes("docs"), security=TOKEN | "docs"),
        case(only_describes("other"), security=[{"other": []}, TOKEN]),
        taking(
            t.Annotated[t.Any, HTTPBearer("token", verify=find_user)],
            TWO_NAMES,
            security=TOKEN,
        ),
        case(f"dependencies= of show() {IN_A_SIGNATURE}", dependencies=[TOKEN]),
        case(
            f"dependencies= of show() {IN_A_SIGNATURE}",
            dependencies=[TOKEN.scopes("read") & KEY],
        ),
        case(f"dependencies= of show() {IN_A_SIGNATURE}", dependencies=[HTTPBearer]),
        defaulting(User, Depends(USERS), f"'user' of view() {IN_A_SIGNATURE}"),
        taking(
            t.Annotated[User, Depends(HTTPBearer)], f"'user' of view() {IN_A_SIGNATURE}"
        ),
        taking(t.Annotated[User, HTTPBearer], no_scheme("HTTPBearer")),
        defaulting(User, HTTPBasic, no_scheme("HTTPBasic")),
        # As it is without ``from __future__ import annotations``.
        taking(
            TOKEN,
            "'user' of view() is annotated with HTTPBearer('token'), which is no type."
            " Write Annotated[User, scheme], with the type of what it gives.",
        ),
        defaulting(
            User, USERS, f"'user' of view() has HTTPBearer('users') {AS_DEFAULT}"
        ),
        defaulting(
            User,
            USERS.scopes() | TOKEN,
            f"'user' of view() has a security requirement {AS_DEFAULT}",
        ),
        defaulting(
            t.Annotated[User, USERS],
            None,
            "'user' of view() has a default, but is always supplied by"
            " HTTPBearer('users'). Remove the default. Write Annotated[User | None,"
            " scheme | None] if no credentials are needed.",
        ),
        taking(
            t.Annotated[User, USERS, TOKEN],
            "'user' of view() has two locations, HTTPBearer('users') and"
            " HTTPBearer('token'). Keep one.",
        ),
        taking(
            t.Annotated[User, USERS, Query()],
            "'user' of view() has two locations, HTTPBearer('users') and Query(). Keep"
            " one.",
        ),
        taking(t.Annotated[User, USERS] | None, INSIDE),
        taking(list[t.Annotated[User, USERS]], INSIDE),
        taking(t.Annotated[User, DESCRIBING], f"'user' of view() {DESCRIBES}"),
        taking(t.Annotated[User, USERS | "docs"], f"'user' of view() {DESCRIBES}"),
        taking(
            t.Annotated[User, USERS | None],
            "'user' of view() is annotated 'User', but its requirement is optional, so"
            " that it may be None. Write Annotated[User | None, ...].",
        ),
        taking(t.Annotated[str, UNSCOPED.scopes("read")], SCOPELESS),
        case(SCOPELESS, security=TOKEN | UNSCOPED.scopes("a")),
        taking(
            t.Annotated[str, TOKEN],
            f"'user' of view() needs the scheme 'token', {OPEN}",
            security=None,
        ),
        case(
            f"'user' of take_user() needs the scheme 'users', {OPEN}",
            view=guarded_view,
            security=None,
        ),
        case(
            f"'user' of take_user() needs the scheme 'users', {OPEN}",
            security=None,
            dependencies=[take_user],
        ),
        case(
            "'user' of positional() is positional-only, but is passed by its name."
            " Remove the '/' from its signature.",
            view=positional,
        ),
        verifying(
            verify_nothing,
            "verify_nothing() verifies a credential, but does not take it. Make it the"
            " first of its arguments.",
        ),
        verifying(
            verify_last,
            "'db' of verify_last() is given a credential, for it is among the first"
            " arguments, but is declared with Depends(). Put the credentials first.",
        ),
        case(
            "verify_one() verifies a user name and a password, but does not take both."
            " Make them the first of its arguments.",
            security=HTTPBasic("basic", verify=verify_one),
        ),
        verifying(verify_with_user, f"'user' of take_user() {IN_VERIFY}"),
        verifying(
            verify_with_user, f"'user' of take_user() {IN_VERIFY}", view=guarded_view
        ),
        verifying(verify_by_scheme, f"'user' of verify_by_scheme() {IN_VERIFY}"),
        verifying(
            verify_within,
            "the scheme 'token' depends on verify_within(), which is decorated with"
            " contextmanager. Remove the decorator: a generator function is a"
            " dependency as it is.",
        ),
    ],
)
def test_misuse_is_refused(any_app, view, problem, options):
    bp = Blueprint("bp", __name__)
    bp.post("/", **options)(view)

    told = message_of(lambda: any_app.register_blueprint(bp))

    assert told == f"POST /: {problem} {place_of(view)}"


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


def test_misuse_around_a_plain_view_is_refused(app):
    bp = guarded(plain(), security=TOKEN & "docs")

    assert message_of(lambda: app.register_blueprint(bp)) == (
        f"/plain: the plain view 'bp.plain.show': {only_describes('docs')}"
        f" {place_of(show)}"
    )


def test_application_whose_dependency_takes_a_scheme_has_no_open_route():
    app = Flask(__name__, dependencies=[take_user])

    with pytest.raises(SignatureError, match="but the route says security=None"):
        app.get("/", security=None)(show)
