"""Annotations of strings: ``str`` and ``bytes``, and what stands for nothing else.

An annotation goes in, the classes of its strings come out; the readers of return
annotations and the description ask for them.
"""

from __future__ import annotations

import typing as t

from typing_extensions import LiteralString

from .annotations import issubclass_of, members, unwrap

#: The classes whose values are sent as they are.
STRING_TYPES: t.Final = (str, bytes, bytearray)


def string_types(annotation: t.Any) -> tuple[type, ...]:
    """The classes of an annotation whose values are strings, ``()`` for any other.

    ``Literal["a", "b"]`` gives ``(str,)``, and so does a ``TypeVar`` that is bound to
    ``str``; ``AnyStr`` gives ``(str, bytes)``.

    Source: PEP 484, PEP 586.
    """
    plain = unwrap(annotation)
    if issubclass_of(plain, STRING_TYPES):
        return (plain,)
    if plain is LiteralString:
        return (str,)
    if t.get_origin(plain) is t.Literal:
        return _classes_of(t.get_args(plain))
    if not isinstance(plain, t.TypeVar):
        return ()
    choices = plain.__constraints__ or members(plain.__bound__)
    found = [string_types(tp) for tp in choices]
    return tuple(kind for kinds in found for kind in kinds) if all(found) else ()


def _classes_of(literals: tuple[t.Any, ...]) -> tuple[type, ...]:
    """The classes of the members of a ``Literal``, if all are strings."""
    if not all(isinstance(item, STRING_TYPES) for item in literals):
        return ()
    kinds = [str if isinstance(item, str) else bytes for item in literals]
    return tuple(dict.fromkeys(kinds))
