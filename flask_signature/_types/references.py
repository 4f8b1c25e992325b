"""Types that annotations refer to by their names: ``list["Item"]``.

An annotation goes in, and the names that it may use; the same annotation comes out,
with the types in it.
"""

from __future__ import annotations

import sys
import typing as t
from functools import cache
from types import UnionType

if t.TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def alias_value(alias: t.Any) -> t.Any:
    """What a type alias stands for, which may be a string."""
    return resolve(alias.__value__, _module_names(alias))


def referenced_names(model: type) -> dict[str, t.Any]:
    """The names that the fields of a class may use: of its modules, and its own."""
    found: dict[str, t.Any] = {}
    for cls in reversed(model.__mro__):
        found.update({**_module_names(cls), cls.__name__: cls})
    return found


def _module_names(named: t.Any) -> dict[str, t.Any]:
    module = sys.modules.get(getattr(named, "__module__", None) or "")
    names = {} if module is None else vars(module)
    return {**names, named.__name__: named}


def resolve(annotation: t.Any, names: Mapping[str, t.Any]) -> t.Any:
    """An annotation with the types in place of their names.

    A name that is not known stays what it is. Python 3.10 keeps that in a ``list``.
    """
    if isinstance(annotation, t.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        return _evaluate_reference(annotation, names)
    origin, arguments = t.get_origin(annotation), t.get_args(annotation)
    if origin is t.Annotated:
        arguments = (annotation.__origin__,)
    if origin in (None, t.Literal):
        return annotation
    changed = tuple(resolve(argument, names) for argument in arguments)
    if all(map(_is, changed, arguments)):
        return annotation
    if origin is t.Annotated:
        changed += annotation.__metadata__
        return t.Annotated[changed]
    if origin in (t.Union, UnionType):
        return t.Union[changed]  # noqa: UP007
    return origin[changed[0] if len(changed) == 1 else changed]


def _is(one: t.Any, other: t.Any) -> bool:
    return one is other


def _evaluate_reference(name: str, names: Mapping[str, t.Any]) -> t.Any:
    holder = type("Holder", (), {"__annotations__": {"value": name}})
    try:
        hints = t.get_type_hints(holder, dict(names), include_extras=True)
    except (NameError, SyntaxError, TypeError, AttributeError):
        return name
    found = hints["value"]
    return found if found == name else resolve(found, names)
