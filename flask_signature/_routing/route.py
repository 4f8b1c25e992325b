"""A rule and its methods, where they are registered."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from werkzeug import routing

from .._common import PARSING, name_set
from .declaration import check_rule_options, read_declaration, split_options

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from flask import Flask

    from .declaration import Declaration


@dataclass(frozen=True, slots=True)
class Route:
    """One call of ``add_url_rule()``, with the prefixes and defaults of blueprints.

    :param rule: the full rule.
    :param endpoint: the full endpoint.
    :param domain: the subdomain or the host.
    :param methods: the methods in upper case, without those that Flask responds to
        itself.
    :param provided: the names of the defaults, which reach the view beside variables.
    :param declaration: what its options declare, without those of blueprints.
    :param options: those that are left for Flask.
    """

    rule: str
    endpoint: str
    domain: str
    methods: frozenset[str]
    provided: frozenset[str]
    declaration: Declaration
    options: Mapping[str, t.Any]


def read_route(
    app: Flask,
    rule: str,
    endpoint: str,
    *,
    view: Callable[..., t.Any],
    options: Mapping[str, t.Any],
    takers: Iterable[Callable[..., t.Any]],
    declared: Declaration,
) -> Route:
    """The route that some options of a rule make.

    :param rule: the full rule.
    :param endpoint: the full endpoint.
    :param options: of the rule, those of its blueprints included.
    :param takers: what may take further options, such as the class of rules.
    :param declared: what was declared before, to which the options are added.
    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    own, options = split_options(options)
    check_rule_options(options, takers)
    declaration = read_declaration(own).added_to(declared) if own else declared
    return Route(
        rule=rule,
        endpoint=endpoint,
        domain=_domain_of(app, options),
        methods=methods_of(view, options.get("methods")),
        provided=name_set(options.get("defaults") or {}),
        declaration=declaration,
        options=options,
    )


def methods_of(view: Callable[..., t.Any], given: t.Any) -> frozenset[str]:
    """The methods of a route, as Flask will find them.

    :param given: the option ``methods``, ``None`` where there is none.
    """
    methods = given if given is not None else getattr(view, "methods", None)
    if isinstance(methods, str):
        # Flask refuses this.
        return name_set(())
    required = getattr(view, "required_methods", ())
    return name_set(item.upper() for item in (*(methods or ("GET",)), *required))


def _domain_of(app: Flask, options: Mapping[str, t.Any]) -> str:
    """The subdomain or the host of a rule, as Werkzeug will find it.

    :param options: of the rule; a subdomain that is ``None`` is that of the map.
    """
    subdomain = options.get("subdomain")
    if subdomain is None:
        subdomain = app.url_map.default_subdomain
    return str(options.get("host") or subdomain or "")


if t.TYPE_CHECKING:
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
