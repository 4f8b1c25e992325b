"""Where something went wrong: in the source, for its author, and in the log."""

from __future__ import annotations

import typing as t

from pydantic_core import ValidationError

from .exceptions import ResponseValidationError

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask


#: The log names this many failures of one response.
MOST_FAILURES: t.Final = 100


class Place:
    """A view under a rule: says what went wrong there.

    :param view: the name of the view, as in ``"show_user()"``.
    :param rule: the method and the path, as in ``"GET /users/{user_id}"``.
    """

    __slots__ = ("_dropped", "rule", "view")

    def __init__(self, view: str, rule: str) -> None:
        self.view: str = view
        self.rule: str = rule
        self._dropped = False

    def refuse(
        self,
        app: Flask,
        message: str,
        error: Exception | None = None,
        body: object = None,
    ) -> ResponseValidationError:
        """The exception of a value that can't be sent, which is logged here.

        The log has the locations and the types of Pydantic's errors; what was returned
        is in it in debug mode only.
        """
        errors: Sequence[t.Any] = ()
        if isinstance(error, ValidationError):
            errors = error.errors(include_url=False)
        text = f"{self.rule}: {self.view} {message}"
        details = _with_values(error, errors) if app.debug else _without(error, errors)
        app.logger.error("%s%s", text, f" {details}" if details else "")
        return ResponseValidationError(
            text, view=self.view, rule=self.rule, errors=errors, body=body
        )

    def log_broken_stream(self, app: Flask) -> None:
        """Log the exception that ends a response which has been sent in part."""
        app.logger.exception("%s: %s failed while its items were sent.", *self._names)

    def warn_dropped(self, app: Flask, status: int) -> None:
        """Say, the first time, that a body was returned which can't be sent."""
        if self._dropped:
            return
        self._dropped = True
        app.logger.warning(
            "%s: %s returned a body with status %d, which has no content. It was"
            " dropped.",
            *self._names,
            status,
        )

    @property
    def _names(self) -> tuple[str, str]:
        return self.rule, self.view


def _with_values(error: Exception | None, errors: Sequence[t.Any]) -> str:
    if errors:
        return str(list(errors[:MOST_FAILURES]))
    return "" if error is None else str(error)


def _without(error: Exception | None, errors: Sequence[t.Any]) -> str:
    if errors:
        found = [
            f"{line['type']} at {[*line['loc']]}" for line in errors[:MOST_FAILURES]
        ]
        return "; ".join(found)
    return "" if error is None else type(error).__name__
