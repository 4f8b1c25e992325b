"""What comes from another framework, and would do nothing, is refused."""

from __future__ import annotations

import re
import typing as t

import fastapi
import fastapi.security
import litestar
import litestar.params
import pytest

from flask_signature import Depends, Flask, SignatureError


class User(t.NamedTuple):
    name: str


def get_user() -> User:
    raise PermissionError


def register(annotation: t.Any, **options: t.Any) -> None:
    """Register a view whose argument is declared so."""

    def view(argument: t.Any) -> str:
        return "never called"

    view.__annotations__["argument"] = annotation
    Flask("shop").post("/", **options)(view)


DECLARED: t.Final = {
    "Depends": t.Annotated[User, fastapi.Depends(get_user)],
    "Security": t.Annotated[User, fastapi.Security(get_user)],
    "Header": t.Annotated[str, fastapi.Header()],
    "Form": t.Annotated[str, fastapi.Form()],
    "Parameter": t.Annotated[int, litestar.params.Parameter(ge=1)],
    "UploadFile": fastapi.UploadFile,
    "Request": fastapi.Request,
    "WebSocket": litestar.WebSocket,
}


@pytest.mark.parametrize("annotation", DECLARED.values(), ids=DECLARED)
def test_an_annotation_of_another_framework_is_refused(annotation):
    with pytest.raises(SignatureError, match="which is not read here"):
        register(annotation)


INSIDE: t.Final = [
    list[t.Annotated[int, fastapi.Query()]],
    t.Annotated[int, fastapi.Query()] | None,
    dict[str, list[fastapi.UploadFile]],
    int | fastapi.HTTPException,
]


@pytest.mark.parametrize("annotation", INSIDE, ids=str)
def test_what_stands_inside_of_a_type_is_refused(annotation):
    with pytest.raises(SignatureError, match="of fastapi, which is not read here"):
        register(annotation)


@pytest.mark.parametrize("default", [fastapi.Depends(get_user), fastapi.Query("x")])
def test_a_default_of_another_framework_is_refused(default):
    def view(argument: str = default) -> str:
        return argument

    with pytest.raises(SignatureError, match="which is not read here"):
        Flask("shop").get("/")(view)


def test_the_message_says_what_to_import():
    def show(user: t.Annotated[User, fastapi.Depends(get_user)]) -> str:
        return user.name

    with pytest.raises(SignatureError) as error:
        Flask("shop").get("/me")(show)

    assert str(error.value).startswith(
        "GET /me: 'user' of show() is declared with Depends of fastapi, which is not"
        " read here. Use 'from flask_signature import Depends'. ("
    )


def test_exceptions_of_another_framework_are_refused():
    told = (
        "is declared with HTTPException of fastapi, which is not read here. Use abort()"
        " of Flask, and responses=[404] to describe it."
    )
    listed = [fastapi.HTTPException]
    supplied = t.Annotated[User, Depends(get_user, raises=listed)]

    with pytest.raises(SignatureError, match=re.escape(f"Option 'raises' {told}")):
        register(str, raises=listed)
    with pytest.raises(
        SignatureError, match=re.escape(f"raises= of get_user() {told}")
    ):
        register(supplied)


FORMS: t.Final = [
    fastapi.security.OAuth2PasswordRequestForm,
    fastapi.security.OAuth2PasswordRequestFormStrict,
]


@pytest.mark.parametrize("form", FORMS)
def test_form_of_a_log_in_has_its_place_here(form):
    with pytest.raises(SignatureError, match=r"Write Annotated\[PasswordForm, Form"):
        register(t.Annotated[form, Depends()])


def test_a_guard_of_another_framework_is_refused():
    with pytest.raises(SignatureError, match="declared with Depends of fastapi"):
        register(str, dependencies=[fastapi.Depends(get_user)])
