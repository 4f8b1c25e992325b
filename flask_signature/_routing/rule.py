"""A rule that is added in a third of the time, and the rules that were added."""

from __future__ import annotations

import typing as t

from werkzeug import routing

from .._once import PARSING

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    Builder: t.TypeAlias = Callable[..., tuple[str, str]]


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
        return _build_unknown if append_unknown else _build

    def _build_later(self, append_unknown: bool) -> Builder:
        """The function that Werkzeug compiles, bound, which the rule has from now on.

        Two threads may both compile it, which is the same function.
        """
        with PARSING:
            builder = super()._compile_builder(append_unknown)
        name = "_build_unknown" if append_unknown else "_build"
        setattr(self, name, t.cast("t.Any", builder).__get__(self))
        return t.cast("Builder", getattr(self, name))


# Werkzeug makes methods of these, which all rules share.


def _build(rule: Rule, /, **values: t.Any) -> tuple[str, str]:
    return rule._build_later(False)(**values)


def _build_unknown(rule: Rule, /, **values: t.Any) -> tuple[str, str]:
    return rule._build_later(True)(**values)


def rules_of(app: Flask, endpoint: str) -> list[routing.Rule]:
    """The rules of an endpoint, in the order in which they were added."""
    # iter_rules() sorts all the rules of the application first, each time that one has
    # been added: quadratic time, if it is called for each route. Nothing else has them.
    by_endpoint = getattr(app.url_map, "_rules_by_endpoint", None)
    if by_endpoint is None:
        return [rule for rule in app.url_map.iter_rules() if rule.endpoint == endpoint]
    return [*by_endpoint.get(endpoint, ())]
