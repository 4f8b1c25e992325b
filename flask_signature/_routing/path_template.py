"""A Werkzeug rule, read once."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass
from functools import lru_cache

from werkzeug.routing import BaseConverter
from werkzeug.routing import Map
from werkzeug.routing import Rule

from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

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
    rule: str, domain: str, converters: Mapping[str, type[BaseConverter]]
) -> PathTemplate:
    """The path template of a rule, with the converter of each variable.

    ``"/users/<int:user_id>"`` becomes ``"/users/{user_id}"`` and
    ``{"user_id": IntegerConverter}``.

    :param rule: the full rule, blueprint prefixes included.
    :param domain: the subdomain or host of the rule, which may hold variables too.
    :param converters: converter classes by name, as in ``app.url_map.converters``.
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
        found[name] = _converter(variable, converters)
    domain_names = frozenset(match["name"] for match in VARIABLE.finditer(domain))
    variables = domain_names.union(found)
    return PathTemplate(show_rule(rule), found, domain_names, variables)


def show_rule(rule: str) -> str:
    """A rule as OpenAPI writes it: ``"/users/{user_id}"``."""
    return VARIABLE.sub(r"{\g<name>}", rule)


def _converter(
    variable: re.Match[str], converters: Mapping[str, type[BaseConverter]]
) -> BaseConverter:
    name = variable["converter"] or "default"
    if name not in converters:
        raise LookupError(f"the converter {name!r} does not exist")
    # Converters have no hash, but their class has one.
    return _read_converter(variable[0], name, converters[name])  # type: ignore[arg-type]


# Compiling a rule is the slowest part of registering one, and an application uses few
# different converters: each is read once.
@lru_cache(maxsize=512)
def _read_converter(
    variable: str, name: str, converter: type[BaseConverter]
) -> BaseConverter:
    probe = _ProbeRule(f"/{variable}")
    Map([probe], converters={name: converter})
    return probe.converter


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
