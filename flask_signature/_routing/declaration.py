"""What a route or a blueprint declares: the options that are ours, checked.

The options of a decorator, a blueprint or a registration go in, a :class:`Declaration`
and the options that are Flask's come out.
"""

from __future__ import annotations

import inspect
import typing as t
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from werkzeug.routing import Rule

from .._sentinel import UNSET
from ..exceptions import SignatureError
from .option_kinds import SEQUENCES
from .option_kinds import check_kind
from .option_kinds import plain_tag
from .option_kinds import unknown_option

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic.main import IncEx

    from ..typing import Decorator


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The options of a route that are ours, see :class:`.typing.OperationOptions`.

    A blueprint has one too, for what it says about all of its routes.

    :ivar tags: ``None`` where they are those of the blueprint.
    :ivar added_tags: those of registrations of blueprints, which are no option.
    """

    response_model: t.Any = UNSET
    status_code: int | None = None
    validate_response: bool | None = None
    response_model_by_alias: bool = True
    response_model_exclude_unset: bool = False
    response_model_exclude_defaults: bool = False
    response_model_exclude_none: bool = False
    response_model_include: IncEx | None = None
    response_model_exclude: IncEx | None = None
    responses: Mapping[int | str, t.Any] = field(default_factory=dict)
    response_description: str | None = None
    media_type: str | None = None
    etag: bool = False
    decorators: tuple[Decorator, ...] = ()
    dependencies: tuple[t.Any, ...] = ()
    tags: tuple[str, ...] | None = None
    summary: str | None = None
    description: str | None = None
    operation_id: str | None = None
    deprecated: bool = False
    include_in_schema: bool = True
    openapi_extra: Mapping[str, t.Any] | None = None
    security: t.Any = UNSET
    callbacks: Mapping[str, t.Any] | None = None
    added_tags: tuple[str, ...] = ()

    @property
    def all_tags(self) -> tuple[str, ...]:
        """The tags of an operation: those of registrations first, none twice."""
        return tuple(dict.fromkeys(self.added_tags + (self.tags or ())))

    @property
    def guards_views(self) -> bool:
        """Whether a blueprint has something that plain views in it need, too."""
        has_functions = bool(self.decorators or self.dependencies)
        return has_functions or self.security is not UNSET

    def within(self, outer: Declaration) -> Declaration:
        """The declaration inside of a blueprint, with what that adds.

        The nearest tags win, and so does the nearest security.

        :param outer: of the blueprint.
        """
        if outer == NOTHING_DECLARED:
            return self
        return replace(
            self,
            tags=outer.tags if self.tags is None else self.tags,
            added_tags=outer.added_tags + self.added_tags,
            decorators=self.decorators + outer.decorators,
            dependencies=outer.dependencies + self.dependencies,
            responses={**outer.responses, **self.responses},
            include_in_schema=self.include_in_schema and outer.include_in_schema,
            deprecated=self.deprecated or outer.deprecated,
            security=outer.security if self.security is UNSET else self.security,
        )

    def registered_with(self, registration: Declaration) -> Declaration:
        """The declaration of a blueprint with those of ``register_blueprint()``."""
        together = self.within(registration)
        if registration.security is UNSET:
            return together
        return replace(together, security=registration.security)

    def given_options(self) -> dict[str, t.Any]:
        """The options that differ from those of a route without any, by name."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {
            name: value
            for name, value in values.items()
            if value != getattr(NOTHING_DECLARED, name)
        }

    def added_to(self, earlier: Declaration) -> Declaration:
        """The declaration of a function that is registered again with these options."""
        added = {
            "decorators": earlier.decorators + self.decorators,
            "dependencies": earlier.dependencies + self.dependencies,
            "operation_id": self.operation_id,
        }
        return replace(earlier, **{**self.given_options(), **added})

    def decorate(self, view: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """A view function in the decorators, the first of which is the innermost."""
        for decorator in self.decorators:
            view = decorator(view)
        return view


#: The declaration of most routes and blueprints, which give no option.
NOTHING_DECLARED: t.Final = Declaration()

OPTIONS = frozenset(item.name for item in fields(Declaration)) - {"added_tags"}

#: Those that a blueprint has, and a registration of it.
SCOPE_OPTIONS: t.Final = frozenset(
    {
        "decorators",
        "dependencies",
        "deprecated",
        "include_in_schema",
        "responses",
        "security",
        "tags",
    }
)

#: The options of ``register_blueprint()`` that are Flask's own.
REGISTRATION_OPTIONS: t.Final = frozenset(
    {"cli_group", "name", "name_prefix", "subdomain", "url_defaults", "url_prefix"}
)

#: Those that decide which parts of a returned value are sent.
RESPONSE_OPTIONS: t.Final = frozenset(
    {
        "response_model",
        "response_model_by_alias",
        "response_model_exclude",
        "response_model_exclude_defaults",
        "response_model_exclude_none",
        "response_model_exclude_unset",
        "response_model_include",
        "responses",
        "validate_response",
    }
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


def read_declaration(own: Mapping[str, t.Any]) -> Declaration:
    """What some of our options declare.

    :raises SignatureError: if one is of the wrong type.
    """
    if not own:
        return NOTHING_DECLARED
    read = dict(own)
    for name in ("responses", "tags"):
        if read.get(name, ()) is None:
            del read[name]
    for name in read.keys() & SEQUENCES:
        if isinstance(read[name], Iterable) and not isinstance(read[name], str):
            read[name] = tuple(read[name])
    for name, value in read.items():
        check_kind(name, value)
    if "tags" in read:
        read["tags"] = tuple(map(plain_tag, read["tags"]))
    if read.get("security", UNSET) is not UNSET:
        # Most applications that have no need of it have no use for its classes.
        from ..security import read_security

        read["security"] = read_security(read["security"])
    return Declaration(**read)


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
