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
        details = _details(error, errors, schema, is_debug=self.app.debug)
        # A sentence has the mistake and the remedy already.
        shown = f"{text}: {details}" if details and not text.endswith(".") else text
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


def _details(
    error: Exception | None,
    errors: Sequence[t.Any],
    schema: t.Any,
    *,
    is_debug: bool,
) -> str:
    if error is None:
        return ""
    if not errors:
        return str(error) if is_debug else type(error).__name__
    logged = errors[:MAX_LOGGED_ERRORS]
    if is_debug:
        return str(logged)
    names = DeclaredNames(schema)
    shown = [f"{item['type']} at {names.show(item['loc'])}" for item in logged]
    return "; ".join(shown)


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
    name, tp = show_stray(value), _type_of_stray(value)
    if disabled:
        return (
            f"returned {name}, but response_model=None leaves out response models."
            " Remove it, or return model_dump()."
        )
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


def _type_of_stray(value: object) -> str:
    """The annotation of a function that returns such a value."""
    model = find_model(value)
    name = type(model).__name__
    if isinstance(value, (list, tuple)):
        has_others = any(type(item) is not type(model) for item in value)
        return "list[Any]" if has_others else f"list[{name}]"
    return "dict[str, Any]" if isinstance(value, dict) else name


#: In place of the key of a dictionary.
HIDDEN: t.Final = "..."

#: The member of a union that is no class: ``list[int]``, ``dict[str,Item]``.
LABEL: t.Final = re.compile(r"[\w-]+\[.+\]")

#: The keys of a core schema that hold other names than those of fields.
UNNAMED: t.Final = frozenset({"config", "metadata"})


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
            if isinstance(part, dict) and id(part) not in seen:
                seen.add(id(part))
                self._names.update(_member_names(part))
                self._has_numbers |= _may_have_number(part)
                waiting += [part[key] for key in part.keys() - UNNAMED]
            elif isinstance(part, (list, tuple)):
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


def _member_names(part: Mapping[str, t.Any]) -> Iterator[str]:
    """The names that one part of a core schema has by itself."""
    kind, cls = part.get("type"), part.get("cls")
    if isinstance(kind, str):
        yield from (kind, f"constrained-{kind}", *kind.split("-"))
    if isinstance(cls, type):
        yield cls.__name__
    for key in ("fields", "choices"):
        yield from (name for name in part.get(key) or () if isinstance(name, str))
    waiting = [part.get(key) for key in ("name", "validation_alias")]
    while waiting:
        alias = waiting.pop()
        if isinstance(alias, str):
            yield alias
        elif isinstance(alias, list):
            waiting += alias


def _may_have_number(part: Mapping[str, t.Any]) -> bool:
    """Whether a part is a dictionary whose keys may be numbers."""
    is_mapping = "values_schema" in part or part.get("type") == "dict"
    return is_mapping and part.get("keys_schema", {}).get("type") != "str"
