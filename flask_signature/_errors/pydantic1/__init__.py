"""The errors of Pydantic 2 in the words of Pydantic 1.

Imported only by an application that sets ``SIGNATURE_ERROR_FORMAT = "pydantic1"``.

Where Pydantic 1 made the same check, an entry has its type, its message and the names
of its ``ctx``. Where it did not (timezones, fractions, the length of a dict), the type
is built as Pydantic 1 built its own: ``type_error.`` or ``value_error.`` and a name.
What Pydantic 1 repeated of the value that was sent (``given``, ``discriminator_value``,
a path, a unit, the text after a URL) is left out of message and ``ctx``.

Source: Pydantic 1.10, ``pydantic/errors.py``; Pydantic 2, "Validation Errors".
"""

from __future__ import annotations

import typing as t

from .rows import NOT_GIVEN, NOT_OF_A_VALUE, NULL
from .table import PYDANTIC1_ROWS
from .values import PYDANTIC1_VALUES, WORDINGS

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .rows import ErrorRow, Given
    from .values import Readings

#: What Pydantic 2 puts before the words of an author's exception.
PREFIXES = {"value_error": "Value error, ", "assertion_error": "Assertion failed, "}
FAMILIES = {"assertion_error", "type_error", "value_error"}


def to_pydantic1(entry: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """The entry of Pydantic 1 that says what ``entry`` (one of Pydantic 2) says.

    ``{"type": "greater_than_equal", "ctx": {"ge": 1}, ...}`` becomes
    ``{"type": "value_error.number.not_ge", "ctx": {"limit_value": 1}, ...}`` with the
    message "ensure this value is greater than or equal to 1". The ``loc`` stays.

    An error that an author raised keeps the author's words. A ``ValueError`` is
    ``value_error`` and a subclass of it ``value_error.<name>``, as in Pydantic 1; a
    ``PydanticCustomError("not_a_bar", ...)`` is ``value_error.not_a_bar`` with its
    ``ctx``, unless its type starts with ``value_error`` or ``type_error`` already.

    :param entry: may hold Pydantic's ``input``, which is never returned. It only tells
        a null from another wrong type, and a short text from a short list.
    """
    given = {**(entry.get("ctx") or {}), "msg": entry["msg"]}
    given["input"] = entry.get("input", NOT_GIVEN)
    row = _find_row(entry["type"], given)
    if row is None:
        return _author_entry(entry)
    translated = {"loc": entry["loc"], "msg": _message(row, given), "type": row.type}
    ctx = {
        name: _read_pydantic1(source, given, PYDANTIC1_VALUES)
        for name, source in row.ctx.items()
    }
    return {**translated, "ctx": ctx} if ctx else translated


def _find_row(kind: str, given: Given) -> ErrorRow | None:
    """The row of an error, None for one that an author raised."""
    row = PYDANTIC1_ROWS.get(kind)
    if callable(row):
        row = row(given)
    if row is None or not row.needs <= given.keys():
        return None
    if given["input"] is None and row.type not in NOT_OF_A_VALUE:
        return NULL
    return row


def _message(row: ErrorRow, given: Given) -> str:
    """The message of a row with its values in it."""
    return row.msg.format_map(
        {
            name: _read_pydantic1(source, given, WORDINGS)
            for name, source in row.ctx.items()
        }
    )


def _read_pydantic1(source: str | int, given: Given, readings: Readings) -> t.Any:
    """A value that a row names, as it stands in a message or in a ``ctx``."""
    if isinstance(source, int):
        return source
    read = readings.get(source)
    return read(given[source]) if read else given[source]


def _author_entry(entry: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """The entry of an error that an author raised, or that a later Pydantic added."""
    kind, msg, ctx = entry["type"], entry["msg"], entry.get("ctx") or {}
    prefix = PREFIXES.get(kind)
    if prefix and msg.startswith(prefix):
        kind = _exception_type(kind, ctx.get("error"))
        return {"loc": entry["loc"], "msg": msg.removeprefix(prefix), "type": kind}
    if kind.partition(".")[0] not in FAMILIES:
        kind = f"value_error.{kind}"
    translated = {"loc": entry["loc"], "msg": msg, "type": kind}
    return {**translated, "ctx": dict(ctx)} if ctx else translated


def _exception_type(family: str, error: object) -> str:
    """The type that Pydantic 1 gave to an exception: ``value_error.jsondecode``."""
    cls = type(error)
    if not isinstance(error, ValueError) or cls is ValueError:
        return family
    code = getattr(cls, "code", None)
    if not isinstance(code, str):
        code = cls.__name__.replace("Error", "").lower()
    return f"{family}.{code}"
