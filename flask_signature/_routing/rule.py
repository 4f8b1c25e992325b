"""A rule that is added in a third of the time."""

from __future__ import annotations

import typing as t
from threading import Lock

from werkzeug import routing

if t.TYPE_CHECKING:
    from collections.abc import Callable

    Builder: t.TypeAlias = Callable[..., tuple[str, str]]

#: Held while a builder is compiled, which happens once for each.
_LOCK: t.Final = Lock()


class Rule(routing.Rule):
    """A :class:`werkzeug.routing.Rule` that is compiled to build a URL when it has to.

    Werkzeug writes and compiles two functions for each rule when it is added, of which
    most applications call few: they are two thirds of what a rule costs.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        # Nothing public is between a rule and these functions. A version of Werkzeug
        # without this method never calls it, and its rules are added as they were.
        if self.defaults or "<" in f"{self.host or ''}{self.subdomain or ''}":
            # These may be wrong, which is said when the rule is added.
            return super()._compile_builder(append_unknown)
        return UncompiledBuilder(
            self, lambda: super(Rule, self)._compile_builder(append_unknown)
        )


class UncompiledBuilder:
    """Builds the URLs of a rule, with a function that is compiled for the first.

    :param rule: whose function it is.
    :param compile_builder: compiles the function, which takes the rule.
    """

    __slots__ = ("_builder", "_compile_builder", "_rule")

    def __init__(self, rule: Rule, compile_builder: Callable[[], Builder]) -> None:
        self._rule = rule
        self._compile_builder = compile_builder
        self._builder: Builder | None = None

    def __get__(self, rule: Rule, owner: object) -> UncompiledBuilder:
        """The builder of the rule, as a function would be its method."""
        return self

    def __call__(self, /, **values: t.Any) -> tuple[str, str]:
        """The host and the path."""
        builder = self._builder
        if builder is None:
            with _LOCK:
                builder = self._builder = self._builder or self._compile_builder()
        return builder(self._rule, **values)
