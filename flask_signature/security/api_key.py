"""The scheme of a key in a header, the query or a cookie."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from typing_extensions import TypeVar

from ..exceptions import SignatureError
from .challenge import make_challenge
from .credentials import KeyLocation, read_key
from .requirement import SecurityScheme

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack
    from werkzeug.datastructures import WWWAuthenticate
    from werkzeug.wrappers import Request

    from .credentials import Credentials
    from .options import LaterTokenOptions, TokenOptions

T = TypeVar("T", default=t.Any)


@dataclass(frozen=True, eq=False)
class APIKey(SecurityScheme[T]):
    """A key in a header, the query or a cookie: ``verify(key)``.

    :param key: the name of the header, of the key in the query, or of the cookie.
    :raises SignatureError: if a key can't be sent in the location.

    .. versionadded:: 0.1
    """

    key: str
    location: KeyLocation = "header"

    credentials: t.ClassVar[str] = "key"

    if t.TYPE_CHECKING:

        @t.overload
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: Unpack[LaterTokenOptions[T]],
        ) -> None: ...
        @t.overload
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: Unpack[TokenOptions[T]],
        ) -> None: ...
        def __init__(
            self,
            name: str,
            key: str,
            location: KeyLocation = "header",
            **options: t.Any,
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        known = t.get_args(KeyLocation)
        if self.location not in known:
            names = ", ".join(map(repr, known))
            raise SignatureError(
                f"APIKey({self.name!r}, {self.key!r}): there is no location"
                f" {self.location!r}. Use one of {names}."
            )

    def read_credentials(self, request: Request) -> Credentials:
        """The key."""
        return read_key(request, self.key, self.location)

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """``APIKey realm="key", name="X-Key", in="header"``, which no standard has."""
        parameters = {"realm": self.name, "name": self.key, "in": self.location}
        return make_challenge("APIKey", parameters)

    def _members(self) -> dict[str, t.Any]:
        return {"type": "apiKey", "name": self.key, "in": self.location}
