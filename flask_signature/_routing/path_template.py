"""A Werkzeug rule, read once."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass

from .._common import name_set
from ..exceptions import SignatureError
from .route import Rule

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.routing import BaseConverter, Map

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
