"""Defaults that a view could change: each request gets a copy of its own."""

from __future__ import annotations

import dataclasses
import typing as t
from copy import deepcopy

from pydantic import BaseModel

#: The modules of what can't be changed, though ``copy.deepcopy()`` makes another of it.
IMMUTABLE_MODULES: t.Final = frozenset({"datetime", "ipaddress", "pathlib", "uuid"})


class CopiedDefault:
    """Makes Pydantic copy a default for each request.

    Pydantic copies a default without a hash and shares any other. This object has none,
    and its copy is a copy of the default, or the default where it can't be copied.
    """

    __slots__ = ("can_be_copied", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: t.Any) -> None:
        self.value, self.can_be_copied = value, True
        try:
            deepcopy(value)
        except Exception:
            self.can_be_copied = False

    def __deepcopy__(self, memo: dict[int, t.Any]) -> t.Any:
        return deepcopy(self.value, memo) if self.can_be_copied else self.value


def needs_copying(default: t.Any) -> bool:
    """Whether a default has to be a :class:`CopiedDefault`.

    Pydantic shares a default with a hash, which may be mutable, and fails to copy some
    of those without one, such as a list with a lock: that is shared on purpose.
    """
    try:
        hash(default)
    except Exception:
        return not CopiedDefault(default).can_be_copied
    try:
        return not _is_immutable(default)
    except Exception:
        return False


def _is_immutable(value: t.Any) -> bool:
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_immutable, value))
    if isinstance(value, BaseModel) and value.model_config.get("frozen"):
        private = (value.__pydantic_private__ or {}).values()
        return all(map(_is_immutable, [*dict(value).values(), *private]))
    if getattr(getattr(value, "__dataclass_params__", None), "frozen", False):
        names = [field.name for field in dataclasses.fields(value)]
        return all(_is_immutable(getattr(value, name)) for name in names)
    module = type(value).__module__.partition(".")[0]
    if module in IMMUTABLE_MODULES or deepcopy(value) is value:
        return True
    # What has no attributes is a sentinel, which is compared by identity.
    _, arguments, *state = value.__reduce_ex__(4)
    return bool(arguments == (type(value),) and not any(state))
