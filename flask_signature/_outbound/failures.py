"""What is reported when a view returned what its model does not allow.

A validation error goes in, an exception that names the view and the fields, and no
value, comes out.
"""

from __future__ import annotations

import dataclasses
import re
import typing as t
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

import pydantic
from pydantic_core import ValidationError

from .._common import is_success
from .._signature.views import source_location
from .._types.adapters import VALUE_KEYS
from .._types.annotations import show_type
from ..exceptions import ResponseValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from flask import Flask

    from .serializer import ResponseSerializer


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
        shown = text
        # A sentence has the mistake and the remedy already.
        if error is not None and not text.endswith("."):
            details = _show_errors(errors, schema, is_debug=self.app.debug)
            usual = str(error) if self.app.debug else type(error).__name__
            shown = f"{text}: {details or usual}"
        self.app.logger.error("%s%s", shown, self.place)
        return ResponseValidationError(
            text + self.place, view=self.view, rule=self.rule, errors=errors, body=body
        )

    def refuse(
        self,
        value: t.Any,
        error: Exception,
        serializer: ResponseSerializer,
        *,
        is_item: bool = False,
    ) -> ResponseValidationError:
        """The exception of a value that does not fit a model, which is logged here.

        :param error: what the serializer raised.
        :param is_item: whether the value is an item of a stream.
        """
        known = "" if is_item else describe_status(value)
        if value is None and not is_item:
            shown = show_type(serializer.model)
            known = (
                f"returned None, but its response model is {shown!r}. Return one, abort"
                f" with a status such as 404, or declare '{shown} | None'."
            )
        message, schema = known or describe_error(error), serializer.adapter.core_schema
        return self.error(message, error, body=value, schema=schema)

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


def _show_errors(errors: Sequence[t.Any], schema: t.Any, *, is_debug: bool) -> str:
    logged = errors[:MAX_LOGGED_ERRORS]
    if is_debug:
        return str(logged) if logged else ""
    names = DeclaredNames(schema) if logged else None
    return "; ".join(f"{x['type']} at {names.show(x['loc'])}" for x in logged if names)


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


#: What a serializer raises for a value that it can't write.
WRITE_ERRORS: t.Final = (ValueError, TypeError, OverflowError, RecursionError)


def describe_error(error: Exception) -> str:
    """What is said of most values: the errors follow."""
    if isinstance(error, ValidationError):
        return "returned what its response model refuses"
    return "returned what can't be written as JSON"


def describe_status(value: object) -> str:
    """The mistake of a status in the place of a body, ``""`` if it is none."""
    if type(value) is not int or not 100 <= value <= 599:
        return ""
    return (
        f"returned the status {value} in the place of the body. Write"
        f" '(body, {value})', or '(body, status, headers)'."
    )


def describe_stray(
    value: object,
    code: int,
    *,
    serializer: ResponseSerializer | None,
    disabled: bool,
) -> str:
    """Why a value is not sent that is a model, or has one in it, without a serializer.

    :param code: the status that it was returned with.
    :param serializer: of success.
    :param disabled: whether ``response_model=None`` turns that off.
    """
    name = show_stray(value)
    if disabled:
        return (
            f"returned {name}, but response_model=None leaves out response models."
            " Remove it, or return model_dump()."
        )
    model = tp = type(found := find_model(value)).__name__
    if isinstance(value, dict):
        tp = "dict[str, Any]"
    elif isinstance(value, (list, tuple)):
        has_others = any(type(item) is not type(found) for item in value)
        tp = "list[Any]" if has_others else f"list[{model}]"
    if serializer is not None or not is_success(code):
        return (
            f"returned {name} with status {code}, which has no response model."
            f" Declare it with responses={{{code}: {tp}}}."
        )
    return (
        f"returned {name}, but has no response model. Annotate it '-> {tp}', or"
        f" give response_model={tp}."
    )


def show_stray(value: object) -> str:
    """A model, or a dict or a list that has one in it, as messages show it."""
    name = type(find_model(value)).__name__
    if isinstance(value, (dict, list, tuple)):
        return f"{name!r} in a {'dict' if isinstance(value, dict) else 'list'}"
    return repr(name)


#: In place of the key of a dictionary.
HIDDEN: t.Final = "..."

#: The member of a union that is no class: ``list[int]``, ``dict[str,Item]``.
LABEL: t.Final = re.compile(r"[\w-]+\[.+\]")

#: The keys of a core schema that hold other strings than names.
NAMELESS: t.Final = VALUE_KEYS - {"cls"}


class DeclaredNames:
    """The names and aliases of fields, and what tells the members of a union apart.

    Source: ``pydantic_core.core_schema``.
    """

    def __init__(self, schema: t.Any) -> None:
        # Pydantic adds it to the ``loc`` of a key that is wrong itself.
        self._names = {"[key]"}
        self._has_numbers = False
        waiting, seen = [schema], set[int]()
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                self._names.update((part, f"constrained-{part}", *part.split("-")))
            elif isinstance(part, type):
                self._names.add(part.__name__)
            elif id(part) not in seen and isinstance(part, (dict, list, tuple)):
                seen.add(id(part))
                if isinstance(part, dict):
                    self._has_numbers |= _may_have_number(part)
                    part = _named_parts(part)
                waiting += part

    def show(self, loc: Iterable[str | int]) -> list[str | int]:
        """A ``loc`` with ``"..."`` for each key of a dictionary."""
        return [part if self._is_declared(part) else HIDDEN for part in loc]

    def _is_declared(self, part: str | int) -> bool:
        if isinstance(part, int):
            # An index, unless there are dictionaries whose keys may be numbers.
            return not self._has_numbers
        if part in self._names:
            return True
        words = re.findall(r"\w+", part)
        return LABEL.fullmatch(part) is not None and self._names.issuperset(words)


def _named_parts(part: Mapping[str, t.Any]) -> Iterator[t.Any]:
    """What one part of a core schema holds, and the names of its fields or choices."""
    for key, inside in part.items():
        if key in ("fields", "choices") and isinstance(inside, dict):
            yield from (*inside, *inside.values())
        elif key not in NAMELESS:
            yield inside


def _may_have_number(part: Mapping[str, t.Any]) -> bool:
    """Whether a part is a dictionary whose keys may be numbers."""
    is_mapping = "values_schema" in part or part.get("type") == "dict"
    return is_mapping and part.get("keys_schema", {}).get("type") != "str"
