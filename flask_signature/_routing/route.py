"""What one call of ``add_url_rule()`` says of a rule, its prefixes included."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from flask import Flask


@dataclass(frozen=True, slots=True)
class Route:
    """What one call of ``add_url_rule`` says, prefixes and defaults included.

    :param rule: the full rule.
    :param endpoint: the full endpoint.
    :param domain: the subdomain or the host.
    :param methods: the methods in upper case, without those that Flask answers itself.
    :param provided: the names of the defaults, which reach the view beside variables.
    """

    rule: str
    endpoint: str
    domain: str
    methods: frozenset[str]
    provided: frozenset[str]


def methods_of(view: Callable[..., t.Any], given: t.Any) -> frozenset[str]:
    """The methods of a route, as Flask will find them.

    :param given: the option ``methods``, ``None`` where there is none.
    """
    methods = given if given is not None else getattr(view, "methods", None)
    if isinstance(methods, str):
        # Flask refuses this with a message of its own.
        return frozenset()
    required = getattr(view, "required_methods", ())
    return frozenset(item.upper() for item in (*(methods or ("GET",)), *required))


def domain_of(app: Flask, options: Mapping[str, t.Any]) -> str:
    """The subdomain or the host of a rule, as Werkzeug will find it.

    :param options: of the rule; a subdomain that is ``None`` is that of the map.
    """
    subdomain = options.get("subdomain")
    if subdomain is None:
        subdomain = app.url_map.default_subdomain
    return str(options.get("host") or subdomain or "")
