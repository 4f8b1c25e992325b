"""Which callables are one dependency: those with the same key.

Callables go in, keys come out, under which nodes are shared and overrides are found.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import fields
from functools import cached_property
from types import MethodType

if t.TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, eq=False)
class Identity:
    """Stands for an object, and is equal for that object alone."""

    of: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


def key_of(function: t.Any) -> Hashable:
    """What is equal for two callables that mean the same dependency.

    Their own equality does not count: tuples of two classes may be equal.
    """
    if isinstance(function, MethodType):
        return MethodType, key_of(function.__func__), Identity(function.__self__)
    if t.get_origin(function) is not None:
        return _value_key(function)
    key = _dataclass_key(function)
    return Identity(function) if key is None else key


def _dataclass_key(value: t.Any) -> Hashable | None:
    """The key of a frozen dataclass, by all that it consists of; ``None`` otherwise."""
    cls = type(value)
    options = vars(cls).get("__dataclass_params__")
    is_builtin = any(base.__module__ == "builtins" for base in cls.__mro__[:-1])
    if options is None or not (options.frozen and options.eq) or is_builtin:
        return None
    # What __post_init__() adds counts, but for what is computed when it is asked for.
    names = {item.name for item in fields(value)} | {*getattr(value, "__dict__", ())}
    kept = [
        (name, _value_key(getattr(value, name, None)))
        for name in sorted(names)
        if not isinstance(getattr(cls, name, None), (property, cached_property))
    ]
    return cls, tuple(kept)


def _value_key(value: t.Any) -> Hashable:
    """What is equal for two values of the same type and value, also inside of them."""
    cls = type(value)
    if t.get_origin(value) is not None:
        return cls, _value_key(t.get_origin(value)), _keys_of(t.get_args(value))
    if isinstance(value, tuple):
        return cls, _keys_of(value)
    if isinstance(value, frozenset):
        return cls, frozenset(_keys_of(value))
    if (key := _dataclass_key(value)) is not None:
        return key
    return (cls, value) if _has_hash(value) else Identity(value)


def _keys_of(values: Iterable[t.Any]) -> tuple[Hashable, ...]:
    return tuple(map(_value_key, values))


def _has_hash(value: t.Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
