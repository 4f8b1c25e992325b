"""What goes wrong when a response is made, as an exception and in the log."""

from __future__ import annotations

import dataclasses
import typing as t
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

import pydantic
from pydantic_core import ValidationError

from .._signature.source import source_location
from ..exceptions import ResponseValidationError
from .names import DeclaredNames

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask

#: The log names this many errors of one response.
MAX_LOGGED_ERRORS: t.Final = 100


#: What may be a value for a model.
CONTAINER_TYPES: t.Final = (Mapping, list, tuple, Set, pydantic.BaseModel)


@dataclass(slots=True)
class ViewReporter:
    """Reports what a view returned that can't be sent, or not all of it.

    :param app: whose logger is used.
    :param view: the name of the view: ``"show_user()"``.
    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    :param function: the view, whose file and line are reported; ``None`` where it is
        not known what returned a value.
    """

    app: Flask
    view: str
    rule: str
    function: Callable[..., t.Any] | None
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
        reported = errors if self.app.debug else _without_keys(errors, schema)
        details = _details(error, reported, with_values=self.app.debug)
        # A sentence has the mistake and the remedy already.
        shown = f"{text}: {details}" if details and not text.endswith(".") else text
        self.app.logger.error("%s%s", shown, self.place)
        return ResponseValidationError(
            text + self.place, view=self.view, rule=self.rule, errors=errors, body=body
        )

    @property
    def place(self) -> str:
        """The end of a message: the file and line of the view."""
        # Found when something has failed: an application has more views than failures.
        return f" ({source_location(self.function)})" if self.function else ""

    def log_broken_stream(self) -> None:
        """Log the exception that ends a response which has been sent in part."""
        message = "%s: %s failed while its items were sent.%s"
        self.app.logger.exception(message, self.rule, self.view, self.place)

    def warn_dropped(self, status: int) -> None:
        """Warn once that the view returns a body with a status without content."""
        if self._has_warned:
            return
        self._has_warned = True
        self.app.logger.warning(
            "%s: %s returned a body with status %d, which has no content. It was"
            " dropped.%s",
            self.rule,
            self.view,
            status,
            self.place,
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


def is_value(body: object) -> bool:
    """Whether a body is a value for a model: a mapping, a list or a model itself."""
    return isinstance(body, CONTAINER_TYPES) or (
        dataclasses.is_dataclass(body) and not isinstance(body, type)
    )


def find_model(value: t.Any) -> pydantic.BaseModel | None:
    """A value that is a model, or a model in it if it is a container, else ``None``.

    Containers are those that Flask's JSON has: dicts, lists and tuples.
    """
    waiting, seen = [value], set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, pydantic.BaseModel):
            return found
        # A container may contain itself.
        if isinstance(found, (dict, list, tuple)) and id(found) not in seen:
            seen.add(id(found))
            waiting += found.values() if isinstance(found, dict) else found
    return None
