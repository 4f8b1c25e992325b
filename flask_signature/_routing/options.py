"""The options of a rule or a registration: those that are ours, and those for Flask.

The options of a decorator or of ``register_blueprint()`` go in, a
:class:`.Declaration` and the options that are Flask's come out.
"""

from __future__ import annotations

import inspect
import typing as t
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from werkzeug.routing import Rule

from .._options import unknown_option
from .._sentinel import UNSET
from ..exceptions import SignatureError
from .declaration import OPTIONS, SCOPE_OPTIONS, read_declaration
from .option_kinds import SEQUENCES

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from .declaration import Declaration

#: The options of ``register_blueprint()`` that are Flask's own.
REGISTRATION_OPTIONS: t.Final = frozenset(
    {"cli_group", "name", "name_prefix", "subdomain", "url_defaults", "url_prefix"}
)


def read_options(
    options: Mapping[str, t.Any],
    takers: Iterable[Callable[..., t.Any]],
    earlier: Declaration,
) -> tuple[Declaration, dict[str, t.Any]]:
    """What the options of a rule declare, and those that are left for Flask.

    :param takers: the application's class of rules, and whatever else takes options.
    :param earlier: what was declared before, to which the options are added.
    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    own, rest = split_options(options)
    _check_rule_options(rest, takers)
    return read_declaration(own).added_to(earlier) if own else earlier, rest


def _check_rule_options(
    names: Iterable[str], takers: Iterable[Callable[..., t.Any]]
) -> None:
    """Refuse the options of a rule that nobody takes, and misspelled ones of ours."""
    signatures = [_parameters_of(taker) for taker in takers]
    known = RULE_OPTIONS.union(*(names for names, _ in signatures))
    takes_any = any(takes_any for _, takes_any in signatures)
    for name in names:
        if name in known or (takes_any and not get_close_matches(name, OPTIONS, n=1)):
            continue
        raise SignatureError(unknown_option(name, OPTIONS | known))


def read_registration(
    options: Mapping[str, t.Any], *, may_have_others: bool
) -> tuple[Declaration, dict[str, t.Any]]:
    """What ``register_blueprint()`` declares, and the options that are left for Flask.

    :param may_have_others: whether custom options may be looked for.
    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    own, rest = split_options(options, SCOPE_OPTIONS)
    known = SCOPE_OPTIONS | REGISTRATION_OPTIONS
    for name in rest.keys() - REGISTRATION_OPTIONS:
        if not may_have_others or get_close_matches(name, known, n=1):
            raise SignatureError(unknown_option(name, known))
    for name in own.keys() & SEQUENCES:
        # It would be empty where a blueprint is registered again.
        if isinstance(own[name], Iterator):
            raise SignatureError(f"Option {name!r} takes a list, not an iterator.")
    declaration = read_declaration(own)
    # They stand beside those of what is inside, which does not replace them.
    declaration = replace(declaration, tags=None, added_tags=declaration.tags or ())
    if declaration.security is not UNSET and not any(declaration.security.alternatives):
        raise SignatureError(
            f"Option 'security' may not be {own['security']!r} where a blueprint is"
            " registered: who reads the blueprint would not know that it is open. Say"
            " it there, or on its routes."
        )
    return declaration, rest


def split_options(
    options: Mapping[str, t.Any], ours: Collection[str] = OPTIONS
) -> tuple[dict[str, t.Any], dict[str, t.Any]]:
    """The options that are ours, and those that are left for Flask."""
    own = {name: value for name, value in options.items() if name in ours}
    rest = {name: value for name, value in options.items() if name not in ours}
    return own, rest


@cache
def _parameters_of(taker: Callable[..., t.Any]) -> tuple[frozenset[str], bool]:
    """The names that a callable takes by keyword, and whether it takes any other."""
    parameters = inspect.signature(taker).parameters
    kinds = [parameter.kind for parameter in parameters.values()]
    return frozenset(parameters), inspect.Parameter.VAR_KEYWORD in kinds


#: The options of a rule that Flask and Werkzeug take.
RULE_OPTIONS: t.Final = frozenset(
    _parameters_of(Rule)[0] - {"string"} | {"provide_automatic_options"}
)
