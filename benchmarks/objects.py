"""``python -m benchmarks.objects``: what the garbage collector sees of a route.

The objects that 200 routes have more than 100, by their type and by what holds them:
a class, or a function whose closure they are in. Beside them those of bare Flask.
"""

from __future__ import annotations

import gc
import types
import typing as t
from collections import Counter

from . import shop
from .contender import UNIT, Contender

FEW, MANY = 100, 200

#: What is a part of whatever holds it.
PARTS: t.Final = (types.CellType, tuple, list, dict, set, frozenset, types.MethodType)

Count: t.TypeAlias = "Counter[tuple[str, str]]"


def count_objects(contender: Contender) -> Count:
    """The tracked objects of a route, by type and holder; how many times 100."""
    models = [shop.define_models(n) for n in range(MANY)]
    # What is made once is made by the first routes.
    kept = [contender.module.build_catalogue(models[:2])]
    found: list[Count] = []
    for number in (FEW, MANY):
        gc.collect()
        before = {id(item) for item in gc.get_objects()}
        kept.append(contender.module.build_catalogue(models[:number]))
        gc.collect()
        new = [item for item in gc.get_objects() if id(item) not in before]
        found.append(_by_holder([item for item in new if item is not before]))
    found[1].subtract(found[0])
    return found[1]


def _by_holder(objects: list[t.Any]) -> Count:
    known = {id(item): item for item in objects}
    holders: dict[int, str] = {}
    for item in objects:
        if isinstance(item, PARTS):
            continue
        waiting = gc.get_referents(item)
        for part in waiting:
            if (
                id(part) in known
                and isinstance(part, PARTS)
                and id(part) not in holders
            ):
                holders[id(part)] = _name(item)
                waiting += gc.get_referents(part)
    return Counter((_name(item), holders.get(id(item), "")) for item in objects)


def _name(item: t.Any) -> str:
    if isinstance(item, types.FunctionType):
        return f"{item.__module__}.{item.__qualname__}()"
    return type(item).__name__


def main() -> None:
    """Print both."""
    for name in (UNIT, "ours"):
        found = count_objects(Contender(name))
        routes = MANY - FEW
        print(f"{name}: {sum(found.values()) / routes:.1f} objects of a route")
        for (kind, holder), number in found.most_common():
            if number >= routes:
                print(f"{number / routes:7.1f}  {kind:30} {holder}")


if __name__ == "__main__":
    main()
