"""A rule with its endpoint and methods, as Flask will register it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from flask.views import View

from .._once import name_set
from ..exceptions import SignatureError
from .options import read_options

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
    :raises SignatureError: if the view is a class, or an option is not known, or of the
        wrong type.
    """
    refuse_class(view)
    declaration, options = read_options(options, takers, declared)
    return Route(
        rule=rule,
        endpoint=endpoint,
        domain=_domain_of(app, options),
        methods=methods_of(view, options.get("methods")),
        provided=name_set(options.get("defaults") or {}),
        declaration=declaration,
        options=options,
    )


def refuse_class(view: t.Any) -> None:
    """Refuse a class in place of the view function that it makes.

    Flask would make an instance for each request, which is no response.

    :raises SignatureError: if it is one.
    """
    if isinstance(view, type) and issubclass(view, View):
        raise SignatureError(
            "a class is registered in place of its view function. Write"
            f" {view.__name__}.as_view({view.__name__.lower()!r})."
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
