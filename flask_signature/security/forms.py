"""The form that OAuth 2 has for a log-in by a password."""

from __future__ import annotations

import typing as t

from pydantic import BaseModel, ConfigDict, Field


class PasswordForm(BaseModel):
    """The form of a log-in, ``form: Annotated[PasswordForm, Form()]``.

    It is what Swagger UI and other clients send for
    ``OAuth2(password=OAuthFlow(token_url=...))``. Source: RFC 6749, 4.3.2.

    .. versionadded:: 0.2
    """

    # In the place of the docstring, which is for authors.
    model_config: t.ClassVar[ConfigDict] = ConfigDict(
        json_schema_extra={"description": "A log-in."}
    )

    grant_type: t.Annotated[str | None, Field(pattern="^password$")] = None
    username: str
    password: t.Annotated[str, Field(json_schema_extra={"format": "password"})]
    scope: str = ""
    client_id: str | None = None
    client_secret: t.Annotated[
        str | None, Field(json_schema_extra={"format": "password"})
    ] = None

    @property
    def scopes(self) -> list[str]:
        """The scopes that are asked for: those of ``scope``, between blanks."""
        return self.scope.split()
