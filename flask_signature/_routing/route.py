"""A rule where it is registered: its methods, its path and its converters."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from werkzeug import routing

from .._common import PARSING, name_set
from ..exceptions import SignatureError
from .declaration import check_rule_options, read_declaration, split_options

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from flask import Flask
    from werkzeug.routing import BaseConverter, Map

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
        provided=name_set(options.get("defaults") or ()),
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
        return frozenset()
    required = getattr(view, "required_methods", ())
    return name_set({item.upper() for item in (*(methods or ("GET",)), *required)})


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


#: The converters of an application, by a variable as the rule has it and the class.
KnownConverters: t.TypeAlias = "dict[tuple[str, type[BaseConverter]], BaseConverter]"

#: One variable of a rule: ``<name>``, ``<converter:name>``, ``<converter(args):name>``.
VARIABLE = re.compile(
    r"<(?:(?P<converter>[a-zA-Z_]\w*)(?:\(.*?\))?:)?(?P<name>[a-zA-Z_]\w*)>", re.ASCII
)


@dataclass(frozen=True, slots=True)
class PathTemplate:
    """The OpenAPI form of a rule.

    :param path: the path with its variables in braces: ``"/users/{user_id}"``.
    :param converters: the converter of each variable of the path, in the order of the
        URL.
    :param domain: the variables of the subdomain or host. They are arguments of the
        view, but no path parameters.
    :param variables: the names of both.

    Source: OpenAPI 3.1, Path Templating.
    """

    path: str
    converters: Mapping[str, BaseConverter]
    domain: frozenset[str]
    variables: frozenset[str]


def read_rule(
    rule: str, domain: str, *, url_map: Map, known: KnownConverters
) -> PathTemplate:
    """The path template of a rule, with the converter of each variable.

    ``"/users/<int:user_id>"`` becomes ``"/users/{user_id}"`` and
    ``{"user_id": IntegerConverter}``.

    :param rule: the full rule, blueprint prefixes included.
    :param domain: the subdomain or host of the rule, which may hold variables too.
    :param url_map: the application's, which a custom converter may look into.
    :param known: the converters that were read before, to which those of the rule are
        added.
    :raises SignatureError: if a variable appears twice.
    :raises LookupError: if a converter does not exist, as Werkzeug does.
    """
    found: dict[str, BaseConverter] = {}
    for variable in VARIABLE.finditer(rule):
        name = variable["name"]
        if name in found:
            raise SignatureError(
                f"the rule {rule!r} has two variables named {name!r}; a prefix may"
                " bring the other. Rename one of them."
            )
        found[name] = _converter(variable, url_map, known)
    names = name_set(match["name"] for match in VARIABLE.finditer(domain))
    return PathTemplate(show_rule(rule), found, names, name_set(names.union(found)))


def show_rule(rule: str) -> str:
    """A rule as OpenAPI writes it: ``"/users/{user_id}"``."""
    return VARIABLE.sub(r"{\g<name>}", rule)


def _converter(
    variable: re.Match[str], url_map: Map, known: KnownConverters
) -> BaseConverter:
    name = variable["converter"] or "default"
    if name not in url_map.converters:
        raise LookupError(f"the converter {name!r} does not exist")
    # Compiling a rule is the slowest part of registering one, and an application uses
    # few different converters: each is read once. One that is registered anew under
    # the same name is another.
    key = variable[0], url_map.converters[name]
    if key not in known:
        probe = _ProbeRule(f"/{variable[0]}", subdomain="")
        # This gives the rule the map, and not the map the rule.
        probe.bind(url_map)
        known[key] = probe.converter
    return known[key]


class _ProbeRule(Rule):
    """Keeps the converter of its one variable, which parses its own arguments."""

    converter: BaseConverter

    def get_converter(
        self,
        variable_name: str,
        converter_name: str,
        args: tuple[t.Any, ...],
        kwargs: Mapping[str, t.Any],
    ) -> BaseConverter:
        self.converter = super().get_converter(
            variable_name, converter_name, args, kwargs
        )
        return self.converter
