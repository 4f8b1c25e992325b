"""The values of a ``ctx`` that the two Pydantics write differently."""

from __future__ import annotations

import re
import typing as t
from ast import literal_eval
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache

from ..._common import PARSING

Readings: t.TypeAlias = Mapping[str, Callable[[t.Any], t.Any]]

#: One item of ``"'a', 'b' or 1"``; a comma or an "or" in quotes or brackets is text.
ITEM = re.compile(
    r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\([^()]*\)|[^'"(])+?)(?:, | or |$)"""
)
#: A member of an enum, as ``Literal[Letter.A]`` shows it.
MEMBER = re.compile(r"<[\w.]+: (?P<value>.*)>", re.DOTALL)


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


@lru_cache
def _items(text: str) -> tuple[str, ...]:
    """The items of an enumeration: ``("'a'", "1")`` for ``"'a' or 1"``.

    What cannot be told apart is the last item.
    """
    items = []
    end = 0
    while item := ITEM.match(text, end):
        items.append(item[1])
        end = item.end()
    return (*items, text[end:]) if text[end:] else tuple(items)


def _listing(text: str) -> str:
    """An enumeration as Pydantic 1 wrote it: ``"'a', 'b', 1"``."""
    return ", ".join(_items(text))


def _values(text: str) -> list[t.Any]:
    """The values of an enumeration: ``["a", "b", 1]``."""
    return [_value(item) for item in _items(text)]


@lru_cache
def _value(item: str) -> t.Any:
    """What an item stands for: ``"'a'"`` and ``"<Letter.A: 'a'>"`` are both ``"a"``."""
    member = MEMBER.fullmatch(item)
    try:
        with PARSING:
            return literal_eval(member["value"] if member else item)
    except (ValueError, SyntaxError):
        return item


def _value_reason(msg: str) -> str:
    """What a message says after its colon."""
    return msg.partition(": ")[2]


#: By the name in Pydantic 2: how a value stands in a message of Pydantic 1.
WORDINGS: Readings = {
    **dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"), _limit),
    **dict.fromkeys(("expected", "expected_schemes"), _listing),
    "msg": _value_reason,
}
#: By the name in Pydantic 2: how a value stands in a ``ctx`` of Pydantic 1.
PYDANTIC1_VALUES: Readings = {
    **dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"), _number),
    **dict.fromkeys(("expected", "expected_schemes"), _values),
    "discriminator": _value,
    "msg": _value_reason,
}
