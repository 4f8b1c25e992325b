"""Defaults that a view could change: each request gets a copy of its own."""

from __future__ import annotations

import copyreg
import dataclasses
import datetime
import ipaddress
import typing as t
from copy import deepcopy
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from uuid import UUID

from pydantic import BaseModel

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable

#: What can't be changed, though ``copy.deepcopy()`` would make another of it.
IMMUTABLE: t.Final = (
    Enum,
    Fraction,
    PurePath,
    UUID,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.tzinfo,
    ipaddress.IPv4Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Address,
    ipaddress.IPv6Network,
)


class CopiedDefault:
    """Makes Pydantic copy a default for each request.

    Pydantic copies a default without a hash and shares any other. This object has none,
    and its copy is a copy of the default, or the default where it can't be copied.
    """

    __slots__ = ("can_be_copied", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: t.Any) -> None:
        self.value = value
        self.can_be_copied = _succeeds(deepcopy, value)

    def __deepcopy__(self, memo: dict[int, t.Any]) -> t.Any:
        return deepcopy(self.value, memo) if self.can_be_copied else self.value


def needs_copying(default: t.Any) -> bool:
    """Whether a default has to be a :class:`CopiedDefault`.

    Pydantic shares a default with a hash, which may be mutable, and fails to copy some
    of those without one, such as a lock: that is shared on purpose.
    """
    if not _succeeds(hash, default):
        return not _succeeds(deepcopy, default)
    try:
        return not _is_immutable(default)
    except Exception:
        return False


def _succeeds(function: Callable[[t.Any], t.Any], value: t.Any) -> bool:
    try:
        function(value)
    except Exception:
        return False
    return True


def _is_immutable(value: t.Any) -> bool:
    if isinstance(value, IMMUTABLE):
        return True
    parts = _parts(value)
    if parts is not None:
        return all(_is_immutable(part) for part in parts)
    return deepcopy(value) is value or _has_no_state(value)


def _parts(value: t.Any) -> Iterable[t.Any] | None:
    """The parts of a value that can't be replaced in it, ``None`` if they can be."""
    if isinstance(value, (tuple, frozenset)):
        return value
    if isinstance(value, BaseModel) and value.model_config.get("frozen"):
        return [*dict(value).values(), *(value.__pydantic_private__ or {}).values()]
    params = getattr(value, "__dataclass_params__", None)
    if params is not None and params.frozen:
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    return None


def _has_no_state(value: t.Any) -> bool:
    """Whether a value has no attributes, as ``object()`` has none.

    Such a value is a sentinel, which is compared by identity and must not be copied.
    """
    make, arguments, *state = value.__reduce_ex__(4)
    is_new = make is copyreg.__newobj__ and arguments == (type(value),)  # type: ignore[attr-defined]
    return is_new and not any(part is not None for part in state)
