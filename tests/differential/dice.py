"""Draws from a seed."""

from __future__ import annotations

import random
import typing as t
from collections.abc import Sequence

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
