"""What goes wrong when a response is made, as an exception and in the log."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field

import pydantic
from pydantic_core import ValidationError

from ..exceptions import ResponseValidationError
from .names import DeclaredNames

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

#: The log names this many errors of one response.
MAX_LOGGED_ERRORS: t.Final = 100


@dataclass(slots=True)
class ViewReporter:
    """Reports what a view returned that can't be sent, or not all of it.

    :param app: whose logger is used.
    :param view: the name of the view: ``"show_user()"``.
    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    """

    app: Flask
    view: str
    rule: str
    _has_warned: bool = field(default=False, init=False)

    def error(
        self,
        message: str,
        error: Exception | None = None,
        *,
        body: object,
        schema: t.Any = None,
    ) -> ResponseValidationError:
        """The exception of a value that can't be sent, which is logged here.

        The log has the type of Pydantic's errors and the fields in their ``loc``; what
        was returned, and the keys of dictionaries, are in it in debug mode only.

        :param body: what the view returned.
        :param schema: the core schema of the response model.
        """
        errors: Sequence[t.Any] = ()
        if isinstance(error, ValidationError):
            errors = error.errors(include_url=False)
        text = f"{self.rule}: {self.view} {message}"
        shown = errors if self.app.debug else _without_keys(errors, schema)
        details = _details(error, shown, with_values=self.app.debug)
        self.app.logger.error("%s%s", text, f" {details}" if details else "")
        return ResponseValidationError(
            text, view=self.view, rule=self.rule, errors=errors, body=body
        )

    def log_broken_stream(self) -> None:
        """Log the exception that ends a response which has been sent in part."""
        message = "%s: %s failed while its items were sent."
        self.app.logger.exception(message, self.rule, self.view)

    def warn_dropped(self, status: int) -> None:
        """Warn once that the view returns a body with a status without content."""
        if self._has_warned:
            return
        self._has_warned = True
        self.app.logger.warning(
            "%s: %s returned a body with status %d, which has no content. It was"
            " dropped.",
            self.rule,
            self.view,
            status,
        )


def _without_keys(errors: Sequence[t.Any], schema: t.Any) -> Sequence[t.Any]:
    if not errors:
        return ()
    names = DeclaredNames(schema)
    logged = errors[:MAX_LOGGED_ERRORS]
    return [{**item, "loc": names.show(item["loc"])} for item in logged]


def _details(
    error: Exception | None, errors: Sequence[t.Any], *, with_values: bool
) -> str:
    if not errors:
        name = type(error).__name__
        return "" if error is None else str(error) if with_values else name
    logged = [*errors[:MAX_LOGGED_ERRORS]]
    if with_values:
        return str(logged)
    return "; ".join(f"{item['type']} at {[*item['loc']]}" for item in logged)


def holds_model(value: t.Any) -> bool:
    """Whether a value is a model, or a container with one in it.

    Containers are those that Flask's JSON has: dicts, lists and tuples.
    """
    waiting, seen = [value], set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, pydantic.BaseModel):
            return True
        # A container may contain itself.
        if isinstance(found, (dict, list, tuple)) and id(found) not in seen:
            seen.add(id(found))
            waiting += found.values() if isinstance(found, dict) else found
    return False
