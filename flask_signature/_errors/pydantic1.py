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

import re
import typing as t
from ast import literal_eval
from decimal import Decimal
from functools import lru_cache

from .._common import PARSING, Sentinel
from .pydantic1_table import PYDANTIC1_ROWS

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    #: What Pydantic 2 says of an error: its ``ctx``, with ``msg`` and ``input``.
    Given: t.TypeAlias = Mapping[str, t.Any]

NOT_GIVEN: t.Final = Sentinel("NOT_GIVEN")

#: Errors of a key, of text that cannot be read, or of a null that was asked for: a null
#: is never what is wrong there.
NOT_OF_A_VALUE: t.Final = frozenset(
    {"value_error.missing", "value_error.extra", "value_error.json"}
    | {"value_error.unicodedecode", "type_error.not_none"}
)

#: What Pydantic 2 puts before the words of an author's exception.
PREFIXES: t.Final = {
    "value_error": "Value error, ",
    "assertion_error": "Assertion failed, ",
}
FAMILIES: t.Final = frozenset({"assertion_error", "type_error", "value_error"})


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
    # The least length of a URL has no name in Pydantic 2.
    given = {**(entry.get("ctx") or {}), "msg": entry["msg"], "1": 1}
    given["input"] = entry.get("input", NOT_GIVEN)
    row = PYDANTIC1_ROWS.get(_row_name(entry["type"], given))
    if row is None or not given.keys() >= set(row.ctx.values()):
        return _author_entry(entry)
    if given["input"] is None and row.type not in NOT_OF_A_VALUE:
        row = PYDANTIC1_ROWS["null of any type"]
    wordings, ctx = dict[str, t.Any](), dict[str, t.Any]()
    for name, source in row.ctx.items():
        wording, value = READINGS.get(source, (_same, _same))
        wordings[name], ctx[name] = wording(given[source]), value(given[source])
    kind = row.type.format(container=_container(given))
    translated = {"loc": entry["loc"], "msg": row.msg.format_map(wordings)}
    return {**translated, "type": kind, **({"ctx": ctx} if ctx else {})}


def _row_name(kind: str, given: Given) -> str:
    """The row of an error: its type, unless that alone does not tell."""
    if kind == "bool_type" and isinstance(given["input"], (str, int)):
        # Only a strict boolean calls text and numbers a wrong type.
        return "bool_type of a scalar"
    if kind == "value_error" and given["msg"].startswith(EMAIL):
        return "value_error of EmailStr"
    if kind in ("too_short", "too_long"):
        # Pydantic 2 counts a ``SecretStr`` and a ``Sequence`` as a "Value" alike;
        # Pydantic 1 counted only the first as characters.
        is_text = isinstance(given["input"], (str, bytes, Sentinel))
        if is_text and given.get("field_type") == "Value":
            return f"string_{kind}"
        is_tuple = _container(given) == "tuple" and kind == "too_long"
        has_length = given.get("actual_length") is not None
        return "too_long of a tuple" if is_tuple and has_length else kind
    name = f"{kind} of {given.get(DETAILS.get(kind, ''), '')}"
    return name if name in PYDANTIC1_ROWS else kind


#: How both start the message of an ``EmailStr``, whose type is that of any
#: ``ValueError`` in Pydantic 2.
EMAIL: t.Final = PYDANTIC1_ROWS["value_error of EmailStr"].msg

#: What in the ``ctx`` of a type tells its rows apart.
DETAILS: t.Final = {
    "url_parsing": "error",
    "is_instance_of": "class",
    "needs_python_object": "method_name",
}

#: By ``field_type``: what a type of Pydantic 1 calls a container.
PYDANTIC1_CONTAINERS: t.Final = {
    "Deque": "deque",
    "Dictionary": "dict",
    "Frozenset": "frozenset",
    "Set": "set",
    "Tuple": "tuple",
}


def _container(given: Given) -> str:
    return PYDANTIC1_CONTAINERS.get(given.get("field_type", ""), "list")


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


# ---- values that the two Pydantics write differently


def _same(value: t.Any) -> t.Any:
    return value


def _limit(value: t.Any) -> t.Any:
    """A limit as most authors write it: of ``gt=0``, Pydantic 2 makes a float."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _number(value: t.Any) -> t.Any:
    """A limit as Pydantic 1 put it into JSON, where a Decimal is a number."""
    if not isinstance(value, Decimal):
        return _limit(value)
    exponent = value.as_tuple().exponent
    return int(value) if isinstance(exponent, int) and exponent >= 0 else float(value)


def _listing(text: str) -> str:
    """An enumeration as Pydantic 1 wrote it: ``"'a', 'b', 1"``."""
    return ", ".join(_items(text))


def _values(text: str) -> list[t.Any]:
    """The values of an enumeration: ``["a", "b", 1]``."""
    return [_value(item) for item in _items(text)]


#: One item of ``"'a', 'b' or 1"``; a comma or an "or" in quotes or brackets is text.
ITEM: t.Final = re.compile(
    r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\([^()]*\)|[^'"(])+?)(?:, | or |$)"""
)


@lru_cache
def _items(text: str) -> tuple[str, ...]:
    """The items of an enumeration: ``("'a'", "1")`` for ``"'a' or 1"``.

    What cannot be told apart is the last item.
    """
    items, end = list[str](), 0
    while item := ITEM.match(text, end):
        items.append(item[1])
        end = item.end()
    return (*items, text[end:]) if text[end:] else tuple(items)


#: A member of an enum, as ``Literal[Letter.A]`` shows it.
MEMBER: t.Final = re.compile(r"<[\w.]+: (?P<value>.*)>", re.DOTALL)


@lru_cache
def _value(item: str) -> t.Any:
    """What an item says: ``"'a'"`` and ``"<Letter.A: 'a'>"`` are both ``"a"``."""
    member = MEMBER.fullmatch(item)
    try:
        with PARSING:
            return literal_eval(member["value"] if member else item)
    except (ValueError, SyntaxError):
        return item


def _after_colon(msg: str) -> str:
    """What a message says after its colon."""
    return msg.partition(": ")[2]


#: By the name in Pydantic 2: how a value is written in a message of Pydantic 1, and
#: how in its ``ctx``.
READINGS: t.Final[Mapping[str, tuple[Callable[[t.Any], t.Any], ...]]] = {
    **dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"), (_limit, _number)),
    **dict.fromkeys(("expected", "expected_schemes"), (_listing, _values)),
    "discriminator": (_same, _value),
    "msg": (_after_colon, _after_colon),
}
