"""Draws the requests of an application, from a seed."""

from __future__ import annotations

import random
import typing as t
from collections.abc import Sequence

from .cookies import COOKIES
from .description import Request
from .paths import BASE_URLS, ENVIRONS, HEADERS, OTHERS, PATHS, TYPED_PATHS, WITHOUT

#: A rule, with the prefixes of its blueprints, and its methods.
Route: t.TypeAlias = "tuple[str, Sequence[str]]"

WAYS = {"wsgi": 50, "client": 18, "with client": 10, "buffered": 4, "following": 4}
WAYS |= {"mounted": 6, "direct": 6, "dispatch": 3, "transaction": 4}
METHODS = {"GET": 50, "HEAD": 15, "OPTIONS": 25, "POST": 10, "DELETE": 3, "PUT": 3}
METHODS |= {"PATCH": 1, "PURGE": 2, "get": 1, "TRACE": 1}
QUERIES = ("a=1", "a=1&a=2&b", "%C3%A4=%20", "q=2", "q=x&r=1&r=2")
READS = {"all": 90, "first": 5, "nothing": 5}
WITHIN = {"": 88, "app context": 6, "request context": 4, "other app": 2}
DATA = {None: 70, b"": 5, b"a=1&missing=2": 15, b'{"name": "x"}': 10, b"x" * 30: 5}

#: Where a blueprint's prefix has a variable, what a request has there.
VARIABLES = {"<lang>": "en", "<int:owner>": "7"}


T = t.TypeVar("T")


class Dice(random.Random):
    """A seeded source of choices."""

    def maybe(self, probability: float) -> bool:
        return self.random() < probability

    def some(self, options: Sequence[T], *, most: int, chance: float) -> tuple[T, ...]:
        """Up to so many of the options, each with that chance, in a drawn order."""
        wanted = sum(self.maybe(chance) for _ in range(most))
        return tuple(self.sample(list(options), min(wanted, len(options))))

    def weighted(self, options: dict[T, int]) -> T:
        return self.choices([*options], weights=[*options.values()])[0]


def draw_path(dice: Dice, rule: str) -> str:
    """A path for a rule, given with the prefixes of its blueprints, or near it."""
    if dice.maybe(0.07):
        return dice.choice(OTHERS)
    every = {**PATHS, **TYPED_PATHS}
    # The longest, since "/" is the end of many.
    known = max((end for end in every if rule.endswith(end)), key=len)
    prefix = rule.removesuffix(known)
    for variable, value in VARIABLES.items():
        prefix = prefix.replace(variable, value)
    paths = every[known]
    return prefix + (paths[0] if dice.maybe(0.75) else dice.choice(paths))


def draw_request(
    dice: Dice, routes: Sequence[Route], *, odd: float, hosts: float = 0
) -> Request:
    """One request.

    :param routes: those of the application.
    :param odd: the chance of each thing that is odd.
    :param hosts: that of another host, if it is more.
    """
    rule, methods = dice.choice(routes)
    way = dice.weighted(WAYS)
    is_raw = way in ("wsgi", "mounted")
    path = draw_path(dice, rule)
    base_url, query = BASE_URLS[0], ""
    if dice.maybe(max(odd, hosts)):
        base_url = dice.choice(BASE_URLS)
    if dice.maybe(odd):
        query = dice.choice(QUERIES)
    return Request(
        way=way,
        method=dice.choice(methods) if dice.maybe(0.65) else dice.weighted(METHODS),
        path=path if is_raw or path.startswith("/") else f"/{path}",
        base_url=base_url,
        query=query,
        headers=dice.some(HEADERS, most=2, chance=odd),
        data=dice.weighted(DATA) if dice.maybe(odd) else None,
        environ=dice.choice(ENVIRONS) if is_raw and dice.maybe(odd) else (),
        without=dice.choice(WITHOUT).split() if is_raw and dice.maybe(odd / 3) else (),
        cookies=dice.some([*COOKIES], most=2, chance=odd) if is_raw else (),
        within=dice.weighted(WITHIN),
        reads=dice.weighted(READS) if is_raw else "all",
    )
